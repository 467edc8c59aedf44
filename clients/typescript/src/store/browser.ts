import { StoreError } from "../errors.js";
import { decodePayout, encodePayout, idText, type PayoutId, type StoredPayout } from "./payout.js";
import { type KeyStore, unknownKey } from "./store.js";

const TABLE = "payouts";

/**
 * Keeps payouts in the browser's IndexedDB. Not `localStorage`: there two tabs can both find a key
 * free and both write it, a write may be lost when the browser is killed, and 5 MB are all there
 * is. Here looking and writing are one transaction over all tabs, and `durability: "strict"` has
 * it on the disk before it counts as written.
 */
export class BrowserKeyStore implements KeyStore {
  readonly #database: IDBDatabase;

  private constructor(database: IDBDatabase) {
    this.#database = database;
  }

  /** Opens the store. Asks the browser not to evict it when the disk fills up. */
  static async open(name = "program-escrow-payouts"): Promise<BrowserKeyStore> {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(TABLE);
    };
    const database = await answered(request);
    database.onversionchange = () => database.close();
    await navigator.storage?.persist?.();
    return new BrowserKeyStore(database);
  }

  async add(payout: StoredPayout): Promise<StoredPayout> {
    const name = idText(payout.id);
    return this.#write(name, (stored) => stored ?? payout);
  }

  async get(id: PayoutId): Promise<StoredPayout | undefined> {
    const name = idText(id);
    const text = await answered(this.#table("readonly").get(name));
    return text === undefined ? undefined : decodePayout(text as string, name);
  }

  async update(
    id: PayoutId,
    change: (payout: StoredPayout) => StoredPayout,
  ): Promise<StoredPayout> {
    return this.#write(idText(id), (stored) => {
      if (stored === undefined) throw unknownKey(id);
      return change(stored);
    });
  }

  async list(): Promise<StoredPayout[]> {
    const texts = await answered(this.#table("readonly").getAll());
    return texts.map((text) => decodePayout(text as string, "a stored payout"));
  }

  close(): void {
    this.#database.close();
  }

  #table(mode: IDBTransactionMode): IDBObjectStore {
    try {
      return this.#database.transaction(TABLE, mode, { durability: "strict" }).objectStore(TABLE);
    } catch (error) {
      throw failed(error);
    }
  }

  /** Reads, changes and writes in one transaction, and waits until it is committed. */
  #write(
    name: string,
    change: (stored: StoredPayout | undefined) => StoredPayout,
  ): Promise<StoredPayout> {
    const table = this.#table("readwrite");
    return new Promise((resolve, reject) => {
      let written: StoredPayout;
      let problem: unknown;
      const request = table.get(name);
      request.onsuccess = () => {
        try {
          const text = request.result as string | undefined;
          written = change(text === undefined ? undefined : decodePayout(text, name));
          table.put(encodePayout(written), name);
        } catch (error) {
          problem = error;
          table.transaction.abort();
        }
      };
      table.transaction.oncomplete = () => resolve(written);
      table.transaction.onabort = () => reject(problem ?? failed(table.transaction.error));
    });
  }
}

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(failed(request.error));
  });
}

function failed(error: unknown): StoreError {
  const what = error instanceof Error ? `${error.name}: ${error.message}` : "no reason given";
  return new StoreError(
    "store_failed",
    `the browser's storage failed (${what})`,
    "Free space or leave private browsing, then go on with the same key",
  );
}
