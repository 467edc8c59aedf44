// A process that pays, and is killed at a point that its parent names.
import { Keypair } from "@stellar/stellar-sdk";

import { EscrowClient, keypairSigner } from "../../src/index.js";
import { FileKeyStore } from "../../src/node.js";
import { QUICK } from "./program.js";

const [
  rpcUrl = "",
  networkPassphrase = "",
  contract = "",
  folder = "",
  point = "",
  key = "",
  recipient = "",
] = process.argv.slice(2);
const keypair = Keypair.fromSecret(process.env["VICTIM_SECRET"] ?? "");

function die(here: string): void {
  if (here === point) process.kill(process.pid, "SIGKILL");
}

const signer = keypairSigner(keypair);
const client = new EscrowClient({
  rpcUrl,
  networkPassphrase,
  contract,
  allowHttp: true,
  store: await FileKeyStore.open(folder),
  retry: QUICK,
  signer: {
    address: signer.address,
    async sign(envelope, passphrase) {
      die("before signing");
      return signer.sign(envelope, passphrase);
    },
  },
  onEvent: ({ type }) => die(type),
});
const outcome = await client.paySingle(key, { recipient, amount: 5n });
die("after the verdict");
process.stdout.write(outcome.status);
