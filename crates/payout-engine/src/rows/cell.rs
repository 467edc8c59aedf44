//! Cells: blanks around them, and formulas in them.

/// `cell` without ASCII blanks around it. Other white space is part of the value.
pub(super) fn trimmed(cell: &str) -> &str {
    cell.trim_matches(|character: char| character.is_ascii_whitespace())
}

/// Whether a spreadsheet would run `text`, or `text` without the apostrophes before it.
fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'')
        .starts_with(['=', '+', '-', '@', '\t', '\r'])
}

/// `text` as a report writes it into a cell: a spreadsheet shows it and does not run it.
/// [`unguarded`] gives it back unchanged.
#[must_use]
pub fn guarded(text: &str) -> String {
    if is_formula(text) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

/// The text behind a cell that [`guarded`] wrote.
#[must_use]
pub fn unguarded(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(text) if is_formula(text) => text,
        _ => cell,
    }
}
