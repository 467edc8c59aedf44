//! The one table of all ways from state to state. The documents and the tests read it.

use super::event::Event;
use super::phase::Phase;
use super::state::Obligation;
use super::verdict::verdict;

/// What made a state change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// A record with our fingerprint.
    RecordOurs,
    /// A record with another fingerprint.
    RecordOther,
    /// A record of an imported key.
    RecordImported,
    /// A record of a void key.
    RecordVoided,
    /// No record.
    Absent,
    /// The record could not be read.
    NotRead,
    /// The simulation succeeded.
    Simulated,
    /// The simulation was refused.
    Refused,
    /// The simulation was not answered.
    NotSimulated,
    /// Somebody said yes.
    Consented,
    /// The entry is durable.
    Stored,
    /// The entry is not stored.
    NotStored,
    /// Signed.
    Signed,
    /// Not signed.
    NotSigned,
    /// The sending was answered.
    Answered,
    /// The sending was not answered.
    NotAnswered,
    /// Somebody said: go on.
    Resumed,
    /// Somebody said: sign nothing more.
    GivenUp,
    /// Anything else: news by hash, bids, timers, receipts. They change no state by themselves.
    Other,
}

impl Cause {
    /// What `event` is to `state`.
    #[must_use]
    pub fn of(state: &Obligation, event: &Event) -> Self {
        match event {
            Event::Record(view) => match &view.record {
                None => Self::Absent,
                Some(record) => match verdict(state.purpose, record) {
                    Phase::Paid => Self::RecordOurs,
                    Phase::Imported => Self::RecordImported,
                    Phase::Voided => Self::RecordVoided,
                    _ => Self::RecordOther,
                },
            },
            Event::ReadFailed(_) => Self::NotRead,
            Event::Simulated(_) => Self::Simulated,
            Event::SimulationRefused(_) => Self::Refused,
            Event::SimulationFailed(_) => Self::NotSimulated,
            Event::Consented => Self::Consented,
            Event::Stored => Self::Stored,
            Event::StoreFailed(_) => Self::NotStored,
            Event::Signed(_) => Self::Signed,
            Event::SignFailed(_) | Event::LaneUnread(_) => Self::NotSigned,
            Event::Answered(_) => Self::Answered,
            Event::SendFailed(_) => Self::NotAnswered,
            Event::Resume { .. } => Self::Resumed,
            Event::GiveUp => Self::GivenUp,
            Event::Transaction { .. } | Event::Fees(_) | Event::Timer | Event::Receipt { .. } => {
                Self::Other
            }
        }
    }

    /// Its name in tables and diagrams.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::RecordOurs => "record, ours",
            Self::RecordOther => "record, another's",
            Self::RecordImported => "record, imported",
            Self::RecordVoided => "record, void",
            Self::Absent => "no record",
            Self::NotRead => "not read",
            Self::Simulated => "simulated",
            Self::Refused => "refused",
            Self::NotSimulated => "not simulated",
            Self::Consented => "consented",
            Self::Stored => "stored",
            Self::NotStored => "not stored",
            Self::Signed => "signed",
            Self::NotSigned => "not signed",
            Self::Answered => "answered",
            Self::NotAnswered => "not answered",
            Self::Resumed => "resumed",
            Self::GivenUp => "given up",
            Self::Other => "other",
        }
    }
}

/// A row of the table. Staying in a state is no row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transition {
    /// From any of these.
    pub from: &'static [Phase],
    /// By this.
    pub cause: Cause,
    /// To this.
    pub to: Phase,
    /// When, and why.
    pub when: &'static str,
}

const fn row(from: &'static [Phase], cause: Cause, to: Phase, when: &'static str) -> Transition {
    Transition {
        from,
        cause,
        to,
        when,
    }
}

use Phase::{
    AwaitingConsent, Checking, Confirming, Conflict, Imported, NotPaid, OutcomeUnknown, Paid,
    Pending, Sending, Signing, Simulating, StoringEnvelope, StoringIntent, Suspended, Voided,
};

/// Every state that is not final.
pub(super) const UNDECIDED: &[Phase] = &[
    Checking,
    Simulating,
    AwaitingConsent,
    StoringIntent,
    Signing,
    StoringEnvelope,
    Sending,
    Pending,
    OutcomeUnknown,
    Confirming,
    Suspended,
];
const LOOKING: &[Phase] = &[Checking, Pending, OutcomeUnknown];

/// All of them.
pub const TRANSITIONS: &[Transition] = &[
    row(
        UNDECIDED,
        Cause::RecordOurs,
        Paid,
        "always: a record never changes",
    ),
    row(
        UNDECIDED,
        Cause::RecordOther,
        Conflict,
        "always; in a run: the slot was lost",
    ),
    row(
        UNDECIDED,
        Cause::RecordImported,
        Imported,
        "always: not paid by this contract",
    ),
    row(
        UNDECIDED,
        Cause::RecordVoided,
        Voided,
        "always: proves itself",
    ),
    row(
        LOOKING,
        Cause::Absent,
        Simulating,
        "nothing of ours can land any more, or nothing was signed",
    ),
    row(
        LOOKING,
        Cause::Absent,
        Sending,
        "an envelope may land, and is due: the same bytes again",
    ),
    row(
        LOOKING,
        Cause::Absent,
        Signing,
        "an envelope may land, and a fee bump is called for",
    ),
    row(
        &[Checking, Pending],
        Cause::Absent,
        OutcomeUnknown,
        "an envelope may land; nothing to do but look again",
    ),
    row(
        LOOKING,
        Cause::Absent,
        Confirming,
        "given up, and all that was signed has run out at this ledger",
    ),
    row(
        LOOKING,
        Cause::Absent,
        Suspended,
        "ceiling of bids, refused sending, all attempts used, contradiction, only a void is final, no progress",
    ),
    row(
        &[Checking, Pending, OutcomeUnknown, Confirming],
        Cause::NotRead,
        Suspended,
        "as many tries as allowed",
    ),
    row(
        &[Confirming],
        Cause::Absent,
        NotPaid,
        "another node, at a ledger that covers everything",
    ),
    row(
        &[Confirming],
        Cause::Absent,
        Suspended,
        "no second node in as many tries as allowed",
    ),
    row(
        &[Simulating],
        Cause::Simulated,
        AwaitingConsent,
        "it would restore entries, and nobody has agreed",
    ),
    row(
        &[Simulating],
        Cause::Simulated,
        StoringIntent,
        "the journal does not have it yet",
    ),
    row(
        &[Simulating],
        Cause::Simulated,
        Signing,
        "the journal has it",
    ),
    row(
        &[Simulating],
        Cause::Simulated,
        Suspended,
        "ceiling of the resource fee; or nodes that lag, as often as allowed",
    ),
    row(
        &[Simulating],
        Cause::Refused,
        Suspended,
        "nothing is signed",
    ),
    row(
        &[Simulating],
        Cause::NotSimulated,
        Suspended,
        "as many tries as allowed",
    ),
    row(
        &[AwaitingConsent],
        Cause::Consented,
        StoringIntent,
        "the journal does not have it yet",
    ),
    row(
        &[AwaitingConsent],
        Cause::Consented,
        Signing,
        "the journal has it",
    ),
    row(
        &[StoringIntent],
        Cause::Stored,
        Signing,
        "persist, then sign",
    ),
    row(
        &[StoringIntent],
        Cause::Stored,
        Checking,
        "given up meanwhile",
    ),
    row(
        &[StoringIntent],
        Cause::NotStored,
        Suspended,
        "nothing was signed",
    ),
    row(
        &[Signing],
        Cause::Signed,
        StoringEnvelope,
        "persist, then send",
    ),
    row(
        &[Signing],
        Cause::Signed,
        Checking,
        "given up meanwhile: dropped, nobody has seen it",
    ),
    row(
        &[Signing],
        Cause::Signed,
        Suspended,
        "not what was asked for: dropped",
    ),
    row(
        &[Signing],
        Cause::NotSigned,
        Suspended,
        "no key to sign with; or the lane could not be read, as often as allowed",
    ),
    row(
        &[Signing],
        Cause::NotSigned,
        Checking,
        "the lane could not be read: from the beginning",
    ),
    row(
        &[StoringEnvelope],
        Cause::Stored,
        Sending,
        "the journal has envelope and hashes",
    ),
    row(
        &[StoringEnvelope],
        Cause::Stored,
        Checking,
        "given up meanwhile: awaited, not sent",
    ),
    row(
        &[StoringEnvelope],
        Cause::NotStored,
        Suspended,
        "dropped, nothing was sent",
    ),
    row(&[Sending], Cause::Answered, Pending, "PENDING, DUPLICATE"),
    row(
        &[Sending],
        Cause::Answered,
        OutcomeUnknown,
        "every other status: it proves nothing",
    ),
    row(
        &[Sending],
        Cause::NotAnswered,
        OutcomeUnknown,
        "it may have been accepted",
    ),
    row(&[Suspended], Cause::Resumed, Checking, "under the same key"),
    row(
        &[Simulating, AwaitingConsent, Suspended],
        Cause::GivenUp,
        Checking,
        "sign nothing more, find out",
    ),
];
