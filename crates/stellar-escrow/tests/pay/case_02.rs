//! Case 02: addresses that swallow the money.

use payout_engine::envelope::payout_call;
use payout_engine::transaction::{Act, TransactionError, prepare};
use payout_engine::{Amount, Line, Payout};
use payout_keys::{ContractId, IdempotencyKey, Recipient};

use crate::entries::ONE;
use crate::world::{World, address, block_on, key};

/// R1 with the number 7.
const M1: &str = "MAZJYCGITLBAV5UPJUQ4QIHNFIILZ2763CO55DITR4O2KS77DBYM6AAAAAAAAAAAA6MCY";
/// A contract that nobody has deployed.
const C0: &str = "CB2LTNYYHF7NPL7MEW6BBMDTJT7PAW2EVHCRADUCT2FNU36X5JYVSW7Z";
const PAYEES: [&str; 2] = ["cases.R1", "cases.R2"];

fn scene() -> World {
    let world = World::paying();
    world.open(&PAYEES);
    world.put_data("cases.R1", "config.memo_required", "1");
    let text = |fact: &str| world.fact(fact).as_str().unwrap().to_owned();
    let wallets = [
        text("token_contract"),
        text("contract"),
        C0.to_owned(),
        M1.to_owned(),
        "winner*example.org".to_owned(),
        address("cases.R1"),
        address("cases.R2"),
    ];
    let mut lines = vec!["walletAddress,id,amount,walletAddressMemo\n".to_owned()];
    for (wallet, id) in wallets
        .iter()
        .zip(["token", "escrow", "c0", "muxed", "name", "exchange", "good"])
    {
        lines.push(format!("{wallet},{id},5,\n"));
    }
    world.file("swallow.csv", lines.concat());
    world
}

#[test]
fn only_who_can_spend_it_is_paid() {
    let world = scene();
    let ran = world.run(&["pay", "--check", "swallow.csv", "--output", "csv"]);
    assert_eq!(ran.code, Some(3));
    for (row, end) in [
        (2, "token,pay,"),
        (3, "escrow,pay,"),
        (4, "c0,pay,"),
        (5, "muxed,reject,address_muxed"),
        (6, "name,reject,address_invalid"),
        (7, "exchange,pay,"),
        (8, "good,pay,"),
    ] {
        assert!(
            ran.data.contains(&format!("\n{row},{end}\n")),
            "{}",
            ran.data
        );
    }

    let dry = |more: &[&str]| {
        let more = [&["--dry-run", "--output", "csv"], more].concat();
        let ran = world.pay("swallow.csv", "swallow", &more);
        assert_eq!(ran.code, Some(3), "{}", ran.talk);
        let mut reader = csv::Reader::from_reader(ran.data.as_bytes());
        let rows = reader.records().map(Result::unwrap);
        rows.map(|row| (row[1].to_owned(), row[2].to_owned(), row[3].to_owned()))
            .collect::<Vec<_>>()
    };
    let found = dry(&[]);
    for ((id, verdict, reason), (expected, says)) in found.iter().zip([
        ("token", "the token's own contract"),
        ("escrow", "the escrow itself"),
        ("c0", "nobody has deployed the contract"),
        ("muxed", "address_muxed"),
        ("name", "address_invalid"),
        ("exchange", "SEP-29"),
    ]) {
        assert_eq!((id.as_str(), verdict.as_str()), (expected, "reject"));
        assert!(reason.contains(says), "{id}: {reason}");
    }
    assert_eq!(found[6], ("good".into(), "pay".into(), String::new()));
    // The operator's yes is for that row alone, and for nothing but its not being there.
    let allowed = dry(&["--allow", "c0", "--allow", "token", "--allow", "escrow"]);
    let paying: Vec<&str> = allowed
        .iter()
        .filter(|(_, verdict, _)| verdict == "pay")
        .map(|(id, _, _)| id.as_str())
        .collect();
    assert_eq!(paying, ["c0", "good"]);

    let talk = world.pays(3, "swallow.csv", "swallow", &[]);
    assert!(talk.contains("SEP-29"), "{talk}");
    assert_eq!(world.balance("cases.R2"), 5 * ONE);
    world.proven(&PAYEES, "5");
}

#[test]
fn past_the_command_the_contract_refuses_the_escrow_itself() {
    let world = scene();
    let escrow: ContractId = world.fact("contract").as_str().unwrap().parse().unwrap();
    let batch = |recipients: &[Recipient]| {
        let line = |recipient: &Recipient| Line {
            recipient: *recipient,
            amount: Amount::new(i128::from(5 * ONE)).unwrap(),
            reference: None,
        };
        let payout = Payout::new(recipients.iter().map(line).collect()).unwrap();
        let key_02 = IdempotencyKey::new("k02").unwrap();
        let call = payout_call(escrow, key("payout").address(), &key_02, &payout).unwrap();
        Act::Call {
            call,
            below: Vec::new(),
        }
    };
    let r2 = key("cases.R2").address();
    let both = batch(&[r2, Recipient::Contract(escrow.0)]);
    let refused = block_on(prepare(
        &world.client(),
        key("payout").address(),
        both,
        None,
    ));
    let Err(TransactionError::Refused(refusal)) = refused else {
        panic!("it was not refused")
    };
    assert_eq!(refusal.contract_error, Some(405), "{}", refusal.text);
    assert_eq!(world.balance("cases.R2"), 0);
    // The key is free: it pays.
    world.apply("payout", batch(&[r2]));
    world.proven(&PAYEES, "5");
    assert_eq!(world.count(), 1);
}
