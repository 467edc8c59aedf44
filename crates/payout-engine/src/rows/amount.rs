//! Exact decimals to units.

use super::Reason;
use crate::Amount;

/// Reads a plain decimal as units of a token with `decimals` places: digits with at most one point
/// and at least one digit. A leading minus is read, and then it is not positive. Zeros beyond the
/// token's places do not count; other digits there are refused. At most a signed 64-bit number of
/// units, because a classic asset holds no more.
///
/// # Errors
/// The reason, the first that applies.
pub fn parse_amount(text: &str, decimals: u32) -> Result<Amount, Reason> {
    if text.is_empty() {
        return Err(Reason::AmountMissing);
    }
    let (negative, plain) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, fraction) = plain.split_once('.').unwrap_or((plain, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || (whole.is_empty() && fraction.is_empty()) {
        return Err(Reason::AmountNotDecimal);
    }
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    if negative || (whole.is_empty() && fraction.is_empty()) {
        return Err(Reason::AmountNotPositive);
    }
    let places = usize::try_from(decimals).unwrap_or(usize::MAX);
    let Some(missing) = places.checked_sub(fraction.len()) else {
        return Err(Reason::AmountPrecision);
    };
    let mut units = 0_i64;
    for byte in whole.bytes().chain(fraction.bytes()) {
        units = units
            .checked_mul(10)
            .and_then(|units| units.checked_add(i64::from(byte - b'0')))
            .ok_or(Reason::AmountTooLarge)?;
    }
    for _ in 0..missing {
        units = units.checked_mul(10).ok_or(Reason::AmountTooLarge)?;
    }
    Amount::new(i128::from(units)).map_err(|_| Reason::AmountNotPositive)
}
