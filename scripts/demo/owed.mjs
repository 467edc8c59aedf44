// What a file owes, as the audit takes it: the run's name finds the payout of each id, so there are no keys.
//
//   node scripts/demo/owed.mjs FILE

import { readPrizes } from "./prizes.mjs";

console.log("id,key,recipient,amount");
for (const { id, wallet, amount } of readPrizes(process.argv[2])) console.log(`${id},,${wallet},${amount}`);
