//! Authorisations that are signed apart from the envelope: the payout key's, where another account
//! carries the transaction. Whoever has one can carry it until it expires.

use std::collections::BTreeMap;

use payout_keys::NetworkId;
use sha2::{Digest, Sha256};
use stellar_xdr::{
    Hash, HashIdPreimage, HashIdPreimageSorobanAuthorization, InvokeContractArgs, Limits, ScBytes,
    ScMap, ScMapEntry, ScSymbol, ScVal, ScVec, SorobanAddressCredentials,
    SorobanAuthorizationEntry, SorobanAuthorizedFunction, SorobanAuthorizedInvocation,
    SorobanCredentials, WriteXdr,
};

use super::call::sc_address;
use super::error::EnvelopeError;
use super::secret::SecretKey;

/// Signs what `keys` are asked for, to hold up to ledger `until`. Only for `call` itself, with
/// nothing below it that anybody else has to authorise: a node that asks for more is not believed.
///
/// Gives the entries, and whether any was signed apart from the envelope.
///
/// # Errors
/// [`EnvelopeError::OtherCall`], [`EnvelopeError::SignatureMissing`],
/// [`EnvelopeError::Credentials`], [`EnvelopeError::Xdr`].
pub fn sign_authorisations(
    network: NetworkId,
    call: &InvokeContractArgs,
    entries: Vec<SorobanAuthorizationEntry>,
    keys: &[&SecretKey],
    until: u32,
) -> Result<(Vec<SorobanAuthorizationEntry>, bool), EnvelopeError> {
    let function = SorobanAuthorizedFunction::ContractFn(call.clone());
    sign_entries(network, &function, &[], entries, keys, until)
}

/// The same for any function, which may call `below` in the name of who authorises it.
pub(crate) fn sign_entries(
    network: NetworkId,
    function: &SorobanAuthorizedFunction,
    below: &[InvokeContractArgs],
    entries: Vec<SorobanAuthorizationEntry>,
    keys: &[&SecretKey],
    until: u32,
) -> Result<(Vec<SorobanAuthorizationEntry>, bool), EnvelopeError> {
    let mut apart = false;
    let mut signed = Vec::with_capacity(entries.len());
    for mut entry in entries {
        if !is_ours(&entry.root_invocation, function, below) {
            return Err(EnvelopeError::OtherCall {
                function: name(function),
            });
        }
        match &mut entry.credentials {
            SorobanCredentials::SourceAccount => {}
            SorobanCredentials::Address(credentials) => {
                let key = keys
                    .iter()
                    .find(|key| sc_address(key.address()) == credentials.address)
                    .ok_or_else(|| EnvelopeError::SignatureMissing {
                        address: credentials.address.to_string(),
                    })?;
                credentials.signature_expiration_ledger = until;
                let payload = authorisation_payload(network, credentials, &entry.root_invocation)?;
                let by = BTreeMap::from([(key.public(), key.sign(&payload))]);
                credentials.signature = signatures(&by)?;
                apart = true;
            }
            _ => return Err(EnvelopeError::Credentials),
        }
        signed.push(entry);
    }
    Ok((signed, apart))
}

/// Whether an authorisation is for `function` and for nothing below it but `below`.
fn is_ours(
    invocation: &SorobanAuthorizedInvocation,
    function: &SorobanAuthorizedFunction,
    below: &[InvokeContractArgs],
) -> bool {
    let allowed = |sub: &SorobanAuthorizedInvocation| {
        sub.sub_invocations.is_empty()
            && matches!(
                &sub.function,
                SorobanAuthorizedFunction::ContractFn(called) if below.contains(called)
            )
    };
    invocation.function == *function && invocation.sub_invocations.iter().all(allowed)
}

fn name(function: &SorobanAuthorizedFunction) -> String {
    match function {
        SorobanAuthorizedFunction::ContractFn(call) => {
            String::from_utf8_lossy(call.function_name.0.as_slice()).into_owned()
        }
        _ => "the constructor".to_owned(),
    }
}

/// What is signed for an authorisation that is apart from the envelope.
pub(crate) fn authorisation_payload(
    network: NetworkId,
    credentials: &SorobanAddressCredentials,
    invocation: &SorobanAuthorizedInvocation,
) -> Result<[u8; 32], EnvelopeError> {
    let preimage = HashIdPreimage::SorobanAuthorization(HashIdPreimageSorobanAuthorization {
        network_id: Hash(network.0),
        nonce: credentials.nonce,
        signature_expiration_ledger: credentials.signature_expiration_ledger,
        invocation: invocation.clone(),
    });
    let bytes = preimage
        .to_xdr(Limits::none())
        .map_err(EnvelopeError::xdr("an authorisation"))?;
    Ok(Sha256::digest(bytes).into())
}

/// Signatures as an account's authorisation has them: the host wants them in the order of their
/// public keys, none twice.
pub(crate) fn signatures(by: &BTreeMap<[u8; 32], [u8; 64]>) -> Result<ScVal, EnvelopeError> {
    let entry = |name: &str, bytes: &[u8]| {
        Ok::<_, stellar_xdr::Error>(ScMapEntry {
            key: ScVal::Symbol(ScSymbol(name.try_into()?)),
            val: ScVal::Bytes(ScBytes(bytes.to_vec().try_into()?)),
        })
    };
    let one = |(key, signature): (&[u8; 32], &[u8; 64])| {
        let fields = vec![entry("public_key", key)?, entry("signature", signature)?];
        Ok(ScVal::Map(Some(ScMap(fields.try_into()?))))
    };
    let all = by
        .iter()
        .map(one)
        .collect::<Result<Vec<_>, stellar_xdr::Error>>()
        .and_then(TryInto::try_into);
    all.map(|all| ScVal::Vec(Some(ScVec(all))))
        .map_err(EnvelopeError::xdr("a signature"))
}

#[cfg(test)]
mod tests {
    use stellar_xdr::{ContractId, ScAddress};

    use super::*;

    fn call(function: &str, amount: u64) -> InvokeContractArgs {
        InvokeContractArgs {
            contract_address: ScAddress::Contract(ContractId(Hash([1; 32]))),
            function_name: ScSymbol(function.try_into().expect("a name")),
            args: vec![ScVal::U64(amount)].try_into().expect("one argument"),
        }
    }

    fn invocation(
        call: InvokeContractArgs,
        below: Vec<SorobanAuthorizedInvocation>,
    ) -> SorobanAuthorizedInvocation {
        SorobanAuthorizedInvocation {
            function: SorobanAuthorizedFunction::ContractFn(call),
            sub_invocations: below.try_into().expect("few"),
        }
    }

    #[test]
    fn only_what_is_expected_may_be_called_in_the_name_of_who_signs() {
        let lock = SorobanAuthorizedFunction::ContractFn(call("lock", 5));
        let below = [call("transfer", 5)];
        let asked = |sub: Vec<SorobanAuthorizedInvocation>| invocation(call("lock", 5), sub);
        let plain = |sub| invocation(sub, Vec::new());
        assert!(is_ours(&asked(vec![]), &lock, &below));
        assert!(is_ours(
            &asked(vec![plain(call("transfer", 5))]),
            &lock,
            &below
        ));
        let more = asked(vec![plain(call("transfer", 6))]);
        assert!(!is_ours(&more, &lock, &below), "another amount");
        let other = asked(vec![plain(call("approve", 5))]);
        assert!(!is_ours(&other, &lock, &below), "another function");
        let deeper = invocation(call("transfer", 5), vec![plain(call("transfer", 5))]);
        assert!(
            !is_ours(&asked(vec![deeper]), &lock, &below),
            "one level deeper"
        );
        assert!(!is_ours(
            &asked(vec![plain(call("transfer", 5))]),
            &lock,
            &[]
        ));
        assert!(
            !is_ours(&plain(call("lock", 6)), &lock, &below),
            "another root"
        );
    }
}
