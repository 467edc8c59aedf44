//! Each row by what the ledger says of its recipient.

use super::*;

#[test]
fn a_trustline_decides_whether_an_account_is_paid() {
    let facts = facts(usdc(Some(flags(false))));
    let pay = Verdict::Pay(Kind::Account);
    let trust = |trust| one(&facts, PAYEE, account(Some(trust)));
    assert_eq!(trust(TRUST), pay);
    let reject = Verdict::Reject;
    assert_eq!(
        one(&facts, PAYEE, account(None)),
        reject(Reason::TrustlineMissing)
    );
    // To the unit: room for 5, and for 4.
    assert_eq!(trust(Trust { buying: 5, ..TRUST }), pay);
    let limit = reject(Reason::Limit { room: 4 });
    assert_eq!(trust(Trust { buying: 6, ..TRUST }), limit);
    assert_eq!(
        trust(Trust {
            balance: 96,
            ..TRUST
        }),
        limit
    );
    // A limit that was lowered below what is held leaves no room, and no negative one.
    let full = reject(Reason::Limit { room: 0 });
    assert_eq!(
        trust(Trust {
            balance: 101,
            ..TRUST
        }),
        full
    );
    for maintains in [false, true] {
        let frozen = Trust {
            authorised: false,
            maintains,
            ..TRUST
        };
        assert_eq!(trust(frozen), reject(Reason::Deauthorised { maintains }));
    }
    // No XLM is received, so its reserve does not matter.
    let poor = Standing::Account {
        room: Some(AccountRoom { balance: 1, ..ROOM }),
        memo_required: false,
        trust: Some(TRUST),
        others: Vec::new(),
    };
    assert_eq!(one(&facts, PAYEE, poor), pay);
}

#[test]
fn an_account_that_is_gone_is_not_one_without_a_trustline() {
    let facts = facts(usdc(Some(flags(false))));
    let gone = Standing::Account {
        room: None,
        memo_required: false,
        trust: None,
        others: Vec::new(),
    };
    let missing = Verdict::Reject(Reason::AccountMissing);
    assert_eq!(one(&facts, PAYEE, gone), missing);
    let unread = judge(&facts, RESERVE, &BTreeMap::new(), &[ask(PAYEE, 5)]);
    assert_eq!(unread, [missing]);
}

#[test]
fn the_code_of_another_issuer_names_both_issuers() {
    let facts = facts(usdc(Some(flags(false))));
    let other = CreditAsset {
        code: "USDC".to_owned(),
        issuer: [5; 32],
    };
    let standing = Standing::Account {
        room: Some(ROOM),
        memo_required: false,
        trust: None,
        others: vec![other.clone()],
    };
    let Verdict::Reject(reason) = one(&facts, PAYEE, standing) else {
        panic!("rejected")
    };
    let trusted = vec![other.clone()];
    assert_eq!(reason, Reason::OtherIssuer { trusted });
    let text = reason.detail(PAYEE, &facts.token);
    for name in [
        Recipient::Account(ISSUER).to_string(),
        other.issuer_address().to_string(),
        PAYEE.to_string(),
    ] {
        assert!(text.contains(&name), "{name} is not in {text}");
    }
}

#[test]
fn rows_for_one_recipient_count_together() {
    let facts = facts(usdc(Some(flags(false))));
    let standing = account(Some(TRUST));
    let asks = [
        ask(PAYEE, 6),
        ask(PAYEE, 5),
        ask(PAYEE, 4),
        ask(PAYEE, 1),
        ask(PAYEE, i128::MAX),
    ];
    let pay = Verdict::Pay(Kind::Account);
    let limit = |room| Verdict::Reject(Reason::Limit { room });
    assert_eq!(
        rows(&facts, standing, &asks),
        [
            pay.clone(),
            limit(4),
            pay,
            limit(0),
            Verdict::Reject(Reason::BalanceOverflow)
        ]
    );
}

#[test]
fn a_memo_and_the_issuer_stop_a_payout() {
    let facts = facts(usdc(Some(flags(false))));
    let memo = Standing::Account {
        room: Some(ROOM),
        memo_required: true,
        trust: Some(TRUST),
        others: Vec::new(),
    };
    let verdict = one(&facts, PAYEE, memo);
    assert_eq!(verdict, Verdict::Reject(Reason::MemoRequired));
    assert!(
        Reason::MemoRequired
            .detail(PAYEE, &facts.token)
            .contains("SEP-29")
    );

    let issuer = Recipient::Account(ISSUER);
    let mut asked = ask(issuer, 5);
    let refused = rows(&facts, account(None), std::slice::from_ref(&asked));
    assert_eq!(refused, [Verdict::Reject(Reason::Issuer)]);
    asked.consents.issuer = true;
    let agreed = rows(&facts, account(None), &[asked]);
    assert_eq!(agreed, [Verdict::Pay(Kind::Issuer)]);
}

#[test]
fn addresses_that_swallow_money_are_refused_whatever_is_agreed() {
    let facts = facts(usdc(Some(flags(false))));
    let consents = Consents {
        issuer: true,
        not_deployed: true,
    };
    for (contract, reason) in [
        (TOKEN, Reason::TokenContract),
        (ESCROW, Reason::EscrowItself),
    ] {
        let mut asked = ask(Recipient::Contract(contract.0), 5);
        asked.consents = consents;
        let standing = Standing::Contract {
            deployed: true,
            balance: None,
        };
        let verdicts = rows(&facts, standing, &[asked]);
        assert_eq!(verdicts, [Verdict::Reject(reason)]);
    }
}

fn contract(balance: Option<(i128, bool, bool)>) -> Standing {
    Standing::Contract {
        deployed: true,
        balance,
    }
}

#[test]
fn a_contract_is_paid_by_its_balance_entry() {
    let open = facts(usdc(Some(flags(false))));
    let pay = Verdict::Pay;
    let reject = Verdict::Reject;
    let verdict = |balance| one(&open, HOLDER, contract(balance));
    assert_eq!(verdict(None), pay(Kind::NewContract));
    assert_eq!(verdict(Some((1, true, false))), pay(Kind::HolderContract));
    assert_eq!(verdict(Some((1, true, true))), pay(Kind::ArchivedContract));
    assert_eq!(
        verdict(Some((1, false, false))),
        reject(Reason::Deauthorised { maintains: false })
    );
    let most = i128::MAX - 5;
    assert_eq!(
        verdict(Some((most, true, false))),
        pay(Kind::HolderContract)
    );
    assert_eq!(
        verdict(Some((most + 1, true, false))),
        reject(Reason::BalanceOverflow)
    );
    // Without an entry the issuer's account decides.
    let closed = facts(usdc(Some(flags(true))));
    assert_eq!(
        one(&closed, HOLDER, contract(None)),
        reject(Reason::NotAuthorised)
    );
    let orphaned = facts(usdc(None));
    assert_eq!(
        one(&orphaned, HOLDER, contract(None)),
        reject(Reason::IssuerMissing)
    );
    assert_eq!(
        one(&orphaned, HOLDER, contract(Some((1, true, false)))),
        pay(Kind::HolderContract)
    );
}

#[test]
fn a_contract_that_nobody_deployed_needs_a_yes() {
    let facts = facts(usdc(Some(flags(false))));
    let nobody = Standing::Contract {
        deployed: false,
        balance: None,
    };
    let mut asked = ask(HOLDER, 5);
    let refused = rows(&facts, nobody.clone(), std::slice::from_ref(&asked));
    assert_eq!(refused, [Verdict::Reject(Reason::NotDeployed)]);
    asked.consents.not_deployed = true;
    let agreed = rows(&facts, nobody, &[asked]);
    assert_eq!(agreed, [Verdict::Pay(Kind::NewContract)]);
}

/// XLM: the host creates a missing account if the amount is enough for its reserve, and refuses an
/// account that would still be below its reserve.
#[test]
fn xlm_goes_to_accounts_by_their_reserve() {
    let facts = facts(TokenKind::Native);
    let gone = Standing::Account {
        room: None,
        memo_required: false,
        trust: None,
        others: Vec::new(),
    };
    let asks = [ask(PAYEE, 9_999_999), ask(PAYEE, 10_000_000), ask(PAYEE, 1)];
    assert_eq!(
        rows(&facts, gone, &asks),
        [
            Verdict::Reject(Reason::AccountTooSmall {
                minimum: 10_000_000
            }),
            Verdict::Pay(Kind::NewAccount),
            Verdict::Pay(Kind::NewAccount)
        ]
    );
    let below = |balance| Standing::Account {
        room: Some(AccountRoom { balance, ..ROOM }),
        memo_required: false,
        trust: None,
        others: Vec::new(),
    };
    assert_eq!(
        one(&facts, PAYEE, below(14_999_995)),
        Verdict::Pay(Kind::Account)
    );
    assert_eq!(
        one(&facts, PAYEE, below(14_999_994)),
        Verdict::Reject(Reason::BelowReserve { missing: 6 })
    );
    let rich = Standing::Account {
        room: Some(AccountRoom {
            maximum: 20_000_004,
            ..ROOM
        }),
        memo_required: false,
        trust: None,
        others: Vec::new(),
    };
    let overflow = Verdict::Reject(Reason::BalanceOverflow);
    assert_eq!(one(&facts, PAYEE, rich), overflow);
}

#[test]
fn a_row_above_the_largest_payout_is_named() {
    let mut facts = facts(usdc(Some(flags(false))));
    facts.brakes = Brakes::with_limit(100, 4, 100);
    assert_eq!(
        one(&facts, PAYEE, account(Some(TRUST))),
        Verdict::Reject(Reason::AboveMaxPayout { most: 4 })
    );
    facts.brakes = Brakes::with_limit(100, 5, 100);
    assert_eq!(
        one(&facts, PAYEE, account(Some(TRUST))),
        Verdict::Pay(Kind::Account)
    );
}
