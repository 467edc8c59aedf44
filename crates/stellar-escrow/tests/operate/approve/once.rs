//! However often an offer is built, signed and submitted, and whoever else pays: once.

use super::scene::Scene;

#[test]
fn built_twice_signed_twice_and_submitted_by_two_it_pays_once() {
    let scene = Scene::new();
    scene.build("one.json", &[]);
    scene.build("two.json", &[]);
    for offer in ["one.json", "two.json"] {
        scene.sign(offer, "payout");
    }
    std::fs::create_dir(scene.path("elsewhere")).unwrap();
    std::fs::copy(scene.path("one.json"), scene.path("elsewhere/one.json")).unwrap();
    let talk = scene.submit("one.json");
    assert!(talk.contains("paid in ledger"), "{talk}");
    scene.left("440");
    for offer in ["one.json", "elsewhere/one.json", "two.json"] {
        let talk = scene.submit(offer);
        assert!(talk.contains("paid already"), "{offer}: {talk}");
    }
    let talk = scene.sign("two.json", "payout");
    assert!(talk.contains("nothing was signed"), "{talk}");
    scene.left("440");
}

#[test]
fn a_slot_that_another_machine_paid_is_lost() {
    let scene = Scene::new();
    scene.build("o.json", &[]);
    scene.sign("o.json", "payout");
    // Another machine, another file, the same run.
    scene.file("other.csv", &[("ann", 10)]);
    let other = [
        "other.csv",
        "--run",
        "june",
        "--folder",
        "other",
        "--source",
        "payout",
        "--yes",
    ];
    scene.done(&other);
    scene.left("490");
    let talk = scene.refused(7, &["--submit", "o.json", "--yes"]);
    assert!(
        talk.contains("was decided by somebody else: payout 1 of 10"),
        "{talk}"
    );
    let talk = scene.refused(7, &["--sign", "o.json", "--source", "payout", "--yes"]);
    assert!(talk.contains("was decided by somebody else"), "{talk}");
    scene.left("490");
    // The next offer has what is left.
    scene.build("o.json", &[]);
    assert_eq!(scene.offer("o.json")["slot"], 1);
    scene.sign("o.json", "payout");
    scene.submit("o.json");
    scene.left("440");
}

#[test]
fn a_used_sequence_number_and_a_signed_file_are_named() {
    let scene = Scene::new();
    scene.build("o.json", &[]);
    scene.sign("o.json", "payout");
    let again = [
        "pay.csv",
        "--run",
        "june",
        "--build-only",
        "--source",
        "payout",
    ];
    let talk = scene.refused(1, &[&again[..], &["--output-file", "o.json"]].concat());
    assert!(talk.contains("somebody has signed"), "{talk}");
    scene.world.json("payout", &["void", "another-key"]);
    let talk = scene.refused(8, &["--submit", "o.json", "--yes"]);
    assert!(talk.contains("has used sequence number"), "{talk}");
    scene.left("500");
}

#[test]
fn an_ended_run_pays_no_offer() {
    let scene = Scene::new();
    scene.build("o.json", &[]);
    scene.sign("o.json", "payout");
    scene.world.act("payout", &["close", "--run", "june"]);
    let talk = scene.refused(9, &["--submit", "o.json", "--yes"]);
    assert!(talk.contains("is void since ledger"), "{talk}");
    scene.left("500");
}
