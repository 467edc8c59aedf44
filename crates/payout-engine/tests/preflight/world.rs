//! A network with a published escrow, and entries written past all rules.

use std::path::{Path, PathBuf};

use localnet::{CloseMode, Config, Localnet};
use payout_engine::escrow::{EscrowError, Facts, Wanted, read};
use payout_engine::preflight::{Ask, Options, Probe, Report, check};
use payout_engine::rpc::{Client, Options as RpcOptions};
use payout_engine::{Amount, Line, NodeId};
use payout_keys::{ContractId, IdempotencyKey, NetworkId, Recipient};
use sha2::{Digest, Sha256};
use stellar_xdr::{
    AlphaNum4, AlphaNum12, Asset, AssetCode4, AssetCode12, ContractExecutable,
    ContractId as XdrContractId, ContractIdPreimage, ContractIdPreimageFromAddress,
    CreateContractArgs, CreateContractArgsV2, Hash, HashIdPreimage, HashIdPreimageContractId,
    HostFunction, InvokeContractArgs, LedgerEntryData, Limits, OperationBody, ScAddress, ScSymbol,
    ScVal, Uint256, WriteXdr,
};

use crate::entries::TrustlineNumbers;
use crate::transactions::{Keys, Sender};

/// One unit of a token with seven places.
pub(crate) const ONE: i128 = 10_000_000;

pub(crate) const PASSPHRASE: &str = localnet::STANDALONE_PASSPHRASE;

pub(crate) struct World {
    pub(crate) net: Localnet,
    pub(crate) client: Client,
    pub(crate) admin: Keys,
    pub(crate) issuer: Keys,
    pub(crate) token: ContractId,
    pub(crate) escrow: ContractId,
}

/// A network whose ledgers close at once, with an administrator who has XLM.
fn network() -> (Localnet, Client) {
    let net = Localnet::start(Config {
        close: CloseMode::AtOnce,
        ..Config::on_demand()
    })
    .expect("the local network starts");
    let client = Client::new(&net.url(), NodeId(0), RpcOptions::default()).expect("a client");
    (net, client)
}

impl World {
    /// Pays USDC of the issuer `cases.ISS`, whose account has these flags; 100,000 are locked.
    pub(crate) async fn usdc(issuer_flags: u32) -> Self {
        let issuer = Keys::named("cases.ISS");
        let asset = usdc_of(&issuer);
        let mut world = Self::bare(&asset, issuer);
        world.put_account(&world.issuer, 1_000 * 10_000_000, 0, issuer_flags);
        world.put_account(&world.admin, 1_000_000 * 10_000_000, 1, 0);
        let line = TrustlineNumbers {
            balance: 100_000 * 10_000_000,
            ..TrustlineNumbers::default()
        };
        world.put_trustline(&world.admin, &world.issuer, line);
        world.deploy(asset).await;
        world
    }

    /// Pays XLM; 1,000 are locked.
    pub(crate) async fn xlm() -> Self {
        let mut world = Self::bare(&Asset::Native, Keys::named("cases.ISS"));
        world.put_account(&world.admin, 1_000_000 * 10_000_000, 0, 0);
        world.deploy(Asset::Native).await;
        world
            .run(
                "lock_program_funds",
                vec![address(world.caller()), (1_000 * ONE).into()],
            )
            .await;
        world.run("publish_program", Vec::new()).await;
        world
    }

    /// Locks and publishes.
    pub(crate) async fn published(self) -> Self {
        let from = address(self.caller());
        self.run("lock_program_funds", vec![from, (100_000 * ONE).into()])
            .await;
        self.run("publish_program", Vec::new()).await;
        self
    }

    fn bare(asset: &Asset, issuer: Keys) -> Self {
        let (net, client) = network();
        let token = ContractId(net.network().asset_contract(asset).0.0);
        Self {
            net,
            client,
            admin: Keys::named("cases.admin"),
            issuer,
            token,
            escrow: ContractId([0; 32]),
        }
    }

    async fn deploy(&mut self, asset: Asset) {
        self.create_asset_contract(asset).await;
        self.escrow = self.deploy_escrow(self.token, 1).await;
    }

    /// Uploads the contract and creates an instance that pays `token`.
    pub(crate) async fn deploy_escrow(&self, token: ContractId, salt: u8) -> ContractId {
        let program_id = ScVal::String(stellar_xdr::ScString(
            "hackathon-2026".try_into().expect("short"),
        ));
        let arguments = vec![
            address(self.caller()),
            program_id,
            address(self.caller()),
            address(Recipient::Contract(token.0)),
        ];
        self.deploy_wasm(wasm(), salt, arguments).await
    }

    /// Deploys the contract of another asset of the issuer.
    pub(crate) async fn deploy_asset(&self, code: &str) -> ContractId {
        let issuer = self.issuer.id();
        let mut padded = [0; 12];
        padded[..code.len()].copy_from_slice(code.as_bytes());
        let asset = if code.len() > 4 {
            let asset_code = AssetCode12(padded);
            Asset::CreditAlphanum12(AlphaNum12 { asset_code, issuer })
        } else {
            let asset_code = AssetCode4(padded[..4].try_into().expect("four"));
            Asset::CreditAlphanum4(AlphaNum4 { asset_code, issuer })
        };
        let id = self.net.network().asset_contract(&asset);
        self.create_asset_contract(asset).await;
        ContractId(id.0.0)
    }

    async fn create_asset_contract(&self, asset: Asset) {
        let creation = HostFunction::CreateContract(CreateContractArgs {
            contract_id_preimage: ContractIdPreimage::Asset(asset),
            executable: ContractExecutable::StellarAsset,
        });
        assert!(self.invoke(&self.admin, creation).await);
    }

    /// Deploys a contract that is written out.
    pub(crate) async fn deploy_wat(&self, text: &str) -> ContractId {
        let wasm = wat::parse_str(text).expect("a module");
        let salt = Sha256::digest(&wasm)[0];
        self.deploy_wasm(wasm, salt, Vec::new()).await
    }

    async fn deploy_wasm(&self, wasm: Vec<u8>, salt: u8, arguments: Vec<ScVal>) -> ContractId {
        let code = Hash(Sha256::digest(&wasm).into());
        let upload = HostFunction::UploadContractWasm(wasm.try_into().expect("a Wasm"));
        assert!(self.invoke(&self.admin, upload).await);
        let preimage = ContractIdPreimage::Address(ContractIdPreimageFromAddress {
            address: ScAddress::Account(self.admin.id()),
            salt: Uint256([salt; 32]),
        });
        let creation = HostFunction::CreateContractV2(CreateContractArgsV2 {
            contract_id_preimage: preimage.clone(),
            executable: ContractExecutable::Wasm(code),
            constructor_args: arguments.try_into().expect("few arguments"),
        });
        assert!(self.invoke(&self.admin, creation).await);
        let id = HashIdPreimage::ContractId(HashIdPreimageContractId {
            network_id: Hash(self.net.network().id()),
            contract_id_preimage: preimage,
        });
        let bytes = id.to_xdr(Limits::none()).expect("it encodes");
        ContractId(Sha256::digest(bytes).into())
    }

    /// The payout key, which is the administrator's too.
    pub(crate) fn caller(&self) -> Recipient {
        Recipient::Account(self.admin.public())
    }

    fn sender<'a>(&'a self, keys: &'a Keys) -> Sender<'a> {
        let entry = self.net.entry(keys.account_key()).expect("it runs");
        let Some((entry, _)) = entry else {
            panic!("the account does not exist")
        };
        let LedgerEntryData::Account(account) = entry.data else {
            panic!("an account")
        };
        Sender {
            client: &self.client,
            network: NetworkId(self.net.network().id()),
            keys,
            sequence: account.seq_num.0,
        }
    }

    pub(crate) async fn classic(&self, keys: &Keys, body: OperationBody) {
        self.sender(keys).classic(body).await;
    }

    pub(crate) async fn invoke(&self, keys: &Keys, function: HostFunction) -> bool {
        self.sender(keys).invoke(function).await
    }

    /// Calls a contract as `keys`, and expects it to be applied.
    pub(crate) async fn call(
        &self,
        keys: &Keys,
        contract: ContractId,
        function: &str,
        arguments: Vec<ScVal>,
    ) {
        let call = HostFunction::InvokeContract(InvokeContractArgs {
            contract_address: contract_address(contract),
            function_name: ScSymbol(function.try_into().expect("a name")),
            args: arguments.try_into().expect("few arguments"),
        });
        assert!(self.invoke(keys, call).await, "{function} failed");
    }

    /// Calls the escrow as its administrator.
    pub(crate) async fn run(&self, function: &str, arguments: Vec<ScVal>) {
        self.call(&self.admin, self.escrow, function, arguments)
            .await;
    }

    pub(crate) async fn pay(&self, key: &str, asks: &[Ask]) {
        let payout = payout_engine::Payout::new(asks.iter().map(|ask| ask.line.clone()).collect());
        let key = IdempotencyKey::new(key).expect("a key");
        let payout = payout.expect("a payout");
        let call = payout_engine::envelope::payout_call(self.escrow, self.caller(), &key, &payout);
        let call = HostFunction::InvokeContract(call.expect("a call"));
        assert!(self.invoke(&self.admin, call).await, "the payout failed");
    }

    pub(crate) async fn read(&self) -> Result<Facts, EscrowError> {
        self.read_for(self.escrow, PASSPHRASE).await
    }

    pub(crate) async fn read_for(
        &self,
        contract: ContractId,
        passphrase: &str,
    ) -> Result<Facts, EscrowError> {
        let wanted = Wanted {
            passphrase,
            contract,
            delegate: None,
        };
        read(&self.client, &wanted).await
    }

    pub(crate) fn wanted(&self) -> Wanted<'static> {
        Wanted {
            passphrase: PASSPHRASE,
            contract: self.escrow,
            delegate: None,
        }
    }

    pub(crate) async fn facts(&self) -> Facts {
        self.read().await.expect("the facts")
    }

    pub(crate) fn options<'a>(&self) -> Options<'a> {
        Options {
            caller: self.caller(),
            source: Some((self.caller(), 10_000_000)),
            other_issuers: &[],
        }
    }

    pub(crate) async fn check(&self, asks: &[Ask]) -> Report {
        check(&self.client, &self.facts().await, asks, &self.options())
            .await
            .expect("a report")
    }

    pub(crate) fn probe<'a>(&self, key: &'a IdempotencyKey) -> Probe<'a> {
        Probe {
            source: self.caller(),
            caller: self.caller(),
            key,
        }
    }
}

pub(crate) fn unused(text: &str) -> IdempotencyKey {
    IdempotencyKey::new(text).expect("a key")
}

pub(crate) fn usdc_of(issuer: &Keys) -> Asset {
    Asset::CreditAlphanum4(usdc4(issuer))
}

pub(crate) fn usdc4(issuer: &Keys) -> AlphaNum4 {
    AlphaNum4 {
        asset_code: AssetCode4(*b"USDC"),
        issuer: issuer.id(),
    }
}

pub(crate) fn address(of: Recipient) -> ScVal {
    ScVal::Address(match of {
        Recipient::Account(key) => ScAddress::Account(stellar_xdr::AccountId(
            stellar_xdr::PublicKey::PublicKeyTypeEd25519(Uint256(key)),
        )),
        Recipient::Contract(id) => contract_address(ContractId(id)),
    })
}

fn contract_address(contract: ContractId) -> ScAddress {
    ScAddress::Contract(XdrContractId(Hash(contract.0)))
}

pub(crate) fn ask(recipient: Recipient, units: i128) -> Ask {
    Ask::from(Line {
        recipient,
        amount: Amount::new(units).expect("positive"),
        reference: None,
    })
}

/// The contract's Wasm: in the folder `PROGRAM_ESCROW_WASM_DIR`, or in `contracts/` of cargo's target
/// folder, wherever the running program is in it.
fn wasm() -> Vec<u8> {
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
