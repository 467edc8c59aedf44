//! What has to be so at the end, when faults have stopped and everything is at rest.

use payout_engine::payer::RunEnd;
use payout_engine::run::Halt;

use super::chain::{Chain, FIRST};
use super::executor::{Executor, FUNDS};
use super::tally::Tally;

impl Tally {
    fn count_chain(&mut self, chain: &Chain) {
        let ledgers = usize::try_from(chain.ledger - FIRST).unwrap_or_default();
        self.add("ledgers", ledgers);
        self.add("payments by strangers", chain.paid_by_strangers);
        let records = || chain.records.values();
        let payments = records().filter(|it| it.paid()).count();
        self.add("payments", payments);
        self.add("voids", records().count() - payments);
        let history = || chain.history.iter();
        let paying = history().filter(|it| it.succeeded && !it.lines.is_empty());
        self.add("replays", paying.count() - payments);
        let failed = history().filter(|it| !it.succeeded);
        self.add("failed transactions", failed.count());
        let bumped = history().filter(|it| it.hash != it.inner);
        self.add("fee bumps included", bumped.count());
    }
}

impl Executor {
    /// Everything is at rest: is it right?
    pub(super) fn verify(&mut self) -> Result<(), String> {
        for which in 0..self.machines.len() {
            self.verify_machine(which)?;
        }
        self.world.with(|world| {
            if let Some(violation) = world.oracle.violation.take() {
                return Err(violation);
            }
            self.tally.count_chain(&world.chain);
            let chain = &world.chain;
            let program = chain.escrow.program();
            let paid: i128 = world.oracle.sums.values().sum();
            let books = (
                program.total_locked,
                program.total_paid,
                program.remaining_balance,
            );
            if books != (FUNDS, paid, FUNDS - paid) || chain.escrow.holds() != FUNDS - paid {
                return Err(format!("the books do not add up: {books:?}, {paid} paid"));
            }
            for (recipient, sum) in &world.oracle.sums {
                let has = chain.escrow.balance(*recipient);
                if has != *sum {
                    return Err(format!("{recipient} has {has} and is due {sum}"));
                }
            }
            Ok(())
        })
    }

    fn verify_machine(&mut self, which: usize) -> Result<(), String> {
        let machine = &self.machines[which];
        let report = machine.rest.as_ref().ok_or("it is not at rest")?;
        let itself = payout_keys::Recipient::Contract(machine.place.at.contract.0);
        let tally = &mut self.tally;
        let rows = &self.scenario.editions[machine.edition];
        match &report.end {
            RunEnd::Complete => tally.count("complete"),
            RunEnd::LeftOver => tally.count("left over"),
            RunEnd::Ended { .. } => tally.count("ended"),
            RunEnd::Halted(Halt::Twins { .. }) => tally.count("twins"),
            RunEnd::Halted(_) => tally.count("unexplained"),
            other => return Err(format!("machine {which} ended with {other:?}")),
        }
        for (_, row) in rows {
            let reference = machine.place.reference(&row.id);
            let (paid, told_unpaid) = self.world.with(|world| {
                let oracle = &world.oracle;
                (oracle.is_paid(reference), oracle.is_told_unpaid(reference))
            });
            if told_unpaid && machine.orders.is_some() {
                tally.count("finally unpaid");
            }
            let may_be_unpaid = match &report.end {
                RunEnd::Complete => machine.orders.is_some() && told_unpaid,
                RunEnd::LeftOver => row.recipient == itself,
                _ => true,
            };
            if !paid && !may_be_unpaid {
                let end = &report.end;
                return Err(format!(
                    "machine {which} ended with {end:?}, and {} is unpaid",
                    row.id
                ));
            }
        }
        Ok(())
    }
}
