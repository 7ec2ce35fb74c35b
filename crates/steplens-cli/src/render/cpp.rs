//! Shortens names of C++ functions, as GPU kernels have them: `void at::native::reduce_kernel<512, 1,
//! at::native::ReduceOp<float>>(at::native::ReduceOp<float>)`.
//!
//! Such names differ in the function name and in the first template argument, not at the end.

use super::ends::head;
use unicode_width::UnicodeWidthStr;

/// With fewer columns a function cannot be recognised.
const LEAST: usize = 8;

/// At most `width` columns of `text`, if it is the name of a C++ function. Parameters are cut first, then namespaces, then the end.
/// Each cut is marked with `…`.
pub(super) fn shortened(text: &str, width: usize) -> Option<String> {
    let name = text.strip_prefix("void ").unwrap_or(text);
    let (parameters, namespaces) = marks(name);
    if width < LEAST || parameters.is_none() && !(name.contains('<') && name.ends_with('>')) {
        return None;
    }
    let (qualified, cut) = match parameters {
        Some(at) => (&name[..at], "(…)"),
        None => (name, ""),
    };
    let own = &qualified[namespaces..];
    let mark = if namespaces > 0 { "…" } else { "" };
    for whole in [format!("{qualified}{cut}"), format!("{mark}{own}{cut}")] {
        if whole.width() <= width {
            return Some(whole);
        }
    }
    let room = width.saturating_sub(mark.width() + 1);
    Some(format!("{mark}{}…", head(own, room)))
}

/// Where the list of parameters begins, and where the name without its namespaces begins.
fn marks(name: &str) -> (Option<usize>, usize) {
    const UNNAMED: &str = "(anonymous namespace)";
    let (mut depth, mut own, mut has_arguments, mut past) = (0_usize, 0, false, 0);
    for (at, char) in name.char_indices() {
        if at < past {
            continue;
        }
        match char {
            '(' if name[at..].starts_with(UNNAMED) => past = at + UNNAMED.len(),
            // Brackets after a space hold a remark, not parameters: `Memcpy HtoD (Pinned -> Device)`.
            '(' if depth == 0 && at > 0 && !name[..at].ends_with(' ') => {
                return (name.ends_with(')').then_some(at), own);
            }
            '<' => {
                depth += 1;
                has_arguments = true;
            }
            '>' => depth = depth.saturating_sub(1),
            ':' if depth == 0 && !has_arguments && name[at..].starts_with("::") => own = at + 2,
            _ => {}
        }
    }
    (None, own)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REDUCE: &str =
        "void at::native::(anonymous namespace)::reduce_kernel<512, 1, at::Op<float>>(at::Op<float>, int)";

    #[test]
    fn functions_lose_what_tells_least_first() {
        let cut = |width| shortened(REDUCE, width).unwrap();
        assert_eq!(cut(90), "at::native::(anonymous namespace)::reduce_kernel<512, 1, at::Op<float>>(…)");
        assert_eq!(cut(60), "…reduce_kernel<512, 1, at::Op<float>>(…)");
        assert_eq!(cut(30), "…reduce_kernel<512, 1, at::Op…");
        assert_eq!((cut(8), shortened(REDUCE, 7)), ("…reduce…".to_owned(), None));
        assert_eq!(
            shortened("ncclDevKernel_AllReduce(ncclDevComm*)", 26).unwrap(),
            "ncclDevKernel_AllReduce(…)"
        );
        assert_eq!(shortened("cutlass::Kernel<gemm_f16>", 24).unwrap(), "…Kernel<gemm_f16>");
    }

    #[test]
    fn other_names_are_none() {
        for name in
            ["inception/b2a/Conv2D", "a::b", "x(cached)?", "(unnamed)", "a<b", "Copy (Pinned -> Device)"]
        {
            assert_eq!(shortened(name, 8), None, "{name}");
        }
    }
}
