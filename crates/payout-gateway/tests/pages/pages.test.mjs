// The operator's pages in a real browser: an order's whole story by Tab and Enter, no sideways scroll at 360 px, and nothing
// serious that axe finds. scripts/gateway-pages.sh starts what it needs.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";

const { GATEWAY_URL: url, GATEWAY_TOKEN: token, PAID: paid, UNPAID: unpaid, SCREENSHOTS: screenshots } = process.env;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PAGES = ["payouts", `payouts/${paid}`, `payouts/${unpaid}`, "programs", "findings", "audit"];

let browser;
before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
});
after(() => browser?.close());

async function loggedIn(options = {}) {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(`${url}/operator`);
  await page.getByLabel("Bearer key").fill(token);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${url}/operator/payouts`);
  return page;
}

/** Presses Tab until the link is focused that leads to `path`. */
async function tabTo(page, path) {
  for (let presses = 0; presses < 200; presses += 1) {
    await page.keyboard.press("Tab");
    if ((await page.evaluate(() => document.activeElement?.getAttribute("href"))) === path) return;
  }
  assert.fail(`Tab never reaches ${path}`);
}

test("an order's whole story is reached by Tab and Enter", async () => {
  const page = await loggedIn();
  const path = `/operator/payouts/${paid}`;
  await tabTo(page, path);
  await page.keyboard.press("Enter");
  await page.waitForURL(url + path);
  const text = await page.locator("main").innerText();
  for (const part of ["confirmed", "Paid by transaction", "Signed transactions", "Events of the contract", "Audit rows"]) {
    assert.ok(text.includes(part), part);
  }
  const details = page.locator("summary").first();
  for (let presses = 0; presses < 200; presses += 1) {
    await page.keyboard.press("Tab");
    if (await details.evaluate((element) => element === document.activeElement)) break;
  }
  await page.keyboard.press("Enter");
  assert.ok((await page.locator("details[open] code").first().innerText()).includes("{"));
});

for (const width of [360, 1280]) {
  test(`no page scrolls sideways at ${width} px`, async () => {
    const page = await loggedIn({ viewport: { width, height: 800 } });
    for (const name of PAGES) {
      await page.goto(`${url}/operator/${name}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${name} is ${wide} px too wide`);
    }
  });
}

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing serious, ${colorScheme}`, async () => {
    // The pages forbid every script; axe is put in past that.
    const page = await loggedIn({ colorScheme, bypassCSP: true });
    for (const name of [...PAGES, "login"]) {
      await page.goto(`${url}/operator/${name}`);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      assert.deepEqual(
        serious.map(({ id, nodes }) => [name, id, nodes[0]?.html]),
        [],
      );
    }
  });
}

test("screenshots", { skip: !screenshots }, async () => {
  const page = await loggedIn({ viewport: { width: 1100, height: 800 }, colorScheme: "light" });
  await page.goto(`${url}/operator/payouts`);
  await page.screenshot({ path: `${screenshots}/gateway-payouts.png` });
  await page.goto(`${url}/operator/payouts/${paid}`);
  await page.screenshot({ path: `${screenshots}/gateway-payout.png`, fullPage: true });
});
