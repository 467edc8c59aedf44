//! What is archived is not gone: a consumed key stays consumed, whatever became of its record's
//! rent.
//!
//! The `Env` restores an archived entry by itself as soon as it is touched. The network does so only
//! for a transaction that lists the entry for restoring; that is shown here on the host as the
//! network runs it: recorded as a node's simulation does, then applied with the footprint, and the
//! entries that the network would hand in.

use std::rc::Rc;
use std::vec::Vec as StdVec;

use soroban_env_host::HostError;
use soroban_env_host::budget::Budget;
use soroban_env_host::e2e_invoke::{
    RecordingInvocationAuthMode, TtlLedgerEntryMeta, entry_size_for_rent, invoke_host_function,
    invoke_host_function_in_recording_mode,
};
use soroban_env_host::xdr::{
    ContractDataDurability, ContractEvent, ContractEventBody, HostFunction, LedgerEntry,
    LedgerEntryData, LedgerKey, Limits, ReadXdr, ScVal, SorobanAuthorizationEntry,
    SorobanResources, WriteXdr,
};
use soroban_sdk::testutils::{Address as _, Ledger as _};
use soroban_sdk::{
    Address, IntoVal, String, Symbol, TryFromVal, Val, Vec, symbol_short, token::TokenClient, vec,
};

use super::network::Ledger;
use super::scene::{Scene, TYPICAL, account_id, call};
use crate::types::{PayoutKind, ProgramData};

/// Ten years, in ledgers of five seconds.
const DECADE: u32 = 63_072_000;

/// What a transaction carries besides its operation.
struct Prepared {
    function: HostFunction,
    resources: SorobanResources,
    /// Which read-write entries it restores, by their index.
    restores: StdVec<u32>,
    auth: StdVec<SorobanAuthorizationEntry>,
}

impl Prepared {
    fn restored(&self) -> StdVec<LedgerKey> {
        let keys = &self.resources.footprint.read_write;
        let key = |index: &u32| keys[*index as usize].clone();
        self.restores.iter().map(key).collect()
    }
}

/// What a transaction did.
#[derive(Debug)]
struct Applied {
    value: ScVal,
    /// Names of all contracts' events.
    events: StdVec<std::string::String>,
    written: StdVec<(LedgerKey, LedgerEntry, Option<u32>)>,
}

/// A batch of two, paid by the payout key as the source of the transaction.
fn payment(scene: &Scene, key: &str) -> HostFunction {
    let env = &scene.env;
    let (recipients, amounts) = scene.rows(2);
    let args: Vec<Val> = vec![
        env,
        String::from_str(env, key).into_val(env),
        recipients.into_val(env),
        amounts.into_val(env),
    ];
    call(env, &scene.escrow, "batch_payout_idempotent", &args)
}

/// What a node's `simulateTransaction` records.
fn simulate(scene: &Scene, ledger: &Rc<Ledger>, function: HostFunction) -> Prepared {
    let budget = Budget::default();
    budget.reset_unlimited().unwrap();
    let recorded = invoke_host_function_in_recording_mode(
        &budget,
        false,
        &function,
        &account_id(&scene.payout_key),
        RecordingInvocationAuthMode::recording(true, false),
        scene.info(),
        ledger.clone(),
        [7; 32],
        &mut std::vec![],
    )
    .unwrap();
    recorded.invoke_result.unwrap();
    Prepared {
        function,
        resources: recorded.resources,
        restores: recorded.restored_rw_entry_indices,
        auth: recorded.auth,
    }
}

/// As the network applies it: it hands in the entries of the footprint that are alive, and those
/// that the transaction restores. An archived one that is not restored ends the transaction.
fn apply(scene: &Scene, ledger: &Ledger, prepared: &Prepared) -> Result<Applied, HostError> {
    let info = scene.info();
    let budget = Budget::default();
    budget.reset_unlimited().unwrap();
    let restored = prepared.restored();
    let footprint = &prepared.resources.footprint;
    let hand_in = |key: &LedgerKey| {
        let Some((entry, live_until)) = ledger.0.get(key) else {
            return (None, None);
        };
        let dead = live_until.is_some_and(|it| it < info.sequence_number);
        if dead && is_temporary(key) {
            return (None, None);
        }
        let encoded = entry.to_xdr(Limits::none()).unwrap();
        let size = u32::try_from(encoded.len()).unwrap();
        let size = entry_size_for_rent(&budget, entry, size).unwrap();
        let meta = live_until.map(|live_until| TtlLedgerEntryMeta {
            live_until_ledger: if restored.contains(key) {
                info.sequence_number + info.min_persistent_entry_ttl - 1
            } else {
                live_until
            },
            entry_size_for_rent: size,
        });
        (Some(encoded), meta)
    };
    let entries: StdVec<_> = footprint
        .read_only
        .iter()
        .chain(footprint.read_write.iter())
        .map(hand_in)
        .collect();
    let encode = |auth: &SorobanAuthorizationEntry| auth.to_xdr(Limits::none()).unwrap();
    let auth: StdVec<_> = prepared.auth.iter().map(encode).collect();
    let result = invoke_host_function(
        &budget,
        false,
        prepared.function.to_xdr(Limits::none()).unwrap(),
        prepared.resources.to_xdr(Limits::none()).unwrap(),
        &prepared.restores,
        account_id(&scene.payout_key)
            .to_xdr(Limits::none())
            .unwrap(),
        auth.into_iter(),
        info,
        entries.into_iter(),
        std::vec![7; 32],
        &mut std::vec![],
        None,
        None,
    )?;
    let value = ScVal::from_xdr(result.encoded_invoke_result?, Limits::none()).unwrap();
    let name = |event: &StdVec<u8>| {
        let event = ContractEvent::from_xdr(event, Limits::none()).unwrap();
        let ContractEventBody::V0(body) = event.body;
        match &body.topics[0] {
            ScVal::Symbol(name) => name.to_utf8_string().unwrap(),
            other => panic!("not a symbol: {other:?}"),
        }
    };
    let written = result.ledger_changes.iter().filter_map(|change| {
        let entry = change.encoded_new_value.as_ref()?;
        let live_until = change.ttl_change.as_ref();
        Some((
            LedgerKey::from_xdr(&change.encoded_key, Limits::none()).unwrap(),
            LedgerEntry::from_xdr(entry, Limits::none()).unwrap(),
            live_until.map(|change| change.new_live_until_ledger),
        ))
    });
    Ok(Applied {
        value,
        events: result.encoded_contract_events.iter().map(name).collect(),
        written: written.collect(),
    })
}

fn is_temporary(key: &LedgerKey) -> bool {
    matches!(key, LedgerKey::ContractData(data)
        if data.durability == ContractDataDurability::Temporary)
}

/// Whether this is the escrow's entry under a key that contains `part`.
fn holds(scene: &Scene, key: &LedgerKey, part: &ScVal) -> bool {
    let LedgerKey::ContractData(data) = key else {
        return false;
    };
    data.contract == (&scene.escrow).into()
        && match &data.key {
            ScVal::Vec(Some(parts)) => parts.contains(part),
            key => key == part,
        }
}

fn symbol(name: &str) -> ScVal {
    ScVal::Symbol(name.try_into().unwrap())
}

/// The ledger ten years later, where only what `archived` says was left to be archived.
fn decade_later(scene: &Scene, archived: impl Fn(&LedgerKey) -> bool) -> Rc<Ledger> {
    scene.env.ledger().with_mut(|ledger| {
        ledger.sequence_number += DECADE;
        ledger.timestamp += u64::from(DECADE) * 5;
    });
    let mut ledger = scene.ledger();
    let now = scene.info().sequence_number;
    for (key, (_, live_until)) in &mut Rc::get_mut(&mut ledger).unwrap().0 {
        if live_until.is_some() && !is_temporary(key) && !archived(key) {
            *live_until = Some(now + 1_000_000);
        }
    }
    ledger
}

/// A replay: nothing was paid, and what is left is what was left.
fn require_replay(scene: &Scene, applied: &Applied) {
    assert_eq!(applied.events, ["BatPayRp"]);
    let value = Val::try_from_val(&scene.env, &applied.value).unwrap();
    let program = ProgramData::try_from_val(&scene.env, &value).unwrap();
    assert_eq!(program, scene.client().get_program());
    for (key, entry, _) in &applied.written {
        // Restored as they were; balances are the token's own, and none of them changed.
        if let LedgerEntryData::ContractData(data) = &entry.data {
            let before = &scene.ledger().0[key].0.data;
            let LedgerEntryData::ContractData(before) = before else {
                panic!("another entry: {before:?}")
            };
            assert_eq!(data.val, before.val, "{key:?}");
        }
    }
}

fn pay(scene: &Scene, key: &str) {
    let (recipients, amounts) = scene.rows(2);
    let key = String::from_str(&scene.env, key);
    scene
        .client()
        .batch_payout_idempotent(&key, &recipients, &amounts);
}

#[test]
fn an_archived_record_is_listed_for_restoring_and_answers_as_a_replay() {
    let scene = Scene::new(TYPICAL);
    pay(&scene, "k");
    let record = symbol("IdempotencyKey");
    let ledger = decade_later(&scene, |key| holds(&scene, key, &record));

    let prepared = simulate(&scene, &ledger, payment(&scene, "k"));
    let restored = prepared.restored();
    assert_eq!(restored.len(), 1);
    assert!(holds(&scene, &restored[0], &record));

    let applied = apply(&scene, &ledger, &prepared).unwrap();
    require_replay(&scene, &applied);
    let (_, _, live_until) = applied
        .written
        .iter()
        .find(|(key, ..)| holds(&scene, key, &record))
        .unwrap();
    let info = scene.info();
    let shortest = info.sequence_number + info.min_persistent_entry_ttl - 1;
    assert_eq!(*live_until, Some(shortest));
}

#[test]
fn without_restoring_it_the_transaction_fails() {
    let scene = Scene::new(TYPICAL);
    pay(&scene, "k");
    let record = symbol("IdempotencyKey");
    let ledger = decade_later(&scene, |key| holds(&scene, key, &record));

    let mut prepared = simulate(&scene, &ledger, payment(&scene, "k"));
    prepared.restores.clear();
    apply(&scene, &ledger, &prepared).unwrap_err();
}

#[test]
fn an_envelope_signed_before_the_payout_cannot_create_the_archived_key_anew() {
    let scene = Scene::new(TYPICAL);
    // Signed while the key was unused: its footprint writes the record and restores nothing.
    let early = simulate(&scene, &scene.ledger(), payment(&scene, "k"));
    assert!(early.restores.is_empty());
    let fresh = apply(&scene, &scene.ledger(), &early).unwrap();
    assert_eq!(fresh.events, ["transfer", "transfer", "BatchPay"]);

    // Another envelope was faster. Applied soon after, the early one answers as a replay …
    pay(&scene, "k");
    require_replay(&scene, &apply(&scene, &scene.ledger(), &early).unwrap());

    // … and after the record was archived it fails.
    let record = symbol("IdempotencyKey");
    let ledger = decade_later(&scene, |key| holds(&scene, key, &record));
    apply(&scene, &ledger, &early).unwrap_err();
}

#[test]
fn a_program_archived_whole_answers_as_a_replay_too() {
    let scene = Scene::new(TYPICAL);
    pay(&scene, "k");
    let ledger = decade_later(&scene, |_| true);

    let prepared = simulate(&scene, &ledger, payment(&scene, "k"));
    let restored = prepared.restored();
    // Code, the escrow's instance, the record.
    assert_eq!(restored.len(), 3, "{restored:?}");
    assert!(
        restored
            .iter()
            .any(|key| matches!(key, LedgerKey::ContractCode(_)))
    );
    assert!(
        restored
            .iter()
            .any(|key| holds(&scene, key, &ScVal::LedgerKeyContractInstance))
    );
    require_replay(&scene, &apply(&scene, &ledger, &prepared).unwrap());

    // Each of them is needed.
    for missing in 0..3 {
        let mut prepared = simulate(&scene, &ledger, payment(&scene, "k"));
        prepared.restores.remove(missing);
        apply(&scene, &ledger, &prepared).unwrap_err();
    }
}

#[test]
fn archived_entries_of_the_earlier_layout_still_block() {
    let scene = Scene::new(TYPICAL);
    let env = &scene.env;
    let text = |key: &str| String::from_str(env, key);
    env.as_contract(&scene.escrow, || {
        let single = Symbol::new(env, "PayoutIdempotency");
        let persistent = env.storage().persistent();
        persistent.set(&(single, text("old-single")), &true);
        persistent.set(&symbol_short!("PayIdem"), &vec![env, text("old-batch")]);
    });
    let names = [symbol("PayoutIdempotency"), symbol("PayIdem")];
    let ledger = decade_later(&scene, |key| {
        names.iter().any(|name| holds(&scene, key, name))
    });

    for (key, name) in ["old-single", "old-batch"].into_iter().zip(&names) {
        let mut prepared = simulate(&scene, &ledger, payment(&scene, key));
        let restored = prepared.restored();
        assert_eq!(restored.len(), 1, "{key}");
        assert!(holds(&scene, &restored[0], name));
        require_replay(&scene, &apply(&scene, &ledger, &prepared).unwrap());
        prepared.restores.clear();
        apply(&scene, &ledger, &prepared).unwrap_err();
    }
}

#[test]
fn in_the_test_host_everything_comes_back_by_itself_and_nothing_is_paid() {
    let scene = Scene::new(TYPICAL);
    let env = &scene.env;
    pay(&scene, "k");
    let client = scene.client();
    let key = String::from_str(env, "k");
    let record = client.get_idempotency_record(&key);
    let program = client.get_program();
    env.ledger().with_mut(|ledger| {
        ledger.sequence_number += DECADE;
        ledger.timestamp += u64::from(DECADE) * 5;
    });

    pay(&scene, "k");

    assert_eq!(client.get_program(), program);
    assert_eq!(client.get_idempotency_record(&key), record);
    assert_eq!(record.unwrap().kind, PayoutKind::Batch);
    let token = TokenClient::new(env, &scene.token);
    let (recipients, amounts) = scene.rows(2);
    for (recipient, amount) in recipients.iter().zip(amounts.iter()) {
        assert_eq!(token.balance(&recipient), amount);
    }
    assert_eq!(token.balance(&scene.escrow), program.remaining_balance);
}

#[test]
fn an_archived_delegate_has_what_it_had() {
    let scene = Scene::new(TYPICAL);
    let env = &scene.env;
    let client = scene.client();
    let delegate = Address::generate(env);
    let (recipients, amounts) = scene.rows(1);
    let amount = amounts.get_unchecked(0);
    let expires_at = env.ledger().timestamp() + 315_360_000;
    client.set_delegate(&delegate, &(amount * 2), &expires_at);
    client.batch_payout_idempotent_by(
        &String::from_str(env, "before"),
        &delegate,
        &recipients,
        &amounts,
    );

    // Archived, a year before it expires.
    env.ledger().with_mut(|ledger| {
        ledger.sequence_number += DECADE / 10 * 9;
        ledger.timestamp += 315_360_000 / 10 * 9;
    });

    client.batch_payout_idempotent_by(
        &String::from_str(env, "after"),
        &delegate,
        &recipients,
        &amounts,
    );
    assert_eq!(client.get_delegate(&delegate).unwrap().allowance, 0);
    let more = client.try_batch_payout_idempotent_by(
        &String::from_str(env, "more"),
        &delegate,
        &recipients,
        &amounts,
    );
    let refused = crate::Error::DelegateAllowanceExceeded as u32;
    assert_eq!(
        more.unwrap_err().unwrap(),
        soroban_sdk::Error::from_contract_error(refused)
    );
}
