import { InputError, shown } from "./errors.js";

const MAX = 2n ** 127n - 1n;

/**
 * Checks an amount in the token's smallest unit: a `bigint` above 0 that fits the contract's i128.
 * A `number` is refused: above 2^53 it has been rounded already.
 */
export function checkAmount(amount: unknown): bigint {
  if (typeof amount !== "bigint") {
    throw new InputError(
      "amount_type",
      `an amount is a ${typeof amount}, not a bigint`,
      "Write 5n, or toUnits(text, decimals) for a decimal text; numbers lose digits",
    );
  }
  if (amount <= 0n || amount > MAX) {
    throw new InputError(
      "amount_range",
      `amount ${amount} cannot be paid`,
      "Use 1 to 2^127 - 1 of the token's smallest unit",
    );
  }
  return amount;
}

/**
 * The units of a decimal text, exactly: `toUnits("0.0000021", 7)` is `21n`. Zeros past the last
 * place do not matter, any other digit there is refused; so are signs, exponents, blanks, leading
 * zeros and separators of thousands.
 */
export function toUnits(text: string, decimals: number): bigint {
  checkDecimals(decimals);
  if (typeof text !== "string") {
    throw new InputError(
      "amount_type",
      `an amount is a ${typeof text}, not a text`,
      "Pass the decimal text as it was written; a number has lost digits already",
    );
  }
  const match = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(text);
  if (match === null) {
    throw new InputError(
      "amount_text",
      `amount ${shown(text)} is not a plain decimal number`,
      "Write digits and at most one point, such as 12.5",
    );
  }
  const fraction = (match[2] ?? "").replace(/0+$/, "");
  if (fraction.length > decimals) {
    throw new InputError(
      "amount_text",
      `amount ${shown(text)} has more than ${decimals} decimals`,
      "The token cannot be divided that far; write an amount that it has",
    );
  }
  return BigInt(`${match[1]}${fraction.padEnd(decimals, "0")}`);
}

/** The decimal text of an amount in units, without zeros at its end. */
export function fromUnits(units: bigint, decimals: number): string {
  checkDecimals(decimals);
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return `${units < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

function checkDecimals(decimals: number): void {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > 38) {
    throw new InputError(
      "number_range",
      `a token of ${decimals} decimals cannot be`,
      "Ask the token: client.tokenDecimals()",
    );
  }
}
