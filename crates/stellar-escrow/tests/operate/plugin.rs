//! As `stellar-escrow` on `PATH` it is a plugin of the real `stellar` command, looked for on `PATH`, or
//! in `STELLAR_CLI`.

use std::path::Path;
use std::process::Command;

use crate::world::{Ran, World, read};

fn stellar(world: &World, arguments: &[&str]) -> Ran {
    let program = std::env::var_os("STELLAR_CLI").unwrap_or_else(|| "stellar".into());
    let ours = Path::new(env!("CARGO_BIN_EXE_stellar-escrow"))
        .parent()
        .unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(ours.to_owned()).chain(std::env::split_paths(&path));
    // The settings of `World::command`, for another program.
    let settings = world.command(&[]);
    let mut command = Command::new(&program);
    for (name, value) in settings.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command
        .args(arguments)
        .env("PATH", std::env::join_paths(folders).unwrap())
        .env("STELLAR_NO_UPDATE_CHECK", "true")
        .current_dir(world.folder.path());
    read(&command.output().unwrap_or_else(|error| {
        panic!(
            "cannot run {}: {error}; install stellar-cli 28.1.0, or name it in STELLAR_CLI",
            Path::new(&program).display()
        )
    }))
}

#[test]
fn the_plugin_is_listed_and_takes_stellars_settings() {
    let world = World::with_escrow();
    let listed = stellar(&world, &["plugin", "ls"]);
    assert!(
        listed.data.lines().any(|line| line.trim() == "escrow"),
        "{}",
        listed.data
    );
    let status = ["escrow", "status", "--id", "escrow", "--output", "json"];
    let ran = stellar(&world, &status);
    assert_eq!(ran.code, Some(0), "{}", ran.talk);
    let facts: serde_json::Value = serde_json::from_str(&ran.data).unwrap();
    assert_eq!(facts["program_id"], "hackathon-2026");
    // An alias that we saved is one that stellar knows.
    let shown = stellar(&world, &["contract", "alias", "show", "escrow"]);
    assert_eq!(shown.data.trim(), facts["contract"], "{}", shown.talk);
}
