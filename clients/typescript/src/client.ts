import { Contract } from "@stellar/stellar-sdk";

import { InputError } from "./errors.js";
import type { ProgramData } from "./generated/program-escrow.js";
import { contractBytes } from "./keys/address.js";
import { networkId } from "./keys/derived.js";
import { fingerprint } from "./keys/fingerprint.js";
import { checkKey } from "./keys/names.js";
import { newBatchKey, newSingleKey } from "./keys/random.js";
import { callOf, checkPayments, type Payment, type ReferencedPayment } from "./payout.js";
import { fleetingBook, storedBook } from "./protocol/book.js";
import { type Call, transactionOf } from "./protocol/envelopes.js";
import type { ProgressEvent } from "./protocol/events.js";
import { Node } from "./protocol/node.js";
import type { Ceilings } from "./protocol/offer.js";
import { NEXT, type Outcome, type PayoutRecord } from "./protocol/outcome.js";
import { DEFAULT_RETRY, hashesOf, type RetryPolicy } from "./protocol/rules.js";
import { type Job, Settlement } from "./protocol/settle.js";
import type { Signer } from "./signer.js";
import type { PayoutArguments, PayoutId, StoredPayout } from "./store/payout.js";
import { type KeyStore, Serial, unknownKey } from "./store/store.js";

export interface EscrowClientOptions {
  rpcUrl: string;
  networkPassphrase: string;
  /** The contract (C…). */
  contract: string;
  store: KeyStore;
  /** The payout key or a delegate. Without it the client reads, and goes on with nothing. */
  signer?: Signer;
  /**
   * Other nodes, independent of the first. All must agree before a payout that was signed is called
   * not paid; without any, it stays `outcomeUnknown`.
   */
  witnessUrls?: readonly string[];
  /** For plain http, which only a local network should have. */
  allowHttp?: boolean;
  /** The most that is bid for inclusion, in stroops. Default 1 XLM. */
  maxBid?: bigint;
  /** The most that a payout's resources may cost, in stroops. Default 50 XLM. */
  maxResourceFee?: bigint;
  /** How long a transaction stays valid, in seconds of the ledger's time: 180 or more. Default 300. */
  validSeconds?: number;
  retry?: Partial<RetryPolicy>;
  /** How long a node may take to answer. Default 30,000. */
  requestTimeoutMs?: number;
  onEvent?: (event: ProgressEvent) => void;
}

/** Pays through one contract, each key at most once. See the README for every outcome. */
export class EscrowClient {
  readonly #options: EscrowClientOptions;
  readonly #node: Node;
  readonly #witnesses: readonly Node[];
  readonly #ceilings: Ceilings;
  readonly #retry: RetryPolicy;
  readonly #lane = new Serial();

  constructor(options: EscrowClientOptions) {
    contractBytes(options.contract);
    const { rpcUrl, networkPassphrase, contract } = options;
    const { allowHttp = false, requestTimeoutMs: timeoutMs = 30_000 } = options;
    const node = (url: string) =>
      new Node({ rpcUrl: url, networkPassphrase, contract, allowHttp, timeoutMs });
    this.#options = options;
    this.#node = node(rpcUrl);
    const witnesses = options.witnessUrls ?? [];
    if (witnesses.some((url) => new URL(url).href === new URL(rpcUrl).href)) {
      throw new InputError(
        "option_invalid",
        "a node of witnessUrls is that of rpcUrl",
        "Name another one: a node is no witness of its own words",
      );
    }
    this.#witnesses = witnesses.map(node);
    this.#ceilings = {
      bid: options.maxBid ?? 10_000_000n,
      resourceFee: options.maxResourceFee ?? 500_000_000n,
      validSeconds: options.validSeconds ?? 300,
    };
    this.#retry = { ...DEFAULT_RETRY, ...options.retry };
    checkOptions(this.#ceilings, this.#retry);
  }

  /**
   * Pays one recipient under a key of yours. The key comes first, because it is what makes the
   * call safe to repeat: make it with `newKey` when the obligation arises, and keep both together.
   */
  async paySingle(key: string, payment: Payment): Promise<Outcome> {
    return this.#pay(key, checkPayments("single", [payment]));
  }

  /** Pays all of a batch or nobody, at most `max_batch_size` recipients of the contract. */
  async payBatch(key: string, payments: readonly Payment[]): Promise<Outcome> {
    return this.#pay(key, checkPayments("batch", payments));
  }

  /** As `payBatch`; the record also commits to which obligation each payment meets. */
  async payWithReferences(key: string, payments: readonly ReferencedPayment[]): Promise<Outcome> {
    return this.#pay(key, checkPayments("references", payments));
  }

  /**
   * A random key for these payments, beginning with the program's id. Nothing is stored yet: keep
   * it with the obligation. Whoever asks for a second key for one obligation pays it twice.
   */
  async newKey(payments: readonly Payment[]): Promise<string> {
    const { program_id } = await this.program();
    const recipients = payments.map(({ recipient }) => recipient);
    const [only = ""] = recipients;
    return recipients.length === 1
      ? newSingleKey(program_id, only)
      : newBatchKey(program_id, recipients);
  }

  /** Goes on with a stored key: after `outcomeUnknown`, a crash, or to see that it is paid. */
  async retry(key: string): Promise<Outcome> {
    const id = await this.#id(key);
    const stored = await this.#options.store.get(id);
    if (stored === undefined) throw unknownKey(id);
    return this.#settle(stored);
  }

  /** The stored keys of this contract without a verdict. Call it after a start, and retry each. */
  async openKeys(): Promise<string[]> {
    const { network, contract } = await this.#id("-");
    const payouts = await this.#options.store.list();
    return payouts
      .filter(({ id, settled }) => id.network === network && id.contract === contract && !settled)
      .map(({ id }) => id.key);
  }

  /**
   * Makes an unused key unable to pay, for ever. `voided` once that is in a ledger; a key that
   * paid first comes back as `replayed`, or as `conflict` where this store does not know it.
   */
  async voidKey(key: string): Promise<Outcome> {
    const id = await this.#id(key);
    const stored = await this.#options.store.get(id);
    const call = this.#call((caller) => ({
      method: "void_idempotency_key",
      args: { caller, idempotency_key: key },
    }));
    const book = fleetingBook(stored && storedBook(this.#options.store, stored));
    return this.#run({ key, purpose: "void", fingerprint: stored?.fingerprint, call, book });
  }

  /** What the contract has recorded for a key, and the ledger in which it was so. */
  async record(key: string): Promise<{ ledger: number; record: PayoutRecord | undefined }> {
    await this.#node.checkNetwork();
    return this.#node.record(checkKey(key));
  }

  /** The program and its books. */
  async program(): Promise<ProgramData> {
    await this.#node.checkNetwork();
    return this.#node.program();
  }

  /** The decimals of the program's token, for `toUnits` and `fromUnits`. */
  async tokenDecimals(): Promise<number> {
    const { token } = await this.program();
    const bounds = { source: NOBODY, sequence: 1n, maxTime: 0n, maxLedger: 0 };
    const call = { contract: new Contract(token).contractId(), method: "decimals", args: [] };
    return this.#node.decimals(transactionOf(call, bounds, 100n, this.#options.networkPassphrase));
  }

  async #pay(key: string, payout: PayoutArguments): Promise<Outcome> {
    const id = await this.#id(checkKey(key));
    const mine = await fingerprint(payout.recipients, payout.amounts, payout.references);
    const stored = await this.#options.store.add({
      id,
      arguments: payout,
      fingerprint: mine,
      attempts: [],
    });
    if (stored.fingerprint !== mine) {
      return {
        status: "conflict",
        found: "store",
        key,
        hashes: hashesOf(stored.attempts),
        ledger: 0,
        record: undefined,
        presented: mine,
        next: NEXT.conflict,
      };
    }
    this.#report({ type: "stored", key });
    return this.#settle(stored);
  }

  #settle(stored: StoredPayout): Promise<Outcome> {
    const { key } = stored.id;
    const call = this.#call((caller) => callOf(key, caller, stored.arguments));
    const book = storedBook(this.#options.store, stored);
    return this.#run({ key, purpose: "payout", fingerprint: stored.fingerprint, call, book });
  }

  #call(
    of: (caller: string) => { method: string; args: Record<string, unknown> },
  ): Call | undefined {
    const { signer, contract } = this.#options;
    if (signer === undefined) return undefined;
    const { method, args } = of(signer.address);
    return { contract, method, args: this.#node.encode(method, args) };
  }

  /** One payout after another: an account has one transaction pending at a time. */
  #run(what: Pick<Job, "key" | "purpose" | "fingerprint" | "call" | "book">): Promise<Outcome> {
    const { signer, networkPassphrase } = this.#options;
    return this.#lane.run("", () =>
      new Settlement({
        ...what,
        node: this.#node,
        witnesses: this.#witnesses,
        signer,
        networkPassphrase,
        ceilings: this.#ceilings,
        retry: this.#retry,
        report: (event) => this.#report(event),
      }).run(),
    );
  }

  /** An observer that throws must not come between signing and sending. */
  #report(event: ProgressEvent): void {
    try {
      this.#options.onEvent?.(event);
    } catch (error) {
      console.error("onEvent threw; the payout goes on", error);
    }
  }

  async #id(key: string): Promise<PayoutId> {
    const { networkPassphrase, contract } = this.#options;
    return { network: await networkId(networkPassphrase), contract, key };
  }
}

/** Simulations may name an account that is not there. */
const NOBODY = "GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF";

function checkOptions({ bid, resourceFee, validSeconds }: Ceilings, retry: RetryPolicy): void {
  const wrong = (what: string, next: string) => new InputError("option_invalid", what, next);
  if (!Number.isInteger(validSeconds) || validSeconds < 180) {
    throw wrong(`validSeconds is ${validSeconds}`, "Give a payout 180 seconds or more");
  }
  if (
    typeof bid !== "bigint" ||
    bid < 100n ||
    typeof resourceFee !== "bigint" ||
    resourceFee < 0n
  ) {
    throw wrong(
      "maxBid or maxResourceFee is no amount of stroops",
      "Use bigints: 100n or more to bid",
    );
  }
  const numbers = [retry.rounds, retry.transactions, retry.baseDelayMs, retry.maxDelayMs];
  if (!numbers.every((value) => Number.isFinite(value) && value >= 0) || retry.rounds < 1) {
    throw wrong("a number of retry is missing or negative", "Leave out what you do not set");
  }
}
