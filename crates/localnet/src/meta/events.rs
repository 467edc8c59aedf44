//! Events that the ledger itself emits: fees, and what classic operations move, in the form of the
//! asset's contract (CAP-67).

use soroban_env_host::xdr::{
    AccountId, Asset, ContractEvent, ContractEventBody, ContractEventType, ContractEventV0,
    ExtensionPoint, Int128Parts, ScAddress, ScMap, ScMapEntry, ScVal, TransactionEvent,
    TransactionEventStage,
};

use super::diagnostics::{bytes, string, symbol};
use crate::network::Network;
use crate::ops::trustlines::{asset_name, issuer};

/// Who inside a shared account is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MuxedId {
    Number(u64),
    Text(Vec<u8>),
    Hash([u8; 32]),
}

/// `transfer`, or `mint` and `burn` where the issuer is one of the sides.
pub(crate) fn transfer(
    network: &Network,
    asset: &Asset,
    from: &AccountId,
    to: &AccountId,
    amount: i64,
    to_muxed_id: Option<MuxedId>,
) -> ContractEvent {
    let issuer = issuer(asset);
    let from_issuer = issuer == Some(from);
    let to_issuer = issuer == Some(to);
    let mut topics = match (from_issuer, to_issuer) {
        (true, false) => vec![symbol("mint"), address(to)],
        (false, true) => vec![symbol("burn"), address(from)],
        _ => vec![symbol("transfer"), address(from), address(to)],
    };
    topics.push(string(&asset_name(asset)));
    let data = match to_muxed_id {
        Some(id) if !to_issuer => muxed_data(amount, id),
        _ => int128(amount),
    };
    event(network, asset, topics, data)
}

/// `clawback`.
pub(crate) fn clawback(
    network: &Network,
    asset: &Asset,
    from: &AccountId,
    amount: i64,
) -> ContractEvent {
    let topics = vec![
        symbol("clawback"),
        address(from),
        string(&asset_name(asset)),
    ];
    event(network, asset, topics, int128(amount))
}

/// `set_authorized`.
pub(crate) fn set_authorized(
    network: &Network,
    asset: &Asset,
    trustor: &AccountId,
    authorized: bool,
) -> ContractEvent {
    let topics = vec![
        symbol("set_authorized"),
        address(trustor),
        string(&asset_name(asset)),
    ];
    event(network, asset, topics, ScVal::Bool(authorized))
}

/// `fee`: stroops taken from `payer`, negative when given back.
pub(crate) fn fee(
    network: &Network,
    payer: &AccountId,
    stroops: i64,
    stage: TransactionEventStage,
) -> TransactionEvent {
    TransactionEvent {
        stage,
        event: event(
            network,
            &Asset::Native,
            vec![symbol("fee"), address(payer)],
            int128(stroops),
        ),
    }
}

fn event(network: &Network, asset: &Asset, topics: Vec<ScVal>, data: ScVal) -> ContractEvent {
    ContractEvent {
        ext: ExtensionPoint::V0,
        contract_id: Some(network.asset_contract(asset)),
        type_: ContractEventType::Contract,
        body: ContractEventBody::V0(ContractEventV0 {
            topics: topics.try_into().unwrap_or_default(),
            data,
        }),
    }
}

fn muxed_data(amount: i64, id: MuxedId) -> ScVal {
    let id = match id {
        MuxedId::Number(id) => ScVal::U64(id),
        MuxedId::Text(text) => ScVal::String(soroban_env_host::xdr::ScString(
            text.try_into().unwrap_or_default(),
        )),
        MuxedId::Hash(hash) => bytes(&hash),
    };
    let entries = vec![
        ScMapEntry {
            key: symbol("amount"),
            val: int128(amount),
        },
        ScMapEntry {
            key: symbol("to_muxed_id"),
            val: id,
        },
    ];
    ScVal::Map(Some(ScMap(entries.try_into().unwrap_or_default())))
}

fn address(id: &AccountId) -> ScVal {
    ScVal::Address(ScAddress::Account(id.clone()))
}

fn int128(value: i64) -> ScVal {
    ScVal::I128(Int128Parts {
        hi: if value < 0 { -1 } else { 0 },
        lo: value.cast_unsigned(),
    })
}
