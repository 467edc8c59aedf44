//! What a number stands for: the file's editions, the machines, the weather.

use payout_engine::Amount;
use payout_engine::protocol::{Bid, Policy};
use payout_engine::rows::Row;
use payout_keys::{ContractId, Recipient, RowId};

use super::Kind;
use super::dice::Dice;
use super::oracle::Obligation;
use super::world::Weather;

/// Rows with the obligation that each stands for, in some order.
pub(super) type Edition = Vec<(Obligation, Row)>;

/// A machine as it is set up.
#[derive(Debug, Clone)]
pub(super) struct Setup {
    /// The account that carries its transactions; the payout key's own number is 0.
    pub(super) lane: u8,
    pub(super) max_batch: usize,
    /// How long its second is, in thousandths.
    pub(super) skew: u64,
    pub(super) policy: Policy,
    /// The edition that it begins with.
    pub(super) edition: usize,
}

#[derive(Debug, Clone)]
pub(super) struct Scenario {
    pub(super) editions: Vec<Edition>,
    pub(super) machines: Vec<Setup>,
    pub(super) weather: Weather,
    /// How often a machine is killed, in a thousand polls, and how often at most in all.
    pub(super) kill: u32,
    pub(super) kills: u32,
    /// How many ledgers the weather lasts.
    pub(super) rough: u32,
    /// The machine that ends the run, and after how many ledgers.
    pub(super) close: Option<(usize, u32)>,
    pub(super) retention: Option<u32>,
    /// Whether each row is an order of its own, and what its client asks for.
    pub(super) orders: Option<Vec<Wish>>,
}

/// What becomes of an order's client.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// It is to be paid.
    Pay,
    /// It is cancelled after so many ledgers: nothing more is signed, and what was signed is waited for.
    Cancel(u32),
    /// Its key is voided after so many ledgers.
    Void(u32),
}

impl Scenario {
    pub(super) fn draw(kind: Kind, dice: &mut Dice, escrow: ContractId) -> Self {
        let run = Self::draw_run(dice, escrow);
        match kind {
            Kind::Run => run,
            Kind::Orders => run.into_orders(dice),
        }
    }

    /// One file, one process at a time, and a client for each row.
    fn into_orders(self, dice: &mut Dice) -> Self {
        let editions = vec![
            self.editions[0]
                .iter()
                .take(3)
                .cloned()
                .collect::<Edition>(),
        ];
        let wishes = editions[0]
            .iter()
            .map(|_| {
                let ledgers = u32::try_from(dice.below(16)).expect("small");
                match dice.below(3) {
                    0 => Wish::Pay,
                    1 => Wish::Cancel(ledgers),
                    _ => Wish::Void(ledgers),
                }
            })
            .collect();
        let mut machines = self.machines;
        let kill = [20, 60, 150][dice.below(3)];
        // What a restored journal does not know lands late, and nodes are behind.
        let weather = if dice.below(3) == 0 {
            Weather {
                lost: 300,
                lag: 400,
                late: 400,
                stranger: 300,
                ..Weather::default()
            }
        } else {
            self.weather
        };
        machines.truncate(1);
        machines[0].edition = 0;
        Self {
            editions,
            machines,
            weather,
            kill,
            kills: self.kills * 2,
            close: None,
            retention: None,
            orders: Some(wishes),
            ..self
        }
    }

    fn draw_run(dice: &mut Dice, escrow: ContractId) -> Self {
        let editions = editions(dice, escrow);
        let machines = if dice.below(3) == 0 { 1 } else { 2 };
        let shared = dice.below(4) == 0;
        let setups = (0..machines)
            .map(|which| setup(dice, which, shared, editions.len()))
            .collect();
        let weather = weather(dice);
        Self {
            weather,
            kill: [0, 5, 20, 60][dice.below(4)],
            kills: u32::try_from(dice.below(6)).expect("small"),
            rough: u32::try_from(10 + dice.below(50)).expect("small"),
            close: (dice.below(4) == 0).then(|| {
                let ledgers = u32::try_from(dice.below(40)).expect("small");
                (dice.below(machines), ledgers)
            }),
            retention: (dice.below(6) == 0)
                .then(|| 4 + u32::try_from(dice.below(8)).expect("small")),
            editions,
            machines: setups,
            orders: None,
        }
    }
}

fn setup(dice: &mut Dice, which: usize, shared: bool, editions: usize) -> Setup {
    let own = u8::try_from(which + 1).expect("small");
    Setup {
        lane: if shared {
            u8::from(dice.below(2) == 0)
        } else {
            own
        },
        max_batch: 1 + dice.below(3),
        skew: [1_000, 700, 1_500][dice.below(3)],
        policy: Policy {
            window: 180,
            ledgers: 6,
            // As far as nodes are behind, and time for ledgers that stood still meanwhile.
            behind: 6,
            behind_time: 900,
            max_bid: Bid(10_000_000),
            poll: 5_000,
            max_wait: 40_000,
            max_tries: [4, 12][dice.below(2)],
            ..Policy::default()
        },
        edition: dice.below(editions),
    }
}

/// Each fault is absent, or as frequent as the rest of this schedule's.
fn weather(dice: &mut Dice) -> Weather {
    let level = [0, 20, 60, 150, 300][dice.below(5)];
    let mut draw = || if dice.below(2) == 0 { 0 } else { level };
    Weather {
        lost: draw(),
        answer_lost: draw(),
        try_again: draw(),
        bad_sequence: draw(),
        lag: draw(),
        forgot: draw(),
        late: draw() * 2,
        spike: draw(),
        stall: draw() / 2,
        fails: draw(),
        stranger: draw() * 2,
        disk: draw() / 4,
    }
}

/// The file, and what becomes of it. Few wallets and few amounts, so that rows look like each other. A
/// renamed row keeps its wallet and amount in every edition: otherwise nobody could see whose it is.
fn editions(dice: &mut Dice, escrow: ContractId) -> Vec<Edition> {
    let count = 2 + dice.below(5);
    let wallets = 2 + dice.below(4);
    let base: Edition = (0..count)
        .map(|obligation| {
            let amount = 1 + i128::try_from(dice.below(3)).expect("small");
            (
                obligation,
                row(
                    &format!("r{obligation}"),
                    wallet(dice.below(wallets)),
                    amount,
                ),
            )
        })
        .collect();
    let renamed = dice.below(count);
    let mut editions = vec![base.clone()];
    for _ in 0..dice.below(3) {
        let mut edition = base.clone();
        dice.shuffle(&mut edition);
        let edited = (renamed + 1 + dice.below(count - 1)) % count;
        let at = |edition: &Edition, of: usize| {
            edition.iter().position(|(it, _)| *it == of).expect("there")
        };
        match dice.below(6) {
            0 => {
                let at = at(&edition, renamed);
                edition[at].1.id = RowId::new("renamed").expect("legal");
            }
            1 => {
                let at = at(&edition, edited);
                edition[at].1.amount = Amount::new(7).expect("positive");
            }
            2 => {
                let at = at(&edition, edited);
                edition[at].1.recipient = wallet(dice.below(wallets));
            }
            3 => edition.retain(|(it, _)| *it != edited),
            4 => edition.push((count, row("added", wallet(dice.below(wallets)), 2))),
            _ => {
                let at = at(&edition, edited);
                edition[at].1.recipient = Recipient::Contract(escrow.0);
            }
        }
        editions.push(edition);
    }
    editions
}

fn wallet(which: usize) -> Recipient {
    let byte = u8::try_from(which + 1).expect("small");
    Recipient::Contract([byte; 32])
}

fn row(id: &str, recipient: Recipient, amount: i128) -> Row {
    Row {
        number: 2,
        id: RowId::new(id).expect("legal"),
        recipient,
        amount: Amount::new(amount).expect("positive"),
        payment_id: None,
    }
}
