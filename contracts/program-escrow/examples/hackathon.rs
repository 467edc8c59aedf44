//! The main job on real input: pays a CSV file of prizes through the compiled contract on the
//! Soroban host, in one process, and retries every batch.
//!
//! `scripts/demo.sh` builds the contract and runs this.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;
use std::path::PathBuf;
use std::rc::Rc;

use program_escrow::ProgramEscrowClient;
use soroban_env_host::InvocationResourceLimits;
use soroban_sdk::testutils::cost_estimate::NetworkInvocationResourceLimits;
use soroban_sdk::testutils::{
    Address as _, EnvTestConfig, Events, Ledger, MockAuth, MockAuthInvoke,
};
use soroban_sdk::token::{StellarAssetClient, TokenClient};
use soroban_sdk::xdr::{
    AccountEntry, AccountEntryExt, AccountId, AlphaNum4, Asset, AssetCode4, ContractEventBody,
    ContractExecutable, ContractIdPreimage, CreateContractArgs, HostFunction, LedgerEntry,
    LedgerEntryData, LedgerEntryExt, LedgerKey, LedgerKeyAccount, LedgerKeyTrustLine, PublicKey,
    ScAddress, ScVal, SequenceNumber, String32, Thresholds, TrustLineAsset, TrustLineEntry,
    TrustLineEntryExt, Uint256, VecM,
};
use soroban_sdk::{Address, Env, IntoVal, String as HostString, TryFromVal, Val, Vec as HostVec};

const PROGRAM: &str = "hackathon-2026";
/// Decimal places of a classic asset.
const PLACES: usize = 7;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args_os().skip(1);
    let (Some(wasm), Some(file), None) = (args.next(), args.next(), args.next()) else {
        return Err("usage: hackathon PROGRAM_ESCROW.wasm PRIZES.csv".into());
    };
    let prizes = read_prizes(&PathBuf::from(file))?;
    let wasm = std::fs::read(&wasm).map_err(|error| format!("{}: {error}", wasm.display()))?;
    let stage = Stage::set(&wasm, &prizes)?;
    let total: i128 = prizes.iter().map(|prize| prize.amount).sum();
    println!(
        "{PROGRAM}: {} recipients, {} USDC locked and published\n",
        prizes.len(),
        Amount(total)
    );
    println!(
        "{:<52} {:>10} {:>14} {:>11} {:>11}  retry",
        "idempotency key", "recipients", "USDC", "fee XLM", "retry XLM"
    );
    for batch in batches(&prizes, stage.client().max_batch_size() as usize) {
        stage.pay_and_retry(&batch)?;
    }
    stage.settle(&prizes, total)
}

/// One row of the file.
struct Prize {
    id: String,
    wallet: String,
    /// In stroops.
    amount: i128,
}

fn read_prizes(path: &PathBuf) -> Result<Vec<Prize>, Box<dyn Error>> {
    let mut reader = csv::Reader::from_path(path)?;
    let headers = reader.headers()?.clone();
    let column = |name: &str| {
        headers
            .iter()
            .position(|header| header == name)
            .ok_or_else(|| format!("{}: no column {name}", path.display()))
    };
    let (wallet, id, amount) = (column("walletAddress")?, column("id")?, column("amount")?);
    let mut prizes = vec![];
    for (row, record) in (2..).zip(reader.records()) {
        let record = record?;
        let amount = stroops(&record[amount])
            .ok_or_else(|| format!("row {row}: {:?} is not an amount", &record[amount]))?;
        prizes.push(Prize {
            id: record[id].into(),
            wallet: record[wallet].into(),
            amount,
        });
    }
    Ok(prizes)
}

/// Reads a plain decimal exactly: a floating-point number would lose stroops.
fn stroops(text: &str) -> Option<i128> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if fraction.len() > PLACES || whole.is_empty() {
        return None;
    }
    let digits = format!("{whole}{fraction:0<PLACES$}");
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|amount| plain && *amount > 0)
}

/// Stroops, shown in units of the asset.
struct Amount(i128);

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let unit = 10i128.pow(7);
        f.pad(&format!("{}.{:07}", self.0 / unit, self.0 % unit))
    }
}

/// Fills batches in the file's order; a wallet never stands twice in one.
fn batches(prizes: &[Prize], size: usize) -> Vec<Vec<&Prize>> {
    let mut left: Vec<&Prize> = prizes.iter().collect();
    let mut batches = vec![];
    while !left.is_empty() {
        let mut wallets = BTreeSet::new();
        let (batch, rest) = left
            .into_iter()
            .partition(|prize| wallets.len() < size && wallets.insert(prize.wallet.as_str()));
        batches.push(batch);
        left = rest;
    }
    batches
}

/// The deployed contract and its asset on the host.
struct Stage {
    env: Env,
    escrow: Address,
    token: Address,
    payout_key: Address,
}

impl Stage {
    /// Deploys contract and asset, gives every recipient an account with a trustline, locks the sum
    /// of all prizes and publishes.
    fn set(wasm: &[u8], prizes: &[Prize]) -> Result<Self, Box<dyn Error>> {
        let env = Env::new_with_config(EnvTestConfig {
            capture_snapshot_at_drop: false,
        });
        let mainnet = InvocationResourceLimits::mainnet();
        env.cost_estimate().enforce_resource_limits(mainnet);
        env.cost_estimate().budget().reset_unlimited();
        // Mainnet's lifetimes in ledgers, because rent is what a payout costs.
        env.ledger().set_min_temp_entry_ttl(17_280);
        env.ledger().set_min_persistent_entry_ttl(2_073_600);
        env.ledger().set_max_entry_ttl(3_110_400);

        let issuer = AccountId(PublicKey::PublicKeyTypeEd25519(Uint256([1; 32])));
        open_account(&env, &issuer)?;
        let asset = AlphaNum4 {
            asset_code: AssetCode4(*b"USDC"),
            issuer,
        };
        for prize in prizes {
            let address = Address::from_str(&env, &prize.wallet);
            let ScAddress::Account(account) = (&address).into() else {
                return Err(format!("{}: {} is not an account", prize.id, prize.wallet).into());
            };
            open_account(&env, &account)?;
            trust(&env, &account, &asset)?;
        }
        let created =
            env.host()
                .invoke_function(HostFunction::CreateContract(CreateContractArgs {
                    contract_id_preimage: ContractIdPreimage::Asset(Asset::CreditAlphanum4(asset)),
                    executable: ContractExecutable::StellarAsset,
                }))?;
        let ScVal::Address(token) = created else {
            return Err("the host created no contract".into());
        };
        let token = Address::try_from_val(&env, &token).expect("a contract's address");

        let [admin, payout_key, sponsor] = [(); 3].map(|()| Address::generate(&env));
        let program_id = HostString::from_str(&env, PROGRAM);
        let arguments = (admin.clone(), program_id, payout_key.clone(), token.clone());
        let escrow = env.register(wasm, arguments);
        let total: i128 = prizes.iter().map(|prize| prize.amount).sum();
        // Setting the stage is not the point here; every payout below is signed for exactly.
        env.mock_all_auths();
        StellarAssetClient::new(&env, &token).mint(&sponsor, &total);
        let client = ProgramEscrowClient::new(&env, &escrow);
        client.lock_program_funds(&sponsor, &total);
        client.publish_program();
        Ok(Self {
            env,
            escrow,
            token,
            payout_key,
        })
    }

    fn client(&self) -> ProgramEscrowClient<'_> {
        ProgramEscrowClient::new(&self.env, &self.escrow)
    }

    fn balances(&self, batch: &[&Prize]) -> Vec<i128> {
        let token = TokenClient::new(&self.env, &self.token);
        let of = |prize: &&Prize| token.balance(&Address::from_str(&self.env, &prize.wallet));
        batch
            .iter()
            .map(of)
            .chain([token.balance(&self.escrow)])
            .collect()
    }

    fn pay_and_retry(&self, batch: &[&Prize]) -> Result<(), Box<dyn Error>> {
        let mut nonce = [0; 8];
        getrandom::getrandom(&mut nonce)?;
        let key = format!(
            "{PROGRAM}-batch-{}-{}r-{:016x}",
            &batch[0].wallet[..8],
            batch.len(),
            u64::from_be_bytes(nonce)
        );
        let (event, paid_fee) = self.submit(&key, batch)?;
        if event != "BatchPay" {
            return Err(format!("{key}: answered with {event}, not BatchPay").into());
        }
        let paid = self.balances(batch);
        let (event, retry_fee) = self.submit(&key, batch)?;
        if event != "BatPayRp" || self.balances(batch) != paid {
            return Err(format!("{key}: the retry moved money or answered {event}").into());
        }
        let total = batch.iter().map(|prize| prize.amount).sum();
        println!(
            "{key:<52} {:>10} {:>14} {:>11} {:>11}  {event}, nothing moved",
            batch.len(),
            Amount(total),
            Amount(paid_fee.into()),
            Amount(retry_fee.into()),
        );
        Ok(())
    }

    /// Calls `batch_payout_idempotent` with the payout key's signature on exactly this call.
    /// Returns the name of the escrow's event and the fee in stroops.
    fn submit(&self, key: &str, batch: &[&Prize]) -> Result<(String, i64), Box<dyn Error>> {
        let env = &self.env;
        let key = HostString::from_str(env, key);
        let recipients = batch
            .iter()
            .map(|prize| Address::from_str(env, &prize.wallet));
        let recipients = HostVec::from_iter(env, recipients);
        let amounts = HostVec::from_iter(env, batch.iter().map(|prize| prize.amount));
        let args: HostVec<Val> = (key.clone(), recipients.clone(), amounts.clone()).into_val(env);
        env.mock_auths(&[MockAuth {
            address: &self.payout_key,
            invoke: &MockAuthInvoke {
                contract: &self.escrow,
                fn_name: "batch_payout_idempotent",
                args,
                sub_invokes: &[],
            },
        }]);
        self.client()
            .batch_payout_idempotent(&key, &recipients, &amounts);
        // The only temporary entry is the nonce of the mocked signature; a payout key that is the
        // transaction's source has none.
        let fee = env.cost_estimate().fee();
        let fee = fee.total - fee.temporary_entry_rent;
        let events = env.events().all().filter_by_contract(&self.escrow);
        let [event] = events.events() else {
            return Err(format!("{} events instead of one", events.events().len()).into());
        };
        let ContractEventBody::V0(body) = &event.body;
        let ScVal::Symbol(name) = &body.topics[0] else {
            return Err("the event has no name".into());
        };
        Ok((name.to_utf8_string()?, fee))
    }

    /// Adds everything up, to the last stroop.
    fn settle(&self, prizes: &[Prize], total: i128) -> Result<(), Box<dyn Error>> {
        let token = TokenClient::new(&self.env, &self.token);
        for prize in prizes {
            let balance = token.balance(&Address::from_str(&self.env, &prize.wallet));
            let owed = prizes.iter().filter(|other| other.wallet == prize.wallet);
            let owed: i128 = owed.map(|prize| prize.amount).sum();
            if balance != owed {
                return Err(format!("{}: has {balance} stroops, not {owed}", prize.id).into());
            }
        }
        let program = self.client().get_program();
        let left = token.balance(&self.escrow);
        if left != 0 || program.total_paid != total || program.remaining_balance != 0 {
            return Err(format!("the books do not add up: {left} left, {program:?}").into());
        }
        println!(
            "\nlocked {} = paid {} + remaining {}; every recipient has exactly the amount of the file",
            Amount(program.total_locked),
            Amount(program.total_paid),
            Amount(program.remaining_balance)
        );
        Ok(())
    }
}

fn open_account(env: &Env, account_id: &AccountId) -> Result<(), Box<dyn Error>> {
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
    )
}

fn trust(env: &Env, account_id: &AccountId, asset: &AlphaNum4) -> Result<(), Box<dyn Error>> {
    let asset = TrustLineAsset::CreditAlphanum4(asset.clone());
    put(
        env,
        LedgerKey::Trustline(LedgerKeyTrustLine {
            account_id: account_id.clone(),
            asset: asset.clone(),
        }),
        LedgerEntryData::Trustline(TrustLineEntry {
            account_id: account_id.clone(),
            asset,
            balance: 0,
            limit: i64::MAX,
            flags: 1,
            ext: TrustLineEntryExt::V0,
        }),
    )
}

fn put(env: &Env, key: LedgerKey, data: LedgerEntryData) -> Result<(), Box<dyn Error>> {
    let entry = LedgerEntry {
        last_modified_ledger_seq: 1,
        data,
        ext: LedgerEntryExt::V0,
    };
    env.host()
        .add_ledger_entry(&Rc::new(key), &Rc::new(entry), None)?;
    Ok(())
}
