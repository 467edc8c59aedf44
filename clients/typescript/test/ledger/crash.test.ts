// kill -9 at every step; the next process goes on from the store and pays once.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

import { FileKeyStore } from "../../src/node.js";
import { type Network, startNetwork } from "../support/network.js";
import { is } from "../support/outcomes.js";
import { type Program, setUp } from "../support/program.js";

const victim = fileURLToPath(new URL("../support/victim.js", import.meta.url));
let network: Network;
let program: Program;
let scratch: string;

before(async () => {
  network = await startNetwork();
  program = await setUp(network);
  scratch = mkdtempSync(join(tmpdir(), "crash-"));
});

after(async () => {
  await network.stop();
  rmSync(scratch, { recursive: true });
});

function run(folder: string, point: string, key: string, recipient: string): Promise<string> {
  const args = [
    victim,
    network.url,
    network.passphrase,
    program.contract,
    folder,
    point,
    key,
    recipient,
  ];
  const env = { ...process.env, VICTIM_SECRET: program.payer.secret() };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { env }, (_, stdout) => resolve(stdout));
    child.on("exit", (_, signal) => signal && resolve(signal));
  });
}

const points: [string, { inStore: number; paidBefore: boolean }][] = [
  ["stored", { inStore: 0, paidBefore: false }],
  ["simulated", { inStore: 0, paidBefore: false }],
  ["before signing", { inStore: 1, paidBefore: false }],
  ["signed", { inStore: 1, paidBefore: false }],
  ["sent", { inStore: 1, paidBefore: true }],
  ["after the verdict", { inStore: 1, paidBefore: true }],
];

for (const [point, { inStore, paidBefore }] of points) {
  test(`killed: ${point}`, async () => {
    const [recipient = ""] = await program.recipients(1);
    const folder = join(scratch, point);
    const key = `crash-${point.replaceAll(" ", "-")}`;
    assert.equal(await run(folder, point, key, recipient), "SIGKILL");

    const store = await FileKeyStore.open(folder);
    const [stored] = await store.list();
    assert.deepEqual(
      stored?.arguments.amounts,
      [5n],
      "the arguments were there before anything else",
    );
    assert.equal(stored?.attempts.length, inStore, "and so is whatever may have been signed");
    const [attempt] = stored?.attempts ?? [];
    assert.equal((attempt?.sentAt ?? 0) > 0, paidBefore, "what is sent was stored as sent before");
    assert.equal(attempt?.envelopes[0]?.signed ?? false, paidBefore);
    assert.equal(await program.paidTo(recipient), paidBefore ? 5n : 0n);
    await store.close();

    assert.equal(await run(folder, "never", key, recipient), paidBefore ? "replayed" : "paid");
    assert.equal(await program.paidTo(recipient), 5n);
    assert.deepEqual(await program.events(key), ["Payout"]);
    const later = await FileKeyStore.open(folder);
    const client = program.client({ store: later });
    assert.deepEqual(await client.openKeys(), []);
    is(await client.retry(key), "replayed");
    await later.close();
  });
}
