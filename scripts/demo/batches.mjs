// Reads a file of prizes and prints the batches that pay it, one a line, in fields separated by tabs:
// idempotency key, number of recipients, total in stroops, recipients and amounts as JSON.
//
//   node scripts/demo/batches.mjs PRIZES.csv PROGRAM_ID BATCH_SIZE
//
// Keys are random, as the contract's users know them; they are printed before anything is paid, because a random key
// protects only as long as it is kept.

import { randomBytes } from "node:crypto";
import { readPrizes } from "./prizes.mjs";

const [file, programId, size] = process.argv.slice(2);
let left = readPrizes(file);
while (left.length > 0) {
  // In the file's order; a wallet never stands twice in one batch.
  const wallets = new Set();
  const batch = [];
  const later = [];
  for (const prize of left) {
    if (batch.length < Number(size) && !wallets.has(prize.wallet)) {
      wallets.add(prize.wallet);
      batch.push(prize);
    } else {
      later.push(prize);
    }
  }
  left = later;
  const nonce = randomBytes(8).toString("hex");
  const key = `${programId}-batch-${batch[0].wallet.slice(0, 8)}-${batch.length}r-${nonce}`;
  const total = batch.reduce((sum, prize) => sum + prize.amount, 0n);
  const recipients = JSON.stringify(batch.map((prize) => prize.wallet));
  const amounts = JSON.stringify(batch.map((prize) => String(prize.amount)));
  console.log([key, batch.length, total, recipients, amounts].join("\t"));
}
