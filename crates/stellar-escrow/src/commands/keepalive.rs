//! `stellar-escrow keepalive`.

use clap::{Args, ValueEnum};
use payout_engine::escrow::{Lives, lives};
use payout_engine::ledger::Life;
use payout_engine::transaction::Act;
use stellar_xdr::LedgerKey;

use super::status::SOON;
use crate::config::ContractArgs;
use crate::desk::{ActArgs, Desk, Error, Plan, block_on};
use crate::output::{self, Record};

/// Shows how long instance and code live, and lengthens it. Anybody may pay for that. No call of the
/// escrow does it by itself; what is archived is restored by whoever calls next, at its cost.
#[derive(Args)]
pub(crate) struct Cmd {
    /// Let them live for this many ledgers from now on; a ledger takes about five seconds
    #[arg(long, value_name = "LEDGERS")]
    extend_to: Option<u32>,
    /// Only one of them. The code is dear, and shared by all escrows of the same hash
    #[arg(long, value_enum, requires = "extend_to")]
    only: Option<Part>,
    #[command(flatten)]
    contract: ContractArgs,
    #[command(flatten)]
    act: ActArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Part {
    Instance,
    Code,
}

impl Cmd {
    pub(crate) fn run(self) -> Result<(), Error> {
        block_on(async {
            let Some(ledgers) = self.extend_to else {
                return self.show().await;
            };
            let desk = Desk::open(&self.act).await?;
            let contract = desk.contract(&self.contract)?;
            let before = lives(&desk.client, contract).await?;
            let mut charged = 0_i64;
            let archived = self.keys(&before, |life| life == Life::Archived);
            if !archived.is_empty() {
                let will = format!("restore {} archived entries of {contract}", archived.len());
                charged = self
                    .act(&desk, will, &Act::Restore { keys: archived })
                    .await?;
            }
            let shorter = |life| match life {
                Life::Until(until) => until < before.ledger.saturating_add(ledgers),
                Life::Archived => true,
                Life::Unlimited => false,
            };
            let keys = self.keys(&before, shorter);
            if !keys.is_empty() {
                let will = format!("let {contract} live for {ledgers} more ledgers");
                let act = Act::Extend { keys, ledgers };
                charged = charged.saturating_add(self.act(&desk, will, &act).await?);
            }
            let after = lives(&desk.client, contract).await?;
            let record = record(&after).with("fee_charged", charged.to_string());
            Ok(output::one(record, desk.format)?)
        })
    }

    async fn show(&self) -> Result<(), Error> {
        let read = &self.act.read;
        let network = read.network.resolve()?;
        let folder = read.network.folder.resolve()?;
        let contract = self.contract.resolve(&folder, network.passphrase())?;
        let found = lives(&network.client()?, contract).await?;
        Ok(output::one(record(&found), read.output)?)
    }

    fn keys(&self, of: &Lives, wanted: impl Fn(Life) -> bool) -> Vec<LedgerKey> {
        let entries = [
            (Part::Instance, Some(of.instance), &of.instance_key),
            (Part::Code, of.code, &of.code_key),
        ];
        entries
            .into_iter()
            .filter(|(part, life, _)| {
                self.only.is_none_or(|only| only == *part) && life.is_some_and(&wanted)
            })
            .map(|(_, _, key)| key.clone())
            .collect()
    }

    async fn act(&self, desk: &Desk, will: String, act: &Act) -> Result<i64, Error> {
        let cost = desk.prepare(act).await?.cost();
        desk.confirm(&Plan {
            will: vec![will.clone()],
            fee: cost.most,
            ..Plan::default()
        })?;
        let done = desk.apply(&will, act, Some(cost.most)).await?;
        Ok(done.fee_charged)
    }
}

fn record(lives: &Lives) -> Record {
    let until = |life| match life {
        Some(Life::Until(until)) => Some(until),
        _ => None,
    };
    let left = |life| until(life).map(|until| until.saturating_sub(lives.ledger));
    for (what, life) in [("instance", Some(lives.instance)), ("code", lives.code)] {
        match left(life) {
            None => eprintln!("warning: the {what} is archived; --extend-to restores it first"),
            Some(left) if left < SOON => {
                eprintln!("warning: the {what} has only {left} ledgers left");
            }
            Some(_) => {}
        }
    }
    Record::default()
        .with("ledger", lives.ledger)
        .with("instance_live_until", until(Some(lives.instance)))
        .with("instance_ledgers_left", left(Some(lives.instance)))
        .with("code_live_until", until(lives.code))
        .with("code_ledgers_left", left(lives.code))
        .with("wasm_hash", lives.code_hash.to_string())
}
