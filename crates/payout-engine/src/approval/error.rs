//! Why an offer is not signed and not sent.

use payout_keys::Recipient;

use crate::PayoutError;
use crate::envelope::EnvelopeError;

/// An offer that is not what it says, or a signature that does not belong there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ApprovalError {
    /// The file is no offer.
    #[error("the file is no offer of this program: {0}")]
    NotAnOffer(String),
    /// A field that cannot be read.
    #[error("the offer's {field} cannot be read: {why}")]
    Field {
        /// Which.
        field: &'static str,
        /// Why.
        why: String,
    },
    /// The file says something else than the envelope carries.
    #[error(
        "the offer was changed: {what} is {stated} in the file, and {carried} by what the envelope \
         carries; build it anew"
    )]
    Differs {
        /// What.
        what: String,
        /// What the file says.
        stated: String,
        /// What the envelope carries, or what follows from it.
        carried: String,
    },
    /// The envelope does more than the payout.
    #[error("the offer's envelope is not the payout alone: {0}; build it anew")]
    Shape(&'static str),
    /// A signature that nobody made who may.
    #[error("the offer has a signature of {of} that does not hold: {why}; build it anew")]
    Signature {
        /// For what.
        of: &'static str,
        /// Why.
        why: String,
    },
    /// The envelope was signed already.
    #[error(
        "the envelope is signed already, and an authorisation would change its hash; whoever has \
         to authorise signs first. Build it anew"
    )]
    EnvelopeFirst,
    /// The envelope cannot be signed yet.
    #[error(
        "the payout key {payout_key} has to authorise it first: the envelope's hash changes by \
         that"
    )]
    AuthorisationFirst {
        /// The payout key.
        payout_key: Recipient,
    },
    /// An authorisation where none is signed apart.
    #[error(
        "the payout key sends this offer itself: nothing is authorised apart from the envelope"
    )]
    NothingApart,
    /// An authorisation of something else.
    #[error("the authorisation is for another {what} than the offer's; sign the offer's own entry")]
    OtherAuthorisation {
        /// What differs.
        what: &'static str,
    },
    /// An envelope cannot be made or read.
    #[error(transparent)]
    Envelope(#[from] EnvelopeError),
    /// Lines that are no payout.
    #[error(transparent)]
    Payout(#[from] PayoutError),
}

impl ApprovalError {
    pub(super) fn field<E: ToString>(field: &'static str) -> impl FnOnce(E) -> Self {
        move |error| Self::Field {
            field,
            why: error.to_string(),
        }
    }
}
