//! Mainnet's limits at the moment of execution, tried with a contract that uses what it is told to.

use localnet::xdr::{
    ContractExecutable, ContractId, ContractIdPreimage, ContractIdPreimageFromAddress,
    CreateContractArgs, Hash, HostFunction, OperationBody, ScAddress, ScVal,
    SorobanTransactionData, Uint256,
};
use sha2::{Digest, Sha256};

use crate::common::{Account, Found, Net, token};

struct Probe {
    net: Net,
    owner: Account,
    contract: ContractId,
}

impl Probe {
    fn new() -> Self {
        let net = Net::at_once();
        let owner = net.account("owner");
        let wasm = wat::parse_str(include_str!("common/probe.wat")).unwrap();
        let code = Hash(Sha256::digest(&wasm).into());
        let upload = HostFunction::UploadContractWasm(wasm.try_into().unwrap());
        token::run(&net.client, &owner, token::invoke(upload)).succeeded();
        let preimage = ContractIdPreimage::Address(ContractIdPreimageFromAddress {
            address: ScAddress::Account(owner.id()),
            salt: Uint256([0; 32]),
        });
        let creation = HostFunction::CreateContract(CreateContractArgs {
            contract_id_preimage: preimage.clone(),
            executable: ContractExecutable::Wasm(code),
        });
        token::run(&net.client, &owner, token::invoke(creation)).succeeded();
        let contract = token::contract_id(&net.client, preimage);
        Self {
            net,
            owner,
            contract,
        }
    }

    fn prepare(
        &self,
        function: &str,
        args: &[u32],
    ) -> (OperationBody, SorobanTransactionData, i64) {
        let args = args.iter().map(|value| ScVal::U32(*value)).collect();
        let body = token::call(&self.contract, function, args);
        token::simulated(&self.net.client, &self.owner, body)
    }

    fn run(&self, function: &str, args: &[u32]) -> Found {
        let (body, data, sequence) = self.prepare(function, args);
        self.submit(body, data, sequence)
    }

    fn submit(&self, body: OperationBody, data: SorobanTransactionData, sequence: i64) -> Found {
        let envelope = token::sealed(&self.net.client, &self.owner, sequence, body, data);
        self.net.client.submit(&envelope)
    }
}

fn exceeded(found: &Found, text: &str) {
    assert_eq!(found.status(), "FAILED");
    assert!(
        found.operation().contains("ResourceLimitExceeded"),
        "{}",
        found.operation()
    );
    let events = format!("{:?}", found.meta().diagnostic_events);
    assert!(events.contains(text), "{events}");
}

#[test]
fn events_and_return_value_share_16384_bytes() {
    let probe = Probe::new();
    // The value's XDR: kind, length, bytes.
    let found = probe.run("answer", &[16_384 - 8]).succeeded();
    assert!(found.return_value().is_some());
    exceeded(
        &probe.run("answer", &[16_384 - 8 + 4]),
        "events and return value",
    );
    // An event's frame and the Void that is returned are counted, too.
    let frame = 4 + 4 + 32 + 4 + 4 + 4 + 8 + 4;
    probe.run("emit", &[16_384 - frame]).succeeded();
    let found = probe.run("emit", &[16_384 - frame + 4]);
    exceeded(&found, "events and return value");
    assert!(found.meta().operations.is_empty());
}

#[test]
fn an_entry_has_at_most_65536_bytes() {
    let probe = Probe::new();
    // Header and kinds 16, contract 36, key 8, kind and length of the value 8, extension 4.
    let frame = 72;
    let largest = 65_536 - frame;
    probe.run("store", &[1, largest]).succeeded();
    exceeded(&probe.run("store", &[2, largest + 4]), "contract data");
    // Nothing of what failed is there.
    let (_, data, _) = probe.prepare("store", &[2, 8]);
    let keys = data.resources.footprint.read_write;
    assert!(probe.net.client.entries(&keys).is_empty());
}

#[test]
fn declared_instructions_and_bytes_are_not_exceeded() {
    let probe = Probe::new();
    let (body, mut data, sequence) = probe.prepare("store", &[1, 1_000]);
    data.resources.write_bytes -= 1;
    exceeded(&probe.submit(body, data, sequence), "write bytes");
    let (body, mut data, sequence) = probe.prepare("store", &[1, 1_000]);
    data.resources.instructions = 100_000;
    exceeded(&probe.submit(body, data, sequence), "instructions");
    // Lumens of a recipient are read from disk, and that is declared as well.
    let payer = probe.net.account("payer");
    token::deploy(&probe.net.client, &payer, &localnet::xdr::Asset::Native);
    let native = probe
        .net
        .localnet
        .network()
        .asset_contract(&localnet::xdr::Asset::Native);
    let args = vec![
        token::address(&payer),
        token::address(&probe.owner),
        token::amount(5),
    ];
    let body = token::call(&native, "transfer", args);
    let (body, mut data, sequence) = token::simulated(&probe.net.client, &payer, body);
    data.resources.disk_read_bytes = 10;
    let envelope = token::sealed(&probe.net.client, &payer, sequence, body, data);
    exceeded(&probe.net.client.submit(&envelope), "disk-read bytes");
}

#[test]
fn an_endless_call_ends_at_400_million_instructions() {
    let probe = Probe::new();
    let body = token::call(&probe.contract, "spin", vec![]);
    let raw = crate::common::build::unsigned(crate::common::build::with_sequence(
        &probe.owner,
        1,
        vec![body],
    ));
    let answer = probe.net.client.simulate(&raw);
    let error = answer.error().unwrap();
    assert!(error.contains("Error(Budget, ExceededLimit)"), "{error}");
}

#[test]
fn code_has_at_most_131072_bytes() {
    let probe = Probe::new();
    let (_, mut data, sequence) = probe.prepare("answer", &[1]);
    let upload = HostFunction::UploadContractWasm(vec![0; 131_073].try_into().unwrap());
    data.resource_fee += 100_000_000;
    let envelope = token::sealed(
        &probe.net.client,
        &probe.owner,
        sequence,
        token::invoke(upload),
        data,
    );
    let sent = probe.net.client.send(&envelope);
    assert_eq!(sent.code(), "TxFailed");
    assert!(format!("{:?}", sent.error()).contains("Malformed"));
}

#[test]
fn a_refundable_fee_must_cover_rent_and_events() {
    let probe = Probe::new();
    let (body, mut data, sequence) = probe.prepare("store", &[1, 1_000]);
    let before = probe.net.client.balance(&probe.owner);
    let declared = data.resource_fee;
    data.resource_fee /= 2;
    let found = probe.submit(body, data, sequence);
    assert!(
        found.operation().contains("InsufficientRefundableFee"),
        "{}",
        found.operation()
    );
    // The whole refundable part comes back; what was declared to be computed does not.
    let charged = found.result().fee_charged;
    assert!(charged < declared / 10, "{charged} of {declared}");
    assert_eq!(probe.net.client.balance(&probe.owner), before - charged);
}
