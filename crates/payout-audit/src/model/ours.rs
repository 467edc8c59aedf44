//! The contract's own events.

use payout_keys::Fingerprint;
use stellar_xdr::ScVal;

use super::event::{Body, Paid};
use super::value::{Fields, address, bytes, integer, list, symbol, text};
use super::{ModelError, Subject};

/// The events' schema that is read here.
const VERSION: u32 = 2;

/// Reads an event of the contract.
pub(super) fn read(subject: &Subject, topics: &[ScVal], data: &ScVal) -> Result<Body, ModelError> {
    let name = topics
        .first()
        .and_then(symbol)
        .ok_or_else(|| ModelError::Field("the first topic is no name".to_owned()))?;
    if name.starts_with("ownership_") {
        return Ok(control(name, topics, data));
    }
    let fields = Fields::of(data)?;
    checked(subject, fields)?;
    match name {
        "BatchPay" => Ok(Body::Paid(Paid {
            key: key(topics)?,
            caller: fields.address("caller")?,
            count: fields.u32("recipient_count")?,
            total: fields.integer("total_amount")?,
            remaining: fields.integer("remaining_balance")?,
            single: None,
        })),
        "Payout" => Ok(Body::Paid(Paid {
            key: key(topics)?,
            caller: fields.address("caller")?,
            count: 1,
            total: fields.integer("amount")?,
            remaining: fields.integer("remaining_balance")?,
            single: Some(fields.address("recipient")?),
        })),
        "BatPayRp" | "IdmReplay" => Ok(Body::Replayed {
            key: key(topics)?,
            caller: fields.address("caller")?,
        }),
        "IdmConfl" => Ok(Body::Conflict {
            key: key(topics)?,
            recorded: Fingerprint(fields.read("recorded", bytes)?),
            presented: Fingerprint(fields.read("presented", bytes)?),
        }),
        "IdmVoid" => Ok(Body::Voided {
            key: key(topics)?,
            caller: fields.address("caller")?,
        }),
        "IdmImport" => Ok(Body::Imported { key: key(topics)? }),
        "FundLock" | "Surplus" => Ok(Body::Credited {
            moved: name == "FundLock",
            amount: fields.integer("amount")?,
            remaining: fields.integer("remaining_balance")?,
        }),
        "Withdraw" => Ok(Body::Withdrawn {
            to: fields.address("to")?,
            amount: fields.integer("amount")?,
            counted: fields.integer("counted")?,
            remaining: fields.integer("remaining_balance")?,
        }),
        "MigProg" => Ok(Body::Migrated {
            remaining: fields.integer("remaining_balance")?,
        }),
        "Publish" | "Close" | "KeyRotate" | "DelegSet" | "DelegRev" | "Guardian" | "Pause"
        | "Trip" | "Reset" | "OutLimit" | "MigKeys" => Ok(control(name, topics, data)),
        other => Err(ModelError::Field(format!(
            "{other} is no event of the contract"
        ))),
    }
}

/// An event of the host about the contract.
pub(super) fn system(topics: &[ScVal], data: &ScVal) -> Body {
    match topics.first().and_then(symbol) {
        Some("executable_update") => Body::Upgraded {
            to: topics
                .get(2)
                .and_then(list)
                .and_then(|code| code.get(1))
                .and_then(bytes),
        },
        other => control(other.unwrap_or("system"), topics, data),
    }
}

fn checked(subject: &Subject, fields: Fields<'_>) -> Result<(), ModelError> {
    let version = fields.u32("version")?;
    if version != VERSION {
        return Err(ModelError::Field(format!(
            "the event has version {version}, and {VERSION} is what is read here"
        )));
    }
    let program = fields.read("program_id", text)?;
    match &subject.program {
        Some(expected) if expected != program => Err(ModelError::Field(format!(
            "the event is of program {program:?}, and the contract's is {expected:?}"
        ))),
        _ => Ok(()),
    }
}

fn key(topics: &[ScVal]) -> Result<String, ModelError> {
    topics
        .get(1)
        .and_then(text)
        .map(str::to_owned)
        .ok_or_else(|| ModelError::Field("the second topic is no key".to_owned()))
}

fn control(name: &str, topics: &[ScVal], data: &ScVal) -> Body {
    let mut parts: Vec<String> = topics.iter().skip(1).map(shown).collect();
    if let ScVal::Map(Some(map)) = data {
        let of_interest = |entry: &&stellar_xdr::ScMapEntry| {
            !matches!(symbol(&entry.key), Some("version" | "program_id"))
        };
        parts.extend(
            map.iter()
                .filter(of_interest)
                .map(|entry| format!("{} {}", shown(&entry.key), shown(&entry.val))),
        );
    }
    Body::Control {
        name: name.to_owned(),
        text: parts.join(", "),
    }
}

/// A value for people.
pub(super) fn shown(value: &ScVal) -> String {
    if let Some(name) = symbol(value).or_else(|| text(value)) {
        return name.to_owned();
    }
    if let Some(address) = address(value) {
        return address.to_string();
    }
    if let Some(number) = integer(value) {
        return number.to_string();
    }
    if let Some(elements) = list(value) {
        let elements: Vec<String> = elements.iter().map(shown).collect();
        return format!("[{}]", elements.join(" "));
    }
    match value {
        ScVal::Bool(value) => value.to_string(),
        ScVal::U32(number) => number.to_string(),
        ScVal::U64(number) => number.to_string(),
        ScVal::Bytes(bytes) => hex::encode(bytes.0.as_slice()),
        ScVal::Map(Some(map)) => {
            let fields: Vec<String> = map
                .iter()
                .map(|entry| format!("{} {}", shown(&entry.key), shown(&entry.val)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
        other => other.name().to_owned(),
    }
}
