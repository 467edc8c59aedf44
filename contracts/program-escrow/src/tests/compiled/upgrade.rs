//! What becomes of stored entries when an upgrade changes the code: every test starts from the
//! deployed Wasm, with history, and upgrades to a variant of it
//! (`contracts/program-escrow/test-contracts`).

use std::collections::BTreeMap;
use std::format;
use std::string::String as StdString;
use std::vec::Vec as StdVec;

use soroban_sdk::testutils::{Address as _, Events as _};
use soroban_sdk::token::TokenClient;
use soroban_sdk::{
    Address, BytesN, Env, Error as HostError, InvokeError, String, Symbol, TryFromVal, Val, Vec,
    symbol_short, vec,
};

use super::scene::{Scene, TYPICAL};
use crate::contract::ProgramEscrowClient;
use crate::error::Error;
use crate::tests::{spec_text, wasm};
use crate::types::{
    CircuitBreaker, Delegate, IdempotencyRecord, OutflowLimit, PayoutKind, ProgramData,
};

/// A program with history: three paid keys, one void, a delegate, an outflow bucket half full, and
/// twenty keys of the earlier layout, ten of which are migrated.
struct Veteran {
    scene: Scene,
    delegate: Address,
}

/// Everything that callers can see of it.
#[derive(Clone, Debug, PartialEq)]
struct View {
    program: ProgramData,
    breaker: CircuitBreaker,
    limit: Option<OutflowLimit>,
    delegate: Option<Delegate>,
    keys: BTreeMap<StdString, (bool, Option<IdempotencyRecord>)>,
}

const PAID: [&str; 3] = ["paid-1", "paid-2", "paid-3"];
const VOID: &str = "void";

fn legacy_keys() -> StdVec<StdString> {
    (0..20)
        .map(|number| format!("legacy-{number:02}"))
        .collect()
}

impl Veteran {
    fn new() -> Self {
        let scene = Scene::new(TYPICAL);
        let env = &scene.env;
        let client = scene.client();
        let mut old = Vec::new(env);
        for key in legacy_keys() {
            old.push_back(String::from_str(env, &key));
        }
        env.as_contract(&scene.escrow, || {
            let persistent = env.storage().persistent();
            persistent.set(&symbol_short!("PayIdem"), &old);
        });
        assert_eq!(client.migrate_legacy_keys(&10), 10);
        let (recipients, amounts) = scene.rows(2);
        let each: i128 = amounts.iter().sum();
        client.set_outflow_limit(&Some(OutflowLimit {
            capacity: each * 6,
            refill_per_second: 1,
            max_payout: each,
        }));
        let delegate = Address::generate(env);
        let expires_at = env.ledger().timestamp() + 86_400;
        client.set_delegate(&delegate, &(each * 2), &expires_at);
        let key = |key: &str| String::from_str(env, key);
        for name in &PAID[..2] {
            client.batch_payout_idempotent(&key(name), &recipients, &amounts);
        }
        let third = key(PAID[2]);
        client.batch_payout_idempotent_by(&third, &delegate, &recipients, &amounts);
        client.void_idempotency_key(&scene.payout_key, &key(VOID));
        let bucket = client.get_circuit_breaker().available;
        assert_eq!(bucket, Some(each * 3), "half used");
        Self { scene, delegate }
    }

    fn env(&self) -> &Env {
        &self.scene.env
    }

    fn client(&self) -> ProgramEscrowClient<'_> {
        self.scene.client()
    }

    fn text(&self, text: &str) -> String {
        String::from_str(self.env(), text)
    }

    /// All 24 keys.
    fn keys() -> StdVec<StdString> {
        let mut keys = legacy_keys();
        keys.extend(PAID.iter().chain([&VOID]).map(|key| StdString::from(*key)));
        keys
    }

    fn view(&self) -> View {
        let client = self.client();
        let views = |key: StdString| {
            let text = self.text(&key);
            let processed = client.is_payout_processed(&text);
            (key, (processed, client.get_idempotency_record(&text)))
        };
        View {
            program: client.get_program(),
            breaker: client.get_circuit_breaker(),
            limit: client.get_outflow_limit(),
            delegate: client.get_delegate(&self.delegate),
            keys: Self::keys().into_iter().map(views).collect(),
        }
    }

    /// Uploads and upgrades.
    fn upgrade(&self, name: &str) {
        let wasm = wasm::read(name);
        let hash = self.env().deployer().upload_contract_wasm(wasm.as_slice());
        self.client().upgrade(&hash, &self.scene.admin);
    }

    /// Balances of the two recipients and of the escrow.
    fn balances(&self) -> [i128; 3] {
        let token = TokenClient::new(self.env(), &self.scene.token);
        let (recipients, _) = self.scene.rows(2);
        [
            token.balance(&recipients.get_unchecked(0)),
            token.balance(&recipients.get_unchecked(1)),
            token.balance(&self.scene.escrow),
        ]
    }

    fn pay(&self, key: &str) -> Result<(), InvokeError> {
        let (recipients, amounts) = self.scene.rows(2);
        let client = self.client();
        match client.try_batch_payout_idempotent(&self.text(key), &recipients, &amounts) {
            Ok(program) => {
                program.unwrap();
                Ok(())
            }
            Err(Ok(error)) => Err(InvokeError::from(error)),
            Err(Err(error)) => Err(error),
        }
    }

    fn event_names(&self) -> StdVec<Symbol> {
        let events = self.env().events().all();
        let events = events.filter_by_contract(&self.scene.escrow);
        let name = |event: &soroban_sdk::xdr::ContractEvent| {
            let soroban_sdk::xdr::ContractEventBody::V0(body) = &event.body;
            let name = Val::try_from_val(self.env(), &body.topics[0]).unwrap();
            Symbol::try_from_val(self.env(), &name).unwrap()
        };
        events.events().iter().map(name).collect()
    }
}

/// (a) A field that is required and missing traps: nothing is paid, but nothing can be repaired
/// either, because the upgrade back traps as well.
#[test]
fn a_new_field_of_the_program_makes_the_instance_unreadable_and_pays_nothing() {
    let veteran = Veteran::new();
    let balances = veteran.balances();
    veteran.upgrade("extra_field");

    for key in [PAID[0], "legacy-00", "fresh"] {
        // A trap, not an error of the registry.
        assert_eq!(veteran.pay(key), Err(InvokeError::Abort), "{key}");
    }
    assert!(veteran.client().try_get_program().is_err());
    let back = wasm::read("program_escrow");
    let back = veteran
        .env()
        .deployer()
        .upload_contract_wasm(back.as_slice());
    assert!(
        veteran
            .client()
            .try_upgrade(&back, &veteran.scene.admin)
            .is_err()
    );
    assert_eq!(veteran.balances(), balances);
}

/// (b) The double payment that the golden file of the storage schema exists for. Shown once: under
/// another name every record looks absent.
#[test]
fn a_renamed_ledger_key_pays_a_second_time() {
    let veteran = Veteran::new();
    veteran.pay(PAID[0]).unwrap();
    assert_eq!(
        veteran.event_names(),
        [Symbol::new(veteran.env(), "BatPayRp")]
    );
    let [first, second, _] = veteran.balances();
    veteran.upgrade("renamed_key");

    let key = veteran.text(PAID[0]);
    assert!(!veteran.client().is_payout_processed(&key));
    veteran.pay(PAID[0]).unwrap();

    let (_, amounts) = veteran.scene.rows(2);
    let [again_first, again_second, _] = veteran.balances();
    assert_eq!(again_first, first + amounts.get_unchecked(0));
    assert_eq!(again_second, second + amounts.get_unchecked(1));
}

/// (c) What `scripts/check-upgrade.sh` refuses before anything is uploaded.
#[test]
fn the_upgrade_check_refuses_what_takes_something_away() {
    let spec = |name: &str| spec_text::of_wasm(&wasm::read(name));
    let deployed = spec("program_escrow");
    assert_eq!(
        spec_text::missing(&deployed, &spec("no_upgrade")),
        ["fn upgrade(new_wasm_hash: BytesN<32>, operator: Address) -> ()"]
    );
    let extra = spec("extra_field");
    let changed = spec_text::missing(&deployed, &extra);
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert!(changed[0].starts_with("struct ProgramData "));
    // Ledger keys are in no spec: only the golden file of the storage schema stops this one.
    assert!(spec_text::missing(&deployed, &spec("renamed_key")).is_empty());
    assert!(spec_text::missing(&deployed, &spec("v2")).is_empty());
}

/// (d)
#[test]
fn an_upgrade_to_code_that_nobody_uploaded_changes_nothing() {
    let veteran = Veteran::new();
    let view = veteran.view();
    let hash = BytesN::from_array(veteran.env(), &[9; 32]);

    let upgraded = veteran.client().try_upgrade(&hash, &veteran.scene.admin);
    assert!(upgraded.is_err());

    assert_eq!(veteran.view(), view);
    veteran.pay(PAID[0]).unwrap();
    assert_eq!(veteran.view(), view);
}

/// (e)
#[test]
fn after_a_correct_upgrade_every_key_behaves_as_before() {
    let veteran = Veteran::new();
    let view = veteran.view();
    let balances = veteran.balances();
    veteran.upgrade("v2");

    // No constructor has run, and the new optional entry is absent.
    let note: Option<String> = veteran.env().invoke_contract(
        &veteran.scene.escrow,
        &Symbol::new(veteran.env(), "note"),
        vec![veteran.env()],
    );
    assert_eq!(note, None);
    assert_eq!(veteran.view(), view);
    for key in PAID.into_iter().map(StdString::from).chain(legacy_keys()) {
        veteran.pay(&key).unwrap();
        let names = veteran.event_names();
        assert_eq!(names, [Symbol::new(veteran.env(), "BatPayRp")], "{key}");
    }
    let voided = InvokeError::Contract(Error::KeyVoided as u32);
    assert_eq!(veteran.pay(VOID), Err(voided));
    assert_eq!(veteran.view(), view);
    assert_eq!(veteran.balances(), balances);

    // It goes on where it was: the bucket, the delegate, the migration, the ids.
    assert_eq!(veteran.client().migrate_legacy_keys(&30), 0);
    let migrated = veteran.text("legacy-00");
    let record = veteran.client().get_idempotency_record(&migrated).unwrap();
    assert_eq!(record.kind, PayoutKind::Imported);
    let (recipients, amounts) = veteran.scene.rows(2);
    let total: i128 = amounts.iter().sum();
    let program = veteran.client().batch_payout_idempotent_by(
        &veteran.text("fresh"),
        &veteran.delegate,
        &recipients,
        &amounts,
    );
    assert_eq!(program.payout_count, 4);
    let delegate = veteran.client().get_delegate(&veteran.delegate).unwrap();
    assert_eq!(delegate.allowance, 0);
    let bucket = veteran.client().get_circuit_breaker().available;
    assert_eq!(bucket, Some(total * 2));
}

#[test]
fn the_old_admin_cannot_upgrade_after_the_new_one_accepted() {
    let veteran = Veteran::new();
    let env = veteran.env();
    let client = veteran.client();
    let old = &veteran.scene.admin;
    let new = Address::generate(env);
    client.transfer_ownership(&new, &(env.ledger().sequence() + 100));
    // Proposed is not accepted.
    let wasm = wasm::read("v2");
    let hash = env.deployer().upload_contract_wasm(wasm.as_slice());
    let refused = HostError::from_contract_error(Error::Unauthorized as u32);
    let early = client.try_upgrade(&hash, &new);
    assert_eq!(early.unwrap_err().unwrap(), refused);

    client.accept_ownership();

    let late = client.try_upgrade(&hash, old);
    assert_eq!(late.unwrap_err().unwrap(), refused);
    // Naming the new one does not help who cannot sign for it.
    env.set_auths(&[]);
    assert!(client.try_upgrade(&hash, &new).is_err());
    env.mock_all_auths();
    client.upgrade(&hash, &new);
}
