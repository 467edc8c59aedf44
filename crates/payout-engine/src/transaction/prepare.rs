//! Reading the source, simulating, pricing.

use payout_keys::Recipient;
use stellar_xdr::{
    AccountEntry, LedgerEntryData, Limits, Memo, MuxedAccount, Preconditions, ReadXdr, ScVal,
    SequenceNumber, SorobanAuthorizationEntry, SorobanTransactionData, SorobanTransactionDataExt,
    Transaction, TransactionEnvelope, TransactionExt, TransactionV1Envelope, Uint256, VecM,
    WriteXdr,
};

use super::act::Act;
use super::error::TransactionError;
use crate::envelope::EnvelopeError;
use crate::ledger::{self, keys};
use crate::protocol::Bid;
use crate::rpc::{Client, LIMITS, RpcError, Simulated, SimulationSuccess, refusal};

/// How many ledgers an envelope can be applied in.
pub(super) const LEDGERS: u32 = 60;

/// Added to the simulated resource fee, in percent. What is not used comes back.
const MARGIN: i64 = 10;

/// An act that would succeed, with what it needs and costs. Nothing is signed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    pub(super) act: Act,
    pub(super) source: [u8; 32],
    pub(super) sequence: i64,
    pub(super) soroban: Option<Soroban>,
    bid: Bid,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Soroban {
    pub(super) data: SorobanTransactionData,
    pub(super) auth: Vec<SorobanAuthorizationEntry>,
    returned: Option<ScVal>,
}

/// What an act may cost, in stroops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// At most this, resources and inclusion.
    pub most: i64,
    /// How many archived entries it restores.
    pub restores: usize,
}

/// Reads the source account and simulates the act. `bid` is the inclusion fee; without one it
/// follows what others bid of late.
///
/// # Errors
/// [`TransactionError`]; [`TransactionError::Refused`] if it would fail.
pub async fn prepare(
    client: &Client,
    source: Recipient,
    act: Act,
    bid: Option<Bid>,
) -> Result<Prepared, TransactionError> {
    let Recipient::Account(key) = source else {
        return Err(EnvelopeError::NotAnAccount(source.to_string()).into());
    };
    let found = account(client, source).await?;
    let entry = found.ok_or_else(|| TransactionError::NoAccount(source.to_string()))?;
    let sequence = entry.seq_num.0.checked_add(1);
    let sequence = sequence.ok_or(EnvelopeError::SequenceEnd)?;
    let soroban = if act.is_soroban() {
        Some(simulated(client, key, sequence, &act).await?)
    } else {
        None
    };
    let bid = match bid {
        Some(bid) => bid.max(Bid::MIN),
        None => market(client, act.is_soroban()).await?,
    };
    Ok(Prepared {
        act,
        source: key,
        sequence,
        soroban,
        bid,
    })
}

/// What most others were content with.
async fn market(client: &Client, soroban: bool) -> Result<Bid, TransactionError> {
    let stats = client.fee_stats().await?;
    let bids = if soroban {
        stats.soroban_inclusion_fee
    } else {
        stats.inclusion_fee
    };
    Ok(Bid(u32::try_from(bids.p90).unwrap_or(u32::MAX)).max(Bid::MIN))
}

/// An account's entry; `None` if there is none.
///
/// # Errors
/// [`TransactionError::Node`], [`TransactionError::Envelope`].
pub async fn account(
    client: &Client,
    of: Recipient,
) -> Result<Option<AccountEntry>, TransactionError> {
    Ok(account_at(client, of).await?.0)
}

/// The same, and the ledger it was read from.
pub(super) async fn account_at(
    client: &Client,
    of: Recipient,
) -> Result<(Option<AccountEntry>, u32), TransactionError> {
    let Recipient::Account(key) = of else {
        return Err(EnvelopeError::NotAnAccount(of.to_string()).into());
    };
    let key = keys::account(key);
    let entries = ledger::read(client, [key.clone()]).await?;
    let at = entries.ledger().unwrap_or_default();
    match entries.get(&key).map(|entry| &entry.data) {
        None => Ok((None, at)),
        Some(LedgerEntryData::Account(account)) => Ok((Some(account.clone()), at)),
        Some(_) => Err(unreadable("getLedgerEntries", "the entry is no account").into()),
    }
}

/// What a call returns that is not sent. Its source need not exist.
///
/// # Errors
/// [`TransactionError`].
pub async fn simulate_view(client: &Client, act: &Act) -> Result<ScVal, TransactionError> {
    let simulated = simulated(client, [0; 32], 0, act).await?;
    let nothing = unreadable("simulateTransaction", "nothing was returned");
    Ok(simulated.returned.ok_or(nothing)?)
}

async fn simulated(
    client: &Client,
    source: [u8; 32],
    sequence: i64,
    act: &Act,
) -> Result<Soroban, TransactionError> {
    let ext = act
        .footprint()?
        .map_or(TransactionExt::V0, TransactionExt::V1);
    let draft = TransactionEnvelope::Tx(TransactionV1Envelope {
        tx: Transaction {
            source_account: MuxedAccount::Ed25519(Uint256(source)),
            fee: Bid::MIN.0,
            seq_num: SequenceNumber(sequence),
            cond: Preconditions::None,
            memo: Memo::None,
            operations: act.operations()?,
            ext,
        },
        signatures: VecM::default(),
    });
    let draft = draft
        .to_xdr_base64(Limits::none())
        .map_err(EnvelopeError::xdr("the transaction"))?;
    match client.simulate(&draft).await? {
        Simulated::Success(success) => filled(&success),
        Simulated::Refused {
            error,
            latest_ledger,
        } => Err(TransactionError::Refused(refusal(&error, latest_ledger))),
    }
}

fn filled(success: &SimulationSuccess) -> Result<Soroban, TransactionError> {
    let method = "simulateTransaction";
    let wrong = |error: stellar_xdr::Error| unreadable(method, &error.to_string());
    let mut data = SorobanTransactionData::from_xdr_base64(&success.transaction_data, LIMITS)
        .map_err(wrong)?;
    let margin = success.min_resource_fee.saturating_mul(MARGIN) / 100;
    data.resource_fee = success.min_resource_fee.saturating_add(margin);
    let auth = success
        .auth
        .iter()
        .map(|text| SorobanAuthorizationEntry::from_xdr_base64(text, LIMITS))
        .collect::<Result<Vec<_>, _>>()
        .map_err(wrong)?;
    let returned = success
        .returned
        .as_ref()
        .map(|text| ScVal::from_xdr_base64(text, LIMITS))
        .transpose()
        .map_err(wrong)?;
    Ok(Soroban {
        data,
        auth,
        returned,
    })
}

fn unreadable(method: &'static str, why: &str) -> RpcError {
    RpcError::Unreadable {
        method,
        why: why.to_owned(),
    }
}

impl Prepared {
    /// What it may cost.
    #[must_use]
    pub fn cost(&self) -> Cost {
        let restores = match self.soroban.as_ref().map(|soroban| &soroban.data.ext) {
            Some(SorobanTransactionDataExt::V1(ext)) => ext.archived_soroban_entries.len(),
            _ => 0,
        };
        Cost {
            most: self.fee(),
            restores,
        }
    }

    /// What the call would return.
    #[must_use]
    pub fn returned(&self) -> Option<&ScVal> {
        self.soroban.as_ref()?.returned.as_ref()
    }

    /// What it declares for resources.
    fn resource_fee(&self) -> i64 {
        self.soroban
            .as_ref()
            .map_or(0, |soroban| soroban.data.resource_fee)
    }

    /// The fee of a transaction of its own.
    pub(super) fn inner_fee(&self) -> Result<i64, EnvelopeError> {
        let operations = i64::try_from(self.act.operations()?.len()).unwrap_or(i64::MAX);
        Ok(i64::from(self.bid.0)
            .saturating_mul(operations)
            .saturating_add(self.resource_fee()))
    }

    /// The fee of a fee bump, which counts as one operation more.
    pub(super) fn bump_fee(&self) -> Result<i64, EnvelopeError> {
        Ok(self.inner_fee()?.saturating_add(i64::from(self.bid.0)))
    }

    /// Whether the fee field of a transaction is too small for it.
    pub(super) fn needs_bump(&self) -> Result<bool, EnvelopeError> {
        Ok(u32::try_from(self.inner_fee()?).is_err())
    }

    fn fee(&self) -> i64 {
        self.bump_fee().unwrap_or(i64::MAX)
    }

    /// What it bids for each operation.
    pub(super) fn bid(&self) -> Bid {
        self.bid
    }
}
