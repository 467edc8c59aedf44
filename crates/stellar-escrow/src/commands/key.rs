//! `stellar-escrow key`.

use clap::{Args, Subcommand};
use payout_keys::{
    Deployment, IdempotencyKey, KeyForm, KeyGenerator, NetworkId, ProgramId, Recipient, RunName,
    gateway_key, run_key,
};

use crate::config::{ContractArgs, NetworkArgs};
use crate::desk::Error;
use crate::output::{self, Format, Record};

/// Makes and reads idempotency keys. Reaches no network.
#[derive(Args)]
pub(crate) struct Cmd {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// A random key for one recipient. Store it before you use it
    Single {
        /// The program's id
        #[arg(long, value_name = "ID")]
        program_id: ProgramId,
        /// Who is paid
        recipient: Recipient,
    },
    /// A random key for a batch. Store it before you use it
    Batch {
        /// The program's id
        #[arg(long, value_name = "ID")]
        program_id: ProgramId,
        /// Who is paid, in the batch's order
        #[arg(required = true)]
        recipients: Vec<Recipient>,
    },
    /// A random UUID of version 4
    Uuid,
    /// The key of a slot of a run, as `pay` derives it
    Run {
        /// The program's id
        #[arg(long, value_name = "ID")]
        program_id: ProgramId,
        /// The run's name
        #[arg(long = "run", value_name = "NAME")]
        name: RunName,
        /// The slot; the first is 0
        #[arg(long)]
        slot: u32,
        #[command(flatten)]
        at: At,
    },
    /// The key on chain for a caller's key at the gateway
    Gateway {
        /// The program's id
        #[arg(long, value_name = "ID")]
        program_id: ProgramId,
        /// The caller's key
        caller_key: IdempotencyKey,
        /// How often the caller's key was deliberately used anew
        #[arg(long, default_value_t = 0)]
        counter: u32,
        #[command(flatten)]
        at: At,
    },
    /// What a key says about itself
    Read {
        /// The key
        key: IdempotencyKey,
        /// How data is written to stdout
        #[arg(long, value_enum, default_value_t)]
        output: Format,
    },
}

/// Where a derived key is valid.
#[derive(Args)]
struct At {
    #[command(flatten)]
    network: NetworkArgs,
    #[command(flatten)]
    contract: ContractArgs,
}

impl At {
    fn resolve(&self) -> Result<Deployment, Error> {
        let passphrase = self.network.passphrase()?;
        let folder = self.network.folder.resolve()?;
        Ok(Deployment {
            network: NetworkId::from_passphrase(&passphrase),
            contract: self.contract.resolve(&folder, &passphrase)?,
        })
    }
}

impl Cmd {
    pub(crate) fn run(self) -> Result<(), Error> {
        let mut random = KeyGenerator::new();
        let key = match self.verb {
            Verb::Single {
                program_id,
                recipient,
            } => random.single(&program_id, &recipient)?,
            Verb::Batch {
                program_id,
                recipients,
            } => random.batch(&program_id, &recipients)?,
            Verb::Uuid => random.uuid()?,
            Verb::Run {
                program_id,
                name,
                slot,
                at,
            } => run_key(&program_id, &at.resolve()?, &name, slot),
            Verb::Gateway {
                program_id,
                caller_key,
                counter,
                at,
            } => gateway_key(&program_id, &at.resolve()?, &caller_key, counter),
            Verb::Read { key, output } => return Ok(output::one(read(&key), output)?),
        };
        Ok(output::line(key.as_str())?)
    }
}

fn read(key: &IdempotencyKey) -> Record {
    let form = key.form();
    let (kind, recipient, count) = match &form {
        KeyForm::Single { recipient, .. } => ("single", Some(recipient.to_string()), Some(1)),
        KeyForm::Batch {
            recipient, count, ..
        } => ("batch", Some(recipient.to_string()), Some(count.get())),
        KeyForm::Run { .. } => ("run", None, None),
        KeyForm::Gateway { .. } => ("gateway", None, None),
        KeyForm::Uuid(_) => ("uuid", None, None),
        KeyForm::Other(_) => ("other", None, None),
    };
    Record::default()
        .with("key", key.as_str())
        .with("form", kind)
        .with(
            "program_id",
            form.program().map(|program| program.as_str().to_owned()),
        )
        .with("recipient_begins", recipient)
        .with("recipients", count)
        .with("bytes", key.as_str().len())
}
