//! A gateway in a process of its own, which ends itself with SIGKILL at a moment that it is told.
//!
//! A moment is right before or right after a durable write, by the place in the code that began it, or
//! right before or right after a sending. The gateway tells of both in its log, at the level `trace`; the
//! process listens to its own.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use payout_gateway::{Config, Gateway};
use serde_json::{Value, json};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

use crate::common::Seeds;

const VARIABLE: &str = "GATEWAY_CRASH_JOB";
const ADDRESS: &str = "address ";
const MOMENT: &str = "moment ";

/// What every gateway of a test is started with.
#[derive(Clone)]
pub(super) struct Job {
    /// The test that is running.
    pub(super) test: String,
    /// The configuration's text.
    pub(super) config: String,
    pub(super) seeds: Seeds,
}

impl Job {
    /// In the process that [`Machine::start`] made: serves until it is killed.
    pub(super) async fn run_if_given() {
        let Ok(text) = std::env::var(VARIABLE) else {
            return;
        };
        let job: Value = serde_json::from_str(&text).expect("a job");
        let part = |name: &str| job[name].as_str().expect("a text").to_owned();
        let fate = Arc::new(Mutex::new(part("moment")));
        let told = Arc::clone(&fate);
        tracing::subscriber::set_global_default(Witness {
            fate,
            sending: Mutex::new(false),
        })
        .expect("the only witness");
        std::thread::spawn(move || {
            for line in std::io::stdin().lines().map_while(Result::ok) {
                *told.lock().unwrap_or_else(PoisonError::into_inner) = line;
            }
            // Whoever started it is gone.
            std::process::exit(0);
        });
        let config = Config::from_toml(&part("config")).expect("a configuration");
        let means = Seeds::from_json(&job["seeds"]).means(&config);
        let gateway = Gateway::start(&config, means).await.expect("a gateway");
        println!("{ADDRESS}{}", gateway.address());
        std::future::pending::<()>().await;
    }
}

/// A running gateway. It dies with the test.
pub(super) struct Machine {
    child: Child,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Machine {
    /// Starts one that dies at `moment`, or not by itself where that is empty.
    pub(super) fn start(job: &Job, moment: &str) -> Self {
        let text = json!({
            "config": job.config,
            "seeds": job.seeds.to_json(),
            "moment": moment,
        });
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", &job.test, "--nocapture"])
            .env(VARIABLE, text.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a process");
        let out = child.stdout.take().expect("stdout");
        let lines = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&lines);
        std::thread::spawn(move || {
            for line in BufReader::new(out).lines().map_while(Result::ok) {
                heard
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .push(line);
            }
        });
        Self { child, lines }
    }

    /// From now on it dies at `moment`, or not by itself where that is empty.
    pub(super) fn arm(&mut self, moment: &str) {
        let stdin = self.child.stdin.as_mut().expect("stdin");
        // One that has died does not hear it.
        let _ = writeln!(stdin, "{moment}");
    }

    /// Where it listens; `None` if it died before it did.
    pub(super) async fn address(&mut self) -> Option<String> {
        for _ in 0..3_000 {
            if let Some(address) = self.heard(ADDRESS).pop() {
                return Some(address);
            }
            if self.died() {
                return None;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("it neither listens nor dies");
    }

    /// The moments that it has lived through so far.
    pub(super) fn moments(&self) -> Vec<String> {
        self.heard(MOMENT)
    }

    fn heard(&self, what: &str) -> Vec<String> {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        // The test harness may have put something before the first line.
        let rest = |line: &String| Some(line.split_once(what)?.1.to_owned());
        lines.iter().filter_map(rest).collect()
    }

    /// Whether it is dead, by its own hand.
    pub(super) fn died(&mut self) -> bool {
        match self.child.try_wait().expect("a status") {
            None => false,
            Some(status) => {
                assert_eq!(status.signal(), Some(9), "it ended otherwise: {status}");
                true
            }
        }
    }
}

impl Machine {
    /// The plug is pulled.
    pub(super) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Hears what the gateway tells of its durable writes and sendings.
struct Witness {
    /// The moment to die at.
    fate: Arc<Mutex<String>>,
    sending: Mutex<bool>,
}

impl Witness {
    fn moment(&self, name: &str) {
        let fate = self.fate.lock().unwrap_or_else(PoisonError::into_inner);
        if *fate == name {
            kill(Pid::this(), Signal::SIGKILL).expect("the end");
        }
        println!("{MOMENT}{name}");
    }
}

impl Subscriber for Witness {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("payout_gateway") && *metadata.level() == Level::TRACE
    }

    fn event(&self, event: &Event<'_>) {
        let mut words = Words::default();
        event.record(&mut words);
        match words.message.as_str() {
            "commits" => self.moment(&format!("before {}", words.place())),
            "committed" => self.moment(&format!("after {}", words.place())),
            "phase" => {
                let now = words.phase == "sending";
                let mut sending = self.sending.lock().unwrap_or_else(PoisonError::into_inner);
                let before = std::mem::replace(&mut *sending, now);
                match (before, now) {
                    (false, true) => self.moment("before sending"),
                    (true, false) => self.moment("after sending"),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[derive(Default)]
struct Words {
    message: String,
    at: String,
    phase: String,
}

impl Words {
    /// File and line below `src/`.
    fn place(&self) -> &str {
        let file = self.at.rsplit_once("src/").map_or("", |(_, file)| file);
        file.rsplit_once(':').map_or(file, |(place, _column)| place)
    }
}

impl Visit for Words {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        let text = format!("{value:?}");
        match field.name() {
            "message" => self.message = text,
            "at" => self.at = text,
            "phase" => text.trim_matches('"').clone_into(&mut self.phase),
            _ => {}
        }
    }
}
