//! The audit log.

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::{Args, Subcommand};

use super::Error;
use super::settings::Settings;

/// The audit log: verified, or moved into archives. Orders and keys stay in the database for ever.
#[derive(Args)]
pub(super) struct Cmd {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Verifies the hash chain, and prints where it ends
    Verify {
        /// Archives from the first one on, in their order
        archives: Vec<PathBuf>,
        /// An end that was printed before, POSITION:HASH: nothing before it may have changed
        #[arg(long, value_name = "POSITION:HASH")]
        noted: Option<String>,
    },
    /// Moves rows older than so many days into a new file
    Archive {
        /// The file
        file: PathBuf,
        /// Days that stay in the database
        #[arg(long, default_value_t = 90)]
        keep_days: u64,
    },
}

impl Cmd {
    pub(super) async fn run(self, settings: &Settings) -> Result<(), Error> {
        let store = settings.store().await?;
        match self.verb {
            Verb::Verify { archives, noted } => {
                let noted = noted.as_deref().map(head).transpose()?;
                let noted = noted.as_ref().map(|(at, hash)| (*at, hash.as_str()));
                let (archived, verdict) = store.verify_log(&archives, noted).await?;
                println!("{}:{}", verdict.head.0, verdict.head.1);
                if archived.is_none() && verdict.begins_after > 0 {
                    eprintln!(
                        "warning: rows 1 to {} are archived and were not looked at; give the archives, from the first \
                         one on",
                        verdict.begins_after
                    );
                }
                eprintln!(
                    "{} rows in {} archives and {} in the database are as they were written; {} \
                     rows are not sealed yet{}",
                    archived.map_or(0, |archived| archived.rows),
                    archives.len(),
                    verdict.rows,
                    verdict.unsealed.len(),
                    verdict
                        .unsealed
                        .first()
                        .map_or_else(String::new, |id| format!(", from {id} on"))
                );
            }
            Verb::Archive { file, keep_days } => {
                let keep = Duration::from_secs(keep_days.saturating_mul(86_400));
                let before = SystemTime::now()
                    .checked_sub(keep)
                    .and_then(|at| at.duration_since(UNIX_EPOCH).ok())
                    .and_then(|since| i64::try_from(since.as_millis()).ok())
                    .unwrap_or(0);
                let archived = store.archive_audit(before, &file).await?;
                println!("{}:{}", archived.position, archived.hash);
                eprintln!("{} rows are in {}", archived.rows, file.display());
            }
        }
        store.close().await;
        Ok(())
    }
}

fn head(text: &str) -> Result<(i64, String), Error> {
    text.split_once(':')
        .and_then(|(position, hash)| Some((position.parse().ok()?, hash.to_owned())))
        .ok_or_else(|| Error::Asked("write POSITION:HASH, as `verify` prints it".to_owned()))
}
