//! The offer as a file: for people to read, and for the next machine to check.

use payout_keys::{ContractId, Deployment, NetworkId, ProgramId, Recipient, RowId, RunName};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use stellar_xdr::{Limits, ReadXdr, ScVal, TransactionEnvelope, TransactionV1Envelope, WriteXdr};

use super::check::differs;
use super::error::ApprovalError;
use super::proposal::{Proposal, Terms};
use super::sign::address;
use crate::envelope::EnvelopeError;
use crate::escrow::CodeHash;
use crate::rpc::LIMITS;
use crate::run::Place;
use crate::{Line, Payout};

/// What kind of file it is.
const FORMAT: &str = "stellar-escrow/offer/1";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OfferFile {
    format: String,
    network: String,
    contract: String,
    code: String,
    token: String,
    program: String,
    run: String,
    slot: u32,
    key: String,
    function: String,
    payout_key: String,
    source: String,
    sequence: String,
    recipients: usize,
    /// In units.
    total: String,
    lines: Vec<FileLine>,
    fingerprint: String,
    bounds: FileBounds,
    bid: u32,
    resource_fee: String,
    authorised: bool,
    to_sign: Vec<ToSign>,
    envelope: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileLine {
    id: String,
    reference: String,
    recipient: String,
    amount: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileBounds {
    max_time: u64,
    max_ledger: u32,
    authorised_until: Option<u32>,
}

/// What has to be signed, in this order.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ToSign {
    what: String,
    account: String,
    /// The hash to sign, in hexadecimal; `null` while it is not final.
    payload: Option<String>,
    /// The authorisation entry, for those who sign it elsewhere.
    entry: Option<String>,
    /// Who has signed; `true` where only its contract can read the signature.
    signatures: Value,
}

impl Proposal {
    /// Reads an offer and compares all that it says with what its envelope carries.
    ///
    /// # Errors
    /// [`ApprovalError`] names the first difference.
    pub fn read(text: &str) -> Result<Self, ApprovalError> {
        let not_one = |why: String| ApprovalError::NotAnOffer(why);
        let stated: Value =
            serde_json::from_str(text).map_err(|error| not_one(error.to_string()))?;
        let file: OfferFile =
            serde_json::from_value(stated.clone()).map_err(|error| not_one(error.to_string()))?;
        if file.format != FORMAT {
            return Err(not_one(format!("its format is {:?}", file.format)));
        }
        let terms = file.terms()?;
        let envelope = TransactionEnvelope::from_xdr_base64(&file.envelope, LIMITS)
            .map_err(ApprovalError::field("envelope"))?;
        let TransactionEnvelope::Tx(TransactionV1Envelope { tx, signatures }) = envelope else {
            return Err(ApprovalError::Shape("it is no version 1 transaction"));
        };
        let proposal = Self::checked(terms, file.authorised, tx, signatures.to_vec())?;
        let carried =
            serde_json::to_value(proposal.file()?).map_err(|error| not_one(error.to_string()))?;
        same("", &stated, &carried)?;
        Ok(proposal)
    }

    /// The file's text.
    ///
    /// # Errors
    /// [`ApprovalError`].
    pub fn text(&self) -> Result<String, ApprovalError> {
        let text = serde_json::to_string_pretty(&self.file()?)
            .map_err(|error| ApprovalError::NotAnOffer(error.to_string()))?;
        Ok(text + "\n")
    }

    fn file(&self) -> Result<OfferFile, ApprovalError> {
        let terms = &self.terms;
        let bounds = self.bounds();
        let call = terms.call()?;
        let line = |(id, line): (&RowId, &Line)| FileLine {
            id: id.as_str().to_owned(),
            reference: terms.place.reference(id).to_string(),
            recipient: line.recipient.to_string(),
            amount: line.amount.to_string(),
        };
        Ok(OfferFile {
            format: FORMAT.to_owned(),
            network: terms.passphrase.clone(),
            contract: terms.place.at.contract.to_string(),
            code: terms.code.to_string(),
            token: terms.token.to_string(),
            program: terms.place.program.as_str().to_owned(),
            run: terms.place.run.as_str().to_owned(),
            slot: terms.slot,
            key: terms.key().as_str().to_owned(),
            function: String::from_utf8_lossy(call.function_name.0.as_slice()).into_owned(),
            payout_key: terms.caller.to_string(),
            source: self.source()?.to_string(),
            sequence: self.sequence().to_string(),
            recipients: terms.payout.lines().len(),
            total: terms.payout.total().to_string(),
            lines: terms
                .ids
                .iter()
                .zip(terms.payout.lines())
                .map(line)
                .collect(),
            fingerprint: terms.payout.fingerprint().to_string(),
            bounds: FileBounds {
                max_time: bounds.max_time,
                max_ledger: bounds.max_ledger,
                authorised_until: bounds.authorised_until,
            },
            bid: self.bid().0,
            resource_fee: self.resource_fee().to_string(),
            authorised: self.authorised(),
            to_sign: self.to_sign()?,
            envelope: self.envelope()?,
        })
    }

    fn to_sign(&self) -> Result<Vec<ToSign>, ApprovalError> {
        let mut all = Vec::new();
        if let (Some((credentials, entry)), Some(payload)) = (self.credentials(), self.payload()?) {
            let signatures = match self.terms.caller {
                Recipient::Account(_) => self.authorised_by()?.iter().map(address).collect(),
                Recipient::Contract(_) => Value::Bool(credentials.signature != ScVal::Void),
            };
            let entry = entry
                .to_xdr_base64(Limits::none())
                .map_err(EnvelopeError::xdr("an authorisation"))?;
            all.push(ToSign {
                what: "authorisation".to_owned(),
                account: self.terms.caller.to_string(),
                payload: Some(hex::encode(payload)),
                entry: Some(entry),
                signatures,
            });
        }
        let hash = self.hash()?.to_string();
        let hints = self.signatures.iter().map(|one| hex::encode(one.hint.0));
        all.push(ToSign {
            what: "envelope".to_owned(),
            account: self.source()?.to_string(),
            payload: self.authorised().then_some(hash),
            entry: None,
            signatures: hints.collect(),
        });
        Ok(all)
    }
}

impl OfferFile {
    fn terms(&self) -> Result<Terms, ApprovalError> {
        let contract = ContractId::new(&self.contract).map_err(ApprovalError::field("contract"))?;
        let place = Place {
            at: Deployment {
                network: NetworkId::from_passphrase(&self.network),
                contract,
            },
            program: ProgramId::new(&self.program).map_err(ApprovalError::field("program"))?,
            run: RunName::new(&self.run).map_err(ApprovalError::field("run"))?,
        };
        let code = hex::decode(&self.code).map_err(ApprovalError::field("code"))?;
        let code = <[u8; 32]>::try_from(code.as_slice()).map_err(ApprovalError::field("code"))?;
        let ids = self.lines.iter().map(|line| RowId::new(&line.id));
        let ids = ids
            .collect::<Result<Vec<_>, _>>()
            .map_err(ApprovalError::field("id"))?;
        let line = |(line, id): (&FileLine, &RowId)| {
            Ok(Line {
                recipient: Recipient::new(&line.recipient)
                    .map_err(ApprovalError::field("recipient"))?,
                amount: line.amount.parse()?,
                reference: Some(place.reference(id)),
            })
        };
        let lines = self.lines.iter().zip(&ids).map(line);
        let payout = Payout::new(lines.collect::<Result<_, ApprovalError>>()?)?;
        Ok(Terms {
            passphrase: self.network.clone(),
            code: CodeHash(code),
            token: ContractId::new(&self.token).map_err(ApprovalError::field("token"))?,
            slot: self.slot,
            caller: Recipient::new(&self.payout_key).map_err(ApprovalError::field("payout_key"))?,
            ids,
            payout,
            place,
        })
    }
}

/// Names the first field in which two files differ.
fn same(path: &str, stated: &Value, carried: &Value) -> Result<(), ApprovalError> {
    let at = |name: &str| {
        if path.is_empty() {
            name.to_owned()
        } else {
            format!("{path}.{name}")
        }
    };
    match (stated, carried) {
        (Value::Object(mine), Value::Object(theirs)) => {
            for (name, value) in theirs {
                same(&at(name), mine.get(name).unwrap_or(&Value::Null), value)?;
            }
            Ok(())
        }
        (Value::Array(mine), Value::Array(theirs)) if mine.len() == theirs.len() => {
            for (number, (mine, theirs)) in (1_usize..).zip(mine.iter().zip(theirs)) {
                same(&at(&number.to_string()), mine, theirs)?;
            }
            Ok(())
        }
        (mine, theirs) if mine == theirs => Ok(()),
        (mine, theirs) => Err(differs(path, mine, theirs)),
    }
}
