import { decodePayout, encodePayout, idText, type PayoutId, type StoredPayout } from "./payout.js";
import { type KeyStore, unknownKey } from "./store.js";

/** For tests and derived keys only: what it holds ends with the process. */
export class MemoryKeyStore implements KeyStore {
  readonly #texts = new Map<string, string>();

  async add(payout: StoredPayout): Promise<StoredPayout> {
    const name = idText(payout.id);
    const text = this.#texts.get(name) ?? encodePayout(payout);
    this.#texts.set(name, text);
    return decodePayout(text, name);
  }

  async get(id: PayoutId): Promise<StoredPayout | undefined> {
    const text = this.#texts.get(idText(id));
    return text === undefined ? undefined : decodePayout(text, idText(id));
  }

  async update(
    id: PayoutId,
    change: (payout: StoredPayout) => StoredPayout,
  ): Promise<StoredPayout> {
    const text = this.#texts.get(idText(id));
    if (text === undefined) throw unknownKey(id);
    const changed = change(decodePayout(text, idText(id)));
    this.#texts.set(idText(id), encodePayout(changed));
    return changed;
  }

  async list(): Promise<StoredPayout[]> {
    return [...this.#texts].map(([name, text]) => decodePayout(text, name));
  }
}
