//! One machine in a process of its own, which ends itself at a given moment.

use std::cell::Cell;
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::Command;
use std::rc::Rc;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use payout_engine::NodeId;
use payout_engine::driver::Driver;
use payout_engine::journal::{Intent, Journal, StoredOffer};
use payout_engine::nodes::Nodes;
use payout_engine::payer::{self, NoClerk, RunEnd, RunOrder};
use payout_engine::ports::{Host, Keys, RunStore, Store, System, Unstored};
use payout_engine::protocol::{Entry, Jitter, Obligation, Phase, Policy};
use payout_engine::rows::{self, Row, Verdict};
use payout_engine::rpc::{Client, Options};
use payout_engine::run::Place;
use payout_keys::{ContractId, Deployment, NetworkId, ProgramId, RunName};
use serde_json::{Value, json};

use crate::world::{World, block_on, key};

const VARIABLE: &str = "ESCROW_CRASH_JOB";
const BATCH: usize = 2;
const ENDED: i32 = 9;
const HALTED: i32 = 6;

/// How a machine ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Died {
    /// Killed, as it was to be.
    Killed,
    /// It did all it was to do.
    Not,
    /// The run had ended before all was paid.
    Ended,
    /// Something else.
    Halted,
}

/// What a machine is to do.
pub(super) struct Job(Value);

impl Job {
    pub(super) fn new(world: &World, contract: &str, run: &str, file: &str) -> Self {
        let folder = world.folder.path().join(run);
        std::fs::create_dir_all(&folder).unwrap();
        Self(json!({
            "url": world.localnet.url(),
            "passphrase": world.localnet.network().passphrase(),
            "contract": contract,
            "journal": folder.join("journal.db"),
            "run": run,
            "file": file,
        }))
    }

    /// Pays the rows, by the test that is running.
    pub(super) fn pay(&self, test: &str) -> Died {
        self.start(test, 0, "pay")
    }

    /// Ends the run.
    pub(super) fn close(&self, test: &str) -> Died {
        self.start(test, 0, "close")
    }

    /// The same on a machine that dies at its `moment`th moment, from 1 on. Whether it did.
    pub(super) fn dies(&self, test: &str, moment: u32, act: &str) -> bool {
        match self.start(test, moment, act) {
            Died::Killed => true,
            Died::Not => false,
            other => panic!("moment {moment}: {other:?}"),
        }
    }

    fn start(&self, test: &str, moment: u32, act: &str) -> Died {
        let mut job = self.0.clone();
        job["moment"] = json!(moment);
        job["act"] = json!(act);
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", test, "--nocapture"]);
        let output = child.env(VARIABLE, job.to_string()).output().unwrap();
        match (output.status.signal(), output.status.code()) {
            (Some(9), _) => Died::Killed,
            (_, Some(0)) => Died::Not,
            (_, Some(ENDED)) => Died::Ended,
            _ => {
                eprintln!("{}", String::from_utf8_lossy(&output.stderr));
                Died::Halted
            }
        }
    }

    /// In the process that [`start`](Self::start) made: does the job, and ends the process.
    pub(super) fn run_if_given() {
        if let Ok(text) = std::env::var(VARIABLE) {
            let job: Value = serde_json::from_str(&text).unwrap();
            std::process::exit(block_on(run(&job)));
        }
    }
}

async fn run(job: &Value) -> i32 {
    let text = |name: &str| job[name].as_str().unwrap();
    let contract: ContractId = text("contract").parse().unwrap();
    let network = NetworkId::from_passphrase(text("passphrase"));
    let client = Client::new(text("url"), NodeId(0), Options::default()).unwrap();
    let signer = Keys::new(network, contract, key("payout"), None);
    let caller = signer.caller();
    let moments = u32::try_from(job["moment"].as_u64().unwrap()).unwrap();
    let fate = Rc::new(Fate(Cell::new(moments)));
    let journal = Journal::open(&PathBuf::from(text("journal"))).unwrap();
    let mut driver = Driver {
        network: Nodes::new(client, Vec::new(), contract, caller, caller),
        store: MortalStore {
            journal,
            fate: Rc::clone(&fate),
        },
        signer,
        host: MortalHost {
            system: System::default(),
            fate,
            sending: false,
        },
    };
    let order = order(text("run"), text("file"), network, contract);
    let report = if text("act") == "close" {
        payer::close(&mut driver, &mut NoClerk, order).await
    } else {
        payer::pay(&mut driver, &mut NoClerk, order).await
    };
    match report.end {
        RunEnd::Ended { .. } if text("act") == "pay" => ENDED,
        RunEnd::Complete | RunEnd::Ended { .. } => 0,
        other => {
            eprintln!("{other:?}");
            HALTED
        }
    }
}

fn order(run: &str, file: &str, network: NetworkId, contract: ContractId) -> RunOrder {
    let judged = rows::read(file.as_bytes(), 7).unwrap();
    let row = |judged: rows::Judged| match judged.verdict {
        Verdict::Pay(row) => row,
        Verdict::Reject(reason) => panic!("{reason:?}"),
    };
    let rows: Vec<Row> = judged.into_iter().map(row).collect();
    RunOrder {
        place: Place {
            at: Deployment { network, contract },
            program: ProgramId::new("hackathon-2026").unwrap(),
            run: RunName::new(run).unwrap(),
        },
        rows,
        left_out: std::collections::BTreeSet::new(),
        also: std::collections::BTreeSet::new(),
        after: Vec::new(),
        known: Vec::new(),
        max_batch: BATCH,
        policy: Policy {
            poll: 10,
            max_wait: 100,
            max_tries: 200,
            ..Policy::default()
        },
    }
}

/// How many moments are left. Right before a durable write and right after it, and before and after a
/// sending, is one each.
struct Fate(Cell<u32>);

impl Fate {
    fn moment(&self) {
        match self.0.get() {
            0 => {}
            1 => kill(Pid::this(), Signal::SIGKILL).unwrap(),
            left => self.0.set(left - 1),
        }
    }
}

struct MortalStore {
    journal: Journal,
    fate: Rc<Fate>,
}

impl Store for MortalStore {
    async fn store(&mut self, intent: &Intent, entry: &Entry) -> Result<(), Unstored> {
        self.fate.moment();
        let stored = Store::store(&mut self.journal, intent, entry).await;
        self.fate.moment();
        stored
    }

    async fn note_ledger(&mut self, ledger: u32) -> Result<(), Unstored> {
        self.fate.moment();
        let noted = Store::note_ledger(&mut self.journal, ledger).await;
        self.fate.moment();
        noted
    }
}

impl RunStore for MortalStore {
    async fn ledger(&self) -> Result<u32, Unstored> {
        RunStore::ledger(&self.journal).await
    }

    async fn offers(&self, run: &RunName) -> Result<Vec<StoredOffer>, Unstored> {
        RunStore::offers(&self.journal, run).await
    }
}

struct MortalHost {
    system: System,
    fate: Rc<Fate>,
    sending: bool,
}

impl Host for MortalHost {
    async fn sleep(&mut self, milliseconds: u64) {
        self.system.sleep(milliseconds).await;
    }

    fn jitter(&mut self) -> Jitter {
        self.system.jitter()
    }

    fn consent(&mut self, entries: u32, resource_fee: i64) -> bool {
        self.system.consent(entries, resource_fee)
    }

    fn watch(&mut self, obligation: &Obligation) {
        let sending = obligation.phase() == Phase::Sending;
        if sending != self.sending {
            self.sending = sending;
            self.fate.moment();
        }
    }
}
