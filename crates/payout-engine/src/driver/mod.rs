//! Carries the protocol's effects out, in their order, and hands the answers back.

use std::collections::VecDeque;

use crate::journal::Intent;
use crate::ports::{Host, Network, Rehearsal, Signer, Store};
use crate::protocol::{Effect, Event, Input, Obligation, SignRequest, TxHash, step};

/// How often the transaction behind a record is looked for. A receipt is a convenience: the verdict
/// does not need it.
const RECEIPT_LOOKS: u16 = 4;

/// What an obligation is driven to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// To be done.
    Pay,
    /// To sign and send nothing more, and to find out what became of what was signed.
    FindOut,
}

/// The ports of one machine.
#[derive(Debug)]
pub struct Driver<N, S, G, H> {
    /// The network.
    pub network: N,
    /// The store.
    pub store: S,
    /// The signer.
    pub signer: G,
    /// The machine.
    pub host: H,
}

impl<N: Network, S: Store, G: Signer, H: Host> Driver<N, S, G, H> {
    /// Drives `obligation`, which is to do what `intent` says, until it is decided, has stopped, or
    /// waits for consent that is not given. Dropping the future at any point is as a crash there: what
    /// the store has is enough to go on.
    ///
    pub async fn drive(
        &mut self,
        intent: &Intent,
        mut obligation: Obligation,
        aim: Aim,
    ) -> Obligation {
        self.host.begin(intent);
        let mut effects = VecDeque::new();
        let resume = Event::Resume { max_bid: None };
        let mut events = match aim {
            Aim::Pay => vec![resume],
            // In this order: nothing is signed in between.
            Aim::FindOut => vec![Event::GiveUp, resume],
        };
        loop {
            for event in events {
                let jitter = self.host.jitter();
                let (next, more) = step(obligation, Input { event, jitter });
                obligation = next;
                effects.extend(more);
                self.host.watch(&obligation);
            }
            let Some(effect) = effects.pop_front() else {
                break;
            };
            events = self.act(intent, &obligation, effect).await;
        }
        // What is not noted is found out again.
        let _ = self.store.note_ledger(obligation.horizon()).await;
        obligation
    }

    async fn act(
        &mut self,
        intent: &Intent,
        obligation: &Obligation,
        effect: Effect,
    ) -> Vec<Event> {
        match effect {
            Effect::ReadRecord {
                min_ledger,
                not_from,
            } => {
                let read = self.network.record(&intent.key, min_ledger, not_from).await;
                vec![match read {
                    Ok(view) => Event::Record(view),
                    Err(why) => Event::ReadFailed(why.0),
                }]
            }
            Effect::ReadTransactions(hashes) => self.fates(hashes).await,
            Effect::ReadFees => {
                let fees = self.network.fees().await;
                fees.map(Event::Fees).into_iter().collect()
            }
            Effect::Simulate => vec![match self.network.simulate(intent).await {
                Ok(Rehearsal::Passed(simulation)) => Event::Simulated(simulation),
                Ok(Rehearsal::Refused(refusal)) => Event::SimulationRefused(refusal),
                Err(why) => Event::SimulationFailed(why.0),
            }],
            Effect::ShowRestores {
                entries,
                resource_fee,
            } => {
                let agreed = self.host.consent(entries, resource_fee);
                agreed.then_some(Event::Consented).into_iter().collect()
            }
            Effect::Store(entry) => vec![match self.store.store(intent, &entry).await {
                Ok(()) => Event::Stored,
                Err(why) => Event::StoreFailed(why.0),
            }],
            Effect::Sign(request) => vec![self.sign(intent, &request, obligation.horizon()).await],
            Effect::SignBump(request) => vec![match self.signer.bump(&request).await {
                Ok(signed) => Event::Signed(signed),
                Err(why) => Event::SignFailed(why.0),
            }],
            Effect::Send(signed) => {
                // After a restart, an older node's "no record" must not count.
                if let Err(why) = self.store.note_ledger(obligation.horizon()).await {
                    return vec![Event::SendFailed(why.0)];
                }
                vec![match self.network.send(&signed).await {
                    Ok(answer) => Event::Answered(answer),
                    Err(why) => Event::SendFailed(why.0),
                }]
            }
            Effect::Wait { milliseconds } => {
                self.host.sleep(milliseconds).await;
                vec![Event::Timer]
            }
            Effect::FindReceipt { hashes, ledger } => {
                let wait = obligation.policy().poll;
                let receipt = self.receipt(intent, hashes, ledger, wait).await;
                receipt.into_iter().collect()
            }
        }
    }

    async fn sign(&mut self, intent: &Intent, request: &SignRequest, horizon: u32) -> Event {
        let lane = self.signer.lane();
        let last = match self.network.sequence(lane, horizon).await {
            Ok(last) => last,
            Err(why) => return Event::LaneUnread(why.0),
        };
        match self.signer.sign(intent, request, last).await {
            Ok(signed) => Event::Signed(signed),
            Err(why) => Event::SignFailed(why.0),
        }
    }

    async fn fates(&self, hashes: Vec<TxHash>) -> Vec<Event> {
        let mut events = Vec::new();
        for hash in hashes {
            if let Ok(fate) = self.network.transaction(hash).await {
                events.push(Event::Transaction { hash, fate });
            }
        }
        events
    }

    /// Our own hashes first: one call each. Then whatever carried the payout in that ledger, which may
    /// be another machine's transaction or a stranger's.
    async fn receipt(
        &mut self,
        intent: &Intent,
        hashes: Vec<TxHash>,
        ledger: u32,
        wait: u64,
    ) -> Option<Event> {
        for look in 0..RECEIPT_LOOKS {
            if look > 0 {
                self.host.sleep(wait).await;
            }
            // The newest first: a node finds a fee bump by the hash of what it carries, too, and the
            // bump is what was included.
            for hash in hashes.iter().rev() {
                if let Ok(fate) = self.network.transaction(*hash).await
                    && fate.succeeded_in(ledger)
                {
                    let hash = *hash;
                    return Some(Event::Receipt { hash, ledger });
                }
            }
            let ours = intent.payout.as_ref()?.fingerprint();
            if let Ok(landed) = self.network.landed(&intent.key, ledger).await
                && let Some(found) = landed
                    .into_iter()
                    .find(|found| found.payout.fingerprint() == ours)
            {
                return Some(Event::Receipt {
                    hash: found.hash,
                    ledger,
                });
            }
        }
        None
    }
}
