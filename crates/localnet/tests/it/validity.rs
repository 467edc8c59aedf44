//! What the network looks at before it takes a transaction in, and in which words it refuses.

use localnet::xdr::{
    Asset, DiagnosticEvent, LedgerBounds, LedgerFootprint, LedgerKey, LedgerKeyContractData, Memo,
    OperationBody, Preconditions, PreconditionsV2, ScAddress, ScVal, SequenceNumber, SignerKey,
    SorobanResources, SorobanTransactionData, SorobanTransactionDataExt, Transaction,
    TransactionEnvelope, TransactionExt, TransactionV0, TransactionV0Envelope, TransactionV0Ext,
    Uint256, VecM,
};

use crate::common::build::{
    asset, contract_transaction, payment, preconditions, time_bounds, transaction, with_sequence,
};
use crate::common::{Account, Net, Sent, decode, token};

fn pay(net: &Net, source: &Account) -> Transaction {
    transaction(
        &net.client,
        source,
        vec![payment(source, &Asset::Native, 1)],
    )
}

fn send(net: &Net, tx: &Transaction, signer: &Account) -> Sent {
    net.client.send(&net.client.sign(tx, &[signer]))
}

#[test]
fn sequence_numbers_follow_one_another() {
    let net = Net::on_demand();
    let a = net.account("a");
    let next = net.client.sequence(&a) + 1;
    for (sequence, code) in [
        (next - 1, "TxBadSeq"),
        (next + 1, "TxBadSeq"),
        (next, "none"),
    ] {
        let tx = with_sequence(&a, sequence, vec![payment(&a, &Asset::Native, 1)]);
        assert_eq!(send(&net, &tx, &a).code(), code, "sequence {sequence}");
    }
}

#[test]
fn a_minimum_sequence_lets_numbers_be_skipped() {
    let net = Net::at_once();
    let a = net.account("a");
    let current = net.client.sequence(&a);
    let skip = |minimum: i64, sequence: i64| {
        let mut tx = with_sequence(&a, sequence, vec![payment(&a, &Asset::Native, 1)]);
        tx.cond = Preconditions::V2(PreconditionsV2 {
            min_seq_num: Some(SequenceNumber(minimum)),
            ..preconditions()
        });
        send(&net, &tx, &a)
    };
    assert_eq!(skip(current + 1, current + 9).code(), "TxBadSeq");
    assert_eq!(skip(current, current + 9).status(), "PENDING");
    assert_eq!(net.client.sequence(&a), current + 9);
}

#[test]
fn time_bounds_hold() {
    let net = Net::on_demand();
    let a = net.account("a");
    let now = net.localnet.now().unwrap();
    for (bounds, code) in [
        (time_bounds(now + 1, 0), "TxTooEarly"),
        (time_bounds(0, now - 1), "TxTooLate"),
        // Two ledgers from now must still be in time.
        (time_bounds(0, now + 9), "TxTooLate"),
        (time_bounds(now, now + 10), "none"),
    ] {
        let mut tx = pay(&net, &a);
        tx.cond = bounds.clone();
        assert_eq!(send(&net, &tx, &a).code(), code, "{bounds:?} at {now}");
    }
}

#[test]
fn ledger_bounds_hold() {
    let net = Net::on_demand();
    let a = net.account("a");
    let next = net.localnet.latest_ledger().unwrap() + 1;
    for (min_ledger, max_ledger, code) in [
        (next + 1, 0, "TxTooEarly"),
        (0, next, "TxTooLate"),
        (next, next + 1, "none"),
    ] {
        let mut tx = pay(&net, &a);
        tx.cond = Preconditions::V2(PreconditionsV2 {
            ledger_bounds: Some(LedgerBounds {
                min_ledger,
                max_ledger,
            }),
            ..preconditions()
        });
        assert_eq!(
            send(&net, &tx, &a).code(),
            code,
            "{min_ledger}..{max_ledger}"
        );
    }
}

#[test]
fn minimum_age_and_gap_hold() {
    let net = Net::at_once();
    let a = net.account("a");
    send(&net, &pay(&net, &a), &a);
    let mut tx = pay(&net, &a);
    tx.cond = Preconditions::V2(PreconditionsV2 {
        min_seq_ledger_gap: 5,
        ..preconditions()
    });
    assert_eq!(send(&net, &tx, &a).code(), "TxBadMinSeqAgeOrGap");
    net.localnet.close_ledgers(5).unwrap();
    assert_eq!(send(&net, &tx, &a).status(), "PENDING");
}

#[test]
fn extra_signers_must_sign() {
    let net = Net::at_once();
    let (a, b) = (net.account("a"), net.account("b"));
    let mut tx = pay(&net, &a);
    tx.cond = Preconditions::V2(PreconditionsV2 {
        extra_signers: [SignerKey::Ed25519(Uint256(b.public()))]
            .try_into()
            .unwrap(),
        ..preconditions()
    });
    assert_eq!(send(&net, &tx, &a).code(), "TxBadAuth");
    let both = net.client.sign(&tx, &[&a, &b]);
    assert_eq!(net.client.send(&both).status(), "PENDING");
    let mut twice = pay(&net, &a);
    let signer = SignerKey::Ed25519(Uint256(b.public()));
    twice.cond = Preconditions::V2(PreconditionsV2 {
        extra_signers: [signer.clone(), signer].try_into().unwrap(),
        ..preconditions()
    });
    assert_eq!(send(&net, &twice, &a).code(), "TxMalformed");
}

#[test]
fn fees_and_sources_are_looked_at_in_order() {
    let net = Net::on_demand();
    let a = net.account("a");
    let mut cheap = pay(&net, &a);
    cheap.fee = 99;
    assert_eq!(send(&net, &cheap, &a).code(), "TxInsufficientFee");
    let nobody = Account::named("nobody");
    let tx = with_sequence(&nobody, 1, vec![payment(&a, &Asset::Native, 1)]);
    assert_eq!(send(&net, &tx, &nobody).code(), "TxNoAccount");
    let mut empty = pay(&net, &a);
    empty.operations = VecM::default();
    assert_eq!(send(&net, &empty, &a).code(), "TxMissingOperation");
    let mut rich = pay(&net, &a);
    rich.fee = u32::MAX;
    let poor = Account::named("poor");
    let open = OperationBody::CreateAccount(localnet::xdr::CreateAccountOp {
        destination: poor.id(),
        starting_balance: 20_000_000,
    });
    net.client.send(
        &net.client
            .sign(&transaction(&net.client, &a, vec![open]), &[&a]),
    );
    net.close();
    let mut tx = pay(&net, &poor);
    tx.fee = 10_000_001;
    assert_eq!(send(&net, &tx, &poor).code(), "TxInsufficientBalance");
    // An error names the fee that would have been due, though nothing was taken.
    assert_eq!(
        send(&net, &cheap_again(&net, &a), &a)
            .error()
            .unwrap()
            .fee_charged,
        100
    );
}

fn cheap_again(net: &Net, a: &Account) -> Transaction {
    let mut tx = pay(net, a);
    tx.fee = 1;
    tx
}

#[test]
fn signatures_of_another_network_or_a_changed_transaction_do_not_count() {
    let net = Net::on_demand();
    let a = net.account("a");
    let tx = pay(&net, &a);
    let elsewhere = crate::common::Client {
        network_id: [9; 32],
        ..net.client.clone()
    };
    let foreign = elsewhere.sign(&tx, &[&a]);
    assert_eq!(net.client.send(&foreign).code(), "TxBadAuth");
    let TransactionEnvelope::Tx(mut changed) = net.client.sign(&tx, &[&a]) else {
        panic!("a V1 envelope");
    };
    changed.tx.memo = Memo::Id(1);
    assert_eq!(
        net.client.send(&TransactionEnvelope::Tx(changed)).code(),
        "TxBadAuth"
    );
    assert_eq!(
        net.client.send(&net.client.sign(&tx, &[])).code(),
        "TxBadAuth"
    );
}

#[test]
fn an_old_envelope_hashes_as_a_new_one() {
    let net = Net::at_once();
    let a = net.account("a");
    let tx = pay(&net, &a);
    let TransactionEnvelope::Tx(signed) = net.client.sign(&tx, &[&a]) else {
        panic!("a V1 envelope");
    };
    let v0 = TransactionEnvelope::TxV0(TransactionV0Envelope {
        tx: TransactionV0 {
            source_account_ed25519: Uint256(a.public()),
            fee: tx.fee,
            seq_num: tx.seq_num.clone(),
            time_bounds: None,
            memo: tx.memo.clone(),
            operations: tx.operations.clone(),
            ext: TransactionV0Ext::V0,
        },
        signatures: signed.signatures,
    });
    let found = net.client.submit(&v0).succeeded();
    // The ledger has it in the present form.
    let envelope: TransactionEnvelope = decode(found.0["envelopeXdr"].as_str().unwrap());
    assert!(matches!(envelope, TransactionEnvelope::Tx(_)));
}

/// A contract call with resources that a test spoils.
fn call_with(net: &Net, spoil: impl FnOnce(&mut SorobanTransactionData)) -> Sent {
    let a = net.account("spoiler");
    let usd = asset("USD", &a);
    let contract = net.localnet.network().asset_contract(&usd);
    if net.client.entries(&[instance(&contract)]).is_empty() {
        token::deploy_on_demand(net, &a, &usd);
    }
    let body = token::call(
        &contract,
        "mint",
        vec![token::contract_address(3), token::amount(5)],
    );
    let (body, mut data, sequence) = token::simulated(&net.client, &a, body);
    spoil(&mut data);
    let tx = contract_transaction(&a, sequence, body, data);
    send(net, &tx, &a)
}

fn instance(contract: &localnet::xdr::ContractId) -> LedgerKey {
    data_key(contract, ScVal::LedgerKeyContractInstance)
}

fn data_key(contract: &localnet::xdr::ContractId, key: ScVal) -> LedgerKey {
    LedgerKey::ContractData(LedgerKeyContractData {
        contract: ScAddress::Contract(contract.clone()),
        key,
        durability: localnet::xdr::ContractDataDurability::Persistent,
    })
}

fn push(footprint: &mut LedgerFootprint, key: LedgerKey) {
    let mut keys = footprint.read_only.to_vec();
    keys.push(key);
    footprint.read_only = keys.try_into().unwrap();
}

fn complaint(sent: &Sent) -> String {
    let event: DiagnosticEvent = decode(sent.0["diagnosticEventsXdr"][0].as_str().unwrap());
    format!("{event:?}")
}

#[test]
fn a_ledger_key_may_have_250_bytes_and_not_251() {
    let net = Net::on_demand();
    let contract = localnet::xdr::ContractId(localnet::xdr::Hash([1; 32]));
    let key_of = |length: usize| data_key(&contract, token::string(&"k".repeat(length)));
    let size = |length: usize| {
        localnet::xdr::WriteXdr::to_xdr(&key_of(length), localnet::xdr::Limits::none())
            .unwrap()
            .len()
    };
    // XDR pads to four bytes: 248 is the largest size that still fits.
    let fits = (1..400).rev().find(|length| size(*length) <= 250).unwrap();
    assert_eq!((size(fits), size(fits + 1)), (248, 252));
    let sent = call_with(&net, |data| {
        data.resource_fee += 100_000;
        push(&mut data.resources.footprint, key_of(fits));
    });
    assert_eq!(sent.status(), "PENDING", "{:?}", sent.error());
    net.close();
    let sent = call_with(&net, |data| {
        data.resource_fee += 100_000;
        push(&mut data.resources.footprint, key_of(fits + 1));
    });
    assert_eq!(sent.code(), "TxSorobanInvalid");
    assert!(complaint(&sent).contains("252"), "{}", complaint(&sent));
}

#[test]
fn resources_beyond_mainnets_limits_are_invalid() {
    type Spoil = fn(&mut SorobanResources);
    let spoils: [(&str, Spoil); 4] = [
        ("instructions", |resources| {
            resources.instructions = 400_000_001;
        }),
        ("disk-read bytes", |resources| {
            resources.disk_read_bytes = 200_001;
        }),
        ("write bytes", |resources| resources.write_bytes = 132_097),
        ("duplicate", |resources| {
            let key = resources.footprint.read_write[0].clone();
            push(&mut resources.footprint, key);
        }),
    ];
    let net = Net::on_demand();
    for (text, spoil) in spoils {
        let sent = call_with(&net, |data| {
            spoil(&mut data.resources);
            data.resource_fee = 100_000_000;
        });
        assert_eq!(sent.code(), "TxSorobanInvalid", "{text}");
        assert!(complaint(&sent).contains(text), "{}", complaint(&sent));
    }
    let sent = call_with(&net, |data| {
        let contract = localnet::xdr::ContractId(localnet::xdr::Hash([1; 32]));
        let keys: Vec<_> = (0..201)
            .map(|number| data_key(&contract, ScVal::U32(number)))
            .collect();
        data.resources.footprint.read_write = keys.try_into().unwrap();
        data.resource_fee = 100_000_000;
    });
    assert_eq!(sent.code(), "TxSorobanInvalid");
    assert!(complaint(&sent).contains("201"), "{}", complaint(&sent));
}

#[test]
fn a_resource_fee_must_cover_what_is_declared_and_be_covered_itself() {
    let net = Net::on_demand();
    let sent = call_with(&net, |data| data.resource_fee = 1_000);
    assert_eq!(sent.code(), "TxSorobanInvalid");
    assert!(complaint(&sent).contains("below what the declared resources cost"));
    // A fee below the resource fee is malformed before anything else is looked at.
    let a = net.account("a");
    let mut tx = contract_transaction(
        &a,
        net.client.sequence(&a) + 1,
        token::call(
            &localnet::xdr::ContractId(localnet::xdr::Hash([1; 32])),
            "f",
            vec![],
        ),
        SorobanTransactionData {
            ext: SorobanTransactionDataExt::V0,
            resources: SorobanResources::default(),
            resource_fee: 500,
        },
    );
    tx.fee = 499;
    let sent = send(&net, &tx, &a);
    assert_eq!(sent.code(), "TxMalformed");
    assert_eq!(sent.error().unwrap().fee_charged, 0);
}

#[test]
fn operations_and_extension_belong_together() {
    let net = Net::on_demand();
    let a = net.account("a");
    let mut classic = pay(&net, &a);
    classic.ext = TransactionExt::V1(SorobanTransactionData {
        ext: SorobanTransactionDataExt::V0,
        resources: SorobanResources::default(),
        resource_fee: 0,
    });
    assert_eq!(send(&net, &classic, &a).code(), "TxMalformed");
    let contract = localnet::xdr::ContractId(localnet::xdr::Hash([1; 32]));
    let bare = transaction(&net.client, &a, vec![token::call(&contract, "f", vec![])]);
    assert_eq!(send(&net, &bare, &a).code(), "TxMalformed");
    let sent = call_with(&net, |_| {});
    assert_eq!(sent.status(), "PENDING");
}

#[test]
fn a_contract_call_carries_no_memo() {
    let net = Net::on_demand();
    let a = net.account("a");
    let contract = localnet::xdr::ContractId(localnet::xdr::Hash([1; 32]));
    let mut tx = contract_transaction(
        &a,
        net.client.sequence(&a) + 1,
        token::call(&contract, "f", vec![]),
        SorobanTransactionData {
            ext: SorobanTransactionDataExt::V0,
            resources: SorobanResources::default(),
            resource_fee: 10_000,
        },
    );
    tx.memo = Memo::Id(1);
    assert_eq!(send(&net, &tx, &a).code(), "TxSorobanInvalid");
}
