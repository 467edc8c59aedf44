//! Random worlds: a chain, nodes that lag and lie by omission, lost answers, crashes, a stranger
//! who carries our authorisations. Whatever happens: what is reported holds, and it ends.

use payout_engine::protocol::{
    Answer, Bid, Effect, Entry, Event, Fate, Input, Jitter, Knowledge, Obligation, Phase, Policy,
    Prepared, Purpose, RefusedKind, SendAnswer, SendStatus, Signed, Signers, Simulation, TxHash,
    step,
};
use payout_engine::{NodeId, Record, RecordKind, View};
use proptest::collection::vec;
use proptest::prelude::*;

use super::script::{OURS, THEIRS, key, moment, record};

/// Choices of the world, drawn beforehand. When they are used up, faults stop.
struct Dice {
    values: std::vec::IntoIter<u8>,
}

impl Dice {
    /// True once in `n` times, on average; never when faults have stopped.
    fn one_in(&mut self, n: u8) -> bool {
        self.values.next().is_some_and(|value| value % n == 0)
    }

    fn below(&mut self, n: u32) -> u32 {
        self.values.next().map_or(0, |value| u32::from(value) % n)
    }
}

struct World {
    dice: Dice,
    ledger: u32,
    record: Option<Record>,
    /// The state of past ledgers: `absent_until` is the last without the record.
    absent_until: u32,
    sequence: i64,
    queue: Vec<Signed>,
    authorised: Vec<u32>,
    included: Vec<(Signed, u32, bool)>,
    journal: Vec<Signed>,
    intent: bool,
    now: u8,
    restarts: u32,
    violations: Vec<String>,
}

impl World {
    fn close(&mut self) {
        self.ledger += 1;
        let ledger = self.ledger;
        let time = moment(ledger).close_time.expect("told");
        let mut queue = std::mem::take(&mut self.queue);
        queue.retain(|signed| {
            let alive = time <= signed.bounds.max_time && ledger < signed.bounds.max_ledger;
            if alive && signed.sequence == self.sequence + 1 {
                if self.dice.one_in(3) {
                    return true;
                }
                self.sequence += 1;
                let succeeded = self.record.is_some() || !self.dice.one_in(4);
                if succeeded {
                    self.pay(ledger);
                }
                self.included.push((signed.clone(), ledger, succeeded));
                return false;
            }
            false
        });
        self.queue.extend(queue);
        let carried = self.authorised.iter().any(|until| ledger <= *until);
        if carried && self.dice.one_in(40) {
            self.pay(ledger);
        }
        if self.dice.one_in(200) && self.record.is_none() {
            let (kind, fingerprint) = match self.dice.below(3) {
                0 => (RecordKind::Voided, OURS),
                1 => (RecordKind::Imported, OURS),
                _ => (RecordKind::Batch, THEIRS),
            };
            self.record = Some(record(kind, fingerprint, ledger));
        }
        if self.record.is_none() {
            self.absent_until = ledger;
        }
    }

    fn pay(&mut self, ledger: u32) {
        if self.record.is_none() {
            self.record = Some(record(RecordKind::Batch, OURS, ledger));
        }
    }

    fn submit(&mut self, signed: &Signed) -> SendStatus {
        if !self.journal.contains(signed) {
            self.violations.push("sent before it was stored".into());
        }
        self.authorised
            .extend(signed.bounds.authorised_until.iter().copied());
        let queued = self
            .queue
            .iter()
            .position(|other| other.inner == signed.inner);
        if signed.sequence <= self.sequence {
            return SendStatus::Refused {
                code: "txBAD_SEQ".into(),
                kind: RefusedKind::Passing,
            };
        }
        match queued {
            Some(at) if self.queue[at].hash == signed.hash => SendStatus::Duplicate,
            Some(at) if signed.bid >= self.queue[at].bid.tenfold() => {
                self.queue[at] = signed.clone();
                SendStatus::Pending
            }
            None if self.queue.is_empty() => {
                self.queue.push(signed.clone());
                SendStatus::Pending
            }
            _ => SendStatus::TryAgainLater,
        }
    }

    fn answer(&mut self, effect: Effect) -> Vec<Event> {
        if self.dice.one_in(2) {
            self.close();
        }
        match effect {
            Effect::ReadRecord { not_from, .. } => vec![self.read(not_from)],
            Effect::ReadTransactions(hashes) => self.fates(&hashes),
            Effect::ReadFees => vec![Event::Fees(Bid(100 << self.dice.below(8)))],
            Effect::Simulate => vec![self.simulate()],
            Effect::ShowRestores { .. } => vec![Event::Consented],
            Effect::Store(entry) => self.store(entry),
            Effect::Sign(_) if self.dice.one_in(10) => {
                vec![Event::LaneUnread("503".into())]
            }
            Effect::Sign(request) => {
                self.now += 1;
                let signed = Signed {
                    hash: TxHash([self.now; 32]),
                    inner: TxHash([self.now; 32]),
                    xdr: vec![self.now],
                    source: "lane".into(),
                    sequence: self.sequence + 1,
                    bid: request.bid,
                    resource_fee: request.resource_fee,
                    bounds: request.bounds,
                };
                self.one_at_a_time(&signed);
                vec![Event::Signed(signed)]
            }
            Effect::SignBump(request) => {
                self.now += 1;
                vec![Event::Signed(Signed {
                    hash: TxHash([self.now; 32]),
                    bid: request.bid,
                    ..request.around
                })]
            }
            Effect::Send(signed) => {
                if self.dice.one_in(6) {
                    return vec![Event::SendFailed("lost before".into())];
                }
                let status = self.submit(&signed);
                let ledger = self.ledger - self.dice.below(6).min(self.ledger - 1);
                if self.dice.one_in(5) {
                    return vec![Event::SendFailed("504".into())];
                }
                let status = match self.dice.below(12) {
                    1 => SendStatus::TryAgainLater,
                    2 => SendStatus::Refused {
                        code: "txBAD_SEQ".into(),
                        kind: RefusedKind::Passing,
                    },
                    _ => status,
                };
                vec![Event::Answered(SendAnswer { status, ledger })]
            }
            Effect::Wait { .. } => {
                for _ in 0..=self.dice.below(3) {
                    self.close();
                }
                vec![Event::Timer]
            }
            Effect::FindReceipt { .. } => Vec::new(),
        }
    }

    /// No second envelope while an earlier one may land.
    fn one_at_a_time(&mut self, signed: &Signed) {
        let (ledger, time) = (self.ledger, moment(self.ledger).close_time.expect("told"));
        for earlier in &self.journal {
            let over = time > earlier.bounds.max_time || ledger >= earlier.bounds.max_ledger;
            if !over && earlier.sequence > self.sequence {
                self.violations
                    .push(format!("{signed:?} beside the living {earlier:?}"));
            }
        }
    }

    fn read(&mut self, not_from: Option<NodeId>) -> Event {
        if self.dice.one_in(6) {
            return Event::ReadFailed("502".into());
        }
        let mut node = NodeId(u16::from(self.dice.one_in(2)));
        if not_from == Some(node) {
            node = NodeId(1 - node.0);
        }
        let lag = if self.dice.one_in(3) { 6 } else { 0 };
        let ledger = self.ledger.saturating_sub(lag).max(1);
        let record = self.record.filter(|_| ledger > self.absent_until);
        Event::Record(View {
            node,
            at: moment(ledger),
            record,
        })
    }

    fn simulate(&mut self) -> Event {
        if self.dice.one_in(6) {
            return Event::SimulationFailed("503".into());
        }
        Event::Simulated(Simulation {
            at: moment(self.ledger),
            node: NodeId(0),
            min_resource_fee: 1_000,
            restores: self.dice.below(2),
            market: Bid(100),
            prepared: Prepared::default(),
        })
    }

    fn fates(&mut self, hashes: &[TxHash]) -> Vec<Event> {
        let mut events = Vec::new();
        for hash in hashes {
            let found = self
                .included
                .iter()
                .find(|(signed, ..)| signed.hash == *hash || signed.inner == *hash)
                .map(|(_, ledger, succeeded)| (*ledger, *succeeded));
            let fate = match found {
                Some((ledger, succeeded)) if !self.dice.one_in(2) => Fate::Included {
                    ledger,
                    succeeded,
                    fee_charged: 100,
                },
                _ => Fate::NotFound,
            };
            events.push(Event::Transaction { hash: *hash, fate });
        }
        events
    }

    fn store(&mut self, entry: Entry) -> Vec<Event> {
        if self.dice.one_in(25) {
            return vec![Event::StoreFailed("disk full".into())];
        }
        match entry {
            Entry::Intent { .. } => self.intent = true,
            Entry::Envelope { signed, .. } => self.journal.push(signed),
            Entry::Verdict { .. } | Entry::Receipt { .. } => {}
        }
        vec![Event::Stored]
    }

    fn restart(&mut self, signers: Signers) -> Obligation {
        self.restarts += 1;
        let fresh = Obligation::new(key(), Purpose::Pay(OURS), signers, policy());
        if self.intent {
            fresh.restored(self.journal.clone(), 0)
        } else {
            fresh
        }
    }
}

fn policy() -> Policy {
    Policy {
        window: 180,
        ledgers: 12,
        max_tries: 6,
        max_bid: Bid(200_000),
        ..Policy::default()
    }
}

/// Drives one obligation to its end; returns the world after it.
fn play(values: Vec<u8>, signers: Signers, give_up: bool) -> (World, Obligation) {
    let mut world = World {
        dice: Dice {
            values: values.into_iter(),
        },
        ledger: 10,
        record: None,
        absent_until: 10,
        sequence: 0,
        queue: Vec::new(),
        authorised: Vec::new(),
        included: Vec::new(),
        journal: Vec::new(),
        intent: false,
        now: 0,
        restarts: 0,
        violations: Vec::new(),
    };
    let mut state = world.restart(signers);
    let resume = || Event::Resume { max_bid: None };
    let mut events = vec![resume()];
    let mut resumed = 0;
    let mut steps = 0;
    while !state.phase().is_final() {
        steps += 1;
        assert!(steps < 20_000, "it does not end: {state:?}");
        if world.dice.one_in(60) {
            state = world.restart(signers);
            events = vec![resume()];
        }
        if give_up && steps == 30 {
            events.push(Event::GiveUp);
        }
        if events.is_empty() {
            // Suspended: an operator looks at it, at most so often, then gives it up.
            let Answer::Stopped { knowledge, .. } = state.answer() else {
                panic!("nothing to do in {}", state.phase())
            };
            if signers == Signers::OnlyThisJournal {
                unpaid_holds(&mut world, &knowledge);
            }
            resumed += 1;
            if resumed > 12 {
                break;
            }
            let give_up = resumed > 6;
            events.push(if give_up { Event::GiveUp } else { resume() });
        }
        let mut effects = Vec::new();
        for event in std::mem::take(&mut events) {
            let jitter = Jitter(u16::from(world.now));
            let (next, more) = step(state, Input { event, jitter });
            state = next;
            effects.extend(more);
        }
        for effect in effects {
            events.extend(world.answer(effect));
        }
    }
    (world, state)
}

/// "Nothing of ours can pay it" has to be true of what is in the queue and of what was authorised.
fn unpaid_holds(world: &mut World, knowledge: &Knowledge) {
    if let Knowledge::UnpaidAsOf { ledger: Some(at) } = knowledge {
        let ledger = world.ledger;
        let carried = world.authorised.iter().any(|until| *until > ledger);
        let queued = world
            .queue
            .iter()
            .any(|signed| signed.bounds.max_ledger > ledger + 1);
        if carried || queued || world.absent_until < *at {
            world
                .violations
                .push(format!("unpaid as of {at} does not hold"));
        }
    }
}

fn check(values: Vec<u8>, signers: Signers, give_up: bool) -> Result<(), TestCaseError> {
    let (mut world, state) = play(values, signers, give_up);
    prop_assert!(world.violations.is_empty(), "{:?}", world.violations);
    match state.phase() {
        Phase::Paid => {
            let ours = world
                .record
                .is_some_and(|record| record.fingerprint == OURS);
            prop_assert!(ours && world.record.is_some_and(|record| record.paid()));
        }
        Phase::NotPaid => {
            // The stranger carries on, and the queue empties.
            let ours = |record: Record| record.fingerprint == OURS && record.paid();
            prop_assert!(!world.record.is_some_and(ours));
            world.dice.values = [1, 0].repeat(500).into_iter();
            for _ in 0..200 {
                world.close();
                if world.authorised.iter().any(|until| *until >= world.ledger) {
                    world.pay(world.ledger);
                }
            }
            prop_assert!(!world.record.is_some_and(ours), "not paid, and then it was");
        }
        Phase::Conflict | Phase::Imported | Phase::Voided => {
            let theirs = |record: Record| record.fingerprint != OURS || !record.paid();
            prop_assert!(world.record.is_some_and(theirs));
        }
        Phase::Suspended => {
            let typed = matches!(state.answer(), Answer::Stopped { .. });
            prop_assert!(typed);
        }
        phase => prop_assert!(false, "ended in {phase}"),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, ..ProptestConfig::default() })]

    #[test]
    fn what_is_reported_holds_and_it_ends(
        values in vec(any::<u8>(), 0..1_200),
        give_up: bool,
        shared: bool,
    ) {
        let signers = if shared { Signers::Others } else { Signers::OnlyThisJournal };
        check(values, signers, give_up)?;
    }

    #[test]
    fn without_faults_everything_is_paid(values in vec(any::<u8>(), 0..1)) {
        let (world, state) = play(values, Signers::Others, false);
        prop_assert_eq!(state.phase(), Phase::Paid);
        prop_assert_eq!(world.journal.len(), 1);
    }
}
