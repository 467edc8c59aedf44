//! Arguments to choose from. Few of each, so that sequences collide: the same key, the same
//! recipient, an amount that is exactly what is left.
//!
//! Each is read from one byte and 0 is the plainest, so a failing sequence shrinks to plain ones.

use std::string::String;

use soroban_sdk::testutils::arbitrary::Arbitrary;
use soroban_sdk::testutils::arbitrary::arbitrary::{Result, Unstructured};

/// Declares an enum that is read from one byte, every variant equally likely.
macro_rules! choices {
    ($(#[$meta:meta])* $name:ident { $($(#[$each:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Copy, Clone, Debug, Eq, PartialEq, Ord, PartialOrd)]
        pub enum $name { $($(#[$each])* $variant),+ }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
        }

        impl<'a> Arbitrary<'a> for $name {
            fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
                pick(bytes, Self::ALL)
            }

            fn size_hint(_depth: usize) -> (usize, Option<usize>) {
                (1, Some(1))
            }
        }
    };
}

/// Chooses from a table by one byte; a row that stands twice is twice as likely.
pub(super) fn pick<T: Copy>(bytes: &mut Unstructured, table: &[T]) -> Result<T> {
    Ok(table[usize::from(u8::arbitrary(bytes)?) % table.len()])
}

choices! {
    /// Everybody. The first names say which role they have in the beginning.
    Person {
        PayoutKey, Admin, Delegate, Guardian, Sponsor, Ann, Bob, Cleo, Stranger,
        /// The contract itself.
        Escrow,
        /// The token's contract.
        Token,
        /// The asset's issuer: what is paid to it is burnt.
        Issuer,
    }
}

impl Person {
    /// Contracts sign only for themselves, and the issuer has no part in it.
    pub fn can_sign(self) -> bool {
        !matches!(self, Self::Escrow | Self::Token | Self::Issuer)
    }
}

/// Declares a person read with other weights.
macro_rules! person {
    ($(#[$meta:meta])* $name:ident [$($person:ident),+ $(,)?]) => {
        $(#[$meta])*
        #[derive(Copy, Clone, Debug, Eq, PartialEq)]
        pub struct $name(pub Person);

        impl<'a> Arbitrary<'a> for $name {
            fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
                Ok(Self(pick(bytes, &[$(Person::$person),+])?))
            }

            fn size_hint(_depth: usize) -> (usize, Option<usize>) {
                (1, Some(1))
            }
        }
    };
}

person! {
    /// Who calls: mostly somebody with a role.
    Caller [PayoutKey, Delegate, Admin, Guardian, Delegate, PayoutKey, Ann, Stranger]
}

person! {
    /// Who is paid: mostly somebody who can be.
    Recipient [Ann, Bob, Cleo, Delegate, Admin, Ann, Bob, Issuer, Escrow, Token]
}

choices! {
    /// Idempotency keys, those of earlier layouts and invalid ones among them.
    Key {
        A, B, C,
        /// In namespace 2 of an old instance.
        OldInstance,
        /// In namespace 3.
        OldSingle,
        /// In namespace 3, and the longest that can stand there.
        OldLongSingle,
        /// In namespace 4.
        OldBatch,
        /// In namespaces 3 and 4.
        OldTwice,
        /// In namespace 4, with a blank, which no new key may have.
        OldInvalid,
        /// One byte more than can stand in namespace 3.
        Longer,
        /// 256 bytes.
        Longest,
        /// 257 bytes.
        TooLong,
        Empty,
        Blank,
        NotAscii,
    }
}

impl Key {
    /// The key's text.
    pub fn text(self) -> String {
        match self {
            Self::A => "a".into(),
            Self::B => "b".into(),
            Self::C => "hackathon-2026-batch-7-2r-9b8c7d6e5f4a3b2c".into(),
            Self::OldInstance => "old-instance".into(),
            Self::OldSingle => "old-single".into(),
            Self::OldLongSingle => "s".repeat(156),
            Self::OldBatch => "old-batch".into(),
            Self::OldTwice => "old-twice".into(),
            Self::OldInvalid => "old batch".into(),
            Self::Longer => "s".repeat(157),
            Self::Longest => "k".repeat(256),
            Self::TooLong => "k".repeat(257),
            Self::Empty => String::new(),
            Self::Blank => "a b".into(),
            Self::NotAscii => "schl\u{fc}ssel".into(),
        }
    }
}

choices! {
    /// Amounts around the limits that the sequences set.
    Amount {
        One, Two, Seven, Fifty, Hundred, HundredOne, FiveHundred, Thousand,
        Zero, MinusOne, MaxOfI64, MoreThanHalf, Max, Min,
    }
}

impl Amount {
    /// In the token's smallest unit.
    pub fn units(self) -> i128 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Seven => 7,
            Self::Fifty => 50,
            Self::Hundred => 100,
            Self::HundredOne => 101,
            Self::FiveHundred => 500,
            Self::Thousand => 1_000,
            Self::Zero => 0,
            Self::MinusOne => -1,
            Self::MaxOfI64 => i64::MAX.into(),
            Self::MoreThanHalf => i128::MAX / 2 + 1,
            Self::Max => i128::MAX,
            Self::Min => i128::MIN,
        }
    }
}

choices! {
    /// How long nothing happens.
    Wait { Second, Minute, Day, Month, Year, Decade }
}

impl Wait {
    /// Seconds and ledgers.
    pub fn passes(self) -> (u64, u32) {
        match self {
            Self::Second => (1, 0),
            Self::Minute => (60, 12),
            Self::Day => (86_400, 17_280),
            Self::Month => (2_592_000, 518_400),
            Self::Year => (31_536_000, 6_307_200),
            Self::Decade => (315_360_000, 63_072_000),
        }
    }
}

choices! {
    /// When a delegate expires, seen from now.
    Expiry { Month, NextSecond, Year, Longest, TooLong, Now, Past, Never }
}

impl Expiry {
    /// Unix seconds.
    pub fn at(self, now: u64) -> u64 {
        match self {
            Self::Month => now + 2_592_000,
            Self::NextSecond => now + 1,
            Self::Year => now + 31_536_000,
            Self::Longest => now + 315_360_000,
            Self::TooLong => now + 315_360_001,
            Self::Now => now,
            Self::Past => now - 1,
            Self::Never => u64::MAX,
        }
    }
}

choices! {
    /// Until which ledger a new admin may accept, seen from now.
    Until { Month, Now, Next, Longest, TooLong, Past, Cancel }
}

impl Until {
    /// The ledger.
    pub fn at(self, ledger: u32) -> u32 {
        match self {
            Self::Month => ledger + 518_400,
            Self::Now => ledger,
            Self::Next => ledger + 1,
            Self::Longest => ledger + super::model::MAX_TTL - 1,
            Self::TooLong => ledger + super::model::MAX_TTL,
            Self::Past => ledger - 1,
            Self::Cancel => 0,
        }
    }
}

choices! {
    /// Why somebody brakes.
    Reason { Short, Empty, Longest, TooLong }
}

impl Reason {
    /// The reason's text.
    pub fn text(self) -> String {
        match self {
            Self::Short => "strange transfers".into(),
            Self::Empty => String::new(),
            Self::Longest => "r".repeat(128),
            Self::TooLong => "r".repeat(129),
        }
    }
}

choices! {
    /// Capacity and largest payout of an outflow limit: mostly valid ones.
    Bounds { Wide, Equal, Narrow, Middle, Endless, PayoutAboveCapacity, NoPayout }
}

impl Bounds {
    /// Capacity, largest payout.
    pub fn units(self) -> (i128, i128) {
        match self {
            Self::Wide => (1_000, 100),
            Self::Equal => (500, 500),
            Self::Narrow => (60, 50),
            Self::Middle => (150, 101),
            Self::Endless => (i128::MAX, i128::MAX),
            Self::PayoutAboveCapacity => (50, 100),
            Self::NoPayout => (100, 0),
        }
    }
}

choices! {
    /// How fast an outflow limit fills again.
    Refill { Slow, Steady, None, Fastest, Negative }
}

impl Refill {
    /// Units a second.
    pub fn units(self) -> i128 {
        match self {
            Self::None => 0,
            Self::Slow => 1,
            Self::Steady => 7,
            Self::Fastest => i128::MAX,
            Self::Negative => -1,
        }
    }
}

choices! {
    /// How many keys a migration may move.
    Moves { One, Two, Most, None, TooMany, Max }
}

impl Moves {
    /// The argument.
    pub fn limit(self) -> u32 {
        match self {
            Self::One => 1,
            Self::Two => 2,
            Self::Most => 30,
            Self::None => 0,
            Self::TooMany => 31,
            Self::Max => u32::MAX,
        }
    }
}

choices! {
    /// Which of the five entrypoints pays.
    Door { Batch, Single, BatchBy, SingleBy, References }
}

/// Who signs a call: mostly who is asked.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Signature {
    /// Who is asked.
    Right,
    /// Nobody.
    Nobody,
    /// [`Person::Stranger`], asked or not.
    Stranger,
}

impl<'a> Arbitrary<'a> for Signature {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        Ok(match u8::arbitrary(bytes)? {
            0..=223 => Self::Right,
            224..=239 => Self::Nobody,
            240..=255 => Self::Stranger,
        })
    }

    fn size_hint(_depth: usize) -> (usize, Option<usize>) {
        (1, Some(1))
    }
}

/// How a batch's lists fit together: mostly they do.
#[derive(Copy, Clone, Debug, Eq, PartialEq)]
pub enum Shape {
    /// As many amounts, and references where there are any, as recipients.
    Even,
    /// One amount less.
    FewerAmounts,
    /// One reference more.
    MoreReferences,
    /// 61 rows.
    TooMany,
}

impl<'a> Arbitrary<'a> for Shape {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        Ok(match u8::arbitrary(bytes)? {
            0..=231 => Self::Even,
            232..=239 => Self::FewerAmounts,
            240..=247 => Self::MoreReferences,
            248..=255 => Self::TooMany,
        })
    }

    fn size_hint(_depth: usize) -> (usize, Option<usize>) {
        (1, Some(1))
    }
}

choices! {
    /// What a retry changes.
    Change { Nothing, Amount, Recipient, Reference, Order }
}

choices! {
    /// What the program is in the beginning.
    Start {
        /// Active, with funds, a delegate and a guardian.
        Active,
        /// The same, with an outflow limit.
        Limited,
        /// As it was just deployed.
        Draft,
        /// An instance of the earlier layout, upgraded to this code.
        Old,
        /// The same, migrated.
        Migrated,
        /// An instance whose old program is not whole.
        OldBroken,
    }
}
