//! What one key is to pay.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use payout_keys::{Fingerprint, Recipient, Reference};
use serde::{Deserialize, Serialize};

/// Units of a token, the smallest there are; more than nothing. Its text is plain digits, and JSON
/// carries it as that text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(i128);

impl Amount {
    /// Checks `units`.
    ///
    /// # Errors
    /// [`PayoutError::AmountNotPositive`].
    pub fn new(units: i128) -> Result<Self, PayoutError> {
        if units > 0 {
            Ok(Self(units))
        } else {
            Err(PayoutError::AmountNotPositive { units })
        }
    }

    /// The number.
    #[must_use]
    pub fn units(self) -> i128 {
        self.0
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl FromStr for Amount {
    type Err = PayoutError;

    fn from_str(text: &str) -> Result<Self, PayoutError> {
        let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
        let unreadable = || PayoutError::AmountUnreadable {
            value: text.chars().take(48).collect(),
        };
        if !plain {
            return Err(unreadable());
        }
        Self::new(text.parse().map_err(|_| unreadable())?)
    }
}

/// One recipient's part of a payout.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    /// Who gets it.
    pub recipient: Recipient,
    /// How much.
    pub amount: Amount,
    /// Which obligation it is, where the payout says so.
    pub reference: Option<Reference>,
}

/// The arguments under one key: at least one line, no recipient twice, and references for all lines
/// or for none.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Payout {
    lines: Vec<Line>,
    total: Amount,
    fingerprint: Fingerprint,
}

impl Payout {
    /// Checks `lines`. How many a contract takes in one call is the contract's to say.
    ///
    /// # Errors
    /// [`PayoutError`], by the first rule that is broken.
    pub fn new(lines: Vec<Line>) -> Result<Self, PayoutError> {
        let mut seen = BTreeSet::new();
        let mut total = 0_i128;
        for line in &lines {
            if !seen.insert(line.recipient) {
                return Err(PayoutError::RecipientTwice {
                    recipient: line.recipient,
                });
            }
            total = total
                .checked_add(line.amount.units())
                .ok_or(PayoutError::TotalTooLarge)?;
        }
        if lines.is_empty() {
            return Err(PayoutError::Empty);
        }
        let references: Vec<Reference> = lines.iter().filter_map(|line| line.reference).collect();
        if !references.is_empty() && references.len() != lines.len() {
            return Err(PayoutError::ReferenceMissing);
        }
        let recipients: Vec<Recipient> = lines.iter().map(|line| line.recipient).collect();
        let amounts: Vec<i128> = lines.iter().map(|line| line.amount.units()).collect();
        let references = (!references.is_empty()).then_some(references.as_slice());
        let fingerprint = Fingerprint::of(&recipients, &amounts, references)?;
        Ok(Self {
            total: Amount::new(total)?,
            fingerprint,
            lines,
        })
    }

    /// The lines, in the order they are paid in.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The sum of all lines.
    #[must_use]
    pub fn total(&self) -> Amount {
        self.total
    }

    /// What the contract's record of this payout commits to.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// Whether the lines carry references.
    #[must_use]
    pub fn referenced(&self) -> bool {
        self.lines.iter().any(|line| line.reference.is_some())
    }

    /// The payout as JSON, amounts as strings.
    #[must_use]
    pub fn to_json(&self) -> String {
        let lines: Vec<JsonLine> = self.lines.iter().map(JsonLine::from).collect();
        lines
            .iter()
            .map(JsonLine::value)
            .collect::<serde_json::Value>()
            .to_string()
    }

    /// Reads what [`Payout::to_json`] writes.
    ///
    /// # Errors
    /// [`PayoutError`], where it is not that.
    pub fn from_json(text: &str) -> Result<Self, PayoutError> {
        let lines: Vec<JsonLine> =
            serde_json::from_str(text).map_err(|error| PayoutError::Json(error.to_string()))?;
        Self::new(
            lines
                .into_iter()
                .map(Line::try_from)
                .collect::<Result<_, _>>()?,
        )
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonLine {
    recipient: String,
    amount: String,
    #[serde(default)]
    reference: Option<String>,
}

impl JsonLine {
    fn value(&self) -> serde_json::Value {
        serde_json::json!({
            "recipient": self.recipient,
            "amount": self.amount,
            "reference": self.reference,
        })
    }
}

impl From<&Line> for JsonLine {
    fn from(line: &Line) -> Self {
        Self {
            recipient: line.recipient.to_string(),
            amount: line.amount.to_string(),
            reference: line.reference.map(|reference| reference.to_string()),
        }
    }
}

impl TryFrom<JsonLine> for Line {
    type Error = PayoutError;

    fn try_from(line: JsonLine) -> Result<Self, PayoutError> {
        Ok(Self {
            recipient: Recipient::new(&line.recipient)?,
            amount: line.amount.parse()?,
            reference: line
                .reference
                .map(|text| text.parse::<Reference>())
                .transpose()?,
        })
    }
}

/// Why lines are no payout.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PayoutError {
    /// An amount of nothing, or less.
    #[error("an amount of {units} units pays nobody; use an amount above 0")]
    AmountNotPositive {
        /// The amount.
        units: i128,
    },
    /// A text that is no amount.
    #[error("amount {value:?} is not a whole number of units; write digits alone, the first not 0")]
    AmountUnreadable {
        /// The text, cut short.
        value: String,
    },
    /// No line.
    #[error("a payout without a line pays nobody; add a recipient")]
    Empty,
    /// One recipient in two lines, which the contract refuses.
    #[error(
        "recipient {recipient} stands in the payout twice; pay the second line under another key"
    )]
    RecipientTwice {
        /// The recipient.
        recipient: Recipient,
    },
    /// Some lines have references and some have none.
    #[error("some lines have a reference and some have none; give one to each line, or to none")]
    ReferenceMissing,
    /// A sum beyond 128 bits.
    #[error("the payout's sum is too large to be counted; split it")]
    TotalTooLarge,
    /// JSON that is not a list of lines.
    #[error("the stored payout cannot be read ({0}); take it from another source")]
    Json(String),
    /// A value that is none of keys.
    #[error(transparent)]
    Value(#[from] payout_keys::Error),
}
