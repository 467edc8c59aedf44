//! Case 08: empty pages, forgotten ledgers, a cut tail.

use std::fs;
use std::path::{Path, PathBuf};

use localnet::xdr::{ContractId, ScVal};
use localnet::{CloseMode, Config};
use payout_audit::Verdict;
use payout_audit::archive::{Record, read};
use payout_audit::run::{Request, offline};
use tempfile::TempDir;

use super::{BARE, audited, owned};
use crate::case::{assert_clean, caught, list};
use crate::common::escrow::Escrow;
use crate::common::{Net, token};
use crate::support::{Sheet, write};

/// A network that was saved, for nodes that keep more of its past or less.
struct Past {
    folder: TempDir,
    contract: ContractId,
}

impl Past {
    /// Payout k1 early, k2 to k4 in ledger 29,990, the latest is 30,000.
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let escrow = Escrow::new(Net::at_once());
        let people = escrow.recipients(1);
        let helpers = ["h1", "h2"].map(|name| escrow.net.account(name));
        let now = escrow.net.localnet.now().expect("a time");
        for helper in &helpers {
            let until = ScVal::U64(now + 300_000);
            let delegate = vec![token::address(helper), token::amount(1_000), until];
            escrow.run("set_delegate", delegate);
        }
        let to = token::address(&people[0]);
        let first = vec![token::string("k1"), to.clone(), token::amount(10)];
        escrow.run("single_payout_idempotent", first);
        let localnet = &escrow.net.localnet;
        let latest = localnet.latest_ledger().expect("a ledger");
        localnet.close_ledgers(29_989 - latest).expect("ledgers");
        let past = Self {
            contract: escrow.contract.clone(),
            folder,
        };
        localnet.save(&past.path("state")).expect("saved");
        let net = past.node(localnet::RETENTION_LEDGERS);
        // A ledger takes one transaction of an account: three accounts pay in one ledger.
        for (number, source) in [&escrow.admin, &helpers[0], &helpers[1]].iter().enumerate() {
            let key = token::string(&format!("k{}", number + 2));
            let arguments = vec![key, token::address(source), to.clone(), token::amount(10)];
            let call = token::call(&past.contract, "single_payout_idempotent_by", arguments);
            net.client.send(&token::prepared(&net.client, source, call));
        }
        net.localnet.close_ledgers(11).expect("ledgers");
        net.localnet.save(&past.path("state")).expect("saved");
        past
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A node that keeps `retention` ledgers.
    fn node(&self, retention: u32) -> Net {
        Net::start(Config {
            state: Some(self.path("state")),
            close: CloseMode::OnDemand,
            retention,
            ..Config::on_demand()
        })
    }
}

fn request(archive: &Path) -> Request<'_> {
    Request {
        archive: Some(archive),
        page: 2,
        ..BARE
    }
}

#[test]
fn empty_pages_are_no_end_and_a_cut_tail_is_refused() {
    let past = Past::new();
    let net = past.node(localnet::RETENTION_LEDGERS);
    assert_eq!(net.localnet.latest_ledger().expect("a ledger"), 30_000);
    let path = past.path("archive");
    let report = audited(&net, &past.contract, request(&path));
    assert_clean(&report);
    let (_, program, _) = report.scope.chain.as_ref().expect("a state");
    assert_eq!(program.payout_count, 4);
    let text = report.headline();
    assert!(text.contains("1\u{2013}30000 without a hole"), "{text}");

    // The last two events and all later ledgers are gone, and the chain was made anew.
    let cut = past.path("cut");
    cut_tail(&path, &cut, 2);
    let refused = audited(&net, &past.contract, request(&cut));
    assert_eq!((refused.verdict, refused.code()), (Verdict::Refuted, 22));
    let text = &refused.findings[0].text;
    for part in ["2 payouts", "says 4", "history differs"] {
        assert!(text.contains(part), "{text}");
    }

    // The same without any node.
    cut_tail(&path, &cut, 2);
    let subject = payout_audit::archive::subject(&cut).expect("a subject");
    let silent = offline(&subject, request(&cut)).expect("an audit");
    assert_eq!((silent.verdict, silent.code()), (Verdict::Undetermined, 10));
    let text = silent.headline();
    assert!(
        text.contains("verified up to ledger 29990, silent after it"),
        "{text}"
    );
}

#[test]
fn what_nodes_have_forgotten_is_proven_by_records_alone() {
    let past = Past::new();
    let net = past.node(10_001);
    let path = past.path("archive");
    let report = audited(&net, &past.contract, request(&path));
    assert_eq!((report.verdict, report.code()), (Verdict::Undetermined, 10));
    assert_eq!(caught(&report), ["COMPLETE"]);
    let text = report.headline();
    assert!(text.contains("not provable"), "{text}");
    let keys = list(&["k1", "k2", "k3", "k4"]);
    let listed = Request {
        list: Some(&keys),
        ..request(&path)
    };
    let report = audited(&net, &past.contract, listed);
    assert_clean(&report);
    let text = report.json()["checks"].to_string();
    assert!(text.contains("complete, from records"), "{text}");

    // What is asked for and no node has is a gap that is stated.
    let gap = past.path("gap");
    let asked = Request {
        from: Some(1),
        ..request(&gap)
    };
    let report = audited(&net, &past.contract, asked);
    assert!(caught(&report).contains(&"COVERAGE"));
    let text = report.json()["findings"].to_string();
    assert!(
        text.contains("no node could give ledgers 1 to 19999"),
        "{text}"
    );
}

/// Writes the archive anew without its last `events` events and without the ledgers behind them.
fn cut_tail(from: &Path, to: &Path, events: usize) {
    let subject = payout_audit::archive::subject(from).expect("a subject");
    let mut sheets: Vec<Sheet> = Vec::new();
    read(from, |record, _, _| {
        if let Record::Page(page) = record {
            sheets.push(owned(page));
        }
        Ok(())
    })
    .expect("it holds");
    while sheets
        .last()
        .is_some_and(|sheet| sheet.transactions.is_empty())
    {
        sheets.pop();
    }
    let last = sheets.last_mut().expect("a sheet");
    // A payout has two events, its transfer and its own.
    for _ in 0..events {
        last.transactions.pop();
    }
    last.to = 29_990;
    let _ = fs::remove_file(to);
    write(to, &subject, &sheets, "node.example");
}
