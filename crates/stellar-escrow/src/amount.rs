//! Amounts as people write them.

use payout_engine::escrow::{Token, decimal};
use payout_engine::rows::parse_amount;

/// An amount that cannot be taken.
#[derive(Debug, thiserror::Error)]
#[error("{text:?} is no amount ({why}); {token} has {decimals} decimal places, for example 12.5")]
pub(crate) struct AmountError {
    text: String,
    why: &'static str,
    token: String,
    decimals: u32,
}

/// Units of the token; more than nothing.
///
/// # Errors
/// [`AmountError`].
pub(crate) fn units(text: &str, token: &Token) -> Result<i128, AmountError> {
    read(text, token.decimals, token.name())
}

/// Stroops of XLM; more than nothing.
///
/// # Errors
/// [`AmountError`].
pub(crate) fn stroops(text: &str) -> Result<i64, AmountError> {
    let units = read(text, 7, "XLM".to_owned())?;
    // What was read fits into 64 bits.
    Ok(i64::try_from(units).unwrap_or(i64::MAX))
}

fn read(text: &str, decimals: u32, token: String) -> Result<i128, AmountError> {
    let error = |reason: payout_engine::rows::Reason| AmountError {
        text: text.chars().take(60).collect(),
        why: reason.name(),
        token,
        decimals,
    };
    Ok(parse_amount(text, decimals).map_err(error)?.units())
}

/// Stroops as XLM.
pub(crate) fn xlm(stroops: i64) -> String {
    format!("{} XLM", decimal(i128::from(stroops), 7))
}

/// Units with the token's short name, for people.
pub(crate) fn shown(units: i128, token: &Token) -> String {
    let name = token.name();
    let short = name.split(':').next().unwrap_or(&name);
    format!("{} {short}", token.shown(units))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_amount_is_named_with_what_would_be() {
        let error = stroops("1.23456789").unwrap_err().to_string();
        assert!(
            error.contains("amount_precision") && error.contains("7 decimal"),
            "{error}"
        );
        assert_eq!(stroops("1.5").unwrap(), 15_000_000);
        assert_eq!(xlm(15_000_000), "1.5 XLM");
    }
}
