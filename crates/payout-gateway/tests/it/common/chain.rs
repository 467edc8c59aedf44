//! The contract on a local ledger, with recipients that can be paid.

use localnet::xdr::{ScString, ScVal};
use localnet::{Config, Localnet};

use super::ledger::escrow::{Escrow, field};
use super::ledger::{Account, Net, build, token};

pub(crate) struct Chain {
    pub(crate) escrow: Escrow,
    pub(crate) recipients: Vec<Account>,
}

pub(crate) const PROGRAM: &str = "hackathon-2026";

impl Chain {
    /// Ledgers close inside `sendTransaction`.
    pub(crate) async fn at_once(recipients: usize) -> Self {
        Self::on(Config::default(), recipients).await
    }

    /// On a network of its own kind, whose ledgers close inside `sendTransaction` as well.
    pub(crate) async fn on(config: Config, recipients: usize) -> Self {
        tokio::task::spawn_blocking(move || {
            let escrow = Escrow::new(Net::start(config));
            let recipients = escrow.recipients(recipients);
            Self { escrow, recipients }
        })
        .await
        .expect("a chain")
    }

    /// From now on a ledger closes four times a second, whether there is something in it or not, until
    /// the test ends.
    pub(crate) fn keep_closing(&self) {
        let close = format!("{}/localnet/close", self.url());
        tokio::spawn(async move {
            let http = reqwest::Client::new();
            loop {
                tokio::time::sleep(std::time::Duration::from_millis(250)).await;
                let _ = http.post(&close).json(&serde_json::json!({})).send().await;
            }
        });
    }

    pub(crate) fn localnet(&self) -> &Localnet {
        &self.escrow.net.localnet
    }

    pub(crate) fn url(&self) -> String {
        self.escrow.net.client.url.clone()
    }

    pub(crate) fn contract(&self) -> String {
        stellar_xdr_contract(&self.escrow.contract)
    }

    pub(crate) fn passphrase(&self) -> String {
        self.localnet().network().passphrase().to_owned()
    }

    pub(crate) fn payout_seed(&self) -> [u8; 32] {
        self.escrow.admin.key.to_bytes()
    }

    /// Channel accounts with lumens.
    pub(crate) async fn lanes(&self, count: usize) -> Vec<[u8; 32]> {
        let client = self.escrow.net.client.clone();
        tokio::task::spawn_blocking(move || {
            (0..count)
                .map(|number| {
                    let account = Account::named(&format!("lane {number}"));
                    let (status, body) = client.friendbot(&account.address());
                    assert!(status == 200 || body.contains("already funded"), "{body}");
                    account.key.to_bytes()
                })
                .collect()
        })
        .await
        .expect("lanes")
    }

    /// A view of the contract.
    pub(crate) fn view(&self, function: &str, args: Vec<ScVal>) -> ScVal {
        let admin = &self.escrow.admin;
        let raw = build::unsigned(build::transaction(
            &self.escrow.net.client,
            admin,
            vec![self.escrow.call(function, args)],
        ));
        self.escrow.net.client.simulate(&raw).value()
    }

    pub(crate) fn payout_count(&self) -> u64 {
        match field(&self.view("get_program", vec![]), "payout_count") {
            ScVal::U64(count) => count,
            other => panic!("a count: {other:?}"),
        }
    }

    pub(crate) fn paid(&self) -> i128 {
        number(&field(&self.view("get_program", vec![]), "total_paid"))
    }

    /// What an account has of the token.
    pub(crate) fn balance(&self, account: &Account) -> i128 {
        let call = token::call(&self.escrow.token, "balance", vec![token::address(account)]);
        let raw = build::unsigned(build::transaction(
            &self.escrow.net.client,
            &self.escrow.admin,
            vec![call],
        ));
        number(&self.escrow.net.client.simulate(&raw).value())
    }

    /// Whether the contract has voided or used a key: the record's kind.
    pub(crate) fn record_kind(&self, key: &str) -> Option<u32> {
        let key = ScVal::String(ScString(key.try_into().expect("a key")));
        match self.view("get_idempotency_record", vec![key]) {
            ScVal::Void => None,
            record => match field(&record, "kind") {
                ScVal::U32(kind) => Some(kind),
                other => panic!("a kind: {other:?}"),
            },
        }
    }
}

fn number(value: &ScVal) -> i128 {
    match value {
        ScVal::I128(parts) => (i128::from(parts.hi) << 64) | i128::from(parts.lo),
        other => panic!("a number: {other:?}"),
    }
}

fn stellar_xdr_contract(id: &localnet::xdr::ContractId) -> String {
    payout_keys::ContractId(id.0.0).to_string()
}
