//! The network port: nodes that lose, lag and forget.

use std::cell::RefCell;
use std::rc::Rc;

use payout_engine::envelope::intent_call;
use payout_engine::journal::Intent;
use payout_engine::ports::{Landed, Network, Rehearsal, Unanswered};
use payout_engine::protocol::{
    Bid, Fate, Prepared, Refusal, RefusedKind, SendAnswer, SendStatus, Signed, Simulation, TxHash,
};
use payout_engine::rpc::Records;
use payout_engine::{Moment, NodeId, Payout, Record, RecordKind, View};
use payout_keys::{IdempotencyKey, Recipient};
use stellar_xdr::{
    AccountId, Limits, PublicKey, ScAddress, ScVal, SorobanAddressCredentials,
    SorobanAuthorizationEntry, SorobanAuthorizedFunction, SorobanAuthorizedInvocation,
    SorobanCredentials, SorobanTransactionData, Uint256, VecM, WriteXdr,
};

use super::Flaw;
use super::chain::{FIRST, Included};
use super::memory::Disk;
use super::world::{Shared, World};

/// The nodes as one machine sees them.
pub(super) struct Nodes {
    pub(super) world: Shared,
    pub(super) lane: [u8; 32],
    pub(super) flaw: Flaw,
    pub(super) disk: Rc<RefCell<Disk>>,
}

fn lost() -> Unanswered {
    Unanswered("503".into())
}

impl World {
    /// Which node answers, and the ledger it knows.
    fn node(&mut self, not_from: Option<NodeId>) -> (NodeId, u32) {
        let mut node = NodeId(u16::from(self.dice.below(2) == 1));
        if not_from == Some(node) {
            node = NodeId(1 - node.0);
        }
        let behind = if self.strikes(|weather| weather.lag) {
            u32::try_from(self.dice.below(6) + 1).expect("small")
        } else {
            0
        };
        (node, self.chain.ledger.saturating_sub(behind).max(FIRST))
    }

    fn moment(&self, ledger: u32) -> Moment {
        Moment {
            ledger,
            close_time: Some(self.chain.time(ledger)),
        }
    }

    fn record(&self, key: &IdempotencyKey, ledger: u32) -> Option<Record> {
        let record = self.chain.records.get(key.as_str()).copied();
        record.filter(|record| record.ledger <= ledger)
    }

    /// The transactions that a node of this ledger knows.
    fn known(&self, ledger: u32) -> impl Iterator<Item = &Included> {
        let oldest = self.chain.retention.map(|kept| ledger.saturating_sub(kept));
        self.chain
            .history
            .iter()
            .filter(move |it| it.ledger <= ledger && oldest.is_none_or(|old| it.ledger >= old))
    }
}

impl Nodes {
    /// A question on its way to a node, which may be lost.
    async fn ask<T>(&self, answer: impl FnOnce(&mut World) -> T) -> Result<T, Unanswered> {
        self.world.pause().await;
        self.world.with(|world| {
            if world.strikes(|weather| weather.lost) {
                return Err(lost());
            }
            Ok(answer(world))
        })
    }

    /// The authorisation that a simulation asks for: the payout key's, apart where another account
    /// carries the transaction.
    fn authorisation(&self, world: &mut World, intent: &Intent) -> SorobanAuthorizationEntry {
        let payer = world.chain.payout_key;
        let contract = world.chain.escrow.contract();
        let call = intent_call(contract, Recipient::Account(payer), intent).expect("a call");
        let credentials = if payer == self.lane {
            SorobanCredentials::SourceAccount
        } else {
            SorobanCredentials::Address(SorobanAddressCredentials {
                address: ScAddress::Account(AccountId(PublicKey::PublicKeyTypeEd25519(Uint256(
                    payer,
                )))),
                nonce: i64::from_be_bytes(world.dice.number().to_be_bytes()),
                signature_expiration_ledger: 0,
                signature: ScVal::Void,
            })
        };
        SorobanAuthorizationEntry {
            credentials,
            root_invocation: SorobanAuthorizedInvocation {
                function: SorobanAuthorizedFunction::ContractFn(call),
                sub_invocations: VecM::default(),
            },
        }
    }

    fn rehearse(&self, world: &mut World, intent: &Intent) -> Rehearsal {
        let (node, ledger) = world.node(None);
        let refused = |number: u32| {
            Rehearsal::Refused(Refusal {
                ledger,
                contract_error: Some(number),
                text: format!("Error(Contract, #{number})"),
            })
        };
        match (world.record(&intent.key, ledger), &intent.payout) {
            (Some(record), Some(_)) if record.kind == RecordKind::Voided => return refused(301),
            (Some(record), None) if record.paid() => return refused(302),
            (None, Some(payout)) if pays_itself(world, payout) => return refused(405),
            _ => {}
        }
        let entry = self.authorisation(world, intent);
        Rehearsal::Passed(Simulation {
            at: world.moment(ledger),
            node,
            min_resource_fee: 1_000,
            restores: u32::from(world.strikes(|weather| weather.forgot)),
            market: Bid::MIN,
            prepared: Prepared {
                transaction_data: resources(),
                auth: vec![entry.to_xdr(Limits::none()).expect("XDR")],
            },
        })
    }

    /// [`Flaw::SentIsLanded`]: a record of what this machine has sent under the key.
    fn pretended(&self, key: &IdempotencyKey) -> Option<Record> {
        if self.flaw != Flaw::SentIsLanded {
            return None;
        }
        let sent = self.disk.borrow().sent(key)?;
        Some(Record {
            kind: RecordKind::Batch,
            payout_id: 1,
            fingerprint: sent.fingerprint(),
            total: sent.total().units(),
            ledger: FIRST,
        })
    }
}

/// The contract refuses to pay itself.
fn pays_itself(world: &World, payout: &Payout) -> bool {
    let itself = Recipient::Contract(world.chain.escrow.contract().0);
    payout.lines().iter().any(|line| line.recipient == itself)
}

fn resources() -> Vec<u8> {
    let data = SorobanTransactionData {
        ext: stellar_xdr::SorobanTransactionDataExt::V0,
        resources: stellar_xdr::SorobanResources {
            footprint: stellar_xdr::LedgerFootprint {
                read_only: VecM::default(),
                read_write: VecM::default(),
            },
            instructions: 1_000_000,
            disk_read_bytes: 1_000,
            write_bytes: 1_000,
        },
        resource_fee: 1_000,
    };
    data.to_xdr(Limits::none()).expect("XDR")
}

impl Network for Nodes {
    async fn clock(&self) -> Result<Moment, Unanswered> {
        self.ask(|world| {
            let (_, ledger) = world.node(None);
            world.moment(ledger)
        })
        .await
    }

    async fn record(
        &self,
        key: &IdempotencyKey,
        _min_ledger: u32,
        not_from: Option<NodeId>,
    ) -> Result<View, Unanswered> {
        self.ask(|world| {
            let (node, ledger) = world.node(not_from);
            View {
                node,
                at: world.moment(ledger),
                record: world.record(key, ledger),
            }
        })
        .await
    }

    async fn records(&self, keys: &[IdempotencyKey]) -> Result<Records, Unanswered> {
        let mut answer = self
            .ask(|world| {
                let (_, ledger) = world.node(None);
                Records {
                    ledger,
                    records: keys.iter().map(|key| world.record(key, ledger)).collect(),
                }
            })
            .await?;
        for (key, record) in keys.iter().zip(&mut answer.records) {
            if record.is_none() {
                *record = self.pretended(key);
            }
        }
        Ok(answer)
    }

    async fn simulate(&self, intent: &Intent) -> Result<Rehearsal, Unanswered> {
        self.ask(|world| self.rehearse(world, intent)).await
    }

    async fn sequence(&self, account: Recipient, min_ledger: u32) -> Result<i64, Unanswered> {
        let Recipient::Account(account) = account else {
            return Err(Unanswered("no account".into()));
        };
        self.ask(|world| {
            let (_, ledger) = world.node(None);
            let known = world.chain.sequence(account, ledger);
            known.filter(|_| ledger >= min_ledger).ok_or_else(lost)
        })
        .await?
    }

    async fn send(&self, signed: &Signed) -> Result<SendAnswer, Unanswered> {
        self.world.pause().await;
        let answer = self.world.with(|world| {
            let read = world.chain.read(&signed.xdr);
            assert_eq!(read.hash, signed.hash, "the hash is the bytes'");
            if world.strikes(|weather| weather.lost) {
                let ledgers = u32::try_from(world.dice.below(8)).expect("small");
                if ledgers > 0 {
                    world.chain.delay(ledgers, read);
                }
                return Err(lost());
            }
            let ledger = world.chain.ledger;
            if world.strikes(|weather| weather.try_again) {
                let status = SendStatus::TryAgainLater;
                return Ok(SendAnswer { status, ledger });
            }
            let mut status = world.chain.accept(&read);
            if world.strikes(|weather| weather.bad_sequence) {
                status = SendStatus::Refused {
                    code: "txBAD_SEQ".into(),
                    kind: RefusedKind::Passing,
                };
            }
            if world.strikes(|weather| weather.answer_lost) {
                return Err(Unanswered("504".into()));
            }
            Ok(SendAnswer { status, ledger })
        });
        self.world.pause().await;
        answer
    }

    async fn transaction(&self, hash: TxHash) -> Result<Fate, Unanswered> {
        self.ask(|world| {
            let (_, ledger) = world.node(None);
            if world.strikes(|weather| weather.forgot) {
                return Fate::NotFound;
            }
            let mut known = world.known(ledger);
            let found = known.find(|it| it.hash == hash || it.inner == hash);
            found.map_or(Fate::NotFound, |it| Fate::Included {
                ledger: it.ledger,
                succeeded: it.succeeded,
                fee_charged: 100,
            })
        })
        .await
    }

    async fn fees(&self) -> Result<Bid, Unanswered> {
        self.ask(|world| world.chain.market).await
    }

    async fn landed(&self, key: &IdempotencyKey, ledger: u32) -> Result<Vec<Landed>, Unanswered> {
        self.ask(|world| {
            let (_, knows) = world.node(None);
            if world.strikes(|weather| weather.forgot) {
                return Vec::new();
            }
            let carried = world
                .known(knows)
                .filter(|it| it.ledger == ledger && it.key == key.as_str());
            carried
                .filter_map(|it| {
                    Some(Landed {
                        hash: it.hash,
                        payout: Payout::new(it.lines.clone()).ok()?,
                    })
                })
                .collect()
        })
        .await
    }
}
