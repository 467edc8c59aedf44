//! Brakes and roles: who may do what, and who is told why not.

use serde_json::{Value, json};

use crate::world::{World, address};

#[test]
fn brakes_are_set_by_the_guardian_and_released_by_the_admin() {
    let world = World::with_escrow();
    world.json("admin", &["guardian", "guardian"]);
    assert_eq!(world.fact("guardian"), json!(address("guardian")));

    for verb in ["pause", "trip"] {
        let talk = world.refused(7, "stranger", &[verb]);
        assert!(talk.contains("200 Unauthorized"), "{talk}");
    }
    world.json("guardian", &["pause", "--lock", "--reason", "incident 7"]);
    assert_eq!(world.fact("lock_paused"), json!(true));
    assert_eq!(world.fact("payout_paused"), json!(false));
    let talk = world.refused(7, "sponsor", &["lock", "1"]);
    assert!(talk.contains("500 Paused"), "{talk}");
    world.json("guardian", &["pause"]);
    assert_eq!(world.fact("payout_paused"), json!(true));

    // The guardian cannot release; who can is named.
    let talk = world.refused(1, "guardian", &["unpause"]);
    assert!(
        talk.contains(&address("admin")) && talk.contains("has to authorise"),
        "{talk}"
    );
    // Somebody else may carry what the admin authorises.
    world.json("stranger", &["unpause", "--signer", "admin"]);
    assert_eq!(world.fact("payout_paused"), json!(false));

    world.json(
        "stranger",
        &["trip", "--caller", "guardian", "--reason", "two a minute"],
    );
    assert_eq!(world.fact("breaker"), json!("Open"));
    assert_eq!(world.fact("breaker_reason"), json!("two a minute"));
    assert_eq!(world.fact("breaker_actor"), json!(address("guardian")));
    world.json("admin", &["reset"]);
    assert_eq!(world.fact("breaker"), json!("Closed"));
    world.json("admin", &["guardian", "--none"]);
    assert_eq!(world.fact("guardian"), Value::Null);
    let talk = world.refused(7, "admin", &["trip", "--reason", &"x".repeat(129)]);
    assert!(talk.contains("506 ReasonTooLong"), "{talk}");
}

#[test]
fn the_outflow_limit_is_in_whole_tokens() {
    let world = World::with_escrow();
    let limit = |capacity, most| {
        [
            "limit",
            "--capacity",
            capacity,
            "--refill-per-second",
            "0",
            "--max-payout",
            most,
        ]
    };
    world.json("admin", &limit("20000", "50.5"));
    assert_eq!(world.fact("limit_capacity"), json!("20000"));
    assert_eq!(world.fact("limit_max_payout"), json!("50.5"));
    assert_eq!(world.fact("limit_refill_per_second"), json!("0"));
    assert_eq!(world.fact("limit_available"), json!("20000"));
    let talk = world.refused(7, "admin", &limit("1", "2"));
    assert!(talk.contains("504 InvalidOutflowLimit"), "{talk}");
    world.json("admin", &["limit", "--off"]);
    assert_eq!(world.fact("limit_capacity"), Value::Null);
}

#[test]
fn delegates_come_and_go() {
    let world = World::with_escrow();
    let set = [
        "delegate",
        "set",
        "stranger",
        "--allowance",
        "250",
        "--expires-in",
        "30d",
    ];
    let made = world.json("admin", &set);
    let now = world.localnet.now().unwrap();
    let expires_at = made["expires_at"].as_u64().unwrap();
    assert!(
        (29 * 86_400..=30 * 86_400).contains(&(expires_at - now)),
        "{made}"
    );
    let show = [
        "delegate", "show", "stranger", "--id", "escrow", "--output", "json",
    ];
    let shown: Value = serde_json::from_str(&world.run(&show).data).unwrap();
    assert_eq!(shown["allowance"], json!("250"));
    assert_eq!(shown["live"], json!(true));
    let late = [
        "delegate",
        "set",
        "stranger",
        "--allowance",
        "1",
        "--expires-in",
        "4000d",
    ];
    let talk = world.refused(7, "admin", &late);
    assert!(talk.contains("204 InvalidExpiry"), "{talk}");
    world.json("payout", &["delegate", "revoke", "stranger"]);
    let gone = world.run(&show);
    assert_eq!(gone.code, Some(1));
    assert!(gone.talk.contains("is no delegate"), "{}", gone.talk);
    let talk = world.refused(7, "admin", &["delegate", "revoke", "stranger"]);
    assert!(talk.contains("201 DelegateNotFound"), "{talk}");
}

#[test]
fn payout_key_and_owner_are_handed_on() {
    let world = World::with_escrow();
    world.json("admin", &["rotate", "stranger"]);
    assert_eq!(world.fact("payout_key"), json!(address("stranger")));

    world.json("admin", &["owner", "propose", "guardian"]);
    assert_eq!(world.fact("pending_owner"), json!(address("guardian")));
    world.json("admin", &["owner", "cancel"]);
    assert_eq!(world.fact("pending_owner"), Value::Null);
    let talk = world.refused(1, "admin", &["owner", "cancel"]);
    assert!(talk.contains("no new owner was proposed"), "{talk}");
    let talk = world.refused(7, "guardian", &["owner", "accept"]);
    assert!(talk.contains("2200 NoPendingTransfer"), "{talk}");

    world.json("admin", &["owner", "propose", "guardian", "--within", "2h"]);
    world.json("guardian", &["owner", "accept"]);
    assert_eq!(world.fact("owner"), json!(address("guardian")));
    let talk = world.refused(1, "admin", &["publish"]);
    assert!(talk.contains(&address("guardian")), "{talk}");
}
