//! `stellar-escrow delegate`.

use clap::{Args, Subcommand};
use payout_engine::Utc;
use payout_engine::escrow::{Wanted, read};
use payout_engine::transaction::OperatorCall;

use crate::amount::{shown, units};
use crate::config::{ContractArgs, party};
use crate::desk::{ActArgs, Desk, Error, ReadArgs, block_on, done};
use crate::output::{self, Record};

/// Lets others pay beside the payout key, up to an allowance and for a time.
#[derive(Args)]
pub(crate) struct Cmd {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Makes somebody a delegate, or replaces what is left of one. The admin's
    Set(Set),
    /// Ends a delegation at once. The admin's or the payout key's
    Revoke(Revoke),
    /// Shows what is left of a delegation
    Show(Show),
}

#[derive(Args)]
struct Set {
    /// The delegate: an address, an identity or a contract's alias
    who: String,
    /// How much it may pay in all, in whole tokens
    #[arg(long, value_name = "AMOUNT")]
    allowance: String,
    /// For how long: 90m, 12h, 30d
    #[arg(long, value_name = "TIME")]
    expires_in: Duration,
    #[command(flatten)]
    contract: ContractArgs,
    #[command(flatten)]
    act: ActArgs,
}

#[derive(Args)]
struct Revoke {
    /// The delegate
    who: String,
    /// Who revokes it [default: the source]
    #[arg(long, value_name = "WHO")]
    caller: Option<String>,
    #[command(flatten)]
    contract: ContractArgs,
    #[command(flatten)]
    act: ActArgs,
}

#[derive(Args)]
struct Show {
    /// The delegate
    who: String,
    #[command(flatten)]
    contract: ContractArgs,
    #[command(flatten)]
    read: ReadArgs,
}

/// A time in seconds.
#[derive(Clone, Copy)]
pub(super) struct Duration(pub(super) u64);

impl std::str::FromStr for Duration {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let hint = "write minutes, hours or days: 90m, 12h, 30d";
        let unit = match text.chars().last() {
            Some('m') => 60,
            Some('h') => 3_600,
            Some('d') => 86_400,
            _ => return Err(hint),
        };
        let number = text.get(..text.len().saturating_sub(1)).unwrap_or_default();
        let number: u64 = number.parse().map_err(|_| hint)?;
        number.checked_mul(unit).map(Self).ok_or(hint)
    }
}

impl Cmd {
    pub(crate) fn run(self) -> Result<(), Error> {
        block_on(async {
            match self.verb {
                Verb::Set(set) => set.run().await,
                Verb::Revoke(revoke) => revoke.run().await,
                Verb::Show(show) => show.run().await,
            }
        })
    }
}

impl Set {
    async fn run(self) -> Result<(), Error> {
        let desk = Desk::open(&self.act).await?;
        let facts = desk.facts(&self.contract).await?;
        let delegate = desk.party(&self.who)?;
        let allowance = units(&self.allowance, &facts.token)?;
        let now = desk.client.clock().await?.close_time;
        let now = now.ok_or_else(|| Error::Said("the node does not tell its time".to_owned()))?;
        let expires_at = now.saturating_add(self.expires_in.0);
        let will = format!(
            "let {delegate} pay up to {} until {}",
            shown(allowance, &facts.token),
            Utc(expires_at)
        );
        let call = OperatorCall::SetDelegate {
            delegate,
            allowance,
            expires_at,
        };
        let applied = desk.call(&facts, will, &call).await?;
        let record = applied.record().with("expires_at", expires_at);
        Ok(output::one(record, desk.format)?)
    }
}

impl Revoke {
    async fn run(self) -> Result<(), Error> {
        let mut desk = Desk::open(&self.act).await?;
        let facts = desk.facts(&self.contract).await?;
        let caller = desk.authoriser(self.caller.as_deref())?;
        let delegate = desk.party(&self.who)?;
        let call = OperatorCall::RevokeDelegate { caller, delegate };
        let will = format!("revoke the delegation of {delegate}");
        let applied = desk.call(&facts, will, &call).await?;
        done(&applied, desk.format)
    }
}

impl Show {
    async fn run(self) -> Result<(), Error> {
        let network = self.read.network.resolve()?;
        let folder = self.read.network.folder.resolve()?;
        let who = party(&self.who, &folder, &network)?;
        let wanted = Wanted {
            passphrase: network.passphrase(),
            contract: self.contract.resolve(&folder, network.passphrase())?,
            delegate: Some(who),
        };
        let facts = read(&network.client()?, &wanted).await?;
        let delegate = facts
            .delegate
            .ok_or_else(|| Error::Said(format!("{who} is no delegate")))?;
        let live = facts.at.close_time.map(|now| now < delegate.expires_at);
        let record = Record::default()
            .with("delegate", who.to_string())
            .with("allowance", facts.token.shown(delegate.allowance))
            .with("expires_at", delegate.expires_at)
            .with("live", live);
        Ok(output::one(record, self.read.output)?)
    }
}
