//! Order, origin, schema, and what the events say beside money.

use payout_keys::ContractId;
use stellar_xdr::ScVal;

use super::{CONFLICT, Forgery, REPLAY, VOID, WITHDRAWAL, forgery, place};
use crate::case::{list, set};
use crate::support::values::{bytes, integer, string};

pub(super) fn all() -> Vec<Forgery> {
    vec![
        forgery!("a payout is moved into another ledger", ["ORDER"], |case| {
            for event in &mut case.tx(REPLAY).events {
                event.id = event.id.replace(&place(15), &place(14));
            }
        }),
        forgery!("an event stands twice", ["ORDER", "RESULT"], |case| {
            let events = &mut case.tx(REPLAY).events;
            let twice = events[0].clone();
            events.push(twice);
        }),
        forgery!(
            "an event of another contract is slipped in",
            ["ORIGIN", "RESULT"],
            |case| {
                let tx = case.tx(REPLAY);
                let mut event = tx.events[0].clone();
                event.id = event.id.replace("-0000000000", "-0000000001");
                event.contract = ContractId([8; 32]).to_string();
                tx.events.push(event);
            }
        ),
        forgery!(
            "an event is of another program",
            ["SCHEMA", "RESULT"],
            |case| {
                set(
                    &mut case.tx(REPLAY).events[0],
                    "program_id",
                    &string("other"),
                );
            }
        ),
        forgery!(
            "an event is of another version",
            ["SCHEMA", "RESULT"],
            |case| {
                set(&mut case.tx(VOID).events[0], "version", &ScVal::U32(3));
                // Unread, the void is not known, and its record stands alone.
                case.list = Some(list(&["k1", "k2", "k3", "k5"]));
            }
        ),
        forgery!(
            "a conflict is hidden behind its replay",
            ["RESULT"],
            |case| {
                case.tx(CONFLICT).events.pop();
            }
        ),
        forgery!(
            "a conflict names another fingerprint",
            ["KEY-LIFE", "RESULT"],
            |case| {
                set(
                    &mut case.tx(CONFLICT).events[1],
                    "recorded",
                    &bytes(&[1; 32]),
                );
            }
        ),
        forgery!(
            "a withdrawal says less than went",
            ["TRANSFERS", "RESULT"],
            |case| {
                set(&mut case.tx(WITHDRAWAL).events[1], "amount", &integer(900));
            }
        ),
        forgery!(
            "a withdrawal counts more than went",
            ["MONEY", "STATE", "RESULT"],
            |case| {
                set(
                    &mut case.tx(WITHDRAWAL).events[1],
                    "counted",
                    &integer(1_100),
                );
            }
        ),
    ]
}
