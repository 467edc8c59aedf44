//! Network, contract and keys of a run, pinned before any money moves.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use payout_engine::driver::Driver;
use payout_engine::escrow::{EscrowError, Facts, Wanted, read};
use payout_engine::journal::Journal;
use payout_engine::nodes::Nodes;
use payout_engine::ports::{Keys, Signer as _};
use payout_engine::protocol::{Bid, Policy};
use payout_engine::run::Place;
use payout_keys::{Deployment, ProgramId, Recipient, RunName};

use super::RunArgs;
use super::folder::Folder;
use super::outcome::Error;
use super::patience::patiently;
use super::progress::Watcher;
use crate::config::{ContractArgs, NetworkArgs, SourceArgs, secret_key};

/// A clock that is further off than this is worth a word, in seconds.
const SKEW: u64 = 60;

/// Everything of a run that is not in the file.
pub(super) struct Session {
    pub(super) driver: Driver<Nodes, Option<Journal>, Keys, Watcher>,
    /// For reading beside the driver.
    pub(super) reader: Nodes,
    pub(super) facts: Facts,
    pub(super) place: Place,
    pub(super) policy: Policy,
    pub(super) caller: Recipient,
    pub(super) lane: Recipient,
    pub(super) host: String,
}

impl Session {
    /// Reads the facts, holds the pins and opens the journal. Without `make`, nothing is written: a
    /// journal is read if it is there.
    #[allow(clippy::too_many_arguments, reason = "each is another group of flags")]
    pub(super) async fn open(
        name: &str,
        args: &RunArgs,
        network: &NetworkArgs,
        contract: &ContractArgs,
        source: &SourceArgs,
        make: Option<&Folder>,
        folder: &Folder,
    ) -> Result<Self, Error> {
        let run = RunName::new(name)?;
        let settings = network.folder.resolve()?;
        let network = network.resolve()?;
        let contract = contract.resolve(&settings, network.passphrase())?;
        let payout_key = source.resolve(&settings)?;
        let lane = args
            .lane
            .as_deref()
            .map(|who| secret_key(who, None, &settings))
            .transpose()?;
        let keys = Keys::new(network.id(), contract, payout_key, lane);
        let (caller, lane) = (keys.caller(), keys.lane());
        let nodes = || {
            let mut clients = network.clients()?.into_iter();
            let first = clients.next().ok_or(Error::NoNode)?;
            let others = clients.collect();
            Ok::<_, Error>(Nodes::new(first, others, contract, caller, lane))
        };
        let reader = nodes()?;
        let facts = facts(&reader, args.poll, network.passphrase(), caller).await?;
        warn_of_skew(&facts);
        let mut store = journal(make, folder)?;
        if let Some(journal) = &mut store {
            facts.pins().hold(journal)?;
        }
        let at = Deployment {
            network: network.id(),
            contract,
        };
        let program = ProgramId::new(&facts.program.program_id)?;
        Ok(Self {
            driver: Driver {
                network: nodes()?,
                store,
                signer: keys,
                host: Watcher::new(args.restore),
            },
            place: Place { at, program, run },
            policy: policy(args),
            host: network.host(),
            reader,
            facts,
            caller,
            lane,
        })
    }
}

fn journal(make: Option<&Folder>, folder: &Folder) -> Result<Option<Journal>, Error> {
    if let Some(folder) = make {
        folder.make()?;
        return Ok(Some(Journal::open(&folder.journal())?));
    }
    let path = folder.journal();
    let there = Path::new(&path).exists();
    Ok(there.then(|| Journal::open(&path)).transpose()?)
}

async fn facts(
    nodes: &Nodes,
    poll: u64,
    passphrase: &str,
    caller: Recipient,
) -> Result<Facts, EscrowError> {
    let wanted = Wanted {
        passphrase,
        contract: nodes.contract(),
        delegate: Some(caller),
    };
    patiently(
        nodes,
        poll,
        |error| !matches!(error, EscrowError::Rpc(_)),
        async |client| read(client, &wanted).await,
    )
    .await
}

/// The node's clock decides; this machine's is only compared.
fn warn_of_skew(facts: &Facts) {
    let Some(network) = facts.at.close_time else {
        return;
    };
    let here = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs());
    let skew = here.abs_diff(network);
    if skew > SKEW {
        let direction = if here > network { "ahead of" } else { "behind" };
        eprintln!(
            "warning: this machine's clock is {skew} s {direction} the network's last ledger. \
             Nothing is decided by it; look why all the same"
        );
    }
}

fn policy(args: &RunArgs) -> Policy {
    Policy {
        max_bid: Bid(args.max_fee),
        max_resource_fee: args.max_resource_fee,
        restores: args.restore,
        poll: args.poll,
        max_wait: args.poll.saturating_mul(15),
        max_tries: 40,
        ..Policy::default()
    }
}
