//! Editions of one file.

use payout_engine::Amount;
use payout_engine::rows::Row;
use payout_engine::run::Place;
use payout_keys::{ContractId, Deployment, NetworkId, ProgramId, Recipient, Reference, RowId};

/// How many editions there are.
pub(super) const EDITIONS: usize = 3;

pub(super) fn place() -> Place {
    Place {
        at: Deployment {
            network: NetworkId([1; 32]),
            contract: ContractId([2; 32]),
        },
        program: ProgramId::new("p").expect("legal"),
        run: "run".parse().expect("legal"),
    }
}

fn id(name: &str) -> RowId {
    RowId::new(name).expect("legal")
}

pub(super) fn reference(name: &str) -> Reference {
    place().reference(&id(name))
}

/// `a` and `d` are two obligations with one wallet and amount. `b` and `y` are one obligation under two
/// names. The second edition has another amount for `a`, the third does not have it.
pub(super) fn edition(which: usize) -> Vec<Row> {
    let (a, b, d) = (row("a", 1, 10), row("b", 2, 20), row("d", 1, 10));
    match which {
        0 => vec![a, b, d],
        1 => vec![d, row("y", 2, 20), row("a", 1, 11)],
        _ => vec![d, b],
    }
}

fn row(name: &str, wallet: u8, amount: i128) -> Row {
    Row {
        number: 2,
        id: id(name),
        recipient: Recipient::Account([wallet; 32]),
        amount: Amount::new(amount).expect("positive"),
        payment_id: None,
    }
}
