import type { Settled } from "../store/payout.js";
import type { Outcome, PayoutRecord, Receipt } from "./outcome.js";
import { NEXT } from "./outcome.js";

/** What is asked of a record. */
export interface Question {
  key: string;
  /** Of the arguments that were asked for; undefined where nobody stored any. */
  fingerprint: string | undefined;
  /** Whether this call sent anything before it saw the record. */
  acted: boolean;
  hashes: string[];
}

/** The verdict that a record gives. A record is never changed, so it is final. */
export function judge(
  record: PayoutRecord,
  { key, fingerprint, acted, hashes }: Question,
  receipt: Receipt | undefined,
): Outcome {
  const found = { key, hashes, ledger: record.ledger, record };
  const presented = fingerprint;
  switch (record.kind) {
    case "voided":
      return { status: "voided", ...found, next: NEXT.voided };
    case "imported":
      return { status: "conflict", ...found, found: "imported", presented, next: NEXT.imported };
    case "single":
    case "batch":
      if (fingerprint === undefined) {
        return { status: "conflict", ...found, found: "consumed", presented, next: NEXT.consumed };
      }
      if (record.fingerprint !== fingerprint) {
        return { status: "conflict", ...found, found: "record", presented, next: NEXT.conflict };
      }
      return acted
        ? { status: "paid", ...found, receipt, next: NEXT.paid }
        : { status: "replayed", ...found, receipt, next: NEXT.replayed };
  }
}

/** What the store keeps of a verdict. */
export function settledOf(outcome: Outcome): Settled | undefined {
  if (!("record" in outcome) || outcome.record === undefined) return undefined;
  const { payoutId, ledger } = outcome.record;
  switch (outcome.status) {
    case "paid":
    case "replayed":
      return { status: "paid", payoutId, ledger };
    case "voided":
      return { status: "voided", payoutId, ledger };
    case "conflict":
      if (outcome.found === "consumed") return undefined;
      return { status: outcome.found === "imported" ? "imported" : "conflict", payoutId, ledger };
  }
}
