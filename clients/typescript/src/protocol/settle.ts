import {
  type FeeBumpTransaction,
  type Transaction,
  TransactionBuilder,
} from "@stellar/stellar-sdk";

import { NodeError } from "../errors.js";
import type { Signer } from "../signer.js";
import type { Attempt, Envelope } from "../store/payout.js";
import type { Book } from "./book.js";
import { type Call, feeBumpOf, signedEnvelope } from "./envelopes.js";
import type { Report } from "./events.js";
import { judge, settledOf } from "./judge.js";
import type { Node } from "./node.js";
import { type Ceilings, drawUp, type Offer } from "./offer.js";
import {
  NEXT,
  type Outcome,
  type Receipt,
  type Refusal,
  type RejectedReason,
  type UnknownReason,
} from "./outcome.js";
import {
  absenceCountsFrom,
  delayBefore,
  expiryOf,
  hashesOf,
  isExpired,
  isSpent,
  lastEnvelope,
  type RetryPolicy,
  raisedBid,
} from "./rules.js";

/** Everything a settlement works with. */
export interface Job {
  key: string;
  purpose: "payout" | "void";
  fingerprint: string | undefined;
  call: Call | undefined;
  book: Book;
  node: Node;
  witnesses: readonly Node[];
  signer: Signer | undefined;
  networkPassphrase: string;
  ceilings: Ceilings;
  retry: RetryPolicy;
  report: Report;
}

/** Answers after which the same bytes will never be taken. They still prove nothing. */
const HOPELESS = new Set([
  "txBadAuth",
  "txBadAuthExtra",
  "txNoAccount",
  "txInsufficientBalance",
  "txMalformed",
  "txSorobanInvalid",
  "txMissingOperation",
]);

interface Doubt {
  reason: UnknownReason;
  detail: string;
  refusal?: Refusal;
  neededBid?: bigint;
}

/** What a round ends with: a verdict, or what is in doubt and whether trying again may help. */
type Round = { outcome: Outcome } | { doubt: Doubt; stop?: boolean };

/**
 * Brings one key to a verdict, or says that there is none yet. Each round looks at the contract's
 * record first and then does at most one thing: send, raise the fee, or sign anew. All of it under
 * one key, so nothing that is done here twice can pay twice.
 */
export class Settlement {
  readonly #job: Job;
  #acted = false;
  #drawn = 0;
  #hopeless = 0;
  #wantedBid = 0n;
  #ledger = 0;
  readonly #told = new Set<string>();

  constructor(job: Job) {
    this.#job = job;
  }

  async run(): Promise<Outcome> {
    let doubt: Doubt = { reason: "waiting", detail: "nothing was looked at yet" };
    for (let round = 0; round < this.#job.retry.rounds; round++) {
      if (round > 0) {
        this.#job.report({ type: "waiting", key: this.#job.key, reason: doubt.detail, round });
        await sleep(delayBefore(round, this.#job.retry));
      }
      const end = await this.#round();
      if ("outcome" in end) return this.#settled(end.outcome);
      doubt = end.doubt;
      if (end.stop) break;
    }
    return this.#unknown(doubt);
  }

  async #round(): Promise<Round> {
    try {
      return await this.#look();
    } catch (error) {
      if (!(error instanceof NodeError) || error.code === "wrong_network") throw error;
      const reason = error.code === "node_refused" ? "refused" : "nodeUnreachable";
      return { doubt: { reason, detail: error.message } };
    }
  }

  async #look(): Promise<Round> {
    const { node, key, book, signer } = this.#job;
    await node.checkNetwork();
    const known = node.newest;
    // The account first: if its sequence is used up and the record is absent later, that is why.
    const account = signer === undefined ? undefined : await node.sequence(signer.address);
    const attempts = await book.attempts();
    const from = Math.max(absenceCountsFrom(attempts), account?.ledger ?? 0, known);
    const { ledger, record } = await this.#recordFrom(from);
    if (record !== undefined) {
      const { fingerprint } = this.#job;
      const question = { key, fingerprint, acted: this.#acted, hashes: hashesOf(attempts) };
      return { outcome: judge(record, question, await this.#receipt(attempts, record.ledger)) };
    }
    if (ledger < from) {
      const detail = `the node is at ledger ${ledger}; absence counts from ${from} on`;
      return { doubt: { reason: "nodeBehind", detail } };
    }
    this.#ledger = ledger;
    if (account === undefined || signer === undefined) return this.#withoutSigner(attempts);
    return this.#act(attempts, account.sequence, signer);
  }

  /** Reads the record; a node that lags behind what is known is asked twice more. */
  async #recordFrom(from: number): ReturnType<Node["record"]> {
    let seen = await this.#job.node.record(this.#job.key);
    for (let more = 0; more < 2 && seen.record === undefined && seen.ledger < from; more++) {
      seen = await this.#job.node.record(this.#job.key);
    }
    return seen;
  }

  /** The record is absent as of `#ledger`: does the next thing about it. */
  async #act(attempts: Attempt[], sequence: bigint | undefined, signer: Signer): Promise<Round> {
    const open = attempts.filter(
      (attempt) =>
        !isExpired(attempt, this.#ledger) &&
        attempt.source === signer.address &&
        !(sequence !== undefined && isSpent(attempt, sequence)),
    );
    const newest = open.at(-1);
    if (newest !== undefined) return this.#goOn(newest, signer);
    await this.#tellSpent(attempts);
    if (sequence === undefined) {
      return this.#unpaid(attempts, "sourceMissing", {
        reason: "refused",
        detail: `account ${signer.address} is not there; fund it`,
      });
    }
    if (this.#drawn >= this.#job.retry.transactions) {
      return this.#unpaid(attempts, "expired", {
        reason: "waiting",
        detail: `${this.#drawn} transactions were signed and none of them paid`,
      });
    }
    return this.#drawUp(attempts, sequence, signer);
  }

  async #drawUp(attempts: Attempt[], sequence: bigint, signer: Signer): Promise<Round> {
    const { node, call, ceilings, report, key, networkPassphrase } = this.#job;
    if (call === undefined) return this.#withoutSigner(attempts);
    const failures = attempts.length;
    const offer: Offer = await drawUp({
      node,
      call,
      ceilings,
      sequence,
      networkPassphrase,
      source: signer.address,
      failures,
      notBefore: this.#ledger,
      report,
      key,
    });
    if ("attempt" in offer) {
      this.#drawn++;
      return this.#sign(offer.attempt, signer);
    }
    const { refusal, detail } = offer;
    if (offer.reason === "contract" || offer.reason === "feeTooHigh") {
      const reason = offer.reason === "contract" ? "refused" : "feeTooHigh";
      const doubt: Doubt = { reason, detail, ...(refusal && { refusal }) };
      return this.#unpaid(attempts, offer.reason, doubt);
    }
    return { doubt: { reason: offer.reason, detail } };
  }

  /** An attempt that can still pay: sends it again, at a higher fee if it waits for one. */
  async #goOn(attempt: Attempt, signer: Signer): Promise<Round> {
    const { node, ceilings, networkPassphrase } = this.#job;
    if (!lastEnvelope(attempt).signed) return this.#sign(attempt, signer);
    if (this.#hopeless >= 2) {
      const detail = "the network refuses what was signed; see the last answer it sent";
      return { doubt: { reason: "refusedByNetwork", detail }, stop: true };
    }
    const common = await node.commonBid();
    const bid = raisedBid(attempt, { ledger: this.#ledger, common, wanted: this.#wantedBid });
    if (bid === undefined) return this.#send(attempt);
    if (bid > ceilings.bid) {
      const { hash } = lastEnvelope(attempt);
      const detail = `${hash} waits for a higher fee: ${bid} stroops for one operation, above the ceiling of ${ceilings.bid}`;
      return { doubt: { reason: "feeTooHigh", detail, neededBid: bid }, stop: true };
    }
    this.#wantedBid = 0n;
    const bump = feeBumpOf(attempt, bid, networkPassphrase);
    return this.#sign(
      { ...attempt, bidAt: this.#ledger, envelopes: [...attempt.envelopes, bump] },
      signer,
    );
  }

  /** Stores what is to be signed, has it signed, stores that, and sends it. */
  async #sign(attempt: Attempt, signer: Signer): Promise<Round> {
    const { book, networkPassphrase, report, key } = this.#job;
    await book.keep(attempt);
    const envelope = await signedEnvelope(lastEnvelope(attempt), signer, networkPassphrase);
    const { hash, bid } = envelope;
    report({ type: "signed", key, hash, bid, feeBump: attempt.envelopes.length > 1 });
    return this.#send({ ...attempt, envelopes: [...attempt.envelopes.slice(0, -1), envelope] });
  }

  async #send(attempt: Attempt): Promise<Round> {
    const { node, book, report, key, networkPassphrase } = this.#job;
    await book.keep({ ...attempt, sentAt: node.newest });
    this.#acted = true;
    const envelope = lastEnvelope(attempt);
    const answer = await node.send(read(envelope, networkPassphrase));
    report({ type: "sent", key, hash: envelope.hash, answer: answer.text });
    this.#hopeless = HOPELESS.has(answer.text) ? this.#hopeless + 1 : 0;
    this.#wantedBid = answer.wantedBid;
    return { doubt: { reason: "waiting", detail: `${envelope.hash} was sent (${answer.text})` } };
  }

  #withoutSigner(attempts: Attempt[]): Promise<Round> {
    const detail = "the record is absent, and this client has no signer to pay with";
    return this.#unpaid(attempts, "expired", { reason: "signerMissing", detail });
  }

  /** Says "not paid" if that is proven, else what is in doubt. A void never says it. */
  async #unpaid(attempts: Attempt[], reason: RejectedReason, doubt: Doubt): Promise<Round> {
    const { key, purpose } = this.#job;
    const hopeless = doubt.reason === "signerMissing";
    if (purpose === "void") {
      const given: Doubt = { ...doubt, reason: "voidRefused" };
      return { doubt: given, stop: true };
    }
    const expired = attempts.every((attempt) => isExpired(attempt, this.#ledger));
    if (hopeless && attempts.length === 0) return { doubt, stop: true };
    if (expired && attempts.length > 0 && this.#job.witnesses.length === 0) {
      const detail = `one node says that the record is absent in ledger ${this.#ledger}, after all that was signed has expired (${doubt.detail}); a second one has to agree: give witnessUrls, or void the key`;
      return { doubt: { ...doubt, reason: "witnessMissing", detail }, stop: true };
    }
    if (!expired || !(await this.#witnessed(attempts))) return { doubt, stop: hopeless };
    return {
      outcome: {
        status: "rejected",
        key,
        hashes: hashesOf(attempts),
        ledger: this.#ledger,
        next: NEXT.rejected,
        proof: attempts.length === 0 ? "nothingSigned" : "expired",
        reason,
        detail: doubt.detail,
        refusal: doubt.refusal,
      },
    };
  }

  /** Whether every other node agrees that the record is absent after everything expired. */
  async #witnessed(attempts: Attempt[]): Promise<boolean> {
    if (attempts.length === 0) return true;
    const answers = await Promise.all(
      this.#job.witnesses.map((node) => node.record(this.#job.key)),
    );
    return answers.every(
      ({ ledger, record }) =>
        record === undefined && attempts.every((attempt) => isExpired(attempt, ledger)),
    );
  }

  /** Reports what became of attempts that are used up, and the fees that they cost. */
  async #tellSpent(attempts: readonly Attempt[]): Promise<void> {
    const { node, report, key } = this.#job;
    for (const attempt of attempts) {
      const { hash } = lastEnvelope(attempt);
      if (this.#told.has(hash)) continue;
      this.#told.add(hash);
      const found = await node.result(hash).catch(() => undefined);
      report({
        type: "spent",
        key,
        hash,
        result: found?.result ?? "NOT_FOUND",
        feeCharged: found?.feeCharged,
      });
    }
  }

  /** The transaction that paid, if a node still knows it and it is one of ours. */
  async #receipt(attempts: readonly Attempt[], ledger: number): Promise<Receipt | undefined> {
    for (const hash of hashesOf(attempts).reverse()) {
      const found = await this.#job.node.result(hash).catch(() => undefined);
      if (found?.result === "SUCCESS" && found.ledger === ledger) {
        return { hash, ledger, feeCharged: found.feeCharged };
      }
    }
    return undefined;
  }

  async #settled(outcome: Outcome): Promise<Outcome> {
    const settled = settledOf(outcome);
    if (settled !== undefined) await this.#job.book.settle(settled);
    return outcome;
  }

  async #unknown(doubt: Doubt): Promise<Outcome> {
    const attempts = await this.#job.book.attempts();
    return {
      status: "outcomeUnknown",
      key: this.#job.key,
      hashes: hashesOf(attempts),
      ledger: this.#ledger,
      next: NEXT.outcomeUnknown,
      reason: doubt.reason,
      detail: doubt.detail,
      refusal: doubt.refusal,
      awaits: expiryOf(attempts),
      neededBid: doubt.neededBid,
    };
  }
}

function read(envelope: Envelope, passphrase: string): Transaction | FeeBumpTransaction {
  return TransactionBuilder.fromXDR(envelope.xdr, passphrase);
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
