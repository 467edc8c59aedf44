//! The contract host: budgets, the cache of parsed modules, the ledger it is shown.

use sha2::{Digest, Sha256};
use soroban_env_host::budget::Budget;
use soroban_env_host::storage::Storage;
use soroban_env_host::xdr::{Hash, LedgerEntryData};
use soroban_env_host::{Host, HostError, LedgerInfo, ModuleCache};
use soroban_simulation::NetworkConfig;

use crate::ledger::state::State;
use crate::limits::{BASE_RESERVE, PROTOCOL_VERSION};

/// Instructions and bytes a module may cost to parse outside any transaction.
const PARSE_LIMIT: u64 = 1 << 40;

/// What executes contracts.
pub(crate) struct Engine {
    network_id: [u8; 32],
    pub(crate) config: NetworkConfig,
    modules: ModuleCache,
}

impl Engine {
    /// Reads the configuration from the state and parses the code that lives in ledger `seq`.
    pub(crate) fn new(network_id: [u8; 32], state: &State, seq: u32) -> Result<Self, EngineError> {
        let config = NetworkConfig::load_from_snapshot(&state.snapshot_at(u32::MAX))
            .map_err(|error| EngineError::Config(error.to_string()))?;
        let engine = Self {
            network_id,
            modules: ModuleCache::new(&parser(&config)?)?,
            config,
        };
        for stored in state.iter().filter(|stored| stored.is_live(seq)) {
            if let LedgerEntryData::ContractCode(code) = &stored.entry.data {
                engine.remember(code.code.as_slice())?;
            }
        }
        Ok(engine)
    }

    /// The ledger as contracts see it.
    pub(crate) fn ledger_info(&self, seq: u32, close_time: u64) -> LedgerInfo {
        let mut info = LedgerInfo {
            protocol_version: PROTOCOL_VERSION,
            sequence_number: seq,
            timestamp: close_time,
            network_id: self.network_id,
            base_reserve: BASE_RESERVE,
            ..LedgerInfo::default()
        };
        self.config.fill_config_fields_in_ledger_info(&mut info);
        info
    }

    /// The budget of a transaction that declared `instructions`.
    pub(crate) fn budget(&self, instructions: u32) -> Result<Budget, HostError> {
        Budget::try_from_configs(
            u64::from(instructions),
            u64::from(self.config.tx_memory_limit),
            self.config.cpu_cost_params.clone(),
            self.config.memory_cost_params.clone(),
        )
    }

    /// The parsed modules; a copy shares them.
    pub(crate) fn modules(&self) -> ModuleCache {
        self.modules.clone()
    }

    /// Keeps a module parsed from now on.
    pub(crate) fn remember(&self, wasm: &[u8]) -> Result<(), HostError> {
        self.modules
            .parse_and_cache_module_simple(&parser(&self.config)?, PROTOCOL_VERSION, wasm)
    }

    /// Drops a module: code that died is parsed, and paid for, anew when it comes back.
    pub(crate) fn forget(&self, hash: &Hash) -> Result<(), HostError> {
        self.modules.remove_module(hash).map(|_| ())
    }
}

/// The seed of a part: of a transaction in its ledger, of an operation in its transaction.
pub(crate) fn sub_seed(seed: [u8; 32], index: u64) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hasher.update(seed);
    hasher.update(index.to_be_bytes());
    hasher.finalize().into()
}

/// A host that only parses.
fn parser(config: &NetworkConfig) -> Result<Host, HostError> {
    let budget = Budget::try_from_configs(
        PARSE_LIMIT,
        PARSE_LIMIT,
        config.cpu_cost_params.clone(),
        config.memory_cost_params.clone(),
    )?;
    Ok(Host::with_storage_and_budget(Storage::default(), budget))
}

/// Why no engine could be made of a state.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EngineError {
    #[error("the network's configuration entries are incomplete: {0}")]
    Config(String),
    #[error("a contract's code could not be parsed: {0:?}")]
    Code(#[from] HostError),
}
