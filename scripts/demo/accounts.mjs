// Prints the ledger entries that give every wallet of a file an account with an empty trustline, as the local ledger's
// `POST /localnet/entries` takes them, one request a line: the wallets belong to other people, who alone could sign for them.
//
//   node scripts/demo/accounts.mjs PRIZES.csv ASSET_CODE ISSUER

import { readPrizes } from "./prizes.mjs";

const [file, code, issuer] = process.argv.slice(2);
const wallets = [...new Set(readPrizes(file).map((prize) => prize.wallet))];
const entries = wallets.flatMap((wallet) => [
  {
    data: {
      account: {
        account_id: wallet,
        balance: "100000000",
        seq_num: "1",
        num_sub_entries: 1,
        inflation_dest: null,
        flags: 0,
        home_domain: "",
        thresholds: "01000000",
        signers: [],
        ext: "v0",
      },
    },
  },
  {
    data: {
      trustline: {
        account_id: wallet,
        asset: { credit_alphanum4: { asset_code: code, issuer } },
        balance: "0",
        limit: "9223372036854775807",
        flags: 1,
        ext: "v0",
      },
    },
  },
]);
// A request holds half a megabyte.
for (let at = 0; at < entries.length; at += 400) console.log(JSON.stringify({ entries: entries.slice(at, at + 400) }));
