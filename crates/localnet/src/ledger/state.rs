//! The entries of the ledger: lifetimes, an undo journal for rollbacks and metadata, and the recent
//! past for nodes that lag behind.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use sha2::{Digest, Sha256};
use soroban_env_host::HostError;
use soroban_env_host::storage::{EntryWithLiveUntil, SnapshotSource};
use soroban_env_host::xdr::{
    Hash, LedgerEntry, LedgerEntryChange, LedgerEntryChanges, LedgerEntryData, LedgerEntryExt,
    LedgerKey, TtlEntry,
};

use crate::network::{sha256_xdr, xdr};

/// Ledgers for which the state before can still be asked, for reads that lag.
pub(crate) const PAST_LEDGERS: usize = 64;

/// Until when an entry lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ttl {
    /// The last ledger in which the entry is live.
    pub(crate) live_until: u32,
    /// The ledger that set it.
    pub(crate) last_modified: u32,
}

/// An entry with its lifetime; only contract data and code have one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stored {
    pub(crate) entry: Rc<LedgerEntry>,
    pub(crate) ttl: Option<Ttl>,
}

impl Stored {
    /// Whether the entry exists in ledger `seq`: entries without a lifetime always do.
    pub(crate) fn is_live(&self, seq: u32) -> bool {
        self.ttl.is_none_or(|ttl| ttl.live_until >= seq)
    }
}

type Entries = BTreeMap<LedgerKey, Stored>;
type Overlay = BTreeMap<LedgerKey, Option<Stored>>;

/// A point in the journal to which the state can return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark(usize);

/// All entries of the ledger.
#[derive(Default)]
pub(crate) struct State {
    entries: Rc<Entries>,
    /// What stood there before, for every write since the last commit.
    journal: Vec<(LedgerKey, Option<Stored>)>,
    /// For each recent ledger what its transactions replaced, oldest first.
    past: VecDeque<(u32, Overlay)>,
}

impl State {
    pub(crate) fn from_entries(entries: impl IntoIterator<Item = Stored>) -> Self {
        Self {
            entries: Rc::new(
                entries
                    .into_iter()
                    .map(|stored| (stored.entry.to_key(), stored))
                    .collect(),
            ),
            ..Self::default()
        }
    }

    pub(crate) fn get(&self, key: &LedgerKey) -> Option<&Stored> {
        self.entries.get(key)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Stored> {
        self.entries.values()
    }

    /// The entry as it stood at the end of ledger `seq`.
    pub(crate) fn get_at(&self, key: &LedgerKey, seq: u32) -> Option<&Stored> {
        self.past
            .iter()
            .filter(|(ledger, _)| *ledger > seq)
            .find_map(|(_, replaced)| replaced.get(key))
            .map_or_else(|| self.get(key), Option::as_ref)
    }

    /// Writes an entry in ledger `seq`, keeping or setting its lifetime.
    pub(crate) fn put(&mut self, seq: u32, data: LedgerEntryData, ttl: Option<Ttl>) {
        let key = data.to_key();
        let ext = self
            .get(&key)
            .map_or(LedgerEntryExt::V0, |stored| stored.entry.ext.clone());
        self.put_entry(
            LedgerEntry {
                last_modified_ledger_seq: seq,
                data,
                ext,
            },
            ttl,
        );
    }

    /// Writes an entry as it is.
    pub(crate) fn put_entry(&mut self, entry: LedgerEntry, ttl: Option<Ttl>) {
        let key = entry.to_key();
        let stored = Stored {
            entry: Rc::new(entry),
            ttl,
        };
        let before = Rc::make_mut(&mut self.entries).insert(key.clone(), stored);
        self.journal.push((key, before));
    }

    /// Moves the end of an entry's life; the entry itself stays untouched.
    pub(crate) fn set_ttl(&mut self, seq: u32, key: &LedgerKey, live_until: u32) {
        let Some(stored) = Rc::make_mut(&mut self.entries).get_mut(key) else {
            return;
        };
        let before = stored.clone();
        stored.ttl = Some(Ttl {
            live_until,
            last_modified: seq,
        });
        self.journal.push((key.clone(), Some(before)));
    }

    pub(crate) fn remove(&mut self, key: &LedgerKey) {
        let before = Rc::make_mut(&mut self.entries).remove(key);
        self.journal.push((key.clone(), before));
    }

    pub(crate) fn mark(&self) -> Mark {
        Mark(self.journal.len())
    }

    /// Takes back everything since `mark`.
    pub(crate) fn rollback(&mut self, mark: Mark) {
        let entries = Rc::make_mut(&mut self.entries);
        for (key, before) in self.journal.drain(mark.0..).rev() {
            match before {
                Some(stored) => entries.insert(key, stored),
                None => entries.remove(&key),
            };
        }
    }

    /// Takes back everything since the last commit.
    pub(crate) fn rollback_all(&mut self) {
        self.rollback(Mark(0));
    }

    /// Makes the writes of ledger `seq` final.
    pub(crate) fn commit(&mut self, seq: u32) {
        if self.journal.is_empty() {
            return;
        }
        // Entries written past the rules are part of a ledger that is there already.
        let mut replaced = match self.past.pop_back() {
            Some((ledger, replaced)) if ledger == seq => replaced,
            earlier => {
                self.past.extend(earlier);
                Overlay::new()
            }
        };
        for (key, before) in self.journal.drain(..) {
            replaced.entry(key).or_insert(before);
        }
        self.past.push_back((seq, replaced));
        if self.past.len() > PAST_LEDGERS {
            self.past.pop_front();
        }
    }

    /// The keys written since the last commit, some perhaps more than once.
    pub(crate) fn written_keys(&self) -> impl Iterator<Item = &LedgerKey> {
        self.journal.iter().map(|(key, _)| key)
    }

    /// What stands for the whole state in a header: a hash over the one before and every entry
    /// written since the last commit.
    pub(crate) fn digest(&self, before: [u8; 32]) -> [u8; 32] {
        let mut hasher = Sha256::new();
        hasher.update(before);
        for (key, _) in self.replaced_since(Mark(0)) {
            hasher.update(xdr(key));
            if let Some(stored) = self.get(key) {
                hasher.update(xdr(stored.entry.as_ref()));
                hasher.update(stored.ttl.map_or(0, |ttl| ttl.live_until).to_be_bytes());
            }
        }
        hasher.finalize().into()
    }

    /// The keys written since `mark`, with what stood there before, in order of the first write.
    fn replaced_since(&self, mark: Mark) -> Vec<(&LedgerKey, Option<&Stored>)> {
        let mut seen = std::collections::BTreeSet::new();
        self.journal[mark.0..]
            .iter()
            .filter(|(key, _)| seen.insert(key))
            .map(|(key, before)| (key, before.as_ref()))
            .collect()
    }

    /// The changes since `mark` as transaction metadata shows them. Entries of `restored` came back
    /// from the archive.
    pub(crate) fn changes(&self, mark: Mark, restored: &[LedgerKey]) -> LedgerEntryChanges {
        let mut changes = Vec::new();
        for (key, before) in self.replaced_since(mark) {
            let after = self.get(key);
            let was_archived = restored.contains(key);
            entry_changes(&mut changes, key, before, after, was_archived);
        }
        LedgerEntryChanges(changes.try_into().unwrap_or_default())
    }

    /// What simulation reads: the state at the end of ledger `seq`.
    pub(crate) fn snapshot_at(&self, seq: u32) -> Snapshot {
        let mut overlay = Overlay::new();
        for (_, replaced) in self.past.iter().filter(|(ledger, _)| *ledger > seq) {
            for (key, before) in replaced {
                overlay.entry(key.clone()).or_insert_with(|| before.clone());
            }
        }
        Snapshot {
            entries: Rc::clone(&self.entries),
            overlay,
        }
    }
}

/// One entry's changes. The lifetime comes first: a client that extends an entry looks for its
/// change at the head of the list.
fn entry_changes(
    out: &mut Vec<LedgerEntryChange>,
    key: &LedgerKey,
    before: Option<&Stored>,
    after: Option<&Stored>,
    was_archived: bool,
) {
    let ttl_before = before.and_then(|stored| ttl_entry(key, stored));
    let ttl_after = after.and_then(|stored| ttl_entry(key, stored));
    if ttl_before != ttl_after {
        match (ttl_before, ttl_after) {
            (_, Some(ttl)) if was_archived => out.push(LedgerEntryChange::Restored(ttl)),
            (Some(old), Some(new)) => {
                out.push(LedgerEntryChange::State(old));
                out.push(LedgerEntryChange::Updated(new));
            }
            (None, Some(new)) => out.push(LedgerEntryChange::Created(new)),
            (Some(old), None) => {
                let key = old.to_key();
                out.push(LedgerEntryChange::State(old));
                out.push(LedgerEntryChange::Removed(key));
            }
            (None, None) => {}
        }
    }
    if was_archived && let Some(stored) = before {
        out.push(LedgerEntryChange::Restored((*stored.entry).clone()));
    }
    match (before, after) {
        (Some(old), Some(new)) if old.entry != new.entry => {
            out.push(LedgerEntryChange::State((*old.entry).clone()));
            out.push(LedgerEntryChange::Updated((*new.entry).clone()));
        }
        (None, Some(new)) => out.push(LedgerEntryChange::Created((*new.entry).clone())),
        (Some(old), None) => {
            out.push(LedgerEntryChange::State((*old.entry).clone()));
            out.push(LedgerEntryChange::Removed(key.clone()));
        }
        _ => {}
    }
}

/// The lifetime as the ledger entry that the network keeps for it.
fn ttl_entry(key: &LedgerKey, stored: &Stored) -> Option<LedgerEntry> {
    let ttl = stored.ttl?;
    Some(LedgerEntry {
        last_modified_ledger_seq: ttl.last_modified,
        data: LedgerEntryData::Ttl(TtlEntry {
            key_hash: Hash(sha256_xdr(key)),
            live_until_ledger_seq: ttl.live_until,
        }),
        ext: LedgerEntryExt::V0,
    })
}

/// The state at one moment, owned, for a simulation.
pub(crate) struct Snapshot {
    entries: Rc<Entries>,
    overlay: Overlay,
}

impl SnapshotSource for Snapshot {
    fn get(&self, key: &Rc<LedgerKey>) -> Result<Option<EntryWithLiveUntil>, HostError> {
        let stored = match self.overlay.get(key.as_ref()) {
            Some(before) => before.as_ref(),
            None => self.entries.get(key.as_ref()),
        };
        Ok(stored.map(|stored| {
            (
                Rc::clone(&stored.entry),
                stored.ttl.map(|ttl| ttl.live_until),
            )
        }))
    }
}
