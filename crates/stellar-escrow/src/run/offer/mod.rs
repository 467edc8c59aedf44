//! Offers that several people sign: built here, signed there, submitted by whoever has them all.

mod build;
mod error;
mod read;
mod sign;
mod submit;
mod unpaid;

use std::path::{Path, PathBuf};

use super::args::{Reading, Signing};
use super::folder::replace;
use super::outcome::Error;
use crate::output::Format;

pub(crate) use build::{Building, build};
pub(crate) use error::OfferError;
pub(crate) use sign::sign;
pub(crate) use submit::submit;

/// An offer's file, and what it is compared with.
pub(crate) struct Paper<'a> {
    /// The offer.
    pub(crate) offer: &'a Path,
    /// The rows' file, if the signer has it.
    pub(crate) file: Option<&'a Path>,
    /// The run, if the signer names it.
    pub(crate) run: Option<&'a str>,
    /// Where it is written to; the same file if nothing is said.
    pub(crate) output_file: Option<PathBuf>,
    pub(crate) reading: &'a Reading,
    pub(crate) signing: &'a Signing,
    pub(crate) yes: bool,
    pub(crate) output: Format,
}

/// Writes an offer whole or not at all.
fn write(path: &Path, text: &str) -> Result<(), Error> {
    replace(path, |file| {
        let written = file.write_all(text.as_bytes());
        written.map_err(|error| Error::Output(error.to_string()))
    })
}
