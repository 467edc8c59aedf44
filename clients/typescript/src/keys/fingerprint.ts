import { InputError, shown } from "../errors.js";
import { recipientBytes } from "./address.js";
import { concat, fromHex, sha256, toHex, u32, utf8 } from "./bytes.js";

/** The XDR of `Symbol("payout")`. */
const SYMBOL = concat(u32(15), u32(6), utf8("payout"), new Uint8Array(2));

/**
 * What a payout commits to, and what its record keeps: SHA-256 over the XDR of the vector
 * `[Symbol("payout"), recipients, amounts]`, with the references where it has any. A single payout
 * has lists of one; an empty list of references is not the same as none.
 */
export async function fingerprint(
  recipients: readonly string[],
  amounts: readonly bigint[],
  references?: readonly string[],
): Promise<string> {
  const elements = [SYMBOL, vector(recipients.map(address)), vector(amounts.map(i128))];
  if (references !== undefined) elements.push(vector(references.map(bytes16)));
  return toHex(await sha256(vector(elements)));
}

function vector(elements: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return concat(u32(16), u32(1), u32(elements.length), ...elements);
}

function address(text: string): Uint8Array {
  const { kind, payload } = recipientBytes(text);
  return kind === "account"
    ? concat(u32(18), u32(0), u32(0), payload)
    : concat(u32(18), u32(1), payload);
}

function i128(amount: bigint): Uint8Array {
  if (typeof amount !== "bigint" || BigInt.asIntN(128, amount) !== amount) {
    throw new InputError(
      typeof amount === "bigint" ? "amount_range" : "amount_type",
      `amount ${String(amount)} is no bigint of at most 128 bits`,
      "Write 5n, or toUnits(text, decimals)",
    );
  }
  const bytes = new Uint8Array(20);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 10);
  view.setBigInt64(4, amount >> 64n);
  view.setBigUint64(12, BigInt.asUintN(64, amount));
  return bytes;
}

function bytes16(text: string): Uint8Array {
  return concat(u32(13), u32(16), referenceBytes(text));
}

/** The bytes of a reference: 32 lower-case hexadecimal digits. */
export function referenceBytes(text: string): Uint8Array {
  const bytes = fromHex(text, 16);
  if (bytes === undefined) {
    throw new InputError(
      "reference_invalid",
      `reference ${shown(text)} is not 32 lower-case hexadecimal digits`,
      "Make it of the row's id: await reference(deployment, run, id)",
    );
  }
  return bytes;
}

/** Checks the text of a fingerprint: 64 lower-case hexadecimal digits. */
export function checkFingerprint(text: string): string {
  if (fromHex(text, 32) === undefined) {
    throw new InputError(
      "fingerprint_invalid",
      `fingerprint ${shown(text)} is not 64 lower-case hexadecimal digits`,
      "Copy it again",
    );
  }
  return text;
}
