//! `pay --submit`: an offer that has its signatures, to its verdict.

use payout_engine::Record;
use payout_engine::approval::{Proposal, Terms};
use payout_engine::driver::{Aim, Driver};
use payout_engine::envelope::{SecretKey, bump};
use payout_engine::journal::{Intent, Journal};
use payout_engine::payer::RunEnd;
use payout_engine::ports::{Network as _, RunStore as _, Signer, Store as _, Unsigned, Unstored};
use payout_engine::protocol::{
    Answer, BumpRequest, Entry, Obligation, Purpose, SignRequest, Signed, Signers, TxHash,
};
use payout_keys::{NetworkId, Recipient};
use serde_json::json;

use super::super::outcome::Error;
use super::super::session::Memory;
use super::read::{Offered, taken};
use super::{OfferError, Paper};
use crate::amount::shown;
use crate::ask;
use crate::exit::Exit;
use crate::output::Format;

/// Everything is signed: there is no key here but one that may pay for a higher bid.
struct Sealed {
    network: NetworkId,
    source: Recipient,
    bidder: Option<SecretKey>,
}

impl Signer for Sealed {
    fn lane(&self) -> Recipient {
        self.source
    }

    async fn sign(
        &mut self,
        _intent: &Intent,
        _request: &SignRequest,
        _last: i64,
    ) -> Result<Signed, Unsigned> {
        Err(Unsigned(
            "the offer ran out, or its transaction failed; build it anew".to_owned(),
        ))
    }

    async fn bump(&mut self, request: &BumpRequest) -> Result<Signed, Unsigned> {
        match &self.bidder {
            Some(bidder) => {
                bump(self.network, request, bidder).map_err(|error| Unsigned(error.to_string()))
            }
            None => Err(Unsigned(
                "the ledger is full and the offer bids too little; submit it again with --source, \
                 an account that pays for a fee bump"
                    .to_owned(),
            )),
        }
    }
}

/// Checks everything once more, and sends it until the contract has a record.
///
/// # Errors
/// [`Error`].
pub(crate) async fn submit(paper: &Paper<'_>) -> Result<Exit, Error> {
    let mut offered = Offered::open(paper, Memory::Keep).await?;
    offered.show();
    // The sequence number first: a record that is absent later tells what did not use it.
    let used = offered.sequence_used().await?;
    if let Some(record) = offered.paid().await? {
        eprintln!(
            "it is paid already, in ledger {}; nothing more is sent",
            record.ledger
        );
    } else {
        offered.in_time()?;
        offered.unpaid(paper.reading).await?;
        let (of_caller, of_source) = offered.authorities().await?;
        offered.complete(of_caller.as_ref(), &of_source)?;
        if used {
            return Err(Error::Offer(OfferError::SequenceUsed {
                source_account: offered.source.to_string(),
                sequence: offered.proposal.sequence(),
            }));
        }
        let terms = offered.proposal.terms();
        let question = format!(
            "Pay {} to {} recipients?",
            shown(terms.payout.total().units(), &offered.session.facts.token),
            terms.payout.lines().len()
        );
        ask::confirmed(&question, paper.yes)?;
    }
    drive(offered, paper).await
}

impl Offered {
    /// Whether the source account has gone past the offer's sequence number.
    async fn sequence_used(&self) -> Result<bool, Error> {
        let known = self.session.facts.at.ledger;
        let last = self
            .session
            .driver
            .network
            .sequence(self.source, known)
            .await;
        // A node that does not say is asked again by the engine; this only saves waiting in vain.
        Ok(last.is_ok_and(|last| last >= self.proposal.sequence()))
    }
}

async fn drive(offered: Offered, paper: &Paper<'_>) -> Result<Exit, Error> {
    let Offered {
        proposal,
        session,
        source,
        ..
    } = offered;
    let terms = proposal.terms();
    let intent = terms.intent();
    let bidder = if paper.signing.source.is_given() {
        let settings = paper.reading.network.folder.resolve()?;
        Some(paper.signing.source.resolve(&settings)?)
    } else {
        None
    };
    let token = session.facts.token;
    let known = session.facts.at.ledger;
    let mut driver = Driver {
        network: session.driver.network,
        store: session.driver.store,
        signer: Sealed {
            network: terms.network(),
            source,
            bidder,
        },
        host: session.driver.host,
    };
    let horizon = driver.store.ledger().await.map_err(memory)?.max(known);
    let envelopes = stored(&mut driver.store, &proposal, &intent).await?;
    let purpose = Purpose::Pay(terms.payout.fingerprint());
    let fresh = Obligation::new(intent.key.clone(), purpose, Signers::Others, session.policy);
    let fresh = fresh.restored(envelopes, horizon);
    let state = driver.drive(&intent, fresh, Aim::Pay).await;
    let slot = terms.slot;
    match state.answer() {
        Answer::Paid { record, receipt } => {
            let total = shown(record.total, &token);
            let recipients = terms.payout.lines().len();
            let ledger = record.ledger;
            eprintln!("slot {slot}: {total} to {recipients} recipients paid in ledger {ledger}");
            if paper.output == Format::Json {
                let paid = paid(terms, &record, receipt.map(|(hash, _)| hash));
                println!("{paid:#}");
            }
            Ok(Exit::Done)
        }
        Answer::Conflict { record } | Answer::Imported { record } => {
            Err(taken(slot, &token, &record).into())
        }
        Answer::Voided { record } => Err(OfferError::Void {
            slot,
            ledger: record.ledger,
        }
        .into()),
        answer => Err(RunEnd::Stopped { slot, answer }.into()),
    }
}

fn memory(why: Unstored) -> Error {
    Error::Memory(why.0)
}

/// Every envelope that may be on its way, this offer's among them: stored before it is sent. What is
/// stored under its hash already is what was sent, and is sent again.
async fn stored(
    store: &mut Option<Journal>,
    proposal: &Proposal,
    intent: &Intent,
) -> Result<Vec<Signed>, Error> {
    let signed = proposal.signed().map_err(OfferError::from)?;
    let offers = store.offers(&proposal.terms().place.run).await;
    let mut envelopes: Vec<Signed> = offers
        .map_err(memory)?
        .into_iter()
        .filter(|offer| offer.intent == *intent)
        .flat_map(|offer| offer.envelopes)
        .collect();
    if envelopes
        .iter()
        .all(|envelope| envelope.hash != signed.hash)
    {
        let entry = Entry::Envelope {
            key: intent.key.clone(),
            signed: signed.clone(),
        };
        store.store(intent, &entry).await.map_err(memory)?;
        envelopes.push(signed);
    }
    Ok(envelopes)
}

fn paid(terms: &Terms, record: &Record, transaction: Option<TxHash>) -> serde_json::Value {
    json!({
        "status": "paid",
        "run": terms.place.run.as_str(),
        "slot": terms.slot,
        "key": terms.key().as_str(),
        "payout_id": record.payout_id,
        "ledger": record.ledger,
        "transaction": transaction.map(|hash| hash.to_string()),
        "recipients": terms.payout.lines().len(),
        "total": record.total.to_string(),
    })
}
