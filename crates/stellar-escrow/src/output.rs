//! Data on stdout: for people, for programs, for spreadsheets.

use std::io::Write as _;

use clap::ValueEnum;
use serde_json::{Map, Value};

/// How data is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Format {
    /// For people
    #[default]
    Table,
    /// One object, or a list of them; amounts are strings
    Json,
    /// A line of names and a line of values each
    Csv,
}

/// Named values, in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Record(Vec<(&'static str, Value)>);

impl Record {
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.0.push((name, value.into()));
        self
    }

    fn into_json(self) -> Value {
        let fields: Map<String, Value> = self
            .0
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        Value::Object(fields)
    }
}

/// Writes one record.
pub(crate) fn one(record: Record, format: Format) -> std::io::Result<()> {
    let text = match format {
        Format::Json => pretty(&record.into_json()),
        Format::Csv => return many(vec![record], format),
        Format::Table => {
            let width = record.0.iter().map(|(name, _)| name.len()).max();
            let width = width.unwrap_or_default();
            let line = |(name, value): &(&str, Value)| format!("{name:width$}  {}\n", plain(value));
            record.0.iter().map(line).collect()
        }
    };
    put(&text)
}

/// Writes records of one kind.
pub(crate) fn many(records: Vec<Record>, format: Format) -> std::io::Result<()> {
    match format {
        Format::Json => put(&pretty(&Value::Array(
            records.into_iter().map(Record::into_json).collect(),
        ))),
        Format::Csv => put(&rows(&records, |cells| {
            let mut writer = csv::Writer::from_writer(Vec::new());
            writer.write_record(cells)?;
            writer.into_inner().map_err(csv::IntoInnerError::into_error)
        })?),
        Format::Table => {
            let mut widths: Vec<usize> = Vec::new();
            rows(&records, |cells| {
                widths.resize(cells.len().max(widths.len()), 0);
                for (width, cell) in widths.iter_mut().zip(cells) {
                    *width = (*width).max(cell.chars().count());
                }
                Ok(Vec::new())
            })?;
            put(&rows(&records, |cells| {
                let cell = |(cell, width): (&String, &usize)| format!("{cell:width$}");
                let line: Vec<String> = cells.iter().zip(&widths).map(cell).collect();
                Ok(format!("{}\n", line.join("  ").trim_end()).into_bytes())
            })?)
        }
    }
}

/// Writes one line.
pub(crate) fn line(text: &str) -> std::io::Result<()> {
    put(&format!("{text}\n"))
}

/// A line of names, then the records' lines.
fn rows(
    records: &[Record],
    mut line: impl FnMut(&[String]) -> std::io::Result<Vec<u8>>,
) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    if let Some(first) = records.first() {
        let names: Vec<String> = first.0.iter().map(|(name, _)| (*name).to_owned()).collect();
        bytes.extend(line(&names)?);
    }
    for record in records {
        let cells: Vec<String> = record.0.iter().map(|(_, value)| plain(value)).collect();
        bytes.extend(line(&cells)?);
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "-".to_owned(),
        other => other.to_string(),
    }
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

/// Text of a file on a terminal: what stands in it does not steer the terminal, and nothing hides.
pub(crate) fn legible(text: &str) -> String {
    let shown = |character| {
        if payout_keys::is_unseen(character) {
            char::REPLACEMENT_CHARACTER
        } else {
            character
        }
    };
    text.chars().map(shown).collect()
}

fn put(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // Whoever reads may have seen enough.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
