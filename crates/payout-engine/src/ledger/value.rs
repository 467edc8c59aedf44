//! Values of contracts, field by field.

use payout_keys::Recipient;
use stellar_xdr::{AccountId, PublicKey, ScAddress, ScMap, ScVal, Uint256};

/// An entry whose value is not what its key promises.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} has no readable field {field}; its layout is not one that is known here")]
pub struct Malformed {
    /// The entry.
    pub what: &'static str,
    /// The field.
    pub field: &'static str,
}

/// The named fields of a struct. Fields that are not asked for do not matter.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a> {
    what: &'static str,
    map: &'a ScMap,
}

impl<'a> Fields<'a> {
    pub(crate) fn of(what: &'static str, value: &'a ScVal) -> Result<Self, Malformed> {
        match value {
            ScVal::Map(Some(map)) => Ok(Self { what, map }),
            _ => Err(Malformed {
                what,
                field: "(any)",
            }),
        }
    }

    pub(crate) fn get<T: FromValue>(&self, field: &'static str) -> Result<T, Malformed> {
        let what = self.what;
        self.map
            .iter()
            .find(|entry| is_symbol(&entry.key, field))
            .and_then(|entry| T::from_value(&entry.val))
            .ok_or(Malformed { what, field })
    }
}

/// Whether a value is this symbol.
pub(crate) fn is_symbol(value: &ScVal, name: &str) -> bool {
    matches!(value, ScVal::Symbol(symbol) if symbol.0.as_slice() == name.as_bytes())
}

/// What a value is read as.
pub(crate) trait FromValue: Sized {
    fn from_value(value: &ScVal) -> Option<Self>;
}

impl FromValue for u32 {
    fn from_value(value: &ScVal) -> Option<Self> {
        match value {
            ScVal::U32(number) => Some(*number),
            _ => None,
        }
    }
}

impl FromValue for u64 {
    fn from_value(value: &ScVal) -> Option<Self> {
        match value {
            ScVal::U64(number) => Some(*number),
            _ => None,
        }
    }
}

impl FromValue for i128 {
    fn from_value(value: &ScVal) -> Option<Self> {
        match value {
            ScVal::I128(parts) => Some(parts.into()),
            _ => None,
        }
    }
}

impl FromValue for bool {
    fn from_value(value: &ScVal) -> Option<Self> {
        match value {
            ScVal::Bool(value) => Some(*value),
            _ => None,
        }
    }
}

/// Text of a contract need not be UTF-8; what is not is shown as such.
impl FromValue for String {
    fn from_value(value: &ScVal) -> Option<Self> {
        match value {
            ScVal::String(text) => Some(String::from_utf8_lossy(text.0.as_slice()).into_owned()),
            _ => None,
        }
    }
}

impl<const N: usize> FromValue for [u8; N] {
    fn from_value(value: &ScVal) -> Option<Self> {
        match value {
            ScVal::Bytes(bytes) => bytes.as_slice().try_into().ok(),
            _ => None,
        }
    }
}

impl FromValue for Recipient {
    fn from_value(value: &ScVal) -> Option<Self> {
        match value {
            ScVal::Address(ScAddress::Account(AccountId(PublicKey::PublicKeyTypeEd25519(
                Uint256(key),
            )))) => Some(Self::Account(*key)),
            ScVal::Address(ScAddress::Contract(id)) => Some(Self::Contract(id.0.0)),
            _ => None,
        }
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: &ScVal) -> Option<Self> {
        match value {
            ScVal::Void => Some(None),
            value => T::from_value(value).map(Some),
        }
    }
}
