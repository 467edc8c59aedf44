import {
  type contract,
  type FeeBumpTransaction,
  Keypair,
  rpc,
  scValToNative,
  type Transaction,
  xdr,
} from "@stellar/stellar-sdk";

import { NodeError } from "../errors.js";
import {
  Client,
  Errors,
  type IdempotencyRecord,
  PayoutKind,
  type ProgramData,
} from "../generated/program-escrow.js";
import { toHex } from "../keys/bytes.js";
import type { PayoutRecord, Receipt, Refusal } from "./outcome.js";

export interface NodeOptions {
  rpcUrl: string;
  networkPassphrase: string;
  contract: string;
  allowHttp: boolean;
  timeoutMs: number;
}

/** What a node answered to a transaction. It decides what is tried next, never what is true. */
export interface SendAnswer {
  /** PENDING, DUPLICATE, TRY_AGAIN_LATER, or the result code of an ERROR. */
  text: string;
  /** Stroops for one operation that it asks for, if it refused the fee. */
  wantedBid: bigint;
}

export type Simulation =
  | { ledger: number; data: xdr.SorobanTransactionData; auth: xdr.SorobanAuthorizationEntry[] }
  | { ledger: number; refusal: Refusal | undefined; text: string };

const KINDS: Record<PayoutKind, PayoutRecord["kind"]> = {
  [PayoutKind.Single]: "single",
  [PayoutKind.Batch]: "batch",
  [PayoutKind.Imported]: "imported",
  [PayoutKind.Voided]: "voided",
};

/** No transaction has this hash; asking for it is the cheapest way to a node's close time. */
const NO_HASH = "0".repeat(64);

/** One node, as far as payouts need it. Whatever fails is a `NodeError`. */
export class Node {
  readonly #server: rpc.Server;
  readonly #bindings: Client;
  readonly #url: string;
  readonly #passphrase: string;
  #checked = false;
  /** The newest ledger that an answer of this node bore. */
  newest = 0;

  constructor(options: NodeOptions) {
    const { rpcUrl, allowHttp, networkPassphrase, contract, timeoutMs } = options;
    this.#url = rpcUrl;
    this.#passphrase = networkPassphrase;
    this.#server = new rpc.Server(rpcUrl, { allowHttp, timeout: timeoutMs });
    this.#bindings = new Client({
      contractId: contract,
      networkPassphrase,
      rpcUrl,
      allowHttp,
      server: this.#server,
    });
  }

  /** The contract's arguments for a method, in their order, as the contract's spec has them. */
  encode(method: string, args: Record<string, unknown>): xdr.ScVal[] {
    return this.#bindings.spec.funcArgsToScVals(method, args);
  }

  /** Makes sure once that the node serves the network that transactions are signed for. */
  async checkNetwork(): Promise<void> {
    if (this.#checked) return;
    const { passphrase } = await this.#read(() => this.#server.getNetwork());
    if (passphrase !== this.#passphrase) {
      throw new NodeError(
        "wrong_network",
        `the node at ${new URL(this.#url).host} serves ${JSON.stringify(passphrase)}, not ${JSON.stringify(this.#passphrase)}`,
        "Correct rpcUrl or networkPassphrase; nothing was signed",
      );
    }
    this.#checked = true;
  }

  /** The record of a key, and the ledger in which it was so. */
  async record(key: string): Promise<{ ledger: number; record: PayoutRecord | undefined }> {
    const { ledger, result } = await this.#view(() =>
      this.#bindings.get_idempotency_record({ idempotency_key: key }),
    );
    // The SDK decodes None as null, whatever its types say.
    return { ledger, record: (result ?? undefined) && readRecord(result as IdempotencyRecord) };
  }

  async program(): Promise<ProgramData> {
    return (await this.#view(() => this.#bindings.get_program())).result;
  }

  /** Runs a view of the bindings, which simulate it. */
  async #view<T>(
    call: () => Promise<contract.AssembledTransaction<T>>,
  ): Promise<{ ledger: number; result: T }> {
    return this.#read(async () => {
      const view = await call();
      const { simulation } = view;
      if (simulation === undefined || rpc.Api.isSimulationError(simulation)) {
        throw { code: "the contract", message: firstLine(simulation?.error ?? "no answer") };
      }
      return { ledger: this.#saw(simulation.latestLedger), result: view.result };
    });
  }

  /** An account's sequence number; undefined if the account is not there. */
  async sequence(address: string): Promise<{ ledger: number; sequence: bigint | undefined }> {
    const key = xdr.LedgerKey.account(
      new xdr.LedgerKeyAccount({ accountId: Keypair.fromPublicKey(address).xdrAccountId() }),
    );
    const { entries, latestLedger } = await this.#read(() => this.#server.getLedgerEntries(key));
    const sequence = entries[0]?.val.account().seqNum().toString();
    return {
      ledger: this.#saw(latestLedger),
      sequence: sequence === undefined ? undefined : BigInt(sequence),
    };
  }

  /** The latest ledger and when it closed, in Unix seconds. */
  async clock(): Promise<{ ledger: number; closeTime: bigint }> {
    const answer = await this.#read(() => this.#server.getTransaction(NO_HASH));
    return {
      ledger: this.#saw(answer.latestLedger),
      closeTime: BigInt(answer.latestLedgerCloseTime),
    };
  }

  /** What nine of ten contract calls paid for one operation lately; 0 if the node does not say. */
  async commonBid(): Promise<bigint> {
    try {
      const { sorobanInclusionFee } = await this.#server.getFeeStats();
      return BigInt(sorobanInclusionFee.p90);
    } catch {
      return 0n;
    }
  }

  async simulate(transaction: Transaction): Promise<Simulation> {
    const answer = await this.#read(() => this.#server.simulateTransaction(transaction));
    const ledger = this.#saw(answer.latestLedger);
    if (rpc.Api.isSimulationError(answer)) {
      return { ledger, refusal: readRefusal(answer.error), text: firstLine(answer.error) };
    }
    return { ledger, data: answer.transactionData.build(), auth: answer.result?.auth ?? [] };
  }

  async send(transaction: Transaction | FeeBumpTransaction): Promise<SendAnswer> {
    const answer = await this.#ask(() => this.#server.sendTransaction(transaction));
    this.#saw(answer.latestLedger);
    const result = answer.errorResult;
    if (answer.status !== "ERROR" || result === undefined) {
      return { text: answer.status, wantedBid: 0n };
    }
    const code = result.result().switch().name;
    if (code !== "txInsufficientFee") return { text: code, wantedBid: 0n };
    return { text: code, wantedBid: bidOf(BigInt(result.feeCharged().toString()), transaction) };
  }

  /** What became of a hash, as far as this node remembers. */
  async result(hash: string): Promise<(Receipt & { result: string }) | undefined> {
    const answer = await this.#read(() => this.#server.getTransaction(hash));
    this.#saw(answer.latestLedger);
    if (answer.status === rpc.Api.GetTransactionStatus.NOT_FOUND) return undefined;
    const feeCharged = BigInt(answer.resultXdr.feeCharged().toString());
    return { hash, ledger: answer.ledger, feeCharged, result: answer.status };
  }

  /** How many decimals a token has. */
  async decimals(transaction: Transaction): Promise<number> {
    const answer = await this.#read(() => this.#server.simulateTransaction(transaction));
    if (rpc.Api.isSimulationError(answer) || answer.result === undefined) {
      throw this.#error("node_refused", "the token does not say its decimals");
    }
    return Number(scValToNative(answer.result.retval));
  }

  #saw(ledger: number): number {
    this.newest = Math.max(this.newest, ledger);
    return ledger;
  }

  /** Reads change nothing: a node that does not answer is asked a second time at once. */
  async #read<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await this.#ask(question);
    } catch (error) {
      if (error instanceof NodeError && error.code === "node_unreachable") {
        return this.#ask(question);
      }
      throw error;
    }
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      const { status, code, message } = brief(error);
      if (status === undefined && code !== undefined && message !== undefined) {
        throw this.#error("node_refused", `${code}: ${message}`);
      }
      throw this.#error("node_unreachable", status ?? message ?? "no answer");
    }
  }

  #error(code: "node_refused" | "node_unreachable", what: string | number): NodeError {
    return new NodeError(
      code,
      `the node at ${new URL(this.#url).host} ${code === "node_refused" ? "refused" : "did not answer"} (${what})`,
      code === "node_refused"
        ? "Check network and contract. It says nothing about any payout"
        : "Ask again, or another node. It says nothing about any payout",
    );
  }
}

/** The SDK throws axios errors, the node's error objects and its own errors. */
function brief(error: unknown): { status?: number; code?: string; message?: string } {
  if (typeof error !== "object" || error === null) return {};
  const { response, code, message } = error as {
    response?: { status?: number };
    code?: string | number;
    message?: string;
  };
  const text = typeof message === "string" ? { message: message.slice(0, 200) } : {};
  if (typeof response?.status === "number") return { status: response.status };
  const refused = !(error instanceof Error) && code !== undefined;
  return refused ? { code: String(code), ...text } : text;
}

/** What a fee offers for one operation; a fee bump is an operation itself. */
function bidOf(fee: bigint, transaction: Transaction | FeeBumpTransaction): bigint {
  const bump = "innerTransaction" in transaction;
  const inner = bump ? transaction.innerTransaction : transaction;
  const data = inner.toEnvelope().v1().tx().ext().value();
  const resourceFee = data === undefined ? 0n : BigInt(data.resourceFee().toString());
  const operations = bump ? 2n : 1n;
  return (fee - resourceFee + operations - 1n) / operations;
}

/** The contract's own error, if that is why a simulation failed; not one of a token inside it. */
export function readRefusal(text: string): Refusal | undefined {
  const code = Number(/^HostError: Error\(Contract, #(\d+)\)/.exec(text)?.[1]);
  const name = (Errors as Record<number, { message: string } | undefined>)[code]?.message;
  return name === undefined ? undefined : { code, name };
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]?.slice(0, 200) ?? "";
}

function readRecord(record: IdempotencyRecord): PayoutRecord {
  return {
    kind: KINDS[record.kind],
    payoutId: record.payout_id,
    fingerprint: toHex(record.fingerprint),
    totalAmount: record.total_amount,
    ledger: record.ledger,
  };
}
