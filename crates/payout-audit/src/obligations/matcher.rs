//! Rows and payouts, one against the other.

use std::collections::{BTreeMap, HashMap, HashSet};

use payout_engine::{Record, RecordKind};
use payout_keys::{Fingerprint, Recipient, Reference, RowId};

use super::{DIFFERENT, EXTRA, MISSING, Obligation, Obligations, TWICE};
use crate::books::{KeyDigest, key_digest};
use crate::checks::{About, End, Evidence, Sink};
use crate::model::{Body, Tx};
use crate::verdict::Outcome;

/// Matches while transactions go by.
#[derive(Debug)]
pub struct Matcher<'a> {
    owed: &'a Obligations,
    /// Payouts that were found for each row.
    found: HashMap<usize, u32>,
    /// Keys whose events were seen.
    seen: HashSet<KeyDigest>,
    lines: u64,
    referenced: HashMap<KeyDigest, Vec<Fingerprint>>,
}

/// What an id's rows end in.
#[derive(Default)]
struct Ended {
    paid: u32,
    /// Why it cannot be told.
    open: Option<String>,
    line: u64,
    key: Option<String>,
    why: Option<&'static str>,
}

impl<'a> Matcher<'a> {
    /// A matcher of the rows of `owed`.
    #[must_use]
    pub fn new(owed: &'a Obligations) -> Self {
        Self {
            owed,
            found: HashMap::new(),
            seen: HashSet::new(),
            lines: 0,
            referenced: HashMap::new(),
        }
    }

    /// What payouts commit to with the references of the ids, where their transactions are not at hand.
    #[must_use]
    pub fn referenced(&self) -> &HashMap<KeyDigest, Vec<Fingerprint>> {
        &self.referenced
    }

    /// Takes a transaction's payouts in.
    pub fn transaction(&mut self, tx: &Tx, out: &mut Sink) {
        for settlement in &tx.settlements {
            let (Some(event), Ok(lines)) = (tx.events.get(settlement.at), &settlement.lines) else {
                continue;
            };
            let Body::Paid(paid) = &event.body else {
                continue;
            };
            let digest = key_digest(&paid.key);
            self.seen.insert(digest);
            let references: Vec<Option<Reference>> = match &settlement.asked {
                Some(asked) => asked.lines().iter().map(|line| line.reference).collect(),
                None => Vec::new(),
            };
            let mut own = Vec::new();
            for (at, (recipient, amount)) in lines.iter().enumerate() {
                self.lines += 1;
                let reference = references.get(at).copied().flatten();
                let evidence = || Evidence::event(tx, event.id).key(&paid.key);
                let Some(row) = self.row(digest, *recipient, reference) else {
                    out.running(EXTRA.id).refuted(
                        format!("{recipient} got {amount}, and no row owes that"),
                        evidence(),
                    );
                    continue;
                };
                *self.found.entry(row).or_default() += 1;
                let Some(owed) = self.owed.rows.get(row) else {
                    continue;
                };
                own.push(owed);
                for text in differences(owed, *recipient, *amount, reference) {
                    out.running(DIFFERENT.id).refuted(text, evidence());
                }
            }
            if settlement.asked.is_none() && own.len() == lines.len() {
                let recipients: Vec<Recipient> = lines.iter().map(|line| line.0).collect();
                let amounts: Vec<i128> = lines.iter().map(|line| line.1).collect();
                let made = of_each_run(&own).filter_map(|own| {
                    Fingerprint::of(&recipients, &amounts, Some(own.as_slice())).ok()
                });
                self.referenced.insert(digest, made.collect());
            }
        }
    }

    /// The row that a line of a payout is of: its reference's, or the key's with its recipient, or the
    /// only one of the key that is not found yet.
    fn row(
        &self,
        digest: KeyDigest,
        recipient: Recipient,
        reference: Option<Reference>,
    ) -> Option<usize> {
        if let Some(row) = reference.and_then(|reference| self.owed.by_reference.get(&reference)) {
            return Some(*row);
        }
        let of_key = self.owed.by_key.get(&digest)?;
        let exact = of_key.iter().find(|row| {
            self.owed
                .rows
                .get(**row)
                .is_some_and(|row| row.recipient == recipient)
        });
        match (exact, of_key.as_slice()) {
            (Some(row), _) => Some(*row),
            (None, [only]) if !self.found.contains_key(only) => Some(*only),
            _ => None,
        }
    }

    /// Ends: what no event told is asked of the records.
    pub fn end(mut self, end: &End<'_>, out: &mut Sink) -> Vec<(&'static About, Outcome, String)> {
        let mut open: HashMap<usize, String> = HashMap::new();
        let mut voided: HashMap<usize, &'static str> = HashMap::new();
        let mut keys: Vec<_> = self.owed.by_key.iter().collect();
        keys.sort_by_key(|(_, rows)| rows.first().copied());
        for (digest, rows) in keys {
            if self.seen.contains(digest) {
                continue;
            }
            let record = end.chain.and_then(|chain| chain.records.get(digest));
            match record {
                Some(record) if record.paid() => match reproduced(self.owed, rows, record) {
                    Reproduced::Yes => {
                        for row in rows {
                            *self.found.entry(*row).or_default() += 1;
                        }
                    }
                    Reproduced::No(text) => {
                        for row in rows {
                            *self.found.entry(*row).or_default() += 1;
                        }
                        out.running(DIFFERENT.id)
                            .refuted(text, at_record(record, digest));
                    }
                    Reproduced::Open(text) => {
                        for row in rows {
                            open.insert(*row, text.clone());
                        }
                    }
                },
                Some(record) => {
                    let why = match record.kind {
                        RecordKind::Voided => "its key is void",
                        _ => "its key was imported: paid elsewhere, as somebody said",
                    };
                    for row in rows {
                        voided.insert(*row, why);
                    }
                }
                None if end.chain.is_none()
                    && !end.coverage.is_some_and(crate::checks::Coverage::whole) =>
                {
                    for row in rows {
                        open.insert(*row, "neither events nor a record were at hand".to_owned());
                    }
                }
                None => {}
            }
        }
        self.extra_records(end, out);
        if let Some(why) = self.unknown_lines(end) {
            // Any of those payouts may be of a row without a key.
            for (at, row) in self.owed.rows.iter().enumerate() {
                if row.key.is_none() {
                    open.entry(at).or_insert_with(|| why.clone());
                }
            }
            for about in [&EXTRA, &DIFFERENT, &TWICE] {
                out.running(about.id)
                    .undetermined(why.clone(), Evidence::default());
            }
        }
        self.ids(&open, &voided, out);
        let rows = format!(
            "{} rows, {} lines of payouts",
            self.owed.rows.len(),
            self.lines
        );
        super::ABOUTS
            .iter()
            .map(|about| (*about, Outcome::Proven, rows.clone()))
            .collect()
    }

    /// Why it is not known who got what, where rows have no key to tell it by: payouts whose lines
    /// nothing told.
    fn unknown_lines(&self, end: &End<'_>) -> Option<String> {
        if self.owed.rows.iter().all(|row| row.key.is_some()) {
            return None;
        }
        match end.chain {
            Some(chain) => {
                let unknown = chain.records.iter().filter(|(digest, record)| {
                    record.paid()
                        && !self.seen.contains(*digest)
                        && !self.owed.by_key.contains_key(*digest)
                });
                let count = unknown.count();
                (count > 0).then(|| {
                    format!(
                        "{count} payouts are known by their records alone, which do not say who got what; give \
                         --archive, or each row's key"
                    )
                })
            }
            None => (!end.coverage.is_some_and(crate::checks::Coverage::whole)).then(|| {
                "not every ledger was seen, and rows without a key cannot be asked for; give --keys, or each \
                 row's key"
                    .to_owned()
            }),
        }
    }

    /// Records of keys that no row has and no event told of.
    fn extra_records(&self, end: &End<'_>, out: &mut Sink) {
        let Some(chain) = end.chain else { return };
        let mut paid: Vec<_> = chain
            .records
            .iter()
            .filter(|(_, record)| record.paid())
            .collect();
        paid.sort_by_key(|(_, record)| record.payout_id);
        for (digest, record) in paid {
            if !self.owed.by_key.contains_key(digest)
                && !self.seen.contains(digest)
                && self.owed.rows.iter().all(|row| row.key.is_some())
            {
                let key = end.list.and_then(|list| list.keys.get(digest));
                let mut evidence = at_record(record, digest);
                evidence.key = key.cloned();
                out.running(EXTRA.id).refuted(
                    format!(
                        "{} units were paid under a key that no row has",
                        record.total
                    ),
                    evidence,
                );
            }
        }
    }

    fn ids(
        &self,
        open: &HashMap<usize, String>,
        voided: &HashMap<usize, &'static str>,
        out: &mut Sink,
    ) {
        let mut ids: BTreeMap<&RowId, Ended> = BTreeMap::new();
        for (at, row) in self.owed.rows.iter().enumerate() {
            let ended = ids.entry(&row.id).or_default();
            ended.paid += self.found.get(&at).copied().unwrap_or(0);
            ended.line = row.line;
            ended.key = row.key.as_ref().map(ToString::to_string);
            ended.open = ended.open.take().or_else(|| open.get(&at).cloned());
            ended.why = ended.why.or_else(|| voided.get(&at).copied());
        }
        for (id, ended) in ids {
            let evidence = Evidence {
                key: ended.key,
                ..Evidence::default()
            };
            if ended.paid > 1 {
                out.running(TWICE.id)
                    .refuted(format!("id {id} was paid {} times", ended.paid), evidence);
            } else if let (0, Some(why)) = (ended.paid, ended.open) {
                out.running(MISSING.id)
                    .undetermined(format!("id {id}, line {}: {why}", ended.line), evidence);
            } else if ended.paid == 0 {
                let why = ended.why.unwrap_or("no payout of it was found");
                out.running(MISSING.id)
                    .refuted(format!("id {id}, line {}: {why}", ended.line), evidence);
            }
        }
    }
}

fn at_record(record: &Record, digest: &KeyDigest) -> Evidence {
    Evidence::ledger(record.ledger).entry(format!("IdempotencyKey {}", hex::encode(digest)))
}

fn differences(
    owed: &Obligation,
    recipient: Recipient,
    amount: i128,
    reference: Option<Reference>,
) -> Vec<String> {
    let mut found = Vec::new();
    let id = &owed.id;
    if owed.recipient != recipient {
        found.push(format!(
            "id {id} is owed to {}, and {recipient} got it",
            owed.recipient
        ));
    }
    if owed.amount.units() != amount {
        found.push(format!(
            "id {id} is owed {}, and {amount} were paid",
            owed.amount
        ));
    }
    if let Some(paid) = reference
        && !owed.references.is_empty()
        && !owed.references.contains(&paid)
    {
        let own: Vec<String> = owed.references.iter().map(Reference::to_string).collect();
        found.push(format!(
            "id {id} has reference {}, and the payout carries {paid}",
            own.join(" or ")
        ));
    }
    found
}

/// The references of `rows` under each run that was named, in the order of the rows.
fn of_each_run(rows: &[&Obligation]) -> impl Iterator<Item = Vec<Reference>> {
    let runs = rows.first().map_or(0, |row| row.references.len());
    (0..runs).map(|run| {
        let of_run = |row: &&Obligation| row.references.get(run).copied();
        rows.iter().filter_map(of_run).collect()
    })
}

enum Reproduced {
    Yes,
    No(String),
    Open(String),
}

/// Whether the rows of a key make its record's fingerprint: in the file's order or in that of the ids,
/// which is a run's; with references and without.
fn reproduced(owed: &Obligations, rows: &[usize], record: &Record) -> Reproduced {
    let in_file: Vec<&Obligation> = rows.iter().filter_map(|row| owed.rows.get(*row)).collect();
    let mut by_id = in_file.clone();
    by_id.sort_by(|one, other| one.id.cmp(&other.id));
    for order in [&in_file, &by_id] {
        let recipients: Vec<Recipient> = order.iter().map(|row| row.recipient).collect();
        let amounts: Vec<i128> = order.iter().map(|row| row.amount.units()).collect();
        let makes = |references: Option<&[Reference]>| {
            Fingerprint::of(&recipients, &amounts, references)
                .is_ok_and(|made| made == record.fingerprint)
        };
        if makes(None) || of_each_run(order).any(|own| makes(Some(own.as_slice()))) {
            return Reproduced::Yes;
        }
    }
    let sum = in_file
        .iter()
        .try_fold(0_i128, |sum, row| sum.checked_add(row.amount.units()));
    if sum != Some(record.total) {
        return Reproduced::No(format!(
            "the rows of this key add up to {}, and its record says {}",
            sum.map_or_else(|| "too much".to_owned(), |sum| sum.to_string()),
            record.total
        ));
    }
    if record.kind == RecordKind::Single {
        return Reproduced::No(format!(
            "recipient and amount do not make the record's fingerprint {}",
            record.fingerprint
        ));
    }
    Reproduced::Open(format!(
        "the rows of its key add up and do not make the record's fingerprint {}: their order, or references, are \
         not known; give --run, or the events",
        record.fingerprint
    ))
}
