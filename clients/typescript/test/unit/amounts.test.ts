import assert from "node:assert/strict";
import { test } from "node:test";

import { checkAmount, fromUnits, InputError, toUnits } from "../../src/index.js";

const refused = (code: string) => (error: unknown) => {
  assert.ok(error instanceof InputError);
  assert.equal(error.code, code);
  return true;
};

test("decimal texts become units exactly", () => {
  const cases: [string, bigint][] = [
    ["0.0000021", 21n],
    ["900719925.4740993", 9007199254740993n],
    ["90071992547.4099301", 900719925474099301n],
    ["5.00000000", 50_000_000n],
    ["5", 50_000_000n],
    ["0.10", 1_000_000n],
  ];
  for (const [text, units] of cases) assert.equal(toUnits(text, 7), units, text);
  assert.equal(toUnits("12", 0), 12n);
  assert.equal(toUnits("12.000", 0), 12n);
});

test("whatever would have to be guessed is refused", () => {
  const texts = [
    "0.00000001",
    "1e3",
    "050",
    "+5",
    "-5",
    " 5",
    "5 ",
    "",
    ".",
    "5.",
    ".5",
    "1,5",
    "1.000,00",
    "1 000",
    "\uFF11\uFF10",
    "0x10",
    "NaN",
    "Infinity",
    "5n",
    "1_000",
    "00",
    "1.2.3",
  ];
  for (const text of texts) assert.throws(() => toUnits(text, 7), refused("amount_text"), text);
  assert.throws(() => toUnits(5 as unknown as string, 7), refused("amount_type"));
  assert.throws(() => toUnits("5", 1.5), refused("number_range"));
});

test("an amount is a bigint above zero", () => {
  assert.equal(checkAmount(1n), 1n);
  assert.equal(checkAmount(2n ** 127n - 1n), 2n ** 127n - 1n);
  for (const value of [5, "5", null, undefined, 5.5]) {
    assert.throws(() => checkAmount(value), refused("amount_type"));
  }
  for (const value of [0n, -1n, 2n ** 127n]) {
    assert.throws(() => checkAmount(value), refused("amount_range"));
  }
});

test("units become the shortest decimal text, and come back", () => {
  assert.equal(fromUnits(21n, 7), "0.0000021");
  assert.equal(fromUnits(50_000_000n, 7), "5");
  assert.equal(fromUnits(0n, 7), "0");
  assert.equal(fromUnits(-15n, 1), "-1.5");
  for (const units of [1n, 10n, 9007199254740993n, 2n ** 127n - 1n]) {
    for (const decimals of [0, 7, 18]) {
      assert.equal(toUnits(fromUnits(units, decimals), decimals), units);
    }
  }
});
