/** The record that the contract keeps of a key. */
export interface PayoutRecord {
  kind: "single" | "batch" | "imported" | "voided";
  /** 1, 2, 3… for payouts, 0 for the others. */
  payoutId: bigint;
  /** 64 hexadecimal digits; zeros for imported and voided keys. */
  fingerprint: string;
  totalAmount: bigint;
  /** The ledger that it was written in; 0 if known only from an earlier layout. */
  ledger: number;
}

/** The transaction that paid, as far as a node remembers it. */
export interface Receipt {
  hash: string;
  ledger: number;
  feeCharged: bigint;
}

interface Common {
  key: string;
  /** Every hash signed under the key by this store, fee bumps and what they wrap. */
  hashes: string[];
  /** The ledger that the verdict holds for: that of the record, or the one that was looked at. */
  ledger: number;
  /** What to do. */
  next: string;
}

interface Found extends Common {
  record: PayoutRecord;
}

/** Why an outcome is not known yet. */
export type UnknownReason =
  | "waiting"
  | "nodeUnreachable"
  | "nodeBehind"
  | "refused"
  | "refusedByNetwork"
  | "simulationFailed"
  | "feeTooHigh"
  | "voidRefused"
  | "witnessMissing"
  | "signerMissing";

/** Why a payout is proven not to have been made. */
export type RejectedReason = "contract" | "expired" | "feeTooHigh" | "sourceMissing";

/** An error of the contract. */
export interface Refusal {
  code: number;
  name: string;
}

/** How a call ended. `paid` and `replayed` are the only ones in which the recipients were paid. */
export type Outcome =
  /** Paid while this call was running, once. */
  | (Found & { status: "paid"; receipt: Receipt | undefined })
  /** Paid before this call, once; the call sent nothing. */
  | (Found & { status: "replayed"; receipt: Receipt | undefined })
  /**
   * The key stands for something else, and what was asked is not paid under it: `store`, other
   * arguments are stored; `record`, others were paid; `imported`, another system claims it;
   * `consumed`, a void came too late and this store does not know what was paid.
   */
  | (Common & {
      status: "conflict";
      found: "store" | "record" | "imported" | "consumed";
      record: PayoutRecord | undefined;
      presented: string | undefined;
    })
  /** The key can never pay. */
  | (Found & { status: "voided" })
  /** It may be paid, or be paid later. Never to be read as failed. */
  | (Common & {
      status: "outcomeUnknown";
      reason: UnknownReason;
      detail: string;
      refusal: Refusal | undefined;
      /** The first ledger in which nothing signed under the key can be any more. */
      awaits: number | undefined;
      /** Stroops for one operation that would be needed, if the fee's ceiling stopped it. */
      neededBid: bigint | undefined;
    })
  /**
   * Proven not paid: nothing was ever signed under the key, or all of it has expired and two nodes
   * say that the record is absent after that. It can still be paid: the same call, the same key.
   */
  | (Common & {
      status: "rejected";
      proof: "nothingSigned" | "expired";
      reason: RejectedReason;
      detail: string;
      refusal: Refusal | undefined;
    });

/** What to do after each outcome, in one sentence. */
export const NEXT = {
  paid: "Nothing: every recipient has the money, once",
  replayed: "Nothing: every recipient had the money before this call, and nothing was paid again",
  conflict:
    "Stop. Find out what the key was used for; what was asked here is not paid under it and needs a key of its own",
  imported:
    "Stop. Another system says that it paid this key; ask it. This contract did not pay and never will under this key",
  consumed: "The key has paid, as its record says, and can no longer be voided",
  voided: "Nothing can be paid under this key any more; the obligation may move to a new key",
  outcomeUnknown: "Keep the key and call retry(key) later; never give the obligation another key",
  rejected: "Put right what was refused, then call again with the same key",
} as const;
