//! What this process knows of each program's contract. Other parts read it; the watch writes it.

use std::sync::RwLock;

use payout_engine::escrow::Facts;
use payout_keys::{Deployment, IdempotencyKey, ProgramId, Recipient, gateway_key};

use crate::problem::{Problem, ProblemKind};
use crate::serving::PayoutBody;
use crate::store::programs::Pins;

/// The most recipients of one payout, until the contract was asked.
const MAX_BATCH: u32 = 60;

/// A program that this gateway pays for.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) id: ProgramId,
    pub(crate) deployment: Deployment,
    /// The payout key or delegate.
    pub(crate) caller: Recipient,
    known: RwLock<Known>,
}

/// What is known.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) facts: Option<ChainFacts>,
    /// Why nothing is sent yet. `None`: payouts are carried out.
    pub(crate) waiting: Option<String>,
    /// The token's decimals and the contract's batch size, as pinned.
    pub(crate) scale: Option<(u32, u32)>,
    /// How many ledgers events are behind.
    pub(crate) event_lag: u32,
    /// That another network or contract is configured than the one that was pinned.
    pub(crate) misplaced: Option<String>,
}

/// The contract as of a ledger.
#[derive(Debug, Clone)]
pub(crate) struct ChainFacts {
    pub(crate) ledger: u32,
    pub(crate) token: String,
    pub(crate) decimals: u32,
    pub(crate) status: &'static str,
    pub(crate) remaining_balance: i128,
    pub(crate) total_paid: i128,
    pub(crate) payout_count: u64,
    pub(crate) paused: bool,
    pub(crate) breaker_open: bool,
}

impl From<&Facts> for ChainFacts {
    fn from(facts: &Facts) -> Self {
        use payout_engine::escrow::ProgramStatus;
        Self {
            ledger: facts.at.ledger,
            token: facts.token.contract.to_string(),
            decimals: facts.token.decimals,
            status: match facts.program.status {
                ProgramStatus::Draft => "draft",
                ProgramStatus::Active => "active",
                ProgramStatus::Closed => "closed",
            },
            remaining_balance: facts.program.remaining_balance,
            total_paid: facts.program.total_paid,
            payout_count: facts.program.payout_count,
            paused: facts.brakes.payout_paused,
            breaker_open: facts.brakes.breaker_open,
        }
    }
}

impl Program {
    pub(crate) fn new(id: ProgramId, deployment: Deployment, caller: Recipient) -> Self {
        Self {
            id,
            deployment,
            caller,
            known: RwLock::new(Known {
                facts: None,
                waiting: Some("the chain has not been read yet".to_owned()),
                scale: None,
                event_lag: 0,
                misplaced: None,
            }),
        }
    }

    /// What is known now.
    pub(crate) fn known(&self) -> Known {
        self.look(Known::clone)
    }

    fn look<T>(&self, at: impl FnOnce(&Known) -> T) -> T {
        match self.known.read() {
            Ok(known) => at(&known),
            Err(poisoned) => at(&poisoned.into_inner()),
        }
    }

    fn change(&self, change: impl FnOnce(&mut Known)) {
        match self.known.write() {
            Ok(mut known) => change(&mut known),
            Err(poisoned) => change(&mut poisoned.into_inner()),
        }
    }

    /// Whether payouts are carried out.
    pub(crate) fn ready(&self) -> bool {
        self.look(|known| known.waiting.is_none())
    }

    /// Says why nothing is sent, or that it is.
    pub(crate) fn set_waiting(&self, why: Option<String>) {
        self.change(|known| known.waiting = why);
    }

    pub(crate) fn set_facts(&self, facts: ChainFacts) {
        self.change(|known| known.facts = Some(facts));
    }

    pub(crate) fn set_event_lag(&self, ledgers: u32) {
        self.change(|known| known.event_lag = ledgers);
    }

    /// Takes what was pinned at the first use.
    pub(crate) fn set_pins(&self, pins: &Pins) {
        let configured = [
            (
                "network",
                &pins.network,
                self.deployment.network.to_string(),
            ),
            (
                "contract",
                &pins.contract,
                self.deployment.contract.to_string(),
            ),
        ];
        let misplaced = configured
            .into_iter()
            .find(|(_, pinned, now)| **pinned != *now)
            .map(|(what, pinned, now)| {
                format!(
                    "{} was first used with {what} {pinned}, and {now} is configured",
                    self.id
                )
            });
        self.change(|known| {
            known.scale = Some((pins.decimals, pins.max_batch));
            known.misplaced = misplaced;
        });
    }

    /// Whether a new order may be stored: its key on chain is derived from the network and the contract, and
    /// under a wrong one it would not find what was paid already.
    pub(crate) fn placed(&self) -> Result<(), Problem> {
        self.look(|known| known.misplaced.clone())
            .map_or(Ok(()), |why| {
                Err(ProblemKind::NotReady
                    .with(format!("{why}; nothing was stored."))
                    .retry_after(60))
            })
    }

    /// The key on chain of an order.
    pub(crate) fn chain_key(&self, key: &IdempotencyKey, counter: u32) -> IdempotencyKey {
        gateway_key(&self.id, &self.deployment, key, counter)
    }

    /// Decimals and batch size to read a body by. Amounts in whole tokens need the contract's word.
    pub(crate) fn scale(&self, body: &PayoutBody) -> Result<(u32, u32), Problem> {
        match self.look(|known| known.scale) {
            Some(scale) => Ok(scale),
            None if body.counts_tokens() => Err(ProblemKind::NotReady
                .with("The token's decimals are not known yet; amounts in its smallest unit are.")
                .retry_after(5)),
            None => Ok((0, MAX_BATCH)),
        }
    }
}
