//! The queue in front of the ledger.

use localnet::xdr::{Asset, TransactionEnvelope};

use crate::common::build::{asset, pay, payment, run, transaction, trust, with_sequence};
use crate::common::{Account, Net, token};

#[test]
fn the_same_bytes_are_a_duplicate_then_try_again_then_a_used_sequence() {
    let net = Net::on_demand();
    let a = net.account("a");
    let envelope = pay(&net.client, &a);
    assert_eq!(net.client.send(&envelope).status(), "PENDING");
    assert_eq!(net.client.send(&envelope).status(), "DUPLICATE");
    net.close();
    for _ in 0..9 {
        assert_eq!(net.client.send(&envelope).status(), "TRY_AGAIN_LATER");
        net.close();
    }
    let later = net.client.send(&envelope);
    assert_eq!((later.status(), later.code()), ("ERROR", "TxBadSeq"));
}

#[test]
fn an_account_has_one_pending_transaction() {
    let net = Net::on_demand();
    let (a, b) = (net.account("a"), net.account("b"));
    let sequence = net.client.sequence(&a);
    let numbered = |sequence: i64, to: &Account| {
        let tx = with_sequence(&a, sequence, vec![payment(to, &Asset::Native, 1)]);
        net.client.sign(&tx, &[&a])
    };
    assert_eq!(
        net.client.send(&numbered(sequence + 1, &b)).status(),
        "PENDING"
    );
    // Another of the same number, and the next number, have to wait.
    assert_eq!(
        net.client.send(&numbered(sequence + 1, &a)).status(),
        "TRY_AGAIN_LATER"
    );
    assert_eq!(
        net.client.send(&numbered(sequence + 2, &b)).status(),
        "TRY_AGAIN_LATER"
    );
    assert_eq!(net.client.send(&numbered(sequence, &b)).code(), "TxBadSeq");
    assert_eq!(net.client.send(&pay(&net.client, &b)).status(), "PENDING");
    net.close();
    assert_eq!(
        net.client.send(&numbered(sequence + 2, &b)).status(),
        "PENDING"
    );
}

#[test]
fn a_fee_bump_replaces_at_ten_times_the_bid() {
    let net = Net::on_demand();
    let (a, b) = (net.account("a"), net.account("b"));
    let inner = pay(&net.client, &a);
    let inner_hash = net.client.send(&inner).hash().to_owned();
    // 100 for one operation; a bump counts two, so ten times the rate is 2,000.
    let low = net.client.send(&net.client.bump(&inner, &b, 1_999));
    assert_eq!((low.status(), low.code()), ("ERROR", "TxInsufficientFee"));
    assert_eq!(low.error().unwrap().fee_charged, 2_000);
    let before = net.client.balance(&b);
    let bumped = net.client.send(&net.client.bump(&inner, &b, 2_000));
    assert_eq!(bumped.status(), "PENDING");
    assert_ne!(bumped.hash(), inner_hash);
    // What it carries is pending with it.
    assert_eq!(net.client.send(&inner).status(), "DUPLICATE");
    net.close();
    // It is found by both hashes, pays what a place costs, and never more than once.
    for hash in [bumped.hash(), inner_hash.as_str()] {
        let found = net.client.transaction(hash).succeeded();
        assert_eq!(found.0["txHash"], hash);
        assert_eq!(found.0["feeBump"], true);
        assert_eq!(found.result().fee_charged, 200);
    }
    assert_eq!(net.client.balance(&b), before - 200);
    let events = net.client.transaction(bumped.hash()).result();
    assert!(format!("{events:?}").contains("TxFeeBumpInnerSuccess"));
}

#[test]
fn a_fee_bump_offers_the_minimum_and_no_lower_rate() {
    let net = Net::on_demand();
    let (a, b) = (net.account("a"), net.account("b"));
    let mut tx = transaction(&net.client, &a, vec![payment(&b, &Asset::Native, 1)]);
    let inner = net.client.sign(&tx, &[&a]);
    assert_eq!(
        net.client.send(&net.client.bump(&inner, &b, 199)).code(),
        "TxInsufficientFee"
    );
    tx.fee = 1_000;
    let dear = net.client.sign(&tx, &[&a]);
    let sent = net.client.send(&net.client.bump(&dear, &b, 1_999));
    assert_eq!(sent.error().unwrap().fee_charged, 2_000);
    // What is wrong inside is said inside.
    let mut wrong = tx.clone();
    wrong.seq_num.0 += 5;
    let sent = net
        .client
        .send(&net.client.bump(&net.client.sign(&wrong, &[&a]), &b, 4_000));
    assert_eq!(sent.code(), "TxFeeBumpInnerFailed");
    assert!(format!("{:?}", sent.error()).contains("TxBadSeq"));
}

/// For a hundred ledgers the network asks more than an ordinary bid.
fn raise_fees(net: &Net) {
    let plan = localnet::FaultPlan {
        magnitudes: localnet::Magnitudes {
            spike_ledgers: 100,
            ..localnet::Magnitudes::default()
        },
        ..localnet::FaultPlan::default()
    };
    let spike = plan.with(
        localnet::Fault::FeeSpike,
        localnet::Trigger::Next { calls: 1 },
    );
    net.localnet.set_faults(spike).unwrap();
}

#[test]
fn what_waits_four_ledgers_is_dropped_and_banned_for_ten() {
    let net = Net::on_demand();
    let a = net.account("a");
    raise_fees(&net);
    let envelope = pay(&net.client, &a);
    let hash = net.client.send(&envelope).hash().to_owned();
    for _ in 0..3 {
        net.close();
        assert_eq!(net.client.send(&envelope).status(), "DUPLICATE");
    }
    net.close();
    for _ in 0..10 {
        assert_eq!(net.client.send(&envelope).status(), "TRY_AGAIN_LATER");
        net.close();
    }
    assert_eq!(net.client.transaction(&hash).status(), "NOT_FOUND");
    // Its sequence number was never used.
    assert_eq!(net.client.send(&envelope).status(), "PENDING");
}

#[test]
fn a_payer_must_afford_everything_it_has_pending() {
    let net = Net::on_demand();
    let payer = net.account("payer");
    let sources: Vec<Account> = ["a", "b"].map(|name| net.account(name)).to_vec();
    // Both bumps together are more than the payer can spend.
    let fee = 60_000_000_000;
    let [first, second] = [0, 1].map(|index| {
        let inner = pay(&net.client, &sources[index]);
        net.client.send(&net.client.bump(&inner, &payer, fee))
    });
    assert_eq!(first.status(), "PENDING");
    assert_eq!(
        (second.status(), second.code()),
        ("ERROR", "TxInsufficientBalance")
    );
}

#[test]
fn what_finds_no_room_in_a_ledger_waits_for_the_next() {
    let net = Net::at_once();
    let issuer = net.account("issuer");
    let usd = asset("USD", &issuer);
    token::deploy(&net.client, &issuer, &usd);
    let contract = net.localnet.network().asset_contract(&usd);
    let holders: Vec<Account> = (0..4)
        .map(|n| net.account(&format!("holder {n}")))
        .collect();
    for holder in &holders {
        run(&net.client, holder, vec![trust(&usd, i64::MAX)]).succeeded();
        run(&net.client, &issuer, vec![payment(holder, &usd, 1_000)]).succeeded();
    }
    let rooms: Vec<TransactionEnvelope> = holders
        .iter()
        .map(|holder| {
            let body = token::call(
                &contract,
                "transfer",
                vec![
                    token::address(holder),
                    token::address(&holders[0]),
                    token::amount(1),
                ],
            );
            let (body, mut data, sequence) = token::simulated(&net.client, holder, body);
            // Declared instructions are the scarce thing here: four do not fit into one ledger.
            data.resources.instructions = 190_000_000;
            data.resource_fee += 1_000_000;
            token::sealed(&net.client, holder, sequence, body, data)
        })
        .collect();
    net.localnet
        .set_faults(
            localnet::FaultPlan::default()
                .with(localnet::Fault::Stall, localnet::Trigger::Next { calls: 4 }),
        )
        .unwrap();
    let hashes: Vec<String> = rooms
        .iter()
        .map(|envelope| net.client.send(envelope).hash().to_owned())
        .collect();
    net.close();
    let included = hashes
        .iter()
        .filter(|hash| net.client.transaction(hash).status() == "SUCCESS")
        .count();
    assert_eq!(
        included, 3,
        "580 million instructions hold three of 190 million"
    );
    net.close();
    assert!(
        hashes
            .iter()
            .all(|hash| net.client.transaction(hash).status() == "SUCCESS")
    );
}

#[test]
fn a_ledger_reads_a_thousand_classic_entries_for_contracts() {
    let net = Net::on_demand();
    let issuer = net.account("issuer");
    let usd = asset("USD", &issuer);
    token::deploy_on_demand(&net, &issuer, &usd);
    let contract = net.localnet.network().asset_contract(&usd);
    // Calls that read sixty accounts each, as a batch of sixty classic recipients does.
    let recipients: Vec<_> = (0..60)
        .map(|n| Account::named(&format!("recipient {n}")).ledger_key())
        .collect();
    let sources: Vec<Account> = (0..17)
        .map(|n| net.account(&format!("source {n}")))
        .collect();
    let hashes: Vec<String> = sources
        .iter()
        .map(|source| {
            let body = token::call(&contract, "decimals", vec![]);
            let (body, mut data, sequence) = token::simulated(&net.client, source, body);
            let mut keys = data.resources.footprint.read_only.to_vec();
            keys.extend(recipients.iter().cloned());
            data.resources.footprint.read_only = keys.try_into().unwrap();
            data.resources.instructions = 5_000_000;
            data.resource_fee = 1_000_000;
            let sent = net
                .client
                .send(&token::sealed(&net.client, source, sequence, body, data));
            assert_eq!(sent.status(), "PENDING", "{:?}", sent.error());
            sent.hash().to_owned()
        })
        .collect();
    let included = || {
        let found = hashes.iter().map(|hash| net.client.transaction(hash));
        found.filter(|found| found.status() == "SUCCESS").count()
    };
    net.close();
    assert_eq!(included(), 16);
    net.close();
    assert_eq!(included(), 17);
}

#[test]
fn a_replacement_has_waited_as_long_as_what_it_replaces() {
    let net = Net::on_demand();
    let (a, b) = (net.account("a"), net.account("b"));
    raise_fees(&net);
    let inner = pay(&net.client, &a);
    assert_eq!(net.client.send(&inner).status(), "PENDING");
    net.localnet.close_ledgers(3).unwrap();
    let bump = net.client.bump(&inner, &b, 2_000);
    assert_eq!(net.client.send(&bump).status(), "PENDING");
    net.close();
    // The fourth ledger for the account: both are gone, and only the one that waited is banned.
    assert_eq!(net.client.send(&bump).status(), "TRY_AGAIN_LATER");
    assert_eq!(net.client.send(&inner).status(), "PENDING");
}

#[test]
fn a_payer_that_can_no_longer_pay_for_everything_pays_for_nothing() {
    let net = Net::on_demand();
    let payer = net.account("payer");
    let sources: Vec<Account> = ["a", "b"].map(|name| net.account(name)).to_vec();
    let late = localnet::FaultPlan::default().with(
        localnet::Fault::LateInclusion,
        localnet::Trigger::Next { calls: 2 },
    );
    net.localnet.set_faults(late).unwrap();
    let bumps = [0, 1].map(|index| {
        let inner = pay(&net.client, &sources[index]);
        net.client.bump(&inner, &payer, 45_000_000_000)
    });
    for bump in &bumps {
        assert_eq!(net.client.send(bump).status(), "PENDING");
    }
    // Before their turn comes the money for one of them goes.
    let away = transaction(
        &net.client,
        &payer,
        vec![payment(&sources[0], &Asset::Native, 40_000_000_000)],
    );
    let away = net.client.sign(&away, &[&payer]);
    assert_eq!(net.client.send(&away).status(), "PENDING");
    net.close();
    net.localnet.close_ledgers(5).unwrap();
    assert_eq!(net.client.balance(&payer), 60_000_000_000 - 100);
    for bump in &bumps {
        assert_eq!(net.client.send(bump).status(), "TRY_AGAIN_LATER");
    }
}

#[test]
fn a_fee_bump_is_applied_although_its_payer_is_gone() {
    let net = Net::on_demand();
    let (a, b, payer) = (net.account("a"), net.account("b"), net.account("payer"));
    net.close();
    let inner = transaction(&net.client, &a, vec![payment(&b, &Asset::Native, 7)]);
    let bump = net
        .client
        .bump(&net.client.sign(&inner, &[&a]), &payer, 200);
    let bumped = net.client.send(&bump);
    assert_eq!(bumped.status(), "PENDING");
    // A higher bid, so the payer's end comes first in the same ledger. Both fees were taken before.
    let merge = localnet::xdr::OperationBody::AccountMerge(b.muxed());
    let mut end = transaction(&net.client, &payer, vec![merge]);
    end.fee = 10_000;
    let ended = net.client.send(&net.client.sign(&end, &[&payer]));
    assert_eq!(ended.status(), "PENDING");
    let before = net.client.balance(&b);
    net.close();
    net.client.transaction(ended.hash()).succeeded();
    let found = net.client.transaction(bumped.hash()).succeeded();
    assert_eq!(found.result().fee_charged, 200);
    assert_eq!(net.client.sequence(&a), inner.seq_num.0);
    assert_eq!(
        net.client.balance(&b),
        before + 7 + 100_000_000_000 - 200 - 100
    );
}
