//! The compiled contracts, as `scripts/build-contract.sh` leaves them.

use std::path::PathBuf;
use std::string::String;
use std::vec::Vec;

/// The optimised Wasm of a package (`-` written as `_`).
pub(crate) fn read(name: &str) -> Vec<u8> {
    read_file(name, "wasm")
}

/// What built it: the JSON beside the Wasm.
pub(crate) fn built_with(name: &str) -> String {
    String::from_utf8(read_file(name, "json")).unwrap()
}

fn read_file(name: &str, extension: &str) -> Vec<u8> {
    let path = folder().join(name).with_extension(extension);
    std::fs::read(&path).unwrap_or_else(|error| {
        panic!(
            "{}: {error}; run scripts/build-contract.sh --all first",
            path.display()
        )
    })
}

/// `PROGRAM_ESCROW_WASM_DIR`, else `contracts/` in cargo's target folder.
fn folder() -> PathBuf {
    if let Some(folder) = std::env::var_os("PROGRAM_ESCROW_WASM_DIR") {
        return folder.into();
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../target")),
        PathBuf::from,
    );
    target.join("contracts")
}
