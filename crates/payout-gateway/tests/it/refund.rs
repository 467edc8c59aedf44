//! What shows that a payment came back.

use localnet::xdr::{MuxedAccount, MuxedAccountMed25519, OperationBody, Uint256};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::common::ledger::{Account, build, token};
use crate::common::{Answer, Chain, Database, Rig, both, order_body};

both!(a_refund_is_believed_on_evidence_alone);
async fn a_refund_is_believed_on_evidence_alone(database: Database) {
    let chain = Chain::at_once(2).await;
    let rig = Rig::paying(&database, &chain, 1).await;
    let client = &chain.escrow.net.client;
    let [paid, other] = [&chain.recipients[0], &chain.recipients[1]];
    let order = rig
        .submit("g", &order_body(&[&paid.address()], &["40"]))
        .await;
    let id = order.text("id").to_owned();
    let path = format!("/v1/payouts/{id}/refund");
    rig.until_receipt(&id).await;
    let second = rig
        .submit("h", &order_body(&[&other.address()], &["40"]))
        .await;
    rig.until_receipt(second.text("id")).await;

    let admin = &chain.escrow.admin;
    let transfer = |from: &Account, amount: i128| {
        let arguments = vec![
            token::address(from),
            token::address(admin),
            token::amount(amount),
        ];
        let call = token::call(&chain.escrow.token, "transfer", arguments);
        hash(&token::run(client, from, call).succeeded().0)
    };
    let lock = |amount: i128| {
        let arguments = vec![token::address(admin), token::amount(amount)];
        hash(&chain.escrow.run("lock_program_funds", arguments).0)
    };
    let ask = async |key: &str, transfer: &str, lock: &str| {
        let body = json!({ "evidence": [{ "transfer": transfer, "lock": lock }] });
        rig.post(&path, key, &body).await
    };
    let (wrong, part, whole) = (transfer(other, 40), transfer(paid, 39), transfer(paid, 1));
    let (locked, rest) = (lock(39), lock(1));
    let refused = "refund-evidence-invalid";
    assert_eq!(
        ask("1", &wrong, &locked).await.problem(422),
        refused,
        "another's money"
    );
    assert_eq!(
        ask("2", &part, &locked).await.problem(422),
        refused,
        "a part of it"
    );
    assert_eq!(
        ask("3", &locked, &part).await.problem(422),
        refused,
        "the wrong way round"
    );
    assert_eq!(
        ask("4", &"0".repeat(64), &locked).await.problem(422),
        refused,
        "not there"
    );
    assert_eq!(ask("5", "xyz", &locked).await.problem(400), "body-invalid");
    let body = json!({ "evidence": [
        { "transfer": part, "lock": locked }, { "transfer": whole, "lock": rest },
    ] });
    let done = rig.post(&path, "6", &body).await;
    assert_eq!(done.status, StatusCode::ACCEPTED, "{}", done.body);
    assert_eq!(done.body["result"]["returned"], "40");
    let order = rig.get(&format!("/v1/payouts/{id}")).await;
    assert_eq!(order.text("state"), "refunded");
    assert!(order.body["payout_id"].is_string(), "it stays paid");
    assert_eq!(rig.post(&path, "6", &body).await.status, StatusCode::OK);
    assert_eq!(
        rig.post(&path, "7", &body).await.problem(409),
        "state-forbids"
    );

    // The same transactions do not refund another order.
    let second = rig
        .submit("i", &order_body(&[&paid.address()], &["40"]))
        .await;
    rig.until_receipt(second.text("id")).await;
    let path = format!("/v1/payouts/{}/refund", second.text("id"));
    assert_eq!(rig.post(&path, "8", &body).await.problem(422), refused);
}

both!(a_classic_payment_back_is_a_transfer_too);
async fn a_classic_payment_back_is_a_transfer_too(database: Database) {
    let chain = Chain::at_once(1).await;
    let rig = Rig::paying(&database, &chain, 1).await;
    let client = &chain.escrow.net.client;
    let (paid, admin) = (&chain.recipients[0], &chain.escrow.admin);
    let id = paid_order(&rig, "g", paid).await;

    // Part of it goes to a number inside the sponsor's account, as exchanges have them.
    let plain = build::payment(admin, &chain.escrow.asset, 15);
    let OperationBody::Payment(mut numbered) = build::payment(admin, &chain.escrow.asset, 25)
    else {
        unreachable!("it is a payment")
    };
    numbered.destination = MuxedAccount::MuxedEd25519(MuxedAccountMed25519 {
        id: 4711,
        ed25519: Uint256(admin.public()),
    });
    let both = vec![plain, OperationBody::Payment(numbered)];
    let back = hash(&build::run(client, paid, both).succeeded().0);
    let lumens = build::payment(admin, &localnet::xdr::Asset::Native, 40);
    let other = hash(&build::run(client, paid, vec![lumens]).succeeded().0);
    let locked = lock(&chain, 40);

    let refused = refund(&rig, &id, "1", &[(&other, &locked)]).await;
    assert_eq!(
        refused.problem(422),
        "refund-evidence-invalid",
        "another asset"
    );
    let path = format!("/v1/payouts/{id}/refund");
    for by_position in [
        json!([[{ "transfer": back, "lock": locked }]]),
        json!({ "evidence": [[back, locked]] }),
    ] {
        let refused = rig.post(&path, "2", &by_position).await;
        assert_eq!(refused.problem(400), "body-invalid", "{by_position}");
    }
    let done = refund(&rig, &id, "2", &[(&back, &locked)]).await;
    assert_eq!(done.status, StatusCode::ACCEPTED, "{}", done.body);
    assert_eq!(done.body["result"]["returned"], "40");
}

both!(a_payment_to_the_issuer_shows_nobody_who_could_lock_it);
async fn a_payment_to_the_issuer_shows_nobody_who_could_lock_it(database: Database) {
    let chain = Chain::at_once(1).await;
    let rig = Rig::paying(&database, &chain, 1).await;
    let paid = &chain.recipients[0];
    let id = paid_order(&rig, "g", paid).await;
    let gone = build::payment(&Account::named("issuer"), &chain.escrow.asset, 40);
    let gone = build::run(&chain.escrow.net.client, paid, vec![gone]).succeeded();
    issue(&chain, 40);
    let locked = lock(&chain, 40);
    let refused = refund(&rig, &id, "1", &[(&hash(&gone.0), &locked)]).await;
    assert_eq!(refused.problem(422), "refund-evidence-invalid");
}

both!(one_transfer_under_two_hashes_refunds_one_order);
async fn one_transfer_under_two_hashes_refunds_one_order(database: Database) {
    let chain = Chain::at_once(1).await;
    let rig = Rig::paying(&database, &chain, 1).await;
    let client = &chain.escrow.net.client;
    let (paid, admin) = (&chain.recipients[0], &chain.escrow.admin);
    let first = paid_order(&rig, "g", paid).await;
    let second = paid_order(&rig, "h", paid).await;

    // A fee bump is found by the hash of its inner transaction as well.
    let payment = build::payment(admin, &chain.escrow.asset, 40);
    let inner = build::transaction(client, paid, vec![payment]);
    let inner_hash = hex::encode(inner.hash(client.network_id).expect("a hash"));
    let bump = client.bump(&client.sign(&inner, &[paid]), admin, 1_000);
    let outer_hash = hash(&client.submit(&bump).succeeded().0);
    assert_ne!(inner_hash, outer_hash);
    issue(&chain, 40);
    let (locked, again) = (lock(&chain, 40), lock(&chain, 40));

    let twice = [
        (outer_hash.as_str(), locked.as_str()),
        (inner_hash.as_str(), again.as_str()),
    ];
    let refused = refund(&rig, &first, "1", &twice).await;
    assert_eq!(
        refused.problem(422),
        "refund-evidence-invalid",
        "named twice"
    );
    let done = refund(&rig, &first, "2", &[(&inner_hash, &locked)]).await;
    assert_eq!(done.status, StatusCode::ACCEPTED, "{}", done.body);
    for (key, known) in [("3", &inner_hash), ("4", &outer_hash)] {
        let refused = refund(&rig, &second, key, &[(known, &again)]).await;
        assert_eq!(refused.problem(422), "refund-evidence-invalid");
        assert!(
            refused.text("detail").contains("used as evidence"),
            "{}",
            refused.body
        );
    }
}

/// An order of 40 units that is paid.
async fn paid_order(rig: &Rig, key: &str, to: &Account) -> String {
    let order = rig
        .submit(key, &order_body(&[&to.address()], &["40"]))
        .await;
    let id = order.text("id").to_owned();
    rig.until_receipt(&id).await;
    id
}

/// The issuer gives the sponsor units that nobody sent back.
fn issue(chain: &Chain, units: i64) {
    let issuer = Account::named("issuer");
    let payment = build::payment(&chain.escrow.admin, &chain.escrow.asset, units);
    build::run(&chain.escrow.net.client, &issuer, vec![payment]).succeeded();
}

fn lock(chain: &Chain, units: i128) -> String {
    let arguments = vec![token::address(&chain.escrow.admin), token::amount(units)];
    hash(&chain.escrow.run("lock_program_funds", arguments).0)
}

async fn refund(rig: &Rig, order: &str, key: &str, evidence: &[(&str, &str)]) -> Answer {
    let evidence: Vec<Value> = evidence
        .iter()
        .map(|(transfer, lock)| json!({ "transfer": transfer, "lock": lock }))
        .collect();
    let path = format!("/v1/payouts/{order}/refund");
    rig.post(&path, key, &json!({ "evidence": evidence })).await
}

fn hash(found: &Value) -> String {
    found["txHash"].as_str().expect("a hash").to_owned()
}

both!(what_was_locked_once_refunds_one_order);
/// A recipient sends the sum to itself, which costs nothing, and then locks it once.
async fn what_was_locked_once_refunds_one_order(database: Database) {
    let chain = Chain::at_once(1).await;
    let rig = Rig::paying(&database, &chain, 1).await;
    let client = &chain.escrow.net.client;
    let paid = &chain.recipients[0];
    let first = paid_order(&rig, "g", paid).await;
    let second = paid_order(&rig, "h", paid).await;
    let to_himself = {
        let arguments = vec![
            token::address(paid),
            token::address(paid),
            token::amount(40),
        ];
        let call = token::call(&chain.escrow.token, "transfer", arguments);
        hash(&token::run(client, paid, call).succeeded().0)
    };
    let locked = {
        let arguments = vec![token::address(paid), token::amount(40)];
        let call = chain.escrow.call("lock_program_funds", arguments);
        hash(&token::run(client, paid, call).succeeded().0)
    };
    let refused = "refund-evidence-invalid";
    let moved_nowhere = refund(&rig, &first, "1", &[(&to_himself, &locked)]).await;
    assert_eq!(moved_nowhere.problem(422), refused);
    let done = refund(&rig, &first, "2", &[(&locked, &locked)]).await;
    assert_eq!(done.status, StatusCode::ACCEPTED, "{}", done.body);
    let again = refund(&rig, &second, "3", &[(&locked, &locked)]).await;
    assert_eq!(again.problem(422), refused);
    let order = rig.get(&format!("/v1/payouts/{second}")).await;
    assert_eq!(order.text("state"), "confirmed");
}
