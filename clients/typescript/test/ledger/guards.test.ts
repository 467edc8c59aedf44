// What is refused before money is at risk, and what no error may say.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Keypair, TransactionBuilder } from "@stellar/stellar-sdk";

import {
  type ErrorCode,
  EscrowClient,
  EscrowError,
  keypairSigner,
  MemoryKeyStore,
  type Signer,
  walletSigner,
} from "../../src/index.js";
import { type Network, startNetwork } from "../support/network.js";
import { is } from "../support/outcomes.js";
import { type Program, QUICK, setUp } from "../support/program.js";

let network: Network;
let program: Program;

before(async () => {
  network = await startNetwork();
  program = await setUp(network);
});

after(() => network.stop());

const fails = (code: ErrorCode) => (error: unknown) => {
  assert.ok(error instanceof EscrowError, String(error));
  assert.equal(error.code, code);
  assert.ok(error.next.length > 10 && error.message.endsWith(error.next));
  assert.ok(!error.message.includes(program.payer.secret()));
  return true;
};

test("what was never valid is not stored", async () => {
  const store = new MemoryKeyStore();
  const client = program.client({ store });
  const [one = "", two = ""] = await program.recipients(2);
  const secret = Keypair.random().secret();
  const cases: [ErrorCode, () => Promise<unknown>][] = [
    [
      "amount_type",
      () => client.paySingle("k", { recipient: one, amount: 5 as unknown as bigint }),
    ],
    [
      "amount_type",
      () => client.paySingle("k", { recipient: one, amount: "5" as unknown as bigint }),
    ],
    ["amount_range", () => client.paySingle("k", { recipient: one, amount: 0n })],
    ["batch_size", () => client.payBatch("k", [])],
    [
      "recipient_duplicate",
      () =>
        client.payBatch(
          "k",
          [one, two, one].map((recipient) => ({ recipient, amount: 1n })),
        ),
    ],
    [
      "amount_range",
      () =>
        client.payBatch(
          "k",
          [one, two].map((recipient) => ({ recipient, amount: 2n ** 126n })),
        ),
    ],
    ["recipient_secret", () => client.paySingle("k", { recipient: secret, amount: 1n })],
    [
      "reference_invalid",
      () => client.payWithReferences("k", [{ recipient: one, amount: 1n, reference: "x" }]),
    ],
    ["key_character", () => client.paySingle("a b", { recipient: one, amount: 1n })],
    ["key_length", () => client.paySingle("", { recipient: one, amount: 1n })],
    ["store_unknown_key", () => client.retry("never")],
  ];
  for (const [code, call] of cases) await assert.rejects(call, fails(code), code);
  assert.deepEqual(await store.list(), []);
});

test("a node of another network is refused before anything is signed", async () => {
  const signer: Signer = { ...keypairSigner(program.payer), sign: () => assert.fail("signed") };
  const client = program.client({
    networkPassphrase: "Public Global Stellar Network ; September 2015",
    signer,
  });
  const [recipient = ""] = await program.recipients(1);
  await assert.rejects(
    client.paySingle("net-1", { recipient, amount: 1n }),
    fails("wrong_network"),
  );
  await assert.rejects(client.program(), fails("wrong_network"));
});

test("a signer that declines, or signs something else, sends nothing; the key goes on", async () => {
  const store = new MemoryKeyStore();
  const [recipient = ""] = await program.recipients(1);
  const payment = { recipient, amount: 5n };
  const honest = keypairSigner(program.payer);
  const declining = walletSigner(honest.address, async () => ({
    signedTxXdr: "",
    error: { message: `declined by ${program.payer.secret()}` },
  }));
  const lying: Signer = {
    address: honest.address,
    async sign(envelope, passphrase) {
      const other = TransactionBuilder.cloneFrom(
        TransactionBuilder.fromXDR(envelope, passphrase) as never,
        { fee: "100000", networkPassphrase: passphrase },
      ).build();
      other.sign(program.payer);
      return other.toXDR();
    },
  };
  const lazy: Signer = { address: honest.address, sign: async (envelope) => envelope };
  const pay = (signer: Signer) => program.client({ store, signer }).paySingle("sign-1", payment);
  await assert.rejects(pay(declining), fails("signer_refused"));
  await assert.rejects(pay(lying), fails("signer_changed_transaction"));
  await assert.rejects(pay(lazy), fails("signer_changed_transaction"));
  assert.equal(await program.paidTo(recipient), 0n);
  const wallet = walletSigner(honest.address, async (envelope, { networkPassphrase }) => ({
    signedTxXdr: await honest.sign(envelope, networkPassphrase),
  }));
  const paid = is(await pay(wallet), "paid");
  assert.equal(paid.hashes.length, 1, "all of them were asked for one and the same transaction");
  assert.equal(await program.paidTo(recipient), 5n);
});

test("a signature that the network does not take stops early, and proves nothing", async () => {
  const stranger = Keypair.random();
  const [recipient = ""] = await program.recipients(1);
  const wrong: Signer = {
    address: program.payer.publicKey(),
    sign: (envelope, passphrase) => keypairSigner(stranger).sign(envelope, passphrase),
  };
  const client = program.client({ signer: wrong, retry: { ...QUICK, rounds: 100 } });
  const outcome = is(await client.paySingle("auth-1", { recipient, amount: 5n }), "outcomeUnknown");
  assert.equal(outcome.reason, "refusedByNetwork");
});

test("an account that is not there, and a client without a signer", async () => {
  const [recipient = ""] = await program.recipients(1);
  const payment = { recipient, amount: 5n };
  const poor = program.client({ signer: keypairSigner(Keypair.random()) });
  assert.equal(is(await poor.paySingle("poor-1", payment), "rejected").reason, "sourceMissing");
  const store = new MemoryKeyStore();
  const reader = new EscrowClient({
    rpcUrl: network.url,
    networkPassphrase: network.passphrase,
    contract: program.contract,
    allowHttp: true,
    store,
  });
  const missing = is(await reader.paySingle("read-2", payment), "outcomeUnknown");
  assert.equal(missing.reason, "signerMissing");
  is(await program.client({ store }).paySingle("read-1", payment), "paid");
  is(await reader.retry("read-1"), "replayed");
});

test("an observer that throws does not come between signing and sending", async (context) => {
  context.mock.method(console, "error", () => {});
  const [recipient = ""] = await program.recipients(1);
  const client = program.client({
    onEvent: () => {
      throw new Error("observer");
    },
  });
  is(await client.paySingle("observer-1", { recipient, amount: 5n }), "paid");
});

test("options that would take safety away are refused", () => {
  const cases = [
    { validSeconds: 179 },
    { validSeconds: Number.NaN },
    { maxBid: 99n },
    { retry: { rounds: 0 } },
    { retry: { baseDelayMs: -1 } },
    { witnessUrls: [network.url] },
    { witnessUrls: [`${network.url}/`] },
  ];
  for (const options of cases)
    assert.throws(() => program.client(options), fails("option_invalid"));
  assert.throws(
    () => program.client({ contract: program.admin.publicKey() }),
    fails("contract_invalid"),
  );
});
