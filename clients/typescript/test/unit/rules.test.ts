// The rules that decide what an absent record means, what is bid, and how long is waited.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Keypair, xdr } from "@stellar/stellar-sdk";
import type { Attempt, PayoutRecord } from "../../src/index.js";
import { onlySourceAuthorises } from "../../src/protocol/envelopes.js";
import { judge } from "../../src/protocol/judge.js";
import { readRefusal } from "../../src/protocol/node.js";
import {
  absenceCountsFrom,
  DEFAULT_RETRY,
  delayBefore,
  expiryOf,
  isExpired,
  isSpent,
  raisedBid,
  withMargin,
} from "../../src/protocol/rules.js";

function attempt(given: Partial<Attempt> = {}, bid = 100n): Attempt {
  return {
    source: "G",
    sequence: 7n,
    maxLedger: 50,
    maxTime: 0n,
    sentAt: 10,
    bidAt: 10,
    envelopes: [{ hash: "h", xdr: "x", signed: true, bid }],
    ...given,
  };
}

test("an attempt can pay in ledgers below its bound, and while its sequence is not used", () => {
  assert.equal(isExpired(attempt(), 49), false);
  assert.equal(isExpired(attempt(), 50), true);
  assert.equal(isSpent(attempt(), 6n), false);
  assert.equal(isSpent(attempt(), 7n), true);
});

test("absence counts from the last sending on, and proves something when all has expired", () => {
  const both = [attempt({ sentAt: 12 }), attempt({ sentAt: 11, maxLedger: 90 })];
  assert.equal(absenceCountsFrom(both), 12);
  assert.equal(absenceCountsFrom([]), 0);
  assert.equal(expiryOf(both), 90);
  assert.equal(expiryOf([]), undefined);
});

test("a bid is raised tenfold when it waits, or as the market asks", () => {
  const market = (ledger: number, common = 0n, wanted = 0n) => ({ ledger, common, wanted });
  assert.equal(raisedBid(attempt(), market(13)), undefined, "three ledgers are no reason");
  assert.equal(raisedBid(attempt(), market(14)), 1000n);
  assert.equal(raisedBid(attempt(), market(11, 5000n)), undefined);
  assert.equal(raisedBid(attempt(), market(12, 5000n)), 5000n);
  assert.equal(raisedBid(attempt(), market(12, 500n)), 1000n);
  assert.equal(raisedBid(attempt(), market(10, 0n, 70_000n)), 70_000n);
  assert.equal(raisedBid(attempt({ sentAt: 0 }), market(40)), undefined, "it was never sent");
});

test("the margin on simulated fees grows with every attempt that did not pay", () => {
  assert.equal(withMargin(1000n, 0), 1100n);
  assert.equal(withMargin(1000n, 1), 1600n);
  assert.equal(withMargin(1000n, 99), 6100n);
});

test("waits grow, are bounded, and half of them is chance", () => {
  assert.equal(delayBefore(1, DEFAULT_RETRY, 0), 500);
  assert.equal(delayBefore(1, DEFAULT_RETRY, 1), 1000);
  assert.equal(delayBefore(3, DEFAULT_RETRY, 1), 4000);
  assert.equal(delayBefore(1000, DEFAULT_RETRY, 1), DEFAULT_RETRY.maxDelayMs);
});

test("a record is judged by its kind and by the fingerprint", () => {
  const record = (kind: PayoutRecord["kind"], fingerprint = "mine"): PayoutRecord => ({
    kind,
    payoutId: 1n,
    fingerprint,
    totalAmount: 5n,
    ledger: 9,
  });
  const verdict = (given: PayoutRecord, fingerprint: string | undefined, acted: boolean) => {
    const outcome = judge(given, { key: "k", fingerprint, acted, hashes: [] }, undefined);
    return outcome.status === "conflict" ? outcome.found : outcome.status;
  };
  for (const kind of ["single", "batch"] as const) {
    assert.equal(verdict(record(kind), "mine", true), "paid");
    assert.equal(verdict(record(kind), "mine", false), "replayed");
    assert.equal(verdict(record(kind, "other"), "mine", true), "record");
    assert.equal(verdict(record(kind), undefined, true), "consumed");
  }
  for (const acted of [true, false]) {
    assert.equal(verdict(record("imported", "mine"), "mine", acted), "imported");
    assert.equal(verdict(record("voided", "mine"), "mine", acted), "voided");
  }
});

test("only the contract's own error is a refusal", () => {
  const text = (first: string) => `HostError: ${first}\n\nEvent log: Error(Contract, #500)`;
  assert.deepEqual(readRefusal(text("Error(Contract, #500)")), { code: 500, name: "Paused" });
  assert.equal(readRefusal(text("Error(Contract, #13)")), undefined, "one of the token's");
  assert.equal(readRefusal(text("Error(Auth, InvalidAction)")), undefined);
  assert.equal(readRefusal(text("Error(WasmVm, MissingValue)")), undefined);
});

test("an authorisation beside the source's own is noticed", () => {
  const invocation = new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(
      new xdr.InvokeContractArgs({ contractAddress: address(), functionName: "f", args: [] }),
    ),
    subInvocations: [],
  });
  const own = new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
    rootInvocation: invocation,
  });
  const carried = new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsAddress(
      new xdr.SorobanAddressCredentials({
        address: address(),
        nonce: xdr.Int64.fromString("1"),
        signatureExpirationLedger: 9,
        signature: xdr.ScVal.scvVoid(),
      }),
    ),
    rootInvocation: invocation,
  });
  assert.equal(onlySourceAuthorises([own]), true);
  assert.equal(onlySourceAuthorises([own, carried]), false);
});

function address(): xdr.ScAddress {
  return xdr.ScAddress.scAddressTypeAccount(Keypair.random().xdrAccountId());
}
