//! Nodes that do not tell the truth, and lists that are not whole.

use payout_audit::books::key_digest;
use payout_engine::{Record, RecordKind};
use payout_keys::Fingerprint;

use super::{Forgery, forgery, record};
use crate::case::list;

pub(super) fn all() -> Vec<Forgery> {
    vec![
        forgery!("a node says fewer payouts", ["COMPLETE", "STATE"], |case| {
            case.chain().program.payout_count -= 1;
            case.chain().program.total_paid -= 600;
        }),
        forgery!("a node says more was locked", ["STATE"], |case| {
            case.chain().program.total_locked += 1;
        }),
        forgery!("a node says another fingerprint", ["RECORDS"], |case| {
            record(case, "k3").fingerprint = Fingerprint([4; 32]);
        }),
        forgery!("a node says another ledger", ["RECORDS"], |case| {
            record(case, "k3").ledger += 1;
        }),
        forgery!(
            "a node gives two records one number",
            ["PAID-ONCE", "RECORDS", "COMPLETE"],
            |case| {
                record(case, "k3").payout_id = 2;
            }
        ),
        forgery!(
            "a node has a record of which no event tells",
            ["RECORDS"],
            |case| {
                case.list = Some(list(&["k0", "k1", "k2", "k3", "k4", "k5", "k6"]));
                let made_up = Record {
                    kind: RecordKind::Voided,
                    payout_id: 0,
                    fingerprint: Fingerprint([0; 32]),
                    total: 0,
                    ledger: 15,
                };
                case.chain().records.insert(key_digest("k6"), made_up);
            }
        ),
        forgery!("two nodes differ", ["NODES"], |case| {
            case.chain().nodes = 2;
            case.chain()
                .contradictions
                .push("one says 4, the other 5".to_owned());
        }),
        forgery!("the list lacks a key", ["COMPLETE"], |case| {
            case.list = Some(list(&["k0", "k1", "k3", "k4", "k5"]));
        }),
    ]
}
