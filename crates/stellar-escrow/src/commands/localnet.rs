//! `stellar-escrow localnet`.

use std::io::Write as _;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use localnet::{
    Clock, CloseMode, Config, DriveError, Fault, FaultPlan, Localnet, Profile, RETENTION_LEDGERS,
    STANDALONE_PASSPHRASE, StartError, Trigger,
};
use tokio::signal::unix::{SignalKind, signal};

/// Runs until SIGINT or SIGTERM.
#[derive(Args)]
pub(crate) struct Cmd {
    /// Port to listen on; 0 takes a free one
    #[arg(long, default_value_t = 8000)]
    port: u16,
    /// Address to listen on. Only loopback is safe: whoever reaches it may do anything
    #[arg(long, default_value = "127.0.0.1")]
    host: IpAddr,
    /// The network's passphrase
    #[arg(long, default_value = STANDALONE_PASSPHRASE, env = "STELLAR_NETWORK_PASSPHRASE")]
    passphrase: String,
    /// When ledgers close: at-once (inside sendTransaction), on-demand (POST /localnet/close), or a
    /// number of seconds
    #[arg(
        long,
        default_value = "at-once",
        value_name = "at-once|on-demand|SECONDS"
    )]
    close: Close,
    /// Start at this time (Unix seconds) and let every ledger take five seconds, instead of
    /// following the machine's clock
    #[arg(long, value_name = "UNIX_SECONDS")]
    manual_clock: Option<u64>,
    /// Ledgers that are kept for transactions and events
    #[arg(long, default_value_t = RETENTION_LEDGERS)]
    retention: u32,
    /// Load the state from this file if it is there, and save it there when stopping
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Faults of a profile: calm or nasty
    #[arg(long, default_value = "calm", value_name = "PROFILE")]
    faults: ProfileName,
    /// Switch one fault: NAME=off, NAME=5%, NAME=1/2 (every second call), NAME=next:3
    #[arg(long, value_name = "NAME=WHEN")]
    fault: Vec<FaultSwitch>,
    /// How large a fault is, for example `late_ledgers=8`; `docs/localnet.md` has the names
    #[arg(long, value_name = "NAME=NUMBER")]
    magnitude: Vec<Magnitude>,
    /// Seed of the faults: the same seed and calls give the same faults
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

/// Why the network did not run, or did not end well.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Stop(#[from] DriveError),
    #[error(transparent)]
    Magnitude(#[from] localnet::UnknownMagnitude),
    #[error("cannot wait for signals: {0}")]
    Signals(std::io::Error),
}

#[derive(Clone)]
struct Close(CloseMode);

impl FromStr for Close {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mode = match text {
            "at-once" => CloseMode::AtOnce,
            "on-demand" => CloseMode::OnDemand,
            seconds => match seconds.parse() {
                Ok(seconds) if seconds > 0 => CloseMode::Every { seconds },
                _ => return Err("write at-once, on-demand, or seconds from 1 on".to_owned()),
            },
        };
        Ok(Self(mode))
    }
}

#[derive(Clone)]
struct ProfileName(Profile);

impl FromStr for ProfileName {
    type Err = localnet::UnknownProfile;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

#[derive(Clone)]
struct FaultSwitch(Fault, Trigger);

impl FromStr for FaultSwitch {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, when) = text
            .split_once('=')
            .ok_or("write NAME=WHEN, for example drop_after=5%")?;
        let fault: Fault = name
            .parse()
            .map_err(|error: localnet::UnknownFault| error.to_string())?;
        let trigger: Trigger = when
            .parse()
            .map_err(|error: localnet::TriggerError| error.to_string())?;
        Ok(Self(fault, trigger))
    }
}

#[derive(Clone)]
struct Magnitude {
    name: String,
    value: u32,
}

impl FromStr for Magnitude {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text
            .split_once('=')
            .ok_or("write NAME=NUMBER, for example late_ledgers=8")?;
        Ok(Self {
            name: name.to_owned(),
            value: value.parse().map_err(|error| format!("{value}: {error}"))?,
        })
    }
}

impl Cmd {
    fn config(self) -> Result<Config, Error> {
        let mut faults = FaultPlan::profile(self.faults.0);
        for Magnitude { name, value } in self.magnitude {
            faults.magnitudes.set(&name, value)?;
        }
        for FaultSwitch(fault, trigger) in self.fault {
            faults = faults.with(fault, trigger);
        }
        Ok(Config {
            passphrase: self.passphrase,
            address: SocketAddr::new(self.host, self.port),
            close: self.close.0,
            clock: match self.manual_clock {
                Some(now) => Clock::Manual { now },
                None => Clock::default(),
            },
            retention: self.retention,
            faults,
            seed: self.seed,
            state: self.state,
        })
    }

    pub(crate) fn run(self) -> Result<(), Error> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(Error::Signals)?;
        // Signals are caught before the first line is printed: whoever waits for it may stop us.
        let stopped = runtime.block_on(async { stop_signal() })?;
        let open = !self.host.is_loopback();
        let network = Localnet::start(self.config()?)?;
        // Whoever started us may have read enough: a closed pipe is no reason to stop.
        let _ = std::io::stdout().write_all(facts(&network).as_bytes());
        let _ = std::io::stderr().write_all(HINT.as_bytes());
        if open {
            let _ = std::io::stderr().write_all(OPEN_WARNING.as_bytes());
        }
        runtime.block_on(stopped);
        network.stop()?;
        Ok(())
    }
}

/// What a reader needs to know beside it.
const HINT: &str = "The funded account's secret follows from the passphrase: \
                    stellar network root-account secret. Stop with Ctrl-C.\n";

/// For whoever lets others in.
const OPEN_WARNING: &str = "warning: this listens beyond this machine. Whoever reaches the port may \
                            do anything with the network, time travel included.\n";

/// What a client needs to know, in one piece.
fn facts(network: &Localnet) -> String {
    let url = network.url();
    let passphrase = network.network().passphrase();
    let account = network.network().root_account();
    format!(
        "RPC        {url}\nFriendbot  {url}/friendbot\nPassphrase {passphrase}\nFunded     {account}\n"
    )
}

/// Resolves when the process is asked to stop.
fn stop_signal() -> Result<impl Future<Output = ()>, Error> {
    let mut interrupt = signal(SignalKind::interrupt()).map_err(Error::Signals)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(Error::Signals)?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}
