//! Files and hashes that are given.

use std::path::Path;

use payout_audit::checks::KeyList;
use payout_audit::complete::read_keys;
use payout_audit::obligations::{Obligations, Reading};
use payout_keys::{Deployment, RunName};

use super::Error;

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|source| Error::File {
        path: path.to_owned(),
        source,
    })
}

pub(super) fn write(path: &Path, text: &str) -> Result<(), Error> {
    std::fs::write(path, text).map_err(|source| Error::File {
        path: path.to_owned(),
        source,
    })
}

pub(super) fn keys(path: &Path) -> Result<KeyList, Error> {
    read_keys(&read(path)?).map_err(|source| Error::Keys {
        path: path.to_owned(),
        source,
    })
}

pub(super) fn obligations(
    path: &Path,
    at: Deployment,
    runs: &[String],
    decimals: Option<u32>,
) -> Result<Obligations, Error> {
    let runs: Vec<RunName> = runs
        .iter()
        .map(|run| RunName::new(run))
        .collect::<Result<_, _>>()
        .map_err(Error::Run)?;
    let how = Reading {
        decimals,
        runs: Some((at, runs.as_slice())),
    };
    Obligations::read(&read(path)?, how).map_err(|source| Error::Obligations {
        path: path.to_owned(),
        source,
    })
}

pub(super) fn digest(text: &str) -> Result<[u8; 32], Error> {
    let mut digest = [0; 32];
    hex::decode_to_slice(text, &mut digest).map_err(|_| Error::Hash(text.to_owned()))?;
    Ok(digest)
}

pub(super) fn codes(texts: &[String]) -> Result<Vec<[u8; 32]>, Error> {
    texts.iter().map(|text| digest(text)).collect()
}
