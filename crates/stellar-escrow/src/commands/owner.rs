//! `stellar-escrow owner`.

use clap::{Args, Subcommand};
use payout_engine::escrow::{Wanted, read};
use payout_engine::transaction::OperatorCall;

use super::delegate::Duration;
use crate::config::ContractArgs;
use crate::desk::{ActArgs, Desk, Error, ReadArgs, block_on, done};
use crate::output::{self, Record};

/// Who owns the escrow: the admin, who may change everything, code included.
#[derive(Args)]
pub(crate) struct Cmd {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Shows the owner and who was proposed
    Show(Show),
    /// Proposes another owner, who has to accept. The owner's
    Propose(Propose),
    /// Takes the proposal back. The owner's
    Cancel(Plain),
    /// Becomes the owner. The proposed one's
    Accept(Plain),
}

#[derive(Args)]
struct Show {
    #[command(flatten)]
    contract: ContractArgs,
    #[command(flatten)]
    read: ReadArgs,
}

#[derive(Args)]
struct Propose {
    /// The new owner: an address, an identity or a contract's alias
    who: String,
    /// How long it may be accepted: 90m, 12h, 7d, counted in ledgers of five seconds
    #[arg(long, value_name = "TIME", default_value = "1d")]
    within: Duration,
    #[command(flatten)]
    contract: ContractArgs,
    #[command(flatten)]
    act: ActArgs,
}

#[derive(Args)]
struct Plain {
    #[command(flatten)]
    contract: ContractArgs,
    #[command(flatten)]
    act: ActArgs,
}

const SECONDS_PER_LEDGER: u64 = 5;

impl Cmd {
    pub(crate) fn run(self) -> Result<(), Error> {
        block_on(async {
            match self.verb {
                Verb::Show(show) => show.run().await,
                Verb::Propose(propose) => propose.run().await,
                Verb::Cancel(cancel) => cancel.cancel().await,
                Verb::Accept(accept) => accept.accept().await,
            }
        })
    }
}

impl Show {
    async fn run(self) -> Result<(), Error> {
        let network = self.read.network.resolve()?;
        let folder = self.read.network.folder.resolve()?;
        let wanted = Wanted {
            passphrase: network.passphrase(),
            contract: self.contract.resolve(&folder, network.passphrase())?,
            delegate: None,
        };
        let facts = read(&network.client()?, &wanted).await?;
        let pending = facts.pending_owner.as_ref();
        let record = Record::default()
            .with("owner", facts.owner.to_string())
            .with(
                "proposed",
                pending.map(|pending| pending.address.to_string()),
            )
            .with(
                "until_ledger",
                pending.map(|pending| pending.live_until_ledger),
            );
        Ok(output::one(record, self.read.output)?)
    }
}

impl Propose {
    async fn run(self) -> Result<(), Error> {
        let desk = Desk::open(&self.act).await?;
        let facts = desk.facts(&self.contract).await?;
        let owner = desk.party(&self.who)?;
        let ledgers = u32::try_from(self.within.0 / SECONDS_PER_LEDGER).unwrap_or(u32::MAX);
        let live_until_ledger = facts.at.ledger.saturating_add(ledgers);
        let will = format!(
            "propose {owner} as the owner instead of {}, to be accepted up to ledger \
             {live_until_ledger}",
            facts.owner
        );
        let call = OperatorCall::TransferOwnership {
            owner,
            live_until_ledger,
        };
        let applied = desk.call(&facts, will, &call).await?;
        let record = applied.record().with("until_ledger", live_until_ledger);
        Ok(output::one(record, desk.format)?)
    }
}

impl Plain {
    async fn cancel(self) -> Result<(), Error> {
        let desk = Desk::open(&self.act).await?;
        let facts = desk.facts(&self.contract).await?;
        let pending = facts
            .pending_owner
            .as_ref()
            .ok_or_else(|| Error::Said("no new owner was proposed".to_owned()))?;
        let will = format!("take back the proposal of {} as the owner", pending.address);
        let call = OperatorCall::TransferOwnership {
            owner: pending.address,
            live_until_ledger: 0,
        };
        let applied = desk.call(&facts, will, &call).await?;
        done(&applied, desk.format)
    }

    async fn accept(self) -> Result<(), Error> {
        let desk = Desk::open(&self.act).await?;
        let facts = desk.facts(&self.contract).await?;
        let will = format!("become the owner instead of {}", facts.owner);
        let applied = desk
            .call(&facts, will, &OperatorCall::AcceptOwnership)
            .await?;
        done(&applied, desk.format)
    }
}
