//! Case 03: who can be paid, and one who no longer can.

use localnet::{Fault, FaultPlan, Trigger};
use payout_engine::transaction::{Act, change_trust, merge};
use stellar_xdr::{AccountId, AlphaNum4, AssetCode4, ChangeTrustAsset, PublicKey, Uint256};

use crate::entries::{ONE, Trust};
use crate::scene::csv;
use crate::world::{World, address, key};

const PEOPLE: [&str; 7] = [
    "cases.R1", "cases.R2", "cases.R3", "cases.R4", "cases.R5", "cases.R6", "cases.R7",
];

fn usdc_of(issuer: &str) -> ChangeTrustAsset {
    let payout_keys::Recipient::Account(issuer) = key(issuer).address() else {
        unreachable!("a key is an account's")
    };
    ChangeTrustAsset::CreditAlphanum4(AlphaNum4 {
        asset_code: AssetCode4(*b"USDC"),
        issuer: AccountId(PublicKey::PublicKeyTypeEd25519(Uint256(issuer))),
    })
}

fn people(world: &World) {
    for name in PEOPLE {
        world.put_account(name, 10 * ONE);
    }
    world.put_account("cases.R7", ONE);
    world.put_account("cases.OTHER", 10 * ONE);
    let trust = change_trust(usdc_of("cases.OTHER"), i64::MAX);
    world.apply("cases.R2", Act::Classic(vec![trust]));
    let of_100 = |balance, buying, flags| Trust {
        balance,
        limit: 100,
        buying,
        flags,
    };
    world.put_trustline("cases.R3", of_100(95, 0, 1));
    world.put_trustline("cases.R4", of_100(95, 0, 1));
    world.put_trustline("cases.R5", of_100(90, 6, 1));
    world.put_trustline("cases.R6", of_100(0, 0, 2));
    world.put_trustline("cases.R7", of_100(0, 0, 1));
}

#[test]
fn each_payee_is_judged_and_only_who_can_be_paid_is() {
    let world = World::paying();
    people(&world);
    let mut rows: Vec<_> = PEOPLE.iter().map(|name| (*name, &name[6..], "5")).collect();
    rows[3].2 = "5.0000001";
    world.file("people.csv", csv(&rows));
    let dry = world.pay("people.csv", "people", &["--dry-run", "--output", "csv"]);
    assert_eq!(dry.code, Some(3), "{}", dry.talk);
    let mut reader = csv::Reader::from_reader(dry.data.as_bytes());
    let found: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    for (row, (id, verdict, says)) in found.iter().zip([
        ("R1", "reject", "has no trustline for USDC"),
        ("R2", "reject", "which is another asset"),
        ("R3", "pay", ""),
        ("R4", "reject", "has room for 5 of"),
        ("R5", "reject", "has room for 4 of"),
        ("R6", "reject", "keep its offers"),
        ("R7", "pay", ""),
    ]) {
        assert_eq!((&row[1], &row[2]), (id, verdict), "{}", dry.data);
        assert!(row[3].contains(says), "{}", dry.data);
    }
    let of_r2 = &found[1][3];
    assert!(
        of_r2.contains(&address("issuer")) && of_r2.contains(&address("cases.OTHER")),
        "{of_r2}"
    );

    world.pays(3, "people.csv", "people", &[]);
    let before = [0, 0, 95, 95, 90, 0, 0].map(|tokens| tokens * ONE);
    for ((name, before), paid) in PEOPLE.iter().zip(before).zip([0, 0, 5, 0, 0, 0, 5]) {
        assert_eq!(world.balance(name), before + paid * ONE, "{name}");
    }
    assert_eq!(world.replays(), 0);
}

/// Their entries are more than one `getLedgerEntries` takes.
#[test]
fn a_hundred_and_fifty_payees_are_asked_about_in_pages() {
    let world = World::paying();
    let names: Vec<String> = (0..150).map(|number| format!("many.{number:03}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    world.open(&names);
    // The last one is not payable, and is seen.
    world.put_trustline(
        names[149],
        Trust {
            limit: 4,
            ..Trust::default()
        },
    );
    let rows: Vec<_> = names.iter().map(|name| (*name, *name, "5")).collect();
    world.file("many.csv", csv(&rows));
    let dry = world.pay("many.csv", "many", &["--dry-run", "--output", "json"]);
    assert_eq!(dry.code, Some(3), "{}", dry.talk);
    let found: serde_json::Value = serde_json::from_str(&dry.data).unwrap();
    assert_eq!(found["to_pay"], 149);
    assert_eq!(found["not_payable"][0]["id"], "many.149");
}

/// Between the dry run and the ledger that takes the payment in, R3 drops its trustline or leaves.
#[test]
fn one_who_goes_between_dry_run_and_inclusion_is_named_and_the_others_are_paid() {
    for leaves in [false, true] {
        let world = World::paying();
        world.open(&["cases.R3", "cases.R7"]);
        world.fund("cases.HEIR");
        let rows = [("cases.R3", "R3", "5"), ("cases.R7", "R7", "5")];
        world.file("two.csv", csv(&rows));
        world.pays(0, "two.csv", "two", &["--dry-run"]);

        // Accepted, and held back for long enough.
        let mut late = FaultPlan::default().with(Fault::LateInclusion, Trigger::Next { calls: 1 });
        late.magnitudes.late_ledgers = 12;
        world.faults(late);
        let mut paying = world.start_paying("two.csv", "two", &[]);
        paying.until_struck(&world, Fault::LateInclusion);
        let mut going = vec![change_trust(usdc_of("issuer"), 0)];
        if leaves {
            let (from, to) = (key("cases.R3").address(), key("cases.HEIR").address());
            going.push(merge(from, to).unwrap());
        }
        world.apply("cases.R3", Act::Classic(going));
        world.localnet.close_ledgers(13).unwrap();
        let ran = paying.end();

        assert_eq!(ran.code, Some(3), "{}", ran.talk);
        let says = if leaves {
            "there is no account"
        } else {
            "has no trustline"
        };
        assert!(
            ran.talk.contains("R3 was left out") && ran.talk.contains(says),
            "{}",
            ran.talk
        );
        assert!(ran.talk.contains(&address("cases.R3")), "{}", ran.talk);
        assert_eq!(world.balance("cases.R7"), 5 * ONE);
        world.proven(&["cases.R7"], "5");
        // One slot, two offers under its key, and only one envelope that could still land at any time.
        let offers = world.offers("payout-two");
        assert_eq!(offers.len(), 2);
        assert_eq!(offers[0].intent.key, offers[1].intent.key);
        let sequences: Vec<i64> = offers
            .iter()
            .map(|offer| {
                assert_eq!(offer.envelopes.len(), 1);
                offer.envelopes[0].sequence
            })
            .collect();
        assert_eq!(sequences[0] + 1, sequences[1]);
        assert_eq!(world.count(), 1);

        let receipts = world.receipts("two.csv", "two", &[]);
        assert_eq!(receipts["rows"][0]["status"], "open");
        assert_eq!(receipts["rows"][1]["status"], "paid");
        let left = world.folder.path().join("payout-two/left-out.csv");
        let left = std::fs::read_to_string(left).unwrap();
        assert!(left.contains(",R3,") && !left.contains(",R7,"), "{left}");
        // Again: nobody is paid, and R3 is still named.
        world.pays(3, "two.csv", "two", &[]);
        assert_eq!(world.count(), 1);
    }
}
