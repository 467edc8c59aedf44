import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";

import { StoreError } from "../errors.js";

/** Who holds a folder. `started` tells a process from a later one with the same number. */
interface Holder {
  host: string;
  pid: number;
  started: string;
}

const held = new Set<string>();

/**
 * Takes a folder for this process; returns what gives it back. A lock whose process is gone is
 * taken over; one of another machine is not, because nobody can tell from here whether it lives.
 */
export function lockFolder(path: string): () => void {
  if (held.has(path)) throw locked(path, "this process already");
  const mine: Holder = { host: hostname(), pid: process.pid, started: startOf(process.pid) };
  if (!create(path, mine)) takeOver(path, mine);
  held.add(path);
  return () => {
    if (held.delete(path)) rmSync(path, { force: true });
  };
}

/** Only one process at a time may judge a lock as left behind and replace it. */
function takeOver(path: string, mine: Holder): void {
  const guard = `${path}.takeover`;
  if (!create(guard, mine)) throw locked(path, `whoever made ${guard}`);
  try {
    const holder = read(path);
    if (holder !== undefined && lives(holder)) {
      throw locked(path, `process ${holder.pid} on ${holder.host}`);
    }
    rmSync(path, { force: true });
    if (!create(path, mine)) throw locked(path, "another process that was faster");
  } finally {
    unlinkSync(guard);
  }
}

/** Makes the file with all of its content, or not at all; false if it is there. */
function create(path: string, holder: Holder): boolean {
  const scratch = `${path}.${randomUUID()}`;
  writeFileSync(scratch, JSON.stringify(holder));
  try {
    linkSync(scratch, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    unlinkSync(scratch);
  }
}

function read(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Holder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw locked(path, "somebody whose lock cannot be read");
  }
}

function lives({ host, pid, started }: Holder): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  const now = startOf(pid);
  return started === "" || now === "" ? pid !== process.pid : now === started;
}

/** When a process started, in the kernel's words; empty where they cannot be had. */
function startOf(pid: number): string {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ");
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}:${fields?.[19] ?? ""}`;
  } catch {
    return "";
  }
}

function locked(path: string, by: string): StoreError {
  return new StoreError(
    "store_locked",
    `the store is held by ${by} (${path})`,
    "Stop that process, or give this one a store of its own. Remove the file only if you are sure that nobody pays from this store",
  );
}
