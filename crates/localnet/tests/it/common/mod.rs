//! A small client of the public protocol, for tests: everything goes over HTTP, as a stranger's
//! client would send it.

pub(crate) mod build;
pub(crate) mod escrow;
pub(crate) mod token;

use ed25519_dalek::{Signer as _, SigningKey};
use localnet::xdr::{
    AccountId, DecoratedSignature, FeeBumpTransaction, FeeBumpTransactionEnvelope,
    FeeBumpTransactionExt, FeeBumpTransactionInnerTx, LedgerEntryData, LedgerKey, LedgerKeyAccount,
    Limits, MuxedAccount, PublicKey, ReadXdr, ScVal, Signature, SignatureHint,
    SorobanAuthorizationEntry, SorobanTransactionData, Transaction, TransactionEnvelope,
    TransactionMeta, TransactionResult, TransactionResultResult, TransactionV1Envelope, Uint256,
    VecM, WriteXdr,
};
use localnet::{Config, Localnet};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// A network with a client of it.
pub(crate) struct Net {
    pub(crate) localnet: Localnet,
    pub(crate) client: Client,
}

impl Net {
    pub(crate) fn start(config: Config) -> Self {
        let localnet = Localnet::start(config).expect("the local network starts");
        let client = Client {
            url: localnet.url(),
            network_id: localnet.network().id(),
        };
        Self { localnet, client }
    }

    /// Ledgers close inside `sendTransaction`, on a clock that only ledgers move.
    pub(crate) fn at_once() -> Self {
        Self::start(Config {
            close: localnet::CloseMode::AtOnce,
            ..Config::on_demand()
        })
    }

    pub(crate) fn on_demand() -> Self {
        Self::start(Config::on_demand())
    }

    pub(crate) fn close(&self) {
        self.localnet.close_ledgers(1).expect("the network runs");
    }

    /// An account with at least 10,000 lumens.
    pub(crate) fn account(&self, name: &str) -> Account {
        let account = Account::named(name);
        let (status, body) = self.client.friendbot(&account.address());
        assert!(status == 200 || body.contains("already funded"), "{body}");
        account
    }
}

/// A key pair made of a name.
#[derive(Clone)]
pub(crate) struct Account {
    pub(crate) key: SigningKey,
}

impl Account {
    pub(crate) fn named(name: &str) -> Self {
        Self {
            key: SigningKey::from_bytes(&Sha256::digest(name).into()),
        }
    }

    pub(crate) fn public(&self) -> [u8; 32] {
        self.key.verifying_key().to_bytes()
    }

    pub(crate) fn id(&self) -> AccountId {
        AccountId(PublicKey::PublicKeyTypeEd25519(Uint256(self.public())))
    }

    pub(crate) fn muxed(&self) -> MuxedAccount {
        MuxedAccount::Ed25519(Uint256(self.public()))
    }

    pub(crate) fn address(&self) -> String {
        self.id().to_string()
    }

    pub(crate) fn ledger_key(&self) -> LedgerKey {
        LedgerKey::Account(LedgerKeyAccount {
            account_id: self.id(),
        })
    }
}

/// An error of the protocol.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RpcError {
    pub(crate) code: i64,
    pub(crate) message: String,
}

#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) url: String,
    pub(crate) network_id: [u8; 32],
}

/// What came over HTTP: a status with a body, or a broken connection.
#[derive(Debug)]
pub(crate) enum Http {
    Status(u16, String),
    Broken(String),
}

impl Client {
    /// Posts bytes as they are.
    pub(crate) fn post(&self, path: &str, content_type: &str, body: &[u8]) -> Http {
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .build()
            .into();
        let answer = agent
            .post(format!("{}{path}", self.url))
            .header("content-type", content_type)
            .send(body);
        match answer {
            Ok(mut answer) => match answer
                .body_mut()
                .with_config()
                .limit(1 << 30)
                .read_to_string()
            {
                Ok(text) => Http::Status(answer.status().as_u16(), text),
                Err(error) => Http::Broken(error.to_string()),
            },
            Err(error) => Http::Broken(error.to_string()),
        }
    }

    /// One request; HTTP must succeed.
    pub(crate) fn call(&self, method: &str, params: Value) -> Result<Value, RpcError> {
        let request = json!({"jsonrpc": "2.0", "id": 5, "method": method, "params": params});
        let Http::Status(200, body) =
            self.post("/", "application/json", request.to_string().as_bytes())
        else {
            panic!("{method} did not answer with HTTP 200");
        };
        let mut answer: Value = serde_json::from_str(&body).expect("the answer is JSON");
        assert_eq!(answer["id"], 5);
        match answer.get("error") {
            None => Ok(answer["result"].take()),
            Some(error) => Err(RpcError {
                code: error["code"].as_i64().expect("a code"),
                message: error["message"].as_str().expect("a message").to_owned(),
            }),
        }
    }

    pub(crate) fn ok(&self, method: &str, params: Value) -> Value {
        self.call(method, params)
            .unwrap_or_else(|error| panic!("{method}: {error:?}"))
    }

    pub(crate) fn friendbot(&self, address: &str) -> (u16, String) {
        match self.post(&format!("/friendbot?addr={address}"), "text/plain", b"") {
            Http::Status(status, body) => (status, body),
            Http::Broken(why) => panic!("friendbot: {why}"),
        }
    }

    /// The entries of the ledger for `keys`: value and last ledger of life.
    pub(crate) fn entries(&self, keys: &[LedgerKey]) -> Vec<(LedgerEntryData, Option<u64>)> {
        let keys: Vec<String> = keys.iter().map(base64).collect();
        let answer = self.ok("getLedgerEntries", json!({"keys": keys}));
        answer["entries"]
            .as_array()
            .expect("entries")
            .iter()
            .map(|entry| {
                let data = decode(entry["xdr"].as_str().expect("xdr"));
                (data, entry["liveUntilLedgerSeq"].as_u64())
            })
            .collect()
    }

    pub(crate) fn sequence(&self, account: &Account) -> i64 {
        let entries = self.entries(&[account.ledger_key()]);
        match entries.first() {
            Some((LedgerEntryData::Account(entry), _)) => entry.seq_num.0,
            _ => panic!("account {} does not exist", account.address()),
        }
    }

    pub(crate) fn balance(&self, account: &Account) -> i64 {
        let entries = self.entries(&[account.ledger_key()]);
        match entries.first() {
            Some((LedgerEntryData::Account(entry), _)) => entry.balance,
            _ => panic!("account {} does not exist", account.address()),
        }
    }

    pub(crate) fn sign(&self, tx: &Transaction, signers: &[&Account]) -> TransactionEnvelope {
        let hash = tx.hash(self.network_id).expect("a transaction has a hash");
        TransactionEnvelope::Tx(TransactionV1Envelope {
            tx: tx.clone(),
            signatures: signatures(hash, signers),
        })
    }

    /// Wraps a signed transaction into a fee bump of `fee` stroops in all.
    pub(crate) fn bump(
        &self,
        inner: &TransactionEnvelope,
        payer: &Account,
        fee: i64,
    ) -> TransactionEnvelope {
        let TransactionEnvelope::Tx(inner) = inner else {
            panic!("only a V1 transaction can be bumped");
        };
        let tx = FeeBumpTransaction {
            fee_source: payer.muxed(),
            fee,
            inner_tx: FeeBumpTransactionInnerTx::Tx(inner.clone()),
            ext: FeeBumpTransactionExt::V0,
        };
        let hash = tx.hash(self.network_id).expect("a transaction has a hash");
        TransactionEnvelope::TxFeeBump(FeeBumpTransactionEnvelope {
            tx,
            signatures: signatures(hash, &[payer]),
        })
    }

    pub(crate) fn send(&self, envelope: &TransactionEnvelope) -> Sent {
        Sent(self.ok("sendTransaction", json!({"transaction": base64(envelope)})))
    }

    pub(crate) fn transaction(&self, hash: &str) -> Found {
        Found(self.ok("getTransaction", json!({"hash": hash})))
    }

    /// Sends and finds the result; the network closes ledgers at once.
    pub(crate) fn submit(&self, envelope: &TransactionEnvelope) -> Found {
        let sent = self.send(envelope);
        assert_eq!(sent.status(), "PENDING", "{:?} {}", sent.error(), sent.0);
        self.transaction(sent.hash())
    }

    /// Simulates one operation's transaction.
    pub(crate) fn simulate(&self, envelope: &TransactionEnvelope) -> Simulated {
        Simulated(self.ok(
            "simulateTransaction",
            json!({"transaction": base64(envelope)}),
        ))
    }
}

/// The answer of `sendTransaction`.
pub(crate) struct Sent(pub(crate) Value);

impl Sent {
    pub(crate) fn status(&self) -> &str {
        self.0["status"].as_str().expect("a status")
    }

    pub(crate) fn hash(&self) -> &str {
        self.0["hash"].as_str().expect("a hash")
    }

    pub(crate) fn error(&self) -> Option<TransactionResult> {
        self.0["errorResultXdr"].as_str().map(decode)
    }

    /// The code of an error, as its name.
    pub(crate) fn code(&self) -> &'static str {
        self.error().map_or("none", |result| result.result.name())
    }
}

/// The answer of `getTransaction`.
#[derive(Debug)]
pub(crate) struct Found(pub(crate) Value);

impl Found {
    pub(crate) fn status(&self) -> &str {
        self.0["status"].as_str().expect("a status")
    }

    pub(crate) fn result(&self) -> TransactionResult {
        decode(self.0["resultXdr"].as_str().expect("a result"))
    }

    pub(crate) fn meta(&self) -> localnet::xdr::TransactionMetaV4 {
        match decode(self.0["resultMetaXdr"].as_str().expect("metadata")) {
            TransactionMeta::V4(meta) => meta,
            other => panic!("metadata of version {other:?}"),
        }
    }

    /// The first operation's result as text.
    pub(crate) fn operation(&self) -> String {
        match self.result().result {
            TransactionResultResult::TxSuccess(results)
            | TransactionResultResult::TxFailed(results) => format!("{:?}", results[0]),
            other => format!("{other:?}"),
        }
    }

    pub(crate) fn return_value(&self) -> Option<ScVal> {
        self.meta().soroban_meta.and_then(|meta| meta.return_value)
    }

    pub(crate) fn succeeded(self) -> Self {
        assert_eq!(self.status(), "SUCCESS", "{}", self.operation());
        self
    }
}

/// The answer of `simulateTransaction`.
pub(crate) struct Simulated(pub(crate) Value);

impl Simulated {
    pub(crate) fn error(&self) -> Option<&str> {
        self.0.get("error").and_then(Value::as_str)
    }

    pub(crate) fn data(&self) -> SorobanTransactionData {
        decode(
            self.0["transactionData"]
                .as_str()
                .unwrap_or_else(|| panic!("no transaction data: {:?}", self.error())),
        )
    }

    pub(crate) fn auth(&self) -> Vec<SorobanAuthorizationEntry> {
        self.0["results"][0]["auth"]
            .as_array()
            .expect("auth")
            .iter()
            .map(|entry| decode(entry.as_str().expect("base64")))
            .collect()
    }

    pub(crate) fn value(&self) -> ScVal {
        decode(self.0["results"][0]["xdr"].as_str().expect("a result"))
    }
}

fn signatures(hash: [u8; 32], signers: &[&Account]) -> VecM<DecoratedSignature, 20> {
    let signatures: Vec<_> = signers
        .iter()
        .map(|signer| {
            let public = signer.public();
            DecoratedSignature {
                hint: SignatureHint(public[28..].try_into().expect("four bytes")),
                signature: Signature(
                    signer
                        .key
                        .sign(&hash)
                        .to_bytes()
                        .to_vec()
                        .try_into()
                        .expect("64 bytes"),
                ),
            }
        })
        .collect();
    signatures.try_into().expect("at most 20 signatures")
}

pub(crate) fn base64(value: &impl WriteXdr) -> String {
    value.to_xdr_base64(Limits::none()).expect("it encodes")
}

pub(crate) fn decode<T: ReadXdr>(text: &str) -> T {
    T::from_xdr_base64(text, Limits::none()).expect("it decodes")
}
