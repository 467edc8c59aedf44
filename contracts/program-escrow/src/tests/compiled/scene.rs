//! A compiled escrow on a ledger with real accounts, trustlines and a classic asset.

use std::rc::Rc;
use std::vec::Vec as StdVec;

use soroban_env_host::{HostError, LedgerInfo};
use soroban_sdk::testutils::{Address as _, Ledger as _};
use soroban_sdk::token::StellarAssetClient;
use soroban_sdk::xdr::{
    AccountEntry, AccountEntryExt, AccountId, AlphaNum4, AlphaNum12, Asset, AssetCode4,
    AssetCode12, ContractExecutable, ContractIdPreimage, CreateContractArgs, HostFunction,
    InvokeContractArgs, LedgerEntry, LedgerEntryData, LedgerEntryExt, LedgerKey, LedgerKeyAccount,
    LedgerKeyTrustLine, PublicKey, ScAddress, ScSymbol, ScVal, SequenceNumber, String32,
    Thresholds, TrustLineAsset, TrustLineEntry, TrustLineEntryExt, Uint256, VecM,
};
use soroban_sdk::{Address, Env, String, TryFromVal, Val, Vec};

use super::network::{Invocation, Ledger, invoke};
use crate::contract::ProgramEscrowClient;
use crate::tests::setup::new_env;
use crate::tests::wasm;

/// What a recipient is, which decides what a payment to it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A classic account with a trustline.
    Account,
    /// A contract that holds the asset already.
    Contract,
    /// A contract that gets its first balance entry.
    NewContract,
}

/// Names and sizes of a scene.
#[derive(Clone, Copy)]
pub(super) struct Plan {
    pub(super) asset_code: &'static str,
    pub(super) program_id: &'static str,
    pub(super) kind: Kind,
    pub(super) recipients: u8,
}

/// The longest program id.
pub(super) const LONGEST_ID: &str =
    "a-program-id-of-exactly-sixty-four-bytes-as-long-as-it-gets.2026";

pub(super) const TYPICAL: Plan = Plan {
    asset_code: "USDC",
    program_id: "hackathon-2026",
    kind: Kind::Account,
    recipients: 60,
};

/// The dearest in emitted bytes.
pub(super) const WORST: Plan = Plan {
    asset_code: "TWELVELETTER",
    program_id: LONGEST_ID,
    kind: Kind::Account,
    recipients: 60,
};

pub(super) struct Scene {
    pub(super) env: Env,
    pub(super) escrow: Address,
    pub(super) token: Address,
    pub(super) payout_key: Address,
    pub(super) admin: Address,
    pub(super) recipients: Vec<Address>,
}

impl Scene {
    /// Deploys, funds and publishes.
    pub(super) fn new(plan: Plan) -> Self {
        let scene = Self::draft(plan);
        scene.client().publish_program();
        scene
    }

    /// Deploys and funds. Signatures are mocked wholesale here: what is measured later runs on its
    /// own host with recorded authorisation.
    pub(super) fn draft(plan: Plan) -> Self {
        let env = new_env();
        env.mock_all_auths();
        let issuer = account(&env, 200);
        let asset = asset(plan.asset_code, &issuer);
        let token = deploy_asset(&env, &asset);
        let minter = StellarAssetClient::new(&env, &token);
        let payout_key = address(&env, &account(&env, 201));
        let admin = address(&env, &account(&env, 202));
        let wasm = wasm::read("program_escrow");
        let escrow = env.register(
            wasm.as_slice(),
            (
                admin.clone(),
                String::from_str(&env, plan.program_id),
                payout_key.clone(),
                token.clone(),
            ),
        );
        let mut recipients = Vec::new(&env);
        for number in 0..plan.recipients {
            recipients.push_back(match plan.kind {
                Kind::Account => {
                    let account = account(&env, number);
                    trust(&env, &account, &asset);
                    address(&env, &account)
                }
                Kind::Contract | Kind::NewContract => Address::generate(&env),
            });
        }
        if plan.kind == Kind::Contract {
            for recipient in &recipients {
                minter.mint(&recipient, &1);
            }
        }
        let sponsor = Address::generate(&env);
        minter.mint(&sponsor, &10_000_000_000_000);
        let scene = Self {
            env,
            escrow,
            token,
            payout_key,
            admin,
            recipients,
        };
        scene
            .client()
            .lock_program_funds(&sponsor, &10_000_000_000_000);
        scene
    }

    pub(super) fn client(&self) -> ProgramEscrowClient<'_> {
        ProgramEscrowClient::new(&self.env, &self.escrow)
    }

    /// The first `count` recipients and an amount of some digits for each.
    pub(super) fn rows(&self, count: u32) -> (Vec<Address>, Vec<i128>) {
        let mut amounts = Vec::new(&self.env);
        for row in 0..count {
            amounts.push_back(237_500_000 + i128::from(row));
        }
        (self.recipients.slice(..count), amounts)
    }

    /// The ledger as it stands.
    pub(super) fn ledger(&self) -> Rc<Ledger> {
        let snapshot = self.env.to_ledger_snapshot();
        Rc::new(Ledger(
            snapshot
                .ledger_entries
                .into_iter()
                .map(|(key, (entry, live_until))| (*key, (*entry, live_until)))
                .collect(),
        ))
    }

    pub(super) fn info(&self) -> LedgerInfo {
        self.env.ledger().get()
    }

    /// Calls the escrow on `ledger`, the payout key being the transaction's source.
    pub(super) fn invoke_on(
        &self,
        ledger: &Rc<Ledger>,
        name: &str,
        args: &Vec<Val>,
    ) -> Result<Invocation, HostError> {
        let source = account_id(&self.payout_key);
        invoke(
            ledger,
            &self.info(),
            &source,
            &call(&self.env, &self.escrow, name, args),
        )
    }

    /// Calls the escrow on the ledger as it stands; it must succeed within mainnet's limits.
    pub(super) fn invoke(&self, name: &str, args: &Vec<Val>) -> Invocation {
        self.invoke_as(&self.payout_key, name, args)
    }

    /// The same, the transaction's source being `who`.
    pub(super) fn invoke_as(&self, who: &Address, name: &str, args: &Vec<Val>) -> Invocation {
        let function = call(&self.env, &self.escrow, name, args);
        let invocation = invoke(&self.ledger(), &self.info(), &account_id(who), &function)
            .unwrap_or_else(|error| panic!("{name}: {error:?}"));
        invocation.require_within_limits();
        invocation
    }
}

/// An invocation as a transaction carries it.
pub(super) fn call(env: &Env, contract: &Address, name: &str, args: &Vec<Val>) -> HostFunction {
    let args: StdVec<ScVal> = args
        .iter()
        .map(|arg| ScVal::try_from_val(env, &arg).unwrap())
        .collect();
    HostFunction::InvokeContract(InvokeContractArgs {
        contract_address: contract.into(),
        function_name: ScSymbol(name.try_into().unwrap()),
        args: args.try_into().unwrap(),
    })
}

pub(super) fn account_id(address: &Address) -> AccountId {
    match address.into() {
        ScAddress::Account(account) => account,
        other => panic!("not an account: {other:?}"),
    }
}

fn address(env: &Env, account: &AccountId) -> Address {
    Address::try_from_val(env, &ScAddress::Account(account.clone())).unwrap()
}

/// Puts a classic account on the ledger; its key is `number` in every byte.
fn account(env: &Env, number: u8) -> AccountId {
    let account_id = AccountId(PublicKey::PublicKeyTypeEd25519(Uint256([number; 32])));
    put(
        env,
        LedgerKey::Account(LedgerKeyAccount {
            account_id: account_id.clone(),
        }),
        LedgerEntryData::Account(AccountEntry {
            account_id: account_id.clone(),
            balance: 100_000_000,
            seq_num: SequenceNumber(1),
            num_sub_entries: 1,
            inflation_dest: None,
            flags: 0,
            home_domain: String32::default(),
            thresholds: Thresholds([1, 0, 0, 0]),
            signers: VecM::default(),
            ext: AccountEntryExt::V0,
        }),
    );
    account_id
}

/// Gives an account a trustline.
fn trust(env: &Env, account: &AccountId, asset: &Asset) {
    let asset = match asset {
        Asset::CreditAlphanum4(asset) => TrustLineAsset::CreditAlphanum4(asset.clone()),
        Asset::CreditAlphanum12(asset) => TrustLineAsset::CreditAlphanum12(asset.clone()),
        Asset::Native => TrustLineAsset::Native,
    };
    put(
        env,
        LedgerKey::Trustline(LedgerKeyTrustLine {
            account_id: account.clone(),
            asset: asset.clone(),
        }),
        LedgerEntryData::Trustline(TrustLineEntry {
            account_id: account.clone(),
            asset,
            balance: 0,
            limit: i64::MAX,
            flags: 1,
            ext: TrustLineEntryExt::V0,
        }),
    );
}

fn put(env: &Env, key: LedgerKey, data: LedgerEntryData) {
    let entry = LedgerEntry {
        last_modified_ledger_seq: 1,
        data,
        ext: LedgerEntryExt::V0,
    };
    env.host()
        .add_ledger_entry(&Rc::new(key), &Rc::new(entry), None)
        .unwrap();
}

fn asset(code: &str, issuer: &AccountId) -> Asset {
    let mut bytes = [0; 12];
    bytes[..code.len()].copy_from_slice(code.as_bytes());
    let issuer = issuer.clone();
    if code.len() > 4 {
        let asset_code = AssetCode12(bytes);
        Asset::CreditAlphanum12(AlphaNum12 { asset_code, issuer })
    } else {
        let asset_code = AssetCode4(bytes[..4].try_into().unwrap());
        Asset::CreditAlphanum4(AlphaNum4 { asset_code, issuer })
    }
}

fn deploy_asset(env: &Env, asset: &Asset) -> Address {
    let created = env
        .host()
        .invoke_function(HostFunction::CreateContract(CreateContractArgs {
            contract_id_preimage: ContractIdPreimage::Asset(asset.clone()),
            executable: ContractExecutable::StellarAsset,
        }))
        .unwrap();
    let ScVal::Address(address) = created else {
        panic!("not an address: {created:?}")
    };
    Address::try_from_val(env, &address).unwrap()
}
