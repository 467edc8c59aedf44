import { SorobanDataBuilder } from "@stellar/stellar-sdk";

import type { Attempt } from "../store/payout.js";
import {
  type Call,
  onlySourceAuthorises,
  restoresOf,
  transactionOf,
  unsignedEnvelope,
} from "./envelopes.js";
import type { Report } from "./events.js";
import type { Node } from "./node.js";
import type { Refusal } from "./outcome.js";
import { withMargin } from "./rules.js";

/** What a payout may cost at most, in stroops. */
export interface Ceilings {
  /** For one operation, beside the fee for resources. */
  bid: bigint;
  /** For resources, most of it rent. */
  resourceFee: bigint;
  /** How long a transaction stays valid, in seconds of the ledger's time. */
  validSeconds: number;
}

/** A new transaction, not signed; or why there is none. */
export type Offer =
  | { attempt: Attempt }
  | {
      reason: "contract" | "feeTooHigh" | "simulationFailed" | "nodeBehind";
      detail: string;
      refusal?: Refusal;
    };

export interface Wish {
  node: Node;
  key: string;
  call: Call;
  ceilings: Ceilings;
  networkPassphrase: string;
  source: string;
  /** The account's sequence number; the transaction gets the next one. */
  sequence: bigint;
  /** Attempts before this one. Each raises the margin on simulated fees. */
  failures: number;
  /** A refusal by a node that is behind this ledger counts for nothing. */
  notBefore: number;
  report: Report;
}

const LEDGER_SECONDS = 5;
const MINIMUM_BID = 100n;
/** A transaction cannot offer more. Only the rent of a contract's code is: its operator's affair. */
const FEE_FIELD = 2n ** 32n - 1n;
/** Beyond this the machine's clock is worth a word; nothing depends on it. */
const SKEW_SECONDS = 30;

/** Simulates a call and draws its transaction up, bounded by the ledger's own time. */
export async function drawUp(wish: Wish): Promise<Offer> {
  const { node, call, ceilings, networkPassphrase, source, report, key } = wish;
  const now = await node.clock();
  const skew = Math.round(Date.now() / 1000 - Number(now.closeTime));
  if (Math.abs(skew) > SKEW_SECONDS) report({ type: "clockSkew", seconds: skew });
  const bounds = {
    source,
    sequence: wish.sequence + 1n,
    maxTime: now.closeTime + BigInt(ceilings.validSeconds),
    maxLedger: now.ledger + 2 + Math.ceil(ceilings.validSeconds / LEDGER_SECONDS),
  };
  const bid = clamp(await node.commonBid(), MINIMUM_BID, ceilings.bid);
  const simulated = await node.simulate(transactionOf(call, bounds, bid, networkPassphrase));
  if ("text" in simulated) {
    if (simulated.ledger < wish.notBefore) {
      const detail = `a node at ledger ${simulated.ledger} refused: ${simulated.text}`;
      return { reason: "nodeBehind", detail };
    }
    const { refusal } = simulated;
    if (refusal === undefined) return { reason: "simulationFailed", detail: simulated.text };
    return { reason: "contract", detail: `${refusal.code} ${refusal.name}`, refusal };
  }
  if (!onlySourceAuthorises(simulated.auth)) {
    const detail = `the call needs an authorisation of another account than ${source}`;
    return { reason: "simulationFailed", detail };
  }
  const resourceFee = withMargin(BigInt(simulated.data.resourceFee().toString()), wish.failures);
  const restores = restoresOf(simulated.data);
  report({ type: "simulated", key, resourceFee, bid, restores });
  const ceiling = least(ceilings.resourceFee, FEE_FIELD - bid);
  if (resourceFee > ceiling) {
    const archived =
      restores.length === 0 ? "" : `, most of it to restore ${restores.length} archived entries`;
    const detail = `resources cost ${resourceFee} stroops${archived}, above the ceiling of ${ceiling}`;
    return { reason: "feeTooHigh", detail };
  }
  const data = new SorobanDataBuilder(simulated.data)
    .setResourceFee(resourceFee.toString())
    .build();
  const resources = { data, auth: simulated.auth };
  const transaction = transactionOf(call, bounds, bid, networkPassphrase, resources);
  return {
    attempt: {
      ...bounds,
      sentAt: 0,
      bidAt: now.ledger,
      envelopes: [unsignedEnvelope(transaction, bid)],
    },
  };
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function clamp(value: bigint, from: bigint, to: bigint): bigint {
  return value < from ? from : least(value, to);
}
