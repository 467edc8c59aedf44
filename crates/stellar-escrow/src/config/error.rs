//! Why a setting cannot be used. Secrets are never repeated.

use std::path::PathBuf;

use payout_engine::envelope::EnvelopeError;
use payout_engine::rpc::RpcError;

/// A setting that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("there is no home folder; name stellar-cli's configuration with --config-dir")]
    NoHome,
    #[error("cannot read {}: {why}", told(&path.to_string_lossy()))]
    File { path: PathBuf, why: String },
    #[error("{} is no name of stellar-cli's; names have letters, digits, - and _", told(.0))]
    Name(String),
    #[error(
        "stellar-cli knows no network {name:?} (looked in {}); add it with `stellar network add`, \
         or give --rpc-url and --network-passphrase",
        folder.display()
    )]
    NoNetwork { name: String, folder: PathBuf },
    #[error(
        "a node is given ({from}) and no network passphrase; name the network with --network or \
         STELLAR_NETWORK, or give --network-passphrase or STELLAR_NETWORK_PASSPHRASE"
    )]
    NoPassphrase { from: &'static str },
    #[error(
        "network passphrase {passphrase:?} is given and no node; give --rpc-url or set \
         STELLAR_RPC_URL"
    )]
    NoNode { passphrase: String },
    #[error(
        "network {name:?} has no node of its own; give the address of one that you trust with \
         --rpc-url"
    )]
    BringNode { name: String },
    #[error(
        "--network {name} is {named:?}, and --network-passphrase says {given:?}; leave one of them \
         out"
    )]
    TwoNetworks {
        name: String,
        named: String,
        given: String,
    },
    #[error("a header of the node is not NAME:VALUE; its text is not repeated")]
    Header,
    #[error(transparent)]
    Node(#[from] RpcError),
    #[error(
        "no contract is given; give --id with its address (C…) or alias, or set STELLAR_CONTRACT_ID"
    )]
    NoContract,
    #[error(
        "{} is no contract's address (C…), and stellar-cli has no such alias on network \
         {passphrase:?}; `stellar contract alias ls` shows what it has",
        told(name)
    )]
    NoAlias { name: String, passphrase: String },
    #[error(
        "alias {name:?} stands for {value:?}, which is no contract; correct it with `stellar contract alias add`"
    )]
    BadAlias { name: String, value: String },
    #[error(
        "no source account is given; give --source with an identity of stellar-cli's, or set \
         STELLAR_ACCOUNT"
    )]
    NoSource,
    #[error(
        "stellar-cli has no identity {} (looked in {}); `stellar keys ls` shows what it has",
        told(name), folder.display()
    )]
    NoIdentity { name: String, folder: PathBuf },
    #[error(
        "{} is neither an address (G… or C…), nor an identity or a contract's alias of stellar-cli's",
        told(.0)
    )]
    NoParty(String),
    #[error(
        "{0} is an address, and its secret key is needed; name an identity, env:NAME, file:PATH or -"
    )]
    AddressOnly(String),
    #[error("identity {name:?} {what}; this command signs with secret keys and seed phrases alone")]
    NotHere { name: String, what: &'static str },
    #[error("environment variable {}, which is to have a secret, is not set", told(.0))]
    NoVariable(String),
    #[error("cannot read the secret key from stdin: {0}")]
    Stdin(std::io::Error),
    #[error(
        "{} is neither a secret key (S…) nor a seed phrase; its text is not repeated",
        told(from)
    )]
    NoSecret { from: String },
    #[error(transparent)]
    Key(#[from] EnvelopeError),
}

/// A text in quotation marks, unless it may be a secret in the wrong place: a key that is cut short, has
/// a stray character or is in lower case, or words of a seed phrase.
fn told(text: &str) -> String {
    let long = text
        .split(|character: char| !character.is_ascii_alphanumeric())
        .any(|run| run.len() >= 40 && !run.starts_with(['G', 'C', 'M']));
    let words = text.split_whitespace().count() > 4;
    if long || words {
        "a text that may be a secret, and is not repeated,".to_owned()
    } else {
        format!("{text:?}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_a_secret_is_not_repeated() {
        let secret = "SAV76USXIJOBMEQXPANUOQM6F5LIOTLPDIDVRJBFFE2MDJXG24TAPUU7";
        let phrase = "illness spike retreat truth genius clock brain pass fit cave bargain toes";
        for text in [
            secret.to_owned(),
            format!("{secret}\r"),
            format!("\"{secret}\""),
            format!("{secret}x"),
            secret[..55].to_owned(),
            secret.to_ascii_lowercase(),
            phrase.to_owned(),
        ] {
            for error in [
                Error::Name(text.clone()),
                Error::NoVariable(text.clone()),
                Error::NoParty(text.clone()),
                Error::NoIdentity {
                    name: text.clone(),
                    folder: PathBuf::from("there"),
                },
                Error::File {
                    path: PathBuf::from(&text),
                    why: "gone".to_owned(),
                },
                Error::NoSecret {
                    from: format!("file {text}"),
                },
            ] {
                let said = error.to_string();
                assert!(!said.contains(&text[..20]), "{said}");
            }
        }
        assert!(
            Error::Name("my payout".to_owned())
                .to_string()
                .contains("my payout")
        );
    }
}
