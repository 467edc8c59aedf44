//! The real contract on the SDK's host.

use payout_engine::{Record, RecordKind};
use payout_keys::{ContractId, Fingerprint, Recipient};
use program_escrow::types::{IdempotencyRecord, PayoutKind, ProgramData};
use program_escrow::{ProgramEscrow, ProgramEscrowClient};
use soroban_sdk::testutils::{Address as _, EnvTestConfig, Ledger as _};
use soroban_sdk::token::{StellarAssetClient, TokenClient};
use soroban_sdk::xdr::{
    AccountId, ContractId as XdrContractId, Hash, InvokeContractArgs, PublicKey, ScAddress, Uint256,
};
use soroban_sdk::{Address, Env, InvokeError, String, Symbol, TryFromVal, Val, Vec};

/// The program that every schedule pays from.
pub(super) const PROGRAM: &str = "simulated";

/// A funded and published program.
pub(super) struct Escrow {
    env: Env,
    id: Address,
    token: Address,
}

impl Escrow {
    pub(super) fn new(payout_key: [u8; 32], funds: i128) -> Self {
        let env = Env::new_with_config(EnvTestConfig {
            capture_snapshot_at_drop: false,
        });
        env.ledger().with_mut(|ledger| {
            ledger.min_persistent_entry_ttl = 2_073_600;
            ledger.min_temp_entry_ttl = 17_280;
            ledger.max_entry_ttl = 3_110_400;
        });
        env.cost_estimate().budget().reset_unlimited();
        env.mock_all_auths();
        let (admin, sponsor) = (Address::generate(&env), Address::generate(&env));
        let asset = env.register_stellar_asset_contract_v2(Address::generate(&env));
        let token = asset.address();
        let payer = address(&env, Recipient::Account(payout_key));
        let program = String::from_str(&env, PROGRAM);
        let id = env.register(ProgramEscrow, (admin, program, payer, token.clone()));
        StellarAssetClient::new(&env, &token).mint(&sponsor, &funds);
        let client = ProgramEscrowClient::new(&env, &id);
        client.lock_program_funds(&sponsor, &funds);
        client.publish_program();
        Self { env, id, token }
    }

    pub(super) fn contract(&self) -> ContractId {
        match ScAddress::from(&self.id) {
            ScAddress::Contract(XdrContractId(Hash(id))) => ContractId(id),
            other => unreachable!("the escrow is a contract: {other:?}"),
        }
    }

    /// Runs a call as the network would, in this ledger. Whether it succeeded.
    pub(super) fn execute(
        &self,
        call: &InvokeContractArgs,
        authorised: bool,
        (ledger, time): (u32, u64),
    ) -> bool {
        let env = &self.env;
        env.ledger().set_sequence_number(ledger);
        env.ledger().set_timestamp(time);
        env.cost_estimate().budget().reset_unlimited();
        if authorised {
            env.mock_all_auths();
        } else {
            env.set_auths(&[]);
        }
        let mut arguments = Vec::<Val>::new(env);
        for argument in &call.args {
            arguments.push_back(Val::try_from_val(env, argument).expect("a value"));
        }
        let name = std::str::from_utf8(call.function_name.0.as_slice()).expect("a name");
        let name = Symbol::new(env, name);
        env.try_invoke_contract::<Val, InvokeError>(&self.id, &name, arguments)
            .is_ok()
    }

    /// What the contract says of a key.
    pub(super) fn record(&self, key: &str) -> Option<Record> {
        self.env.cost_estimate().budget().reset_unlimited();
        let client = ProgramEscrowClient::new(&self.env, &self.id);
        let record: IdempotencyRecord =
            client.get_idempotency_record(&String::from_str(&self.env, key))?;
        Some(Record {
            kind: match record.kind {
                PayoutKind::Single => RecordKind::Single,
                PayoutKind::Batch => RecordKind::Batch,
                PayoutKind::Imported => RecordKind::Imported,
                PayoutKind::Voided => RecordKind::Voided,
            },
            payout_id: record.payout_id,
            fingerprint: Fingerprint(record.fingerprint.to_array()),
            total: record.total_amount,
            ledger: record.ledger,
        })
    }

    pub(super) fn program(&self) -> ProgramData {
        ProgramEscrowClient::new(&self.env, &self.id).get_program()
    }

    /// What the program itself holds.
    pub(super) fn holds(&self) -> i128 {
        TokenClient::new(&self.env, &self.token).balance(&self.id)
    }

    pub(super) fn balance(&self, of: Recipient) -> i128 {
        TokenClient::new(&self.env, &self.token).balance(&address(&self.env, of))
    }
}

fn address(env: &Env, of: Recipient) -> Address {
    let address = match of {
        Recipient::Account(key) => {
            ScAddress::Account(AccountId(PublicKey::PublicKeyTypeEd25519(Uint256(key))))
        }
        Recipient::Contract(id) => ScAddress::Contract(XdrContractId(Hash(id))),
    };
    Address::try_from_val(env, &address).expect("an address")
}
