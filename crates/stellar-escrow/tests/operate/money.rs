//! From nothing to a funded, published, closed and emptied program.

use serde_json::json;

use crate::world::{World, address, key};

#[test]
fn a_program_is_deployed_once_funded_published_closed_and_emptied() {
    let world = World::with_escrow();
    let again = world.deploy();
    assert_eq!(again["created"], json!(false));
    assert_eq!(again["fee_charged"], json!("0"));
    assert_eq!(world.fact("contract"), again["contract"]);
    for (name, value) in [
        ("status", json!("Draft")),
        ("program_id", json!("hackathon-2026")),
        ("token", json!(format!("USDC:{}", address("issuer")))),
        ("owner", json!(address("admin"))),
        ("payout_key", json!(address("payout"))),
        ("decimals", json!(7)),
    ] {
        assert_eq!(world.fact(name), value, "{name}");
    }

    let locked = world.json("sponsor", &["lock", "600.5"]);
    assert_eq!(locked["remaining_balance"], json!("600.5"));
    assert_eq!(world.fact("token_balance"), json!("600.5"));
    // The sponsor's tokens, carried by somebody else's transaction.
    world.json("stranger", &["lock", "0.0000001", "--from", "sponsor"]);
    assert_eq!(world.fact("total_locked"), json!("600.5000001"));

    world.json("admin", &["publish"]);
    assert_eq!(world.fact("status"), json!("Active"));
    let talk = world.refused(7, "admin", &["publish"]);
    assert!(talk.contains("101 NotDraft"), "{talk}");

    world.json(
        "payout",
        &["void", "hackathon-2026-single-GABC1234-a3f1c2d4e5b6a7f8"],
    );
    let talk = world.refused(7, "stranger", &["void", "another"]);
    assert!(talk.contains("201 DelegateNotFound"), "{talk}");

    let talk = world.refused(7, "admin", &["withdraw", "--to", "sponsor"]);
    assert!(talk.contains("102 NotClosed"), "{talk}");
    world.json("admin", &["close"]);
    assert_eq!(world.fact("status"), json!("Closed"));
    let talk = world.refused(7, "admin", &["withdraw", "--to", "stranger"]);
    assert!(talk.contains("600 TokenTransferFailed"), "{talk}");
    let withdrawn = world.json("admin", &["withdraw", "--to", "sponsor"]);
    assert_eq!(withdrawn["counted"], json!("600.5000001"));
    assert_eq!(withdrawn["token_balance"], json!("0"));
    assert_eq!(world.fact("total_withdrawn"), json!("600.5000001"));
}

#[test]
fn surplus_is_booked_and_told_of_before() {
    let world = World::with_escrow();
    world.json("sponsor", &["lock", "100"]);
    let transfer = world.fact("contract");
    // A plain transfer, past the escrow.
    let contract = transfer.as_str().unwrap().parse().unwrap();
    world.apply(
        "sponsor",
        crate::upkeep::transfer(&world, contract, 50_000_000),
    );
    let ran = world.run(&["status", "--id", "escrow"]);
    assert!(
        ran.talk.contains("5 came by plain transfer"),
        "{}",
        ran.talk
    );
    let booked = world.json("admin", &["surplus"]);
    assert_eq!(booked["credited"], json!("5"));
    assert_eq!(world.fact("remaining_balance"), json!("105"));
    assert_eq!(world.json("admin", &["surplus"])["credited"], json!("0"));
}

#[test]
fn amounts_that_are_none_are_refused_before_anything() {
    let world = World::with_escrow();
    let before = world.xlm(key("sponsor").address());
    for (amount, reason) in [
        ("0", "amount_not_positive"),
        ("1e3", "amount_not_decimal"),
        ("1,5", "amount_not_decimal"),
        ("0.00000001", "amount_precision"),
    ] {
        let talk = world.refused(1, "sponsor", &["lock", amount]);
        assert!(
            talk.contains(reason) && talk.contains("7 decimal"),
            "{talk}"
        );
    }
    let talk = world.refused(7, "sponsor", &["lock", "1000.1"]);
    assert!(talk.contains("600 TokenTransferFailed"), "{talk}");
    assert_eq!(world.xlm(key("sponsor").address()), before);
    assert_eq!(world.fact("total_locked"), json!("0"));
}

#[test]
fn keys_are_imported_in_batches_and_what_is_known_is_not_sent_again() {
    let world = World::with_escrow();
    let rows = |count: usize| {
        let rows = (0..count).map(|row| format!("old-{row},x\n"));
        format!("key,note\n{}", rows.collect::<String>())
    };
    let file = world.folder.path().join("keys.csv");
    std::fs::write(&file, rows(31)).unwrap();
    let path = file.to_str().unwrap();
    let first = world.json("admin", &["import", path]);
    assert_eq!(first["imported"], json!(31));
    assert_eq!(first["transactions"], json!(2));
    std::fs::write(&file, rows(33)).unwrap();
    let second = world.json("admin", &["import", path]);
    assert_eq!(
        (&second["known_before"], &second["imported"]),
        (&json!(31), &json!(2))
    );
    let third = world.json("admin", &["import", path]);
    assert_eq!(
        (&third["transactions"], &third["fee_charged"]),
        (&json!(0), &json!("0"))
    );

    std::fs::write(&file, "key\nfine\nnot fine\n").unwrap();
    let talk = world.refused(1, "admin", &["import", path]);
    assert!(talk.contains("row 3"), "{talk}");
    std::fs::write(&file, "name\nx\n").unwrap();
    let talk = world.refused(1, "admin", &["import", path]);
    assert!(talk.contains("no column key"), "{talk}");
    world.json("admin", &["publish"]);
    std::fs::write(&file, "key\nlate\n").unwrap();
    let talk = world.refused(7, "admin", &["import", path]);
    assert!(talk.contains("101 NotDraft"), "{talk}");
}
