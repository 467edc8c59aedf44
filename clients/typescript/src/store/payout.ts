import { StoreError } from "../errors.js";

/** Which payout: a key is a key of one contract on one network. */
export interface PayoutId {
  /** SHA-256 of the network's passphrase, in hexadecimal. */
  network: string;
  contract: string;
  key: string;
}

/** What a payout pays, in the order of the call. */
export interface PayoutArguments {
  kind: "single" | "batch" | "references";
  recipients: string[];
  amounts: bigint[];
  /** 32 hexadecimal digits a recipient; only for the kind `references`. */
  references?: string[];
}

/** A transaction as it is sent: the first one, or a fee bump around it. */
export interface Envelope {
  hash: string;
  /** Base64. Before it is signed the transaction without signatures, afterwards with them. */
  xdr: string;
  signed: boolean;
  /** Stroops offered for one operation, beside the fee for resources. */
  bid: bigint;
}

/** One inner transaction and the fee bumps around it. It can be in one ledger at most. */
export interface Attempt {
  source: string;
  sequence: bigint;
  /** The first ledger that it can no longer be in. */
  maxLedger: number;
  /** The last second that it can be in, in Unix time. */
  maxTime: bigint;
  /** The newest ledger known when it was last sent; 0 before the first sending. */
  sentAt: number;
  /** The ledger at which its present bid was made. */
  bidAt: number;
  envelopes: Envelope[];
}

/** How a payout ended, as its record says. */
export interface Settled {
  status: "paid" | "conflict" | "imported" | "voided";
  payoutId: bigint;
  ledger: number;
}

/** Everything that has to survive a crash. */
export interface StoredPayout {
  id: PayoutId;
  arguments: PayoutArguments;
  fingerprint: string;
  attempts: Attempt[];
  settled?: Settled;
}

const VERSION = 1;

/** These fields are integers of any size; JSON carries them as decimal strings. */
const INTEGERS = new Set(["amounts", "sequence", "maxTime", "bid", "payoutId"]);

/** The text that stores keep: JSON. */
export function encodePayout(payout: StoredPayout): string {
  return JSON.stringify({ version: VERSION, ...payout }, (_, value: unknown) =>
    typeof value === "bigint" ? value.toString() : value,
  );
}

/** Reads the text back. `where` is named if it is damaged. */
export function decodePayout(text: string, where: string): StoredPayout {
  try {
    const { version, ...payout } = JSON.parse(text, (name, value: unknown) => {
      if (!INTEGERS.has(name)) return value;
      return Array.isArray(value) ? value.map(integer) : integer(value);
    }) as StoredPayout & { version: number };
    if (version === VERSION && whole(payout)) return payout;
  } catch {
    // Told below, without the text.
  }
  throw new StoreError(
    "store_damaged",
    `${where} is damaged, or of a later version`,
    "Keep it. Read the key's record from the contract before anything is paid under it",
  );
}

function integer(value: unknown): bigint {
  if (typeof value !== "string" || !/^-?[0-9]+$/.test(value)) throw new TypeError("no integer");
  return BigInt(value);
}

function whole(payout: StoredPayout): boolean {
  const { id, arguments: args, fingerprint, attempts } = payout;
  return (
    [id.network, id.contract, id.key, fingerprint].every((text) => typeof text === "string") &&
    args.recipients.length === args.amounts.length &&
    args.amounts.every((amount) => typeof amount === "bigint") &&
    attempts.every(
      ({ maxLedger, sequence, envelopes }) =>
        Number.isInteger(maxLedger) && typeof sequence === "bigint" && envelopes.length > 0,
    )
  );
}

/** One text for a payout's id; no two ids share it. */
export function idText(id: PayoutId): string {
  return `${id.network}/${id.contract}/${id.key}`;
}
