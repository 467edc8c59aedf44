//! What the tests stand on.

#[path = "../../../../localnet/tests/it/common/mod.rs"]
#[allow(
    dead_code,
    clippy::needless_pass_by_value,
    reason = "as the ledger's own tests have it"
)]
pub(crate) mod ledger;

mod chain;
mod database;
mod gateway;
mod postgres;
#[allow(dead_code, reason = "killed processes need the rest of it")]
mod proxy;

use std::time::Duration;

pub(crate) use chain::Chain;
pub(crate) use database::Database;
pub(crate) use gateway::{Answer, Rig, order_body, payouts};
pub(crate) use proxy::Proxy;

/// The two databases, each a test of its own.
macro_rules! both {
    ($name:ident) => {
        mod $name {
            use $crate::common::Database;

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                super::$name(Database::sqlite()).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                super::$name(Database::postgres()).await;
            }
        }
    };
}

pub(crate) use both;

/// Waits, for half a minute at most.
pub(crate) async fn until(what: &str, mut true_now: impl AsyncFnMut() -> bool) {
    for _ in 0..1_200 {
        if true_now().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("{what} does not happen");
}

/// Accounts of the field's cases.
pub(crate) const R1: &str = "GAZJYCGITLBAV5UPJUQ4QIHNFIILZ2763CO55DITR4O2KS77DBYM6MPE";
pub(crate) const R2: &str = "GADXTBSNVIMB5TFN764TG436NCFFG26Y4P625IL7UD3NRBLTTDQE77PC";
/// A contract that nobody deployed.
pub(crate) const NOWHERE: &str = "CB2LTNYYHF7NPL7MEW6BBMDTJT7PAW2EVHCRADUCT2FNU36X5JYVSW7Z";
