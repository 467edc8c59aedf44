//! What an archive is of, where no node says it.

use std::io::{BufRead as _, BufReader};
use std::path::Path;

use payout_keys::{ContractId, NetworkId};

use super::{ArchiveError, Record};
use crate::model::Subject;

/// Reads the first record alone. Its digest is checked with all others, when the archive is read.
///
/// # Errors
/// [`ArchiveError`].
pub fn subject(path: &Path) -> Result<Subject, ArchiveError> {
    let io = |source| ArchiveError::Io {
        path: path.to_owned(),
        source,
    };
    let broken = |why: String| ArchiveError::Broken { record: 1, why };
    let mut line = String::new();
    BufReader::new(std::fs::File::open(path).map_err(io)?)
        .read_line(&mut line)
        .map_err(io)?;
    let json = line.split_once(' ').map_or("", |(_, json)| json);
    let record = serde_json::from_str(json).map_err(|error| broken(error.to_string()))?;
    let Record::Opened(opened) = record else {
        return Err(broken("it does not say what the archive is of".to_owned()));
    };
    let contract = |text| ContractId::new(text).map_err(|error| broken(error.to_string()));
    let mut network = [0; 32];
    hex::decode_to_slice(opened.network, &mut network)
        .map_err(|error| broken(error.to_string()))?;
    Ok(Subject {
        network: NetworkId(network),
        contract: contract(opened.contract)?,
        token: contract(opened.token)?,
        program: None,
    })
}
