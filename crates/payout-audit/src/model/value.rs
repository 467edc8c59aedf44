//! XDR values as plain ones.

use payout_keys::Recipient;
use stellar_xdr::{Int128Parts, PublicKey, ScAddress, ScMap, ScVal};

use super::ModelError;

pub(crate) fn symbol(value: &ScVal) -> Option<&str> {
    match value {
        ScVal::Symbol(symbol) => std::str::from_utf8(symbol.0.as_slice()).ok(),
        _ => None,
    }
}

pub(crate) fn text(value: &ScVal) -> Option<&str> {
    match value {
        ScVal::String(text) => std::str::from_utf8(text.0.as_slice()).ok(),
        _ => None,
    }
}

pub(crate) fn integer(value: &ScVal) -> Option<i128> {
    match value {
        ScVal::I128(Int128Parts { hi, lo }) => Some((i128::from(*hi) << 64) | i128::from(*lo)),
        _ => None,
    }
}

pub(crate) fn address(value: &ScVal) -> Option<Recipient> {
    match value {
        ScVal::Address(address) => party(address),
        _ => None,
    }
}

pub(crate) fn party(address: &ScAddress) -> Option<Recipient> {
    match address {
        ScAddress::Account(account) => {
            let PublicKey::PublicKeyTypeEd25519(key) = &account.0;
            Some(Recipient::Account(key.0))
        }
        ScAddress::Contract(contract) => Some(Recipient::Contract(contract.0.0)),
        _ => None,
    }
}

pub(crate) fn bytes<const N: usize>(value: &ScVal) -> Option<[u8; N]> {
    match value {
        ScVal::Bytes(bytes) => bytes.0.as_slice().try_into().ok(),
        _ => None,
    }
}

pub(crate) fn list(value: &ScVal) -> Option<&[ScVal]> {
    match value {
        ScVal::Vec(Some(list)) => Some(list.0.as_slice()),
        _ => None,
    }
}

/// The fields of a map, by name.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a>(&'a ScMap);

impl<'a> Fields<'a> {
    pub(crate) fn of(value: &'a ScVal) -> Result<Self, ModelError> {
        match value {
            ScVal::Map(Some(map)) => Ok(Self(map)),
            _ => Err(ModelError::Field("the data is no map".to_owned())),
        }
    }

    pub(crate) fn get(self, name: &str) -> Option<&'a ScVal> {
        self.0
            .iter()
            .find(|entry| symbol(&entry.key) == Some(name))
            .map(|entry| &entry.val)
    }

    /// A field that has to be there, read by `read`.
    pub(crate) fn read<T>(
        self,
        name: &str,
        read: impl FnOnce(&'a ScVal) -> Option<T>,
    ) -> Result<T, ModelError> {
        self.get(name)
            .and_then(read)
            .ok_or_else(|| ModelError::Field(format!("field {name} is missing or of another type")))
    }

    pub(crate) fn integer(self, name: &str) -> Result<i128, ModelError> {
        self.read(name, integer)
    }

    pub(crate) fn address(self, name: &str) -> Result<Recipient, ModelError> {
        self.read(name, address)
    }

    pub(crate) fn u32(self, name: &str) -> Result<u32, ModelError> {
        self.read(name, |value| match value {
            ScVal::U32(number) => Some(*number),
            _ => None,
        })
    }
}
