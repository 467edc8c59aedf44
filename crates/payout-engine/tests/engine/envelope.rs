//! Envelopes: what is inside, who signed, and what a node cannot slip in.

use ed25519_dalek::{Signature, VerifyingKey};
use payout_engine::envelope::{
    EnvelopeError, SecretKey, Signers, bump, draft, payout_call, record_call, record_of, sign,
    void_call,
};
use payout_engine::protocol::{Bid, Bounds, BumpRequest, Prepared, SignRequest, Signed};
use payout_engine::{Amount, Line, Payout, RecordKind};
use payout_keys::{ContractId, Fingerprint, IdempotencyKey, NetworkId, Recipient, Reference};
use sha2::{Digest, Sha256};
use stellar_xdr::{
    FeeBumpTransactionInnerTx, HashIdPreimage, HashIdPreimageSorobanAuthorization, Int128Parts,
    InvokeContractArgs, LedgerFootprint, Limits, OperationBody, Preconditions, ReadXdr, ScMap,
    ScMapEntry, ScSymbol, ScVal, SorobanAddressCredentials, SorobanAuthorizationEntry,
    SorobanAuthorizedFunction, SorobanAuthorizedInvocation, SorobanCredentials, SorobanResources,
    SorobanTransactionData, SorobanTransactionDataExt, TransactionEnvelope, TransactionExt, VecM,
    WriteXdr,
};

const CONTRACT: ContractId = ContractId([9; 32]);

fn network() -> NetworkId {
    NetworkId::from_passphrase("Standalone Network ; February 2017")
}

fn secret(n: u8) -> SecretKey {
    SecretKey::from_seed(&[n; 32])
}

fn key() -> IdempotencyKey {
    IdempotencyKey::new("p-run-1").expect("legal")
}

fn payout(lines: u8, referenced: bool) -> Payout {
    let line = |n: u8| Line {
        recipient: Recipient::Account([n; 32]),
        amount: Amount::new(i128::from(n)).expect("positive"),
        reference: referenced.then_some(Reference([n; 16])),
    };
    Payout::new((1..=lines).map(line).collect()).expect("a payout")
}

fn call() -> InvokeContractArgs {
    payout_call(CONTRACT, secret(2).address(), &key(), &payout(2, true)).expect("a call")
}

fn data() -> SorobanTransactionData {
    SorobanTransactionData {
        ext: SorobanTransactionDataExt::V0,
        resources: SorobanResources {
            footprint: LedgerFootprint {
                read_only: VecM::default(),
                read_write: VecM::default(),
            },
            instructions: 7,
            disk_read_bytes: 0,
            write_bytes: 0,
        },
        resource_fee: 1,
    }
}

fn entry(by: &SecretKey, call: InvokeContractArgs) -> SorobanAuthorizationEntry {
    let ScVal::Address(address) = payout_address(by) else {
        panic!("an address")
    };
    SorobanAuthorizationEntry {
        credentials: SorobanCredentials::Address(SorobanAddressCredentials {
            address,
            nonce: 77,
            signature_expiration_ledger: 0,
            signature: ScVal::Void,
        }),
        root_invocation: SorobanAuthorizedInvocation {
            function: SorobanAuthorizedFunction::ContractFn(call),
            sub_invocations: VecM::default(),
        },
    }
}

/// An account as an argument, taken from a call that has it.
fn payout_address(by: &SecretKey) -> ScVal {
    let call = void_call(CONTRACT, by.address(), &key()).expect("a call");
    call.args[0].clone()
}

fn request(auth: &[SorobanAuthorizationEntry]) -> SignRequest {
    SignRequest {
        bounds: Bounds {
            max_time: 1_700_000_180,
            max_ledger: 90,
            authorised_until: Some(90),
        },
        bid: Bid(250),
        resource_fee: 4_000,
        prepared: Prepared {
            transaction_data: data().to_xdr(Limits::none()).expect("xdr"),
            auth: auth
                .iter()
                .map(|entry| entry.to_xdr(Limits::none()).expect("xdr"))
                .collect(),
        },
    }
}

fn verify(public: [u8; 32], message: &[u8], signature: &[u8]) {
    let key = VerifyingKey::from_bytes(&public).expect("a key");
    let signature = Signature::from_slice(signature).expect("a signature");
    key.verify_strict(message, &signature).expect("valid");
}

fn signed_by(
    caller: &SecretKey,
    auth: &[SorobanAuthorizationEntry],
) -> Result<Signed, EnvelopeError> {
    let source = secret(1);
    let signers = Signers {
        source: &source,
        caller: Some(caller),
    };
    sign(network(), call(), &request(auth), 41, signers)
}

#[test]
fn a_signed_envelope_has_what_was_asked_for() {
    let (source, caller) = (secret(1), secret(2));
    let signed = signed_by(&caller, &[entry(&caller, call())]).expect("signed");
    assert_eq!(signed.bounds, request(&[]).bounds);
    assert_eq!((signed.sequence, signed.bid), (42, Bid(250)));
    assert_eq!(signed.source, source.address().to_string());
    let TransactionEnvelope::Tx(envelope) =
        TransactionEnvelope::from_xdr(&signed.xdr, Limits::none()).expect("xdr")
    else {
        panic!("version 1")
    };
    assert_eq!((envelope.tx.fee, envelope.tx.seq_num.0), (4_250, 42));
    let Preconditions::V2(bounds) = &envelope.tx.cond else {
        panic!("bounds")
    };
    assert_eq!(
        bounds.time_bounds.as_ref().map(|time| time.max_time.0),
        Some(1_700_000_180)
    );
    assert_eq!(
        bounds
            .ledger_bounds
            .as_ref()
            .map(|ledger| ledger.max_ledger),
        Some(90)
    );
    let TransactionExt::V1(data) = &envelope.tx.ext else {
        panic!("resources")
    };
    assert_eq!((data.resource_fee, data.resources.instructions), (4_000, 7));
    verify(
        source.public(),
        &signed.hash.0,
        envelope.signatures[0].signature.0.as_slice(),
    );

    let OperationBody::InvokeHostFunction(operation) = &envelope.tx.operations[0].body else {
        panic!("a call")
    };
    let SorobanCredentials::Address(credentials) = &operation.auth[0].credentials else {
        panic!("signed apart")
    };
    assert_eq!(
        credentials.signature_expiration_ledger, 90,
        "no later than maxLedger"
    );
    let preimage = HashIdPreimage::SorobanAuthorization(HashIdPreimageSorobanAuthorization {
        network_id: stellar_xdr::Hash(network().0),
        nonce: 77,
        signature_expiration_ledger: 90,
        invocation: operation.auth[0].root_invocation.clone(),
    });
    let payload = Sha256::digest(preimage.to_xdr(Limits::none()).expect("xdr"));
    let ScVal::Vec(Some(signatures)) = &credentials.signature else {
        panic!("a list")
    };
    let ScVal::Map(Some(fields)) = &signatures[0] else {
        panic!("a map")
    };
    let ScVal::Bytes(bytes) = &fields[1].val else {
        panic!("bytes")
    };
    verify(caller.public(), &payload, bytes.as_slice());
}

#[test]
fn nothing_is_signed_apart_where_the_source_authorises() {
    let mut own = entry(&secret(1), call());
    own.credentials = SorobanCredentials::SourceAccount;
    let signed = signed_by(&secret(2), &[own]).expect("signed");
    assert_eq!(signed.bounds.authorised_until, None);
}

#[test]
fn a_node_gets_no_signature_for_anything_else() {
    let caller = secret(2);
    let other = void_call(CONTRACT, caller.address(), &key()).expect("a call");
    let error = signed_by(&caller, &[entry(&caller, other)]);
    assert!(matches!(error, Err(EnvelopeError::OtherCall { .. })));
    let error = signed_by(&caller, &[entry(&secret(3), call())]);
    assert!(matches!(error, Err(EnvelopeError::SignatureMissing { .. })));
    // The asked call with another one below it, which the signature would cover, too.
    let mut below = entry(&caller, call());
    let sub = entry(&caller, call()).root_invocation;
    below.root_invocation.sub_invocations = vec![sub].try_into().expect("one");
    let error = signed_by(&caller, &[below]);
    assert!(matches!(error, Err(EnvelopeError::OtherCall { .. })));
}

#[test]
fn a_fee_bump_carries_the_same_inner_transaction() {
    let caller = secret(2);
    let first = signed_by(&caller, &[entry(&caller, call())]).expect("signed");
    let payer = secret(5);
    let again = |around: &Signed, bid| {
        let request = BumpRequest {
            around: around.clone(),
            bid: Bid(bid),
        };
        bump(network(), &request, &payer).expect("bumped")
    };
    let second = again(&first, 2_500);
    let third = again(&second, 25_000);
    let inner = |signed: &Signed| match TransactionEnvelope::from_xdr(&signed.xdr, Limits::none()) {
        Ok(TransactionEnvelope::TxFeeBump(bump)) => {
            verify(
                payer.public(),
                &signed.hash.0,
                bump.signatures[0].signature.0.as_slice(),
            );
            let FeeBumpTransactionInnerTx::Tx(inner) = bump.tx.inner_tx;
            (
                bump.tx.fee,
                TransactionEnvelope::Tx(inner)
                    .to_xdr(Limits::none())
                    .expect("xdr"),
            )
        }
        other => panic!("a fee bump: {other:?}"),
    };
    assert_eq!(inner(&second), (2 * 2_500 + 4_000, first.xdr.clone()));
    assert_eq!(inner(&third), (2 * 25_000 + 4_000, first.xdr.clone()));
    assert!(second.hash != third.hash && second.is_bump());
    assert_eq!((second.inner, third.inner), (first.hash, first.hash));
    assert_eq!(third.bounds, first.bounds);
}

#[test]
fn fees_beyond_a_transaction_are_typed() {
    let request = SignRequest {
        resource_fee: i64::from(u32::MAX),
        ..request(&[])
    };
    let source = secret(1);
    let signers = Signers {
        source: &source,
        caller: None,
    };
    let error = sign(network(), call(), &request, 41, signers);
    assert!(matches!(error, Err(EnvelopeError::FeeTooLarge { .. })));
    let error = sign(network(), call(), &request, i64::MAX, signers);
    assert_eq!(error, Err(EnvelopeError::SequenceEnd));
}

#[test]
fn calls_are_by_what_the_payout_is() {
    let by = secret(2).address();
    for (payout, function, arguments) in [
        (payout(2, true), "batch_payout_with_references", 5),
        (payout(1, true), "batch_payout_with_references", 5),
        (payout(1, false), "single_payout_idempotent_by", 4),
        (payout(2, false), "batch_payout_idempotent_by", 4),
    ] {
        let call = payout_call(CONTRACT, by, &key(), &payout).expect("a call");
        assert_eq!(call.function_name.0.to_string(), function);
        assert_eq!(call.args.len(), arguments);
    }
    let view = record_call(CONTRACT, &key()).expect("a call");
    assert!(draft(by, 0, view.clone()).is_ok());
    let error = draft(Recipient::Contract([1; 32]), 0, view);
    assert!(matches!(error, Err(EnvelopeError::NotAnAccount(_))));
}

fn record(kind: u32) -> ScVal {
    let field = |name: &str, val| ScMapEntry {
        key: ScVal::Symbol(ScSymbol(name.try_into().expect("short"))),
        val,
    };
    let total = Int128Parts {
        hi: 1,
        lo: u64::MAX,
    };
    let fields = vec![
        field(
            "fingerprint",
            ScVal::Bytes(stellar_xdr::ScBytes(
                [6; 32].to_vec().try_into().expect("short"),
            )),
        ),
        field("kind", ScVal::U32(kind)),
        field("ledger", ScVal::U32(12)),
        field("payout_id", ScVal::U64(3)),
        field("total_amount", ScVal::I128(total)),
    ];
    ScVal::Map(Some(ScMap(fields.try_into().expect("short"))))
}

#[test]
fn a_record_is_read_and_an_unknown_kind_never_reads_as_unused() {
    assert_eq!(record_of(&ScVal::Void), Ok(None));
    for (number, kind) in (0..).zip([
        RecordKind::Single,
        RecordKind::Batch,
        RecordKind::Imported,
        RecordKind::Voided,
    ]) {
        let read = record_of(&record(number))
            .expect("a record")
            .expect("there");
        assert_eq!((read.kind, read.payout_id, read.ledger), (kind, 3, 12));
        assert_eq!(read.fingerprint, Fingerprint([6; 32]));
        assert_eq!(read.total, (1_i128 << 64) + i128::from(u64::MAX));
    }
    assert!(record_of(&record(4)).is_err());
    assert!(record_of(&ScVal::U32(0)).is_err());
    assert!(record_of(&ScVal::Map(None)).is_err());
}

#[test]
fn a_secret_is_shown_nowhere() {
    let text = format!("{}", stellar_strkey::ed25519::PrivateKey([7; 32]));
    let key = SecretKey::from_strkey(&text).expect("a key");
    assert_eq!(format!("{key:?}"), "SecretKey(hidden)");
    let error = SecretKey::from_strkey(&text[1..]).expect_err("cut");
    assert!(!error.to_string().contains(&text[4..20]), "{error}");
}
