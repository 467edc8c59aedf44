//! `stellar-escrow`: exactly-once payouts on Stellar. On `PATH` it is also the plugin
//! `stellar escrow`.

mod amount;
mod ask;
mod commands;
mod config;
mod desk;
mod exit;
mod output;
mod run;

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
        Ok(exit) => exit,
        Err(error) => {
            eprintln!("error: {error}");
            error.exit()
        }
    }
}
