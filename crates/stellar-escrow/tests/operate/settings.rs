//! Where settings come from, and what is said where they are wrong.

use payout_keys::{ContractId, Deployment, NetworkId, ProgramId, RunName, run_key};

use crate::world::{World, address, read};

const SECRET_OF_NOBODY: &str = "env:ESCROW_TEST_SECRET";

#[test]
fn wrong_network_and_wrong_contract_are_named() {
    let world = World::with_escrow();
    let other = "Test SDF Network ; September 2015";
    let status = ["status", "--id", "escrow", "--network-passphrase", other];
    let ran = world.run(&status);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.talk.contains("no such alias") && ran.talk.contains(other),
        "{}",
        ran.talk
    );

    let contract = world.fact("contract");
    let contract = contract.as_str().unwrap();
    let locks = [
        "lock", "1", "--source", "sponsor", "--yes", "--id", contract,
    ];
    let mut command = world.command(&locks);
    command.args(["--network-passphrase", other]);
    let ran = read(&command.output().unwrap());
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.talk.contains(other) && ran.talk.contains("Standalone"),
        "{}",
        ran.talk
    );

    let nobody = ContractId([7; 32]).to_string();
    let ran = world.run(&["status", "--id", &nobody]);
    assert!(
        ran.talk.contains(&nobody) && ran.talk.contains("no contract"),
        "{}",
        ran.talk
    );
    let token = world.fact("token_contract");
    let ran = world.run(&["status", "--id", token.as_str().unwrap()]);
    assert!(ran.talk.contains("not a program escrow"), "{}", ran.talk);
    let ran = world.run(&["status"]);
    assert!(ran.talk.contains("STELLAR_CONTRACT_ID"), "{}", ran.talk);
}

#[test]
fn nobody_to_ask_means_nothing_is_done() {
    let world = World::with_escrow();
    let ran = world.run(&["lock", "1", "--source", "sponsor", "--id", "escrow"]);
    assert_eq!(ran.code, Some(1));
    assert!(
        ran.talk.contains("--yes") && ran.talk.contains("lock 1 USDC"),
        "{}",
        ran.talk
    );
    assert_eq!(world.fact("total_locked"), serde_json::json!("0"));
}

#[test]
fn networks_and_identities_are_stellar_clis() {
    let world = World::start();
    world.fund("admin");
    let secret = std::fs::read_to_string(world.folder.path().join("config/identity/admin.toml"));
    let secret = secret.unwrap();
    let secret = secret.split('"').nth(1).unwrap();
    std::fs::write(world.folder.path().join("secret"), format!("{secret}\n")).unwrap();
    world.write(
        "network/mine.toml",
        &format!(
            "rpc_url = \"{}\"\nnetwork_passphrase = \"{}\"\n",
            world.localnet.url(),
            world.localnet.network().passphrase()
        ),
    );
    world.write(
        "identity/words.toml",
        "seed_phrase = \"illness spike retreat truth genius clock brain pass fit cave bargain \
         toe\"\nhd_path = 1\n",
    );
    world.write(
        "identity/seen.toml",
        &format!("public_key = \"{}\"\n", address("admin")),
    );
    world.write(
        "config.toml",
        "[defaults]\nnetwork = \"mine\"\nidentity = \"admin\"\n",
    );
    let list = |arguments: &[&str]| {
        let mut command = world.command(&["lanes", "list", "1", "--output", "csv"]);
        command
            .args(arguments)
            .env_remove("STELLAR_RPC_URL")
            .env_remove("STELLAR_NETWORK_PASSPHRASE")
            .env("ESCROW_TEST_SECRET", secret);
        read(&command.output().unwrap())
    };
    // A node by its address, and its network by name in the environment.
    let named = |network: &str, url: &str| {
        let mut command = world.command(&["lanes", "list", "1", "--output", "csv"]);
        command
            .args(["--rpc-url", url])
            .env_remove("STELLAR_RPC_URL")
            .env_remove("STELLAR_NETWORK_PASSPHRASE")
            .env("STELLAR_NETWORK", network);
        read(&command.output().unwrap())
    };
    let by_name = named("mine", &world.localnet.url());
    assert_eq!(by_name.code, Some(0), "{}", by_name.talk);
    let unknown = named("moon", &world.localnet.url());
    assert_eq!(unknown.code, Some(1), "{}", unknown.talk);
    assert!(
        unknown.talk.contains("no network \"moon\""),
        "{}",
        unknown.talk
    );
    let by_default = list(&[]);
    assert_eq!(by_default.data, by_name.data);
    assert_eq!(by_default.code, Some(0), "{}", by_default.talk);
    for who in ["admin", SECRET_OF_NOBODY, "file:secret", secret] {
        assert_eq!(list(&["--source", who]).data, by_default.data);
    }
    let words = list(&["--source", "words"]);
    assert_eq!(words.code, Some(0), "{}", words.talk);
    assert_ne!(words.data, by_default.data);
    assert_ne!(
        list(&["--source", "words", "--hd-path", "0"]).data,
        words.data
    );
    assert_eq!(
        list(&["--source", "words", "--hd-path", "1"]).data,
        words.data
    );
    for (arguments, hint) in [
        (["--source", "seen"], "its secret key is needed"),
        (["--source", "nobody"], "no identity \"nobody\""),
        (["--source", "../admin"], "is no name"),
        (["--source", "env:ESCROW_NOT_SET"], "ESCROW_NOT_SET"),
        (["--network", "moon"], "no network \"moon\""),
        (["--network", "mainnet"], "--rpc-url"),
        (["--rpc-url", "http://127.0.0.1:1"], "--network-passphrase"),
        (["--network-passphrase", "x"], "--rpc-url"),
    ] {
        let ran = list(&arguments);
        assert_eq!(ran.code, Some(1), "{arguments:?}");
        assert!(ran.talk.contains(hint), "{arguments:?}: {}", ran.talk);
    }
}

#[test]
fn no_secret_is_ever_shown() {
    let world = World::start();
    world.fund("admin");
    let secret = "SBF5HLRREHMS36XZNTUSKZ6FTXDZGNXOHF4EXKUL5UCWZLPBX3NGJ4BX";
    world.write(
        "identity/broken.toml",
        &format!("secret_key = \"{secret}\"\n"),
    );
    world.write("identity/odd.toml", &format!("secret_key = {secret}\n"));
    for who in ["broken", "odd", SECRET_OF_NOBODY] {
        let mut command = world.command(&["lanes", "list", "1", "--source", who]);
        let ran = read(&command.env("ESCROW_TEST_SECRET", secret).output().unwrap());
        assert_eq!(ran.code, Some(1), "{who}");
        assert!(!ran.talk.contains("SBF5"), "{who}: {}", ran.talk);
    }
}

#[test]
fn keys_are_made_and_read_without_a_network() {
    let world = World::start();
    let run = |arguments: &[&str]| {
        let mut command = world.command(arguments);
        let ran = read(&command.env_remove("STELLAR_RPC_URL").output().unwrap());
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.talk);
        ran.data.trim().to_owned()
    };
    let (alice, bob) = (address("alice"), address("bob"));
    let single = run(&["key", "single", "--program-id", "hackathon-2024", &alice]);
    assert!(
        single.starts_with(&format!("hackathon-2024-single-{}-", &alice[..8])),
        "{single}"
    );
    let batch = run(&[
        "key",
        "batch",
        "--program-id",
        "hackathon-2024",
        &alice,
        &bob,
    ]);
    assert!(
        batch.starts_with(&format!("hackathon-2024-batch-{}-2r-", &alice[..8])),
        "{batch}"
    );
    assert_eq!(run(&["key", "uuid"]).len(), 36);
    let contract = ContractId([9; 32]);
    let name = contract.to_string();
    let derived = run(&[
        "key",
        "run",
        "--program-id",
        "p",
        "--run",
        "May",
        "--slot",
        "3",
        "--id",
        &name,
    ]);
    let at = Deployment {
        network: NetworkId(world.localnet.network().id()),
        contract,
    };
    let run_name = RunName::new("may").unwrap();
    let expected = run_key(&ProgramId::new("p").unwrap(), &at, &run_name, 3);
    assert_eq!(derived, expected.as_str());
    let read = run(&["key", "read", &batch, "--output", "json"]);
    let read: serde_json::Value = serde_json::from_str(&read).unwrap();
    assert_eq!(read["form"], "batch");
    assert_eq!(read["recipients"], 2);
    assert_eq!(read["program_id"], "hackathon-2024");
}
