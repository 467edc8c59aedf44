//! `simulateTransaction`. Whatever goes wrong inside is a result with an `error`, not an error of
//! the protocol.

use std::rc::Rc;

use serde::Deserialize;
use serde_json::{Map, Value, json};
use soroban_env_host::LedgerInfo;
use soroban_env_host::e2e_invoke::RecordingInvocationAuthMode;
use soroban_env_host::xdr::{
    AccountId, DiagnosticEvent, ExtendFootprintTtlOp, InvokeHostFunctionOp, OperationBody,
    SorobanTransactionData, TransactionEnvelope,
};
use soroban_simulation::simulation::{
    LedgerEntryDiff, RestoreOpSimulationResult, SimulationAdjustmentConfig,
    SimulationAdjustmentFactor, simulate_extend_ttl_op, simulate_invoke_host_function_op,
    simulate_restore_op,
};
use soroban_simulation::{AutoRestoringSnapshotSource, NetworkConfig};

use super::params::{self, Format, format};
use super::send::MAX_ENVELOPE_BYTES;
use super::{RpcError, wire};
use crate::ledger::state::Snapshot;
use crate::node::Node;
use crate::tx::envelope::{Frame, has_memo, muxed_account_id};

/// Instructions that the library adds by default; a larger leeway replaces them.
const DEFAULT_LEEWAY: u32 = 50_000;

#[derive(Default, Deserialize)]
struct Request {
    #[serde(default)]
    transaction: String,
    #[serde(default, rename = "resourceConfig")]
    resource_config: Option<ResourceConfig>,
    #[serde(default, rename = "authMode")]
    auth_mode: Option<String>,
    #[serde(default, rename = "xdrFormat")]
    xdr_format: Option<String>,
}

#[derive(Default, Deserialize)]
struct ResourceConfig {
    #[serde(default, rename = "instructionLeeway")]
    instruction_leeway: u64,
}

/// A simulation that did not succeed.
struct Failure {
    text: String,
    events: Vec<DiagnosticEvent>,
}

impl Failure {
    fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            events: Vec::new(),
        }
    }
}

/// An error of the simulation library, in its own words.
fn failed(error: impl std::fmt::Debug) -> Failure {
    Failure::new(format!("{error:?}"))
}

pub(super) fn simulate_transaction(node: &mut Node, params: &Value) -> Result<Value, RpcError> {
    let request: Request = params::read(params)?;
    let format = format(request.xdr_format.as_deref())?;
    let view = node.view();
    let mut answer = match simulate(node, view.latest, &request, format) {
        Ok(answer) => answer,
        Err(failure) => {
            let mut answer = Map::new();
            answer.insert("error".to_owned(), json!(failure.text));
            put_events(&mut answer, &failure.events, format);
            answer
        }
    };
    answer.insert("latestLedger".to_owned(), json!(view.latest));
    Ok(Value::Object(answer))
}

/// What a simulation runs on.
struct Ground<'a> {
    snapshot: Rc<Snapshot>,
    config: &'a NetworkConfig,
    info: LedgerInfo,
    adjustment: SimulationAdjustmentConfig,
    seed: [u8; 32],
    format: Format,
}

fn simulate(
    node: &mut Node,
    latest: u32,
    request: &Request,
    format: Format,
) -> Result<Map<String, Value>, Failure> {
    let envelope: TransactionEnvelope = wire::from_base64(&request.transaction, MAX_ENVELOPE_BYTES)
        .ok_or_else(|| Failure::new("Could not unmarshal transaction"))?;
    let frame = Frame::new(envelope, node.ledger.network.id())
        .map_err(|_| Failure::new("Could not unmarshal transaction"))?;
    let [operation] = frame.tx.operations.as_slice() else {
        return Err(Failure::new("Transaction contains more than one operation"));
    };
    let source = operation
        .source_account
        .as_ref()
        .map_or_else(|| frame.source(), muxed_account_id);
    let seed = node.simulation_seed();
    let ground = Ground {
        snapshot: Rc::new(node.ledger.state.snapshot_at(latest)),
        config: &node.ledger.engine.config,
        info: node
            .ledger
            .engine
            .ledger_info(latest, node.close_time(latest)),
        adjustment: adjustment(request),
        seed,
        format,
    };
    let auth_mode = request.auth_mode.as_deref().filter(|mode| !mode.is_empty());
    let lifetimes = matches!(
        operation.body,
        OperationBody::ExtendFootprintTtl(_) | OperationBody::RestoreFootprint(_)
    );
    if lifetimes && auth_mode.is_some() {
        return Err(Failure::new(
            "cannot set authMode with non-InvokeHostFunction operations",
        ));
    }
    match &operation.body {
        OperationBody::InvokeHostFunction(op) => {
            if has_memo(&frame.tx) {
                return Err(Failure::new(
                    "Transaction contains a memo. Soroban transactions do not support memos.",
                ));
            }
            invoke(&ground, op, &source, auth_mode)
        }
        OperationBody::ExtendFootprintTtl(op) => extend(&ground, op, declared(&frame)?),
        OperationBody::RestoreFootprint(_) => restore(&ground, declared(&frame)?),
        other => Err(Failure::new(format!(
            "transaction contains unsupported operation type: OperationType{}",
            other.name()
        ))),
    }
}

fn declared(frame: &Frame) -> Result<&SorobanTransactionData, Failure> {
    frame.soroban_data().ok_or_else(|| {
        Failure::new(
            "To perform a SimulateTransaction for extending or restoring a footprint, \
                      SorobanTransactionData must be provided in the transaction",
        )
    })
}

fn adjustment(request: &Request) -> SimulationAdjustmentConfig {
    let mut adjustment = SimulationAdjustmentConfig::default_adjustment();
    let leeway = request
        .resource_config
        .as_ref()
        .map_or(0, |config| config.instruction_leeway);
    let leeway = u32::try_from(leeway).unwrap_or(u32::MAX);
    adjustment.instructions = SimulationAdjustmentFactor::new(
        adjustment.instructions.multiplicative_factor,
        leeway.max(DEFAULT_LEEWAY),
    );
    adjustment
}

fn auth_mode(
    op: &InvokeHostFunctionOp,
    mode: Option<&str>,
) -> Result<RecordingInvocationAuthMode, Failure> {
    let enforce = || RecordingInvocationAuthMode::Enforcing(op.auth.to_vec());
    match mode {
        Some("enforce") => Ok(enforce()),
        None if !op.auth.is_empty() => Ok(enforce()),
        // Credentials of the second version would make JavaScript clients fail.
        None | Some("record") if op.auth.is_empty() => {
            Ok(RecordingInvocationAuthMode::recording(true, false))
        }
        Some("record_allow_nonroot") if op.auth.is_empty() => {
            Ok(RecordingInvocationAuthMode::recording(false, false))
        }
        Some(mode @ ("record" | "record_allow_nonroot")) => Err(Failure::new(format!(
            "cannot set authMode to '{mode}' with an auth footprint"
        ))),
        Some(other) => Err(Failure::new(format!(
            "authMode '{other}' is unknown: expected enforce, record, record_allow_nonroot"
        ))),
        None => Ok(enforce()),
    }
}

fn invoke(
    ground: &Ground<'_>,
    op: &InvokeHostFunctionOp,
    source: &AccountId,
    mode: Option<&str>,
) -> Result<Map<String, Value>, Failure> {
    let result = simulate_invoke_host_function_op(
        ground.snapshot.clone(),
        ground.config,
        &ground.adjustment,
        &ground.info,
        op.host_function.clone(),
        auth_mode(op, mode)?,
        source,
        ground.seed,
        true,
    )
    .map_err(failed)?;
    let (value, data) = match (result.invoke_result, result.transaction_data) {
        (Ok(value), Some(data)) => (value, data),
        (Err(error), _) => {
            return Err(Failure {
                text: format!("{error:?}"),
                events: result.diagnostic_events,
            });
        }
        (Ok(_), None) => return Err(Failure::new("the simulation gave no transaction data")),
    };
    let mut answer = Map::new();
    put_data(&mut answer, &data, ground.format);
    put_events(&mut answer, &result.diagnostic_events, ground.format);
    let auth = result
        .auth
        .iter()
        .map(|entry| wire::value(entry, ground.format))
        .collect::<Vec<_>>();
    let (auth_name, value_name, results_name) = match ground.format {
        Format::Base64 => ("auth", "xdr", "results"),
        Format::Json => ("authJson", "returnValueJson", "results"),
    };
    answer.insert(
        results_name.to_owned(),
        json!([{auth_name: auth, value_name: wire::value(&value, ground.format)}]),
    );
    put_changes(&mut answer, &result.modified_entries, ground.format);
    Ok(answer)
}

fn extend(
    ground: &Ground<'_>,
    op: &ExtendFootprintTtlOp,
    data: &SorobanTransactionData,
) -> Result<Map<String, Value>, Failure> {
    let source =
        AutoRestoringSnapshotSource::new(ground.snapshot.clone(), &ground.info).map_err(failed)?;
    let result = simulate_extend_ttl_op(
        &source,
        ground.config,
        &ground.adjustment,
        &ground.info,
        data.resources.footprint.read_only.as_slice(),
        op.extend_to,
    )
    .map_err(failed)?;
    let preamble = source
        .simulate_restore_keys_op(ground.config, &ground.adjustment, &ground.info)
        .map_err(failed)?;
    let mut answer = Map::new();
    put_data(&mut answer, &result.transaction_data, ground.format);
    put_events(&mut answer, &[], ground.format);
    if let Some(RestoreOpSimulationResult { transaction_data }) = preamble {
        let mut restore = Map::new();
        put_data(&mut restore, &transaction_data, ground.format);
        answer.insert("restorePreamble".to_owned(), Value::Object(restore));
    }
    Ok(answer)
}

fn restore(
    ground: &Ground<'_>,
    data: &SorobanTransactionData,
) -> Result<Map<String, Value>, Failure> {
    let result = simulate_restore_op(
        ground.snapshot.as_ref(),
        ground.config,
        &ground.adjustment,
        &ground.info,
        data.resources.footprint.read_write.as_slice(),
    )
    .map_err(failed)?;
    let mut answer = Map::new();
    put_data(&mut answer, &result.transaction_data, ground.format);
    put_events(&mut answer, &[], ground.format);
    Ok(answer)
}

fn put_data(answer: &mut Map<String, Value>, data: &SorobanTransactionData, format: Format) {
    let name = match format {
        Format::Base64 => "transactionData",
        Format::Json => "transactionDataJson",
    };
    answer.insert(name.to_owned(), wire::value(data, format));
    answer.insert("minResourceFee".to_owned(), wire::text(data.resource_fee));
}

fn put_events(answer: &mut Map<String, Value>, events: &[DiagnosticEvent], format: Format) {
    let name = match format {
        Format::Base64 => "events",
        Format::Json => "eventsJson",
    };
    let events = events.iter().map(|event| wire::value(event, format));
    answer.insert(name.to_owned(), Value::Array(events.collect()));
}

fn put_changes(answer: &mut Map<String, Value>, diffs: &[LedgerEntryDiff], format: Format) {
    let changes: Vec<Value> = diffs
        .iter()
        .filter(|diff| diff.state_before != diff.state_after)
        .filter_map(|diff| {
            let (before, after) = (diff.state_before.as_ref(), diff.state_after.as_ref());
            let kind = match (before, after) {
                (None, Some(_)) => "created",
                (Some(_), Some(_)) => "updated",
                (Some(_), None) => "deleted",
                (None, None) => return None,
            };
            let key = after.or(before)?.to_key();
            let entry = |entry: Option<&_>| entry.map_or(Value::Null, |e| wire::value(e, format));
            let names = match format {
                Format::Base64 => ["key", "before", "after"],
                Format::Json => ["keyJson", "beforeJson", "afterJson"],
            };
            Some(json!({
                "type": kind,
                names[0]: wire::value(&key, format),
                names[1]: entry(before),
                names[2]: entry(after),
            }))
        })
        .collect();
    if !changes.is_empty() {
        answer.insert("stateChanges".to_owned(), Value::Array(changes));
    }
}
