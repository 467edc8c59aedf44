//! Receipts into files, and onto stdout.

use std::io::Write;

use payout_engine::Line;
use payout_engine::run::PaidSlot;
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use super::Receipts;
use super::row::COLUMNS;
use crate::output::Format;
use crate::run::folder::{Folder, replace};
use crate::run::outcome::Error;

impl Receipts<'_> {
    /// Writes both files, each whole or not at all.
    pub(crate) fn write(&self, folder: &Folder) -> Result<(), Error> {
        replace(&folder.receipts_json(), |out| self.json(out))?;
        replace(&folder.receipts_csv(), |out| self.csv(out))
    }

    /// Prints what was asked for; the table is the summary on stderr.
    pub(crate) fn print(&self, output: Format) -> Result<(), Error> {
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        match output {
            Format::Table => Ok(()),
            Format::Csv => self.csv(&mut out),
            Format::Json => self.json(&mut out),
        }
    }

    fn json(&self, out: &mut dyn Write) -> Result<(), Error> {
        serde_json::to_writer_pretty(&mut *out, self)
            .map_err(|error| Error::Output(error.to_string()))?;
        writeln!(out).map_err(|error| Error::Output(error.to_string()))
    }

    fn csv(&self, out: &mut dyn Write) -> Result<(), Error> {
        let broken = |error: csv::Error| Error::Output(error.to_string());
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(COLUMNS).map_err(broken)?;
        for row in self.rows() {
            writer.write_record(row.cells()).map_err(broken)?;
        }
        writer
            .flush()
            .map_err(|error| Error::Output(error.to_string()))
    }
}

impl Serialize for Receipts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let place = &self.prepared.order.place;
        let mut fields = serializer.serialize_struct("Receipts", 7)?;
        fields.serialize_field("network", &self.session.facts.passphrase)?;
        fields.serialize_field("contract", &self.session.facts.contract.to_string())?;
        fields.serialize_field("program", place.program.as_str())?;
        fields.serialize_field("run", place.run.as_str())?;
        fields.serialize_field("as_of", &self.plan.as_of)?;
        fields.serialize_field("slots", &Slots(self))?;
        fields.serialize_field("rows", &Rows(self))?;
        fields.end()
    }
}

struct Rows<'a>(&'a Receipts<'a>);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.rows())
    }
}

struct Slots<'a>(&'a Receipts<'a>);

impl Serialize for Slots<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let receipts = self.0;
        serializer.collect_seq(
            receipts
                .plan
                .slots
                .iter()
                .map(|paid| Slot { receipts, paid }),
        )
    }
}

/// A slot that was paid: its lines in the order of the call, which the record's fingerprint commits to.
struct Slot<'a> {
    receipts: &'a Receipts<'a>,
    paid: &'a PaidSlot,
}

impl Serialize for Slot<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (index, record) = (self.paid.slot.index, &self.paid.slot.record);
        let key = self.receipts.prepared.order.place.key(index);
        let mut fields = serializer.serialize_struct("Slot", 7)?;
        fields.serialize_field("slot", &index)?;
        fields.serialize_field("key", key.as_str())?;
        fields.serialize_field("payout_id", &record.payout_id)?;
        fields.serialize_field("ledger", &record.ledger)?;
        fields.serialize_field("transaction", &self.receipts.transactions.get(&index))?;
        fields.serialize_field("total", &record.total.to_string())?;
        fields.serialize_field("lines", &Lines(&self.paid.lines))?;
        fields.end()
    }
}

struct Lines<'a>(&'a [Line]);

impl Serialize for Lines<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(super::read::LineReceipt::of))
    }
}
