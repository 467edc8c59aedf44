//! A last question before money moves.

use super::outcome::Error;
use super::prepare::Prepared;
use super::session::Session;
use crate::ask;

/// Asks, unless `yes`.
pub(super) fn confirm(session: &Session, prepared: &Prepared, yes: bool) -> Result<(), Error> {
    let token = &session.facts.token;
    let question = format!(
        "Pay {} {} to {} rows?",
        token.shown(prepared.sum),
        token.name(),
        prepared.to_pay
    );
    Ok(ask::confirmed(&question, yes)?)
}
