// The browser's store in a real browser: what every store promises, with two tabs at once.
import assert from "node:assert/strict";
import type { Server } from "node:http";
import { after, before, test } from "node:test";

import { build } from "esbuild";
import type { Browser, BrowserContext, Page } from "playwright-core";

import type { BrowserKeyStore } from "../../src/index.js";
import { serve, startBrowser } from "../support/browser.js";
import { packageFolder } from "../support/repository.js";

declare global {
  var store: BrowserKeyStore;
}

let browser: Browser;
let context: BrowserContext;
let site: { url: string; server: Server };

before(async () => {
  const bundle = await build({
    stdin: {
      contents: `
        import { BrowserKeyStore } from "./src/store/browser.ts";
        globalThis.store = await BrowserKeyStore.open();
        document.title = "ready";`,
      resolveDir: packageFolder,
    },
    bundle: true,
    format: "esm",
    write: false,
  });
  site = await serve(packageFolder, {
    "/index.html": '<script type="module" src="/store.js"></script>',
    "/store.js": bundle.outputFiles[0]?.text ?? "",
  });
  browser = await startBrowser();
  context = await browser.newContext();
});

after(async () => {
  await browser.close();
  site.server.close();
});

async function tab(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(site.url);
  await page.waitForFunction(() => document.title === "ready");
  return page;
}

/** Adds a payout of this amount under one key; the amount that is stored then. */
function add(page: Page, amount: number): Promise<string> {
  return page.evaluate(async (given) => {
    const stored = await globalThis.store.add({
      id: { network: "n", contract: "C", key: "k" },
      arguments: {
        kind: "single",
        recipients: ["G"],
        amounts: [9007199254740993n + BigInt(given)],
      },
      fingerprint: "f",
      attempts: [],
    });
    return String(stored.arguments.amounts[0]);
  }, amount);
}

test("of two tabs that store one key at once, one decides for both, and for later", async () => {
  const [one, two] = [await tab(), await tab()];
  const [first, second] = await Promise.all([add(one, 0), add(two, 1)]);
  assert.equal(first, second);
  await one.reload();
  await one.waitForFunction(() => document.title === "ready");
  assert.equal(await add(one, 7), first);
});

test("updates from two tabs do not overwrite each other", async () => {
  const [one, two] = [await tab(), await tab()];
  const append = (page: Page, start: number) =>
    page.evaluate(async (from) => {
      const id = { network: "n", contract: "C", key: "k" };
      for (let i = from; i < from + 25; i++) {
        await globalThis.store.update(id, (payout) => ({
          ...payout,
          attempts: [
            ...payout.attempts,
            {
              source: "G",
              sequence: BigInt(i),
              maxLedger: 1,
              maxTime: 1n,
              sentAt: 0,
              bidAt: 0,
              envelopes: [{ hash: "h", xdr: "x", signed: false, bid: 100n }],
            },
          ],
        }));
      }
    }, start);
  await Promise.all([append(one, 0), append(two, 25)]);
  const sequences = await one.evaluate(async () => {
    const [payout] = await globalThis.store.list();
    return payout?.attempts.map(({ sequence }) => Number(sequence)) ?? [];
  });
  assert.deepEqual(
    sequences.sort((a, b) => a - b),
    Array.from({ length: 50 }, (_, i) => i),
  );
});

test("an update that throws changes nothing, and an unknown key is said", async () => {
  const page = await tab();
  const codes = await page.evaluate(async () => {
    const id = { network: "n", contract: "C", key: "k" };
    const failing = globalThis.store.update(id, () => {
      throw new Error("changed my mind");
    });
    const unknown = globalThis.store.update({ ...id, key: "no" }, (payout) => payout);
    const said = await Promise.all(
      [failing, unknown].map((call) => call.catch((error) => error.code ?? error.message)),
    );
    const payout = await globalThis.store.get(id);
    return [...said, payout?.attempts.length];
  });
  assert.deepEqual(codes, ["changed my mind", "store_unknown_key", 50]);
});
