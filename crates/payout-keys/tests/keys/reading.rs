//! Reading a key undoes making it, for every legal program id.

use std::collections::HashSet;

use crate::values::{form, key, program, random_form, recipient, renamed};
use payout_keys::{Error, IdempotencyKey, KeyForm, KeyGenerator, ProgramId, RecipientPrefix};
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn reading_undoes_making(form in form()) {
        let key = form.to_key();
        prop_assert_eq!(key.form(), form);
        prop_assert_eq!(IdempotencyKey::new(key.as_str()), Ok(key));
    }

    #[test]
    fn making_undoes_reading(key in key()) {
        prop_assert_eq!(key.form().to_key(), key);
    }

    /// A key may be the id of another program, and is told apart from that program's keys.
    #[test]
    fn a_key_as_a_program_id(
        outer in form(),
        inner in random_form(),
        short in "[A-Za-z0-9._-]{1,20}",
    ) {
        let inner = renamed(inner, ProgramId::new(&short).unwrap()).to_key();
        let nested = renamed(outer, ProgramId::new(inner.as_str()).unwrap());
        prop_assert_eq!(nested.to_key().form(), nested);
    }

    #[test]
    fn random_keys_say_what_they_were_made_from(
        program in program(),
        recipients in vec(recipient(), 1..80),
    ) {
        let mut generator = KeyGenerator::new();
        let first = recipients[0];
        let single = generator.single(&program, &first).unwrap();
        let batch = generator.batch(&program, &recipients).unwrap();
        prop_assert!(first.to_string().starts_with(&first.prefix().to_string()));
        match (single.form(), batch.form()) {
            (
                KeyForm::Single { program: of_single, recipient: to_single, nonce: one },
                KeyForm::Batch { program: of_batch, recipient: to_batch, count, nonce: other },
            ) => {
                prop_assert_eq!((&of_single, to_single), (&program, first.prefix()));
                prop_assert_eq!((&of_batch, to_batch), (&program, first.prefix()));
                prop_assert_eq!(count.get() as usize, recipients.len());
                prop_assert_ne!(one, other);
            }
            forms => prop_assert!(false, "{:?}", forms),
        }
    }
}

#[test]
fn random_uuids_are_read_and_differ() {
    let mut generator = KeyGenerator::new();
    let keys: HashSet<_> = (0..1_000).map(|_| generator.uuid().unwrap()).collect();
    assert_eq!(keys.len(), 1_000);
    assert!(
        keys.iter()
            .all(|key| matches!(key.form(), KeyForm::Uuid(_)))
    );
}

#[test]
fn the_longest_keys_keep_the_limit() {
    let program = ProgramId::new(&"p".repeat(64)).unwrap();
    let recipient = RecipientPrefix::new("GABC1234").unwrap();
    let longest = KeyForm::Batch {
        program: program.clone(),
        recipient,
        count: u32::MAX.try_into().unwrap(),
        nonce: [0; 8],
    };
    assert_eq!(longest.to_key().as_str().len(), 108);
    assert_eq!(
        KeyForm::Run {
            program,
            digest: [0; 32]
        }
        .to_key()
        .as_str()
        .len(),
        133
    );
}

#[test]
fn an_empty_batch_has_no_key() {
    let program = "p".parse().unwrap();
    assert_eq!(
        KeyGenerator::new().batch(&program, &[]),
        Err(Error::BatchSize { count: 0 })
    );
}
