//! The header `Idempotency-Key`: raw, or a quoted string as RFC 8941 has them. Both are the same key.

use axum::http::HeaderMap;
use payout_keys::IdempotencyKey;

use crate::problem::{Problem, ProblemKind};

const NAME: &str = "idempotency-key";

/// The one key of a request.
pub(crate) fn idempotency_key(headers: &HeaderMap) -> Result<IdempotencyKey, Problem> {
    let mut values = headers.get_all(NAME).iter();
    let Some(value) = values.next() else {
        return Err(ProblemKind::KeyMissing
            .with("Send the header Idempotency-Key with a key of your own, stored before."));
    };
    if values.next().is_some() {
        return Err(ProblemKind::KeyInvalid.with("There are several Idempotency-Key headers."));
    }
    let invalid = |why: String| ProblemKind::KeyInvalid.with(why);
    let text = value
        .to_str()
        .map_err(|_| invalid("The key has characters that are not printable ASCII.".to_owned()))?;
    let key = match text.strip_prefix('"') {
        Some(rest) => unquoted(rest)
            .ok_or_else(|| invalid("The key begins with a quote and is no string.".to_owned()))?,
        None => text.to_owned(),
    };
    IdempotencyKey::new(&key).map_err(|error| invalid(error.to_string()))
}

/// The text behind an opening quote, up to the closing one at the very end.
fn unquoted(rest: &str) -> Option<String> {
    let mut text = String::new();
    let mut characters = rest.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => return characters.next().is_none().then_some(text),
            '\\' => match characters.next()? {
                escaped @ ('"' | '\\') => text.push(escaped),
                _ => return None,
            },
            other => text.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn read(values: &[&str]) -> Result<String, ProblemKind> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(NAME, HeaderValue::from_str(value).expect("a header"));
        }
        idempotency_key(&headers)
            .map(|key| key.as_str().to_owned())
            .map_err(|problem| problem.kind)
    }

    #[test]
    fn raw_and_quoted_are_the_same_key() {
        assert_eq!(read(&["pay-1"]), Ok("pay-1".to_owned()));
        assert_eq!(read(&["\"pay-1\""]), Ok("pay-1".to_owned()));
        assert_eq!(read(&["\"a\\\"b\\\\c\""]), Ok("a\"b\\c".to_owned()));
        assert_eq!(read(&["a\"b"]), Ok("a\"b".to_owned()));
        assert_eq!(read(&["Pay-1"]), Ok("Pay-1".to_owned()));
    }

    #[test]
    fn anything_else_is_refused() {
        use ProblemKind::{KeyInvalid, KeyMissing};
        assert_eq!(read(&[]), Err(KeyMissing));
        for values in [
            &["a", "a"][..],
            &["a", "b"],
            &[""],
            &["a b"],
            &["\"a"],
            &["\"a\"b"],
            &["\"a\" "],
            &["\"a\\x\""],
            &["\"\""],
        ] {
            assert_eq!(read(values), Err(KeyInvalid), "{values:?}");
        }
        assert_eq!(read(&[&"k".repeat(257)]), Err(KeyInvalid));
    }
}
