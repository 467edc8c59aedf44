//! What a transaction itself says: its envelope, its result and what it returned.

use payout_engine::envelope::envelope_hash;
use payout_engine::escrow::Program;
use stellar_xdr::{
    FeeBumpTransactionInnerTx, HostFunction, InnerTransactionResultResult,
    InvokeHostFunctionResult, OperationBody, OperationResult, OperationResultTr, ReadXdr, ScVal,
    TransactionEnvelope, TransactionResult, TransactionResultResult, WriteXdr,
};

use super::value::party;
use super::{LIMITS, ModelError, Subject, decoded};
use crate::archive::RawEvidence;

/// A transaction's evidence.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// The envelope's hash on the network under audit.
    pub hash: [u8; 32],
    /// The envelope.
    pub envelope: TransactionEnvelope,
    /// Whether the transaction's own call is one of the contract, not of another that may pass
    /// calls on.
    pub direct: bool,
    /// What the result says of the call: the digest over its return value and its events.
    pub committed: Option<[u8; 32]>,
    /// XDR of what it returned.
    pub returned: Vec<u8>,
    /// The books it returned, if it did.
    pub program: Option<Program>,
    /// Events of others in the transaction, by their index.
    pub foreign: Vec<(u32, Vec<u8>)>,
}

impl Evidence {
    pub(super) fn read(subject: &Subject, raw: &RawEvidence<'_>) -> Result<Self, ModelError> {
        let envelope = decoded("the envelope", raw.envelope)?;
        let envelope = TransactionEnvelope::from_xdr(envelope, LIMITS)
            .map_err(ModelError::xdr("the envelope"))?;
        let result = decoded("the result", raw.result)?;
        let result =
            TransactionResult::from_xdr(result, LIMITS).map_err(ModelError::xdr("the result"))?;
        let returned = decoded("the returned value", raw.returned)?;
        let value =
            ScVal::from_xdr(&returned, LIMITS).map_err(ModelError::xdr("the returned value"))?;
        let foreign = raw
            .foreign
            .iter()
            .map(|(index, event)| Ok((*index, decoded("an event", event)?)))
            .collect::<Result<_, ModelError>>()?;
        Ok(Self {
            hash: envelope_hash(subject.network, &envelope)
                .map_err(|error| ModelError::Xdr {
                    what: "the envelope",
                    why: error.to_string(),
                })?
                .0,
            direct: direct(subject, &envelope),
            envelope,
            committed: committed(&result),
            program: Program::parse(&value).ok(),
            returned,
            foreign,
        })
    }
}

fn direct(subject: &Subject, envelope: &TransactionEnvelope) -> bool {
    let operations = match envelope {
        TransactionEnvelope::TxV0(old) => old.tx.operations.as_slice(),
        TransactionEnvelope::Tx(one) => one.tx.operations.as_slice(),
        TransactionEnvelope::TxFeeBump(bump) => match &bump.tx.inner_tx {
            FeeBumpTransactionInnerTx::Tx(one) => one.tx.operations.as_slice(),
        },
    };
    operations.iter().any(|operation| match &operation.body {
        OperationBody::InvokeHostFunction(invoke) => match &invoke.host_function {
            HostFunction::InvokeContract(call) => {
                party(&call.contract_address) == Some(subject.party())
            }
            _ => false,
        },
        _ => false,
    })
}

fn committed(result: &TransactionResult) -> Option<[u8; 32]> {
    let operations = match &result.result {
        TransactionResultResult::TxSuccess(operations) => operations,
        TransactionResultResult::TxFeeBumpInnerSuccess(inner) => match &inner.result.result {
            InnerTransactionResultResult::TxSuccess(operations) => operations,
            _ => return None,
        },
        _ => return None,
    };
    match operations.as_slice() {
        [
            OperationResult::OpInner(OperationResultTr::InvokeHostFunction(
                InvokeHostFunctionResult::Success(hash),
            )),
        ] => Some(hash.0),
        _ => None,
    }
}

/// XDR of a value, for what is archived.
pub(crate) fn encoded(value: &impl WriteXdr) -> Result<String, ModelError> {
    value
        .to_xdr_base64(LIMITS)
        .map_err(ModelError::xdr("a value"))
}
