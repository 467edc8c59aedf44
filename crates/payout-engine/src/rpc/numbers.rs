//! Numbers that come as text, so that no reader rounds them. Plain numbers are taken as well.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

#[derive(Deserialize)]
#[serde(untagged)]
enum Either {
    Text(String),
    Number(i64),
}

impl Either {
    fn read<E: serde::de::Error>(self) -> Result<i64, E> {
        match self {
            Self::Number(number) => Ok(number),
            Self::Text(text) => text
                .parse()
                .map_err(|_| E::custom("a text that is no 64-bit number")),
        }
    }
}

/// A number, or a text of one.
pub(super) fn number<'de, D: Deserializer<'de>, T: TryFrom<i64>>(from: D) -> Result<T, D::Error> {
    let number = Either::deserialize(from)?.read::<D::Error>()?;
    T::try_from(number).map_err(|_| D::Error::custom("a number out of its range"))
}

/// The same, or nothing.
pub(super) fn maybe<'de, D: Deserializer<'de>, T: TryFrom<i64>>(
    from: D,
) -> Result<Option<T>, D::Error> {
    let Some(either) = Option::<Either>::deserialize(from)? else {
        return Ok(None);
    };
    T::try_from(either.read::<D::Error>()?)
        .map(Some)
        .map_err(|_| D::Error::custom("a number out of its range"))
}

/// A list, or null for an empty one.
pub(super) fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<Vec<T>, D::Error> {
    Ok(Option::<Vec<T>>::deserialize(from)?.unwrap_or_default())
}
