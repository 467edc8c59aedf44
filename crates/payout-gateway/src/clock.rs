//! The machine's time. It dates rows and ends sessions. It decides nothing about a payment: what is due,
//! what a lease is worth and when a key's window is over, the database's clock says.

use std::time::{SystemTime, UNIX_EPOCH};

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// Unix milliseconds.
pub(crate) type Millis = i64;

/// Now.
pub(crate) fn now() -> Millis {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// As RFC 3339 in UTC, to the millisecond.
pub(crate) fn text(at: Millis) -> String {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(at) * 1_000_000)
        .ok()
        .and_then(|time| time.format(&Rfc3339).ok())
        .unwrap_or_else(|| at.to_string())
}

#[cfg(test)]
mod tests {
    #[test]
    fn times_are_written_in_utc() {
        assert_eq!(super::text(0), "1970-01-01T00:00:00Z");
        assert_eq!(super::text(1_767_225_600_250), "2026-01-01T00:00:00.25Z");
    }
}
