//! A funded program, three payees, and people who sign.

use std::path::PathBuf;

use payout_engine::transaction::Act;
use payout_keys::Recipient;
use serde_json::{Value, json};
use stellar_xdr::{Operation, OperationBody, SetOptionsOp, Signer, SignerKey, Uint256};

use crate::world::{Ran, World, address, key, read};

pub(super) struct Scene {
    pub(super) world: World,
}

/// What an option of an account that is not set looks like.
fn nothing() -> SetOptionsOp {
    SetOptionsOp {
        inflation_dest: None,
        clear_flags: None,
        set_flags: None,
        master_weight: None,
        low_threshold: None,
        med_threshold: None,
        high_threshold: None,
        home_domain: None,
        signer: None,
    }
}

fn operation(options: SetOptionsOp) -> Operation {
    Operation {
        source_account: None,
        body: OperationBody::SetOptions(options),
    }
}

impl Scene {
    /// 500 USDC in the escrow, and a file of three rows: 60 USDC.
    pub(super) fn new() -> Self {
        let world = World::with_escrow();
        world.json("sponsor", &["lock", "500"]);
        world.json("admin", &["publish"]);
        for payee in ["ann", "ben", "cay"] {
            world.fund(payee);
            world.trust(payee);
        }
        let scene = Self { world };
        scene.file("pay.csv", &[("ann", 10), ("ben", 20), ("cay", 30)]);
        scene
    }

    pub(super) fn file(&self, name: &str, rows: &[(&str, u32)]) {
        let row = |(who, amount): &(&str, u32)| format!("{},{who},{amount}\n", address(who));
        let rows: String = rows.iter().map(row).collect();
        let text = format!("walletAddress,id,amount\n{rows}");
        std::fs::write(self.path(name), text).unwrap();
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.world.folder.path().join(name)
    }

    /// `who` and two others sign, and two of the three are needed.
    pub(super) fn two_of_three(&self, who: &str, others: [&str; 2]) {
        let signer = |other: &str| {
            let Recipient::Account(bytes) = key(other).address() else {
                unreachable!("a key is an account's")
            };
            operation(SetOptionsOp {
                signer: Some(Signer {
                    key: SignerKey::Ed25519(Uint256(bytes)),
                    weight: 1,
                }),
                ..nothing()
            })
        };
        let thresholds = operation(SetOptionsOp {
            low_threshold: Some(2),
            med_threshold: Some(2),
            high_threshold: Some(2),
            ..nothing()
        });
        for other in others {
            self.world.identity(other);
        }
        let [one, two] = others;
        let operations = vec![signer(one), signer(two), thresholds];
        self.world.apply(who, Act::Classic(operations));
    }

    /// `pay` with these arguments, as it is typed.
    pub(super) fn pay(&self, arguments: &[&str]) -> Ran {
        let mut all = vec!["pay", "--poll", "20"];
        all.extend(arguments);
        let mut command = self.world.command(&all);
        command.env("STELLAR_CONTRACT_ID", "escrow");
        read(&command.output().unwrap())
    }

    /// The same, and it must succeed.
    pub(super) fn done(&self, arguments: &[&str]) -> String {
        let ran = self.pay(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.talk);
        ran.talk
    }

    /// The same, and it must fail with this code; what it said.
    pub(super) fn refused(&self, code: i32, arguments: &[&str]) -> String {
        let ran = self.pay(arguments);
        assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.talk);
        ran.talk
    }

    pub(super) fn build(&self, to: &str, more: &[&str]) {
        let mut all = vec!["pay.csv", "--run", "june", "--build-only"];
        all.extend(["--source", "payout", "--output-file", to]);
        all.extend(more);
        self.done(&all);
    }

    pub(super) fn sign(&self, offer: &str, who: &str) -> String {
        self.done(&["--sign", offer, "--source", who, "--yes"])
    }

    pub(super) fn submit(&self, offer: &str) -> String {
        self.done(&["--submit", offer, "--yes"])
    }

    pub(super) fn offer(&self, name: &str) -> Value {
        serde_json::from_str(&std::fs::read_to_string(self.path(name)).unwrap()).unwrap()
    }

    /// What is left in the escrow.
    pub(super) fn left(&self, amount: &str) {
        assert_eq!(self.world.fact("remaining_balance"), json!(amount));
        assert_eq!(self.world.fact("token_balance"), json!(amount));
    }
}
