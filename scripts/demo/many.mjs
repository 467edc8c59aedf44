// Writes a file of prizes of any length: different wallets, amounts from 1 to 1,000 units of money.
//
//   node scripts/demo/many.mjs ROWS
//
// Wallets are random public keys. Nobody has their secrets; the local ledger opens them past all rules.

import { createHash } from "node:crypto";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function address(key) {
  const body = Buffer.concat([Buffer.from([6 << 3]), key]);
  let crc = 0;
  for (const byte of body) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  const bytes = Buffer.concat([body, Buffer.from([crc & 0xff, crc >> 8])]);
  let bits = 0n;
  for (const byte of bytes) bits = (bits << 8n) | BigInt(byte);
  let text = "";
  for (let at = bytes.length * 8 - 5; at >= 0; at -= 5) text += ALPHABET[Number((bits >> BigInt(at)) & 31n)];
  return text;
}

const rows = Number(process.argv[2]);
const lines = ["walletAddress,id,amount,paymentID"];
for (let row = 1; row <= rows; row++) {
  const key = createHash("sha256").update(`many ${row}`).digest();
  lines.push([address(key), `row-${String(row).padStart(6, "0")}`, 1 + (row % 1000), `P-${row}`].join(","));
}
console.log(lines.join("\n"));
