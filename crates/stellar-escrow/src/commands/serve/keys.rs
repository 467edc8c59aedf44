//! Bearer keys, and the pinned code.

use clap::{Args, Subcommand};
use payout_gateway::Scope;
use payout_keys::ProgramId;

use super::Error;
use super::settings::Settings;

/// Bearer keys. Their text is shown once, when they are created.
#[derive(Args)]
pub(super) struct Cmd {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Creates a key and prints it, once
    Create(Create),
    /// Lists the keys, without their text
    List,
    /// Revokes a key, by its id
    Revoke {
        /// The key's id
        id: String,
    },
}

#[derive(Args)]
struct Create {
    /// The program that it is for; without it, for all
    #[arg(long = "for", value_name = "PROGRAM")]
    program: Option<String>,
    /// What to call it
    #[arg(long, default_value = "")]
    name: String,
    /// submit, read, operate; can be repeated
    #[arg(long, required = true)]
    scope: Vec<Scope>,
}

impl Cmd {
    pub(super) async fn run(self, settings: &Settings) -> Result<(), Error> {
        let store = settings.store().await?;
        match self.verb {
            Verb::Create(create) => {
                let program = create
                    .program
                    .as_deref()
                    .map(ProgramId::new)
                    .transpose()
                    .map_err(|error| Error::Asked(error.to_string()))?;
                let key = store
                    .create_key(program.as_ref(), &create.name, &create.scope)
                    .await?;
                eprintln!(
                    "key {} was created; its text is not stored anywhere:",
                    key.id
                );
                println!("{}", key.token);
            }
            Verb::List => {
                for key in store.list_keys().await? {
                    let state = key.revoked_at.as_deref().unwrap_or("in force");
                    println!(
                        "{}\t{}\t{}\t{}\t{}\t{state}",
                        key.id, key.program, key.scopes, key.name, key.created_at
                    );
                }
            }
            Verb::Revoke { id } => {
                if !store.revoke_key(&id).await? {
                    return Err(Error::Asked(format!("there is no key {id} in force")));
                }
                eprintln!("key {id} is revoked");
            }
        }
        store.close().await;
        Ok(())
    }
}

/// Says that a program's contract has new code on purpose. Until then its payouts wait.
#[derive(Args)]
pub(super) struct AcceptCode {
    /// The program
    program: String,
    /// The code's hash, as the gateway shows it
    hash: String,
}

impl AcceptCode {
    pub(super) async fn run(self, settings: &Settings) -> Result<(), Error> {
        let store = settings.store().await?;
        if !store.accept_code(&self.program, &self.hash).await? {
            return Err(Error::Asked(format!(
                "program {} was never read",
                self.program
            )));
        }
        store.close().await;
        Ok(())
    }
}
