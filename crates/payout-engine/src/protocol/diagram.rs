//! The table as documents show it.

use std::fmt::Write as _;

use super::phase::Phase;
use super::table::{TRANSITIONS, UNDECIDED};

/// The states and the transitions as two Markdown tables.
#[must_use]
pub fn state_table() -> String {
    let mut out = String::from("| State | Final | Meaning |\n| --- | --- | --- |\n");
    for phase in Phase::ALL {
        let is_final = if phase.is_final() { "yes" } else { "" };
        let _ = writeln!(out, "| `{phase}` | {is_final} | {} |", phase.meaning());
    }
    out.push_str("\n| From | By | To | When |\n| --- | --- | --- | --- |\n");
    for row in TRANSITIONS {
        let _ = writeln!(
            out,
            "| {} | {} | `{}` | {} |",
            sources(row.from),
            row.cause.name(),
            row.to,
            row.when
        );
    }
    out
}

fn sources(from: &[Phase]) -> String {
    if from == UNDECIDED {
        return "every state that is not final".to_owned();
    }
    let names: Vec<String> = from.iter().map(|phase| format!("`{phase}`")).collect();
    names.join(", ")
}

/// The table as a mermaid diagram. Causes that lead from one state to the same other one share an
/// arrow.
#[must_use]
pub fn mermaid() -> String {
    let mut out = String::from("stateDiagram-v2\n    [*] --> undecided\n    state undecided {\n");
    out.push_str("        [*] --> checking\n");
    let mut outside = String::new();
    let mut drawn = Vec::new();
    for row in TRANSITIONS {
        if row.from == UNDECIDED {
            let _ = writeln!(
                outside,
                "    undecided --> {} : {}",
                row.to,
                row.cause.name()
            );
            continue;
        }
        for &from in row.from {
            if drawn.contains(&(from, row.to)) {
                continue;
            }
            drawn.push((from, row.to));
            let label = causes(from, row.to);
            if row.to.is_final() {
                let _ = writeln!(outside, "    {from} --> {} : {label}", row.to);
            } else {
                let _ = writeln!(out, "        {from} --> {} : {label}", row.to);
            }
        }
    }
    out.push_str("    }\n");
    out.push_str(&outside);
    for phase in Phase::ALL.into_iter().filter(|phase| phase.is_final()) {
        let _ = writeln!(out, "    {phase} --> [*]");
    }
    out
}

fn causes(from: Phase, to: Phase) -> String {
    let mut names: Vec<&str> = Vec::new();
    for row in TRANSITIONS {
        let name = row.cause.name();
        if row.to == to && row.from.contains(&from) && !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(" / ")
}
