import { StoreError } from "../errors.js";
import { idText, type PayoutId, type StoredPayout } from "./payout.js";

/**
 * Keeps keys with their arguments and everything that was signed under them. What a method wrote
 * is durable when its promise resolves: `EscrowClient` signs and sends only afterwards.
 */
export interface KeyStore {
  /** Stores a payout if its key has none; returns the payout that is stored then. */
  add(payout: StoredPayout): Promise<StoredPayout>;
  get(id: PayoutId): Promise<StoredPayout | undefined>;
  /**
   * Replaces a stored payout by `change` of it. No other write comes between reading and writing,
   * so `change` is synchronous and may not depend on anything else that waits.
   */
  update(id: PayoutId, change: (payout: StoredPayout) => StoredPayout): Promise<StoredPayout>;
  list(): Promise<StoredPayout[]>;
}

export function unknownKey(id: PayoutId): StoreError {
  return new StoreError(
    "store_unknown_key",
    `no payout is stored under ${JSON.stringify(id.key)} of ${id.contract}`,
    "Look at record(key): if it is paid, the record says what. If there is none, void the key before its obligation gets another one",
  );
}

/** Runs jobs of one name one after another. */
export class Serial {
  readonly #last = new Map<string, Promise<unknown>>();

  run<T>(name: string, job: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(name) ?? Promise.resolve()).then(job, job);
    const settled = result.catch(() => undefined);
    this.#last.set(name, settled);
    void settled.then(() => {
      if (this.#last.get(name) === settled) this.#last.delete(name);
    });
    return result;
  }

  of(id: PayoutId): <T>(job: () => Promise<T>) => Promise<T> {
    return (job) => this.run(idText(id), job);
  }
}
