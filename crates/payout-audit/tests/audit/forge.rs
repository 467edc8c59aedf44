//! Every forgery names the check that finds it, and everything else that finds it too. Without the
//! named check, exactly the others are left.

use crate::case::{Case, assert_clean, caught};
use crate::forgeries::all;

#[test]
fn the_story_itself_is_clean() {
    assert_clean(&Case::new().audit(&[]));
}

#[test]
fn every_forgery_is_found_by_the_check_that_it_names() {
    let mut failures = Vec::new();
    for forgery in all() {
        let mut case = Case::new();
        (forgery.forge)(&mut case);
        let with = caught(&case.audit(&[]));
        let mut expected = forgery.found_by.to_vec();
        expected.sort_unstable();
        let mut found = with.clone();
        found.sort_unstable();
        if found != expected {
            failures.push(format!(
                "{}: expected {expected:?}, found {found:?}",
                forgery.name
            ));
            continue;
        }
        let (named, others) = forgery.found_by.split_first().expect("a check");
        let without = case.audit(&[named]);
        let mut left = caught(&without);
        left.sort_unstable();
        let mut others: Vec<&str> = others
            .iter()
            .copied()
            .filter(|other| !(named.starts_with("OWED") && other.starts_with("OWED")))
            .collect();
        others.sort_unstable();
        if left != others {
            failures.push(format!(
                "{} without {named}: {left:?}, not {others:?}",
                forgery.name
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn there_are_many_kinds_and_no_name_twice() {
    let mut names: Vec<&str> = all().iter().map(|forgery| forgery.name).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(count >= 25, "{count} kinds");
}

#[test]
fn every_check_is_named_by_a_forgery() {
    let named: Vec<&str> = all().iter().map(|forgery| forgery.found_by[0]).collect();
    for about in payout_audit::checks::abouts() {
        // A broken chain gives no report; `archive` has its tests.
        if about.id != "ARCHIVE" {
            assert!(named.contains(&about.id), "no forgery names {}", about.id);
        }
    }
}
