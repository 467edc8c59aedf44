//! One job, from the lease to the verdict.

use std::rc::Rc;
use std::time::Duration;

use payout_engine::driver::{Aim, Driver};
use payout_engine::journal::Intent;
use payout_engine::nodes::Nodes;
use payout_engine::protocol::{Bid, Obligation, Policy, Purpose, Signers};

use super::lanes::Secrets;
use super::ports::{JobHost, JobStore, LaneSigner};
use super::thread::Settings;
use super::verdict::{self, Next};
use crate::chain::Program;
use crate::clock::Millis;
use crate::http::App;
use crate::states::State;
use crate::store::jobs::{Job, JobKind};
use crate::store::orders::Order;
use crate::store::{Store, StoreError};

/// The longest wait between two tries of a job.
const LONGEST_WAIT: Millis = 60_000;
/// How long a job waits for a lane or for the chain.
const SHORT_WAIT: Millis = 1_000;

/// What a job needs.
pub(super) struct Desk {
    pub(super) app: App,
    /// With connections of this thread's own.
    pub(super) store: Store,
    pub(super) secrets: Secrets,
    pub(super) settings: Settings,
}

/// Does a job. Whatever fails, the job is done again when its lease has run out.
pub(super) async fn run(desk: Rc<Desk>, job: Job) {
    let lease = Duration::from_secs(u64::from(desk.settings.lease_seconds));
    let work = attempt(&desk, &job);
    tokio::select! {
        done = work => {
            if let Err(error) = done {
                tracing::warn!(job = job.id, %error, "a job failed; it is done again");
            }
        }
        () = keep(&desk, &job, lease) => {
            tracing::warn!(job = job.id, "another worker has the job");
        }
    }
}

/// Keeps the lease, and ends when it is lost.
async fn keep(desk: &Desk, job: &Job, lease: Duration) {
    let millis = Millis::try_from(lease.as_millis()).unwrap_or(Millis::MAX);
    loop {
        tokio::time::sleep(lease / 3).await;
        // A database that does not answer now may answer before the lease runs out. Until then, every
        // write asks whether the lease is ours.
        if let Ok(false) = desk.store.keep_job(job, millis).await {
            return;
        }
    }
}

async fn attempt(desk: &Desk, job: &Job) -> Result<(), StoreError> {
    let store = &desk.store;
    let Some(order) = store.order(&job.order_id).await? else {
        return Err(StoreError::corrupt("no order", job.order_id.clone()));
    };
    // A payment that was voided meanwhile is the void's to decide.
    if order.is_final || (job.kind == JobKind::Pay && order.void_requested) {
        return finish(desk, job, order.is_final).await;
    }
    let Some(program) = desk
        .app
        .program(&order.program)
        .filter(|program| program.ready())
    else {
        return wait(desk, job, SHORT_WAIT, job.tries).await;
    };
    let Some(order) = keyed(desk, job, order, program).await? else {
        return wait(desk, job, LONGEST_WAIT, job.tries).await;
    };
    let lane = desk.secrets.lane_for(store, job, &order.program).await?;
    let Some(keys) = lane else {
        return wait(desk, job, SHORT_WAIT, job.tries).await;
    };
    let signer = LaneSigner {
        deployment: program.deployment,
        keys,
    };
    let (obligation, verdict_lost) = drive(desk, job, &order, program, signer).await?;
    let next = if verdict_lost {
        // The next look at the chain finds it again.
        Next::Later
    } else if obligation.phase().is_final() {
        return finish(desk, job, true).await;
    } else {
        let lane_free = !occupied(&obligation);
        verdict::stopped(store, job, &order, &obligation, lane_free).await?
    };
    match next {
        Next::Rest => Ok(()),
        Next::Later => {
            let doubled = SHORT_WAIT.saturating_mul(1 << job.tries.clamp(0, 16));
            wait(
                desk,
                job,
                doubled.min(LONGEST_WAIT),
                job.tries.saturating_add(1),
            )
            .await
        }
    }
}

/// The order under the key that it has on this program's contract. One that was stored while another contract was
/// configured has another; as long as nothing was signed under it, it gets the right one, which finds what was paid before.
async fn keyed(
    desk: &Desk,
    job: &Job,
    order: Order,
    program: &Program,
) -> Result<Option<Order>, StoreError> {
    let right = program.chain_key(&order.caller_key, order.counter);
    if order.chain_key == right {
        return Ok(Some(order));
    }
    if !desk.store.attempts(&order.id).await?.is_empty() {
        tracing::error!(
            order = order.id,
            key = %order.chain_key,
            "something was signed under a key of another contract; configure that contract again"
        );
        return Ok(None);
    }
    let rekeyed = desk.store.rekey(job, &order, &right).await?;
    Ok(Some(rekeyed))
}

/// Whether something that was signed may still land in its lane.
fn occupied(obligation: &Obligation) -> bool {
    obligation
        .envelopes()
        .iter()
        .any(|envelope| obligation.occupies(&envelope.signed.source))
}

async fn wait(desk: &Desk, job: &Job, delay: Millis, tries: i64) -> Result<(), StoreError> {
    let mut tx = desk.store.begin().await?;
    desk.store.postpone(&mut tx, job, delay, tries).await?;
    tx.commit().await
}

/// The job is done. With the order's end, so is every other job of it, and their lanes are free.
async fn finish(desk: &Desk, job: &Job, ended: bool) -> Result<(), StoreError> {
    let store = &desk.store;
    let mut tx = store.begin().await?;
    if store.end_job(&mut tx, job).await? && ended {
        for kind in [JobKind::Pay, JobKind::Void] {
            store.free_lane(&mut tx, kind, &job.order_id).await?;
        }
    }
    tx.commit().await
}

/// Drives the order's obligation, and tells whether its verdict could not be stored.
async fn drive(
    desk: &Desk,
    job: &Job,
    order: &Order,
    program: &Program,
    signer: LaneSigner,
) -> Result<(Obligation, bool), StoreError> {
    use payout_engine::ports::Signer as _;
    let store = &desk.store;
    let attempts = store.attempts(&order.id).await?;
    let envelopes: Vec<_> = attempts
        .into_iter()
        .filter(|attempt| attempt.purpose == job.kind.name())
        .map(|attempt| attempt.signed)
        .collect();
    let intent = Intent {
        key: order.chain_key.clone(),
        payout: (job.kind == JobKind::Pay).then(|| order.payout.clone()),
        slot: None,
    };
    let purpose = match job.kind {
        JobKind::Pay => Purpose::Pay(order.payout.fingerprint()),
        JobKind::Void => Purpose::Void,
    };
    // What the engine has stopped is only looked after, until somebody asks for another try.
    let stopped = order.state == State::OutcomeUnknown
        && order.reason.as_deref() != Some(verdict::AWAITED)
        && job.kind == JobKind::Pay;
    let aim = if stopped { Aim::FindOut } else { Aim::Pay };
    let Some((first, others)) = desk.app.nodes.split_first() else {
        return Err(StoreError::Fenced("no node is configured"));
    };
    let nodes = Nodes::new(
        first.clone(),
        others.to_vec(),
        program.deployment.contract,
        program.caller,
        signer.lane(),
    );
    let known = envelopes.len();
    let horizon = order.horizon.max(signer.keys.horizon);
    // The database may come from a backup; then an earlier process of ours may have signed.
    let obligation = Obligation::new(
        order.chain_key.clone(),
        purpose,
        Signers::PerhapsAnEarlierUs,
        policy(&desk.settings),
    )
    .restored(envelopes, horizon);
    let mut driver = Driver {
        network: nodes,
        store: JobStore {
            store: desk.store.clone(),
            signed: desk.app.metrics.signed.clone(),
            job: job.clone(),
            order: order.clone(),
            known,
            verdict_lost: false,
        },
        signer,
        host: JobHost {
            store: desk.store.clone(),
            job: job.clone(),
            order_id: order.id.clone(),
            restores: desk.settings.restores,
            phase: None,
            unknown: None,
            told: false,
        },
    };
    let obligation = driver.drive(&intent, obligation, aim).await;
    Ok((obligation, driver.store.verdict_lost))
}

fn policy(settings: &Settings) -> Policy {
    let policy = settings.policy;
    Policy {
        window: policy.window_seconds,
        ledgers: policy.window_ledgers,
        max_bid: Bid(policy.max_bid),
        max_resource_fee: policy.max_resource_fee,
        restores: settings.restores,
        max_tries: policy.max_tries,
        poll: policy.poll_millis,
        ..Policy::default()
    }
}
