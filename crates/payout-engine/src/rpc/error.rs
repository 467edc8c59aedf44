//! Why a call brought no answer that can be used. None of it says anything about a payment.

/// A call without a usable answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RpcError {
    /// An address that is none.
    #[error("the address of a node begins with http:// or https://, and this one with {0:?}")]
    Url(String),
    /// A header that is none. Its value is not repeated.
    #[error("header {0:?} of the node has a name or a value that HTTP does not allow")]
    Header(String),
    /// The client cannot be made.
    #[error("no client for the node: {0}")]
    Client(String),
    /// No answer in time. It may have been acted on.
    #[error("the node did not answer in time")]
    Timeout,
    /// No answer. It may have been acted on.
    #[error("no answer from the node: {0}")]
    Transport(String),
    /// An answer with another HTTP status than 200. It may have been acted on.
    #[error("the node answered with HTTP status {0}")]
    Status(u16),
    /// More than can be an answer.
    #[error("the node's answer is larger than {0} bytes")]
    TooLarge(usize),
    /// An answer that cannot be read.
    #[error("the node's answer to {method} cannot be read: {why}")]
    Unreadable {
        /// What was called.
        method: &'static str,
        /// Why.
        why: String,
    },
    /// The answer to another call.
    #[error("the node answered another call than {method}")]
    OtherCall {
        /// What was called.
        method: &'static str,
    },
    /// An error of the protocol.
    #[error("the node answers {method} with error {code}: {message}")]
    Rpc {
        /// What was called.
        method: &'static str,
        /// Its number.
        code: i64,
        /// Its text.
        message: String,
    },
    /// An answer from before what is known.
    #[error(
        "the node is at ledger {ledger}, and ledger {known} is known: its answer counts for nothing"
    )]
    Behind {
        /// The node's ledger.
        ledger: u32,
        /// What is known.
        known: u32,
    },
    /// The node says it took another transaction than it was sent.
    #[error("the node answers for transaction {answered}, and {sent} was sent")]
    OtherTransaction {
        /// What was sent.
        sent: String,
        /// What was answered.
        answered: String,
    },
}
