//! Short names of kernels: C++ signatures of hundreds of letters, of which few tell one kernel from another.

use crate::text;
use std::borrow::Cow;
use std::collections::BTreeMap;
use steplens_core::Trace;

/// How deep template arguments are shown, and how many of a template.
const MOST_DEPTH: usize = 3;
const MOST_ARGUMENTS: usize = 2;
/// Signatures that are nested deeper than this are shown as they are.
const MOST_NESTING: usize = 64;
/// The most namespaces that are tried.
const MOST_SPACES: usize = 3;
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
    // A trace may have a million names that are no signatures.
    if !name.contains(['<', '(']) && !name.starts_with("void ") {
        return Cow::Borrowed(name);
    }
    let plain = name.replace("(anonymous namespace)::", "").replace("<unnamed>::", "").replace("->", "");
    let plain = without_condition(&plain).unwrap_or(plain);
    let short = match (is_signature(&plain), closing(&plain)) {
        (true, Some(closing)) if closing.is_empty() => folded(&plain, MOST_DEPTH),
        (true, Some(_)) => folded_cut(&plain),
        _ => None,
    };
    short.map_or(Cow::Borrowed(name), Cow::Owned)
}

/// For the page, which shows names in many places: `[name, label]` of all texts of `trace` that have a shorter [`kernel_label`], as JSON.
pub fn kernel_labels_json(trace: &Trace) -> String {
    let labelled = trace.strings().iter().filter_map(|name| match kernel_label(name) {
        Cow::Owned(label) if label != name => Some((name, label)),
        _ => None,
    });
    text(&labelled.collect::<Vec<_>>())
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

/// The short names of the kernels `names`, which stand in one list: different kernels whose short names are equal keep what tells them apart,
/// the last namespace or argument that differs.
pub fn kernel_labels(names: &[&str]) -> Vec<String> {
    let mut labels: Vec<String> = names.iter().map(|name| kernel_label(name).into_owned()).collect();
    let mut of_label: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (label, &name) in labels.iter().zip(names) {
        let own = of_label.entry(label).or_default();
        if !own.contains(&name) {
            own.push(name);
        }
    }
    let several = of_label.into_values().filter(|own| own.len() > 1);
    let apart: BTreeMap<&str, String> = several
        .filter_map(|own| Some(own.iter().copied().zip(told_apart(&own)?).collect::<Vec<_>>()))
        .flatten()
        .collect();
    for (label, name) in labels.iter_mut().zip(names) {
        if let Some(own) = apart.get(name) {
            label.clone_from(own);
        }
    }
    labels
}

/// Names for these kernels that all differ, if there are short ones.
fn told_apart(names: &[&str]) -> Option<Vec<String>> {
    let spaces = (1..=MOST_SPACES).flat_map(|count| [(0, count), (count, 0), (count, count)]);
    let by_spaces =
        spaces.filter_map(|count| names.iter().map(|name| with_namespaces(name, count)).collect());
    let own: Vec<Vec<String>> = names.iter().map(|name| arguments_of(name)).collect();
    let most = own.iter().map(Vec::len).max().unwrap_or(0);
    let differs = |&place: &usize| own.iter().any(|all| all.get(place) != own[0].get(place));
    let differing: Vec<usize> = (0..most).filter(differs).collect();
    let places = differing.last().map(|&last| vec![last]).into_iter().chain([differing.clone()]);
    let by_arguments =
        places.filter_map(|places| names.iter().map(|name| with_arguments(name, &places)).collect());
    by_spaces.chain(by_arguments).find(|found: &Vec<String>| are_different(found))
}

fn are_different(texts: &[String]) -> bool {
    texts.iter().enumerate().all(|(place, text)| !texts[..place].contains(text))
}

/// The short form of a kernel's name with as many namespaces of the kernel, and of its arguments, as `spaces` says; `None` where the name is none
/// of C++.
fn with_namespaces(name: &str, spaces: (usize, usize)) -> Option<String> {
    folded_with(&whole(name)?, MOST_DEPTH, spaces)
}

/// The template arguments of a kernel as they are written.
fn arguments_of(name: &str) -> Vec<String> {
    let Some(whole) = whole(name) else { return Vec::new() };
    pieces(within(told_part(whole.trim())), ",").into_iter().map(str::to_owned).collect()
}

/// The short form of a kernel's name in which the template arguments at these places stand, too, whatever they are.
fn with_arguments(name: &str, places: &[usize]) -> Option<String> {
    let whole = whole(name)?;
    let part = told_part(whole.trim());
    let own = &part[..part.find(['<', '(']).unwrap_or(part.len())];
    let own = own.trim().trim_start_matches("void ");
    let mut kept = 0;
    let mut shown: Vec<String> = Vec::new();
    for (place, argument) in pieces(within(part), ",").into_iter().enumerate() {
        let short = folded(argument, MOST_DEPTH - 1);
        let is_kept = short.is_some() && kept < MOST_ARGUMENTS;
        kept += usize::from(is_kept);
        if is_kept || places.contains(&place) {
            shown.push(short.unwrap_or_else(|| argument.to_owned()));
        }
    }
    Some(format!("{own}<{}>", shown.join(", ")))
}

/// A name of C++ without what tells nothing; `None` for other names, and for those that were cut.
fn whole(name: &str) -> Option<String> {
    let plain = name.replace("(anonymous namespace)::", "").replace("<unnamed>::", "").replace("->", "");
    let plain = without_condition(&plain).unwrap_or(plain);
    let is_whole = is_signature(&plain) && closing(&plain).is_some_and(|closing| closing.is_empty());
    is_whole.then_some(plain)
}

/// What stands between the angle brackets of `part`.
fn within(part: &str) -> &str {
    let rest = part.find(['<', '(']).map_or("", |open| &part[open..]);
    rest.strip_prefix('<').map_or("", |rest| split_at_end(rest).0)
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
    folded_with(text, depth, (0, 0))
}

/// The same, with `spaces` of the namespaces of the function or type, and `spaces_within` of those of its arguments.
fn folded_with(text: &str, depth: usize, (spaces, spaces_within): (usize, usize)) -> Option<String> {
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
    let within_it = |own: &str, depth| folded_with(own, depth, (spaces_within, spaces_within));
    if WRAPPERS.contains(&name) {
        return arguments().find_map(|own| within_it(own, depth));
    }
    let name = [namespaces(text, part, spaces).as_str(), name].concat();
    let suffix = &text[text.trim_end_matches(['*', '&', ' ']).len()..];
    let mut shown: Vec<String> = Vec::new();
    if depth > 1 {
        shown = arguments().filter_map(|own| within_it(own, depth - 1)).take(MOST_ARGUMENTS).collect();
    }
    let suffix = if rest.is_empty() { "" } else { suffix.trim() };
    match shown.is_empty() {
        true => Some(format!("{name}{suffix}")),
        false => Some(format!("{name}<{}>{suffix}", shown.join(", "))),
    }
}

/// The last `count` namespaces before `part` of the path `text`, with their `::`.
fn namespaces(text: &str, part: &str, count: usize) -> String {
    if count == 0 {
        return String::new();
    }
    let parts = pieces(text, "::");
    let place = parts.iter().rposition(|own| *own == part).unwrap_or(0);
    let is_plain =
        |own: &&&str| own.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') && !own.is_empty();
    let known: Vec<&&str> = parts[..place].iter().rev().take(count).take_while(is_plain).collect();
    known.into_iter().rev().map(|own| format!("{own}::")).collect()
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

    #[test]
    fn kernels_of_one_short_name_are_told_apart() {
        let gemm =
            |space: &str| format!("void cutlass::device_kernel<a::{space}::Gemm>(a::{space}::Gemm::Params)");
        let [one, two] = ["fp8", "grouped_fp8"].map(gemm);
        assert_eq!(
            kernel_labels(&[&one, &two, "void a::add<float>()", &one]),
            [
                "device_kernel<fp8::Gemm>",
                "device_kernel<grouped_fp8::Gemm>",
                "add<float>",
                "device_kernel<fp8::Gemm>"
            ]
        );
        // The last argument that differs, and all of them where that does not do.
        assert_eq!(
            kernel_labels(&["void norm<float, 32, true>(int)", "void norm<float, 128, true>(int)"]),
            ["norm<float, 32>", "norm<float, 128>"]
        );
        assert_eq!(
            kernel_labels(&["void n<1, 2>(int)", "void n<3, 2>(int)", "void n<1, 4>(int)"]),
            ["n<1, 2>", "n<3, 2>", "n<1, 4>"]
        );
        assert_eq!(kernel_labels(&["void a::copy<4>(int)", "void b::copy<4>(int)"]), ["a::copy", "b::copy"]);
        // Nothing that is short tells these apart.
        assert_eq!(kernel_labels(&["void f<g>(int)", "void f<g>(long)"]), ["f<g>", "f<g>"]);
        assert_eq!(kernel_labels(&["aten::mm", "aten::mm", ""]), ["aten::mm", "aten::mm", ""]);
    }
}
