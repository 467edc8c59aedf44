/** What was wrong, by kind. Never renamed: callers may switch on it. */
export type ErrorCode =
  | "amount_type"
  | "amount_range"
  | "amount_text"
  | "program_id_length"
  | "program_id_character"
  | "key_length"
  | "key_character"
  | "run_name_length"
  | "run_name_character"
  | "run_name_start"
  | "row_id_length"
  | "row_id_blank"
  | "row_id_unseen"
  | "row_id_not_normalised"
  | "recipient_muxed"
  | "recipient_secret"
  | "recipient_kind"
  | "recipient_invalid"
  | "recipient_duplicate"
  | "contract_invalid"
  | "prefix_invalid"
  | "reference_invalid"
  | "fingerprint_invalid"
  | "network_id_invalid"
  | "number_range"
  | "batch_size"
  | "batch_lengths"
  | "store_locked"
  | "store_damaged"
  | "store_closed"
  | "store_unknown_key"
  | "store_failed"
  | "signer_refused"
  | "signer_changed_transaction"
  | "wrong_network"
  | "node_unreachable"
  | "node_refused"
  | "option_invalid";

/**
 * Whatever this library throws: what was wrong, which value, and what to do. Messages never hold a
 * secret key, nor what looks like one.
 */
export class EscrowError extends Error {
  readonly code: ErrorCode;
  /** What to do about it. */
  readonly next: string;

  constructor(code: ErrorCode, what: string, next: string) {
    super(`${what}. ${next}`);
    this.name = new.target.name;
    this.code = code;
    this.next = next;
  }
}

/** A value was refused before anything was stored, signed or sent. */
export class InputError extends EscrowError {}

/** The store could not keep or find a payout. Nothing was sent by the call that threw it. */
export class StoreError extends EscrowError {}

/** The signer did not sign what it was given. What it was given is in the store. */
export class SigningError extends EscrowError {}

/** No node could be asked, or it serves another network. It says nothing about any payout. */
export class NodeError extends EscrowError {}

const SHOWN = 80;

/** `value` as an error shows it: quoted, cut short, and hidden where it looks like a secret key. */
export function shown(value: string): string {
  if (looksSecret(value)) return "(hidden: it looks like a secret key)";
  const characters = [...value];
  const cut = characters.length > SHOWN ? `${characters.slice(0, SHOWN).join("")}…` : value;
  return JSON.stringify(cut);
}

/** Whether `text` is a secret key (S…, 56 characters), or one with a slip of the hand. */
export function looksSecret(text: string): boolean {
  return /^[Ss][A-Za-z0-9]{53,57}$/.test(text.trim());
}
