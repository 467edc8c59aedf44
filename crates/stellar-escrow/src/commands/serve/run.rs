//! Serving.

use std::io::Write as _;

use payout_gateway::Gateway;
use tokio::signal::unix::{SignalKind, signal};

use super::Error;
use super::settings::Settings;

/// Serves until SIGINT or SIGTERM.
pub(super) async fn run(settings: &Settings) -> Result<(), Error> {
    let filter = tracing_subscriber::EnvFilter::try_from_env("GATEWAY_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info,sqlx=warn"));
    tracing_subscriber::fmt()
        .json()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .init();
    // Signals are caught before the first line is printed: whoever waits for it may stop us.
    let mut interrupt = signal(SignalKind::interrupt()).map_err(Error::Signals)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(Error::Signals)?;
    let config = settings.config()?;
    let means = settings.means(&config)?;
    let gateway = Gateway::start(&config, means).await?;
    // A closed pipe is no reason to stop.
    let _ = writeln!(std::io::stdout(), "Gateway    http://{}", gateway.address());
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    gateway.stop().await;
    Ok(())
}
