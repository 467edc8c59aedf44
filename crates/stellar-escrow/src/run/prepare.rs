//! Every row judged: by itself, by the chain, and by the network.

use std::collections::{BTreeMap, BTreeSet};

use payout_engine::payer::{self, NoClerk, RunOrder};
use payout_engine::preflight::{
    Ask, Consents, Costs, Kind, Obstacle, Options, PreflightError, Probe, Report, Verdict, check,
    confirm, costs,
};
use payout_engine::rows::{self, Row};
use payout_engine::run::{Decision, Found, Plan, RowState};
use payout_keys::{IdempotencyKey, KeyGenerator, Reference, RowId, RunName};

use super::args::{Offering, Reading};
use super::folder::Folder;
use super::outcome::Error;
use super::patience::patiently;
use super::receipts;
use super::session::{Session, behind};

/// Stroops that the source account should have beyond the estimate before anything begins.
const SPARE: i64 = 1_000_000;

/// How much is asked beforehand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Nothing: the rows are only compared with what was paid.
    Chain,
    /// What the ledger's entries say. Each batch is simulated right before it is signed anyway.
    Entries,
    /// Also a simulation of every batch.
    Simulated,
}

/// A file, its run and its rows, as of a ledger.
pub(crate) struct Prepared {
    /// Rows of the file, whatever becomes of them.
    pub(super) rows: usize,
    /// Rows that are rejected by themselves.
    pub(super) rejected: Vec<Rejected>,
    /// What is offered. Its rows are lent to whoever pays.
    pub(super) order: RunOrder,
    pub(super) plan: Plan,
    /// Why each row is left out that can be told by itself but not be paid now.
    pub(super) unpayable: BTreeMap<RowId, String>,
    /// What stands in the way on the escrow's side.
    pub(super) obstacles: Vec<Obstacle>,
    /// What stands in the way of paying all at once, and not of beginning.
    pub(super) later: Vec<Obstacle>,
    pub(super) costs: Costs,
    pub(super) consents: BTreeMap<Reference, Consents>,
    pub(super) probe: IdempotencyKey,
    /// Rows that are to be paid now, and their sum in units.
    pub(super) to_pay: usize,
    pub(super) sum: i128,
    pub(super) batches: u32,
}

/// A row that cannot be paid as the file has it.
pub(super) struct Rejected {
    /// Its number in the file; the first line is 1.
    pub(super) number: u64,
    pub(super) id: String,
    pub(super) why: String,
}

impl Prepared {
    /// Whether there is anything to pay.
    pub(crate) fn pays(&self) -> bool {
        self.to_pay > 0 && matches!(self.plan.decision, Decision::Offer(_))
    }

    /// The rows that are to be paid now.
    pub(super) fn payable(&self) -> impl Iterator<Item = &RowId> {
        let rows = self.plan.rows.iter();
        rows.filter(|row| matches!(row.state, RowState::Open | RowState::Held))
            .filter(|row| !self.unpayable.contains_key(&row.id))
            .map(|row| &row.id)
    }

    /// What was paid of a rejected row's id: it was edited afterwards, and is no longer of concern.
    pub(super) fn paid_before_edit<'a>(&self, plan: &'a Plan, row: &Rejected) -> Option<&'a Found> {
        let id = RowId::new(&row.id).ok()?;
        plan.vanished.get(&self.order.place.reference(&id))
    }

    /// Rows of an offer that was made before and is not decided.
    pub(super) fn held(&self) -> usize {
        let rows = self.plan.rows.iter();
        rows.filter(|row| row.state == RowState::Held).count()
    }

    /// Rejected rows that no slot paid.
    pub(super) fn not_paid<'a>(&'a self, plan: &'a Plan) -> impl Iterator<Item = &'a Rejected> {
        let rows = self.rejected.iter();
        rows.filter(|row| self.paid_before_edit(plan, row).is_none())
    }

    /// The row with this id.
    pub(crate) fn row(&self, id: &RowId) -> Option<&Row> {
        self.order.rows.iter().find(|row| row.id == *id)
    }
}

/// Reads the file, the chain and what the ledger says of every unpaid row's recipient.
pub(crate) async fn prepare(
    session: &mut Session,
    reading: &Reading,
    offering: &Offering,
    folder: &Folder,
    file: &[u8],
    depth: Depth,
) -> Result<Prepared, Error> {
    let (mut rows, mut rejected) = (Vec::new(), Vec::new());
    for judged in rows::read(file, session.facts.token.decimals)? {
        match judged.verdict {
            rows::Verdict::Pay(row) => rows.push(row),
            rows::Verdict::Reject(reason) => rejected.push(Rejected {
                number: judged.number,
                id: judged.id,
                why: reason.to_string(),
            }),
        }
    }
    let count = rows.len().saturating_add(rejected.len());
    let mut order = order(session, reading, offering, folder)?;
    let asked = RunOrder {
        rows,
        ..order.clone()
    };
    let (plan, rows) = payer::look(&mut session.driver, &mut NoClerk, asked).await?;
    order.rows = rows;
    let unpaid: Vec<&Row> = unpaid(&order, &plan);
    let allowed: BTreeSet<RowId> = ids(&offering.allow)?;
    let asks: Vec<Ask> = unpaid
        .iter()
        .map(|row| Ask {
            line: order.place.line(row),
            consents: Consents {
                issuer: allowed.contains(&row.id),
                not_deployed: allowed.contains(&row.id),
            },
        })
        .collect();
    let probe = KeyGenerator::new().uuid()?;
    let seen = if depth == Depth::Chain {
        Seen::nothing(asks.len())
    } else {
        ask(session, &asks, &probe, depth).await?
    };
    let mut unpayable = BTreeMap::new();
    let (mut to_pay, mut sum) = (0_usize, 0_i128);
    for (row, verdict) in unpaid.iter().zip(&seen.report.verdicts) {
        match verdict {
            Verdict::Pay(_) => {
                to_pay += 1;
                sum = sum.saturating_add(row.amount.units());
            }
            Verdict::Reject(reason) => {
                let detail = reason.detail(row.recipient, &session.facts.token);
                let why = format!("{}: {detail}", reason.name());
                unpayable.insert(row.id.clone(), why);
            }
        }
    }
    let consents: BTreeMap<Reference, Consents> = asks
        .iter()
        .filter(|ask| ask.consents != Consents::default())
        .filter_map(|ask| Some((ask.line.reference?, ask.consents)))
        .collect();
    order.left_out = unpayable.keys().cloned().collect();
    let (later, obstacles) = seen.report.obstacles.into_iter().partition(passes_in_parts);
    let batch = order.max_batch.max(1);
    Ok(Prepared {
        batches: u32::try_from(to_pay.div_ceil(batch)).unwrap_or(u32::MAX),
        rows: count,
        rejected,
        order,
        plan,
        unpayable,
        obstacles: if to_pay == 0 { Vec::new() } else { obstacles },
        later,
        costs: seen.costs,
        consents,
        probe,
        to_pay,
        sum,
    })
}

/// What the network says.
struct Seen {
    report: Report,
    costs: Costs,
}

impl Seen {
    /// It was not asked: whoever is unpaid is taken for payable.
    fn nothing(rows: usize) -> Self {
        Self {
            report: Report {
                ledger: 0,
                verdicts: vec![Verdict::Pay(Kind::Account); rows],
                obstacles: Vec::new(),
                payable: 0,
            },
            costs: Costs::default(),
        }
    }
}

/// Asks the network, patiently.
async fn ask(
    session: &Session,
    asks: &[Ask],
    probe: &IdempotencyKey,
    depth: Depth,
) -> Result<Seen, PreflightError> {
    patiently(
        &session.reader,
        session.policy.poll,
        |error| !matches!(error, PreflightError::Rpc(_)),
        async |client| look(client, session, asks, probe, depth).await,
    )
    .await
}

async fn look(
    client: &payout_engine::rpc::Client,
    session: &Session,
    asks: &[Ask],
    probe: &IdempotencyKey,
    depth: Depth,
) -> Result<Seen, PreflightError> {
    let facts = &session.facts;
    let probe = Probe {
        source: session.lane,
        caller: session.caller,
        key: probe,
    };
    let options = |needed| Options {
        caller: session.caller,
        source: Some((session.lane, needed)),
        other_issuers: &[],
    };
    let mut report = check(client, facts, asks, &options(SPARE)).await?;
    if report.ledger < facts.at.ledger {
        return Err(behind(report.ledger, facts.at.ledger).into());
    }
    if report.payable == 0 || !report.obstacles.iter().all(passes_in_parts) {
        let costs = Costs::default();
        return Ok(Seen { report, costs });
    }
    if depth == Depth::Simulated {
        simulate_all(client, session, &probe, asks, &mut report).await?;
    }
    let costs = costs(client, facts, &probe, asks, &report.verdicts).await?;
    Ok(Seen { report, costs })
}

/// Whether batches may go through one after the other though all at once would not.
fn passes_in_parts(obstacle: &Obstacle) -> bool {
    matches!(obstacle, Obstacle::OutflowShort { .. })
}

/// Simulates every batch of what the entries say is payable.
async fn simulate_all(
    client: &payout_engine::rpc::Client,
    session: &Session,
    probe: &Probe<'_>,
    asks: &[Ask],
    report: &mut Report,
) -> Result<(), PreflightError> {
    let payable: Vec<usize> = (0..asks.len())
        .filter(|at| matches!(report.verdicts.get(*at), Some(Verdict::Pay(_))))
        .collect();
    let of_payable: Vec<Ask> = payable
        .iter()
        .filter_map(|at| asks.get(*at).cloned())
        .collect();
    let confirmed = confirm(client, &session.facts, probe, &of_payable).await?;
    report.obstacles.extend(confirmed.obstacles);
    for (at, reason) in confirmed.refused {
        if let Some(verdict) = payable.get(at).and_then(|at| report.verdicts.get_mut(*at)) {
            *verdict = Verdict::Reject(reason);
        }
    }
    Ok(())
}

/// The run without its rows, and with all that may explain its slots.
pub(super) fn order(
    session: &Session,
    reading: &Reading,
    offering: &Offering,
    folder: &Folder,
) -> Result<RunOrder, Error> {
    let most = usize::try_from(session.facts.max_batch).unwrap_or(usize::MAX);
    let asked = offering
        .max_batch
        .map(|most| usize::try_from(most).unwrap_or(usize::MAX));
    let mut known = Vec::new();
    for own in folder.all_receipts() {
        known.extend(receipts::candidates(&own, &session.place, false)?);
    }
    for file in &reading.receipts {
        known.extend(receipts::candidates(file, &session.place, true)?);
    }
    Ok(RunOrder {
        place: session.place.clone(),
        rows: Vec::new(),
        left_out: BTreeSet::new(),
        also: ids(&offering.also)?,
        after: reading
            .after
            .iter()
            .map(|name| RunName::new(name))
            .collect::<Result<_, _>>()?,
        known,
        max_batch: asked.map_or(most, |asked| asked.min(most)),
        policy: session.policy,
    })
}

/// Ids as a file's cells are read.
fn ids(texts: &[String]) -> Result<BTreeSet<RowId>, Error> {
    Ok(texts
        .iter()
        .map(|text| RowId::from_cell(text))
        .collect::<Result<_, _>>()?)
}

/// The rows that no slot paid, in the order of the file.
fn unpaid<'a>(order: &'a RunOrder, plan: &Plan) -> Vec<&'a Row> {
    let open: BTreeSet<&RowId> = plan
        .rows
        .iter()
        .filter(|row| matches!(row.state, RowState::Held | RowState::Open))
        .map(|row| &row.id)
        .collect();
    order
        .rows
        .iter()
        .filter(|row| open.contains(&row.id))
        .collect()
}
