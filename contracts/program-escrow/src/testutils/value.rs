//! What goes over the contract's boundary, said without a host. `run` turns it into XDR; so an
//! answer, an event or a view is compared byte by byte.

use std::string::String;
use std::vec::Vec;

use super::choices::Person;

/// What a payout commits to: the SHA-256 that the contract calls a fingerprint is over this.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Commitment {
    /// In the given order.
    pub recipients: Vec<Person>,
    /// As many as recipients, if the batch is even.
    pub amounts: Vec<i128>,
    /// A number for each reference, where there are any.
    pub references: Option<Vec<u8>>,
}

/// A value on the wire.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Value {
    /// Nothing, or an absent optional value.
    Void,
    /// Yes or no.
    Bool(bool),
    /// Also a variant of an integer enum.
    U32(u32),
    /// A time or a count.
    U64(u64),
    /// An amount.
    I128(i128),
    /// A string.
    Text(String),
    /// An address.
    Person(Person),
    /// 16 bytes, all of them this one.
    Reference(u8),
    /// The SHA-256 of a commitment; of nothing, 32 zeros.
    Fingerprint(Option<Commitment>),
    /// A list.
    List(Vec<Value>),
    /// A struct; `run` puts its fields into the order of the wire.
    Struct(Vec<(&'static str, Value)>),
}

impl Value {
    /// An optional value as returned structs write it.
    pub fn option<T>(value: Option<T>, some: impl FnOnce(T) -> Self) -> Self {
        value.map_or(Self::Void, some)
    }

    /// A list of people.
    pub fn people(people: &[Person]) -> Self {
        Self::List(people.iter().copied().map(Self::Person).collect())
    }
}

/// An event of the escrow.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Event {
    /// The first topic.
    pub name: &'static str,
    /// The other topics.
    pub topics: Vec<Value>,
    /// The data map. Fields that are absent are left out.
    pub data: Vec<(&'static str, Value)>,
}

/// Why a call is refused.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Refusal {
    /// An error of the registry.
    Typed(u32),
    /// The host says no.
    Host,
}
