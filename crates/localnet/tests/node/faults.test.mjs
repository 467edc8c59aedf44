// What the SDK makes of a node's faults: each is switched on over HTTP, for one call.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Asset, BASE_FEE, Keypair, Operation, TransactionBuilder, rpc } from "@stellar/stellar-sdk";

import { startNetwork } from "./network.mjs";

let network;
let server;
const payer = Keypair.random();

before(async () => {
  network = await startNetwork();
  server = new rpc.Server(network.url, { allowHttp: true });
  await server.fundAddress(payer.publicKey());
});

after(async () => {
  assert.equal(await network.stop(), 0);
});

function strike(fault) {
  return network.drive("faults", { triggers: { [fault]: "next:1" } });
}

async function payment() {
  const account = await server.getAccount(payer.publicKey());
  const tx = new TransactionBuilder(account, {
    fee: BASE_FEE,
    networkPassphrase: network.passphrase,
  })
    .addOperation(
      Operation.payment({ destination: payer.publicKey(), asset: Asset.native(), amount: "1" }),
    )
    .setTimeout(60)
    .build();
  tx.sign(payer);
  return tx;
}

async function status(tx) {
  return (await server.getTransaction(tx.hash().toString("hex"))).status;
}

test("a 504 is an error with its status, and the transaction is in the ledger", async () => {
  const tx = await payment();
  await strike("gateway_timeout");
  await assert.rejects(server.sendTransaction(tx), (error) => error.response.status === 504);
  assert.equal(await status(tx), "SUCCESS");
});

test("a broken connection says nothing: it may be there, or not", async () => {
  for (const [fault, expected] of [
    ["drop_before", "NOT_FOUND"],
    ["drop_after", "SUCCESS"],
  ]) {
    const tx = await payment();
    await strike(fault);
    await assert.rejects(server.sendTransaction(tx), (error) => error.response === undefined);
    assert.equal(await status(tx), expected, fault);
  }
});

test("neither TRY_AGAIN_LATER nor a used sequence is a verdict", async () => {
  for (const [fault, answer, expected] of [
    ["try_again_later", "TRY_AGAIN_LATER", "NOT_FOUND"],
    ["try_again_later_accepted", "TRY_AGAIN_LATER", "SUCCESS"],
    ["bad_seq_accepted", "ERROR", "SUCCESS"],
  ]) {
    const tx = await payment();
    await strike(fault);
    const sent = await server.sendTransaction(tx);
    assert.equal(sent.status, answer, fault);
    if (answer === "ERROR") assert.equal(sent.errorResult.result().switch().name, "txBadSeq");
    assert.equal(await status(tx), expected, fault);
  }
});

test("a lagging node is healthy and finds nothing", async () => {
  await network.drive("close", { ledgers: 10 });
  const tx = await payment();
  await server.sendTransaction(tx);
  await strike("lagging_read");
  assert.equal(await status(tx), "NOT_FOUND");
  assert.equal(await status(tx), "SUCCESS");
  const { sequence } = await server.getLatestLedger();
  await strike("lagging_read");
  const health = await server.getHealth();
  assert.equal(health.status, "healthy");
  assert.equal(health.latestLedger, sequence - 6);
});

test("too many requests are a 503", async () => {
  await strike("unavailable");
  await assert.rejects(server.getHealth(), (error) => error.response.status === 503);
  assert.equal((await server.getHealth()).status, "healthy");
});
