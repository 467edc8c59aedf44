//! What rent is counted on: the forms in which a record could be stored, and what has to be kept
//! alive. `docs/adr/0003-no-ttl-extension.md`, `docs/adr/0006-packed-records.md` and
//! `docs/costs.md` quote the numbers.

use soroban_env_host::budget::Budget;
use soroban_env_host::e2e_invoke::entry_size_for_rent;
use soroban_env_host::fees::{LedgerEntryRentChange, compute_rent_fee};
use soroban_env_host::xdr::{
    ContractDataDurability, ContractDataEntry, ContractId, ExtensionPoint, Hash, Int128Parts,
    LedgerEntry, LedgerEntryData, LedgerEntryExt, LedgerKey, Limits, ScAddress, ScMap, ScVal,
    ScVec, WriteXdr,
};

use super::network::RENT;
use super::scene::{Scene, TYPICAL};

/// 120 days of ledgers, five seconds each: mainnet's first lifetime of a persistent entry.
const LIFETIME: u32 = 2_073_600;

fn symbol(name: &str) -> ScVal {
    ScVal::Symbol(name.try_into().unwrap())
}

fn bytes(length: usize) -> ScVal {
    ScVal::Bytes(std::vec![0xa5; length].try_into().unwrap())
}

fn size(entry: &LedgerEntry) -> u32 {
    let xdr = entry.to_xdr(Limits::none()).unwrap().len();
    entry_size_for_rent(&Budget::default(), entry, u32::try_from(xdr).unwrap()).unwrap()
}

/// Bytes of a record's entry around this value.
fn record_size(val: ScVal) -> u32 {
    let key = ScVec(
        [symbol("IdempotencyKey"), bytes(32)]
            .to_vec()
            .try_into()
            .unwrap(),
    );
    size(&LedgerEntry {
        last_modified_ledger_seq: 1,
        data: LedgerEntryData::ContractData(ContractDataEntry {
            ext: ExtensionPoint::V0,
            contract: ScAddress::Contract(ContractId(Hash([0; 32]))),
            key: ScVal::Vec(Some(key)),
            durability: ContractDataDurability::Persistent,
            val,
        }),
        ext: LedgerEntryExt::V0,
    })
}

/// Stroops for one entry of this size over [`LIFETIME`], the write of its lifetime included.
fn rent(size: u32, is_code_entry: bool) -> i64 {
    let change = LedgerEntryRentChange {
        is_persistent: true,
        is_code_entry,
        old_size_bytes: size,
        new_size_bytes: size,
        old_live_until_ledger: LIFETIME,
        new_live_until_ledger: 2 * LIFETIME,
    };
    compute_rent_fee(&[change], &RENT, LIFETIME)
}

#[test]
fn a_packed_record_is_the_smallest_form() {
    let fields = [
        ("fingerprint", bytes(32)),
        ("kind", ScVal::U32(1)),
        ("ledger", ScVal::U32(1)),
        ("payout_id", ScVal::U64(1)),
        ("total_amount", ScVal::I128(Int128Parts { hi: 0, lo: 1 })),
    ];
    let named = fields.clone().map(|(name, value)| (symbol(name), value));
    let named = ScVal::Map(Some(ScMap::sorted_from(named).unwrap()));
    let tuple = fields.map(|(_, value)| value).to_vec().try_into().unwrap();
    let tuple = ScVal::Vec(Some(ScVec(tuple)));

    let sizes = [ScVal::Void, bytes(5), bytes(60), tuple, named].map(record_size);

    // Nothing, a void or import, a payout; a payout as tuple, with named fields.
    assert_eq!(sizes, [136, 148, 200, 232, 320]);
}

#[test]
fn keeping_the_code_alive_costs_more_than_a_payout() {
    let scene = Scene::new(TYPICAL);
    let ledger = scene.ledger();
    let entry = |wanted: &dyn Fn(&LedgerKey) -> bool| {
        let (_, (entry, _)) = ledger.0.iter().find(|(key, _)| wanted(key)).unwrap();
        entry.clone()
    };
    let escrow: ScAddress = (&scene.escrow).into();
    let instance = size(&entry(&|key| {
        matches!(key, LedgerKey::ContractData(data)
            if data.contract == escrow && data.key == ScVal::LedgerKeyContractInstance)
    }));
    let code = size(&entry(&|key| matches!(key, LedgerKey::ContractCode(_))));

    std::println!(
        "120 days: instance of {instance} bytes {}, code of {code} bytes {}, a record {}",
        rent(instance, false),
        rent(code, true),
        rent(200, false)
    );
    assert!(rent(code, true) > 20 * rent(200, false));
}
