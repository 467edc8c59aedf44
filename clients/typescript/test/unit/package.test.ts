// The package as it is published, and the bindings as the contract has them.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";

import { escrowWasm } from "../support/network.js";
import { packageFolder } from "../support/repository.js";

test("the generated bindings are those of the compiled contract", () => {
  const env = { ...process.env, PROGRAM_ESCROW_WASM_DIR: dirname(escrowWasm()) };
  const script = join(packageFolder, "scripts/generate-bindings.mjs");
  const checked = spawnSync(process.execPath, [script, "--check"], { env, encoding: "utf8" });
  assert.equal(checked.status, 0, checked.stderr);
});

test("every entry point has its file and its types, and the licence is in", () => {
  const packed = execFileSync("npm", ["pack", "--dry-run", "--json"], {
    cwd: packageFolder,
    encoding: "utf8",
  });
  const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }];
  const paths = files.map(({ path }) => path);
  for (const name of [
    "dist/index.js",
    "dist/index.d.ts",
    "dist/node.js",
    "dist/node.d.ts",
    "LICENSE",
    "README.md",
  ]) {
    assert.ok(paths.includes(name), name);
  }
  assert.ok(!paths.some((path) => /^(src|test|build|examples)\//.test(path)));
});

test("the browser's entry point imports nothing of Node", () => {
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = readFileSync(file, "utf8");
    assert.ok(!/from "node:/.test(text), file);
    for (const [, path = ""] of text.matchAll(/from "(\.[^"]+)"/g)) visit(join(file, "..", path));
  };
  visit(join(packageFolder, "dist/index.js"));
  assert.ok(seen.size > 20);
});

test("files are short enough to read", () => {
  for (const folder of ["src", "test", "examples", "scripts"]) {
    for (const name of readdirSync(join(packageFolder, folder), {
      recursive: true,
      encoding: "utf8",
    })) {
      if (!/\.(ts|mjs)$/.test(name) || name.startsWith("generated")) continue;
      const lines = readFileSync(join(packageFolder, folder, name), "utf8").split("\n").length;
      assert.ok(lines <= 400, `${folder}/${name}: ${lines} lines`);
    }
  }
});
