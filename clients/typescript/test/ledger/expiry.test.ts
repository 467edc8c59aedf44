// When a payout may be called not paid: never on an answer, only on what the ledger proves.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";

import { MemoryKeyStore, type ProgressEvent } from "../../src/index.js";
import { type Network, startNetwork } from "../support/network.js";
import { is } from "../support/outcomes.js";
import { type Program, QUICK, setUp } from "../support/program.js";

let network: Network;
let program: Program;

before(async () => {
  network = await startNetwork("--close", "on-demand");
  const setting = network.tick(2);
  program = await setUp(network);
  await setting();
});

after(() => network.stop());
beforeEach(() => network.calm());

const never = { try_again_later: "1/1" };

test("not there is unknown until all that was signed has expired; then it is proven", async () => {
  const [recipient = ""] = await program.recipients(1);
  const store = new MemoryKeyStore();
  const retry = { ...QUICK, rounds: 4, transactions: 1 };
  const alone = program.client({ store, retry });
  const client = program.client({ store, retry, witnessUrls: [secondNode()] });
  await network.strike(never);
  const unknown = is(await client.paySingle("late-1", { recipient, amount: 5n }), "outcomeUnknown");
  const expiry = unknown.awaits ?? assert.fail("it says what it waits for");
  assert.deepEqual(await client.openKeys(), ["late-1"]);
  const { ledger } = await client.record("late-1");
  await network.close(expiry - ledger - 1);
  is(await client.retry("late-1"), "outcomeUnknown");
  await network.close(1);
  // The contract refuses now, so nothing new is signed, and what was signed is dead.
  await pause(true);
  const unwitnessed = is(await alone.retry("late-1"), "outcomeUnknown");
  assert.equal(unwitnessed.reason, "witnessMissing");
  assert.equal(unwitnessed.refusal?.name, "Paused");
  assert.deepEqual(await client.openKeys(), ["late-1"]);
  const rejected = is(await client.retry("late-1"), "rejected");
  assert.equal(rejected.proof, "expired");
  assert.equal(rejected.refusal?.name, "Paused");
  assert.ok(rejected.ledger >= expiry);
  await pause(false);
  await network.calm();
  const stop = network.tick(5);
  is(await client.retry("late-1"), "paid");
  await stop();
  assert.equal(await program.paidTo(recipient), 5n);
});

test("included long after the call gave up: the next call finds it", async () => {
  const [recipient = ""] = await program.recipients(1);
  const client = program.client({ retry: { ...QUICK, rounds: 4 } });
  await network.strike({ late_inclusion: "next:1" }, { late_ledgers: 30 });
  is(await client.paySingle("late-2", { recipient, amount: 5n }), "outcomeUnknown");
  await network.close(25);
  is(await client.retry("late-2"), "outcomeUnknown");
  await network.close(10);
  is(await client.retry("late-2"), "replayed");
  assert.equal(await program.paidTo(recipient), 5n);
});

test("neither FAILED in a ledger nor a later typed error proves anything", async () => {
  const [recipient = ""] = await program.recipients(1);
  // A ledger after each sending and none beside: what was signed is valid for some sixty of them.
  const client = program.client({
    retry: { ...QUICK, rounds: 6, transactions: 1 },
    onEvent: ({ type }) => {
      if (type === "sent") void network.close(1);
    },
  });
  await network.strike({ insufficient_refundable_fee: "next:1" });
  const failed = is(
    await client.paySingle("failed-1", { recipient, amount: 5n }),
    "outcomeUnknown",
  );
  assert.equal(failed.hashes.length, 1);
  await pause(true);
  const refused = is(await client.retry("failed-1"), "outcomeUnknown");
  assert.equal(refused.refusal?.name, "Paused");
  await pause(false);
  is(await client.retry("failed-1"), "paid");
  assert.equal(await program.paidTo(recipient), 5n);
});

test("a witness that does not agree, or is not there, keeps it unknown", async () => {
  const [recipient = ""] = await program.recipients(1);
  const store = new MemoryKeyStore();
  const retry = { ...QUICK, rounds: 3, transactions: 1 };
  await network.strike(never);
  const payment = { recipient, amount: 5n };
  is(await program.client({ store, retry }).paySingle("wit-1", payment), "outcomeUnknown");
  await network.close(100);
  await pause(true);
  const behind = await startNetwork("--close", "on-demand");
  for (const witness of [behind.url, "http://127.0.0.1:9"]) {
    const client = program.client({ store, retry, witnessUrls: [witness] });
    is(await client.retry("wit-1"), "outcomeUnknown");
  }
  await behind.stop();
  const agreeing = program.client({ store, retry, witnessUrls: [secondNode()] });
  is(await agreeing.retry("wit-1"), "rejected");
  await pause(false);
});

test("a clock that is off by ten minutes changes nothing but a remark", async (context) => {
  const stop = network.tick(40);
  for (const minutes of [10, -10]) {
    const [recipient = ""] = await program.recipients(1);
    const events: ProgressEvent[] = [];
    const client = program.client({
      onEvent: (event) => events.push(event),
      retry: { ...QUICK, rounds: 60 },
    });
    await network.strike({ late_inclusion: "next:1" }, { late_ledgers: 8 });
    const real = Date.now;
    context.mock.method(Date, "now", () => real() + minutes * 60_000);
    const key = `skew${minutes}`;
    is(await client.paySingle(key, { recipient, amount: 5n }), "paid");
    context.mock.restoreAll();
    const skew = events.find((event) => event.type === "clockSkew");
    assert.ok(Math.abs((skew?.seconds ?? 0) - minutes * 60) < 60, `skew ${skew?.seconds}`);
    const inner = events.filter((event) => event.type === "signed" && !event.feeBump);
    assert.equal(inner.length, 1);
    assert.deepEqual(await program.events(key), ["Payout"]);
  }
  await stop();
});

/** The network by another address: to a client it is another node. */
function secondNode(): string {
  return network.url.replace("127.0.0.1", "localhost");
}

/** Pauses payouts or lets them go on, in exactly one ledger. */
async function pause(on: boolean): Promise<void> {
  await network.calm();
  const admin = program.as(program.admin);
  const flags = { lock: false, payout: true };
  const caller = program.admin.publicKey();
  const call = await (on ? admin.pause({ caller, flags, reason: "" }) : admin.unpause({ flags }));
  await call.sign();
  const signed = call.signed ?? assert.fail("it was signed just now");
  const sent = await program.server.sendTransaction(signed);
  await network.close(1);
  const result = await program.server.getTransaction(sent.hash);
  assert.equal(result.status, "SUCCESS");
}
