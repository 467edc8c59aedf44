//! Which contract, and who else: addresses, identities and aliases.

use clap::Args;
use payout_keys::{ContractId, Recipient};

use super::error::Error;
use super::folder::Folder;
use super::network::Network;
use super::{source, variable};

/// Which escrow.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ContractArgs {
    /// The escrow: its address (C…) or its alias with stellar-cli [env: `STELLAR_CONTRACT_ID`]
    #[arg(
        long = "id",
        visible_alias = "contract",
        value_name = "CONTRACT",
        help_heading = "Settings"
    )]
    id: Option<String>,
}

impl ContractArgs {
    /// These, or where none is given `contract`.
    pub(crate) fn or(&self, contract: ContractId) -> Self {
        let id = self.id.clone().or_else(|| variable("STELLAR_CONTRACT_ID"));
        Self {
            id: id.or_else(|| Some(contract.to_string())),
        }
    }

    /// The contract on the network with this passphrase.
    ///
    /// # Errors
    /// [`Error::NoContract`], [`Error::NoAlias`], [`Error::BadAlias`], [`Error::File`].
    pub(crate) fn resolve(&self, folder: &Folder, passphrase: &str) -> Result<ContractId, Error> {
        let name = self
            .id
            .clone()
            .or_else(|| variable("STELLAR_CONTRACT_ID"))
            .ok_or(Error::NoContract)?;
        contract_id(&name, folder, passphrase)
    }
}

/// A contract by address or alias.
///
/// # Errors
/// [`Error::NoAlias`], [`Error::BadAlias`], [`Error::File`].
pub(crate) fn contract_id(
    name: &str,
    folder: &Folder,
    passphrase: &str,
) -> Result<ContractId, Error> {
    if let Ok(id) = ContractId::new(name) {
        return Ok(id);
    }
    let value = folder
        .alias(name, passphrase)?
        .ok_or_else(|| Error::NoAlias {
            name: name.chars().take(60).collect(),
            passphrase: passphrase.to_owned(),
        })?;
    ContractId::new(&value).map_err(|_| Error::BadAlias {
        name: name.to_owned(),
        value,
    })
}

/// Somebody by address, identity or contract's alias. No secret is needed, and none is taken.
///
/// # Errors
/// [`Error::NoParty`], [`Error::File`].
pub(crate) fn party(name: &str, folder: &Folder, network: &Network) -> Result<Recipient, Error> {
    if let Ok(address) = Recipient::new(name) {
        return Ok(address);
    }
    if let Some(address) = source::identity_address(name, folder)? {
        return Ok(address);
    }
    match contract_id(name, folder, network.passphrase()) {
        Ok(id) => Ok(Recipient::Contract(id.0)),
        Err(Error::NoAlias { name, .. } | Error::Name(name)) => Err(Error::NoParty(name)),
        Err(other) => Err(other),
    }
}
