//! Obligations that are not what was owed.

use super::{Forgery, forgery, owed};
use crate::support::story::account;

pub(super) fn all() -> Vec<Forgery> {
    vec![
        forgery!(
            "an obligation's amount is altered",
            ["OWED-DIFFERENT"],
            |case| {
                owed(case, ",600\n", ",601\n");
            }
        ),
        forgery!(
            "an obligation's recipient is altered",
            ["OWED-DIFFERENT"],
            |case| {
                let (old, new) = (account(6).to_string(), account(60).to_string());
                owed(case, &old, &new);
            }
        ),
        forgery!("an obligation is taken out", ["OWED-EXTRA"], |case| {
            let line = format!("k2/1,k2,{},20\n", account(2));
            owed(case, &line, "");
        }),
        forgery!("an obligation is put in", ["OWED-MISSING"], |case| {
            let line = format!("new,k7,{},7\n", account(7));
            case.owed.as_mut().expect("obligations").push_str(&line);
        }),
        forgery!("one obligation under two keys", ["OWED-TWICE"], |case| {
            owed(case, "k5/0,k5", "k1/0,k5");
        }),
    ]
}
