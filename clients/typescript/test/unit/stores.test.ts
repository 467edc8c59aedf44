// What every store promises; the browser's is tested in a browser.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { type KeyStore, MemoryKeyStore, type StoredPayout, StoreError } from "../../src/index.js";
import { FileKeyStore } from "../../src/node.js";

const scratch = mkdtempSync(join(tmpdir(), "stores-"));
after(() => rmSync(scratch, { recursive: true }));
let folders = 0;
const folder = () => join(scratch, String(folders++));

function payout(key: string, amount = 9007199254740993n): StoredPayout {
  return {
    id: { network: "n", contract: "C", key },
    arguments: { kind: "single", recipients: ["GA"], amounts: [amount] },
    fingerprint: "f",
    attempts: [],
  };
}

const refused = (code: string) => (error: unknown) => {
  assert.ok(error instanceof StoreError, String(error));
  assert.equal(error.code, code);
  return true;
};

const stores: [string, () => Promise<KeyStore>][] = [
  ["memory", async () => new MemoryKeyStore()],
  ["file", () => FileKeyStore.open(folder())],
];

for (const [name, open] of stores) {
  test(`${name}: the first payout under a key stays`, async () => {
    const store = await open();
    const second = await Promise.all([store.add(payout("k")), store.add(payout("k", 5n))]);
    assert.deepEqual(
      second.map((stored) => stored.arguments.amounts),
      [[9007199254740993n], [9007199254740993n]],
    );
    for (const key of ["K", "k ", "k/../x", "123", "12n", "k\u0000"]) {
      assert.deepEqual(await store.add(payout(key)), payout(key));
      assert.deepEqual(await store.get(payout(key).id), payout(key));
    }
    assert.equal((await store.list()).length, 7);
    assert.equal(await store.get(payout("other").id), undefined);
  });

  test(`${name}: updates of one payout do not overwrite each other`, async () => {
    const store = await open();
    await store.add(payout("k"));
    const attempt = (sequence: bigint) => ({
      source: "G",
      sequence,
      maxLedger: 5,
      maxTime: 6n,
      sentAt: 0,
      bidAt: 0,
      envelopes: [{ hash: "h", xdr: "x", signed: false, bid: 100n }],
    });
    const numbers = Array.from({ length: 20 }, (_, i) => BigInt(i));
    await Promise.all(
      numbers.map((number) =>
        store.update(payout("k").id, (p) => ({
          ...p,
          attempts: [...p.attempts, attempt(number)],
        })),
      ),
    );
    const stored = await store.get(payout("k").id);
    assert.deepEqual(stored?.attempts, numbers.map(attempt));
    await assert.rejects(
      store.update(payout("no").id, (p) => p),
      refused("store_unknown_key"),
    );
  });

  test(`${name}: what was handed out is a copy`, async () => {
    const store = await open();
    const given = payout("k");
    await store.add(given);
    given.arguments.amounts[0] = 1n;
    const got = await store.get(given.id);
    got?.arguments.recipients.push("GB");
    assert.deepEqual(await store.get(given.id), payout("k"));
  });
}

test("file: what was written is there for the next process", async () => {
  const path = folder();
  const first = await FileKeyStore.open(path);
  await first.add(payout("k"));
  await first.close();
  await assert.rejects(first.get(payout("k").id), refused("store_closed"));
  const second = await FileKeyStore.open(path);
  assert.deepEqual(await second.list(), [payout("k")]);
  await second.close();
});

test("file: a second writer is refused, in this process and in another", async () => {
  const path = folder();
  const store = await FileKeyStore.open(path);
  await assert.rejects(FileKeyStore.open(path), refused("store_locked"));
  const other = spawnSync(process.execPath, ["--input-type=module", "-e", OPEN, path], {
    encoding: "utf8",
  });
  assert.equal(other.stdout, "store_locked", other.stderr);
  await store.close();
  const next = spawnSync(process.execPath, ["--input-type=module", "-e", OPEN, path], {
    encoding: "utf8",
  });
  assert.equal(next.stdout, "open", next.stderr);
  // That process ended without closing: its lock is left behind, and is taken over.
  assert.ok(readdirSync(path).includes("lock"));
  await (await FileKeyStore.open(path)).close();
});

const OPEN = `
  const { FileKeyStore } = await import(${JSON.stringify(new URL("../../src/node.js", import.meta.url).href)});
  try {
    await FileKeyStore.open(process.argv[1]);
    process.stdout.write("open");
  } catch (error) {
    process.stdout.write(error.code);
  }
`;

test("file: a lock is taken over only from a process that is gone", async () => {
  const lock = (holder: object) => {
    const path = folder();
    const store = FileKeyStore.open(path).then((open) => open.close());
    return store.then(() => {
      writeFileSync(join(path, "lock"), JSON.stringify(holder));
      return FileKeyStore.open(path).then((open) => open.close());
    });
  };
  const gone = spawnSync(process.execPath, ["-e", ""]).pid;
  await lock({ host: hostname(), pid: gone, started: "" });
  // Our own number with another start: an earlier process of a container, for instance.
  await lock({ host: hostname(), pid: process.pid, started: "another" });
  await assert.rejects(
    lock({ host: "elsewhere", pid: gone, started: "" }),
    refused("store_locked"),
  );
  await assert.rejects(
    lock({ host: hostname(), pid: process.ppid, started: "" }),
    refused("store_locked"),
  );
});

test("file: damage is said and nothing is overwritten", async () => {
  const path = folder();
  const store = await FileKeyStore.open(path);
  await store.add(payout("k"));
  const file = readdirSync(path).find((name) => name.endsWith(".json")) ?? assert.fail();
  const text = readFileSync(join(path, file), "utf8");
  const damages = [
    text.slice(0, -5),
    text.replace("9007199254740993", "x"),
    text.replace('"9007199254740993"', "9007199254740993"),
    text.replace('"version":1', '"version":2'),
    "",
  ];
  for (const damaged of damages) {
    writeFileSync(join(path, file), damaged);
    await assert.rejects(store.add(payout("k")), refused("store_damaged"));
    assert.equal(readFileSync(join(path, file), "utf8"), damaged);
  }
  await store.close();
});
