import type { Attempt, Envelope } from "../store/payout.js";

/**
 * The rules by which an absent record is read. They look at the ledger's state alone: what a node
 * answered to a transaction proves nothing.
 */

/** The network applies a transaction only in ledgers below its bound. */
export function isExpired(attempt: Attempt, ledger: number): boolean {
  return ledger >= attempt.maxLedger;
}

/**
 * Whether an attempt's sequence number is used up. With the record absent in a ledger not older
 * than the one that this sequence was read in, the attempt has not paid and can no longer pay.
 */
export function isSpent(attempt: Attempt, sequence: bigint): boolean {
  return sequence >= attempt.sequence;
}

/** The ledger before which an absent record says nothing: something was sent after it. */
export function absenceCountsFrom(attempts: readonly Attempt[]): number {
  return Math.max(0, ...attempts.map((attempt) => attempt.sentAt));
}

/** The first ledger in which nothing that was signed can be; undefined if nothing was. */
export function expiryOf(attempts: readonly Attempt[]): number | undefined {
  return attempts.length === 0
    ? undefined
    : Math.max(...attempts.map((attempt) => attempt.maxLedger));
}

export function hashesOf(attempts: readonly Attempt[]): string[] {
  return attempts.flatMap((attempt) => attempt.envelopes.map((envelope) => envelope.hash));
}

export function lastEnvelope(attempt: Attempt): Envelope {
  const last = attempt.envelopes.at(-1);
  if (last === undefined) throw new RangeError("an attempt has at least one envelope");
  return last;
}

/** A transaction that waits is replaced only by ten times its bid. */
const REPLACES = 10n;
/** The network drops a transaction that waited this long. */
const QUEUE_LEDGERS = 4;
/** So much patience even if other bids are seen to be higher. */
const PATIENCE_LEDGERS = 2;

/** What is known about the price of being included. */
export interface Market {
  ledger: number;
  /** What was paid lately by nine of ten; 0 if unknown. */
  common: bigint;
  /** What a node said it wants; 0 if it did not. */
  wanted: bigint;
}

/** The bid that an attempt should be raised to now, or undefined. The ceiling is the caller's. */
export function raisedBid(attempt: Attempt, market: Market): bigint | undefined {
  const { bid, signed } = lastEnvelope(attempt);
  if (!signed || attempt.sentAt === 0) return undefined;
  const waited = market.ledger - attempt.bidAt;
  const outbid = market.common > bid && waited >= PATIENCE_LEDGERS;
  if (market.wanted <= bid && !outbid && waited < QUEUE_LEDGERS) return undefined;
  return max(bid * REPLACES, market.common, market.wanted);
}

function max(...values: bigint[]): bigint {
  return values.reduce((a, b) => (a > b ? a : b));
}

/**
 * Simulation runs a ledger or more before the payout and its rent may have risen since: a tenth
 * more at first, and half as much again for each attempt that did not pay. What is not used is
 * given back.
 */
export function withMargin(fee: bigint, failures: number): bigint {
  return (fee * (11n + 5n * BigInt(Math.min(failures, 10)))) / 10n;
}

/** How often and how long a call tries before it says what it knows. */
export interface RetryPolicy {
  /** Looks at the record, each followed by at most one sending. */
  rounds: number;
  baseDelayMs: number;
  maxDelayMs: number;
  /** New transactions (not fee bumps) that one call may sign. */
  transactions: number;
}

export const DEFAULT_RETRY: RetryPolicy = {
  rounds: 30,
  baseDelayMs: 1000,
  maxDelayMs: 20_000,
  transactions: 5,
};

/** Exponential, with half of it at random, so that many clients do not come back together. */
export function delayBefore(round: number, policy: RetryPolicy, random = Math.random()): number {
  const whole = Math.min(policy.maxDelayMs, policy.baseDelayMs * 2 ** Math.min(round - 1, 30));
  return whole / 2 + (whole / 2) * random;
}
