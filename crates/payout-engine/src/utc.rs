//! Unix seconds for people.

use std::fmt;

use time::OffsetDateTime;

/// A time in Unix seconds. Its text is the day and the time of day in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Utc(pub u64);

impl fmt::Display for Utc {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = i64::try_from(self.0).ok();
        let time = seconds.and_then(|seconds| OffsetDateTime::from_unix_timestamp(seconds).ok());
        match time {
            Some(time) => write!(
                out,
                "{}-{:02}-{:02} {:02}:{:02}:{:02} UTC",
                time.year(),
                u8::from(time.month()),
                time.day(),
                time.hour(),
                time.minute(),
                time.second()
            ),
            // Later than any calendar goes.
            None => write!(out, "{} (Unix seconds)", self.0),
        }
    }
}
