//! Diagnostic events that the ledger itself adds to those of the host.

use soroban_env_host::xdr::{
    ContractEvent, ContractEventBody, ContractEventType, ContractEventV0, DiagnosticEvent,
    ExtensionPoint, ScBytes, ScError, ScErrorCode, ScErrorType, ScSymbol, ScVal, ScVec,
};

/// Why something was refused, as an `error` event in the form that core gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Complaint {
    kind: ScErrorType,
    code: ScErrorCode,
    text: String,
    values: Vec<ScVal>,
}

impl Complaint {
    pub(crate) fn new(kind: ScErrorType, code: ScErrorCode, text: impl Into<String>) -> Self {
        Self {
            kind,
            code,
            text: text.into(),
            values: Vec::new(),
        }
    }

    /// The same about these values.
    pub(crate) fn about(mut self, values: Vec<ScVal>) -> Self {
        self.values = values;
        self
    }

    /// Something is larger than the network allows.
    pub(crate) fn limit(text: &str, given: u64, limit: u64) -> Self {
        Self {
            values: vec![ScVal::U64(given), ScVal::U64(limit)],
            ..Self::new(ScErrorType::Budget, ScErrorCode::ExceededLimit, text)
        }
    }

    /// A fee does not suffice; amounts in stroops.
    pub(crate) fn fee(text: &str, given: i64, other: i64) -> Self {
        Self {
            values: [given, other].map(ScVal::I64).to_vec(),
            ..Self::new(ScErrorType::Budget, ScErrorCode::ExceededLimit, text)
        }
    }

    pub(crate) fn event(&self) -> DiagnosticEvent {
        let mut data = vec![string(&self.text)];
        data.extend(self.values.iter().cloned());
        diagnostic(
            vec![
                symbol("error"),
                ScVal::Error(sc_error(self.kind, self.code)),
            ],
            ScVal::Vec(Some(ScVec(data.try_into().unwrap_or_default()))),
        )
    }
}

/// `host_fn_failed`, which core adds when the host function did not succeed.
pub(crate) fn host_fn_failed(kind: ScErrorType, code: ScErrorCode) -> DiagnosticEvent {
    let error = ScVal::Error(sc_error(kind, code));
    diagnostic(vec![symbol("host_fn_failed"), error.clone()], error)
}

/// One of the measurements that core reports under `core_metrics`.
pub(crate) fn metric(name: &str, value: u64) -> DiagnosticEvent {
    diagnostic(
        vec![symbol("core_metrics"), symbol(name)],
        ScVal::U64(value),
    )
}

fn diagnostic(topics: Vec<ScVal>, data: ScVal) -> DiagnosticEvent {
    DiagnosticEvent {
        in_successful_contract_call: false,
        event: ContractEvent {
            ext: ExtensionPoint::V0,
            contract_id: None,
            type_: ContractEventType::Diagnostic,
            body: ContractEventBody::V0(ContractEventV0 {
                topics: topics.try_into().unwrap_or_default(),
                data,
            }),
        },
    }
}

/// A system error with its code; contract errors never start here.
fn sc_error(kind: ScErrorType, code: ScErrorCode) -> ScError {
    match kind {
        ScErrorType::WasmVm => ScError::WasmVm(code),
        ScErrorType::Context => ScError::Context(code),
        ScErrorType::Storage => ScError::Storage(code),
        ScErrorType::Object => ScError::Object(code),
        ScErrorType::Crypto => ScError::Crypto(code),
        ScErrorType::Events => ScError::Events(code),
        ScErrorType::Budget => ScError::Budget(code),
        ScErrorType::Auth => ScError::Auth(code),
        ScErrorType::Value | ScErrorType::Contract => ScError::Value(code),
    }
}

/// A symbol; names of events are short and plain.
pub(crate) fn symbol(name: &str) -> ScVal {
    ScVal::Symbol(ScSymbol(name.try_into().unwrap_or_default()))
}

/// A value of bytes; hashes are short.
pub(crate) fn bytes(bytes: &[u8]) -> ScVal {
    ScVal::Bytes(ScBytes(bytes.to_vec().try_into().unwrap_or_default()))
}

/// A string value.
pub(crate) fn string(text: &str) -> ScVal {
    ScVal::String(soroban_env_host::xdr::ScString(
        text.try_into().unwrap_or_default(),
    ))
}
