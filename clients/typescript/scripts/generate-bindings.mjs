// Writes src/generated/program-escrow.ts: what `stellar contract bindings typescript` makes of the
// compiled contract, without what a library must not do to its users.
//
//   node scripts/generate-bindings.mjs           writes the file
//   node scripts/generate-bindings.mjs --check   fails if the file is not what it would write
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const output = join(here, "../src/generated/program-escrow.ts");
const target = process.env.CARGO_TARGET_DIR ?? join(here, "../../../target");
const folder = process.env.PROGRAM_ESCROW_WASM_DIR ?? join(target, "contracts");
const wasm = join(folder, "program_escrow.wasm");

const HEAD = `// Made by scripts/generate-bindings.mjs from the compiled contract. Not edited by hand.
import type { Buffer } from "node:buffer";
import { contract } from "@stellar/stellar-sdk";

type AssembledTransaction<T> = contract.AssembledTransaction<T>;
type ContractClientOptions = contract.ClientOptions;
type MethodOptions = contract.MethodOptions;
type Option<T> = contract.Option<T>;
type i128 = contract.i128;
type u32 = contract.u32;
type u64 = contract.u64;
const ContractClient = contract.Client;
const ContractSpec = contract.Spec;
`;

/**
 * The generated module imports the SDK's subpaths, which bundlers resolve to a second copy of the
 * SDK beside its browser build; exports the whole SDK again; and writes to \`window\`. All that is
 * its head, up to the first declaration.
 */
function adapted(generated) {
  const body = generated.slice(generated.search(/^(\/\*\*|export (const|interface|enum|class))/m));
  if (!body.includes("export class Client extends ContractClient")) {
    throw new Error("the generated bindings have another shape: read them and adapt this script");
  }
  const lines = body.split("\n").map((line) => line.trimEnd());
  return `${HEAD}\n${lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()}\n`;
}

function generate() {
  if (!existsSync(wasm)) {
    throw new Error(
      `${wasm} is missing: scripts/build-contract.sh, or set PROGRAM_ESCROW_WASM_DIR`,
    );
  }
  const scratch = mkdtempSync(join(tmpdir(), "bindings-"));
  try {
    execFileSync(
      "stellar",
      [
        "contract",
        "bindings",
        "typescript",
        "--wasm",
        wasm,
        "--output-dir",
        join(scratch, "bindings"),
      ],
      {
        stdio: ["ignore", "ignore", "pipe"],
        env: { ...process.env, STELLAR_NO_UPDATE_CHECK: "1" },
      },
    );
    return adapted(readFileSync(join(scratch, "bindings/src/index.ts"), "utf8"));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

const wanted = generate();
if (!process.argv.includes("--check")) {
  writeFileSync(output, wanted);
} else if (!existsSync(output) || readFileSync(output, "utf8") !== wanted) {
  console.error("src/generated/program-escrow.ts is stale: npm run bindings, and read the diff");
  process.exit(1);
}
