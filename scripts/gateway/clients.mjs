// Clients that retry everything: each order is sent to either gateway, often twice at once, until an answer with an order
// comes; then it is asked for until it is confirmed. Ends when all are. A second order for a key ends it at once.
//
//   node clients.mjs ORDERS TOKEN RECIPIENTS-FILE URL-FILE...        each URL-FILE holds the present address of a gateway
import { readFileSync } from "node:fs";

const [count, token, recipientsFile, ...urlFiles] = process.argv.slice(2);
const orders = Number(count);
const recipients = readFileSync(recipientsFile, "utf8").trim().split("\n");
const program = "hackathon-2026";
const CLIENTS = 48;
const statuses = new Map();

const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const anyGateway = () => {
  const url = readFileSync(urlFiles[Math.floor(Math.random() * urlFiles.length)], "utf8").trim();
  return url || "http://127.0.0.1:9";
};

async function ask(path, options = {}) {
  try {
    const answer = await fetch(anyGateway() + path, {
      ...options,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...options.headers },
      signal: AbortSignal.timeout(10_000),
    });
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    return { status: answer.status, body: await answer.json() };
  } catch {
    statuses.set("none", (statuses.get("none") ?? 0) + 1);
    return { status: 0, body: {} };
  }
}

function submit(number) {
  const body = JSON.stringify({
    recipients: [recipients[number % recipients.length]],
    amounts: [String(1000 + (number % 7))],
  });
  const headers = { "idempotency-key": `order-${number}` };
  return ask(`/v1/programs/${program}/payouts`, { method: "POST", body, headers });
}

const ids = new Map();
function remember(number, id) {
  const known = ids.get(number);
  if (known && known !== id) {
    console.error(`order-${number} has two orders: ${known} and ${id}`);
    process.exit(1);
  }
  ids.set(number, id);
}

let next = 0;
let confirmed = 0;
async function client() {
  while (next < orders) {
    const number = next++;
    for (;;) {
      const answers = await Promise.all([submit(number), ...(Math.random() < 0.3 ? [submit(number)] : [])]);
      for (const { status, body } of answers) {
        if (status === 200 || status === 202) remember(number, body.id);
        else if (status >= 400 && status < 500 && status !== 429) {
          console.error(`order-${number} was refused: ${JSON.stringify(body)}`);
          process.exit(1);
        }
      }
      if (ids.has(number)) break;
      await sleep(200 + Math.random() * 800);
    }
  }
}

async function settle(number) {
  for (;;) {
    const { status, body } = await submit(number);
    if (status === 200) {
      remember(number, body.id);
      if (body.state === "confirmed") return;
      if (body.state === "rejected" && !body.final) {
        const headers = { "idempotency-key": `retry-${number}-${Date.now()}` };
        await ask(`/v1/payouts/${body.id}/retry`, { method: "POST", body: "{}", headers });
      }
      if (body.final) {
        console.error(`order-${number} ended ${body.state}: ${body.explanation}`);
        process.exit(1);
      }
    }
    await sleep(1000 + Math.random() * 4000);
  }
}

const started = Date.now();
await Promise.all(Array.from({ length: CLIENTS }, client));
console.error(`all ${orders} orders are stored after ${Math.round((Date.now() - started) / 1000)} s`);
let settling = 0;
const progress = setInterval(() => console.error(`${confirmed} of ${orders} are confirmed`), 30_000);
await Promise.all(
  Array.from({ length: CLIENTS }, async () => {
    while (settling < orders) {
      await settle(settling++);
      confirmed += 1;
    }
  }),
);
clearInterval(progress);
const list = [...statuses].map(([status, times]) => `${status}: ${times}`).join(", ");
console.error(`all are confirmed after ${Math.round((Date.now() - started) / 1000)} s; answers by status: ${list}`);
