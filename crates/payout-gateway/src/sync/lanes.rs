//! Secret keys and lanes.

use std::collections::BTreeMap;
use std::sync::Arc;

use payout_engine::envelope::SecretKey;

use crate::store::jobs::Job;
use crate::store::{Store, StoreError};

/// The secret keys of this process: each program's payout key, and the channel accounts.
pub(crate) struct Secrets {
    payout: BTreeMap<String, Arc<SecretKey>>,
    lanes: BTreeMap<String, Arc<SecretKey>>,
}

/// Who signs a job.
pub(crate) struct Signing {
    pub(crate) payout: Arc<SecretKey>,
    /// The account that carries it; the payout key's own where there are no lanes.
    pub(crate) lane: Arc<SecretKey>,
    /// The newest ledger that the lane's earlier transactions were seen in.
    pub(crate) horizon: u32,
}

impl Secrets {
    pub(crate) fn new(payout: BTreeMap<String, SecretKey>, lanes: Vec<SecretKey>) -> Self {
        Self {
            payout: payout
                .into_iter()
                .map(|(program, key)| (program, Arc::new(key)))
                .collect(),
            lanes: lanes
                .into_iter()
                .map(|key| (key.address().to_string(), Arc::new(key)))
                .collect(),
        }
    }

    /// Makes every account that can carry transactions known to the store.
    pub(crate) async fn register(&self, store: &Store) -> Result<(), StoreError> {
        let mut accounts: Vec<String> = self.lanes.keys().cloned().collect();
        if accounts.is_empty() {
            accounts = self
                .payout
                .values()
                .map(|key| key.address().to_string())
                .collect();
        }
        accounts.sort();
        accounts.dedup();
        store.add_lanes(&accounts).await
    }

    /// The accounts that may carry a program's transactions.
    fn accounts(&self, program: &str) -> Vec<String> {
        if self.lanes.is_empty() {
            let own = self.payout.get(program);
            return own
                .map(|key| key.address().to_string())
                .into_iter()
                .collect();
        }
        self.lanes.keys().cloned().collect()
    }

    /// A lane for a job, its own or a free one. `None`: all are taken.
    pub(crate) async fn lane_for(
        &self,
        store: &Store,
        job: &Job,
        program: &str,
    ) -> Result<Option<Signing>, StoreError> {
        let Some(payout) = self.payout.get(program) else {
            return Ok(None);
        };
        let Some(taken) = store.take_lane(job, &self.accounts(program)).await? else {
            return Ok(None);
        };
        let lane = if payout.address().to_string() == taken.account {
            Some(payout)
        } else {
            self.lanes.get(&taken.account)
        };
        Ok(lane.map(|lane| Signing {
            payout: Arc::clone(payout),
            lane: Arc::clone(lane),
            horizon: taken.horizon,
        }))
    }
}
