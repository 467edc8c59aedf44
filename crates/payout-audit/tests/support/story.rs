//! What happened, call by call.

use std::collections::HashMap;

use payout_audit::books::key_digest;
use payout_audit::checks::Chain;
use payout_audit::model::Subject;
use payout_engine::envelope::{payout_call, transaction_hash};
use payout_engine::escrow::{Program, ProgramStatus};
use payout_engine::{Line, Payout, Record, RecordKind};
use payout_keys::{ContractId, Fingerprint, IdempotencyKey, NetworkId, Recipient};
use sha2::{Digest, Sha256};
use stellar_xdr::{
    HostFunction, InvokeContractArgs, InvokeHostFunctionOp, Memo, MuxedAccount, Operation,
    OperationBody, Preconditions, ScSymbol, ScVal, SequenceNumber, Transaction,
    TransactionEnvelope, TransactionExt, TransactionV1Envelope, Uint256, VecM,
};

use super::seal::{ISSUER, Told, asset, committed, payout, result};
use super::values::{address, base64, bytes, contract, integer, list, map, string, symbol};
use super::{Event, Evidence, Tx};

pub(crate) const PASSPHRASE: &str = "Story Network ; January 2026";
pub(crate) const PROGRAM: &str = "hackathon-2026";

/// The story so far.
pub(crate) struct Story {
    pub(crate) subject: Subject,
    pub(crate) program: Program,
    pub(crate) balance: i128,
    pub(crate) code: [u8; 32],
    pub(crate) records: HashMap<[u8; 32], Record>,
    pub(crate) transactions: Vec<Tx>,
    pub(crate) ledger: u32,
    sequence: i64,
}

pub(crate) fn account(number: u32) -> Recipient {
    Recipient::Account(Sha256::digest(number.to_be_bytes()).into())
}

impl Story {
    pub(crate) fn new() -> Self {
        let token = ContractId([9; 32]);
        Self {
            subject: Subject {
                network: NetworkId::from_passphrase(PASSPHRASE),
                contract: ContractId([7; 32]),
                token,
                program: Some(PROGRAM.to_owned()),
            },
            program: Program {
                program_id: PROGRAM.to_owned(),
                token,
                payout_key: Recipient::Account([5; 32]),
                status: ProgramStatus::Active,
                total_locked: 0,
                total_paid: 0,
                total_withdrawn: 0,
                remaining_balance: 0,
                payout_count: 0,
            },
            balance: 0,
            code: [0xc0; 32],
            records: HashMap::new(),
            transactions: Vec::new(),
            ledger: 10,
            sequence: 0,
        }
    }

    /// What nodes say at the end.
    pub(crate) fn chain(&self) -> Chain {
        Chain {
            ledger: self.ledger,
            program: self.program.clone(),
            balance: Some(self.balance),
            code: Some(self.code),
            records: self.records.clone(),
            contradictions: Vec::new(),
            nodes: 1,
        }
    }

    pub(crate) fn us(&self) -> Recipient {
        self.subject.party()
    }

    pub(crate) fn lock(&mut self, amount: i128) {
        self.program.total_locked += amount;
        self.program.remaining_balance += amount;
        self.balance += amount;
        let sponsor = account(1_000_000);
        let told = vec![
            self.transfer(sponsor, self.us(), amount),
            self.own(
                "FundLock",
                None,
                &[
                    ("actor", address(sponsor)),
                    ("amount", integer(amount)),
                    ("remaining_balance", integer(self.program.remaining_balance)),
                ],
            ),
        ];
        let call = self.call(
            "lock_program_funds",
            vec![address(sponsor), integer(amount)],
        );
        self.happens(call, told, None);
    }

    /// Pays; with references of its own where it is `referenced`.
    pub(crate) fn pay(&mut self, key: &str, lines: &[(Recipient, i128)], referenced: bool) {
        self.pay_as(key, lines, referenced.then_some(key));
    }

    /// Pays, with the references that the payout of another key has or would have.
    pub(crate) fn pay_as(&mut self, key: &str, lines: &[(Recipient, i128)], of: Option<&str>) {
        self.pays(key, &payout(lines, of));
    }

    /// Pays lines that have their references.
    pub(crate) fn pay_lines(&mut self, key: &str, lines: Vec<Line>) {
        self.pays(key, &Payout::new(lines).expect("a payout"));
    }

    fn pays(&mut self, key: &str, payout: &Payout) {
        let lines: Vec<(Recipient, i128)> = payout
            .lines()
            .iter()
            .map(|line| (line.recipient, line.amount.units()))
            .collect();
        let single = lines.len() == 1 && !payout.referenced();
        let total = payout.total().units();
        let key_value = IdempotencyKey::new(key).expect("a key");
        self.program.total_paid += total;
        self.program.remaining_balance -= total;
        self.program.payout_count += 1;
        self.balance -= total;
        let mut told: Vec<Told> = lines
            .iter()
            .map(|(to, amount)| self.transfer(self.us(), *to, *amount))
            .collect();
        told.push(self.paid(key, &lines, total, single));
        self.records.insert(
            key_digest(key),
            Record {
                kind: if single {
                    RecordKind::Single
                } else {
                    RecordKind::Batch
                },
                payout_id: self.program.payout_count,
                fingerprint: payout.fingerprint(),
                total,
                ledger: self.ledger,
            },
        );
        let call = payout_call(
            self.subject.contract,
            self.program.payout_key,
            &key_value,
            payout,
        );
        self.happens(call.expect("a call"), told, None);
    }

    fn paid(&self, key: &str, lines: &[(Recipient, i128)], total: i128, single: bool) -> Told {
        let remaining = integer(self.program.remaining_balance);
        let caller = address(self.program.payout_key);
        match lines {
            [(to, amount)] if single => self.own(
                "Payout",
                Some(key),
                &[
                    ("caller", caller),
                    ("recipient", address(*to)),
                    ("amount", integer(*amount)),
                    ("remaining_balance", remaining),
                ],
            ),
            _ => self.own(
                "BatchPay",
                Some(key),
                &[
                    ("caller", caller),
                    (
                        "recipient_count",
                        ScVal::U32(u32::try_from(lines.len()).expect("few")),
                    ),
                    ("total_amount", integer(total)),
                    ("remaining_balance", remaining),
                ],
            ),
        }
    }

    /// A retry; with other arguments where `other` has them.
    pub(crate) fn replay(&mut self, key: &str, other: Option<&[(Recipient, i128)]>) {
        let mut told = vec![self.own(
            "BatPayRp",
            Some(key),
            &[("caller", address(self.program.payout_key))],
        )];
        let record = self.records.get(&key_digest(key)).copied();
        if let (Some(other), Some(record)) = (other, record) {
            let presented: Fingerprint = payout(other, None).fingerprint();
            told.push(self.own(
                "IdmConfl",
                Some(key),
                &[
                    ("recorded", bytes(&record.fingerprint.0)),
                    ("presented", bytes(&presented.0)),
                ],
            ));
        }
        let call = self.call(
            "batch_payout_idempotent",
            vec![string(key), list(vec![]), list(vec![])],
        );
        self.happens(call, told, None);
    }

    pub(crate) fn void(&mut self, key: &str) {
        self.unpaid(key, RecordKind::Voided);
        let caller = address(self.program.payout_key);
        let told = vec![self.own("IdmVoid", Some(key), &[("caller", caller.clone())])];
        let call = self.call("void_idempotency_key", vec![caller, string(key)]);
        self.happens(call, told, Some(ScVal::Void));
    }

    pub(crate) fn import(&mut self, key: &str) {
        self.unpaid(key, RecordKind::Imported);
        let told = vec![self.own("IdmImport", Some(key), &[])];
        let call = self.call("import_consumed_keys", vec![list(vec![string(key)])]);
        self.happens(call, told, Some(ScVal::Void));
    }

    fn unpaid(&mut self, key: &str, kind: RecordKind) {
        self.records.insert(
            key_digest(key),
            Record {
                kind,
                payout_id: 0,
                fingerprint: Fingerprint([0; 32]),
                total: 0,
                ledger: self.ledger,
            },
        );
    }

    pub(crate) fn withdraw(&mut self, amount: i128) {
        self.program.total_withdrawn += amount;
        self.program.remaining_balance -= amount;
        self.balance -= amount;
        let to = account(1_000_001);
        let told = vec![
            self.transfer(self.us(), to, amount),
            self.own(
                "Withdraw",
                None,
                &[
                    ("actor", address(account(1_000_002))),
                    ("to", address(to)),
                    ("amount", integer(amount)),
                    ("counted", integer(amount)),
                    ("remaining_balance", integer(self.program.remaining_balance)),
                ],
            ),
        ];
        let call = self.call("withdraw_remaining", vec![address(to)]);
        self.happens(call, told, Some(integer(amount)));
    }

    /// The issuer takes tokens back; no event of the contract.
    pub(crate) fn clawback(&mut self, amount: i128) {
        self.balance -= amount;
        let told = vec![Told {
            contract: self.subject.token,
            system: false,
            topics: vec![symbol("clawback"), address(self.us()), asset()],
            data: integer(amount),
        }];
        let call = self.call("clawback", vec![address(self.us()), integer(amount)]);
        self.happens(call, told, Some(ScVal::Void));
    }

    pub(crate) fn upgrade(&mut self, to: [u8; 32]) {
        let code = |hash: [u8; 32]| list(vec![symbol("Wasm"), bytes(&hash)]);
        let told = vec![Told {
            contract: self.subject.contract,
            system: true,
            topics: vec![symbol("executable_update"), code(self.code), code(to)],
            data: list(vec![]),
        }];
        self.code = to;
        let call = self.call("upgrade", vec![bytes(&to), address(account(1_000_002))]);
        self.happens(call, told, Some(ScVal::Void));
    }

    pub(crate) fn own(&self, name: &str, key: Option<&str>, fields: &[(&str, ScVal)]) -> Told {
        let mut all = vec![
            ("version", ScVal::U32(2)),
            ("program_id", string(&self.program.program_id)),
        ];
        all.extend(fields.iter().cloned());
        let mut topics = vec![symbol(name)];
        topics.extend(key.map(string));
        Told {
            contract: self.subject.contract,
            system: false,
            topics,
            data: map(&all),
        }
    }

    pub(crate) fn transfer(&self, from: Recipient, to: Recipient, amount: i128) -> Told {
        let mut topics = vec![symbol("transfer"), address(from), address(to), asset()];
        if to == Recipient::Account(ISSUER) {
            topics = vec![symbol("burn"), address(from), asset()];
        }
        Told {
            contract: self.subject.token,
            system: false,
            topics,
            data: integer(amount),
        }
    }

    pub(crate) fn call(&self, function: &str, args: Vec<ScVal>) -> InvokeContractArgs {
        InvokeContractArgs {
            contract_address: contract(self.subject.contract),
            function_name: ScSymbol(function.try_into().expect("a name")),
            args: args.try_into().expect("few arguments"),
        }
    }

    /// A transaction in a ledger of its own. What it returns is the program, unless it is said.
    pub(crate) fn happens(
        &mut self,
        call: InvokeContractArgs,
        told: Vec<Told>,
        returned: Option<ScVal>,
    ) {
        self.sequence += 1;
        let envelope = self.envelope(call);
        let hash = transaction_hash(self.subject.network, &envelope).expect("a hash");
        let returned = returned.unwrap_or_else(|| self.returned());
        let place = u64::from(self.ledger) << 32 | 1 << 12;
        let events: Vec<Event> = told
            .iter()
            .enumerate()
            .map(|(index, told)| Event {
                id: format!("{place:019}-{index:010}"),
                contract: told.contract.to_string(),
                system: told.system,
                topics: told.topics.iter().map(base64).collect(),
                value: base64(&told.data),
            })
            .collect();
        let result = result(committed(told, returned.clone()));
        self.transactions.push(Tx {
            hash: hash.to_string(),
            ledger: self.ledger,
            closed: self.closed(),
            evidence: Some(Evidence {
                envelope: base64(&TransactionEnvelope::Tx(TransactionV1Envelope {
                    tx: envelope,
                    signatures: VecM::default(),
                })),
                result: base64(&result),
                returned: base64(&returned),
            }),
            events,
        });
        self.ledger += 1;
    }

    /// A ledger every five seconds, 5,000 ledgers a day so that stories have several days.
    fn closed(&self) -> String {
        let day = 1 + self.ledger / 5_000 % 28;
        let month = 1 + self.ledger / 140_000 % 12;
        let second = self.ledger % 5_000;
        let (hour, minute) = (second / 3_600, second / 60 % 60);
        format!(
            "2026-{month:02}-{day:02}T{hour:02}:{minute:02}:{:02}Z",
            second % 60
        )
    }

    pub(crate) fn returned(&self) -> ScVal {
        let program = &self.program;
        map(&[
            ("program_id", string(&program.program_id)),
            ("token", address(Recipient::Contract(program.token.0))),
            ("authorized_payout_key", address(program.payout_key)),
            ("status", ScVal::U32(1)),
            ("total_locked", integer(program.total_locked)),
            ("total_paid", integer(program.total_paid)),
            ("total_withdrawn", integer(program.total_withdrawn)),
            ("remaining_balance", integer(program.remaining_balance)),
            ("payout_count", ScVal::U64(program.payout_count)),
        ])
    }

    fn envelope(&self, call: InvokeContractArgs) -> Transaction {
        let operation = Operation {
            source_account: None,
            body: OperationBody::InvokeHostFunction(InvokeHostFunctionOp {
                host_function: HostFunction::InvokeContract(call),
                auth: VecM::default(),
            }),
        };
        Transaction {
            source_account: MuxedAccount::Ed25519(Uint256([5; 32])),
            fee: 100,
            seq_num: SequenceNumber(self.sequence),
            cond: Preconditions::None,
            memo: Memo::None,
            operations: vec![operation].try_into().expect("one operation"),
            ext: TransactionExt::V0,
        }
    }
}
