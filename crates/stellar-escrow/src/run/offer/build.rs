//! `pay --build-only`: the next offer, unsigned, as a file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use payout_engine::approval::{Proposal, Terms, ledgers_of};
use payout_engine::payer::{self, Clerk as _, NoClerk, RunEnd};
use payout_engine::ports::{Network as _, Rehearsal, Store as _, Unanswered};
use payout_engine::protocol::{Bid, Bounds, Entry, Refusal, SignRequest, Simulation};
use payout_engine::run::{Decision, Offer};
use payout_keys::Recipient;

use super::super::args::{Offering, Reading, Signing};
use super::super::claim::Claim;
use super::super::clerk::Clerk;
use super::super::folder::Folder;
use super::super::outcome::{Error, of_dry_run};
use super::super::prepare::{self, Depth, Prepared};
use super::super::session::{Memory, Parties, Session};
use super::super::{neighbours, read, show};
use super::read::authorities;
use super::{OfferError, write};
use crate::config::address;
use crate::exit::Exit;
use crate::output::Format;

/// What `--build-only` is asked for.
pub(crate) struct Building<'a> {
    pub(crate) file: &'a Path,
    pub(crate) run: &'a str,
    pub(crate) reading: &'a Reading,
    pub(crate) signing: &'a Signing,
    pub(crate) offering: &'a Offering,
    /// Seconds.
    pub(crate) valid_for: u64,
    pub(crate) output_file: Option<PathBuf>,
    pub(crate) output: Format,
}

/// Reads, judges and plans as `pay` does, and writes the next offer for others to sign.
///
/// # Errors
/// [`Error`]; then no file was written.
pub(crate) async fn build(asked: Building<'_>) -> Result<Exit, Error> {
    let Building {
        file,
        run,
        reading,
        signing,
        ..
    } = asked;
    let bytes = read(file)?;
    let folder = Folder::of(run, reading.folder.as_deref(), file)?;
    let parties = parties(reading, signing)?;
    let mut session = Session::among(run, reading, parties, Memory::Keep, &folder).await?;
    let depth = Depth::Entries;
    let prepared = prepare::prepare(
        &mut session,
        reading,
        asked.offering,
        &folder,
        &bytes,
        depth,
    )
    .await?;
    show::plan(&session, &prepared);
    if !prepared.obstacles.is_empty() {
        let held = prepared.held();
        let obstacles = prepared.obstacles;
        return Err(Error::Obstacles { obstacles, held });
    }
    let claim = Claim::of(&folder);
    if prepared.pays() {
        claim.put(&session, &prepared)?;
    }
    neighbours::none_or_meant(&session, &prepared, asked.offering, (&folder, file))?;
    let Some((offer, simulation)) = next(&mut session, &prepared).await? else {
        eprintln!("every row is paid; there is nothing to sign");
        return Ok(of_dry_run(&prepared));
    };
    let request = request(&session, signing, asked.valid_for, simulation)?;
    let lane = session.lane;
    let last = patient(&session, async |session| {
        let horizon = session.facts.at.ledger;
        session.driver.network.sequence(lane, horizon).await
    })
    .await?;
    let slot = offer.slot;
    let proposal =
        Proposal::build(terms(&session, offer), lane, last, &request).map_err(OfferError::from)?;
    let path = asked.output_file.unwrap_or_else(|| folder.offer(slot));
    overwritable(&path, &proposal, &session)?;
    let intent = proposal.terms().intent();
    let entry = Entry::Intent {
        key: intent.key.clone(),
        fingerprint: Some(proposal.terms().payout.fingerprint()),
    };
    let stored = session.driver.store.store(&intent, &entry).await;
    stored.map_err(|why| Error::Memory(why.0))?;
    let text = proposal.text().map_err(OfferError::from)?;
    write(&path, &text)?;
    tell(&session, &proposal, &path).await?;
    if asked.output == Format::Json {
        print!("{text}");
    }
    Ok(Exit::Done)
}

/// Addresses: the keys are elsewhere.
fn parties<'a>(reading: &Reading, signing: &'a Signing) -> Result<Parties<'a>, Error> {
    let settings = reading.network.folder.resolve()?;
    let network = reading.network.resolve()?;
    let caller = signing.source.address(&settings, &network)?;
    let lane = signing.lane.as_deref();
    let lane = lane.map(|who| address(who, None, &settings, &network));
    let lane = lane.transpose()?.unwrap_or(caller);
    if matches!(lane, Recipient::Contract(_)) {
        return Err(OfferError::NoLane(lane).into());
    }
    Ok(Parties {
        caller,
        lane,
        keys: None,
        signing: Some(signing),
    })
}

/// The next offer that passes, without the rows that it is refused for. None where all is paid.
async fn next(
    session: &mut Session,
    prepared: &Prepared,
) -> Result<Option<(Offer, Simulation)>, Error> {
    let mut order = prepared.order.clone();
    loop {
        let asked = order.clone();
        let (plan, _) = payer::look(&mut session.driver, &mut NoClerk, asked).await?;
        let offer = match plan.decision {
            Decision::Offer(offer) => offer,
            Decision::Complete => return Ok(None),
            Decision::LeftOver => return Err(RunEnd::LeftOver.into()),
            Decision::Ended { slot } => return Err(RunEnd::Ended { slot }.into()),
        };
        let intent = terms(session, offer.clone()).intent();
        let rehearsed = patient(session, async |session| {
            let rehearsal = session.driver.network.simulate(&intent).await?;
            match &rehearsal {
                Rehearsal::Passed(Simulation { at, .. }) if at.close_time.is_none() => {
                    Err(Unanswered("a node told no time".to_owned()))
                }
                _ => Ok(rehearsal),
            }
        });
        let refusal = match rehearsed.await? {
            Rehearsal::Passed(simulation) => return Ok(Some((offer, simulation))),
            Rehearsal::Refused(refusal) => refusal,
        };
        let faults = at_fault(session, prepared, &refusal, &offer).await?;
        let known = order.left_out.len();
        order.left_out.extend(
            faults
                .iter()
                .filter_map(|line| offer.ids.get(*line))
                .cloned(),
        );
        if order.left_out.len() == known {
            return Err(OfferError::Refused(refusal).into());
        }
    }
}

/// The lines that are why it was refused, by their place.
async fn at_fault(
    session: &Session,
    prepared: &Prepared,
    refusal: &Refusal,
    offer: &Offer,
) -> Result<Vec<usize>, Error> {
    let parties = (session.caller, session.lane);
    let (nodes, facts) = (&session.reader, &session.facts);
    let mut clerk = Clerk::new(nodes, facts, parties, &prepared.probe, &prepared.consents);
    let found = clerk.at_fault(refusal, &offer.payout).await;
    let found = found.map_err(|why| OfferError::Unanswered(why.0))?;
    Ok(found.into_keys().collect())
}

/// Asks until there is an answer, as often as the policy allows.
async fn patient<T>(
    session: &Session,
    mut ask: impl AsyncFnMut(&Session) -> Result<T, Unanswered>,
) -> Result<T, OfferError> {
    let mut tries = 0;
    loop {
        match ask(session).await {
            Ok(answer) => return Ok(answer),
            Err(why) if tries >= session.policy.max_tries => {
                return Err(OfferError::Unanswered(why.0));
            }
            Err(_) => tries += 1,
        }
        tokio::time::sleep(Duration::from_millis(session.policy.poll)).await;
    }
}

fn terms(session: &Session, offer: Offer) -> Terms {
    Terms {
        passphrase: session.facts.passphrase.clone(),
        code: session.facts.code,
        token: session.facts.token.contract,
        place: session.place.clone(),
        slot: offer.slot,
        caller: session.caller,
        ids: offer.ids,
        payout: offer.payout,
    }
}

fn request(
    session: &Session,
    signing: &Signing,
    valid_for: u64,
    simulation: Simulation,
) -> Result<SignRequest, Error> {
    let resource_fee = session.policy.resource_fee(simulation.min_resource_fee);
    if simulation.restores > 0 && !signing.restore {
        return Err(RunEnd::NeedsConsent {
            entries: simulation.restores,
            resource_fee,
        }
        .into());
    }
    affordable(session, resource_fee)?;
    let max_ledger = simulation.at.ledger.saturating_add(ledgers_of(valid_for));
    let time = simulation.at.close_time.unwrap_or_default();
    // Nobody raises the bid while people sign, so it is high at once. What is charged is what the
    // ledger's dearest places cost, not what was bid.
    let bid = simulation.market.max(Bid::MIN).tenfold();
    Ok(SignRequest {
        bounds: Bounds {
            max_time: time.saturating_add(valid_for),
            max_ledger,
            authorised_until: Some(max_ledger),
        },
        bid: bid.min(session.policy.max_bid).max(Bid::MIN),
        resource_fee,
        prepared: simulation.prepared,
    })
}

/// Whether the resources cost no more than was allowed.
pub(super) fn affordable(session: &Session, needed: i64) -> Result<(), OfferError> {
    let ceiling = session.policy.max_resource_fee;
    if needed > ceiling {
        return Err(OfferError::Fee { needed, ceiling });
    }
    Ok(())
}

/// What somebody has signed is not lost by building again, unless it has run out or its slot is
/// decided.
fn overwritable(path: &Path, next: &Proposal, session: &Session) -> Result<(), OfferError> {
    let Ok(text) = std::fs::read_to_string(path) else {
        return Ok(());
    };
    let alive = |before: &Proposal| {
        before.terms().key() == next.terms().key() && !before.bounds().covered_by(session.facts.at)
    };
    match Proposal::read(&text) {
        Ok(before) if before.touched() && alive(&before) => {
            Err(OfferError::SignedAlready(path.to_owned()))
        }
        _ => Ok(()),
    }
}

async fn tell(session: &Session, proposal: &Proposal, path: &Path) -> Result<(), Error> {
    let terms = proposal.terms();
    let (of_caller, of_source) = authorities(session, terms.caller, session.lane).await?;
    eprintln!(
        "built: slot {}, {} recipients, in {}",
        terms.slot,
        terms.payout.lines().len(),
        path.display()
    );
    if proposal.apart() {
        match of_caller {
            Some(authority) => signers("first, the authorisation of", &authority),
            None => eprintln!(
                "first, the authorisation of contract {}: sign the file's entry and put it in with \
                 pay --sign --authorisation",
                terms.caller
            ),
        }
        signers("then, the envelope of", &of_source);
    } else {
        signers("to sign, the envelope of", &of_source);
    }
    Ok(())
}

fn signers(what: &str, authority: &payout_engine::approval::Authority) {
    eprintln!(
        "{what} {}: weight {} of",
        authority.account(),
        authority.needed()
    );
    for (key, weight) in authority.signers() {
        eprintln!("  {} weighs {weight}", Recipient::Account(*key));
    }
}
