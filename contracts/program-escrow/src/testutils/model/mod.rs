//! What the contract promises, in maps and integers: written from the agreement (`docs/`), not from
//! the code. It foretells for every command the answer or the refusal, the events, every balance
//! and every view.
//!
//! It stands on the Stellar Asset Contract, whose rules for a transfer are the few lines of
//! [`Model::transfer`].

mod admin;
mod money;
mod payout;
mod view;

pub(in crate::testutils) use self::view::View;

use std::collections::{BTreeMap, BTreeSet};
use std::string::String;
use std::vec;
use std::vec::Vec;

use super::choices::{Key, Person, Signature, Start};
use super::command::Command;
use super::value::{Commitment, Event, Refusal, Value};

/// Unix seconds of the first ledger.
pub const START: u64 = 1_790_000_000;
/// Number of the first ledger.
pub const LEDGER: u32 = 1_000;
/// The network's shortest life of a temporary entry, in ledgers.
pub const MIN_TEMPORARY_TTL: u32 = 17_280;
/// The network's shortest life of a persistent entry.
pub const MIN_PERSISTENT_TTL: u32 = 2_073_600;
/// The network's longest life of an entry.
pub const MAX_TTL: u32 = 3_110_400;
/// The program's id.
pub const PROGRAM_ID: &str = "hackathon-2026";
/// What the sponsor has in the beginning.
pub const WEALTH: i128 = 10_000;
/// What an old instance has left, and what it ever had.
pub const OLD_BALANCE: i128 = 600;
/// See [`OLD_BALANCE`].
pub const OLD_TOTAL: i128 = 900;

/// Errors of the registry, by their numbers: a renumbering has to be made here as well.
pub mod error {
    #![allow(missing_docs, reason = "named as in the registry")]
    pub const NOT_ACTIVE: u32 = 100;
    pub const NOT_DRAFT: u32 = 101;
    pub const NOT_CLOSED: u32 = 102;
    pub const ALREADY_CLOSED: u32 = 103;
    pub const NO_PROGRAM: u32 = 105;
    pub const UNAUTHORIZED: u32 = 200;
    pub const DELEGATE_NOT_FOUND: u32 = 201;
    pub const DELEGATE_EXPIRED: u32 = 202;
    pub const DELEGATE_ALLOWANCE_EXCEEDED: u32 = 203;
    pub const INVALID_EXPIRY: u32 = 204;
    pub const INVALID_ALLOWANCE: u32 = 205;
    pub const OWNERSHIP_CANNOT_BE_RENOUNCED: u32 = 206;
    pub const INVALID_IDEMPOTENCY_KEY: u32 = 300;
    pub const KEY_VOIDED: u32 = 301;
    pub const KEY_ALREADY_CONSUMED: u32 = 302;
    pub const TOO_MANY_KEYS: u32 = 303;
    pub const LENGTH_MISMATCH: u32 = 400;
    pub const EMPTY_BATCH: u32 = 401;
    pub const BATCH_TOO_LARGE: u32 = 402;
    pub const INVALID_AMOUNT: u32 = 403;
    pub const DUPLICATE_RECIPIENT: u32 = 404;
    pub const INVALID_RECIPIENT: u32 = 405;
    pub const AMOUNT_OVERFLOW: u32 = 406;
    pub const INSUFFICIENT_BALANCE: u32 = 407;
    pub const PAUSED: u32 = 500;
    pub const CIRCUIT_OPEN: u32 = 501;
    pub const OUTFLOW_LIMIT_EXCEEDED: u32 = 502;
    pub const PAYOUT_TOO_LARGE: u32 = 503;
    pub const INVALID_OUTFLOW_LIMIT: u32 = 504;
    pub const NO_FLAG_SET: u32 = 505;
    pub const REASON_TOO_LONG: u32 = 506;
    pub const TOKEN_TRANSFER_FAILED: u32 = 600;
    pub const NOTHING_TO_MIGRATE: u32 = 700;
    // OpenZeppelin's.
    pub const NO_PENDING_TRANSFER: u32 = 2200;
    pub const INVALID_LIVE_UNTIL_LEDGER: u32 = 2201;
    pub const INVALID_PENDING_ACCOUNT: u32 = 2202;
    pub const TRANSFER_EXPIRED: u32 = 2203;
}

/// What consumed a key: the numbers of `PayoutKind`.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
#[allow(missing_docs, reason = "named as in the contract")]
pub enum Kind {
    Single = 0,
    Batch = 1,
    Imported = 2,
    Voided = 3,
}

/// The original effect of a key.
#[derive(Clone, Debug, Eq, PartialEq)]
#[allow(missing_docs, reason = "named as in the contract")]
pub struct Record {
    pub kind: Kind,
    pub payout_id: u64,
    pub commitment: Option<Commitment>,
    pub total: i128,
    pub ledger: u32,
}

/// Life of the program: the numbers of `ProgramStatus`.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
#[allow(missing_docs, reason = "named as in the contract")]
pub enum Status {
    Draft = 0,
    Active = 1,
    Closed = 2,
}

/// The books.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "named as in the contract")]
pub struct Program {
    pub payout_key: Person,
    pub status: Status,
    pub locked: i128,
    pub paid: i128,
    pub withdrawn: i128,
    pub remaining: i128,
    pub count: u64,
}

/// Capacity, refill a second, largest payout.
pub type Limit = (i128, i128, i128);

/// Everything that is known of a program and its token.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "named as in the contract")]
pub struct Model {
    pub now: u64,
    pub ledger: u32,
    pub program: Option<Program>,
    pub owner: Option<Person>,
    /// The proposed owner, until which ledger it may accept, until which the entry is kept.
    pub pending: Option<(Person, u32, u32)>,
    /// Namespace 1.
    pub records: BTreeMap<String, Record>,
    /// Namespaces 2, 3 and 4.
    pub old_instance: BTreeSet<String>,
    pub old_single: BTreeSet<String>,
    pub old_batch: Vec<String>,
    /// An old program stands here, whole.
    pub old_program: bool,
    pub delegates: BTreeMap<Person, (i128, u64)>,
    pub guardian: Option<Person>,
    pub lock_paused: bool,
    pub payout_paused: bool,
    pub open: bool,
    pub reason: String,
    pub actor: Option<Person>,
    pub since: u64,
    pub limit: Option<Limit>,
    /// What was in the bucket, and when that was.
    pub bucket: (i128, u64),
    /// The token: balances, but for the issuer's, who has none.
    pub balances: BTreeMap<Person, i128>,
    pub frozen: BTreeSet<Person>,
    /// Minted less clawed back less paid to the issuer. It may wrap around: so do the sums that it
    /// is compared with.
    pub supply: i128,
    events: Vec<Event>,
}

/// What a command does.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The answer on the wire, or the refusal. Of the world's own doings only success counts.
    pub answer: Result<Value, Refusal>,
    /// The escrow's events.
    pub events: Vec<Event>,
}

pub(super) type Answer = Result<Value, Refusal>;

pub(super) fn refuse<T>(error: u32) -> Result<T, Refusal> {
    Err(Refusal::Typed(error))
}

impl Model {
    /// A program as it was just deployed, or an old instance.
    pub fn new(start: Start) -> Self {
        let old = matches!(start, Start::Old | Start::Migrated | Start::OldBroken);
        let mut model = Self {
            now: START,
            ledger: LEDGER,
            program: (!old).then_some(Program {
                payout_key: Person::PayoutKey,
                status: Status::Draft,
                locked: 0,
                paid: 0,
                withdrawn: 0,
                remaining: 0,
                count: 0,
            }),
            owner: (!old).then_some(Person::Admin),
            pending: None,
            records: BTreeMap::new(),
            old_instance: BTreeSet::new(),
            old_single: BTreeSet::new(),
            old_batch: vec![],
            old_program: old && start != Start::OldBroken,
            delegates: BTreeMap::new(),
            guardian: None,
            lock_paused: false,
            payout_paused: false,
            open: false,
            reason: String::new(),
            actor: None,
            since: 0,
            limit: None,
            bucket: (0, 0),
            balances: BTreeMap::from([(Person::Sponsor, WEALTH)]),
            frozen: BTreeSet::new(),
            supply: WEALTH,
            events: vec![],
        };
        if old {
            model.old_instance.insert(Key::OldInstance.text());
            for key in [Key::OldSingle, Key::OldLongSingle, Key::OldTwice] {
                model.old_single.insert(key.text());
            }
            model.old_batch = [Key::OldBatch, Key::OldTwice, Key::OldInvalid]
                .map(Key::text)
                .to_vec();
            model.balances.insert(Person::Escrow, OLD_BALANCE);
            model.supply += OLD_BALANCE;
        }
        model
    }

    /// What this command does, done. A refusal changes nothing.
    pub fn apply(&mut self, command: &Command) -> Outcome {
        let mut after = self.clone();
        let answer = after.judge(command);
        let events = std::mem::take(&mut after.events);
        if answer.is_err() {
            return Outcome {
                answer,
                events: vec![],
            };
        }
        *self = after;
        Outcome { answer, events }
    }

    /// Whose signature this command asks for: the one that is asked, not whether it gets so far.
    pub fn asks(&self, command: &Command) -> Option<Person> {
        match command {
            Command::Pay(payout) => payout
                .caller()
                .or_else(|| self.program.as_ref().map(|program| program.payout_key)),
            Command::Void(caller, ..)
            | Command::RevokeDelegate(caller, ..)
            | Command::Pause(caller, ..)
            | Command::Trip(caller, ..)
            | Command::Upgrade(caller, _) => Some(caller.0),
            Command::Lock(from, ..) => Some(*from),
            Command::Migrate(_) => Some(Person::Admin),
            Command::AcceptOwnership(_) => self.pending.map(|(person, ..)| person),
            Command::RenounceOwnership(_) => None,
            _ => self.owner,
        }
    }

    fn judge(&mut self, command: &Command) -> Answer {
        match command {
            Command::Pay(payout) => self.pay(payout),
            // Made into payouts before.
            Command::Again(_) => Ok(Value::Void),
            Command::Void(caller, key, signature) => self.void(caller.0, &key.text(), *signature),
            Command::Import(keys, signature) => self.import(&keys.0, *signature),
            Command::Migrate(signature) => self.migrate(*signature),
            Command::MigrateKeys(moves, signature) => self.migrate_keys(moves.limit(), *signature),
            Command::Lock(..)
            | Command::CreditSurplus(_)
            | Command::Publish(_)
            | Command::Close(_)
            | Command::Withdraw(..)
            | Command::Pass(_)
            | Command::Mint(..)
            | Command::Clawback(..)
            | Command::Freeze(..)
            | Command::FreezeEscrow(_) => self.judge_money(command),
            _ => self.judge_admin(command),
        }
    }

    // What every rule below needs.

    fn program(&self) -> Result<&Program, Refusal> {
        self.program
            .as_ref()
            .ok_or(Refusal::Typed(error::NO_PROGRAM))
    }

    /// The program, where one is known to be there.
    fn books(&mut self) -> &mut Program {
        self.program.as_mut().expect("a program")
    }

    /// One `require_auth`.
    fn signed(who: Person, signature: Signature) -> Result<(), Refusal> {
        let signed = match signature {
            Signature::Right => who.can_sign(),
            Signature::Nobody => false,
            Signature::Stranger => who == Person::Stranger,
        };
        if signed { Ok(()) } else { Err(Refusal::Host) }
    }

    /// A call of the admin's, and who that is.
    fn by_admin(&self, signature: Signature) -> Result<Person, Refusal> {
        self.program()?;
        let owner = self.owner.expect("a program has an owner");
        Self::signed(owner, signature)?;
        Ok(owner)
    }

    /// Every event of ours begins with the version and the program's id.
    fn emit(&mut self, name: &'static str, topics: Vec<Value>, data: Vec<(&'static str, Value)>) {
        let mut all = vec![
            ("version", Value::U32(2)),
            ("program_id", Value::Text(PROGRAM_ID.into())),
        ];
        all.extend(data);
        self.events.push(Event {
            name,
            topics,
            data: all,
        });
    }

    /// What the outflow limit lets through now.
    pub fn available(&self) -> Option<i128> {
        self.limit.map(|(capacity, refill, _)| {
            let seconds = i128::from(self.now - self.bucket.1);
            let refilled = refill.saturating_mul(seconds);
            self.bucket.0.saturating_add(refilled).min(capacity)
        })
    }

    /// The token's `transfer`: both sides thawed, enough there, no overflow.
    fn transfer(&mut self, from: Person, to: Person, amount: i128) -> Result<(), Refusal> {
        let failed = Refusal::Typed(error::TOKEN_TRANSFER_FAILED);
        let thawed = !self.frozen.contains(&from) && !self.frozen.contains(&to);
        let before = self.balance(from);
        if !thawed || amount < 0 || before < amount {
            return Err(failed);
        }
        self.balances.insert(from, before - amount);
        if to == Person::Issuer {
            // An account, though it has no balance.
            if i64::try_from(amount).is_err() {
                return Err(failed);
            }
            self.supply = self.supply.wrapping_sub(amount);
            return Ok(());
        }
        let sum = self.balance(to).checked_add(amount).ok_or(failed)?;
        self.balances.insert(to, sum);
        Ok(())
    }

    /// What somebody has.
    pub fn balance(&self, of: Person) -> i128 {
        self.balances.get(&of).copied().unwrap_or(0)
    }
}
