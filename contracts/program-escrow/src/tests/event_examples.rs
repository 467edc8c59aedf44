//! Every event decoded, from real calls, as a golden file that `docs/events.md` shows.
//!
//! `UPDATE_GOLDEN=1 scripts/test.sh -p program-escrow event_examples` writes the file anew; the page
//! is edited by hand and has to contain each block as it stands in the file.

use std::fmt::Write as _;
use std::string::{String as StdString, ToString};
use std::vec::Vec as StdVec;

use soroban_sdk::xdr::{
    ContractEvent, ContractEventBody, ContractEventType, ContractId, ScAddress, ScBytes, ScVal,
};
use soroban_sdk::{Address, Bytes, BytesN, Symbol, Val, Vec, vec};
use stellar_access::ownable::OwnableStorageKey;

use super::setup::{FUNDS, World, args};
use super::wasm;
use crate::storage::DataKey;
use crate::types::{OutflowLimit, PauseFlags, ProgramData};

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/golden/events.txt");
const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/events.md");
const SOURCE: &str = include_str!("../event.rs");

const SINGLE_KEY: &str = "hackathon-2026-single-GABC1234-a3f1c2d4e5b6a7f8";
const BATCH_KEY: &str = "hackathon-2026-batch-GABC1234-2r-9b8c7d6e5f4a3b2c";
const VOID_KEY: &str = "hackathon-2026-single-GHIJ9012-0d1e2f3a4b5c6d7e";
const OLD_KEY: &str = "hackathon-2025-single-GXYZ5678-77aa88bb99cc00dd";

#[test]
fn every_event_is_shown_as_it_is_emitted() {
    let mut book = Book::default();
    life_of_a_program(&mut book);
    migration_of_an_old_instance(&mut book);
    let text = book.text;

    for name in SOURCE
        .split("topics = [\"")
        .skip(1)
        .map(|rest| rest.split_once('"').unwrap().0)
    {
        assert!(
            text.contains(&std::format!("escrow: Symbol({name})")),
            "no example of {name}"
        );
    }
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(GOLDEN, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(GOLDEN).unwrap(), text);
    let page = std::fs::read_to_string(PAGE).unwrap();
    for block in text.split("\n\n") {
        let (_, events) = block.split_once('\n').unwrap();
        let events = events.trim_end();
        assert!(
            page.contains(events),
            "docs/events.md does not show\n{events}"
        );
    }
}

/// Every event but those of a migration, in the order in which a program may meet them.
fn life_of_a_program(book: &mut Book) {
    let world = World::draft();
    let issuer = world.asset.issuer().address();
    let [recipient, delegate, new_key, new_admin, treasury] = [(); 5].map(|()| world.address());
    for (address, name) in [
        (&world.id, "escrow"),
        (&world.asset.address(), "token"),
        (&issuer, "issuer"),
        (&world.admin, "admin"),
        (&world.payout_key, "payout key"),
        (&world.sponsor, "sponsor"),
        (&world.guardian, "guardian"),
        (&recipient, "recipient"),
        (&delegate, "delegate"),
        (&new_key, "new payout key"),
        (&new_admin, "new admin"),
        (&treasury, "treasury"),
    ] {
        book.name(address, name);
    }
    let admin = world.by(&world.admin);
    let text = |text: &str| world.text(text);

    let old_keys = vec![&world.env, text(OLD_KEY)];
    admin.ok::<()>("import_consumed_keys", args![world, old_keys]);
    book.add(&world, "import_consumed_keys");
    world.mint(&world.sponsor, FUNDS);
    world.lock(&world.sponsor, FUNDS).unwrap();
    book.add(&world, "lock_program_funds");
    world.mint(&world.id, 500);
    admin.ok::<i128>("credit_surplus", args![world]);
    book.add(&world, "credit_surplus");
    admin.ok::<()>("publish_program", args![world]);
    book.add(&world, "publish_program");

    let recipients = vec![&world.env, recipient.clone(), issuer];
    world.pay(BATCH_KEY, &recipients, &[1_200, 800]);
    book.add(
        &world,
        "batch_payout_idempotent; the second recipient is the asset's issuer",
    );
    world.pay(BATCH_KEY, &recipients, &[1_200, 800]);
    book.add(&world, "the same call again");
    world.pay(BATCH_KEY, &recipients, &[1_200, 900]);
    book.add(&world, "the same key with another amount");
    world.pay_one(SINGLE_KEY, &recipient, 250);
    book.add(&world, "single_payout_idempotent");
    world.pay_one(SINGLE_KEY, &recipient, 250);
    book.add(&world, "the same single call again");
    world.by(&world.payout_key).ok::<()>(
        "void_idempotency_key",
        args![world, world.payout_key, text(VOID_KEY)],
    );
    book.add(&world, "void_idempotency_key");

    roles_and_brakes(book, &world, &delegate, &new_key);

    admin.ok::<()>("transfer_ownership", args![world, new_admin, 5_000u32]);
    book.add(&world, "transfer_ownership");
    let admin = world.by(&new_admin);
    admin.ok::<()>("accept_ownership", args![world]);
    book.add(&world, "accept_ownership");
    admin.ok::<()>("close_program", args![world]);
    book.add(&world, "close_program");
    admin.ok::<i128>("withdraw_remaining", args![world, treasury]);
    book.add(&world, "withdraw_remaining");

    let code = Bytes::from_slice(&world.env, &wasm::read("program_escrow"));
    let hash: BytesN<32> = world.env.deployer().upload_contract_wasm(code);
    admin.ok::<()>("upgrade", args![world, hash, new_admin]);
    book.add(&world, "upgrade; this one is the host's, of type system");
}

/// What the admin may change while a program runs.
fn roles_and_brakes(book: &mut Book, world: &World, delegate: &Address, new_key: &Address) {
    let admin = world.by(&world.admin);
    let text = |text: &str| world.text(text);
    let until = world.now() + 86_400;
    admin.ok::<()>("set_delegate", args![world, delegate, 5_000i128, until]);
    book.add(world, "set_delegate, new");
    admin.ok::<()>("set_delegate", args![world, delegate, 7_000i128, until]);
    book.add(world, "set_delegate, again");
    admin.ok::<()>("revoke_delegate", args![world, world.admin, delegate]);
    book.add(world, "revoke_delegate");
    admin.ok::<()>("rotate_payout_key", args![world, new_key]);
    book.add(world, "rotate_payout_key");
    admin.ok::<()>("set_guardian", args![world, Some(world.guardian.clone())]);
    book.add(world, "set_guardian");
    admin.ok::<()>("set_guardian", args![world, None::<Address>]);
    book.add(world, "set_guardian to none");

    let payout = PauseFlags {
        lock: false,
        payout: true,
    };
    let pause = args![
        world,
        world.admin,
        payout,
        text("checking the winners' list")
    ];
    admin.ok::<()>("pause", pause);
    book.add(world, "pause");
    admin.ok::<()>("unpause", args![world, payout]);
    book.add(world, "unpause");
    let trip = args![
        world,
        world.admin,
        text("two batches a minute, not planned")
    ];
    admin.ok::<()>("trip_circuit_breaker", trip);
    book.add(world, "trip_circuit_breaker");
    admin.ok::<()>("reset_circuit_breaker", args![world]);
    book.add(world, "reset_circuit_breaker");
    let limit = OutflowLimit {
        capacity: 50_000,
        refill_per_second: 10,
        max_payout: 5_000,
    };
    admin.ok::<()>("set_outflow_limit", args![world, Some(limit)]);
    book.add(world, "set_outflow_limit");
    admin.ok::<()>("set_outflow_limit", args![world, None::<OutflowLimit>]);
    book.add(world, "set_outflow_limit to none");
}

/// The events of an instance that was upgraded from the earlier layout.
fn migration_of_an_old_instance(book: &mut Book) {
    let world = World::draft();
    book.name(&world.id, "escrow");
    book.name(&world.stranger, "old admin");
    let env = &world.env;
    let symbol = |name: &str| Symbol::new(env, name);
    let admin: Vec<Val> = args![world, symbol("Admin")];
    let program: [(&str, Val); 5] = {
        use soroban_sdk::IntoVal as _;
        [
            ("program_id", world.text("hackathon-2025").into_val(env)),
            ("authorized_payout_key", world.payout_key.into_val(env)),
            ("token_address", world.asset.address().into_val(env)),
            ("total_funds", 90_000i128.into_val(env)),
            ("remaining_balance", 40_000i128.into_val(env)),
        ]
    };
    let program =
        soroban_sdk::Map::from_array(env, program.map(|(name, value)| (symbol(name), value)));
    let keys = vec![env, world.text(OLD_KEY), world.text(SINGLE_KEY)];
    env.as_contract(&world.id, || {
        let instance = env.storage().instance();
        instance.remove(&DataKey::EscrowProgram);
        instance.remove(&DataKey::EscrowBrakes);
        instance.remove(&OwnableStorageKey::Owner);
        instance.set(&admin, &world.stranger);
        instance.set(&symbol("ProgData"), &program);
        env.storage().persistent().set(&symbol("PayIdem"), &keys);
    });
    world.mint(&world.id, 40_000);
    let old_admin = world.by(&world.stranger);
    old_admin.ok::<()>("migrate_legacy", args![world]);
    book.add(&world, "migrate_legacy");
    old_admin.ok::<u32>("migrate_legacy_keys", args![world, 30u32]);
    book.add(&world, "migrate_legacy_keys");
    let program: ProgramData = world.program();
    assert_eq!(program.remaining_balance, 40_000);
}

/// The examples so far, and how addresses are called in them.
#[derive(Default)]
struct Book {
    text: StdString,
    names: StdVec<(ScAddress, &'static str)>,
}

impl Book {
    /// A later name wins: another world may generate an address again.
    fn name(&mut self, address: &Address, name: &'static str) {
        self.names.insert(0, (address.into(), name));
    }

    /// All events of the last call, the token's too, under a line that names the call.
    fn add(&mut self, world: &World, call: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        writeln!(self.text, "# {call}").unwrap();
        // `Env::events` leaves the host's own events out.
        for event in world.env.host().get_events().unwrap().0 {
            if !event.failed_call && event.event.type_ != ContractEventType::Diagnostic {
                let shown = self.event(&event.event);
                self.text.push_str(&shown);
            }
        }
    }

    fn event(&self, event: &ContractEvent) -> StdString {
        let ContractEventBody::V0(body) = &event.body;
        let ContractId(id) = event.contract_id.clone().unwrap();
        let emitter = self.address(&ScAddress::Contract(ContractId(id)));
        let system = event.type_ == ContractEventType::System;
        let topics: StdVec<_> = body
            .topics
            .iter()
            .enumerate()
            .map(|(place, topic)| match (system, place, topic) {
                // The code's hashes change with every build.
                (true, 1 | 2, ScVal::Vec(Some(executable))) => std::format!(
                    "[{}, Bytes({} hash)]",
                    self.value(&executable[0]),
                    if place == 1 { "old" } else { "new" }
                ),
                _ => self.value(topic),
            })
            .collect();
        let mut text = std::format!("{emitter}: {}\n", topics.join(", "));
        match &body.data {
            ScVal::Map(Some(map)) => {
                for entry in map.iter() {
                    let ScVal::Symbol(name) = &entry.key else {
                        panic!("not a field: {:?}", entry.key)
                    };
                    let value = self.value(&entry.val);
                    writeln!(text, "  {}: {value}", name.to_utf8_string().unwrap()).unwrap();
                }
            }
            data => writeln!(text, "  {}", self.value(data)).unwrap(),
        }
        text
    }

    fn value(&self, value: &ScVal) -> StdString {
        match value {
            ScVal::Bool(flag) => std::format!("Bool({flag})"),
            ScVal::U32(number) => std::format!("U32({number})"),
            ScVal::U64(number) => std::format!("U64({number})"),
            ScVal::I128(parts) => {
                let number = (i128::from(parts.hi) << 64) | i128::from(parts.lo);
                std::format!("I128({number})")
            }
            ScVal::Symbol(text) => std::format!("Symbol({})", text.to_utf8_string().unwrap()),
            ScVal::String(text) => std::format!("String({})", text.to_utf8_string().unwrap()),
            ScVal::Bytes(ScBytes(bytes)) => {
                let hex = bytes.iter().fold(StdString::new(), |mut hex, byte| {
                    write!(hex, "{byte:02x}").unwrap();
                    hex
                });
                std::format!("Bytes({hex})")
            }
            ScVal::Address(address) => std::format!("Address({})", self.address(address)),
            ScVal::Vec(Some(items)) => {
                let items: StdVec<_> = items.iter().map(|item| self.value(item)).collect();
                std::format!("[{}]", items.join(", "))
            }
            ScVal::Map(Some(map)) => {
                let field = |key: &ScVal| {
                    self.value(key)
                        .trim_start_matches("Symbol(")
                        .trim_end_matches(')')
                        .to_string()
                };
                let fields: StdVec<_> = map
                    .iter()
                    .map(|entry| std::format!("{}: {}", field(&entry.key), self.value(&entry.val)))
                    .collect();
                std::format!("{{{}}}", fields.join(", "))
            }
            other => panic!("no example has this: {other:?}"),
        }
    }

    fn address(&self, address: &ScAddress) -> &'static str {
        let named = self.names.iter().find(|(known, _)| known == address);
        named.unwrap_or_else(|| panic!("nameless: {address:?}")).1
    }
}
