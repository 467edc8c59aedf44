//! A story with everything an audit is given, for forgers to change.

use std::fmt::Write as _;

use payout_audit::audit::{Auditor, Beside, Questions};
use payout_audit::books::key_digest;
use payout_audit::checks::{self, Chain, KeyList};
use payout_audit::model::Subject;
use payout_audit::obligations::{Obligations, Reading};
use payout_audit::report::Report;
use payout_audit::{Outcome, Verdict};
use payout_keys::Recipient;
use sha2::{Digest as _, Sha256};
use stellar_xdr::{Hash, Limits, ReadXdr, ScVal};

use crate::support::seal::result;
use crate::support::story::{Story, account};
use crate::support::values::{base64, symbol};
use crate::support::{Event, Sheet, Tx, sheets, write};

/// What an audit is given.
pub(crate) struct Case {
    pub(crate) story: Story,
    pub(crate) subject: Subject,
    pub(crate) sheets: Vec<Sheet>,
    pub(crate) chain: Option<Chain>,
    pub(crate) list: Option<KeyList>,
    pub(crate) owed: Option<String>,
    pub(crate) codes: Vec<[u8; 32]>,
}

/// A key, whom it paid and how much, and whether with references.
type Paid = (&'static str, Vec<(Recipient, i128)>, bool);

/// The keys of the story that paid.
pub(crate) fn payouts() -> Vec<Paid> {
    vec![
        ("k1", vec![(account(1), 100)], false),
        (
            "k2",
            vec![(account(1), 10), (account(2), 20), (account(3), 30)],
            true,
        ),
        ("k3", vec![(account(4), 40), (account(5), 50)], false),
        ("k5", vec![(account(6), 600)], false),
    ]
}

impl Case {
    /// Import k0, lock, pay k1, k2, k3, replay k1, conflict on k3, void k4, pay k5, withdraw: one
    /// transaction a ledger from ledger 10 on, which is also their order.
    pub(crate) fn new() -> Self {
        let mut story = Story::new();
        story.import("k0");
        story.lock(10_000);
        for (key, lines, referenced) in payouts().drain(..3) {
            story.pay(key, &lines, referenced);
        }
        story.replay("k1", None);
        story.replay("k3", Some(&[(account(4), 41), (account(5), 50)]));
        story.void("k4");
        story.pay("k5", &[(account(6), 600)], false);
        story.withdraw(1_000);
        let mut owed = "id,key,recipient,amount\n".to_owned();
        for (key, lines, _) in payouts() {
            for (number, (recipient, amount)) in lines.iter().enumerate() {
                let _ = writeln!(owed, "{key}/{number},{key},{recipient},{amount}");
            }
        }
        Self {
            subject: story.subject.clone(),
            sheets: sheets(&story.transactions, 3, story.ledger),
            chain: Some(story.chain()),
            list: Some(list(&["k0", "k1", "k2", "k3", "k4", "k5"])),
            owed: Some(owed),
            codes: vec![story.code],
            story,
        }
    }

    /// The `at`-th transaction.
    pub(crate) fn tx(&mut self, at: usize) -> &mut Tx {
        self.sheets
            .iter_mut()
            .flat_map(|sheet| &mut sheet.transactions)
            .nth(at)
            .expect("a transaction")
    }

    /// Takes the `at`-th transaction out.
    pub(crate) fn take(&mut self, mut at: usize) -> Tx {
        for sheet in &mut self.sheets {
            if at < sheet.transactions.len() {
                return sheet.transactions.remove(at);
            }
            at -= sheet.transactions.len();
        }
        panic!("no such transaction");
    }

    /// The sheet with ledger `ledger`.
    pub(crate) fn sheet(&mut self, ledger: u32) -> &mut Sheet {
        self.sheets
            .iter_mut()
            .find(|sheet| (sheet.from..=sheet.to).contains(&ledger))
            .expect("a sheet")
    }

    pub(crate) fn chain(&mut self) -> &mut Chain {
        self.chain.as_mut().expect("a chain")
    }

    /// The story's last transaction is archived too, and the state is that after it.
    pub(crate) fn happened(&mut self) {
        let tx = self
            .story
            .transactions
            .last()
            .expect("a transaction")
            .clone();
        let last = self.story.ledger;
        let sheet = self.sheets.last_mut().expect("a sheet");
        sheet.transactions.push(tx);
        sheet.to = last;
        sheet.latest = last;
        self.chain = Some(self.story.chain());
    }

    /// Audits, without the checks `without`.
    pub(crate) fn audit(&self, without: &[&str]) -> Report {
        let owed = self
            .owed
            .as_ref()
            .filter(|_| !without.iter().any(|id| id.starts_with("OWED")));
        let owed = owed.map(|text| {
            Obligations::read(text.as_bytes(), Reading::default()).expect("obligations")
        });
        self.audit_with(owed.as_ref(), without)
    }

    /// The same against these obligations.
    pub(crate) fn audit_with(&self, owed: Option<&Obligations>, without: &[&str]) -> Report {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("archive");
        write(&path, &self.subject, &self.sheets, "node.example");
        let questions = Questions {
            to: None,
            state_at: self.chain.as_ref().map(|chain| chain.ledger),
            obligations: owed,
        };
        let checks = checks::all()
            .into_iter()
            .filter(|check| !without.contains(&check.about().id))
            .collect();
        let mut auditor = Auditor::with(&self.subject, questions, checks);
        auditor.archive(&path).expect("the archive is read");
        auditor.finish(Beside {
            chain: self.chain.as_ref(),
            list: self.list.as_ref(),
            codes: &self.codes,
            nodes: Vec::new(),
        })
    }
}

/// The checks that are not proven.
pub(crate) fn caught(report: &Report) -> Vec<&'static str> {
    let open = [Outcome::Refuted, Outcome::Undetermined];
    report
        .checks
        .iter()
        .filter(|check| open.contains(&check.outcome))
        .map(|check| check.about.id)
        .collect()
}

pub(crate) fn assert_clean(report: &Report) {
    assert_eq!(report.verdict, Verdict::Clean, "{}", report.table());
    assert_eq!(caught(report), Vec::<&str>::new());
    assert_eq!(report.code(), 0);
}

pub(crate) fn list(keys: &[&str]) -> KeyList {
    KeyList {
        keys: keys
            .iter()
            .map(|key| (key_digest(key), (*key).to_owned()))
            .collect(),
    }
}

/// Changes a field of an event's data.
pub(crate) fn set(event: &mut Event, field: &str, to: &ScVal) {
    let mut data = decoded(&event.value);
    let ScVal::Map(Some(map)) = &mut data else {
        panic!("the data is a map");
    };
    let mut entries: Vec<_> = map.0.to_vec();
    for entry in &mut entries {
        if entry.key == symbol(field) {
            entry.val.clone_from(to);
        }
    }
    map.0 = entries.try_into().expect("as many fields");
    event.value = base64(&data);
}

pub(crate) fn decoded(text: &str) -> ScVal {
    ScVal::from_xdr_base64(text, Limits::none()).expect("a value")
}

/// What a skilled forger does last: a result that commits to the forged events.
pub(crate) fn reseal(tx: &mut Tx) {
    let evidence = tx.evidence.as_mut().expect("evidence");
    let mut digest = Sha256::new();
    digest.update(xdr(&evidence.returned));
    digest.update(u32::try_from(tx.events.len()).expect("few").to_be_bytes());
    for event in &tx.events {
        let contract = payout_keys::ContractId::new(&event.contract).expect("a contract");
        digest.update([0; 4]);
        digest.update(1_u32.to_be_bytes());
        digest.update(contract.0);
        digest.update(u32::from(!event.system).to_be_bytes());
        digest.update([0; 4]);
        digest.update(
            u32::try_from(event.topics.len())
                .expect("few")
                .to_be_bytes(),
        );
        for topic in &event.topics {
            digest.update(xdr(topic));
        }
        digest.update(xdr(&event.value));
    }
    evidence.result = base64(&result(Hash(digest.finalize().into())));
}

fn xdr(text: &str) -> Vec<u8> {
    use stellar_xdr::WriteXdr as _;
    decoded(text).to_xdr(Limits::none()).expect("it encodes")
}
