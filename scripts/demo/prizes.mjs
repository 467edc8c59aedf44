// Prizes from a CSV file with the columns walletAddress, id and amount, as the Stellar Disbursement Platform names
// them. Amounts are read exactly, as stroops: a floating-point number would lose some.

import { readFileSync } from "node:fs";

/** Reads the prizes of a file; exits with a sentence that names the row where one cannot be read. */
export function readPrizes(file) {
  const lines = readFileSync(file, "utf8").split(/\r?\n/).filter((line) => line !== "");
  const header = lines[0].split(",");
  const column = (name) => {
    const index = header.indexOf(name);
    if (index < 0) fail(`${file} has no column ${name}`);
    return index;
  };
  const [wallet, id, amount] = ["walletAddress", "id", "amount"].map(column);
  return lines.slice(1).map((line, index) => {
    if (line.includes('"')) fail(`row ${index + 2}: quoted cells are more than this demo reads`);
    const cells = line.split(",");
    return { id: cells[id], wallet: cells[wallet], amount: stroops(cells[amount], index + 2) };
  });
}

/** Stroops, as units of the asset with seven places. */
export function units(amount) {
  const digits = String(amount).padStart(8, "0");
  return `${digits.slice(0, -7)}.${digits.slice(-7)}`;
}

function stroops(text, row) {
  const match = /^(\d+)(?:\.(\d{1,7}))?$/.exec(text ?? "");
  if (match === null) fail(`row ${row}: ${JSON.stringify(text)} is not an amount`);
  const amount = BigInt(match[1] + (match[2] ?? "").padEnd(7, "0"));
  if (amount <= 0n) fail(`row ${row}: the amount is not above zero`);
  return amount;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
