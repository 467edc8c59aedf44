//! The ledger: entries, headers, history, and how a ledger closes.

pub(crate) mod chain;
mod close;
pub(crate) mod history;
pub(crate) mod state;

pub(crate) use close::{Candidate, ClosedTransaction};

use std::rc::Rc;

use soroban_env_host::xdr::{LedgerEntry, LedgerEntryData, LedgerEntryExt};

use crate::host::{Engine, EngineError};
use crate::limits::{Limits, TOTAL_COINS, config_settings};
use crate::network::{Network, account_id};
use crate::ops::accounts;
use chain::{Chain, FIRST_LEDGER};
use history::History;
use state::{State, Stored};

/// Everything a network knows.
pub(crate) struct Ledger {
    pub(crate) network: Network,
    pub(crate) limits: Limits,
    pub(crate) state: State,
    pub(crate) engine: Engine,
    pub(crate) chain: Chain,
    pub(crate) history: History,
}

impl Ledger {
    /// The first ledger: all lumens in one account, mainnet's settings.
    pub(crate) fn genesis(
        network: Network,
        window: u32,
        close_time: u64,
    ) -> Result<Self, EngineError> {
        let root = account_id(network.root_key().verifying_key().to_bytes());
        let account = accounts::new_account(root, TOTAL_COINS, 0);
        let data = config_settings()
            .into_iter()
            .map(LedgerEntryData::ConfigSetting)
            .chain([LedgerEntryData::Account(account)]);
        let state = State::from_entries(data.map(|data| Stored {
            entry: Rc::new(LedgerEntry {
                last_modified_ledger_seq: FIRST_LEDGER - 1,
                data,
                ext: LedgerEntryExt::V0,
            }),
            ttl: None,
        }));
        let chain = Chain::new(window, close_time, network.id());
        Self::assemble(network, state, chain, History::default())
    }

    /// A ledger from its saved parts.
    pub(crate) fn assemble(
        network: Network,
        state: State,
        chain: Chain,
        history: History,
    ) -> Result<Self, EngineError> {
        Ok(Self {
            limits: Limits::mainnet(),
            engine: Engine::new(network.id(), &state, chain.latest())?,
            network,
            state,
            chain,
            history,
        })
    }

    pub(crate) fn latest(&self) -> u32 {
        self.chain.latest()
    }
}
