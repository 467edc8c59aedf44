//! Limits hold, and nothing panics, whatever comes in.

use payout_keys::{
    ContractId, Entropy, EntropyError, Error, Fingerprint, IdempotencyKey, KeyGenerator, NetworkId,
    ProgramId, Recipient, RecipientPrefix, Reference, RowId, RunName,
};
use proptest::prelude::*;

/// Any text, and text that is almost right.
fn anything() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[ -~]{0,300}",
        "[A-Za-z0-9._-]{0,70}",
        "[A-Z2-7]{54,70}",
        "[GCMSTXPLB][A-Z2-7]{55}",
        "[a-z.-]{0,10}-(single|batch|run|gw)-[A-Z0-9]{7,9}-[0-9]{0,11}r?-[0-9a-f]{15,17}",
        "[a-z.-]{0,10}-(run|gw|single)-[0-9a-fA-F]{63,65}",
        "[0-9a-f-]{36}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn nothing_panics_and_errors_name_the_value(text in anything()) {
        let name = (1..=64).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
        let starts = text.starts_with(|first: char| first.is_ascii_alphanumeric());
        let key = (1..=256).contains(&text.len())
            && text.bytes().all(|byte| (0x21..=0x7e).contains(&byte));
        prop_assert_eq!(ProgramId::new(&text).is_ok(), name);
        prop_assert_eq!(RunName::new(&text).is_ok(), name && starts);
        prop_assert_eq!(IdempotencyKey::new(&text).is_ok(), key);
        if let Ok(key) = IdempotencyKey::new(&text) {
            prop_assert_eq!(key.form().to_key(), key);
        }
        let errors = [
            ProgramId::new(&text).err(),
            IdempotencyKey::new(&text).err(),
            RunName::new(&text).err(),
            RowId::new(&text).err(),
            Recipient::new(&text).err(),
            ContractId::new(&text).err(),
            RecipientPrefix::new(&text).err(),
            text.parse::<Reference>().err(),
            text.parse::<Fingerprint>().err(),
        ];
        let shown: String = text.chars().take(3).collect();
        let quoted = format!("{shown:?}");
        for error in errors.into_iter().flatten() {
            let message = error.to_string();
            let named = message.contains(quoted.trim_end_matches('"'));
            prop_assert!(named || message.contains("looks like a secret key"), "{}", message);
            prop_assert!(!message.contains(char::is_control), "{:?}", message);
            prop_assert!(message.chars().count() < 1_200, "{}", message);
        }
        let _ = NetworkId::from_passphrase(&text);
    }

    #[test]
    fn one_id_has_one_spelling(text in anything()) {
        if let Ok(id) = RowId::from_cell(&text) {
            prop_assert_eq!(RowId::from_cell(id.as_str()), Ok(id.clone()));
            prop_assert_eq!(RowId::new(id.as_str()), Ok(id.clone()));
            prop_assert_eq!(RowId::from_cell(&format!(" {text}\r\n")), Ok(id.clone()));
            prop_assert!((1..=256).contains(&id.as_str().len()));
        }
    }

    #[test]
    fn texts_are_read_back(bytes in any::<[u8; 32]>(), half in any::<[u8; 16]>()) {
        for recipient in [Recipient::Account(bytes), Recipient::Contract(bytes)] {
            prop_assert_eq!(Recipient::new(&recipient.to_string()), Ok(recipient));
        }
        prop_assert_eq!(ContractId::new(&ContractId(bytes).to_string()), Ok(ContractId(bytes)));
        prop_assert_eq!(Fingerprint(bytes).to_string().parse(), Ok(Fingerprint(bytes)));
        prop_assert_eq!(Reference(half).to_string().parse(), Ok(Reference(half)));
    }
}

#[test]
fn a_secret_key_is_never_repeated() {
    let seed = stellar_strkey::ed25519::PrivateKey([7; 32]).to_string();
    for text in [
        seed.to_string(),
        seed[..55].to_owned(),
        format!(" {seed}\n"),
        seed.to_lowercase(),
    ] {
        assert_eq!(Recipient::new(&text), Err(Error::RecipientSecret));
        let errors = [
            Recipient::new(&text).unwrap_err(),
            ContractId::new(&text).unwrap_err(),
            RecipientPrefix::new(&text).unwrap_err(),
            text.parse::<Reference>().unwrap_err(),
        ];
        for error in errors {
            let message = format!("{error} {error:?}").to_uppercase();
            assert!(!message.contains(&seed[1..10]), "{message}");
        }
    }
}

/// A source that always fails.
struct Broken;

impl Entropy for Broken {
    fn fill(&mut self, _bytes: &mut [u8]) -> Result<(), EntropyError> {
        Err(EntropyError("broken".to_owned()))
    }
}

#[test]
fn without_randomness_there_is_no_key() {
    let (program, recipient) = (ProgramId::new("p").unwrap(), Recipient::Account([0; 32]));
    let mut generator = KeyGenerator::with_entropy(Broken);
    let failed = Error::Entropy(EntropyError("broken".to_owned()));
    assert_eq!(generator.single(&program, &recipient), Err(failed.clone()));
    assert_eq!(generator.batch(&program, &[recipient]), Err(failed.clone()));
    assert_eq!(generator.uuid(), Err(failed));
}
