import { checkAmount } from "./amounts.js";
import { InputError } from "./errors.js";
import { checkRecipient } from "./keys/address.js";
import { referenceBytes } from "./keys/fingerprint.js";
import type { PayoutArguments } from "./store/payout.js";

/** One recipient and what it gets, in the token's smallest unit. */
export interface Payment {
  recipient: string;
  amount: bigint;
}

/** A payment with the reference of the obligation that it meets: 32 hexadecimal digits. */
export interface ReferencedPayment extends Payment {
  reference: string;
}

const I128_MAX = 2n ** 127n - 1n;

/** Checks payments before anything is stored: a payout that was never valid uses up no key. */
export function checkPayments(
  kind: PayoutArguments["kind"],
  payments: readonly (Payment & { reference?: string })[],
): PayoutArguments {
  if (payments.length === 0) {
    throw new InputError("batch_size", "a batch has no recipients", "Name who is paid");
  }
  const recipients = payments.map(({ recipient }) => checkRecipient(recipient));
  const amounts = payments.map(({ amount }) => checkAmount(amount));
  const twice = recipients.find((recipient, i) => recipients.indexOf(recipient) !== i);
  if (twice !== undefined) {
    throw new InputError(
      "recipient_duplicate",
      `recipient ${twice} stands twice in one batch`,
      "Add its amounts up, or put one of them into another batch",
    );
  }
  if (amounts.reduce((sum, amount) => sum + amount, 0n) > I128_MAX) {
    throw new InputError(
      "amount_range",
      "the amounts add up to more than 2^127 - 1",
      "They are wrong; check them",
    );
  }
  if (kind !== "references") return { kind, recipients, amounts };
  const references = payments.map(({ reference = "" }) => {
    referenceBytes(reference);
    return reference;
  });
  return { kind, recipients, amounts, references };
}

/** The contract's method for a payout, and its arguments by name. */
export function callOf(
  key: string,
  caller: string,
  payout: PayoutArguments,
): { method: string; args: Record<string, unknown> } {
  const { recipients, amounts } = payout;
  const common = { idempotency_key: key, caller };
  switch (payout.kind) {
    case "single":
      return {
        method: "single_payout_idempotent_by",
        args: { ...common, recipient: recipients[0], amount: amounts[0] },
      };
    case "batch":
      return { method: "batch_payout_idempotent_by", args: { ...common, recipients, amounts } };
    case "references":
      return {
        method: "batch_payout_with_references",
        args: {
          ...common,
          recipients,
          amounts,
          references: payout.references?.map(referenceBytes),
        },
      };
  }
}
