//! Health, metrics, pages, and what the framework would answer by itself.

use reqwest::redirect::Policy;
use reqwest::{Method, StatusCode};

use crate::common::{Chain, Database, R1, Rig, both, order_body, until};

both!(readiness_is_honest);
async fn readiness_is_honest(database: Database) {
    let rig = Rig::serving(&database).await;
    assert_eq!(rig.get("/healthz").await.status, StatusCode::OK);
    let ready = rig.get("/readyz").await;
    assert_eq!(ready.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(ready.body["ready"], false);
    let chain = Chain::at_once(0).await;
    let paying = Rig::paying(&database, &chain, 1).await;
    paying.until_ready().await;
}

both!(another_contract_or_code_is_not_paid_from);
async fn another_contract_or_code_is_not_paid_from(database: Database) {
    let chain = Chain::at_once(1).await;
    let mut rig = Rig::paying(&database, &chain, 1).await;
    let name = chain.recipients[0].address();
    let order = rig.submit("a", &order_body(&[&name], &["1"])).await;
    rig.until(order.text("id"), &["confirmed"]).await;
    rig.stop().await;
    let pool = database.past().await;
    let lie = "UPDATE programs SET code_hash = 'another'";
    sqlx::query(lie).execute(&pool).await.expect("another code");
    pool.close().await;
    rig.crash_and_restart().await;
    let order = rig.submit("b", &order_body(&[&name], &["1"])).await;
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    let waiting = rig.get(&format!("/v1/payouts/{}", order.text("id"))).await;
    assert_eq!(waiting.text("state"), "created");
    assert!(
        waiting.text("explanation").contains("code hash another"),
        "{}",
        waiting.body
    );
    let program = rig.get("/v1/programs/hackathon-2026").await;
    let why = program.text("waiting_for").to_owned();
    let code = why
        .split("is now ")
        .nth(1)
        .and_then(|rest| rest.split(';').next());
    let accepted = rig
        .running()
        .store()
        .accept_code("hackathon-2026", code.expect("a hash"));
    assert!(accepted.await.expect("accepted"));
    rig.until(order.text("id"), &["confirmed"]).await;
    assert_eq!(chain.payout_count(), 2);

    // A database that outlived its network, or an alias that points elsewhere by mistake.
    rig.stop().await;
    let pool = database.past().await;
    let lie = "UPDATE programs SET contract = 'the-first'";
    sqlx::query(lie).execute(&pool).await.expect("another one");
    pool.close().await;
    rig.crash_and_restart().await;
    let orders = database.count("orders").await;
    let refused = rig.submit("c", &order_body(&[&name], &["1"])).await;
    assert_eq!(refused.problem(503), "not-ready");
    assert_eq!(database.count("orders").await, orders, "nothing is stored");
    let again = rig.submit("b", &order_body(&[&name], &["1"])).await;
    assert_eq!(again.status, StatusCode::OK, "what is known is known");
    let wanted = format!(
        "first used with contract the-first, and is now {}",
        chain.contract()
    );
    until("the pin is read", async || {
        let program = rig.get("/v1/programs/hackathon-2026").await;
        program.text("waiting_for").contains(&wanted)
    })
    .await;
    let ready = rig.get("/readyz").await;
    assert_eq!(ready.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(ready.body.to_string().contains(&wanted), "{}", ready.body);
    assert_eq!(chain.payout_count(), 2);
}

both!(an_order_of_another_contract_gets_the_key_that_finds_it_again);
/// Stored while a wrong contract was configured and nothing had been read yet.
async fn an_order_of_another_contract_gets_the_key_that_finds_it_again(database: Database) {
    let chain = Chain::at_once(1).await;
    let body = order_body(&[&chain.recipients[0].address()], &["1"]);
    let mut wrong = Rig::serving(&database).await;
    let stored = wrong.submit("a", &body).await;
    wrong.stop().await;
    let mut rig = Rig::paying(&database, &chain, 1).await;
    let order = rig.until(stored.text("id"), &["confirmed"]).await;
    assert_ne!(order["chain_key"], stored.body["chain_key"]);
    let kinds = rig.audit_kinds(stored.text("id")).await;
    assert!(kinds.contains(&"chain_key_changed".to_owned()), "{kinds:?}");
    rig.stop().await;

    let lost = Database::sqlite();
    let empty = Rig::paying(&lost, &chain, 1).await;
    let again = empty.submit("a", &body).await;
    let found = empty.until(again.text("id"), &["confirmed"]).await;
    assert_eq!(found["chain_key"], order["chain_key"]);
    assert_eq!(chain.payout_count(), 1);
}

both!(metrics_count_what_happened);
async fn metrics_count_what_happened(database: Database) {
    let rig = Rig::serving(&database).await;
    let body = order_body(&[R1], &["7"]);
    rig.submit("k", &body).await;
    rig.submit("k", &body).await;
    rig.submit("k", &order_body(&[R1], &["8"])).await;
    assert_eq!(rig.metric("payout_gateway_orders_accepted_total").await, 1);
    assert_eq!(
        rig.metric("payout_gateway_requests_replayed_total").await,
        1
    );
    assert_eq!(rig.metric("payout_gateway_key_conflicts_total").await, 1);
    assert_eq!(
        rig.metric("payout_gateway_orders{state=\"created\"}").await,
        1
    );
    assert_eq!(rig.metric("payout_gateway_jobs_waiting").await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refusals_of_the_framework_are_problems_too() {
    let database = Database::sqlite();
    let rig = Rig::serving(&database).await;
    assert_eq!(rig.get("/nowhere").await.problem(404), "not-found");
    let put = Rig::send(rig.request(Method::PUT, "/v1/payouts")).await;
    assert_eq!(put.problem(405), "method-not-allowed");
    assert!(
        put.header("allow")
            .is_some_and(|allow| allow.contains("GET"))
    );
    assert_eq!(rig.get("/v1/payouts/%FF").await.problem(404), "not-found");
    assert_eq!(
        rig.get("/v1/payouts?limit=x").await.problem(400),
        "query-invalid"
    );
    assert_eq!(
        rig.get("/v1/payouts?limit=1&limit=2").await.problem(400),
        "query-invalid"
    );
    assert_eq!(rig.get("/healthz?x=1").await.problem(400), "query-invalid");
    let path = "/v1/programs/hackathon-2026/reconciliations";
    let list = rig.post(path, "k", &serde_json::json!([])).await;
    assert_eq!(list.problem(400), "body-invalid");
    let known = rig.get("/problems/idempotency-key-reused").await;
    assert_eq!(known.status, StatusCode::OK);
    let named = Rig::send(
        rig.request(Method::GET, "/v1/programs")
            .header("x-correlation-id", "my-request.7"),
    )
    .await;
    assert_eq!(named.header("x-correlation-id"), Some("my-request.7"));
    let unnamed = rig.get("/v1/programs").await;
    assert_eq!(unnamed.header("x-correlation-id").map(str::len), Some(32));
}

both!(the_pages_show_an_orders_whole_story);
async fn the_pages_show_an_orders_whole_story(database: Database) {
    let chain = Chain::at_once(1).await;
    let rig = Rig::paying(&database, &chain, 1).await;
    let name = chain.recipients[0].address();
    let order = rig
        .submit("<b>key</b>", &order_body(&[&name], &["5"]))
        .await;
    let id = order.text("id").to_owned();
    let paid = rig.until_receipt(&id).await;
    rig.until_idle().await;

    let browser = reqwest::Client::builder()
        .redirect(Policy::none())
        .build()
        .expect("a browser");
    let page = async |path: &str, session: &str| {
        let request = browser.get(rig.url(path)).header("cookie", session);
        Rig::send(request).await
    };
    let stranger = page("/operator/payouts", "").await;
    assert_eq!(stranger.status, StatusCode::SEE_OTHER);
    assert_eq!(stranger.header("location"), Some("/operator/login"));
    let wrong = browser
        .post(rig.url("/operator/login"))
        .body("key=gw_wrong");
    let wrong = wrong.header("content-type", "application/x-www-form-urlencoded");
    assert_eq!(Rig::send(wrong).await.status, StatusCode::FORBIDDEN);
    let login = browser
        .post(rig.url("/operator/login"))
        .header("content-type", "application/x-www-form-urlencoded")
        .body(format!("key={}", rig.token));
    let login = Rig::send(login).await;
    let cookie = login.header("set-cookie").expect("a session").to_owned();
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"),
        "{cookie}"
    );
    assert!(!cookie.contains(&rig.token));
    let session = cookie.split(';').next().expect("a cookie").to_owned();

    let list = page("/operator/payouts?state=confirmed", &session).await;
    assert_eq!(list.status, StatusCode::OK);
    let list = list.body.as_str().expect("a page").to_owned();
    assert!(list.contains(&format!("/operator/payouts/{id}")));
    assert!(list.contains("&lt;b&gt;key") && !list.contains("<b>key"));
    let story = page(&format!("/operator/payouts/{id}"), &session).await;
    let story = story.body.as_str().expect("a page").to_owned();
    for part in [
        paid["transaction"].as_str().expect("a hash"),
        paid["chain_key"].as_str().expect("a key"),
        paid["fingerprint"].as_str().expect("a print"),
        name.as_str(),
        "envelope_signed",
        "receipt_found",
        "Payout</td>",
    ] {
        assert!(story.contains(part), "{part}");
    }
    for path in [
        "/operator/programs",
        "/operator/findings",
        "/operator/audit",
    ] {
        let answer = page(path, &session).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.body);
        let policy = answer.header("content-security-policy");
        assert!(policy.is_some_and(|policy| policy.contains("default-src 'none'")));
    }
    let export = page("/operator/audit.ndjson", &session).await;
    assert!(
        export
            .body
            .as_str()
            .is_some_and(|text| text.lines().count() > 5)
    );
    assert_eq!(
        page("/operator/payouts/000000000000000000000000", &session)
            .await
            .status,
        StatusCode::NOT_FOUND
    );
    let out = browser
        .post(rig.url("/operator/logout"))
        .header("cookie", &session);
    Rig::send(out).await;
    assert_eq!(
        page("/operator/payouts", &session).await.status,
        StatusCode::SEE_OTHER
    );
}
