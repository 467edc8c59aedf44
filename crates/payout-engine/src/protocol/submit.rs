//! Rule 2 and rules 6 and 7: simulate, persist, sign, persist, send; and what answers to a sending
//! mean, which is little.

use super::answer::Stop;
use super::effect::{BumpRequest, Effect, Entry, SignRequest};
use super::envelope::{Bounds, Envelope, Signed};
use super::event::{Refusal, RefusedKind, SendAnswer, SendStatus, Simulation};
use super::phase::Phase;
use super::policy::{Bid, Jitter, Policy};
use super::state::{Obligation, Purpose, Requested};

impl Obligation {
    pub(super) fn simulated(&mut self, simulation: Simulation, jitter: Jitter) -> Vec<Effect> {
        if simulation.at.ledger < self.horizon || simulation.at.close_time.is_none() {
            let why = format!(
                "the simulation is of ledger {}, and ledger {} is known",
                simulation.at.ledger, self.horizon
            );
            return self.no_progress(why, jitter);
        }
        self.tries = 0;
        self.horizon = simulation.at.ledger;
        self.market = Some(simulation.market);
        let needed = self.resource_fee(&simulation);
        if needed > self.policy.max_resource_fee {
            return self.suspend(Stop::ResourceFeeCeiling {
                needed,
                ceiling: self.policy.max_resource_fee,
            });
        }
        self.simulation = Some(simulation);
        self.prepare()
    }

    /// A node that is behind may refuse what is right by now.
    pub(super) fn refused(&mut self, refusal: Refusal, jitter: Jitter) -> Vec<Effect> {
        if refusal.ledger < self.horizon {
            let why = format!(
                "the simulation is of ledger {}, and ledger {} is known",
                refusal.ledger, self.horizon
            );
            return self.no_progress(why, jitter);
        }
        self.suspend(Stop::Refused(refusal))
    }

    /// The simulated fee with its margin.
    pub(super) fn resource_fee(&self, simulation: &Simulation) -> i64 {
        self.policy.resource_fee(simulation.min_resource_fee)
    }

    /// From a simulation to the signer, by way of consent and the journal.
    pub(super) fn prepare(&mut self) -> Vec<Effect> {
        if self.giving_up {
            self.phase = Phase::Checking;
            return self.look();
        }
        let Some(simulation) = self.simulation.clone() else {
            return self.enter(Phase::Simulating, vec![Effect::Simulate]);
        };
        let resource_fee = self.resource_fee(&simulation);
        if simulation.restores > 0 && !self.policy.restores {
            let shown = Effect::ShowRestores {
                entries: simulation.restores,
                resource_fee,
            };
            return self.enter(Phase::AwaitingConsent, vec![shown]);
        }
        if !self.intent_stored {
            let entry = Entry::Intent {
                key: self.key.clone(),
                fingerprint: match self.purpose {
                    Purpose::Pay(fingerprint) => Some(fingerprint),
                    Purpose::Void => None,
                },
            };
            return self.enter(Phase::StoringIntent, vec![Effect::Store(entry)]);
        }
        self.simulation = None;
        let max_ledger = simulation.at.ledger.saturating_add(self.policy.ledgers);
        let time = simulation.at.close_time.unwrap_or_default();
        let bounds = Bounds {
            max_time: time.saturating_add(self.policy.window()),
            max_ledger,
            authorised_until: Some(max_ledger),
        };
        let bid = simulation.market.max(Bid::MIN);
        let bid = bid.min(self.policy.max_bid).max(Bid::MIN);
        self.requested = Some(Requested {
            bounds,
            bid,
            resource_fee,
            inner: None,
        });
        let request = SignRequest {
            bounds,
            bid,
            resource_fee,
            prepared: simulation.prepared,
        };
        self.enter(Phase::Signing, vec![Effect::Sign(request)])
    }

    pub(super) fn request_bump(&mut self, request: BumpRequest) -> Vec<Effect> {
        self.requested = Some(Requested {
            bounds: request.around.bounds,
            bid: request.bid,
            resource_fee: request.around.resource_fee,
            inner: Some(request.around.inner),
        });
        self.enter(Phase::Signing, vec![Effect::SignBump(request)])
    }

    /// Begins again with a look, as often as the policy allows: the ledger moves on meanwhile.
    pub(super) fn lane_unread(&mut self, text: String, jitter: Jitter) -> Vec<Effect> {
        self.requested = None;
        self.lane_tries = self.lane_tries.saturating_add(1);
        if self.lane_tries > self.policy.max_tries {
            return self.suspend(Stop::Sign(text));
        }
        self.phase = Phase::Checking;
        self.no_progress(text, jitter)
    }

    /// What came back from the signer is stored before anybody sees it.
    pub(super) fn signed(&mut self, signed: Signed) -> Vec<Effect> {
        let Some(requested) = self.requested.take() else {
            return self.suspend(Stop::BadEnvelope("nothing was to be signed"));
        };
        if self.giving_up {
            self.phase = Phase::Checking;
            return self.look();
        }
        if let Some(fault) = fault(&signed, &requested) {
            return self.suspend(Stop::BadEnvelope(fault));
        }
        self.lane_tries = 0;
        self.unstored = Some(signed.clone());
        let entry = Entry::Envelope {
            key: self.key.clone(),
            signed,
        };
        self.enter(Phase::StoringEnvelope, vec![Effect::Store(entry)])
    }

    pub(super) fn stored(&mut self) -> Vec<Effect> {
        let Some(signed) = self.unstored.take() else {
            self.phase = Phase::Checking;
            return self.look();
        };
        if !signed.is_bump() {
            self.attempts = self.attempts.saturating_add(1);
        }
        self.envelopes.push(Envelope::new(signed.clone()));
        if self.giving_up {
            self.phase = Phase::Checking;
            return self.look();
        }
        self.send(signed)
    }

    /// Sends bytes that the journal has.
    pub(super) fn send(&mut self, signed: Signed) -> Vec<Effect> {
        self.sending = Some(signed.hash);
        let horizon = self.horizon;
        if let Some(envelope) = self.on_its_way() {
            envelope.sends = envelope.sends.saturating_add(1);
            envelope.sent_at = Some(horizon);
        }
        self.enter(Phase::Sending, vec![Effect::Send(signed)])
    }

    fn on_its_way(&mut self) -> Option<&mut Envelope> {
        let hash = self.sending;
        self.envelopes
            .iter_mut()
            .find(|envelope| Some(envelope.signed.hash) == hash)
    }

    pub(super) fn answered(&mut self, answer: SendAnswer, jitter: Jitter) -> Vec<Effect> {
        self.horizon = self.horizon.max(answer.ledger);
        let (phase, reason) = match &answer.status {
            SendStatus::Pending => (Phase::Pending, "in a node's queue".into()),
            SendStatus::Duplicate => (Phase::Pending, "already in a node's queue".into()),
            SendStatus::TryAgainLater => (
                Phase::OutcomeUnknown,
                "a node said: try again later".to_owned(),
            ),
            SendStatus::Refused { code, .. } => {
                (Phase::OutcomeUnknown, format!("a node answered {code}"))
            }
            SendStatus::Other(status) => {
                (Phase::OutcomeUnknown, format!("a node answered {status}"))
            }
        };
        if let Some(envelope) = self.on_its_way() {
            envelope.sent_at = envelope.sent_at.max(Some(answer.ledger));
            match answer.status {
                SendStatus::Pending | SendStatus::Duplicate => {
                    envelope.accepted_at.get_or_insert(answer.ledger);
                    envelope.dropped = false;
                }
                SendStatus::TryAgainLater => {
                    envelope.dropped = envelope.accepted_at.is_some_and(|taken| {
                        answer.ledger >= taken.saturating_add(Policy::QUEUE_LIFE)
                    });
                }
                SendStatus::Refused { code, kind } => match kind {
                    RefusedKind::Fee(bid) => envelope.asked = Some(bid),
                    RefusedKind::Lasting => envelope.refused = Some(code),
                    RefusedKind::Passing => {}
                },
                SendStatus::Other(_) => {}
            }
        }
        self.after_sending(phase, reason, jitter)
    }

    /// No answer: it may have been accepted.
    pub(super) fn unanswered(&mut self, text: String, jitter: Jitter) -> Vec<Effect> {
        self.after_sending(Phase::OutcomeUnknown, text, jitter)
    }

    fn after_sending(&mut self, phase: Phase, reason: String, jitter: Jitter) -> Vec<Effect> {
        self.reason = reason;
        let milliseconds = self.policy.wait(0, jitter);
        self.enter(phase, vec![Effect::Wait { milliseconds }])
    }
}

/// What is wrong with an envelope that came back from the signer.
fn fault(signed: &Signed, requested: &Requested) -> Option<&'static str> {
    let (bounds, asked) = (signed.bounds, requested.bounds);
    let late = bounds
        .authorised_until
        .is_some_and(|ledger| ledger > asked.max_ledger);
    if bounds.max_time == 0 || bounds.max_time > asked.max_time {
        Some("maxTime is missing or later than asked for")
    } else if bounds.max_ledger == 0 || bounds.max_ledger > asked.max_ledger {
        Some("maxLedger is missing or later than asked for")
    } else if late {
        Some("an authorisation outlives maxLedger")
    } else if signed.bid > requested.bid || signed.resource_fee > requested.resource_fee {
        Some("it offers more than asked for")
    } else if signed.xdr.is_empty() {
        Some("it is empty")
    } else if requested.inner.is_some_and(|inner| inner != signed.inner) {
        Some("the fee bump carries another transaction")
    } else if requested.inner.is_some() != signed.is_bump() {
        Some("a fee bump was asked for, or was not")
    } else {
        None
    }
}
