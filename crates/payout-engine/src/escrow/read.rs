//! Reading the facts from a node.

use payout_keys::{ContractId, Recipient};
use sha2::{Digest, Sha256};
use stellar_xdr::{
    ContractExecutable, LedgerEntryData, LedgerKey, ScContractInstance, ScMap, ScVal,
};

use super::brakes::Brakes;
use super::error::{EscrowError, Part};
use super::facts::{CodeHash, Facts, Holding, Lifetimes};
use super::program::{Delegate, PendingOwner, Program};
use super::token::{
    CreditAsset, IssuerFlags, SacBalance, Token, TokenKind, asset_of, decimals_of, returned,
};
use super::view::view;
use crate::Moment;
use crate::envelope::sc_address;
use crate::ledger::value::is_symbol;
use crate::ledger::{self, Entries, Life, Malformed, keys};
use crate::rpc::{Client, RpcError};

/// 10 to the 38th is the largest power of ten in 128 bits.
const MOST_DECIMALS: u32 = 38;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted<'a> {
    /// The passphrase of the network that is meant.
    pub passphrase: &'a str,
    /// The escrow.
    pub contract: ContractId,
    /// Who may be a delegate.
    pub delegate: Option<Recipient>,
}

/// Reads the facts of a deployment.
///
/// # Errors
/// [`EscrowError`].
pub async fn read(client: &Client, wanted: &Wanted<'_>) -> Result<Facts, EscrowError> {
    let network = client.network().await?;
    if network.passphrase != wanted.passphrase {
        return Err(EscrowError::WrongNetwork {
            expected: wanted.passphrase.to_owned(),
            found: network.passphrase.chars().take(200).collect(),
        });
    }
    let clock = client.clock().await?;
    let contract = wanted.contract;
    let mut reader = Reader {
        client,
        ledger: clock.ledger,
    };
    let keys = EscrowKeys::of(contract, wanted.delegate);
    let entries = reader.read(keys.all()).await?;
    let escrow = Instance::of(&entries, &keys.instance).ok_or(EscrowError::NotFound {
        contract,
        ledger: reader.ledger,
    })?;
    let archived = |part, ledger| EscrowError::Archived {
        part,
        contract,
        ledger,
    };
    let Life::Until(instance_until) = escrow.life else {
        return Err(archived(Part::Instance, reader.ledger));
    };
    let code = match &escrow.instance.executable {
        ContractExecutable::Wasm(hash) => CodeHash(hash.0),
        ContractExecutable::StellarAsset => return Err(not_an_escrow(contract, ASSET)),
        ContractExecutable::ExternalRef(_) => return Err(not_an_escrow(contract, REFERENCE)),
    };
    let program = match escrow.stored("EscrowProgram") {
        Some(value) => Program::parse(value)?,
        None if escrow.holds_symbol("ProgData") => {
            return Err(EscrowError::NotMigrated { contract });
        }
        None => return Err(not_an_escrow(contract, "it has no program")),
    };
    let brakes = escrow
        .stored("EscrowBrakes")
        .ok_or_else(|| not_an_escrow(contract, "it has no brakes"))?;
    let owner = escrow
        .stored("Owner")
        .ok_or_else(|| not_an_escrow(contract, "it has no owner"))?;

    let code_key = keys::code(code.0);
    let token_key = keys::instance(program.token);
    let balance_key = keys::balance(program.token, contract);
    let more = [code_key.clone(), token_key.clone(), balance_key.clone()];
    let more = reader.read(more).await?;
    let code_until =
        code_until(&more, &code_key, code)?.ok_or_else(|| archived(Part::Code, reader.ledger))?;
    let token_instance = Instance::of(&more, &token_key).ok_or(EscrowError::TokenNotFound {
        token: program.token,
    })?;
    let (token, holding) = reader
        .token(
            contract,
            program.token,
            &token_instance,
            &more,
            &balance_key,
        )
        .await?;
    let max_batch = view(client, contract, "max_batch_size", Vec::new()).await?;
    Ok(Facts {
        passphrase: network.passphrase,
        contract,
        code,
        at: Moment {
            ledger: reader.ledger,
            // A ledger behind the clock's came from another machine, and its time is not known.
            close_time: clock.close_time.filter(|_| reader.ledger >= clock.ledger),
        },
        brakes: Brakes::parse(brakes)?,
        owner: returned("the owner's entry", owner)?,
        pending_owner: value_of(&entries, &keys.pending_owner)
            .map(PendingOwner::parse)
            .transpose()?,
        delegate: keys
            .delegate
            .as_ref()
            .and_then(|(address, key)| Some((*address, value_of(&entries, key)?)))
            .map(|(address, value)| Delegate::parse(address, value))
            .transpose()?,
        max_batch: returned("max_batch_size", &max_batch)?,
        lifetimes: Lifetimes {
            instance: instance_until,
            code: code_until,
        },
        token,
        holding,
        program,
    })
}

const ASSET: &str = "it is the contract of an asset";
const REFERENCE: &str = "it refers to another contract's code";

fn not_an_escrow(contract: ContractId, why: &'static str) -> EscrowError {
    EscrowError::NotAnEscrow { contract, why }
}

/// The keys that are known before anything was read.
struct EscrowKeys {
    instance: LedgerKey,
    pending_owner: LedgerKey,
    delegate: Option<(Recipient, LedgerKey)>,
}

impl EscrowKeys {
    fn of(contract: ContractId, delegate: Option<Recipient>) -> Self {
        Self {
            instance: keys::instance(contract),
            pending_owner: keys::temporary(contract, keys::variant("PendingOwner", None)),
            delegate: delegate.map(|address| {
                let value = ScVal::Address(sc_address(address));
                let key = keys::variant("EscrowDelegate", Some(value));
                (address, keys::persistent(contract, key))
            }),
        }
    }

    fn all(&self) -> impl Iterator<Item = LedgerKey> + '_ {
        let delegate = self.delegate.iter().map(|(_, key)| key);
        [&self.instance, &self.pending_owner]
            .into_iter()
            .chain(delegate)
            .cloned()
    }
}

/// A contract's instance, and how long it lives.
struct Instance<'a> {
    instance: &'a ScContractInstance,
    life: Life,
}

impl<'a> Instance<'a> {
    fn of(entries: &'a Entries, key: &LedgerKey) -> Option<Self> {
        let entry = entries.get(key)?;
        match &entry.data {
            LedgerEntryData::ContractData(data) => match &data.val {
                ScVal::ContractInstance(instance) => Some(Self {
                    instance,
                    life: entry.life,
                }),
                _ => None,
            },
            _ => None,
        }
    }

    fn stored(&self, variant: &'static str) -> Option<&'a ScVal> {
        let key = keys::variant(variant, None);
        let storage = self.instance.storage.as_ref()?;
        let entry = storage.iter().find(|entry| entry.key == key)?;
        Some(&entry.val)
    }

    fn holds_symbol(&self, name: &str) -> bool {
        let storage = self.instance.storage.as_ref();
        storage.is_some_and(|map| map.iter().any(|entry| is_symbol(&entry.key, name)))
    }
}

fn value_of<'a>(entries: &'a Entries, key: &LedgerKey) -> Option<&'a ScVal> {
    match &entries.get(key)?.data {
        LedgerEntryData::ContractData(data) => Some(&data.val),
        _ => None,
    }
}

/// The code's last ledger, `None` if it is archived. A code with another hash is no answer.
fn code_until(
    entries: &Entries,
    key: &LedgerKey,
    hash: CodeHash,
) -> Result<Option<u32>, EscrowError> {
    let unreadable = |why: &str| RpcError::Unreadable {
        method: "getLedgerEntries",
        why: why.to_owned(),
    };
    let entry = entries
        .get(key)
        .ok_or_else(|| unreadable("the contract's code is missing"))?;
    let LedgerEntryData::ContractCode(code) = &entry.data else {
        return Err(unreadable("an entry of another kind").into());
    };
    if <[u8; 32]>::from(Sha256::digest(code.code.as_slice())) != hash.0 {
        return Err(unreadable("code with another hash than the contract names").into());
    }
    Ok(match entry.life {
        Life::Until(ledger) => Some(ledger),
        Life::Unlimited | Life::Archived => None,
    })
}

/// A node, and the oldest ledger it has answered with.
struct Reader<'a> {
    client: &'a Client,
    ledger: u32,
}

impl Reader<'_> {
    async fn read(
        &mut self,
        keys: impl IntoIterator<Item = LedgerKey>,
    ) -> Result<Entries, EscrowError> {
        let entries = ledger::read(self.client, keys).await?;
        self.ledger = entries.ledger().unwrap_or(self.ledger).min(self.ledger);
        Ok(entries)
    }

    async fn token(
        &mut self,
        escrow: ContractId,
        contract: ContractId,
        instance: &Instance<'_>,
        entries: &Entries,
        balance_key: &LedgerKey,
    ) -> Result<(Token, Holding), EscrowError> {
        let life = instance.life;
        let (kind, decimals, holding) = match &instance.instance.executable {
            ContractExecutable::StellarAsset => {
                let nothing = ScMap::default();
                let storage = instance.instance.storage.as_ref().unwrap_or(&nothing);
                let kind = match asset_of(storage)? {
                    None => TokenKind::Native,
                    Some(asset) => TokenKind::Asset {
                        issuer: self.issuer(&asset).await?,
                        asset,
                    },
                };
                let holding = held(&kind, entries, balance_key)?;
                (kind, decimals_of(storage)?, holding)
            }
            // The rules of every other contract are in its code.
            executable => {
                let code = match executable {
                    ContractExecutable::Wasm(hash) => Some(CodeHash(hash.0)),
                    _ => None,
                };
                let decimals = view(self.client, contract, "decimals", Vec::new()).await?;
                let holder = ScVal::Address(sc_address(Recipient::Contract(escrow.0)));
                let balance = view(self.client, contract, "balance", vec![holder]).await?;
                let holding = Holding {
                    balance: returned("balance", &balance)?,
                    authorised: true,
                    life: None,
                };
                (
                    TokenKind::Other { code },
                    returned("decimals", &decimals)?,
                    holding,
                )
            }
        };
        if decimals > MOST_DECIMALS {
            return Err(EscrowError::TokenPrecision {
                token: contract,
                decimals,
                most: MOST_DECIMALS,
            });
        }
        let token = Token {
            contract,
            kind,
            decimals,
            life,
        };
        Ok((token, holding))
    }

    async fn issuer(&mut self, asset: &CreditAsset) -> Result<Option<IssuerFlags>, EscrowError> {
        let key = keys::account(asset.issuer);
        let entries = self.read([key.clone()]).await?;
        Ok(entries.get(&key).and_then(|entry| match &entry.data {
            LedgerEntryData::Account(account) => Some(IssuerFlags::of(account.flags)),
            _ => None,
        }))
    }
}

/// What the escrow holds of an asset. Without an entry it may hold it unless its issuer wants to
/// authorise holders first.
fn held(kind: &TokenKind, entries: &Entries, key: &LedgerKey) -> Result<Holding, Malformed> {
    let Some(value) = value_of(entries, key) else {
        let authorised = match kind {
            TokenKind::Asset { issuer, .. } => issuer.is_some_and(|flags| !flags.auth_required),
            TokenKind::Native | TokenKind::Other { .. } => true,
        };
        return Ok(Holding {
            balance: 0,
            authorised,
            life: None,
        });
    };
    let balance = SacBalance::parse(value)?;
    Ok(Holding {
        balance: balance.amount,
        authorised: balance.authorised,
        life: entries.get(key).map(|entry| entry.life),
    })
}
