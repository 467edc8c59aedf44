//! Derivation is injective on its parts, and only the parts count.

use std::collections::HashSet;

use crate::values::{deployment, key, program, recipient, row, run};
use payout_keys::{
    Deployment, Fingerprint, IdempotencyKey, KeyForm, ProgramId, Reference, RowId, RunName,
    gateway_key, run_key,
};
use proptest::collection::vec;
use proptest::prelude::*;

fn digest(key: &IdempotencyKey) -> [u8; 32] {
    match key.form() {
        KeyForm::Run { digest, .. } | KeyForm::Gateway { digest, .. } => digest,
        form => panic!("{form:?}"),
    }
}

/// `deployment` with one bit of its 64 bytes changed.
fn elsewhere(mut deployment: Deployment, bit: usize) -> Deployment {
    let bytes = if bit < 256 {
        &mut deployment.network.0
    } else {
        &mut deployment.contract.0
    };
    bytes[bit % 256 / 8] ^= 1 << (bit % 8);
    deployment
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// Equal keys come from equal parts only.
    #[test]
    fn a_run_key_depends_on_every_part(
        (program, at, run, slot) in (program(), deployment(), run(), any::<u32>()),
        (other_program, other_run, other_slot) in (program(), run(), any::<u32>()),
        bit in 0..512_usize,
    ) {
        let key = run_key(&program, &at, &run, slot);
        prop_assert_eq!(&key, &run_key(&program.clone(), &at.clone(), &run.clone(), slot));
        prop_assert_ne!(digest(&key), digest(&run_key(&program, &elsewhere(at, bit), &run, slot)));
        prop_assert_ne!(digest(&key), digest(&run_key(&program, &at, &run, slot.wrapping_add(1))));
        prop_assert_eq!(slot == other_slot, key == run_key(&program, &at, &run, other_slot));
        prop_assert_eq!(run == other_run, key == run_key(&program, &at, &other_run, slot));
        prop_assert_eq!(program == other_program, key == run_key(&other_program, &at, &run, slot));
    }

    #[test]
    fn a_gateway_key_depends_on_every_part(
        (program, at, caller, counter) in (program(), deployment(), key(), any::<u32>()),
        (other_program, other_caller, other_counter) in (program(), key(), any::<u32>()),
        bit in 0..512_usize,
    ) {
        let made = digest(&gateway_key(&program, &at, &caller, counter));
        let moved = digest(&gateway_key(&program, &elsewhere(at, bit), &caller, counter));
        let renamed = digest(&gateway_key(&other_program, &at, &caller, counter));
        let rekeyed = digest(&gateway_key(&program, &at, &other_caller, counter));
        let anew = digest(&gateway_key(&program, &at, &caller, other_counter));
        prop_assert_ne!(made, moved);
        prop_assert_eq!(program == other_program, made == renamed);
        prop_assert_eq!(caller == other_caller, made == rekeyed);
        prop_assert_eq!(counter == other_counter, made == anew);
    }

    /// The same bytes, cut elsewhere: program and caller's key are neighbours.
    #[test]
    fn bytes_moved_from_program_to_caller_key(
        bytes in "[A-Za-z0-9._-]{3,64}",
        cuts in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        at in deployment(),
        counter in any::<u32>(),
    ) {
        let at_cut = |cut: prop::sample::Index| {
            let (program, caller) = bytes.split_at(1 + cut.index(bytes.len() - 1));
            let caller = IdempotencyKey::new(caller).unwrap();
            let key = gateway_key(&ProgramId::new(program).unwrap(), &at, &caller, counter);
            (program.to_owned(), digest(&key))
        };
        let ((one, first), (other, second)) = (at_cut(cuts.0), at_cut(cuts.1));
        prop_assert_eq!(one == other, first == second);
    }

    /// The same bytes, cut elsewhere: run and id are neighbours.
    #[test]
    fn bytes_moved_from_run_to_id(
        bytes in "[a-z0-9]{3,64}",
        cuts in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        at in deployment(),
    ) {
        let at_cut = |cut: prop::sample::Index| {
            let (run, id) = bytes.split_at(1 + cut.index(bytes.len() - 1));
            let id = RowId::new(id).unwrap();
            (run.to_owned(), Reference::of(&at, &RunName::new(run).unwrap(), &id))
        };
        let ((one, first), (other, second)) = (at_cut(cuts.0), at_cut(cuts.1));
        prop_assert_eq!(one == other, first == second);
    }

    /// The same bytes, cut elsewhere: a byte from the run's name into the slot.
    #[test]
    fn bytes_moved_around_the_slot(
        run in "[a-z0-9]{2,63}",
        at in deployment(),
        slot in any::<[u8; 4]>(),
    ) {
        let program = ProgramId::new("p").unwrap();
        let key = |at: &Deployment, run: &str, slot: [u8; 4]| {
            run_key(&program, at, &RunName::new(run).unwrap(), u32::from_be_bytes(slot))
        };
        let (shorter, last) = run.split_at(run.len() - 1);
        let moved = [last.as_bytes()[0], slot[0], slot[1], slot[2]];
        prop_assert_ne!(key(&at, &run, slot), key(&at, shorter, moved));
    }

    #[test]
    fn a_reference_depends_on_every_part(
        (at, run, id) in (deployment(), run(), row()),
        (other_run, other_id) in (run(), row()),
        bit in 0..512_usize,
    ) {
        let reference = Reference::of(&at, &run, &id);
        prop_assert_ne!(reference, Reference::of(&elsewhere(at, bit), &run, &id));
        prop_assert_eq!(run == other_run, reference == Reference::of(&at, &other_run, &id));
        prop_assert_eq!(id == other_id, reference == Reference::of(&at, &run, &other_id));
    }

    /// Recipients, amounts, references, their order and number all count.
    #[test]
    fn a_fingerprint_depends_on_every_line(
        lines in vec((recipient(), any::<i128>(), any::<[u8; 16]>()), 2..12),
        at in any::<prop::sample::Index>(),
        bit in 0..127_u32,
    ) {
        let recipients: Vec<_> = lines.iter().map(|line| line.0).collect();
        let amounts: Vec<_> = lines.iter().map(|line| line.1).collect();
        let references: Vec<_> = lines.iter().map(|line| Reference(line.2)).collect();
        let at = at.index(lines.len());
        let mut other_amounts = amounts.clone();
        other_amounts[at] ^= 1 << bit;
        let mut other_references = references.clone();
        other_references[at].0[0] ^= 1;
        let mut swapped = recipients.clone();
        swapped.rotate_left(1);
        let fingerprints = [
            Fingerprint::of(&recipients, &amounts, None),
            Fingerprint::of(&recipients, &amounts, Some(&references)),
            Fingerprint::of(&recipients, &amounts, Some(&other_references)),
            Fingerprint::of(&recipients, &amounts, Some(&[])),
            Fingerprint::of(&recipients, &other_amounts, None),
            Fingerprint::of(&swapped, &amounts, None),
            Fingerprint::of(&recipients[1..], &amounts, None),
            Fingerprint::of(&recipients, &amounts[1..], None),
        ];
        let distinct: HashSet<_> = fingerprints.iter().flatten().collect();
        prop_assert_eq!(distinct.len(), fingerprints.len());
    }
}

/// The three kinds of digest are told apart by their scheme, whatever else agrees.
#[test]
fn schemes_are_apart() {
    let at = Deployment {
        network: payout_keys::NetworkId([1; 32]),
        contract: payout_keys::ContractId([2; 32]),
    };
    let (program, run) = (ProgramId::new("x").unwrap(), RunName::new("x").unwrap());
    let of_run = digest(&run_key(&program, &at, &run, 0x7878_7878));
    let reference = Reference::of(&at, &run, &RowId::new("xxxx").unwrap());
    assert_ne!(of_run[..16], reference.0);
}
