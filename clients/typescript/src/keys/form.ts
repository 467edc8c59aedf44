import { checkKey } from "./names.js";

/** What a key says about itself: its maker's word, and no evidence of a payout. */
export type KeyForm =
  | { form: "single"; programId: string; recipientPrefix: string; nonce: string }
  | { form: "batch"; programId: string; recipientPrefix: string; count: number; nonce: string }
  | { form: "run"; programId: string; digest: string }
  | { form: "gateway"; programId: string; digest: string }
  | { form: "uuid" }
  | { form: "other" };

const PROGRAM = "([A-Za-z0-9._-]{1,64})";
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const DERIVED = new RegExp(`^${PROGRAM}-(run|gw)-([0-9a-f]{64})$`);
const SINGLE = new RegExp(`^${PROGRAM}-single-([A-Z0-9]{8})-([0-9a-f]{16})$`);
const BATCH = new RegExp(`^${PROGRAM}-batch-([A-Z0-9]{8})-([1-9][0-9]{0,9})r-([0-9a-f]{16})$`);

/**
 * Reads a key from the right: ids of programs contain hyphens, and no other part does. So each
 * pattern is anchored at both ends and only its program id may hold a hyphen. Every key has
 * exactly one form.
 */
export function readKey(key: string): KeyForm {
  checkKey(key);
  if (UUID.test(key)) return { form: "uuid" };
  const derived = DERIVED.exec(key);
  if (derived !== null) {
    const [, programId = "", kind, digest = ""] = derived;
    return { form: kind === "run" ? "run" : "gateway", programId, digest };
  }
  const single = SINGLE.exec(key);
  if (single !== null) {
    const [, programId = "", recipientPrefix = "", nonce = ""] = single;
    return { form: "single", programId, recipientPrefix, nonce };
  }
  const batch = BATCH.exec(key);
  if (batch !== null) {
    const [, programId = "", recipientPrefix = "", digits = "", nonce = ""] = batch;
    const count = Number(digits);
    if (count < 2 ** 32) return { form: "batch", programId, recipientPrefix, count, nonce };
  }
  return { form: "other" };
}
