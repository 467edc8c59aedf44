//! The admin is `OpenZeppelin`'s owner: transfer in two steps, upgrade. Whoever may upgrade may
//! change every promise of this contract (`docs/security.md`).

use soroban_sdk::{Address, BytesN, Env, contractimpl, panic_with_error};
use stellar_access::ownable::{self, Ownable};
use stellar_contract_utils::upgradeable::{self, Upgradeable};

use super::{ProgramEscrow, ProgramEscrowArgs, ProgramEscrowClient};
use crate::error::Error;
use crate::{roles, storage};

#[contractimpl(contracttrait)]
impl Ownable for ProgramEscrow {
    /// The admin.
    fn get_owner(e: &Env) -> Option<Address> {
        ownable::get_owner(e)
    }

    /// Proposes a new admin, who must accept by this ledger; 0 cancels.
    fn transfer_ownership(e: &Env, new_owner: Address, live_until_ledger: u32) {
        storage::program(e);
        ownable::transfer_ownership(e, &new_owner, live_until_ledger);
    }

    /// Accepts the proposal; only the proposed admin can.
    fn accept_ownership(e: &Env) {
        storage::program(e);
        ownable::accept_ownership(e);
    }

    /// Always refused: money would be stuck.
    fn renounce_ownership(e: &Env) {
        storage::program(e);
        panic_with_error!(e, Error::OwnershipCannotBeRenounced);
    }
}

#[contractimpl]
impl Upgradeable for ProgramEscrow {
    /// Replaces the code; `operator` must be the admin.
    fn upgrade(e: &Env, new_wasm_hash: BytesN<32>, operator: Address) {
        storage::program(e);
        roles::require_named_admin(e, &operator);
        upgradeable::upgrade(e, &new_wasm_hash);
    }
}
