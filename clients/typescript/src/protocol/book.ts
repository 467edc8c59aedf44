import type { Attempt, Settled, StoredPayout } from "../store/payout.js";
import type { KeyStore } from "../store/store.js";

/** Where what is signed under a key is kept. Writing comes before signing and before sending. */
export interface Book {
  attempts(): Promise<Attempt[]>;
  /** Adds an attempt, or replaces the one with the same first envelope. */
  keep(attempt: Attempt): Promise<void>;
  settle(settled: Settled): Promise<void>;
}

/** The book of a stored payout. */
export function storedBook(store: KeyStore, payout: StoredPayout): Book {
  return {
    async attempts() {
      return (await store.get(payout.id))?.attempts ?? [];
    },
    async keep(attempt) {
      await store.update(payout.id, (stored) => ({
        ...stored,
        attempts: merged(stored.attempts, attempt),
      }));
    },
    async settle(settled) {
      await store.update(payout.id, (stored) => ({ ...stored, settled }));
    },
  };
}

/**
 * The book of a void, which pays nobody: a void that is forgotten is sent again. Only its verdict
 * is kept, with the payout of the key if one is stored.
 */
export function fleetingBook(stored: Book | undefined): Book {
  let kept: Attempt[] = [];
  return {
    async attempts() {
      return kept;
    },
    async keep(attempt) {
      kept = merged(kept, attempt);
    },
    async settle(settled) {
      await stored?.settle(settled);
    },
  };
}

/** Two tabs on one store may hold the same attempt: no envelope and no signature is dropped. */
function merged(attempts: readonly Attempt[], attempt: Attempt): Attempt[] {
  const first = attempt.envelopes[0]?.hash;
  const known = attempts.find((other) => other.envelopes[0]?.hash === first);
  if (known === undefined) return [...attempts, attempt];
  const byHash = new Map(known.envelopes.map((envelope) => [envelope.hash, envelope]));
  for (const envelope of attempt.envelopes) {
    if (!byHash.get(envelope.hash)?.signed) byHash.set(envelope.hash, envelope);
  }
  const sentAt = Math.max(known.sentAt, attempt.sentAt);
  const both = { ...attempt, sentAt, envelopes: [...byHash.values()] };
  return attempts.map((other) => (other === known ? both : other));
}
