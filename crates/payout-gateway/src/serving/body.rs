//! The body of a payout: read strictly, and fingerprinted by what it means.

use axum::body::Bytes;
use axum::http::{HeaderMap, header};
use payout_engine::{Amount, Line, Payout, rows};
use payout_keys::Recipient;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::object::Object;
use crate::problem::{Problem, ProblemKind};

/// What is asked for.
#[derive(Debug, Clone, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Payout)]
pub(crate) struct PayoutBody {
    /// Who is paid: accounts (G…) or contracts (C…), each once.
    #[schema(min_items = 1, max_items = 60)]
    pub(crate) recipients: Vec<String>,
    /// How much each gets, in the same order: whole numbers in the token's smallest unit, or exact
    /// decimals with `"unit": "token"`. Always strings.
    #[schema(min_items = 1, max_items = 60)]
    pub(crate) amounts: Vec<String>,
    /// What `amounts` count; `smallest` if it is not said.
    #[serde(default)]
    #[schema(required = false)]
    pub(crate) unit: Unit,
}

/// What amounts count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase", try_from = "String")]
pub(crate) enum Unit {
    /// The token's smallest unit.
    #[default]
    Smallest,
    /// Whole tokens, with at most the token's decimals behind the point.
    Token,
}

impl TryFrom<String> for Unit {
    type Error = &'static str;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        match name.as_str() {
            "smallest" => Ok(Self::Smallest),
            "token" => Ok(Self::Token),
            _ => Err("unit is `smallest` or `token`"),
        }
    }
}

/// Reads a body as exactly the JSON that `T` describes. A member twice is refused as well: parsers
/// disagree on which of them counts.
pub(crate) fn json_body<T: DeserializeOwned>(
    headers: &HeaderMap,
    body: &Bytes,
) -> Result<T, Problem> {
    let plain = headers
        .get_all(header::CONTENT_ENCODING)
        .iter()
        .all(|coding| coding.as_bytes().eq_ignore_ascii_case(b"identity"));
    let json = headers
        .get(header::CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok())
        .and_then(|kind| kind.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
    if !plain || !json {
        return Err(ProblemKind::MediaType.with("Send plain application/json."));
    }
    let read = serde_json::from_slice(body);
    read.map(|Object(body)| body)
        .map_err(|error| ProblemKind::BodyInvalid.with(error.to_string()))
}

impl PayoutBody {
    /// The amounts in the token's smallest unit, in the order given.
    fn units(&self, decimals: u32) -> Result<Vec<Amount>, Problem> {
        self.amounts
            .iter()
            .enumerate()
            .map(|(place, text)| {
                let refused =
                    |why: String| ProblemKind::BodyInvalid.with(format!("amounts[{place}]: {why}"));
                match self.unit {
                    Unit::Smallest => text
                        .parse::<Amount>()
                        .map_err(|error| refused(error.to_string())),
                    Unit::Token => rows::parse_amount(text, decimals)
                        .map_err(|reason| refused(format!("{text:?}: {}", reason.name()))),
                }
            })
            .collect()
    }

    /// Whether the amounts can only be read with the token's decimals.
    pub(crate) fn counts_tokens(&self) -> bool {
        self.unit == Unit::Token
    }

    /// What it means, as canonical JSON: members in order, no blanks, amounts in units.
    pub(crate) fn meaning(&self, decimals: u32) -> Result<String, Problem> {
        let amounts: Vec<String> = self
            .units(decimals)?
            .iter()
            .map(ToString::to_string)
            .collect();
        // Written by hand, so that the order does not depend on how a map is built.
        Ok(format!(
            "{{\"amounts\":{},\"recipients\":{}}}",
            json!(amounts),
            json!(self.recipients)
        ))
    }

    /// The payout, if it can be one.
    pub(crate) fn payout(&self, decimals: u32, max_batch: u32) -> Result<Payout, Problem> {
        let refused = |why: String| ProblemKind::PayoutInvalid.with(why);
        let units = self.units(decimals)?;
        if units.len() != self.recipients.len() {
            return Err(refused(format!(
                "There are {} recipients and {} amounts; give one amount for each recipient.",
                self.recipients.len(),
                units.len()
            )));
        }
        let most = usize::try_from(max_batch).unwrap_or(usize::MAX);
        if units.len() > most {
            return Err(refused(format!(
                "There are {} recipients, and the contract pays {most} at once; split it.",
                units.len()
            )));
        }
        let lines = self
            .recipients
            .iter()
            .zip(units)
            .enumerate()
            .map(|(place, (recipient, amount))| {
                let recipient = Recipient::new(recipient)
                    .map_err(|error| refused(format!("recipients[{place}]: {error}")))?;
                Ok(Line {
                    recipient,
                    amount,
                    reference: None,
                })
            })
            .collect::<Result<Vec<Line>, Problem>>()?;
        Payout::new(lines).map_err(|error| refused(error.to_string()))
    }
}

/// SHA-256 of a meaning, in hexadecimal.
pub(crate) fn fingerprint(meaning: &str) -> String {
    hex::encode(Sha256::digest(meaning))
}

#[cfg(test)]
mod tests {
    use super::*;

    const R1: &str = "GAZJYCGITLBAV5UPJUQ4QIHNFIILZ2763CO55DITR4O2KS77DBYM6MPE";
    const R2: &str = "GADXTBSNVIMB5TFN764TG436NCFFG26Y4P625IL7UD3NRBLTTDQE77PC";

    fn read(body: &str) -> Result<PayoutBody, ProblemKind> {
        let mut headers = HeaderMap::new();
        headers.insert(
            header::CONTENT_TYPE,
            "application/json; charset=utf-8".parse().expect("a type"),
        );
        json_body(&headers, &Bytes::copy_from_slice(body.as_bytes()))
            .map_err(|problem: Problem| problem.kind)
    }

    fn print(body: &str) -> Result<String, ProblemKind> {
        let meaning = read(body)?.meaning(7).map_err(|problem| problem.kind)?;
        Ok(fingerprint(&meaning))
    }

    fn body(recipients: [&str; 2], amounts: [&str; 2]) -> String {
        json!({ "recipients": recipients, "amounts": amounts }).to_string()
    }

    #[test]
    fn the_meaning_counts_not_the_bytes() {
        let first = print(&body([R1, R2], ["50000000", "70000000"])).expect("a body");
        let reordered = format!(
            "{{ \"amounts\" : [\"\\u0035\\u0030000000\",\"70000000\"],\n \"recipients\":[\"{R1}\",\"{R2}\"] }}"
        );
        assert_eq!(print(&reordered), Ok(first.clone()));
        let tokens = json!({
            "unit": "token", "recipients": [R1, R2], "amounts": ["5.00000000", "7"],
        });
        assert_eq!(print(&tokens.to_string()), Ok(first.clone()));
        let swapped = print(&body([R2, R1], ["70000000", "50000000"])).expect("a body");
        assert_ne!(swapped, first);
        let moved = print(&body([R1, R2], ["70000000", "50000000"])).expect("a body");
        assert_ne!(moved, first);
    }

    #[test]
    fn what_parsers_disagree_on_is_refused() {
        let refused = Err(ProblemKind::BodyInvalid);
        let twice =
            format!("{{\"recipients\":[\"{R1}\"],\"amounts\":[\"1\"],\"amounts\":[\"2\"]}}");
        assert_eq!(print(&twice), refused);
        let unknown = format!("{{\"recipients\":[\"{R1}\"],\"amounts\":[\"1\"],\"memo\":\"x\"}}");
        assert_eq!(print(&unknown), refused);
        for amount in [
            "9007199254740993",
            "\"1e3\"",
            "\"050\"",
            "\"0\"",
            "\"-1\"",
            "\"1.0\"",
            "\"\"",
            "null",
        ] {
            let text = format!("{{\"recipients\":[\"{R1}\"],\"amounts\":[{amount}]}}");
            assert_eq!(print(&text), refused, "{amount}");
        }
        assert_eq!(print(&format!("{} x", body([R1, R2], ["1", "2"]))), refused);
    }

    #[test]
    fn what_cannot_be_paid_is_named() {
        let detail = |body: &str| {
            let read = read(body).expect("well-formed");
            read.payout(7, 2).expect_err("refused").detail
        };
        assert!(detail(&body([R1, R1], ["1", "2"])).contains("twice"));
        assert!(detail(&body([R1, "GABC"], ["1", "2"])).contains("recipients[1]"));
        let uneven = json!({ "recipients": [R1, R2], "amounts": ["1"] });
        assert!(detail(&uneven.to_string()).contains("2 recipients and 1 amounts"));
        let large = json!({ "recipients": [R1, R2, R1], "amounts": ["1", "1", "1"] });
        assert!(detail(&large.to_string()).contains("split it"));
        let none = json!({ "recipients": [], "amounts": [] });
        assert!(detail(&none.to_string()).contains("pays nobody"));
    }

    #[test]
    fn large_amounts_stay_exact() {
        let read =
            read(&json!({ "recipients": [R1], "amounts": ["9007199254740993"] }).to_string())
                .expect("a body");
        let payout = read.payout(7, 60).expect("a payout");
        assert_eq!(payout.total().units(), 9_007_199_254_740_993);
    }
}
