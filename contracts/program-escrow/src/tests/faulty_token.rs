//! A token that does not do what it says. It keeps balances and emits the token SDK's events as a
//! proper one would, but for the one fault that a test sets.

use soroban_sdk::{
    Address, Env, IntoVal, MuxedAddress, Symbol, Val, Vec, contract, contractimpl, contracttype,
    panic_with_error,
};
use soroban_token_sdk::events;

use super::setup::{FUNDS, World, args};

/// What is wrong with it. An answer is a vector of one.
#[contracttype]
#[derive(Clone)]
pub(crate) enum Fault {
    None,
    /// The n-th transfer from now on fails with this contract error.
    RefuseNth(u32, u32),
    /// The n-th transfer from now on panics.
    PanicNth(u32),
    /// A transfer answers this instead of nothing.
    Answer(Vec<Val>),
    /// A balance is answered with this.
    Balance(Vec<Val>),
    /// A balance fails with this contract error.
    BalanceFails(u32),
    /// After so many balances one is answered with this.
    LaterBalance(u32, Vec<Val>),
    /// The sender loses so much more, or less, than the amount.
    SenderFee(i128),
    /// The receiver gets so much less, or more, than the amount.
    ReceiverFee(i128),
    /// It moves nothing and says it did.
    Nothing,
    /// It calls back during the transfer, and carries on whatever the answer.
    CallBack(Address, Symbol, Vec<Val>),
    /// It calls back, and fails as the call did.
    CallBackAndFail(Address, Symbol, Vec<Val>),
}

#[contracttype]
#[derive(Clone)]
enum Key {
    Fault,
    Count,
    CalledBack,
    Balance(Address),
}

#[contract]
pub(crate) struct FaultyToken;

#[allow(unreachable_pub)] // entrypoints are `pub`
#[contractimpl]
impl FaultyToken {
    pub fn set_fault(env: Env, fault: Fault) {
        env.storage().instance().set(&Key::Fault, &fault);
        env.storage().instance().set(&Key::Count, &0u32);
        env.storage().instance().remove(&Key::CalledBack);
    }

    pub fn mint(env: Env, to: Address, amount: i128) {
        add(&env, &to, amount);
    }

    pub fn held(env: Env, of: Address) -> i128 {
        held(&env, &of)
    }

    /// Whether a call back was answered with success; None if there was none.
    pub fn called_back(env: Env) -> Option<bool> {
        env.storage().instance().get(&Key::CalledBack)
    }

    pub fn balance(env: Env, id: Address) -> Val {
        match fault(&env) {
            Fault::Balance(answer) => answer.get_unchecked(0),
            Fault::BalanceFails(code) => fail(&env, code),
            Fault::LaterBalance(good, answer) if count(&env) > good => answer.get_unchecked(0),
            _ => held(&env, &id).into_val(&env),
        }
    }

    pub fn transfer(env: Env, from: Address, to: MuxedAddress, amount: i128) -> Val {
        from.require_auth();
        let to = to.address();
        let (mut spent, mut received) = (amount, amount);
        match fault(&env) {
            Fault::RefuseNth(nth, code) if count(&env) == nth => fail(&env, code),
            Fault::PanicNth(nth) if count(&env) == nth => panic!("a bug in the token"),
            Fault::Answer(answer) => {
                moved(&env, &from, &to, amount, amount);
                return answer.get_unchecked(0);
            }
            Fault::SenderFee(fee) => spent += fee,
            Fault::ReceiverFee(fee) => received -= fee,
            Fault::Nothing => return Val::VOID.into(),
            Fault::CallBack(whom, name, args) => {
                let answer = env.try_invoke_contract::<Val, soroban_sdk::Error>(&whom, &name, args);
                env.storage()
                    .instance()
                    .set(&Key::CalledBack, &answer.is_ok());
            }
            Fault::CallBackAndFail(whom, name, args) => {
                env.invoke_contract::<Val>(&whom, &name, args);
            }
            _ => {}
        }
        moved(&env, &from, &to, spent, received);
        Val::VOID.into()
    }
}

fn fault(env: &Env) -> Fault {
    env.storage()
        .instance()
        .get(&Key::Fault)
        .unwrap_or(Fault::None)
}

/// Counts calls since the fault was set, this one included.
fn count(env: &Env) -> u32 {
    let count = 1 + env
        .storage()
        .instance()
        .get::<_, u32>(&Key::Count)
        .unwrap_or(0);
    env.storage().instance().set(&Key::Count, &count);
    count
}

fn fail(env: &Env, code: u32) -> ! {
    panic_with_error!(env, soroban_sdk::Error::from_contract_error(code))
}

fn held(env: &Env, of: &Address) -> i128 {
    let key = Key::Balance(of.clone());
    env.storage().persistent().get(&key).unwrap_or(0)
}

fn add(env: &Env, of: &Address, amount: i128) {
    let key = Key::Balance(of.clone());
    env.storage()
        .persistent()
        .set(&key, &(held(env, of) + amount));
}

fn moved(env: &Env, from: &Address, to: &Address, spent: i128, received: i128) {
    if held(env, from) < spent {
        // What a classic asset's contract answers to that.
        fail(env, 10);
    }
    add(env, from, -spent);
    add(env, to, received);
    events::TransferWithAmountOnly {
        from: from.clone(),
        to: to.clone(),
        amount: received,
    }
    .publish(env);
}

/// A program over a faulty token, and the token's client.
pub(crate) struct Faulty {
    pub(crate) world: World,
    pub(crate) token: Address,
}

impl Faulty {
    /// An active program that holds [`FUNDS`]; the sponsor holds as much.
    pub(crate) fn active() -> Self {
        let env = super::setup::new_env();
        let asset = env.register_stellar_asset_contract_v2(
            <Address as soroban_sdk::testutils::Address>::generate(&env),
        );
        let token = env.register(FaultyToken, ());
        let world = World::with_token(env, asset, &token);
        let faulty = Self { world, token };
        faulty.client().mint(&faulty.world.sponsor, &(2 * FUNDS));
        faulty.world.lock(&faulty.world.sponsor, FUNDS).unwrap();
        faulty.world.publish();
        faulty
    }

    pub(crate) fn client(&self) -> FaultyTokenClient<'_> {
        FaultyTokenClient::new(&self.world.env, &self.token)
    }

    pub(crate) fn set(&self, fault: Fault) {
        self.client().set_fault(&fault);
    }

    pub(crate) fn held(&self, of: &Address) -> i128 {
        self.client().held(of)
    }

    /// Arguments of a batch of these amounts under this key.
    pub(crate) fn batch(&self, key: &str, amounts: &[i128]) -> Vec<Val> {
        let world = &self.world;
        args![
            world,
            world.text(key),
            world.addresses(amounts.len()),
            world.amounts(amounts)
        ]
    }
}
