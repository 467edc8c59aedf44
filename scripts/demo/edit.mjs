// Edits a file of prizes as people do, in the middle of paying it.
//
//   node scripts/demo/edit.mjs twins FILE                    one more id for the last row's wallet and amount
//   node scripts/demo/edit.mjs halfway FILE RECEIPTS OWED    of the rows that are paid, one gets another amount, one is
//                                                            removed, one is renamed; a row is appended; all are
//                                                            reversed. OWED is the file of what is owed after that
//   node scripts/demo/edit.mjs restore-name FILE             the renamed row gets its name back

import { readFileSync, writeFileSync } from "node:fs";

const [mode, file, receipts, owed] = process.argv.slice(2);
const RENAMED = "renamed-";
const TWIN = "the-twin";

function read(path) {
  const [header, ...rows] = readFileSync(path, "utf8").split(/\r?\n/).filter((line) => line !== "");
  return { header, rows: rows.map((row) => row.split(",")) };
}
function write(path, { header, rows }) {
  writeFileSync(path, [header, ...rows.map((row) => row.join(","))].join("\n") + "\n");
}

const table = read(file);
if (mode === "twins") {
  const [wallet, , amount] = table.rows.at(-1);
  table.rows.push([wallet, TWIN, amount, ""]);
  write(file, table);
} else if (mode === "halfway") {
  const twins = new Set([TWIN, table.rows.at(-2)[1]]);
  const paid = JSON.parse(readFileSync(receipts, "utf8"))
    .rows.filter((row) => row.status === "paid" && !twins.has(row.id))
    .map((row) => row.id);
  if (paid.length < 4) throw new Error(`only ${paid.length} rows are paid; nothing to edit`);
  const [edited, removed, renamed, again] = paid;
  const walletOf = (id) => table.rows.find((row) => row[1] === id)[0];
  const appended = [walletOf(again), "appended", "3.5", ""];
  const due = read(owed);
  due.rows.push(appended);
  write(owed, due);
  const rows = table.rows
    .filter((row) => row[1] !== removed)
    .map(([wallet, id, amount, payment]) =>
      id === edited ? [wallet, id, "1", payment] : id === renamed ? [wallet, RENAMED + id, amount, payment] : [wallet, id, amount, payment],
    );
  write(file, { header: table.header, rows: [...rows, appended].reverse() });
  console.log(`paid so far: ${paid.length}; edited ${edited}, removed ${removed}, renamed ${renamed}, appended one`);
} else if (mode === "restore-name") {
  const rows = table.rows.map(([wallet, id, ...rest]) => [wallet, id.startsWith(RENAMED) ? id.slice(RENAMED.length) : id, ...rest]);
  write(file, { header: table.header, rows });
} else {
  throw new Error(`there is no mode ${mode}`);
}
