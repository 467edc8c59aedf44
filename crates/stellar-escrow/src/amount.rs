//! Amounts as people write them.

use payout_engine::escrow::Token;
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

/// Units as a plain decimal.
pub(crate) fn decimal(units: i128, decimals: u32) -> String {
    let sign = if units < 0 { "-" } else { "" };
    let digits = units.unsigned_abs().to_string();
    let places = usize::try_from(decimals).unwrap_or(0);
    let padded = format!("{digits:0>width$}", width = places.saturating_add(1));
    let (whole, fraction) = padded.split_at(padded.len().saturating_sub(places));
    let fraction = fraction.trim_end_matches('0');
    if fraction.is_empty() {
        return format!("{sign}{whole}");
    }
    format!("{sign}{whole}.{fraction}")
}

/// Stroops as XLM.
pub(crate) fn xlm(stroops: i64) -> String {
    format!("{} XLM", decimal(i128::from(stroops), 7))
}

/// Units with the token's short name, for people.
pub(crate) fn shown(units: i128, token: &Token) -> String {
    let name = token.name();
    let short = name.split(':').next().unwrap_or(&name);
    format!("{} {short}", decimal(units, token.decimals))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_written_without_a_digit_lost() {
        for (units, decimals, text) in [
            (0, 7, "0"),
            (1, 7, "0.0000001"),
            (12_345_678, 7, "1.2345678"),
            (-10_000_000, 7, "-1"),
            (900_719_925_474_099_301, 7, "90071992547.4099301"),
            (5, 0, "5"),
            (i128::MAX, 0, "170141183460469231731687303715884105727"),
        ] {
            assert_eq!(decimal(units, decimals), text);
        }
    }

    #[test]
    fn what_is_no_amount_is_named_with_what_would_be() {
        let error = stroops("1.23456789").unwrap_err().to_string();
        assert!(
            error.contains("amount_precision") && error.contains("7 decimal"),
            "{error}"
        );
        assert_eq!(stroops("1.5").unwrap(), 15_000_000);
    }
}
