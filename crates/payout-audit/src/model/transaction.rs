//! A transaction with its events.

use sha2::{Digest, Sha256};
use stellar_xdr::{ReadXdr, ScVal};

use payout_keys::ContractId;

use super::{
    Body, Emitter, Event, EventId, Evidence, LIMITS, ModelError, Settlement, Subject, decoded,
    ours, token,
};
use crate::archive::{RawEvent, RawTx};

/// A transaction as the checks see it.
#[derive(Debug, Clone)]
pub struct Tx {
    /// Its hash, as the node names it.
    pub hash: [u8; 32],
    /// Its ledger, as the node says.
    pub ledger: u32,
    /// When that closed, `2026-01-01T00:00:00Z`.
    pub closed: String,
    /// Its events that concern the contract.
    pub events: Vec<Event>,
    /// Its payouts.
    pub settlements: Vec<Settlement>,
    /// Its own words; or why they cannot be read; or nothing, where no node gave them.
    pub evidence: Option<Result<Evidence, ModelError>>,
}

impl Tx {
    /// Reads a transaction of an archive.
    ///
    /// # Errors
    /// [`ModelError`], where not even its place can be read. An event that says nothing known is
    /// no error: it is [`Body::Unread`], and a check names it.
    pub fn read(subject: &Subject, raw: &RawTx<'_>) -> Result<Self, ModelError> {
        let mut hash = [0; 32];
        hex::decode_to_slice(raw.hash, &mut hash).map_err(|error| ModelError::Xdr {
            what: "a transaction's hash",
            why: error.to_string(),
        })?;
        let events = raw
            .events
            .iter()
            .map(|event| read_event(subject, event))
            .collect::<Result<Vec<_>, _>>()?;
        let evidence = raw
            .evidence
            .as_ref()
            .map(|evidence| Evidence::read(subject, evidence));
        let readable = evidence.as_ref().and_then(|read| read.as_ref().ok());
        let settlements = events
            .iter()
            .enumerate()
            .filter_map(|(at, event)| match &event.body {
                Body::Paid(paid) => Some(Settlement::read(subject, &events, at, paid, readable)),
                _ => None,
            })
            .collect();
        Ok(Self {
            hash,
            ledger: raw.ledger,
            closed: raw.closed.to_owned(),
            events,
            settlements,
            evidence,
        })
    }

    /// The evidence, where it can be read.
    #[must_use]
    pub fn evidence(&self) -> Option<&Evidence> {
        self.evidence.as_ref().and_then(|read| read.as_ref().ok())
    }

    /// The day it closed on.
    #[must_use]
    pub fn day(&self) -> &str {
        self.closed.get(..10).unwrap_or(&self.closed)
    }

    /// What the transaction's result would have to commit to, by what is archived: its return value
    /// and all its events in order. `None` where there is no evidence.
    #[must_use]
    pub fn commitment(&self) -> Option<[u8; 32]> {
        let evidence = self.evidence()?;
        let ours = self
            .events
            .iter()
            .map(|event| (event.id.index, event.xdr.as_slice()));
        let foreign = evidence
            .foreign
            .iter()
            .map(|(index, xdr)| (*index, xdr.as_slice()));
        let mut all: Vec<(u32, &[u8])> = ours.chain(foreign).collect();
        // Stable: what stands twice under one index stays twice.
        all.sort_by_key(|(index, _)| *index);
        let mut digest = Sha256::new();
        digest.update(&evidence.returned);
        digest.update(u32::try_from(all.len()).unwrap_or(u32::MAX).to_be_bytes());
        for (_, xdr) in all {
            digest.update(xdr);
        }
        Some(digest.finalize().into())
    }
}

fn read_event(subject: &Subject, raw: &RawEvent<'_>) -> Result<Event, ModelError> {
    let id: EventId = raw.id.parse()?;
    let contract =
        ContractId::new(raw.contract).map_err(|error| ModelError::Field(error.to_string()))?;
    let emitter = if contract == subject.contract {
        Emitter::Escrow
    } else if contract == subject.token {
        Emitter::Token
    } else {
        Emitter::Other(contract)
    };
    let mut xdr = Vec::with_capacity(320);
    // `ContractEvent`: no extension, its contract, its type, body 0, topics, data.
    xdr.extend_from_slice(&[0; 4]);
    xdr.extend_from_slice(&1_u32.to_be_bytes());
    xdr.extend_from_slice(&contract.0);
    xdr.extend_from_slice(&u32::from(!raw.system).to_be_bytes());
    xdr.extend_from_slice(&[0; 4]);
    let count = u32::try_from(raw.topics.len()).unwrap_or(u32::MAX);
    xdr.extend_from_slice(&count.to_be_bytes());
    let mut topics = Vec::with_capacity(raw.topics.len());
    for topic in &raw.topics {
        topics.push(value(topic, &mut xdr)?);
    }
    let data = value(raw.value, &mut xdr)?;
    let body = match emitter {
        Emitter::Escrow if raw.system => Ok(ours::system(&topics, &data)),
        Emitter::Escrow => ours::read(subject, &topics, &data),
        Emitter::Token => token::read(&topics, &data),
        Emitter::Other(_) => Err(ModelError::Field(
            "the event is of another contract".to_owned(),
        )),
    };
    let body = body.unwrap_or_else(|error| Body::Unread {
        why: error.to_string(),
    });
    Ok(Event {
        id,
        emitter,
        body,
        xdr,
    })
}

fn value(text: &str, xdr: &mut Vec<u8>) -> Result<ScVal, ModelError> {
    let bytes = decoded("an event", text)?;
    let value = ScVal::from_xdr(&bytes, LIMITS).map_err(ModelError::xdr("an event"))?;
    xdr.extend_from_slice(&bytes);
    Ok(value)
}
