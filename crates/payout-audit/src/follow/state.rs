//! The contract's state and records, from every node that was named.

use payout_engine::escrow::Program;
use payout_engine::rpc::{LedgerEntries, MOST_ENTRIES};
use payout_keys::{ContractId, NetworkId};
use stellar_xdr::{
    ContractDataDurability, ContractExecutable, ContractId as XdrContractId, Hash, LedgerEntryData,
    LedgerKey, LedgerKeyContractData, ReadXdr, ScAddress, ScContractInstance, ScVal, ScVec,
};

use super::nodes::Node;
use super::scan::symbol;
use super::{FollowError, Nodes};
use crate::books::KeyDigest;
use crate::checks::Chain;
use crate::model::value::{Fields, list, symbol as name};
use crate::model::{LIMITS, Subject, encoded};

/// Finds out what is to be audited, and how it stands now.
///
/// # Errors
/// [`FollowError`]: a node that does not answer or is of another network, a contract that is not there
/// or is another one.
pub async fn discover(
    nodes: &Nodes,
    contract: ContractId,
    passphrase: Option<&str>,
) -> Result<(Subject, Chain), FollowError> {
    let mut asked = passphrase.map(str::to_owned);
    let mut states = Vec::new();
    for node in nodes.all() {
        let network = node.ask(async |client| client.network().await).await?;
        let expected = asked.get_or_insert_with(|| network.passphrase.clone());
        if *expected != network.passphrase {
            return Err(FollowError::OtherNetwork {
                node: node.host.clone(),
                found: network.passphrase,
                asked: expected.clone(),
            });
        }
        states.push(State::read(node, contract).await?);
    }
    let network = NetworkId::from_passphrase(&asked.unwrap_or_default());
    let mut contradictions = contradictions(nodes, &states);
    contradictions.extend(ledger_hashes(nodes, &states).await?);
    // The furthest node's; the events are read up to there.
    let newest = states.into_iter().max_by_key(|state| state.ledger);
    let state = newest.ok_or(FollowError::NoNode)?;
    let subject = Subject {
        network,
        contract,
        token: state.program.token,
        program: Some(state.program.program_id.clone()),
    };
    let chain = Chain {
        ledger: state.ledger,
        program: state.program,
        balance: state.balance,
        code: state.code,
        records: std::collections::HashMap::new(),
        contradictions,
        nodes: nodes.all().len(),
    };
    Ok((subject, chain))
}

/// Reads the records of `keys` into `chain`, archived ones too, from every node; from the first one as of
/// ledger `since` or later.
///
/// # Errors
/// [`FollowError`].
pub async fn read_records(
    nodes: &Nodes,
    contract: ContractId,
    keys: &[KeyDigest],
    since: u32,
    chain: &mut Chain,
) -> Result<(), FollowError> {
    for (number, node) in nodes.all().iter().enumerate() {
        for some in keys.chunks(MOST_ENTRIES) {
            let read = node
                .ask(async |client| {
                    // A node that lags behind the events would lack records that are there.
                    let read = client.records_of(contract, some).await?;
                    if number == 0 && read.ledger < since {
                        return Err(payout_engine::rpc::RpcError::Unreadable {
                            method: "getLedgerEntries",
                            why: format!("it is of ledger {}, before {since}", read.ledger),
                        });
                    }
                    Ok(read)
                })
                .await?;
            for (digest, record) in some.iter().zip(read.records) {
                let known = chain.records.get(digest).copied();
                match (number, record) {
                    (0, Some(record)) => {
                        chain.records.insert(*digest, record);
                    }
                    (0, None) => {}
                    (_, Some(record)) if known.is_none_or(|known| known != record) => {
                        chain.contradictions.push(format!(
                            "node {} has another record of the key with digest {} than {}",
                            node.host,
                            hex::encode(digest),
                            nodes.hosts().first().cloned().unwrap_or_default()
                        ));
                    }
                    (_, None) if known.is_some_and(|known| known.ledger <= read.ledger) => {
                        chain.contradictions.push(format!(
                            "node {} has no record of the key with digest {} in ledger {}",
                            node.host,
                            hex::encode(digest),
                            read.ledger
                        ));
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

#[derive(PartialEq)]
struct State {
    ledger: u32,
    modified: u32,
    program: Program,
    balance: Option<i128>,
    code: Option<[u8; 32]>,
}

impl State {
    async fn read(node: &Node, contract: ContractId) -> Result<Self, FollowError> {
        let wrong = |why: &str| FollowError::Contract {
            contract: contract.to_string(),
            why: why.to_owned(),
        };
        // Twice, because the token's place is in the program: then all of it is of one ledger.
        let own = vec![key_of_instance(contract)];
        let first = entries(node, &own).await?;
        let (_, program) = program(&first, &own).map_err(|why| wrong(&why))?;
        let asset = key_of_instance(program.token);
        let balance =
            balance_key(program.token, contract).ok_or_else(|| wrong("no balance key"))?;
        let keys = vec![key_of_instance(contract), asset, balance];
        let answer = entries(node, &keys).await?;
        let (instance, program) = self::program(&answer, &keys).map_err(|why| wrong(&why))?;
        let is_asset = value(&answer, keys.get(1)).is_some_and(|value| {
            matches!(&value, ScVal::ContractInstance(instance)
                if instance.executable == ContractExecutable::StellarAsset)
        });
        let balance = value(&answer, keys.get(2)).and_then(|value| {
            let fields = Fields::of(&value).ok()?;
            fields.integer("amount").ok()
        });
        let modified = answer
            .entries
            .first()
            .map_or(0, |entry| entry.last_modified_ledger_seq);
        Ok(Self {
            ledger: answer.latest_ledger,
            modified,
            program,
            // An asset's contract keeps no entry for who never held it.
            balance: if is_asset {
                Some(balance.unwrap_or(0))
            } else {
                None
            },
            code: match instance.executable {
                ContractExecutable::Wasm(hash) => Some(hash.0),
                _ => None,
            },
        })
    }
}

async fn entries(node: &Node, keys: &[LedgerKey]) -> Result<LedgerEntries, FollowError> {
    let keys = keys
        .iter()
        .map(encoded)
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| node.lying(error.to_string()))?;
    node.ask(async |client| client.ledger_entries(&keys).await)
        .await
}

fn value(answer: &LedgerEntries, key: Option<&LedgerKey>) -> Option<ScVal> {
    let key = encoded(key?).ok()?;
    let entry = answer.entries.iter().find(|entry| entry.key == key)?;
    match LedgerEntryData::from_xdr_base64(&entry.xdr, LIMITS).ok()? {
        LedgerEntryData::ContractData(data) => Some(data.val),
        _ => None,
    }
}

fn program(
    answer: &LedgerEntries,
    keys: &[LedgerKey],
) -> Result<(ScContractInstance, Program), String> {
    let Some(ScVal::ContractInstance(instance)) = value(answer, keys.first()) else {
        return Err("it is not on this network".to_owned());
    };
    let storage = instance.storage.as_ref().ok_or("it holds no program")?;
    let entry = storage
        .iter()
        .find(|entry| {
            list(&entry.key).and_then(|key| key.first()).and_then(name) == Some("EscrowProgram")
        })
        .ok_or("it holds no program: it is another contract, or was not migrated")?;
    let program = Program::parse(&entry.val).map_err(|error| error.to_string())?;
    Ok((instance, program))
}

fn key_of_instance(contract: ContractId) -> LedgerKey {
    LedgerKey::ContractData(LedgerKeyContractData {
        contract: address(contract),
        key: ScVal::LedgerKeyContractInstance,
        durability: ContractDataDurability::Persistent,
    })
}

fn balance_key(token: ContractId, holder: ContractId) -> Option<LedgerKey> {
    let parts = vec![symbol("Balance")?, ScVal::Address(address(holder))];
    Some(LedgerKey::ContractData(LedgerKeyContractData {
        contract: address(token),
        key: ScVal::Vec(Some(ScVec(parts.try_into().ok()?))),
        durability: ContractDataDurability::Persistent,
    }))
}

fn address(contract: ContractId) -> ScAddress {
    ScAddress::Contract(XdrContractId(Hash(contract.0)))
}

/// Two nodes that know the same version of the contract's entry and differ in it; or a later one in
/// which less was paid.
fn contradictions(nodes: &Nodes, states: &[State]) -> Vec<String> {
    let hosts = nodes.hosts();
    let Some(first) = states.first() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (state, host) in states.iter().zip(&hosts).skip(1) {
        let same_version = state.modified == first.modified
            && (state.program != first.program || state.code != first.code);
        let (older, newer) = if state.modified < first.modified {
            (state, first)
        } else {
            (first, state)
        };
        let backwards = newer.program.payout_count < older.program.payout_count
            || newer.program.total_locked < older.program.total_locked;
        if same_version || backwards {
            found.push(format!(
                "nodes {} and {host} differ about the contract: {} payouts in the entry of ledger {}, and {} in that \
                 of ledger {}",
                hosts.first().cloned().unwrap_or_default(),
                first.program.payout_count,
                first.modified,
                state.program.payout_count,
                state.modified
            ));
        }
    }
    found
}

/// Nodes whose hash of the same ledger differs.
async fn ledger_hashes(nodes: &Nodes, states: &[State]) -> Result<Vec<String>, FollowError> {
    let mut found = Vec::new();
    if states.len() < 2 {
        return Ok(found);
    }
    let common = states.iter().map(|state| state.ledger).min().unwrap_or(0);
    let mut first: Option<(String, String)> = None;
    for node in nodes.all() {
        let hash = node
            .ask(async |client| client.closed_ledger(common).await)
            .await?
            .hash;
        match &first {
            None => first = Some((node.host.clone(), hash)),
            Some((host, other)) if *other != hash => found.push(format!(
                "nodes {host} and {} have different hashes of ledger {common}: {other} and {hash}",
                node.host
            )),
            Some(_) => {}
        }
    }
    Ok(found)
}
