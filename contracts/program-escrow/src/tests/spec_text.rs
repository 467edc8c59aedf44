//! A Wasm's spec as text, one line for each thing that somebody may rely on and without the
//! documentation, whose wording may change. An upgrade that takes a line away breaks somebody.

use std::format;
use std::string::{String, ToString};
use std::vec::Vec;

use soroban_sdk::xdr::{
    Limited, Limits, ReadXdr, ScSpecEntry, ScSpecEventParamLocationV0, ScSpecTypeDef as Type,
    ScSpecUdtUnionCaseV0, ScSymbol,
};

/// The spec of a Wasm, sorted by kind and name.
///
/// # Panics
/// When this is no Wasm of a contract with a spec.
pub(crate) fn of_wasm(wasm: &[u8]) -> String {
    let section = custom_section(wasm, "contractspecv0").expect("a spec in the Wasm");
    let mut limited = Limited::new(section, Limits::none());
    let entries: Result<Vec<_>, _> = ScSpecEntry::read_xdr_iter(&mut limited).collect();
    let mut lines: Vec<String> = entries.expect("a spec").iter().flat_map(lines).collect();
    lines.sort();
    lines.join("\n") + "\n"
}

/// Lines of `old` that `new` does not have: what an upgrade would take away.
pub(crate) fn missing<'t>(old: &'t str, new: &str) -> Vec<&'t str> {
    let kept: std::collections::BTreeSet<&str> = new.lines().collect();
    old.lines().filter(|line| !kept.contains(line)).collect()
}

fn lines(entry: &ScSpecEntry) -> Vec<String> {
    match entry {
        ScSpecEntry::FunctionV0(it) => {
            let inputs = fields(it.inputs.iter().map(|it| (&it.name, &it.type_)));
            let output = it.outputs.first().map_or("()".into(), name_of);
            Vec::from([format!("fn {}({inputs}) -> {output}", text(&it.name))])
        }
        ScSpecEntry::UdtStructV0(it) => {
            let fields = fields(it.fields.iter().map(|it| (&it.name, &it.type_)));
            Vec::from([format!("struct {} {{ {fields} }}", it.name)])
        }
        ScSpecEntry::UdtUnionV0(it) => {
            let case = |case: &ScSpecUdtUnionCaseV0| match case {
                ScSpecUdtUnionCaseV0::VoidV0(case) => format!("union {} {}", it.name, case.name),
                ScSpecUdtUnionCaseV0::TupleV0(case) => {
                    let types: Vec<_> = case.type_.iter().map(name_of).collect();
                    format!("union {} {}({})", it.name, case.name, types.join(", "))
                }
            };
            it.cases.iter().map(case).collect()
        }
        ScSpecEntry::UdtEnumV0(it) => it
            .cases
            .iter()
            .map(|case| format!("enum {} {} = {}", it.name, case.name, case.value))
            .collect(),
        ScSpecEntry::UdtErrorEnumV0(it) => it
            .cases
            .iter()
            .map(|case| format!("error {:>5} {}::{}", case.value, it.name, case.name))
            .collect(),
        ScSpecEntry::EventV0(it) => {
            let prefix: Vec<_> = it.prefix_topics.iter().map(text).collect();
            let at = |location| {
                let here = it.params.iter().filter(move |it| it.location == location);
                fields(here.map(|it| (&it.name, &it.type_)))
            };
            let topics = at(ScSpecEventParamLocationV0::TopicList);
            let data = at(ScSpecEventParamLocationV0::Data);
            Vec::from([format!(
                "event {} [{}] topics ({topics}) data {:?} {{ {data} }}",
                text(&it.name),
                prefix.join(", "),
                it.data_format,
            )])
        }
    }
}

fn text(symbol: &ScSymbol) -> String {
    symbol.to_utf8_string_lossy()
}

fn fields<'a, N: ToString + 'a>(of: impl Iterator<Item = (&'a N, &'a Type)>) -> String {
    let each: Vec<_> = of
        .map(|(name, kind)| format!("{}: {}", name.to_string(), name_of(kind)))
        .collect();
    each.join(", ")
}

/// A type, as Rust writes it.
fn name_of(kind: &Type) -> String {
    match kind {
        Type::Option(it) => format!("Option<{}>", name_of(&it.value_type)),
        Type::Vec(it) => format!("Vec<{}>", name_of(&it.element_type)),
        Type::Map(it) => format!(
            "Map<{}, {}>",
            name_of(&it.key_type),
            name_of(&it.value_type)
        ),
        Type::Result(it) => format!(
            "Result<{}, {}>",
            name_of(&it.ok_type),
            name_of(&it.error_type)
        ),
        Type::Tuple(it) => {
            let each: Vec<_> = it.value_types.iter().map(name_of).collect();
            format!("({})", each.join(", "))
        }
        Type::BytesN(it) => format!("BytesN<{}>", it.n),
        Type::Udt(it) => it.name.to_string(),
        Type::Void => "()".into(),
        Type::Bool => "bool".into(),
        Type::U32 | Type::U64 | Type::U128 | Type::I32 | Type::I64 | Type::I128 => {
            format!("{kind:?}").to_lowercase()
        }
        host => format!("{host:?}"),
    }
}

/// The content of a custom section: id 0, size, name's size, name, content.
fn custom_section<'w>(wasm: &'w [u8], wanted: &str) -> Option<&'w [u8]> {
    let mut rest = wasm.strip_prefix(b"\0asm\x01\0\0\0")?;
    while let Some((id, after)) = rest.split_first() {
        let (size, after) = leb128(after)?;
        let (section, next) = after.split_at_checked(size)?;
        if *id == 0 {
            let (length, section) = leb128(section)?;
            let (name, content) = section.split_at_checked(length)?;
            if name == wanted.as_bytes() {
                return Some(content);
            }
        }
        rest = next;
    }
    None
}

fn leb128(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut value = 0;
    for (index, byte) in bytes.iter().enumerate().take(5) {
        value |= usize::from(byte & 0x7F) << (7 * index);
        if byte & 0x80 == 0 {
            return Some((value, &bytes[index + 1..]));
        }
    }
    None
}
