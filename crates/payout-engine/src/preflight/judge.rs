//! Judging rows by what the ledger says. No I/O.

use std::collections::BTreeMap;

use payout_keys::Recipient;

use super::reason::Reason;
use super::standing::Standing;
use crate::Line;
use crate::escrow::{Facts, IssuerFlags, TokenKind};

/// What an operator has said yes to, for one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Consents {
    /// Paying the asset's issuer, which destroys the tokens.
    pub issuer: bool,
    /// Paying a contract that nobody has deployed.
    pub not_deployed: bool,
}

/// A row to be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// Whom and how much.
    pub line: Line,
    /// What the operator has said yes to.
    pub consents: Consents,
}

impl From<Line> for Ask {
    fn from(line: Line) -> Self {
        Self {
            line,
            consents: Consents::default(),
        }
    }
}

/// What kind of recipient it is, by what paying it costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// An account that is there.
    Account,
    /// An account that the payout creates (XLM alone).
    NewAccount,
    /// The asset's issuer.
    Issuer,
    /// A contract that holds the token already.
    HolderContract,
    /// A contract whose balance is archived: the payout restores it at its cost.
    ArchivedContract,
    /// A contract that gets its first balance, whose entry the payout pays for.
    NewContract,
    /// A contract, where the token alone knows what it holds.
    Contract,
}

impl Kind {
    /// Its name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Account => "account",
            Self::NewAccount => "new_account",
            Self::Issuer => "issuer",
            Self::HolderContract => "holder_contract",
            Self::ArchivedContract => "archived_contract",
            Self::NewContract => "new_contract",
            Self::Contract => "contract",
        }
    }
}

/// What becomes of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It can be paid now.
    Pay(Kind),
    /// It cannot.
    Reject(Reason),
}

/// Judges each row, in order. Rows for one recipient count together: what an earlier one takes is
/// no longer there for a later one. A recipient without a standing is taken for one that is not
/// there.
#[must_use]
pub fn judge(
    facts: &Facts,
    base_reserve: i64,
    standings: &BTreeMap<Recipient, Standing>,
    asks: &[Ask],
) -> Vec<Verdict> {
    let judging = Judging {
        facts,
        base_reserve,
    };
    let mut promised: BTreeMap<Recipient, i128> = BTreeMap::new();
    asks.iter()
        .map(|ask| {
            let recipient = ask.line.recipient;
            let earlier = promised.get(&recipient).copied().unwrap_or(0);
            match judging.row(ask, standings.get(&recipient), earlier) {
                Ok(kind) => {
                    let sum = earlier.saturating_add(ask.line.amount.units());
                    promised.insert(recipient, sum);
                    Verdict::Pay(kind)
                }
                Err(reason) => Verdict::Reject(reason),
            }
        })
        .collect()
}

struct Judging<'a> {
    facts: &'a Facts,
    base_reserve: i64,
}

impl Judging<'_> {
    fn row(&self, ask: &Ask, standing: Option<&Standing>, earlier: i128) -> Result<Kind, Reason> {
        let recipient = ask.line.recipient;
        if recipient == Recipient::Contract(self.facts.token.contract.0) {
            return Err(Reason::TokenContract);
        }
        if recipient == Recipient::Contract(self.facts.contract.0) {
            return Err(Reason::EscrowItself);
        }
        let amount = ask.line.amount.units();
        let kind = match recipient {
            Recipient::Account(key) => self.account(key, ask, standing, earlier)?,
            Recipient::Contract(_) => self.contract(ask, standing, earlier)?,
        };
        match self.facts.brakes.limit {
            Some(limit) if amount > limit.max_payout => Err(Reason::AboveMaxPayout {
                most: limit.max_payout,
            }),
            _ => Ok(kind),
        }
    }

    fn account(
        &self,
        key: [u8; 32],
        ask: &Ask,
        standing: Option<&Standing>,
        earlier: i128,
    ) -> Result<Kind, Reason> {
        let (room, memo_required, trust, others) = match standing {
            Some(Standing::Account {
                room,
                memo_required,
                trust,
                others,
            }) => (*room, *memo_required, *trust, others.as_slice()),
            _ => (None, false, None, [].as_slice()),
        };
        if memo_required {
            return Err(Reason::MemoRequired);
        }
        let amount = ask.line.amount.units();
        let sum = earlier.checked_add(amount).ok_or(Reason::BalanceOverflow)?;
        match &self.facts.token.kind {
            TokenKind::Other { .. } => Ok(Kind::Account),
            TokenKind::Native => {
                let Some(room) = room else {
                    // The first payout creates the account; those after it find it.
                    let minimum = i128::from(self.base_reserve.saturating_mul(2));
                    return match earlier {
                        0 if amount < minimum => Err(Reason::AccountTooSmall { minimum }),
                        _ if sum > i128::from(i64::MAX) => Err(Reason::BalanceOverflow),
                        _ => Ok(Kind::NewAccount),
                    };
                };
                let after = i128::from(room.balance)
                    .checked_add(sum)
                    .ok_or(Reason::BalanceOverflow)?;
                if after > i128::from(room.maximum) {
                    return Err(Reason::BalanceOverflow);
                }
                let missing = i128::from(room.minimum).saturating_sub(after);
                if missing > 0 {
                    return Err(Reason::BelowReserve {
                        missing: missing.saturating_add(amount),
                    });
                }
                Ok(Kind::Account)
            }
            TokenKind::Asset { asset, .. } if asset.issuer == key => {
                if ask.consents.issuer {
                    Ok(Kind::Issuer)
                } else {
                    Err(Reason::Issuer)
                }
            }
            TokenKind::Asset { .. } => {
                if room.is_none() {
                    return Err(Reason::AccountMissing);
                }
                let trust = match trust {
                    Some(trust) => trust,
                    None if others.is_empty() => return Err(Reason::TrustlineMissing),
                    None => {
                        let trusted = others.to_vec();
                        return Err(Reason::OtherIssuer { trusted });
                    }
                };
                if !trust.authorised {
                    let maintains = trust.maintains;
                    return Err(Reason::Deauthorised { maintains });
                }
                let room = i128::from(trust.room());
                if sum > room {
                    let room = room.saturating_sub(earlier);
                    return Err(Reason::Limit { room });
                }
                Ok(Kind::Account)
            }
        }
    }

    fn contract(
        &self,
        ask: &Ask,
        standing: Option<&Standing>,
        earlier: i128,
    ) -> Result<Kind, Reason> {
        let (deployed, balance) = match standing {
            Some(Standing::Contract { deployed, balance }) => (*deployed, *balance),
            _ => (false, None),
        };
        if !deployed && !ask.consents.not_deployed {
            return Err(Reason::NotDeployed);
        }
        let issuer: Option<&Option<IssuerFlags>> = match &self.facts.token.kind {
            TokenKind::Other { .. } => return Ok(Kind::Contract),
            TokenKind::Native => None,
            TokenKind::Asset { issuer, .. } => Some(issuer),
        };
        let (held, kind) = match balance {
            Some((_, false, _)) => return Err(Reason::Deauthorised { maintains: false }),
            Some((held, true, true)) => (held, Kind::ArchivedContract),
            Some((held, true, false)) => (held, Kind::HolderContract),
            None => match issuer {
                Some(None) => return Err(Reason::IssuerMissing),
                Some(Some(flags)) if flags.auth_required => return Err(Reason::NotAuthorised),
                _ => (0, Kind::NewContract),
            },
        };
        held.checked_add(earlier)
            .and_then(|sum| sum.checked_add(ask.line.amount.units()))
            .map(|_| kind)
            .ok_or(Reason::BalanceOverflow)
    }
}
