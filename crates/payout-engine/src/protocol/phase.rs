//! Where an obligation stands.

use std::fmt;

/// A state of the protocol. [`TRANSITIONS`](super::TRANSITIONS) is the table of all ways between
/// them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// The key is being looked up. Every obligation begins here, after every start.
    Checking,
    /// The payout is being simulated.
    Simulating,
    /// The payout would restore archived entries at its own cost; somebody has to say yes.
    AwaitingConsent,
    /// Key and arguments are being stored.
    StoringIntent,
    /// An envelope, or a fee bump around one, is being signed.
    Signing,
    /// The signed envelope and its hashes are being stored.
    StoringEnvelope,
    /// The envelope is on its way.
    Sending,
    /// A node has it in its queue.
    Pending,
    /// It may be paid, or become paid, and nobody knows yet.
    OutcomeUnknown,
    /// Proven absent on one node; a second one is asked.
    Confirming,
    /// Stopped with a typed reason. It goes on under the same key.
    Suspended,
    /// The record has our fingerprint.
    Paid,
    /// The record has another fingerprint.
    Conflict,
    /// The key was imported: asserted elsewhere.
    Imported,
    /// The key is void.
    Voided,
    /// Proven: not paid, and never will be.
    NotPaid,
}

impl Phase {
    /// All of them, in the table's order.
    pub const ALL: [Self; 16] = [
        Self::Checking,
        Self::Simulating,
        Self::AwaitingConsent,
        Self::StoringIntent,
        Self::Signing,
        Self::StoringEnvelope,
        Self::Sending,
        Self::Pending,
        Self::OutcomeUnknown,
        Self::Confirming,
        Self::Suspended,
        Self::Paid,
        Self::Conflict,
        Self::Imported,
        Self::Voided,
        Self::NotPaid,
    ];

    /// Whether nothing can change any more.
    #[must_use]
    pub fn is_final(self) -> bool {
        matches!(
            self,
            Self::Paid | Self::Conflict | Self::Imported | Self::Voided | Self::NotPaid
        )
    }

    /// Its name, as documents, journals and answers write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Checking => "checking",
            Self::Simulating => "simulating",
            Self::AwaitingConsent => "awaiting_consent",
            Self::StoringIntent => "storing_intent",
            Self::Signing => "signing",
            Self::StoringEnvelope => "storing_envelope",
            Self::Sending => "sending",
            Self::Pending => "pending",
            Self::OutcomeUnknown => "outcome_unknown",
            Self::Confirming => "confirming",
            Self::Suspended => "suspended",
            Self::Paid => "paid",
            Self::Conflict => "conflict",
            Self::Imported => "imported",
            Self::Voided => "voided",
            Self::NotPaid => "not_paid",
        }
    }

    /// What it means, in one sentence.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Checking => {
                "the key is looked up; every obligation begins here after every start"
            }
            Self::Simulating => "the payout is simulated",
            Self::AwaitingConsent => {
                "it would restore archived entries at its cost: somebody has to say yes"
            }
            Self::StoringIntent => "key and arguments are stored",
            Self::Signing => "an envelope, or a fee bump around it, is signed",
            Self::StoringEnvelope => "the signed envelope and its hashes are stored",
            Self::Sending => "the envelope is on its way",
            Self::Pending => "a node has it in its queue",
            Self::OutcomeUnknown => "it may be or become paid, and nobody knows yet",
            Self::Confirming => "proven absent on one node; a second one is asked",
            Self::Suspended => "stopped with a typed reason; goes on under the same key",
            Self::Paid => "the record has our fingerprint",
            Self::Conflict => "the record has another fingerprint",
            Self::Imported => "the key was imported: paid elsewhere, somebody says",
            Self::Voided => "the key is void and never pays",
            Self::NotPaid => "proven: not paid, and never will be",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}
