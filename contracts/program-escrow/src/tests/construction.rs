//! Creation in the deploying transaction, and the state after it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use soroban_sdk::testutils::Address as _;
use soroban_sdk::{Address, Env, InvokeError, String};

use super::setup::{World, args, new_env};
use crate::contract::{ProgramEscrow, ProgramEscrowClient};
use crate::error::Error;
use crate::life;
use crate::types::{BreakerState, CircuitBreaker, PauseFlags, ProgramData, ProgramStatus};

fn deploy(env: &Env, program_id: &String) -> Option<Address> {
    let [admin, payout_key, token] = [(); 3].map(|()| Address::generate(env));
    catch_unwind(AssertUnwindSafe(|| {
        env.register(
            ProgramEscrow,
            (admin, program_id.clone(), payout_key, token),
        )
    }))
    .ok()
}

/// What the constructor's own code says; a deployment shows it only in a diagnostic event.
fn judged(world: &World, program_id: &String) -> Option<Error> {
    let [admin, payout_key, token] = [(); 3].map(|()| world.address());
    let empty = world.env.register(Bystander, ());
    let answer: Result<(), Result<Error, InvokeError>> = world.env.try_as_contract(&empty, || {
        life::create(&world.env, &admin, program_id.clone(), payout_key, token);
    });
    match answer {
        Ok(()) => None,
        Err(Ok(error)) => Some(error),
        Err(Err(other)) => panic!("{other:?}"),
    }
}

#[soroban_sdk::contract]
struct Bystander;

#[test]
fn every_legal_byte_and_length_of_a_program_id() {
    let env = new_env();
    let all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._";
    assert_eq!(all.len(), 64);
    for id in [all, "-", ".", "..", "_", "0", "-._", "Acme", "acme"] {
        let id = String::from_str(&env, id);
        let escrow = deploy(&env, &id).unwrap();
        let program = ProgramEscrowClient::new(&env, &escrow).get_program();
        assert_eq!(program.program_id, id);
    }
}

#[test]
fn illegal_program_ids_are_not_deployed() {
    let world = World::draft();
    let env = &world.env;
    let long = [b'a'; 65];
    let mut ids = std::vec![
        String::from_str(env, ""),
        String::from_bytes(env, &long),
        String::from_bytes(env, &[b'a'; 300]),
        String::from_str(env, "é"),
        String::from_str(env, "a b"),
        String::from_str(env, " a"),
        String::from_str(env, "a\n"),
    ];
    // Every byte there is, in the middle of a legal id.
    for byte in 0..=u8::MAX {
        let id = String::from_bytes(env, &[b'a', byte, b'z']);
        if byte.is_ascii_alphanumeric() || b"._-".contains(&byte) {
            assert_eq!(judged(&world, &id), None, "{byte}");
        } else {
            ids.push(id);
        }
    }
    for id in &ids {
        assert_eq!(judged(&world, id), Some(Error::InvalidProgramId), "{id:?}");
    }
    for id in &ids[..8] {
        assert_eq!(deploy(env, id), None, "{id:?}");
    }
    assert_eq!(judged(&world, &String::from_bytes(env, &long[..64])), None);
}

#[test]
fn state_after_deployment() {
    let world = World::draft();
    let client = world.client();
    assert_eq!(
        client.get_program(),
        ProgramData {
            program_id: world.text("hackathon-2026"),
            token: world.asset.address(),
            authorized_payout_key: world.payout_key.clone(),
            status: ProgramStatus::Draft,
            total_locked: 0,
            total_paid: 0,
            total_withdrawn: 0,
            remaining_balance: 0,
            payout_count: 0,
        }
    );
    assert_eq!(client.get_remaining_balance(), 0);
    assert_eq!(client.max_batch_size(), 60);
    assert_eq!(client.get_owner(), Some(world.admin.clone()));
    assert_eq!(client.get_guardian(), None);
    assert_eq!(client.get_delegate(&world.stranger), None);
    assert_eq!(client.get_outflow_limit(), None);
    assert_eq!(
        client.get_pause_flags(),
        PauseFlags {
            lock: false,
            payout: false
        }
    );
    assert_eq!(
        client.get_circuit_breaker(),
        CircuitBreaker {
            state: BreakerState::Closed,
            reason: world.text(""),
            actor: None,
            since: 0,
            available: None,
        }
    );
    world.assert_unused("k");
    // The instance is all there is.
    assert_eq!(world.storage().len(), 1);
}

#[test]
fn deployment_emits_nothing_and_asks_nobody() {
    let world = World::draft();
    assert!(world.events().is_empty());
    assert!(world.env.auths().is_empty());
}

#[test]
fn the_constructor_cannot_be_called_again() {
    let world = World::active();
    let args = args![
        world,
        world.stranger,
        world.text("other"),
        world.stranger,
        world.asset.address()
    ];
    for who in [&world.admin, &world.stranger] {
        world.by(who).refused_by_host("__constructor", args.clone());
    }
    assert_eq!(world.client().get_owner(), Some(world.admin.clone()));
}
