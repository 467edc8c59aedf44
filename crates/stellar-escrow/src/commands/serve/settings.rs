//! The configuration, from its file and what beats it.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;
use payout_engine::NodeId;
use payout_engine::rpc::{Client, Options};
use payout_gateway::{Config, LaneConfig, Means, NodeConfig, ProgramConfig, SecretRef, Store};
use payout_keys::{NetworkId, ProgramId};
use zeroize::Zeroizing;

use super::Error;
use crate::config::{self, Folder, NetworkArgs, contract_id, headers, kept, secret_key};

/// Flags of the gateway. Each beats the configuration file.
#[derive(Args)]
pub(super) struct Settings {
    /// The configuration file
    #[arg(long, value_name = "FILE", env = "GATEWAY_CONFIG", global = true)]
    config: Option<PathBuf>,
    /// sqlite:FILE or `postgres://…` [default: sqlite:payout-gateway.db]
    #[arg(
        long,
        value_name = "ADDRESS",
        env = "GATEWAY_DATABASE",
        hide_env_values = true,
        global = true
    )]
    database: Option<String>,
    /// Where to listen [default: `127.0.0.1:8080`]
    #[arg(long, value_name = "ADDRESS:PORT", env = "GATEWAY_LISTEN")]
    listen: Option<SocketAddr>,
    /// A program and its contract (C… or an alias of stellar-cli's); can be repeated
    #[arg(long, value_name = "ID=CONTRACT")]
    program: Vec<String>,
    /// The payout key of these programs: an identity of stellar-cli's, `env:NAME` or `file:PATH`
    #[arg(long, value_name = "WHO")]
    payout_key: Option<String>,
    /// How many channel accounts carry the transactions (`stellar escrow lanes create`)
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    lanes: u32,
    /// What the channel accounts were created from [default: the payout key]
    #[arg(long, value_name = "WHO")]
    lane_source: Option<String>,
    /// Ledgers close only when there is something to close, as with `stellar escrow localnet`
    #[arg(long)]
    ledgers_on_demand: bool,
    #[command(flatten)]
    network: NetworkArgs,
}

impl Settings {
    /// The configuration as it is in force.
    pub(super) fn config(&self) -> Result<Config, Error> {
        let mut config = match &self.config {
            Some(path) => {
                let text = std::fs::read_to_string(path).map_err(|why| Error::File {
                    path: path.clone(),
                    why,
                })?;
                Config::from_toml(&text)?
            }
            None => Config::default(),
        };
        if let Some(database) = &self.database {
            config.database.clone_from(database);
        }
        if let Some(listen) = self.listen {
            config.listen = listen;
        }
        if self.network.is_given() {
            config.network = None;
        }
        config.worker.ledgers_on_demand |= self.ledgers_on_demand;
        let programs = self.programs(&config)?;
        config.programs.extend(programs);
        if self.lanes > 0 {
            let source = self.lane_source.as_ref().or(self.payout_key.as_ref());
            let source = source.ok_or_else(|| {
                Error::Asked("--lanes needs --lane-source or --payout-key".to_owned())
            })?;
            config.lanes = Some(LaneConfig {
                source: SecretRef::new(source)?,
                count: self.lanes,
            });
        }
        config.check()?;
        Ok(config)
    }

    fn programs(&self, config: &Config) -> Result<Vec<ProgramConfig>, Error> {
        let folder = self.network.folder.resolve()?;
        self.program
            .iter()
            .map(|text| {
                let asked = |why: String| Error::Asked(format!("--program {text}: {why}"));
                let (id, contract) = text
                    .split_once('=')
                    .ok_or_else(|| asked("write ID=CONTRACT".to_owned()))?;
                let payout_key = self
                    .payout_key
                    .as_ref()
                    .ok_or_else(|| asked("name its payout key in --payout-key".to_owned()))?;
                let passphrase = match &config.network {
                    Some(network) => network.passphrase.clone(),
                    None => self.network.passphrase()?,
                };
                Ok(ProgramConfig {
                    id: ProgramId::new(id).map_err(|error| asked(error.to_string()))?,
                    contract: contract_id(contract, &folder, &passphrase)?,
                    payout_key: SecretRef::new(payout_key)?,
                })
            })
            .collect()
    }

    /// The keys and nodes that a configuration refers to.
    pub(super) fn means(&self, config: &Config) -> Result<Means, Error> {
        let folder = self.network.folder.resolve()?;
        let (passphrase, nodes) = if let Some(network) = &config.network {
            let nodes = network
                .rpc
                .iter()
                .zip(0_u16..)
                .map(|(node, number)| client(node, NodeId(number)))
                .collect::<Result<Vec<_>, _>>()?;
            (network.passphrase.clone(), nodes)
        } else {
            let network = self.network.resolve()?;
            (network.passphrase().to_owned(), network.clients()?)
        };
        if nodes.is_empty() {
            return Err(Error::Asked(
                "no node is named; write one into network.rpc, or use --rpc-url".to_owned(),
            ));
        }
        let mut payout = BTreeMap::new();
        for program in &config.programs {
            let key = key(&program.payout_key, &folder, program.id.as_str())?;
            payout.insert(program.id.as_str().to_owned(), key);
        }
        let mut lanes = Vec::new();
        if let Some(wanted) = &config.lanes {
            let source = key(&wanted.source, &folder, "lanes")?;
            let network = NetworkId::from_passphrase(&passphrase);
            lanes.extend((0..wanted.count).map(|index| source.lane(network, index)));
        }
        Ok(Means {
            passphrase,
            nodes,
            payout,
            lanes,
        })
    }

    /// The database alone.
    pub(super) async fn store(&self) -> Result<Store, Error> {
        let config = self.config()?;
        Ok(Store::open(&config.database, 2).await?)
    }
}

fn client(node: &NodeConfig, number: NodeId) -> Result<Client, config::Error> {
    let lines = match &node.headers {
        Some(place) => kept(place.as_str())?.unwrap_or_default(),
        None => Zeroizing::default(),
    };
    let headers = headers(&lines)?;
    let options = Options::default();
    Ok(Client::with_headers(&node.url, number, options, &headers)?)
}

fn key(
    who: &SecretRef,
    folder: &Folder,
    program: &str,
) -> Result<payout_engine::envelope::SecretKey, Error> {
    secret_key(who.as_str(), None, folder).map_err(|why| Error::Key {
        program: program.to_owned(),
        why,
    })
}
