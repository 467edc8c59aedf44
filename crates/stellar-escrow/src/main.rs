//! `stellar-escrow`: exactly-once payouts on Stellar. On `PATH` it is also the plugin
//! `stellar escrow`.

mod commands;
mod config;

use std::process::ExitCode;

use clap::Parser;

use commands::Command;

#[derive(Parser)]
#[command(name = "stellar-escrow", version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    match Arguments::parse().command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
