//! The table of every entrypoint that asks for authorisation: who may call it, and how.

use std::vec::Vec as StdVec;

use soroban_sdk::testutils::Ledger as _;
use soroban_sdk::{Address, Bytes, BytesN, Val, Vec};

use super::setup::{FUNDS, World, args};
use crate::error::Error;
use crate::types::{OutflowLimit, PauseFlags};

/// Everybody there is, beside the pending owner and the old admin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Role {
    Admin,
    PayoutKey,
    Delegate,
    Expired,
    Guardian,
    Stranger,
}
pub(crate) use Role::{Admin, Delegate, Expired, Guardian, PayoutKey, Stranger};

pub(crate) const EVERYBODY: [Role; 6] = [Admin, PayoutKey, Delegate, Expired, Guardian, Stranger];

/// A program, a guardian, a live and an expired delegate.
pub(crate) struct Cast {
    pub(crate) world: World,
    pub(crate) delegate: Address,
    pub(crate) expired: Address,
}

impl Cast {
    pub(crate) fn new(world: World) -> Self {
        world.appoint_guardian();
        let expired = world.expired_delegate();
        let delegate = world.delegate(FUNDS, 60);
        Self {
            world,
            delegate,
            expired,
        }
    }

    pub(crate) fn who(&self, role: Role) -> &Address {
        match role {
            Admin => &self.world.admin,
            PayoutKey => &self.world.payout_key,
            Delegate => &self.delegate,
            Expired => &self.expired,
            Guardian => &self.world.guardian,
            Stranger => &self.world.stranger,
        }
    }
}

pub(crate) fn flags(lock: bool, payout: bool) -> PauseFlags {
    PauseFlags { lock, payout }
}

// As the entrypoint takes it.
#[allow(clippy::unnecessary_wraps)]
fn limit(capacity: i128) -> Option<OutflowLimit> {
    Some(OutflowLimit {
        capacity,
        refill_per_second: 1,
        max_payout: 1,
    })
}

/// The smallest Wasm that the host takes: its interface version and nothing else.
fn empty_wasm(world: &World) -> BytesN<32> {
    let protocol = world.env.ledger().get().protocol_version;
    let mut wasm = std::vec![0x00, b'a', b's', b'm', 1, 0, 0, 0, 0, 30, 17];
    wasm.extend_from_slice(b"contractenvmetav0");
    wasm.extend_from_slice(&[0; 4]);
    wasm.extend_from_slice(&protocol.to_be_bytes());
    wasm.extend_from_slice(&[0; 4]);
    world
        .env
        .deployer()
        .upload_contract_wasm(Bytes::from_slice(&world.env, &wasm))
}

/// Where an implicit entrypoint works, who may call it, and two calls that differ in an argument.
pub(crate) struct Implicit {
    pub(crate) name: &'static str,
    pub(crate) signer: Role,
    pub(crate) world: fn() -> World,
    pub(crate) args: fn(&Cast) -> Vec<Val>,
    /// Other arguments of the same call; None where it has none.
    pub(crate) others: Option<fn(&Cast) -> Vec<Val>>,
}

#[allow(clippy::too_many_lines)] // one table
pub(crate) fn implicit() -> StdVec<Implicit> {
    fn surplus() -> World {
        let world = World::active();
        world.mint(&world.id, 5);
        world
    }
    fn tripped() -> World {
        let world = World::active();
        world.trip();
        world
    }
    fn paused() -> World {
        let world = World::active();
        world.pause(true, true);
        world
    }
    fn none(cast: &Cast) -> Vec<Val> {
        args![cast.world]
    }
    let row = |name, world, args, others| Implicit {
        name,
        signer: Admin,
        world,
        args,
        others,
    };
    let paying = |name, args, others| Implicit {
        name,
        signer: PayoutKey,
        world: World::active,
        args,
        others: Some(others),
    };
    std::vec![
        paying(
            "single_payout_idempotent",
            |c| c.world.payouts("k", &c.world.stranger, 7)[0].1.clone(),
            |c| c.world.payouts("k", &c.world.stranger, 8)[0].1.clone(),
        ),
        paying(
            "batch_payout_idempotent",
            |c| c.world.payouts("k", &c.world.stranger, 7)[1].1.clone(),
            |c| c.world.payouts("l", &c.world.stranger, 7)[1].1.clone(),
        ),
        row("credit_surplus", surplus, none, None),
        row("publish_program", World::draft, none, None),
        row("close_program", World::active, none, None),
        row(
            "withdraw_remaining",
            World::closed,
            |c| args![c.world, c.world.sponsor],
            Some(|c| args![c.world, c.world.stranger]),
        ),
        row(
            "rotate_payout_key",
            World::active,
            |c| args![c.world, c.world.sponsor],
            Some(|c| args![c.world, c.world.stranger]),
        ),
        row(
            "set_delegate",
            World::active,
            |c| args![c.world, c.world.sponsor, 5i128, c.world.now() + 1],
            Some(|c| args![c.world, c.world.sponsor, 6i128, c.world.now() + 1]),
        ),
        row(
            "set_guardian",
            World::active,
            |c| args![c.world, Some(c.world.sponsor.clone())],
            Some(|c| args![c.world, None::<Address>]),
        ),
        row(
            "unpause",
            paused,
            |c| args![c.world, flags(true, false)],
            Some(|c| args![c.world, flags(true, true)]),
        ),
        row("reset_circuit_breaker", tripped, none, None),
        row(
            "set_outflow_limit",
            World::active,
            |c| args![c.world, limit(5)],
            Some(|c| args![c.world, limit(6)]),
        ),
        row(
            "import_consumed_keys",
            World::draft,
            |c| args![c.world, c.world.texts(&["k"])],
            Some(|c| args![c.world, c.world.texts(&["k", "l"])]),
        ),
        row(
            "migrate_legacy_keys",
            World::active,
            |c| args![c.world, 3u32],
            Some(|c| args![c.world, 4u32]),
        ),
        row(
            "transfer_ownership",
            World::active,
            |c| args![c.world, c.world.sponsor, 2_000u32],
            Some(|c| args![c.world, c.world.stranger, 2_000u32]),
        ),
    ]
}

/// An entrypoint that names its caller.
pub(crate) struct Named {
    pub(crate) name: &'static str,
    /// Who may call it.
    pub(crate) allowed: &'static [Role],
    /// What the others are told.
    pub(crate) refusal: fn(Role) -> Error,
    pub(crate) args: fn(&Cast, &Address) -> Vec<Val>,
    pub(crate) others: fn(&Cast, &Address) -> Vec<Val>,
}

pub(crate) fn named() -> StdVec<Named> {
    fn delegates_only(role: Role) -> Error {
        if role == Expired {
            Error::DelegateExpired
        } else {
            Error::DelegateNotFound
        }
    }
    let paying = |name, args, others| Named {
        name,
        allowed: &[PayoutKey, Delegate],
        refusal: delegates_only,
        args,
        others,
    };
    let row = |name, allowed, args, others| Named {
        name,
        allowed,
        refusal: |_| Error::Unauthorized,
        args,
        others,
    };
    std::vec![
        paying(
            "single_payout_idempotent_by",
            |c, by| c.world.payouts_by(by, "k", &c.world.sponsor, 7)[0]
                .1
                .clone(),
            |c, by| c.world.payouts_by(by, "k", &c.world.stranger, 7)[0]
                .1
                .clone(),
        ),
        paying(
            "batch_payout_idempotent_by",
            |c, by| c.world.payouts_by(by, "k", &c.world.sponsor, 7)[1]
                .1
                .clone(),
            |c, by| c.world.payouts_by(by, "k", &c.world.sponsor, 6)[1]
                .1
                .clone(),
        ),
        paying(
            "batch_payout_with_references",
            |c, by| c.world.payouts_by(by, "k", &c.world.sponsor, 7)[2]
                .1
                .clone(),
            |c, by| c.world.payouts_by(by, "l", &c.world.sponsor, 7)[2]
                .1
                .clone(),
        ),
        Named {
            name: "void_idempotency_key",
            allowed: &[PayoutKey, Admin, Delegate],
            refusal: delegates_only,
            args: |c, by| args![c.world, by, c.world.text("k")],
            others: |c, by| args![c.world, by, c.world.text("l")],
        },
        row(
            "pause",
            &[Guardian, Admin],
            |c, by| args![c.world, by, flags(false, true), c.world.text("why")],
            |c, by| args![c.world, by, flags(false, true), c.world.text("what")],
        ),
        row(
            "trip_circuit_breaker",
            &[Guardian, Admin],
            |c, by| args![c.world, by, c.world.text("why")],
            |c, by| args![c.world, by, c.world.text("what")],
        ),
        row(
            "revoke_delegate",
            &[Admin, PayoutKey],
            |c, by| args![c.world, by, c.delegate],
            |c, by| args![c.world, by, c.expired],
        ),
        Named {
            name: "upgrade",
            allowed: &[Admin],
            refusal: |_| Error::Unauthorized,
            args: |c, by| args![c.world, empty_wasm(&c.world), by],
            others: |c, by| args![c.world, BytesN::from_array(&c.world.env, &[1; 32]), by],
        },
    ]
}
