//! Life of the program, money in and out, and the token's issuer.

use std::vec;

use super::{Answer, Model, Status, error, refuse};
use crate::testutils::choices::{Amount, Person, Signature};
use crate::testutils::command::Command;
use crate::testutils::value::Value;

impl Model {
    pub(super) fn judge_money(&mut self, command: &Command) -> Answer {
        match command {
            Command::Lock(from, amount, signature) => self.lock(*from, amount.units(), *signature),
            Command::CreditSurplus(signature) => self.credit_surplus(*signature),
            Command::Publish(signature) => {
                let actor = self.by_admin(*signature)?;
                if self.books().status != Status::Draft {
                    return refuse(error::NOT_DRAFT);
                }
                self.books().status = Status::Active;
                self.emit("Publish", vec![], vec![("actor", Value::Person(actor))]);
                Ok(Value::Void)
            }
            Command::Close(signature) => {
                let actor = self.by_admin(*signature)?;
                if self.books().status == Status::Closed {
                    return refuse(error::ALREADY_CLOSED);
                }
                self.books().status = Status::Closed;
                self.emit("Close", vec![], vec![("actor", Value::Person(actor))]);
                Ok(Value::Void)
            }
            Command::Withdraw(to, signature) => self.withdraw(to.0, *signature),
            Command::Pass(wait) => {
                let (seconds, ledgers) = wait.passes();
                self.now += seconds;
                self.ledger += ledgers;
                Ok(Value::Void)
            }
            Command::Mint(to, amount) => self.mint(*to, *amount),
            Command::Clawback(from, amount) => self.clawback(*from, *amount),
            Command::Freeze(who, on) => {
                self.freeze(who.0, *on);
                Ok(Value::Void)
            }
            Command::FreezeEscrow(on) => {
                self.freeze(Person::Escrow, *on);
                Ok(Value::Void)
            }
            _ => unreachable!("not about money: {command:?}"),
        }
    }

    fn lock(&mut self, from: Person, amount: i128, signature: Signature) -> Answer {
        self.program()?;
        Self::signed(from, signature)?;
        if self.books().status == Status::Closed {
            return refuse(error::ALREADY_CLOSED);
        }
        if self.lock_paused {
            return refuse(error::PAUSED);
        }
        if amount <= 0 {
            return refuse(error::INVALID_AMOUNT);
        }
        self.transfer(from, Person::Escrow, amount)?;
        let remaining = self.credit(amount)?;
        self.emit(
            "FundLock",
            vec![],
            vec![
                ("actor", Value::Person(from)),
                ("amount", Value::I128(amount)),
                ("remaining_balance", Value::I128(remaining)),
            ],
        );
        Ok(self.program_value())
    }

    fn credit(&mut self, amount: i128) -> Result<i128, super::Refusal> {
        let books = self.books();
        let (Some(locked), Some(remaining)) = (
            books.locked.checked_add(amount),
            books.remaining.checked_add(amount),
        ) else {
            return refuse(error::AMOUNT_OVERFLOW);
        };
        books.locked = locked;
        books.remaining = remaining;
        Ok(remaining)
    }

    fn credit_surplus(&mut self, signature: Signature) -> Answer {
        let actor = self.by_admin(signature)?;
        if self.books().status == Status::Closed {
            return refuse(error::ALREADY_CLOSED);
        }
        let surplus = self.balance(Person::Escrow) - self.books().remaining;
        if surplus <= 0 {
            return Ok(Value::I128(0));
        }
        let remaining = self.credit(surplus)?;
        self.emit(
            "Surplus",
            vec![],
            vec![
                ("actor", Value::Person(actor)),
                ("amount", Value::I128(surplus)),
                ("remaining_balance", Value::I128(remaining)),
            ],
        );
        Ok(Value::I128(surplus))
    }

    fn withdraw(&mut self, to: Person, signature: Signature) -> Answer {
        let actor = self.by_admin(signature)?;
        if self.books().status != Status::Closed {
            return refuse(error::NOT_CLOSED);
        }
        if matches!(to, Person::Escrow | Person::Token) {
            return refuse(error::INVALID_RECIPIENT);
        }
        let amount = self.balance(Person::Escrow);
        if amount == 0 {
            return Ok(Value::I128(0));
        }
        self.transfer(Person::Escrow, to, amount)?;
        let books = self.books();
        let counted = amount.min(books.remaining);
        books.withdrawn += counted;
        books.remaining -= counted;
        let remaining = books.remaining;
        self.emit(
            "Withdraw",
            vec![],
            vec![
                ("actor", Value::Person(actor)),
                ("to", Value::Person(to)),
                ("amount", Value::I128(amount)),
                ("counted", Value::I128(counted)),
                ("remaining_balance", Value::I128(remaining)),
            ],
        );
        Ok(Value::I128(amount))
    }

    fn mint(&mut self, to: Person, amount: Amount) -> Answer {
        let units = amount.units();
        let thawed = !self.frozen.contains(&to);
        let sum = self.balance(to).checked_add(units);
        match sum {
            Some(sum) if units >= 0 && thawed && to != Person::Issuer => {
                self.balances.insert(to, sum);
                self.supply = self.supply.wrapping_add(units);
                Ok(Value::Void)
            }
            _ => refuse(error::TOKEN_TRANSFER_FAILED),
        }
    }

    fn clawback(&mut self, from: Person, amount: Amount) -> Answer {
        let units = amount.units();
        let before = self.balance(from);
        if units < 0 || before < units || from == Person::Issuer {
            return refuse(error::TOKEN_TRANSFER_FAILED);
        }
        self.balances.insert(from, before - units);
        self.supply = self.supply.wrapping_sub(units);
        Ok(Value::Void)
    }

    fn freeze(&mut self, who: Person, on: bool) {
        if who == Person::Issuer {
            return;
        }
        if on {
            self.frozen.insert(who);
        } else {
            self.frozen.remove(&who);
        }
    }
}
