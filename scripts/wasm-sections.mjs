// Judges a built contract. Usage: node wasm-sections.mjs BUILT.wasm FINAL.wasm
// Prints "TOTAL CODE" in bytes for FINAL. Fails unless FINAL is a module that a Soroban host can load as far as its
// sections tell, with the same contract sections as BUILT: an optimiser that drops or rewrites one makes a contract
// that no client can call.
import { readFileSync } from "node:fs";

const CONTRACT_SECTIONS = ["contractspecv0", "contractmetav0", "contractenvmetav0"];
const CODE = 10;

function fail(message) {
  console.error(`wasm-sections: error: ${message}`);
  process.exit(1);
}

function load(path) {
  const bytes = readFileSync(path);
  try {
    return { path, bytes, module: new WebAssembly.Module(bytes) };
  } catch (error) {
    return fail(`${path} is no valid Wasm module: ${error.message}`);
  }
}

/** The length of the code section's content. The module is known to be valid. */
function codeSize(bytes) {
  let at = 8; // magic and version
  while (at < bytes.length) {
    const id = bytes[at++];
    let size = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      size |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    if (id === CODE) return size;
    at += size;
  }
  return 0;
}

/** All sections of one name in one piece: the format lets a section come in several, and readers concatenate them. */
function section({ module }, name) {
  return Buffer.concat(WebAssembly.Module.customSections(module, name).map((part) => Buffer.from(part)));
}

if (process.argv.length !== 4) fail("usage: node wasm-sections.mjs BUILT.wasm FINAL.wasm");
const [built, final] = process.argv.slice(2).map(load);
for (const name of CONTRACT_SECTIONS) {
  if (section(built, name).length === 0) fail(`${built.path} has no section ${name}; is it a contract?`);
  if (!section(built, name).equals(section(final, name))) fail(`optimising changed the section ${name}`);
}
// The host's own functions come from modules with one-letter names. Anything else is a symbol that the linker left
// open, such as a memcpy that the compiler's support library should have had.
for (const { module, name } of WebAssembly.Module.imports(final.module)) {
  if (module.length !== 1) fail(`${final.path} imports ${module}.${name}, which no Soroban host offers`);
}
console.log(`${final.bytes.length} ${codeSize(final.bytes)}`);
