//! Bad input, and an archive from which something was left out.

use std::fs;

use payout_audit::archive::{Record, read};
use payout_audit::follow::FollowError;
use payout_audit::run::Request;
use payout_keys::ContractId;

use super::{BARE, audit, audited, busy, owned};
use crate::case::{assert_clean, caught};
use crate::common::Net;
use crate::common::escrow::Escrow;
use crate::support::write;

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
