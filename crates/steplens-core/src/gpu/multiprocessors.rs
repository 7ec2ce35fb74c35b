//! Multiprocessors of a GPU as devices: a kernel that was instrumented by hand writes what its warps do, with a row for each SM (`SM 12`) or each
//! block (`Core0 CTA0`, Triton's Proton). No host is in such a recording, and no launch: nothing says why a multiprocessor does nothing.

use super::accelerators::has_any;
use crate::Trace;

/// What stands before the number of a multiprocessor, or of a block on one, in the name of its row.
const WORDS: [&str; 3] = ["SM", "sm", "CTA"];

/// How many devices with ops there are, if all of them are multiprocessors by their names, and there are several.
pub fn multiprocessors(trace: &Trace) -> Option<usize> {
    if has_any(trace) || !trace.calls().is_empty() {
        return None;
    }
    let devices = trace.devices().ids().map(|id| trace.devices().get(id)).filter(|own| own.op_count > 0);
    let mut count = 0;
    for device in devices {
        if !is_one(trace.text(device.name)) {
            return None;
        }
        count += 1;
    }
    (count > 1).then_some(count)
}

/// Whether the name has one of the words, and a number right behind it: `SM 12`, `SM_12`, `gemm Core0 CTA3`.
fn is_one(name: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric();
    let is_number = |text: &str| text.starts_with(|first: char| first.is_ascii_digit());
    WORDS.iter().any(|word| {
        name.match_indices(word).any(|(at, _)| {
            let rest = &name[at + word.len()..];
            !name[..at].ends_with(is_letter)
                && is_number(rest.strip_prefix([' ', '_', '#', ':']).unwrap_or(rest))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::is_one;

    #[test]
    fn multiprocessors_are_known_by_their_names() {
        for name in ["SM 12", "SM_0", "SM3", "sm 3 (pid 4)", "matmul_kernel Core78 CTA0", "GPU 0 SM#7"] {
            assert!(is_one(name), "{name}");
        }
        for name in ["python", "SMALL 3", "prism 3", "SM", "SM x", "wasm3", "/host:CPU", ""] {
            assert!(!is_one(name), "{name}");
        }
    }
}
