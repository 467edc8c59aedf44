// Pays lists of recipients from a browser. The key of a list follows from its name, so that a list
// has one key for ever: in this tab, after a reload, in another tab, on another machine.
import { Keypair } from "@stellar/stellar-sdk";
import {
  BrowserKeyStore,
  EscrowClient,
  fromUnits,
  keypairSigner,
  networkId,
  type Outcome,
  type Payment,
  runKey,
  toUnits,
} from "program-escrow-client";

/** Where the program lives: `?rpc=…&passphrase=…&contract=C…` in the page's address. */
const place = new URLSearchParams(location.search);
const common = {
  rpcUrl: place.get("rpc") ?? "",
  networkPassphrase: place.get("passphrase") ?? "",
  contract: place.get("contract") ?? "",
  allowHttp: place.get("rpc")?.startsWith("http://127.0.0.1") ?? false,
  store: await BrowserKeyStore.open(),
};

const states = new Map<string, { kind: string; text: string }>();

function client(): EscrowClient {
  const keypair = Keypair.fromSecret(field("secret").value);
  return new EscrowClient({
    ...common,
    signer: keypairSigner(keypair),
    onEvent: (event) => {
      if (event.type === "sent") show(event.key, "running", "sent; waiting for a ledger");
      if (event.type === "waiting") show(event.key, "running", `looking again (${event.round})`);
    },
  });
}

/** Runs a payout and shows how it ends. Whatever happens, its key and arguments are stored. */
async function run(key: string, pay: (client: EscrowClient) => Promise<Outcome>): Promise<void> {
  show(key, "running", "in progress");
  try {
    const outcome = await pay(client());
    show(key, outcome.status, `${outcome.status}. ${outcome.next}`);
    await tell();
  } catch (error) {
    show(key, "error", error instanceof Error ? error.message : "failed");
  }
}

function show(key: string, kind: string, text: string): void {
  states.set(key, { kind, text });
  void draw();
}

async function draw(): Promise<void> {
  const payouts = (await common.store.list()).filter(({ id }) => id.contract === common.contract);
  const rows = payouts.map(({ id, arguments: { recipients }, settled }) => {
    const stored = settled ?? { status: "outcomeUnknown" };
    const text =
      settled === undefined
        ? "not known yet: go on"
        : `${settled.status} in ledger ${settled.ledger}`;
    const state = states.get(id.key) ?? { kind: stored.status, text };
    const again = document.createElement("button");
    again.type = "button";
    again.textContent = "Go on";
    again.disabled = state.kind === "running";
    again.onclick = () => run(id.key, (escrow) => escrow.retry(id.key));
    return row([id.key, String(recipients.length), state.text, again], state.kind);
  });
  element("payouts").replaceChildren(...rows);
}

function row(cells: (string | Node)[], kind: string): HTMLTableRowElement {
  const line = document.createElement("tr");
  for (const cell of cells) line.insertCell().append(cell);
  line.cells[2]?.classList.add(kind);
  return line;
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no ${id}`);
  return found;
}

function field(id: string): HTMLInputElement {
  return element(id) as HTMLInputElement;
}

async function tell(): Promise<void> {
  const { program_id, remaining_balance, payout_count } = await reader.program();
  element("program").textContent =
    `${program_id}: ${fromUnits(remaining_balance, decimals)} to pay, ${payout_count} payouts so far`;
}

await draw();
const reader = new EscrowClient(common);
const { program_id } = await reader.program();
const decimals = await reader.tokenDecimals();
await tell();

element("form").onsubmit = async (event) => {
  event.preventDefault();
  const payments: Payment[] = field("rows")
    .value.trim()
    .split("\n")
    .map((line) => {
      const [recipient = "", amount = ""] = line.split(",").map((cell) => cell.trim());
      return { recipient, amount: toUnits(amount, decimals) };
    });
  const at = { networkId: await networkId(common.networkPassphrase), contract: common.contract };
  const key = await runKey(program_id, at, field("name").value, 0);
  await run(key, (escrow) => escrow.payBatch(key, payments));
};
