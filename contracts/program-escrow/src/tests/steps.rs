//! Steps that many tests take, each signed by whoever may take it, and the agreed tables of calls.

use soroban_sdk::token::StellarAssetClient;
use soroban_sdk::{Address, BytesN, Env, TryFromVal, Val, Vec, vec};

use super::setup::{Caller, FUNDS, Refusal, World, args};
use crate::error::Error;
use crate::types::{Delegate, OutflowLimit, PauseFlags};

/// Name and arguments of a call.
pub(crate) type Call = (&'static str, Vec<Val>);

impl World {
    pub(crate) fn publish(&self) {
        self.by(&self.admin)
            .ok::<()>("publish_program", args![self]);
    }

    pub(crate) fn close(&self) {
        self.by(&self.admin).ok::<()>("close_program", args![self]);
    }

    /// A program that holds [`FUNDS`] and was closed.
    pub(crate) fn closed() -> Self {
        let world = Self::active();
        world.close();
        world
    }

    /// A program in Draft that holds [`FUNDS`].
    pub(crate) fn funded_draft() -> Self {
        let world = Self::draft();
        world.fund(FUNDS);
        world
    }

    /// A new delegate with this allowance, for so many seconds.
    pub(crate) fn delegate(&self, allowance: i128, seconds: u64) -> Address {
        let delegate = self.address();
        self.set_delegate(&delegate, allowance, self.now() + seconds);
        delegate
    }

    pub(crate) fn set_delegate(&self, delegate: &Address, allowance: i128, expires_at: u64) {
        self.by(&self.admin)
            .ok::<()>("set_delegate", args![self, delegate, allowance, expires_at]);
    }

    /// A delegate whose time is over.
    pub(crate) fn expired_delegate(&self) -> Address {
        let delegate = self.delegate(FUNDS, 1);
        self.later(1);
        delegate
    }

    pub(crate) fn stored_delegate(&self, delegate: &Address) -> Option<Delegate> {
        self.client().get_delegate(delegate)
    }

    /// Makes `self.guardian` the guardian.
    pub(crate) fn appoint_guardian(&self) {
        self.by(&self.admin)
            .ok::<()>("set_guardian", args![self, Some(self.guardian.clone())]);
    }

    pub(crate) fn pause(&self, lock: bool, payout: bool) {
        self.by(&self.admin).ok::<()>(
            "pause",
            args![
                self,
                self.admin,
                PauseFlags { lock, payout },
                self.text("why")
            ],
        );
    }

    pub(crate) fn unpause(&self, lock: bool, payout: bool) {
        self.by(&self.admin)
            .ok::<()>("unpause", args![self, PauseFlags { lock, payout }]);
    }

    pub(crate) fn trip(&self) {
        self.by(&self.admin).ok::<()>(
            "trip_circuit_breaker",
            args![self, self.admin, self.text("why")],
        );
    }

    pub(crate) fn reset(&self) {
        self.by(&self.admin)
            .ok::<()>("reset_circuit_breaker", args![self]);
    }

    pub(crate) fn limit(&self, capacity: i128, refill_per_second: i128, max_payout: i128) {
        let limit = OutflowLimit {
            capacity,
            refill_per_second,
            max_payout,
        };
        self.by(&self.admin)
            .ok::<()>("set_outflow_limit", args![self, Some(limit)]);
    }

    /// What the outflow limit lets through now.
    pub(crate) fn available(&self) -> Option<i128> {
        self.client().get_circuit_breaker().available
    }

    /// Voids as the payout key.
    pub(crate) fn void(&self, key: &str) {
        self.by(&self.payout_key).ok::<()>(
            "void_idempotency_key",
            args![self, self.payout_key, self.text(key)],
        );
    }

    pub(crate) fn import(&self, keys: &[&str]) {
        self.by(&self.admin)
            .ok::<()>("import_consumed_keys", args![self, self.texts(keys)]);
    }

    pub(crate) fn texts(&self, texts: &[&str]) -> Vec<soroban_sdk::String> {
        let mut all = Vec::new(&self.env);
        for text in texts {
            all.push_back(self.text(text));
        }
        all
    }

    pub(crate) fn processed(&self, key: &str) -> bool {
        self.client().is_payout_processed(&self.text(key))
    }

    /// Neither view knows the key.
    pub(crate) fn assert_unused(&self, key: &str) {
        assert!(!self.processed(key), "{key} is processed");
        assert_eq!(self.record(key), None);
    }

    /// The books balance, and the tokens are here.
    pub(crate) fn assert_books(&self) {
        let program = self.program();
        assert_eq!(
            program.total_locked,
            program.total_paid + program.total_withdrawn + program.remaining_balance
        );
        assert!(self.balance(&self.id) >= program.remaining_balance);
    }

    pub(crate) fn references(&self, count: u32) -> Vec<BytesN<16>> {
        let mut references = Vec::new(&self.env);
        for row in 0..count {
            let mut reference = [0; 16];
            reference[12..].copy_from_slice(&row.to_be_bytes());
            references.push_back(BytesN::from_array(&self.env, &reference));
        }
        references
    }

    /// The three payouts that name a caller: this one pays `amount` to `recipient`.
    pub(crate) fn payouts_by(
        &self,
        caller: &Address,
        key: &str,
        recipient: &Address,
        amount: i128,
    ) -> [Call; 3] {
        let key = self.text(key);
        let recipients = vec![&self.env, recipient.clone()];
        let amounts = self.amounts(&[amount]);
        [
            (
                "single_payout_idempotent_by",
                args![self, key, caller, recipient, amount],
            ),
            (
                "batch_payout_idempotent_by",
                args![self, key, caller, recipients, amounts],
            ),
            (
                "batch_payout_with_references",
                args![self, key, caller, recipients, amounts, self.references(1)],
            ),
        ]
    }

    /// All five payouts, by the payout key.
    pub(crate) fn payouts(&self, key: &str, recipient: &Address, amount: i128) -> [Call; 5] {
        let text = self.text(key);
        let recipients = vec![&self.env, recipient.clone()];
        let [single, batch, references] = self.payouts_by(&self.payout_key, key, recipient, amount);
        [
            (
                "single_payout_idempotent",
                args![self, text, recipient, amount],
            ),
            (
                "batch_payout_idempotent",
                args![self, text, recipients, self.amounts(&[amount])],
            ),
            single,
            batch,
            references,
        ]
    }
}

impl World {
    /// A lock, signed as it has to be, that is refused with this error and changes nothing.
    pub(crate) fn lock_refused(&self, from: &Address, amount: i128, error: Error) {
        // The mocked signer's own entry.
        self.mock(from, &self.id, "get_program", args![self], &[]);
        let before = self.ledger();
        let answer = self.lock(from, amount);
        assert_eq!(answer, Err(Refusal::Typed(error as u32)));
        assert!(self.events().is_empty());
        assert!(before == self.ledger(), "a refused lock changed the ledger");
    }

    /// The issuer allows or freezes a balance; it needs the flag for it.
    pub(crate) fn issuer_sets_authorized(&self, of: &Address, authorized: bool) {
        let token = self.asset.address();
        let args = args![self, of, authorized];
        self.mock(&self.token_admin, &token, "set_authorized", args, &[]);
        StellarAssetClient::new(&self.env, &token).set_authorized(of, &authorized);
    }

    /// The issuer takes tokens away; the balance has to be there under its flag for it.
    pub(crate) fn issuer_claws_back(&self, from: &Address, amount: i128) {
        let token = self.asset.address();
        let args = args![self, from, amount];
        self.mock(&self.token_admin, &token, "clawback", args, &[]);
        StellarAssetClient::new(&self.env, &token).clawback(from, &amount);
    }
}

impl Caller<'_> {
    /// A call that the host refuses, although this caller signed another one.
    pub(crate) fn refused_having_signed(
        &self,
        (signed, signed_args): (&str, &Vec<Val>),
        name: &str,
        args: &Vec<Val>,
    ) {
        self.sign(signed, signed_args);
        self.expect(name, args.clone(), &Refusal::Host);
    }

    /// A call that succeeds and changes nothing; it may emit.
    pub(crate) fn ok_unchanged<T: TryFromVal<Env, Val>>(&self, name: &str, args: Vec<Val>) -> T {
        // The mocked signer's own entry.
        self.sign(name, &args);
        let before = self.world.ledger();
        let value = self.ok(name, args);
        assert!(before == self.world.ledger(), "{name} changed the ledger");
        value
    }
}
