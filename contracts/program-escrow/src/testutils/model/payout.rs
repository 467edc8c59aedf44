//! Keys and payouts.

use std::collections::BTreeSet;
use std::string::{String, ToString};
use std::vec;

use super::{Answer, Kind, Model, OLD_BALANCE, OLD_TOTAL, Program, Record, Status, error, refuse};
use crate::testutils::choices::{Door, Key, Person, Signature};
use crate::testutils::command::Payout;
use crate::testutils::value::{Commitment, Refusal, Value};

/// 1 to 256 bytes, each 0x21 to 0x7E.
fn is_valid(key: &str) -> bool {
    (1..=256).contains(&key.len()) && key.bytes().all(|byte| (0x21..=0x7E).contains(&byte))
}

impl Model {
    /// The four namespaces, in their order.
    pub fn find(&self, key: &str) -> Option<Record> {
        self.records.get(key).cloned().or_else(|| {
            let old = self.old_instance.contains(key)
                || self.old_single.contains(key)
                || self.old_batch.iter().any(|old| old == key);
            old.then_some(Record {
                kind: Kind::Imported,
                payout_id: 0,
                commitment: None,
                total: 0,
                ledger: 0,
            })
        })
    }

    fn write(&mut self, key: &str, kind: Kind) {
        let record = Record {
            kind,
            payout_id: 0,
            commitment: None,
            total: 0,
            ledger: self.ledger,
        };
        let before = self.records.insert(key.to_string(), record);
        assert_eq!(before, None, "a record is written once");
    }

    /// A delegate that exists and is live.
    fn live_delegate(&self, who: Person) -> Result<(), Refusal> {
        match self.delegates.get(&who) {
            None => refuse(error::DELEGATE_NOT_FOUND),
            Some((_, expires_at)) if self.now >= *expires_at => refuse(error::DELEGATE_EXPIRED),
            Some(_) => Ok(()),
        }
    }

    /// Section 3 of the agreement, in its order.
    pub(super) fn pay(&mut self, payout: &Payout) -> Answer {
        let program = self.program()?;
        let payout_key = program.payout_key;
        let caller = payout.caller().unwrap_or(payout_key);
        let is_delegate = caller != payout_key;
        if is_delegate {
            self.live_delegate(caller)?;
        }
        Self::signed(caller, payout.signature)?;
        let key = payout.key.text();
        let commitment = payout.commitment();
        let single = matches!(payout.door, Door::Single | Door::SingleBy);
        if let Some(found) = self.find(&key) {
            return self.replay(&key, caller, single, &found, commitment);
        }
        if !is_valid(&key) {
            return refuse(error::INVALID_IDEMPOTENCY_KEY);
        }
        if self.payout_paused {
            return refuse(error::PAUSED);
        }
        if self.open {
            return refuse(error::CIRCUIT_OPEN);
        }
        if self.program()?.status != Status::Active {
            return refuse(error::NOT_ACTIVE);
        }
        let total = Self::judge_rows(&commitment)?;
        if let Some((_, _, max)) = self.limit
            && commitment.amounts.iter().any(|amount| *amount > max)
        {
            return refuse(error::PAYOUT_TOO_LARGE);
        }
        if total > self.program()?.remaining {
            return refuse(error::INSUFFICIENT_BALANCE);
        }
        if is_delegate && total > self.delegates[&caller].0 {
            return refuse(error::DELEGATE_ALLOWANCE_EXCEEDED);
        }
        if let Some(available) = self.available() {
            if total > available {
                return refuse(error::OUTFLOW_LIMIT_EXCEEDED);
            }
            self.bucket = (available - total, self.now);
        }
        for (to, amount) in commitment.recipients.iter().zip(&commitment.amounts) {
            self.transfer(Person::Escrow, *to, *amount)?;
        }
        if is_delegate {
            self.delegates.entry(caller).and_modify(|it| it.0 -= total);
        }
        let books = self.books();
        books.paid += total;
        books.remaining -= total;
        books.count += 1;
        let (count, remaining) = (books.count, books.remaining);
        self.announce(&key, caller, single, &commitment, (total, remaining));
        let record = Record {
            kind: if single { Kind::Single } else { Kind::Batch },
            payout_id: count,
            commitment: Some(commitment),
            total,
            ledger: self.ledger,
        };
        assert_eq!(self.records.insert(key, record), None, "paid once");
        Ok(self.program_value())
    }

    /// Each rule over all rows before the next.
    fn judge_rows(batch: &Commitment) -> Result<i128, Refusal> {
        let size = batch.recipients.len();
        let even = batch.amounts.len() == size
            && batch
                .references
                .as_ref()
                .is_none_or(|references| references.len() == size);
        if !even {
            return refuse(error::LENGTH_MISMATCH);
        }
        if size == 0 {
            return refuse(error::EMPTY_BATCH);
        }
        if size > 60 {
            return refuse(error::BATCH_TOO_LARGE);
        }
        if batch.amounts.iter().any(|amount| *amount <= 0) {
            return refuse(error::INVALID_AMOUNT);
        }
        let distinct: BTreeSet<_> = batch.recipients.iter().collect();
        if distinct.len() < size {
            return refuse(error::DUPLICATE_RECIPIENT);
        }
        if [Person::Escrow, Person::Token]
            .iter()
            .any(|never| distinct.contains(never))
        {
            return refuse(error::INVALID_RECIPIENT);
        }
        batch
            .amounts
            .iter()
            .try_fold(0i128, |sum, amount| sum.checked_add(*amount))
            .ok_or(Refusal::Typed(error::AMOUNT_OVERFLOW))
    }

    fn replay(
        &mut self,
        key: &str,
        caller: Person,
        single: bool,
        found: &Record,
        presented: Commitment,
    ) -> Answer {
        if found.kind == Kind::Voided {
            return refuse(error::KEY_VOIDED);
        }
        let topics = vec![Value::Text(key.into())];
        let name = if single { "IdmReplay" } else { "BatPayRp" };
        self.emit(
            name,
            topics.clone(),
            vec![("caller", Value::Person(caller))],
        );
        if found.commitment.is_some() && found.commitment.as_ref() != Some(&presented) {
            let recorded = found.commitment.clone();
            self.emit(
                "IdmConfl",
                topics,
                vec![
                    ("recorded", Value::Fingerprint(recorded)),
                    ("presented", Value::Fingerprint(Some(presented))),
                ],
            );
        }
        Ok(self.program_value())
    }

    fn announce(
        &mut self,
        key: &str,
        caller: Person,
        single: bool,
        batch: &Commitment,
        (total, remaining): (i128, i128),
    ) {
        let topics = vec![Value::Text(key.into())];
        let mut data = vec![
            ("caller", Value::Person(caller)),
            ("remaining_balance", Value::I128(remaining)),
        ];
        if single {
            data.push(("recipient", Value::Person(batch.recipients[0])));
            data.push(("amount", Value::I128(total)));
            self.emit("Payout", topics, data);
        } else {
            let count = u32::try_from(batch.recipients.len()).expect("at most 60");
            data.push(("recipient_count", Value::U32(count)));
            data.push(("total_amount", Value::I128(total)));
            self.emit("BatchPay", topics, data);
        }
    }

    /// Role, consumed, validity.
    pub(super) fn void(&mut self, caller: Person, key: &str, signature: Signature) -> Answer {
        let program = self.program()?;
        if caller != program.payout_key && Some(caller) != self.owner {
            self.live_delegate(caller)?;
        }
        Self::signed(caller, signature)?;
        match self.find(key) {
            Some(found) if found.kind == Kind::Voided => return Ok(Value::Void),
            Some(_) => return refuse(error::KEY_ALREADY_CONSUMED),
            None => {}
        }
        if !is_valid(key) {
            return refuse(error::INVALID_IDEMPOTENCY_KEY);
        }
        self.write(key, Kind::Voided);
        self.emit(
            "IdmVoid",
            vec![Value::Text(key.into())],
            vec![("caller", Value::Person(caller))],
        );
        Ok(Value::Void)
    }

    pub(super) fn import(&mut self, keys: &[Key], signature: Signature) -> Answer {
        self.by_admin(signature)?;
        if self.program()?.status != Status::Draft {
            return refuse(error::NOT_DRAFT);
        }
        if keys.len() > 30 {
            return refuse(error::TOO_MANY_KEYS);
        }
        if keys.iter().any(|key| !is_valid(&key.text())) {
            return refuse(error::INVALID_IDEMPOTENCY_KEY);
        }
        for key in keys.iter().map(|key| key.text()) {
            if self.find(&key).is_none() {
                self.write(&key, Kind::Imported);
                self.emit("IdmImport", vec![Value::Text(key)], vec![]);
            }
        }
        Ok(Value::Void)
    }

    pub(super) fn migrate(&mut self, signature: Signature) -> Answer {
        if self.program.is_some() || !self.old_program {
            return refuse(error::NOTHING_TO_MIGRATE);
        }
        Self::signed(Person::Admin, signature)?;
        self.old_program = false;
        self.owner = Some(Person::Admin);
        self.program = Some(Program {
            payout_key: Person::PayoutKey,
            status: Status::Active,
            locked: OLD_BALANCE,
            paid: 0,
            withdrawn: 0,
            remaining: OLD_BALANCE,
            count: 0,
        });
        self.emit(
            "MigProg",
            vec![],
            vec![
                ("actor", Value::Person(Person::Admin)),
                ("total_funds", Value::I128(OLD_TOTAL)),
                ("remaining_balance", Value::I128(OLD_BALANCE)),
            ],
        );
        Ok(Value::Void)
    }

    /// Which keys go first is the contract's own choice: the last of the list.
    pub(super) fn migrate_keys(&mut self, limit: u32, signature: Signature) -> Answer {
        let actor = self.by_admin(signature)?;
        if !(1..=30).contains(&limit) {
            return refuse(error::TOO_MANY_KEYS);
        }
        let mut moved = 0;
        for _ in 0..limit {
            let Some(key): Option<String> = self.old_batch.pop() else {
                break;
            };
            if self.find(&key).is_none() {
                self.write(&key, Kind::Imported);
                moved += 1;
            }
        }
        let left = u32::try_from(self.old_batch.len()).expect("few");
        self.emit(
            "MigKeys",
            vec![],
            vec![
                ("actor", Value::Person(actor)),
                ("moved", Value::U32(moved)),
                ("left", Value::U32(left)),
            ],
        );
        Ok(Value::U32(left))
    }
}
