//! Each operation, as a client sees it.

use crate::common::build::{asset, options, payment, run, transaction, trust};
use crate::common::{Account, Net, decode};
use localnet::xdr::{
    Asset, BumpSequenceOp, ClawbackOp, CreateAccountOp, LedgerEntryData, LedgerKey,
    LedgerKeyTrustLine, Operation, OperationBody, SequenceNumber, SetOptionsOp,
    SetTrustLineFlagsOp, Signer, SignerKey, TrustLineAsset, TrustLineEntry, Uint256,
};

const XLM: i64 = 10_000_000;

fn line(net: &Net, holder: &Account, asset: &Asset) -> Option<TrustLineEntry> {
    let Asset::CreditAlphanum4(code) = asset else {
        panic!("a short code");
    };
    let key = LedgerKey::Trustline(LedgerKeyTrustLine {
        account_id: holder.id(),
        asset: TrustLineAsset::CreditAlphanum4(code.clone()),
    });
    match net.client.entries(&[key]).pop() {
        Some((LedgerEntryData::Trustline(line), _)) => Some(line),
        _ => None,
    }
}

fn flags(trustor: &Account, asset: &Asset, clear: u32, set: u32) -> OperationBody {
    OperationBody::SetTrustLineFlags(SetTrustLineFlagsOp {
        trustor: trustor.id(),
        asset: asset.clone(),
        clear_flags: clear,
        set_flags: set,
    })
}

fn create(account: &Account, balance: i64) -> OperationBody {
    OperationBody::CreateAccount(CreateAccountOp {
        destination: account.id(),
        starting_balance: balance,
    })
}

#[test]
fn create_account_makes_an_account_or_says_why_not() {
    let net = Net::at_once();
    let a = net.account("a");
    let fresh = Account::named("fresh");
    let found = run(&net.client, &a, vec![create(&fresh, 2 * XLM)]).succeeded();
    assert_eq!(net.client.balance(&fresh), 2 * XLM);
    let ledger = found.0["ledger"].as_i64().unwrap();
    assert_eq!(net.client.sequence(&fresh), ledger << 32);
    for (body, code) in [
        (create(&fresh, 2 * XLM), "AlreadyExist"),
        (create(&Account::named("poor"), XLM - 1), "LowReserve"),
        (
            create(&Account::named("rich"), 100_000 * XLM),
            "Underfunded",
        ),
    ] {
        let found = run(&net.client, &a, vec![body]);
        assert_eq!(found.status(), "FAILED");
        assert!(found.operation().contains(code), "{}", found.operation());
    }
}

#[test]
fn payments_of_lumens_keep_the_reserve() {
    let net = Net::at_once();
    let (a, b) = (net.account("a"), net.account("b"));
    run(&net.client, &a, vec![payment(&b, &Asset::Native, 5 * XLM)]).succeeded();
    assert_eq!(net.client.balance(&b), 10_005 * XLM);
    // One lumen, two reserves, has to stay.
    let all = net.client.balance(&a) - 100 - XLM;
    let found = run(&net.client, &a, vec![payment(&b, &Asset::Native, all + 1)]);
    assert!(found.operation().contains("Underfunded"));
    let found = run(
        &net.client,
        &a,
        vec![payment(&Account::named("nobody"), &Asset::Native, 1)],
    );
    assert!(found.operation().contains("NoDestination"));
    // To oneself it succeeds whatever the balance is.
    run(&net.client, &a, vec![payment(&a, &Asset::Native, i64::MAX)]).succeeded();
}

#[test]
fn issued_assets_need_trust_authorisation_and_room() {
    let net = Net::at_once();
    let (issuer, a, b) = (net.account("issuer"), net.account("a"), net.account("b"));
    let usd = asset("USD", &issuer);
    let pay = |from: &Account, to: &Account, amount| {
        run(&net.client, from, vec![payment(to, &usd, amount)]).operation()
    };
    assert!(pay(&issuer, &a, 5).contains("NoTrust"));
    run(&net.client, &a, vec![trust(&usd, 100)]).succeeded();
    assert!(pay(&issuer, &a, 101).contains("LineFull"));
    assert!(pay(&issuer, &a, 95).contains("Success"));
    assert!(pay(&a, &b, 5).contains("NoTrust"));
    assert!(pay(&b, &a, 5).contains("SrcNoTrust"));
    assert!(pay(&a, &issuer, 96).contains("Underfunded"));
    // Back to the issuer is burnt.
    assert!(pay(&a, &issuer, 95).contains("Success"));
    assert_eq!(line(&net, &a, &usd).unwrap().balance, 0);
}

#[test]
fn trustlines_are_limited_kept_while_full_and_deleted_at_zero() {
    let net = Net::at_once();
    let (issuer, a) = (net.account("issuer"), net.account("a"));
    let usd = asset("USD", &issuer);
    let change = |source: &Account, limit| run(&net.client, source, vec![trust(&usd, limit)]);
    assert!(change(&a, 0).operation().contains("InvalidLimit"));
    change(&a, 100).succeeded();
    run(&net.client, &issuer, vec![payment(&a, &usd, 60)]).succeeded();
    assert!(change(&a, 59).operation().contains("InvalidLimit"));
    assert!(change(&a, 0).operation().contains("InvalidLimit"));
    run(&net.client, &a, vec![payment(&issuer, &usd, 60)]).succeeded();
    change(&a, 0).succeeded();
    assert_eq!(line(&net, &a, &usd), None);
    let stranger = asset("USD", &Account::named("no issuer"));
    let found = run(&net.client, &a, vec![trust(&stranger, 1)]);
    assert!(found.operation().contains("NoIssuer"));
    // The issuer itself is refused before any ledger sees it.
    let tx = transaction(&net.client, &issuer, vec![trust(&usd, 1)]);
    let sent = net.client.send(&net.client.sign(&tx, &[&issuer]));
    assert_eq!((sent.status(), sent.code()), ("ERROR", "TxFailed"));
    assert!(format!("{:?}", sent.error()).contains("ChangeTrust(Malformed)"));
}

#[test]
fn an_issuer_authorises_freezes_and_claws_back() {
    let net = Net::at_once();
    let (issuer, a, b) = (net.account("issuer"), net.account("a"), net.account("b"));
    let usd = asset("USD", &issuer);
    let claw = |amount| {
        OperationBody::Clawback(ClawbackOp {
            asset: usd.clone(),
            from: a.muxed(),
            amount,
        })
    };
    // Required, revocable, clawback.
    let set = OperationBody::SetOptions(SetOptionsOp {
        set_flags: Some(1 | 2 | 8),
        ..options()
    });
    run(&net.client, &issuer, vec![set]).succeeded();
    for holder in [&a, &b] {
        run(&net.client, holder, vec![trust(&usd, 1_000)]).succeeded();
    }
    let pay = |to: &Account| run(&net.client, &issuer, vec![payment(to, &usd, 50)]).operation();
    assert!(pay(&a).contains("NotAuthorized"));
    let found = run(&net.client, &issuer, vec![flags(&a, &usd, 0, 1)]).succeeded();
    let events = &found.meta().operations[0].events;
    assert!(format!("{events:?}").contains("set_authorized"));
    assert!(pay(&a).contains("Success"));
    run(&net.client, &issuer, vec![flags(&a, &usd, 1, 0)]).succeeded();
    let frozen = run(&net.client, &a, vec![payment(&issuer, &usd, 1)]).operation();
    assert!(frozen.contains("SrcNotAuthorized"), "{frozen}");
    // A frozen balance can be clawed back all the same.
    let found = run(&net.client, &issuer, vec![claw(20)]).succeeded();
    assert!(format!("{:?}", found.meta().operations[0].events).contains("clawback"));
    assert_eq!(line(&net, &a, &usd).unwrap().balance, 30);
    assert!(
        run(&net.client, &issuer, vec![claw(31)])
            .operation()
            .contains("Underfunded")
    );
    let missing = run(
        &net.client,
        &issuer,
        vec![flags(&Account::named("x"), &usd, 0, 1)],
    );
    assert!(missing.operation().contains("NoTrustLine"));
}

#[test]
fn without_the_flag_nothing_is_revoked_or_clawed_back() {
    let net = Net::at_once();
    let (issuer, a) = (net.account("issuer"), net.account("a"));
    let usd = asset("USD", &issuer);
    run(&net.client, &a, vec![trust(&usd, 100)]).succeeded();
    run(&net.client, &issuer, vec![payment(&a, &usd, 50)]).succeeded();
    let revoke = run(&net.client, &issuer, vec![flags(&a, &usd, 1, 0)]);
    assert!(revoke.operation().contains("CantRevoke"));
    let claw = OperationBody::Clawback(ClawbackOp {
        asset: usd.clone(),
        from: a.muxed(),
        amount: 1,
    });
    let found = run(&net.client, &issuer, vec![claw]);
    assert!(found.operation().contains("NotClawbackEnabled"));
}

#[test]
fn signers_and_thresholds_decide_who_may_act() {
    let net = Net::at_once();
    let (a, b, c) = (net.account("a"), net.account("b"), net.account("c"));
    let add = |key: &Account, weight| {
        OperationBody::SetOptions(SetOptionsOp {
            signer: Some(Signer {
                key: SignerKey::Ed25519(Uint256(key.public())),
                weight,
            }),
            ..options()
        })
    };
    let thresholds = OperationBody::SetOptions(SetOptionsOp {
        low_threshold: Some(1),
        med_threshold: Some(2),
        high_threshold: Some(3),
        ..options()
    });
    run(&net.client, &a, vec![add(&b, 1), add(&c, 1), thresholds]).succeeded();
    let pay = |signers: &[&Account]| {
        let tx = transaction(&net.client, &a, vec![payment(&b, &Asset::Native, 1)]);
        net.client.send(&net.client.sign(&tx, signers))
    };
    let one = pay(&[&a]);
    assert_eq!(one.code(), "TxFailed");
    assert!(format!("{:?}", one.error()).contains("OpBadAuth"));
    assert_eq!(pay(&[&b, &c]).status(), "PENDING");
    // A third signature that nobody needs is one too many.
    assert_eq!(pay(&[&a, &b, &c]).code(), "TxBadAuthExtra");
    assert_eq!(pay(&[&Account::named("stranger")]).code(), "TxBadAuth");
    // Changing the signers needs all three.
    let tx = transaction(&net.client, &a, vec![add(&c, 0)]);
    assert_eq!(
        net.client.send(&net.client.sign(&tx, &[&a, &b])).code(),
        "TxFailed"
    );
    let tx = transaction(&net.client, &a, vec![add(&c, 0)]);
    net.client
        .submit(&net.client.sign(&tx, &[&a, &b, &c]))
        .succeeded();
    let unsupported = OperationBody::SetOptions(SetOptionsOp {
        signer: Some(Signer {
            key: SignerKey::HashX(Uint256([7; 32])),
            weight: 1,
        }),
        ..options()
    });
    let tx = transaction(&net.client, &b, vec![unsupported]);
    let sent = net.client.send(&net.client.sign(&tx, &[&b]));
    assert!(format!("{:?}", sent.error()).contains("OpNotSupported"));
}

#[test]
fn a_merged_account_is_gone_and_its_lumens_are_elsewhere() {
    let net = Net::at_once();
    let (issuer, a, b) = (net.account("issuer"), net.account("a"), net.account("b"));
    let usd = asset("USD", &issuer);
    run(&net.client, &a, vec![trust(&usd, 1)]).succeeded();
    let merge = || vec![OperationBody::AccountMerge(b.muxed())];
    assert!(
        run(&net.client, &a, merge())
            .operation()
            .contains("HasSubEntries")
    );
    run(&net.client, &a, vec![trust(&usd, 0)]).succeeded();
    let before = net.client.balance(&a) + net.client.balance(&b);
    run(&net.client, &a, merge()).succeeded();
    assert!(net.client.entries(&[a.ledger_key()]).is_empty());
    assert_eq!(net.client.balance(&b), before - 100);
}

#[test]
fn all_operations_of_a_transaction_happen_or_none() {
    let net = Net::at_once();
    let (a, b) = (net.account("a"), net.account("b"));
    let before = (net.client.balance(&a), net.client.balance(&b));
    let operations = vec![
        payment(&b, &Asset::Native, XLM),
        payment(&Account::named("nobody"), &Asset::Native, 1),
    ];
    let found = run(&net.client, &a, operations);
    assert_eq!(found.status(), "FAILED");
    assert!(found.meta().operations.is_empty());
    assert_eq!(net.client.balance(&a), before.0 - 200, "the fee is taken");
    assert_eq!(net.client.balance(&b), before.1);
}

#[test]
fn an_operation_of_another_account_needs_its_signature() {
    let net = Net::at_once();
    let (a, b) = (net.account("a"), net.account("b"));
    let build = || {
        let mut tx = transaction(&net.client, &a, vec![]);
        tx.fee = 100;
        tx.operations = [Operation {
            source_account: Some(b.muxed()),
            body: payment(&a, &Asset::Native, XLM),
        }]
        .try_into()
        .unwrap();
        tx
    };
    let sent = net.client.send(&net.client.sign(&build(), &[&a]));
    assert!(format!("{:?}", sent.error()).contains("OpBadAuth"));
    net.client
        .submit(&net.client.sign(&build(), &[&a, &b]))
        .succeeded();
    assert_eq!(net.client.balance(&b), 9_999 * XLM);
}

#[test]
fn other_operations_are_refused_in_words() {
    let net = Net::at_once();
    let a = net.account("a");
    let bump = OperationBody::BumpSequence(BumpSequenceOp {
        bump_to: SequenceNumber(0),
    });
    let tx = transaction(&net.client, &a, vec![bump]);
    let sent = net.client.send(&net.client.sign(&tx, &[&a]));
    assert_eq!((sent.status(), sent.code()), ("ERROR", "TxFailed"));
    assert!(format!("{:?}", sent.error()).contains("OpNotSupported"));
    let event: localnet::xdr::DiagnosticEvent =
        decode(sent.0["diagnosticEventsXdr"][0].as_str().unwrap());
    assert!(format!("{event:?}").contains("BumpSequence is not supported"));
    // Nothing happened: the sequence number is still free.
    run(&net.client, &a, vec![payment(&a, &Asset::Native, 1)]).succeeded();
}

#[test]
fn a_payment_looks_at_the_receiving_side_first() {
    let net = Net::at_once();
    let (issuer, a, b) = (net.account("issuer"), net.account("a"), net.account("b"));
    let usd = asset("USD", &issuer);
    let pay = |from: &Account, to: &Account, asset: &Asset, amount| {
        run(&net.client, from, vec![payment(to, asset, amount)]).operation()
    };
    // Neither trusts the asset.
    assert!(pay(&a, &b, &usd, 5).contains("(NoTrust)"));
    run(&net.client, &a, vec![trust(&usd, 100)]).succeeded();
    assert!(pay(&issuer, &a, &usd, 60).contains("Success"));
    // To oneself: what comes in has to fit before what goes out makes room.
    assert!(pay(&a, &a, &usd, 41).contains("(LineFull)"));
    assert!(pay(&a, &a, &usd, 40).contains("Success"));
    assert_eq!(line(&net, &a, &usd).unwrap().balance, 60);
    // More than there is, into an account that has no room for so many lumens.
    let root = net.localnet.network().root_account();
    let to_root = OperationBody::Payment(localnet::xdr::PaymentOp {
        destination: root.into(),
        asset: Asset::Native,
        amount: i64::MAX,
    });
    let found = run(&net.client, &a, vec![to_root]);
    assert!(found.operation().contains("(LineFull)"));
}

#[test]
fn an_asset_can_be_burnt_when_its_issuer_is_gone() {
    let net = Net::at_once();
    let (issuer, a, b) = (net.account("issuer"), net.account("a"), net.account("b"));
    let usd = asset("USD", &issuer);
    for holder in [&a, &b] {
        run(&net.client, holder, vec![trust(&usd, 100)]).succeeded();
    }
    run(&net.client, &issuer, vec![payment(&a, &usd, 60)]).succeeded();
    run(
        &net.client,
        &issuer,
        vec![OperationBody::AccountMerge(b.muxed())],
    )
    .succeeded();
    run(&net.client, &a, vec![payment(&issuer, &usd, 10)]).succeeded();
    run(&net.client, &a, vec![payment(&b, &usd, 50)]).succeeded();
    assert_eq!(line(&net, &a, &usd).unwrap().balance, 0);
    // Lumens need somebody to go to.
    let found = run(&net.client, &a, vec![payment(&issuer, &Asset::Native, 1)]);
    assert!(found.operation().contains("NoDestination"));
}
