//! A program on the SDK's host, a classic asset's contract, and the people around them.

use std::vec::Vec as StdVec;

use soroban_sdk::testutils::{
    Address as _, AuthorizedFunction, AuthorizedInvocation, EnvTestConfig, Events, Ledger,
    MockAuth, MockAuthInvoke, StellarAssetContract,
};
use soroban_sdk::token::{StellarAssetClient, TokenClient};
use soroban_sdk::xdr::{
    self, ContractEventBody, LedgerEntry, LedgerEntryData, LedgerKey, ScVal, WriteXdr,
};
use soroban_sdk::{Address, Bytes, BytesN, Env, InvokeError, String, Symbol, TryFromVal, Val, Vec};

use crate::contract::{ProgramEscrow, ProgramEscrowClient};
use crate::error::Error;
use crate::types::{IdempotencyRecord, ProgramData};

/// What a program holds after [`World::active`], in stroops.
pub(crate) const FUNDS: i128 = 100_000;
/// Unix seconds of the first ledger.
pub(crate) const START: u64 = 1_790_000_000;

/// The arguments of a call, as the host sees them.
macro_rules! args {
    ($world:expr $(, $arg:expr)* $(,)?) => {{
        #[allow(unused_imports)]
        use soroban_sdk::IntoVal as _;
        let args: [soroban_sdk::Val; _] = [$( ($arg).into_val(&$world.env) ),*];
        soroban_sdk::Vec::from_array(&$world.env, args)
    }};
}
pub(crate) use args;

/// One ledger entry: key, data, live-until ledger.
type Entry = (LedgerKey, LedgerEntryData, Option<u32>);

/// A program and the people around it. All of them are different addresses.
pub(crate) struct World {
    pub(crate) env: Env,
    /// The escrow.
    pub(crate) id: Address,
    /// The asset, with its issuer's flags.
    pub(crate) asset: StellarAssetContract,
    pub(crate) token_admin: Address,
    pub(crate) admin: Address,
    pub(crate) payout_key: Address,
    pub(crate) sponsor: Address,
    pub(crate) guardian: Address,
    pub(crate) stranger: Address,
}

/// One event of the last call, decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) name: std::string::String,
    /// The topics after the name.
    pub(crate) topics: StdVec<ScVal>,
    pub(crate) data: ScVal,
}

impl Seen {
    /// A field of the data map; None where the event leaves it out.
    pub(crate) fn field<T: TryFromVal<Env, Val>>(&self, env: &Env, name: &str) -> Option<T> {
        let ScVal::Map(Some(map)) = &self.data else {
            panic!("data is not a map: {:?}", self.data)
        };
        let key: ScVal = ScVal::Symbol(name.try_into().unwrap());
        map.iter().find(|entry| entry.key == key).map(|entry| {
            let value = Val::try_from_val(env, &entry.val).unwrap();
            T::try_from_val(env, &value).ok().unwrap()
        })
    }

    /// Names of the data's fields, in wire order.
    pub(crate) fn fields(&self) -> StdVec<std::string::String> {
        let ScVal::Map(Some(map)) = &self.data else {
            panic!("data is not a map: {:?}", self.data)
        };
        map.iter()
            .map(|entry| match &entry.key {
                ScVal::Symbol(name) => name.to_utf8_string().unwrap(),
                other => panic!("not a symbol: {other:?}"),
            })
            .collect()
    }

    /// The first topic after the name, as text.
    pub(crate) fn key(&self) -> std::string::String {
        match &self.topics[0] {
            ScVal::String(text) => text.to_utf8_string().unwrap(),
            other => panic!("not a string: {other:?}"),
        }
    }
}

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// An error of the contract's own registry, or one it passed on.
    Typed(u32),
    /// The host said no: authorisation, wrong types, limits.
    Host,
}

impl World {
    /// A fresh program in Draft, deployed natively.
    pub(crate) fn draft() -> Self {
        let env = new_env();
        let asset = env.register_stellar_asset_contract_v2(Address::generate(&env));
        let token = asset.address();
        Self::with_token(env, asset, &token)
    }

    /// A program in Draft over any token.
    pub(crate) fn with_token(env: Env, asset: StellarAssetContract, token: &Address) -> Self {
        let admin = Address::generate(&env);
        let payout_key = Address::generate(&env);
        let id = env.register(
            ProgramEscrow,
            (
                admin.clone(),
                String::from_str(&env, "hackathon-2026"),
                payout_key.clone(),
                token.clone(),
            ),
        );
        let token_admin = StellarAssetClient::new(&env, &asset.address()).admin();
        Self {
            id,
            asset,
            token_admin,
            admin,
            payout_key,
            sponsor: Address::generate(&env),
            guardian: Address::generate(&env),
            stranger: Address::generate(&env),
            env,
        }
    }

    /// An active program that holds [`FUNDS`].
    pub(crate) fn active() -> Self {
        let world = Self::draft();
        world.fund(FUNDS);
        world
            .by(&world.admin)
            .ok::<()>("publish_program", args![world]);
        world
    }

    /// Gives the sponsor `amount` and locks it.
    pub(crate) fn fund(&self, amount: i128) {
        self.mint(&self.sponsor, amount);
        self.lock(&self.sponsor, amount).unwrap();
    }

    pub(crate) fn client(&self) -> ProgramEscrowClient<'_> {
        ProgramEscrowClient::new(&self.env, &self.id)
    }

    pub(crate) fn token(&self) -> TokenClient<'_> {
        TokenClient::new(&self.env, &self.client().get_program().token)
    }

    pub(crate) fn mint(&self, to: &Address, amount: i128) {
        let token = self.asset.address();
        self.mock(
            &self.token_admin,
            &token,
            "mint",
            args![self, to, amount],
            &[],
        );
        StellarAssetClient::new(&self.env, &token).mint(to, &amount);
    }

    pub(crate) fn text(&self, text: &str) -> String {
        String::from_str(&self.env, text)
    }

    pub(crate) fn address(&self) -> Address {
        Address::generate(&self.env)
    }

    pub(crate) fn addresses(&self, count: usize) -> Vec<Address> {
        let mut addresses = Vec::new(&self.env);
        for _ in 0..count {
            addresses.push_back(self.address());
        }
        addresses
    }

    pub(crate) fn amounts(&self, amounts: &[i128]) -> Vec<i128> {
        Vec::from_slice(&self.env, amounts)
    }

    pub(crate) fn program(&self) -> ProgramData {
        self.client().get_program()
    }

    pub(crate) fn record(&self, key: &str) -> Option<IdempotencyRecord> {
        self.client().get_idempotency_record(&self.text(key))
    }

    pub(crate) fn balance(&self, of: &Address) -> i128 {
        self.token().balance(of)
    }

    pub(crate) fn digest(&self, key: &str) -> BytesN<32> {
        let bytes = Bytes::from_slice(&self.env, key.as_bytes());
        self.env.crypto().sha256(&bytes).to_bytes()
    }

    /// Moves the clock, not the ledger number.
    pub(crate) fn later(&self, seconds: u64) {
        self.env
            .ledger()
            .with_mut(|ledger| ledger.timestamp += seconds);
    }

    pub(crate) fn now(&self) -> u64 {
        self.env.ledger().timestamp()
    }

    /// Whoever makes the next call, signing exactly it.
    pub(crate) fn by<'w>(&'w self, who: &'w Address) -> Caller<'w> {
        Caller {
            world: self,
            who: Some(who),
        }
    }

    /// A call that nobody signed.
    pub(crate) fn unsigned(&self) -> Caller<'_> {
        Caller {
            world: self,
            who: None,
        }
    }

    /// Locks with the sponsor's signature on the call and the token's transfer inside.
    pub(crate) fn lock(&self, from: &Address, amount: i128) -> Result<ProgramData, Refusal> {
        let token = self.client().get_program().token;
        self.mock(
            from,
            &self.id,
            "lock_program_funds",
            args![self, from, amount],
            &[MockAuthInvoke {
                contract: &token,
                fn_name: "transfer",
                args: args![self, from, self.id, amount],
                sub_invokes: &[],
            }],
        );
        self.invoke("lock_program_funds", args![self, from, amount])
    }

    /// A batch paid by the payout key.
    pub(crate) fn pay(
        &self,
        key: &str,
        recipients: &Vec<Address>,
        amounts: &[i128],
    ) -> ProgramData {
        self.by(&self.payout_key).ok(
            "batch_payout_idempotent",
            args![self, self.text(key), recipients, self.amounts(amounts)],
        )
    }

    /// A single payout by the payout key.
    pub(crate) fn pay_one(&self, key: &str, recipient: &Address, amount: i128) -> ProgramData {
        self.by(&self.payout_key).ok(
            "single_payout_idempotent",
            args![self, self.text(key), recipient, amount],
        )
    }

    /// Everything in the ledger but nonces, which the mocked signatures of successful calls leave.
    pub(crate) fn ledger(&self) -> StdVec<Entry> {
        let mut entries: StdVec<Entry> = self
            .env
            .to_ledger_snapshot()
            .ledger_entries
            .into_iter()
            .map(
                |(key, (entry, live_until)): (_, (std::boxed::Box<LedgerEntry>, _))| {
                    (*key, entry.data, live_until)
                },
            )
            .filter(|(key, _, _)| {
                !matches!(key, LedgerKey::ContractData(data)
                    if matches!(data.key, ScVal::LedgerKeyNonce(_)))
            })
            .collect();
        entries.sort_by(|a, b| a.0.cmp(&b.0));
        entries
    }

    /// The escrow's own entries: instance, records, delegates, legacy data.
    pub(crate) fn storage(&self) -> StdVec<Entry> {
        let contract = xdr::ScAddress::from(&self.id);
        self.ledger()
            .into_iter()
            .filter(|(key, _, _)| {
                matches!(key, LedgerKey::ContractData(data) if data.contract == contract)
            })
            .collect()
    }

    /// Bytes of the escrow's instance entry.
    pub(crate) fn instance_size(&self) -> usize {
        self.storage()
            .iter()
            .find_map(|(key, data, _)| match key {
                LedgerKey::ContractData(contract_data)
                    if contract_data.key == ScVal::LedgerKeyContractInstance =>
                {
                    Some(data.to_xdr(xdr::Limits::none()).unwrap().len())
                }
                _ => None,
            })
            .unwrap()
    }

    /// The escrow's events of the last call.
    pub(crate) fn events(&self) -> StdVec<Seen> {
        self.events_of(&self.id)
    }

    pub(crate) fn events_of(&self, contract: &Address) -> StdVec<Seen> {
        let events = self.env.events().all().filter_by_contract(contract);
        events
            .events()
            .iter()
            .map(|event| {
                let ContractEventBody::V0(body) = &event.body;
                let ScVal::Symbol(name) = &body.topics[0] else {
                    panic!("not a symbol: {:?}", body.topics)
                };
                Seen {
                    name: name.to_utf8_string().unwrap(),
                    topics: body.topics[1..].to_vec(),
                    data: body.data.clone(),
                }
            })
            .collect()
    }

    /// The escrow's one event of the last call, which has this name.
    pub(crate) fn event(&self, name: &str) -> Seen {
        let mut events = self.events();
        assert_eq!(events.len(), 1, "{events:?}");
        assert_eq!(events[0].name, name);
        events.remove(0)
    }

    /// Names of the escrow's events of the last call.
    pub(crate) fn event_names(&self) -> StdVec<std::string::String> {
        self.events().into_iter().map(|event| event.name).collect()
    }

    pub(crate) fn mock(
        &self,
        who: &Address,
        contract: &Address,
        fn_name: &str,
        args: Vec<Val>,
        sub_invokes: &[MockAuthInvoke],
    ) {
        self.env.mock_auths(&[MockAuth {
            address: who,
            invoke: &MockAuthInvoke {
                contract,
                fn_name,
                args,
                sub_invokes,
            },
        }]);
    }

    fn invoke<T: TryFromVal<Env, Val>>(&self, name: &str, args: Vec<Val>) -> Result<T, Refusal> {
        self.env.cost_estimate().budget().reset_unlimited();
        match self.env.try_invoke_contract::<T, InvokeError>(
            &self.id,
            &Symbol::new(&self.env, name),
            args,
        ) {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(_)) => panic!("{name} answered another type"),
            Err(Ok(InvokeError::Contract(code)) | Err(InvokeError::Contract(code))) => {
                Err(Refusal::Typed(code))
            }
            Err(_) => Err(Refusal::Host),
        }
    }
}

/// Who signs the next call.
pub(crate) struct Caller<'w> {
    pub(crate) world: &'w World,
    who: Option<&'w Address>,
}

impl Caller<'_> {
    /// Makes a call with this one signature.
    pub(crate) fn call<T: TryFromVal<Env, Val>>(
        &self,
        name: &str,
        args: Vec<Val>,
    ) -> Result<T, Refusal> {
        self.sign(name, &args);
        self.world.invoke(name, args)
    }

    /// A call that succeeds and asked for exactly this signature on exactly these arguments.
    pub(crate) fn ok<T: TryFromVal<Env, Val>>(&self, name: &str, args: Vec<Val>) -> T {
        let value = self.call(name, args.clone()).unwrap_or_else(|refusal| {
            panic!("{name} was refused: {refusal:?}");
        });
        let asked: StdVec<_> = self
            .who
            .into_iter()
            .map(|who| {
                (
                    who.clone(),
                    AuthorizedInvocation {
                        function: AuthorizedFunction::Contract((
                            self.world.id.clone(),
                            Symbol::new(&self.world.env, name),
                            args.clone(),
                        )),
                        sub_invocations: std::vec![],
                    },
                )
            })
            .collect();
        assert_eq!(self.world.env.auths(), asked, "{name}");
        value
    }

    /// A call that is refused with this error, changes nothing and emits nothing.
    pub(crate) fn refused(&self, name: &str, args: Vec<Val>, error: Error) {
        self.refused_with(name, args, &Refusal::Typed(error as u32));
    }

    /// A call that the host refuses for want of a signature; it changes nothing, emits nothing.
    pub(crate) fn refused_by_host(&self, name: &str, args: Vec<Val>) {
        self.refused_with(name, args, &Refusal::Host);
    }

    pub(crate) fn refused_with(&self, name: &str, args: Vec<Val>, refusal: &Refusal) {
        self.sign(name, &args);
        self.expect(name, args, refusal);
    }

    pub(crate) fn sign(&self, name: &str, args: &Vec<Val>) {
        match self.who {
            Some(who) => self
                .world
                .mock(who, &self.world.id, name, args.clone(), &[]),
            None => self.world.env.set_auths(&[]),
        }
    }

    /// Compares with the ledger after signing: a mocked signer gets an entry of its own.
    pub(crate) fn expect(&self, name: &str, args: Vec<Val>, refusal: &Refusal) {
        let before = self.world.ledger();
        let answer = self.world.invoke::<Val>(name, args).map(|_| ());
        assert_eq!(answer.as_ref(), Err(refusal), "{name}");
        assert!(self.world.events().is_empty(), "{name} emitted");
        assert!(before == self.world.ledger(), "{name} changed the ledger");
    }
}

/// A host without budget, with the network's limits on entries, bytes, events and key size on.
pub(crate) fn new_env() -> Env {
    let env = Env::new_with_config(EnvTestConfig {
        capture_snapshot_at_drop: false,
    });
    env.ledger().with_mut(|ledger| {
        ledger.timestamp = START;
        ledger.sequence_number = 1_000;
        // Mainnet's lifetimes, in ledgers of five seconds.
        ledger.min_temp_entry_ttl = 17_280;
        ledger.min_persistent_entry_ttl = 2_073_600;
        ledger.max_entry_ttl = 3_110_400;
    });
    env.cost_estimate().budget().reset_unlimited();
    env
}
