//! Attempts to break the promise from angles that no other test takes: a payout key that is itself a
//! contract and retries or calls back within one transaction, arguments whose elements are of
//! another type than the spec says, and the escrow as a party of its own.

// The SDK's macros want a public contract.
#![allow(unreachable_pub)]
// They use what an implementation leaves unused, and a type of the ledger cannot be boxed.
#![allow(clippy::used_underscore_binding, clippy::large_enum_variant)]

use soroban_sdk::auth::{Context, CustomAccountInterface};
use soroban_sdk::crypto::Hash;
use soroban_sdk::testutils::MuxedAddress as _;
use soroban_sdk::xdr::{
    InvokeContractArgs, ScAddress, ScSymbol, ScVal, SorobanAddressCredentials,
    SorobanAuthorizationEntry, SorobanAuthorizedFunction, SorobanAuthorizedInvocation,
    SorobanCredentials, VecM,
};
use soroban_sdk::{
    Address, Bytes, BytesN, Env, IntoVal, MuxedAddress, Symbol, TryFromVal, Val, Vec, contract,
    contractimpl, contracttype, panic_with_error, vec,
};

use super::faulty_token::{Fault, Faulty};
use super::setup::{FUNDS, Refusal, World, args};
use super::steps::Call;
use crate::error::Error;
use crate::types::{PayoutKind, ProgramData};

/// One call of a machine.
#[contracttype]
#[derive(Clone)]
pub struct Step {
    name: Symbol,
    args: Vec<Val>,
}

/// What a machine does while its signature is being checked.
#[contracttype]
#[derive(Clone)]
pub enum Check {
    /// Calls the escrow, and signs whatever the answer.
    CallBack(Address, Step),
    /// Fails with this contract error.
    Fail(u32),
}

#[contracttype]
enum MachineKey {
    Check,
    CalledBack,
}

/// A contract in the place of the payout key, a delegate or a sponsor. What it calls itself it has
/// authorised.
#[contract]
pub struct Machine;

#[contractimpl]
impl Machine {
    /// Makes every call in one transaction, whatever the answers, and tells which succeeded.
    pub fn run(env: Env, escrow: Address, steps: Vec<Step>) -> Vec<bool> {
        let mut answers = Vec::new(&env);
        for step in steps {
            let answer =
                env.try_invoke_contract::<Val, soroban_sdk::Error>(&escrow, &step.name, step.args);
            answers.push_back(answer.is_ok());
        }
        answers
    }

    pub fn set_check(env: Env, check: Check) {
        env.storage().instance().set(&MachineKey::Check, &check);
    }

    /// Whether the call back was answered with success; None if there was none.
    pub fn called_back(env: Env) -> Option<bool> {
        env.storage().instance().get(&MachineKey::CalledBack)
    }
}

#[contractimpl]
impl CustomAccountInterface for Machine {
    type Signature = Val;
    type Error = soroban_sdk::Error;

    fn __check_auth(
        env: Env,
        _payload: Hash<32>,
        _signature: Val,
        _contexts: Vec<Context>,
    ) -> Result<(), soroban_sdk::Error> {
        match env.storage().instance().get(&MachineKey::Check) {
            Some(Check::CallBack(escrow, step)) => {
                let answer = env
                    .try_invoke_contract::<Val, soroban_sdk::Error>(&escrow, &step.name, step.args);
                env.storage()
                    .instance()
                    .set(&MachineKey::CalledBack, &answer.is_ok());
                Ok(())
            }
            Some(Check::Fail(code)) => {
                panic_with_error!(&env, soroban_sdk::Error::from_contract_error(code))
            }
            None => Ok(()),
        }
    }
}

fn step(world: &World, (name, args): &Call) -> Step {
    Step {
        name: Symbol::new(&world.env, name),
        args: args.clone(),
    }
}

/// Calls of a machine in one transaction that nobody else signed.
fn run(world: &World, machine: &Address, calls: &[Call]) -> std::vec::Vec<bool> {
    let steps = Vec::from_iter(&world.env, calls.iter().map(|call| step(world, call)));
    world.env.set_auths(&[]);
    world.env.cost_estimate().budget().reset_unlimited();
    let answers = MachineClient::new(&world.env, machine).run(&world.id, &steps);
    answers.iter().collect()
}

/// A program whose payout key is a machine.
fn with_machine(world: &World) -> Address {
    let machine = world.env.register(Machine, ());
    world
        .by(&world.admin)
        .ok::<()>("rotate_payout_key", args![world, machine]);
    machine
}

#[test]
fn retries_within_one_transaction_pay_once() {
    let faulty = Faulty::active();
    let world = &faulty.world;
    let machine = with_machine(world);
    let [single, batch, ..] = world.payouts("k", &world.stranger, 7);
    let [too_much, ..] = world.payouts("k", &world.stranger, FUNDS + 1);
    let void: Call = (
        "void_idempotency_key",
        args![world, machine, world.text("k")],
    );
    // The second transfer of the first call fails after the first one went through.
    faulty.set(Fault::RefuseNth(2, 10));
    let torn: Call = ("batch_payout_idempotent", faulty.batch("k", &[1, 2]));

    let calls = [torn, too_much, single.clone(), batch, void, single];
    let answers = run(world, &machine, &calls);

    // What was refused and caught has left no event.
    assert_eq!(world.event_names(), ["Payout", "BatPayRp", "IdmReplay"]);
    assert_eq!(answers, [false, false, true, true, false, true]);
    assert_eq!(world.events_of(&faulty.token).len(), 1);
    assert_eq!(faulty.held(&world.stranger), 7);
    assert_eq!(faulty.held(&world.id), FUNDS - 7);
    assert_eq!(world.program().payout_count, 1);
    assert_eq!(world.record("k").unwrap().kind, PayoutKind::Single);
    assert_eq!(world.record("k").unwrap().payout_id, 1);
}

#[test]
fn an_allowance_and_a_bucket_hold_within_one_transaction() {
    let world = World::active();
    let machine = world.env.register(Machine, ());
    world.set_delegate(&machine, 20, world.now() + 60);
    world.limit(15, 0, 10);
    let pay = |key, amount| {
        let [single, ..] = world.payouts_by(&machine, key, &world.stranger, amount);
        single
    };

    let calls = [pay("a", 10), pay("b", 10), pay("c", 5), pay("d", 1)];
    assert_eq!(run(&world, &machine, &calls), [true, false, true, false]);
    assert_eq!(world.stored_delegate(&machine).unwrap().allowance, 5);
    assert_eq!(world.available(), Some(0));
    world.limit(1_000, 0, 1_000);
    let calls = [pay("b", 6), pay("b", 985), pay("d", 0)];
    assert_eq!(run(&world, &machine, &calls), [false; 3]);
    world.assert_unused("b");
    assert_eq!(world.program().total_paid, 15);
    world.assert_books();
}

/// Signs `call` as a machine, by its own check and not by a mock.
fn sign_by_check(world: &World, machine: &Address, nonce: i64, (name, args): &Call) {
    let args: std::vec::Vec<ScVal> = args
        .iter()
        .map(|arg| ScVal::try_from_val(&world.env, &arg).unwrap())
        .collect();
    world.env.set_auths(&[SorobanAuthorizationEntry {
        credentials: SorobanCredentials::Address(SorobanAddressCredentials {
            address: ScAddress::from(machine),
            nonce,
            signature_expiration_ledger: world.env.ledger().sequence() + 100,
            signature: ScVal::Void,
        }),
        root_invocation: SorobanAuthorizedInvocation {
            function: SorobanAuthorizedFunction::ContractFn(InvokeContractArgs {
                contract_address: ScAddress::from(&world.id),
                function_name: ScSymbol((*name).try_into().unwrap()),
                args: args.try_into().unwrap(),
            }),
            sub_invocations: VecM::default(),
        },
    }]);
}

#[test]
fn a_payout_key_cannot_call_back_while_its_signature_is_checked() {
    let world = World::active();
    let machine = with_machine(&world);
    let client = MachineClient::new(&world.env, &machine);
    let [single, batch, ..] = world.payouts("k", &world.stranger, 7);
    let void: Call = (
        "void_idempotency_key",
        args![world, machine, world.text("k")],
    );
    let view: Call = ("get_program", args![world]);
    for (number, inner) in (1..).zip([single, batch, void, view]) {
        client.set_check(&Check::CallBack(world.id.clone(), step(&world, &inner)));
        let key = std::format!("k{number}");
        let [outer, ..] = world.payouts(&key, &world.sponsor, 7);
        sign_by_check(&world, &machine, number, &outer);
        let program: ProgramData =
            world
                .env
                .invoke_contract(&world.id, &Symbol::new(&world.env, outer.0), outer.1);
        assert_eq!(world.event_names(), ["Payout"]);
        assert_eq!(client.called_back(), Some(false), "{}", inner.0);
        assert_eq!(i64::try_from(program.payout_count), Ok(number));
        world.assert_unused("k");
    }
    assert_eq!(world.balance(&world.id), FUNDS - 28);
    world.assert_books();
}

#[test]
fn what_fails_in_a_signature_does_not_surface_as_one_of_ours() {
    let world = World::active();
    let machine = with_machine(&world);
    for code in [Error::KeyVoided, Error::TokenTransferFailed] {
        let check = Check::Fail(code as u32);
        MachineClient::new(&world.env, &machine).set_check(&check);
        for call in world.payouts("k", &world.stranger, 7) {
            let (name, args) = call.clone();
            // The named ones name the payout key of before.
            if name.ends_with("_by") || name.ends_with("_references") {
                continue;
            }
            sign_by_check(&world, &machine, 7, &call);
            world.unsigned().expect(name, args, &Refusal::Host);
        }
    }
    world.assert_unused("k");
}

/// Arguments of a batch, each element as it is given.
fn raw(
    world: &World,
    recipients: &Vec<Val>,
    amounts: &Vec<Val>,
    references: &Vec<Val>,
) -> Vec<Val> {
    args![
        world,
        world.text("k"),
        world.payout_key,
        recipients,
        amounts,
        references
    ]
}

#[test]
fn elements_of_another_type_are_refused_in_every_row() {
    let world = World::active();
    let env = &world.env;
    let good: [Val; 3] = [
        world.address().into_val(env),
        7i128.into_val(env),
        BytesN::from_array(env, &[1; 16]).into_val(env),
    ];
    let others = |column: usize| -> std::vec::Vec<Val> {
        match column {
            0 => std::vec![
                MuxedAddress::generate(env).into_val(env),
                world.text("recipient").into_val(env),
                Val::VOID.into(),
            ],
            1 => std::vec![
                7u32.into(),
                7u64.into_val(env),
                7u128.into_val(env),
                Val::VOID.into()
            ],
            _ => std::vec![
                Bytes::from_array(env, &[1; 15]).into_val(env),
                Bytes::from_array(env, &[1; 17]).into_val(env),
                Bytes::new(env).into_val(env),
                world.text("sixteen bytes..,").into_val(env),
                7u32.into(),
                Val::VOID.into(),
            ],
        }
    };
    for column in 0..3 {
        for other in others(column) {
            for row in 0..2 {
                let mut columns = [0, 1, 2].map(|at| vec![env, good[at], good[at]]);
                columns[0].set(1, world.address().into_val(env));
                columns[column].set(row, other);
                let [recipients, amounts, references] = &columns;
                world.by(&world.payout_key).refused_with(
                    "batch_payout_with_references",
                    raw(&world, recipients, amounts, references),
                    &Refusal::Host,
                );
            }
        }
    }
    world.assert_unused("k");
}

#[test]
fn the_escrow_is_no_authority_over_itself() {
    let world = World::active();
    world.set_delegate(&world.id, FUNDS, world.now() + 60);
    world
        .by(&world.admin)
        .ok::<()>("set_guardian", args![world, Some(world.id.clone())]);
    for (name, args) in world.payouts_by(&world.id, "k", &world.stranger, 7) {
        world.unsigned().refused_by_host(name, args);
    }
    world.unsigned().refused_by_host(
        "trip_circuit_breaker",
        args![world, world.id, world.text("")],
    );
    world
        .by(&world.admin)
        .ok::<()>("rotate_payout_key", args![world, world.id]);
    for (name, args) in world.payouts("k", &world.stranger, 7).into_iter().take(2) {
        world.unsigned().refused_by_host(name, args);
    }
    world.assert_unused("k");
}
