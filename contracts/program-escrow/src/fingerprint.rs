//! What a payout commits to.

use soroban_sdk::xdr::ToXdr;
use soroban_sdk::{Address, BytesN, Env, IntoVal, Val, Vec, symbol_short, vec};

/// SHA-256 over the XDR of the `ScVal` vector `[Symbol("payout"), recipients, amounts]`, with
/// `references` as a fourth element where there are any. Every client computes the same bytes
/// (shared vectors in `testdata/vectors.json` of the repository).
pub(crate) fn of(
    env: &Env,
    recipients: &Vec<Address>,
    amounts: &Vec<i128>,
    references: Option<&Vec<BytesN<16>>>,
) -> BytesN<32> {
    let mut parts: Vec<Val> = vec![
        env,
        symbol_short!("payout").into_val(env),
        recipients.into_val(env),
        amounts.into_val(env),
    ];
    if let Some(references) = references {
        parts.push_back(references.into_val(env));
    }
    env.crypto().sha256(&parts.to_xdr(env)).to_bytes()
}
