//! The escrow's promise on this ledger: one key pays once, whatever has been archived meanwhile.

use localnet::xdr::{
    ContractDataDurability, LedgerKey, LedgerKeyContractCode, LedgerKeyContractData, ScAddress,
    ScVal, SorobanTransactionDataExt,
};

use crate::common::build::{unsigned, with_sequence};
use crate::common::escrow::{Escrow, field};
use crate::common::{Net, token};

/// Ten years in seconds.
const TEN_YEARS: u64 = 315_360_000;

fn address(byte: u8) -> ScVal {
    token::contract_address(byte)
}

fn balance(escrow: &Escrow, holder: ScVal) -> ScVal {
    let call = token::call(&escrow.token, "balance", vec![holder]);
    let raw = unsigned(with_sequence(&escrow.admin, 1, vec![call]));
    escrow.net.client.simulate(&raw).value()
}

/// When an entry dies; 0 for what is archived.
fn live_until(escrow: &Escrow, key: LedgerKey) -> Option<u64> {
    escrow
        .net
        .client
        .entries(&[key])
        .pop()
        .and_then(|(_, live_until)| live_until)
}

#[test]
fn paid_archived_and_replayed_ten_years_later_pays_nothing() {
    let escrow = Escrow::new(Net::at_once());
    let account = &escrow.recipients(1)[0];
    // An account, whose balance never dies, and a contract, whose balance does.
    let recipients = [token::address(account), address(7)];
    let paid = token::run(
        &escrow.net.client,
        &escrow.admin,
        escrow.batch("the-key", &recipients),
    )
    .succeeded();
    let program = paid.return_value().unwrap();
    assert_eq!(field(&program, "payout_count"), ScVal::U64(1));
    assert_eq!(field(&program, "total_paid"), token::amount(2));
    let record = paid.meta().operations[0]
        .changes
        .iter()
        .find_map(|change| match change {
            localnet::xdr::LedgerEntryChange::Created(entry) => match entry.to_key() {
                LedgerKey::ContractData(data)
                    if data.contract == ScAddress::Contract(escrow.contract.clone()) =>
                {
                    Some(LedgerKey::ContractData(data))
                }
                _ => None,
            },
            _ => None,
        })
        .expect("the record of the key");

    escrow.net.localnet.advance(TEN_YEARS).unwrap();
    let instance = LedgerKey::ContractData(LedgerKeyContractData {
        contract: ScAddress::Contract(escrow.contract.clone()),
        key: ScVal::LedgerKeyContractInstance,
        durability: ContractDataDurability::Persistent,
    });
    let code = LedgerKey::ContractCode(LedgerKeyContractCode {
        hash: escrow.code.clone(),
    });
    for key in [&record, &instance, &code] {
        assert_eq!(
            live_until(&escrow, key.clone()),
            Some(0),
            "{key:?} is archived"
        );
    }

    // Simulation lists what is to be restored: record, instance and code among it.
    let (body, mut data, sequence) = token::simulated(
        &escrow.net.client,
        &escrow.admin,
        escrow.batch("the-key", &recipients),
    );
    let SorobanTransactionDataExt::V1(ext) = &data.ext else {
        panic!("nothing to restore");
    };
    let listed: Vec<_> = ext
        .archived_soroban_entries
        .iter()
        .map(|index| &data.resources.footprint.read_write[usize::try_from(*index).unwrap()])
        .collect();
    for key in [&record, &instance, &code] {
        assert!(listed.contains(&key), "{key:?} is not listed");
    }
    // Without the list nothing runs, and nothing is paid.
    let whole = data.clone();
    data.ext = SorobanTransactionDataExt::V0;
    let client = &escrow.net.client;
    let bare = token::sealed(client, &escrow.admin, sequence, body.clone(), data);
    let found = client.submit(&bare);
    assert!(format!("{:?}", found.result()).contains("EntryArchived"));
    // With it the replay is seen.
    let restored = token::sealed(client, &escrow.admin, sequence + 1, body, whole);
    let found = client.submit(&restored).succeeded();
    let program = found.return_value().unwrap();
    assert_eq!(field(&program, "payout_count"), ScVal::U64(1));
    assert_eq!(field(&program, "total_paid"), token::amount(2));
    let events = format!("{:?}", found.meta().operations[0].events);
    assert!(
        events.contains("BatPayRp") && !events.contains("transfer"),
        "{events}"
    );
    assert_eq!(balance(&escrow, token::address(account)), token::amount(1));
    assert_eq!(balance(&escrow, address(7)), token::amount(1));
    // The next key pays; the escrow's and the recipient's archived token balances come back.
    let next = escrow.batch("the-next-key", &recipients);
    let found = token::run(client, &escrow.admin, next).succeeded();
    let program = found.return_value().unwrap();
    assert_eq!(field(&program, "payout_count"), ScVal::U64(2));
    assert_eq!(balance(&escrow, address(7)), token::amount(2));
}

#[test]
fn sixteen_batches_of_sixty_accounts_fill_a_ledger() {
    let escrow = Escrow::new(Net::at_once());
    let recipients: Vec<ScVal> = escrow.recipients(60).iter().map(token::address).collect();
    let batch = escrow.batch("a-full-batch", &recipients);
    let (_, data, _) = token::simulated(&escrow.net.client, &escrow.admin, batch.clone());
    let classic = data
        .resources
        .footprint
        .read_only
        .iter()
        .chain(data.resources.footprint.read_write.iter())
        .filter(|key| matches!(key, LedgerKey::Account(_) | LedgerKey::Trustline(_)))
        .count();
    assert_eq!(1_000 / classic, 16, "{classic} disk reads a batch");
    let found = token::run(&escrow.net.client, &escrow.admin, batch).succeeded();
    assert_eq!(found.meta().operations[0].events.len(), 61);
}
