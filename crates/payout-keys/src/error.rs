//! What can be wrong with a value, in words for whoever has to put it right.

use crate::EntropyError;

/// The longest part of a refused value that an error repeats, in characters.
const SHOWN: usize = 80;

/// A refused value and what to do about it.
///
/// Messages are safe to print: they quote a value with its control characters escaped, cut a long
/// one short, and never repeat what looks like a secret key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the fields are the value and its measure, as the messages say"
)]
pub enum Error {
    /// A program id is empty or longer than [`ProgramId::MAX_LEN`](crate::ProgramId::MAX_LEN).
    #[error("program id {value} has {length} bytes; use 1 to 64")]
    ProgramIdLength { value: String, length: usize },
    /// A program id has a character that the contract refuses.
    #[error("program id {value} contains {character:?}; use only A-Z a-z 0-9 . _ -")]
    ProgramIdCharacter { value: String, character: char },

    /// A key is empty or longer than [`IdempotencyKey::MAX_LEN`](crate::IdempotencyKey::MAX_LEN).
    #[error("idempotency key {value} has {length} bytes; use 1 to 256")]
    KeyLength { value: String, length: usize },
    /// A key has a character that the contract refuses.
    #[error(
        "idempotency key {value} contains {character:?}; use printable ASCII without blanks (0x21 \
         to 0x7E), and remove blanks and line ends around it"
    )]
    KeyCharacter { value: String, character: char },

    /// A run's name is empty or longer than [`RunName::MAX_LEN`](crate::RunName::MAX_LEN).
    #[error("run name {value} has {length} bytes; use 1 to 64")]
    RunNameLength { value: String, length: usize },
    /// A run's name has a character that not every shell and file system takes.
    #[error("run name {value} contains {character:?}; use only A-Z a-z 0-9 . _ -")]
    RunNameCharacter { value: String, character: char },
    /// A run's name begins like an option or a hidden file.
    #[error("run name {value} begins with {character:?}; begin it with a letter or a digit")]
    RunNameStart { value: String, character: char },

    /// A row's id is empty or longer than [`RowId::MAX_LEN`](crate::RowId::MAX_LEN).
    #[error(
        "row id {value} has {length} bytes; give each row an id of 1 to 256 bytes that stays the \
         same when the file is edited"
    )]
    RowIdLength { value: String, length: usize },
    /// A row's id has an ASCII blank at its beginning or end.
    #[error("row id {value} has a blank around it; remove it")]
    RowIdBlank { value: String },
    /// A row's id has a character that nobody sees.
    #[error(
        "row id {value} contains U+{:04X}, which nobody sees, so two ids may look like one; remove it",
        u32::from(*.character)
    )]
    RowIdUnseen { value: String, character: char },
    /// A row's id is not in Unicode's normalisation form C.
    #[error("row id {value} is not in Unicode form NFC; normalise it where the file is read")]
    RowIdNotNormalised { value: String },

    /// A recipient is a muxed account.
    #[error(
        "recipient {value} is a muxed address (M…): an account with a number inside it, which the \
         contract cannot pay. Ask the recipient for an address that begins with G or C and needs \
         no memo"
    )]
    RecipientMuxed { value: String },
    /// A recipient looks like a secret key. Its text is not repeated.
    #[error(
        "a recipient looks like a secret key (S…); it is not shown here. Replace it by the \
         account's address (G…), and if it is real, treat it as known to others"
    )]
    RecipientSecret,
    /// A recipient is a well-formed strkey of something that cannot be paid.
    #[error(
        "recipient {value} is {kind}, which cannot be paid; use an account (G…) or a contract (C…)"
    )]
    RecipientKind { value: String, kind: &'static str },
    /// A recipient is no strkey.
    #[error(
        "recipient {value} is not an address: its letters or its checksum are wrong. Copy it \
         again: 56 upper-case characters that begin with G or C"
    )]
    RecipientInvalid { value: String },
    /// The recipient's part of a random key is not eight upper-case letters and digits.
    #[error(
        "recipient prefix {value} is not 8 characters of A-Z 0-9; use the first 8 characters of \
         the address"
    )]
    PrefixInvalid { value: String },
    /// A contract's id is no strkey of a contract.
    #[error(
        "contract {value} is not a contract's address; copy it again: 56 upper-case characters \
         that begin with C"
    )]
    ContractInvalid { value: String },
    /// A value that should be hexadecimal is not.
    #[error("{what} {value} is not {digits} lower-case hexadecimal digits; copy it again")]
    HexInvalid {
        what: &'static str,
        value: String,
        digits: usize,
    },

    /// A batch without recipients, or with more than a key can count.
    #[error(
        "a batch of {count} recipients has no key; use 1 to 4294967295, and no more than the \
         contract's max_batch_size"
    )]
    BatchSize { count: usize },
    /// A payout that is too long for its encoding.
    #[error(
        "a payout of {count} lines cannot be encoded; split it into batches of the contract's \
         max_batch_size"
    )]
    PayoutTooLong { count: usize },
    /// The source of randomness failed.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
}

/// `value` as an error shows it.
pub(crate) fn shown(value: &str) -> String {
    if may_be_secret(value) {
        return "(hidden: it looks like a secret key)".to_owned();
    }
    let mut cut: String = value.chars().take(SHOWN).collect();
    if cut.len() < value.len() {
        cut.push('…');
    }
    format!("{cut:?}")
}

/// Whether `text` is a secret key (S…, 56 characters), or one with a slip of the hand.
pub(crate) fn may_be_secret(text: &str) -> bool {
    let text = text.trim();
    text.starts_with(['S', 's'])
        && (54..=58).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
