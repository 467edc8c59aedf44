//! The escrow contract on the local ledger.

use std::path::{Path, PathBuf};

use localnet::xdr::{
    Asset, ContractExecutable, ContractId, ContractIdPreimage, ContractIdPreimageFromAddress,
    CreateContractArgsV2, Hash, HostFunction, OperationBody, ScAddress, ScMap, ScVal, ScVec,
    Uint256,
};
use sha2::{Digest, Sha256};

use super::build::{asset, payment, run, trust};
use super::{Account, Found, Net, token};

/// The contract's Wasm: in the folder `PROGRAM_ESCROW_WASM_DIR`, or in `contracts/` of cargo's target
/// folder, wherever the running program is in it.
pub(crate) fn wasm() -> Vec<u8> {
    let path = wasm_path();
    std::fs::read(&path).unwrap_or_else(|error| {
        panic!(
            "cannot read the contract {}: {error}; build it with scripts/build-contract.sh, or \
             name its folder in PROGRAM_ESCROW_WASM_DIR",
            path.display()
        )
    })
}

fn wasm_path() -> PathBuf {
    const FILE: &str = "program_escrow.wasm";
    if let Some(folder) = std::env::var_os("PROGRAM_ESCROW_WASM_DIR") {
        return PathBuf::from(folder).join(FILE);
    }
    let built = Path::new("contracts").join(FILE);
    let program = std::env::current_exe().expect("a running program has a path");
    program
        .ancestors()
        .map(|folder| folder.join(&built))
        .find(|path| path.is_file())
        .unwrap_or(built)
}

/// A published escrow with 100,000 units of an asset.
pub(crate) struct Escrow {
    pub(crate) net: Net,
    pub(crate) admin: Account,
    pub(crate) asset: Asset,
    pub(crate) token: ContractId,
    pub(crate) contract: ContractId,
    pub(crate) code: Hash,
}

impl Escrow {
    /// On a network whose ledgers close at once.
    pub(crate) fn new(net: Net) -> Self {
        let (admin, issuer) = (net.account("admin"), net.account("issuer"));
        let asset = asset("USDC", &issuer);
        token::deploy(&net.client, &issuer, &asset);
        let token = net.localnet.network().asset_contract(&asset);
        run(&net.client, &admin, vec![trust(&asset, i64::MAX)]).succeeded();
        run(&net.client, &issuer, vec![payment(&admin, &asset, 100_000)]).succeeded();

        let wasm = wasm();
        let code = Hash(Sha256::digest(&wasm).into());
        let upload = HostFunction::UploadContractWasm(wasm.try_into().expect("a Wasm"));
        token::run(&net.client, &admin, token::invoke(upload)).succeeded();
        let preimage = ContractIdPreimage::Address(ContractIdPreimageFromAddress {
            address: ScAddress::Account(admin.id()),
            salt: Uint256([1; 32]),
        });
        let creation = HostFunction::CreateContractV2(CreateContractArgsV2 {
            contract_id_preimage: preimage.clone(),
            executable: ContractExecutable::Wasm(code.clone()),
            constructor_args: vec![
                token::address(&admin),
                token::string("hackathon-2026"),
                token::address(&admin),
                ScVal::Address(ScAddress::Contract(token.clone())),
            ]
            .try_into()
            .expect("four arguments"),
        });
        token::run(&net.client, &admin, token::invoke(creation)).succeeded();
        let contract = token::contract_id(&net.client, preimage);
        let escrow = Self {
            net,
            admin,
            asset,
            token,
            contract,
            code,
        };
        let from = token::address(&escrow.admin);
        escrow.run("lock_program_funds", vec![from, token::amount(100_000)]);
        escrow.run("publish_program", vec![]);
        escrow
    }

    pub(crate) fn call(&self, function: &str, args: Vec<ScVal>) -> OperationBody {
        token::call(&self.contract, function, args)
    }

    pub(crate) fn run(&self, function: &str, args: Vec<ScVal>) -> Found {
        token::run(&self.net.client, &self.admin, self.call(function, args)).succeeded()
    }

    /// A batch that pays every recipient one unit.
    pub(crate) fn batch(&self, key: &str, recipients: &[ScVal]) -> OperationBody {
        let list =
            |values: Vec<ScVal>| ScVal::Vec(Some(ScVec(values.try_into().expect("a short list"))));
        let amounts = vec![token::amount(1); recipients.len()];
        self.call(
            "batch_payout_idempotent",
            vec![token::string(key), list(recipients.to_vec()), list(amounts)],
        )
    }

    /// Accounts that trust the asset.
    pub(crate) fn recipients(&self, count: usize) -> Vec<Account> {
        (0..count)
            .map(|number| {
                let account = self.net.account(&format!("recipient {number}"));
                run(
                    &self.net.client,
                    &account,
                    vec![trust(&self.asset, i64::MAX)],
                )
                .succeeded();
                account
            })
            .collect()
    }
}

/// A named field of a returned struct.
pub(crate) fn field(value: &ScVal, name: &str) -> ScVal {
    let ScVal::Map(Some(ScMap(fields))) = value else {
        panic!("no struct: {value:?}");
    };
    fields
        .iter()
        .find(|field| field.key == token::symbol(name))
        .unwrap_or_else(|| panic!("no field {name} in {value:?}"))
        .val
        .clone()
}
