//! What a payout commits to, computed here without the host: from the XDR types and SHA-256, and
//! from the vectors that every client shares.

use std::string::String as StdString;
use std::vec::Vec as StdVec;

use serde_json::Value;
use sha2::{Digest, Sha256};
use soroban_sdk::xdr::{
    Int128Parts, Limits, ScAddress, ScBytes, ScSymbol, ScVal, ScVec, VecM, WriteXdr,
};
use soroban_sdk::{Address, BytesN, Vec};

use super::setup::{World, args};
use crate::fingerprint;
use crate::types::ProgramData;

fn vector(parts: StdVec<ScVal>) -> ScVal {
    let parts: VecM<ScVal> = parts.try_into().unwrap();
    ScVal::Vec(Some(ScVec(parts)))
}

/// The fingerprint from its definition.
pub(crate) fn expected(
    recipients: &Vec<Address>,
    amounts: &Vec<i128>,
    references: Option<&Vec<BytesN<16>>>,
) -> [u8; 32] {
    let recipients = recipients
        .iter()
        .map(|recipient| ScVal::Address(ScAddress::from(&recipient)));
    let amounts = amounts.iter().map(|amount| {
        ScVal::I128(Int128Parts {
            hi: i64::try_from(amount >> 64).unwrap(),
            lo: u64::try_from(amount & i128::from(u64::MAX)).unwrap(),
        })
    });
    let mut parts = std::vec![
        ScVal::Symbol(ScSymbol("payout".try_into().unwrap())),
        vector(recipients.collect()),
        vector(amounts.collect()),
    ];
    if let Some(references) = references {
        let references = references.iter().map(|reference| {
            ScVal::Bytes(ScBytes(reference.to_array().to_vec().try_into().unwrap()))
        });
        parts.push(vector(references.collect()));
    }
    Sha256::digest(vector(parts).to_xdr(Limits::none()).unwrap()).into()
}

struct Shared {
    name: StdString,
    recipients: Vec<Address>,
    amounts: Vec<i128>,
    references: Option<Vec<BytesN<16>>>,
    fingerprint: [u8; 32],
}

fn bytes<const N: usize>(hex: &str) -> [u8; N] {
    assert_eq!(hex.len(), 2 * N);
    std::array::from_fn(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap())
}

fn shared(world: &World) -> StdVec<Shared> {
    let texts = |value: &Value| -> Option<StdVec<StdString>> {
        let list = value.as_array()?.iter();
        Some(list.map(|text| text.as_str().unwrap().into()).collect())
    };
    let file: Value =
        serde_json::from_str(include_str!("../../../../testdata/vectors.json")).unwrap();
    let vectors = file["fingerprints"]["vectors"].as_array().unwrap().iter();
    vectors
        .map(|row| {
            let mut read = Shared {
                name: row["name"].as_str().unwrap().into(),
                recipients: Vec::new(&world.env),
                amounts: Vec::new(&world.env),
                references: None,
                fingerprint: bytes(row["fingerprint"].as_str().unwrap()),
            };
            for recipient in texts(&row["recipients"]).unwrap() {
                read.recipients
                    .push_back(Address::from_str(&world.env, &recipient));
            }
            for amount in texts(&row["amounts"]).unwrap() {
                read.amounts.push_back(amount.parse().unwrap());
            }
            if let Some(references) = texts(&row["references"]) {
                let mut list = Vec::new(&world.env);
                for reference in references {
                    list.push_back(BytesN::from_array(&world.env, &bytes(&reference)));
                }
                read.references = Some(list);
            }
            read
        })
        .collect()
}

#[test]
fn the_shared_vectors_are_what_the_contract_computes() {
    let world = World::active();
    let vectors = shared(&world);
    assert!(vectors.len() >= 6);
    for row in vectors {
        let computed = fingerprint::of(
            &world.env,
            &row.recipients,
            &row.amounts,
            row.references.as_ref(),
        );
        assert_eq!(computed.to_array(), row.fingerprint, "{}", row.name);
        let defined = expected(&row.recipients, &row.amounts, row.references.as_ref());
        assert_eq!(defined, row.fingerprint, "{}", row.name);
    }
}

#[test]
fn a_conflict_presents_the_shared_fingerprints() {
    // Nothing of it is paid, so even arguments that no payout can have are compared.
    let world = World::active();
    world.pay_one("k", &world.stranger, 7);
    for row in shared(&world) {
        let key = world.text("k");
        let payer = world.by(&world.payout_key);
        match row.references {
            None => payer.ok::<ProgramData>(
                "batch_payout_idempotent",
                args![world, key, row.recipients, row.amounts],
            ),
            Some(references) => payer.ok(
                "batch_payout_with_references",
                args![
                    world,
                    key,
                    world.payout_key,
                    row.recipients,
                    row.amounts,
                    references
                ],
            ),
        };
        let events = world.events();
        assert_eq!(events.len(), 2);
        let presented: BytesN<32> = events[1].field(&world.env, "presented").unwrap();
        assert_eq!(presented.to_array(), row.fingerprint, "{}", row.name);
    }
}

#[test]
fn every_payout_records_its_fingerprint() {
    let world = World::active();
    let recipient = world.address();
    let recipients = Vec::from_array(&world.env, [recipient.clone()]);
    let amounts = world.amounts(&[7]);
    let plain = expected(&recipients, &amounts, None);
    let referenced = expected(&recipients, &amounts, Some(&world.references(1)));
    assert_ne!(plain, referenced);
    for (row, key) in ["a", "b", "c", "d", "e"].into_iter().enumerate() {
        let (name, args) = world.payouts(key, &recipient, 7)[row].clone();
        world.by(&world.payout_key).ok::<ProgramData>(name, args);
        // A single payout and a batch of the same are one obligation.
        let fingerprint = if name == "batch_payout_with_references" {
            referenced
        } else {
            plain
        };
        let record = world.record(key).unwrap();
        assert_eq!(record.fingerprint.to_array(), fingerprint, "{name}");
    }
}

#[test]
fn everything_in_a_batch_is_committed_to() {
    let world = World::active();
    let recipients = world.addresses(2);
    let swapped = Vec::from_array(
        &world.env,
        [recipients.get_unchecked(1), recipients.get_unchecked(0)],
    );
    let references = world.references(2);
    let variants = [
        (&recipients, [1, 2], None),
        (&swapped, [1, 2], None),
        (&swapped, [2, 1], None),
        (&recipients, [2, 1], None),
        (&recipients, [1, 3], None),
        (&recipients, [1, 2], Some(references.clone())),
        (&recipients, [1, 2], Some(world.references(3).slice(1..))),
    ];
    let mut fingerprints: StdVec<_> = variants
        .iter()
        .map(|(recipients, amounts, references)| {
            let amounts = world.amounts(amounts);
            fingerprint::of(&world.env, recipients, &amounts, references.as_ref()).to_array()
        })
        .collect();
    fingerprints.sort_unstable();
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), variants.len());
}
