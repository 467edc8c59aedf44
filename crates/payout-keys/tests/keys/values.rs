//! Values that are legal, and as awkward as legal values can be.

use payout_keys::{
    ContractId, Deployment, IdempotencyKey, KeyForm, NetworkId, ProgramId, Recipient, RowId,
    RunName,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Pieces from which program ids are put together that look like parts of keys.
const PIECES: [&str; 24] = [
    "a",
    "-",
    ".",
    "_",
    "Z",
    "0",
    "--",
    "single",
    "batch",
    "run",
    "gw",
    "-single-",
    "-batch-",
    "-run-",
    "-gw-",
    "GABC1234",
    "3r",
    "-1r-",
    "0123456789abcdef",
    "GABC1234-0123456789abcdef",
    "r-",
    "4",
    "550e8400",
    "-41d4-",
];

pub(crate) fn program() -> impl Strategy<Value = ProgramId> {
    let plain = "[A-Za-z0-9._-]{1,64}";
    let looks_like_keys = vec(select(PIECES.as_slice()), 1..12).prop_map(|pieces| {
        let mut id = pieces.concat();
        id.truncate(ProgramId::MAX_LEN);
        id
    });
    prop_oneof![plain, looks_like_keys].prop_map(|id| ProgramId::new(&id).unwrap())
}

pub(crate) fn recipient() -> impl Strategy<Value = Recipient> {
    prop_oneof![
        any::<[u8; 32]>().prop_map(Recipient::Account),
        any::<[u8; 32]>().prop_map(Recipient::Contract),
    ]
}

pub(crate) fn deployment() -> impl Strategy<Value = Deployment> {
    any::<([u8; 32], [u8; 32])>().prop_map(|(network, contract)| Deployment {
        network: NetworkId(network),
        contract: ContractId(contract),
    })
}

pub(crate) fn key() -> impl Strategy<Value = IdempotencyKey> {
    "[!-~]{1,256}".prop_map(|key| IdempotencyKey::new(&key).unwrap())
}

pub(crate) fn run() -> impl Strategy<Value = RunName> {
    "[a-z0-9][a-z0-9._-]{0,63}".prop_map(|name| RunName::new(&name).unwrap())
}

pub(crate) fn row() -> impl Strategy<Value = RowId> {
    // Normalising may lengthen, so the limit is kept by a filter.
    "\\PC{1,60}".prop_filter_map("too long or blank", |cell| RowId::from_cell(&cell).ok())
}

/// Forms of random keys.
pub(crate) fn random_form() -> impl Strategy<Value = KeyForm> {
    let prefix = || recipient().prop_map(|recipient| recipient.prefix());
    let count = prop_oneof![1..100_u32, 1..=u32::MAX];
    prop_oneof![
        (program(), prefix(), any::<[u8; 8]>()).prop_map(|(program, recipient, nonce)| {
            KeyForm::Single {
                program,
                recipient,
                nonce,
            }
        }),
        (program(), prefix(), count, any::<[u8; 8]>()).prop_map(
            |(program, recipient, count, nonce)| {
                KeyForm::Batch {
                    program,
                    recipient,
                    count: count.try_into().unwrap(),
                    nonce,
                }
            }
        ),
    ]
}

/// Forms of keys that name a program.
pub(crate) fn form() -> impl Strategy<Value = KeyForm> {
    let parts = || (program(), any::<[u8; 32]>());
    prop_oneof![
        random_form(),
        parts().prop_map(|(program, digest)| KeyForm::Run { program, digest }),
        parts().prop_map(|(program, digest)| KeyForm::Gateway { program, digest }),
    ]
}

/// `form` of `program` instead.
pub(crate) fn renamed(form: KeyForm, program: ProgramId) -> KeyForm {
    match form {
        KeyForm::Single {
            recipient, nonce, ..
        } => KeyForm::Single {
            program,
            recipient,
            nonce,
        },
        KeyForm::Batch {
            recipient,
            count,
            nonce,
            ..
        } => KeyForm::Batch {
            program,
            recipient,
            count,
            nonce,
        },
        KeyForm::Run { digest, .. } => KeyForm::Run { program, digest },
        KeyForm::Gateway { digest, .. } => KeyForm::Gateway { program, digest },
        nameless => nameless,
    }
}
