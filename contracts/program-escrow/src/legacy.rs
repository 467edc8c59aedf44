//! What earlier layouts wrote. Their keys stay consumed for ever; nothing here is written again
//! but to move it into namespace 1.
//!
//! | Namespace | Tier | Value |
//! | --- | --- | --- |
//! | 2 `IdempotencyKey(String)` | instance | existence is enough |
//! | 3 `PayoutIdempotency(String)` | persistent | existence is enough |
//! | 4 Symbol `PayIdem` | persistent | `Vec<String>` |

use soroban_sdk::{
    Address, Env, Map, String, Symbol, TryFromVal, Val, Vec, contracttype, panic_with_error,
    symbol_short,
};
use stellar_access::ownable;

use crate::error::Error;
use crate::event::{KeysMigratedEvent, ProgramMigratedEvent, VERSION};
use crate::idempotency::import::MAX_KEYS;
use crate::idempotency::{Key, record};
use crate::roles;
use crate::storage::{self, Brakes};
use crate::types::{PayoutKind, ProgramData, ProgramStatus};

/// Ledger keys of the earlier layout.
#[contracttype]
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum LegacyKey {
    /// Instance: the admin's address.
    Admin,
    /// Instance: consumed keys of the shared namespace.
    IdempotencyKey(String),
    /// Persistent: consumed keys of single payouts.
    PayoutIdempotency(String),
}

/// Instance: the old program.
pub(crate) const PROGRAM: Symbol = symbol_short!("ProgData");
/// Persistent: consumed keys of batch payouts.
pub(crate) const BATCH_KEYS: Symbol = symbol_short!("PayIdem");

/// Longest key that can have been stored in namespace 3: its ledger key has then 248 bytes, and
/// the network allows 250. Asking for a longer one would make the whole transaction invalid,
/// because even an entry that is only looked for stands in the footprint.
const MAX_STORED_KEY: u32 = 156;

/// Whether any earlier layout consumed `key`.
pub(crate) fn knows(env: &Env, key: &String) -> bool {
    knows_alone(env, key) || batch_keys(env).is_some_and(|keys| keys.contains(key))
}

/// Namespaces 2 and 3, which hold one entry a key.
fn knows_alone(env: &Env, key: &String) -> bool {
    env.storage()
        .instance()
        .has(&LegacyKey::IdempotencyKey(key.clone()))
        || key.len() <= MAX_STORED_KEY
            && env
                .storage()
                .persistent()
                .has(&LegacyKey::PayoutIdempotency(key.clone()))
}

fn batch_keys(env: &Env) -> Option<Vec<String>> {
    env.storage().persistent().get(&BATCH_KEYS)
}

/// The old program, as far as it is needed.
struct OldProgram {
    program_id: String,
    authorized_payout_key: Address,
    token: Address,
    total_funds: i128,
    remaining_balance: i128,
}

impl OldProgram {
    /// None when it is missing, or one of its fields is missing or of another type.
    fn read(env: &Env) -> Option<Self> {
        fn field<T: TryFromVal<Env, Val>>(
            env: &Env,
            map: &Map<Symbol, Val>,
            name: &str,
        ) -> Option<T> {
            T::try_from_val(env, &map.get(Symbol::new(env, name))?).ok()
        }
        let value: Val = env.storage().instance().get(&PROGRAM)?;
        let map = Map::<Symbol, Val>::try_from_val(env, &value).ok()?;
        let old = Self {
            program_id: field(env, &map, "program_id")?,
            authorized_payout_key: field(env, &map, "authorized_payout_key")?,
            token: field(env, &map, "token_address")?,
            total_funds: field(env, &map, "total_funds")?,
            remaining_balance: field(env, &map, "remaining_balance")?,
        };
        // Books that start below zero would never balance again.
        (old.remaining_balance >= 0).then_some(old)
    }

    fn admin(env: &Env) -> Option<Address> {
        let value: Val = env.storage().instance().get(&LegacyKey::Admin)?;
        Address::try_from_val(env, &value).ok()
    }
}

/// Makes an instance usable that was upgraded to this code from the earlier layout: the old admin
/// becomes the owner, the program is Active with new books, and the old program is removed together
/// with its growing history.
///
/// # Authorization
/// The old admin.
///
/// # Errors
/// [`Error::NothingToMigrate`], before authorisation: a program of ours is here already, or an old
/// entry is missing or unreadable.
///
/// # Events
/// `MigProg` with the old books.
pub(crate) fn migrate_program(env: &Env) {
    let found = if storage::has_program(env) {
        None
    } else {
        OldProgram::admin(env).zip(OldProgram::read(env))
    };
    let (admin, old) = found.unwrap_or_else(|| panic_with_error!(env, Error::NothingToMigrate));
    admin.require_auth();
    ownable::set_owner(env, &admin);
    storage::set_program(
        env,
        &ProgramData {
            program_id: old.program_id.clone(),
            token: old.token,
            authorized_payout_key: old.authorized_payout_key,
            status: ProgramStatus::Active,
            total_locked: old.remaining_balance,
            total_paid: 0,
            total_withdrawn: 0,
            remaining_balance: old.remaining_balance,
            payout_count: 0,
        },
    );
    storage::set_brakes(env, &Brakes::released(env));
    env.storage().instance().remove(&PROGRAM);
    env.storage().instance().remove(&LegacyKey::Admin);
    ProgramMigratedEvent {
        version: VERSION,
        program_id: old.program_id,
        actor: admin,
        total_funds: old.total_funds,
        remaining_balance: old.remaining_balance,
    }
    .publish(env);
}

/// Moves up to `limit` keys from namespace 4 into namespace 1 and returns how many remain. A key
/// that is known anyway only leaves the list. The empty list is removed.
///
/// # Authorization
/// The admin, in every state of life.
///
/// # Errors
/// [`Error::TooManyKeys`] unless `limit` is 1 to 30.
///
/// # Events
/// One `MigKeys` a call; `moved` counts the records written.
pub(crate) fn migrate_keys(env: &Env, limit: u32) -> u32 {
    let program = storage::program(env);
    let actor = roles::require_admin(env);
    if limit == 0 || limit > MAX_KEYS {
        panic_with_error!(env, Error::TooManyKeys);
    }
    let mut keys = batch_keys(env).unwrap_or_else(|| Vec::new(env));
    let mut moved = 0;
    for _ in 0..limit {
        let Some(text) = keys.pop_back() else { break };
        let key = Key::new(env, text);
        if knows_alone(env, &key.text) || record::get(env, &key.digest).is_some() {
            continue;
        }
        record::consume(env, &key, &record::unpaid(env, PayoutKind::Imported));
        moved += 1;
    }
    if keys.is_empty() {
        env.storage().persistent().remove(&BATCH_KEYS);
    } else {
        env.storage().persistent().set(&BATCH_KEYS, &keys);
    }
    let left = keys.len();
    KeysMigratedEvent {
        version: VERSION,
        program_id: program.program_id,
        actor,
        moved,
        left,
    }
    .publish(env);
    left
}
