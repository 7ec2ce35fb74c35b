//! Names of a GPU's ops in TensorFlow 1.14 to 2.0: the op that ran, the run, and what the GPU did, in one text.
//!
//! `device_tracer.cc` of these releases writes `NAME:TYPE#id=RUN,device=DEVICE,async=BOOL#::KERNEL`, and for a copy
//! `NAME:TYPE#…#::edge_7_NAME::MemcpyDtoH` with the label `8000000 bytes`. The number of the run is in the name, so that no two
//! runs would have a node in common. Later releases write the op as the name, and `KERNEL@@NAME:TYPE#…#` as the label: here these
//! names become such ones, and no byte is lost. For a copy the name is that of releases before, `edge_7_NAME:MemcpyDtoH`.

use std::borrow::Cow;

/// What a name of these releases says.
struct Parts<'a> {
    /// `NAME:TYPE`, or empty for what ran for no op.
    op: &'a str,
    /// What comes after it, with its marks: `#id=RUN,device=DEVICE#`.
    run: &'a str,
    /// What the GPU did: the name of a kernel, `MemcpyDtoH`, or a copy with its tensor: `edge_7_NAME::MemcpyDtoH`.
    did: &'a str,
}

impl<'a> Parts<'a> {
    fn of(name: &'a str) -> Self {
        let Some(start) = name.find("#id=") else { return Self { op: "", run: "", did: name } };
        let (op, rest) = name.split_at(start);
        let end = rest[1..].find('#').map_or(rest.len(), |end| end + 2);
        let (run, did) = rest.split_at(end);
        Self { op, run, did: did.strip_prefix("::").unwrap_or(did) }
    }

    /// The tensor and the direction of a copy.
    fn copy(&self) -> Option<(&'a str, &'a str)> {
        let (tensor, direction) = self.did.rsplit_once("::").unwrap_or(("", self.did));
        is_copy(direction).then_some((tensor, direction))
    }
}

/// Whether `word` is the name of a copy in these releases: `MemcpyDtoH`, with a letter for each kind of memory.
fn is_copy(word: &str) -> bool {
    let kinds = word.strip_prefix("Memcpy").map(str::as_bytes);
    matches!(kinds, Some([from, b't', b'o', to]) if [from, to].iter().all(|kind| b"HDAU?".contains(kind)))
}

/// The name and label by which a GPU's op is known, of those that TensorFlow 1.14 to 2.0 wrote; `None` where they are of another
/// release. `is_context` says that the device has a name of these releases: then names without a run are theirs, too.
pub(crate) fn tidied<'a>(name: &'a str, label: &'a str, is_context: bool) -> Option<(Cow<'a, str>, String)> {
    let parts = Parts::of(name);
    // What was read once is as it was made then, and what comes out of a session.
    let is_as_written = label.is_empty() || label.strip_suffix(" bytes").is_some_and(is_number);
    if parts.run.is_empty() && !(is_context && is_as_written) {
        return None;
    }
    let tail = if label.is_empty() || label.starts_with("= ") { "" } else { label };
    if let Some((tensor, direction)) = parts.copy() {
        let of = if tensor.is_empty() { parts.op } else { tensor };
        let said = if parts.run.is_empty() { String::new() } else { format!(" ({}{})", parts.op, parts.run) };
        let space = if tail.is_empty() { "" } else { " " };
        return Some(match of {
            "" => (direction.into(), format!("= {direction}(){space}{tail}")),
            _ => (format!("{of}:{direction}").into(), format!("{direction}{space}{tail}{said}")),
        });
    }
    if parts.op.is_empty() {
        // A kernel for no op: its label says that its name is no `NAME:TYPE`.
        let short = parts.did.split('(').next().unwrap_or_default().trim();
        let word = short.strip_prefix("void ").unwrap_or(short);
        return Some((name.into(), format!("= {}()", if word.is_empty() { "unknown" } else { word })));
    }
    Some((parts.op.into(), format!("{}@@{}{}", parts.did, parts.op, closed(parts.run))))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `run` with the mark at its end, which `timeline.py` cuts off together with all that comes after the second colon.
fn closed(run: &str) -> Cow<'_, str> {
    if run.len() > 1 && run.ends_with('#') { run.into() } else { [run, "#"].concat().into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::label::{op_of_kernel, op_type};

    fn read(name: &str, label: &str) -> (String, String) {
        let (name, label) = tidied(name, label, true).unwrap();
        (name.into_owned(), label)
    }

    #[test]
    fn runs_are_no_part_of_a_name() {
        let kernel =
            "a/MatMul:MatMul#id=3,device=/job:w/replica:0/task:0/device:GPU:0,async=false#::sgemm_128x128";
        let (name, label) = read(kernel, "");
        assert_eq!(name, "a/MatMul:MatMul");
        assert_eq!(
            label,
            "sgemm_128x128@@a/MatMul:MatMul#id=3,device=/job:w/replica:0/task:0/device:GPU:0,async=false#"
        );
        assert_eq!((op_type(&name, &label), op_of_kernel(&name, &label)), ("MatMul", "a/MatMul"));
        // As `timeline.py` writes it: cut at the second colon.
        let (name, label) = read("a/MatMul:MatMul#id=3,device=/job", "");
        assert_eq!(
            (name.as_str(), label.as_str()),
            ("a/MatMul:MatMul", "@@a/MatMul:MatMul#id=3,device=/job#")
        );
        assert_eq!((op_type(&name, &label), op_of_kernel(&name, &label)), ("MatMul", "a/MatMul"));
        // 1.14 has no device, and kernels of lambdas have a mark of their own.
        let (name, label) = read("a:Relu#id=17#::void f<{lambda(int)#1}>(int)", "");
        assert_eq!((name.as_str(), op_type(&name, &label)), ("a:Relu", "Relu"));
        assert_eq!(op_of_kernel(&name, &label), "a");
    }

    #[test]
    fn copies_have_a_tensor_and_a_size() {
        let (name, label) = read("b/_0:_Send#id=3,device=/a#::edge_7_b/Conv2D::MemcpyDtoH", "8000000 bytes");
        assert_eq!(
            (name.as_str(), label.as_str()),
            ("edge_7_b/Conv2D:MemcpyDtoH", "MemcpyDtoH 8000000 bytes (b/_0:_Send#id=3,device=/a#)")
        );
        assert_eq!(op_type(&name, &label), "MemcpyDtoH");
        let (name, label) = read("concat:ConcatV2#id=3#::MemcpyDtoD", "12 bytes");
        assert_eq!((name.as_str(), op_of_kernel(&name, &label)), ("concat:ConcatV2:MemcpyDtoD", "concat"));
        let (name, label) = read("MemcpyHtoD", "8 bytes");
        assert_eq!((name.as_str(), op_type(&name, &label)), ("MemcpyHtoD", "MemcpyHtoD"));
        assert_eq!([is_copy("MemcpyDtoX"), is_copy("Memcpy"), is_copy("MemcpyUtoD")], [false, false, true]);
    }

    #[test]
    fn what_is_tidy_stays() {
        for (name, label) in [
            ("a/MatMul:MatMul#id=3#::sgemm", ""),
            ("b/_0:_Send#id=3#::edge_7_b::MemcpyDtoH", "8 bytes"),
            ("MemcpyHtoD", "8 bytes"),
            ("MemcpyHtoD", ""),
            ("void f<float>(int)", ""),
        ] {
            let (name, label) = read(name, label);
            assert_eq!(tidied(&name, &label, true), None, "{name} {label}");
        }
    }

    #[test]
    fn other_names_stay() {
        assert_eq!(tidied("a/MatMul:MatMul", "gemm@@a/MatMul:MatMul#id=3#", false), None);
        let (name, label) = read("void tensorflow::functor::Fill<float>(int)", "");
        assert_eq!(name, "void tensorflow::functor::Fill<float>(int)");
        assert_eq!(op_type(&name, &label), "tensorflow::functor::Fill<float>");
    }
}
