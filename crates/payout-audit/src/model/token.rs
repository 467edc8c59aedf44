//! The token's events.

use payout_keys::Recipient;
use stellar_xdr::ScVal;

use super::ModelError;
use super::event::{Body, How, Moved};
use super::ours::shown;
use super::value::{Fields, address, integer, symbol, text};

/// Reads an event of the token. Topics are those of a Stellar asset's contract, today's and those
/// that had the admin as second topic; other tokens have the same without the asset's name.
pub(super) fn read(topics: &[ScVal], data: &ScVal) -> Result<Body, ModelError> {
    let name = topics
        .first()
        .and_then(symbol)
        .ok_or_else(|| ModelError::Field("the first topic is no name".to_owned()))?;
    let parties: Vec<Recipient> = topics.iter().skip(1).filter_map(address).collect();
    let issuer = topics.last().and_then(text).and_then(issuer);
    let last = parties.last().copied();
    let missing = || ModelError::Field(format!("{name} does not name whom it is about"));
    let moved = match name {
        "transfer" => match parties.as_slice() {
            [from, to] => (How::Transfer, Some(*from), Some(*to)),
            _ => return Err(missing()),
        },
        "mint" => (How::Mint, issuer, Some(last.ok_or_else(missing)?)),
        "burn" => (How::Burn, Some(last.ok_or_else(missing)?), issuer),
        "clawback" => (How::Clawback, Some(last.ok_or_else(missing)?), issuer),
        _ => {
            let rest: Vec<String> = topics.iter().skip(1).chain([data]).map(shown).collect();
            return Ok(Body::TokenControl {
                text: format!("{name} {}", rest.join(" ")),
            });
        }
    };
    Ok(Body::Moved(Moved {
        how: moved.0,
        from: moved.1,
        to: moved.2,
        amount: amount(data)?,
    }))
}

/// The amount, alone or beside the id inside a shared account.
fn amount(data: &ScVal) -> Result<i128, ModelError> {
    let amount = match integer(data) {
        Some(amount) => amount,
        None => Fields::of(data)?.integer("amount")?,
    };
    if amount < 0 {
        return Err(ModelError::Field(format!("{amount} tokens moved")));
    }
    Ok(amount)
}

/// The issuer in an asset's name.
fn issuer(name: &str) -> Option<Recipient> {
    let (_, issuer) = name.split_once(':')?;
    Recipient::new(issuer).ok()
}
