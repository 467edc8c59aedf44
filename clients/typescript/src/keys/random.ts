import { InputError } from "../errors.js";
import { recipientBytes } from "./address.js";
import { toHex } from "./bytes.js";
import { checkProgramId } from "./names.js";

/** Fills bytes at random; `crypto.getRandomValues` unless a test says otherwise. */
export type FillRandom = (bytes: Uint8Array<ArrayBuffer>) => void;

const secure: FillRandom = (bytes) => {
  crypto.getRandomValues(bytes);
};

/**
 * A new key for one payout: `{program_id}-single-{first 8 of the recipient}-{16 hex}`. Store it
 * with the payout before it is used; `EscrowClient` does.
 */
export function newSingleKey(
  programId: string,
  recipient: string,
  fill: FillRandom = secure,
): string {
  recipientBytes(recipient);
  return `${checkProgramId(programId)}-single-${recipient.slice(0, 8)}-${nonce(fill)}`;
}

/** A new key for one batch: `{program_id}-batch-{first 8 of the first recipient}-{n}r-{16 hex}`. */
export function newBatchKey(
  programId: string,
  recipients: readonly string[],
  fill: FillRandom = secure,
): string {
  const first = recipients[0];
  if (first === undefined) {
    throw new InputError("batch_size", "a batch of 0 recipients has no key", "Name who is paid");
  }
  for (const recipient of recipients) recipientBytes(recipient);
  const id = checkProgramId(programId);
  return `${id}-batch-${first.slice(0, 8)}-${recipients.length}r-${nonce(fill)}`;
}

/** A new UUID of version 4, for systems that have UUIDs already. */
export function newUuidKey(fill: FillRandom = secure): string {
  const bytes = new Uint8Array(16);
  fill(bytes);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function nonce(fill: FillRandom): string {
  const bytes = new Uint8Array(8);
  fill(bytes);
  return toHex(bytes);
}
