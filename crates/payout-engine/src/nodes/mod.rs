//! The network port on nodes that speak Stellar RPC.
//!
//! Several nodes may be given. One is asked until it fails or lags, then the next; a final "not paid"
//! asks two. Whether they are independent, who lists them knows.

mod landed;

use std::cell::Cell;

use payout_keys::{ContractId, IdempotencyKey, Recipient};
use stellar_xdr::{LedgerEntryData, Limits, ReadXdr, TransactionEnvelope, WriteXdr};

use crate::envelope::{EnvelopeError, draft, intent_call, record_call, view};
use crate::journal::Intent;
use crate::ledger::keys;
use crate::ports::{Landed, Network, Rehearsal, Unanswered};
use crate::protocol::{Bid, Fate, SendAnswer, Signed, TxHash};
use crate::record::{Moment, NodeId, View};
use crate::rpc::{
    Client, LIMITS, Records, RpcError, Simulated, fate, market, refusal, send_answer, simulation,
};

/// Further looks at a lane's sequence number at once, where a node is behind.
const LANE_LOOKS: u8 = 2;

/// Nodes of one network, and the contract that is paid from.
#[derive(Debug)]
pub struct Nodes {
    clients: Vec<Client>,
    current: Cell<usize>,
    contract: ContractId,
    caller: Recipient,
    lane: Recipient,
}

impl Nodes {
    /// `first` and then `others` are asked. `caller` authorises payouts, and `lane` carries them.
    #[must_use]
    pub fn new(
        first: Client,
        others: Vec<Client>,
        contract: ContractId,
        caller: Recipient,
        lane: Recipient,
    ) -> Self {
        let clients = std::iter::once(first).chain(others).collect();
        Self {
            clients,
            current: Cell::new(0),
            contract,
            caller,
            lane,
        }
    }

    /// Every node.
    #[must_use]
    pub fn clients(&self) -> &[Client] {
        &self.clients
    }

    /// The one that is asked now.
    #[must_use]
    pub fn client(&self) -> &Client {
        let at = self.current.get() % self.clients.len().max(1);
        // There is at least one, and `at` is below their number.
        &self.clients[at]
    }

    /// The contract that is paid from.
    #[must_use]
    pub fn contract(&self) -> ContractId {
        self.contract
    }

    fn next(&self) {
        self.current
            .set((self.current.get() + 1) % self.clients.len().max(1));
    }

    /// `answer`, and the next node from now on if it is none.
    fn asked<T>(&self, answer: Result<T, RpcError>) -> Result<T, Unanswered> {
        answer.map_err(|error| {
            self.next();
            Unanswered(error.to_string())
        })
    }

    async fn look(&self, client: &Client, key: &IdempotencyKey) -> Result<View, RpcError> {
        let clock = client.clock().await?;
        let call = record_call(self.contract, key).map_err(|error| unreadable(&error))?;
        let draft = draft(self.lane, 1, call).map_err(|error| unreadable(&error))?;
        let simulated = client.simulate(&draft).await?;
        view(client.node(), clock, &simulated)
    }

    async fn rehearse(&self, client: &Client, intent: &Intent) -> Result<Rehearsal, RpcError> {
        let clock = client.clock().await?;
        let bid = market(&client.fee_stats().await?);
        let call =
            intent_call(self.contract, self.caller, intent).map_err(|error| unreadable(&error))?;
        let draft = draft(self.lane, 1, call).map_err(|error| unreadable(&error))?;
        Ok(match client.simulate(&draft).await? {
            Simulated::Refused {
                error,
                latest_ledger,
            } => Rehearsal::Refused(refusal(&error, latest_ledger)),
            Simulated::Success(success) => {
                Rehearsal::Passed(simulation(&success, clock, client.node(), bid)?)
            }
        })
    }
}

fn unreadable(error: &EnvelopeError) -> RpcError {
    RpcError::Unreadable {
        method: "simulateTransaction",
        why: error.to_string(),
    }
}

impl Network for Nodes {
    async fn clock(&self) -> Result<Moment, Unanswered> {
        let clock = self.client().clock().await;
        self.asked(clock)
    }

    async fn record(
        &self,
        key: &IdempotencyKey,
        min_ledger: u32,
        not_from: Option<NodeId>,
    ) -> Result<View, Unanswered> {
        for _ in &self.clients {
            if not_from != Some(self.client().node()) {
                break;
            }
            self.next();
        }
        let looked = self.look(self.client(), key).await;
        let view = self.asked(looked)?;
        if view.record.is_none() && view.at.ledger < min_ledger {
            self.next();
        }
        Ok(view)
    }

    async fn records(&self, keys: &[IdempotencyKey]) -> Result<Records, Unanswered> {
        let records = self.client().records(self.contract, keys).await;
        self.asked(records)
    }

    async fn simulate(&self, intent: &Intent) -> Result<Rehearsal, Unanswered> {
        let rehearsed = self.rehearse(self.client(), intent).await;
        self.asked(rehearsed)
    }

    async fn sequence(&self, account: Recipient, min_ledger: u32) -> Result<i64, Unanswered> {
        let Recipient::Account(bytes) = account else {
            let why = format!("{account} is not an account; a lane is an account (G…)");
            return Err(Unanswered(why));
        };
        let key = keys::account(bytes)
            .to_xdr_base64(Limits::none())
            .map_err(|error| Unanswered(error.to_string()))?;
        let keys = [key];
        let mut read = self.asked(self.client().ledger_entries(&keys).await)?;
        // An address may stand for several nodes, of which some lag. Without this, a round of calls that
        // is always as long could come to the same one for ever.
        for _ in 0..LANE_LOOKS {
            if read.latest_ledger >= min_ledger {
                break;
            }
            self.next();
            read = self.asked(self.client().ledger_entries(&keys).await)?;
        }
        if read.latest_ledger < min_ledger {
            self.next();
            let at = read.latest_ledger;
            let why = format!("a node is at ledger {at}, and ledger {min_ledger} is known");
            return Err(Unanswered(why));
        }
        let Some(entry) = read.entries.first() else {
            let at = read.latest_ledger;
            let why = format!("account {account} does not exist as of ledger {at}; fund it");
            return Err(Unanswered(why));
        };
        match LedgerEntryData::from_xdr_base64(&entry.xdr, LIMITS) {
            Ok(LedgerEntryData::Account(account)) => Ok(account.seq_num.0),
            Ok(_) => Err(Unanswered("the node answered another entry".to_owned())),
            Err(error) => Err(Unanswered(error.to_string())),
        }
    }

    async fn send(&self, signed: &Signed) -> Result<SendAnswer, Unanswered> {
        let envelope = TransactionEnvelope::from_xdr(&signed.xdr, LIMITS)
            .and_then(|envelope| envelope.to_xdr_base64(Limits::none()))
            .map_err(|error| Unanswered(error.to_string()))?;
        let sent = self.client().send(&envelope, signed.hash).await;
        let sent = self.asked(sent)?;
        send_answer(&sent, signed).map_err(|error| Unanswered(error.to_string()))
    }

    async fn transaction(&self, hash: TxHash) -> Result<Fate, Unanswered> {
        let found = self.client().transaction(hash).await;
        let found = self.asked(found)?;
        fate(&found).map_err(|error| Unanswered(error.to_string()))
    }

    async fn fees(&self) -> Result<Bid, Unanswered> {
        let stats = self.client().fee_stats().await;
        self.asked(stats).map(|stats| market(&stats))
    }

    async fn landed(&self, key: &IdempotencyKey, ledger: u32) -> Result<Vec<Landed>, Unanswered> {
        let landed = landed::find(self.client(), self.contract, key, ledger).await;
        // A node that has forgotten answers with an error that may be of anything else, too.
        if landed.is_err()
            && let Ok(health) = self.client().health().await
            && health.oldest_ledger > ledger
        {
            self.next();
            return Ok(Vec::new());
        }
        self.asked(landed)
    }
}
