/** What a call reports while it runs. Nothing in it is secret. */
export type ProgressEvent =
  /** Key and arguments are durable. */
  | { type: "stored"; key: string }
  /** What a payout will cost, before it is signed, and the archived entries that it restores. */
  | { type: "simulated"; key: string; resourceFee: bigint; bid: bigint; restores: string[] }
  | { type: "signed"; key: string; hash: string; bid: bigint; feeBump: boolean }
  | { type: "sent"; key: string; hash: string; answer: string }
  /** An envelope that was in a ledger, or lost its place to another, without paying. */
  | { type: "spent"; key: string; hash: string; result: string; feeCharged: bigint | undefined }
  | { type: "waiting"; key: string; reason: string; round: number }
  /** This machine's clock less the ledger's, in seconds. Nothing depends on it. */
  | { type: "clockSkew"; seconds: number };

export type Report = (event: ProgressEvent) => void;
