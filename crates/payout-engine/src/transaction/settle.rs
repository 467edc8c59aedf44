//! From an envelope to its verdict: the same bytes, again and again, and nothing else.

use std::time::Duration;

use payout_keys::Recipient;

use super::outcome::{Outcome, Verdict, read};
use super::prepare::account_at;
use super::sealed::Sealed;
use crate::protocol::{RefusedKind, SendStatus};
use crate::record::Moment;
use crate::rpc::{Client, Transaction, send_answer};

/// How long to keep on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Between two looks.
    pub poll: Duration,
    /// Looks in a row that bring nothing new, neither a ledger nor an answer, before it is given
    /// up.
    pub idle: u32,
    /// Looks between two sendings.
    pub resend: u32,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            poll: Duration::from_secs(1),
            idle: 120,
            resend: 10,
        }
    }
}

/// What is known so far.
struct Course<'a> {
    client: &'a Client,
    sealed: &'a Sealed,
    sends: u32,
    /// The newest ledger that a node showed.
    newest: u32,
    /// A ledger in which the account's sequence number is used already.
    taken_at: Option<u32>,
    why: String,
}

/// Sends the envelope and waits for its verdict. `pause` lets time go by.
///
/// What is in doubt is never signed anew: while the envelope can be applied it is sent again as it
/// is, and afterwards the account's sequence number tells.
pub async fn settle(
    client: &Client,
    sealed: &Sealed,
    patience: Patience,
    pause: impl AsyncFn(Duration),
) -> Outcome {
    let mut course = Course {
        client,
        sealed,
        sends: 0,
        newest: 0,
        taken_at: None,
        why: "no node has answered".to_owned(),
    };
    let mut idle = 0;
    let mut looks = 0;
    let verdict = loop {
        let before = course.newest;
        if looks % patience.resend.max(1) == 0
            && let Some(verdict) = course.send().await
        {
            break verdict;
        }
        if let Some(verdict) = course.look().await {
            break verdict;
        }
        looks += 1;
        idle = if course.newest > before { 0 } else { idle + 1 };
        if idle >= patience.idle {
            break course.unknown();
        }
        pause(patience.poll).await;
    };
    Outcome {
        hash: sealed.signed.hash,
        verdict,
    }
}

impl Course<'_> {
    /// Sends, and gives a verdict only where the very first answer is a refusal: nobody else has
    /// the envelope then.
    async fn send(&mut self) -> Option<Verdict> {
        let signed = &self.sealed.signed;
        let text = match self.sealed.to_base64() {
            Ok(text) => text,
            Err(error) => {
                self.why = error.to_string();
                return None;
            }
        };
        let first = self.sends == 0;
        self.sends = self.sends.saturating_add(1);
        let answer = match self.client.send(&text, signed.hash).await {
            Ok(sent) => send_answer(&sent, signed),
            Err(error) => Err(error),
        };
        match answer.map(|answer| answer.status) {
            Ok(SendStatus::Refused { code, kind }) => {
                let asked = match kind {
                    RefusedKind::Fee(bid) => Some(bid.0),
                    RefusedKind::Lasting => None,
                    RefusedKind::Passing => {
                        self.why = format!("the node answered {code}");
                        return None;
                    }
                };
                self.why = format!("the node answered {code}");
                first.then_some(Verdict::Refused { code, asked })
            }
            Ok(SendStatus::Pending | SendStatus::Duplicate) => {
                "a node has it in its queue".clone_into(&mut self.why);
                None
            }
            Ok(other) => {
                self.why = format!("the node answered {other:?}");
                None
            }
            Err(error) => {
                self.why = error.to_string();
                None
            }
        }
    }

    async fn look(&mut self) -> Option<Verdict> {
        let found = match self.client.transaction(self.sealed.signed.hash).await {
            Ok(found) => found,
            Err(error) => {
                self.why = error.to_string();
                return None;
            }
        };
        self.newest = self.newest.max(found.latest_ledger);
        if let Some(verdict) = read(&found) {
            return Some(verdict);
        }
        let at = Moment {
            ledger: found.latest_ledger,
            close_time: Some(found.latest_ledger_close_time),
        };
        let over = self.sealed.signed.bounds.covered_by(at);
        if over || self.sends > 1 {
            return self.absent(&found, over).await;
        }
        None
    }

    /// The node does not know the hash. That proves nothing by itself; the account's sequence
    /// number does.
    async fn absent(&mut self, found: &Transaction, over: bool) -> Option<Verdict> {
        let complete = found.oldest_ledger <= self.sealed.signed_at;
        if let Some(taken) = self.taken_at
            && complete
            && found.latest_ledger >= taken
        {
            return Some(self.not_applied(found.latest_ledger, true));
        }
        let account = Recipient::Account(self.sealed.source);
        let (entry, ledger) = match account_at(self.client, account).await {
            Ok(read) => read,
            Err(error) => {
                self.why = error.to_string();
                return None;
            }
        };
        let used = entry.is_none_or(|entry| entry.seq_num.0 >= self.sealed.signed.sequence);
        if used {
            self.taken_at = Some(self.taken_at.map_or(ledger, |before| before.min(ledger)));
            if over && !complete {
                "the account's sequence number is used, and the node has forgotten by what"
                    .clone_into(&mut self.why);
                return Some(self.unknown());
            }
            return None;
        }
        // This state may be of another machine than the one whose clock was read.
        (over && ledger >= found.latest_ledger).then(|| self.not_applied(ledger, false))
    }

    /// Never applied by us. An authorisation that was signed apart may have been carried by others.
    fn not_applied(&self, ledger: u32, sequence_taken: bool) -> Verdict {
        if self.sealed.signed.bounds.authorised_until.is_some() {
            return Verdict::Unknown {
                why: "our transaction was not applied, but an authorisation was signed apart from \
                      it, and somebody else may have carried it"
                    .to_owned(),
                until: self.sealed.signed.bounds.max_time,
            };
        }
        Verdict::NotApplied {
            ledger,
            sequence_taken,
        }
    }

    fn unknown(&self) -> Verdict {
        Verdict::Unknown {
            why: self.why.clone(),
            until: self.sealed.signed.bounds.max_time,
        }
    }
}
