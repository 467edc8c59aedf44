//! How values of the ledger are written into answers.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use serde_json::{Map, Value};
use soroban_env_host::xdr::{Limits, ReadXdr, WriteXdr};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::params::Format;
use crate::network::xdr;

/// Deepest nesting of a value that is read from a client.
const MAX_DEPTH: u32 = 500;

/// Base64 of a value's XDR.
pub(crate) fn base64(value: &impl WriteXdr) -> String {
    STANDARD.encode(xdr(value))
}

/// Reads base64 XDR of at most `max_bytes`.
pub(super) fn from_base64<T: ReadXdr>(text: &str, max_bytes: usize) -> Option<T> {
    let bytes = STANDARD.decode(text).ok()?;
    if bytes.len() > max_bytes {
        return None;
    }
    let limits = Limits {
        depth: MAX_DEPTH,
        len: max_bytes,
    };
    T::from_xdr(bytes, limits).ok()
}

/// Puts a value into an answer as `{name}Xdr` or `{name}Json`.
pub(super) fn put<T: WriteXdr + Serialize>(
    answer: &mut Map<String, Value>,
    name: &str,
    value: &T,
    format: Format,
) {
    let (suffix, value) = suffixed(value, format);
    answer.insert(format!("{name}{suffix}"), value);
}

/// Puts a list of values into an answer as `{name}Xdr` or `{name}Json`.
pub(super) fn put_list<'a, T: WriteXdr + Serialize + 'a>(
    answer: &mut Map<String, Value>,
    name: &str,
    values: impl IntoIterator<Item = &'a T>,
    format: Format,
) {
    let suffix = match format {
        Format::Base64 => "Xdr",
        Format::Json => "Json",
    };
    let list = values
        .into_iter()
        .map(|value| suffixed(value, format).1)
        .collect();
    answer.insert(format!("{name}{suffix}"), Value::Array(list));
}

/// A value in the wanted form.
pub(super) fn value<T: WriteXdr + Serialize>(value: &T, format: Format) -> Value {
    suffixed(value, format).1
}

fn suffixed<T: WriteXdr + Serialize>(value: &T, format: Format) -> (&'static str, Value) {
    match format {
        Format::Base64 => ("Xdr", Value::String(base64(value))),
        // Every XDR type has a JSON form; a failure would be a bug of its library.
        Format::Json => ("Json", serde_json::to_value(value).unwrap_or(Value::Null)),
    }
}

/// A 64-bit number as text, as clients expect it.
#[allow(
    clippy::needless_pass_by_value,
    reason = "numbers are passed as they are"
)]
pub(super) fn text(number: impl ToString) -> Value {
    Value::String(number.to_string())
}

/// Unix seconds as RFC 3339 in UTC.
pub(super) fn rfc3339(seconds: u64) -> String {
    i64::try_from(seconds)
        .ok()
        .and_then(|seconds| OffsetDateTime::from_unix_timestamp(seconds).ok())
        .and_then(|time| time.format(&Rfc3339).ok())
        .unwrap_or_default()
}
