//! Keys from a seed phrase, as SEP-5 derives them.

use bip39::{Language, Mnemonic, Seed};
use hmac::{Hmac, Mac};
use payout_engine::envelope::SecretKey;
use sha2::Sha512;
use zeroize::Zeroizing;

/// The account `m/44'/148'/{index}'` of a phrase; `None` if it is none, checksum included.
pub(super) fn derive(phrase: &str, index: u32) -> Option<SecretKey> {
    let words = phrase.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = Zeroizing::new(words);
    let mnemonic = Mnemonic::from_phrase(&words, Language::English).ok()?;
    let seed = Seed::new(&mnemonic, "");
    let mut node = hmac(b"ed25519 seed", &[seed.as_bytes()])?;
    for step in [44, 148, index] {
        let hardened = HARDENED.checked_add(step)?.to_be_bytes();
        let (key, chain) = node.split_at(32);
        node = hmac(chain, &[&[0], key, &hardened])?;
    }
    let key = Zeroizing::new(<[u8; 32]>::try_from(node.get(..32)?).ok()?);
    Some(SecretKey::from_seed(&key))
}

/// Every step is hardened with ed25519 (SLIP-10).
const HARDENED: u32 = 1 << 31;

fn hmac(key: &[u8], parts: &[&[u8]]) -> Option<Zeroizing<Vec<u8>>> {
    let mut mac = Hmac::<Sha512>::new_from_slice(key).ok()?;
    for part in parts {
        mac.update(part);
    }
    Some(Zeroizing::new(mac.finalize().into_bytes().to_vec()))
}

#[cfg(test)]
mod tests {
    use super::derive;

    /// The first test vector of SEP-5.
    const PHRASE: &str = "illness spike retreat truth genius clock brain pass fit cave bargain toe";

    #[test]
    fn accounts_are_those_of_sep_5() {
        for (index, address) in [
            (
                0,
                "GDRXE2BQUC3AZNPVFSCEZ76NJ3WWL25FYFK6RGZGIEKWE4SOOHSUJUJ6",
            ),
            (
                1,
                "GBAW5XGWORWVFE2XTJYDTLDHXTY2Q2MO73HYCGB3XMFMQ562Q2W2GJQX",
            ),
            (
                9,
                "GBTVYYDIYWGUQUTKX6ZMLGSZGMTESJYJKJWAATGZGITA25ZB6T5REF44",
            ),
        ] {
            let key = derive(PHRASE, index).unwrap();
            assert_eq!(key.address().to_string(), address, "{index}");
        }
    }

    #[test]
    fn blanks_do_not_count_and_the_checksum_does() {
        let wide = PHRASE.replace(' ', "  \n");
        assert!(derive(&wide, 0).is_some());
        assert!(derive(&PHRASE.replace("illness", "spike"), 0).is_none());
        assert!(derive("", 0).is_none());
        assert!(derive(PHRASE, u32::MAX).is_none());
    }
}
