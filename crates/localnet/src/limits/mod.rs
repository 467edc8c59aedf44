//! Mainnet's resource limits and fee rates: the one place where they stand.
//!
//! Sources: the per-transaction limits and fee rates are the mainnet snapshot of 2026-07-10 that
//! `soroban-sdk` 28 ships; the per-ledger limits, the archival window, lanes, clusters and timing
//! are those of core's settings file, not read from mainnet itself. Nothing else in this crate
//! repeats a number: validation and fees read the configuration entries made here.

mod cost_params;

use soroban_env_host::xdr::{
    ConfigSettingContractBandwidthV0, ConfigSettingContractComputeV0,
    ConfigSettingContractEventsV0, ConfigSettingContractExecutionLanesV0,
    ConfigSettingContractHistoricalDataV0, ConfigSettingContractLedgerCostExtV0,
    ConfigSettingContractLedgerCostV0, ConfigSettingContractParallelComputeV0, ConfigSettingEntry,
    ConfigSettingScpTiming, ContractCostParamEntry, ContractCostParams, EvictionIterator,
    ExtensionPoint, FreezeBypassTxs, FreezeBypassTxsDelta, FrozenLedgerKeys, FrozenLedgerKeysDelta,
    StateArchivalSettings, VecM,
};

/// The protocol version of every ledger. The host refuses 27 and 29.
pub const PROTOCOL_VERSION: u32 = 28;
/// The smallest inclusion fee of one operation, in stroops.
pub const BASE_FEE: u32 = 100;
/// The reserve of one ledger entry, in stroops.
pub const BASE_RESERVE: u32 = 5_000_000;
/// Seconds between two ledgers when the network runs undisturbed.
pub(crate) const TARGET_CLOSE_SECONDS: u64 = 5;
/// All the lumens there are, in stroops.
pub(crate) const TOTAL_COINS: i64 = 1_000_000_000_000_000_000;
/// Classic operations that fit into one ledger.
pub(crate) const MAX_CLASSIC_OPERATIONS: u32 = 1_000;
/// Ledgers a pending transaction waits before it is dropped.
pub(crate) const PENDING_LEDGERS: u32 = 4;
/// Ledgers for which the bytes of a dropped or applied transaction are turned away.
pub(crate) const BAN_LEDGERS: u32 = 10;
/// How many times the pending bid a fee bump must offer to take its place in the queue.
pub(crate) const REPLACE_FACTOR: i64 = 10;
/// The largest resource fee that is looked at at all, in stroops.
pub(crate) const MAX_RESOURCE_FEE: i64 = 1 << 50;
/// Ledgers that a public node keeps: seven days.
pub const RETENTION_LEDGERS: u32 = 120_960;

/// Size of the live contract state that rent is computed for, in bytes. Mainnet's own is not known
/// here; at the target size a kilobyte of rent costs the configured upper rate of 10,000 stroops.
pub(crate) const STATE_SIZE_BYTES: u64 = 4_000_000_000;

/// The limits that validation looks at again and again, taken from the configuration entries.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Limits of computing, one transaction and one ledger.
    pub compute: ConfigSettingContractComputeV0,
    /// Limits of reading and writing, one transaction and one ledger.
    pub ledger_cost: ConfigSettingContractLedgerCostV0,
    /// Most entries in a footprint.
    pub footprint_entries: u32,
    /// Most bytes of events plus return value.
    pub event_bytes: u32,
    /// Most bytes of an envelope, and of all contract envelopes of a ledger.
    pub bandwidth: ConfigSettingContractBandwidthV0,
    /// Most bytes of a contract's code.
    pub code_bytes: u32,
    /// Most bytes of a ledger key of contract data.
    pub key_bytes: u32,
    /// Most bytes of an entry of contract data.
    pub entry_bytes: u32,
    /// Lifetimes.
    pub archival: StateArchivalSettings,
    /// Most contract transactions in a ledger.
    pub ledger_transactions: u32,
}

impl Limits {
    /// Mainnet's.
    #[must_use]
    pub fn mainnet() -> Self {
        Self {
            compute: compute(),
            ledger_cost: ledger_cost(),
            footprint_entries: ledger_cost_ext().tx_max_footprint_entries,
            event_bytes: events().tx_max_contract_events_size_bytes,
            bandwidth: bandwidth(),
            code_bytes: CODE_BYTES,
            key_bytes: KEY_BYTES,
            entry_bytes: ENTRY_BYTES,
            archival: archival(),
            ledger_transactions: LANES.ledger_max_tx_count,
        }
    }
}

const CODE_BYTES: u32 = 131_072;
const KEY_BYTES: u32 = 250;
const ENTRY_BYTES: u32 = 65_536;
const LANES: ConfigSettingContractExecutionLanesV0 = ConfigSettingContractExecutionLanesV0 {
    ledger_max_tx_count: 2_000,
};

fn compute() -> ConfigSettingContractComputeV0 {
    ConfigSettingContractComputeV0 {
        ledger_max_instructions: 580_000_000,
        tx_max_instructions: 400_000_000,
        fee_rate_per_instructions_increment: 7,
        tx_memory_limit: 41_943_040,
    }
}

fn ledger_cost() -> ConfigSettingContractLedgerCostV0 {
    ConfigSettingContractLedgerCostV0 {
        ledger_max_disk_read_entries: 1_000,
        ledger_max_disk_read_bytes: 400_000,
        ledger_max_write_ledger_entries: 1_000,
        ledger_max_write_bytes: 286_720,
        tx_max_disk_read_entries: 200,
        tx_max_disk_read_bytes: 200_000,
        tx_max_write_ledger_entries: 200,
        tx_max_write_bytes: 132_096,
        fee_disk_read_ledger_entry: 1_563,
        fee_write_ledger_entry: 2_500,
        fee_disk_read1_kb: 447,
        soroban_state_target_size_bytes: 4_000_000_000,
        rent_fee1_kb_soroban_state_size_low: -17_000,
        rent_fee1_kb_soroban_state_size_high: 10_000,
        soroban_state_rent_fee_growth_factor: 5_000,
    }
}

fn ledger_cost_ext() -> ConfigSettingContractLedgerCostExtV0 {
    ConfigSettingContractLedgerCostExtV0 {
        tx_max_footprint_entries: 400,
        fee_write1_kb: 875,
    }
}

fn events() -> ConfigSettingContractEventsV0 {
    ConfigSettingContractEventsV0 {
        tx_max_contract_events_size_bytes: 16_384,
        fee_contract_events1_kb: 5_000,
    }
}

fn bandwidth() -> ConfigSettingContractBandwidthV0 {
    ConfigSettingContractBandwidthV0 {
        ledger_max_txs_size_bytes: 266_240,
        tx_max_size_bytes: 132_096,
        fee_tx_size1_kb: 406,
    }
}

fn archival() -> StateArchivalSettings {
    StateArchivalSettings {
        max_entry_ttl: 3_110_400,
        min_temporary_ttl: 17_280,
        min_persistent_ttl: 2_073_600,
        persistent_rent_rate_denominator: 1_215,
        temp_rent_rate_denominator: 2_430,
        max_entries_to_archive: 1_000,
        live_soroban_state_size_window_sample_size: 30,
        live_soroban_state_size_window_sample_period: 64,
        eviction_scan_size: 500_000,
        starting_eviction_scan_level: 7,
    }
}

fn cost_params(table: &[(i64, i64)]) -> ContractCostParams {
    let entries: Vec<_> = table
        .iter()
        .map(|&(const_term, linear_term)| ContractCostParamEntry {
            ext: ExtensionPoint::V0,
            const_term,
            linear_term,
        })
        .collect();
    ContractCostParams(bounded(entries))
}

/// A constant table is far below the bound of its XDR type.
fn bounded<T, const MAX: u32>(items: Vec<T>) -> VecM<T, MAX> {
    items.try_into().unwrap_or_default()
}

/// The configuration entries of the first ledger, one for each of the settings 0 to 20.
pub(crate) fn config_settings() -> Vec<ConfigSettingEntry> {
    vec![
        ConfigSettingEntry::ContractMaxSizeBytes(CODE_BYTES),
        ConfigSettingEntry::ContractComputeV0(compute()),
        ConfigSettingEntry::ContractLedgerCostV0(ledger_cost()),
        ConfigSettingEntry::ContractHistoricalDataV0(ConfigSettingContractHistoricalDataV0 {
            fee_historical1_kb: 4_059,
        }),
        ConfigSettingEntry::ContractEventsV0(events()),
        ConfigSettingEntry::ContractBandwidthV0(bandwidth()),
        ConfigSettingEntry::ContractCostParamsCpuInstructions(cost_params(&cost_params::CPU)),
        ConfigSettingEntry::ContractCostParamsMemoryBytes(cost_params(&cost_params::MEMORY)),
        ConfigSettingEntry::ContractDataKeySizeBytes(KEY_BYTES),
        ConfigSettingEntry::ContractDataEntrySizeBytes(ENTRY_BYTES),
        ConfigSettingEntry::StateArchival(archival()),
        ConfigSettingEntry::ContractExecutionLanes(LANES),
        ConfigSettingEntry::LiveSorobanStateSizeWindow(bounded(vec![STATE_SIZE_BYTES; 30])),
        ConfigSettingEntry::EvictionIterator(EvictionIterator {
            bucket_list_level: 7,
            is_curr_bucket: true,
            bucket_file_offset: 0,
        }),
        ConfigSettingEntry::ContractParallelComputeV0(ConfigSettingContractParallelComputeV0 {
            ledger_max_dependent_tx_clusters: 2,
        }),
        ConfigSettingEntry::ContractLedgerCostExtV0(ledger_cost_ext()),
        ConfigSettingEntry::ScpTiming(ConfigSettingScpTiming {
            ledger_target_close_time_milliseconds: 5_000,
            nomination_timeout_initial_milliseconds: 1_000,
            nomination_timeout_increment_milliseconds: 1_000,
            ballot_timeout_initial_milliseconds: 1_000,
            ballot_timeout_increment_milliseconds: 1_000,
        }),
        ConfigSettingEntry::FrozenLedgerKeys(FrozenLedgerKeys {
            keys: VecM::default(),
        }),
        ConfigSettingEntry::FrozenLedgerKeysDelta(FrozenLedgerKeysDelta {
            keys_to_freeze: VecM::default(),
            keys_to_unfreeze: VecM::default(),
        }),
        ConfigSettingEntry::FreezeBypassTxs(FreezeBypassTxs {
            tx_hashes: VecM::default(),
        }),
        ConfigSettingEntry::FreezeBypassTxsDelta(FreezeBypassTxsDelta {
            add_txs: VecM::default(),
            remove_txs: VecM::default(),
        }),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use soroban_env_host::budget::Budget;
    use soroban_env_host::xdr::ContractCostType;

    /// A budget made of the configured cost model must charge what the host's own default charges.
    #[test]
    fn cost_model_is_the_hosts() {
        let ours = Budget::try_from_configs(
            u64::from(u32::MAX),
            u64::from(u32::MAX),
            cost_params(&cost_params::CPU),
            cost_params(&cost_params::MEMORY),
        )
        .unwrap();
        let hosts = Budget::default();
        hosts
            .reset_limits(u64::from(u32::MAX), u64::from(u32::MAX))
            .unwrap();
        for cost in ContractCostType::variants() {
            for input in [None, Some(1_000)] {
                // A cost type takes an input or none; the other form is refused by both alike.
                let charged = [&ours, &hosts].map(|budget| {
                    let before = budget.get_cpu_insns_consumed().unwrap();
                    let mem = budget.get_mem_bytes_consumed().unwrap();
                    let ok = budget.charge(cost, input).is_ok();
                    (
                        ok,
                        budget.get_cpu_insns_consumed().unwrap() - before,
                        budget.get_mem_bytes_consumed().unwrap() - mem,
                    )
                });
                assert_eq!(charged[0], charged[1], "{cost:?} with input {input:?}");
            }
        }
    }

    #[test]
    fn every_setting_has_its_own_id() {
        let ids: std::collections::BTreeSet<_> = config_settings()
            .iter()
            .map(|setting| setting.discriminant() as i32)
            .collect();
        assert_eq!(ids, (0..=20).collect());
    }
}
