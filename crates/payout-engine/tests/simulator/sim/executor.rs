//! Polls machines in the order of the dice, and does to them what happens to machines.

use std::task::{Context, Poll, Waker};

use payout_engine::payer::{RunEnd, RunReport};
use payout_engine::run::{Halt, Place, RowState};
use payout_keys::{Deployment, NetworkId, ProgramId, RunName};

use super::chain::{Chain, FIRST};
use super::contract::{Escrow, PROGRAM};
use super::dice::Dice;
use super::machine::{Machine, secret};
use super::oracle::Oracle;
use super::scenario::Scenario;
use super::tally::Tally;
use super::world::{Shared, Weather, World};
use super::{Flaw, Kind};

/// What the program holds at first.
pub(super) const FUNDS: i128 = 1_000;
/// More polls than any schedule needs that ends.
const POLLS: u32 = 60_000;
/// Starts of one machine after faults have stopped.
const TRIES: u32 = 12;

pub(super) struct Executor {
    pub(super) world: Shared,
    pub(super) scenario: Scenario,
    pub(super) machines: Vec<Machine>,
    flaw: Flaw,
    pub(super) tally: Tally,
}

/// Plays the schedule of `seed`.
///
/// # Errors
/// What is not as it must be.
pub(crate) fn play(kind: Kind, seed: u64, flaw: Flaw) -> Result<Tally, String> {
    let mut executor = Executor::new(kind, seed, flaw);
    executor.run()?;
    executor.verify()?;
    Ok(executor.tally)
}

impl Executor {
    fn new(kind: Kind, seed: u64, flaw: Flaw) -> Self {
        let mut dice = Dice::new(seed);
        let payer = secret(0).public();
        let escrow = Escrow::new(payer, FUNDS);
        let contract = escrow.contract();
        let network = NetworkId::from_passphrase("simulated");
        let scenario = Scenario::draw(kind, &mut dice, contract);
        let mut chain = Chain::new(escrow, network, payer);
        chain.retention = scenario.retention;
        for lane in 0..3 {
            chain
                .accounts
                .insert(secret(lane).public(), vec![(FIRST, 0)]);
        }
        let place = Place {
            at: Deployment { network, contract },
            program: ProgramId::new(PROGRAM).expect("legal"),
            run: RunName::new("run").expect("legal"),
        };
        let mut oracle = Oracle::default();
        for edition in &scenario.editions {
            oracle.learn(&place, edition);
        }
        let machines: Vec<Machine> = scenario
            .machines
            .iter()
            .map(|setup| Machine::new(setup.clone(), place.clone(), scenario.orders.clone()))
            .collect();
        let world = Shared::new(World {
            dice,
            weather: scenario.weather.clone(),
            calm: false,
            now: 0,
            current: 0,
            wakes: vec![0; machines.len()],
            chain,
            oracle,
        });
        Self {
            world,
            scenario,
            machines,
            flaw,
            tally: Tally::default(),
        }
    }

    fn run(&mut self) -> Result<(), String> {
        for _ in 0..POLLS {
            if let Some(violation) = self.world.with(|world| world.oracle.violation.take()) {
                return Err(violation);
            }
            self.calm_down();
            if self.machines.iter().all(|machine| machine.rest.is_some()) {
                return Ok(());
            }
            match self.next() {
                Some(which) => self.poll(which)?,
                None => self.wait(),
            }
        }
        Err(format!("it does not end within {POLLS} polls"))
    }

    /// Faults stop after a while. Then every machine is started once more, also those at rest.
    fn calm_down(&mut self) {
        let over = self.world.with(|world| {
            let over = !world.calm && world.chain.ledger >= FIRST + self.scenario.rough;
            if over {
                world.calm = true;
                world.weather = Weather::default();
            }
            over
        });
        let close = self.scenario.close;
        let ledger = self.world.with(|world| world.chain.ledger);
        for (which, machine) in self.machines.iter_mut().enumerate() {
            let due = close.is_some_and(|(who, after)| who == which && ledger >= FIRST + after);
            let at_rest = machine.task.is_none() && machine.starts.is_none();
            if due && !machine.closing && machine.task.is_none() || over && at_rest {
                machine.starts = Some(0);
            }
            machine.closing |= due && machine.task.is_none();
        }
    }

    /// A machine that can go on now.
    fn next(&mut self) -> Option<usize> {
        let (now, wakes) = self.world.with(|world| (world.now, world.wakes.clone()));
        let ready: Vec<usize> = (0..self.machines.len())
            .filter(|which| {
                let machine = &self.machines[*which];
                let runs = machine.task.is_some() && wakes[*which] <= now;
                runs || machine.starts.is_some_and(|at| at <= now)
            })
            .collect();
        if ready.is_empty() {
            return None;
        }
        let at = self.world.with(|world| world.dice.below(ready.len()));
        ready.get(at).copied()
    }

    /// Time passes, up to what happens next.
    fn wait(&mut self) {
        let starts = self.machines.iter().filter_map(|machine| machine.starts);
        let first_start = starts.min();
        self.world.with(|world| {
            let running = self.machines.iter().zip(&world.wakes);
            let wake = running
                .filter(|(machine, _)| machine.task.is_some())
                .map(|(_, wake)| *wake)
                .min();
            let close = world.chain.next_close;
            let next = [wake, first_start, Some(close)].into_iter().flatten().min();
            world.now = next.unwrap_or(close).max(world.now);
            if world.now >= close {
                world.close();
            }
        });
    }

    fn poll(&mut self, which: usize) -> Result<(), String> {
        self.tally.count("polls");
        if self.machines[which].task.is_none() {
            self.begin(which)?;
        }
        if self.killed(which) {
            return Ok(());
        }
        self.world.with(|world| world.current = which);
        let machine = &mut self.machines[which];
        let Some(task) = &mut machine.task else {
            return Ok(());
        };
        let mut context = Context::from_waker(Waker::noop());
        if let Poll::Ready(report) = task.as_mut().poll(&mut context) {
            machine.task = None;
            self.rests(which, report)?;
        }
        Ok(())
    }

    fn begin(&mut self, which: usize) -> Result<(), String> {
        let calm = self.world.with(|world| world.calm);
        let machine = &mut self.machines[which];
        machine.tries += u32::from(calm);
        if machine.tries > TRIES {
            return Err(format!("machine {which} does not end after {TRIES} starts"));
        }
        let edition = &self.scenario.editions[machine.edition];
        machine.start(&self.world, edition, self.flaw);
        let now = self.world.with(|world| world.now);
        self.world.with(|world| world.wakes[which] = now);
        Ok(())
    }

    /// A kill, and what comes with it: a lost or an older journal, another edition of the file.
    fn killed(&mut self, which: usize) -> bool {
        let kill = self.scenario.kill;
        let strikes = self.world.with(|world| world.strikes(|_| kill));
        if !strikes || self.scenario.kills == 0 {
            return false;
        }
        self.scenario.kills -= 1;
        self.tally.count("kills");
        let editions = self.scenario.editions.len();
        let machine = &mut self.machines[which];
        machine.task = None;
        let (fate, edition, later, keep) = self.world.with(|world| {
            let later = u64::try_from(world.dice.below(120_000)).unwrap_or_default();
            let fate = world.dice.below(4);
            let edition = world.dice.below(editions);
            (fate, edition, world.now + later, world.dice.below(3) == 0)
        });
        match fate {
            // An order's key is its own, so its journal is not lost: a database that is gone is restored.
            0 if machine.orders.is_none() => {
                self.tally.count("journals lost");
                *machine.disk.borrow_mut() = super::memory::Disk::default();
            }
            0 | 1 => {
                self.tally.count("backups restored");
                *machine.disk.borrow_mut() = machine.backup.clone();
                machine.restored = true;
            }
            _ => {}
        }
        if keep {
            machine.backup = machine.disk.borrow().clone();
        }
        machine.edition = edition;
        machine.starts = Some(later);
        if self.flaw == Flaw::FreshKeysAfterKill {
            self.rename(which);
        }
        true
    }

    /// [`Flaw::FreshKeysAfterKill`]: the machine goes on under another run.
    fn rename(&mut self, which: usize) {
        let machine = &mut self.machines[which];
        machine.place.run = RunName::new("again").expect("legal");
        let place = &machine.place;
        self.world.with(|world| {
            for edition in &self.scenario.editions {
                world.oracle.learn(place, edition);
            }
        });
    }

    /// A machine has come to rest, and says how.
    fn rests(&mut self, which: usize, report: RunReport) -> Result<(), String> {
        let place = self.machines[which].place.clone();
        let (calm, now) = self.world.with(|world| (world.calm, world.now));
        if let Some(plan) = &report.plan {
            self.world.with(|world| world.oracle.hear(&place, plan));
        }
        let lost = self.machines[which].slots_lost.take();
        self.tally.add("slots lost", lost);
        if self.flaw == Flaw::ExpiryIsFinal {
            self.report_early(&place, &report);
        }
        let finished = match &report.end {
            RunEnd::Complete | RunEnd::LeftOver | RunEnd::Ended { .. } => true,
            RunEnd::Halted(Halt::Twins { .. }) if self.scenario.editions.len() > 1 => true,
            RunEnd::Halted(Halt::Unexplained { .. })
                if !calm || self.scenario.retention.is_some() =>
            {
                true
            }
            RunEnd::Halted(halt) => return Err(format!("machine {which} halts: {halt}")),
            RunEnd::NeedsConsent { .. } => return Err("consent was given".into()),
            RunEnd::Stopped { .. } | RunEnd::Unread(_) | RunEnd::Store(_) => {
                self.tally.count("stops");
                false
            }
        };
        let machine = &mut self.machines[which];
        machine.starts = match (finished, calm) {
            (true, true) => {
                machine.rest = Some(report);
                None
            }
            (true, false) => {
                let again = self.world.with(|world| world.dice.below(3) == 0);
                let editions = self.scenario.editions.len();
                machine.edition = self.world.with(|world| world.dice.below(editions));
                machine.backup = machine.disk.borrow().clone();
                again.then_some(now + 60_000)
            }
            (false, _) => Some(now + 30_000),
        };
        Ok(())
    }

    /// [`Flaw::ExpiryIsFinal`]: what is open or held when an offer stopped is said to be unpaid for ever.
    fn report_early(&self, place: &Place, report: &RunReport) {
        let (RunEnd::Stopped { .. }, Some(plan)) = (&report.end, &report.plan) else {
            return;
        };
        let open = |state: &RowState| matches!(state, RowState::Open | RowState::Held);
        self.world.with(|world| {
            for row in plan.rows.iter().filter(|row| open(&row.state)) {
                let reference = place.reference(&row.id);
                world.oracle.finally_unpaid(reference, &row.id);
            }
        });
    }
}
