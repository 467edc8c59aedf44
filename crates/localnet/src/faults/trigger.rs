//! When a fault strikes.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// When a fault strikes. In flags and in JSON it is a text: `off`, `5%`, `0.5%`, `1/2` (every second
/// call), `next:3` (the next three calls).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Trigger {
    /// Never.
    Off,
    /// By chance.
    Chance {
        /// Of a thousand calls it can strike, so many.
        per_mille: u16,
    },
    /// Regularly.
    Every {
        /// It strikes the last of so many calls.
        calls: u32,
    },
    /// At once.
    Next {
        /// It strikes so many calls, then no more.
        calls: u32,
    },
}

/// A text that is no trigger.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is no trigger; write off, a percentage such as 5%, 1/N for every Nth call, or next:N ({why})"
)]
pub struct TriggerError {
    text: String,
    why: String,
}

impl FromStr for Trigger {
    type Err = TriggerError;

    fn from_str(text: &str) -> Result<Self, TriggerError> {
        let fail = |why: String| TriggerError {
            text: text.to_owned(),
            why,
        };
        let number = |digits: &str| {
            digits
                .parse::<u32>()
                .map_err(|error: ParseIntError| fail(error.to_string()))
        };
        if text == "off" {
            return Ok(Self::Off);
        }
        if let Some(percent) = text.strip_suffix('%') {
            let (whole, tenths) = percent.split_once('.').unwrap_or((percent, "0"));
            if tenths.len() != 1 {
                return Err(fail("a percentage has at most one decimal".to_owned()));
            }
            let per_mille = number(whole)?
                .checked_mul(10)
                .and_then(|per_mille| per_mille.checked_add(number(tenths).ok()?))
                .filter(|per_mille| *per_mille <= 1_000)
                .ok_or_else(|| fail("a percentage is at most 100".to_owned()))?;
            return Ok(Self::Chance {
                per_mille: u16::try_from(per_mille).map_err(|error| fail(error.to_string()))?,
            });
        }
        if let Some(calls) = text.strip_prefix("1/") {
            let calls = number(calls)?;
            if calls == 0 {
                return Err(fail("every 0th call is none".to_owned()));
            }
            return Ok(Self::Every { calls });
        }
        if let Some(calls) = text.strip_prefix("next:") {
            return Ok(Self::Next {
                calls: number(calls)?,
            });
        }
        Err(fail("unknown form".to_owned()))
    }
}

impl fmt::Display for Trigger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => f.write_str("off"),
            Self::Chance { per_mille } => write!(f, "{}.{}%", per_mille / 10, per_mille % 10),
            Self::Every { calls } => write!(f, "1/{calls}"),
            Self::Next { calls } => write!(f, "next:{calls}"),
        }
    }
}

impl TryFrom<String> for Trigger {
    type Error = TriggerError;

    fn try_from(text: String) -> Result<Self, TriggerError> {
        text.parse()
    }
}

impl From<Trigger> for String {
    fn from(trigger: Trigger) -> Self {
        trigger.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_triggers_convert_both_ways() {
        for (text, trigger) in [
            ("off", Trigger::Off),
            ("5.0%", Trigger::Chance { per_mille: 50 }),
            ("0.5%", Trigger::Chance { per_mille: 5 }),
            ("100.0%", Trigger::Chance { per_mille: 1_000 }),
            ("1/2", Trigger::Every { calls: 2 }),
            ("next:3", Trigger::Next { calls: 3 }),
        ] {
            assert_eq!(text.parse(), Ok(trigger));
            assert_eq!(trigger.to_string(), text);
        }
        assert_eq!("5%".parse(), Ok(Trigger::Chance { per_mille: 50 }));
    }

    #[test]
    fn other_texts_are_refused_with_the_forms() {
        for text in ["", "often", "101%", "5.55%", "1/0", "1/x", "next:-1", "%"] {
            let error = text.parse::<Trigger>().unwrap_err().to_string();
            assert!(error.contains("next:N"), "{text}: {error}");
        }
    }
}
