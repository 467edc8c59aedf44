import { StrKey } from "@stellar/stellar-sdk";

import { InputError, looksSecret, shown } from "../errors.js";

/** An address in bytes, as the contract sees it. */
export interface AddressBytes {
  kind: "account" | "contract";
  payload: Uint8Array;
}

const KINDS: Record<string, string> = {
  T: "a pre-authorised transaction (T…)",
  X: "a hash (X…)",
  P: "a signer with a payload (P…)",
  L: "a liquidity pool (L…)",
  B: "a claimable balance (B…)",
};

const decoders: Record<string, (text: string) => unknown> = {
  T: (text) => StrKey.decodePreAuthTx(text),
  X: (text) => StrKey.decodeSha256Hash(text),
  P: (text) => StrKey.decodeSignedPayload(text),
  L: (text) => StrKey.decodeLiquidityPool(text),
  B: (text) => StrKey.decodeClaimableBalance(text),
};

/** The bytes of a recipient: an account (G…) or a contract (C…). Nothing is trimmed or folded. */
export function recipientBytes(address: string): AddressBytes {
  const strkey = /^[A-Z2-7]+$/.test(address);
  if (strkey && StrKey.isValidEd25519PublicKey(address)) {
    return { kind: "account", payload: StrKey.decodeEd25519PublicKey(address) };
  }
  if (strkey && StrKey.isValidContract(address)) {
    return { kind: "contract", payload: StrKey.decodeContract(address) };
  }
  if (looksSecret(address)) {
    throw new InputError(
      "recipient_secret",
      "a recipient looks like a secret key (S…); it is not shown here",
      "Replace it by the account's address (G…), and if it is real, treat it as known to others",
    );
  }
  if (strkey && StrKey.isValidMed25519PublicKey(address)) {
    throw new InputError(
      "recipient_muxed",
      `recipient ${shown(address)} is a muxed address (M…): an account with a number inside it, which the contract cannot pay`,
      "Ask the recipient for an address that begins with G or C and needs no memo",
    );
  }
  const kind = KINDS[address.slice(0, 1)];
  if (strkey && kind !== undefined && decodes(address)) {
    throw new InputError(
      "recipient_kind",
      `recipient ${shown(address)} is ${kind}, which cannot be paid`,
      "Use an account (G…) or a contract (C…)",
    );
  }
  throw new InputError(
    "recipient_invalid",
    `recipient ${shown(address)} is not an address: its letters or its checksum are wrong`,
    "Copy it again: 56 upper-case characters that begin with G or C",
  );
}

function decodes(address: string): boolean {
  try {
    decoders[address.slice(0, 1)]?.(address);
    return true;
  } catch {
    return false;
  }
}

/** The 32 bytes of a contract's address. */
export function contractBytes(address: string): Uint8Array {
  if (!/^[A-Z2-7]+$/.test(address) || !StrKey.isValidContract(address)) {
    throw new InputError(
      "contract_invalid",
      `contract ${shown(address)} is not a contract's address`,
      "Copy it again: 56 upper-case characters that begin with C",
    );
  }
  return StrKey.decodeContract(address);
}

/** Checks the recipient's part of a random key: 8 characters of `[A-Z0-9]`. */
export function checkPrefix(prefix: string): string {
  if (!/^[A-Z0-9]{8}$/.test(prefix)) {
    throw new InputError(
      "prefix_invalid",
      `recipient prefix ${shown(prefix)} is not 8 characters of A-Z 0-9`,
      "Use the first 8 characters of the address",
    );
  }
  return prefix;
}

/** Checks that an address can be a recipient: an account (G…) or a contract (C…). */
export function checkRecipient(address: string): string {
  recipientBytes(address);
  return address;
}
