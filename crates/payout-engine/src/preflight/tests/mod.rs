//! Judging, on facts and standings made up here.

mod rows;
mod side;

use std::collections::BTreeMap;

use payout_keys::{ContractId, Recipient};

use super::*;
use crate::escrow::{
    Brakes, CodeHash, CreditAsset, Delegate, Facts, Holding, IssuerFlags, Lifetimes, Program,
    ProgramStatus, Token, TokenKind,
};
use crate::ledger::Life;
use crate::{Amount, Line, Moment};

const ISSUER: [u8; 32] = [9; 32];
const TOKEN: ContractId = ContractId([7; 32]);
const ESCROW: ContractId = ContractId([8; 32]);
const PAYOUT_KEY: Recipient = Recipient::Account([1; 32]);
const RESERVE: i64 = 5_000_000;

fn flags(auth_required: bool) -> IssuerFlags {
    IssuerFlags {
        auth_required,
        auth_revocable: true,
        clawback_enabled: true,
    }
}

fn usdc(issuer: Option<IssuerFlags>) -> TokenKind {
    TokenKind::Asset {
        asset: CreditAsset {
            code: "USDC".to_owned(),
            issuer: ISSUER,
        },
        issuer,
    }
}

fn facts(kind: TokenKind) -> Facts {
    Facts {
        passphrase: "a test".to_owned(),
        contract: ESCROW,
        code: CodeHash([3; 32]),
        at: Moment {
            ledger: 10,
            close_time: Some(1_000),
        },
        program: Program {
            program_id: "p".to_owned(),
            token: TOKEN,
            payout_key: PAYOUT_KEY,
            status: ProgramStatus::Active,
            total_locked: 1_000,
            total_paid: 0,
            total_withdrawn: 0,
            remaining_balance: 1_000,
            payout_count: 0,
        },
        brakes: Brakes::with_limit(0, 0, 0),
        owner: PAYOUT_KEY,
        pending_owner: None,
        delegate: None,
        max_batch: 60,
        lifetimes: Lifetimes {
            instance: 100,
            code: 100,
        },
        token: Token {
            contract: TOKEN,
            kind,
            decimals: 7,
            life: Life::Until(100),
        },
        holding: Holding {
            balance: 1_000,
            authorised: true,
            life: Some(Life::Until(100)),
        },
    }
}

fn ask(recipient: Recipient, amount: i128) -> Ask {
    Ask::from(Line {
        recipient,
        amount: Amount::new(amount).expect("positive"),
        reference: None,
    })
}

const ROOM: AccountRoom = AccountRoom {
    balance: 20_000_000,
    minimum: 15_000_000,
    maximum: i64::MAX,
};

const TRUST: Trust = Trust {
    balance: 90,
    limit: 100,
    buying: 0,
    authorised: true,
    maintains: false,
};

fn account(trust: Option<Trust>) -> Standing {
    Standing::Account {
        room: Some(ROOM),
        memo_required: false,
        trust,
        others: Vec::new(),
    }
}

/// The verdict for one row of 5 units.
fn one(facts: &Facts, recipient: Recipient, standing: Standing) -> Verdict {
    rows(facts, standing, &[ask(recipient, 5)]).remove(0)
}

fn rows(facts: &Facts, standing: Standing, asks: &[Ask]) -> Vec<Verdict> {
    let standings = BTreeMap::from([(asks[0].line.recipient, standing)]);
    judge(facts, RESERVE, &standings, asks)
}

const PAYEE: Recipient = Recipient::Account([2; 32]);
const HOLDER: Recipient = Recipient::Contract([4; 32]);
