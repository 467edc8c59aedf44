//! Builds a variant of the contract from its production sources: copies them and replaces a few
//! texts, each of which must stand there exactly once. So a variant never drifts from what it is a
//! variant of, and the production sources stay free of test switches.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// One replacement: file below `src`, what stands there, what takes its place.
pub(crate) type Edit = (&'static str, &'static str, &'static str);

/// Writes the edited sources to `OUT_DIR`; `src/lib.rs` includes the root module from there.
pub(crate) fn derive(edits: &[Edit]) {
    let source = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap()).join("../../src");
    let out = PathBuf::from(env::var("OUT_DIR").unwrap());
    println!("cargo::rerun-if-changed={}", source.display());
    copy(&source, &out, Path::new(""), edits);
}

fn copy(source: &Path, out: &Path, below: &Path, edits: &[Edit]) {
    fs::create_dir_all(out.join(below)).unwrap();
    for entry in fs::read_dir(source.join(below)).unwrap() {
        let entry = entry.unwrap();
        let path = below.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            // Tests and their model belong to the original.
            if !["tests", "testutils"]
                .iter()
                .any(|skip| path == Path::new(skip))
            {
                copy(source, out, &path, edits);
            }
            continue;
        }
        let mut text = fs::read_to_string(entry.path()).unwrap();
        for (_, old, new) in edits.iter().filter(|(file, ..)| path == Path::new(file)) {
            assert_eq!(
                text.matches(old).count(),
                1,
                "{}: {old:?} is not there exactly once; adapt this variant",
                path.display()
            );
            text = text.replacen(old, new, 1);
        }
        if path == Path::new("lib.rs") {
            text = root(&text);
        }
        // An unchanged file keeps its time, so that nothing is compiled again.
        let target = out.join(&path);
        if fs::read_to_string(&target).ok().as_deref() != Some(&text) {
            fs::write(target, text).unwrap();
        }
    }
}

/// The root module as it can be included: inner attributes and documentation cannot, the variant has
/// its own; and modules for tests stay with the original.
fn root(text: &str) -> String {
    let mut lines = Vec::new();
    let mut tests = false;
    for line in text.lines() {
        let inner = line.starts_with("#![") || line.starts_with("//!");
        let skip = inner || tests;
        tests = line.starts_with("#[cfg(test)]") || line.starts_with("#[cfg(any(test,");
        if !skip && !tests {
            lines.push(line);
        }
    }
    lines.join("\n")
}
