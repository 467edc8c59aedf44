//! Network, contract and keys of a run, pinned before any money moves.

use std::time::{SystemTime, UNIX_EPOCH};

use payout_engine::driver::Driver;
use payout_engine::escrow::{EscrowError, Facts, Wanted, read};
use payout_engine::journal::Journal;
use payout_engine::nodes::Nodes;
use payout_engine::ports::{Keys, RunStore as _, Signer as _};
use payout_engine::protocol::{Bid, Policy};
use payout_engine::rpc::RpcError;
use payout_engine::run::Place;
use payout_keys::{Deployment, ProgramId, Recipient, RunName};

use super::args::{Reading, Signing};
use super::folder::Folder;
use super::outcome::Error;
use super::patience::patiently;
use super::progress::Watcher;
use crate::config::secret_key;

/// A clock that is further off than this is worth a word, in seconds.
const SKEW: u64 = 60;

/// Everything of a run that is not in the file.
pub(crate) struct Session {
    pub(super) driver: Driver<Nodes, Option<Journal>, Option<Keys>, Watcher>,
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
    /// Reads the facts, holds the pins and opens the journal. Without `signing` there is no key, and
    /// nothing can be signed.
    pub(crate) async fn open(
        name: &str,
        reading: &Reading,
        signing: Option<&Signing>,
        memory: Memory,
        folder: &Folder,
    ) -> Result<Self, Error> {
        let settings = reading.network.folder.resolve()?;
        let network = reading.network.resolve()?;
        let contract = reading.contract.resolve(&settings, network.passphrase())?;
        let keys = signing
            .map(|signing| {
                let payout_key = signing.source.resolve(&settings)?;
                let lane = signing.lane.as_deref();
                let lane = lane
                    .map(|who| secret_key(who, None, &settings))
                    .transpose()?;
                Ok::<_, Error>(Keys::new(network.id(), contract, payout_key, lane))
            })
            .transpose()?;
        let lane = keys.lane();
        let parties = Parties {
            caller: keys.as_ref().map_or(lane, Keys::caller),
            lane,
            keys,
            signing,
        };
        Self::among(name, reading, parties, memory, folder).await
    }

    /// The same, where it is known who authorises and who sends.
    pub(crate) async fn among(
        name: &str,
        reading: &Reading,
        parties: Parties<'_>,
        memory: Memory,
        folder: &Folder,
    ) -> Result<Self, Error> {
        let run = RunName::new(name)?;
        let settings = reading.network.folder.resolve()?;
        let network = reading.network.resolve()?;
        let contract = reading.contract.resolve(&settings, network.passphrase())?;
        let Parties {
            caller,
            lane,
            keys,
            signing,
        } = parties;
        let nodes = || {
            let mut clients = network.clients()?.into_iter();
            let first = clients.next().ok_or(Error::NoNode)?;
            let others = clients.collect();
            Ok::<_, Error>(Nodes::new(first, others, contract, caller, lane))
        };
        let reader = nodes()?;
        let mut store = journal(memory, folder)?;
        let known = store.ledger().await.map_err(|why| Error::Memory(why.0))?;
        let wanted = Wanted {
            passphrase: network.passphrase(),
            contract,
            delegate: Some(caller),
        };
        let facts = facts(&reader, reading.poll, &wanted, known).await?;
        warn_of_skew(&facts);
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
                host: Watcher::new(signing.is_some_and(|signing| signing.restore), reading.poll),
            },
            place: Place { at, program, run },
            policy: policy(reading, signing),
            host: network.host(),
            reader,
            facts,
            caller,
            lane,
        })
    }
}

/// In whose name a session is, and by whose hand.
pub(crate) struct Parties<'a> {
    /// Who authorises.
    pub(super) caller: Recipient,
    /// Who sends.
    pub(super) lane: Recipient,
    /// Their keys, where they are here.
    pub(super) keys: Option<Keys>,
    pub(super) signing: Option<&'a Signing>,
}

/// What becomes of the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Memory {
    /// It is opened, or made.
    Keep,
    /// It is read if it is there.
    Look,
}

fn journal(memory: Memory, folder: &Folder) -> Result<Option<Journal>, Error> {
    let path = folder.journal();
    match memory {
        Memory::Keep => folder.make()?,
        Memory::Look if !path.exists() => return Ok(None),
        Memory::Look => {}
    }
    Ok(Some(Journal::open(&path)?))
}

/// The facts as of a ledger that is not older than what this machine knows of.
async fn facts(
    nodes: &Nodes,
    poll: u64,
    wanted: &Wanted<'_>,
    known: u32,
) -> Result<Facts, EscrowError> {
    let passing = |error: &EscrowError| match error {
        EscrowError::Rpc(_) => true,
        EscrowError::NotFound { ledger, .. } => *ledger < known,
        _ => false,
    };
    patiently(
        nodes,
        poll,
        |error| !passing(error),
        async |client| {
            let facts = read(client, wanted).await?;
            if facts.at.ledger < known {
                return Err(behind(facts.at.ledger, known).into());
            }
            Ok(facts)
        },
    )
    .await
}

/// What an answer is worth that is older than what is known.
pub(super) fn behind(ledger: u32, known: u32) -> RpcError {
    RpcError::Behind { ledger, known }
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

fn policy(reading: &Reading, signing: Option<&Signing>) -> Policy {
    let patient = Policy {
        poll: reading.poll,
        max_wait: reading.poll.saturating_mul(15),
        max_tries: 40,
        ..Policy::default()
    };
    match signing {
        None => patient,
        Some(signing) => Policy {
            max_bid: Bid(signing.max_fee),
            max_resource_fee: signing.max_resource_fee,
            restores: signing.restore,
            ..patient
        },
    }
}
