// A settlement with a node that is made up, for what a real one does only once in a while.
import assert from "node:assert/strict";
import { test } from "node:test";

import { type Attempt, NodeError, type PayoutRecord } from "../../src/index.js";
import { fleetingBook } from "../../src/protocol/book.js";
import type { Node } from "../../src/protocol/node.js";
import { Settlement } from "../../src/protocol/settle.js";
import { is } from "../support/outcomes.js";

const PAID: PayoutRecord = {
  kind: "single",
  payoutId: 1n,
  fingerprint: "f",
  totalAmount: 5n,
  ledger: 18,
};

const SENT: Attempt = {
  source: "G",
  sequence: 7n,
  maxLedger: 50,
  maxTime: 0n,
  sentAt: 17,
  bidAt: 17,
  envelopes: [{ hash: "h", xdr: "x", signed: true, bid: 100n }],
};

interface Read {
  ledger: number;
  record: PayoutRecord | undefined;
}

/**
 * Settles a key under which SENT was sent; `reads` are the records that the node shows in turn, and
 * `witnesses` what each other node shows, where nothing can be signed any more.
 */
async function settle(reads: Read[], witnesses?: Read[]) {
  const asked: string[] = [];
  const node = {
    newest: 20,
    checkNetwork: async () => {},
    sequence: async () => ({ ledger: 20, sequence: 7n }),
    record: async () => {
      asked.push("record");
      return reads.shift() ?? { ledger: 21, record: PAID };
    },
    result: async () => undefined,
    clock: async () => {
      asked.push("clock");
      throw new NodeError("node_unreachable", "no clock", "Ask again, or another node");
    },
  };
  const book = fleetingBook(undefined);
  await book.keep(SENT);
  const outcome = await new Settlement({
    key: "k",
    purpose: "payout",
    fingerprint: "f",
    call: { contract: "C", method: "m", args: [] },
    book,
    node: node as unknown as Node,
    witnesses: (witnesses ?? []).map((read) => ({ record: async () => read }) as unknown as Node),
    signer:
      witnesses === undefined
        ? { address: "G", sign: () => assert.fail("signed again") }
        : undefined,
    networkPassphrase: "p",
    ceilings: { bid: 100n, resourceFee: 0n, validSeconds: 300 },
    retry: { rounds: 3, baseDelayMs: 1, maxDelayMs: 1, transactions: 1 },
    report: () => {},
  }).run();
  return { outcome, asked };
}

test("an absent record of a node that lags behind the account says nothing: nothing is signed anew", async () => {
  const lagging = { ledger: 16, record: undefined };
  const { outcome, asked } = await settle([lagging, lagging, lagging]);
  is(outcome, "replayed");
  assert.deepEqual(asked, Array(4).fill("record"), "the simulation was never prepared");
});

test("a record counts, however old the node is that shows it", async () => {
  const { outcome, asked } = await settle([{ ledger: 18, record: PAID }]);
  is(outcome, "replayed");
  assert.equal(asked.length, 1);
});

test("with the record absent in a ledger as new, the used sequence number is spent", async () => {
  const absent = { ledger: 20, record: undefined };
  const { asked } = await settle([absent, absent, absent]);
  assert.ok(asked.includes("clock"), "a new transaction is drawn up, under the same key");
});

test("for a final not paid two nodes must agree, past everything that was signed", async () => {
  const absent = (ledger: number) => ({ ledger, record: undefined });
  const past = absent(SENT.maxLedger);
  const alone = is((await settle([past], [])).outcome, "outcomeUnknown");
  assert.equal(alone.reason, "witnessMissing");
  assert.match(alone.detail, /witnessUrls, or void the key/);
  // It is not past it, or sees a record, or one of two does not agree.
  for (const witnesses of [
    [absent(SENT.maxLedger - 1)],
    [{ ledger: SENT.maxLedger, record: PAID }],
    [past, absent(SENT.maxLedger - 1)],
  ]) {
    is((await settle([past], witnesses)).outcome, "outcomeUnknown");
  }
  const early = await settle([absent(SENT.maxLedger - 1)], [past]);
  is(early.outcome, "outcomeUnknown");
  const rejected = is((await settle([past], [past])).outcome, "rejected");
  assert.equal(rejected.proof, "expired");
});
