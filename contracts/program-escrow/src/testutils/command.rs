//! Everything that can happen to a program: every entrypoint that may write, and what the world
//! around does. The views are asked after each of these.

use std::string::String;
use std::vec;
use std::vec::Vec;

// The derive macro names the crate by its plain path.
use soroban_sdk::testutils::arbitrary::arbitrary;
use soroban_sdk::testutils::arbitrary::arbitrary::{Result, Unstructured};
use soroban_sdk::testutils::arbitrary::{Arbitrary, arbitrary::size_hint};

use super::choices::{
    Amount, Bounds, Caller, Change, Door, Expiry, Key, Moves, Person, Reason, Recipient, Refill,
    Shape, Signature, Start, Until, Wait, pick,
};
use super::value::{Commitment, Value};

/// A program and what happens to it.
#[derive(Clone, Debug, Arbitrary)]
pub struct Scenario {
    /// What it is in the beginning.
    pub start: Start,
    /// What happens, in this order.
    pub steps: Vec<Step>,
}

/// One thing that happens. Payouts and retries are half of all.
#[derive(Clone, Debug)]
pub struct Step(pub Command);

impl<'a> Arbitrary<'a> for Step {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self(match u8::arbitrary(bytes)? {
            0..=79 => Command::Pay(Payout::arbitrary(bytes)?),
            80..=127 => Command::Again(Retry::arbitrary(bytes)?),
            128..=255 => Command::arbitrary(bytes)?,
        }))
    }

    fn size_hint(depth: usize) -> (usize, Option<usize>) {
        size_hint::and(u8::size_hint(depth), (0, None))
    }
}

/// One row of a batch.
#[derive(Copy, Clone, Debug, Arbitrary)]
pub struct Row {
    /// Who is paid.
    pub recipient: Recipient,
    /// How much.
    pub amount: Amount,
    /// Which obligation this is; only one entrypoint takes it.
    pub reference: bool,
}

/// Up to three rows.
#[derive(Clone, Debug)]
pub struct Rows(pub Vec<Row>);

impl<'a> Arbitrary<'a> for Rows {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let count = pick(bytes, &[1, 2, 3, 1, 2, 3, 0])?;
        (0..count)
            .map(|_| Row::arbitrary(bytes))
            .collect::<Result<_>>()
            .map(Self)
    }
}

/// A payout through one of the five doors.
#[derive(Clone, Debug, Arbitrary)]
pub struct Payout {
    /// Which entrypoint.
    pub door: Door,
    /// Its key.
    pub key: Key,
    /// Who calls, where the door asks.
    pub caller: Caller,
    /// Who gets what; single doors take the first.
    pub rows: Rows,
    /// Whether the lists fit together.
    pub shape: Shape,
    /// Who signs.
    pub signature: Signature,
}

/// An earlier payout once more.
#[derive(Clone, Debug, Arbitrary)]
pub struct Retry {
    /// Which one, counted from the first and around.
    pub nth: u8,
    /// What is different in it.
    pub change: Change,
    /// Through which door now.
    pub door: Door,
    /// By whom now.
    pub caller: Caller,
}

impl Retry {
    /// The payout that this retries, if there is any.
    pub fn of(&self, earlier: &[Payout]) -> Option<Payout> {
        let mut payout = earlier
            .get(usize::from(self.nth) % earlier.len().max(1))?
            .clone();
        payout.door = self.door;
        payout.caller = self.caller;
        payout.signature = Signature::Right;
        match (self.change, payout.rows.0.first_mut()) {
            (Change::Amount, Some(row)) => row.amount = Amount::Two,
            (Change::Recipient, Some(row)) => row.recipient = Recipient(Person::Cleo),
            (Change::Reference, Some(row)) => row.reference = !row.reference,
            (Change::Order, Some(_)) => payout.rows.0.reverse(),
            (Change::Nothing, _) | (_, None) => {}
        }
        Some(payout)
    }
}

/// Up to three keys, or these again up to as many as given.
#[derive(Clone, Debug)]
pub struct Keys(pub Vec<Key>);

impl<'a> Arbitrary<'a> for Keys {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let count = pick(bytes, &[1, 2, 3, 1, 2, 3, 0, 30, 31])?;
        let keys = <[Key; 3]>::arbitrary(bytes)?;
        Ok(Self(keys.into_iter().cycle().take(count).collect()))
    }
}

/// What happens.
#[derive(Clone, Debug, Arbitrary)]
#[allow(missing_docs, reason = "named as the entrypoints and their arguments")]
pub enum Command {
    Pay(Payout),
    Again(Retry),
    Void(Caller, Key, Signature),
    Lock(Person, Amount, Signature),
    CreditSurplus(Signature),
    Publish(Signature),
    Close(Signature),
    Withdraw(Recipient, Signature),
    RotatePayoutKey(Caller, Signature),
    SetDelegate(Caller, Amount, Expiry, Signature),
    RevokeDelegate(Caller, Caller, Signature),
    SetGuardian(Option<Caller>, Signature),
    Pause(Caller, bool, bool, Reason, Signature),
    Unpause(bool, bool, Signature),
    Trip(Caller, Reason, Signature),
    Reset(Signature),
    SetLimit(Option<(Bounds, Refill)>, Signature),
    Import(Keys, Signature),
    Migrate(Signature),
    MigrateKeys(Moves, Signature),
    TransferOwnership(Caller, Until, Signature),
    AcceptOwnership(Signature),
    RenounceOwnership(Signature),
    /// To code that nobody has uploaded.
    Upgrade(Caller, Signature),

    // The world around.
    Pass(Wait),
    /// The issuer pays somebody, the escrow itself among them: a plain transfer in.
    Mint(Person, Amount),
    Clawback(Person, Amount),
    /// The issuer freezes a balance, or thaws it.
    Freeze(Recipient, bool),
    FreezeEscrow(bool),
}

/// The name and arguments of a call.
pub type Call = (&'static str, Vec<Value>);

impl Payout {
    fn rows(&self) -> Vec<Row> {
        if matches!(self.door, Door::Single | Door::SingleBy) {
            // A single door cannot ask for less than one.
            let plain = Row {
                recipient: Recipient(Person::Ann),
                amount: Amount::One,
                reference: false,
            };
            return vec![self.rows.0.first().copied().unwrap_or(plain)];
        }
        let rows = self.rows.0.iter().copied();
        match self.shape {
            Shape::TooMany => rows.cycle().take(61).collect(),
            _ => rows.collect(),
        }
    }

    /// What it asks for.
    pub fn commitment(&self) -> Commitment {
        let rows = self.rows();
        let single = matches!(self.door, Door::Single | Door::SingleBy);
        let mut amounts: Vec<i128> = rows.iter().map(|row| row.amount.units()).collect();
        if self.shape == Shape::FewerAmounts && !single {
            amounts.pop();
        }
        let references = (self.door == Door::References).then(|| {
            let mut references: Vec<u8> = rows.iter().map(|row| row.reference.into()).collect();
            if self.shape == Shape::MoreReferences {
                references.push(2);
            }
            references
        });
        Commitment {
            recipients: rows.iter().map(|row| row.recipient.0).collect(),
            amounts,
            references,
        }
    }

    /// Who calls; None where the payout key is meant.
    pub fn caller(&self) -> Option<Person> {
        (!matches!(self.door, Door::Batch | Door::Single)).then_some(self.caller.0)
    }

    fn call(&self) -> Call {
        let commitment = self.commitment();
        let amounts = || {
            Value::List(
                commitment
                    .amounts
                    .iter()
                    .copied()
                    .map(Value::I128)
                    .collect(),
            )
        };
        let mut args = vec![Value::Text(self.key.text())];
        args.extend(self.caller().map(Value::Person));
        if matches!(self.door, Door::Single | Door::SingleBy) {
            args.push(Value::Person(commitment.recipients[0]));
            args.push(Value::I128(commitment.amounts[0]));
        } else {
            args.push(Value::people(&commitment.recipients));
            args.push(amounts());
        }
        if let Some(references) = commitment.references {
            args.push(Value::List(
                references.into_iter().map(Value::Reference).collect(),
            ));
        }
        let name = match self.door {
            Door::Batch => "batch_payout_idempotent",
            Door::Single => "single_payout_idempotent",
            Door::BatchBy => "batch_payout_idempotent_by",
            Door::SingleBy => "single_payout_idempotent_by",
            Door::References => "batch_payout_with_references",
        };
        (name, args)
    }
}

impl Command {
    /// The call of the escrow that this is, at this time and ledger; None for the world around.
    pub fn call(&self, now: u64, ledger: u32) -> Option<Call> {
        use Value::{I128, Person, Text, U32, U64};
        let reason = |reason: &Reason| Text(reason.text());
        Some(match self {
            Self::Pay(payout) => payout.call(),
            Self::Void(caller, key, _) => (
                "void_idempotency_key",
                vec![Person(caller.0), Text(key.text())],
            ),
            Self::Lock(from, amount, _) => (
                "lock_program_funds",
                vec![Person(*from), I128(amount.units())],
            ),
            Self::CreditSurplus(_) => ("credit_surplus", vec![]),
            Self::Publish(_) => ("publish_program", vec![]),
            Self::Close(_) => ("close_program", vec![]),
            Self::Withdraw(to, _) => ("withdraw_remaining", vec![Person(to.0)]),
            Self::RotatePayoutKey(to, _) => ("rotate_payout_key", vec![Person(to.0)]),
            Self::SetDelegate(who, allowance, expiry, _) => (
                "set_delegate",
                vec![Person(who.0), I128(allowance.units()), U64(expiry.at(now))],
            ),
            Self::RevokeDelegate(caller, who, _) => {
                ("revoke_delegate", vec![Person(caller.0), Person(who.0)])
            }
            Self::SetGuardian(who, _) => (
                "set_guardian",
                vec![Value::option(*who, |who| Person(who.0))],
            ),
            Self::Pause(caller, lock, payout, why, _) => (
                "pause",
                vec![Person(caller.0), flags(*lock, *payout), reason(why)],
            ),
            Self::Unpause(lock, payout, _) => ("unpause", vec![flags(*lock, *payout)]),
            Self::Trip(caller, why, _) => {
                ("trip_circuit_breaker", vec![Person(caller.0), reason(why)])
            }
            Self::Reset(_) => ("reset_circuit_breaker", vec![]),
            Self::SetLimit(limit, _) => (
                "set_outflow_limit",
                vec![Value::option(*limit, |(bounds, refill)| {
                    let (capacity, max) = bounds.units();
                    self::limit(capacity, refill.units(), max)
                })],
            ),
            Self::Import(keys, _) => (
                "import_consumed_keys",
                vec![Value::List(
                    keys.0.iter().map(|key| Text(key.text())).collect(),
                )],
            ),
            Self::Migrate(_) => ("migrate_legacy", vec![]),
            Self::MigrateKeys(moves, _) => ("migrate_legacy_keys", vec![U32(moves.limit())]),
            Self::TransferOwnership(to, until, _) => (
                "transfer_ownership",
                vec![Person(to.0), U32(until.at(ledger))],
            ),
            Self::AcceptOwnership(_) => ("accept_ownership", vec![]),
            Self::RenounceOwnership(_) => ("renounce_ownership", vec![]),
            // Any 32 bytes: nothing was uploaded.
            Self::Upgrade(operator, _) => (
                "upgrade",
                vec![Value::Fingerprint(None), Person(operator.0)],
            ),
            Self::Again(_)
            | Self::Pass(_)
            | Self::Mint(..)
            | Self::Clawback(..)
            | Self::Freeze(..)
            | Self::FreezeEscrow(_) => return None,
        })
    }

    /// Who signs; the world around needs nobody's signature.
    pub fn signature(&self) -> Signature {
        match self {
            Self::Pay(payout) => payout.signature,
            Self::Void(.., signature)
            | Self::Lock(.., signature)
            | Self::CreditSurplus(signature)
            | Self::Publish(signature)
            | Self::Close(signature)
            | Self::Withdraw(.., signature)
            | Self::RotatePayoutKey(.., signature)
            | Self::SetDelegate(.., signature)
            | Self::RevokeDelegate(.., signature)
            | Self::SetGuardian(.., signature)
            | Self::Pause(.., signature)
            | Self::Unpause(.., signature)
            | Self::Trip(.., signature)
            | Self::Reset(signature)
            | Self::SetLimit(.., signature)
            | Self::Import(.., signature)
            | Self::Migrate(signature)
            | Self::MigrateKeys(.., signature)
            | Self::TransferOwnership(.., signature)
            | Self::AcceptOwnership(signature)
            | Self::RenounceOwnership(signature)
            | Self::Upgrade(.., signature) => *signature,
            Self::Again(_)
            | Self::Pass(_)
            | Self::Mint(..)
            | Self::Clawback(..)
            | Self::Freeze(..)
            | Self::FreezeEscrow(_) => Signature::Right,
        }
    }

    /// The key it names, if it names one.
    pub fn key(&self) -> Option<String> {
        match self {
            Self::Pay(payout) => Some(payout.key.text()),
            Self::Void(_, key, _) => Some(key.text()),
            _ => None,
        }
    }
}

/// `PauseFlags`.
pub fn flags(lock: bool, payout: bool) -> Value {
    Value::Struct(vec![
        ("lock", Value::Bool(lock)),
        ("payout", Value::Bool(payout)),
    ])
}

/// `OutflowLimit`.
pub fn limit(capacity: i128, refill_per_second: i128, max_payout: i128) -> Value {
    Value::Struct(vec![
        ("capacity", Value::I128(capacity)),
        ("refill_per_second", Value::I128(refill_per_second)),
        ("max_payout", Value::I128(max_payout)),
    ])
}
