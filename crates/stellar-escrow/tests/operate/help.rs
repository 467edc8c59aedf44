//! Help of every command, as a golden file: a flag that changes its name shows in a review.

use std::path::Path;
use std::process::Command;

fn help(of: &[String]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_stellar-escrow"))
        .args(of)
        .arg("--help")
        .env_remove("STELLAR_NETWORK_PASSPHRASE")
        .output()
        .unwrap();
    assert!(output.status.success(), "{of:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The help of a command and of those below it.
fn collect(of: &[String], text: &mut String) {
    let own = help(of);
    let line = [of, &["--help".to_owned()]].concat().join(" ");
    text.extend(["$ stellar-escrow ", &line, "\n", &own, "\n"]);
    let commands = own.split("Commands:\n").nth(1).unwrap_or_default();
    for line in commands.lines().take_while(|line| !line.is_empty()) {
        let name = line
            .strip_prefix("  ")
            .filter(|line| !line.starts_with(' '));
        match name.and_then(|line| line.split_whitespace().next()) {
            Some("help") | None => {}
            Some(name) => collect(&[of, &[name.to_owned()]].concat(), text),
        }
    }
}

#[test]
fn help_is_as_agreed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/golden/cli-help.txt");
    let mut text = String::new();
    collect(&[], &mut text);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &text).unwrap();
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        text == golden,
        "the help differs from {}; UPDATE_GOLDEN=1 writes it anew, read the difference",
        path.display()
    );
}
