//! From a plan to a verdict.

use std::io::Write as _;

use payout_engine::envelope::SecretKey;
use payout_engine::escrow::{EscrowError, Facts, Wanted, read};
use payout_engine::protocol::Bid;
use payout_engine::rpc::Client;
use payout_engine::transaction::{
    Act, Keys, OperatorCall, Outcome, Patience, Prepared, Sealed, Verdict, prepare, settle,
};
use payout_keys::{ContractId, Recipient};

use super::args::ActArgs;
use super::error::Error;
use super::pending::Pending;
use crate::amount::xlm;
use crate::ask::confirmed;
use crate::config::{self, ContractArgs, Folder, Network, party, secret_key};
use crate::output::{self, Format, Record};

/// Settings, keys and a node that is of the network that was meant.
pub(crate) struct Desk {
    pub(crate) network: Network,
    pub(crate) folder: Folder,
    pub(crate) client: Client,
    pub(crate) source: SecretKey,
    pub(crate) format: Format,
    others: Vec<SecretKey>,
    bid: Option<Bid>,
    yes: bool,
    pending: Pending,
}

/// What a command will do, for the eye of whoever answers for it.
#[derive(Default)]
pub(crate) struct Plan {
    /// The contract, if one is concerned.
    pub(crate) contract: Option<String>,
    /// What is done.
    pub(crate) will: Vec<String>,
    /// The most it costs, in stroops, as far as that is known beforehand.
    pub(crate) fee: i64,
    /// Archived entries that are paid for beside it.
    pub(crate) restores: usize,
}

/// An act that was applied.
pub(crate) struct Done {
    pub(crate) hash: String,
    pub(crate) ledger: u32,
    pub(crate) fee_charged: i64,
}

impl Desk {
    /// Opens it: settings are looked up, the node is asked for its network, and what an earlier
    /// command left under way is brought to its verdict.
    pub(crate) async fn open(args: &ActArgs) -> Result<Self, Error> {
        let network = args.read.network.resolve()?;
        let folder = args.read.network.folder.resolve()?;
        let source = args.source.resolve(&folder)?;
        let mut client = None;
        for node in network.clients()? {
            let found = node.network().await?.passphrase;
            if found != network.passphrase() {
                return Err(EscrowError::WrongNetwork {
                    expected: network.passphrase().to_owned(),
                    found,
                }
                .into());
            }
            client.get_or_insert(node);
        }
        let client = client.ok_or_else(|| Error::Said("no node is named".to_owned()))?;
        let other = |who: &String| secret_key(who, None, &folder);
        let others = args.signer.iter().map(other).collect::<Result<_, _>>()?;
        let from_environment = || std::env::var("STELLAR_INCLUSION_FEE").ok()?.parse().ok();
        let desk = Self {
            bid: args.inclusion_fee.or_else(from_environment).map(Bid),
            yes: args.yes,
            format: args.read.output,
            pending: Pending::of(args.state_dir.as_deref(), network.id(), source.address())?,
            network,
            folder,
            client,
            source,
            others,
        };
        desk.settle_earlier().await?;
        Ok(desk)
    }

    async fn settle_earlier(&self) -> Result<(), Error> {
        let Some((what, sealed)) = self.pending.find()? else {
            return Ok(());
        };
        eprintln!("an earlier command is still under way: {what}; waiting for its verdict");
        let outcome = self.settle(&sealed).await?;
        match outcome.verdict {
            Verdict::NotApplied { .. } | Verdict::Refused { .. } => {
                eprintln!("{what}: {outcome}");
                Ok(())
            }
            _ => Err(Error::Earlier {
                what,
                outcome: Box::new(outcome),
            }),
        }
    }

    /// The contract that is meant.
    pub(crate) fn contract(&self, args: &ContractArgs) -> Result<ContractId, Error> {
        Ok(args.resolve(&self.folder, self.network.passphrase())?)
    }

    /// The facts of a deployment.
    pub(crate) async fn facts(&self, args: &ContractArgs) -> Result<Facts, Error> {
        let wanted = Wanted {
            passphrase: self.network.passphrase(),
            contract: self.contract(args)?,
            delegate: None,
        };
        Ok(read(&self.client, &wanted).await?)
    }

    /// Somebody by name or address.
    pub(crate) fn party(&self, name: &str) -> Result<Recipient, Error> {
        Ok(party(name, &self.folder, &self.network)?)
    }

    /// Who authorises: the source, or somebody else, whose key is looked for.
    pub(crate) fn authoriser(&mut self, who: Option<&str>) -> Result<Recipient, Error> {
        let Some(who) = who else {
            return Ok(self.source.address());
        };
        match secret_key(who, None, &self.folder) {
            Ok(key) => {
                let address = key.address();
                if address != self.source.address() {
                    self.others.push(key);
                }
                Ok(address)
            }
            Err(config::Error::AddressOnly(_)) => self.party(who),
            Err(other) => Err(other.into()),
        }
    }

    /// Keys that sign beside the source's.
    pub(crate) fn sign_with(&mut self, keys: impl IntoIterator<Item = SecretKey>) {
        self.others.extend(keys);
    }

    /// Simulates and prices.
    pub(crate) async fn prepare(&self, act: &Act) -> Result<Prepared, Error> {
        Ok(prepare(&self.client, self.source.address(), act.clone(), self.bid).await?)
    }

    /// Says what will be done, and asks.
    pub(crate) fn confirm(&self, plan: &Plan) -> Result<(), Error> {
        let host = self.network.host();
        let mut lines = vec![format!("network   {} at {host}", self.network.passphrase())];
        lines.extend(
            plan.contract
                .iter()
                .map(|contract| format!("contract  {contract}")),
        );
        lines.extend(plan.will.iter().map(|will| format!("will      {will}")));
        if plan.restores > 0 {
            lines.push(format!("restores  {} archived entries", plan.restores));
        }
        lines.push(format!("fee       at most {}", xlm(plan.fee)));
        lines.push(format!("source    {}\n", self.source.address()));
        let text = lines.join("\n");
        // Talk that nobody reads changes nothing.
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
        Ok(confirmed("Go on?", self.yes)?)
    }

    /// Does one act: priced anew, signed once, kept on disk, sent until there is a verdict.
    pub(crate) async fn apply(
        &self,
        what: &str,
        act: &Act,
        shown: Option<i64>,
    ) -> Result<Done, Error> {
        let prepared = self.prepare(act).await?;
        let now = prepared.cost().most;
        if let Some(shown) = shown.filter(|shown| now > shown.saturating_mul(2)) {
            return Err(Error::FeeRose { shown, now });
        }
        let keys = Keys {
            source: &self.source,
            others: &self.others,
        };
        let sealed = prepared.sign(&self.client, self.network.id(), keys).await?;
        self.pending.keep(what, &sealed)?;
        let outcome = self.settle(&sealed).await?;
        match outcome.verdict {
            Verdict::Applied {
                ledger,
                fee_charged,
                ..
            } => Ok(Done {
                hash: outcome.hash.to_string(),
                ledger,
                fee_charged,
            }),
            _ => Err(Error::Outcome {
                what: what.to_owned(),
                outcome: Box::new(outcome),
            }),
        }
    }

    /// What is known stays known: only a verdict lets the envelope be forgotten.
    async fn settle(&self, sealed: &Sealed) -> Result<Outcome, Error> {
        let pause = async |time| tokio::time::sleep(time).await;
        let outcome = settle(&self.client, sealed, Patience::default(), pause).await;
        if !matches!(outcome.verdict, Verdict::Unknown { .. }) {
            self.pending.forget(sealed)?;
        }
        Ok(outcome)
    }

    /// One call of the contract, from plan to verdict.
    pub(crate) async fn call(
        &self,
        facts: &Facts,
        will: String,
        call: &OperatorCall,
    ) -> Result<Done, Error> {
        let program = &facts.program.program_id;
        let contract = format!("{} (program {program})", facts.contract);
        self.call_on(facts.contract, contract, will, call).await
    }

    /// The same for a contract whose facts cannot be read.
    pub(crate) async fn call_on(
        &self,
        id: ContractId,
        contract: String,
        will: String,
        call: &OperatorCall,
    ) -> Result<Done, Error> {
        let act = call.act(id)?;
        let cost = self.prepare(&act).await?.cost();
        self.confirm(&Plan {
            contract: Some(contract),
            will: vec![will.clone()],
            fee: cost.most,
            restores: cost.restores,
        })?;
        self.apply(&will, &act, Some(cost.most)).await
    }
}

impl Done {
    /// What is reported of every act.
    pub(crate) fn record(&self) -> Record {
        Record::default()
            .with("transaction", self.hash.clone())
            .with("ledger", self.ledger)
            .with("fee_charged", self.fee_charged.to_string())
    }
}

/// Reports an act that has nothing else to say.
pub(crate) fn done(done: &Done, format: Format) -> Result<(), Error> {
    Ok(output::one(done.record(), format)?)
}
