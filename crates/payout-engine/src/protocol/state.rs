//! The state of one obligation under one key.

use payout_keys::{Fingerprint, IdempotencyKey};

use super::answer::{Answer, Awaited, Knowledge, Stop};
use super::effect::Effect;
use super::envelope::{Bounds, Envelope, Signed, TxHash};
use super::event::Simulation;
use super::phase::Phase;
use super::policy::{Bid, Policy};
use crate::record::{Moment, NodeId, Record, View};

/// Who may have signed something under the key that our journal does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Signers {
    /// Nobody: the key is ours alone and the journal has everything.
    OnlyThisJournal,
    /// We ourselves, if the journal is older than we think: restored from a backup. Whatever was
    /// signed before has run out when a window is over that begins now.
    PerhapsAnEarlierUs,
    /// Other machines, now and later: every slot of a run. Only a void is final.
    Others,
}

/// What the key is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// To pay what has this fingerprint.
    Pay(Fingerprint),
    /// To be voided. A payout under the key is then a `conflict`.
    Void,
}

/// One obligation under one key: everything that [`step`](super::step) knows.
///
/// Who holds the arguments, the bytes of what is simulated and the key to sign with is outside.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Obligation {
    pub(super) key: IdempotencyKey,
    pub(super) purpose: Purpose,
    pub(super) signers: Signers,
    pub(super) policy: Policy,
    pub(super) phase: Phase,
    pub(super) envelopes: Vec<Envelope>,
    /// Signed and on its way to the journal; gone if it does not arrive there.
    pub(super) unstored: Option<Signed>,
    pub(super) requested: Option<Requested>,
    pub(super) sending: Option<TxHash>,
    pub(super) simulation: Option<Simulation>,
    pub(super) intent_stored: bool,
    /// The newest ledger that anything told us of. Older absences count for nothing.
    pub(super) horizon: u32,
    /// The newest absence that counts.
    pub(super) absent: Option<View>,
    /// What an earlier us may have signed.
    pub(super) forgotten: Option<Bounds>,
    pub(super) market: Option<Bid>,
    pub(super) attempts: u16,
    pub(super) tries: u16,
    pub(super) lane_tries: u16,
    pub(super) giving_up: bool,
    pub(super) reason: String,
    pub(super) stop: Option<Stop>,
    pub(super) first_witness: Option<NodeId>,
    pub(super) record: Option<Record>,
    pub(super) receipt: Option<(TxHash, u32)>,
}

/// What the signer was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Requested {
    pub(super) bounds: Bounds,
    pub(super) bid: Bid,
    pub(super) resource_fee: i64,
    pub(super) inner: Option<TxHash>,
}

impl Obligation {
    /// An obligation that nothing was signed for yet, as far as our journal knows. The first input
    /// is [`Event::Resume`](super::Event::Resume).
    #[must_use]
    pub fn new(key: IdempotencyKey, purpose: Purpose, signers: Signers, policy: Policy) -> Self {
        Self {
            key,
            purpose,
            signers,
            policy,
            phase: Phase::Checking,
            envelopes: Vec::new(),
            unstored: None,
            requested: None,
            sending: None,
            simulation: None,
            intent_stored: false,
            horizon: 0,
            absent: None,
            forgotten: None,
            market: None,
            attempts: 0,
            tries: 0,
            lane_tries: 0,
            giving_up: false,
            reason: String::new(),
            stop: None,
            first_witness: None,
            record: None,
            receipt: None,
        }
    }

    /// An obligation from the journal: its intent and every envelope that was stored, in order,
    /// whether sent or not. `horizon` is the newest ledger that the journal knows of.
    #[must_use]
    pub fn restored(self, envelopes: Vec<Signed>, horizon: u32) -> Self {
        Self {
            envelopes: envelopes.into_iter().map(Envelope::new).collect(),
            intent_stored: true,
            horizon,
            ..self
        }
    }

    /// The same, for whoever knows that ledger `horizon` exists: older absences count for nothing.
    #[must_use]
    pub fn knowing(self, horizon: u32) -> Self {
        Self { horizon, ..self }
    }

    /// What it would restore, and the resource fee in stroops, while it waits for consent.
    #[must_use]
    pub fn restores(&self) -> Option<(u32, i64)> {
        let simulation = self.simulation.as_ref()?;
        (self.phase == Phase::AwaitingConsent)
            .then(|| (simulation.restores, self.resource_fee(simulation)))
    }

    /// The key.
    #[must_use]
    pub fn key(&self) -> &IdempotencyKey {
        &self.key
    }

    /// Where it stands.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Everything that was signed, stored and therefore perhaps sent.
    #[must_use]
    pub fn envelopes(&self) -> &[Envelope] {
        &self.envelopes
    }

    /// How patient and how generous it is.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The newest ledger that anything told of; worth keeping in the journal.
    #[must_use]
    pub fn horizon(&self) -> u32 {
        self.horizon
    }

    /// What transactions cost that were included and did not succeed, in stroops.
    #[must_use]
    pub fn fees_lost(&self) -> i64 {
        let mut families: Vec<TxHash> = Vec::new();
        let mut lost = 0_i64;
        for envelope in &self.envelopes {
            if let Some(spent) = envelope.spent.filter(|spent| !spent.succeeded)
                && !families.contains(&envelope.signed.inner)
            {
                families.push(envelope.signed.inner);
                lost = lost.saturating_add(spent.fee_charged);
            }
        }
        lost
    }

    /// Whether the account `source` may carry nothing else yet: rule 8. An envelope takes its
    /// sequence number for as long as it may be included.
    #[must_use]
    pub fn occupies(&self, source: &str) -> bool {
        let unstored = self.unstored.iter().any(|signed| signed.source == source);
        let signing = matches!(self.phase, Phase::Signing | Phase::StoringEnvelope);
        unstored
            || (signing && self.envelopes.is_empty())
            || (!self.phase.is_final()
                && self.envelopes.iter().any(|envelope| {
                    envelope.signed.source == source
                        && self
                            .absent
                            .is_none_or(|view| envelope.may_land_after(view.at))
                }))
    }

    /// What is known.
    #[must_use]
    pub fn answer(&self) -> Answer {
        match (self.phase, self.record) {
            (Phase::Paid, Some(record)) => Answer::Paid {
                record,
                receipt: self.receipt,
            },
            (Phase::Conflict, Some(record)) => Answer::Conflict { record },
            (Phase::Imported, Some(record)) => Answer::Imported { record },
            (Phase::Voided, Some(record)) => Answer::Voided { record },
            (Phase::NotPaid, _) => Answer::NotPaid {
                ledger: self.horizon,
            },
            (Phase::OutcomeUnknown | Phase::Confirming, _) => Answer::OutcomeUnknown {
                awaited: self.awaited(),
            },
            (Phase::Suspended, _) => Answer::Stopped {
                key: self.key.clone(),
                stop: self.stop.clone().unwrap_or(Stop::NoProgress {
                    tries: self.tries,
                    last: self.reason.clone(),
                }),
                knowledge: self.knowledge(),
                hashes: self.hashes(),
            },
            (phase, _) => Answer::Working { phase },
        }
    }

    /// Whether the record may come to be ours by what we signed.
    fn knowledge(&self) -> Knowledge {
        let at = self.absent.map(|view| view.at);
        let covered = match (self.bounds(), at) {
            (None, _) => true,
            (Some(bounds), Some(at)) => bounds.covered_by(at),
            (Some(_), None) => false,
        };
        if covered {
            Knowledge::UnpaidAsOf {
                ledger: at.map(|at| at.ledger),
            }
        } else {
            Knowledge::Unknown(self.awaited())
        }
    }

    fn awaited(&self) -> Awaited {
        Awaited {
            past: self.bounds(),
            hashes: self.hashes(),
            reason: self.reason.clone(),
        }
    }

    /// The latest bounds of all that was signed, whatever a node says about any of it.
    #[must_use]
    pub fn bounds(&self) -> Option<Bounds> {
        self.envelopes
            .iter()
            .map(|envelope| envelope.signed.bounds)
            .reduce(Bounds::and)
    }

    /// Outer and inner hashes of all that was signed, each once.
    pub(super) fn hashes(&self) -> Vec<TxHash> {
        let mut hashes = Vec::new();
        for envelope in &self.envelopes {
            for hash in [envelope.signed.hash, envelope.signed.inner] {
                if !hashes.contains(&hash) {
                    hashes.push(hash);
                }
            }
        }
        hashes
    }

    /// The newest envelope that may be included after `at`.
    pub(super) fn alive(&self, at: Moment) -> Option<&Envelope> {
        self.envelopes
            .iter()
            .rev()
            .find(|envelope| envelope.may_land_after(at))
    }

    pub(super) fn enter(&mut self, phase: Phase, effects: Vec<Effect>) -> Vec<Effect> {
        self.phase = phase;
        effects
    }

    pub(super) fn suspend(&mut self, stop: Stop) -> Vec<Effect> {
        self.stop = Some(stop);
        self.enter(Phase::Suspended, Vec::new())
    }
}
