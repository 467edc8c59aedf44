//! What a payout may ask for: each rule, its bounds, and that every earlier rule wins over every
//! later one. A refused payout leaves its key unused.

use soroban_sdk::testutils::IssuerFlags;
use soroban_sdk::{Address, BytesN, String, Vec, vec};

use super::setup::{FUNDS, World, args};
use crate::error::Error;
use crate::types::ProgramData;

/// A batch under key `k`, changed row by row.
struct Plan {
    key: &'static str,
    recipients: Vec<Address>,
    amounts: Vec<i128>,
    references: Vec<BytesN<16>>,
}

impl Plan {
    fn refused(&self, world: &World, caller: &Address, error: Error) {
        world.by(caller).refused(
            "batch_payout_with_references",
            args![
                world,
                world.text(self.key),
                caller,
                self.recipients,
                self.amounts,
                self.references
            ],
            error,
        );
        assert!(!world.processed(self.key));
    }
}

#[test]
fn every_earlier_rule_wins_over_every_later_one() {
    // The issuer may freeze, every brake is on, the program is a draft, the caller is nobody, and
    // the batch breaks every rule for rows. One fault after another is mended.
    let world = World::funded_draft();
    world.asset.issuer().set_flag(IssuerFlags::RevocableFlag);
    world.issuer_sets_authorized(&world.id, false);
    world.limit(10_000, 10_000, 10_000);
    world.void("v");
    world.trip();
    world.pause(true, true);
    let caller = world.address();
    let mut recipients = world.addresses(61);
    recipients.set(0, world.id.clone());
    recipients.set(60, recipients.get_unchecked(1));
    let mut amounts = world.amounts(&[i128::MAX; 62]);
    amounts.set(59, 0);
    let mut plan = Plan {
        key: "v",
        recipients,
        amounts,
        references: world.references(3),
    };

    plan.refused(&world, &caller, Error::DelegateNotFound);
    world.set_delegate(&caller, 1, world.now() + 1);
    world.later(1);
    plan.refused(&world, &caller, Error::DelegateExpired);
    world.set_delegate(&caller, 1, world.now() + 100);
    plan.refused(&world, &caller, Error::KeyVoided);
    plan.key = "bad key";
    plan.refused(&world, &caller, Error::InvalidIdempotencyKey);
    plan.key = "k";
    plan.refused(&world, &caller, Error::Paused);
    world.unpause(false, true);
    plan.refused(&world, &caller, Error::CircuitOpen);
    world.reset();
    world.later(1);
    plan.refused(&world, &caller, Error::NotActive);
    world.publish();
    plan.refused(&world, &caller, Error::LengthMismatch);
    plan.amounts.pop_back();
    plan.refused(&world, &caller, Error::LengthMismatch);
    plan.references = world.references(61);
    plan.refused(&world, &caller, Error::BatchTooLarge);
    plan.recipients.remove(2);
    plan.amounts.pop_back();
    plan.references = world.references(60);
    plan.refused(&world, &caller, Error::InvalidAmount);
    plan.amounts.set(59, 1);
    plan.refused(&world, &caller, Error::DuplicateRecipient);
    plan.recipients.set(59, world.address());
    plan.refused(&world, &caller, Error::InvalidRecipient);
    plan.recipients.set(0, world.address());
    plan.refused(&world, &caller, Error::AmountOverflow);
    plan.amounts = world.amounts(&[20_000; 60]);
    plan.refused(&world, &caller, Error::PayoutTooLarge);
    plan.amounts = world.amounts(&[10_000; 60]);
    plan.refused(&world, &caller, Error::InsufficientBalance);
    plan.amounts = world.amounts(&[1_000; 60]);
    plan.refused(&world, &caller, Error::DelegateAllowanceExceeded);
    world.set_delegate(&caller, 60_000, world.now() + 100);
    plan.refused(&world, &caller, Error::OutflowLimitExceeded);
    plan.amounts = world.amounts(&[100; 60]);
    plan.refused(&world, &caller, Error::TokenTransferFailed);
    world.assert_unused("k");
    world.issuer_sets_authorized(&world.id, true);
    world.by(&caller).ok::<ProgramData>(
        "batch_payout_with_references",
        args![
            world,
            world.text("k"),
            caller,
            plan.recipients,
            plan.amounts,
            plan.references
        ],
    );
    assert_eq!(world.event("BatchPay").key(), "k");
    assert_eq!(world.program().total_paid, 6_000);
    world.assert_books();
}

#[test]
fn an_empty_batch_after_its_lengths_and_before_its_size() {
    let world = World::active();
    let none = world.addresses(0);
    let payer = &world.payout_key;
    let plan = |amounts: &[i128], references| Plan {
        key: "k",
        recipients: none.clone(),
        amounts: world.amounts(amounts),
        references: world.references(references),
    };
    plan(&[], 0).refused(&world, payer, Error::EmptyBatch);
    plan(&[0], 0).refused(&world, payer, Error::LengthMismatch);
    plan(&[], 1).refused(&world, payer, Error::LengthMismatch);
    let args = args![world, world.text("k"), none, world.amounts(&[])];
    world
        .by(payer)
        .refused("batch_payout_idempotent", args, Error::EmptyBatch);
}

#[test]
fn lengths_must_agree_in_every_direction() {
    let world = World::active();
    for (recipients, amounts, references) in [(2, 1, 2), (1, 2, 1), (2, 2, 1), (2, 2, 3), (2, 2, 0)]
    {
        Plan {
            key: "k",
            recipients: world.addresses(recipients),
            amounts: world.amounts(&std::vec![1; amounts]),
            references: world.references(references),
        }
        .refused(&world, &world.payout_key, Error::LengthMismatch);
    }
    for (recipients, amounts) in [(1, 0), (1, 2), (60, 61), (61, 60)] {
        world.by(&world.payout_key).refused(
            "batch_payout_idempotent",
            args![
                world,
                world.text("k"),
                world.addresses(recipients),
                world.amounts(&std::vec![1; amounts])
            ],
            Error::LengthMismatch,
        );
    }
}

#[test]
fn sixty_recipients_and_no_more() {
    let world = World::active();
    let many = world.addresses(61);
    world.by(&world.payout_key).refused(
        "batch_payout_idempotent",
        args![world, world.text("k"), many, world.amounts(&[1; 61])],
        Error::BatchTooLarge,
    );
    world.assert_unused("k");
    world.pay("k", &many.slice(..60), &[1; 60]);
    assert_eq!(
        world.event("BatchPay").field(&world.env, "recipient_count"),
        Some(60u32)
    );
    assert_eq!(world.balance(&many.get_unchecked(59)), 1);
    assert_eq!(world.balance(&many.get_unchecked(60)), 0);
}

#[test]
fn amounts_are_above_zero_in_every_row() {
    let world = World::active();
    for wrong in [0, -1, i128::MIN] {
        for row in 0..3 {
            let mut amounts = world.amounts(&[1; 3]);
            amounts.set(row, wrong);
            world.by(&world.payout_key).refused(
                "batch_payout_idempotent",
                args![world, world.text("k"), world.addresses(3), amounts],
                Error::InvalidAmount,
            );
        }
        for (name, args) in world.payouts("k", &world.stranger, wrong) {
            world
                .by(&world.payout_key)
                .refused(name, args, Error::InvalidAmount);
        }
        world.assert_unused("k");
    }
}

#[test]
fn no_recipient_twice() {
    let world = World::active();
    for (first, second) in [(0, 1), (0, 59), (58, 59), (20, 40)] {
        let mut recipients = world.addresses(60);
        recipients.set(second, recipients.get_unchecked(first));
        world.by(&world.payout_key).refused(
            "batch_payout_idempotent",
            args![world, world.text("k"), recipients, world.amounts(&[1; 60])],
            Error::DuplicateRecipient,
        );
    }
    world.assert_unused("k");
}

#[test]
fn neither_the_escrow_nor_the_token_receives() {
    let world = World::active();
    for wrong in [world.id.clone(), world.asset.address()] {
        for row in [0, 1, 2] {
            let mut recipients = world.addresses(3);
            recipients.set(row, wrong.clone());
            world.by(&world.payout_key).refused(
                "batch_payout_idempotent",
                args![world, world.text("k"), recipients, world.amounts(&[1; 3])],
                Error::InvalidRecipient,
            );
        }
        for (name, args) in world.payouts("k", &wrong, 1) {
            world
                .by(&world.payout_key)
                .refused(name, args, Error::InvalidRecipient);
        }
    }
    world.assert_unused("k");
    // Everybody else may be paid: the payer itself, the admin, another contract.
    let others = vec![
        &world.env,
        world.payout_key.clone(),
        world.admin.clone(),
        world.address(),
    ];
    world.pay("k", &others, &[1; 3]);
    assert_eq!(world.balance(&world.payout_key), 1);
}

#[test]
fn keys_of_1_to_256_printable_bytes() {
    let world = World::active();
    let env = &world.env;
    let long = [b'k'; 257];
    let mut legal = std::vec![
        String::from_bytes(env, &long[..1]),
        String::from_bytes(env, &long[..256]),
        world.text("hackathon-2026-batch-GABC1234-60r-9b8c7d6e5f4a3b2c"),
    ];
    let mut illegal = std::vec![
        String::from_bytes(env, &[]),
        String::from_bytes(env, &long),
        String::from_bytes(env, &[b'k'; 1_000]),
        world.text("é"),
        world.text("e\u{301}"),
        world.text(" k"),
        world.text("k "),
    ];
    // Every byte there is, at the end of a key.
    for byte in 0..=u8::MAX {
        let key = String::from_bytes(env, &[b'a', byte]);
        if (0x21..=0x7e).contains(&byte) {
            legal.push(key);
        } else {
            illegal.push(key);
        }
    }
    let payer = world.by(&world.payout_key);
    let recipients = vec![env, world.stranger.clone()];
    for key in illegal {
        let batch = args![world, key, recipients, world.amounts(&[1])];
        payer.refused(
            "batch_payout_idempotent",
            batch,
            Error::InvalidIdempotencyKey,
        );
        let single = args![world, key, world.stranger, 1i128];
        payer.refused(
            "single_payout_idempotent",
            single,
            Error::InvalidIdempotencyKey,
        );
        // The views never fail on it.
        assert!(!world.client().is_payout_processed(&key));
        assert_eq!(world.client().get_idempotency_record(&key), None);
    }
    let count = legal.len() as u64;
    for key in legal {
        payer.ok::<ProgramData>(
            "single_payout_idempotent",
            args![world, key, world.stranger, 1i128],
        );
        assert!(world.client().is_payout_processed(&key));
    }
    assert_eq!(world.program().payout_count, count);
    assert_eq!(world.balance(&world.stranger), i128::from(count));
}

#[test]
fn sums_stay_in_range() {
    let world = World::draft();
    world.fund(i128::MAX);
    world.publish();
    let recipients = world.addresses(2);
    world.by(&world.payout_key).refused(
        "batch_payout_idempotent",
        args![
            world,
            world.text("k"),
            recipients,
            world.amounts(&[i128::MAX, 1])
        ],
        Error::AmountOverflow,
    );
    world.assert_unused("k");
    world.pay("k", &recipients, &[i128::MAX - 1, 1]);
    assert_eq!(world.record("k").unwrap().total_amount, i128::MAX);
    assert_eq!(world.program().remaining_balance, 0);
    world.assert_books();
}

#[test]
fn what_was_ever_locked_stays_in_range() {
    let world = World::draft();
    world.fund(i128::MAX);
    world.publish();
    world.pay_one("k", &world.stranger, 10);
    // The token has room for ten more, the books have not.
    world.mint(&world.sponsor, 1);
    world.lock_refused(&world.sponsor, 1, Error::AmountOverflow);
    world.mint(&world.id, 1);
    world
        .by(&world.admin)
        .refused("credit_surplus", args![world], Error::AmountOverflow);
    assert_eq!(world.program().total_locked, i128::MAX);
}

#[test]
fn the_books_bound_a_payout_not_the_balance() {
    let world = World::active();
    world.mint(&world.id, 1);
    for (name, args) in world.payouts("k", &world.stranger, FUNDS + 1) {
        world
            .by(&world.payout_key)
            .refused(name, args, Error::InsufficientBalance);
    }
    world.by(&world.payout_key).refused(
        "batch_payout_idempotent",
        args![
            world,
            world.text("k"),
            world.addresses(2),
            world.amounts(&[FUNDS, 1])
        ],
        Error::InsufficientBalance,
    );
    world.assert_unused("k");
    world.pay_one("k", &world.stranger, FUNDS);
    assert_eq!(world.balance(&world.id), 1);
}
