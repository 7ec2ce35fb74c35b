//! Short names of kernels: C++ signatures of hundreds of letters, of which few tell one kernel from another.
//!
//! `www/src/base/kernel_name.ts` does the same; both are tested by `tests/golden/kernel_names.json`.

use std::borrow::Cow;

/// How deep template arguments are shown, and how many of a template.
const MOST_DEPTH: usize = 3;
const MOST_ARGUMENTS: usize = 2;
/// Signatures that are nested deeper than this are shown as they are.
const MOST_NESTING: usize = 64;
/// Templates that hold only how elements lie or are loaded.
const LAYOUTS: [&str; 10] = [
    "Array",
    "GpuDevice",
    "LoadWithCast",
    "LoadWithoutCast",
    "OffsetCalculator",
    "StoreWithCast",
    "StoreWithoutCast",
    "TensorMap",
    "TrivialOffsetCalculator",
    "array",
];
/// Templates that only wrap another one.
const WRAPPERS: [&str; 2] = ["TensorAssignOp", "TensorEvaluator"];

/// A kernel's name without return type, namespaces, numbers and arguments: `vectorized_elementwise_kernel<CUDAFunctor_add<float>>`
/// for `void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, ...>(int, ...)`. Other names stay.
pub fn kernel_label(name: &str) -> Cow<'_, str> {
    let plain = name.replace("(anonymous namespace)::", "").replace("<unnamed>::", "").replace("->", "");
    let plain = without_condition(&plain).unwrap_or(plain);
    let short = match (is_signature(&plain), closing(&plain)) {
        (true, Some(closing)) if closing.is_empty() => folded(&plain, MOST_DEPTH),
        (true, Some(_)) => folded_cut(&plain),
        _ => None,
    };
    short.map_or(Cow::Borrowed(name), Cow::Owned)
}

/// `name` with `void` for a return type that is a condition, whose `>` are no brackets.
fn without_condition(name: &str) -> Option<String> {
    let (_, rest) = name.strip_prefix("std::enable_if<")?.split_once(">::type ")?;
    Some(["void ", rest].concat())
}

/// The short form of a name that was cut, up to the last word that is whole.
fn folded_cut(name: &str) -> Option<String> {
    let whole = &name[..name.rfind([',', '<', '('])?];
    folded(&[whole, closing(whole)?.as_str()].concat(), MOST_DEPTH).map(|short| short + "…")
}

/// Whether `name` is a C++ function with its template arguments or parameters: `void a::b<int>(float*)`, `ncclKernel(ncclWork)`.
fn is_signature(name: &str) -> bool {
    let (path, returns) = match name.strip_prefix("void ") {
        Some(path) => (path, true),
        None => (name, false),
    };
    let Some(open) = path.find(['<', '(']) else { return returns && is_path(path) };
    let (start, rest) = (&path[..open], &path[open..]);
    let has_types = || rest.starts_with('<') || rest.contains(['*', '<', '&']) || rest.contains("::");
    is_path(start) && (returns || ends_whole(rest) && (has_types() || start.starts_with("nccl")))
}

/// Whether the brackets of `rest` close at its end: `jit(f)/add` goes on behind them.
fn ends_whole(rest: &str) -> bool {
    rest.ends_with(['>', ')'])
        && closing(rest).is_some_and(|own| own.is_empty())
        && pieces(rest, "/").len() == 1
}

/// Whether `text` is an identifier of C++, with its namespaces.
fn is_path(text: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_$".contains(&byte))
    };
    text.split("::").all(is_part)
}

/// The brackets that `text` lacks at its end: names that were cut lack some. `None` if others do not match, or are nested too deep.
fn closing(text: &str) -> Option<String> {
    let mut open = Vec::new();
    for byte in text.replace("->", "").bytes() {
        match byte {
            b'<' | b'(' | b'{' if open.len() == MOST_NESTING => return None,
            b'<' => open.push('>'),
            b'(' => open.push(')'),
            b'{' => open.push('}'),
            b'>' | b')' | b'}' if open.pop() != Some(char::from(byte)) => return None,
            _ => {}
        }
    }
    Some(open.into_iter().rev().collect())
}

/// The short form of a function or a type; `None` for what tells nothing, such as a number.
fn folded(text: &str, depth: usize) -> Option<String> {
    let text = text.trim();
    let text = text.strip_suffix("const").map_or(text, str::trim_end);
    // The return type, and words such as `unsigned`, which belong to the name.
    let text = text.strip_prefix("void ").unwrap_or(text);
    if text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '(' | '&' | '\''))
        || matches!(text, "" | "true" | "false" | "void")
    {
        return None;
    }
    let part = told_part(text);
    let end = part.find(['<', '(']).unwrap_or(part.len());
    let (name, rest) = (part[..end].trim(), &part[end..]);
    if LAYOUTS.contains(&name) {
        return None;
    }
    let within = rest.strip_prefix('<').map_or("", |rest| split_at_end(rest).0);
    let arguments = || pieces(within, ",").into_iter();
    if WRAPPERS.contains(&name) {
        return arguments().find_map(|own| folded(own, depth));
    }
    let suffix = &text[text.trim_end_matches(['*', '&', ' ']).len()..];
    let mut shown: Vec<String> = Vec::new();
    if depth > 1 {
        shown = arguments().filter_map(|own| folded(own, depth - 1)).take(MOST_ARGUMENTS).collect();
    }
    let suffix = if rest.is_empty() { "" } else { suffix.trim() };
    match shown.is_empty() {
        true => Some(format!("{name}{suffix}")),
        false => Some(format!("{name}<{}>{suffix}", shown.join(", "))),
    }
}

/// The last part of a path that has a name of its own: `copy_kernel_cuda(X&)` of `at::copy_kernel_cuda(X&)::{lambda()#3}::operator()`.
fn told_part(path: &str) -> &str {
    let parts = pieces(path, "::");
    let is_named = |part: &&&str| {
        part.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && !part.starts_with("operator")
            && !matches!(**part, "type" | "value" | "Params")
    };
    parts.iter().rev().find(is_named).or(parts.last()).copied().unwrap_or(path)
}

/// The parts of `text` between separators that are in no brackets.
fn pieces<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    let (mut found, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (place, byte) in text.bytes().enumerate() {
        match byte {
            b'<' | b'(' | b'{' => depth += 1,
            b'>' | b')' | b'}' => depth = depth.saturating_sub(1),
            _ if depth == 0
                && place >= start
                && text.as_bytes()[place..].starts_with(separator.as_bytes()) =>
            {
                found.push(text[start..place].trim());
                start = place + separator.len();
            }
            _ => {}
        }
    }
    found.push(text[start..].trim());
    found
}

/// What is before the bracket that closes, and what is after it.
fn split_at_end(text: &str) -> (&str, &str) {
    let mut depth = 1_usize;
    for (place, byte) in text.bytes().enumerate() {
        match byte {
            b'<' | b'(' | b'{' => depth += 1,
            b'>' | b')' | b'}' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return (&text[..place], &text[place + 1..]);
        }
    }
    (text, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_names_do_no_harm() {
        let deep = format!("void a{}int{}()", "<a".repeat(100_000), ">".repeat(100_000));
        assert_eq!(kernel_label(&deep), deep);
        let wide = format!("void a<{}int>()", "é中<int>, ".repeat(10_000));
        assert!(kernel_label(&wide).len() < 100);
        for odd in
            ["void ", "void <", "void a<", "void a>", "void a<>()", "void a::<int>", "a<)(>", "void é<int>()"]
        {
            assert!(kernel_label(odd).len() <= odd.len(), "{odd}");
        }
    }
}
