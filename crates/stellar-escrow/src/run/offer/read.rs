//! An offer's file against the network and against what is known here.

use std::collections::BTreeMap;
use std::path::Path;

use payout_engine::approval::{Authority, LONGEST, Proposal, ledgers_of};
use payout_engine::escrow::{EscrowError, Token};
use payout_engine::rows::{Verdict, read as read_rows};
use payout_engine::rpc::Client;
use payout_engine::{Record, RecordKind};
use payout_keys::{Recipient, Reference};

use super::super::folder::Folder;
use super::super::outcome::Error;
use super::super::patience::patiently;
use super::super::session::{Memory, Parties, Session, behind};
use super::super::show;
use super::{OfferError, Paper};
use crate::amount::shown;

/// An offer that is what it says, for this network and this contract.
pub(super) struct Offered {
    pub(super) proposal: Proposal,
    pub(super) session: Session,
    pub(super) source: Recipient,
    pub(super) folder: Folder,
}

/// Lines that are shown one by one at most.
const SHOWN: usize = 20;

impl Offered {
    /// Reads it and compares all that it says.
    pub(super) async fn open(paper: &Paper<'_>, memory: Memory) -> Result<Self, Error> {
        let text = std::fs::read_to_string(paper.offer).map_err(|error| Error::Read {
            path: paper.offer.to_owned(),
            error,
        })?;
        let proposal = Proposal::read(&text).map_err(OfferError::from)?;
        let terms = proposal.terms();
        let name = terms.place.run.as_str();
        agree("run", name, paper.run.unwrap_or(name))?;
        let here = paper.reading.network.passphrase()?;
        agree("network", &terms.passphrase, &here)?;
        let source = proposal.source().map_err(OfferError::from)?;
        let parties = Parties {
            caller: terms.caller,
            lane: source,
            keys: None,
            signing: Some(paper.signing),
        };
        let reading = paper.reading.at(terms.place.at.contract);
        let folder = Folder::of_offer(name, paper.reading.folder.as_deref(), paper.offer)?;
        // Another contract is named before anything is asked of it.
        let settings = reading.network.folder.resolve()?;
        let contract = reading.contract.resolve(&settings, &here)?;
        agree(
            "contract",
            &terms.place.at.contract.to_string(),
            &contract.to_string(),
        )?;
        let session = Session::among(name, &reading, parties, memory, &folder).await?;
        let facts = &session.facts;
        agree("code", &terms.code.to_string(), &facts.code.to_string())?;
        let token = &facts.token;
        agree(
            "token",
            &terms.token.to_string(),
            &token.contract.to_string(),
        )?;
        let program = terms.place.program.as_str();
        agree("program", program, session.place.program.as_str())?;
        let offered = Self {
            proposal,
            session,
            source,
            folder,
        };
        if let Some(file) = paper.file {
            offered.in_file(file)?;
        }
        Ok(offered)
    }

    /// Every line is a row of the signer's own file.
    fn in_file(&self, file: &Path) -> Result<(), Error> {
        let bytes = std::fs::read(file).map_err(|error| Error::Read {
            path: file.to_owned(),
            error,
        })?;
        let terms = self.proposal.terms();
        let token = &self.session.facts.token;
        let mut rows: BTreeMap<Reference, (Recipient, i128)> = BTreeMap::new();
        for row in read_rows(&bytes, token.decimals)? {
            if let Verdict::Pay(row) = row.verdict {
                let reference = terms.place.reference(&row.id);
                rows.insert(reference, (row.recipient, row.amount.units()));
            }
        }
        for (id, line) in terms.ids.iter().zip(terms.payout.lines()) {
            let offer = (line.recipient, line.amount.units());
            let row = rows.get(&terms.place.reference(id));
            if row != Some(&offer) {
                let say =
                    |(to, amount): &(Recipient, i128)| format!("{} to {to}", shown(*amount, token));
                return Err(Error::Offer(OfferError::NotInFile {
                    id: payout_engine::rows::guarded(id.as_str()),
                    offer: say(&offer),
                    file: row.map_or_else(|| "nothing".to_owned(), say),
                }));
            }
        }
        Ok(())
    }

    /// Tells on stderr what it is.
    pub(super) fn show(&self) {
        let terms = self.proposal.terms();
        let token = &self.session.facts.token;
        show::place(&self.session);
        eprintln!(
            "run       {}, slot {}",
            terms.place.run.as_str(),
            terms.slot
        );
        eprintln!("key       {}", terms.key());
        eprintln!(
            "from      payout key {}, sent by {}",
            terms.caller, self.source
        );
        let bounds = self.proposal.bounds();
        let now = self.session.facts.at.close_time.unwrap_or_default();
        eprintln!(
            "valid     {} seconds more, and up to ledger {} (now {})",
            bounds.max_time.saturating_sub(now),
            bounds.max_ledger,
            self.session.facts.at.ledger
        );
        eprintln!(
            "pays      {} to {} recipients",
            shown(terms.payout.total().units(), token),
            terms.payout.lines().len()
        );
        for (id, line) in terms.ids.iter().zip(terms.payout.lines()).take(SHOWN) {
            let id = payout_engine::rows::guarded(id.as_str());
            eprintln!(
                "  {id}: {} to {}",
                shown(line.amount.units(), token),
                line.recipient
            );
        }
        let more = terms.ids.len().saturating_sub(SHOWN);
        if more > 0 {
            eprintln!("  and {more} more; the offer's file has all");
        }
    }

    /// Whether the slot is still the run's open one. A record of this very offer is given back.
    pub(super) async fn paid(&self) -> Result<Option<Record>, Error> {
        let terms = self.proposal.terms();
        let slot = terms.slot;
        let before = slot.checked_sub(1);
        let keys: Vec<_> = before
            .into_iter()
            .chain([slot])
            .map(|slot| terms.place.key(slot))
            .collect();
        let known = self.session.facts.at.ledger;
        let contract = self.session.reader.contract();
        let ask = async |client: &Client| {
            let read = client.records(contract, &keys).await?;
            if read.ledger < known {
                return Err(behind(read.ledger, known));
            }
            Ok(read)
        };
        let poll = self.session.policy.poll;
        let read = patiently(&self.session.reader, poll, |_| false, ask).await;
        let mut records = read.map_err(EscrowError::from)?.records;
        let own = records.pop().flatten();
        let ended = |slot, record: Record| OfferError::Void {
            slot,
            ledger: record.ledger,
        };
        if let Some(before) = before {
            match records.pop().flatten() {
                None => return Err(OfferError::Early { slot, before }.into()),
                Some(record) if record.kind == RecordKind::Voided => {
                    return Err(ended(before, record).into());
                }
                Some(_) => {}
            }
        }
        match own {
            None => Ok(None),
            Some(record) if record.kind == RecordKind::Voided => Err(ended(slot, record).into()),
            Some(record) if record.paid() && record.fingerprint == terms.payout.fingerprint() => {
                Ok(Some(record))
            }
            Some(record) => Err(taken(slot, &self.session.facts.token, &record).into()),
        }
    }

    /// Neither run out, nor valid for longer than anybody may be asked for.
    pub(super) fn in_time(&self) -> Result<(), OfferError> {
        let bounds = self.proposal.bounds();
        let at = self.session.facts.at;
        let Some(now) = at.close_time else {
            return Err(OfferError::Unanswered("it told no time".to_owned()));
        };
        if at.ledger >= bounds.max_ledger || now > bounds.max_time {
            return Err(OfferError::RanOut {
                ledger: bounds.max_ledger.saturating_sub(1),
                time: bounds.max_time,
            });
        }
        let too_long = |what, offer, most| Err(OfferError::TooLong { what, offer, most });
        let most = now.saturating_add(LONGEST);
        if bounds.max_time > most {
            return too_long("maxTime", bounds.max_time, most);
        }
        let most = at.ledger.saturating_add(ledgers_of(LONGEST));
        if bounds.max_ledger > most {
            return too_long("maxLedger", bounds.max_ledger.into(), most.into());
        }
        Ok(())
    }

    /// Who signs for the payout key (none for a contract) and for the source account.
    pub(super) async fn authorities(&self) -> Result<(Option<Authority>, Authority), Error> {
        let caller = self.proposal.terms().caller;
        authorities(&self.session, caller, self.source).await
    }
}

/// Who signs for the payout key (none for a contract) and for the source account.
pub(super) async fn authorities(
    session: &Session,
    caller: Recipient,
    source: Recipient,
) -> Result<(Option<Authority>, Authority), Error> {
    let accounts = [caller, source];
    let mut found = patiently(
        &session.reader,
        session.policy.poll,
        |_| false,
        async |client| Authority::read(client, &accounts).await,
    )
    .await
    .map_err(EscrowError::from)?;
    let of_caller = found.get(&caller).cloned();
    if of_caller.is_none() && matches!(caller, Recipient::Account(_)) {
        return Err(OfferError::NoAccount(caller).into());
    }
    let source = found.remove(&source).ok_or(OfferError::NoAccount(source))?;
    Ok((of_caller, source))
}

/// Who was faster.
pub(super) fn taken(slot: u32, token: &Token, record: &Record) -> OfferError {
    let won = if record.paid() {
        let (number, total) = (record.payout_id, shown(record.total, token));
        format!("payout {number} of {total} with other lines was paid under its key")
    } else {
        "its key was imported as paid elsewhere".to_owned()
    };
    let ledger = record.ledger;
    OfferError::Taken { slot, won, ledger }
}

fn agree(what: &'static str, offer: &str, here: &str) -> Result<(), OfferError> {
    if offer == here {
        return Ok(());
    }
    Err(OfferError::Elsewhere {
        what,
        offer: offer.to_owned(),
        here: here.to_owned(),
    })
}
