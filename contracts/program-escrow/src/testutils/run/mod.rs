//! A scenario on the real contract and on the model, compared after each step.

mod world;

use std::collections::{BTreeMap, BTreeSet};
use std::string::String;
use std::vec::Vec;

use self::world::{Entry, World};
use super::choices::{Amount, Bounds, Caller, Expiry, Key, Person, Refill, Signature, Start};
use super::command::{Command, Payout, Scenario};
use super::model::{MIN_PERSISTENT_TTL, Model, Outcome, View};
use super::value::{Event, Refusal, Value};

/// Events that a call may emit without changing anything.
const REPLAYS: [&str; 3] = ["IdmReplay", "BatPayRp", "IdmConfl"];
/// Events that say that money left under a key.
const PAYMENTS: [&str; 2] = ["Payout", "BatchPay"];

/// What a scenario came to: to see that scenarios get around.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// Events of the escrow.
    pub events: BTreeSet<&'static str>,
    /// Errors of the registry.
    pub errors: BTreeSet<u32>,
    /// Calls that the host refused.
    pub host: u32,
    /// Steps.
    pub steps: usize,
}

impl Reached {
    fn note(&mut self, outcome: &Outcome) {
        self.steps += 1;
        self.events
            .extend(outcome.events.iter().map(|event| event.name));
        match outcome.answer {
            Ok(_) => {}
            Err(Refusal::Typed(code)) => {
                self.errors.insert(code);
            }
            Err(Refusal::Host) => self.host += 1,
        }
    }
}

/// Runs a scenario.
///
/// # Panics
/// As soon as the contract does anything but what the model foretells, or breaks what must always
/// hold.
pub fn run(scenario: &Scenario) -> Reached {
    let mut run = Run::new(scenario.start);
    for command in prelude(scenario.start) {
        run.step(&command);
    }
    for step in &scenario.steps {
        let command = match &step.0 {
            Command::Again(retry) => match retry.of(&run.payouts) {
                Some(payout) => Command::Pay(payout),
                None => continue,
            },
            command => command.clone(),
        };
        run.step(&command);
    }
    run.compare_views("the end");
    // Keys that were never named must look as the model says, too.
    run.compare_keys(Key::ALL.iter().map(|key| key.text()));
    run.reached
}

/// What makes a program worth looking at.
fn prelude(start: Start) -> Vec<Command> {
    let sign = Signature::Right;
    let roles = [
        Command::SetDelegate(
            Caller(Person::Delegate),
            Amount::FiveHundred,
            Expiry::Year,
            sign,
        ),
        Command::SetGuardian(Some(Caller(Person::Guardian)), sign),
    ];
    let mut commands = match start {
        Start::Draft | Start::Old | Start::OldBroken => return Vec::new(),
        Start::Active | Start::Limited => Vec::from([
            Command::Lock(Person::Sponsor, Amount::Thousand, sign),
            Command::Publish(sign),
        ]),
        Start::Migrated => Vec::from([Command::Migrate(sign)]),
    };
    commands.extend(roles);
    if start == Start::Limited {
        let limit = (Bounds::Equal, Refill::Slow);
        commands.push(Command::SetLimit(Some(limit), sign));
    }
    commands
}

/// Whether a call that emits these changes nothing.
fn is_quiet(events: &[Event]) -> bool {
    events.iter().all(|event| REPLAYS.contains(&event.name))
}

struct Run {
    world: World,
    model: Model,
    /// Payouts that were asked for, for retries.
    payouts: Vec<Payout>,
    /// Keys that were ever named.
    keys: BTreeSet<String>,
    /// How often money left under a key, counted from events.
    paid: BTreeMap<String, u32>,
    /// The issuer has taken from the escrow.
    clawed: bool,
    storage: Vec<Entry>,
    reached: Reached,
}

impl Run {
    fn new(start: Start) -> Self {
        let world = World::new(start);
        let run = Self {
            model: Model::new(start),
            payouts: Vec::new(),
            keys: BTreeSet::new(),
            paid: BTreeMap::new(),
            clawed: false,
            storage: world.storage(),
            reached: Reached::default(),
            world,
        };
        run.compare_views("the beginning");
        run
    }

    fn step(&mut self, command: &Command) {
        let name = std::format!("step {}, {command:?}", self.reached.steps);
        if let Command::Pay(payout) = command {
            self.payouts.push(payout.clone());
        }
        if matches!(command, Command::Clawback(Person::Escrow, _)) {
            self.clawed = true;
        }
        self.keys.extend(command.key());
        if let Command::Import(keys, _) = command {
            self.keys.extend(keys.0.iter().map(|key| key.text()));
        }

        let asked = self.model.asks(command);
        let call = command.call(self.model.now, self.model.ledger);
        let foretold = self.model.apply(command);
        self.reached.note(&foretold);
        let (answer, events) = match call {
            None => {
                self.world.happen(command);
                (Ok(None), Vec::new())
            }
            Some(call) => {
                let signer = match command.signature() {
                    Signature::Right => asked.filter(|who| who.can_sign()),
                    Signature::Nobody => None,
                    Signature::Stranger => Some(Person::Stranger),
                };
                let answer = self.world.call(&call, signer);
                if answer.is_ok() {
                    assert_eq!(
                        self.world.signers(),
                        signer.into_iter().collect::<Vec<_>>(),
                        "{name}: signed by"
                    );
                }
                (answer.map(Some), self.world.events())
            }
        };
        // Of what the world around does, only balances count.
        if answer != Ok(None) {
            let expected = foretold.answer.map(|value| Some(self.world.scval(&value)));
            assert_eq!(answer, expected, "{name}: answer");
        }
        let expected: Vec<_> = foretold
            .events
            .iter()
            .map(|it| self.world.event(it))
            .collect();
        assert_eq!(events, expected, "{name}: events");

        self.count_payments(&name, &foretold.events);
        self.compare_balances(&name);
        if is_quiet(&foretold.events) && !matches!(command, Command::Pass(_)) {
            // Byte by byte the same storage at the same time, as is compared below: so every other
            // view answers as before.
            let program = self.model.views().swap_remove(0);
            self.compare_view(&name, program);
            self.compare_keys(command.key().into_iter());
        } else {
            self.compare_views(&name);
            self.compare_keys(self.keys.clone().into_iter());
        }
        // After the views, which must not change anything either.
        self.compare_storage(&name, &foretold.events);
        self.judge_books(&name);
    }

    /// No key pays twice, and a voided one never.
    fn count_payments(&mut self, name: &str, events: &[Event]) {
        for event in events.iter().filter(|event| PAYMENTS.contains(&event.name)) {
            let Value::Text(key) = &event.topics[0] else {
                panic!("{name}: the key is not a text")
            };
            let count = self.paid.entry(key.clone()).or_default();
            *count += 1;
            assert_eq!(*count, 1, "{name}: {key:?} paid twice");
        }
        for (key, record) in &self.model.records {
            let paid = self.paid.contains_key(key);
            assert_eq!(paid, record.payout_id > 0, "{name}: {key:?} and its record");
        }
    }

    /// A record is never touched again, nothing extends a life, and who changes nothing says so.
    fn compare_storage(&mut self, name: &str, events: &[Event]) {
        let after = self.world.storage();
        let quiet = is_quiet(events);
        let now = self.model.ledger;
        for old in &self.storage {
            let new = after.iter().find(|entry| entry.key == old.key);
            let Some(new) = new else {
                assert!(!quiet && !old.is_record(), "{name}: lost {:?}", old.key);
                continue;
            };
            if quiet || old.is_record() {
                assert_eq!(new.value, old.value, "{name}: changed {:?}", old.key);
            }
            // The host restores what is archived as soon as it is touched.
            let restored = old.live_until < now && new.live_until == now + MIN_PERSISTENT_TTL - 1;
            assert!(
                new.live_until == old.live_until || restored,
                "{name}: {:?} lived until {}, now until {}",
                old.key,
                old.live_until,
                new.live_until
            );
        }
        assert!(
            !quiet || after.len() == self.storage.len(),
            "{name}: wrote an entry"
        );
        let records = after.iter().filter(|entry| entry.is_record()).count();
        assert_eq!(records, self.model.records.len(), "{name}: records");
        self.storage = after;
    }

    /// Nobody has a unit more or less than foretold, and none has come out of nothing.
    fn compare_balances(&self, name: &str) {
        let mut sum = 0i128;
        for who in Person::ALL.iter().filter(|who| **who != Person::Issuer) {
            let balance = self.world.balance(*who);
            assert_eq!(
                balance,
                self.model.balance(*who),
                "{name}: balance of {who:?}"
            );
            sum = sum.wrapping_add(balance);
        }
        assert_eq!(sum, self.model.supply, "{name}: all balances");
    }

    fn compare_views(&self, name: &str) {
        for view in self.model.views() {
            self.compare_view(name, view);
        }
    }

    fn compare_keys(&self, keys: impl Iterator<Item = String>) {
        for key in keys {
            for view in self.model.views_of(&key) {
                self.compare_view(&key, view);
            }
        }
    }

    fn compare_view(&self, name: &str, (view, args, expected): View) {
        let answer = self.world.call(&(view, args), None);
        let expected = expected.map(|value| self.world.scval(&value));
        assert_eq!(answer, expected, "{name}: {view}");
        assert!(self.world.events().is_empty(), "{name}: {view} emitted");
    }

    /// What must hold whatever happened.
    fn judge_books(&self, name: &str) {
        let Some(program) = &self.model.program else {
            return;
        };
        let parts = program
            .paid
            .checked_add(program.withdrawn)
            .and_then(|sum| sum.checked_add(program.remaining));
        assert_eq!(parts, Some(program.locked), "{name}: the books");
        assert!(
            self.clawed || self.model.balance(Person::Escrow) >= program.remaining,
            "{name}: less there than the books say"
        );
        let mut ids: Vec<u64> = self
            .model
            .records
            .values()
            .map(|record| record.payout_id)
            .filter(|id| *id > 0)
            .collect();
        ids.sort_unstable();
        let all: Vec<u64> = (1..=program.count).collect();
        assert_eq!(ids, all, "{name}: payout ids");
        let totals: i128 = self.model.records.values().map(|record| record.total).sum();
        assert_eq!(totals, program.paid, "{name}: totals of records");
    }
}
