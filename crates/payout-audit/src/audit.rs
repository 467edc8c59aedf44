//! An audit from the first record to the report.

use std::collections::HashSet;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::archive::{self, ArchiveError, Head, Record, belongs};
use crate::books::{Books, KeyDigest, World, key_digest};
use crate::checks::{self, Chain, Check, Coverage, End, KeyList, Sink};
use crate::listing::Listing;
use crate::model::{Body, Subject, Tx};
use crate::obligations::{Matcher, Obligations};
use crate::report::{CheckResult, Report, Scope};
use crate::verdict::{Outcome, Verdict};

/// What is asked.
#[derive(Debug, Clone, Copy, Default)]
pub struct Questions<'a> {
    /// The last ledger that is judged; what comes later is only added up.
    pub to: Option<u32>,
    /// The ledger at which the contract's state was read.
    pub state_at: Option<u32>,
    /// What is owed.
    pub obligations: Option<&'a Obligations>,
}

/// What is known beside the events, at the end.
#[derive(Debug, Default)]
pub struct Beside<'a> {
    /// The contract's state and records.
    pub chain: Option<&'a Chain>,
    /// A list of keys.
    pub list: Option<&'a KeyList>,
    /// Codes that may run.
    pub codes: &'a [[u8; 32]],
    /// Hosts of the nodes that were asked now.
    pub nodes: Vec<String>,
}

/// An audit that is under way.
pub struct Auditor<'a> {
    subject: &'a Subject,
    asked: Questions<'a>,
    checks: Vec<Box<dyn Check>>,
    sink: Sink,
    world: World,
    then: Books,
    reached: Option<u32>,
    coverage: Option<Coverage>,
    matcher: Option<Matcher<'a>>,
    listing: Listing,
    digest: Sha256,
    nodes: Vec<String>,
    others: HashSet<KeyDigest>,
    head: Option<Head>,
}

impl<'a> Auditor<'a> {
    /// An audit of `subject` by all checks.
    #[must_use]
    pub fn new(subject: &'a Subject, asked: Questions<'a>) -> Self {
        Self::with(subject, asked, checks::all())
    }

    /// The same with some checks alone. What an audit is worth without one of them is seen this way.
    #[must_use]
    pub fn with(subject: &'a Subject, asked: Questions<'a>, checks: Vec<Box<dyn Check>>) -> Self {
        Self {
            subject,
            asked,
            checks,
            sink: Sink::default(),
            world: World::default(),
            then: Books::default(),
            reached: None,
            coverage: None,
            matcher: asked.obligations.map(Matcher::new),
            listing: Listing::default(),
            digest: Sha256::new(),
            nodes: Vec::new(),
            others: HashSet::new(),
            head: None,
        }
    }

    /// Reads a whole archive, checking its chain on the way.
    ///
    /// # Errors
    /// [`ArchiveError`].
    pub fn archive(&mut self, path: &Path) -> Result<Head, ArchiveError> {
        self.read(path, None)
    }

    /// The same of an archive that must still have a record with `digest`, which was noted earlier.
    ///
    /// # Errors
    /// [`ArchiveError::HeadMissing`], and as [`Auditor::archive`].
    pub fn archive_with(
        &mut self,
        path: &Path,
        digest: archive::Digest,
    ) -> Result<Head, ArchiveError> {
        self.read(path, Some(digest))
    }

    fn read(&mut self, path: &Path, wanted: Option<archive::Digest>) -> Result<Head, ArchiveError> {
        let mut seen = wanted.is_none();
        let head = archive::read(path, |record, number, digest| {
            seen |= wanted == Some(digest);
            self.record(record, number)
        })?;
        if !seen {
            return Err(ArchiveError::HeadMissing(hex::encode(
                wanted.unwrap_or_default(),
            )));
        }
        if head.records == 0 {
            return Err(ArchiveError::Broken {
                record: 1,
                why: "there is no whole record".to_owned(),
            });
        }
        self.head = Some(head);
        Ok(head)
    }

    /// Takes a record in.
    ///
    /// # Errors
    /// [`ArchiveError`], where it is of something else or cannot be read at all.
    pub fn record(&mut self, record: &Record<'_>, number: u64) -> Result<(), ArchiveError> {
        match record {
            Record::Opened(opened) => {
                belongs(opened, self.subject)?;
                self.coverage = Some(Coverage::default());
            }
            Record::Gap(gap) => {
                self.reached = Some(gap.to);
                self.cover(gap.from, gap.to, false);
                for check in &mut self.checks {
                    check.gap(*gap, self.sink.running(check.about().id));
                }
            }
            Record::Page(page) => {
                self.reached = Some(page.to);
                self.cover(page.from, page.to, true);
                if !self.nodes.iter().any(|node| node == page.node) {
                    self.nodes.push(page.node.to_owned());
                }
                for check in &mut self.checks {
                    check.page(page, self.sink.running(check.about().id));
                }
                for raw in &page.transactions {
                    let tx = Tx::read(self.subject, raw).map_err(|error| ArchiveError::Broken {
                        record: number,
                        why: error.to_string(),
                    })?;
                    self.transaction(&tx);
                }
            }
        }
        Ok(())
    }

    fn cover(&mut self, from: u32, to: u32, read: bool) {
        let to = self.asked.to.map_or(to, |asked| asked.min(to));
        if from <= to {
            self.coverage.get_or_insert_default().add(from, to, read);
        }
    }

    /// Takes a transaction in.
    fn transaction(&mut self, tx: &Tx) {
        if self.asked.state_at.is_some_and(|at| tx.ledger <= at) {
            self.then.transaction(self.subject, tx);
        }
        if self.asked.to.is_some_and(|to| tx.ledger > to) {
            return;
        }
        for check in &mut self.checks {
            let out = self.sink.running(check.about().id);
            check.transaction(self.subject, &self.world, tx, out);
        }
        if let Some(matcher) = &mut self.matcher {
            matcher.transaction(tx, &mut self.sink);
        }
        self.digest.update(tx.hash);
        for event in &tx.events {
            self.digest.update(event.id.to_string());
            self.digest.update(&event.xdr);
            if let Body::Replayed { key, .. } = &event.body {
                let digest = key_digest(key);
                if !self.world.keys.contains_key(&digest) {
                    self.others.insert(digest);
                }
            }
        }
        self.world.transaction(self.subject, tx);
        self.listing.transaction(self.subject, &self.world, tx);
    }

    /// The last ledger of the archive.
    #[must_use]
    pub fn reached(&self) -> Option<u32> {
        self.reached
    }

    /// The keys whose records have to be read: those of events and of obligations.
    #[must_use]
    pub fn keys(&self) -> Vec<KeyDigest> {
        let mut keys: HashSet<KeyDigest> = self.world.keys.keys().copied().collect();
        keys.extend(&self.others);
        if let Some(obligations) = self.asked.obligations {
            keys.extend(obligations.by_key.keys());
        }
        let mut keys: Vec<KeyDigest> = keys.into_iter().collect();
        keys.sort_unstable();
        keys
    }

    /// Ends.
    #[must_use]
    pub fn finish(mut self, beside: Beside<'_>) -> Report {
        let reaches = |at: u32| self.reached.is_some_and(|reached| reached >= at);
        let referenced = self
            .matcher
            .as_ref()
            .map(|matcher| matcher.referenced().clone())
            .unwrap_or_default();
        let end = End {
            subject: self.subject,
            world: &self.world,
            books_then: beside
                .chain
                .filter(|chain| reaches(chain.ledger))
                .map(|_| self.then),
            coverage: self.coverage.as_ref(),
            chain: beside.chain,
            list: beside.list,
            codes: beside.codes,
            asked_to: self.asked.to,
            referenced: &referenced,
        };
        let mut ended = Vec::new();
        for check in &mut self.checks {
            let about = check.about();
            let (outcome, text) = check.end(&end, self.sink.running(about.id));
            ended.push((about, outcome, text));
        }
        if let Some(matcher) = self.matcher.take() {
            ended.extend(matcher.end(&end, &mut self.sink));
        }
        let checks: Vec<CheckResult> = ended
            .into_iter()
            .map(|(about, outcome, text)| {
                let refuted = self.sink.count(about.id, true);
                let undetermined = self.sink.count(about.id, false);
                CheckResult {
                    about,
                    outcome: match (refuted, undetermined) {
                        (0, 0) => outcome,
                        (0, _) => Outcome::Undetermined,
                        _ => Outcome::Refuted,
                    },
                    text,
                    refuted,
                    undetermined,
                }
            })
            .collect();
        let mut nodes = self.nodes;
        nodes.extend(beside.nodes);
        nodes.sort();
        nodes.dedup();
        Report::new(
            verdict(&checks),
            Scope {
                subject: self.subject.clone(),
                coverage: self.coverage,
                transactions: self.world.transactions,
                events: self.world.events,
                keys: self.world.keys.len(),
                listed: beside.list.map(|list| list.keys.len()),
                obligations: self
                    .asked
                    .obligations
                    .map(|owed| (owed.rows.len(), owed.digest)),
                chain: beside
                    .chain
                    .map(|chain| (chain.ledger, chain.program.clone(), chain.balance)),
                code: beside.chain.and_then(|chain| chain.code),
                nodes,
                archive: self.head,
                events_digest: self.digest.finalize().into(),
            },
            checks,
            self.sink.into_findings(),
            self.listing,
        )
    }
}

/// Nothing refuted; nothing that was asked undetermined; and what was paid is known to be all.
fn verdict(checks: &[CheckResult]) -> Verdict {
    let any = |outcome| checks.iter().any(|check| check.outcome == outcome);
    let complete = checks
        .iter()
        .any(|check| check.about.id == "COMPLETE" && check.outcome == Outcome::Proven);
    if any(Outcome::Refuted) {
        Verdict::Refuted
    } else if any(Outcome::Undetermined) || !complete {
        Verdict::Undetermined
    } else {
        Verdict::Clean
    }
}
