//! The program's token.

use payout_keys::{ContractId, Recipient};
use stellar_xdr::{
    AccountId, AlphaNum4, AlphaNum12, AssetCode4, AssetCode12, PublicKey, ScMap, ScVal,
    TrustLineAsset, Uint256,
};

use super::facts::CodeHash;
use crate::ledger::value::{Fields, FromValue, is_symbol};
use crate::ledger::{Life, Malformed};

/// An asset that somebody issues.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CreditAsset {
    /// Its code: up to 12 letters and digits.
    pub code: String,
    /// The issuer's ed25519 key.
    pub issuer: [u8; 32],
}

impl CreditAsset {
    /// The issuer as an address.
    #[must_use]
    pub fn issuer_address(&self) -> Recipient {
        Recipient::Account(self.issuer)
    }

    /// The asset as trustlines name it.
    pub(crate) fn to_xdr(&self) -> TrustLineAsset {
        let issuer = AccountId(PublicKey::PublicKeyTypeEd25519(Uint256(self.issuer)));
        let code = self.code.as_bytes();
        if code.len() <= 4 {
            TrustLineAsset::CreditAlphanum4(AlphaNum4 {
                asset_code: AssetCode4(padded(code)),
                issuer,
            })
        } else {
            TrustLineAsset::CreditAlphanum12(AlphaNum12 {
                asset_code: AssetCode12(padded(code)),
                issuer,
            })
        }
    }
}

/// `code:issuer`, as SEP-11 writes an asset.
impl std::fmt::Display for CreditAsset {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}:{}", self.code, self.issuer_address())
    }
}

fn padded<const N: usize>(code: &[u8]) -> [u8; N] {
    let mut bytes = [0; N];
    for (to, from) in bytes.iter_mut().zip(code) {
        *to = *from;
    }
    bytes
}

/// What an issuer's account says of its asset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IssuerFlags {
    /// Holders have to be authorised first.
    pub auth_required: bool,
    /// Authorisations can be taken back.
    pub auth_revocable: bool,
    /// New balances can be clawed back.
    pub clawback_enabled: bool,
}

impl IssuerFlags {
    pub(crate) fn of(flags: u32) -> Self {
        let set = |flag: stellar_xdr::AccountFlags| {
            u32::try_from(i32::from(flag)).is_ok_and(|flag| flags & flag != 0)
        };
        Self {
            auth_required: set(stellar_xdr::AccountFlags::RequiredFlag),
            auth_revocable: set(stellar_xdr::AccountFlags::RevocableFlag),
            clawback_enabled: set(stellar_xdr::AccountFlags::ClawbackEnabledFlag),
        }
    }
}

/// What kind of token it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenKind {
    /// XLM, through its asset contract.
    Native,
    /// An issued asset, through its asset contract.
    Asset {
        /// Which.
        asset: CreditAsset,
        /// What its issuer's account says; `None` if that account is gone.
        issuer: Option<IssuerFlags>,
    },
    /// A contract of its own, whose rules only its code knows.
    Other {
        /// Its code; `None` where it refers to another contract's.
        code: Option<CodeHash>,
    },
}

/// The token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Its contract.
    pub contract: ContractId,
    /// Its kind.
    pub kind: TokenKind,
    /// Decimal places: what the token itself says.
    pub decimals: u32,
    /// How long its instance lives.
    pub life: Life,
}

impl Token {
    /// Its name for people: `native`, `CODE:ISSUER`, or the contract.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.kind {
            TokenKind::Native => "native".to_owned(),
            TokenKind::Asset { asset, .. } => asset.to_string(),
            TokenKind::Other { .. } => self.contract.to_string(),
        }
    }

    /// An amount of units as people write it, exact.
    #[must_use]
    pub fn shown(&self, units: i128) -> String {
        decimal(units, self.decimals)
    }

    /// The issued asset, if it is one.
    #[must_use]
    pub fn asset(&self) -> Option<&CreditAsset> {
        match &self.kind {
            TokenKind::Asset { asset, .. } => Some(asset),
            TokenKind::Native | TokenKind::Other { .. } => None,
        }
    }
}

/// An amount of units with so many decimal places as people write it, exact.
#[must_use]
pub fn decimal(units: i128, decimals: u32) -> String {
    let places = usize::try_from(decimals).unwrap_or(0);
    let digits = format!("{:0>width$}", units.unsigned_abs(), width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    let sign = if units < 0 { "-" } else { "" };
    match fraction.trim_end_matches('0') {
        "" => format!("{sign}{whole}"),
        fraction => format!("{sign}{whole}.{fraction}"),
    }
}

/// The asset behind an asset contract, from its instance's storage; `None` for XLM.
pub(super) fn asset_of(storage: &ScMap) -> Result<Option<CreditAsset>, Malformed> {
    let wrong = Malformed {
        what: "the asset contract's instance",
        field: "AssetInfo",
    };
    let info = storage
        .iter()
        .find(|entry| is_variant(&entry.key, "AssetInfo").is_some())
        .map(|entry| &entry.val)
        .ok_or(wrong.clone())?;
    if is_variant(info, "Native").is_some() {
        return Ok(None);
    }
    let fields = is_variant(info, "AlphaNum4")
        .or_else(|| is_variant(info, "AlphaNum12"))
        .and_then(|rest| rest.first())
        .ok_or(wrong)?;
    let fields = Fields::of("the asset contract's instance", fields)?;
    let code: String = fields.get("asset_code")?;
    Ok(Some(CreditAsset {
        code: code.trim_end_matches('\0').to_owned(),
        issuer: fields.get("issuer")?,
    }))
}

/// An asset contract's decimals, from its instance's storage.
pub(super) fn decimals_of(storage: &ScMap) -> Result<u32, Malformed> {
    let wrong = Malformed {
        what: "the asset contract's instance",
        field: "METADATA",
    };
    let metadata = storage
        .iter()
        .find(|entry| is_symbol(&entry.key, "METADATA"))
        .ok_or(wrong)?;
    Fields::of("the asset contract's metadata", &metadata.val)?.get("decimal")
}

/// What follows a variant's name, if the value is that variant.
fn is_variant<'a>(value: &'a ScVal, name: &str) -> Option<&'a [ScVal]> {
    match value {
        ScVal::Vec(Some(elements)) => match elements.as_slice() {
            [first, rest @ ..] if is_symbol(first, name) => Some(rest),
            _ => None,
        },
        _ => None,
    }
}

/// An asset contract's balance of a contract.
pub(crate) struct SacBalance {
    pub(crate) amount: i128,
    pub(crate) authorised: bool,
}

impl SacBalance {
    pub(crate) fn parse(value: &ScVal) -> Result<Self, Malformed> {
        let fields = Fields::of("a balance in the asset's contract", value)?;
        Ok(Self {
            amount: fields.get("amount")?,
            authorised: fields.get("authorized")?,
        })
    }
}

/// What a view returns.
pub(super) fn returned<T: FromValue>(what: &'static str, value: &ScVal) -> Result<T, Malformed> {
    T::from_value(value).ok_or(Malformed {
        what,
        field: "(the value)",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_of_four_letters_is_not_one_of_twelve() {
        let asset = |code: &str| CreditAsset {
            code: code.to_owned(),
            issuer: [1; 32],
        };
        assert!(matches!(
            asset("USDC").to_xdr(),
            TrustLineAsset::CreditAlphanum4(four) if four.asset_code.0 == *b"USDC"
        ));
        assert!(matches!(
            asset("EUR").to_xdr(),
            TrustLineAsset::CreditAlphanum4(four) if four.asset_code.0 == *b"EUR\0"
        ));
        assert!(matches!(
            asset("LONGER").to_xdr(),
            TrustLineAsset::CreditAlphanum12(twelve)
                if twelve.asset_code.0 == *b"LONGER\0\0\0\0\0\0"
        ));
    }

    #[test]
    fn amounts_are_shown_exactly() {
        let token = |decimals| Token {
            contract: ContractId([0; 32]),
            kind: TokenKind::Native,
            decimals,
            life: Life::Unlimited,
        };
        for (decimals, units, text) in [
            (7, 50_000_001, "5.0000001"),
            (7, 40_000_000, "4"),
            (7, 1, "0.0000001"),
            (7, 0, "0"),
            (7, -15_000_000, "-1.5"),
            (0, 12, "12"),
            (38, 1, "0.00000000000000000000000000000000000001"),
            (2, i128::MIN, "-1701411834604692317316873037158841057.28"),
        ] {
            assert_eq!(token(decimals).shown(units), text);
        }
    }

    #[test]
    fn an_issuers_flags_are_told_apart() {
        let none = IssuerFlags::of(0);
        assert!(!none.auth_required && !none.auth_revocable && !none.clawback_enabled);
        assert!(IssuerFlags::of(1).auth_required);
        assert!(IssuerFlags::of(2).auth_revocable);
        assert!(IssuerFlags::of(8).clawback_enabled);
    }
}
