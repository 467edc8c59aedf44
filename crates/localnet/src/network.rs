//! The network's name and what follows from it.

use ed25519_dalek::SigningKey;
use sha2::{Digest, Sha256};
use soroban_env_host::xdr::{
    AccountId, Asset, ContractId, ContractIdPreimage, Hash, HashIdPreimage,
    HashIdPreimageContractId, Limits, PublicKey, Uint256, WriteXdr,
};

/// The passphrase that `stellar-cli` knows as its network `local`.
pub const STANDALONE_PASSPHRASE: &str = "Standalone Network ; February 2017";

/// A network: its passphrase and the identifiers derived from it.
#[derive(Clone, Debug)]
pub struct Network {
    passphrase: String,
    id: [u8; 32],
}

impl Network {
    /// The network of a passphrase.
    #[must_use]
    pub fn new(passphrase: &str) -> Self {
        Self {
            passphrase: passphrase.to_owned(),
            id: Sha256::digest(passphrase).into(),
        }
    }

    /// The passphrase that every signature is bound to.
    #[must_use]
    pub fn passphrase(&self) -> &str {
        &self.passphrase
    }

    /// SHA-256 of the passphrase.
    #[must_use]
    pub fn id(&self) -> [u8; 32] {
        self.id
    }

    /// The key of the account that holds all lumens of the first ledger. As on every network its
    /// seed is the network id: public knowledge, worth nothing elsewhere.
    pub(crate) fn root_key(&self) -> SigningKey {
        SigningKey::from_bytes(&self.id)
    }

    /// The account that holds all lumens of the first ledger.
    #[must_use]
    pub fn root_account(&self) -> AccountId {
        account_id(self.root_key().verifying_key().to_bytes())
    }

    /// The address of an asset's contract, deployed or not.
    #[must_use]
    pub fn asset_contract(&self, asset: &Asset) -> ContractId {
        let preimage = HashIdPreimage::ContractId(HashIdPreimageContractId {
            network_id: Hash(self.id),
            contract_id_preimage: ContractIdPreimage::Asset(asset.clone()),
        });
        ContractId(Hash(sha256_xdr(&preimage)))
    }
}

/// The account of an ed25519 public key.
pub(crate) fn account_id(public_key: [u8; 32]) -> AccountId {
    AccountId(PublicKey::PublicKeyTypeEd25519(Uint256(public_key)))
}

/// SHA-256 of a value's XDR. Values that were decoded or built from checked parts always encode.
pub(crate) fn sha256_xdr(value: &impl WriteXdr) -> [u8; 32] {
    Sha256::digest(xdr(value)).into()
}

/// A value's XDR; see [`sha256_xdr`].
pub(crate) fn xdr(value: &impl WriteXdr) -> Vec<u8> {
    value.to_xdr(Limits::none()).unwrap_or_default()
}
