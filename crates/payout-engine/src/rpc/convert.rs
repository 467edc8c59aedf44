//! From what a node answers to what the protocol takes.

use stellar_xdr::{
    Limits, ReadXdr, SorobanTransactionData, SorobanTransactionDataExt, TransactionResult,
    TransactionResultResult,
};

use super::error::RpcError;
use super::wire::{FeeStats, Sent, SimulationSuccess, Transaction, TransactionStatus};
use crate::protocol::{
    Bid, Fate, Prepared, Refusal, RefusedKind, SendAnswer, SendStatus, Signed, Simulation,
};
use crate::record::{Moment, NodeId};

/// The depth and length to which answers are read.
pub(crate) const LIMITS: Limits = Limits {
    depth: 500,
    len: 10 * 1024 * 1024,
};

fn unreadable(method: &'static str, error: &stellar_xdr::Error) -> RpcError {
    RpcError::Unreadable {
        method,
        why: error.to_string(),
    }
}

/// A sending's answer. `signed` is what was sent.
///
/// # Errors
/// [`RpcError::Unreadable`], where the result's code cannot be read.
pub fn send_answer(sent: &Sent, signed: &Signed) -> Result<SendAnswer, RpcError> {
    let status = match sent.status.as_str() {
        "PENDING" => SendStatus::Pending,
        "DUPLICATE" => SendStatus::Duplicate,
        "TRY_AGAIN_LATER" => SendStatus::TryAgainLater,
        "ERROR" => refused(sent, signed)?,
        other => SendStatus::Other(other.chars().take(60).collect()),
    };
    Ok(SendAnswer {
        status,
        ledger: sent.latest_ledger,
    })
}

fn refused(sent: &Sent, signed: &Signed) -> Result<SendStatus, RpcError> {
    let Some(xdr) = &sent.error_result_xdr else {
        return Ok(SendStatus::Other("ERROR without a result".to_owned()));
    };
    let result = TransactionResult::from_xdr_base64(xdr, LIMITS)
        .map_err(|error| unreadable("sendTransaction", &error))?;
    let kind = match &result.result {
        TransactionResultResult::TxInsufficientFee => {
            RefusedKind::Fee(asked(result.fee_charged, signed))
        }
        TransactionResultResult::TxBadSeq
        | TransactionResultResult::TxTooEarly
        | TransactionResultResult::TxTooLate
        | TransactionResultResult::TxBadMinSeqAgeOrGap
        | TransactionResultResult::TxInternalError => RefusedKind::Passing,
        _ => RefusedKind::Lasting,
    };
    let code = result.result.name().to_owned();
    Ok(SendStatus::Refused { code, kind })
}

/// The bid behind the whole fee that a node asks for, rounded up; more than was bid.
fn asked(fee: i64, signed: &Signed) -> Bid {
    let operations = i64::from(signed.fee_operations());
    let inclusion = fee.saturating_sub(signed.resource_fee).max(0);
    let each = inclusion.saturating_add(operations - 1) / operations;
    let more = signed.bid.0.saturating_add(1);
    Bid(u32::try_from(each).unwrap_or(u32::MAX).max(more))
}

/// What a node knows by hash.
///
/// # Errors
/// [`RpcError::Unreadable`], where the result cannot be read.
pub fn fate(transaction: &Transaction) -> Result<Fate, RpcError> {
    let succeeded = match transaction.status {
        TransactionStatus::NotFound => return Ok(Fate::NotFound),
        TransactionStatus::Success => true,
        TransactionStatus::Failed => false,
    };
    let fee_charged = match &transaction.result_xdr {
        Some(xdr) => {
            TransactionResult::from_xdr_base64(xdr, LIMITS)
                .map_err(|error| unreadable("getTransaction", &error))?
                .fee_charged
        }
        None => 0,
    };
    Ok(Fate::Included {
        ledger: transaction.ledger,
        succeeded,
        fee_charged,
    })
}

/// What others bid of late: the median.
#[must_use]
pub fn market(stats: &FeeStats) -> Bid {
    Bid(u32::try_from(stats.soroban_inclusion_fee.p50).unwrap_or(u32::MAX))
}

/// A simulation that succeeded, on a node whose clock showed `clock` before.
///
/// # Errors
/// [`RpcError::Unreadable`], where the footprint or an authorisation cannot be read.
pub fn simulation(
    success: &SimulationSuccess,
    clock: Moment,
    node: NodeId,
    market: Bid,
) -> Result<Simulation, RpcError> {
    let method = "simulateTransaction";
    let data = SorobanTransactionData::from_xdr_base64(&success.transaction_data, LIMITS)
        .map_err(|error| unreadable(method, &error))?;
    let restores = match &data.ext {
        SorobanTransactionDataExt::V0 => 0,
        SorobanTransactionDataExt::V1(ext) => ext.archived_soroban_entries.len(),
    };
    let binary = |text: &String| {
        use stellar_xdr::{SorobanAuthorizationEntry, WriteXdr};
        SorobanAuthorizationEntry::from_xdr_base64(text, LIMITS)
            .and_then(|entry| entry.to_xdr(LIMITS))
            .map_err(|error| unreadable(method, &error))
    };
    let transaction_data = {
        use stellar_xdr::WriteXdr;
        data.to_xdr(LIMITS)
            .map_err(|error| unreadable(method, &error))?
    };
    Ok(Simulation {
        at: at(success.latest_ledger, clock),
        node,
        min_resource_fee: success.min_resource_fee,
        restores: u32::try_from(restores).unwrap_or(u32::MAX),
        market,
        prepared: Prepared {
            transaction_data,
            auth: success.auth.iter().map(binary).collect::<Result<_, _>>()?,
        },
    })
}

/// The moment of an answer from `ledger`, where the clock was read before. A ledger behind the
/// clock's came from another machine, and its time is not known.
pub(crate) fn at(ledger: u32, clock: Moment) -> Moment {
    Moment {
        ledger,
        close_time: clock.close_time.filter(|_| ledger >= clock.ledger),
    }
}

/// A simulation that was refused on `ledger`, with the contract's error number if it was the contract.
#[must_use]
pub fn refusal(text: &str, ledger: u32) -> Refusal {
    let number = text.split_once("Error(Contract, #").and_then(|(_, rest)| {
        rest.split_once(')')
            .and_then(|(digits, _)| digits.parse().ok())
    });
    Refusal {
        ledger,
        contract_error: number,
        text: text.chars().take(2_000).collect(),
    }
}
