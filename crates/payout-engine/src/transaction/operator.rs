//! The contract's calls that do not pay.

use payout_keys::{ContractId, IdempotencyKey, Recipient};
use stellar_xdr::{BytesM, ScBytes, ScMap, ScMapEntry, ScSymbol, ScVal};

use super::act::Act;
use crate::envelope::EnvelopeError;
use crate::envelope::{address, call, integer, text, vector};

/// How much may flow out, in units of the token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most at once, and after a long pause.
    pub capacity: i128,
    /// What comes back each second.
    pub refill_per_second: i128,
    /// The most for one recipient.
    pub max_payout: i128,
}

/// A call, with who authorises it where that is an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(
    missing_docs,
    reason = "the names are the contract's; docs/cli.md says what each is for"
)]
pub enum OperatorCall {
    Lock {
        from: Recipient,
        amount: i128,
        token: ContractId,
    },
    Surplus,
    Publish,
    Close,
    Withdraw {
        to: Recipient,
    },
    Import {
        keys: Vec<IdempotencyKey>,
    },
    Void {
        caller: Recipient,
        key: IdempotencyKey,
    },
    Pause {
        caller: Recipient,
        lock: bool,
        payout: bool,
        reason: String,
    },
    Unpause {
        lock: bool,
        payout: bool,
    },
    Trip {
        caller: Recipient,
        reason: String,
    },
    Reset,
    Limit {
        limit: Option<Limits>,
    },
    Guardian {
        guardian: Option<Recipient>,
    },
    SetDelegate {
        delegate: Recipient,
        allowance: i128,
        expires_at: u64,
    },
    RevokeDelegate {
        caller: Recipient,
        delegate: Recipient,
    },
    Rotate {
        key: Recipient,
    },
    TransferOwnership {
        owner: Recipient,
        live_until_ledger: u32,
    },
    AcceptOwnership,
    Upgrade {
        wasm_hash: [u8; 32],
        operator: Recipient,
    },
    MigrateLegacy,
    MigrateLegacyKeys {
        limit: u32,
    },
}

impl OperatorCall {
    /// The act.
    ///
    /// # Errors
    /// [`EnvelopeError::Xdr`].
    pub fn act(&self, contract: ContractId) -> Result<Act, EnvelopeError> {
        let (function, arguments) = self.parts()?;
        let below = match self {
            // The contract draws the amount in the sponsor's name.
            Self::Lock {
                from,
                amount,
                token,
            } => vec![call(
                *token,
                "transfer",
                vec![
                    address(*from),
                    address(Recipient::Contract(contract.0)),
                    integer(*amount),
                ],
            )?],
            _ => Vec::new(),
        };
        Ok(Act::Call {
            call: call(contract, function, arguments)?,
            below,
        })
    }

    fn parts(&self) -> Result<(&'static str, Vec<ScVal>), EnvelopeError> {
        Ok(match self {
            Self::Lock { from, amount, .. } => {
                ("lock_program_funds", vec![address(*from), integer(*amount)])
            }
            Self::Surplus => ("credit_surplus", vec![]),
            Self::Publish => ("publish_program", vec![]),
            Self::Close => ("close_program", vec![]),
            Self::Withdraw { to } => ("withdraw_remaining", vec![address(*to)]),
            Self::Import { keys } => {
                let keys = keys.iter().map(|key| text(key.as_str()));
                let keys = vector(keys.collect::<Result<_, _>>()?)?;
                ("import_consumed_keys", vec![keys])
            }
            Self::Void { caller, key } => (
                "void_idempotency_key",
                vec![address(*caller), text(key.as_str())?],
            ),
            Self::Pause {
                caller,
                lock,
                payout,
                reason,
            } => (
                "pause",
                vec![address(*caller), flags(*lock, *payout)?, text(reason)?],
            ),
            Self::Unpause { lock, payout } => ("unpause", vec![flags(*lock, *payout)?]),
            Self::Trip { caller, reason } => (
                "trip_circuit_breaker",
                vec![address(*caller), text(reason)?],
            ),
            Self::Reset => ("reset_circuit_breaker", vec![]),
            Self::Limit { limit } => {
                let limit = limit.as_ref().map_or(Ok(ScVal::Void), limited)?;
                ("set_outflow_limit", vec![limit])
            }
            Self::Guardian { guardian } => {
                ("set_guardian", vec![guardian.map_or(ScVal::Void, address)])
            }
            Self::SetDelegate {
                delegate,
                allowance,
                expires_at,
            } => (
                "set_delegate",
                vec![
                    address(*delegate),
                    integer(*allowance),
                    ScVal::U64(*expires_at),
                ],
            ),
            Self::RevokeDelegate { caller, delegate } => (
                "revoke_delegate",
                vec![address(*caller), address(*delegate)],
            ),
            Self::Rotate { key } => ("rotate_payout_key", vec![address(*key)]),
            Self::TransferOwnership {
                owner,
                live_until_ledger,
            } => (
                "transfer_ownership",
                vec![address(*owner), ScVal::U32(*live_until_ledger)],
            ),
            Self::AcceptOwnership => ("accept_ownership", vec![]),
            Self::Upgrade {
                wasm_hash,
                operator,
            } => ("upgrade", vec![bytes(wasm_hash)?, address(*operator)]),
            Self::MigrateLegacy => ("migrate_legacy", vec![]),
            Self::MigrateLegacyKeys { limit } => ("migrate_legacy_keys", vec![ScVal::U32(*limit)]),
        })
    }
}

/// A call of the contract that changes nothing, for a simulation.
///
/// # Errors
/// [`EnvelopeError::Xdr`].
pub fn view_call(
    contract: ContractId,
    function: &str,
    about: Option<Recipient>,
) -> Result<Act, EnvelopeError> {
    Ok(Act::Call {
        call: call(contract, function, about.map(address).into_iter().collect())?,
        below: Vec::new(),
    })
}

/// The arguments of the contract's constructor.
///
/// # Errors
/// [`EnvelopeError::Xdr`].
pub fn constructor(
    admin: Recipient,
    program: &payout_keys::ProgramId,
    payout_key: Recipient,
    token: ContractId,
) -> Result<Vec<ScVal>, EnvelopeError> {
    Ok(vec![
        address(admin),
        text(program.as_str())?,
        address(payout_key),
        address(Recipient::Contract(token.0)),
    ])
}

fn bytes(value: &[u8]) -> Result<ScVal, EnvelopeError> {
    let value = BytesM::try_from(value.to_vec()).map_err(EnvelopeError::xdr("the bytes"))?;
    Ok(ScVal::Bytes(ScBytes(value)))
}

fn flags(lock: bool, payout: bool) -> Result<ScVal, EnvelopeError> {
    fields(vec![
        ("lock", ScVal::Bool(lock)),
        ("payout", ScVal::Bool(payout)),
    ])
}

fn limited(limit: &Limits) -> Result<ScVal, EnvelopeError> {
    fields(vec![
        ("capacity", integer(limit.capacity)),
        ("max_payout", integer(limit.max_payout)),
        ("refill_per_second", integer(limit.refill_per_second)),
    ])
}

/// A struct. Its fields have to be in the order of their names.
fn fields(of: Vec<(&'static str, ScVal)>) -> Result<ScVal, EnvelopeError> {
    let entry = |(name, val): (&'static str, ScVal)| {
        let key = ScVal::Symbol(ScSymbol(name.try_into()?));
        Ok(ScMapEntry { key, val })
    };
    let entries: Result<Vec<_>, stellar_xdr::Error> = of.into_iter().map(entry).collect();
    let map = entries.and_then(TryInto::try_into);
    Ok(ScVal::Map(Some(ScMap(
        map.map_err(EnvelopeError::xdr("the struct"))?,
    ))))
}
