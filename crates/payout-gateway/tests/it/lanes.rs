//! Lanes that are taken out of the configuration, as after a leak of their keys.

use crate::common::{Chain, Database, Proxy, Rig, both, order_body, until};

both!(an_order_goes_on_in_another_lane);
/// A worker has signed in a lane and is stopped before the sending; from then on there is another lane. What was signed lands
/// late, and pays nothing.
async fn an_order_goes_on_in_another_lane(database: Database) {
    let chain = Chain::at_once(1).await;
    let proxy = Proxy::before(chain.url()).await;
    let mut rig = Rig::paying_with(&database, &chain, 1, |config| {
        if let Some(network) = &mut config.network {
            network.rpc = vec![proxy.url.clone().into()];
        }
    })
    .await;
    proxy.hold_next();
    let body = order_body(&[&chain.recipients[0].address()], &["1"]);
    let order = rig.submit("g", &body).await;
    until("the worker is held", async || proxy.held() == 1).await;

    let others = chain.lanes(2).await.split_off(1);
    rig.restart_with_lanes(others).await;
    rig.until(order.text("id"), &["confirmed"]).await;
    rig.until_idle().await;
    assert_eq!(chain.payout_count(), 1);
    assert_eq!(rig.metric("payout_gateway_lanes_taken").await, 0);

    proxy.release();
    chain.localnet().close_ledgers(5).expect("ledgers");
    assert_eq!(chain.payout_count(), 1);
    assert_eq!(chain.balance(&chain.recipients[0]), 1);
}

both!(a_lane_of_an_order_at_its_end_is_free_after_a_start);
async fn a_lane_of_an_order_at_its_end_is_free_after_a_start(database: Database) {
    let chain = Chain::at_once(1).await;
    let mut rig = Rig::paying(&database, &chain, 1).await;
    let body = order_body(&[&chain.recipients[0].address()], &["1"]);
    let order = rig.submit("g", &body).await;
    rig.until(order.text("id"), &["confirmed"]).await;
    rig.until_idle().await;
    let pool = database.past().await;
    for kind in ["pay", "void"] {
        sqlx::query("UPDATE lanes SET holder = $1")
            .bind(format!("{kind}:{}", order.text("id")))
            .execute(&pool)
            .await
            .expect("held");
        rig.crash_and_restart().await;
        let next = rig.submit(kind, &body).await;
        rig.until(next.text("id"), &["confirmed"]).await;
    }
    pool.close().await;
}
