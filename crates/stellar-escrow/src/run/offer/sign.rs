//! `pay --sign`: one person's signature.

use std::collections::BTreeSet;
use std::path::Path;

use payout_engine::approval::{ApprovalError, Authority};
use payout_engine::envelope::SecretKey;
use payout_engine::escrow::EscrowError;
use payout_engine::rpc::Simulated;

use super::super::outcome::Error;
use super::super::patience::patiently;
use super::super::session::Memory;
use super::build::affordable;
use super::read::Offered;
use super::{OfferError, Paper, write};
use crate::ask;
use crate::exit::Exit;
use crate::output::Format;

/// Shows the offer, asks, and adds a signature of the key at hand, or an authorisation that was
/// signed elsewhere.
///
/// # Errors
/// [`Error`]; then the file is as it was.
pub(crate) async fn sign(paper: &Paper<'_>, authorisation: Option<&Path>) -> Result<Exit, Error> {
    let mut offered = Offered::open(paper, Memory::Look).await?;
    offered.show();
    if let Some(record) = offered.paid().await? {
        eprintln!(
            "it is paid already, in ledger {}; nothing was signed",
            record.ledger
        );
        return Ok(Exit::Done);
    }
    offered.in_time()?;
    offered.unpaid(paper.reading).await?;
    let (of_caller, of_source) = offered.authorities().await?;
    offered.checked(of_caller.as_ref(), &of_source)?;
    let before = offered.proposal.clone();
    if let Some(path) = authorisation {
        let entry = std::fs::read_to_string(path).map_err(|error| Error::Read {
            path: path.to_owned(),
            error,
        })?;
        ask::confirmed("Put this authorisation into the offer?", paper.yes)?;
        let put = offered.proposal.put_authorisation(&entry);
        put.map_err(OfferError::from)?;
        offered.rehearse(of_caller.as_ref()).await?;
    }
    if authorisation.is_none() || paper.signing.source.is_given() {
        let settings = paper.reading.network.folder.resolve()?;
        let key = paper.signing.source.resolve(&settings)?;
        offered.may_sign(&key, of_caller.as_ref(), &of_source)?;
        let question = format!("Sign it as {}?", key.address());
        ask::confirmed(&question, paper.yes)?;
        offered.sign(&key, of_caller.as_ref(), &of_source).await?;
    }
    let path = paper.output_file.as_deref().unwrap_or(paper.offer);
    let text = offered.proposal.text().map_err(OfferError::from)?;
    if offered.proposal == before {
        eprintln!("nothing was added: this signature is there already, or not needed");
    } else {
        write(path, &text)?;
        eprintln!("signed: {}", path.display());
    }
    match offered.complete(of_caller.as_ref(), &of_source) {
        Ok(()) => eprintln!("it has all signatures; pay --submit sends it"),
        Err(missing) => eprintln!("{missing}"),
    }
    if paper.output == Format::Json {
        print!("{text}");
    }
    Ok(Exit::Done)
}

impl Offered {
    /// Every signature that is there holds, and what is called authorised is so.
    fn checked(
        &self,
        of_caller: Option<&Authority>,
        of_source: &Authority,
    ) -> Result<(), OfferError> {
        self.proposal.signed_by(of_source)?;
        if self.proposal.authorised() {
            self.authorised(of_caller)?;
        }
        Ok(())
    }

    /// Whether the payout key's authorisation is there, where it is apart.
    fn authorised(&self, of_caller: Option<&Authority>) -> Result<(), OfferError> {
        if !self.proposal.apart() {
            return Ok(());
        }
        let account = self.proposal.terms().caller;
        let missing = |weight, needed| OfferError::Missing {
            what: "the authorisation",
            account,
            weight,
            needed,
        };
        match of_caller {
            Some(authority) => {
                let by = self.proposal.authorised_by()?;
                if !authority.holds(&by) {
                    return Err(missing(authority.weight(&by), authority.needed()));
                }
            }
            None if !self.proposal.has_authorisation() => return Err(missing(0, 1)),
            None => {}
        }
        if self.proposal.authorised() {
            Ok(())
        } else {
            Err(missing(0, 1))
        }
    }

    /// Whether nothing is missing.
    pub(super) fn complete(
        &self,
        of_caller: Option<&Authority>,
        of_source: &Authority,
    ) -> Result<(), OfferError> {
        self.authorised(of_caller)?;
        let by = self.proposal.signed_by(of_source)?;
        if !of_source.holds(&by) {
            return Err(OfferError::Missing {
                what: "the envelope",
                account: self.source,
                weight: of_source.weight(&by),
                needed: of_source.needed(),
            });
        }
        Ok(())
    }

    /// Whether this key has anything to sign, and whether it is its turn.
    fn may_sign(
        &self,
        key: &SecretKey,
        of_caller: Option<&Authority>,
        of_source: &Authority,
    ) -> Result<(), OfferError> {
        let signs = |authority: &Authority| authority.signers().contains_key(&key.public());
        let for_caller = of_caller.is_some_and(signs);
        let payout_key = self.proposal.terms().caller;
        if !for_caller && !signs(of_source) {
            return Err(OfferError::Stranger {
                who: key.address(),
                payout_key,
                source_account: self.source,
            });
        }
        if !for_caller && !self.proposal.authorised() {
            return Err(ApprovalError::AuthorisationFirst { payout_key }.into());
        }
        Ok(())
    }

    /// Signs what the key may sign and what still needs it: the authorisation, and once that is
    /// complete the envelope.
    async fn sign(
        &mut self,
        key: &SecretKey,
        of_caller: Option<&Authority>,
        of_source: &Authority,
    ) -> Result<(), Error> {
        if let Some(authority) = of_caller
            && !self.proposal.authorised()
            && authority.signers().contains_key(&key.public())
        {
            self.proposal.authorise(key).map_err(OfferError::from)?;
            self.rehearse(of_caller).await?;
        }
        let by = self
            .proposal
            .signed_by(of_source)
            .map_err(OfferError::from)?;
        // A signature more than is needed makes the network refuse the envelope.
        let needed = !of_source.holds(&by) && !by.contains(&key.public());
        if self.proposal.authorised() && needed && of_source.signers().contains_key(&key.public()) {
            self.proposal.sign(key).map_err(OfferError::from)?;
        }
        Ok(())
    }

    /// Once the authorisation is complete, simulates with it: the network checks it, and what that
    /// costs and touches is known from then on.
    async fn rehearse(&mut self, of_caller: Option<&Authority>) -> Result<(), Error> {
        if let Some(authority) = of_caller {
            let by: BTreeSet<[u8; 32]> = self.proposal.authorised_by().map_err(OfferError::from)?;
            if !authority.holds(&by) {
                return Ok(());
            }
        }
        let envelope = self.proposal.envelope().map_err(OfferError::from)?;
        let session = &self.session;
        let simulated = patiently(
            &session.reader,
            session.policy.poll,
            |_| false,
            async |client| client.simulate(&envelope).await,
        );
        let success = match simulated.await.map_err(EscrowError::from)? {
            Simulated::Success(success) => success,
            Simulated::Refused { error, .. } => {
                let first = error.lines().next().unwrap_or_default().to_owned();
                return Err(OfferError::NotAccepted(first).into());
            }
        };
        let fee = session.policy.resource_fee(success.min_resource_fee);
        affordable(session, fee)?;
        let finished = self.proposal.finish(&success.transaction_data, fee);
        Ok(finished.map_err(OfferError::from)?)
    }
}
