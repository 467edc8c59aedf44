//! Roles and brakes.

use std::string::String;
use std::vec;
use std::vec::Vec;

use super::{Answer, MAX_TTL, MIN_TEMPORARY_TTL, Model, error, refuse};
use crate::testutils::choices::{Person, Signature};
use crate::testutils::command::{self, Command};
use crate::testutils::value::{Event, Refusal, Value};

/// Longest life of a delegate, in seconds.
const TEN_YEARS: u64 = 315_360_000;

impl Model {
    pub(super) fn judge_admin(&mut self, command: &Command) -> Answer {
        match command {
            Command::RotatePayoutKey(to, signature) => self.rotate(to.0, *signature),
            Command::SetDelegate(who, allowance, expiry, signature) => {
                let expires_at = expiry.at(self.now);
                self.set_delegate(who.0, (allowance.units(), expires_at), *signature)
            }
            Command::RevokeDelegate(caller, who, signature) => {
                self.revoke(caller.0, who.0, *signature)
            }
            Command::SetGuardian(who, signature) => {
                self.set_guardian(who.map(|who| who.0), *signature)
            }
            Command::Pause(caller, lock, payout, reason, signature) => {
                self.by_guardian(caller.0, *signature)?;
                let after = (self.lock_paused || *lock, self.payout_paused || *payout);
                self.set_pause((*lock, *payout), after, caller.0, reason.text())
            }
            Command::Unpause(lock, payout, signature) => {
                let actor = self.by_admin(*signature)?;
                let after = (self.lock_paused && !*lock, self.payout_paused && !*payout);
                self.set_pause((*lock, *payout), after, actor, String::new())
            }
            Command::Trip(caller, reason, signature) => {
                self.trip(caller.0, reason.text(), *signature)
            }
            Command::Reset(signature) => self.reset(*signature),
            Command::SetLimit(limit, signature) => {
                let limit = limit.map(|(bounds, refill)| {
                    let (capacity, max) = bounds.units();
                    (capacity, refill.units(), max)
                });
                self.set_limit(limit, *signature)
            }
            Command::TransferOwnership(to, until, signature) => {
                let until = until.at(self.ledger);
                self.transfer_ownership(to.0, until, *signature)
            }
            Command::AcceptOwnership(signature) => self.accept_ownership(*signature),
            Command::RenounceOwnership(_) => {
                self.program()?;
                refuse(error::OWNERSHIP_CANNOT_BE_RENOUNCED)
            }
            Command::Upgrade(operator, _) => {
                self.program()?;
                if Some(operator.0) != self.owner {
                    return refuse(error::UNAUTHORIZED);
                }
                // Signed or not: nobody has uploaded that code.
                Err(Refusal::Host)
            }
            _ => unreachable!("not the admin's: {command:?}"),
        }
    }

    /// Guardian or admin.
    fn by_guardian(&self, caller: Person, signature: Signature) -> Result<(), Refusal> {
        self.program()?;
        if self.guardian != Some(caller) && self.owner != Some(caller) {
            return refuse(error::UNAUTHORIZED);
        }
        Self::signed(caller, signature)
    }

    fn rotate(&mut self, to: Person, signature: Signature) -> Answer {
        let actor = self.by_admin(signature)?;
        let old = std::mem::replace(&mut self.books().payout_key, to);
        if old != to {
            self.emit(
                "KeyRotate",
                vec![],
                vec![
                    ("actor", Value::Person(actor)),
                    ("old_key", Value::Person(old)),
                    ("new_key", Value::Person(to)),
                ],
            );
        }
        Ok(Value::Void)
    }

    fn set_delegate(
        &mut self,
        who: Person,
        (allowance, expires_at): (i128, u64),
        signature: Signature,
    ) -> Answer {
        let actor = self.by_admin(signature)?;
        if allowance <= 0 {
            return refuse(error::INVALID_ALLOWANCE);
        }
        if !(self.now + 1..=self.now + TEN_YEARS).contains(&expires_at) {
            return refuse(error::INVALID_EXPIRY);
        }
        let previous = self.delegates.insert(who, (allowance, expires_at));
        let mut data = vec![
            ("actor", Value::Person(actor)),
            ("allowance", Value::I128(allowance)),
            ("expires_at", Value::U64(expires_at)),
        ];
        data.extend(previous.map(|(left, _)| ("previous", Value::I128(left))));
        self.emit("DelegSet", vec![Value::Person(who)], data);
        Ok(Value::Void)
    }

    fn revoke(&mut self, caller: Person, who: Person, signature: Signature) -> Answer {
        let payout_key = self.program()?.payout_key;
        if caller != payout_key && Some(caller) != self.owner {
            return refuse(error::UNAUTHORIZED);
        }
        Self::signed(caller, signature)?;
        let Some((left, _)) = self.delegates.remove(&who) else {
            return refuse(error::DELEGATE_NOT_FOUND);
        };
        self.emit(
            "DelegRev",
            vec![Value::Person(who)],
            vec![
                ("actor", Value::Person(caller)),
                ("allowance", Value::I128(left)),
            ],
        );
        Ok(Value::Void)
    }

    fn set_guardian(&mut self, who: Option<Person>, signature: Signature) -> Answer {
        let actor = self.by_admin(signature)?;
        if self.guardian != who {
            self.guardian = who;
            let mut data = vec![("actor", Value::Person(actor))];
            data.extend(who.map(|who| ("guardian", Value::Person(who))));
            self.emit("Guardian", vec![], data);
        }
        Ok(Value::Void)
    }

    fn set_pause(
        &mut self,
        asked: (bool, bool),
        after: (bool, bool),
        actor: Person,
        reason: String,
    ) -> Answer {
        if asked == (false, false) {
            return refuse(error::NO_FLAG_SET);
        }
        if reason.len() > 128 {
            return refuse(error::REASON_TOO_LONG);
        }
        let before = (self.lock_paused, self.payout_paused);
        if before != after {
            (self.lock_paused, self.payout_paused) = after;
            self.emit(
                "Pause",
                vec![],
                vec![
                    ("actor", Value::Person(actor)),
                    ("lock_before", Value::Bool(before.0)),
                    ("payout_before", Value::Bool(before.1)),
                    ("lock_after", Value::Bool(after.0)),
                    ("payout_after", Value::Bool(after.1)),
                    ("reason", Value::Text(reason)),
                ],
            );
        }
        Ok(Value::Void)
    }

    fn trip(&mut self, caller: Person, reason: String, signature: Signature) -> Answer {
        self.by_guardian(caller, signature)?;
        if reason.len() > 128 {
            return refuse(error::REASON_TOO_LONG);
        }
        if !self.open {
            self.open = true;
            self.reason.clone_from(&reason);
            self.actor = Some(caller);
            self.since = self.now;
            self.emit(
                "Trip",
                vec![],
                vec![
                    ("actor", Value::Person(caller)),
                    ("reason", Value::Text(reason)),
                ],
            );
        }
        Ok(Value::Void)
    }

    fn reset(&mut self, signature: Signature) -> Answer {
        let actor = self.by_admin(signature)?;
        if self.open {
            self.open = false;
            self.reason.clear();
            self.actor = Some(actor);
            self.since = self.now;
            self.bucket = (0, self.now);
            self.emit("Reset", vec![], vec![("actor", Value::Person(actor))]);
        }
        Ok(Value::Void)
    }

    /// A new limit starts full; a change refills first, then clamps.
    fn set_limit(&mut self, limit: Option<super::Limit>, signature: Signature) -> Answer {
        let actor = self.by_admin(signature)?;
        if let Some((capacity, refill, max)) = limit
            && (max <= 0 || capacity < max || refill < 0)
        {
            return refuse(error::INVALID_OUTFLOW_LIMIT);
        }
        if self.limit == limit {
            return Ok(Value::Void);
        }
        let mut data = vec![("actor", Value::Person(actor))];
        if let Some((capacity, refill, max)) = limit {
            let left = self.available().unwrap_or(capacity).min(capacity);
            self.bucket = (left, self.now);
            data.push(("limit", command::limit(capacity, refill, max)));
        }
        self.limit = limit;
        self.emit("OutLimit", vec![], data);
        Ok(Value::Void)
    }

    /// The entry is temporary; its own time limit is judged beside its life.
    fn transfer_ownership(&mut self, to: Person, until: u32, signature: Signature) -> Answer {
        let owner = self.by_admin(signature)?;
        self.forget_pending();
        if until == 0 {
            match self.pending {
                None => return refuse(error::NO_PENDING_TRANSFER),
                Some((pending, ..)) if pending != to => {
                    return refuse(error::INVALID_PENDING_ACCOUNT);
                }
                Some(_) => self.pending = None,
            }
        } else {
            if until < self.ledger || until > self.ledger + MAX_TTL - 1 {
                return refuse(error::INVALID_LIVE_UNTIL_LEDGER);
            }
            let kept = self
                .pending
                .map_or(self.ledger + MIN_TEMPORARY_TTL - 1, |(_, _, kept)| kept);
            self.pending = Some((to, until, kept.max(until)));
        }
        self.ownership_event(
            "ownership_transfer",
            vec![
                ("old_owner", Value::Person(owner)),
                ("new_owner", Value::Person(to)),
                ("live_until_ledger", Value::U32(until)),
            ],
        );
        Ok(Value::Void)
    }

    fn accept_ownership(&mut self, signature: Signature) -> Answer {
        self.program()?;
        self.forget_pending();
        let Some((pending, until, _)) = self.pending else {
            return refuse(error::NO_PENDING_TRANSFER);
        };
        if self.ledger > until {
            return refuse(error::TRANSFER_EXPIRED);
        }
        Self::signed(pending, signature)?;
        self.pending = None;
        self.owner = Some(pending);
        self.ownership_event(
            "ownership_transfer_completed",
            vec![("new_owner", Value::Person(pending))],
        );
        Ok(Value::Void)
    }

    fn forget_pending(&mut self) {
        let ledger = self.ledger;
        self.pending = self.pending.filter(|(_, _, kept)| ledger <= *kept);
    }

    /// `OpenZeppelin`'s events have neither version nor program.
    fn ownership_event(&mut self, name: &'static str, data: Vec<(&'static str, Value)>) {
        self.events.push(Event {
            name,
            topics: vec![],
            data,
        });
    }
}
