//! The audit log: chained, verified, archived.

use std::path::PathBuf;
use std::time::Duration;

use payout_gateway::{ArchiveError, VerifyError};

use crate::common::{Database, R1, Rig, both, order_body};

async fn sealed(rig: &Rig) {
    for _ in 0..200 {
        if rig.metric("payout_gateway_audit_unsealed").await == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("rows are not sealed");
}

both!(a_changed_row_a_missing_row_and_a_cut_tail_are_found);
async fn a_changed_row_a_missing_row_and_a_cut_tail_are_found(database: Database) {
    let mut rig = Rig::serving(&database).await;
    for number in 0..5 {
        rig.submit(&format!("k{number}"), &order_body(&[R1], &["7"]))
            .await;
    }
    sealed(&rig).await;
    let store = rig.running().store().clone();
    let verdict = store.verify_audit(None).await.expect("an intact log");
    assert_eq!(verdict.rows, 6);
    assert_eq!(verdict.unsealed, Vec::<String>::new());
    let noted = (verdict.head.0, verdict.head.1.as_str());
    store.verify_audit(Some(noted)).await.expect("the same");

    let pool = database.past().await;
    let run = async |text: &'static str| {
        sqlx::query(text).execute(&pool).await.expect("tampered");
    };
    run("UPDATE audit SET position = 9 WHERE position = 6").await;
    assert!(matches!(
        store.verify_audit(None).await,
        Err(VerifyError::Planted {
            position: 9,
            head: 6
        })
    ));
    run("UPDATE audit SET position = 6 WHERE position = 9").await;
    run("UPDATE audit SET detail = '{}' WHERE position = 3").await;
    assert!(matches!(
        store.verify_audit(None).await,
        Err(VerifyError::Altered { position: 3, .. })
    ));
    run("DELETE FROM audit WHERE position = 3").await;
    assert!(matches!(
        store.verify_audit(None).await,
        Err(VerifyError::Missing {
            expected: 3,
            found: 4
        })
    ));
    run("DELETE FROM audit WHERE position >= 3").await;
    assert!(matches!(
        store.verify_audit(None).await,
        Err(VerifyError::Cut { found: 2, head: 6 })
    ));
    // Somebody who also puts the head right is found out by the end that was noted elsewhere.
    run("UPDATE audit_head SET position = 2, hash = (SELECT hash FROM audit WHERE position = 2)")
        .await;
    assert_eq!(store.verify_audit(None).await.expect("consistent").rows, 2);
    assert!(matches!(
        store.verify_audit(Some(noted)).await,
        Err(VerifyError::Cut { .. })
    ));
    pool.close().await;
    rig.stop().await;
}

both!(archives_carry_the_chain_and_keys_are_not_forgotten);
async fn archives_carry_the_chain_and_keys_are_not_forgotten(database: Database) {
    let rig = Rig::serving(&database).await;
    let body = order_body(&[R1], &["7"]);
    rig.submit("old", &body).await;
    sealed(&rig).await;
    let store = rig.running().store().clone();
    let folder = tempfile::tempdir().expect("a folder");
    let first: PathBuf = folder.path().join("1.ndjson");
    let second: PathBuf = folder.path().join("2.ndjson");
    let archived = store
        .archive_audit(i64::MAX, &first)
        .await
        .expect("archived");
    assert_eq!(archived.rows, 2);
    assert_eq!(database.count("audit").await, 0);
    assert!(
        store.archive_audit(i64::MAX, &first).await.is_err(),
        "written once"
    );

    let again = rig.submit("old", &body).await;
    assert_eq!(again.status.as_u16(), 200, "the key is not forgotten");
    rig.submit("new", &body).await;
    sealed(&rig).await;
    let verdict = store.verify_audit(None).await.expect("an intact log");
    assert_eq!((verdict.begins_after, verdict.rows), (2, 1));
    store
        .archive_audit(i64::MAX, &second)
        .await
        .expect("archived");
    let chain = [first.clone(), second.clone()];
    let whole = store.verify_log(&chain, None).await.expect("an intact log");
    assert_eq!(whole.0.as_ref().map(|archived| archived.position), Some(3));
    // What was noted is looked for in the archives, and asked for where they are not given.
    let rows: Vec<serde_json::Value> = [&first, &second]
        .iter()
        .flat_map(|path| {
            let text = std::fs::read_to_string(path).expect("an archive");
            let rows = text.lines().map(serde_json::from_str);
            rows.collect::<Result<Vec<_>, _>>().expect("rows")
        })
        .collect();
    for (number, row) in rows.iter().enumerate() {
        let at = i64::try_from(number).expect("a place") + 1;
        let hash = row["hash"].as_str().expect("a hash");
        for (hash, right) in [(hash, true), (&"0".repeat(64), false)] {
            let told = store.verify_log(&chain, Some((at, hash))).await;
            assert_eq!(told.is_ok(), right, "{at}: {told:?}");
            let alone = store.verify_audit(Some((at, hash))).await;
            assert_eq!(alone.is_ok(), right && at == 3, "{at}: {alone:?}");
        }
    }
    let verify = async |paths: &[PathBuf]| store.verify_log(paths, None).await;
    assert!(verify(&chain[1..]).await.is_err(), "the first is missing");
    assert!(verify(&chain[..1]).await.is_err(), "the last is missing");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::metadata(&first)
            .expect("it is there")
            .permissions();
        assert_eq!(mode.mode() & 0o777, 0o600);
    }
    // A whole log of another database fits together, and is not this one.
    let another = Database::sqlite();
    let other = Rig::serving(&another).await;
    for number in 0..2 {
        other.submit(&format!("{number}"), &body).await;
    }
    sealed(&other).await;
    let forged = folder.path().join("forged.ndjson");
    let store_of_other = other.running().store();
    let written = store_of_other.archive_audit(i64::MAX, &forged).await;
    assert_eq!(written.expect("archived").position, 3);
    assert!(matches!(
        verify(&[forged]).await,
        Err(ArchiveError::Chain(VerifyError::Archives { end: 3, .. }))
    ));
    let text = std::fs::read_to_string(&first).expect("an archive");
    std::fs::write(&first, text.replace("create", "crexte")).expect("tampered");
    assert!(verify(&chain).await.is_err(), "altered");
}

both!(rows_are_found_by_order_key_and_time);
async fn rows_are_found_by_order_key_and_time(database: Database) {
    let rig = Rig::serving(&database).await;
    let body = order_body(&[R1], &["7"]);
    let one = rig.submit("one", &body).await;
    rig.submit("two", &body).await;
    let rows = async |query: &str| {
        let answer = rig.get(&format!("/v1/audit?{query}")).await;
        let rows = answer.body["rows"].as_array().expect("rows").clone();
        rows.iter()
            .map(|row| row["idempotency_key"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(rows(&format!("order={}", one.text("id"))).await, ["one"]);
    assert_eq!(rows("idempotency_key=two").await, ["two"]);
    assert_eq!(rows("program=hackathon-2026&limit=1").await, ["one"]);
    assert!(rows("until=1").await.is_empty());
    assert_eq!(rows("program=hackathon-2026&from=1").await.len(), 2);
    assert_eq!(
        rig.get("/v1/audit?limit=0").await.problem(400),
        "query-invalid"
    );
    assert_eq!(
        rig.get("/v1/audit?orde=1").await.problem(400),
        "query-invalid"
    );
    let double = rig.get("/v1/programs/hackathon-2026/double-payments").await;
    assert_eq!(double.body["keys"], serde_json::json!([]));
}
