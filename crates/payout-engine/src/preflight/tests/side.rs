//! The escrow's own side, batches and estimates.

use std::collections::BTreeSet;

use super::*;

fn names(
    facts: &Facts,
    caller: Recipient,
    source: Option<&Source>,
    total: i128,
) -> Vec<&'static str> {
    obstacles(facts, caller, source, total)
        .iter()
        .map(Obstacle::name)
        .collect()
}

#[test]
fn the_escrows_side_is_named_by_what_is_wrong_with_it() {
    let sound = facts(usdc(Some(flags(false))));
    assert!(names(&sound, PAYOUT_KEY, None, 1_000).is_empty());
    assert_eq!(names(&sound, PAYOUT_KEY, None, 1_001), ["books_short"]);
    let with = |change: fn(&mut Facts)| {
        let mut facts = sound.clone();
        change(&mut facts);
        names(&facts, PAYOUT_KEY, None, 100)
    };
    let closed = with(|facts| facts.program.status = ProgramStatus::Closed);
    assert_eq!(closed, ["not_active"]);
    assert_eq!(with(|facts| facts.brakes.payout_paused = true), ["paused"]);
    let locked = with(|facts| facts.brakes.lock_paused = true);
    assert!(locked.is_empty(), "a pause of locking stops no payout");
    let open = with(|facts| facts.brakes.breaker_open = true);
    assert_eq!(open, ["breaker_open"]);
    assert_eq!(with(|facts| facts.holding.authorised = false), ["frozen"]);
    // Clawed back: the books say more than there is.
    assert_eq!(with(|facts| facts.holding.balance = 99), ["balance_short"]);
    assert!(with(|facts| facts.holding.balance = 100).is_empty());
    let bucket = with(|facts| facts.brakes = Brakes::with_limit(99, 50, 99));
    assert_eq!(bucket, ["outflow_short"]);
    // One unit a second flows back, from second 100 on; it is second 1,000.
    assert!(with(|facts| facts.brakes = Brakes::with_limit(100, 50, 0)).is_empty());
}

#[test]
fn the_caller_is_the_payout_key_or_a_delegate_that_may() {
    let mut facts = facts(usdc(Some(flags(false))));
    let stranger = Recipient::Account([6; 32]);
    let of = |facts: &Facts| names(facts, stranger, None, 100);
    assert_eq!(of(&facts), ["caller_may_not_pay"]);
    let delegate = |allowance, expires_at| {
        Some(Delegate {
            address: stranger,
            allowance,
            expires_at,
        })
    };
    facts.delegate = delegate(100, 1_001);
    assert!(of(&facts).is_empty());
    facts.delegate = delegate(100, 1_000);
    assert_eq!(of(&facts), ["delegate_expired"]);
    facts.delegate = delegate(99, 1_001);
    assert_eq!(of(&facts), ["allowance_short"]);
    assert!(names(&facts, PAYOUT_KEY, None, 100).is_empty());
}

#[test]
fn the_source_needs_xlm_for_fees() {
    let facts = facts(usdc(Some(flags(false))));
    let of = |spendable| {
        let source = Source {
            address: PAYOUT_KEY,
            spendable,
            needed: 10,
        };
        names(&facts, PAYOUT_KEY, Some(&source), 1)
    };
    assert_eq!(of(None), ["source_missing"]);
    assert_eq!(of(Some(9)), ["source_short"]);
    assert!(of(Some(10)).is_empty());
}

#[test]
fn batches_hold_no_recipient_twice() {
    let other = Recipient::Account([3; 32]);
    let asks: Vec<Ask> = [PAYEE, other, PAYEE, HOLDER, PAYEE]
        .into_iter()
        .map(|recipient| ask(recipient, 1))
        .collect();
    let batches = crate::preflight::probe::batches(&asks, 2);
    assert_eq!(batches, [vec![0, 1], vec![3], vec![2], vec![4]]);
}

#[test]
fn an_estimate_adds_the_batches_base_to_each_row() {
    let kind = |kind, rows, alone, each| KindCost {
        kind,
        rows,
        alone,
        each,
        restores: 0,
    };
    let costs = Costs {
        kinds: vec![
            kind(Kind::Account, 10, 1_100, Some(100)),
            kind(Kind::NewContract, 1, 5_000, None),
        ],
    };
    assert_eq!(costs.base(), 1_000);
    assert_eq!(costs.estimate(2), Some(2 * 1_000 + 10 * 100 + 4_000));
    assert_eq!(Costs::default().estimate(3), Some(0));
}

/// The names that a source file gives its variants.
fn named(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| {
        let (_, rest) = line.split_once("=> \"")?;
        rest.strip_suffix("\",")
    })
}

#[test]
fn the_document_has_every_name_and_no_other() {
    let document = include_str!("../../../../../docs/preflight.md");
    let tables = document
        .split("\n## ")
        .filter(|part| part.starts_with("The escrow's side") || part.starts_with("Each row"));
    let documented: BTreeSet<&str> = tables
        .flat_map(str::lines)
        .filter_map(|line| line.strip_prefix("| `")?.split(" | ").next())
        .flat_map(|cell| cell.split(", "))
        .map(|name| name.trim_matches('`'))
        .collect();
    let named: BTreeSet<&str> = named(include_str!("../reason.rs"))
        .chain(named(include_str!("../obstacle.rs")))
        .collect();
    assert!(named.len() > 25, "{named:?}");
    assert_eq!(documented, named);
}
