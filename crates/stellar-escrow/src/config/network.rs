//! Which network, and through which nodes.

use clap::Args;
use payout_engine::NodeId;
use payout_engine::rpc::{Client, Options};
use payout_keys::NetworkId;
use serde::Deserialize;

use super::error::Error;
use super::folder::{Folder, FolderArgs};
use super::variable;

/// Flags for the network. Each beats its environment variable.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct NetworkArgs {
    /// Address of a Stellar RPC node [env: `STELLAR_RPC_URL`]
    #[arg(long, value_name = "URL", help_heading = "Settings")]
    rpc_url: Option<String>,
    /// Header for the node, NAME:VALUE, for example an API key; can be repeated [env: `STELLAR_RPC_HEADERS`, one a line]
    #[arg(long, value_name = "HEADER", help_heading = "Settings")]
    rpc_header: Vec<String>,
    /// Address of a second, independent node, to confirm what the first one says; can be repeated
    #[arg(long, value_name = "URL", help_heading = "Settings")]
    witness_url: Vec<String>,
    /// The network's passphrase [env: `STELLAR_NETWORK_PASSPHRASE`]
    #[arg(long, value_name = "TEXT", help_heading = "Settings")]
    network_passphrase: Option<String>,
    /// A network that stellar-cli knows: local, testnet, mainnet, or one of yours [env: `STELLAR_NETWORK`]
    #[arg(long, short, value_name = "NAME", help_heading = "Settings")]
    network: Option<String>,
    #[command(flatten)]
    pub(crate) folder: FolderArgs,
}

/// A node's address and the headers it wants. Both may hold a key, so neither is shown.
#[derive(Clone)]
struct Node {
    url: String,
    headers: Vec<(String, String)>,
}

/// A network and the nodes to reach it by.
#[derive(Clone)]
pub(crate) struct Network {
    passphrase: String,
    first: Node,
    witnesses: Vec<Node>,
}

/// A network's file, as stellar-cli writes it.
#[derive(Deserialize)]
struct Stored {
    rpc_url: String,
    #[serde(default)]
    rpc_headers: Vec<(String, String)>,
    network_passphrase: String,
}

/// The networks that stellar-cli brings along. Mainnet's node is everybody's own.
const BUILT_IN: [(&str, Option<&str>, &str); 4] = [
    (
        "local",
        Some("http://localhost:8000/rpc"),
        "Standalone Network ; February 2017",
    ),
    (
        "futurenet",
        Some("https://rpc-futurenet.stellar.org:443"),
        "Test SDF Future Network ; October 2022",
    ),
    (
        "testnet",
        Some("https://soroban-testnet.stellar.org"),
        "Test SDF Network ; September 2015",
    ),
    (
        "mainnet",
        None,
        "Public Global Stellar Network ; September 2015",
    ),
];

/// What stands for a network where nobody named one, as with stellar-cli.
const FALLBACK: &str = "testnet";

impl NetworkArgs {
    /// Looks up network and nodes.
    ///
    /// # Errors
    /// [`Error`].
    pub(crate) fn resolve(&self) -> Result<Network, Error> {
        let (passphrase, first) = self.chosen()?;
        let witness = |url: &String| Node {
            url: url.clone(),
            headers: Vec::new(),
        };
        Ok(Network {
            passphrase,
            first,
            witnesses: self.witness_url.iter().map(witness).collect(),
        })
    }

    /// Whether the command line itself says which network or node.
    pub(crate) fn is_given(&self) -> bool {
        let words = [&self.rpc_url, &self.network, &self.network_passphrase];
        words.into_iter().any(Option::is_some)
            || !self.rpc_header.is_empty()
            || !self.witness_url.is_empty()
    }

    /// The passphrase alone, for commands that reach no node.
    ///
    /// # Errors
    /// [`Error`].
    pub(crate) fn passphrase(&self) -> Result<String, Error> {
        if let Some(passphrase) = &self.network_passphrase {
            return Ok(passphrase.clone());
        }
        let folder = self.folder.resolve()?;
        if let Some(name) = &self.network {
            return Ok(known(&folder, name)?.1);
        }
        match variable("STELLAR_NETWORK_PASSPHRASE") {
            Some(passphrase) => Ok(passphrase),
            None => Ok(known(&folder, &default_name(&folder)?)?.1),
        }
    }

    fn chosen(&self) -> Result<(String, Node), Error> {
        let folder = self.folder.resolve()?;
        if let Some(name) = &self.network {
            let (node, passphrase) = known(&folder, name)?;
            if let Some(given) = self
                .network_passphrase
                .as_ref()
                .filter(|given| **given != passphrase)
            {
                return Err(Error::TwoNetworks {
                    name: name.clone(),
                    named: passphrase,
                    given: given.clone(),
                });
            }
            let node = match &self.rpc_url {
                Some(url) => self.node(url.clone())?,
                None => node.ok_or_else(|| Error::BringNode { name: name.clone() })?,
            };
            return Ok((passphrase, node));
        }
        let flag = self.rpc_url.is_some();
        let url = self.rpc_url.clone().or_else(|| variable("STELLAR_RPC_URL"));
        let passphrase = self
            .network_passphrase
            .clone()
            .or_else(|| variable("STELLAR_NETWORK_PASSPHRASE"));
        match (url, passphrase) {
            (Some(url), Some(passphrase)) => Ok((passphrase, self.node(url)?)),
            (Some(url), None) => match variable("STELLAR_NETWORK") {
                Some(name) => Ok((known(&folder, &name)?.1, self.node(url)?)),
                None => Err(Error::NoPassphrase {
                    from: if flag { "--rpc-url" } else { "STELLAR_RPC_URL" },
                }),
            },
            (None, Some(passphrase)) => Err(Error::NoNode { passphrase }),
            (None, None) => {
                let name = default_name(&folder)?;
                let (node, passphrase) = known(&folder, &name)?;
                Ok((passphrase, node.ok_or(Error::BringNode { name })?))
            }
        }
    }

    fn node(&self, url: String) -> Result<Node, Error> {
        let headers = if self.rpc_header.is_empty() {
            headers(&variable("STELLAR_RPC_HEADERS").unwrap_or_default())?
        } else {
            headers(&self.rpc_header.join("\n"))?
        };
        Ok(Node { url, headers })
    }
}

/// The headers of a node, one a line as `NAME:VALUE`.
///
/// # Errors
/// [`Error::Header`].
pub(crate) fn headers(lines: &str) -> Result<Vec<(String, String)>, Error> {
    let lines = lines.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| {
            let (name, value) = line.split_once(':').ok_or(Error::Header)?;
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        })
        .collect()
}

/// The name in the environment, in the configuration, or the fallback.
fn default_name(folder: &Folder) -> Result<String, Error> {
    Ok(match variable("STELLAR_NETWORK") {
        Some(name) => name,
        None => folder
            .default_network()?
            .unwrap_or_else(|| FALLBACK.to_owned()),
    })
}

/// A network by name: its file, or one that is built in.
fn known(folder: &Folder, name: &str) -> Result<(Option<Node>, String), Error> {
    if let Some(stored) = folder.named::<Stored>("network", name)? {
        let node = Node {
            url: stored.rpc_url,
            headers: stored.rpc_headers,
        };
        return Ok((Some(node), stored.network_passphrase));
    }
    let built_in = BUILT_IN.iter().find(|(known, ..)| *known == name);
    let (_, url, passphrase) = built_in.ok_or_else(|| Error::NoNetwork {
        name: name.to_owned(),
        folder: folder.path().to_owned(),
    })?;
    let node = url.map(|url| Node {
        url: url.to_owned(),
        headers: Vec::new(),
    });
    Ok((node, (*passphrase).to_owned()))
}

impl Network {
    /// Its passphrase.
    pub(crate) fn passphrase(&self) -> &str {
        &self.passphrase
    }

    /// Its id.
    pub(crate) fn id(&self) -> NetworkId {
        NetworkId::from_passphrase(&self.passphrase)
    }

    /// The first node.
    ///
    /// # Errors
    /// [`Error::Node`].
    pub(crate) fn client(&self) -> Result<Client, Error> {
        self.first.client(NodeId(0))
    }

    /// All nodes, the first one first.
    ///
    /// # Errors
    /// [`Error::Node`].
    pub(crate) fn clients(&self) -> Result<Vec<Client>, Error> {
        let nodes = std::iter::once(&self.first).chain(&self.witnesses);
        nodes
            .zip(0..)
            .map(|(node, number)| node.client(NodeId(number)))
            .collect()
    }

    /// The first node's host, which is safe to show: paths and queries hold keys.
    pub(crate) fn host(&self) -> String {
        let rest = self
            .first
            .url
            .split_once("://")
            .map_or("", |(_, rest)| rest);
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let host = authority.rsplit('@').next().unwrap_or_default();
        host.to_owned()
    }
}

impl Node {
    fn client(&self, number: NodeId) -> Result<Client, Error> {
        Ok(Client::with_headers(
            &self.url,
            number,
            Options::default(),
            &self.headers,
        )?)
    }
}
