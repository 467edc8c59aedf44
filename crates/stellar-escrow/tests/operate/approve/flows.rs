//! From the unsigned offer to the payment.

use serde_json::json;

use super::scene::Scene;
use crate::world::address;

#[test]
fn two_of_three_sign_for_a_payout_account_that_sends_itself() {
    let scene = Scene::new();
    scene.two_of_three("payout", ["dora", "emil"]);
    let plain = ["pay.csv", "--run", "june", "--source", "payout", "--yes"];
    let talk = scene.refused(7, &plain);
    assert!(talk.contains("weighs 1 and 2 is needed"), "{talk}");
    assert!(talk.contains("--build-only"), "{talk}");
    scene.left("500");

    // Only its address is needed, and the offer is put into the run's folder.
    let payout = address("payout");
    let build = [
        "pay.csv",
        "--run",
        "june",
        "--build-only",
        "--source",
        &payout,
    ];
    scene.done(&build);
    let offer = "payout-june/offer-0.json";
    let unsigned = scene.offer(offer);
    assert_eq!(unsigned["total"], json!("600000000"));
    assert_eq!(unsigned["recipients"], json!(3));
    assert_eq!(unsigned["to_sign"][0]["account"], json!(payout));
    let talk = scene.refused(7, &["--submit", offer, "--yes"]);
    assert!(talk.contains("weighs 0, and 2 is needed"), "{talk}");

    let talk = scene.refused(7, &["--sign", offer, "--source", "stranger", "--yes"]);
    assert!(talk.contains("signs neither"), "{talk}");
    let talk = scene.sign(offer, "dora");
    assert!(talk.contains("weighs 1, and 2 is needed"), "{talk}");
    let once = scene.offer(offer);
    // Signed twice by one is signed once.
    scene.sign(offer, "dora");
    assert_eq!(scene.offer(offer), once);
    scene.refused(7, &["--submit", offer, "--yes"]);
    let talk = scene.sign(offer, "emil");
    assert!(talk.contains("has all signatures"), "{talk}");
    // A third signature would make the network refuse it.
    let twice = scene.offer(offer);
    scene.sign(offer, "payout");
    assert_eq!(scene.offer(offer), twice);
    scene.submit(offer);
    scene.left("440");
    let talk = scene.done(&["pay.csv", "--run", "june", "--source", "payout", "--yes"]);
    assert!(talk.contains("3 rows paid"), "{talk}");
    scene.left("440");
}

#[test]
fn a_lane_signs_after_the_payout_key() {
    let scene = Scene::new();
    scene.build("o.json", &["--lane", "stranger"]);
    let talk = scene.refused(7, &["--sign", "o.json", "--source", "stranger", "--yes"]);
    assert!(talk.contains("has to authorise it first"), "{talk}");
    assert_eq!(scene.offer("o.json")["to_sign"][1]["payload"], json!(null));
    scene.sign("o.json", "payout");
    let authorised = scene.offer("o.json");
    assert_eq!(authorised["authorised"], json!(true));
    assert!(authorised["to_sign"][1]["payload"].is_string());
    let talk = scene.refused(7, &["--submit", "o.json", "--yes"]);
    assert!(talk.contains("the envelope"), "{talk}");
    scene.sign("o.json", "stranger");
    scene.submit("o.json");
    scene.left("440");
}

#[test]
fn two_authorise_and_two_send() {
    let scene = Scene::new();
    scene.two_of_three("payout", ["dora", "emil"]);
    scene.two_of_three("stranger", ["dora", "fred"]);
    scene.build("o.json", &["--lane", "stranger"]);
    scene.sign("o.json", "payout");
    let talk = scene.refused(7, &["--sign", "o.json", "--source", "fred", "--yes"]);
    assert!(talk.contains("has to authorise it first"), "{talk}");
    // Who signs for both signs the second as soon as the first is complete.
    let talk = scene.sign("o.json", "dora");
    assert!(
        talk.contains("the envelope") && talk.contains("weighs 1"),
        "{talk}"
    );
    scene.sign("o.json", "fred");
    scene.submit("o.json");
    scene.left("440");
}

#[test]
fn a_signer_compares_with_their_own_file() {
    let scene = Scene::new();
    scene.build("o.json", &[]);
    scene.file("mine.csv", &[("ann", 10), ("ben", 21), ("cay", 30)]);
    let sign = ["--sign", "o.json", "--source", "payout", "--yes"];
    let talk = scene.refused(7, &[&["mine.csv"], &sign[..]].concat());
    assert!(talk.contains("row ben of the offer"), "{talk}");
    scene.done(&[&["pay.csv"], &sign[..]].concat());
    let talk = scene.refused(7, &["mine.csv", "--submit", "o.json", "--yes"]);
    assert!(talk.contains("row ben of the offer"), "{talk}");
    scene.left("500");
}

#[test]
fn what_cannot_be_built_or_signed_is_said() {
    let scene = Scene::new();
    let build = ["pay.csv", "--run", "june", "--build-only", "--source"];
    let talk = scene.refused(7, &[&build[..], &["escrow"]].concat());
    assert!(talk.contains("--lane"), "{talk}");
    scene.refused(
        2,
        &[&build[..], &["payout", "--valid-for", "86401"]].concat(),
    );
    scene.build("o.json", &["--valid-for", "180"]);
    let talk = scene.refused(1, &["--sign", "o.json", "--source", "payout"]);
    assert!(talk.contains("nobody is there to be asked"), "{talk}");
    scene.world.localnet.close_ledgers(60).unwrap();
    let talk = scene.refused(8, &["--sign", "o.json", "--source", "payout", "--yes"]);
    assert!(talk.contains("ran out"), "{talk}");
}
