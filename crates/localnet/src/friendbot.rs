//! Friendbot: gives every account that asks ten thousand lumens.

use ed25519_dalek::Signer;
use serde_json::{Value, json};
use soroban_env_host::xdr::{
    AccountId, Asset, CreateAccountOp, DecoratedSignature, Memo, MuxedAccount, Operation,
    OperationBody, PaymentOp, Preconditions, SequenceNumber, Signature, SignatureHint, Transaction,
    TransactionEnvelope, TransactionExt, TransactionV1Envelope, VecM,
};

use crate::network::account_id;
use crate::node::{Node, Status};
use crate::ops::accounts;
use crate::rpc::base64;
use crate::tx::envelope::Frame;

/// What an account has after it asked, in stroops.
const START_BALANCE: i64 = 100_000_000_000;
/// What friendbot bids, in stroops: enough whatever the fees are.
const BID: u32 = 10_000_000;

/// An HTTP answer: status and JSON body.
pub(crate) type Answer = (u16, Value);

/// Funds the account `addr` and closes a ledger, so that the caller finds its transaction at once.
pub(crate) fn fund(node: &mut Node, addr: Option<&str>) -> Answer {
    let Some(addr) = addr else {
        return problem("the query parameter `addr` is missing: ?addr=G…");
    };
    let Ok(key) = stellar_strkey::ed25519::PublicKey::from_string(addr) else {
        return problem(&format!(
            "`{addr}` is no account address (G…); this local friendbot funds accounts only"
        ));
    };
    let account = account_id(key.0);
    let body = match accounts::load(&node.ledger.state, &account) {
        None => OperationBody::CreateAccount(CreateAccountOp {
            destination: account,
            starting_balance: START_BALANCE,
        }),
        Some(known) if known.balance < START_BALANCE => OperationBody::Payment(PaymentOp {
            destination: account.into(),
            asset: Asset::Native,
            amount: START_BALANCE.saturating_sub(known.balance),
        }),
        // Each client looks for its own half of this sentence.
        Some(_) => {
            return problem(
                "account already funded to starting balance (createAccountAlreadyExist)",
            );
        }
    };
    let frame = match payment_frame(node, body) {
        Ok(frame) => frame,
        Err(why) => return problem(&why),
    };
    let id = frame.hash();
    let (hash, envelope) = (hex::encode(id), base64(&frame.envelope));
    let answer = node.submit(frame);
    if answer.status != Status::Pending {
        return problem(&format!(
            "friendbot's transaction was refused: {:?}",
            answer.error
        ));
    }
    node.close();
    if node.ledger.history.transaction(&id).is_none() {
        return problem("friendbot's transaction found no place in the ledger: its bid is too low");
    }
    let body = json!({"successful": true, "hash": hash, "envelope_xdr": envelope});
    (200, body)
}

/// A transaction of the root account that gives `account` one stroop.
#[cfg(test)]
pub(crate) fn funding(node: &Node, account: AccountId) -> Result<Frame, String> {
    let body = OperationBody::Payment(PaymentOp {
        destination: account.into(),
        asset: Asset::Native,
        amount: 1,
    });
    payment_frame(node, body)
}

fn payment_frame(node: &Node, body: OperationBody) -> Result<Frame, String> {
    let network = &node.ledger.network;
    let root: AccountId = network.root_account();
    let account = accounts::load(&node.ledger.state, &root)
        .ok_or("the network's root account is gone; friendbot has nothing to give")?;
    let sequence = account.seq_num.0.checked_add(1).ok_or("no sequence left")?;
    let tx = Transaction {
        source_account: MuxedAccount::from(root),
        fee: BID,
        seq_num: SequenceNumber(sequence),
        cond: Preconditions::None,
        memo: Memo::None,
        operations: [Operation {
            source_account: None,
            body,
        }]
        .try_into()
        .map_err(|error| format!("{error}"))?,
        ext: TransactionExt::V0,
    };
    let hash = tx.hash(network.id()).map_err(|error| error.to_string())?;
    let key = network.root_key();
    let public = key.verifying_key().to_bytes();
    let mut hint = [0; 4];
    hint.copy_from_slice(&public[28..]);
    let signature = DecoratedSignature {
        hint: SignatureHint(hint),
        signature: Signature(
            key.sign(&hash)
                .to_bytes()
                .try_into()
                .map_err(|_| "a signature has 64 bytes")?,
        ),
    };
    let signatures: VecM<DecoratedSignature, 20> =
        [signature].try_into().map_err(|error| format!("{error}"))?;
    Frame::new(
        TransactionEnvelope::Tx(TransactionV1Envelope { tx, signatures }),
        network.id(),
    )
    .map_err(|error| error.to_string())
}

fn problem(detail: &str) -> Answer {
    let body = json!({
        "type": "https://stellar.org/friendbot-errors/bad_request",
        "title": "Bad Request",
        "status": 400,
        "detail": detail,
    });
    (400, body)
}
