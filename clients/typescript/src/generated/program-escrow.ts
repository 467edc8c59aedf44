// Made by scripts/generate-bindings.mjs from the compiled contract. Not edited by hand.
import type { Buffer } from "node:buffer";
import { contract } from "@stellar/stellar-sdk";

type AssembledTransaction<T> = contract.AssembledTransaction<T>;
type ContractClientOptions = contract.ClientOptions;
type MethodOptions = contract.MethodOptions;
type Option<T> = contract.Option<T>;
type i128 = contract.i128;
type u32 = contract.u32;
type u64 = contract.u64;
const ContractClient = contract.Client;
const ContractSpec = contract.Spec;

/**
 * Why a call was refused; nothing was changed.
 */
export const Errors = {
  100: {message:"NotActive"},
  101: {message:"NotDraft"},
  102: {message:"NotClosed"},
  103: {message:"AlreadyClosed"},
  /**
   * Program id: 1 to 64 bytes of `[A-Za-z0-9._-]`.
   */
  104: {message:"InvalidProgramId"},
  /**
   * This instance holds no program; `migrate_legacy` first.
   */
  105: {message:"NoProgram"},
  200: {message:"Unauthorized"},
  /**
   * The caller is neither payout key nor delegate.
   */
  201: {message:"DelegateNotFound"},
  202: {message:"DelegateExpired"},
  203: {message:"DelegateAllowanceExceeded"},
  /**
   * Expiry: after now, at most ten years ahead.
   */
  204: {message:"InvalidExpiry"},
  205: {message:"InvalidAllowance"},
  /**
   * Without an owner money would be stuck.
   */
  206: {message:"OwnershipCannotBeRenounced"},
  /**
   * Key: 1 to 256 bytes, each 0x21 to 0x7E.
   */
  300: {message:"InvalidIdempotencyKey"},
  /**
   * The key was voided and can never pay.
   */
  301: {message:"KeyVoided"},
  /**
   * The key is consumed and cannot be voided.
   */
  302: {message:"KeyAlreadyConsumed"},
  /**
   * 1 to 30 keys a call.
   */
  303: {message:"TooManyKeys"},
  400: {message:"LengthMismatch"},
  401: {message:"EmptyBatch"},
  402: {message:"BatchTooLarge"},
  403: {message:"InvalidAmount"},
  /**
   * A recipient stands twice in the batch.
   */
  404: {message:"DuplicateRecipient"},
  /**
   * Neither this contract nor the token's may receive.
   */
  405: {message:"InvalidRecipient"},
  /**
   * A sum left the range of i128.
   */
  406: {message:"AmountOverflow"},
  407: {message:"InsufficientBalance"},
  /**
   * The transfer in credited nothing.
   */
  408: {message:"NothingReceived"},
  500: {message:"Paused"},
  501: {message:"CircuitOpen"},
  /**
   * More than the outflow limit has available.
   */
  502: {message:"OutflowLimitExceeded"},
  /**
   * One amount is above the limit's `max_payout`.
   */
  503: {message:"PayoutTooLarge"},
  /**
   * Limit: `capacity >= max_payout > 0`, `refill_per_second >= 0`.
   */
  504: {message:"InvalidOutflowLimit"},
  505: {message:"NoFlagSet"},
  /**
   * Reason: at most 128 bytes.
   */
  506: {message:"ReasonTooLong"},
  /**
   * The token refused, or its balances do not add up.
   */
  600: {message:"TokenTransferFailed"},
  /**
   * No old program is there to migrate.
   */
  700: {message:"NothingToMigrate"}
}

/**
 * May pay beside the payout key, up to an allowance and a time.
 */
export interface Delegate {
  allowance: i128;
  /**
 * First second at which it may no longer pay.
 */
expires_at: u64;
}

/**
 * What is paused.
 */
export interface PauseFlags {
  lock: boolean;
  payout: boolean;
}

/**
 * What consumed a key.
 */
export enum PayoutKind {
  Single = 0,
  Batch = 1,
  Imported = 2,
  Voided = 3,
}

/**
 * The books: `total_locked = total_paid + total_withdrawn + remaining_balance`.
 */
export interface ProgramData {
  authorized_payout_key: string;
  /**
 * Payouts so far; their ids are 1 to this, without gap.
 */
payout_count: u64;
  program_id: string;
  remaining_balance: i128;
  status: ProgramStatus;
  token: string;
  total_locked: i128;
  total_paid: i128;
  total_withdrawn: i128;
}

export enum BreakerState {
  Closed = 0,
  Open = 1,
}

/**
 * A token bucket over payouts.
 */
export interface OutflowLimit {
  /**
 * Most that can flow at once.
 */
capacity: i128;
  /**
 * Most that one recipient gets in a payout.
 */
max_payout: i128;
  /**
 * How fast it fills again.
 */
refill_per_second: i128;
}

/**
 * Life of the program, never backwards.
 */
export enum ProgramStatus {
  Draft = 0,
  Active = 1,
  Closed = 2,
}

/**
 * The breaker as of now.
 */
export interface CircuitBreaker {
  /**
 * Who tripped or reset it last.
 */
actor: Option<string>;
  /**
 * What the outflow limit lets through now, None without a limit.
 */
available: Option<i128>;
  /**
 * Why it was tripped, empty after a reset.
 */
reason: string;
  /**
 * When, 0 before the first time.
 */
since: u64;
  state: BreakerState;
}

/**
 * The original effect of a key.
 */
export interface IdempotencyRecord {
  /**
 * SHA-256 over the payout's arguments, zeros for the others.
 */
fingerprint: Buffer;
  kind: PayoutKind;
  /**
 * Ledger of the write, 0 if known only from an earlier layout.
 */
ledger: u32;
  /**
 * 1, 2, 3… for payouts, 0 for the others.
 */
payout_id: u64;
  total_amount: i128;
}

export const RoleTransferError = {
  2200: {message:"NoPendingTransfer"},
  2201: {message:"InvalidLiveUntilLedger"},
  2202: {message:"InvalidPendingAccount"},
  2203: {message:"TransferExpired"}
}

export const OwnableError = {
  2100: {message:"OwnerNotSet"},
  2101: {message:"TransferInProgress"},
  2102: {message:"OwnerAlreadySet"}
}

export interface Client {
  /**
   * Construct and simulate a pause transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Pauses what is true; the rest stays.
   */
  pause: ({caller, flags, reason}: {caller: string, flags: PauseFlags, reason: string}, options?: MethodOptions) => Promise<AssembledTransaction<null>>

  /**
   * Construct and simulate a unpause transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Clears what is true; the rest stays.
   */
  unpause: ({flags}: {flags: PauseFlags}, options?: MethodOptions) => Promise<AssembledTransaction<null>>

  /**
   * Construct and simulate a get_program transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * The program and its books.
   */
  get_program: (options?: MethodOptions) => Promise<AssembledTransaction<ProgramData>>

  /**
   * Construct and simulate a get_delegate transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * The delegate as stored.
   */
  get_delegate: ({delegate}: {delegate: string}, options?: MethodOptions) => Promise<AssembledTransaction<Option<Delegate>>>

  /**
   * Construct and simulate a get_guardian transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Who may pause and trip.
   */
  get_guardian: (options?: MethodOptions) => Promise<AssembledTransaction<Option<string>>>

  /**
   * Construct and simulate a set_delegate transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Lets an address pay up to an allowance, until a Unix second.
   */
  set_delegate: ({delegate, allowance, expires_at}: {delegate: string, allowance: i128, expires_at: u64}, options?: MethodOptions) => Promise<AssembledTransaction<null>>

  /**
   * Construct and simulate a set_guardian transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Sets who may pause and trip.
   */
  set_guardian: ({guardian}: {guardian: Option<string>}, options?: MethodOptions) => Promise<AssembledTransaction<null>>

  /**
   * Construct and simulate a close_program transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Ends payouts for good and opens withdrawal.
   */
  close_program: (options?: MethodOptions) => Promise<AssembledTransaction<null>>

  /**
   * Construct and simulate a credit_surplus transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Books tokens that were sent here by plain transfer.
   */
  credit_surplus: (options?: MethodOptions) => Promise<AssembledTransaction<i128>>

  /**
   * Construct and simulate a max_batch_size transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Most recipients of one payout.
   */
  max_batch_size: (options?: MethodOptions) => Promise<AssembledTransaction<u32>>

  /**
   * Construct and simulate a migrate_legacy transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Takes over an instance of the earlier layout.
   */
  migrate_legacy: (options?: MethodOptions) => Promise<AssembledTransaction<null>>

  /**
   * Construct and simulate a get_pause_flags transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * What is paused.
   */
  get_pause_flags: (options?: MethodOptions) => Promise<AssembledTransaction<PauseFlags>>

  /**
   * Construct and simulate a publish_program transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Draft becomes Active.
   */
  publish_program: (options?: MethodOptions) => Promise<AssembledTransaction<null>>

  /**
   * Construct and simulate a revoke_delegate transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Takes a delegate's right away.
   */
  revoke_delegate: ({caller, delegate}: {caller: string, delegate: string}, options?: MethodOptions) => Promise<AssembledTransaction<null>>

  /**
   * Construct and simulate a get_outflow_limit transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * The limit on the flow of payouts.
   */
  get_outflow_limit: (options?: MethodOptions) => Promise<AssembledTransaction<Option<OutflowLimit>>>

  /**
   * Construct and simulate a rotate_payout_key transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Another key pays from now on.
   */
  rotate_payout_key: ({new_key}: {new_key: string}, options?: MethodOptions) => Promise<AssembledTransaction<null>>

  /**
   * Construct and simulate a set_outflow_limit transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Limits the flow of payouts; None is off.
   */
  set_outflow_limit: ({limit}: {limit: Option<OutflowLimit>}, options?: MethodOptions) => Promise<AssembledTransaction<null>>

  /**
   * Construct and simulate a lock_program_funds transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Moves tokens in and credits what arrived.
   */
  lock_program_funds: ({from, amount}: {from: string, amount: i128}, options?: MethodOptions) => Promise<AssembledTransaction<ProgramData>>

  /**
   * Construct and simulate a withdraw_remaining transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Sends the whole token balance of a closed program.
   */
  withdraw_remaining: ({to}: {to: string}, options?: MethodOptions) => Promise<AssembledTransaction<i128>>

  /**
   * Construct and simulate a get_circuit_breaker transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * The breaker as of now.
   */
  get_circuit_breaker: (options?: MethodOptions) => Promise<AssembledTransaction<CircuitBreaker>>

  /**
   * Construct and simulate a is_payout_processed transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Whether the key was paid here or asserted elsewhere; false for voided ones.
   */
  is_payout_processed: ({idempotency_key}: {idempotency_key: string}, options?: MethodOptions) => Promise<AssembledTransaction<boolean>>

  /**
   * Construct and simulate a migrate_legacy_keys transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Moves up to `limit` keys out of the earlier list; returns how many are left.
   */
  migrate_legacy_keys: ({limit}: {limit: u32}, options?: MethodOptions) => Promise<AssembledTransaction<u32>>

  /**
   * Construct and simulate a import_consumed_keys transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Marks up to 30 keys as paid by another system; Draft only.
   */
  import_consumed_keys: ({keys}: {keys: Array<string>}, options?: MethodOptions) => Promise<AssembledTransaction<null>>

  /**
   * Construct and simulate a trip_circuit_breaker transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Stops payouts until the admin resets.
   */
  trip_circuit_breaker: ({caller, reason}: {caller: string, reason: string}, options?: MethodOptions) => Promise<AssembledTransaction<null>>

  /**
   * Construct and simulate a void_idempotency_key transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Makes an unused key unable to pay, for ever.
   */
  void_idempotency_key: ({caller, idempotency_key}: {caller: string, idempotency_key: string}, options?: MethodOptions) => Promise<AssembledTransaction<null>>

  /**
   * Construct and simulate a get_remaining_balance transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * What is left to pay or withdraw.
   */
  get_remaining_balance: (options?: MethodOptions) => Promise<AssembledTransaction<i128>>

  /**
   * Construct and simulate a reset_circuit_breaker transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Lets payouts flow again, with an empty bucket.
   */
  reset_circuit_breaker: (options?: MethodOptions) => Promise<AssembledTransaction<null>>

  /**
   * Construct and simulate a get_idempotency_record transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * The original effect of the key.
   */
  get_idempotency_record: ({idempotency_key}: {idempotency_key: string}, options?: MethodOptions) => Promise<AssembledTransaction<Option<IdempotencyRecord>>>

  /**
   * Construct and simulate a batch_payout_idempotent transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Pays up to 60 recipients once under this key; a used key pays nothing.
   */
  batch_payout_idempotent: ({idempotency_key, recipients, amounts}: {idempotency_key: string, recipients: Array<string>, amounts: Array<i128>}, options?: MethodOptions) => Promise<AssembledTransaction<ProgramData>>

  /**
   * Construct and simulate a single_payout_idempotent transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Pays one recipient once under this key; a used key pays nothing.
   */
  single_payout_idempotent: ({idempotency_key, recipient, amount}: {idempotency_key: string, recipient: string, amount: i128}, options?: MethodOptions) => Promise<AssembledTransaction<ProgramData>>

  /**
   * Construct and simulate a batch_payout_idempotent_by transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * The same, by the payout key or a delegate.
   */
  batch_payout_idempotent_by: ({idempotency_key, caller, recipients, amounts}: {idempotency_key: string, caller: string, recipients: Array<string>, amounts: Array<i128>}, options?: MethodOptions) => Promise<AssembledTransaction<ProgramData>>

  /**
   * Construct and simulate a single_payout_idempotent_by transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * The same, by the payout key or a delegate.
   */
  single_payout_idempotent_by: ({idempotency_key, caller, recipient, amount}: {idempotency_key: string, caller: string, recipient: string, amount: i128}, options?: MethodOptions) => Promise<AssembledTransaction<ProgramData>>

  /**
   * Construct and simulate a batch_payout_with_references transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * The same, and the record commits to one reference a recipient.
   */
  batch_payout_with_references: ({idempotency_key, caller, recipients, amounts, references}: {idempotency_key: string, caller: string, recipients: Array<string>, amounts: Array<i128>, references: Array<Buffer>}, options?: MethodOptions) => Promise<AssembledTransaction<ProgramData>>

  /**
   * Construct and simulate a upgrade transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Replaces the code; `operator` must be the admin.
   */
  upgrade: ({new_wasm_hash, operator}: {new_wasm_hash: Buffer, operator: string}, options?: MethodOptions) => Promise<AssembledTransaction<null>>

  /**
   * Construct and simulate a get_owner transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * The admin.
   */
  get_owner: (options?: MethodOptions) => Promise<AssembledTransaction<Option<string>>>

  /**
   * Construct and simulate a accept_ownership transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Accepts the proposal; only the proposed admin can.
   */
  accept_ownership: (options?: MethodOptions) => Promise<AssembledTransaction<null>>

  /**
   * Construct and simulate a renounce_ownership transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Always refused: money would be stuck.
   */
  renounce_ownership: (options?: MethodOptions) => Promise<AssembledTransaction<null>>

  /**
   * Construct and simulate a transfer_ownership transaction. Returns an `AssembledTransaction` object which will have a `result` field containing the result of the simulation. If this transaction changes contract state, you will need to call `signAndSend()` on the returned object.
   * Proposes a new admin, who must accept by this ledger; 0 cancels.
   */
  transfer_ownership: ({new_owner, live_until_ledger}: {new_owner: string, live_until_ledger: u32}, options?: MethodOptions) => Promise<AssembledTransaction<null>>

}
export class Client extends ContractClient {
  static async deploy<T = Client>(
        /** Constructor/Initialization Args for the contract's `__constructor` method */
        {admin, program_id, authorized_payout_key, token}: {admin: string, program_id: string, authorized_payout_key: string, token: string},
    /** Options for initializing a Client as well as for calling a method, with extras specific to deploying. */
    options: MethodOptions &
      Omit<ContractClientOptions, "contractId"> & {
        /** The hash of the Wasm blob, which must already be installed on-chain. */
        wasmHash: Buffer | string;
        /** Salt used to generate the contract's ID. Passed through to {@link Operation.createCustomContract}. Default: random. */
        salt?: Buffer | Uint8Array;
        /** The format used to decode `wasmHash`, if it's provided as a string. */
        format?: "hex" | "base64";
      }
  ): Promise<AssembledTransaction<T>> {
    return ContractClient.deploy({admin, program_id, authorized_payout_key, token}, options)
  }
  constructor(public readonly options: ContractClientOptions) {
    super(
      new ContractSpec([ "AAAABAAAACxXaHkgYSBjYWxsIHdhcyByZWZ1c2VkOyBub3RoaW5nIHdhcyBjaGFuZ2VkLgAAAAAAAAAFRXJyb3IAAAAAAAAjAAAAAAAAAAlOb3RBY3RpdmUAAAAAAABkAAAAAAAAAAhOb3REcmFmdAAAAGUAAAAAAAAACU5vdENsb3NlZAAAAAAAAGYAAAAAAAAADUFscmVhZHlDbG9zZWQAAAAAAABnAAAALlByb2dyYW0gaWQ6IDEgdG8gNjQgYnl0ZXMgb2YgYFtBLVphLXowLTkuXy1dYC4AAAAAABBJbnZhbGlkUHJvZ3JhbUlkAAAAaAAAADdUaGlzIGluc3RhbmNlIGhvbGRzIG5vIHByb2dyYW07IGBtaWdyYXRlX2xlZ2FjeWAgZmlyc3QuAAAAAAlOb1Byb2dyYW0AAAAAAABpAAAAAAAAAAxVbmF1dGhvcml6ZWQAAADIAAAALlRoZSBjYWxsZXIgaXMgbmVpdGhlciBwYXlvdXQga2V5IG5vciBkZWxlZ2F0ZS4AAAAAABBEZWxlZ2F0ZU5vdEZvdW5kAAAAyQAAAAAAAAAPRGVsZWdhdGVFeHBpcmVkAAAAAMoAAAAAAAAAGURlbGVnYXRlQWxsb3dhbmNlRXhjZWVkZWQAAAAAAADLAAAAK0V4cGlyeTogYWZ0ZXIgbm93LCBhdCBtb3N0IHRlbiB5ZWFycyBhaGVhZC4AAAAADUludmFsaWRFeHBpcnkAAAAAAADMAAAAAAAAABBJbnZhbGlkQWxsb3dhbmNlAAAAzQAAACZXaXRob3V0IGFuIG93bmVyIG1vbmV5IHdvdWxkIGJlIHN0dWNrLgAAAAAAGk93bmVyc2hpcENhbm5vdEJlUmVub3VuY2VkAAAAAADOAAAAJ0tleTogMSB0byAyNTYgYnl0ZXMsIGVhY2ggMHgyMSB0byAweDdFLgAAAAAVSW52YWxpZElkZW1wb3RlbmN5S2V5AAAAAAABLAAAACVUaGUga2V5IHdhcyB2b2lkZWQgYW5kIGNhbiBuZXZlciBwYXkuAAAAAAAACUtleVZvaWRlZAAAAAAAAS0AAAApVGhlIGtleSBpcyBjb25zdW1lZCBhbmQgY2Fubm90IGJlIHZvaWRlZC4AAAAAAAASS2V5QWxyZWFkeUNvbnN1bWVkAAAAAAEuAAAAFDEgdG8gMzAga2V5cyBhIGNhbGwuAAAAC1Rvb01hbnlLZXlzAAAAAS8AAAAAAAAADkxlbmd0aE1pc21hdGNoAAAAAAGQAAAAAAAAAApFbXB0eUJhdGNoAAAAAAGRAAAAAAAAAA1CYXRjaFRvb0xhcmdlAAAAAAABkgAAAAAAAAANSW52YWxpZEFtb3VudAAAAAAAAZMAAAAmQSByZWNpcGllbnQgc3RhbmRzIHR3aWNlIGluIHRoZSBiYXRjaC4AAAAAABJEdXBsaWNhdGVSZWNpcGllbnQAAAAAAZQAAAAyTmVpdGhlciB0aGlzIGNvbnRyYWN0IG5vciB0aGUgdG9rZW4ncyBtYXkgcmVjZWl2ZS4AAAAAABBJbnZhbGlkUmVjaXBpZW50AAABlQAAAB1BIHN1bSBsZWZ0IHRoZSByYW5nZSBvZiBpMTI4LgAAAAAAAA5BbW91bnRPdmVyZmxvdwAAAAABlgAAAAAAAAATSW5zdWZmaWNpZW50QmFsYW5jZQAAAAGXAAAAIVRoZSB0cmFuc2ZlciBpbiBjcmVkaXRlZCBub3RoaW5nLgAAAAAAAA9Ob3RoaW5nUmVjZWl2ZWQAAAABmAAAAAAAAAAGUGF1c2VkAAAAAAH0AAAAAAAAAAtDaXJjdWl0T3BlbgAAAAH1AAAAKk1vcmUgdGhhbiB0aGUgb3V0ZmxvdyBsaW1pdCBoYXMgYXZhaWxhYmxlLgAAAAAAFE91dGZsb3dMaW1pdEV4Y2VlZGVkAAAB9gAAAC1PbmUgYW1vdW50IGlzIGFib3ZlIHRoZSBsaW1pdCdzIGBtYXhfcGF5b3V0YC4AAAAAAAAOUGF5b3V0VG9vTGFyZ2UAAAAAAfcAAAA+TGltaXQ6IGBjYXBhY2l0eSA+PSBtYXhfcGF5b3V0ID4gMGAsIGByZWZpbGxfcGVyX3NlY29uZCA+PSAwYC4AAAAAABNJbnZhbGlkT3V0Zmxvd0xpbWl0AAAAAfgAAAAAAAAACU5vRmxhZ1NldAAAAAAAAfkAAAAaUmVhc29uOiBhdCBtb3N0IDEyOCBieXRlcy4AAAAAAA1SZWFzb25Ub29Mb25nAAAAAAAB+gAAADFUaGUgdG9rZW4gcmVmdXNlZCwgb3IgaXRzIGJhbGFuY2VzIGRvIG5vdCBhZGQgdXAuAAAAAAAAE1Rva2VuVHJhbnNmZXJGYWlsZWQAAAACWAAAACNObyBvbGQgcHJvZ3JhbSBpcyB0aGVyZSB0byBtaWdyYXRlLgAAAAAQTm90aGluZ1RvTWlncmF0ZQAAArw=",
        "AAAABQAAAAAAAAAAAAAAC1BheW91dEV2ZW50AAAAAAEAAAAGUGF5b3V0AAAAAAAHAAAAAAAAAA9pZGVtcG90ZW5jeV9rZXkAAAAAEAAAAAEAAAAAAAAAB3ZlcnNpb24AAAAABAAAAAAAAAAAAAAACnByb2dyYW1faWQAAAAAABAAAAAAAAAAAAAAAAZjYWxsZXIAAAAAABMAAAAAAAAAAAAAAAlyZWNpcGllbnQAAAAAAAATAAAAAAAAAAAAAAAGYW1vdW50AAAAAAALAAAAAAAAAAAAAAARcmVtYWluaW5nX2JhbGFuY2UAAAAAAAALAAAAAAAAAAI=",
        "AAAABQAAAD9UaGUgd2hvbGUgdG9rZW4gYmFsYW5jZSBsZWZ0OyBgY291bnRlZGAgb2YgaXQgd2FzIGluIHRoZSBib29rcy4AAAAAAAAAAA5XaXRoZHJhd25FdmVudAAAAAAAAQAAAAhXaXRoZHJhdwAAAAcAAAAAAAAAB3ZlcnNpb24AAAAABAAAAAAAAAAAAAAACnByb2dyYW1faWQAAAAAABAAAAAAAAAAAAAAAAVhY3RvcgAAAAAAABMAAAAAAAAAAAAAAAJ0bwAAAAAAEwAAAAAAAAAAAAAABmFtb3VudAAAAAAACwAAAAAAAAAAAAAAB2NvdW50ZWQAAAAACwAAAAAAAAAAAAAAEXJlbWFpbmluZ19iYWxhbmNlAAAAAAAACwAAAAAAAAAC",
        "AAAABQAAAExBIGJhdGNoIHdhcyBwYWlkLiBXaG8gZ290IHdoYXQgaXMgaW4gdGhlIHRva2VuJ3Mgb3duIGV2ZW50cyBkaXJlY3RseSBiZWZvcmUuAAAAAAAAABBCYXRjaFBheW91dEV2ZW50AAAAAQAAAAhCYXRjaFBheQAAAAcAAAAAAAAAD2lkZW1wb3RlbmN5X2tleQAAAAPoAAAAEAAAAAEAAAAAAAAAB3ZlcnNpb24AAAAABAAAAAAAAAAAAAAACnByb2dyYW1faWQAAAAAABAAAAAAAAAAAAAAAAZjYWxsZXIAAAAAABMAAAAAAAAAAAAAAA9yZWNpcGllbnRfY291bnQAAAAABAAAAAAAAAAAAAAADHRvdGFsX2Ftb3VudAAAAAsAAAAAAAAAAAAAABFyZW1haW5pbmdfYmFsYW5jZQAAAAAAAAsAAAAAAAAAAg==",
        "AAAABQAAADxBIGRlbGVnYXRlIHdhcyBzZXQ7IGBwcmV2aW91c2AgaXMgdGhlIGFsbG93YW5jZSBpdCBoYWQgbGVmdC4AAAAAAAAAEERlbGVnYXRlU2V0RXZlbnQAAAABAAAACERlbGVnU2V0AAAABwAAAAAAAAAIZGVsZWdhdGUAAAATAAAAAQAAAAAAAAAHdmVyc2lvbgAAAAAEAAAAAAAAAAAAAAAKcHJvZ3JhbV9pZAAAAAAAEAAAAAAAAAAAAAAABWFjdG9yAAAAAAAAEwAAAAAAAAAAAAAACHByZXZpb3VzAAAD6AAAAAsAAAAAAAAAAAAAAAlhbGxvd2FuY2UAAAAAAAALAAAAAAAAAAAAAAAKZXhwaXJlc19hdAAAAAAABgAAAAAAAAAC",
        "AAAABQAAAChGdW5kcyBjYW1lIGluOyBgYW1vdW50YCBpcyB3aGF0IGFycml2ZWQuAAAAAAAAABBGdW5kc0xvY2tlZEV2ZW50AAAAAQAAAAhGdW5kTG9jawAAAAUAAAAAAAAAB3ZlcnNpb24AAAAABAAAAAAAAAAAAAAACnByb2dyYW1faWQAAAAAABAAAAAAAAAAAAAAAAVhY3RvcgAAAAAAABMAAAAAAAAAAAAAAAZhbW91bnQAAAAAAAsAAAAAAAAAAAAAABFyZW1haW5pbmdfYmFsYW5jZQAAAAAAAAsAAAAAAAAAAg==",
        "AAAABQAAAAAAAAAAAAAAEEd1YXJkaWFuU2V0RXZlbnQAAAABAAAACEd1YXJkaWFuAAAABAAAAAAAAAAHdmVyc2lvbgAAAAAEAAAAAAAAAAAAAAAKcHJvZ3JhbV9pZAAAAAAAEAAAAAAAAAAAAAAABWFjdG9yAAAAAAAAEwAAAAAAAAAAAAAACGd1YXJkaWFuAAAD6AAAABMAAAAAAAAAAg==",
        "AAAABQAAAAAAAAAAAAAAEUJyZWFrZXJSZXNldEV2ZW50AAAAAAAAAQAAAAVSZXNldAAAAAAAAAMAAAAAAAAAB3ZlcnNpb24AAAAABAAAAAAAAAAAAAAACnByb2dyYW1faWQAAAAAABAAAAAAAAAAAAAAAAVhY3RvcgAAAAAAABMAAAAAAAAAAg==",
        "AAAABQAAAERLZXlzIGxlZnQgdGhlIGVhcmxpZXIgbGF5b3V0J3MgbGlzdDsgYG1vdmVkYCBvZiB0aGVtIGJlY2FtZSByZWNvcmRzLgAAAAAAAAARS2V5c01pZ3JhdGVkRXZlbnQAAAAAAAABAAAAB01pZ0tleXMAAAAABQAAAAAAAAAHdmVyc2lvbgAAAAAEAAAAAAAAAAAAAAAKcHJvZ3JhbV9pZAAAAAAAEAAAAAAAAAAAAAAABWFjdG9yAAAAAAAAEwAAAAAAAAAAAAAABW1vdmVkAAAAAAAABAAAAAAAAAAAAAAABGxlZnQAAAAEAAAAAAAAAAI=",
        "AAAABQAAAEBQYXVzZSBmbGFncyBjaGFuZ2VkOyB0aGUgcmVhc29uIGlzIGVtcHR5IHdoZW4gdGhleSB3ZXJlIGNsZWFyZWQuAAAAAAAAABFQYXVzZUNoYW5nZWRFdmVudAAAAAAAAAEAAAAFUGF1c2UAAAAAAAAIAAAAAAAAAAd2ZXJzaW9uAAAAAAQAAAAAAAAAAAAAAApwcm9ncmFtX2lkAAAAAAAQAAAAAAAAAAAAAAAFYWN0b3IAAAAAAAATAAAAAAAAAAAAAAALbG9ja19iZWZvcmUAAAAAAQAAAAAAAAAAAAAADXBheW91dF9iZWZvcmUAAAAAAAABAAAAAAAAAAAAAAAKbG9ja19hZnRlcgAAAAAAAQAAAAAAAAAAAAAADHBheW91dF9hZnRlcgAAAAEAAAAAAAAAAAAAAAZyZWFzb24AAAAAABAAAAAAAAAAAg==",
        "AAAABQAAAAAAAAAAAAAAElByb2dyYW1DbG9zZWRFdmVudAAAAAAAAQAAAAVDbG9zZQAAAAAAAAMAAAAAAAAAB3ZlcnNpb24AAAAABAAAAAAAAAAAAAAACnByb2dyYW1faWQAAAAAABAAAAAAAAAAAAAAAAVhY3RvcgAAAAAAABMAAAAAAAAAAg==",
        "AAAABQAAAAAAAAAAAAAAE0JyZWFrZXJUcmlwcGVkRXZlbnQAAAAAAQAAAARUcmlwAAAABAAAAAAAAAAHdmVyc2lvbgAAAAAEAAAAAAAAAAAAAAAKcHJvZ3JhbV9pZAAAAAAAEAAAAAAAAAAAAAAABWFjdG9yAAAAAAAAEwAAAAAAAAAAAAAABnJlYXNvbgAAAAAAEAAAAAAAAAAC",
        "AAAABQAAADNBIHNpbmdsZSBjYWxsIG1ldCBhIGNvbnN1bWVkIGtleTsgbm90aGluZyB3YXMgcGFpZC4AAAAAAAAAABNQYXlvdXRSZXBsYXllZEV2ZW50AAAAAAEAAAAJSWRtUmVwbGF5AAAAAAAABAAAAAAAAAAPaWRlbXBvdGVuY3lfa2V5AAAAABAAAAABAAAAAAAAAAd2ZXJzaW9uAAAAAAQAAAAAAAAAAAAAAApwcm9ncmFtX2lkAAAAAAAQAAAAAAAAAAAAAAAGY2FsbGVyAAAAAAATAAAAAAAAAAI=",
        "AAAABQAAADBBIGRlbGVnYXRlIHdhcyByZXZva2VkIHdpdGggdGhpcyBhbGxvd2FuY2UgbGVmdC4AAAAAAAAAFERlbGVnYXRlUmV2b2tlZEV2ZW50AAAAAQAAAAhEZWxlZ1JldgAAAAUAAAAAAAAACGRlbGVnYXRlAAAAEwAAAAEAAAAAAAAAB3ZlcnNpb24AAAAABAAAAAAAAAAAAAAACnByb2dyYW1faWQAAAAAABAAAAAAAAAAAAAAAAVhY3RvcgAAAAAAABMAAAAAAAAAAAAAAAlhbGxvd2FuY2UAAAAAAAALAAAAAAAAAAI=",
        "AAAABQAAAAAAAAAAAAAAFE91dGZsb3dMaW1pdFNldEV2ZW50AAAAAQAAAAhPdXRMaW1pdAAAAAQAAAAAAAAAB3ZlcnNpb24AAAAABAAAAAAAAAAAAAAACnByb2dyYW1faWQAAAAAABAAAAAAAAAAAAAAAAVhY3RvcgAAAAAAABMAAAAAAAAAAAAAAAVsaW1pdAAAAAAAA+gAAAfQAAAADE91dGZsb3dMaW1pdAAAAAAAAAAC",
        "AAAABQAAAE5BbiBpbnN0YW5jZSBvZiB0aGUgZWFybGllciBsYXlvdXQgYmVjYW1lIG91cnM7IHRoZSBhbW91bnRzIGFyZSB0aGUgb2xkIGJvb2tzJy4AAAAAAAAAAAAUUHJvZ3JhbU1pZ3JhdGVkRXZlbnQAAAABAAAAB01pZ1Byb2cAAAAABQAAAAAAAAAHdmVyc2lvbgAAAAAEAAAAAAAAAAAAAAAKcHJvZ3JhbV9pZAAAAAAAEAAAAAAAAAAAAAAABWFjdG9yAAAAAAAAEwAAAAAAAAAAAAAAC3RvdGFsX2Z1bmRzAAAAAAsAAAAAAAAAAAAAABFyZW1haW5pbmdfYmFsYW5jZQAAAAAAAAsAAAAAAAAAAg==",
        "AAAABQAAADlUb2tlbnMgdGhhdCB3ZXJlIHNlbnQgaGVyZSBieSBwbGFpbiB0cmFuc2ZlciB3ZXJlIGJvb2tlZC4AAAAAAAAAAAAAFFN1cnBsdXNDcmVkaXRlZEV2ZW50AAAAAQAAAAdTdXJwbHVzAAAAAAUAAAAAAAAAB3ZlcnNpb24AAAAABAAAAAAAAAAAAAAACnByb2dyYW1faWQAAAAAABAAAAAAAAAAAAAAAAVhY3RvcgAAAAAAABMAAAAAAAAAAAAAAAZhbW91bnQAAAAAAAsAAAAAAAAAAAAAABFyZW1haW5pbmdfYmFsYW5jZQAAAAAAAAsAAAAAAAAAAg==",
        "AAAABQAAAAAAAAAAAAAAFVBheW91dEtleVJvdGF0ZWRFdmVudAAAAAAAAAEAAAAJS2V5Um90YXRlAAAAAAAABQAAAAAAAAAHdmVyc2lvbgAAAAAEAAAAAAAAAAAAAAAKcHJvZ3JhbV9pZAAAAAAAEAAAAAAAAAAAAAAABWFjdG9yAAAAAAAAEwAAAAAAAAAAAAAAB29sZF9rZXkAAAAAEwAAAAAAAAAAAAAAB25ld19rZXkAAAAAEwAAAAAAAAAC",
        "AAAABQAAAAAAAAAAAAAAFVByb2dyYW1QdWJsaXNoZWRFdmVudAAAAAAAAAEAAAAHUHVibGlzaAAAAAADAAAAAAAAAAd2ZXJzaW9uAAAAAAQAAAAAAAAAAAAAAApwcm9ncmFtX2lkAAAAAAAQAAAAAAAAAAAAAAAFYWN0b3IAAAAAAAATAAAAAAAAAAI=",
        "AAAABQAAADJBIGJhdGNoIGNhbGwgbWV0IGEgY29uc3VtZWQga2V5OyBub3RoaW5nIHdhcyBwYWlkLgAAAAAAAAAAABhCYXRjaFBheW91dFJlcGxheWVkRXZlbnQAAAABAAAACEJhdFBheVJwAAAABAAAAAAAAAAPaWRlbXBvdGVuY3lfa2V5AAAAABAAAAABAAAAAAAAAAd2ZXJzaW9uAAAAAAQAAAAAAAAAAAAAAApwcm9ncmFtX2lkAAAAAAAQAAAAAAAAAAAAAAAGY2FsbGVyAAAAAAATAAAAAAAAAAI=",
        "AAAABQAAADJBIHJlcGxheSBjYW1lIHdpdGggb3RoZXIgYXJndW1lbnRzIHRoYW4gd2VyZSBwYWlkLgAAAAAAAAAAABhJZGVtcG90ZW5jeUNvbmZsaWN0RXZlbnQAAAABAAAACElkbUNvbmZsAAAABQAAAAAAAAAPaWRlbXBvdGVuY3lfa2V5AAAAABAAAAABAAAAAAAAAAd2ZXJzaW9uAAAAAAQAAAAAAAAAAAAAAApwcm9ncmFtX2lkAAAAAAAQAAAAAAAAAAAAAAAIcmVjb3JkZWQAAAPuAAAAIAAAAAAAAAAAAAAACXByZXNlbnRlZAAAAAAAA+4AAAAgAAAAAAAAAAI=",
        "AAAABQAAACJUaGUga2V5IGNhbiBuZXZlciBwYXkgZnJvbSBub3cgb24uAAAAAAAAAAAAGUlkZW1wb3RlbmN5S2V5Vm9pZGVkRXZlbnQAAAAAAAABAAAAB0lkbVZvaWQAAAAABAAAAAAAAAAPaWRlbXBvdGVuY3lfa2V5AAAAABAAAAABAAAAAAAAAAd2ZXJzaW9uAAAAAAQAAAAAAAAAAAAAAApwcm9ncmFtX2lkAAAAAAAQAAAAAAAAAAAAAAAGY2FsbGVyAAAAAAATAAAAAAAAAAI=",
        "AAAABQAAAEVUaGUga2V5IHdhcyBwYWlkIGJ5IGFub3RoZXIgc3lzdGVtIGJlZm9yZSB0aGlzIHByb2dyYW0gd2FzIHB1Ymxpc2hlZC4AAAAAAAAAAAAAG0lkZW1wb3RlbmN5S2V5SW1wb3J0ZWRFdmVudAAAAAABAAAACUlkbUltcG9ydAAAAAAAAAMAAAAAAAAAD2lkZW1wb3RlbmN5X2tleQAAAAAQAAAAAQAAAAAAAAAHdmVyc2lvbgAAAAAEAAAAAAAAAAAAAAAKcHJvZ3JhbV9pZAAAAAAAEAAAAAAAAAAC",
        "AAAAAQAAAD1NYXkgcGF5IGJlc2lkZSB0aGUgcGF5b3V0IGtleSwgdXAgdG8gYW4gYWxsb3dhbmNlIGFuZCBhIHRpbWUuAAAAAAAAAAAAAAhEZWxlZ2F0ZQAAAAIAAAAAAAAACWFsbG93YW5jZQAAAAAAAAsAAAArRmlyc3Qgc2Vjb25kIGF0IHdoaWNoIGl0IG1heSBubyBsb25nZXIgcGF5LgAAAAAKZXhwaXJlc19hdAAAAAAABg==",
        "AAAAAQAAAA9XaGF0IGlzIHBhdXNlZC4AAAAAAAAAAApQYXVzZUZsYWdzAAAAAAACAAAAAAAAAARsb2NrAAAAAQAAAAAAAAAGcGF5b3V0AAAAAAAB",
        "AAAAAwAAABRXaGF0IGNvbnN1bWVkIGEga2V5LgAAAAAAAAAKUGF5b3V0S2luZAAAAAAABAAAAAAAAAAGU2luZ2xlAAAAAAAAAAAAAAAAAAVCYXRjaAAAAAAAAAEAAAA/QXNzZXJ0ZWQgYnkgYW5vdGhlciBzeXN0ZW0gb3IgYW4gZWFybGllciBsYXlvdXQsIG5vdCBwYWlkIGhlcmUuAAAAAAhJbXBvcnRlZAAAAAIAAAAAAAAABlZvaWRlZAAAAAAAAw==",
        "AAAAAQAAAE1UaGUgYm9va3M6IGB0b3RhbF9sb2NrZWQgPSB0b3RhbF9wYWlkICsgdG90YWxfd2l0aGRyYXduICsgcmVtYWluaW5nX2JhbGFuY2VgLgAAAAAAAAAAAAALUHJvZ3JhbURhdGEAAAAACQAAAAAAAAAVYXV0aG9yaXplZF9wYXlvdXRfa2V5AAAAAAAAEwAAADVQYXlvdXRzIHNvIGZhcjsgdGhlaXIgaWRzIGFyZSAxIHRvIHRoaXMsIHdpdGhvdXQgZ2FwLgAAAAAAAAxwYXlvdXRfY291bnQAAAAGAAAAAAAAAApwcm9ncmFtX2lkAAAAAAAQAAAAAAAAABFyZW1haW5pbmdfYmFsYW5jZQAAAAAAAAsAAAAAAAAABnN0YXR1cwAAAAAH0AAAAA1Qcm9ncmFtU3RhdHVzAAAAAAAAAAAAAAV0b2tlbgAAAAAAABMAAAAAAAAADHRvdGFsX2xvY2tlZAAAAAsAAAAAAAAACnRvdGFsX3BhaWQAAAAAAAsAAAAAAAAAD3RvdGFsX3dpdGhkcmF3bgAAAAAL",
        "AAAAAwAAAAAAAAAAAAAADEJyZWFrZXJTdGF0ZQAAAAIAAAAAAAAABkNsb3NlZAAAAAAAAAAAAAAAAAAET3BlbgAAAAE=",
        "AAAAAQAAABxBIHRva2VuIGJ1Y2tldCBvdmVyIHBheW91dHMuAAAAAAAAAAxPdXRmbG93TGltaXQAAAADAAAAG01vc3QgdGhhdCBjYW4gZmxvdyBhdCBvbmNlLgAAAAAIY2FwYWNpdHkAAAALAAAAKU1vc3QgdGhhdCBvbmUgcmVjaXBpZW50IGdldHMgaW4gYSBwYXlvdXQuAAAAAAAACm1heF9wYXlvdXQAAAAAAAsAAAAYSG93IGZhc3QgaXQgZmlsbHMgYWdhaW4uAAAAEXJlZmlsbF9wZXJfc2Vjb25kAAAAAAAACw==",
        "AAAAAwAAACVMaWZlIG9mIHRoZSBwcm9ncmFtLCBuZXZlciBiYWNrd2FyZHMuAAAAAAAAAAAAAA1Qcm9ncmFtU3RhdHVzAAAAAAAAAwAAAAAAAAAFRHJhZnQAAAAAAAAAAAAAAAAAAAZBY3RpdmUAAAAAAAEAAAAAAAAABkNsb3NlZAAAAAAAAg==",
        "AAAAAQAAABZUaGUgYnJlYWtlciBhcyBvZiBub3cuAAAAAAAAAAAADkNpcmN1aXRCcmVha2VyAAAAAAAFAAAAHVdobyB0cmlwcGVkIG9yIHJlc2V0IGl0IGxhc3QuAAAAAAAABWFjdG9yAAAAAAAD6AAAABMAAAA+V2hhdCB0aGUgb3V0ZmxvdyBsaW1pdCBsZXRzIHRocm91Z2ggbm93LCBOb25lIHdpdGhvdXQgYSBsaW1pdC4AAAAAAAlhdmFpbGFibGUAAAAAAAPoAAAACwAAAChXaHkgaXQgd2FzIHRyaXBwZWQsIGVtcHR5IGFmdGVyIGEgcmVzZXQuAAAABnJlYXNvbgAAAAAAEAAAAB5XaGVuLCAwIGJlZm9yZSB0aGUgZmlyc3QgdGltZS4AAAAAAAVzaW5jZQAAAAAAAAYAAAAAAAAABXN0YXRlAAAAAAAH0AAAAAxCcmVha2VyU3RhdGU=",
        "AAAAAQAAAB1UaGUgb3JpZ2luYWwgZWZmZWN0IG9mIGEga2V5LgAAAAAAAAAAAAARSWRlbXBvdGVuY3lSZWNvcmQAAAAAAAAFAAAAOlNIQS0yNTYgb3ZlciB0aGUgcGF5b3V0J3MgYXJndW1lbnRzLCB6ZXJvcyBmb3IgdGhlIG90aGVycy4AAAAAAAtmaW5nZXJwcmludAAAAAPuAAAAIAAAAAAAAAAEa2luZAAAB9AAAAAKUGF5b3V0S2luZAAAAAAAPExlZGdlciBvZiB0aGUgd3JpdGUsIDAgaWYga25vd24gb25seSBmcm9tIGFuIGVhcmxpZXIgbGF5b3V0LgAAAAZsZWRnZXIAAAAAAAQAAAApMSwgMiwgM+KApiBmb3IgcGF5b3V0cywgMCBmb3IgdGhlIG90aGVycy4AAAAAAAAJcGF5b3V0X2lkAAAAAAAABgAAAAAAAAAMdG90YWxfYW1vdW50AAAACw==",
        "AAAAAAAAACRQYXVzZXMgd2hhdCBpcyB0cnVlOyB0aGUgcmVzdCBzdGF5cy4AAAAFcGF1c2UAAAAAAAADAAAAAAAAAAZjYWxsZXIAAAAAABMAAAAAAAAABWZsYWdzAAAAAAAH0AAAAApQYXVzZUZsYWdzAAAAAAAAAAAABnJlYXNvbgAAAAAAEAAAAAA=",
        "AAAAAAAAACRDbGVhcnMgd2hhdCBpcyB0cnVlOyB0aGUgcmVzdCBzdGF5cy4AAAAHdW5wYXVzZQAAAAABAAAAAAAAAAVmbGFncwAAAAAAB9AAAAAKUGF1c2VGbGFncwAAAAAAAA==",
        "AAAAAAAAABpUaGUgcHJvZ3JhbSBhbmQgaXRzIGJvb2tzLgAAAAAAC2dldF9wcm9ncmFtAAAAAAAAAAABAAAH0AAAAAtQcm9ncmFtRGF0YQA=",
        "AAAAAAAAABdUaGUgZGVsZWdhdGUgYXMgc3RvcmVkLgAAAAAMZ2V0X2RlbGVnYXRlAAAAAQAAAAAAAAAIZGVsZWdhdGUAAAATAAAAAQAAA+gAAAfQAAAACERlbGVnYXRl",
        "AAAAAAAAABdXaG8gbWF5IHBhdXNlIGFuZCB0cmlwLgAAAAAMZ2V0X2d1YXJkaWFuAAAAAAAAAAEAAAPoAAAAEw==",
        "AAAAAAAAADxMZXRzIGFuIGFkZHJlc3MgcGF5IHVwIHRvIGFuIGFsbG93YW5jZSwgdW50aWwgYSBVbml4IHNlY29uZC4AAAAMc2V0X2RlbGVnYXRlAAAAAwAAAAAAAAAIZGVsZWdhdGUAAAATAAAAAAAAAAlhbGxvd2FuY2UAAAAAAAALAAAAAAAAAApleHBpcmVzX2F0AAAAAAAGAAAAAA==",
        "AAAAAAAAABxTZXRzIHdobyBtYXkgcGF1c2UgYW5kIHRyaXAuAAAADHNldF9ndWFyZGlhbgAAAAEAAAAAAAAACGd1YXJkaWFuAAAD6AAAABMAAAAA",
        "AAAAAAAAAEJDcmVhdGVzIHRoZSBwcm9ncmFtIGluIERyYWZ0LCB3aG9sZSwgaW4gdGhlIGRlcGxveWluZyB0cmFuc2FjdGlvbi4AAAAAAA1fX2NvbnN0cnVjdG9yAAAAAAAABAAAAAAAAAAFYWRtaW4AAAAAAAATAAAAAAAAAApwcm9ncmFtX2lkAAAAAAAQAAAAAAAAABVhdXRob3JpemVkX3BheW91dF9rZXkAAAAAAAATAAAAAAAAAAV0b2tlbgAAAAAAABMAAAAA",
        "AAAAAAAAACtFbmRzIHBheW91dHMgZm9yIGdvb2QgYW5kIG9wZW5zIHdpdGhkcmF3YWwuAAAAAA1jbG9zZV9wcm9ncmFtAAAAAAAAAAAAAAA=",
        "AAAAAAAAADNCb29rcyB0b2tlbnMgdGhhdCB3ZXJlIHNlbnQgaGVyZSBieSBwbGFpbiB0cmFuc2Zlci4AAAAADmNyZWRpdF9zdXJwbHVzAAAAAAAAAAAAAQAAAAs=",
        "AAAAAAAAAB5Nb3N0IHJlY2lwaWVudHMgb2Ygb25lIHBheW91dC4AAAAAAA5tYXhfYmF0Y2hfc2l6ZQAAAAAAAAAAAAEAAAAE",
        "AAAAAAAAAC1UYWtlcyBvdmVyIGFuIGluc3RhbmNlIG9mIHRoZSBlYXJsaWVyIGxheW91dC4AAAAAAAAObWlncmF0ZV9sZWdhY3kAAAAAAAAAAAAA",
        "AAAAAAAAAA9XaGF0IGlzIHBhdXNlZC4AAAAAD2dldF9wYXVzZV9mbGFncwAAAAAAAAAAAQAAB9AAAAAKUGF1c2VGbGFncwAA",
        "AAAAAAAAABVEcmFmdCBiZWNvbWVzIEFjdGl2ZS4AAAAAAAAPcHVibGlzaF9wcm9ncmFtAAAAAAAAAAAA",
        "AAAAAAAAAB5UYWtlcyBhIGRlbGVnYXRlJ3MgcmlnaHQgYXdheS4AAAAAAA9yZXZva2VfZGVsZWdhdGUAAAAAAgAAAAAAAAAGY2FsbGVyAAAAAAATAAAAAAAAAAhkZWxlZ2F0ZQAAABMAAAAA",
        "AAAAAAAAACFUaGUgbGltaXQgb24gdGhlIGZsb3cgb2YgcGF5b3V0cy4AAAAAAAARZ2V0X291dGZsb3dfbGltaXQAAAAAAAAAAAAAAQAAA+gAAAfQAAAADE91dGZsb3dMaW1pdA==",
        "AAAAAAAAAB1Bbm90aGVyIGtleSBwYXlzIGZyb20gbm93IG9uLgAAAAAAABFyb3RhdGVfcGF5b3V0X2tleQAAAAAAAAEAAAAAAAAAB25ld19rZXkAAAAAEwAAAAA=",
        "AAAAAAAAAChMaW1pdHMgdGhlIGZsb3cgb2YgcGF5b3V0czsgTm9uZSBpcyBvZmYuAAAAEXNldF9vdXRmbG93X2xpbWl0AAAAAAAAAQAAAAAAAAAFbGltaXQAAAAAAAPoAAAH0AAAAAxPdXRmbG93TGltaXQAAAAA",
        "AAAAAAAAAClNb3ZlcyB0b2tlbnMgaW4gYW5kIGNyZWRpdHMgd2hhdCBhcnJpdmVkLgAAAAAAABJsb2NrX3Byb2dyYW1fZnVuZHMAAAAAAAIAAAAAAAAABGZyb20AAAATAAAAAAAAAAZhbW91bnQAAAAAAAsAAAABAAAH0AAAAAtQcm9ncmFtRGF0YQA=",
        "AAAAAAAAADJTZW5kcyB0aGUgd2hvbGUgdG9rZW4gYmFsYW5jZSBvZiBhIGNsb3NlZCBwcm9ncmFtLgAAAAAAEndpdGhkcmF3X3JlbWFpbmluZwAAAAAAAQAAAAAAAAACdG8AAAAAABMAAAABAAAACw==",
        "AAAAAAAAABZUaGUgYnJlYWtlciBhcyBvZiBub3cuAAAAAAATZ2V0X2NpcmN1aXRfYnJlYWtlcgAAAAAAAAAAAQAAB9AAAAAOQ2lyY3VpdEJyZWFrZXIAAA==",
        "AAAAAAAAAEtXaGV0aGVyIHRoZSBrZXkgd2FzIHBhaWQgaGVyZSBvciBhc3NlcnRlZCBlbHNld2hlcmU7IGZhbHNlIGZvciB2b2lkZWQgb25lcy4AAAAAE2lzX3BheW91dF9wcm9jZXNzZWQAAAAAAQAAAAAAAAAPaWRlbXBvdGVuY3lfa2V5AAAAABAAAAABAAAAAQ==",
        "AAAAAAAAAExNb3ZlcyB1cCB0byBgbGltaXRgIGtleXMgb3V0IG9mIHRoZSBlYXJsaWVyIGxpc3Q7IHJldHVybnMgaG93IG1hbnkgYXJlIGxlZnQuAAAAE21pZ3JhdGVfbGVnYWN5X2tleXMAAAAAAQAAAAAAAAAFbGltaXQAAAAAAAAEAAAAAQAAAAQ=",
        "AAAAAAAAADpNYXJrcyB1cCB0byAzMCBrZXlzIGFzIHBhaWQgYnkgYW5vdGhlciBzeXN0ZW07IERyYWZ0IG9ubHkuAAAAAAAUaW1wb3J0X2NvbnN1bWVkX2tleXMAAAABAAAAAAAAAARrZXlzAAAD6gAAABAAAAAA",
        "AAAAAAAAACVTdG9wcyBwYXlvdXRzIHVudGlsIHRoZSBhZG1pbiByZXNldHMuAAAAAAAAFHRyaXBfY2lyY3VpdF9icmVha2VyAAAAAgAAAAAAAAAGY2FsbGVyAAAAAAATAAAAAAAAAAZyZWFzb24AAAAAABAAAAAA",
        "AAAAAAAAACxNYWtlcyBhbiB1bnVzZWQga2V5IHVuYWJsZSB0byBwYXksIGZvciBldmVyLgAAABR2b2lkX2lkZW1wb3RlbmN5X2tleQAAAAIAAAAAAAAABmNhbGxlcgAAAAAAEwAAAAAAAAAPaWRlbXBvdGVuY3lfa2V5AAAAABAAAAAA",
        "AAAAAAAAACBXaGF0IGlzIGxlZnQgdG8gcGF5IG9yIHdpdGhkcmF3LgAAABVnZXRfcmVtYWluaW5nX2JhbGFuY2UAAAAAAAAAAAAAAQAAAAs=",
        "AAAAAAAAAC5MZXRzIHBheW91dHMgZmxvdyBhZ2Fpbiwgd2l0aCBhbiBlbXB0eSBidWNrZXQuAAAAAAAVcmVzZXRfY2lyY3VpdF9icmVha2VyAAAAAAAAAAAAAAA=",
        "AAAAAAAAAB9UaGUgb3JpZ2luYWwgZWZmZWN0IG9mIHRoZSBrZXkuAAAAABZnZXRfaWRlbXBvdGVuY3lfcmVjb3JkAAAAAAABAAAAAAAAAA9pZGVtcG90ZW5jeV9rZXkAAAAAEAAAAAEAAAPoAAAH0AAAABFJZGVtcG90ZW5jeVJlY29yZAAAAA==",
        "AAAAAAAAAEZQYXlzIHVwIHRvIDYwIHJlY2lwaWVudHMgb25jZSB1bmRlciB0aGlzIGtleTsgYSB1c2VkIGtleSBwYXlzIG5vdGhpbmcuAAAAAAAXYmF0Y2hfcGF5b3V0X2lkZW1wb3RlbnQAAAAAAwAAAAAAAAAPaWRlbXBvdGVuY3lfa2V5AAAAABAAAAAAAAAACnJlY2lwaWVudHMAAAAAA+oAAAATAAAAAAAAAAdhbW91bnRzAAAAA+oAAAALAAAAAQAAB9AAAAALUHJvZ3JhbURhdGEA",
        "AAAAAAAAAEBQYXlzIG9uZSByZWNpcGllbnQgb25jZSB1bmRlciB0aGlzIGtleTsgYSB1c2VkIGtleSBwYXlzIG5vdGhpbmcuAAAAGHNpbmdsZV9wYXlvdXRfaWRlbXBvdGVudAAAAAMAAAAAAAAAD2lkZW1wb3RlbmN5X2tleQAAAAAQAAAAAAAAAAlyZWNpcGllbnQAAAAAAAATAAAAAAAAAAZhbW91bnQAAAAAAAsAAAABAAAH0AAAAAtQcm9ncmFtRGF0YQA=",
        "AAAAAAAAACpUaGUgc2FtZSwgYnkgdGhlIHBheW91dCBrZXkgb3IgYSBkZWxlZ2F0ZS4AAAAAABpiYXRjaF9wYXlvdXRfaWRlbXBvdGVudF9ieQAAAAAABAAAAAAAAAAPaWRlbXBvdGVuY3lfa2V5AAAAABAAAAAAAAAABmNhbGxlcgAAAAAAEwAAAAAAAAAKcmVjaXBpZW50cwAAAAAD6gAAABMAAAAAAAAAB2Ftb3VudHMAAAAD6gAAAAsAAAABAAAH0AAAAAtQcm9ncmFtRGF0YQA=",
        "AAAAAAAAACpUaGUgc2FtZSwgYnkgdGhlIHBheW91dCBrZXkgb3IgYSBkZWxlZ2F0ZS4AAAAAABtzaW5nbGVfcGF5b3V0X2lkZW1wb3RlbnRfYnkAAAAABAAAAAAAAAAPaWRlbXBvdGVuY3lfa2V5AAAAABAAAAAAAAAABmNhbGxlcgAAAAAAEwAAAAAAAAAJcmVjaXBpZW50AAAAAAAAEwAAAAAAAAAGYW1vdW50AAAAAAALAAAAAQAAB9AAAAALUHJvZ3JhbURhdGEA",
        "AAAAAAAAAD5UaGUgc2FtZSwgYW5kIHRoZSByZWNvcmQgY29tbWl0cyB0byBvbmUgcmVmZXJlbmNlIGEgcmVjaXBpZW50LgAAAAAAHGJhdGNoX3BheW91dF93aXRoX3JlZmVyZW5jZXMAAAAFAAAAAAAAAA9pZGVtcG90ZW5jeV9rZXkAAAAAEAAAAAAAAAAGY2FsbGVyAAAAAAATAAAAAAAAAApyZWNpcGllbnRzAAAAAAPqAAAAEwAAAAAAAAAHYW1vdW50cwAAAAPqAAAACwAAAAAAAAAKcmVmZXJlbmNlcwAAAAAD6gAAA+4AAAAQAAAAAQAAB9AAAAALUHJvZ3JhbURhdGEA",
        "AAAAAAAAADBSZXBsYWNlcyB0aGUgY29kZTsgYG9wZXJhdG9yYCBtdXN0IGJlIHRoZSBhZG1pbi4AAAAHdXBncmFkZQAAAAACAAAAAAAAAA1uZXdfd2FzbV9oYXNoAAAAAAAD7gAAACAAAAAAAAAACG9wZXJhdG9yAAAAEwAAAAA=",
        "AAAAAAAAAApUaGUgYWRtaW4uAAAAAAAJZ2V0X293bmVyAAAAAAAAAAAAAAEAAAPoAAAAEw==",
        "AAAAAAAAADJBY2NlcHRzIHRoZSBwcm9wb3NhbDsgb25seSB0aGUgcHJvcG9zZWQgYWRtaW4gY2FuLgAAAAAAEGFjY2VwdF9vd25lcnNoaXAAAAAAAAAAAA==",
        "AAAAAAAAACVBbHdheXMgcmVmdXNlZDogbW9uZXkgd291bGQgYmUgc3R1Y2suAAAAAAAAEnJlbm91bmNlX293bmVyc2hpcAAAAAAAAAAAAAA=",
        "AAAAAAAAAEBQcm9wb3NlcyBhIG5ldyBhZG1pbiwgd2hvIG11c3QgYWNjZXB0IGJ5IHRoaXMgbGVkZ2VyOyAwIGNhbmNlbHMuAAAAEnRyYW5zZmVyX293bmVyc2hpcAAAAAAAAgAAAAAAAAAJbmV3X293bmVyAAAAAAAAEwAAAAAAAAARbGl2ZV91bnRpbF9sZWRnZXIAAAAAAAAEAAAAAA==",
        "AAAABAAAAAAAAAAAAAAAEVJvbGVUcmFuc2ZlckVycm9yAAAAAAAABAAAAAAAAAARTm9QZW5kaW5nVHJhbnNmZXIAAAAAAAiYAAAAAAAAABZJbnZhbGlkTGl2ZVVudGlsTGVkZ2VyAAAAAAiZAAAAAAAAABVJbnZhbGlkUGVuZGluZ0FjY291bnQAAAAAAAiaAAAAAAAAAA9UcmFuc2ZlckV4cGlyZWQAAAAImw==",
        "AAAABAAAAAAAAAAAAAAADE93bmFibGVFcnJvcgAAAAMAAAAAAAAAC093bmVyTm90U2V0AAAACDQAAAAAAAAAElRyYW5zZmVySW5Qcm9ncmVzcwAAAAAINQAAAAAAAAAPT3duZXJBbHJlYWR5U2V0AAAACDY=",
        "AAAABQAAADZFdmVudCBlbWl0dGVkIHdoZW4gYW4gb3duZXJzaGlwIHRyYW5zZmVyIGlzIGluaXRpYXRlZC4AAAAAAAAAAAART3duZXJzaGlwVHJhbnNmZXIAAAAAAAABAAAAEm93bmVyc2hpcF90cmFuc2ZlcgAAAAAAAwAAAAAAAAAJb2xkX293bmVyAAAAAAAAEwAAAAAAAAAAAAAACW5ld19vd25lcgAAAAAAABMAAAAAAAAAAAAAABFsaXZlX3VudGlsX2xlZGdlcgAAAAAAAAQAAAAAAAAAAg==",
        "AAAABQAAADZFdmVudCBlbWl0dGVkIHdoZW4gYW4gb3duZXJzaGlwIHRyYW5zZmVyIGlzIGNvbXBsZXRlZC4AAAAAAAAAAAAaT3duZXJzaGlwVHJhbnNmZXJDb21wbGV0ZWQAAAAAAAEAAAAcb3duZXJzaGlwX3RyYW5zZmVyX2NvbXBsZXRlZAAAAAEAAAAAAAAACW5ld19vd25lcgAAAAAAABMAAAAAAAAAAg==" ]),
      options
    )
  }
  public readonly fromJSON = {
    pause: this.txFromJSON<null>,
        unpause: this.txFromJSON<null>,
        get_program: this.txFromJSON<ProgramData>,
        get_delegate: this.txFromJSON<Option<Delegate>>,
        get_guardian: this.txFromJSON<Option<string>>,
        set_delegate: this.txFromJSON<null>,
        set_guardian: this.txFromJSON<null>,
        close_program: this.txFromJSON<null>,
        credit_surplus: this.txFromJSON<i128>,
        max_batch_size: this.txFromJSON<u32>,
        migrate_legacy: this.txFromJSON<null>,
        get_pause_flags: this.txFromJSON<PauseFlags>,
        publish_program: this.txFromJSON<null>,
        revoke_delegate: this.txFromJSON<null>,
        get_outflow_limit: this.txFromJSON<Option<OutflowLimit>>,
        rotate_payout_key: this.txFromJSON<null>,
        set_outflow_limit: this.txFromJSON<null>,
        lock_program_funds: this.txFromJSON<ProgramData>,
        withdraw_remaining: this.txFromJSON<i128>,
        get_circuit_breaker: this.txFromJSON<CircuitBreaker>,
        is_payout_processed: this.txFromJSON<boolean>,
        migrate_legacy_keys: this.txFromJSON<u32>,
        import_consumed_keys: this.txFromJSON<null>,
        trip_circuit_breaker: this.txFromJSON<null>,
        void_idempotency_key: this.txFromJSON<null>,
        get_remaining_balance: this.txFromJSON<i128>,
        reset_circuit_breaker: this.txFromJSON<null>,
        get_idempotency_record: this.txFromJSON<Option<IdempotencyRecord>>,
        batch_payout_idempotent: this.txFromJSON<ProgramData>,
        single_payout_idempotent: this.txFromJSON<ProgramData>,
        batch_payout_idempotent_by: this.txFromJSON<ProgramData>,
        single_payout_idempotent_by: this.txFromJSON<ProgramData>,
        batch_payout_with_references: this.txFromJSON<ProgramData>,
        upgrade: this.txFromJSON<null>,
        get_owner: this.txFromJSON<Option<string>>,
        accept_ownership: this.txFromJSON<null>,
        renounce_ownership: this.txFromJSON<null>,
        transfer_ownership: this.txFromJSON<null>
  }
}
