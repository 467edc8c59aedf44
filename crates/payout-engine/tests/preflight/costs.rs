//! What each kind of recipient costs, measured.

use payout_engine::preflight::{Ask, Kind, Verdict, costs};
use payout_keys::Recipient;
use stellar_xdr::{
    ContractDataDurability, LedgerKey, LedgerKeyContractData, ScAddress, ScSymbol, ScVal, ScVec,
};

use crate::entries::TrustlineNumbers;
use crate::transactions::Keys;
use crate::world::{ONE, World, address, ask, unused};

fn agreed(recipient: Recipient) -> Ask {
    let mut ask = ask(recipient, ONE);
    ask.consents.not_deployed = true;
    ask
}

/// Ends the life of a contract's balance.
fn archive(world: &World, holder: Recipient) {
    let symbol = ScVal::Symbol(ScSymbol("Balance".try_into().expect("short")));
    let key = ScVec(vec![symbol, address(holder)].try_into().expect("two"));
    let ScVal::Address(ScAddress::Contract(token)) = address(Recipient::Contract(world.token.0))
    else {
        unreachable!("a contract")
    };
    let key = LedgerKey::ContractData(LedgerKeyContractData {
        contract: ScAddress::Contract(token),
        key: ScVal::Vec(Some(key)),
        durability: ContractDataDurability::Persistent,
    });
    let (entry, _) = world.net.entry(key).expect("it runs").expect("a balance");
    let latest = world.net.latest_ledger().expect("it runs");
    world.put_living(entry.data, Some(latest - 1));
}

#[tokio::test]
async fn a_new_balance_costs_more_than_everything_else() {
    let world = World::usdc(0).await.published().await;
    let accounts: Vec<Ask> = (0..60)
        .map(|number| {
            let keys = Keys::named(&format!("payee {number}"));
            world.put_account(&keys, 100_000_000, 1, 0);
            world.put_trustline(&keys, &world.issuer, TrustlineNumbers::default());
            ask(Recipient::Account(keys.public()), ONE)
        })
        .collect();
    let contracts = |from: u8, count: u8| -> Vec<Ask> {
        (from..from + count)
            .map(|byte| agreed(Recipient::Contract([byte; 32])))
            .collect()
    };
    let (holders, archived, new) = (contracts(10, 5), contracts(20, 2), contracts(30, 5));
    world
        .pay("first", &[holders.clone(), archived.clone()].concat())
        .await;
    for ask in &archived {
        archive(&world, ask.line.recipient);
    }
    let asks = [accounts, holders, archived, new].concat();
    let report = world.check(&asks).await;
    let facts = world.facts().await;
    let key = unused("costs");
    let probe = world.probe(&key);
    let found = costs(&world.client, &facts, &probe, &asks, &report.verdicts).await;
    let found = found.expect("measured");
    let kinds: Vec<(Kind, usize)> = found
        .kinds
        .iter()
        .map(|cost| (cost.kind, cost.rows))
        .collect();
    assert_eq!(
        kinds,
        [
            (Kind::Account, 60),
            (Kind::HolderContract, 5),
            (Kind::ArchivedContract, 2),
            (Kind::NewContract, 5)
        ]
    );
    let each = |kind| {
        let cost = found.kinds.iter().find(|cost| cost.kind == kind);
        cost.and_then(|cost| cost.each).expect("measured")
    };
    let (account, holder) = (each(Kind::Account), each(Kind::HolderContract));
    let (archived, new) = (each(Kind::ArchivedContract), each(Kind::NewContract));
    assert!(0 < account && 0 < holder);
    // Rent: a balance that comes back is paid for anew, and so is one that is new.
    assert!(archived > 10 * account, "{archived} and {account}");
    assert!(new > 100 * account, "{new} and {account}");
    let restores: Vec<u32> = found.kinds.iter().map(|cost| cost.restores).collect();
    assert_eq!(restores, [0, 0, 2, 0]);

    // The estimate is near what a mixed batch costs, and not below.
    let mixed = [&asks[..3], &asks[60..62], &asks[67..69]].concat();
    let verdicts = vec![Verdict::Pay(Kind::Contract); mixed.len()];
    let whole = costs(&world.client, &facts, &probe, &mixed, &verdicts).await;
    let whole = whole.expect("measured").kinds[0];
    let fee = whole.alone + whole.each.expect("seven") * 6;
    let estimate = found.base() + 3 * account + 2 * holder + 2 * new;
    assert!(
        estimate * 100 >= fee * 98 && estimate * 100 <= fee * 105,
        "estimated {estimate}, simulated {fee}"
    );
}
