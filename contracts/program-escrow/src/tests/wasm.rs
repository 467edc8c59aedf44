//! Where the compiled contracts are: what `scripts/build-contract.sh` has built.

use std::path::{Path, PathBuf};
use std::string::String;
use std::vec::Vec;
use std::{env, fs};

/// The Wasm of a package, by its name with `_` for `-`.
pub(crate) fn wasm(name: &str) -> Vec<u8> {
    let path = folder().join(name).with_extension("wasm");
    fs::read(&path).unwrap_or_else(|error| {
        panic!(
            "{}: {error}. Run scripts/build-contract.sh --all first, which builds the contract and \
             those that only tests use",
            path.display()
        )
    })
}

/// The contract itself.
pub(crate) fn program_escrow() -> Vec<u8> {
    wasm("program_escrow")
}

/// What `scripts/build-contract.sh` has written down about a Wasm: sizes, hash, tools.
pub(crate) fn manifest(name: &str) -> Option<String> {
    fs::read_to_string(folder().join(name).with_extension("json")).ok()
}

/// `PROGRAM_ESCROW_WASM_DIR`, or `contracts` below cargo's target folder.
fn folder() -> PathBuf {
    if let Some(folder) = env::var_os("PROGRAM_ESCROW_WASM_DIR") {
        return folder.into();
    }
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"),
        PathBuf::from,
    );
    target.join("contracts")
}
