//! Who got how much, and under which key.

use super::{Forgery, K1, K2, K5, WITHDRAWAL, forgery};
use crate::case::{reseal, set};
use crate::support::story::account;
use crate::support::values::{address, base64, integer, string};

pub(super) fn all() -> Vec<Forgery> {
    vec![
        forgery!(
            "a transfer of a batch is dropped",
            ["TRANSFERS", "BALANCE", "RECORDS", "RESULT", "OWED-MISSING"],
            |case| {
                case.tx(K2).events.remove(1);
            }
        ),
        forgery!(
            "a transfer's amount is altered",
            [
                "TRANSFERS",
                "BALANCE",
                "RECORDS",
                "ENVELOPE",
                "RESULT",
                "OWED-DIFFERENT"
            ],
            |case| {
                case.tx(K1).events[0].value = base64(&integer(101));
            }
        ),
        forgery!(
            "amount, books and result are altered together",
            [
                "RECORDS",
                "ENVELOPE",
                "COMPLETE",
                "STATE",
                "MONEY",
                "BALANCE",
                "OWED-DIFFERENT"
            ],
            |case| {
                let tx = case.tx(K5);
                tx.events[0].value = base64(&integer(500));
                set(&mut tx.events[1], "amount", &integer(500));
                set(&mut tx.events[1], "remaining_balance", &integer(9_250));
                reseal(tx);
                set(
                    &mut case.tx(WITHDRAWAL).events[1],
                    "remaining_balance",
                    &integer(8_250),
                );
                reseal(case.tx(WITHDRAWAL));
            }
        ),
        forgery!(
            "a transfer is redirected",
            [
                "RESULT",
                "TRANSFERS",
                "ENVELOPE",
                "RECORDS",
                "OWED-DIFFERENT"
            ],
            |case| {
                case.tx(K1).events[0].topics[2] = base64(&address(account(77)));
            }
        ),
        forgery!(
            "a payout is redirected, its event and result too",
            ["ENVELOPE", "RECORDS", "OWED-DIFFERENT"],
            |case| {
                let tx = case.tx(K1);
                tx.events[0].topics[2] = base64(&address(account(77)));
                set(&mut tx.events[1], "recipient", &address(account(77)));
                reseal(tx);
            }
        ),
        forgery!(
            "two recipients of a batch change places",
            ["ENVELOPE", "RECORDS", "RESULT", "OWED-DIFFERENT"],
            |case| {
                let events = &mut case.tx(K2).events;
                let (one, other) = events.split_at_mut(1);
                std::mem::swap(&mut one[0].topics, &mut other[0].topics);
            }
        ),
        forgery!(
            "a key is swapped",
            ["ENVELOPE", "RECORDS", "RESULT", "OWED-EXTRA", "KEY-LIFE"],
            |case| {
                case.tx(K1).events[1].topics[1] = base64(&string("k9"));
            }
        ),
    ]
}
