//! Contract calls, above all of an asset's contract.

use localnet::xdr::{
    Asset, ContractExecutable, ContractId, ContractIdPreimage, CreateContractArgs, Hash,
    HashIdPreimage, HashIdPreimageContractId, HostFunction, Int128Parts, InvokeContractArgs,
    InvokeHostFunctionOp, Limits, OperationBody, ScAddress, ScSymbol, ScVal,
    SorobanTransactionData, TransactionEnvelope, VecM, WriteXdr,
};
use sha2::{Digest, Sha256};

use super::build::{contract_transaction, unsigned, with_sequence};
use super::{Account, Client, Found, Net};

/// A contract call without authorisations.
pub(crate) fn call(contract: &ContractId, function: &str, args: Vec<ScVal>) -> OperationBody {
    invoke(HostFunction::InvokeContract(InvokeContractArgs {
        contract_address: ScAddress::Contract(contract.clone()),
        function_name: ScSymbol(function.try_into().expect("a function name")),
        args: args.try_into().expect("few arguments"),
    }))
}

pub(crate) fn invoke(host_function: HostFunction) -> OperationBody {
    OperationBody::InvokeHostFunction(InvokeHostFunctionOp {
        host_function,
        auth: VecM::default(),
    })
}

/// Creates the contract of an asset.
pub(crate) fn creation(asset: &Asset) -> OperationBody {
    invoke(HostFunction::CreateContract(CreateContractArgs {
        contract_id_preimage: ContractIdPreimage::Asset(asset.clone()),
        executable: ContractExecutable::StellarAsset,
    }))
}

/// The address of the contract that a preimage leads to.
pub(crate) fn contract_id(client: &Client, preimage: ContractIdPreimage) -> ContractId {
    let id = HashIdPreimage::ContractId(HashIdPreimageContractId {
        network_id: Hash(client.network_id),
        contract_id_preimage: preimage,
    });
    let bytes = id.to_xdr(Limits::none()).expect("it encodes");
    ContractId(Hash(Sha256::digest(bytes).into()))
}

/// Deploys the contract of an asset where ledgers close at once.
pub(crate) fn deploy(client: &Client, source: &Account, asset: &Asset) -> Found {
    run(client, source, creation(asset)).succeeded()
}

/// Deploys the contract of an asset where ledgers close on demand.
pub(crate) fn deploy_on_demand(net: &Net, source: &Account, asset: &Asset) -> Found {
    let sent = net
        .client
        .send(&prepared(&net.client, source, creation(asset)));
    net.close();
    net.client.transaction(sent.hash()).succeeded()
}

/// Simulates, authorises with the source account alone, signs and submits.
pub(crate) fn run(client: &Client, source: &Account, body: OperationBody) -> Found {
    client.submit(&prepared(client, source, body))
}

/// A call ready to be sent.
pub(crate) fn prepared(
    client: &Client,
    source: &Account,
    body: OperationBody,
) -> TransactionEnvelope {
    let (body, data, sequence) = simulated(client, source, body);
    sealed(client, source, sequence, body, data)
}

/// Operation with its authorisations, resources, and the sequence number to use.
pub(crate) fn simulated(
    client: &Client,
    source: &Account,
    body: OperationBody,
) -> (OperationBody, SorobanTransactionData, i64) {
    let sequence = client.sequence(source) + 1;
    let raw = unsigned(with_sequence(source, sequence, vec![body.clone()]));
    let simulation = client.simulate(&raw);
    let data = simulation.data();
    let mut body = body;
    if let OperationBody::InvokeHostFunction(op) = &mut body {
        op.auth = simulation.auth().try_into().expect("few authorisations");
    }
    (body, data, sequence)
}

/// Signs a call, in a fee bump where the fee is too large for a transaction of its own.
pub(crate) fn sealed(
    client: &Client,
    source: &Account,
    sequence: i64,
    body: OperationBody,
    data: SorobanTransactionData,
) -> TransactionEnvelope {
    let resource_fee = data.resource_fee;
    if u32::try_from(resource_fee + 100).is_ok() {
        let tx = contract_transaction(source, sequence, body, data);
        return client.sign(&tx, &[source]);
    }
    let mut tx = with_sequence(source, sequence, vec![body]);
    tx.ext = localnet::xdr::TransactionExt::V1(data);
    client.bump(&client.sign(&tx, &[source]), source, resource_fee + 200)
}

pub(crate) fn address(account: &Account) -> ScVal {
    ScVal::Address(ScAddress::Account(account.id()))
}

pub(crate) fn contract_address(byte: u8) -> ScVal {
    ScVal::Address(ScAddress::Contract(ContractId(Hash([byte; 32]))))
}

pub(crate) fn amount(value: i128) -> ScVal {
    let [hi, lo] = [value >> 64, value & i128::from(u64::MAX)];
    ScVal::I128(Int128Parts {
        hi: i64::try_from(hi).expect("the upper half"),
        lo: u64::try_from(lo).expect("the lower half"),
    })
}

pub(crate) fn symbol(text: &str) -> ScVal {
    ScVal::Symbol(ScSymbol(text.try_into().expect("a symbol")))
}

pub(crate) fn string(text: &str) -> ScVal {
    ScVal::String(localnet::xdr::ScString(text.try_into().expect("a string")))
}
