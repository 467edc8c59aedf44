//! stellar-cli's configuration folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::error::Error;
use super::variable;

/// Where stellar-cli's configuration is.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct FolderArgs {
    /// stellar-cli's configuration [default: `$STELLAR_CONFIG_HOME`, else `$XDG_CONFIG_HOME/stellar`, else
    /// `~/.config/stellar`]
    #[arg(long, value_name = "FOLDER", help_heading = "Settings")]
    config_dir: Option<PathBuf>,
}

impl FolderArgs {
    /// The folder that stellar-cli 28 reads. A `.stellar` beside the working files is not read any
    /// more, and neither here.
    ///
    /// # Errors
    /// [`Error::NoHome`].
    pub(crate) fn resolve(&self) -> Result<Folder, Error> {
        if let Some(folder) = &self.config_dir {
            return Ok(Folder(folder.clone()));
        }
        if let Some(folder) = variable("STELLAR_CONFIG_HOME") {
            return Ok(Folder(folder.into()));
        }
        let config = match variable("XDG_CONFIG_HOME") {
            Some(config) => PathBuf::from(config),
            None => std::env::home_dir().ok_or(Error::NoHome)?.join(".config"),
        };
        let (present, former) = (config.join("stellar"), config.join("soroban"));
        let folder = if !present.exists() && former.exists() {
            former
        } else {
            present
        };
        Ok(Folder(folder))
    }
}

/// The folder, which need not exist.
#[derive(Debug, Clone)]
pub(crate) struct Folder(pub(super) PathBuf);

/// What `config.toml` says.
#[derive(Debug, Default, Deserialize)]
struct Defaults {
    #[serde(default)]
    defaults: Named,
}

#[derive(Debug, Default, Deserialize)]
struct Named {
    network: Option<String>,
    identity: Option<String>,
}

/// A contract's alias.
#[derive(Debug, Default, Deserialize, serde::Serialize)]
struct Alias {
    #[serde(default)]
    ids: BTreeMap<String, String>,
}

impl Folder {
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// The network that `stellar network use` chose.
    pub(super) fn default_network(&self) -> Result<Option<String>, Error> {
        Ok(self.defaults()?.network)
    }

    /// The identity that `stellar keys use` chose.
    pub(super) fn default_identity(&self) -> Result<Option<String>, Error> {
        Ok(self.defaults()?.identity)
    }

    fn defaults(&self) -> Result<Named, Error> {
        let config: Option<Defaults> = parsed(&self.0.join("config.toml"))?;
        Ok(config.unwrap_or_default().defaults)
    }

    /// The file of a name in one of the folders, if it is there.
    pub(super) fn named<T: DeserializeOwned>(
        &self,
        kind: &str,
        name: &str,
    ) -> Result<Option<T>, Error> {
        parsed(&self.0.join(kind).join(format!("{}.toml", checked(name)?)))
    }

    /// What an alias stands for on the network with this passphrase.
    pub(super) fn alias(&self, name: &str, passphrase: &str) -> Result<Option<String>, Error> {
        match self.aliases(name) {
            Ok(alias) => Ok(alias.ids.get(passphrase).cloned()),
            // What cannot be a name is nobody's alias.
            Err(Error::Name(_)) => Ok(None),
            Err(other) => Err(other),
        }
    }

    fn aliases(&self, name: &str) -> Result<Alias, Error> {
        let path = self.alias_path(name)?;
        let Some(text) = read(&path)? else {
            return Ok(Alias::default());
        };
        serde_json::from_str(&text).map_err(|error| Error::File {
            path,
            why: error.to_string(),
        })
    }

    fn alias_path(&self, name: &str) -> Result<PathBuf, Error> {
        Ok(self
            .0
            .join("contract-ids")
            .join(format!("{}.json", checked(name)?)))
    }

    /// Makes `name` stand for `contract` on the network with this passphrase, as `stellar contract
    /// deploy --alias` does.
    ///
    /// # Errors
    /// [`Error::Name`], [`Error::File`].
    pub(crate) fn save_alias(
        &self,
        name: &str,
        passphrase: &str,
        contract: &str,
    ) -> Result<(), Error> {
        let path = self.alias_path(name)?;
        let mut alias = self.aliases(name)?;
        alias.ids.insert(passphrase.to_owned(), contract.to_owned());
        let text = serde_json::json!(alias).to_string();
        let write = || {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(&path, text)
        };
        write().map_err(|error| Error::File {
            path: path.clone(),
            why: error.to_string(),
        })
    }

    /// # Errors
    /// [`Error::Name`].
    pub(crate) fn check_name(name: &str) -> Result<(), Error> {
        checked(name).map(|_| ())
    }
}

fn parsed<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, Error> {
    let Some(text) = read(path)? else {
        return Ok(None);
    };
    // The parser's message quotes the line, which may be a secret.
    toml::from_str(&text)
        .map(Some)
        .map_err(|error| Error::File {
            path: path.to_owned(),
            why: error.message().chars().take(80).collect(),
        })
}

fn read(path: &Path) -> Result<Option<String>, Error> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::File {
            path: path.to_owned(),
            why: error.to_string(),
        }),
    }
}

/// A name that cannot lead out of its folder.
fn checked(name: &str) -> Result<&str, Error> {
    let legal = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
    if name.is_empty() || name.len() > 250 || !name.chars().all(legal) {
        return Err(Error::Name(name.chars().take(60).collect()));
    }
    Ok(name)
}
