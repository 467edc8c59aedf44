//! Case 04: the escrow itself is frozen and clawed back.

use localnet::xdr::{
    ContractExecutable, ContractIdPreimage, ContractIdPreimageFromAddress, CreateContractArgsV2,
    Hash, HostFunction, OperationBody, ScAddress, ScVal, SetOptionsOp, SetTrustLineFlagsOp,
    Uint256,
};
use payout_audit::run::Request;
use payout_audit::{Outcome, Verdict};
use sha2::{Digest, Sha256};

use super::{BARE, audited};
use crate::case::caught;
use crate::common::build::{asset, options, payment, run, trust};
use crate::common::escrow::wasm;
use crate::common::{Account, Net, token};

#[test]
fn a_shortfall_is_named_and_every_other_proof_stands() {
    let net = Net::at_once();
    let (admin, issuer) = (net.account("admin"), net.account("issuer"));
    let flags = SetOptionsOp {
        set_flags: Some(0x1 | 0x2 | 0x8),
        ..options()
    };
    run(&net.client, &issuer, vec![OperationBody::SetOptions(flags)]).succeeded();
    let asset = asset("USDC", &issuer);
    token::deploy(&net.client, &issuer, &asset);
    let token = net.localnet.network().asset_contract(&asset);
    let holder = net.account("holder");
    for account in [&admin, &holder] {
        run(&net.client, account, vec![trust(&asset, i64::MAX)]).succeeded();
        let allowed = SetTrustLineFlagsOp {
            trustor: account.id(),
            asset: asset.clone(),
            clear_flags: 0,
            set_flags: 1,
        };
        run(
            &net.client,
            &issuer,
            vec![OperationBody::SetTrustLineFlags(allowed)],
        )
        .succeeded();
    }
    run(&net.client, &issuer, vec![payment(&admin, &asset, 1_000)]).succeeded();
    let contract = deployed(&net, &admin, &token);
    let us = ScVal::Address(ScAddress::Contract(contract.clone()));
    let issue = |function: &str, args| {
        token::run(&net.client, &issuer, token::call(&token, function, args)).succeeded();
    };
    let call = |function: &str, args| {
        token::run(&net.client, &admin, token::call(&contract, function, args)).succeeded();
    };
    issue("set_authorized", vec![us.clone(), ScVal::Bool(true)]);
    call(
        "lock_program_funds",
        vec![token::address(&admin), token::amount(100)],
    );
    call("publish_program", vec![]);
    let pay = |key: &str, amount| {
        call(
            "single_payout_idempotent",
            vec![
                token::string(key),
                token::address(&holder),
                token::amount(amount),
            ],
        );
    };
    pay("k1", 10);
    issue("set_authorized", vec![us.clone(), ScVal::Bool(false)]);
    issue("set_authorized", vec![us.clone(), ScVal::Bool(true)]);
    issue("clawback", vec![us, token::amount(50)]);
    pay("k3", 40);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("archive");
    let request = Request {
        archive: Some(&path),
        ..BARE
    };
    let report = audited(&net, &contract, request);
    assert_eq!(caught(&report), ["BALANCE"], "{}", report.table());
    assert_eq!((report.verdict, report.code()), (Verdict::Refuted, 27));
    assert_eq!(report.outcome("PAID-ONCE"), Some(Outcome::Proven));
    let finding = &report.findings[0];
    assert!(
        finding
            .text
            .starts_with("shortfall 50: 50 remain in the books, 0 are there"),
        "{}",
        finding.text
    );
    assert!(
        finding.text.contains("clawback of 50 in ledger "),
        "{}",
        finding.text
    );
    assert!(finding.evidence.event.is_some());
    call("close_program", vec![]);
    call("withdraw_remaining", vec![token::address(&admin)]);
    let after = audited(&net, &contract, request);
    assert_eq!(caught(&after), ["BALANCE"], "{}", after.table());
}

/// The escrow of a token, nothing locked yet.
fn deployed(
    net: &Net,
    admin: &Account,
    token: &localnet::xdr::ContractId,
) -> localnet::xdr::ContractId {
    let wasm = wasm();
    let code = Hash(Sha256::digest(&wasm).into());
    let upload = HostFunction::UploadContractWasm(wasm.try_into().expect("a Wasm"));
    token::run(&net.client, admin, token::invoke(upload)).succeeded();
    let preimage = ContractIdPreimage::Address(ContractIdPreimageFromAddress {
        address: ScAddress::Account(admin.id()),
        salt: Uint256([1; 32]),
    });
    let creation = HostFunction::CreateContractV2(CreateContractArgsV2 {
        contract_id_preimage: preimage.clone(),
        executable: ContractExecutable::Wasm(code),
        constructor_args: vec![
            token::address(admin),
            token::string("hackathon-2026"),
            token::address(admin),
            ScVal::Address(ScAddress::Contract(token.clone())),
        ]
        .try_into()
        .expect("four arguments"),
    });
    token::run(&net.client, admin, token::invoke(creation)).succeeded();
    token::contract_id(&net.client, preimage)
}
