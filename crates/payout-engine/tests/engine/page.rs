//! `docs/preflight.md` has every reason that a row or the escrow may be refused for, and no other.

use std::collections::BTreeSet;

const PAGE: &str = include_str!("../../../../docs/preflight.md");

/// The names of a table's first column below the heading `heading`.
fn listed(heading: &str) -> BTreeSet<&'static str> {
    let (_, section) = PAGE
        .split_once(&format!("\n{heading}\n"))
        .unwrap_or_else(|| panic!("no heading {heading}"));
    let section = section.split("\n#").next().unwrap_or_default();
    let first_cells = section
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .filter_map(|line| line.split(" | ").next());
    first_cells
        .flat_map(|cell| cell.split(", "))
        .map(|name| name.trim_matches('`'))
        .collect()
}

/// The names that the method `name` of a source file gives: each variant has an arm, or it does not compile.
fn given(source: &'static str) -> BTreeSet<&'static str> {
    let (_, body) = source.split_once("pub fn name(").expect("a method `name`");
    let body = body.split("\n    }\n").next().unwrap_or_default();
    let names: BTreeSet<&str> = body
        .lines()
        .filter_map(|line| line.split_once("=> \""))
        .filter_map(|(_, rest)| rest.split('"').next())
        .collect();
    assert!(names.len() > 5, "{names:?}");
    names
}

#[test]
fn the_page_lists_every_reason_and_what_to_do() {
    for (heading, source) in [
        ("## The file", include_str!("../../src/rows/judge.rs")),
        (
            "## The escrow's side",
            include_str!("../../src/preflight/obstacle.rs"),
        ),
        ("## Each row", include_str!("../../src/preflight/reason.rs")),
    ] {
        assert_eq!(listed(heading), given(source), "{heading}");
    }
    // Every line says something of each of its three cells.
    for line in PAGE.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").collect();
        assert!(cells.iter().all(|cell| !cell.trim().is_empty()), "{line}");
    }
}
