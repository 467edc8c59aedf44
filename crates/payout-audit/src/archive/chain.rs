//! Reading: every record is checked against the one before.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::{ArchiveError, Opened, Record};

/// A record's digest.
pub type Digest = [u8; 32];

const HEX: usize = 64;

/// Where an archive ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Head {
    /// How many records.
    pub records: u64,
    /// The last one's digest.
    pub digest: Digest,
    /// Bytes up to there.
    pub bytes: u64,
    /// Bytes of an unfinished record behind it.
    pub unfinished: u64,
}

/// The digest of a record after `before`.
pub(super) fn link(before: Digest, json: &[u8]) -> Digest {
    let mut digest = Sha256::new();
    digest.update(before);
    digest.update(json);
    digest.finalize().into()
}

/// Reads all records of `path` in order and hands each to `each` with its number and digest.
///
/// # Errors
/// [`ArchiveError`]: the first record that is not what follows, or what `each` returns. What was
/// handed on before it was intact. A last line without its end is left out and counted in
/// [`Head::unfinished`].
pub fn read(
    path: &Path,
    mut each: impl FnMut(&Record<'_>, u64, Digest) -> Result<(), ArchiveError>,
) -> Result<Head, ArchiveError> {
    let io = |source| ArchiveError::Io {
        path: path.to_owned(),
        source,
    };
    let mut file = BufReader::with_capacity(1 << 20, File::open(path).map_err(io)?);
    let mut head = Head::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = file.read_until(b'\n', &mut line).map_err(io)?;
        if length == 0 {
            return Ok(head);
        }
        let length = u64::try_from(length).unwrap_or(u64::MAX);
        if line.pop() != Some(b'\n') {
            head.unfinished = length;
            return Ok(head);
        }
        let number = head.records + 1;
        let broken = |why: String| ArchiveError::Broken {
            record: number,
            why,
        };
        let (digest, json) = checked(head.digest, &line).map_err(|why| broken(why.to_owned()))?;
        let record: Record<'_> =
            serde_json::from_slice(json).map_err(|error| broken(error.to_string()))?;
        let first = matches!(record, Record::Opened(_));
        if first != (number == 1) {
            return Err(broken(
                "only the first record says what the archive is of".to_owned(),
            ));
        }
        if let Record::Opened(Opened { format, .. }) = &record
            && *format != Opened::FORMAT
        {
            return Err(broken(format!(
                "its form is {format}, and {} is what is read here",
                Opened::FORMAT
            )));
        }
        each(&record, number, digest)?;
        head = Head {
            records: number,
            digest,
            bytes: head.bytes + length,
            unfinished: 0,
        };
    }
}

fn checked(before: Digest, line: &[u8]) -> Result<(Digest, &[u8]), &'static str> {
    let (written, rest) = line.split_at_checked(HEX).ok_or("it is too short")?;
    let json = rest
        .strip_prefix(b" ")
        .ok_or("it is no digest and a blank")?;
    let mut digest = [0; 32];
    hex::decode_to_slice(written, &mut digest).map_err(|_| "its digest cannot be read")?;
    if link(before, json) != digest {
        return Err("its digest is not that of its text after the record before");
    }
    Ok((digest, json))
}
