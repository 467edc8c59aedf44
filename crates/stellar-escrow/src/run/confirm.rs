//! A last question before money moves.

use super::outcome::Error;
use super::prepare::Prepared;
use super::session::Session;
use crate::amount::shown;
use crate::ask;

/// Asks, unless `yes`.
pub(crate) fn pay(session: &Session, prepared: &Prepared, yes: bool) -> Result<(), Error> {
    let token = &session.facts.token;
    let question = format!(
        "Pay {} to {} rows?",
        shown(prepared.sum, token),
        prepared.to_pay
    );
    Ok(ask::confirmed(&question, yes)?)
}

/// Asks whether the run is to end, unless `yes`.
pub(crate) fn close(prepared: &Prepared, yes: bool) -> Result<(), Error> {
    let question = format!(
        "End run {}? Whatever is not paid by then is never paid under it.",
        prepared.order.place.run.as_str()
    );
    Ok(ask::confirmed(&question, yes)?)
}
