//! Transactions that set the scene, signed by one account.

use ed25519_dalek::{Signer as _, SigningKey};
use payout_engine::envelope::transaction_hash;
use payout_engine::protocol::TxHash;
use payout_engine::rpc::{Client, Simulated, TransactionStatus};
use payout_keys::NetworkId;
use sha2::{Digest, Sha256};
use stellar_xdr::{
    AccountId, DecoratedSignature, FeeBumpTransaction, FeeBumpTransactionEnvelope,
    FeeBumpTransactionExt, FeeBumpTransactionInnerTx, HostFunction, InvokeHostFunctionOp,
    LedgerKey, LedgerKeyAccount, Limits, Memo, MuxedAccount, Operation, OperationBody,
    Preconditions, PublicKey, ReadXdr, SequenceNumber, Signature, SignatureHint,
    SorobanAuthorizationEntry, SorobanTransactionData, Transaction, TransactionEnvelope,
    TransactionExt, TransactionV1Envelope, Uint256, VecM, WriteXdr,
};

/// A key pair whose seed is the SHA-256 of a name.
#[derive(Clone)]
pub(crate) struct Keys(SigningKey);

impl Keys {
    pub(crate) fn named(name: &str) -> Self {
        Self(SigningKey::from_bytes(&Sha256::digest(name).into()))
    }

    pub(crate) fn public(&self) -> [u8; 32] {
        self.0.verifying_key().to_bytes()
    }

    pub(crate) fn id(&self) -> AccountId {
        AccountId(PublicKey::PublicKeyTypeEd25519(Uint256(self.public())))
    }

    pub(crate) fn muxed(&self) -> MuxedAccount {
        MuxedAccount::Ed25519(Uint256(self.public()))
    }

    pub(crate) fn account_key(&self) -> LedgerKey {
        LedgerKey::Account(LedgerKeyAccount {
            account_id: self.id(),
        })
    }

    fn sign(&self, hash: TxHash) -> VecM<DecoratedSignature, 20> {
        let public = self.public();
        let signature = DecoratedSignature {
            hint: SignatureHint(public[28..].try_into().expect("four bytes")),
            signature: Signature(
                self.0
                    .sign(&hash.0)
                    .to_bytes()
                    .to_vec()
                    .try_into()
                    .expect("64 bytes"),
            ),
        };
        vec![signature].try_into().expect("one signature")
    }
}

pub(crate) fn base64(value: &impl WriteXdr) -> String {
    value.to_xdr_base64(Limits::none()).expect("it encodes")
}

fn decode<T: ReadXdr>(text: &str) -> T {
    T::from_xdr_base64(text, Limits::none()).expect("it decodes")
}

/// One account's transactions on a network whose ledgers close at once.
pub(crate) struct Sender<'a> {
    pub(crate) client: &'a Client,
    pub(crate) network: NetworkId,
    pub(crate) keys: &'a Keys,
    /// The account's last sequence number.
    pub(crate) sequence: i64,
}

impl Sender<'_> {
    fn transaction(&self, body: OperationBody) -> Transaction {
        let operation = Operation {
            source_account: None,
            body,
        };
        Transaction {
            source_account: self.keys.muxed(),
            fee: 100,
            seq_num: SequenceNumber(self.sequence + 1),
            cond: Preconditions::None,
            memo: Memo::None,
            operations: vec![operation].try_into().expect("one operation"),
            ext: TransactionExt::V0,
        }
    }

    fn envelope(&self, tx: Transaction) -> (TransactionEnvelope, TxHash) {
        let hash = transaction_hash(self.network, &tx).expect("a hash");
        let signatures = self.keys.sign(hash);
        let envelope = TransactionV1Envelope { tx, signatures };
        (TransactionEnvelope::Tx(envelope), hash)
    }

    async fn sent(&self, envelope: &TransactionEnvelope, hash: TxHash) -> bool {
        let sent = self.client.send(&base64(envelope), hash).await;
        let sent = sent.expect("answered");
        assert_eq!(sent.status, "PENDING", "{sent:?}");
        let found = self.client.transaction(hash).await.expect("answered");
        found.status == TransactionStatus::Success
    }

    /// Applies a classic operation.
    pub(crate) async fn classic(&self, body: OperationBody) {
        let (envelope, hash) = self.envelope(self.transaction(body));
        assert!(self.sent(&envelope, hash).await, "the operation failed");
    }

    /// Simulates, authorises as source, signs and sends. Whether it was applied.
    pub(crate) async fn invoke(&self, host_function: HostFunction) -> bool {
        let body = |auth: Vec<SorobanAuthorizationEntry>| {
            OperationBody::InvokeHostFunction(InvokeHostFunctionOp {
                host_function: host_function.clone(),
                auth: auth.try_into().expect("few authorisations"),
            })
        };
        let draft = self.envelope(self.transaction(body(Vec::new()))).0;
        let success = match self
            .client
            .simulate(&base64(&draft))
            .await
            .expect("answered")
        {
            Simulated::Success(success) => success,
            Simulated::Refused { error, .. } => panic!("refused: {error}"),
        };
        let data: SorobanTransactionData = decode(&success.transaction_data);
        let fee = data.resource_fee + 100;
        let mut tx = self.transaction(body(success.auth.iter().map(|a| decode(a)).collect()));
        tx.ext = TransactionExt::V1(data);
        // What does not fit into a transaction's fee goes out in a fee bump.
        if let Ok(fee) = u32::try_from(fee) {
            tx.fee = fee;
            let (envelope, hash) = self.envelope(tx);
            return self.sent(&envelope, hash).await;
        }
        let (TransactionEnvelope::Tx(inner), _) = self.envelope(tx) else {
            unreachable!("made as version 1")
        };
        let tx = FeeBumpTransaction {
            fee_source: self.keys.muxed(),
            fee: fee + 100,
            inner_tx: FeeBumpTransactionInnerTx::Tx(inner),
            ext: FeeBumpTransactionExt::V0,
        };
        let hash = payout_engine::envelope::fee_bump_hash(self.network, &tx).expect("a hash");
        let signatures = self.keys.sign(hash);
        let envelope = FeeBumpTransactionEnvelope { tx, signatures };
        self.sent(&TransactionEnvelope::TxFeeBump(envelope), hash)
            .await
    }
}
