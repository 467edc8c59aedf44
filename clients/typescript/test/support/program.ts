// A program with money on a local network: lumens, so that recipients need no trustline.
import { readFileSync } from "node:fs";

import {
  Asset,
  BASE_FEE,
  contract,
  Keypair,
  nativeToScVal,
  Operation,
  rpc,
  scValToNative,
  Transaction,
  TransactionBuilder,
  xdr,
} from "@stellar/stellar-sdk";

import { Client } from "../../src/generated/program-escrow.js";
import {
  EscrowClient,
  type EscrowClientOptions,
  keypairSigner,
  MemoryKeyStore,
} from "../../src/index.js";
import { escrowWasm, type Network } from "./network.js";

export const PROGRAM = "hackathon-2026";
export const LOCKED = 50_000_000_000n;
const OPENING = 100_000_000n;

/** Short waits, for a ledger that closes when it is told to or at once. */
export const QUICK = { rounds: 12, baseDelayMs: 5, maxDelayMs: 50, transactions: 5 };

export interface Program {
  network: Network;
  server: rpc.Server;
  contract: string;
  token: string;
  admin: Keypair;
  payer: Keypair;
  /** The official bindings, signing for `signer`. */
  as(signer: Keypair): Client;
  client(options?: Partial<EscrowClientOptions>): EscrowClient;
  /** New accounts with the least that an account needs. */
  recipients(count: number): Promise<string[]>;
  /** What an account of `recipients` has been paid. */
  paidTo(address: string): Promise<bigint>;
  /** The names of the contract's events that bear a key. */
  events(key: string): Promise<string[]>;
}

/** Sets a program up; `imported` are keys that another system is said to have paid. */
export async function setUp(network: Network, imported: string[] = []): Promise<Program> {
  const server = new rpc.Server(network.url, { allowHttp: true });
  const [admin, payer] = [Keypair.random(), Keypair.random()];
  for (const key of [admin, payer]) await server.fundAddress(key.publicKey());
  await submit(
    network,
    server,
    admin,
    Operation.createStellarAssetContract({ asset: Asset.native() }),
  );
  const token = Asset.native().contractId(network.passphrase);
  const uploaded = await submit(
    network,
    server,
    admin,
    Operation.uploadContractWasm({ wasm: readFileSync(escrowWasm()) }),
  );
  const common = { networkPassphrase: network.passphrase, rpcUrl: network.url, allowHttp: true };
  const signing = (key: Keypair) => ({
    ...common,
    publicKey: key.publicKey(),
    ...contract.basicNodeSigner(key, network.passphrase),
  });
  const deployed = await Client.deploy(
    {
      admin: admin.publicKey(),
      program_id: PROGRAM,
      authorized_payout_key: payer.publicKey(),
      token,
    },
    { wasmHash: scValToNative(uploaded) as Buffer, ...signing(admin) },
  );
  const escrow = (await deployed.signAndSend()).result.options.contractId;
  const as = (signer: Keypair) => new Client({ contractId: escrow, ...signing(signer) });
  const lock = await as(admin).lock_program_funds({ from: admin.publicKey(), amount: LOCKED });
  await lock.signAndSend();
  if (imported.length > 0) {
    await (await as(admin).import_consumed_keys({ keys: imported })).signAndSend();
  }
  await (await as(admin).publish_program()).signAndSend();
  return {
    network,
    server,
    contract: escrow,
    token,
    admin,
    payer,
    as,
    client: (options = {}) =>
      new EscrowClient({
        ...common,
        contract: escrow,
        store: new MemoryKeyStore(),
        signer: keypairSigner(payer),
        retry: QUICK,
        ...options,
      }),
    recipients: async (count) => {
      const addresses = Array.from({ length: count }, () => Keypair.random().publicKey());
      await network.drive("entries", { entries: addresses.map(account) });
      return addresses;
    },
    paidTo: async (address) => {
      const key = Keypair.fromPublicKey(address).xdrAccountId();
      const { entries } = await server.getLedgerEntries(
        xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: key })),
      );
      return BigInt(entries[0]?.val.account().balance().toString() ?? "0") - OPENING;
    },
    events: async (key) => {
      const topic = nativeToScVal(key, { type: "string" }).toXDR("base64");
      const { events } = await server.getEvents({
        startLedger: 2,
        filters: [{ type: "contract", contractIds: [escrow], topics: [["*", topic]] }],
        limit: 1000,
      });
      return events.map(({ topic: [name] }) => String(name && scValToNative(name)));
    },
  };
}

function account(address: string): object {
  return {
    data: {
      account: {
        account_id: address,
        balance: OPENING.toString(),
        seq_num: "1",
        num_sub_entries: 0,
        inflation_dest: null,
        flags: 0,
        home_domain: "",
        thresholds: "01000000",
        signers: [],
        ext: "v0",
      },
    },
    live_until: null,
  };
}

async function submit(
  network: Network,
  server: rpc.Server,
  signer: Keypair,
  operation: xdr.Operation,
): Promise<xdr.ScVal> {
  const source = await server.getAccount(signer.publicKey());
  const raw = new TransactionBuilder(source, {
    fee: BASE_FEE,
    networkPassphrase: network.passphrase,
  })
    .addOperation(operation)
    .setTimeout(60)
    .build();
  const simulated = await server.simulateTransaction(raw);
  if (!rpc.Api.isSimulationSuccess(simulated)) throw new Error("the set-up failed to simulate");
  // The rent of a contract's code is more than a transaction's fee field holds; a fee bump holds it.
  const envelope = raw.toEnvelope();
  const inner = envelope.v1().tx();
  inner.ext(new xdr.TransactionExt(1, simulated.transactionData.build()));
  const [call] = inner.operations();
  call
    ?.body()
    .invokeHostFunctionOp()
    .auth(simulated.result?.auth ?? []);
  const tx = new Transaction(envelope, network.passphrase);
  tx.sign(signer);
  const bump = TransactionBuilder.buildFeeBumpTransaction(signer, BASE_FEE, tx, network.passphrase);
  bump.sign(signer);
  const sent = await server.sendTransaction(bump);
  if (sent.status !== "PENDING") {
    throw new Error(`the set-up was refused: ${sent.status} ${sent.errorResult?.toXDR("base64")}`);
  }
  const result = await server.pollTransaction(sent.hash);
  if (result.status !== rpc.Api.GetTransactionStatus.SUCCESS) {
    throw new Error(`the set-up failed: ${result.status}`);
  }
  return result.returnValue ?? xdr.ScVal.scvVoid();
}
