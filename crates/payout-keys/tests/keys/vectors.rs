//! The vectors that every implementation shares: `testdata/vectors.json`, computed apart from this
//! crate.

use payout_keys::{
    ContractId, Deployment, Entropy, EntropyError, Error, Fingerprint, IdempotencyKey, KeyForm,
    KeyGenerator, NetworkId, ProgramId, Recipient, RecipientPrefix, Reference, RowId, RunName,
    gateway_key, run_key,
};
use serde_json::Value;

fn file() -> Value {
    serde_json::from_str(include_str!("../../../../testdata/vectors.json")).unwrap()
}

fn rows<'a>(file: &'a Value, path: &str) -> &'a [Value] {
    let rows = file.pointer(path).and_then(Value::as_array).expect(path);
    assert!(!rows.is_empty(), "{path}");
    rows
}

fn text<'a>(row: &'a Value, field: &str) -> &'a str {
    row[field]
        .as_str()
        .unwrap_or_else(|| panic!("{field} of {row}"))
}

fn number(row: &Value, field: &str) -> u32 {
    row[field]
        .as_u64()
        .and_then(|number| number.try_into().ok())
        .unwrap_or_else(|| panic!("{field} of {row}"))
}

fn bytes<const N: usize>(row: &Value, field: &str) -> [u8; N] {
    hex::decode(text(row, field)).unwrap().try_into().unwrap()
}

fn program(row: &Value) -> ProgramId {
    ProgramId::new(text(row, "program_id")).unwrap()
}

fn deployment(row: &Value) -> Deployment {
    Deployment {
        network: NetworkId(bytes(row, "network_id")),
        contract: ContractId::new(text(row, "contract")).unwrap(),
    }
}

fn list<T>(row: &Value, field: &str, read: impl Fn(&str) -> T) -> Vec<T> {
    let list = row[field].as_array().unwrap();
    list.iter()
        .map(|value| read(value.as_str().unwrap()))
        .collect()
}

fn recipients(row: &Value) -> Vec<Recipient> {
    list(row, "recipients", |strkey| strkey.parse().unwrap())
}

/// Randomness that is not random.
struct Known(Vec<u8>);

impl Entropy for Known {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), EntropyError> {
        bytes.copy_from_slice(&self.0);
        Ok(())
    }
}

/// The form that a row of the file describes.
fn form(row: &Value) -> KeyForm {
    let prefix = || RecipientPrefix::new(text(row, "recipient_prefix")).unwrap();
    match text(row, "form") {
        "single" => KeyForm::Single {
            program: program(row),
            recipient: prefix(),
            nonce: bytes(row, "nonce"),
        },
        "batch" => KeyForm::Batch {
            program: program(row),
            recipient: prefix(),
            count: number(row, "count").try_into().unwrap(),
            nonce: bytes(row, "nonce"),
        },
        "run" => KeyForm::Run {
            program: program(row),
            digest: bytes(row, "digest"),
        },
        "gateway" => KeyForm::Gateway {
            program: program(row),
            digest: bytes(row, "digest"),
        },
        "uuid" => KeyForm::Uuid(bytes(row, "bytes")),
        "other" => KeyForm::Other(IdempotencyKey::new(text(row, "key")).unwrap()),
        form => panic!("{form}"),
    }
}

fn assert_reads(row: &Value) {
    let key = IdempotencyKey::new(text(row, "key")).unwrap();
    assert_eq!(key.form(), form(row), "{key}");
    assert_eq!(form(row).to_key(), key);
}

#[test]
fn networks() {
    let file = file();
    for row in rows(&file, "/networks") {
        let network = NetworkId::from_passphrase(text(row, "passphrase"));
        assert_eq!(network.to_string(), text(row, "network_id"));
    }
}

#[test]
fn random_keys_are_made_and_read() {
    let file = file();
    for row in rows(&file, "/random_keys") {
        let mut generator = KeyGenerator::with_entropy(Known(bytes::<8>(row, "nonce").to_vec()));
        let recipients = recipients(row);
        let key = match text(row, "form") {
            "single" => generator.single(&program(row), &recipients[0]),
            _ => generator.batch(&program(row), &recipients),
        };
        assert_eq!(key.unwrap().as_str(), text(row, "key"));
        assert_reads(row);
    }
}

#[test]
fn uuids_are_made() {
    let file = file();
    for row in rows(&file, "/uuids") {
        let mut generator = KeyGenerator::with_entropy(Known(bytes::<16>(row, "random").to_vec()));
        assert_eq!(generator.uuid().unwrap().as_str(), text(row, "key"));
    }
}

#[test]
fn keys_are_read() {
    let file = file();
    rows(&file, "/read_keys").iter().for_each(assert_reads);
}

#[test]
fn run_keys_are_derived() {
    let file = file();
    for row in rows(&file, "/run_keys") {
        let run = RunName::new(text(row, "run")).unwrap();
        let key = run_key(&program(row), &deployment(row), &run, number(row, "slot"));
        assert_eq!(key.as_str(), text(row, "key"));
        assert_eq!(key.form().program(), Some(&program(row)));
        assert!(matches!(key.form(), KeyForm::Run { .. }));
    }
}

#[test]
fn gateway_keys_are_derived() {
    let file = file();
    for row in rows(&file, "/gateway_keys") {
        let caller_key = IdempotencyKey::new(text(row, "caller_key")).unwrap();
        let key = gateway_key(
            &program(row),
            &deployment(row),
            &caller_key,
            number(row, "counter"),
        );
        assert_eq!(key.as_str(), text(row, "key"));
        assert_eq!(key.form().program(), Some(&program(row)));
        assert!(matches!(key.form(), KeyForm::Gateway { .. }));
    }
}

#[test]
fn references_are_derived() {
    let file = file();
    for row in rows(&file, "/references") {
        let (run, id) = (
            text(row, "run").parse().unwrap(),
            RowId::new(text(row, "id")).unwrap(),
        );
        let reference = Reference::of(&deployment(row), &run, &id);
        assert_eq!(reference.to_string(), text(row, "reference"), "{id}");
        assert_eq!(text(row, "reference").parse(), Ok(reference));
    }
}

#[test]
fn names_and_ids_have_one_spelling() {
    let file = file();
    for row in rows(&file, "/run_names") {
        assert_eq!(
            RunName::new(text(row, "given")).unwrap().as_str(),
            text(row, "run")
        );
    }
    for row in rows(&file, "/row_ids") {
        let id = RowId::from_cell(text(row, "cell")).unwrap();
        assert_eq!(id.as_str(), text(row, "id"));
        assert_eq!(RowId::new(text(row, "id")), Ok(id));
    }
}

#[test]
fn fingerprints() {
    let file = file();
    for row in rows(&file, "/fingerprints/vectors") {
        let amounts = list(row, "amounts", |amount| amount.parse::<i128>().unwrap());
        let references = row["references"]
            .is_array()
            .then(|| list(row, "references", |text| text.parse::<Reference>().unwrap()));
        let fingerprint =
            Fingerprint::of(&recipients(row), &amounts, references.as_deref()).unwrap();
        assert_eq!(
            fingerprint.to_string(),
            text(row, "fingerprint"),
            "{}",
            row["name"]
        );
        assert_eq!(text(row, "fingerprint").parse(), Ok(fingerprint));
    }
}

/// The file's word for why a value is refused.
fn reason(error: &Error) -> &'static str {
    match error {
        Error::ProgramIdLength { .. }
        | Error::KeyLength { .. }
        | Error::RunNameLength { .. }
        | Error::RowIdLength { .. } => "length",
        Error::ProgramIdCharacter { .. }
        | Error::KeyCharacter { .. }
        | Error::RunNameCharacter { .. } => "character",
        Error::RunNameStart { .. } => "start",
        Error::RowIdBlank { .. } => "blank",
        Error::RowIdUnseen { .. } => "unseen",
        Error::RowIdNotNormalised { .. } => "not_normalised",
        Error::RecipientMuxed { .. } => "muxed",
        Error::RecipientSecret => "secret",
        Error::RecipientKind { .. } => "kind",
        Error::RecipientInvalid { .. }
        | Error::PrefixInvalid { .. }
        | Error::ContractInvalid { .. }
        | Error::HexInvalid { .. } => "invalid",
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_wrong_is_refused_for_its_reason() {
    type Check = fn(&str) -> Result<(), Error>;
    let checks: [(&str, Check); 9] = [
        ("program_ids", |value| ProgramId::new(value).map(drop)),
        ("keys", |value| IdempotencyKey::new(value).map(drop)),
        ("run_names", |value| RunName::new(value).map(drop)),
        ("row_ids", |value| RowId::new(value).map(drop)),
        ("recipients", |value| Recipient::new(value).map(drop)),
        ("contracts", |value| ContractId::new(value).map(drop)),
        ("recipient_prefixes", |value| {
            RecipientPrefix::new(value).map(drop)
        }),
        ("references", |value| value.parse::<Reference>().map(drop)),
        ("fingerprints", |value| {
            value.parse::<Fingerprint>().map(drop)
        }),
    ];
    let file = file();
    assert_eq!(file["invalid"].as_object().unwrap().len(), checks.len());
    for (section, check) in checks {
        for row in rows(&file, &format!("/invalid/{section}")) {
            let error = check(text(row, "value")).expect_err(text(row, "value"));
            assert_eq!(reason(&error), text(row, "reason"), "{section}: {error}");
        }
    }
}

#[test]
fn every_section_of_the_file_is_read_here() {
    let sections: Vec<_> = file().as_object().unwrap().keys().cloned().collect();
    let mut read = [
        "about",
        "networks",
        "random_keys",
        "uuids",
        "read_keys",
        "run_names",
        "run_keys",
        "gateway_keys",
        "row_ids",
        "references",
        "fingerprints",
        "invalid",
    ];
    read.sort_unstable();
    assert_eq!(sections, read);
}
