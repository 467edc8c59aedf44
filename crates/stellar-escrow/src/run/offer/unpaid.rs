//! Whether an offer's ids are unpaid in their run. Its builder's word is not enough: a key pays once,
//! and an id that one slot paid could still stand in an offer for the next.

use payout_engine::payer::{self, NoClerk};
use payout_engine::rows::Row;
use payout_engine::run::RowState;

use super::super::args::{Offering, Reading};
use super::super::outcome::Error;
use super::super::prepare;
use super::OfferError;
use super::read::Offered;

impl Offered {
    /// Reads the whole run, explains each slot as `pay` does, and finds none of the offer's ids there.
    pub(super) async fn unpaid(&mut self, reading: &Reading) -> Result<(), Error> {
        let offering = Offering::default();
        let mut order = prepare::order(&self.session, reading, &offering, &self.folder)?;
        let terms = self.proposal.terms();
        let lines = terms.ids.iter().zip(terms.payout.lines());
        order.rows = (1..)
            .zip(lines)
            .map(|(number, (id, line))| Row {
                number,
                id: id.clone(),
                recipient: line.recipient,
                amount: line.amount,
                payment_id: None,
            })
            .collect();
        // The file's other rows are not here, so all that is paid looks as if it had vanished.
        order.also = terms.ids.iter().cloned().collect();
        let (plan, _) = payer::look(&mut self.session.driver, &mut NoClerk, order).await?;
        for row in plan.rows {
            let (run, found) = match row.state {
                RowState::Paid(found) => (terms.place.run.clone(), found),
                RowState::Before { run, found } => (run, found),
                RowState::Held | RowState::Open | RowState::NotPaid => continue,
            };
            return Err(Error::Offer(OfferError::PaidBefore {
                id: payout_engine::rows::guarded(row.id.as_str()),
                slot: found.slot(),
                run: run.as_str().to_owned(),
            }));
        }
        Ok(())
    }
}
