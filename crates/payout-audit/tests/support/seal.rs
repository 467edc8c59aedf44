//! What a transaction's result commits to, and the parts that it is made of.

use payout_engine::{Amount, Line, Payout};
use payout_keys::{ContractId, Recipient, Reference};
use sha2::{Digest, Sha256};
use stellar_xdr::{
    ContractEvent, ContractEventBody, ContractEventType, ContractEventV0,
    ContractId as XdrContractId, ExtensionPoint, Hash, InvokeHostFunctionResult,
    InvokeHostFunctionSuccessPreImage, Limits, OperationResult, OperationResultTr, ScVal,
    TransactionResult, TransactionResultExt, TransactionResultResult, WriteXdr,
};

use super::values::string;

pub(crate) const ISSUER: [u8; 32] = [3; 32];

/// An event that is still to be placed.
pub(crate) struct Told {
    pub(crate) contract: ContractId,
    pub(crate) system: bool,
    pub(crate) topics: Vec<ScVal>,
    pub(crate) data: ScVal,
}

/// With references where it is said whose they are.
pub(crate) fn payout(lines: &[(Recipient, i128)], references: Option<&str>) -> Payout {
    let lines = lines
        .iter()
        .enumerate()
        .map(|(at, (recipient, amount))| Line {
            recipient: *recipient,
            amount: Amount::new(*amount).expect("an amount"),
            reference: references.map(|of| {
                let digest = Sha256::digest(format!("{of}/{at}"));
                Reference(digest[..16].try_into().expect("long enough"))
            }),
        })
        .collect();
    Payout::new(lines).expect("a payout")
}

pub(crate) fn asset() -> ScVal {
    let issuer = Recipient::Account(ISSUER);
    string(&format!("USDC:{issuer}"))
}

pub(crate) fn committed(told: Vec<Told>, returned: ScVal) -> Hash {
    let events: Vec<ContractEvent> = told
        .into_iter()
        .map(|told| ContractEvent {
            ext: ExtensionPoint::V0,
            contract_id: Some(XdrContractId(Hash(told.contract.0))),
            type_: if told.system {
                ContractEventType::System
            } else {
                ContractEventType::Contract
            },
            body: ContractEventBody::V0(ContractEventV0 {
                topics: told.topics.try_into().expect("few topics"),
                data: told.data,
            }),
        })
        .collect();
    let image = InvokeHostFunctionSuccessPreImage {
        return_value: returned,
        events: events.try_into().expect("few events"),
    };
    Hash(Sha256::digest(image.to_xdr(Limits::none()).expect("it encodes")).into())
}

pub(crate) fn result(committed: Hash) -> TransactionResult {
    let operation = OperationResult::OpInner(OperationResultTr::InvokeHostFunction(
        InvokeHostFunctionResult::Success(committed),
    ));
    TransactionResult {
        fee_charged: 100,
        result: TransactionResultResult::TxSuccess(vec![operation].try_into().expect("one result")),
        ext: TransactionResultExt::V0,
    }
}
