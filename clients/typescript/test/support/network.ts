// A local network for a test.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";

import { repository } from "./repository.js";

const target = process.env["CARGO_TARGET_DIR"] ?? join(repository, "target");

function found(path: string, how: string): string {
  if (!existsSync(path)) throw new Error(`${path} is missing: ${how}`);
  return path;
}

/** The command: STELLAR_ESCROW_BIN, or what `cargo build -p stellar-escrow` made. */
function command(): string {
  const path = process.env["STELLAR_ESCROW_BIN"] ?? join(target, "debug/stellar-escrow");
  return found(path, "cargo build -p stellar-escrow, or set STELLAR_ESCROW_BIN");
}

/** The contract: in PROGRAM_ESCROW_WASM_DIR, or where scripts/build-contract.sh puts it. */
export function escrowWasm(): string {
  const folder = process.env["PROGRAM_ESCROW_WASM_DIR"] ?? join(target, "contracts");
  const path = join(folder, "program_escrow.wasm");
  return found(path, "scripts/build-contract.sh, or set PROGRAM_ESCROW_WASM_DIR");
}

/** A running local network and what drives it. */
export interface Network {
  url: string;
  passphrase: string;
  drive(path: string, body?: object): Promise<unknown>;
  /** Switches faults on, `{ gateway_timeout: "next:1" }` for instance. */
  strike(triggers: Record<string, string>, magnitudes?: Record<string, number>): Promise<void>;
  calm(): Promise<void>;
  /** How often each fault struck since the start. */
  faults(): Promise<Record<string, number>>;
  close(ledgers: number): Promise<void>;
  /** Closes ledgers in quick succession until the returned function is called. */
  tick(milliseconds: number): () => Promise<void>;
  stop(): Promise<void>;
}

export async function startNetwork(...flags: string[]): Promise<Network> {
  const child = spawn(command(), ["localnet", "--port", "0", ...flags], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  let talk = "";
  child.stderr.on("data", (chunk: Buffer) => {
    talk += chunk.toString();
  });
  await new Promise<void>((resolve, reject) => {
    child.on("exit", (code) => reject(new Error(`the network ended with ${code}: ${talk}`)));
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      if (/^Funded/m.test(text)) resolve();
    });
  });
  // A test that fails before it stops its network must end all the same.
  child.unref();
  for (const pipe of [child.stdout, child.stderr]) (pipe as Socket).unref();
  process.once("exit", () => child.kill());
  let running = true;
  const fact = (pattern: RegExp) => pattern.exec(text)?.[1] ?? "";
  const url = fact(/^RPC\s+(\S+)/m);
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${url}/localnet/${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json() as Promise<unknown>;
  };
  const network: Network = {
    url,
    passphrase: fact(/^Passphrase (.+)$/m),
    drive: (path, body = {}) => ask("POST", path, body),
    async strike(triggers, magnitudes) {
      await ask("POST", "faults", { triggers, ...(magnitudes && { magnitudes }) });
    },
    async calm() {
      await ask("DELETE", "faults");
    },
    async faults() {
      return ((await ask("GET", "faults")) as { struck: Record<string, number> }).struck;
    },
    async close(ledgers) {
      await ask("POST", "close", { ledgers });
    },
    tick(milliseconds) {
      let stopped = false;
      const ticking = (async () => {
        while (!stopped && running) {
          await new Promise((resolve) => setTimeout(resolve, milliseconds));
          if (running) await ask("POST", "close", { ledgers: 1 });
        }
      })();
      return async () => {
        stopped = true;
        await ticking;
      };
    },
    async stop() {
      running = false;
      const ended = new Promise((resolve) => child.on("exit", resolve));
      child.ref();
      child.kill("SIGTERM");
      await ended;
    },
  };
  return network;
}
