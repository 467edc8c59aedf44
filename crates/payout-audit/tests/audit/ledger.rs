//! The real contract on the local ledger, over HTTP.

use std::fs;
use std::path::Path;

use localnet::xdr::{
    ContractExecutable, ContractIdPreimage, ContractIdPreimageFromAddress, CreateContractArgsV2,
    Hash, HostFunction, OperationBody, ScAddress, ScVal, ScVec, SetOptionsOp, SetTrustLineFlagsOp,
    Uint256,
};
use localnet::{CloseMode, Config};
use payout_audit::archive::{Page, Record, read};
use payout_audit::checks::KeyList;
use payout_audit::follow::{FollowError, Nodes};
use payout_audit::report::Report;
use payout_audit::run::{Audited, Request, offline, online};
use payout_audit::{Outcome, Verdict};
use payout_engine::NodeId;
use payout_engine::rpc::{Client, Options};
use payout_keys::ContractId;
use sha2::{Digest, Sha256};

use crate::case::{assert_clean, caught, list};
use crate::common::build::{asset, options, payment, run, trust};
use crate::common::escrow::{Escrow, wasm};
use crate::common::{Account, Net, token};
use crate::support::{Sheet, write};

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

#[test]
fn what_is_named_wrongly_is_named_and_nothing_is_written() {
    let (escrow, _) = busy();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("archive");
    let contract = ContractId(escrow.contract.0.0);
    let passphrase = escrow.net.localnet.network().passphrase().to_owned();
    let url = [escrow.net.localnet.url()];
    let request = Request {
        archive: Some(&path),
        ..BARE
    };
    let token = ContractId(escrow.token.0.0);
    let other = audit(&url, token, &passphrase, request).expect_err("another contract");
    assert!(matches!(other, FollowError::Contract { .. }), "{other}");
    let network = audit(&url, contract, "Another Network", request).expect_err("another network");
    assert!(
        matches!(network, FollowError::OtherNetwork { .. }),
        "{network}"
    );
    let nobody = ["http://127.0.0.1:9".to_owned()];
    let silent = audit(&nobody, contract, &passphrase, request).expect_err("nobody");
    assert!(
        matches!(silent, FollowError::Unreachable { .. }),
        "{silent}"
    );
    assert!(!path.exists());
    // An archive of another contract of the same network.
    audit(&url, contract, &passphrase, request).expect("an audit");
    let before = fs::read(&path).expect("the archive");
    let second = Escrow::new(Net::at_once());
    let elsewhere = [second.net.localnet.url()];
    let behind = audit(&elsewhere, contract, &passphrase, request).expect_err("a young chain");
    assert!(matches!(behind, FollowError::Behind { .. }), "{behind}");
    second.net.localnet.close_ledgers(100).expect("ledgers");
    let differs = audit(&elsewhere, contract, &passphrase, request).expect_err("another chain");
    assert!(
        matches!(differs, FollowError::OtherHistory { .. }),
        "{differs}"
    );
    assert_eq!(fs::read(&path).expect("the archive"), before);
}

/// Case 08: empty pages, forgotten ledgers, a cut tail.
#[test]
fn case_08() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("state");
    let path = folder.path().join("archive");
    let (contract, helpers) = {
        let escrow = Escrow::new(Net::at_once());
        let people = escrow.recipients(1);
        let helpers: Vec<Account> = ["h1", "h2"].map(|name| escrow.net.account(name)).to_vec();
        let now = escrow.net.localnet.now().expect("a time");
        for helper in &helpers {
            escrow.run(
                "set_delegate",
                vec![
                    token::address(helper),
                    token::amount(1_000),
                    ScVal::U64(now + 300_000),
                ],
            );
        }
        escrow.run(
            "single_payout_idempotent",
            vec![
                token::string("k1"),
                token::address(&people[0]),
                token::amount(10),
            ],
        );
        let latest = escrow.net.localnet.latest_ledger().expect("a ledger");
        escrow
            .net
            .localnet
            .close_ledgers(29_989 - latest)
            .expect("ledgers");
        escrow.net.localnet.save(&state).expect("saved");
        (escrow.contract.clone(), helpers)
    };
    let open = |retention| {
        Net::start(Config {
            state: Some(state.clone()),
            close: CloseMode::OnDemand,
            retention,
            ..Config::on_demand()
        })
    };
    let net = open(localnet::RETENTION_LEDGERS);
    let admin = Account::named("admin");
    let to = token::address(&Account::named("recipient 0"));
    let mut sources = helpers;
    sources.push(admin);
    for (number, source) in sources.iter().enumerate() {
        let key = token::string(&format!("k{}", number + 2));
        let call = token::call(
            &contract,
            "single_payout_idempotent_by",
            vec![key, token::address(source), to.clone(), token::amount(10)],
        );
        net.client.send(&token::prepared(&net.client, source, call));
    }
    net.localnet.close_ledgers(11).expect("ledgers");
    assert_eq!(net.localnet.latest_ledger().expect("a ledger"), 30_000);
    let request = Request {
        archive: Some(&path),
        page: 2,
        ..BARE
    };
    let report = audited(&net, &contract, request);
    assert_clean(&report);
    assert_eq!(
        report
            .scope
            .chain
            .as_ref()
            .map(|(_, program, _)| program.payout_count),
        Some(4)
    );
    assert!(
        report.headline().contains("1\u{2013}30000 without a hole"),
        "{}",
        report.headline()
    );

    // (a) The last two events and all later ledgers are gone, and the chain was made anew.
    let cut = folder.path().join("cut");
    cut_tail(&path, &cut, 2);
    let subject = payout_audit::archive::subject(&cut).expect("a subject");
    let keep = Request {
        archive: Some(&cut),
        ..request
    };
    let refused = audited(&net, &contract, keep);
    assert_eq!(refused.verdict, Verdict::Refuted);
    assert!(
        caught(&refused).contains(&"COMPLETE"),
        "{:?}",
        caught(&refused)
    );
    let text = refused.findings[0].text.clone();
    assert!(
        text.contains("2 payouts") && text.contains("says 4") && text.contains("history differs"),
        "{text}"
    );
    // (d) The same without any node.
    cut_tail(&path, &cut, 2);
    let silent = offline(&subject, keep).expect("an audit");
    assert_eq!((silent.verdict, silent.code()), (Verdict::Undetermined, 10));
    assert!(
        silent.headline().contains("silent after it"),
        "{}",
        silent.headline()
    );

    // (b) and (c): no archive, and a node that keeps ledgers from 20,000 on.
    net.localnet.save(&state).expect("saved");
    drop(net);
    let net = open(10_001);
    let fresh = folder.path().join("fresh");
    let late = Request {
        archive: Some(&fresh),
        ..request
    };
    let report = audited(&net, &contract, late);
    assert_eq!((report.verdict, report.code()), (Verdict::Undetermined, 10));
    assert_eq!(caught(&report), ["COMPLETE"]);
    assert!(
        report.headline().contains("not provable"),
        "{}",
        report.headline()
    );
    let keys = list(&["k1", "k2", "k3", "k4"]);
    let listed = Request {
        list: Some(&keys),
        ..late
    };
    let report = audited(&net, &contract, listed);
    assert_clean(&report);
    assert!(
        report.table().contains("complete, from records"),
        "{}",
        report.table()
    );
    // What was asked for and no node has is a gap that is stated.
    let gap = folder.path().join("gap");
    let asked = Request {
        archive: Some(&gap),
        from: Some(1),
        ..request
    };
    let report = audited(&net, &contract, asked);
    assert!(caught(&report).contains(&"COVERAGE"));
    assert!(
        report
            .table()
            .contains("no node could give ledgers 1 to 19999"),
        "{}",
        report.table()
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

/// Case 04: the escrow itself is frozen and clawed back.
#[test]
fn case_04() {
    let net = Net::at_once();
    let (admin, issuer) = (net.account("admin"), net.account("issuer"));
    let flags = SetOptionsOp {
        set_flags: Some(0x1 | 0x2 | 0x8),
        ..options()
    };
    run(&net.client, &issuer, vec![OperationBody::SetOptions(flags)]).succeeded();
    let asset = asset("USDC", &issuer);
    token::deploy(&net.client, &issuer, &asset);
    let token = net.localnet.network().asset_contract(&asset);
    let holder = net.account("holder");
    for account in [&admin, &holder] {
        run(&net.client, account, vec![trust(&asset, i64::MAX)]).succeeded();
        let allowed = SetTrustLineFlagsOp {
            trustor: account.id(),
            asset: asset.clone(),
            clear_flags: 0,
            set_flags: 1,
        };
        run(
            &net.client,
            &issuer,
            vec![OperationBody::SetTrustLineFlags(allowed)],
        )
        .succeeded();
    }
    run(&net.client, &issuer, vec![payment(&admin, &asset, 1_000)]).succeeded();
    let contract = deployed(&net, &admin, &token);
    let us = ScVal::Address(ScAddress::Contract(contract.clone()));
    let issue = |function: &str, args| {
        token::run(&net.client, &issuer, token::call(&token, function, args)).succeeded();
    };
    let call = |function: &str, args| {
        token::run(&net.client, &admin, token::call(&contract, function, args)).succeeded();
    };
    issue("set_authorized", vec![us.clone(), ScVal::Bool(true)]);
    call(
        "lock_program_funds",
        vec![token::address(&admin), token::amount(100)],
    );
    call("publish_program", vec![]);
    let pay = |key: &str, amount| {
        call(
            "single_payout_idempotent",
            vec![
                token::string(key),
                token::address(&holder),
                token::amount(amount),
            ],
        );
    };
    pay("k1", 10);
    issue("set_authorized", vec![us.clone(), ScVal::Bool(false)]);
    issue("set_authorized", vec![us.clone(), ScVal::Bool(true)]);
    issue("clawback", vec![us, token::amount(50)]);
    pay("k3", 40);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("archive");
    let request = Request {
        archive: Some(&path),
        ..BARE
    };
    let report = audited(&net, &contract, request);
    assert_eq!(caught(&report), ["BALANCE"], "{}", report.table());
    assert_eq!((report.verdict, report.code()), (Verdict::Refuted, 27));
    assert_eq!(report.outcome("PAID-ONCE"), Some(Outcome::Proven));
    let finding = &report.findings[0];
    assert!(
        finding
            .text
            .starts_with("shortfall 50: 50 remain in the books, 0 are there"),
        "{}",
        finding.text
    );
    assert!(
        finding.text.contains("clawback of 50 in ledger "),
        "{}",
        finding.text
    );
    assert!(finding.evidence.event.is_some());
    call("close_program", vec![]);
    call("withdraw_remaining", vec![token::address(&admin)]);
    let after = audited(&net, &contract, request);
    assert_eq!(caught(&after), ["BALANCE"], "{}", after.table());
}

/// The escrow of a token, nothing locked yet.
fn deployed(
    net: &Net,
    admin: &Account,
    token: &localnet::xdr::ContractId,
) -> localnet::xdr::ContractId {
    let wasm = wasm();
    let code = Hash(Sha256::digest(&wasm).into());
    let upload = HostFunction::UploadContractWasm(wasm.try_into().expect("a Wasm"));
    token::run(&net.client, admin, token::invoke(upload)).succeeded();
    let preimage = ContractIdPreimage::Address(ContractIdPreimageFromAddress {
        address: ScAddress::Account(admin.id()),
        salt: Uint256([1; 32]),
    });
    let creation = HostFunction::CreateContractV2(CreateContractArgsV2 {
        contract_id_preimage: preimage.clone(),
        executable: ContractExecutable::Wasm(code),
        constructor_args: vec![
            token::address(admin),
            token::string("hackathon-2026"),
            token::address(admin),
            ScVal::Address(ScAddress::Contract(token.clone())),
        ]
        .try_into()
        .expect("four arguments"),
    });
    token::run(&net.client, admin, token::invoke(creation)).succeeded();
    token::contract_id(&net.client, preimage)
}

#[test]
fn an_event_that_a_node_still_has_cannot_be_left_out() {
    let (escrow, _) = busy();
    let folder = tempfile::tempdir().expect("a folder");
    let (path, forged) = (folder.path().join("archive"), folder.path().join("forged"));
    let request = Request {
        archive: Some(&path),
        ..BARE
    };
    audited(&escrow.net, &escrow.contract, request);
    let subject = payout_audit::archive::subject(&path).expect("a subject");
    let mut sheets = Vec::new();
    read(&path, |record, _, _| {
        if let Record::Page(page) = record {
            sheets.push(owned(page));
        }
        Ok(())
    })
    .expect("it holds");
    // The replay of "two": a whole transaction that moved nothing.
    for sheet in &mut sheets {
        let place = sheet
            .transactions
            .iter()
            .rposition(|tx| tx.events.len() == 1);
        let place = place.expect("the void, and before it replays");
        sheet.transactions.remove(place);
    }
    write(&forged, &subject, &sheets, "node.example");
    let request = Request {
        archive: Some(&forged),
        ..BARE
    };
    // The void is known to nobody but the node: nothing else misses it.
    assert_clean(&audited(&escrow.net, &escrow.contract, request));
    let again = Request {
        recheck: true,
        ..request
    };
    let report = audited(&escrow.net, &escrow.contract, again);
    assert_eq!(caught(&report), ["NODES"]);
    assert!(
        report.findings[0].text.contains("is not in the archive"),
        "{}",
        report.findings[0].text
    );
}
