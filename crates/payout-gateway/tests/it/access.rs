//! Who may do what, and what everybody else sees: nothing.

use payout_gateway::Scope;
use payout_keys::ProgramId;
use reqwest::{Method, StatusCode};

use crate::common::{Database, R1, Rig, both, order_body, payouts};

both!(what_is_not_allowed_looks_as_if_it_was_not_there);
async fn what_is_not_allowed_looks_as_if_it_was_not_there(database: Database) {
    let mut rig = Rig::serving(&database).await;
    let body = order_body(&[R1], &["7"]);
    let order = rig.submit("k1", &body).await;
    let order_path = format!("/v1/payouts/{}", order.text("id"));
    let absent = rig.get("/v1/payouts/000000000000000000000000").await;
    assert_eq!(absent.problem(404), "not-found");
    let none = absent.body.to_string();

    let store = rig.running().store();
    let ours = ProgramId::new("hackathon-2026").expect("a program");
    let others = ProgramId::new("another").expect("a program");
    let read = store
        .create_key(Some(&ours), "r", &[Scope::Read])
        .await
        .expect("a key");
    let submit = store
        .create_key(Some(&ours), "s", &[Scope::Submit])
        .await
        .expect("a key");
    let all = [Scope::Submit, Scope::Read, Scope::Operate];
    let stranger = store
        .create_key(Some(&others), "o", &all)
        .await
        .expect("a key");

    // A wrong scope, another tenant, an unknown program: one answer.
    for (token, method, path) in [
        (&submit.token, Method::GET, order_path.as_str()),
        (&stranger.token, Method::GET, &order_path),
        (&stranger.token, Method::GET, "/v1/programs/hackathon-2026"),
        (&read.token, Method::POST, &payouts()),
        (&stranger.token, Method::POST, &payouts()),
        (&submit.token, Method::POST, "/v1/programs/nowhere/payouts"),
        (
            &submit.token,
            Method::POST,
            "/v1/programs/HACKATHON-2026/payouts",
        ),
        (&read.token, Method::POST, &format!("{order_path}/void")),
        (&submit.token, Method::GET, "/v1/audit"),
    ] {
        let request = reqwest::Client::new()
            .request(method.clone(), rig.url(path))
            .bearer_auth(token)
            .header("idempotency-key", "k2")
            .json(&body);
        let refused = Rig::send(request).await;
        assert_eq!(refused.problem(404), "not-found", "{method} {path}");
        assert_eq!(refused.body.to_string(), none, "{method} {path}");
    }
    let listed = Rig::send(
        reqwest::Client::new()
            .get(rig.url("/v1/payouts?idempotency_key=k1"))
            .bearer_auth(&stranger.token),
    )
    .await;
    assert_eq!(listed.body["payouts"], serde_json::json!([]));
    assert_eq!(database.count("orders").await, 1);
    assert_eq!(database.count("operations").await, 0);

    let own = reqwest::Client::new()
        .get(rig.url(&order_path))
        .bearer_auth(&read.token);
    assert_eq!(Rig::send(own).await.status, StatusCode::OK);
    rig.stop().await;
}

both!(a_revoked_key_is_an_unknown_one);
async fn a_revoked_key_is_an_unknown_one(database: Database) {
    let rig = Rig::serving(&database).await;
    let store = rig.running().store();
    let key = store
        .create_key(None, "x", &[Scope::Read])
        .await
        .expect("a key");
    let ask = |token: String| {
        let request = reqwest::Client::new().get(rig.url("/v1/programs"));
        Rig::send(request.bearer_auth(token))
    };
    assert_eq!(ask(key.token.clone()).await.status, StatusCode::OK);
    assert!(store.revoke_key(&key.id).await.expect("revoked"));
    assert!(!store.revoke_key(&key.id).await.expect("once"));
    let revoked = ask(key.token.clone()).await;
    assert_eq!(revoked.problem(401), "unauthorized");
    let unknown = ask("gw_unknown".to_owned()).await;
    assert_eq!(unknown.body, revoked.body);
    let missing = Rig::send(reqwest::Client::new().get(rig.url("/v1/programs"))).await;
    assert_eq!(missing.body, revoked.body);
    assert_eq!(missing.header("www-authenticate"), Some("Bearer"));

    // The database has hashes alone.
    let pool = database.past().await;
    let hashes: Vec<String> = sqlx::query_scalar("SELECT token_hash FROM bearer_keys")
        .fetch_all(&pool)
        .await
        .expect("hashes");
    assert!(
        hashes
            .iter()
            .all(|hash| hash.len() == 64 && !key.token.contains(hash))
    );
    pool.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_bearer_key_has_a_rate_of_its_own() {
    let database = Database::sqlite();
    let rig = Rig::serving_with(&database, |config| {
        config.limits.requests_per_second = 1;
        config.limits.burst = 3;
    })
    .await;
    let store = rig.running().store();
    let other = store
        .create_key(None, "x", &[Scope::Read])
        .await
        .expect("a key");
    let mut refused = None;
    for _ in 0..8 {
        let answer = rig.get("/v1/programs").await;
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            refused = Some(answer);
        }
    }
    let refused = refused.expect("too many requests");
    assert_eq!(refused.problem(429), "rate-limited");
    let wait: u64 = refused
        .header("retry-after")
        .expect("a wait")
        .parse()
        .expect("seconds");
    assert!(wait >= 1);
    let request = reqwest::Client::new()
        .get(rig.url("/v1/programs"))
        .bearer_auth(&other.token);
    assert_eq!(Rig::send(request).await.status, StatusCode::OK);
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_database_file_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;

    let database = Database::sqlite();
    let rig = Rig::serving(&database).await;
    let order = rig.submit("k", &order_body(&[R1], &["7"])).await;
    assert_eq!(order.status, StatusCode::ACCEPTED, "{}", order.body);
    let Database::Sqlite(folder) = &database else {
        unreachable!("it was made above")
    };
    for name in ["g.db", "g.db-wal", "g.db-shm"] {
        let file = std::fs::metadata(folder.path().join(name)).expect("the file");
        assert_eq!(file.permissions().mode() & 0o777, 0o600, "{name}");
    }
}
