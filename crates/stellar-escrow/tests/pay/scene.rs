//! A published escrow with 100,000 USDC, payees, files, and what is asked of a run.

use std::collections::BTreeSet;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use localnet::{Config, Fault, FaultPlan, Trigger};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use payout_engine::journal::{Journal, JournalError, StoredOffer};
use payout_engine::protocol::Signed;
use payout_engine::rpc::{EventFilter, EventsFrom};
use serde_json::Value;
use stellar_xdr::{Limits, ReadXdr as _, ScVal};

use crate::entries::{ONE, Trust};
use crate::world::{Ran, World, address, at_once, block_on, read};

/// A row: whose wallet, its id, its amount.
pub(crate) type Row<'a> = (&'a str, &'a str, &'a str);

/// The rows as a file.
pub(crate) fn csv(rows: &[Row<'_>]) -> String {
    let mut lines = vec!["walletAddress,id,amount\n".to_owned()];
    let line = |(who, id, amount): &Row<'_>| format!("{},{id},{amount}\n", address(who));
    lines.extend(rows.iter().map(line));
    lines.concat()
}

impl World {
    /// An escrow that pays: 100,000 USDC are locked.
    pub(crate) fn paying() -> Self {
        Self::paying_on(at_once())
    }

    pub(crate) fn paying_on(config: Config) -> Self {
        let world = Self::with_escrow_on(config);
        world.lock(100_000);
        world.json("admin", &["publish"]);
        world
    }

    /// Locks so many whole tokens of the sponsor, who gets them first.
    pub(crate) fn lock(&self, tokens: i64) {
        self.pay_out_usdc("sponsor", tokens);
        self.json("sponsor", &["lock", &tokens.to_string()]);
    }

    /// Accounts that can be paid.
    pub(crate) fn open(&self, names: &[&str]) {
        for name in names {
            self.put_account(name, 100 * ONE);
            self.put_trustline(name, Trust::default());
        }
    }

    pub(crate) fn file(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.folder.path().join(name), text).unwrap();
    }

    /// `pay FILE --run RUN` by the payout key, without a question.
    pub(crate) fn pay_command(&self, file: &str, run: &str, more: &[&str]) -> Command {
        let pay = ["pay", file, "--run", run, "--source", "payout", "--yes"];
        let mut command = self.command(&pay);
        command
            .args(["--poll", "20"])
            .args(more)
            .env("STELLAR_CONTRACT_ID", "escrow");
        command
    }

    pub(crate) fn pay(&self, file: &str, run: &str, more: &[&str]) -> Ran {
        read(&self.pay_command(file, run, more).output().unwrap())
    }

    /// The same in the background.
    pub(crate) fn start_paying(&self, file: &str, run: &str, more: &[&str]) -> Running {
        let mut command = self.pay_command(file, run, more);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        Running(Some(command.spawn().unwrap()))
    }

    /// Pays, and it has to end with `code`; what it said.
    pub(crate) fn pays(&self, code: i32, file: &str, run: &str, more: &[&str]) -> String {
        let ran = self.pay(file, run, more);
        assert_eq!(ran.code, Some(code), "{}\n{}", ran.talk, ran.data);
        ran.talk
    }

    /// `receipts` of a run.
    pub(crate) fn receipts(&self, file: &str, run: &str, more: &[&str]) -> Value {
        let base = ["receipts", file, "--run", run, "--id", "escrow"];
        let mut command = self.command(&base);
        command
            .args(["--poll", "20", "--output", "json"])
            .args(more);
        let ran = read(&command.output().unwrap());
        assert_eq!(ran.code, Some(0), "{}", ran.talk);
        serde_json::from_str(&ran.data).unwrap()
    }

    /// `close --run`.
    pub(crate) fn close(&self, run: &str, more: &[&str]) -> Ran {
        let base = ["close", "--run", run, "--source", "payout", "--yes"];
        let mut command = self.command(&base);
        command
            .args(["--poll", "20"])
            .args(more)
            .env("STELLAR_CONTRACT_ID", "escrow");
        read(&command.output().unwrap())
    }

    /// Everything that a run's journal has, none if there is no journal.
    pub(crate) fn offers(&self, folder: &str) -> Vec<StoredOffer> {
        let path = self.folder.path().join(folder).join("journal.db");
        if !path.exists() {
            return Vec::new();
        }
        // A process that another test is just starting has this one's files open for a moment.
        for _ in 0..200 {
            match Journal::open(&path) {
                Err(JournalError::Locked { .. }) => std::thread::sleep(Duration::from_millis(10)),
                journal => return journal.unwrap().all().unwrap(),
            }
        }
        panic!("{} stays locked", path.display())
    }

    /// Every envelope that was signed there.
    pub(crate) fn envelopes(&self, folder: &str) -> Vec<Signed> {
        let offers = self.offers(folder).into_iter();
        offers.flat_map(|offer| offer.envelopes).collect()
    }

    /// How many different transactions those carry: a fee bump carries what it is around.
    pub(crate) fn inner_transactions(&self, folder: &str) -> usize {
        let envelopes = self.envelopes(folder).into_iter();
        envelopes
            .map(|envelope| envelope.inner.0)
            .collect::<BTreeSet<_>>()
            .len()
    }

    pub(crate) fn count(&self) -> u64 {
        let count = self.fact("payout_count");
        count.as_str().unwrap().parse().unwrap()
    }

    /// How often the contract answered a second call under a key, as far as the node remembers.
    pub(crate) fn replays(&self) -> usize {
        let contract = self.fact("contract").as_str().unwrap().to_owned();
        let filter = EventFilter {
            contract_ids: vec![contract],
            topics: Vec::new(),
        };
        let client = self.client();
        let page = block_on(async {
            let oldest = client.health().await.unwrap().oldest_ledger;
            let from = EventsFrom::Ledger(oldest);
            client.events(&from, None, &filter, 10_000).await.unwrap()
        });
        assert!(page.events.len() < 10_000, "more than a page");
        let replay = ScVal::Symbol("BatPayRp".try_into().unwrap());
        let is_replay =
            |topic: &String| ScVal::from_xdr_base64(topic, Limits::none()).unwrap() == replay;
        page.events
            .iter()
            .filter(|event| event.topic.first().is_some_and(is_replay))
            .count()
    }

    /// What must hold whatever happened: the books add up, and agree with what payees have.
    pub(crate) fn proven(&self, payees: &[&str], tokens: &str) {
        let units = |name: &str| units(self.fact(name).as_str().unwrap());
        let paid = units("total_paid");
        assert_eq!(
            units("total_locked"),
            paid + units("total_withdrawn") + units("remaining_balance")
        );
        assert_eq!(units("token_balance"), units("remaining_balance"));
        let theirs: i64 = payees.iter().map(|name| self.balance(name)).sum();
        assert_eq!(i128::from(theirs), paid);
        assert_eq!(paid, self::units(tokens));
        assert_eq!(self.replays(), 0);
    }

    pub(crate) fn faults(&self, plan: FaultPlan) {
        self.localnet.set_faults(plan).unwrap();
    }

    pub(crate) fn struck(&self, fault: Fault) -> u64 {
        let counts = self.localnet.fault_counts().unwrap();
        counts.get(&fault).copied().unwrap_or_default()
    }

    /// Closes a ledger every `pause` while `work` is done.
    pub(crate) fn while_ledgers_close<T>(&self, pause: Duration, work: impl FnOnce() -> T) -> T {
        struct Stop<'a>(&'a AtomicBool);
        impl Drop for Stop<'_> {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Relaxed);
            }
        }
        let over = AtomicBool::new(false);
        std::thread::scope(|threads| {
            threads.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::thread::sleep(pause);
                    self.localnet.close_ledgers(1).unwrap();
                }
            });
            let _stop = Stop(&over);
            work()
        })
    }
}

/// An amount as people write it, in units.
pub(crate) fn units(text: &str) -> i128 {
    let (whole, places) = text.split_once('.').unwrap_or((text, ""));
    format!("{whole}{places:0<7}").parse().unwrap()
}

/// One fault, so often.
pub(crate) fn next(fault: Fault, calls: u32) -> FaultPlan {
    FaultPlan::default().with(fault, Trigger::Next { calls })
}

/// A program in the background. It does not outlive the test.
pub(crate) struct Running(Option<Child>);

impl Running {
    pub(crate) fn signal(&self, signal: Signal) {
        let child = self.0.as_ref().expect("it runs");
        kill(Pid::from_raw(child.id().try_into().unwrap()), signal).unwrap();
    }

    /// Waits until `fault` has struck it.
    pub(crate) fn until_struck(&mut self, world: &World, fault: Fault) {
        while world.struck(fault) == 0 {
            std::thread::sleep(Duration::from_millis(2));
            let child = self.0.as_mut().expect("it runs");
            if child.try_wait().unwrap().is_some() {
                let child = self.0.take().expect("it ran");
                let ran = read(&child.wait_with_output().unwrap());
                panic!("it ended before {fault} struck: {}", ran.talk);
            }
        }
    }

    /// Waits for its end.
    pub(crate) fn end(mut self) -> Ran {
        let child = self.0.take().expect("it runs");
        read(&child.wait_with_output().unwrap())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(child) = &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
