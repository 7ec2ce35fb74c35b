//! Names of kernels that a profiler left as the compiler wrote them: `_Z4gemmIfEvPKT_` is `void gemm<float>(float const*)`.
//!
//! CUPTI gives such names; Kineto and TensorFlow take the mangling away where their library knows how. Rules and short names read what is
//! written in C++.

use cpp_demangle::{DemangleOptions, DemangleWrite, Symbol};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use std::fmt;

/// What mangled names begin with (Itanium C++ ABI, 5.1.2).
const PREFIX: &[u8] = b"_Z";
/// Longer names stay: compilers write no such ones, but substitutions let a short name mean a very long one.
const MOST_BYTES: usize = 16 << 10;
/// No trace has as many kernels; one that has keeps the names of the others.
const MOST_KNOWN: usize = 20_000;

/// The names so far, each with what it means, if that is known.
#[derive(Default)]
pub(crate) struct Mangled {
    known: HashMap<Vec<u8>, Option<String>, FixedState>,
}

impl Mangled {
    /// The name of a kernel as it is written in C++, if it is mangled.
    pub(crate) fn plain(&mut self, name: &[u8]) -> Option<&str> {
        if !name.starts_with(PREFIX) {
            return None;
        }
        if !self.known.contains_key(name) {
            if self.known.len() >= MOST_KNOWN {
                return None;
            }
            self.known.insert(name.to_vec(), plain(name));
        }
        self.known.get(name)?.as_deref()
    }

    /// Heap memory in use, in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        let texts = |(name, plain): (&Vec<u8>, &Option<String>)| {
            name.capacity() + plain.as_ref().map_or(0, String::capacity)
        };
        self.known.capacity() * size_of::<(Vec<u8>, Option<String>)>()
            + self.known.iter().map(texts).sum::<usize>()
    }
}

/// What a mangled name means.
pub(crate) fn plain(name: &[u8]) -> Option<String> {
    if !name.starts_with(PREFIX) || name.len() > MOST_BYTES {
        return None;
    }
    let mut plain = Bounded(String::new());
    Symbol::new(name).ok()?.structured_demangle(&mut plain, &DemangleOptions::default()).ok()?;
    Some(plain.0)
}

/// A text of at most [`MOST_BYTES`].
struct Bounded(String);

impl DemangleWrite for Bounded {
    fn write_string(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > MOST_BYTES {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mangled_names_are_written_as_in_cpp() {
        let mut names = Mangled::default();
        let mut plain = |name: &str| names.plain(name.as_bytes()).map(str::to_owned);
        assert_eq!(plain("_Z4gemmIfEvPKT_").as_deref(), Some("void gemm<float>(float const*)"));
        assert_eq!(
            plain("_ZN3net12_GLOBAL__N_14copyILi4ENS_3AddIfEEEEviT0_").as_deref(),
            Some("void net::(anonymous namespace)::copy<4, net::Add<float> >(int, net::Add<float>)")
        );
        assert_eq!(["void gemm<float>()", "_Z", "_Zzz", "_ZN", ""].map(plain), [const { None }; 5]);
    }

    #[test]
    fn hostile_names_do_no_harm() {
        let mut names = Mangled::default();
        // Each argument is twice as long as the one before.
        let doubling: String = (0..64).map(|number| format!("S{number:X}_S{number:X}_")).collect();
        for name in [
            format!("_Z1a{}", "P".repeat(10_000)),
            format!("_Z1aI{}E", "1bI".repeat(4_000)),
            format!("_Z1fM1a1b{doubling}"),
            format!("_ZN{}", "1a".repeat(5_000)),
        ] {
            assert!(names.plain(name.as_bytes()).is_none_or(|plain| plain.len() <= MOST_BYTES), "{name}");
        }
    }
}
