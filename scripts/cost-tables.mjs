// Writes the table and the chart of docs/costs.md from the golden costs, so that no number is copied by hand.
//
//   node scripts/cost-tables.mjs            writes docs/costs.md (between its two marks) and docs/costs.svg
//   node scripts/cost-tables.mjs --check    writes nothing, fails if they are not up to date
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const golden = readFileSync(`${root}contracts/program-escrow/testdata/golden/costs.txt`, "utf8");
const BEGIN = "<!-- costs: written by scripts/cost-tables.mjs -->";
const END = "<!-- costs: end -->";

const lines = golden.split("\n").filter((line) => line && !line.startsWith("#")).map((line) => line.split(/\s+/));
const columns = lines[0];
const rows = lines.slice(1).map((cells) => Object.fromEntries(cells.map((cell, at) => [columns[at], at ? Number(cell) : cell])));
const tools = [...golden.matchAll(/^# (rustc|stellar_cli|wasm_opt) (.+)$/gm)].map(([, name, version]) => `${name} ${version}`);

const xlm = (stroops) => (stroops / 1e7).toFixed(4);
const count = (number) => number.toLocaleString("en-US");
const right = [1, 2, 3, 4, 5, 6].map(() => "---:").join(" | ");
const table = [
  "| Call | Instructions | Entries written | Bytes written | Events and return value, bytes | Rent, XLM | Rest, XLM |",
  `| --- | ${right} |`,
  ...rows.map((row) => {
    const numbers = [row.instructions, row.writes, row["write-bytes"], row.emitted].map(count);
    return `| \`${row.call}\` | ${[...numbers, xlm(row.rent), xlm(row.rest)].join(" | ")} |`;
  }),
  "",
  `Built with ${tools.join(", ")}.`,
].join("\n");

// One bar a batch size and kind: what one recipient's share of the fee is, rent and rest apart.
const kinds = [
  ["accounts", "classic accounts"],
  ["contracts", "contracts that hold the asset"],
  ["new-contracts", "contracts that get their first balance"],
];
const bars = kinds.flatMap(([kind, title], group) =>
  [1, 10, 60].map((size, at) => {
    const row = rows.find((candidate) => candidate.call === `batch-${size}-${kind}`);
    return { title: at ? "" : title, size, rent: row.rent / size, rest: row.rest / size, y: 44 + group * 100 + at * 22 };
  }),
);
const scale = 360 / Math.max(...bars.map((bar) => bar.rent + bar.rest));
const rect = (x, y, width, colour) =>
  `<rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(width, 0.5).toFixed(1)}" height="16" fill="${colour}"/>`;
const svg = [
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 350" font-family="sans-serif" font-size="12" fill="#444">`,
  `<title>Fee of one recipient's share in XLM, by batch size and kind of recipient</title>`,
  `<rect width="640" height="350" fill="#fff"/>`,
  ...bars.flatMap((bar) => [
    bar.title && `<text x="20" y="${bar.y - 10}" font-weight="bold">${bar.title}</text>`,
    `<text x="120" y="${bar.y + 12}" text-anchor="end">batch of ${bar.size}</text>`,
    rect(130, bar.y, bar.rent * scale, "#4a76a8"),
    rect(130 + bar.rent * scale, bar.y, bar.rest * scale, "#e0913a"),
    `<text x="${(138 + (bar.rent + bar.rest) * scale).toFixed(1)}" y="${bar.y + 12}">${xlm(bar.rent + bar.rest)} XLM</text>`,
  ]),
  rect(130, 328, 16, "#4a76a8"),
  `<text x="152" y="341">rent</text>`,
  rect(200, 328, 16, "#e0913a"),
  `<text x="222" y="341">everything else</text>`,
  "</svg>",
  "",
]
  .filter(Boolean)
  .join("\n");

const page = readFileSync(`${root}docs/costs.md`, "utf8");
const [before, rest] = page.split(BEGIN);
const after = rest?.split(END)[1];
if (after === undefined) throw new Error(`docs/costs.md has no ${BEGIN} … ${END}`);
const files = { "docs/costs.md": `${before}${BEGIN}\n\n${table}\n\n${END}${after}`, "docs/costs.svg": `${svg}\n` };
for (const [name, text] of Object.entries(files)) {
  if (process.argv[2] !== "--check") {
    writeFileSync(root + name, text);
  } else {
    let now = "";
    try {
      now = readFileSync(root + name, "utf8");
    } catch {}
    if (now !== text) {
      console.error(`${name} does not show the golden costs; run: node scripts/cost-tables.mjs`);
      process.exitCode = 1;
    }
  }
}
