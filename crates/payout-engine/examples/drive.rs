//! The smallest driver of the engine, on a node that speaks Stellar RPC, with the contract deployed,
//! funded and published: pays one recipient 7 units through another account than the payout key, then
//! asks again and finds it paid.
//!
//! ```text
//! ESCROW_RPC_URL=… ESCROW_CONTRACT=C… ESCROW_PAYOUT_SECRET=S… ESCROW_LANE_SECRET=S… \
//!     ESCROW_RECIPIENT=G… cargo run -p payout-engine --example drive
//! ```

use std::time::Duration;

use payout_engine::envelope::{
    SecretKey, Signers as Keys, bump, draft, payout_call, record_call, sign, view,
};
use payout_engine::journal::{Intent, Journal};
use payout_engine::protocol::{
    Answer, Bid, Effect, Event, Input, Jitter, Obligation, Phase, Policy, Purpose, Signers, step,
};
use payout_engine::rpc::{
    Client, Options, RpcError, Simulated, fate, market, refusal, send_answer, simulation,
};
use payout_engine::{Amount, Line, NodeId, Payout};
use payout_keys::{ContractId, IdempotencyKey, NetworkId, Recipient};
use stellar_xdr::{
    AccountId, LedgerEntryData, LedgerKey, LedgerKeyAccount, Limits, PublicKey, ReadXdr, Uint256,
    WriteXdr,
};

struct Shell {
    client: Client,
    network: NetworkId,
    contract: ContractId,
    payout_key: SecretKey,
    lane: SecretKey,
    intent: Intent,
    journal: Journal,
}

fn setting(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

impl Shell {
    fn payout(&self) -> &Payout {
        self.intent.payout.as_ref().expect("a payout")
    }

    fn call(&self) -> stellar_xdr::InvokeContractArgs {
        let caller = self.payout_key.address();
        payout_call(self.contract, caller, &self.intent.key, self.payout()).expect("a call")
    }

    async fn look(&self) -> Result<Event, RpcError> {
        let clock = self.client.clock().await?;
        let call = record_call(self.contract, &self.intent.key).expect("a call");
        let draft = draft(self.lane.address(), 1, call).expect("a draft");
        let simulated = self.client.simulate(&draft).await?;
        Ok(Event::Record(view(self.client.node(), clock, &simulated)?))
    }

    async fn simulate(&self) -> Result<Event, RpcError> {
        let clock = self.client.clock().await?;
        let bid = market(&self.client.fee_stats().await?);
        let draft = draft(self.lane.address(), 1, self.call()).expect("a draft");
        match self.client.simulate(&draft).await? {
            Simulated::Refused {
                error,
                latest_ledger,
            } => Ok(Event::SimulationRefused(refusal(&error, latest_ledger))),
            Simulated::Success(success) => {
                let node = self.client.node();
                Ok(Event::Simulated(simulation(&success, clock, node, bid)?))
            }
        }
    }

    async fn sequence(&self) -> Result<i64, RpcError> {
        let account_id = AccountId(PublicKey::PublicKeyTypeEd25519(Uint256(self.lane.public())));
        let key = LedgerKey::Account(LedgerKeyAccount { account_id })
            .to_xdr_base64(Limits::none())
            .expect("xdr");
        let entries = self.client.ledger_entries(&[key]).await?;
        let entry = entries.entries.first().expect("the lane exists");
        match LedgerEntryData::from_xdr_base64(&entry.xdr, Limits::none()) {
            Ok(LedgerEntryData::Account(account)) => Ok(account.seq_num.0),
            other => panic!("an account: {other:?}"),
        }
    }

    async fn act(&mut self, effect: Effect) -> Vec<Event> {
        match effect {
            Effect::ReadRecord { .. } => {
                vec![
                    self.look()
                        .await
                        .unwrap_or_else(|error| Event::ReadFailed(error.to_string())),
                ]
            }
            Effect::ReadTransactions(hashes) => {
                let mut events = Vec::new();
                for hash in hashes {
                    if let Ok(found) = self.client.transaction(hash).await {
                        let fate = fate(&found).expect("readable");
                        events.push(Event::Transaction { hash, fate });
                    }
                }
                events
            }
            Effect::ReadFees => match self.client.fee_stats().await {
                Ok(stats) => vec![Event::Fees(market(&stats))],
                Err(_) => Vec::new(),
            },
            Effect::Simulate => vec![
                self.simulate()
                    .await
                    .unwrap_or_else(|error| Event::SimulationFailed(error.to_string())),
            ],
            Effect::ShowRestores { .. } => vec![Event::Consented],
            Effect::Store(entry) => match self.journal.store(&self.intent, &entry) {
                Ok(()) => vec![Event::Stored],
                Err(error) => vec![Event::StoreFailed(error.to_string())],
            },
            Effect::Sign(request) => {
                let last = match self.sequence().await {
                    Ok(last) => last,
                    Err(error) => return vec![Event::LaneUnread(error.to_string())],
                };
                let keys = Keys {
                    source: &self.lane,
                    caller: Some(&self.payout_key),
                };
                let signed = sign(self.network, self.call(), &request, last, keys);
                vec![Event::Signed(signed.expect("signed"))]
            }
            Effect::SignBump(request) => {
                let signed = bump(self.network, &request, &self.lane);
                vec![Event::Signed(signed.expect("signed"))]
            }
            Effect::Send(signed) => {
                use stellar_xdr::TransactionEnvelope;
                let envelope = TransactionEnvelope::from_xdr(&signed.xdr, Limits::none())
                    .and_then(|envelope| envelope.to_xdr_base64(Limits::none()))
                    .expect("xdr");
                match self.client.send(&envelope, signed.hash).await {
                    Ok(sent) => vec![Event::Answered(send_answer(&sent, &signed).expect("read"))],
                    Err(error) => vec![Event::SendFailed(error.to_string())],
                }
            }
            Effect::Wait { milliseconds } => {
                tokio::time::sleep(Duration::from_millis(milliseconds)).await;
                vec![Event::Timer]
            }
            Effect::FindReceipt { hashes, ledger } => {
                // A node that forgets or fails is asked again. Others of our transactions may have been
                // included elsewhere: one that failed, or a replay.
                for hash in hashes.into_iter().cycle().take(60) {
                    if let Ok(found) = self.client.transaction(hash).await
                        && found.ledger == ledger
                    {
                        return vec![Event::Receipt { hash, ledger }];
                    }
                }
                Vec::new()
            }
        }
    }

    async fn drive(&mut self, mut state: Obligation) -> Obligation {
        let mut events = vec![Event::Resume { max_bid: None }];
        while !events.is_empty() {
            let mut effects = Vec::new();
            for event in std::mem::take(&mut events) {
                let jitter = Jitter(0);
                let (next, more) = step(state, Input { event, jitter });
                state = next;
                effects.extend(more);
            }
            for effect in effects {
                events.extend(self.act(effect).await);
            }
        }
        state
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let client =
        Client::new(&setting("ESCROW_RPC_URL"), NodeId(0), Options::default()).expect("made");
    let mut network = client.network().await;
    for _ in 0..20 {
        if network.is_ok() {
            break;
        }
        network = client.network().await;
    }
    let network = NetworkId::from_passphrase(&network.expect("answered").passphrase);
    let secret = |name| SecretKey::from_strkey(&setting(name)).expect("a secret key");
    let line = Line {
        recipient: Recipient::new(&setting("ESCROW_RECIPIENT")).expect("an address"),
        amount: Amount::new(7).expect("positive"),
        reference: None,
    };
    let payout = Payout::new(vec![line]).expect("a payout");
    let fingerprint = payout.fingerprint();
    let mut generator = payout_keys::KeyGenerator::new();
    let key: IdempotencyKey = generator.uuid().expect("randomness");
    let mut shell = Shell {
        client,
        network,
        contract: ContractId::new(&setting("ESCROW_CONTRACT")).expect("a contract"),
        payout_key: secret("ESCROW_PAYOUT_SECRET"),
        lane: secret("ESCROW_LANE_SECRET"),
        intent: Intent {
            key: key.clone(),
            payout: Some(payout),
            slot: None,
        },
        journal: Journal::open(&folder.path().join("j.db")).expect("opened"),
    };
    let policy = Policy {
        max_bid: Bid(1_000_000),
        poll: 200,
        max_wait: 2_000,
        max_tries: 40,
        ..Policy::default()
    };
    let fresh = || {
        let purpose = Purpose::Pay(fingerprint);
        Obligation::new(key.clone(), purpose, Signers::OnlyThisJournal, policy)
    };
    let state = shell.drive(fresh()).await;
    let Answer::Paid { record, receipt } = state.answer() else {
        panic!("{:?}", state.answer())
    };
    println!("paid under {key}: {record:?}, receipt {receipt:?}");
    assert_eq!(record.fingerprint, fingerprint);
    // A receipt is found or not; the verdict does not depend on it.
    assert!(receipt.is_none_or(|(_, ledger)| ledger == record.ledger));
    assert_eq!(shell.journal.undecided().expect("read").len(), 0);

    // Asked again, with nothing remembered but the newest ledger: paid, and nothing was sent. (Without
    // that, a node that is behind may make it send once more, which the contract answers as a replay.)
    let again = shell
        .drive(fresh().restored(Vec::new(), record.ledger))
        .await;
    assert_eq!(again.phase(), Phase::Paid);
    assert!(again.envelopes().is_empty());
    println!("asked again: paid, and nothing was sent");
}
