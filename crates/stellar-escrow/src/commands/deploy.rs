//! `stellar-escrow deploy`.

use std::path::PathBuf;

use clap::Args;
use payout_engine::escrow::{
    CodeHash, EscrowError, Facts, Wanted, code_life, lives, read as read_facts,
};
use payout_engine::transaction::{
    Act, TransactionError, asset_contract, constructor, contract_at, simulate_view, view_call,
    wasm_hash,
};
use payout_keys::{ContractId, ProgramId, Recipient};
use sha2::{Digest as _, Sha256};
use stellar_xdr::{
    AccountId, AlphaNum4, AlphaNum12, Asset, AssetCode4, AssetCode12, PublicKey, ScVal, Uint256,
};

use crate::config::{Folder, contract_id};
use crate::desk::{ActArgs, Desk, Error, Plan, block_on};
use crate::output::{self, Record};

/// Uploads the code where the network does not have it, and creates the escrow, whole in one
/// transaction. Program id and token never change afterwards. The same command again finds what is
/// there.
#[derive(Args)]
pub(crate) struct Cmd {
    #[command(flatten)]
    code: CodeArgs,
    /// The program's id: 1 to 64 of letters, digits, . _ and -
    #[arg(long, value_name = "ID")]
    program_id: ProgramId,
    /// What is paid: a token's contract (C… or alias), CODE:ISSUER, or native
    #[arg(long)]
    token: String,
    /// Who pays: an address, an identity or a contract's alias
    #[arg(long, value_name = "WHO")]
    payout_key: String,
    /// The owner [default: the source]
    #[arg(long, value_name = "WHO")]
    admin: Option<String>,
    /// A name for the escrow, kept with stellar-cli's aliases
    #[arg(long, value_name = "NAME")]
    alias: Option<String>,
    /// Tells escrows of one source apart, 64 hexadecimal digits [default: follows from the program's id]
    #[arg(long, value_name = "HEX")]
    salt: Option<String>,
    #[command(flatten)]
    act: ActArgs,
}

/// Which code.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub(super) struct CodeArgs {
    /// The contract's Wasm
    #[arg(long, value_name = "FILE")]
    wasm: Option<PathBuf>,
    /// The hash of a Wasm that the network has
    #[arg(long, value_name = "HEX")]
    wasm_hash: Option<String>,
}

/// A code, and the Wasm where it has to be uploaded.
pub(super) struct Code {
    pub(super) hash: CodeHash,
    pub(super) upload: Option<Act>,
}

impl CodeArgs {
    /// Finds out whether the network has it.
    pub(super) async fn resolve(&self, desk: &Desk) -> Result<Code, Error> {
        let (hash, wasm) = match (&self.wasm, &self.wasm_hash) {
            (Some(path), _) => {
                let wasm = std::fs::read(path).map_err(|error| Error::File {
                    path: path.clone(),
                    why: error.to_string(),
                })?;
                (CodeHash(wasm_hash(&wasm)), Some(wasm))
            }
            (None, hash) => {
                let text = hash.as_deref().unwrap_or_default();
                (CodeHash(digits("--wasm-hash", text)?), None)
            }
        };
        let there = code_life(&desk.client, hash).await?.0.is_some();
        match (there, wasm) {
            (true, _) => Ok(Code { hash, upload: None }),
            (false, Some(wasm)) => Ok(Code {
                hash,
                upload: Some(Act::Upload(wasm)),
            }),
            (false, None) => Err(Error::Said(format!(
                "the network has no code {hash}; give the file with --wasm"
            ))),
        }
    }
}

fn digits(flag: &str, text: &str) -> Result<[u8; 32], Error> {
    let mut bytes = [0; 32];
    hex::decode_to_slice(text, &mut bytes).map_err(|_| {
        Error::Said(format!(
            "{flag} takes 64 hexadecimal digits, not {text:.70?}"
        ))
    })?;
    Ok(bytes)
}

impl Cmd {
    pub(crate) fn run(self) -> Result<(), Error> {
        if let Some(alias) = &self.alias {
            Folder::check_name(alias)?;
        }
        block_on(async {
            let desk = Desk::open(&self.act).await?;
            let code = self.code.resolve(&desk).await?;
            let admin = match &self.admin {
                Some(who) => desk.party(who)?,
                None => desk.source.address(),
            };
            let payout_key = desk.party(&self.payout_key)?;
            let (token, token_step) = self.token(&desk).await?;
            let salt = match &self.salt {
                Some(text) => digits("--salt", text)?,
                None => salt_of(&self.program_id),
            };
            let contract = contract_at(desk.network.id(), desk.source.address(), salt)?;
            let create = Step {
                what: format!(
                    "create program {} with token {token}, owner {admin}, payout key {payout_key}",
                    self.program_id
                ),
                act: Act::Create {
                    deployer: desk.source.address(),
                    salt,
                    wasm_hash: code.hash.0,
                    arguments: constructor(admin, &self.program_id, payout_key, token)?,
                },
            };
            let upload = code.upload.map(|act| Step {
                what: format!("upload the code {}", code.hash),
                act,
            });
            let steps: Vec<Step> = token_step
                .into_iter()
                .chain(upload)
                .chain([create])
                .collect();
            let asked = Asked {
                contract,
                code: code.hash,
                token,
                admin,
                payout_key,
            };
            let created = match lives(&desk.client, contract).await {
                Err(EscrowError::NotFound { .. }) => {
                    Some(self.create(&desk, &asked, &steps).await?)
                }
                Err(other) => return Err(other.into()),
                Ok(_) => {
                    eprintln!("{contract} is there already; nothing is sent");
                    None
                }
            };
            let facts = asked.check(&desk, &self.program_id).await?;
            if let Some(alias) = &self.alias {
                let passphrase = desk.network.passphrase();
                desk.folder
                    .save_alias(alias, passphrase, &contract.to_string())?;
            }
            let record = Record::default()
                .with("contract", contract.to_string())
                .with("program_id", self.program_id.as_str())
                .with("token", facts.token.name())
                .with("owner", facts.owner.to_string())
                .with("payout_key", facts.program.payout_key.to_string())
                .with("wasm_hash", facts.code.to_string())
                .with("created", created.is_some())
                .with("fee_charged", created.unwrap_or(0).to_string());
            Ok(output::one(record, desk.format)?)
        })
    }

    /// Takes the steps; what they cost.
    async fn create(&self, desk: &Desk, asked: &Asked, steps: &[Step]) -> Result<i64, Error> {
        let mut plan = Plan {
            contract: Some(format!("{} (new)", asked.contract)),
            ..Plan::default()
        };
        for step in steps {
            // What needs an earlier step can only be priced after that.
            let cost = match desk.prepare(&step.act).await {
                Ok(prepared) => prepared.cost(),
                Err(_) if plan.fee > 0 => {
                    plan.will
                        .push(format!("{}; its fee comes on top", step.what));
                    continue;
                }
                Err(other) => return Err(other),
            };
            plan.will.push(step.what.clone());
            plan.fee = plan.fee.saturating_add(cost.most);
            plan.restores = plan.restores.saturating_add(cost.restores);
        }
        desk.confirm(&plan)?;
        let mut charged = 0_i64;
        for step in steps {
            let done = desk.apply(&step.what, &step.act, None).await?;
            eprintln!("done in ledger {}: {}", done.ledger, step.what);
            charged = charged.saturating_add(done.fee_charged);
        }
        Ok(charged)
    }

    /// The token's contract, and the step that creates it where an asset has none yet.
    async fn token(&self, desk: &Desk) -> Result<(ContractId, Option<Step>), Error> {
        let asset = asset(&self.token, desk)?;
        let token = match &asset {
            Some(asset) => asset_contract(desk.network.id(), asset.clone())?,
            None => contract_id(&self.token, &desk.folder, desk.network.passphrase())?,
        };
        // The constructor does not ask the token anything, so it is asked here.
        let decimals = view_call(token, "decimals", None)?;
        match (simulate_view(&desk.client, &decimals).await, asset) {
            (Ok(ScVal::U32(_)), _) => Ok((token, None)),
            (Err(TransactionError::Refused(_)), Some(asset)) => {
                let what = format!("create the contract {token} of {}", self.token);
                let act = Act::AssetContract(asset);
                Ok((token, Some(Step { what, act })))
            }
            (Err(TransactionError::Refused(_)) | Ok(_), _) => Err(Error::Said(format!(
                "{token} is no token on this network: it does not answer `decimals`"
            ))),
            (Err(other), _) => Err(other.into()),
        }
    }
}

/// One transaction of several.
struct Step {
    what: String,
    act: Act,
}

/// `native` or `CODE:ISSUER`; `None` for anything else.
fn asset(text: &str, desk: &Desk) -> Result<Option<Asset>, Error> {
    if text == "native" {
        return Ok(Some(Asset::Native));
    }
    let Some((code, issuer)) = text.split_once(':') else {
        return Ok(None);
    };
    let Recipient::Account(issuer) = desk.party(issuer)? else {
        return Err(Error::Said(format!(
            "{issuer} cannot issue an asset; only accounts do"
        )));
    };
    let issuer = AccountId(PublicKey::PublicKeyTypeEd25519(Uint256(issuer)));
    let legal = code.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let asset = match code.len() {
        1..=4 if legal => Asset::CreditAlphanum4(AlphaNum4 {
            asset_code: AssetCode4(padded(code)),
            issuer,
        }),
        5..=12 if legal => Asset::CreditAlphanum12(AlphaNum12 {
            asset_code: AssetCode12(padded(code)),
            issuer,
        }),
        _ => {
            return Err(Error::Said(format!(
                "{code:.60?} is no asset's code; it has 1 to 12 letters and digits"
            )));
        }
    };
    Ok(Some(asset))
}

fn padded<const N: usize>(code: &str) -> [u8; N] {
    let mut bytes = [0; N];
    for (to, from) in bytes.iter_mut().zip(code.bytes()) {
        *to = from;
    }
    bytes
}

/// The same program of the same source has the same address, so deploying twice is deploying once.
fn salt_of(program: &ProgramId) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(b"stellar-escrow/deploy/1");
    hash.update(program.as_str());
    hash.finalize().into()
}

/// What was asked for, to compare with what is there.
struct Asked {
    contract: ContractId,
    code: CodeHash,
    token: ContractId,
    admin: Recipient,
    payout_key: Recipient,
}

impl Asked {
    async fn check(&self, desk: &Desk, program: &ProgramId) -> Result<Facts, Error> {
        let wanted = Wanted {
            passphrase: desk.network.passphrase(),
            contract: self.contract,
            delegate: None,
        };
        let facts = read_facts(&desk.client, &wanted).await?;
        let pairs = [
            (
                "program id",
                program.as_str().to_owned(),
                facts.program.program_id.clone(),
            ),
            (
                "token",
                self.token.to_string(),
                facts.program.token.to_string(),
            ),
            ("owner", self.admin.to_string(), facts.owner.to_string()),
            (
                "payout key",
                self.payout_key.to_string(),
                facts.program.payout_key.to_string(),
            ),
            ("code", self.code.to_string(), facts.code.to_string()),
        ];
        for (what, asked, found) in pairs {
            if asked != found {
                return Err(Error::Said(format!(
                    "{} is there with {what} {found}, and {asked} was asked for; take another \
                     --salt for another escrow",
                    self.contract
                )));
            }
        }
        Ok(facts)
    }
}
