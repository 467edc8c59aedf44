/** Exactly-once payouts from the contract program-escrow: what works in browsers and Node alike. */
export { checkAmount, fromUnits, toUnits } from "./amounts.js";
export type { EscrowClientOptions } from "./client.js";
export { EscrowClient } from "./client.js";
export type { ErrorCode } from "./errors.js";
export { EscrowError, InputError, NodeError, SigningError, StoreError } from "./errors.js";
export type { ProgramData } from "./generated/program-escrow.js";
export { checkRecipient } from "./keys/address.js";
export type { Deployment } from "./keys/derived.js";
export { gatewayKey, networkId, reference, runKey } from "./keys/derived.js";
export { fingerprint } from "./keys/fingerprint.js";
export type { KeyForm } from "./keys/form.js";
export { readKey } from "./keys/form.js";
export { checkKey, checkProgramId, checkRowId, checkRunName, rowIdFromCell } from "./keys/names.js";
export type { FillRandom } from "./keys/random.js";
export { newBatchKey, newSingleKey, newUuidKey } from "./keys/random.js";
export type { Payment, ReferencedPayment } from "./payout.js";
export type { ProgressEvent } from "./protocol/events.js";
export type {
  Outcome,
  PayoutRecord,
  Receipt,
  Refusal,
  RejectedReason,
  UnknownReason,
} from "./protocol/outcome.js";
export type { RetryPolicy } from "./protocol/rules.js";
export type { Signer, WalletSignTransaction } from "./signer.js";
export { keypairSigner, walletSigner } from "./signer.js";
export { BrowserKeyStore } from "./store/browser.js";
export { MemoryKeyStore } from "./store/memory.js";
export type {
  Attempt,
  Envelope,
  PayoutArguments,
  PayoutId,
  Settled,
  StoredPayout,
} from "./store/payout.js";
export type { KeyStore } from "./store/store.js";
