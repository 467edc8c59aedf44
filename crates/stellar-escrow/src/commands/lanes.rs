//! `stellar-escrow lanes`.

use clap::{Args, Subcommand};
use payout_engine::envelope::SecretKey;
use payout_engine::rpc::Client;
use payout_engine::transaction::{Act, account, create_account, merge, payment};
use payout_keys::NetworkId;
use stellar_xdr::{Asset, Operation};

use crate::amount::{stroops, xlm};
use crate::config::SourceArgs;
use crate::desk::{ActArgs, Desk, Error, Plan, ReadArgs, block_on};
use crate::output::{self, Record};
use payout_engine::escrow::decimal;

/// Channel accounts: each carries one transaction at a time, so several run side by side, and their
/// fees are kept apart from the payout key.
///
/// Their keys follow from the source's secret and their numbers, so there is nothing to store and
/// nothing to lose.
#[derive(Args)]
pub(crate) struct Cmd {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Creates lanes 0 to COUNT-1, those that are missing
    Create(Change),
    /// Fills every lane up that has less than --balance
    Fund(Change),
    /// Shows the lanes; warns when one runs low
    List(List),
    /// Ends the lanes and gives their XLM back to the source
    Reclaim(Reclaim),
}

#[derive(Args)]
struct Change {
    /// How many lanes: 1 to 100
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100))]
    count: u32,
    /// What each lane is to have, in XLM
    #[arg(long, value_name = "XLM", default_value = "20")]
    balance: String,
    #[command(flatten)]
    act: ActArgs,
}

#[derive(Args)]
struct List {
    /// How many lanes: 1 to 100
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100))]
    count: u32,
    /// Less than this is low, in XLM
    #[arg(long, value_name = "XLM", default_value = "5")]
    low: String,
    #[command(flatten)]
    read: ReadArgs,
    #[command(flatten)]
    source: SourceArgs,
}

#[derive(Args)]
struct Reclaim {
    /// How many lanes: 1 to 100
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100))]
    count: u32,
    #[command(flatten)]
    act: ActArgs,
}

/// A lane as it is on the network.
struct Lane {
    index: u32,
    key: SecretKey,
    balance: Option<i64>,
}

/// A transaction has at most 20 signatures, one of them the source's.
const MERGES: usize = 19;

impl Cmd {
    pub(crate) fn run(self) -> Result<(), Error> {
        block_on(async {
            match self.verb {
                Verb::Create(change) => change.run(Change::creation).await,
                Verb::Fund(change) => change.run(Change::top_up).await,
                Verb::List(list) => list.run().await,
                Verb::Reclaim(reclaim) => reclaim.run().await,
            }
        })
    }
}

async fn lanes(
    client: &Client,
    network: NetworkId,
    source: &SecretKey,
    count: u32,
) -> Result<Vec<Lane>, Error> {
    let mut lanes = Vec::new();
    for index in 0..count {
        let key = source.lane(network, index);
        let balance = account(client, key.address())
            .await?
            .map(|entry| entry.balance);
        lanes.push(Lane {
            index,
            key,
            balance,
        });
    }
    Ok(lanes)
}

impl Change {
    fn creation(lane: &Lane, wanted: i64) -> Result<Option<Operation>, Error> {
        Ok(match lane.balance {
            None => Some(create_account(lane.key.address(), wanted)?),
            Some(_) => None,
        })
    }

    fn top_up(lane: &Lane, wanted: i64) -> Result<Option<Operation>, Error> {
        Ok(match lane.balance {
            Some(balance) if balance < wanted => {
                let missing = wanted.saturating_sub(balance);
                Some(payment(lane.key.address(), Asset::Native, missing)?)
            }
            _ => None,
        })
    }

    async fn run(
        self,
        operation: fn(&Lane, i64) -> Result<Option<Operation>, Error>,
    ) -> Result<(), Error> {
        let desk = Desk::open(&self.act).await?;
        let wanted = stroops(&self.balance)?;
        let found = lanes(&desk.client, desk.network.id(), &desk.source, self.count).await?;
        let mut operations = Vec::new();
        let mut changed = Vec::new();
        for lane in &found {
            if let Some(made) = operation(lane, wanted)? {
                operations.push(made);
                changed.push(lane.index.to_string());
            }
        }
        if !operations.is_empty() {
            let what = format!("bring lanes {} to {}", changed.join(", "), xlm(wanted));
            let act = Act::Classic(operations);
            let cost = desk.prepare(&act).await?.cost();
            desk.confirm(&Plan {
                will: vec![what.clone()],
                fee: cost.most,
                ..Plan::default()
            })?;
            desk.apply(&what, &act, Some(cost.most)).await?;
        }
        let after = lanes(&desk.client, desk.network.id(), &desk.source, self.count).await?;
        Ok(output::many(
            after.iter().map(Lane::record).collect(),
            desk.format,
        )?)
    }
}

impl List {
    async fn run(self) -> Result<(), Error> {
        let low = stroops(&self.low)?;
        let network = self.read.network.resolve()?;
        let folder = self.read.network.folder.resolve()?;
        let source = self.source.resolve(&folder)?;
        let found = lanes(&network.client()?, network.id(), &source, self.count).await?;
        for lane in &found {
            match lane.balance {
                None => eprintln!(
                    "note: lane {} does not exist; `lanes create` makes it",
                    lane.index
                ),
                Some(balance) if balance < low => eprintln!(
                    "warning: lane {} has only {}; `lanes fund` fills it up",
                    lane.index,
                    xlm(balance)
                ),
                Some(_) => {}
            }
        }
        Ok(output::many(
            found.iter().map(Lane::record).collect(),
            self.read.output,
        )?)
    }
}

impl Reclaim {
    async fn run(self) -> Result<(), Error> {
        let mut desk = Desk::open(&self.act).await?;
        let (network, count) = (desk.network.id(), self.count);
        let found = lanes(&desk.client, network, &desk.source, count).await?;
        let live: Vec<Lane> = found
            .into_iter()
            .filter(|lane| lane.balance.is_some())
            .collect();
        let total: i64 = live.iter().filter_map(|lane| lane.balance).sum();
        let mut acts = Vec::new();
        for chunk in live.chunks(MERGES) {
            let operations = chunk
                .iter()
                .map(|lane| merge(lane.key.address(), desk.source.address()))
                .collect::<Result<_, _>>()?;
            acts.push(Act::Classic(operations));
        }
        let cost = match acts.first() {
            Some(act) => desk.prepare(act).await?.cost().most,
            None => 0,
        };
        if !acts.is_empty() {
            desk.confirm(&Plan {
                will: vec![format!(
                    "end {} lanes and take back {}",
                    live.len(),
                    xlm(total)
                )],
                fee: cost.saturating_mul(i64::try_from(acts.len()).unwrap_or(i64::MAX)),
                ..Plan::default()
            })?;
        }
        desk.sign_with(live.into_iter().map(|lane| lane.key));
        for act in &acts {
            desk.apply("end lanes", act, Some(cost)).await?;
        }
        let after = lanes(&desk.client, network, &desk.source, count).await?;
        Ok(output::many(
            after.iter().map(Lane::record).collect(),
            desk.format,
        )?)
    }
}

impl Lane {
    fn record(&self) -> Record {
        let balance = self.balance.map(|balance| decimal(i128::from(balance), 7));
        Record::default()
            .with("lane", self.index)
            .with("address", self.key.address().to_string())
            .with("xlm", balance)
    }
}
