//! Faults on demand: what public nodes do to their clients, seeded, each switchable by itself.

mod trigger;

pub use trigger::{Trigger, TriggerError};

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// One kind of fault. The numbers of its magnitude are in [`Magnitudes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// `sendTransaction`: the connection breaks and the transaction never arrived.
    DropBefore,
    /// `sendTransaction`: the transaction was accepted and the connection breaks.
    DropAfter,
    /// `sendTransaction`: accepted, answered with HTTP 504 and no body.
    GatewayTimeout,
    /// `sendTransaction`: not accepted, answered with `TRY_AGAIN_LATER`.
    TryAgainLater,
    /// `sendTransaction`: accepted, yet answered with `TRY_AGAIN_LATER`.
    TryAgainLaterAccepted,
    /// `sendTransaction`: accepted, yet answered with `ERROR` and `txBAD_SEQ`.
    BadSeqAccepted,
    /// `sendTransaction`: accepted, but no ledger takes it in for some time.
    LateInclusion,
    /// `sendTransaction`: accepted, and its refundable fee will not suffice when it is applied.
    InsufficientRefundableFee,
    /// Any read: answered by a node that is some ledgers behind and calls itself healthy.
    LaggingRead,
    /// Any read: answered by a node that kept only the last few ledgers.
    Forgot,
    /// `getEvents`: the scan ends early, with an empty page and a moved cursor.
    EmptyEventPage,
    /// Any read: HTTP 503, too many requests.
    Unavailable,
    /// Ledgers that would close by themselves do not, for some time.
    Stall,
    /// One operation costs much more, for some ledgers.
    FeeSpike,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::DropBefore,
        Self::DropAfter,
        Self::GatewayTimeout,
        Self::TryAgainLater,
        Self::TryAgainLaterAccepted,
        Self::BadSeqAccepted,
        Self::LateInclusion,
        Self::InsufficientRefundableFee,
        Self::LaggingRead,
        Self::Forgot,
        Self::EmptyEventPage,
        Self::Unavailable,
        Self::Stall,
        Self::FeeSpike,
    ];

    /// Its name in flags and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::DropBefore => "drop_before",
            Self::DropAfter => "drop_after",
            Self::GatewayTimeout => "gateway_timeout",
            Self::TryAgainLater => "try_again_later",
            Self::TryAgainLaterAccepted => "try_again_later_accepted",
            Self::BadSeqAccepted => "bad_seq_accepted",
            Self::LateInclusion => "late_inclusion",
            Self::InsufficientRefundableFee => "insufficient_refundable_fee",
            Self::LaggingRead => "lagging_read",
            Self::Forgot => "forgot",
            Self::EmptyEventPage => "empty_event_page",
            Self::Unavailable => "unavailable",
            Self::Stall => "stall",
            Self::FeeSpike => "fee_spike",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Fault {
    type Err = UnknownFault;

    fn from_str(text: &str) -> Result<Self, UnknownFault> {
        Self::ALL
            .into_iter()
            .find(|fault| fault.name() == text)
            .ok_or_else(|| UnknownFault(text.to_owned()))
    }
}

/// A name that is no fault's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no fault `{0}`; the faults are {names}", names = Fault::ALL.map(Fault::name).join(", "))]
pub struct UnknownFault(String);

/// How large a fault is when it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Magnitudes {
    /// Ledgers for which [`Fault::LateInclusion`] holds a transaction back.
    pub late_ledgers: u32,
    /// Ledgers by which [`Fault::LaggingRead`] is behind; at most 64.
    pub lag_ledgers: u32,
    /// Ledgers that a node of [`Fault::Forgot`] still has.
    pub kept_ledgers: u32,
    /// Ledgers that [`Fault::Stall`] leaves out.
    pub stall_ledgers: u32,
    /// Stroops that one operation costs under [`Fault::FeeSpike`].
    pub spike_fee: u32,
    /// Ledgers for which [`Fault::FeeSpike`] lasts.
    pub spike_ledgers: u32,
}

impl Default for Magnitudes {
    fn default() -> Self {
        Self {
            late_ledgers: 3,
            lag_ledgers: 6,
            kept_ledgers: 10,
            stall_ledgers: 3,
            spike_fee: 50_000,
            spike_ledgers: 3,
        }
    }
}

impl Magnitudes {
    /// Sets the magnitude of that name.
    ///
    /// # Errors
    ///
    /// [`UnknownMagnitude`]: there is none of that name.
    pub fn set(&mut self, name: &str, value: u32) -> Result<(), UnknownMagnitude> {
        let place = match name {
            "late_ledgers" => &mut self.late_ledgers,
            "lag_ledgers" => &mut self.lag_ledgers,
            "kept_ledgers" => &mut self.kept_ledgers,
            "stall_ledgers" => &mut self.stall_ledgers,
            "spike_fee" => &mut self.spike_fee,
            "spike_ledgers" => &mut self.spike_ledgers,
            _ => return Err(UnknownMagnitude(name.to_owned())),
        };
        *place = value;
        Ok(())
    }
}

/// A name that is no magnitude's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no magnitude `{0}`; there are late_ledgers, lag_ledgers, kept_ledgers, stall_ledgers, spike_fee, spike_ledgers"
)]
pub struct UnknownMagnitude(String);

/// A named set of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// None.
    Calm,
    /// Every fault, each at 5% of the calls it can strike.
    Nasty,
}

impl FromStr for Profile {
    type Err = UnknownProfile;

    fn from_str(text: &str) -> Result<Self, UnknownProfile> {
        match text {
            "calm" => Ok(Self::Calm),
            "nasty" => Ok(Self::Nasty),
            _ => Err(UnknownProfile(text.to_owned())),
        }
    }
}

/// A name that is no profile's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no fault profile `{0}`; the profiles are calm, nasty")]
pub struct UnknownProfile(String);

/// Which faults strike, and how large they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultPlan {
    /// When each strikes; those that are missing are off.
    #[serde(default)]
    pub triggers: BTreeMap<Fault, Trigger>,
    /// How large they are.
    #[serde(default)]
    pub magnitudes: Magnitudes,
}

impl FaultPlan {
    /// The faults of a profile.
    #[must_use]
    pub fn profile(profile: Profile) -> Self {
        let triggers = match profile {
            Profile::Calm => BTreeMap::new(),
            Profile::Nasty => Fault::ALL
                .into_iter()
                .map(|fault| (fault, Trigger::Chance { per_mille: 50 }))
                .collect(),
        };
        Self {
            triggers,
            magnitudes: Magnitudes::default(),
        }
    }

    /// This plan with one fault switched.
    #[must_use]
    pub fn with(mut self, fault: Fault, trigger: Trigger) -> Self {
        self.triggers.insert(fault, trigger);
        self
    }
}

/// A plan at work: decides call by call, always the same way for the same seed and calls.
pub(crate) struct Faults {
    pub(crate) plan: FaultPlan,
    rng: ChaCha8Rng,
    /// How often each could have struck since it was last set.
    asked: BTreeMap<Fault, u64>,
    /// How often each did.
    struck: BTreeMap<Fault, u64>,
}

impl Faults {
    pub(crate) fn new(plan: FaultPlan, seed: u64) -> Self {
        Self {
            plan,
            rng: ChaCha8Rng::seed_from_u64(seed),
            asked: BTreeMap::new(),
            struck: BTreeMap::new(),
        }
    }

    /// Changes the given triggers and the magnitudes; other triggers stay.
    pub(crate) fn update(&mut self, change: FaultPlan) {
        for fault in change.triggers.keys() {
            self.asked.remove(fault);
        }
        self.plan.triggers.extend(change.triggers);
        self.plan.magnitudes = change.magnitudes;
    }

    /// Switches everything off.
    pub(crate) fn clear(&mut self) {
        self.plan = FaultPlan {
            magnitudes: self.plan.magnitudes,
            ..FaultPlan::default()
        };
        self.asked.clear();
    }

    /// Whether `fault` strikes now.
    pub(crate) fn strikes(&mut self, fault: Fault) -> bool {
        let Some(trigger) = self.plan.triggers.get_mut(&fault) else {
            return false;
        };
        let asked = self.asked.entry(fault).or_default();
        *asked += 1;
        let strikes = match trigger {
            Trigger::Off => false,
            Trigger::Chance { per_mille } => self.rng.gen_range(0..1_000) < *per_mille,
            Trigger::Every { calls } => asked.is_multiple_of(u64::from(*calls).max(1)),
            Trigger::Next { calls } => match calls.checked_sub(1) {
                Some(left) => {
                    *calls = left;
                    true
                }
                None => false,
            },
        };
        if strikes {
            *self.struck.entry(fault).or_default() += 1;
        }
        strikes
    }

    /// How often each fault struck.
    pub(crate) fn struck(&self) -> &BTreeMap<Fault, u64> {
        &self.struck
    }
}
