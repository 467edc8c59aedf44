import assert from "node:assert/strict";

import type { Outcome } from "../../src/index.js";

/** The outcome, if its status is the expected one; else a failure that shows it whole. */
export function is<S extends Outcome["status"]>(
  outcome: Outcome,
  status: S,
): Extract<Outcome, { status: S }> {
  const text = JSON.stringify(outcome, (_, value: unknown) =>
    typeof value === "bigint" ? `${value}` : value,
  );
  assert.equal(outcome.status, status, text);
  return outcome as Extract<Outcome, { status: S }>;
}
