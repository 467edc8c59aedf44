//! What is written down elsewhere is what the code says.

use std::path::PathBuf;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn the_openapi_document_is_the_golden_one() {
    let path = root().join("testdata/golden/openapi.json");
    let now = payout_gateway::openapi_json();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &now).expect("the golden file");
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        golden == now,
        "the API changed; look at it, then UPDATE_GOLDEN=1 cargo nextest run -p payout-gateway golden"
    );
}

#[test]
fn the_document_has_the_tables_of_the_code() {
    let path = root().join("docs/gateway.md");
    let mut text = std::fs::read_to_string(&path).expect("docs/gateway.md");
    for (name, table) in [
        ("states", payout_gateway::state_table()),
        ("transitions", payout_gateway::transition_table()),
        ("problems", payout_gateway::problem_table()),
    ] {
        let (begin, end) = (format!("<!-- generated: {name} -->\n\n"), "\n<!-- end -->");
        let from = text
            .find(&begin)
            .unwrap_or_else(|| panic!("no place for {name}"))
            + begin.len();
        let to = from + text[from..].find(end).expect("an end");
        if std::env::var_os("WRITE_DOCS").is_some() {
            text.replace_range(from..to, &table);
        } else {
            assert_eq!(&text[from..to], table, "WRITE_DOCS=1 writes {name} anew");
        }
    }
    if std::env::var_os("WRITE_DOCS").is_some() {
        std::fs::write(&path, text).expect("docs/gateway.md");
    }
}
