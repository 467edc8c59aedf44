//! Reading a run's slots.

use payout_keys::IdempotencyKey;

use super::Payer;
use super::order::{Clerk, RunEnd};
use crate::ports::{Host, Network, RunStore, Signer};
use crate::record::{Record, RecordKind};
use crate::run::{Chain, Halt, Place, Slot};

/// Slots that are read ahead at least. A record behind the open slot means that somebody pays under
/// these keys by other rules.
const AHEAD: u32 = 4;
/// Slots of one call at most.
const WINDOW: u32 = 128;

impl<N: Network, S: RunStore, G: Signer, H: Host, C: Clerk> Payer<'_, N, S, G, H, C> {
    /// Brings what is known of all slots up to date.
    pub(super) async fn read(&mut self) -> Result<(), RunEnd> {
        let place = self.input.place.clone();
        let mut chain = std::mem::take(&mut self.input.chain);
        let read = self.extend(&place, &mut chain).await;
        self.input.chain = chain;
        read?;
        for at in 0..self.input.after.len() {
            // An ended run does not change.
            let ended = &mut self.input.after[at];
            if ended.chain.as_of > 0 {
                continue;
            }
            let place = Place {
                run: ended.run.clone(),
                ..place.clone()
            };
            let mut chain = std::mem::take(&mut ended.chain);
            let read = self.extend(&place, &mut chain).await;
            self.input.after[at].chain = chain;
            read?;
        }
        Ok(())
    }

    /// Reads on behind the last known slot, up to the first without a record. Records never change, so
    /// known ones are not read again.
    async fn extend(&mut self, place: &Place, chain: &mut Chain) -> Result<(), RunEnd> {
        let mut window = AHEAD;
        loop {
            let first = u32::try_from(chain.slots.len()).unwrap_or(u32::MAX);
            let (ledger, records) = self.window(place, first, window).await?;
            let mut open = None;
            for (index, record) in (first..).zip(records) {
                match (record, open) {
                    (None, None) => open = Some(index),
                    (None, Some(_)) => {}
                    (Some(_), Some(expected)) => {
                        let found = index;
                        return Err(RunEnd::Halted(Halt::BrokenChain { expected, found }));
                    }
                    (Some(record), None) => {
                        chain.slots.push(Slot { index, record });
                        if record.kind == RecordKind::Voided {
                            chain.as_of = ledger;
                            return Ok(());
                        }
                    }
                }
            }
            if open.is_some() {
                chain.as_of = ledger;
                return Ok(());
            }
            window = window.saturating_mul(4).min(WINDOW);
        }
    }

    /// The records of `count` slots, from a node that knows all that we know.
    async fn window(
        &mut self,
        place: &Place,
        first: u32,
        count: u32,
    ) -> Result<(u32, Vec<Option<Record>>), RunEnd> {
        let keys: Vec<IdempotencyKey> = (first..first.saturating_add(count))
            .map(|slot| place.key(slot))
            .collect();
        let mut tries = 0;
        loop {
            let why = match self.driver.network.records(&keys).await {
                Ok(read) if read.ledger >= self.horizon && read.records.len() == keys.len() => {
                    self.horizon = read.ledger;
                    return Ok((read.ledger, read.records));
                }
                Ok(read) => format!(
                    "a node is at ledger {}, and ledger {} is known: its answer counts for nothing",
                    read.ledger, self.horizon
                ),
                Err(why) => why.0,
            };
            self.patience(&mut tries, why).await?;
        }
    }

    /// Waits before another try, as often as the policy allows.
    pub(super) async fn patience(&mut self, tries: &mut u16, why: String) -> Result<(), RunEnd> {
        *tries = tries.saturating_add(1);
        if *tries > self.policy.max_tries {
            return Err(RunEnd::Unread(why));
        }
        self.driver.host.waits(&why);
        let jitter = self.driver.host.jitter();
        let wait = self.policy.wait(*tries, jitter);
        self.driver.host.sleep(wait).await;
        Ok(())
    }
}
