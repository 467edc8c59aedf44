//! Who signs.

use std::io::Read as _;

use clap::Args;
use payout_engine::envelope::SecretKey;
use payout_keys::Recipient;
use serde::Deserialize;
use zeroize::Zeroizing;

use super::error::Error;
use super::folder::Folder;
use super::network::Network;
use super::{party, phrase, variable};

/// Whose transaction it is.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct SourceArgs {
    /// Who sends, signs and pays the fee: an identity of stellar-cli's, `env:NAME`, `file:PATH`, or -
    /// for stdin [env: `STELLAR_ACCOUNT`]
    #[arg(
        long = "source-account",
        visible_alias = "source",
        short = 's',
        value_name = "WHO",
        help_heading = "Settings"
    )]
    source: Option<Who>,
    /// Which account of a seed phrase: m/44'/148'/N' [default: the identity's own, else 0]
    #[arg(long, value_name = "N", help_heading = "Settings")]
    hd_path: Option<u32>,
}

/// What stands for a key. It may be a secret itself, so it is not shown.
#[derive(Clone)]
struct Who(String);

impl std::str::FromStr for Who {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

impl std::fmt::Debug for Who {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Who(hidden)")
    }
}

/// An identity's file, as stellar-cli writes it.
#[derive(Deserialize)]
struct Stored {
    secret_key: Option<Zeroizing<String>>,
    seed_phrase: Option<Zeroizing<String>>,
    hd_path: Option<u32>,
    public_key: Option<String>,
    muxed_account: Option<String>,
    hardware: Option<String>,
    entry_name: Option<String>,
}

impl SourceArgs {
    /// The key.
    ///
    /// # Errors
    /// [`Error`].
    pub(crate) fn resolve(&self, folder: &Folder) -> Result<SecretKey, Error> {
        secret_key(&self.who(folder)?, self.hd_path, folder)
    }

    /// The address alone: its secret key may be elsewhere, and it may be a contract.
    ///
    /// # Errors
    /// [`Error`].
    pub(crate) fn address(&self, folder: &Folder, network: &Network) -> Result<Recipient, Error> {
        address(&self.who(folder)?, self.hd_path, folder, network)
    }

    /// Whether the command line itself says who.
    pub(crate) fn is_given(&self) -> bool {
        self.source.is_some()
    }

    fn who(&self, folder: &Folder) -> Result<String, Error> {
        let given = self.source.clone().map(|who| who.0);
        match given.or_else(|| variable("STELLAR_ACCOUNT")) {
            Some(who) => Ok(who),
            None => folder.default_identity()?.ok_or(Error::NoSource),
        }
    }
}

/// Whose address `who` stands for: what [`secret_key`] takes, an address, or a contract's alias.
///
/// # Errors
/// [`Error`].
pub(crate) fn address(
    who: &str,
    hd_path: Option<u32>,
    folder: &Folder,
    network: &Network,
) -> Result<Recipient, Error> {
    let has_secret = who == "-" || who.starts_with("env:") || who.starts_with("file:");
    if has_secret || hd_path.is_some() || plain(who, hd_path).is_some() {
        return Ok(secret_key(who, hd_path, folder)?.address());
    }
    party(who, folder, network)
}

/// The key that `who` stands for: an identity, `env:NAME`, `file:PATH`, `-`, or a secret itself.
///
/// # Errors
/// [`Error`].
pub(crate) fn secret_key(
    who: &str,
    hd_path: Option<u32>,
    folder: &Folder,
) -> Result<SecretKey, Error> {
    // A line end of a settings file is no part of it.
    let who = who.trim();
    if let Some(text) = kept(who)? {
        return secret(&text, hd_path, who.to_owned());
    }
    if who == "-" {
        let mut text = Zeroizing::new(String::new());
        std::io::stdin()
            .read_to_string(&mut text)
            .map_err(Error::Stdin)?;
        return secret(&text, hd_path, "stdin".to_owned());
    }
    if let Some(key) = plain(who, hd_path) {
        return Ok(key);
    }
    if let Ok(address) = Recipient::new(who) {
        return Err(Error::AddressOnly(address.to_string()));
    }
    identity(who, hd_path, folder)
}

/// What is kept in `env:NAME` or `file:PATH`; `None` where it is neither.
///
/// # Errors
/// [`Error::NoVariable`], [`Error::File`].
pub(crate) fn kept(place: &str) -> Result<Option<Zeroizing<String>>, Error> {
    let text = if let Some(name) = place.strip_prefix("env:") {
        variable(name).ok_or_else(|| Error::NoVariable(name.to_owned()))?
    } else if let Some(path) = place.strip_prefix("file:") {
        std::fs::read_to_string(path).map_err(|error| Error::File {
            path: path.into(),
            why: error.to_string(),
        })?
    } else {
        return Ok(None);
    };
    Ok(Some(Zeroizing::new(text)))
}

fn secret(text: &str, hd_path: Option<u32>, from: String) -> Result<SecretKey, Error> {
    plain(text.trim(), hd_path).ok_or(Error::NoSecret { from })
}

/// A secret key or a seed phrase.
fn plain(text: &str, hd_path: Option<u32>) -> Option<SecretKey> {
    SecretKey::from_strkey(text)
        .ok()
        .or_else(|| phrase::derive(text, hd_path.unwrap_or(0)))
}

fn identity(name: &str, hd_path: Option<u32>, folder: &Folder) -> Result<SecretKey, Error> {
    let stored: Stored = folder
        .named("identity", name)?
        .ok_or_else(|| Error::NoIdentity {
            name: name.to_owned(),
            folder: folder.path().to_owned(),
        })?;
    stored.key(name, hd_path)
}

/// The address of an identity, if there is one of that name.
pub(super) fn identity_address(name: &str, folder: &Folder) -> Result<Option<Recipient>, Error> {
    let stored: Option<Stored> = match folder.named("identity", name) {
        Err(Error::Name(_)) => None,
        other => other?,
    };
    let Some(stored) = stored else {
        return Ok(None);
    };
    if let Some(address) = &stored.public_key {
        return Recipient::new(address)
            .map(Some)
            .map_err(|_| Error::NoParty(name.to_owned()));
    }
    stored.key(name, None).map(|key| Some(key.address()))
}

impl Stored {
    fn key(&self, name: &str, hd_path: Option<u32>) -> Result<SecretKey, Error> {
        let not_here = |what| Error::NotHere {
            name: name.to_owned(),
            what,
        };
        if self.hardware.is_some() {
            return Err(not_here("is a Ledger's"));
        }
        if self.entry_name.is_some() {
            return Err(not_here("is kept in the system's secure store"));
        }
        let no_secret = || Error::NoSecret {
            from: format!("identity {name}"),
        };
        if let Some(key) = &self.secret_key {
            return SecretKey::from_strkey(key).map_err(|_| no_secret());
        }
        if let Some(words) = &self.seed_phrase {
            let index = hd_path.or(self.hd_path).unwrap_or(0);
            return phrase::derive(words, index).ok_or_else(no_secret);
        }
        if let Some(address) = &self.public_key {
            return Err(Error::AddressOnly(address.clone()));
        }
        if self.muxed_account.is_some() {
            return Err(not_here("is a muxed account"));
        }
        Err(no_secret())
    }
}
