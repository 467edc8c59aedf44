//! Why an envelope cannot be made.

/// An envelope that was not made. Nothing was signed that anybody has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EnvelopeError {
    /// A secret key that is none. Its text is not repeated.
    #[error("this is not a secret key; it has 56 characters and begins with S")]
    Secret,
    /// An address that is no account.
    #[error("{0} is not an account; a transaction's source is an account (G…)")]
    NotAnAccount(String),
    /// The fee does not fit into a transaction.
    #[error("a fee of {fee} stroops does not fit into a transaction; lower bid or margin")]
    FeeTooLarge {
        /// The fee.
        fee: i64,
    },
    /// The account's sequence number is at its end.
    #[error("the account's sequence number is at its end; use another account")]
    SequenceEnd,
    /// An authorisation is asked of somebody whose key is not here.
    #[error("{address} has to authorise this, and its key is not here; sign it there")]
    SignatureMissing {
        /// Who.
        address: String,
    },
    /// The simulation asks for an authorisation of another call than was built.
    #[error(
        "the node asks for an authorisation of another call than {function} of our contract; do \
         not trust this node"
    )]
    OtherCall {
        /// Our call.
        function: String,
    },
    /// Credentials of a kind that is not signed here.
    #[error("the node asks for credentials of a kind that is not known here")]
    Credentials,
    /// Bytes that are not what they should be.
    #[error("{what} cannot be read or written: {why}")]
    Xdr {
        /// What.
        what: &'static str,
        /// Why.
        why: String,
    },
    /// A returned value that is no record.
    #[error("the contract's answer is not a record ({0}); check contract and version")]
    NotARecord(&'static str),
    /// An envelope without our transaction inside.
    #[error("this envelope cannot be bumped; only version 1 transactions can")]
    NotBumpable,
}

impl EnvelopeError {
    pub(crate) fn xdr(what: &'static str) -> impl FnOnce(stellar_xdr::Error) -> Self {
        move |error| Self::Xdr {
            what,
            why: error.to_string(),
        }
    }
}
