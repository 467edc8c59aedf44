//! The contract's record, as the view returns it.

use payout_keys::Fingerprint;
use stellar_xdr::{ReadXdr, ScMap, ScVal};

use super::error::EnvelopeError;
use crate::record::{Moment, NodeId, Record, RecordKind, View};
use crate::rpc::{RpcError, Simulated};

/// The record in what `get_idempotency_record` returns; `None` for an unused key.
///
/// # Errors
/// [`EnvelopeError::NotARecord`]: anything else, also a kind that is not known, which must never
/// read as unused.
pub fn record_of(value: &ScVal) -> Result<Option<Record>, EnvelopeError> {
    let fields = match value {
        ScVal::Void => return Ok(None),
        ScVal::Map(Some(fields)) => fields,
        _ => return Err(EnvelopeError::NotARecord("it is no map")),
    };
    let wrong = EnvelopeError::NotARecord;
    let kind = match field(fields, "kind") {
        Some(ScVal::U32(0)) => RecordKind::Single,
        Some(ScVal::U32(1)) => RecordKind::Batch,
        Some(ScVal::U32(2)) => RecordKind::Imported,
        Some(ScVal::U32(3)) => RecordKind::Voided,
        _ => return Err(wrong("its kind is not known")),
    };
    let Some(ScVal::U64(payout_id)) = field(fields, "payout_id") else {
        return Err(wrong("payout_id is missing"));
    };
    let Some(ScVal::Bytes(bytes)) = field(fields, "fingerprint") else {
        return Err(wrong("fingerprint is missing"));
    };
    let Some(ScVal::I128(total)) = field(fields, "total_amount") else {
        return Err(wrong("total_amount is missing"));
    };
    let Some(ScVal::U32(ledger)) = field(fields, "ledger") else {
        return Err(wrong("ledger is missing"));
    };
    let fingerprint: [u8; 32] = bytes
        .as_slice()
        .try_into()
        .map_err(|_| wrong("fingerprint has not 32 bytes"))?;
    Ok(Some(Record {
        kind,
        payout_id: *payout_id,
        fingerprint: Fingerprint(fingerprint),
        total: (i128::from(total.hi) << 64) | i128::from(total.lo),
        ledger: *ledger,
    }))
}

fn field<'a>(fields: &'a ScMap, name: &str) -> Option<&'a ScVal> {
    fields
        .iter()
        .find(|entry| matches!(&entry.key, ScVal::Symbol(symbol) if symbol.0.as_slice() == name.as_bytes()))
        .map(|entry| &entry.val)
}

/// One look at a key: the simulated view, on a node whose clock showed `clock` before.
///
/// # Errors
/// [`RpcError::Unreadable`], also where the view was refused: that says nothing about the record.
pub fn view(node: NodeId, clock: Moment, simulated: &Simulated) -> Result<View, RpcError> {
    let unreadable = |why: String| RpcError::Unreadable {
        method: "simulateTransaction",
        why,
    };
    let success = match simulated {
        Simulated::Success(success) => success,
        Simulated::Refused { error, .. } => {
            let error: String = error.chars().take(300).collect();
            return Err(unreadable(format!(
                "the record's view was refused: {error}"
            )));
        }
    };
    let returned = success
        .returned
        .as_ref()
        .ok_or_else(|| unreadable("nothing was returned".to_owned()))?;
    let value = ScVal::from_xdr_base64(returned, crate::rpc::LIMITS)
        .map_err(|error| unreadable(error.to_string()))?;
    Ok(View {
        node,
        at: crate::rpc::at(success.latest_ledger, clock),
        record: record_of(&value).map_err(|error| unreadable(error.to_string()))?,
    })
}
