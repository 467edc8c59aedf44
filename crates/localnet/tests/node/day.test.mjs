// A payout platform's day with @stellar/stellar-sdk: accounts, an asset, the escrow, payouts, a
// retry, events, and what is left after the entries were archived.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";

import {
  Asset,
  BASE_FEE,
  Contract,
  Keypair,
  Operation,
  Transaction,
  TransactionBuilder,
  contract,
  nativeToScVal,
  rpc,
  scValToNative,
  xdr,
} from "@stellar/stellar-sdk";

import { escrowWasm, startNetwork } from "./network.mjs";

let network;
let server;
const admin = Keypair.random();
const issuer = Keypair.random();
const recipients = [Keypair.random(), Keypair.random(), Keypair.random()];
const usdc = new Asset("USDC", issuer.publicKey());

before(async () => {
  network = await startNetwork();
  server = new rpc.Server(network.url, { allowHttp: true });
});

after(async () => {
  assert.equal(await network.stop(), 0);
});

/** Builds, signs and sends classic operations, and waits for the result. */
async function classic(signer, ...operations) {
  const account = await server.getAccount(signer.publicKey());
  const builder = new TransactionBuilder(account, {
    fee: BASE_FEE,
    networkPassphrase: network.passphrase,
  }).setTimeout(60);
  for (const operation of operations) builder.addOperation(operation);
  const tx = builder.build();
  tx.sign(signer);
  const sent = await server.sendTransaction(tx);
  assert.equal(sent.status, "PENDING", JSON.stringify(sent));
  return landed(sent.hash);
}

/** Simulates, signs and sends one contract operation, and waits for the result. */
async function soroban(signer, operation, timeout = 60) {
  const account = await server.getAccount(signer.publicKey());
  const raw = new TransactionBuilder(account, {
    fee: BASE_FEE,
    networkPassphrase: network.passphrase,
  })
    .addOperation(operation)
    .setTimeout(timeout)
    .build();
  const simulated = await server.simulateTransaction(raw);
  assert.ok(rpc.Api.isSimulationSuccess(simulated), simulated.error);
  const sent = await server.sendTransaction(signed(signer, raw, simulated));
  assert.equal(sent.status, "PENDING", JSON.stringify(sent));
  return { ...(await landed(sent.hash)), simulated };
}

/**
 * Puts the simulation's resources and authorisations into a transaction and signs it. The rent of a
 * contract's code is more than the fee field of a transaction can hold (429 XLM); only a fee bump
 * can offer it, as stellar-cli does by itself and the SDK does not.
 */
function signed(signer, raw, simulated) {
  const data = simulated.transactionData.build();
  if (BigInt(data.resourceFee().toString()) + BigInt(BASE_FEE) < 2n ** 32n) {
    const tx = rpc.assembleTransaction(raw, simulated).build();
    tx.sign(signer);
    return tx;
  }
  const envelope = raw.toEnvelope();
  const inner = envelope.v1().tx();
  inner.ext(new xdr.TransactionExt(1, data));
  inner.operations()[0].body().invokeHostFunctionOp().auth(simulated.result.auth);
  const tx = new Transaction(envelope, network.passphrase);
  tx.sign(signer);
  const bump = TransactionBuilder.buildFeeBumpTransaction(signer, BASE_FEE, tx, network.passphrase);
  bump.sign(signer);
  return bump;
}

async function landed(hash) {
  const result = await server.pollTransaction(hash);
  assert.equal(result.status, "SUCCESS", result.resultXdr?.toXDR("base64"));
  return result;
}

async function client() {
  return contract.Client.from({
    contractId: escrow,
    networkPassphrase: network.passphrase,
    rpcUrl: network.url,
    allowHttp: true,
    publicKey: admin.publicKey(),
    ...contract.basicNodeSigner(admin, network.passphrase),
  });
}

let escrow;
let token;

test("accounts are funded in both ways the SDK knows", async () => {
  const account = await server.requestAirdrop(admin.publicKey());
  assert.equal(account.accountId(), admin.publicKey());
  for (const key of [issuer, ...recipients]) {
    const funded = await server.fundAddress(key.publicKey());
    assert.equal(funded.status, "SUCCESS");
  }
  // An account that is rich already is no error for requestAirdrop.
  await server.requestAirdrop(admin.publicKey());
});

test("an asset, its trustlines and its contract", async () => {
  for (const key of [admin, ...recipients]) {
    await classic(key, Operation.changeTrust({ asset: usdc }));
  }
  await classic(
    issuer,
    Operation.payment({ destination: admin.publicKey(), asset: usdc, amount: "1000" }),
  );
  await soroban(issuer, Operation.createStellarAssetContract({ asset: usdc }));
  token = usdc.contractId(network.passphrase);
});

test("the escrow is deployed, funded and published", async () => {
  const wasm = readFileSync(escrowWasm());
  const uploaded = await soroban(admin, Operation.uploadContractWasm({ wasm }));
  const hash = scValToNative(uploaded.returnValue);
  const deployed = await contract.Client.deploy(
    {
      admin: admin.publicKey(),
      program_id: "hackathon-2026",
      authorized_payout_key: admin.publicKey(),
      token,
    },
    {
      wasmHash: hash,
      networkPassphrase: network.passphrase,
      rpcUrl: network.url,
      allowHttp: true,
      publicKey: admin.publicKey(),
      ...contract.basicNodeSigner(admin, network.passphrase),
    },
  );
  const { result } = await deployed.signAndSend();
  escrow = result.options.contractId;
  const program = await client();
  await (await program.lock_program_funds({ from: admin.publicKey(), amount: 5_000_000_000n })).signAndSend();
  await (await program.publish_program()).signAndSend();
  const state = await program.get_program();
  assert.equal(state.result.remaining_balance, 5_000_000_000n);
});

test("a batch pays once, its retry pays nothing", async () => {
  const program = await client();
  const batch = {
    idempotency_key: "hackathon-2026-batch-1",
    recipients: recipients.map((key) => key.publicKey()),
    amounts: [10_000_000n, 20_000_000n, 30_000_000n],
  };
  for (const _ of [1, 2]) {
    const sent = await (await program.batch_payout_idempotent(batch)).signAndSend();
    assert.equal(sent.result.payout_count, 1n);
    assert.equal(sent.result.total_paid, 60_000_000n);
  }
  const balance = await server.getAssetBalance(recipients[1].publicKey(), usdc, network.passphrase);
  assert.equal(balance.balanceEntry.amount, "20000000");
});

test("events are found by the key's topic, page by page", async () => {
  const key = nativeToScVal("hackathon-2026-batch-1", { type: "string" }).toXDR("base64");
  const named = (name) => xdr.ScVal.scvSymbol(name).toXDR("base64");
  const page = await server.getEvents({
    startLedger: 2,
    filters: [{ type: "contract", contractIds: [escrow], topics: [["*", key]] }],
  });
  const names = page.events.map((event) => scValToNative(event.topic[0]));
  assert.deepEqual(names, ["BatchPay", "BatPayRp"]);
  const first = await server.getEvents({
    startLedger: 2,
    filters: [{ type: "contract", contractIds: [token], topics: [[named("transfer"), "**"]] }],
    limit: 2,
  });
  assert.equal(first.events.length, 2);
  const rest = await server.getEvents({
    cursor: first.cursor,
    filters: [{ type: "contract", contractIds: [token], topics: [[named("transfer"), "**"]] }],
  });
  // One when funds were locked, three to recipients.
  assert.equal(first.events.length + rest.events.length, 4);
});

test("ledgers, transactions and statistics decode", async () => {
  const latest = await server.getLatestLedger();
  assert.ok(latest.sequence > 10);
  const ledgers = await server.getLedgers({ startLedger: 2, pagination: { limit: 100 } });
  for (let i = 1; i < ledgers.ledgers.length; i += 1) {
    const header = ledgers.ledgers[i].headerXdr.header();
    assert.equal(header.previousLedgerHash().toString("hex"), ledgers.ledgers[i - 1].hash);
  }
  const page = await server.getTransactions({ startLedger: 2, pagination: { limit: 100 } });
  assert.ok(page.transactions.every((tx) => tx.resultMetaXdr.switch() === 4));
  const stats = await server.getFeeStats();
  assert.ok(Number(stats.sorobanInclusionFee.transactionCount) > 0);
  const health = await server.getHealth();
  assert.equal(health.status, "healthy");
  assert.equal((await server.getVersionInfo()).protocolVersion, 28);
});

test("a wrong sequence and a wrong network are refused as the network refuses them", async () => {
  const account = await server.getAccount(admin.publicKey());
  account.incrementSequenceNumber();
  const send = async (networkPassphrase, from) => {
    const tx = new TransactionBuilder(from, { fee: BASE_FEE, networkPassphrase })
      .addOperation(Operation.bumpSequence({ bumpTo: "0" }))
      .setTimeout(60)
      .build();
    tx.sign(admin);
    const sent = await server.sendTransaction(tx);
    assert.equal(sent.status, "ERROR");
    return sent.errorResult.result().switch().name;
  };
  assert.equal(await send(network.passphrase, account), "txBadSeq");
  const right = await server.getAccount(admin.publicKey());
  assert.equal(await send("Some other network", right), "txBadAuth");
});

test("ten years later the same key still pays nothing", async () => {
  const before = await server.getAssetBalance(recipients[0].publicKey(), usdc, network.passphrase);
  await network.drive("advance", { seconds: 315_360_000 });
  const result = await soroban(
    admin,
    new Contract(escrow).call(
      "batch_payout_idempotent",
      nativeToScVal("hackathon-2026-batch-1", { type: "string" }),
      nativeToScVal(recipients.map((key) => key.publicKey()), { type: "address" }),
      nativeToScVal([10_000_000n, 20_000_000n, 30_000_000n], { type: "i128" }),
    ),
    0,
  );
  const archived = result.simulated.transactionData.build().ext().resourceExt();
  assert.ok(
    archived.archivedSorobanEntries().length >= 3,
    "instance, code and record are to be restored",
  );
  assert.equal(scValToNative(result.returnValue).payout_count, 1n);
  const later = await server.getAssetBalance(recipients[0].publicKey(), usdc, network.passphrase);
  assert.equal(later.balanceEntry.amount, before.balanceEntry.amount);
});
