//! The kinds of forgery. Where an archive is forged its chain is made anew, so that it holds.

use payout_audit::books::key_digest;
use payout_engine::{Record, RecordKind};
use payout_keys::{ContractId, Fingerprint, NetworkId};
use stellar_xdr::ScVal;

use crate::case::{Case, list, reseal, set};
use crate::support::story::{Story, account};
use crate::support::values::{address, base64, bytes, integer, string};

/// One kind.
pub(crate) struct Forgery {
    pub(crate) name: &'static str,
    /// The check that finds it, then the others that do.
    pub(crate) found_by: &'static [&'static str],
    pub(crate) forge: fn(&mut Case),
}

/// Where transactions of the story are.
const LOCK: usize = 1;
const K1: usize = 2;
const K2: usize = 3;
const REPLAY: usize = 5;
const CONFLICT: usize = 6;
const VOID: usize = 7;
const K5: usize = 8;
const WITHDRAWAL: usize = 9;

macro_rules! forgery {
    ($name:literal, [$($by:literal),+], $forge:expr) => {
        Forgery { name: $name, found_by: &[$($by),+], forge: $forge }
    };
}

/// All kinds.
pub(crate) fn all() -> Vec<Forgery> {
    let mut all = events();
    all.extend(transactions());
    all.extend(archives());
    all.extend(nodes());
    all.extend(obligations());
    all
}

fn events() -> Vec<Forgery> {
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
                set(&mut tx.events[1], "amount", integer(500));
                set(&mut tx.events[1], "remaining_balance", integer(9_250));
                reseal(tx);
                set(
                    &mut case.tx(WITHDRAWAL).events[1],
                    "remaining_balance",
                    integer(8_250),
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
                set(&mut tx.events[1], "recipient", address(account(77)));
                reseal(tx);
            }
        ),
        forgery!(
            "two recipients of a batch change places",
            ["ENVELOPE", "RECORDS", "RESULT", "OWED-DIFFERENT"],
            |case| {
                let events = &mut case.tx(K2).events;
                let first = events[0].topics.clone();
                events[0].topics = events[1].topics.clone();
                events[1].topics = first;
            }
        ),
        forgery!(
            "a key is swapped",
            ["ENVELOPE", "RECORDS", "RESULT", "OWED-EXTRA", "KEY-LIFE"],
            |case| {
                case.tx(K1).events[1].topics[1] = base64(&string("k9"));
            }
        ),
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
                    string("other"),
                );
            }
        ),
        forgery!(
            "an event is of another version",
            ["SCHEMA", "RESULT"],
            |case| {
                set(&mut case.tx(VOID).events[0], "version", ScVal::U32(3));
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
                    bytes(&[1; 32]),
                );
            }
        ),
        forgery!(
            "a withdrawal says less than went",
            ["TRANSFERS", "RESULT"],
            |case| {
                set(&mut case.tx(WITHDRAWAL).events[1], "amount", integer(900));
            }
        ),
        forgery!(
            "a withdrawal counts more than went",
            ["MONEY", "STATE", "RESULT"],
            |case| {
                set(
                    &mut case.tx(WITHDRAWAL).events[1],
                    "counted",
                    integer(1_100),
                );
            }
        ),
    ]
}

fn transactions() -> Vec<Forgery> {
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
                let mut story = Story::new();
                std::mem::swap(&mut story, &mut case.story);
                let record = story.records.get(&key_digest("k1")).copied();
                story.pay("k1", &[(account(1), 100)], false);
                story
                    .records
                    .insert(key_digest("k1"), record.expect("a record"));
                let tx = story.transactions.last().expect("a transaction").clone();
                let sheet = case.sheet(20);
                sheet.to = 20;
                sheet.transactions.push(tx);
                // The contract would say so as well.
                let chain = story.chain();
                case.chain = Some(chain);
                case.sheet(20).to = 21;
                case.sheet(21).latest = 21;
            }
        ),
        forgery!(
            "a void key pays",
            ["KEY-LIFE", "COMPLETE", "OWED-EXTRA"],
            |case| {
                let mut story = Story::new();
                std::mem::swap(&mut story, &mut case.story);
                let record = story.records.get(&key_digest("k4")).copied();
                story.pay("k4", &[(account(9), 5)], false);
                story
                    .records
                    .insert(key_digest("k4"), record.expect("a record"));
                let tx = story.transactions.last().expect("a transaction").clone();
                let chain = story.chain();
                case.sheet(20).transactions.push(tx);
                case.chain = Some(chain);
                case.sheet(20).to = 21;
                case.sheet(21).latest = 21;
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
            ["ENVELOPE", "RECORDS"],
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

fn archives() -> Vec<Forgery> {
    vec![
        forgery!("a page is cut out", ["COVERAGE"], |case| {
            // Ledgers 1 to 3, in which nothing happened.
            case.sheets.remove(1);
        }),
        forgery!("a page stands twice", ["COVERAGE"], |case| {
            let twice = case.sheets[1].clone();
            case.sheets.insert(1, twice);
        }),
        forgery!("a page reaches beyond its node", ["COVERAGE"], |case| {
            case.sheet(20).latest = 5;
        }),
        forgery!(
            "the tail is cut and nobody is asked",
            ["COVERAGE"],
            |case| {
                case.sheets.truncate(6);
                case.chain = None;
                case.list = None;
                case.owed = None;
            }
        ),
        forgery!(
            "the archive is of another network",
            ["ENVELOPE", "RECORDS"],
            |case| {
                case.subject.network = NetworkId::from_passphrase("Another Network ; 2026");
                // Without its envelopes the payout with references cannot be made again.
                case.tx(K2).evidence = None;
            }
        ),
        forgery!("an upgrade is hidden", ["CODE"], |case| {
            case.chain().code = Some([0xdd; 32]);
        }),
    ]
}

fn nodes() -> Vec<Forgery> {
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

fn obligations() -> Vec<Forgery> {
    vec![
        forgery!(
            "an obligation's amount is altered",
            ["OWED-DIFFERENT"],
            |case| {
                owed(case, ",600\n", ",601\n");
            }
        ),
        forgery!(
            "an obligation's recipient is altered",
            ["OWED-DIFFERENT"],
            |case| {
                let (old, new) = (account(6).to_string(), account(60).to_string());
                owed(case, &old, &new);
            }
        ),
        forgery!("an obligation is taken out", ["OWED-EXTRA"], |case| {
            let line = format!("k2/1,k2,{},20\n", account(2));
            owed(case, &line, "");
        }),
        forgery!("an obligation is put in", ["OWED-MISSING"], |case| {
            let line = format!("new,k7,{},7\n", account(7));
            case.owed.as_mut().expect("obligations").push_str(&line);
        }),
        forgery!("one obligation under two keys", ["OWED-TWICE"], |case| {
            owed(case, "k5/0,k5", "k1/0,k5");
        }),
    ]
}

fn place(ledger: u32) -> String {
    format!("{:019}", u64::from(ledger) << 32 | 1 << 12)
}

fn record<'a>(case: &'a mut Case, key: &str) -> &'a mut Record {
    case.chain()
        .records
        .get_mut(&key_digest(key))
        .expect("a record")
}

fn owed(case: &mut Case, from: &str, to: &str) {
    let text = case.owed.as_mut().expect("obligations");
    let changed = text.replacen(from, to, 1);
    assert_ne!(*text, changed);
    *text = changed;
}
