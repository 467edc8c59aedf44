//! What others rely on, as golden files: the spec, the errors, the storage schema. A change shows
//! here before it shows on a ledger. `UPDATE_GOLDEN=1 cargo test golden` writes them anew.

use std::fmt::Write as _;
use std::path::Path;
use std::string::{String, ToString};
use std::vec::Vec;
use std::{env, format, fs};

use soroban_sdk::xdr::{
    ContractDataDurability, ContractId, Hash, LedgerEntryData, LedgerKey, Limits, ScAddress, ScMap,
    ScVal, WriteXdr,
};
use soroban_sdk::{Address, TryFromVal};

use super::setup::{World, args};
use super::{spec_text, wasm};
use crate::types::{OutflowLimit, PauseFlags};

/// Compares with a golden file, or writes it.
fn compare(name: &str, now: &str, advice: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata/golden")
        .join(name);
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(path, now).unwrap();
        return;
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    if golden == now {
        return;
    }
    let mut difference = String::new();
    for line in spec_text::missing(&golden, now) {
        writeln!(difference, "- {line}").unwrap();
    }
    for line in spec_text::missing(now, &golden) {
        writeln!(difference, "+ {line}").unwrap();
    }
    panic!(
        "testdata/golden/{name} says otherwise:\n{difference}\n{advice}\nIf it is meant, \
         UPDATE_GOLDEN=1 writes the file anew."
    );
}

#[test]
fn the_spec_is_as_agreed() {
    compare(
        "spec.txt",
        &spec_text::of_wasm(&wasm::read("program_escrow")),
        "A line with - breaks clients that are deployed; say so in the changelog and let the \
         contract's version tell it.",
    );
}

#[test]
fn errors_are_only_appended() {
    let spec = spec_text::of_wasm(&wasm::read("program_escrow"));
    let errors: Vec<&str> = spec.lines().filter(|it| it.starts_with("error ")).collect();
    compare(
        "errors.txt",
        &(errors.join("\n") + "\n"),
        "A number is never reused and keeps its name: add new ones, leave old ones.",
    );
}

#[test]
fn the_storage_schema_is_unchanged() {
    compare(
        "storage-schema.txt",
        &storage_schema(),
        "Deployed instances hold entries in the old form, and an entry under a key that is renamed \
         looks absent: a paid key would pay again. A changed schema needs a migration, and a test \
         that upgrades from the old Wasm.",
    );
}

/// Every kind of entry that the contract writes, from real ones: tier, key and value.
fn storage_schema() -> String {
    let world = World::active();
    let admin = world.by(&world.admin);
    // Every optional value there, so that its type shows.
    admin.ok::<()>("set_guardian", args![world, Some(world.guardian.clone())]);
    let limit = OutflowLimit {
        capacity: 10_000,
        refill_per_second: 1,
        max_payout: 1_000,
    };
    admin.ok::<()>("set_outflow_limit", args![world, Some(limit)]);
    let flags = PauseFlags {
        lock: true,
        payout: false,
    };
    let reason = world.text("why");
    admin.ok::<()>("pause", args![world, world.admin, flags, reason]);
    // Its address stands in the key, so it must not depend on how many others there are.
    let delegate = ScAddress::Contract(ContractId(Hash([7; 32])));
    let delegate = Address::try_from_val(&world.env, &delegate).unwrap();
    let expires_at = world.now() + 60;
    admin.ok::<()>("set_delegate", args![world, delegate, 70i128, expires_at]);
    let until = world.env.ledger().sequence() + 10;
    admin.ok::<()>("transfer_ownership", args![world, world.stranger, until]);
    world.pay("batch", &world.addresses(2), &[0x0102, 0x0304]);
    world.pay_one("single", &world.address(), 5);
    let void = args![world, world.payout_key, world.text("void")];
    world
        .by(&world.payout_key)
        .ok::<()>("void_idempotency_key", void);
    world.by(&world.guardian).ok::<()>(
        "trip_circuit_breaker",
        args![world, world.guardian, world.text("why")],
    );

    let names = [
        ("batch", "SHA-256 of \"batch\""),
        ("single", "SHA-256 of \"single\""),
        ("void", "SHA-256 of \"void\""),
    ]
    .map(|(key, name)| (world.digest(key).to_array(), name));
    let escrow: ScAddress = (&world.id).into();
    let mut schema = String::new();
    for (key, data, _) in world.ledger() {
        let (LedgerKey::ContractData(key), LedgerEntryData::ContractData(data)) = (key, data)
        else {
            continue;
        };
        if key.contract != escrow {
            continue;
        }
        if let ScVal::ContractInstance(instance) = &data.val {
            for entry in instance.storage.iter().flat_map(|ScMap(map)| map.iter()) {
                describe(&mut schema, "instance", &entry.key, &entry.val, &names);
            }
        } else {
            let tier = match key.durability {
                ContractDataDurability::Persistent => "persistent",
                ContractDataDurability::Temporary => "temporary",
            };
            describe(&mut schema, tier, &key.key, &data.val, &names);
        }
    }
    schema
}

type Names = [([u8; 32], &'static str)];

fn describe(schema: &mut String, tier: &str, key: &ScVal, value: &ScVal, names: &Names) {
    writeln!(schema, "{tier} {}", key_text(key, names)).unwrap();
    writeln!(
        schema,
        "  key {}",
        hex(&key.to_xdr(Limits::none()).unwrap())
    )
    .unwrap();
    match value {
        ScVal::Map(Some(ScMap(map))) => {
            for field in map {
                let ScVal::Symbol(name) = &field.key else {
                    panic!("not a struct: {value:?}")
                };
                writeln!(
                    schema,
                    "  {}: {}",
                    name.to_utf8_string_lossy(),
                    kind(&field.val)
                )
                .unwrap();
            }
        }
        // A record: its bytes are its layout.
        ScVal::Bytes(bytes) => writeln!(schema, "  = {}", packed(bytes)).unwrap(),
        other => writeln!(schema, "  = {}", kind(other)).unwrap(),
    }
    schema.push('\n');
}

fn key_text(key: &ScVal, names: &Names) -> String {
    match key {
        ScVal::Vec(Some(parts)) => {
            let parts: Vec<_> = parts.iter().map(|it| key_text(it, names)).collect();
            format!("[{}]", parts.join(", "))
        }
        ScVal::Symbol(name) => format!("Symbol {}", name.to_utf8_string_lossy()),
        ScVal::Bytes(bytes) => {
            let name = names.iter().find(|(it, _)| bytes.as_slice() == it);
            name.expect("a known digest").1.to_string()
        }
        other => kind(other),
    }
}

/// Kind, ledger, id, total, fingerprint, as `idempotency::record` packs them.
fn packed(bytes: &[u8]) -> String {
    let mut rest = bytes;
    let mut parts = Vec::new();
    for size in [1, 4, 7, 16, 32] {
        if rest.is_empty() {
            break;
        }
        let (part, after) = rest.split_at(size);
        parts.push(if size == 32 {
            "(fingerprint, 32 bytes)".into()
        } else {
            hex(part)
        });
        rest = after;
    }
    assert!(rest.is_empty(), "{} bytes", bytes.len());
    parts.join(" ")
}

fn kind(value: &ScVal) -> String {
    match value {
        ScVal::Address(_) => "Address".into(),
        ScVal::String(_) => "String".into(),
        ScVal::Bool(_) => "bool".into(),
        ScVal::U32(_) => "u32".into(),
        ScVal::U64(_) => "u64".into(),
        ScVal::I128(_) => "i128".into(),
        other => panic!("a type that the schema has not had: {other:?}"),
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        write!(text, "{byte:02x}").unwrap();
    }
    text
}
