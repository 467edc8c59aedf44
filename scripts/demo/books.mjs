// The contract's books say that exactly what a file owes was paid, and nothing beside it.
//
//   node scripts/demo/books.mjs FILE BOOKS      BOOKS is what get_program answers

import { readPrizes, units } from "./prizes.mjs";

const [file, text] = process.argv.slice(2);
const books = JSON.parse(text);
const owed = readPrizes(file).reduce((sum, prize) => sum + prize.amount, 0n);
const [paid, locked, withdrawn, left] = ["total_paid", "total_locked", "total_withdrawn", "remaining_balance"].map((name) =>
  BigInt(books[name]),
);
if (paid !== owed || locked !== paid + withdrawn + left) {
  console.error(`owed ${owed}, and the books say: paid ${paid}, locked ${locked}, withdrawn ${withdrawn}, left ${left}`);
  process.exit(1);
}
console.log(`${books.payout_count} payouts, ${units(paid)} paid, and the books agree`);
