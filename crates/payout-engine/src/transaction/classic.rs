//! Operations of the classic kind.

use payout_keys::Recipient;
use stellar_xdr::{
    AccountId, Asset, ChangeTrustAsset, ChangeTrustOp, CreateAccountOp, MuxedAccount, Operation,
    OperationBody, PaymentOp, PublicKey, Uint256,
};

use crate::envelope::EnvelopeError;

/// Creates an account with `stroops` of the transaction's source.
///
/// # Errors
/// [`EnvelopeError::NotAnAccount`].
pub fn create_account(to: Recipient, stroops: i64) -> Result<Operation, EnvelopeError> {
    let destination = AccountId(PublicKey::PublicKeyTypeEd25519(key(to)?));
    Ok(own(OperationBody::CreateAccount(CreateAccountOp {
        destination,
        starting_balance: stroops,
    })))
}

/// Pays `amount` of an asset, from the transaction's source.
///
/// # Errors
/// [`EnvelopeError::NotAnAccount`].
pub fn payment(to: Recipient, asset: Asset, amount: i64) -> Result<Operation, EnvelopeError> {
    Ok(own(OperationBody::Payment(PaymentOp {
        destination: MuxedAccount::Ed25519(key(to)?),
        asset,
        amount,
    })))
}

/// Opens, changes or (with 0) closes the source's trustline.
#[must_use]
pub fn change_trust(line: ChangeTrustAsset, limit: i64) -> Operation {
    own(OperationBody::ChangeTrust(ChangeTrustOp { line, limit }))
}

/// Ends `account`, which has to sign, and gives all its XLM to `into`.
///
/// # Errors
/// [`EnvelopeError::NotAnAccount`].
pub fn merge(account: Recipient, into: Recipient) -> Result<Operation, EnvelopeError> {
    Ok(Operation {
        source_account: Some(MuxedAccount::Ed25519(key(account)?)),
        body: OperationBody::AccountMerge(MuxedAccount::Ed25519(key(into)?)),
    })
}

fn own(body: OperationBody) -> Operation {
    Operation {
        source_account: None,
        body,
    }
}

fn key(of: Recipient) -> Result<Uint256, EnvelopeError> {
    match of {
        Recipient::Account(key) => Ok(Uint256(key)),
        Recipient::Contract(_) => Err(EnvelopeError::NotAnAccount(of.to_string())),
    }
}
