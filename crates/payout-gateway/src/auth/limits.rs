//! How often each bearer key may ask, in this process.

use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::config::LimitConfig;

/// The limits.
pub(crate) struct Limits {
    buckets: DefaultKeyedRateLimiter<String>,
}

impl Limits {
    pub(crate) fn new(config: &LimitConfig) -> Self {
        let positive = |number: u32| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::per_second(positive(config.requests_per_second))
            .allow_burst(positive(config.burst));
        Self {
            buckets: RateLimiter::keyed(quota),
        }
    }

    /// Takes one request from `key`'s bucket, or tells how long to wait for one.
    pub(crate) fn take(&self, key: &str) -> Result<(), Duration> {
        self.buckets
            .check_key(&key.to_owned())
            .map_err(|not_yet| not_yet.wait_time_from(DefaultClock::default().now()))
    }
}
