//! Whether the keys at hand are enough, before anything is signed with them.

use std::collections::BTreeSet;

use payout_engine::approval::Authority;
use payout_keys::Recipient;

use super::outcome::Error;
use super::patience::patiently;
use super::session::Session;

/// A key that is not enough alone.
#[derive(Debug, thiserror::Error)]
#[error(
    "nothing was signed: {account} is a multi-signature account. Its own key weighs {weight} and \
     {needed} is needed to call a contract. Let several sign: pay --build-only, then --sign and \
     --submit"
)]
pub(crate) struct TooLight {
    account: Recipient,
    weight: u32,
    needed: u32,
}

/// Payout key and lane each sign with one key.
pub(crate) async fn alone(session: &Session) -> Result<(), Error> {
    let accounts = [session.caller, session.lane];
    let authorities = patiently(
        &session.reader,
        session.policy.poll,
        |_| false,
        async |client| Authority::read(client, &accounts).await,
    )
    .await
    .map_err(payout_engine::escrow::EscrowError::from)?;
    for (account, authority) in authorities {
        let Recipient::Account(own) = account else {
            continue;
        };
        let own = BTreeSet::from([own]);
        if !authority.holds(&own) {
            return Err(Error::Weight(TooLight {
                account,
                weight: authority.weight(&own),
                needed: authority.needed(),
            }));
        }
    }
    Ok(())
}
