//! The gateway's nodes, and the headers that each of them wants.

use std::collections::BTreeSet;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderMap, StatusCode, Uri};
use tokio::net::TcpListener;

/// A key that nobody has money under.
const PAYOUT_KEY: &str = "SAV76USXIJOBMEQXPANUOQM6F5LIOTLPDIDVRJBFFE2MDJXG24TAPUU7";

/// A running gateway. It dies with the test.
struct Gateway(Child);

impl Drop for Gateway {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Which key came with which path.
type Notes = Arc<Mutex<BTreeSet<(String, String)>>>;

/// A node that answers nothing useful, and what it notes.
async fn nosy_node() -> (String, Notes) {
    let seen = Notes::default();
    let noted = Arc::clone(&seen);
    let note = move |uri: Uri, headers: HeaderMap| async move {
        let key = headers
            .get("x-api-key")
            .map(|key| key.to_str().expect("text"));
        let row = (uri.path().to_owned(), key.unwrap_or("none").to_owned());
        noted.lock().expect("the notes").insert(row);
        StatusCode::INTERNAL_SERVER_ERROR
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, Router::new().fallback(note)).await });
    (url, seen)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_node_gets_its_own_headers_and_nobody_else_sees_them() {
    let (url, seen) = nosy_node().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("headers"), "X-Other: 1\n\nX-Api-Key: key-of-two\n").expect("headers");
    let config = format!(
        "listen = \"127.0.0.1:0\"\ndatabase = \"sqlite:{}\"\n\
         [worker]\npoll_millis = 50\n\
         [network]\npassphrase = \"Standalone Network ; February 2017\"\n\
         rpc = [\"{url}/plain\", {{ url = \"{url}/one\", headers = \"env:NODE_HEADERS\" }}, \
         {{ url = \"{url}/two\", headers = \"file:{}\" }}]\n\
         [[programs]]\nid = \"hackathon-2026\"\npayout_key = \"env:PAYOUT_KEY\"\n\
         contract = \"CA3D5KRYM6CB7OWQ6TWYRR3Z4T7GNZLKERYNZGGA5SOAOPIFY6YQGAXE\"\n",
        file("gateway.db").display(),
        file("headers").display(),
    );
    std::fs::write(file("gateway.toml"), config).expect("a configuration");
    let start = |flags: &[&str]| {
        let talk = std::fs::File::create(file("talk")).expect("a log");
        let child = Command::new(env!("CARGO_BIN_EXE_stellar-escrow"))
            .args(["serve", "--config"])
            .arg(file("gateway.toml"))
            .args(flags)
            .env("NODE_HEADERS", "X-Api-Key:key-of-one")
            .env("PAYOUT_KEY", PAYOUT_KEY)
            .env("STELLAR_CONFIG_HOME", folder.path())
            .env_remove("STELLAR_RPC_HEADERS")
            .env("GATEWAY_LOG", "trace")
            .stdout(Stdio::null())
            .stderr(talk)
            .spawn()
            .expect("the gateway runs");
        Gateway(child)
    };
    let gateway = start(&[]);
    until(
        &seen,
        &[
            ("/one", "key-of-one"),
            ("/plain", "none"),
            ("/two", "key-of-two"),
        ],
    )
    .await;
    let talk = std::fs::read_to_string(file("talk")).expect("a log");
    assert!(talk.lines().count() > 1, "it talks: {talk}");
    assert!(!talk.contains("key-of-"), "{talk}");

    // Flags that name a network take the place of all of it.
    drop(gateway);
    seen.lock().expect("the notes").clear();
    let passphrase = "Standalone Network ; February 2017";
    let flag = format!("{url}/flag");
    let _gateway = start(&["--rpc-url", &flag, "--network-passphrase", passphrase]);
    until(&seen, &[("/flag", "none")]).await;
}

/// Waits until the node has noted so many, which have to be these.
async fn until(seen: &Notes, wanted: &[(&str, &str)]) {
    for _ in 0..600 {
        if seen.lock().expect("the notes").len() >= wanted.len() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let wanted = wanted
        .iter()
        .map(|(path, key)| ((*path).to_owned(), (*key).to_owned()));
    assert_eq!(*seen.lock().expect("the notes"), wanted.collect());
}
