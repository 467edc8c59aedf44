// Prints every wallet of a file of prizes once.
//
//   node scripts/demo/wallets.mjs PRIZES.csv

import { readPrizes } from "./prizes.mjs";

for (const wallet of new Set(readPrizes(process.argv[2]).map((prize) => prize.wallet))) console.log(wallet);
