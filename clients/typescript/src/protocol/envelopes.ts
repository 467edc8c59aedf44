import {
  Account,
  Operation,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from "@stellar/stellar-sdk";
import type { Signer } from "../signer.js";
import { signed } from "../signer.js";
import type { Attempt, Envelope } from "../store/payout.js";
import { lastEnvelope } from "./rules.js";

/** A call of the contract. */
export interface Call {
  contract: string;
  method: string;
  args: xdr.ScVal[];
}

/** What a transaction is bound to. */
export interface Bounds {
  source: string;
  sequence: bigint;
  maxTime: bigint;
  maxLedger: number;
}

/** What simulation found that a call needs. */
export interface Resources {
  data: xdr.SorobanTransactionData;
  auth: xdr.SorobanAuthorizationEntry[];
}

/** A call as a transaction, without signatures. Without `resources` it is only good to simulate. */
export function transactionOf(
  call: Call,
  bounds: Bounds,
  bid: bigint,
  networkPassphrase: string,
  resources?: Resources,
): Transaction {
  const builder = new TransactionBuilder(
    new Account(bounds.source, (bounds.sequence - 1n).toString()),
    {
      fee: bid.toString(),
      networkPassphrase,
      timebounds: { minTime: 0, maxTime: bounds.maxTime.toString() },
      ledgerbounds: { minLedger: 0, maxLedger: bounds.maxLedger },
    },
  ).addOperation(
    Operation.invokeContractFunction({
      contract: call.contract,
      function: call.method,
      args: call.args,
      auth: resources?.auth ?? [],
    }),
  );
  if (resources !== undefined) builder.setSorobanData(resources.data);
  return builder.build();
}

/** The keys of archived entries that a transaction would restore, and pay for. */
export function restoresOf(data: xdr.SorobanTransactionData): string[] {
  if (data.ext().switch() !== 1) return [];
  const written = data.resources().footprint().readWrite();
  return data
    .ext()
    .resourceExt()
    .archivedSorobanEntries()
    .map((index) => written[index]?.toXDR("base64") ?? String(index));
}

/** Whether every authorisation is the source's own: then none can be carried by anybody else. */
export function onlySourceAuthorises(auth: readonly xdr.SorobanAuthorizationEntry[]): boolean {
  return auth.every(
    (entry) => entry.credentials().switch().name === "sorobanCredentialsSourceAccount",
  );
}

export function unsignedEnvelope(transaction: Transaction, bid: bigint): Envelope {
  return {
    hash: transaction.hash().toString("hex"),
    xdr: transaction.toXDR(),
    signed: false,
    bid,
  };
}

/** A fee bump around an attempt's transaction, without signatures. */
export function feeBumpOf(attempt: Attempt, bid: bigint, networkPassphrase: string): Envelope {
  const [inner = lastEnvelope(attempt)] = attempt.envelopes;
  const transaction = TransactionBuilder.fromXDR(inner.xdr, networkPassphrase) as Transaction;
  const bump = TransactionBuilder.buildFeeBumpTransaction(
    attempt.source,
    bid.toString(),
    transaction,
    networkPassphrase,
  );
  return { hash: bump.hash().toString("hex"), xdr: bump.toXDR(), signed: false, bid };
}

export async function signedEnvelope(
  envelope: Envelope,
  signer: Signer,
  networkPassphrase: string,
): Promise<Envelope> {
  return { ...envelope, xdr: await signed(signer, envelope, networkPassphrase), signed: true };
}
