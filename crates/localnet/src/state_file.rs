//! The state of a network in a file: read whole or not at all, replaced whole or not at all.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use soroban_env_host::xdr::{
    LedgerEntry, LedgerEntryChanges, LedgerHeader, Limits, ReadXdr, TransactionEnvelope,
    TransactionMetaV4, TransactionResult, WriteXdr,
};

use crate::clock::Clock;
use crate::ledger::Ledger;
use crate::ledger::chain::Chain;
use crate::ledger::history::{History, LedgerRecord, TxRecord};
use crate::ledger::state::{State, Stored, Ttl};
use crate::network::Network;

const FORMAT: &str = "stellar-localnet-state";
const VERSION: u32 = 2;
/// Deepest nesting of a value that is read from a file. Clients can send, and contracts can store,
/// values of up to 500.
const MAX_DEPTH: u32 = 1_000;

/// Why a state file could not be used.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// It is there and cannot be read.
    #[error("cannot read the state file {path}: {source}; check its permissions")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It was not written by this program, or is damaged.
    #[error(
        "{path} is not a state file of this program ({why}); it was left as it is: name another file, or move it away"
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// It belongs to another network.
    #[error(
        "{path} holds the state of the network `{found}`, not of `{wanted}`; it was left as it is: start with that passphrase, or name another file"
    )]
    OtherNetwork {
        /// The file.
        path: PathBuf,
        /// The passphrase in the file.
        found: String,
        /// The passphrase asked for.
        wanted: String,
    },
    /// It could not be written.
    #[error("cannot write the state file {path}: {source}; what it held before is unchanged")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// No file was named when the network started.
    #[error("this network was started without a state file; name one with --state")]
    None,
}

/// What every version of the file begins with.
#[derive(Deserialize)]
struct Head {
    format: String,
    version: u32,
}

#[derive(Serialize, Deserialize)]
struct File {
    format: String,
    version: u32,
    passphrase: String,
    /// Hex SHA-256 of this file with an empty text here: a damaged file shall not pass for the
    /// network's state.
    checksum: String,
    clock: Clock,
    /// The last known header before the first kept ledger.
    template: String,
    first_ledger: u32,
    /// Hex hash of the ledger before the first kept one.
    hash_before: String,
    /// Close times of the kept ledgers: first, seconds between, how many.
    times: Vec<(u64, u64, u32)>,
    /// Headers of kept ledgers with transactions.
    headers: Vec<String>,
    entries: Vec<SavedEntry>,
    ledgers: Vec<SavedLedger>,
}

#[derive(Serialize, Deserialize)]
struct SavedEntry {
    /// XDR, as everything here: its JSON form may be nested deeper than JSON is read.
    entry: String,
    /// Last ledger of its life, and the ledger that set it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ttl: Option<(u32, u32)>,
}

#[derive(Serialize, Deserialize)]
struct SavedLedger {
    sequence: u32,
    transactions: Vec<SavedTransaction>,
}

#[derive(Serialize, Deserialize)]
struct SavedTransaction {
    hash: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    inner_hash: Option<String>,
    envelope: String,
    result: String,
    meta: String,
    fee_changes: String,
    refund_changes: String,
    succeeded: bool,
    contract: bool,
    inclusion_fee: i64,
}

/// A network as it was saved.
pub(crate) struct Saved {
    pub(crate) ledger: Ledger,
    pub(crate) clock: Clock,
}

/// Loads the state of `network`; `None` where there is no file yet.
pub(crate) fn load(
    path: &Path,
    network: &Network,
    window: u32,
) -> Result<Option<Saved>, StateError> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(source) => {
            return Err(StateError::Read {
                path: path.to_owned(),
                source,
            });
        }
    };
    let foreign = |why: String| StateError::Foreign {
        path: path.to_owned(),
        why,
    };
    let head: Head = serde_json::from_slice(&bytes).map_err(|error| foreign(error.to_string()))?;
    if head.format != FORMAT || head.version != VERSION {
        return Err(foreign(format!(
            "it says format `{}` version {}, expected `{FORMAT}` version {VERSION}",
            head.format, head.version
        )));
    }
    let mut file: File =
        serde_json::from_slice(&bytes).map_err(|error| foreign(error.to_string()))?;
    if file.passphrase != network.passphrase() {
        return Err(StateError::OtherNetwork {
            path: path.to_owned(),
            found: file.passphrase,
            wanted: network.passphrase().to_owned(),
        });
    }
    let said = std::mem::take(&mut file.checksum);
    if checksum(&file).map_err(foreign)? != said {
        return Err(foreign(
            "its checksum does not fit: it is damaged or was altered".to_owned(),
        ));
    }
    let clock = file.clock;
    let ledger = assemble(file, network.clone(), window).map_err(foreign)?;
    Ok(Some(Saved { ledger, clock }))
}

fn assemble(file: File, network: Network, window: u32) -> Result<Ledger, String> {
    let template: LedgerHeader = decode(&file.template)?;
    if template.ledger_seq >= file.first_ledger {
        return Err("its first header lies behind its first ledger".to_owned());
    }
    let mut chain = Chain::resume(
        window,
        file.first_ledger,
        decode_hash(&file.hash_before)?,
        template,
    );
    let mut headers = file
        .headers
        .iter()
        .map(|text| decode::<LedgerHeader>(text))
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .peekable();
    for (first, step, count) in file.times {
        for position in 0..count {
            let time = first.saturating_add(step.saturating_mul(u64::from(position)));
            let next = chain.latest().saturating_add(1);
            match headers.next_if(|header| header.ledger_seq == next) {
                Some(header) => {
                    if chain.hash(chain.latest()) != Some(header.previous_ledger_hash.0) {
                        return Err(format!("ledger {next} does not link to the one before"));
                    }
                    chain.append(header);
                }
                None => chain.append_empty(time),
            }
        }
    }
    if headers.next().is_some() {
        return Err("it has headers of ledgers that it does not count".to_owned());
    }
    if chain.latest() < file.first_ledger {
        return Err("it has no ledger".to_owned());
    }
    let entries: Vec<Stored> = file
        .entries
        .into_iter()
        .map(|saved| {
            Ok(Stored {
                entry: decode::<LedgerEntry>(&saved.entry)?.into(),
                ttl: saved.ttl.map(|(live_until, last_modified)| Ttl {
                    live_until,
                    last_modified,
                }),
            })
        })
        .collect::<Result<_, String>>()?;
    let state = State::from_entries(entries);
    let mut history = History::default();
    for ledger in file.ledgers {
        let transactions = ledger
            .transactions
            .iter()
            .map(read_transaction)
            .collect::<Result<_, _>>()?;
        history.insert(ledger.sequence, LedgerRecord { transactions });
    }
    history.forget_before(chain.oldest());
    Ledger::assemble(network, state, chain, history).map_err(|error| error.to_string())
}

fn read_transaction(saved: &SavedTransaction) -> Result<TxRecord, String> {
    Ok(TxRecord {
        hash: decode_hash(&saved.hash)?,
        inner_hash: saved.inner_hash.as_deref().map(decode_hash).transpose()?,
        envelope: decode::<TransactionEnvelope>(&saved.envelope)?,
        result: decode::<TransactionResult>(&saved.result)?,
        meta: decode::<TransactionMetaV4>(&saved.meta)?,
        fee_changes: decode::<LedgerEntryChanges>(&saved.fee_changes)?,
        refund_changes: decode::<LedgerEntryChanges>(&saved.refund_changes)?,
        succeeded: saved.succeeded,
        contract: saved.contract,
        inclusion_fee: saved.inclusion_fee,
    })
}

/// Saves a network. The file is replaced in one step.
pub(crate) fn save(path: &Path, ledger: &Ledger, clock: Clock) -> Result<(), StateError> {
    let failed = |source: std::io::Error| StateError::Write {
        path: path.to_owned(),
        source,
    };
    let mut file = snapshot(ledger, clock).map_err(|why| failed(std::io::Error::other(why)))?;
    file.checksum = checksum(&file).map_err(|why| failed(std::io::Error::other(why)))?;
    let mut temporary = tempfile::NamedTempFile::new_in(folder(path)).map_err(failed)?;
    serde_json::to_writer(&mut temporary, &file)
        .map_err(|error| failed(std::io::Error::other(error)))?;
    temporary.flush().map_err(failed)?;
    temporary.as_file().sync_all().map_err(failed)?;
    temporary
        .persist(path)
        .map(|_| ())
        .map_err(|error| failed(error.error))
}

/// Whether a file can be made where `path` is to be: better said before a day's work than after it.
pub(crate) fn check_folder(path: &Path) -> Result<(), StateError> {
    tempfile::NamedTempFile::new_in(folder(path))
        .map(|_| ())
        .map_err(|source| StateError::Write {
            path: path.to_owned(),
            source,
        })
}

fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Hex SHA-256 of a file whose checksum is empty.
fn checksum(file: &File) -> Result<String, String> {
    let mut hasher = std::io::BufWriter::new(Sha256::new());
    serde_json::to_writer(&mut hasher, file).map_err(|error| error.to_string())?;
    let hasher = hasher.into_inner().map_err(|error| error.to_string())?;
    Ok(hex::encode(hasher.finalize()))
}

fn snapshot(ledger: &Ledger, clock: Clock) -> Result<File, String> {
    let chain = &ledger.chain;
    let (template, hash_before) = chain.base().ok_or("the chain has no base")?;
    Ok(File {
        format: FORMAT.to_owned(),
        version: VERSION,
        passphrase: ledger.network.passphrase().to_owned(),
        checksum: String::new(),
        clock,
        template: encode(template)?,
        first_ledger: chain.oldest(),
        hash_before: hex::encode(hash_before),
        times: chain.time_runs(),
        headers: chain.full_headers().map(encode).collect::<Result<_, _>>()?,
        entries: ledger
            .state
            .iter()
            .map(|stored| {
                Ok(SavedEntry {
                    entry: encode(stored.entry.as_ref())?,
                    ttl: stored.ttl.map(|ttl| (ttl.live_until, ttl.last_modified)),
                })
            })
            .collect::<Result<_, String>>()?,
        ledgers: ledger
            .history
            .iter()
            .map(|(sequence, record)| {
                let transactions = record
                    .transactions
                    .iter()
                    .map(write_transaction)
                    .collect::<Result<_, String>>()?;
                Ok(SavedLedger {
                    sequence,
                    transactions,
                })
            })
            .collect::<Result<_, String>>()?,
    })
}

fn write_transaction(tx: &TxRecord) -> Result<SavedTransaction, String> {
    Ok(SavedTransaction {
        hash: hex::encode(tx.hash),
        inner_hash: tx.inner_hash.map(hex::encode),
        envelope: encode(&tx.envelope)?,
        result: encode(&tx.result)?,
        meta: encode(&tx.meta)?,
        fee_changes: encode(&tx.fee_changes)?,
        refund_changes: encode(&tx.refund_changes)?,
        succeeded: tx.succeeded,
        contract: tx.contract,
        inclusion_fee: tx.inclusion_fee,
    })
}

fn encode(value: &impl WriteXdr) -> Result<String, String> {
    value
        .to_xdr_base64(Limits::none())
        .map_err(|error| error.to_string())
}

fn decode<T: ReadXdr>(text: &str) -> Result<T, String> {
    let limits = Limits {
        depth: MAX_DEPTH,
        len: usize::MAX,
    };
    T::from_xdr_base64(text, limits).map_err(|error| error.to_string())
}

fn decode_hash(text: &str) -> Result<[u8; 32], String> {
    let mut hash = [0; 32];
    hex::decode_to_slice(text, &mut hash).map_err(|error| error.to_string())?;
    Ok(hash)
}
