// Compares what every wallet holds with what the file owes it, to the last stroop. Reads lines of wallet and balance
// in stroops from standard input.
//
//   node scripts/demo/settle.mjs PRIZES.csv

import { readFileSync } from "node:fs";
import { readPrizes, units } from "./prizes.mjs";

const owed = new Map();
for (const { wallet, amount } of readPrizes(process.argv[2])) {
  owed.set(wallet, (owed.get(wallet) ?? 0n) + amount);
}
const lines = readFileSync(0, "utf8").split("\n").filter((line) => line !== "");
const held = new Map(lines.map((line) => line.split(" ")).map(([wallet, balance]) => [wallet, BigInt(balance)]));
let total = 0n;
for (const [wallet, amount] of owed) {
  if (held.get(wallet) !== amount) {
    console.error(`${wallet} holds ${held.get(wallet)} stroops, and the file owes it ${amount}`);
    process.exit(1);
  }
  total += amount;
}
console.log(`${owed.size} wallets hold exactly what the file owes them, ${units(total)} in all`);
