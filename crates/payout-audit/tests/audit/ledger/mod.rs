//! The real contract on the local ledger, over HTTP.

mod bad;
mod case_04;
mod case_08;

use localnet::xdr::{ScVal, ScVec};
use payout_audit::Outcome;
use payout_audit::archive::Page;
use payout_audit::checks::KeyList;
use payout_audit::follow::{FollowError, Nodes};
use payout_audit::report::Report;
use payout_audit::run::{Audited, Request, offline, online};
use payout_engine::NodeId;
use payout_engine::rpc::{Client, Options};
use payout_keys::ContractId;

use crate::case::{assert_clean, list};
use crate::common::escrow::Escrow;
use crate::common::{Net, token};
use crate::support::Sheet;

const BARE: Request<'_> = Request {
    archive: None,
    archive_head: None,
    list: None,
    obligations: None,
    from: None,
    to: None,
    page: 100,
    recheck: false,
    codes: &[],
};

fn audit(
    urls: &[String],
    contract: ContractId,
    passphrase: &str,
    request: Request<'_>,
) -> Result<Audited, FollowError> {
    let clients = urls.iter().zip(0..).map(|(url, number)| {
        Client::new(url, NodeId(number), Options::default()).expect("an address")
    });
    let nodes = Nodes::new(clients.collect()).expect("nodes");
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(online(&nodes, contract, passphrase, request))
}

fn audited(net: &Net, contract: &localnet::xdr::ContractId, request: Request<'_>) -> Report {
    let urls = [net.localnet.url()];
    let passphrase = net.localnet.network().passphrase().to_owned();
    audit(&urls, ContractId(contract.0.0), &passphrase, request)
        .expect("an audit")
        .report
}

fn vector(values: Vec<ScVal>) -> ScVal {
    ScVal::Vec(Some(ScVec(values.try_into().expect("a short list"))))
}

/// Single, batch, batch with references, replay, conflict, void: six keys and a replay or two.
fn busy() -> (Escrow, KeyList) {
    let escrow = Escrow::new(Net::at_once());
    let people = escrow.recipients(3);
    let to = |number: usize| token::address(&people[number]);
    let me = token::address(&escrow.admin);
    escrow.run(
        "single_payout_idempotent",
        vec![token::string("one"), to(0), token::amount(100)],
    );
    let batch = escrow.batch("two", &[to(0), to(1), to(2)]);
    token::run(&escrow.net.client, &escrow.admin, batch.clone()).succeeded();
    let references = [1, 2].map(|byte| ScVal::Bytes(vec![byte; 16].try_into().expect("16 bytes")));
    escrow.run(
        "batch_payout_with_references",
        vec![
            token::string("three"),
            me.clone(),
            vector(vec![to(1), to(2)]),
            vector(vec![token::amount(7), token::amount(8)]),
            vector(references.to_vec()),
        ],
    );
    token::run(&escrow.net.client, &escrow.admin, batch).succeeded();
    escrow.run(
        "single_payout_idempotent",
        vec![token::string("one"), to(0), token::amount(101)],
    );
    escrow.run("void_idempotency_key", vec![me, token::string("four")]);
    (escrow, list(&["one", "two", "three", "four"]))
}

#[test]
fn events_a_list_and_both_say_the_same() {
    let (escrow, keys) = busy();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("archive");
    let codes = [escrow.code.0];
    let events = Request {
        archive: Some(&path),
        codes: &codes,
        ..BARE
    };
    let by_events = audited(&escrow.net, &escrow.contract, events);
    assert_clean(&by_events);
    for id in [
        "TRANSFERS",
        "MONEY",
        "BALANCE",
        "ENVELOPE",
        "RESULT",
        "RECORDS",
        "CODE",
    ] {
        assert_eq!(by_events.outcome(id), Some(Outcome::Proven), "{id}");
    }
    assert_eq!(by_events.listing.counts["replay"], 2);
    assert_eq!(by_events.listing.counts["conflict"], 1);
    assert_eq!(by_events.listing.counts["void"], 1);
    let by_list = Request {
        list: Some(&keys),
        codes: &codes,
        ..BARE
    };
    assert_clean(&audited(&escrow.net, &escrow.contract, by_list));
    let both = Request {
        list: Some(&keys),
        recheck: true,
        ..events
    };
    assert_clean(&audited(&escrow.net, &escrow.contract, both));
    // And without any node, up to the archive's end.
    let latest = escrow.net.localnet.latest_ledger().expect("a ledger");
    let subject = payout_audit::archive::subject(&path).expect("a subject");
    let alone = Request {
        to: Some(latest),
        ..events
    };
    assert_clean(&offline(&subject, alone).expect("an audit"));
}

#[test]
fn two_auditors_with_other_nodes_and_pages_get_one_digest() {
    let (escrow, _) = busy();
    let to = escrow.net.localnet.latest_ledger().expect("a ledger");
    let folder = tempfile::tempdir().expect("a folder");
    let passphrase = escrow.net.localnet.network().passphrase().to_owned();
    let port = escrow.net.localnet.address().port();
    let mut digests = Vec::new();
    let urls = [
        vec![format!("http://127.0.0.1:{port}")],
        vec![
            format!("http://localhost:{port}/rpc"),
            format!("http://127.0.0.1:{port}"),
        ],
    ];
    for (number, urls) in urls.iter().enumerate() {
        let path = folder.path().join(number.to_string());
        let request = Request {
            archive: Some(&path),
            to: Some(to),
            page: if number == 0 { 2 } else { 1_000 },
            ..BARE
        };
        let contract = ContractId(escrow.contract.0.0);
        let audited = audit(urls, contract, &passphrase, request).expect("an audit");
        assert_clean(&audited.report);
        digests.push(audited.report.digest);
        // Later, and more has happened.
        escrow.run("set_guardian", vec![token::address(&escrow.admin)]);
    }
    assert_eq!(digests[0], digests[1]);
}

#[test]
fn a_node_with_faults_gives_the_same_archive_in_the_end() {
    let (escrow, _) = busy();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("archive");
    let to = escrow.net.localnet.latest_ledger().expect("a ledger");
    let request = Request {
        archive: Some(&path),
        to: Some(to),
        page: 3,
        ..BARE
    };
    let plan = localnet::FaultPlan::profile(localnet::Profile::Nasty);
    escrow.net.localnet.set_faults(plan).expect("faults");
    let report = audited(&escrow.net, &escrow.contract, request);
    assert_clean(&report);
    let struck = escrow.net.localnet.fault_counts().expect("counts");
    assert!(struck.values().sum::<u64>() > 0, "{struck:?}");
    escrow.net.localnet.clear_faults().expect("no faults");
    let other = folder.path().join("other");
    let calm = Request {
        archive: Some(&other),
        ..request
    };
    assert_eq!(
        audited(&escrow.net, &escrow.contract, calm).digest,
        report.digest
    );
}

#[test]
fn archived_records_and_an_archived_instance_are_read() {
    let (escrow, keys) = busy();
    escrow
        .net
        .localnet
        .advance(10 * 365 * 86_400)
        .expect("ten years");
    let request = Request {
        list: Some(&keys),
        ..BARE
    };
    assert_clean(&audited(&escrow.net, &escrow.contract, request));
}

fn owned(page: &Page<'_>) -> Sheet {
    Sheet {
        from: page.from,
        to: page.to,
        latest: page.latest,
        transactions: page
            .transactions
            .iter()
            .map(crate::support::Tx::of)
            .collect(),
    }
}
