// What a payout may cost, and how it ends when that is not enough.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { type EscrowClientOptions, MemoryKeyStore, type ProgressEvent } from "../../src/index.js";
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

test("the ceiling stops it, named with what is needed; a higher one goes on with the same transaction", async () => {
  const stop = network.tick(40);
  const store = new MemoryKeyStore();
  const [recipient = ""] = await program.recipients(1);
  const events: ProgressEvent[] = [];
  const client = (maxBid: bigint) =>
    program.client({
      store,
      maxBid,
      retry: { ...QUICK, rounds: 100 },
      onEvent: (event) => events.push(event),
    });
  await network.strike({ fee_spike: "next:1" }, { spike_fee: 50_000, spike_ledgers: 10_000 });
  const stopped = is(
    await client(10_000n).paySingle("cap-1", { recipient, amount: 5n }),
    "outcomeUnknown",
  );
  assert.equal(stopped.reason, "feeTooHigh");
  assert.ok((stopped.neededBid ?? 0n) > 10_000n);
  assert.equal(stopped.key, "cap-1");
  assert.ok(stopped.hashes.length > 0);
  assert.ok(stopped.detail.includes(stopped.hashes.at(-1) ?? "-"));
  assert.equal(await program.paidTo(recipient), 0n);

  const paid = is(await client(10_000_000n).retry("cap-1"), "paid");
  const inner = events.filter((event) => event.type === "signed" && !event.feeBump);
  assert.equal(inner.length, 1, "one sequence number for one obligation");
  assert.ok(paid.hashes.length > stopped.hashes.length);
  assert.equal(await program.paidTo(recipient), 5n);
  await network.calm();
  await stop();
  await network.close(10_000);
});

test("resources above their ceiling are refused before anything is signed", async () => {
  const [recipient = ""] = await program.recipients(1);
  const options: Partial<EscrowClientOptions> = { maxResourceFee: 1000n };
  const outcome = is(
    await program.client(options).paySingle("dear-1", { recipient, amount: 5n }),
    "rejected",
  );
  assert.equal(outcome.reason, "feeTooHigh");
  assert.equal(outcome.proof, "nothingSigned");
  assert.match(outcome.detail, /above the ceiling of 1000/);
});

test("what a payout restores is shown before it is signed", async () => {
  const stop = network.tick(5);
  const [recipient = ""] = await program.recipients(1);
  is(await program.client().paySingle("old-1", { recipient, amount: 5n }), "paid");
  await stop();
  await network.drive("advance", { seconds: 315_360_000 });
  const again = network.tick(5);
  const events: ProgressEvent[] = [];
  const client = program.client({ onEvent: (event) => events.push(event) });
  is(await client.paySingle("old-1", { recipient, amount: 5n }), "replayed");
  assert.deepEqual(
    events.map(({ type }) => type),
    ["stored"],
    "an archived record is read, not paid for",
  );
  // Restoring the contract's code costs more than any payout should.
  const dear = is(await client.paySingle("new-1", { recipient, amount: 5n }), "rejected");
  assert.equal(dear.reason, "feeTooHigh");
  assert.match(dear.detail, /to restore \d archived entries/);
  const simulated = events.find((event) => event.type === "simulated");
  assert.ok((simulated?.restores.length ?? 0) >= 3, "instance, code and the token's instance");
  assert.ok(!events.some(({ type }) => type === "signed"));
  await again();
  assert.equal(await program.paidTo(recipient), 5n);
});
