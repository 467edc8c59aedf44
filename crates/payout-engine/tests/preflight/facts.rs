//! The facts of a deployment, and what is refused as one.

use payout_engine::escrow::{EscrowError, Part, ProgramStatus, TokenKind, Wanted, read};
use payout_engine::journal::{Journal, JournalError};
use payout_engine::ledger::Life;
use payout_keys::{ContractId, Recipient};
use stellar_xdr::{ScMap, ScMapEntry, ScSymbol, ScVal};

use crate::transactions::Keys;
use crate::world::{ONE, PASSPHRASE, World, address};

#[tokio::test]
async fn everything_is_read_as_it_is() {
    let world = World::usdc(2).await.published().await;
    let facts = world.facts().await;
    assert_eq!(facts.contract, world.escrow);
    assert_eq!(facts.program.program_id, "hackathon-2026");
    assert_eq!(facts.program.token, world.token);
    assert_eq!(facts.program.status, ProgramStatus::Active);
    assert_eq!(facts.program.total_locked, 100_000 * ONE);
    assert_eq!(facts.program.remaining_balance, 100_000 * ONE);
    assert_eq!(
        (facts.program.total_paid, facts.program.payout_count),
        (0, 0)
    );
    assert_eq!(facts.program.payout_key, world.caller());
    assert_eq!(facts.owner, world.caller());
    assert_eq!(facts.max_batch, 60);
    assert_eq!(facts.pending_owner, None);
    assert_eq!(facts.brakes.guardian, None);
    assert_eq!(facts.brakes.limit, None);
    let TokenKind::Asset { asset, issuer } = &facts.token.kind else {
        panic!("{:?}", facts.token)
    };
    assert_eq!(asset.code, "USDC");
    assert_eq!(asset.issuer, world.issuer.public());
    let issuer = issuer.expect("an issuer");
    assert!(issuer.auth_revocable && !issuer.auth_required && !issuer.clawback_enabled);
    assert_eq!(facts.token.decimals, 7);
    assert_eq!(facts.holding.balance, 100_000 * ONE);
    assert!(facts.holding.authorised);
    assert!(matches!(facts.holding.life, Some(Life::Until(_))));
    let latest = world.net.latest_ledger().expect("it runs");
    assert_eq!(facts.at.ledger, latest);
    assert!(facts.at.close_time.is_some());
    assert!(facts.lifetimes.instance > latest && facts.lifetimes.code > latest);
}

#[tokio::test]
async fn roles_and_brakes_are_read_after_they_changed() {
    let world = World::usdc(0).await.published().await;
    let guardian = Recipient::Account(Keys::named("guardian").public());
    let delegate = Recipient::Account(Keys::named("delegate").public());
    let now = world.net.now().expect("it runs");
    world.run("set_guardian", vec![address(guardian)]).await;
    let arguments = vec![address(delegate), (7 * ONE).into(), ScVal::U64(now + 1_000)];
    world.run("set_delegate", arguments).await;
    let field = |name: &str, value: i128| ScMapEntry {
        key: ScVal::Symbol(ScSymbol(name.try_into().expect("short"))),
        val: value.into(),
    };
    let limit = ScMap(
        vec![
            field("capacity", 50),
            field("max_payout", 20),
            field("refill_per_second", 1),
        ]
        .try_into()
        .expect("three"),
    );
    world
        .run("set_outflow_limit", vec![ScVal::Map(Some(limit))])
        .await;
    let until = world.net.latest_ledger().expect("it runs") + 1_000;
    let arguments = vec![address(guardian), ScVal::U32(until)];
    world.run("transfer_ownership", arguments).await;

    let wanted = Wanted {
        delegate: Some(delegate),
        ..world.wanted()
    };
    let facts = read(&world.client, &wanted).await.expect("the facts");
    assert_eq!(facts.brakes.guardian, Some(guardian));
    let limit = facts.brakes.limit.expect("a limit");
    assert_eq!((limit.capacity, limit.max_payout), (50, 20));
    assert_eq!(limit.available(facts.at.close_time.expect("a time")), 50);
    let found = facts.delegate.expect("a delegate");
    assert_eq!((found.allowance, found.expires_at), (7 * ONE, now + 1_000));
    let pending = facts.pending_owner.expect("a proposed owner");
    assert_eq!(
        (pending.address, pending.live_until_ledger),
        (guardian, until)
    );
    // Somebody who is none.
    let wanted = Wanted {
        delegate: Some(guardian),
        ..wanted
    };
    let facts = read(&world.client, &wanted).await.expect("the facts");
    assert_eq!(facts.delegate, None);
}

/// Codes are padded with zeros in the ledger.
#[tokio::test]
async fn an_assets_code_has_the_letters_it_was_given() {
    let mut world = World::usdc(0).await;
    for (salt, code) in [(5, "EUR"), (6, "LONGERCODE")] {
        let token = world.deploy_asset(code).await;
        world.token = token;
        world.escrow = world.deploy_escrow(token, salt).await;
        let facts = world.facts().await;
        let issuer = Recipient::Account(world.issuer.public());
        assert_eq!(facts.token.name(), format!("{code}:{issuer}"));
    }
}

#[tokio::test]
async fn the_wrong_network_or_contract_is_named() {
    let world = World::usdc(0).await.published().await;
    let error = world.read_for(world.escrow, "Public").await;
    let error = error.expect_err("another network").to_string();
    assert!(
        error.contains("\"Public\"") && error.contains(PASSPHRASE),
        "{error}"
    );
    let nobody = ContractId([1; 32]);
    assert!(matches!(
        world.read_for(nobody, PASSPHRASE).await,
        Err(EscrowError::NotFound { contract, .. }) if contract == nobody
    ));
    assert!(matches!(
        world.read_for(world.token, PASSPHRASE).await,
        Err(EscrowError::NotAnEscrow { contract, .. }) if contract == world.token
    ));
    // An escrow of something that is no token's contract.
    let orphan = world.deploy_escrow(nobody, 2).await;
    assert_eq!(
        world.read_for(orphan, PASSPHRASE).await,
        Err(EscrowError::TokenNotFound { token: nobody })
    );
}

#[tokio::test]
async fn an_archived_escrow_is_not_a_missing_one() {
    let world = World::usdc(0).await.published().await;
    world.net.advance(315_360_000).expect("it runs");
    assert!(matches!(
        world.read().await,
        Err(EscrowError::Archived { part: Part::Instance, contract, .. })
            if contract == world.escrow
    ));
}

#[tokio::test]
async fn a_journal_holds_to_network_contract_token_and_code() {
    let world = World::usdc(0).await.published().await;
    let pins = world.facts().await.pins();
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = Journal::open(&folder.path().join("j.db")).expect("opened");
    pins.hold(&mut journal).expect("pinned");
    pins.hold(&mut journal).expect("the same");
    let mut others = [pins; 4];
    others[0].network.0 = [1; 32];
    others[1].contract.0 = [1; 32];
    others[2].token.0 = [1; 32];
    others[3].code.0 = [1; 32];
    for (other, expected) in others.iter().zip(["network", "contract", "token", "code"]) {
        let Err(JournalError::PinDiffers { name, .. }) = other.hold(&mut journal) else {
            panic!("another {expected} is refused")
        };
        assert_eq!(name, expected);
    }
}
