// The example in a real browser: it pays, is reloaded in the middle, and pays nothing twice.
import assert from "node:assert/strict";
import type { Server } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";

import type { Browser, Page } from "playwright-core";

import { serve, startBrowser } from "../support/browser.js";
import { type Network, startNetwork } from "../support/network.js";
import { type Program, setUp } from "../support/program.js";
import { packageFolder, repository } from "../support/repository.js";

let network: Network;
let program: Program;
let browser: Browser;
let page: Page;
let site: { url: string; server: Server };
const problems: string[] = [];

before(async () => {
  network = await startNetwork("--close", "on-demand");
  const setting = network.tick(2);
  program = await setUp(network);
  await setting();
  site = await serve(join(packageFolder, "examples/browser"));
  browser = await startBrowser();
  page = await browser.newPage({ viewport: { width: 800, height: 760 } });
  page.on("pageerror", (error) => problems.push(error.message));
});

after(async () => {
  await browser.close();
  site.server.close();
  await network.stop();
});

function address(): string {
  const place = new URLSearchParams({
    rpc: network.url,
    passphrase: network.passphrase,
    contract: program.contract,
  });
  return `${site.url}?${place}`;
}

const state = () => page.locator("#payouts tr td:nth-child(3)");

async function shows(text: RegExp): Promise<void> {
  await page.waitForFunction(
    (source) => new RegExp(source).test(document.querySelector("#payouts")?.textContent ?? ""),
    text.source,
  );
}

async function fill(name: string, rows: string): Promise<void> {
  await page.fill("#name", name);
  await page.fill("#rows", rows);
  await page.fill("#secret", program.payer.secret());
}

test("a list is paid once, whatever is reloaded and clicked again", async () => {
  const recipients = await program.recipients(3);
  const rows = recipients.map((recipient, i) => `${recipient}, ${i + 1}.5`).join("\n");
  const owed = recipients.map((_, i) => BigInt(i + 1) * 10_000_000n + 5_000_000n);
  const paid = () => Promise.all(recipients.map((recipient) => program.paidTo(recipient)));

  await page.goto(address());
  await page.waitForFunction(() =>
    /to pay/.test(document.querySelector("#program")?.textContent ?? ""),
  );
  await fill("prizes-2026", rows);
  await page.click("#pay");
  // No ledger closes: the transaction is sent and nobody can know more.
  await shows(/sent; waiting|looking again/);

  await page.reload();
  await shows(/not known yet/);
  assert.deepEqual(await paid(), [0n, 0n, 0n]);
  const stop = network.tick(50);
  await page.fill("#secret", program.payer.secret());
  await page.click("#payouts button");
  await shows(/(paid|replayed)\. Nothing/);
  assert.deepEqual(await paid(), owed);

  await fill("prizes-2026", rows);
  await page.click("#pay");
  await shows(/replayed\. Nothing: every recipient had the money/);
  assert.deepEqual(await paid(), owed);
  await page.waitForFunction(() =>
    /1 payouts/.test(document.querySelector("#program")?.textContent ?? ""),
  );
  const picture = process.env["SCREENSHOT"];
  if (picture !== undefined) await page.screenshot({ path: join(repository, picture) });

  // The same list with another amount: refused from the store, before anything is sent.
  await fill("prizes-2026", rows.replace("1.5", "2.5"));
  await page.click("#pay");
  await shows(/conflict\. Stop/);
  await page.reload();
  await shows(/paid in ledger \d+/);
  await stop();
  assert.deepEqual(await paid(), owed);
  const key = (await page.locator("#payouts tr td:first-child").textContent()) ?? "";
  assert.deepEqual(await program.events(key), ["BatchPay"]);
  assert.equal(await state().count(), 1);
  assert.deepEqual(problems, []);
});

test("the secret is nowhere in the browser's storage", async () => {
  const kept = await page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name ?? "");
    const texts = names.map(
      (name) =>
        new Promise<string>((resolve) => {
          const request = indexedDB.open(name);
          request.onsuccess = () => {
            const all = request.result.transaction("payouts").objectStore("payouts").getAll();
            all.onsuccess = () => resolve(JSON.stringify(all.result));
          };
        }),
    );
    return [
      ...(await Promise.all(texts)),
      JSON.stringify({ ...localStorage, ...sessionStorage }),
    ].join();
  });
  assert.ok(kept.includes("prizes") || kept.length > 100);
  assert.ok(!kept.includes(program.payer.secret()));
});
