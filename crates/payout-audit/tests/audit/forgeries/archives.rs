//! Pages, ranges, and what an archive is of.

use payout_keys::NetworkId;

use super::{Forgery, K2, forgery};

pub(super) fn all() -> Vec<Forgery> {
    vec![
        forgery!("a page is cut out", ["COVERAGE"], |case| {
            // Ledgers 1 to 3, in which nothing happened.
            case.sheets.remove(1);
        }),
        forgery!("a page stands twice", ["COVERAGE"], |case| {
            let twice = case.sheets[1].clone();
            case.sheets.insert(1, twice);
        }),
        forgery!("a page reaches beyond its node", ["COVERAGE"], |case| {
            case.sheet(20).latest = 5;
        }),
        forgery!(
            "the tail is cut and nobody is asked",
            ["COVERAGE"],
            |case| {
                case.sheets.truncate(6);
                case.chain = None;
                case.list = None;
                case.owed = None;
            }
        ),
        forgery!(
            "the archive is of another network",
            ["ENVELOPE", "RECORDS", "REFERENCE-ONCE"],
            |case| {
                case.subject.network = NetworkId::from_passphrase("Another Network ; 2026");
                // Without its envelopes the payout with references cannot be made again.
                case.tx(K2).evidence = None;
            }
        ),
        forgery!("an upgrade is hidden", ["CODE"], |case| {
            case.chain().code = Some([0xdd; 32]);
        }),
    ]
}
