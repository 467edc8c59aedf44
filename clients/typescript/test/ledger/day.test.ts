// A program's day: everything that is answered without any fault of the network.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Keypair } from "@stellar/stellar-sdk";

import { fingerprint, keypairSigner, MemoryKeyStore } from "../../src/index.js";
import { type Network, startNetwork } from "../support/network.js";
import { is } from "../support/outcomes.js";
import { LOCKED, type Program, setUp } from "../support/program.js";

let network: Network;
let program: Program;

before(async () => {
  network = await startNetwork();
  program = await setUp(network, ["legacy-1"]);
});

after(() => network.stop());

async function count(): Promise<bigint> {
  return (await program.client().program()).payout_count;
}

test("a single payout is paid, and paid only once", async () => {
  const client = program.client();
  const [recipient = ""] = await program.recipients(1);
  const payment = { recipient, amount: 9_007_199n };
  const key = await client.newKey([payment]);
  assert.match(key, new RegExp(`^hackathon-2026-single-${recipient.slice(0, 8)}-[0-9a-f]{16}$`));
  const paid = is(await client.paySingle(key, payment), "paid");
  assert.equal(paid.record.totalAmount, payment.amount);
  assert.equal(paid.record.kind, "single");
  assert.equal(paid.record.fingerprint, await fingerprint([recipient], [payment.amount]));
  assert.deepEqual([paid.receipt?.hash], paid.hashes);
  assert.equal(paid.receipt?.ledger, paid.ledger);
  const before = await count();
  for (const again of [
    client.paySingle(key, payment),
    client.retry(key),
    client.payBatch(key, [payment]),
  ]) {
    assert.deepEqual(is(await again, "replayed").record, paid.record);
  }
  assert.equal(await count(), before);
  assert.equal(await program.paidTo(recipient), payment.amount);
  assert.deepEqual(await client.openKeys(), []);
});

test("a batch of the most recipients the contract takes", async () => {
  const client = program.client();
  const recipients = await program.recipients(60);
  const payments = recipients.map((recipient, i) => ({ recipient, amount: BigInt(i + 1) }));
  const key = await client.newKey(payments);
  assert.match(key, /-60r-/);
  is(await client.payBatch(key, payments), "paid");
  for (const { recipient, amount } of payments) {
    assert.equal(await program.paidTo(recipient), amount);
  }
});

test("references tell obligations of one wallet and amount apart", async () => {
  const store = new MemoryKeyStore();
  const [recipient = ""] = await program.recipients(1);
  const payment = (digit: string) => ({ recipient, amount: 7n, reference: digit.repeat(32) });
  const first = is(
    await program.client({ store }).payWithReferences("refs-1", [payment("1")]),
    "paid",
  );
  const expected = await fingerprint([recipient], [7n], ["1".repeat(32)]);
  assert.equal(first.record.fingerprint, expected);
  const here = await program.client({ store }).payWithReferences("refs-1", [payment("2")]);
  assert.equal(is(here, "conflict").found, "store");
  // Another machine, which does not know what was paid under the key.
  const there = await program.client().payWithReferences("refs-1", [payment("2")]);
  assert.equal(is(there, "conflict").found, "record");
  assert.equal(await program.paidTo(recipient), 7n);
});

test("other arguments under a stored key are a conflict before anything is sent", async () => {
  const client = program.client();
  const [one = "", two = ""] = await program.recipients(2);
  is(await client.paySingle("conflict-1", { recipient: one, amount: 5n }), "paid");
  const before = await count();
  for (const payment of [
    { recipient: one, amount: 6n },
    { recipient: two, amount: 5n },
  ]) {
    const outcome = is(await client.paySingle("conflict-1", payment), "conflict");
    assert.equal(outcome.found, "store");
    assert.match(outcome.next, /Stop/);
  }
  assert.equal(await count(), before);
  assert.equal(await program.paidTo(two), 0n);
});

test("a key that another machine used for something else is a conflict by its record", async () => {
  const [one = "", two = ""] = await program.recipients(2);
  is(await program.client().paySingle("taken-1", { recipient: one, amount: 5n }), "paid");
  const client = program.client();
  const outcome = is(await client.paySingle("taken-1", { recipient: two, amount: 5n }), "conflict");
  assert.equal(outcome.found, "record");
  assert.equal(outcome.record?.totalAmount, 5n);
  assert.notEqual(outcome.record?.fingerprint, outcome.presented);
  assert.deepEqual(outcome.hashes, []);
  assert.equal(await program.paidTo(two), 0n);
});

test("a voided key never pays, and a paid key cannot be voided", async () => {
  const client = program.client();
  const [recipient = ""] = await program.recipients(1);
  const payment = { recipient, amount: 5n };
  is(await client.voidKey("void-1"), "voided");
  is(await client.voidKey("void-1"), "voided");
  is(await client.paySingle("void-1", payment), "voided");
  assert.equal(await program.paidTo(recipient), 0n);
  is(await client.paySingle("void-2", payment), "paid");
  is(await client.voidKey("void-2"), "replayed");
  const stranger = is(await program.client().voidKey("void-2"), "conflict");
  assert.equal(stranger.found, "consumed");
  assert.equal(await program.paidTo(recipient), 5n);
});

test("what another system claims to have paid is never reported as paid here", async () => {
  const client = program.client();
  const [recipient = ""] = await program.recipients(1);
  const outcome = is(await client.paySingle("legacy-1", { recipient, amount: 5n }), "conflict");
  assert.equal(outcome.found, "imported");
  assert.equal(outcome.record?.kind, "imported");
  assert.equal(is(await client.voidKey("legacy-1"), "conflict").found, "imported");
  assert.equal(await program.paidTo(recipient), 0n);
});

test("a refusal of the contract is typed, nothing was signed, and the key goes on", async () => {
  const client = program.client();
  const [recipient = ""] = await program.recipients(1);
  const payment = { recipient, amount: LOCKED * 2n };
  const outcome = is(await client.paySingle("refused-1", payment), "rejected");
  assert.deepEqual(outcome.refusal, { code: 407, name: "InsufficientBalance" });
  assert.equal(outcome.proof, "nothingSigned");
  assert.deepEqual(outcome.hashes, []);
  const nobody = Keypair.random().publicKey();
  const missing = is(
    await client.paySingle("refused-2", { recipient: nobody, amount: 5n }),
    "rejected",
  );
  assert.equal(missing.refusal?.name, "TokenTransferFailed");
  await program.network.drive("entries", { entries: [] });
  await program.server.fundAddress(nobody);
  is(await client.retry("refused-2"), "paid");
});

test("a delegate pays, a stranger is refused", async () => {
  const delegate = Keypair.random();
  const [recipient = ""] = await program.recipients(1);
  await program.server.fundAddress(delegate.publicKey());
  const client = program.client({ signer: keypairSigner(delegate) });
  const payment = { recipient, amount: 5n };
  const refused = is(await client.paySingle("delegate-1", payment), "rejected");
  assert.equal(refused.refusal?.name, "DelegateNotFound");
  const set = await program.as(program.admin).set_delegate({
    delegate: delegate.publicKey(),
    allowance: 5n,
    expires_at: BigInt(Math.floor(Date.now() / 1000) + 3600),
  });
  await set.signAndSend();
  is(await client.paySingle("delegate-1", payment), "paid");
  const over = is(await client.paySingle("delegate-2", payment), "rejected");
  assert.equal(over.refusal?.name, "DelegateAllowanceExceeded");
});

test("a void that is refused says nothing about the payout", async () => {
  const stranger = Keypair.random();
  await program.server.fundAddress(stranger.publicKey());
  const client = program.client({ signer: keypairSigner(stranger) });
  const refused = is(await client.voidKey("void-3"), "outcomeUnknown");
  assert.equal(refused.reason, "voidRefused");
  assert.equal(refused.refusal?.name, "DelegateNotFound");
});

test("paused and tripped refuse with the key unused, and a replay still answers", async () => {
  const client = program.client();
  const admin = program.as(program.admin);
  const [recipient = ""] = await program.recipients(1);
  const payment = { recipient, amount: 5n };
  is(await client.paySingle("brake-1", payment), "paid");
  const flags = { lock: false, payout: true };
  const caller = program.admin.publicKey();
  await (await admin.pause({ caller, flags, reason: "a drill" })).signAndSend();
  const paused = is(await client.paySingle("brake-2", payment), "rejected");
  assert.deepEqual(paused.refusal, { code: 500, name: "Paused" });
  is(await client.retry("brake-1"), "replayed");
  await (await admin.unpause({ flags })).signAndSend();
  await (await admin.trip_circuit_breaker({ caller, reason: "a drill" })).signAndSend();
  assert.equal(is(await client.retry("brake-2"), "rejected").refusal?.name, "CircuitOpen");
  await (await admin.reset_circuit_breaker()).signAndSend();
  is(await client.retry("brake-2"), "paid");
  assert.equal(await program.paidTo(recipient), 10n);
});

test("the token's decimals are asked, and the program is read", async () => {
  const client = program.client();
  assert.equal(await client.tokenDecimals(), 7);
  const books = await client.program();
  assert.equal(books.total_locked, LOCKED);
  assert.equal(books.total_paid + books.remaining_balance, LOCKED);
  const { record } = await client.record("never-used");
  assert.equal(record, undefined);
});

test("a closed program refuses new payouts and answers old keys", async () => {
  const client = program.client();
  const [recipient = ""] = await program.recipients(1);
  is(await client.paySingle("last-1", { recipient, amount: 5n }), "paid");
  await (await program.as(program.admin).close_program()).signAndSend();
  const late = is(await client.paySingle("last-2", { recipient, amount: 5n }), "rejected");
  assert.deepEqual(late.refusal, { code: 100, name: "NotActive" });
  is(await client.retry("last-1"), "replayed");
  is(await client.voidKey("last-2"), "voided");
  assert.equal(await program.paidTo(recipient), 5n);
});
