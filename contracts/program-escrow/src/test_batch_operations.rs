//! The nine tests of idempotent batch payouts, under the names the users know them by:
//! `cargo test -p program-escrow test_idempotent`.

use soroban_sdk::vec;

use crate::tests::setup::{FUNDS, World, args};
use crate::types::{PayoutKind, ProgramData};

#[test]
fn test_idempotent_batch_payout_first_call_succeeds() {
    let world = World::active();
    let recipients = world.addresses(3);
    let before = world.program();

    let after = world.pay("batch-1", &recipients, &[100, 200, 300]);

    assert_eq!(
        after,
        ProgramData {
            total_paid: 600,
            remaining_balance: FUNDS - 600,
            payout_count: 1,
            ..before
        }
    );
    assert_eq!(world.event_names(), ["BatchPay"]);
    assert_eq!(world.program(), after);
    for (recipient, amount) in recipients.iter().zip([100, 200, 300]) {
        assert_eq!(world.balance(&recipient), amount);
    }
    assert_eq!(world.balance(&world.id), FUNDS - 600);
    let record = world.record("batch-1").unwrap();
    assert_eq!(record.kind, PayoutKind::Batch);
    assert_eq!(record.payout_id, 1);
    assert_eq!(record.total_amount, 600);
    assert_eq!(record.ledger, world.env.ledger().sequence());
}

#[test]
fn test_idempotent_batch_payout_replay_no_double_payment() {
    let world = World::active();
    let recipients = world.addresses(2);
    let first = world.pay("batch-1", &recipients, &[1_000, 2_000]);
    let ledger = world.ledger();

    let again = world.pay("batch-1", &recipients, &[1_000, 2_000]);

    assert_eq!(world.event_names(), ["BatPayRp"]);
    assert!(world.events_of(&world.asset.address()).is_empty());
    assert_eq!(again, first);
    assert!(world.ledger() == ledger, "a replay changed the ledger");
    assert_eq!(world.balance(&recipients.get_unchecked(0)), 1_000);
    assert_eq!(world.balance(&recipients.get_unchecked(1)), 2_000);
    assert_eq!(world.balance(&world.id), FUNDS - 3_000);
}

#[test]
fn test_idempotent_batch_payout_replay_emits_audit_event() {
    let world = World::active();
    let recipients = world.addresses(1);
    world.pay(
        "hackathon-2026-batch-GABC1234-1r-9b8c7d6e5f4a3b2c",
        &recipients,
        &[5],
    );
    let storage = world.storage();

    world.pay(
        "hackathon-2026-batch-GABC1234-1r-9b8c7d6e5f4a3b2c",
        &recipients,
        &[5],
    );

    let event = world.event("BatPayRp");
    assert_eq!(event.topics.len(), 1);
    assert_eq!(
        event.key(),
        "hackathon-2026-batch-GABC1234-1r-9b8c7d6e5f4a3b2c"
    );
    assert_eq!(event.fields(), ["caller", "program_id", "version"]);
    assert_eq!(
        event.field(&world.env, "caller"),
        Some(world.payout_key.clone())
    );
    assert_eq!(
        event.field(&world.env, "program_id"),
        Some(world.text("hackathon-2026"))
    );
    assert_eq!(event.field(&world.env, "version"), Some(2u32));
    assert!(world.storage() == storage);
    assert_eq!(world.balance(&recipients.get_unchecked(0)), 5);
}

#[test]
fn test_idempotent_batch_payout_audit_trail_integrity() {
    let world = World::active();
    let recipients = world.addresses(2);

    world.pay("batch-1", &recipients, &[10, 20]);

    // The token's transfers come directly before the one event of ours, in the given order.
    let event = world.event("BatchPay");
    assert_eq!(event.key(), "batch-1");
    assert_eq!(
        event.fields(),
        [
            "caller",
            "program_id",
            "recipient_count",
            "remaining_balance",
            "total_amount",
            "version"
        ]
    );
    assert_eq!(
        event.field(&world.env, "caller"),
        Some(world.payout_key.clone())
    );
    assert_eq!(event.field(&world.env, "recipient_count"), Some(2u32));
    assert_eq!(event.field(&world.env, "total_amount"), Some(30i128));
    assert_eq!(
        event.field(&world.env, "remaining_balance"),
        Some(FUNDS - 30)
    );
    assert_eq!(event.field(&world.env, "version"), Some(2u32));
    let transfers = world.events_of(&world.asset.address());
    assert_eq!(transfers.len(), 2);
    assert!(transfers.iter().all(|event| event.name == "transfer"));

    for _ in 0..3 {
        let storage = world.storage();
        world.pay("batch-1", &recipients, &[10, 20]);
        assert_eq!(world.event_names(), ["BatPayRp"]);
        assert!(world.events_of(&world.asset.address()).is_empty());
        assert!(world.storage() == storage);
    }
    assert_eq!(world.balance(&world.id), FUNDS - 30);
}

#[test]
fn test_idempotent_batch_payout_distinct_keys_all_execute() {
    let world = World::active();
    let recipients = world.addresses(1);

    for (count, key) in (1..).zip(["key-a", "key-b", "key-c"]) {
        let program = world.pay(key, &recipients, &[100]);
        assert_eq!(world.event_names(), ["BatchPay"]);
        assert_eq!(program.payout_count, count);
        assert_eq!(world.record(key).unwrap().payout_id, count);
    }

    assert_eq!(world.balance(&recipients.get_unchecked(0)), 300);
    assert_eq!(world.program().remaining_balance, FUNDS - 300);
    assert_eq!(world.balance(&world.id), FUNDS - 300);
}

#[test]
fn test_idempotent_batch_payout_partial_overlap() {
    let world = World::active();
    let recipients = world.addresses(1);
    let mut seen = std::vec![];

    for key in ["a", "b", "a", "c", "b", "a"] {
        world.pay(key, &recipients, &[7]);
        seen.push(world.event_names().concat());
    }

    assert_eq!(
        seen,
        [
            "BatchPay", "BatchPay", "BatPayRp", "BatchPay", "BatPayRp", "BatPayRp"
        ]
    );
    assert_eq!(world.balance(&recipients.get_unchecked(0)), 21);
    assert_eq!(world.program().payout_count, 3);
    assert_eq!(world.program().total_paid, 21);
    // Three records, and nothing else beside the instance.
    assert_eq!(world.storage().len(), 4);
}

#[test]
fn test_idempotent_batch_payout_complex_retry_interleaving() {
    let world = World::active();
    let recipients = world.addresses(3);
    let first = vec![&world.env, recipients.get_unchecked(0)];
    let second = vec![
        &world.env,
        recipients.get_unchecked(1),
        recipients.get_unchecked(2),
    ];

    world.pay("k1", &first, &[11]);
    world.pay("k1", &first, &[11]);
    world.pay("k2", &second, &[22, 33]);
    world.pay("k1", &first, &[11]);
    // The same key with other arguments: still only the first payout counts, and it is not silent.
    world.pay("k2", &first, &[44]);
    assert_eq!(world.event_names(), ["BatPayRp", "IdmConfl"]);
    world.pay("k3", &first, &[55]);
    let program = world.pay("k2", &second, &[22, 33]);
    assert_eq!(world.event_names(), ["BatPayRp"]);

    assert_eq!(program.payout_count, 3);
    assert_eq!(program.total_paid, 11 + 22 + 33 + 55);
    assert_eq!(
        program.total_locked,
        program.total_paid + program.total_withdrawn + program.remaining_balance
    );
    assert_eq!(world.balance(&recipients.get_unchecked(0)), 66);
    assert_eq!(world.balance(&recipients.get_unchecked(1)), 22);
    assert_eq!(world.balance(&recipients.get_unchecked(2)), 33);
    assert_eq!(world.balance(&world.id), program.remaining_balance);
    let ids = ["k1", "k2", "k3"].map(|key| world.record(key).unwrap().payout_id);
    assert_eq!(ids, [1, 2, 3]);
}

#[test]
fn test_idempotent_replay_does_not_grow_payout_history() {
    let world = World::active();
    let recipients = world.addresses(2);
    world.pay("batch-1", &recipients, &[1, 2]);
    let record = world.record("batch-1").unwrap();
    let size = world.instance_size();
    let storage = world.storage();

    for _ in 0..10 {
        let program = world.pay("batch-1", &recipients, &[1, 2]);
        assert_eq!(world.event_names(), ["BatPayRp"]);
        assert_eq!(program.payout_count, 1);
    }

    assert_eq!(world.record("batch-1"), Some(record));
    assert_eq!(world.instance_size(), size);
    assert!(world.storage() == storage);
    assert_eq!(world.balance(&world.id), FUNDS - 3);
}

#[test]
fn test_idempotent_batch_payout_by_replay_no_double_payment() {
    let world = World::active();
    let delegate = world.address();
    let recipients = world.addresses(2);
    world.by(&world.admin).ok::<()>(
        "set_delegate",
        args![world, delegate, 1_000i128, world.now() + 60],
    );
    let call = args![
        world,
        world.text("batch-1"),
        delegate,
        recipients,
        world.amounts(&[100, 200])
    ];

    world
        .by(&delegate)
        .ok::<ProgramData>("batch_payout_idempotent_by", call.clone());
    assert_eq!(world.event_names(), ["BatchPay"]);
    assert_eq!(
        world.client().get_delegate(&delegate).unwrap().allowance,
        700
    );
    let ledger = world.ledger();

    let again: ProgramData = world.by(&delegate).ok("batch_payout_idempotent_by", call);

    let event = world.event("BatPayRp");
    assert_eq!(event.field(&world.env, "caller"), Some(delegate.clone()));
    assert!(world.ledger() == ledger, "a replay changed the ledger");
    assert_eq!(again.total_paid, 300);
    assert_eq!(
        world.client().get_delegate(&delegate).unwrap().allowance,
        700
    );
    assert_eq!(world.balance(&recipients.get_unchecked(0)), 100);
    assert_eq!(world.balance(&recipients.get_unchecked(1)), 200);
    assert_eq!(world.balance(&world.id), FUNDS - 300);
}
