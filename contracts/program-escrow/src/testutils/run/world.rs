//! The contract on the SDK's host with a classic asset's contract, spoken to in plain values.

use std::boxed::Box;
use std::collections::BTreeMap;
use std::vec::Vec;

use soroban_sdk::testutils::{
    Address as _, EnvTestConfig, Events, IssuerFlags, Ledger, MockAuth, MockAuthInvoke,
    StellarAssetContract,
};
use soroban_sdk::token::{StellarAssetClient, TokenClient};
use soroban_sdk::xdr::{
    ContractDataDurability, ContractEventBody, LedgerEntryData, LedgerKey, Limits, ScAddress,
    ScMap, ScMapEntry, ScString, ScVal, ScVec, WriteXdr,
};
use soroban_sdk::{
    Address, Bytes, Env, IntoVal, InvokeError, Map, String, Symbol, TryFromVal, Val, symbol_short,
    vec,
};
use stellar_access::ownable::OwnableStorageKey;

use crate::contract::ProgramEscrow;
use crate::storage::DataKey;
use crate::testutils::choices::{Key, Person, Start};
use crate::testutils::command::{Call, Command};
use crate::testutils::model::{
    LEDGER, MAX_TTL, MIN_PERSISTENT_TTL, MIN_TEMPORARY_TTL, OLD_BALANCE, OLD_TOTAL, PROGRAM_ID,
    START, WEALTH,
};
use crate::testutils::value::{Commitment, Event, Refusal, Value};

/// A lasting entry of the escrow.
pub(super) struct Entry {
    pub(super) key: ScVal,
    pub(super) value: ScVal,
    pub(super) live_until: u32,
}

impl Entry {
    /// Whether this is a record of namespace 1.
    pub(super) fn is_record(&self) -> bool {
        matches!(&self.key, ScVal::Vec(Some(parts))
            if matches!(parts.as_slice(), [ScVal::Symbol(name), ScVal::Bytes(_)]
                if name.0.as_slice() == b"IdempotencyKey"))
    }
}

/// An event on the wire: name, further topics, data.
pub(super) type Seen = (ScVal, Vec<ScVal>, ScVal);

pub(super) struct World {
    env: Env,
    escrow: Address,
    asset: StellarAssetContract,
    people: BTreeMap<Person, Address>,
}

impl World {
    pub(super) fn new(start: Start) -> Self {
        let env = Env::new_with_config(EnvTestConfig {
            capture_snapshot_at_drop: false,
        });
        env.ledger().with_mut(|ledger| {
            ledger.timestamp = START;
            ledger.sequence_number = LEDGER;
            ledger.min_temp_entry_ttl = MIN_TEMPORARY_TTL;
            ledger.min_persistent_entry_ttl = MIN_PERSISTENT_TTL;
            ledger.max_entry_ttl = MAX_TTL;
        });
        env.cost_estimate().budget().reset_unlimited();
        let asset = env.register_stellar_asset_contract_v2(Address::generate(&env));
        asset.issuer().set_flag(IssuerFlags::RevocableFlag);
        asset.issuer().set_flag(IssuerFlags::ClawbackEnabledFlag);
        let mut people: BTreeMap<_, _> = Person::ALL
            .iter()
            .map(|who| (*who, Address::generate(&env)))
            .collect();
        people.insert(Person::Token, asset.address());
        people.insert(Person::Issuer, asset.issuer().address());
        let escrow = env.register(
            ProgramEscrow,
            (
                people[&Person::Admin].clone(),
                String::from_str(&env, PROGRAM_ID),
                people[&Person::PayoutKey].clone(),
                asset.address(),
            ),
        );
        people.insert(Person::Escrow, escrow.clone());
        let world = Self {
            env,
            escrow,
            asset,
            people,
        };
        world.mint(Person::Sponsor, WEALTH);
        if matches!(start, Start::Old | Start::Migrated | Start::OldBroken) {
            world.make_old(start != Start::OldBroken);
        }
        world
    }

    /// Makes the instance one that the earlier layout has written.
    fn make_old(&self, whole: bool) {
        let env = &self.env;
        let text = |key: Key| String::from_str(env, &key.text());
        self.env.as_contract(&self.escrow, || {
            let instance = env.storage().instance();
            instance.remove(&DataKey::EscrowProgram);
            instance.remove(&DataKey::EscrowBrakes);
            instance.remove(&OwnableStorageKey::Owner);
            let admin = &self.people[&Person::Admin];
            instance.set(&(symbol_short!("Admin"),), admin);
            let mut old: Map<Symbol, Val> = Map::new(env);
            let mut put = |name: &str, value: Val| old.set(Symbol::new(env, name), value);
            let payout_key = &self.people[&Person::PayoutKey];
            put(
                "program_id",
                String::from_str(env, PROGRAM_ID).into_val(env),
            );
            put("authorized_payout_key", payout_key.into_val(env));
            put("token_address", self.asset.address().into_val(env));
            put("total_funds", OLD_TOTAL.into_val(env));
            put("payout_history", vec![env, 200i128, 100i128].into_val(env));
            if whole {
                put("remaining_balance", OLD_BALANCE.into_val(env));
            }
            instance.set(&symbol_short!("ProgData"), &old);
            let shared = Symbol::new(env, "IdempotencyKey");
            instance.set(&(shared, text(Key::OldInstance)), &true);

            let persistent = env.storage().persistent();
            let single = Symbol::new(env, "PayoutIdempotency");
            for key in [Key::OldSingle, Key::OldLongSingle, Key::OldTwice] {
                persistent.set(&(single.clone(), text(key)), &true);
            }
            let batch = [Key::OldBatch, Key::OldTwice, Key::OldInvalid].map(text);
            let batch = soroban_sdk::Vec::from_array(env, batch);
            persistent.set(&symbol_short!("PayIdem"), &batch);
        });
        self.mint(Person::Escrow, OLD_BALANCE);
    }

    fn mint(&self, to: Person, amount: i128) {
        self.env.mock_all_auths();
        let token = StellarAssetClient::new(&self.env, &self.asset.address());
        // What the token refuses shows in the balances.
        let _ = token.try_mint(&self.people[&to], &amount);
    }

    /// What the world around does.
    pub(super) fn happen(&self, command: &Command) {
        self.env.cost_estimate().budget().reset_unlimited();
        let token = StellarAssetClient::new(&self.env, &self.asset.address());
        let freeze = |who: Person, on: bool| {
            self.env.mock_all_auths();
            token.set_authorized(&self.people[&who], &!on);
        };
        match command {
            Command::Pass(wait) => {
                let (seconds, ledgers) = wait.passes();
                self.env.ledger().with_mut(|ledger| {
                    ledger.timestamp += seconds;
                    ledger.sequence_number += ledgers;
                });
            }
            // The issuer has no balance: it makes what it pays.
            Command::Mint(Person::Issuer, _) | Command::Clawback(Person::Issuer, _) => {}
            Command::Mint(to, amount) => self.mint(*to, amount.units()),
            Command::Clawback(from, amount) => {
                self.env.mock_all_auths();
                let _ = token.try_clawback(&self.people[from], &amount.units());
            }
            Command::Freeze(who, _) if who.0 == Person::Issuer => {}
            Command::Freeze(who, on) => freeze(who.0, *on),
            Command::FreezeEscrow(on) => freeze(Person::Escrow, *on),
            _ => unreachable!("a call: {command:?}"),
        }
    }

    /// A call of the escrow, signed by at most one person, for exactly these arguments.
    pub(super) fn call(
        &self,
        (name, args): &Call,
        signer: Option<Person>,
    ) -> Result<ScVal, Refusal> {
        let env = &self.env;
        let mut vals = soroban_sdk::Vec::<Val>::new(env);
        for arg in args {
            vals.push_back(Val::try_from_val(env, &self.scval(arg)).expect("a value"));
        }
        env.set_auths(&[]);
        if let Some(signer) = signer {
            self.sign(&self.people[&signer], name, &vals);
        }
        env.cost_estimate().budget().reset_unlimited();
        match env.try_invoke_contract::<Val, InvokeError>(
            &self.escrow,
            &Symbol::new(env, name),
            vals,
        ) {
            Ok(answer) => Ok(ScVal::try_from_val(env, &answer.expect("a value")).expect("XDR")),
            Err(Ok(InvokeError::Contract(code)) | Err(InvokeError::Contract(code))) => {
                Err(Refusal::Typed(code))
            }
            Err(_) => Err(Refusal::Host),
        }
    }

    fn sign(&self, signer: &Address, name: &str, args: &soroban_sdk::Vec<Val>) {
        let token = self.asset.address();
        let transfer;
        let inside: &[MockAuthInvoke] = if name == "lock_program_funds" {
            let (from, amount) = (args.get_unchecked(0), args.get_unchecked(1));
            transfer = [MockAuthInvoke {
                contract: &token,
                fn_name: "transfer",
                args: vec![&self.env, from, self.escrow.to_val(), amount],
                sub_invokes: &[],
            }];
            &transfer
        } else {
            &[]
        };
        self.env.mock_auths(&[MockAuth {
            address: signer,
            invoke: &MockAuthInvoke {
                contract: &self.escrow,
                fn_name: name,
                args: args.clone(),
                sub_invokes: inside,
            },
        }]);
    }

    /// Whose signatures the last call used.
    pub(super) fn signers(&self) -> Vec<Person> {
        let who = |address: &Address| {
            let found = self.people.iter().find(|(_, it)| *it == address);
            *found.expect("somebody known").0
        };
        self.env.auths().iter().map(|(it, _)| who(it)).collect()
    }

    pub(super) fn balance(&self, of: Person) -> i128 {
        TokenClient::new(&self.env, &self.asset.address()).balance(&self.people[&of])
    }

    /// The escrow's events of the last call.
    pub(super) fn events(&self) -> Vec<Seen> {
        let events = self.env.events().all().filter_by_contract(&self.escrow);
        let seen = |body: &ContractEventBody| {
            let ContractEventBody::V0(body) = body;
            let (name, topics) = body.topics.split_first().expect("a name");
            (name.clone(), topics.to_vec(), body.data.clone())
        };
        events.events().iter().map(|it| seen(&it.body)).collect()
    }

    /// An event as it should be seen.
    pub(super) fn event(&self, event: &Event) -> Seen {
        let topics = event.topics.iter().map(|it| self.scval(it)).collect();
        let data = self.scval(&Value::Struct(event.data.clone()));
        (symbol(event.name), topics, data)
    }

    /// The escrow's own lasting entries: instance, records, delegates, legacy data.
    pub(super) fn storage(&self) -> Vec<Entry> {
        let escrow: ScAddress = (&self.escrow).into();
        let entries = self.env.to_ledger_snapshot().ledger_entries;
        let own = |(key, (entry, live_until)): (Box<LedgerKey>, (Box<_>, Option<u32>))| {
            let entry: soroban_sdk::xdr::LedgerEntry = *entry;
            match (*key, entry.data) {
                (LedgerKey::ContractData(key), LedgerEntryData::ContractData(data))
                    if key.contract == escrow
                        && key.durability == ContractDataDurability::Persistent =>
                {
                    Some(Entry {
                        key: key.key,
                        value: data.val,
                        live_until: live_until.expect("it lives until a ledger"),
                    })
                }
                _ => None,
            }
        };
        entries.into_iter().filter_map(own).collect()
    }

    /// A value on the wire.
    pub(super) fn scval(&self, value: &Value) -> ScVal {
        match value {
            Value::Void => ScVal::Void,
            Value::Bool(it) => ScVal::Bool(*it),
            Value::U32(it) => ScVal::U32(*it),
            Value::U64(it) => ScVal::U64(*it),
            Value::I128(it) => (*it).into(),
            Value::Text(it) => ScVal::String(ScString(it.as_str().try_into().expect("short"))),
            Value::Person(it) => ScVal::Address((&self.people[it]).into()),
            Value::Reference(it) => ScVal::Bytes([*it; 16].to_vec().try_into().expect("short")),
            Value::Fingerprint(it) => {
                let hash = it.as_ref().map_or([0; 32], |it| self.fingerprint(it));
                ScVal::Bytes(hash.to_vec().try_into().expect("short"))
            }
            Value::List(it) => list(it.iter().map(|it| self.scval(it)).collect()),
            Value::Struct(fields) => {
                let mut entries: Vec<_> = fields
                    .iter()
                    .map(|(name, value)| ScMapEntry {
                        key: symbol(name),
                        val: self.scval(value),
                    })
                    .collect();
                entries.sort_by(|a, b| a.key.cmp(&b.key));
                ScVal::Map(Some(ScMap(entries.try_into().expect("short"))))
            }
        }
    }

    /// As a client computes it: SHA-256 over the XDR of a vector of what is paid to whom.
    fn fingerprint(&self, commitment: &Commitment) -> [u8; 32] {
        let amounts = commitment
            .amounts
            .iter()
            .copied()
            .map(Value::I128)
            .collect();
        let mut parts = Vec::from([
            symbol("payout"),
            self.scval(&Value::people(&commitment.recipients)),
            self.scval(&Value::List(amounts)),
        ]);
        if let Some(references) = &commitment.references {
            let references = references.iter().copied().map(Value::Reference).collect();
            parts.push(self.scval(&Value::List(references)));
        }
        let xdr = list(parts).to_xdr(Limits::none()).expect("XDR");
        let bytes = Bytes::from_slice(&self.env, &xdr);
        self.env.crypto().sha256(&bytes).to_array()
    }
}

fn symbol(name: &str) -> ScVal {
    ScVal::Symbol(name.try_into().expect("short"))
}

fn list(parts: Vec<ScVal>) -> ScVal {
    ScVal::Vec(Some(ScVec(parts.try_into().expect("short"))))
}
