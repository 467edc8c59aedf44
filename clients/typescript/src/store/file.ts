import { createHash, randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readdirSync } from "node:fs";
import { type FileHandle, open, readFile, rename, unlink } from "node:fs/promises";
import { join, resolve } from "node:path";

import { StoreError } from "../errors.js";
import { lockFolder } from "./lock.js";
import { decodePayout, encodePayout, idText, type PayoutId, type StoredPayout } from "./payout.js";
import { type KeyStore, Serial, unknownKey } from "./store.js";

/**
 * Keeps each payout in a file of its own, in one folder. A file is written beside its place,
 * flushed to the disk, renamed into place, and the folder flushed: after a crash it is the old one
 * or the new one, whole. A second process that opens the folder is refused.
 */
export class FileKeyStore implements KeyStore {
  readonly #folder: string;
  readonly #release: () => void;
  readonly #serial = new Serial();
  #closed = false;

  private constructor(folder: string, release: () => void) {
    this.#folder = folder;
    this.#release = release;
  }

  /** Opens the folder, and makes it if it is not there. */
  static async open(path: string): Promise<FileKeyStore> {
    const folder = resolve(path);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return new FileKeyStore(folder, lockFolder(join(folder, "lock")));
  }

  async add(payout: StoredPayout): Promise<StoredPayout> {
    return this.#serial.of(payout.id)(async () => {
      const path = this.#path(payout.id);
      const stored = await this.#read(path);
      if (stored !== undefined) return stored;
      const scratch = await this.#flushed(encodePayout(payout));
      linkSync(scratch, path); // Fails where a file is: nothing is ever overwritten by a first write.
      await unlink(scratch);
      await this.#flushFolder();
      return payout;
    });
  }

  async get(id: PayoutId): Promise<StoredPayout | undefined> {
    return this.#serial.of(id)(() => this.#read(this.#path(id)));
  }

  async update(
    id: PayoutId,
    change: (payout: StoredPayout) => StoredPayout,
  ): Promise<StoredPayout> {
    return this.#serial.of(id)(async () => {
      const path = this.#path(id);
      const stored = await this.#read(path);
      if (stored === undefined) throw unknownKey(id);
      const changed = change(stored);
      await rename(await this.#flushed(encodePayout(changed)), path);
      await this.#flushFolder();
      return changed;
    });
  }

  async list(): Promise<StoredPayout[]> {
    this.#path({ network: "", contract: "", key: "" });
    const names = readdirSync(this.#folder).filter((name) => name.endsWith(".json"));
    const payouts = await Promise.all(names.map((name) => this.#read(join(this.#folder, name))));
    return payouts.filter((payout) => payout !== undefined);
  }

  /** Gives the folder back to other processes. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#release();
  }

  /** Keys may hold any printable character and differ by case alone, so files bear a digest. */
  #path(id: PayoutId): string {
    if (this.#closed) {
      throw new StoreError("store_closed", "the store was closed", "Open it again");
    }
    const name = createHash("sha256").update(idText(id)).digest("hex");
    return join(this.#folder, `${name}.json`);
  }

  async #read(path: string): Promise<StoredPayout | undefined> {
    try {
      return decodePayout(await readFile(path, "utf8"), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  async #flushed(text: string): Promise<string> {
    const scratch = join(this.#folder, `${randomUUID()}.tmp`);
    await flush(await open(scratch, "wx", 0o600), (file) => file.writeFile(text));
    return scratch;
  }

  /** The new name is durable only with the folder. Windows cannot open one, and needs no flush. */
  async #flushFolder(): Promise<void> {
    if (process.platform !== "win32") await flush(await open(this.#folder, "r"));
  }
}

async function flush(file: FileHandle, write?: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await write?.(file);
    await file.sync();
  } finally {
    await file.close();
  }
}
