// Starts a local network for a test and stops it afterwards.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.env.CARGO_TARGET_DIR ?? join(here, "../../../../target");

/** The command under test: STELLAR_ESCROW_BIN, or what `cargo build -p stellar-escrow` made. */
function command() {
  const path = process.env.STELLAR_ESCROW_BIN ?? join(target, "debug/stellar-escrow");
  if (!existsSync(path)) {
    throw new Error(`${path} is missing: cargo build -p stellar-escrow, or set STELLAR_ESCROW_BIN`);
  }
  return path;
}

/** The contract: in PROGRAM_ESCROW_WASM_DIR, or where scripts/build-contract.sh puts it. */
export function escrowWasm() {
  const folder = process.env.PROGRAM_ESCROW_WASM_DIR ?? join(target, "contracts");
  const path = join(folder, "program_escrow.wasm");
  if (!existsSync(path)) {
    throw new Error(`${path} is missing: scripts/build-contract.sh, or set PROGRAM_ESCROW_WASM_DIR`);
  }
  return path;
}

export async function startNetwork(...flags) {
  const child = spawn(command(), ["localnet", "--port", "0", ...flags], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  const facts = await new Promise((resolve, reject) => {
    child.on("exit", (code) => reject(new Error(`the network ended with ${code}`)));
    child.stdout.on("data", (chunk) => {
      text += chunk;
      if (/^Funded/m.test(text)) resolve(text);
    });
  });
  const url = /^RPC\s+(\S+)/m.exec(facts)[1];
  return {
    url,
    passphrase: /^Passphrase (.+)$/m.exec(facts)[1],
    /** Drives the network: POST /localnet/{path}. */
    async drive(path, body = {}) {
      const answer = await fetch(`${url}/localnet/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return answer.json();
    },
    async stop() {
      const ended = new Promise((resolve) => child.on("exit", resolve));
      child.kill("SIGTERM");
      return ended;
    },
  };
}
