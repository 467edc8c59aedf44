//! The protocol: each rule by a script, the table, and random worlds.

mod fees;
mod rules;
mod script;
mod table;
mod verdicts;
mod world;
