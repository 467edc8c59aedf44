//! Why a row cannot be paid now.

use payout_keys::Recipient;

use crate::escrow::{CreditAsset, Token};

/// Why a recipient cannot be paid now. `docs/preflight.md` has what to do about each.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The token's own contract: what goes there is lost.
    TokenContract,
    /// The escrow itself.
    EscrowItself,
    /// There is no such account.
    AccountMissing,
    /// The account asks for a memo (SEP-29), and a payout has none.
    MemoRequired,
    /// The asset's issuer: what goes there is destroyed. Needs an explicit yes.
    Issuer,
    /// The account does not trust the asset.
    TrustlineMissing,
    /// The account trusts the same code of other issuers.
    OtherIssuer {
        /// What it trusts instead.
        trusted: Vec<CreditAsset>,
    },
    /// The issuer has not authorised it to hold the asset, or no longer.
    Deauthorised {
        /// Whether it may keep its offers alone.
        maintains: bool,
    },
    /// Its limit leaves less room than the amount.
    Limit {
        /// The room that is left, with earlier rows for the same recipient counted.
        room: i128,
    },
    /// It could not be counted.
    BalanceOverflow,
    /// Too little to create the account with.
    AccountTooSmall {
        /// What a new account needs.
        minimum: i128,
    },
    /// The account has less XLM than it must keep, and would still have.
    BelowReserve {
        /// What is missing until it can receive XLM.
        missing: i128,
    },
    /// A contract that nobody has deployed. Needs an explicit yes.
    NotDeployed,
    /// The issuer authorises holders first, and has not authorised this contract.
    NotAuthorised,
    /// The issuer's account is gone, so no contract can begin to hold the asset.
    IssuerMissing,
    /// More than the escrow's limit allows one recipient in a payout.
    AboveMaxPayout {
        /// The most.
        most: i128,
    },
    /// The simulation refuses it, and no entry says why.
    Refused {
        /// The contract's error, if it was the contract.
        contract_error: Option<u32>,
        /// The node's text, cut short.
        text: String,
    },
}

impl Reason {
    /// Its name in reports.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::TokenContract => "token_contract",
            Self::EscrowItself => "escrow_itself",
            Self::AccountMissing => "account_missing",
            Self::MemoRequired => "memo_required",
            Self::Issuer => "issuer",
            Self::TrustlineMissing => "trustline_missing",
            Self::OtherIssuer { .. } => "other_issuer",
            Self::Deauthorised { .. } => "deauthorised",
            Self::Limit { .. } => "limit",
            Self::BalanceOverflow => "balance_overflow",
            Self::AccountTooSmall { .. } => "account_too_small",
            Self::BelowReserve { .. } => "below_reserve",
            Self::NotDeployed => "not_deployed",
            Self::NotAuthorised => "not_authorised",
            Self::IssuerMissing => "issuer_missing",
            Self::AboveMaxPayout { .. } => "above_max_payout",
            Self::Refused { .. } => "refused",
        }
    }

    /// What is wrong with `recipient`, in words.
    #[must_use]
    pub fn detail(&self, recipient: Recipient, token: &Token) -> String {
        let name = token.name();
        match self {
            Self::TokenContract => {
                format!("{recipient} is the token's own contract; nobody could spend it there")
            }
            Self::EscrowItself => format!("{recipient} is the escrow itself"),
            Self::AccountMissing => format!("there is no account {recipient}"),
            Self::MemoRequired => format!(
                "{recipient} asks for a memo (SEP-29, data entry config.memo_required), and a \
                 contract's payout carries none"
            ),
            Self::Issuer => {
                format!("{recipient} is the issuer of {name}; what is paid there is destroyed")
            }
            Self::TrustlineMissing => format!("{recipient} has no trustline for {name}"),
            Self::OtherIssuer { trusted } => {
                let trusted: Vec<String> = trusted.iter().map(ToString::to_string).collect();
                format!(
                    "{recipient} has no trustline for {name}; it trusts {}, which is another asset",
                    trusted.join(", ")
                )
            }
            Self::Deauthorised { maintains: false } => {
                format!("the issuer does not authorise {recipient} to hold {name}")
            }
            Self::Deauthorised { maintains: true } => format!(
                "the issuer authorises {recipient} to keep its offers of {name} alone, not to \
                 receive any"
            ),
            Self::Limit { room } => format!(
                "{recipient} has room for {} of {name} alone: its limit less its balance and what \
                 its offers buy",
                token.shown(*room)
            ),
            Self::BalanceOverflow => {
                format!("{recipient} would have more of {name} than can be counted")
            }
            Self::AccountTooSmall { minimum } => format!(
                "there is no account {recipient}, and creating it takes at least {} XLM",
                token.shown(*minimum)
            ),
            Self::BelowReserve { missing } => format!(
                "{recipient} has less XLM than its reserve and takes none until {} more are there",
                token.shown(*missing)
            ),
            Self::NotDeployed => format!("nobody has deployed the contract {recipient}"),
            Self::NotAuthorised => format!(
                "the issuer of {name} authorises holders first, and has not authorised {recipient}"
            ),
            Self::IssuerMissing => format!(
                "the account of the issuer of {name} is gone, so {recipient} cannot begin to hold it"
            ),
            Self::AboveMaxPayout { most } => format!(
                "the escrow's outflow limit allows one recipient {} at most",
                token.shown(*most)
            ),
            Self::Refused {
                contract_error,
                text,
            } => match contract_error {
                Some(number) => {
                    format!("a payout to {recipient} is refused with contract error {number}")
                }
                None => format!("a payout to {recipient} is refused: {text}"),
            },
        }
    }
}
