// Every fault of a node, one at a time: paid once, and told as it is.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";

import type { ProgressEvent } from "../../src/index.js";
import { type Network, startNetwork } from "../support/network.js";
import { is } from "../support/outcomes.js";
import { type Program, setUp } from "../support/program.js";

let network: Network;
let program: Program;
let stop: () => Promise<void>;

before(async () => {
  network = await startNetwork("--close", "on-demand");
  const setting = network.tick(2);
  program = await setUp(network);
  await setting();
  stop = network.tick(40);
});

after(async () => {
  await stop();
  await network.stop();
});

beforeEach(() => network.calm());

let keys = 0;

/** Pays 5 under a new key while the faults strike, and says what happened. */
async function payUnder(triggers: Record<string, string>, magnitudes?: Record<string, number>) {
  const [recipient = ""] = await program.recipients(1);
  const events: ProgressEvent[] = [];
  const client = program.client({
    onEvent: (event) => events.push(event),
    retry: { rounds: 60, baseDelayMs: 10, maxDelayMs: 60, transactions: 5 },
  });
  const key = `fault-${keys++}`;
  const earlier = await network.faults();
  await network.strike(triggers, magnitudes);
  const outcome = await client.paySingle(key, { recipient, amount: 5n });
  const struck = await network.faults();
  for (const fault of Object.keys(triggers)) {
    assert.ok((struck[fault] ?? 0) > (earlier[fault] ?? 0), `${fault} struck`);
  }
  await network.calm();
  const paid = is(outcome, "paid");
  assert.equal(await program.paidTo(recipient), 5n, "the recipient was paid once");
  assert.deepEqual(await program.events(key), ["Payout"], "nothing was paid or replayed beside it");
  const signed = events.filter((event) => event.type === "signed");
  const answers = events.filter((event) => event.type === "sent").map(({ answer }) => answer);
  const transactions = signed.filter(({ feeBump }) => !feeBump).length;
  const spent = events.filter((event) => event.type === "spent");
  return { paid, answers, transactions, bumps: signed.length - transactions, spent };
}

for (const fault of ["drop_before", "drop_after", "gateway_timeout"]) {
  test(`${fault}: no answer is no verdict`, async () => {
    const { transactions } = await payUnder({ [fault]: "next:1" });
    assert.equal(transactions, 1);
  });
}

test("TRY_AGAIN_LATER: the same bytes again", async () => {
  const { answers, transactions } = await payUnder({ try_again_later: "next:3" });
  assert.deepEqual(answers.slice(0, 3), Array(3).fill("TRY_AGAIN_LATER"));
  assert.equal(transactions, 1);
});

test("TRY_AGAIN_LATER, yet accepted", async () => {
  const { answers, transactions } = await payUnder({ try_again_later_accepted: "next:1" });
  assert.equal(answers[0], "TRY_AGAIN_LATER");
  assert.equal(transactions, 1);
});

test("a used sequence, yet accepted", async () => {
  const { answers, transactions } = await payUnder({ bad_seq_accepted: "next:1" });
  assert.equal(answers[0], "txBadSeq");
  assert.equal(transactions, 1);
});

test("included ledgers later: waited for under one sequence number", async () => {
  const { transactions } = await payUnder({ late_inclusion: "next:1" }, { late_ledgers: 3 });
  assert.equal(transactions, 1);
});

test("504, then nothing for four ledgers, then included, seen through a node that lags", async () => {
  const { transactions } = await payUnder(
    { gateway_timeout: "next:1", late_inclusion: "next:1", lagging_read: "1/2" },
    { late_ledgers: 4, lag_ledgers: 6 },
  );
  assert.equal(transactions, 1);
});

test("three sends answer TRY_AGAIN_LATER although the first was taken, reads lag", async () => {
  const { transactions } = await payUnder(
    { try_again_later_accepted: "next:1", try_again_later: "next:2", lagging_read: "1/2" },
    { lag_ledgers: 6 },
  );
  assert.equal(transactions, 1);
});

test("a node that forgot, and one that is not there", async () => {
  const { transactions } = await payUnder({ forgot: "1/2", unavailable: "1/3" });
  assert.equal(transactions, 1);
});

test("FAILED for its refundable fee: simulated again with more, under the same key", async () => {
  const { transactions, spent, paid } = await payUnder({ insufficient_refundable_fee: "next:2" });
  assert.equal(transactions, 3);
  assert.deepEqual(
    spent.map(({ result }) => result),
    ["FAILED", "FAILED"],
  );
  assert.ok(
    spent.every(({ feeCharged = 0n }) => feeCharged > 0n),
    "the lost fee is shown",
  );
  assert.equal(paid.hashes.length, 3);
});

test("a fee spike: raised around the same transaction until it is taken", async () => {
  const { transactions, bumps, paid } = await payUnder(
    { fee_spike: "next:1" },
    { spike_fee: 50_000, spike_ledgers: 1000 },
  );
  assert.equal(transactions, 1);
  assert.ok(bumps >= 1);
  assert.equal(paid.hashes.length, 1 + bumps, "all hashes are kept");
  assert.ok(paid.hashes.includes(paid.receipt?.hash ?? ""));
  await network.close(1000);
});
