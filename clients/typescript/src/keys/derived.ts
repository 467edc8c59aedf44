import { InputError, shown } from "../errors.js";
import { contractBytes } from "./address.js";
import { concat, fromHex, sha256, toHex, u32, utf8 } from "./bytes.js";
import { checkKey, checkProgramId, checkRowId, checkRunName } from "./names.js";

/** Where a program lives: the network's id (64 hex, see `networkId`) and the contract (C…). */
export interface Deployment {
  networkId: string;
  contract: string;
}

/** SHA-256 of a network's passphrase, in hexadecimal. */
export async function networkId(passphrase: string): Promise<string> {
  return toHex(await sha256(concat(utf8(passphrase))));
}

/** The key of a run's slot. The same inputs make the same key on any machine. */
export async function runKey(
  programId: string,
  at: Deployment,
  run: string,
  slot: number,
): Promise<string> {
  const id = checkProgramId(programId);
  const digest = await digestOf("run/1", at, utf8(checkRunName(run)), number("slot", slot));
  return `${id}-run-${toHex(digest)}`;
}

/** The key of a caller's request to the gateway. */
export async function gatewayKey(
  programId: string,
  at: Deployment,
  callerKey: string,
  counter: number,
): Promise<string> {
  const id = checkProgramId(programId);
  const digest = await digestOf(
    "gw/1",
    at,
    utf8(id),
    utf8(checkKey(callerKey)),
    number("counter", counter),
  );
  return `${id}-gw-${toHex(digest)}`;
}

/** The reference of a row: it tells two ids of one wallet and amount apart inside a payout. */
export async function reference(at: Deployment, run: string, rowId: string): Promise<string> {
  const digest = await digestOf("ref/1", at, utf8(checkRunName(run)), utf8(checkRowId(rowId)));
  return toHex(digest.slice(0, 16));
}

/** SHA-256 over parts, each behind its length: `a` + `bc` and `ab` + `c` are not the same. */
async function digestOf(
  scheme: string,
  at: Deployment,
  ...parts: Uint8Array[]
): Promise<Uint8Array> {
  const network = fromHex(at.networkId, 32);
  if (network === undefined) {
    throw new InputError(
      "network_id_invalid",
      `network id ${shown(at.networkId)} is not 64 lower-case hexadecimal digits`,
      "Make it of the passphrase: await networkId(passphrase)",
    );
  }
  const all = [utf8(scheme), network, contractBytes(at.contract), ...parts];
  return sha256(concat(...all.flatMap((part) => [u32(part.length), part])));
}

function number(what: string, value: number): Uint8Array {
  if (!Number.isInteger(value) || value < 0 || value >= 2 ** 32) {
    throw new InputError(
      "number_range",
      `${what} ${value} is not an unsigned 32-bit number`,
      "Use 0 to 4294967295",
    );
  }
  return u32(value);
}
