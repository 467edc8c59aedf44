//! Prints the spec of a compiled contract as text: `cargo run --example spec -- FILE.wasm`.
//! With a second, newer file: what an upgrade from the first to it would take away, and an exit
//! status that says whether that is anything (`scripts/check-upgrade.sh`).

extern crate std;

use std::process::ExitCode;

#[path = "../src/tests/spec_text.rs"]
mod spec_text;

fn main() -> ExitCode {
    let specs: Vec<String> = std::env::args_os()
        .skip(1)
        .map(|path| spec_text::of_wasm(&std::fs::read(&path).expect("a Wasm that can be read")))
        .collect();
    match specs.as_slice() {
        [spec] => print!("{spec}"),
        [old, new] => {
            let missing = spec_text::missing(old, new);
            for line in &missing {
                println!("- {line}");
            }
            if !missing.is_empty() {
                return ExitCode::FAILURE;
            }
        }
        _ => {
            eprintln!("usage: spec FILE.wasm [NEWER.wasm]");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
