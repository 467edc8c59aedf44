// The vectors that every implementation is tested against.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  checkKey,
  checkProgramId,
  checkRecipient,
  checkRowId,
  checkRunName,
  fingerprint,
  gatewayKey,
  InputError,
  networkId,
  newBatchKey,
  newSingleKey,
  newUuidKey,
  readKey,
  reference,
  rowIdFromCell,
  runKey,
} from "../../src/index.js";
import { checkPrefix, contractBytes } from "../../src/keys/address.js";
import { fromHex } from "../../src/keys/bytes.js";
import { checkFingerprint, referenceBytes } from "../../src/keys/fingerprint.js";
import { repository } from "../support/repository.js";

interface Invalid {
  value: string;
  reason: string;
}
interface Derived {
  network_id: string;
  contract: string;
  program_id: string;
}
interface Vectors {
  networks: { passphrase: string; network_id: string }[];
  random_keys: {
    recipients: string[];
    key: string;
    form: string;
    program_id: string;
    nonce: string;
  }[];
  uuids: { random: string; key: string }[];
  read_keys: (Record<string, string | number> & { key: string; form: string })[];
  run_names: { given: string; run: string }[];
  run_keys: (Derived & { run: string; slot: number; key: string })[];
  gateway_keys: (Derived & { caller_key: string; counter: number; key: string })[];
  row_ids: { cell: string; id: string }[];
  references: (Derived & { run: string; id: string; reference: string })[];
  fingerprints: {
    vectors: {
      name: string;
      recipients: string[];
      amounts: string[];
      references: string[] | null;
      fingerprint: string;
    }[];
  };
  invalid: Record<string, Invalid[]>;
}

const vectors = JSON.parse(
  readFileSync(join(repository, "testdata/vectors.json"), "utf8"),
) as Vectors;

const fixed = (hex: string) => (bytes: Uint8Array) => {
  const source = fromHex(hex, bytes.length);
  assert.ok(source, `${hex} for ${bytes.length} bytes`);
  bytes.set(source);
};

test("ids of networks", async () => {
  for (const { passphrase, network_id } of vectors.networks) {
    assert.equal(await networkId(passphrase), network_id);
  }
});

test("random keys are made and read", () => {
  for (const { recipients, key, form, program_id, nonce } of vectors.random_keys) {
    const made =
      form === "single"
        ? newSingleKey(program_id, recipients[0] ?? "", fixed(nonce))
        : newBatchKey(program_id, recipients, fixed(nonce));
    assert.equal(made, key);
  }
  for (const { random, key } of vectors.uuids) assert.equal(newUuidKey(fixed(random)), key);
});

test("keys are read from the right", () => {
  for (const { key, bytes: _, ...expected } of vectors.read_keys) {
    const names: Record<string, string> = {
      program_id: "programId",
      recipient_prefix: "recipientPrefix",
    };
    const renamed = Object.fromEntries(
      Object.entries(expected).map(([name, value]) => [names[name] ?? name, value]),
    );
    assert.deepEqual(readKey(key), renamed, key);
  }
});

test("derived keys and references", async () => {
  for (const { given, run } of vectors.run_names) assert.equal(checkRunName(given), run);
  for (const v of vectors.run_keys) {
    const at = { networkId: v.network_id, contract: v.contract };
    assert.equal(await runKey(v.program_id, at, v.run, v.slot), v.key);
  }
  for (const v of vectors.gateway_keys) {
    const at = { networkId: v.network_id, contract: v.contract };
    assert.equal(await gatewayKey(v.program_id, at, v.caller_key, v.counter), v.key);
  }
  for (const { cell, id } of vectors.row_ids) assert.equal(rowIdFromCell(cell), id);
  for (const v of vectors.references) {
    const at = { networkId: v.network_id, contract: v.contract };
    assert.equal(await reference(at, v.run, v.id), v.reference);
  }
});

test("fingerprints", async () => {
  for (const v of vectors.fingerprints.vectors) {
    const amounts = v.amounts.map(BigInt);
    const made = await fingerprint(v.recipients, amounts, v.references ?? undefined);
    assert.equal(made, v.fingerprint, v.name);
  }
});

const checks: Record<string, [string, (value: string) => unknown]> = {
  program_ids: ["program_id", checkProgramId],
  keys: ["key", checkKey],
  run_names: ["run_name", checkRunName],
  row_ids: ["row_id", checkRowId],
  recipients: ["recipient", checkRecipient],
  contracts: ["contract", contractBytes],
  recipient_prefixes: ["prefix", checkPrefix],
  references: ["reference", referenceBytes],
  fingerprints: ["fingerprint", checkFingerprint],
};

test("what is invalid is refused, for its reason", () => {
  assert.deepEqual(Object.keys(vectors.invalid).sort(), Object.keys(checks).sort());
  for (const [name, values] of Object.entries(vectors.invalid)) {
    const [prefix, check] = checks[name] ?? assert.fail(name);
    for (const { value, reason } of values) {
      assert.throws(
        () => check(value),
        (error) => {
          assert.ok(error instanceof InputError, `${name} ${value}: ${error}`);
          assert.equal(error.code, `${prefix}_${reason}`, `${name} ${JSON.stringify(value)}`);
          if (reason === "secret") assert.ok(!error.message.includes(value.trim().slice(1, 20)));
          return true;
        },
      );
    }
  }
});

test("two keys of one program, kind and recipient differ", () => {
  const recipient = vectors.random_keys[0]?.recipients[0] ?? "";
  const keys = new Set(Array.from({ length: 1000 }, () => newSingleKey("p", recipient)));
  assert.equal(keys.size, 1000);
});
