// Every fault at 5% at once, many payouts, several machines: every recipient is paid exactly once.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { Keypair } from "@stellar/stellar-sdk";

import {
  type EscrowClient,
  keypairSigner,
  MemoryKeyStore,
  networkId,
  type Payment,
  runKey,
} from "../../src/index.js";
import { type Network, startNetwork } from "../support/network.js";
import { PROGRAM, type Program, setUp } from "../support/program.js";

const SEED = process.env["NASTY_SEED"] ?? "20261130";
const PAYOUTS = Number(process.env["NASTY_PAYOUTS"] ?? 40);
const MACHINES = 4;

let network: Network;
let program: Program;

before(async () => {
  network = await startNetwork("--seed", SEED);
  program = await setUp(network);
});

after(() => network.stop());

/** Calls until there is a verdict, as a service does after every start; bounded. */
async function untilPaid(pay: () => Promise<{ status: string }>): Promise<string> {
  for (let call = 0; call < 30; call++) {
    const { status } = await pay();
    assert.ok(!["conflict", "voided"].includes(status), status);
    if (status === "paid" || status === "replayed") return status;
  }
  return assert.fail("never paid");
}

test(`${MACHINES} machines, ${PAYOUTS} payouts each, and two that pay the same file`, async () => {
  const retry = { rounds: 40, baseDelayMs: 5, maxDelayMs: 40, transactions: 8 };
  const delegates = Array.from({ length: MACHINES }, () => Keypair.random());
  for (const delegate of delegates) {
    await program.server.fundAddress(delegate.publicKey());
    const set = await program.as(program.admin).set_delegate({
      delegate: delegate.publicKey(),
      allowance: 10n ** 12n,
      expires_at: BigInt(Math.floor(Date.now() / 1000) + 86_400),
    });
    await set.signAndSend();
  }
  const machines = delegates.map((delegate) =>
    program.client({ signer: keypairSigner(delegate), store: new MemoryKeyStore(), retry }),
  );
  const recipients = await program.recipients(MACHINES * PAYOUTS + 3 * PAYOUTS);
  const amounts = new Map(recipients.map((recipient, i) => [recipient, BigInt(i + 1)]));
  const at = { networkId: await networkId(network.passphrase), contract: program.contract };
  const pay = (recipient: string): Payment => ({ recipient, amount: amounts.get(recipient) ?? 0n });

  await network.drive("faults", { profile: "nasty" });
  const stop = network.tick(30);
  const own = machines.map(async (client, machine) => {
    for (let i = 0; i < PAYOUTS; i++) {
      const recipient = recipients[machine * PAYOUTS + i] ?? assert.fail();
      const key = await runKey(PROGRAM, at, `machine-${machine}`, i);
      await untilPaid(() => client.paySingle(key, pay(recipient)));
    }
  });
  // Two machines that do not know of each other pay the same batches under the same derived keys.
  const shared = recipients.slice(MACHINES * PAYOUTS);
  const verdicts: string[] = [];
  const file = async (client: EscrowClient) => {
    for (let i = 0; i < PAYOUTS; i++) {
      const key = await runKey(PROGRAM, at, "shared", i);
      const batch = shared.slice(3 * i, 3 * i + 3).map(pay);
      verdicts.push(await untilPaid(() => client.payBatch(key, batch)));
    }
  };
  const rivals = [0, 1].map(() =>
    file(
      program.client({ signer: keypairSigner(program.payer), store: new MemoryKeyStore(), retry }),
    ),
  );
  await Promise.all([...own, ...rivals]);
  await stop();
  const struck = await network.faults();
  await network.calm();
  await network.close(30);

  for (const [recipient, amount] of amounts) {
    assert.equal(await program.paidTo(recipient), amount, recipient);
  }
  const books = await program.client().program();
  assert.equal(books.payout_count, BigInt((MACHINES + 1) * PAYOUTS));
  assert.equal(
    books.total_paid,
    [...amounts.values()].reduce((sum, amount) => sum + amount, 0n),
  );
  assert.equal(verdicts.length, 2 * PAYOUTS);
  assert.ok(Object.keys(struck).length >= 10, `faults struck: ${JSON.stringify(struck)}`);
  console.log(`${books.payout_count} payouts, ${amounts.size} recipients`, JSON.stringify(struck));
});
