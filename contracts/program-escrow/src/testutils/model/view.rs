//! What the views answer.

use std::string::String;
use std::vec;
use std::vec::Vec;

use super::{Answer, Kind, Model, PROGRAM_ID};
use crate::testutils::choices::Person;
use crate::testutils::command;
use crate::testutils::value::Value;

/// A view: name, arguments, answer.
pub(in crate::testutils) type View = (&'static str, Vec<Value>, Answer);

impl Model {
    /// `ProgramData`; a program is known to be there.
    pub(super) fn program_value(&self) -> Value {
        let program = self.program.as_ref().expect("a program");
        Value::Struct(vec![
            ("program_id", Value::Text(PROGRAM_ID.into())),
            ("token", Value::Person(Person::Token)),
            ("authorized_payout_key", Value::Person(program.payout_key)),
            ("status", Value::U32(program.status as u32)),
            ("total_locked", Value::I128(program.locked)),
            ("total_paid", Value::I128(program.paid)),
            ("total_withdrawn", Value::I128(program.withdrawn)),
            ("remaining_balance", Value::I128(program.remaining)),
            ("payout_count", Value::U64(program.count)),
        ])
    }

    /// Every view but those of keys.
    pub fn views(&self) -> Vec<View> {
        let there = |value: &dyn Fn() -> Value| self.program().map(|_| value());
        let mut views: Vec<View> = vec![
            ("get_program", vec![], there(&|| self.program_value())),
            (
                "get_remaining_balance",
                vec![],
                self.program().map(|it| Value::I128(it.remaining)),
            ),
            ("max_batch_size", vec![], Ok(Value::U32(60))),
            (
                "get_owner",
                vec![],
                Ok(Value::option(self.owner, Value::Person)),
            ),
            (
                "get_guardian",
                vec![],
                there(&|| Value::option(self.guardian, Value::Person)),
            ),
            (
                "get_pause_flags",
                vec![],
                there(&|| command::flags(self.lock_paused, self.payout_paused)),
            ),
            ("get_circuit_breaker", vec![], there(&|| self.breaker())),
            (
                "get_outflow_limit",
                vec![],
                there(&|| Value::option(self.limit, |it| command::limit(it.0, it.1, it.2))),
            ),
        ];
        // Everybody who can be one, and one who cannot.
        for who in [
            Person::PayoutKey,
            Person::Admin,
            Person::Delegate,
            Person::Guardian,
            Person::Ann,
            Person::Stranger,
        ] {
            let delegate = self.delegates.get(&who).copied();
            views.push((
                "get_delegate",
                vec![Value::Person(who)],
                there(&|| {
                    Value::option(delegate, |(allowance, expires_at)| {
                        Value::Struct(vec![
                            ("allowance", Value::I128(allowance)),
                            ("expires_at", Value::U64(expires_at)),
                        ])
                    })
                }),
            ));
        }
        views
    }

    /// Both views of a key.
    pub fn views_of(&self, key: &str) -> [View; 2] {
        let found = self.find(key);
        let processed = found.as_ref().is_some_and(|it| it.kind != Kind::Voided);
        let args = || vec![Value::Text(String::from(key))];
        [
            ("is_payout_processed", args(), Ok(Value::Bool(processed))),
            (
                "get_idempotency_record",
                args(),
                Ok(Value::option(found, |record| {
                    Value::Struct(vec![
                        ("kind", Value::U32(record.kind as u32)),
                        ("payout_id", Value::U64(record.payout_id)),
                        ("fingerprint", Value::Fingerprint(record.commitment)),
                        ("total_amount", Value::I128(record.total)),
                        ("ledger", Value::U32(record.ledger)),
                    ])
                })),
            ),
        ]
    }

    fn breaker(&self) -> Value {
        Value::Struct(vec![
            ("state", Value::U32(u32::from(self.open))),
            ("reason", Value::Text(self.reason.clone())),
            ("actor", Value::option(self.actor, Value::Person)),
            ("since", Value::U64(self.since)),
            ("available", Value::option(self.available(), Value::I128)),
        ])
    }
}
