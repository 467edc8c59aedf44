//! A `PostgreSQL` of our own: in a folder that is removed afterwards, on a free port.

use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

/// `PostgreSQL` refuses to run as root; this user has no rights at all.
const NOBODY: u32 = 65_534;

pub(crate) struct Postgres {
    server: Option<Child>,
    port: u16,
    folder: TempDir,
}

/// Where the server's programs are: on PATH, or where Debian puts them.
fn program(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let versions = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten();
    folders.extend(versions.flatten().map(|entry| entry.path().join("bin")));
    folders
        .into_iter()
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
        .unwrap_or_else(|| panic!("there is no {name}; run scripts/setup.sh postgres"))
}

fn root() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("Uid:"))
        .and_then(|ids| ids.split_whitespace().nth(1))
        == Some("0")
}

fn command(name: &str, folder: &Path) -> Command {
    let mut command = Command::new(program(name));
    command.current_dir(folder).stdin(Stdio::null());
    if root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

impl Postgres {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        if root() {
            chown(folder.path(), Some(NOBODY), Some(NOBODY)).expect("a folder of nobody's");
        }
        let data = folder.path().join("data");
        let made = command("initdb", folder.path())
            .args(["--auth=trust", "--username=gateway", "--no-sync", "-D"])
            .arg(&data)
            .stdout(Stdio::null())
            .status()
            .expect("initdb runs");
        assert!(made.success(), "initdb made no cluster");
        let port = TcpListener::bind("127.0.0.1:0")
            .and_then(|listener| listener.local_addr())
            .expect("a free port")
            .port();
        let mut postgres = Self {
            server: None,
            port,
            folder,
        };
        postgres.run();
        postgres
    }

    pub(crate) fn url(&self) -> String {
        format!("postgres://gateway@127.0.0.1:{}/postgres", self.port)
    }

    /// Starts the server and waits until it answers.
    pub(crate) fn run(&mut self) {
        let folder = self.folder.path();
        let log = std::fs::File::create(folder.join(format!("log-{}", self.port))).expect("a log");
        let server = command("postgres", folder)
            .arg("-D")
            .arg(folder.join("data"))
            .args(["-p", &self.port.to_string(), "-k"])
            .arg(folder)
            .args(["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"])
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("postgres runs");
        self.server = Some(server);
        for _ in 0..600 {
            let answers = command("pg_isready", folder)
                .args(["-q", "-h", "127.0.0.1", "-p", &self.port.to_string()])
                .status()
                .is_ok_and(|status| status.success());
            if answers {
                return;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("postgres does not answer");
    }

    fn client(&self, name: &str, arguments: &[&str]) {
        let done = command(name, self.folder.path())
            .args([
                "-h",
                "127.0.0.1",
                "-U",
                "gateway",
                "-p",
                &self.port.to_string(),
            ])
            .args(arguments)
            .stdout(Stdio::null())
            .status()
            .expect("a client program runs");
        assert!(done.success(), "{name} {arguments:?} failed");
    }

    /// A backup of the database, to a file.
    pub(crate) fn dump(&self, to: &Path) {
        let dump = self.folder.path().join("dump");
        let dump = dump.to_str().expect("a path");
        self.client("pg_dump", &["--format=custom", "-f", dump, "postgres"]);
        std::fs::copy(dump, to).expect("a backup");
    }

    /// The backup in the database's place.
    pub(crate) fn undump(&self, from: &Path) {
        let dump = self.folder.path().join("undump");
        std::fs::copy(from, &dump).expect("a backup");
        let dump = dump.to_str().expect("a path");
        self.client(
            "pg_restore",
            &["--clean", "--if-exists", "-d", "postgres", dump],
        );
    }

    /// The plug is pulled.
    pub(crate) fn kill(&mut self) {
        if let Some(mut server) = self.server.take() {
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.kill();
    }
}
