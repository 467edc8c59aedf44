//! Whole transactions, left out, made up or altered.

use payout_audit::books::key_digest;
use payout_keys::Recipient;

use super::{Forgery, K1, K2, K5, LOCK, REPLAY, WITHDRAWAL, forgery};
use crate::case::{Case, list};
use crate::support::story::{Story, account};
use crate::support::values::base64;

pub(super) fn all() -> Vec<Forgery> {
    vec![
        forgery!(
            "a payout is left out in the middle",
            ["MONEY", "COMPLETE", "BALANCE", "KEY-LIFE"],
            |case| {
                case.take(K1);
                // Whoever leaves it out hides the key too.
                case.list = Some(list(&["k0", "k2", "k3", "k4", "k5"]));
                case.owed = None;
            }
        ),
        forgery!(
            "the last payout is left out",
            ["COMPLETE", "STATE", "BALANCE", "RECORDS"],
            |case| {
                case.take(WITHDRAWAL);
                case.take(K5);
            }
        ),
        forgery!(
            "a lock is left out",
            ["MONEY", "STATE", "BALANCE"],
            |case| {
                case.take(LOCK);
            }
        ),
        forgery!(
            "a payout happens again under its key",
            ["PAID-ONCE", "COMPLETE", "OWED-TWICE"],
            |case| {
                pays_again(case, "k1", account(1), 100);
            }
        ),
        forgery!(
            "a void key pays",
            ["KEY-LIFE", "COMPLETE", "OWED-EXTRA"],
            |case| {
                pays_again(case, "k4", account(9), 5);
            }
        ),
        forgery!(
            "a row of a run is paid under a second key",
            ["REFERENCE-ONCE"],
            |case| {
                let line = (account(1), 10);
                case.story.pay_as("k6", &[line], Some("k2"));
                case.happened();
                case.list = Some(list(&["k0", "k1", "k2", "k3", "k4", "k5", "k6"]));
                let row = format!("k6/0,k6,{},10\n", line.0);
                case.owed.as_mut().expect("obligations").push_str(&row);
            }
        ),
        forgery!("transactions change places", ["ORDER"], |case| {
            let taken = case.take(REPLAY);
            let sheet = case.sheet(16);
            assert_eq!((sheet.from, sheet.to), (16, 18));
            sheet.from = 15;
            sheet.transactions.insert(1, taken);
            case.sheet(14).to = 14;
        }),
        forgery!(
            "an envelope is another transaction's",
            ["ENVELOPE", "RECORDS", "REFERENCE-ONCE"],
            |case| {
                let other = case.tx(K5).evidence.clone().expect("evidence").envelope;
                case.tx(K2).evidence.as_mut().expect("evidence").envelope = other;
            }
        ),
        forgery!(
            "a returned value is altered",
            ["RESULT", "MONEY", "RECORDS"],
            |case| {
                let mut story = Story::new();
                story.lock(10_000);
                let returned = base64(&story.returned());
                case.tx(K5).evidence.as_mut().expect("evidence").returned = returned;
            }
        ),
        forgery!(
            "a payout is made up",
            ["RECORDS", "COMPLETE", "STATE", "BALANCE", "OWED-EXTRA"],
            |case| {
                let mut story = Story::new();
                std::mem::swap(&mut story, &mut case.story);
                story.pay("k8", &[(account(8), 8)], false);
                let tx = story.transactions.last().expect("a transaction").clone();
                case.sheet(20).transactions.push(tx);
            }
        ),
        forgery!("a clawback is hidden", ["BALANCE"], |case| {
            case.chain().balance = case.chain().balance.map(|balance| balance - 50);
        }),
    ]
}

/// A consumed key pays in ledger 20, and the contract's books would say so as well.
fn pays_again(case: &mut Case, key: &str, to: Recipient, amount: i128) {
    let digest = key_digest(key);
    let record = case.story.records.get(&digest).copied();
    case.story.pay(key, &[(to, amount)], false);
    let record = record.expect("a record");
    case.story.records.insert(digest, record);
    case.happened();
}
