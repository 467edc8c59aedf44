//! A script: an obligation, and the events that happen to it.

use payout_engine::protocol::{
    Bid, Bounds, Cause, Effect, Entry, Event, Fate, Input, Jitter, Obligation, Phase, Policy,
    Prepared, Purpose, RefusedKind, SendAnswer, SendStatus, SignRequest, Signed, Signers,
    Simulation, TRANSITIONS, TxHash, step,
};
use payout_engine::{Moment, NodeId, Record, RecordKind, View};
use payout_keys::{Fingerprint, IdempotencyKey};

pub(crate) const OURS: Fingerprint = Fingerprint([7; 32]);
pub(crate) const THEIRS: Fingerprint = Fingerprint([8; 32]);

pub(crate) fn key() -> IdempotencyKey {
    IdempotencyKey::new("p-single-GABC1234-0123456789abcdef").expect("legal")
}

pub(crate) fn policy() -> Policy {
    Policy {
        window: 180,
        ledgers: 40,
        ..Policy::default()
    }
}

/// The close time of a ledger: five seconds each.
pub(crate) fn moment(ledger: u32) -> Moment {
    Moment {
        ledger,
        close_time: Some(1_000_000 + 5 * u64::from(ledger)),
    }
}

pub(crate) fn record(kind: RecordKind, fingerprint: Fingerprint, ledger: u32) -> Record {
    Record {
        kind,
        payout_id: 1,
        fingerprint,
        total: 5,
        ledger,
    }
}

pub(crate) fn signed(n: u8, request: &SignRequest) -> Signed {
    Signed {
        hash: TxHash([n; 32]),
        inner: TxHash([n; 32]),
        xdr: vec![n],
        source: "lane".into(),
        sequence: i64::from(n),
        bid: request.bid,
        resource_fee: request.resource_fee,
        bounds: request.bounds,
    }
}

/// An obligation under test. Every change of state is checked against the table.
pub(crate) struct Script {
    pub(crate) state: Obligation,
    pub(crate) effects: Vec<Effect>,
    pub(crate) seen: Vec<(Phase, Cause, Phase)>,
    pub(crate) next_hash: u8,
    /// What the signer was last asked for.
    pub(crate) request: Vec<Effect>,
}

impl Script {
    pub(crate) fn of(state: Obligation) -> Self {
        Self {
            state,
            effects: Vec::new(),
            seen: Vec::new(),
            next_hash: 1,
            request: Vec::new(),
        }
    }

    pub(crate) fn new(signers: Signers) -> Self {
        Self::of(Obligation::new(
            key(),
            Purpose::Pay(OURS),
            signers,
            policy(),
        ))
    }

    pub(crate) fn with(policy: Policy) -> Self {
        Self::of(Obligation::new(
            key(),
            Purpose::Pay(OURS),
            Signers::OnlyThisJournal,
            policy,
        ))
    }

    pub(crate) fn on(&mut self, event: Event) -> &mut Self {
        let (from, cause) = (self.state.phase(), Cause::of(&self.state, &event));
        let input = Input {
            event,
            jitter: Jitter(0),
        };
        let (state, effects) = step(self.state.clone(), input);
        let to = state.phase();
        if from != to {
            assert!(
                TRANSITIONS
                    .iter()
                    .any(|row| row.cause == cause && row.to == to && row.from.contains(&from)),
                "{from} --{}--> {to} is not in the table",
                cause.name()
            );
            self.seen.push((from, cause, to));
        }
        self.state = state;
        self.effects = effects;
        if self.signs() {
            self.request = self.effects.clone();
        }
        self
    }

    pub(crate) fn phase(&self) -> Phase {
        self.state.phase()
    }

    pub(crate) fn resume(&mut self) -> &mut Self {
        self.on(Event::Resume { max_bid: None })
    }

    pub(crate) fn absent(&mut self, ledger: u32) -> &mut Self {
        self.absent_from(0, ledger)
    }

    pub(crate) fn absent_from(&mut self, node: u16, ledger: u32) -> &mut Self {
        self.on(Event::Record(View {
            node: NodeId(node),
            at: moment(ledger),
            record: None,
        }))
    }

    pub(crate) fn present(&mut self, record: Record, ledger: u32) -> &mut Self {
        self.on(Event::Record(View {
            node: NodeId(0),
            at: moment(ledger),
            record: Some(record),
        }))
    }

    pub(crate) fn timer(&mut self) -> &mut Self {
        self.on(Event::Timer)
    }

    /// The wait is over, and there is no record at `ledger`.
    pub(crate) fn later(&mut self, ledger: u32) -> &mut Self {
        self.timer().absent(ledger)
    }

    pub(crate) fn simulated(&mut self, ledger: u32, market: u32) -> &mut Self {
        self.on(Event::Simulated(Simulation {
            at: moment(ledger),
            node: NodeId(0),
            min_resource_fee: 1_000,
            restores: 0,
            market: Bid(market),
            prepared: Prepared::default(),
        }))
    }

    /// Answers what the signer was asked for, as asked.
    pub(crate) fn sign(&mut self) -> &mut Self {
        let n = self.next_hash;
        self.next_hash += 1;
        let signed = match self.request.as_slice() {
            [Effect::Sign(request)] => signed(n, request),
            [Effect::SignBump(request)] => Signed {
                hash: TxHash([n; 32]),
                bid: request.bid,
                xdr: vec![n],
                ..request.around.clone()
            },
            other => panic!("not asked to sign: {other:?}"),
        };
        self.on(Event::Signed(signed))
    }

    pub(crate) fn stored(&mut self) -> &mut Self {
        self.on(Event::Stored)
    }

    /// From the beginning to the first sending, simulated at `ledger`.
    pub(crate) fn until_sending(&mut self, ledger: u32) -> &mut Self {
        self.resume().absent(ledger).simulated(ledger, 100);
        if self.phase() == Phase::StoringIntent {
            self.stored();
        }
        self.sign().stored();
        assert_eq!(self.phase(), Phase::Sending);
        self
    }

    pub(crate) fn answer(&mut self, status: SendStatus, ledger: u32) -> &mut Self {
        self.on(Event::Answered(SendAnswer { status, ledger }))
    }

    pub(crate) fn refused(&mut self, code: &str, kind: RefusedKind, ledger: u32) -> &mut Self {
        self.answer(
            SendStatus::Refused {
                code: code.into(),
                kind,
            },
            ledger,
        )
    }

    pub(crate) fn included(&mut self, n: u8, succeeded: bool, ledger: u32) -> &mut Self {
        self.on(Event::Transaction {
            hash: TxHash([n; 32]),
            fate: Fate::Included {
                ledger,
                succeeded,
                fee_charged: 321,
            },
        })
    }

    pub(crate) fn sends(&self) -> Vec<&Signed> {
        self.effects
            .iter()
            .filter_map(|effect| match effect {
                Effect::Send(signed) => Some(signed),
                _ => None,
            })
            .collect()
    }

    pub(crate) fn signs(&self) -> bool {
        self.effects
            .iter()
            .any(|effect| matches!(effect, Effect::Sign(_) | Effect::SignBump(_)))
    }

    pub(crate) fn stores(&self) -> Option<&Entry> {
        self.effects.iter().find_map(|effect| match effect {
            Effect::Store(entry) => Some(entry),
            _ => None,
        })
    }

    pub(crate) fn bounds(&self) -> Bounds {
        self.state.envelopes()[0].signed.bounds
    }
}

/// Ends a chain of calls.
pub(crate) fn end(_: &mut Script) {}
