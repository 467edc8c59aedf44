// The README's quick start, as it stands there, against a local network.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

import { transform } from "esbuild";

import { type Network, startNetwork } from "../support/network.js";
import { type Program, setUp } from "../support/program.js";
import { packageFolder } from "../support/repository.js";

let network: Network;
let program: Program;
const folder = mkdtempSync(join(tmpdir(), "quickstart-"));

before(async () => {
  network = await startNetwork();
  program = await setUp(network);
});

after(async () => {
  await network.stop();
  rmSync(folder, { recursive: true });
});

test("the quick start pays once, through the published entry points", async () => {
  const readme = readFileSync(join(packageFolder, "README.md"), "utf8");
  const source = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? assert.fail("no quick start");
  const { code } = await transform(source, { loader: "ts", format: "esm" });
  mkdirSync(join(packageFolder, "build"), { recursive: true });
  const script = join(packageFolder, "build/quickstart.mjs");
  writeFileSync(script, code);
  const [recipient = ""] = await program.recipients(1);
  const { stdout } = await promisify(execFile)(process.execPath, [script], {
    cwd: folder,
    env: {
      ...process.env,
      RPC_URL: network.url,
      PASSPHRASE: network.passphrase,
      CONTRACT: program.contract,
      SECRET: program.payer.secret(),
      RECIPIENT: recipient,
    },
  });
  assert.equal(stdout, "paid Nothing: every recipient has the money, once\nreplayed\n");
  assert.equal(await program.paidTo(recipient), 125_000_000n);
});
