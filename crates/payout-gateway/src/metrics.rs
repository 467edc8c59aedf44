//! Metrics for Prometheus.

use std::sync::atomic::AtomicI64;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

use crate::clock;
use crate::http::App;
use crate::states::State;
use crate::store::StoreError;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct StateLabel {
    state: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ProgramLabel {
    program: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct RequestLabel {
    route: String,
    status: u16,
}

pub(crate) type Number = Gauge<i64, AtomicI64>;

/// Everything that is counted.
pub(crate) struct Metrics {
    registry: Registry,
    /// New orders.
    pub(crate) accepted: Counter,
    /// Repeated requests.
    pub(crate) replayed: Counter,
    /// Keys that came with another request.
    pub(crate) conflicts: Counter,
    /// Envelopes that were signed.
    pub(crate) signed: Counter,
    /// Calls to nodes that the watch did not get an answer to.
    pub(crate) node_failures: Counter,
    /// By how much this machine's clock is ahead of the ledgers' close times.
    pub(crate) clock_skew: Number,
    requests: Family<RequestLabel, Counter>,
    seconds: Histogram,
    orders: Family<StateLabel, Number>,
    oldest_unknown: Number,
    jobs_waiting: Number,
    jobs_held: Number,
    lanes: Number,
    lanes_taken: Number,
    unsealed: Number,
    findings: Number,
    ready: Family<ProgramLabel, Number>,
    ledger: Family<ProgramLabel, Number>,
    event_lag: Family<ProgramLabel, Number>,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("payout_gateway"),
            accepted: Counter::default(),
            replayed: Counter::default(),
            conflicts: Counter::default(),
            signed: Counter::default(),
            node_failures: Counter::default(),
            clock_skew: Number::default(),
            requests: Family::default(),
            seconds: Histogram::new(exponential_buckets(0.0005, 2.0, 14)),
            orders: Family::default(),
            oldest_unknown: Number::default(),
            jobs_waiting: Number::default(),
            jobs_held: Number::default(),
            lanes: Number::default(),
            lanes_taken: Number::default(),
            unsealed: Number::default(),
            findings: Number::default(),
            ready: Family::default(),
            ledger: Family::default(),
            event_lag: Family::default(),
        };
        metrics.register();
        metrics
    }

    fn register(&mut self) {
        let Self { registry: r, .. } = self;
        r.register("orders_accepted", "New orders", self.accepted.clone());
        r.register(
            "requests_replayed",
            "Repeated requests",
            self.replayed.clone(),
        );
        r.register(
            "key_conflicts",
            "Keys that came with another request",
            self.conflicts.clone(),
        );
        r.register(
            "envelopes_signed",
            "Envelopes that were signed",
            self.signed.clone(),
        );
        r.register(
            "node_failures",
            "Looks at a node without an answer",
            self.node_failures.clone(),
        );
        r.register(
            "clock_skew_seconds",
            "By how much this machine's clock is ahead of the ledgers' close times",
            self.clock_skew.clone(),
        );
        r.register(
            "requests",
            "Requests by route and status",
            self.requests.clone(),
        );
        r.register("request_seconds", "Seconds to answer", self.seconds.clone());
        r.register("orders", "Orders by state", self.orders.clone());
        r.register(
            "oldest_unknown_seconds",
            "Age of the oldest unknown outcome",
            self.oldest_unknown.clone(),
        );
        r.register(
            "jobs_waiting",
            "Jobs that nobody has",
            self.jobs_waiting.clone(),
        );
        r.register(
            "jobs_held",
            "Jobs that a process has",
            self.jobs_held.clone(),
        );
        r.register("lanes", "Channel accounts", self.lanes.clone());
        r.register(
            "lanes_taken",
            "Channel accounts with an open transaction",
            self.lanes_taken.clone(),
        );
        r.register(
            "audit_unsealed",
            "Audit rows that are not sealed yet",
            self.unsealed.clone(),
        );
        r.register(
            "findings_open",
            "Findings that are not resolved",
            self.findings.clone(),
        );
        r.register(
            "program_ready",
            "1 if payouts are carried out",
            self.ready.clone(),
        );
        r.register(
            "program_ledger",
            "The newest ledger that was read",
            self.ledger.clone(),
        );
        r.register(
            "event_lag_ledgers",
            "Ledgers that events are behind",
            self.event_lag.clone(),
        );
    }

    /// Counts an answer.
    pub(crate) fn answered(&self, route: &str, status: u16, seconds: f64) {
        let label = RequestLabel {
            route: route.to_owned(),
            status,
        };
        self.requests.get_or_create(&label).inc();
        self.seconds.observe(seconds);
    }

    /// All of them as text, with the database's counts as of now.
    pub(crate) async fn text(&self, app: &App) -> Result<String, StoreError> {
        let counts = app.store.order_counts().await?;
        for state in State::ALL {
            let found = counts.iter().find(|(name, ..)| *name == state);
            let label = StateLabel {
                state: state.name().to_owned(),
            };
            self.orders
                .get_or_create(&label)
                .set(found.map_or(0, |(_, orders, _)| *orders));
        }
        let oldest = counts
            .iter()
            .find(|(state, ..)| *state == State::OutcomeUnknown)
            .map_or(0, |(_, _, since)| (clock::now() - since).max(0) / 1_000);
        self.oldest_unknown.set(oldest);
        let (waiting, held) = app.store.job_counts().await?;
        self.jobs_waiting.set(waiting);
        self.jobs_held.set(held);
        let (lanes, taken) = app.store.lane_counts().await?;
        self.lanes.set(lanes);
        self.lanes_taken.set(taken);
        self.unsealed.set(app.store.unsealed().await?.0);
        let open = app.store.findings(None).await?;
        let open = open.iter().filter(|finding| finding.resolved_at.is_none());
        self.findings
            .set(i64::try_from(open.count()).unwrap_or(i64::MAX));
        for program in &app.programs {
            let label = ProgramLabel {
                program: program.id.as_str().to_owned(),
            };
            let known = program.known();
            self.ready
                .get_or_create(&label)
                .set(i64::from(known.waiting.is_none()));
            let ledger = known.facts.map_or(0, |facts| facts.ledger);
            self.ledger.get_or_create(&label).set(i64::from(ledger));
            self.event_lag
                .get_or_create(&label)
                .set(i64::from(known.event_lag));
        }
        let mut text = String::new();
        // Writing into a string does not fail.
        let _ = encode(&mut text, &self.registry);
        Ok(text)
    }
}
