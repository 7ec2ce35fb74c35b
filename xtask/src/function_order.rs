//! Puts the functions of a WebAssembly module into the order in which gzip packs them smallest.
//!
//! One generic function of Rust becomes dozens that are alike. gzip sees a repetition only within 32 KB, and the bindings generator
//! sorts functions by size. Here each next function is the one that shares most with the 30 KB before it: 7 % less of the core, packed.
//! Only indices change, no instruction does.

use std::collections::{HashMap, VecDeque};
use std::convert::Infallible;

use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, FunctionSection, Module};
use wasmparser::{CodeSectionReader, CustomSectionReader, FunctionSectionReader, Parser, Payload};

use crate::run::Result;

/// What gzip sees of what came before, less the function that is packed.
const WINDOW: usize = 30_000;
/// Bytes in a row that two functions may share.
const GRAM: usize = 6;
/// What more functions than this have in common says nothing about any two of them.
const MOST_SHARING: usize = 100;
/// So that a tiny function that shares all of its few bytes does not come before a large one that shares most.
const LEVEL: f64 = 40.0;

/// The same module with its functions in the order that packs best.
pub(crate) fn packable(wasm: &[u8]) -> Result<Vec<u8>> {
    let failed = |e: &dyn std::fmt::Display| format!("could not order the functions of the core: {e}");
    let (mut imported, mut bodies) = (0, Vec::new());
    for payload in Parser::new(0).parse_all(wasm) {
        match payload.map_err(|e| failed(&e))? {
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import.map_err(|e| failed(&e))?;
                    imported += u32::from(matches!(import.ty, wasmparser::TypeRef::Func(_)));
                }
            }
            Payload::CodeSectionEntry(body) => bodies.push(body.as_bytes()),
            _ => {}
        }
    }
    let mut module = Module::new();
    Ordered::new(imported, order(&bodies))
        .parse_core_module(&mut module, Parser::new(0), wasm)
        .map_err(|e| failed(&e))?;
    Ok(module.finish())
}

/// Writes the functions of a module in another order.
struct Ordered {
    imported: u32,
    /// The old place of each function, in the new order.
    order: Vec<usize>,
    /// The new place of each function, in the old order.
    places: Vec<u32>,
}

impl Ordered {
    fn new(imported: u32, order: Vec<usize>) -> Self {
        let mut places = vec![0; order.len()];
        for (place, &old) in (0..).zip(&order) {
            places[old] = place;
        }
        Self { imported, order, places }
    }
}

impl Reencode for Ordered {
    type Error = Infallible;

    fn function_index(&mut self, function: u32) -> std::result::Result<u32, Error<Infallible>> {
        Ok(match function.checked_sub(self.imported) {
            Some(own) => self.imported + self.places[own as usize],
            None => function,
        })
    }

    /// Names are for the program that splits the core.
    fn parse_custom_section(
        &mut self,
        _: &mut Module,
        _: CustomSectionReader<'_>,
    ) -> std::result::Result<(), Error<Infallible>> {
        Ok(())
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> std::result::Result<(), Error<Infallible>> {
        let types = section.into_iter().collect::<std::result::Result<Vec<_>, _>>()?;
        for &old in &self.order {
            functions.function(types[old]);
        }
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> std::result::Result<(), Error<Infallible>> {
        let bodies = section.into_iter().collect::<std::result::Result<Vec<_>, _>>()?;
        for old in self.order.clone() {
            self.parse_function_body(code, bodies[old].clone())?;
        }
        Ok(())
    }
}

/// The order that packs `bodies` well, the largest first.
fn order(bodies: &[&[u8]]) -> Vec<usize> {
    let (grams, sharing) = shared_grams(bodies);
    let mut seen = vec![0_u32; sharing.len()];
    // How many of a function's grams the window has.
    let mut scores = vec![0_u32; bodies.len()];
    let mut left = vec![true; bodies.len()];
    let (mut window, mut window_bytes) = (VecDeque::new(), 0);
    let mut order = Vec::with_capacity(bodies.len());
    let mut next = (0..bodies.len()).max_by_key(|&body| bodies[body].len());
    while let Some(body) = next {
        order.push(body);
        left[body] = false;
        window.push_back(body);
        window_bytes += bodies[body].len();
        for &gram in &grams[body] {
            if seen[gram] == 0 {
                sharing[gram].iter().for_each(|&other| scores[other] += 1);
            }
            seen[gram] += 1;
        }
        while window_bytes > WINDOW && window.len() > 1 {
            let Some(oldest) = window.pop_front() else { break };
            window_bytes -= bodies[oldest].len();
            for &gram in &grams[oldest] {
                seen[gram] -= 1;
                if seen[gram] == 0 {
                    sharing[gram].iter().for_each(|&other| scores[other] -= 1);
                }
            }
        }
        let share = |body: usize| f64::from(scores[body]) / (bodies[body].len() as f64 + LEVEL);
        let rank = |body: usize| (share(body), bodies[body].len());
        next = (0..bodies.len())
            .filter(|&body| left[body])
            .max_by(|&a, &b| rank(a).partial_cmp(&rank(b)).unwrap_or(std::cmp::Ordering::Equal));
    }
    order
}

/// Each function's runs of bytes that some others have, too, by number; and which functions have each.
fn shared_grams(bodies: &[&[u8]]) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
    let mut with: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (body, bytes) in bodies.iter().enumerate() {
        for gram in bytes.windows(GRAM) {
            let of = with.entry(gram).or_default();
            if of.last() != Some(&body) {
                of.push(body);
            }
        }
    }
    let mut grams = vec![Vec::new(); bodies.len()];
    let mut sharing: Vec<Vec<usize>> =
        with.into_values().filter(|of| (2..=MOST_SHARING).contains(&of.len())).collect();
    // The order of a hash table must not decide anything.
    sharing.sort_unstable();
    for (gram, of) in sharing.iter().enumerate() {
        of.iter().for_each(|&body| grams[body].push(gram));
    }
    (grams, sharing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_that_are_alike_follow_one_another() {
        let a: Vec<u8> = (0..200).collect();
        let b: Vec<u8> = (0..200).rev().collect();
        let mut like_a = a.clone();
        like_a[100] = 0;
        assert_eq!(order(&[&a, &b[..150], &like_a[..190]]), [0, 2, 1]);
        assert_eq!(order(&[]), [] as [usize; 0]);
    }

    /// Two functions: the first calls the second, which is larger, and both have other types. The order turns round, and so do all indices.
    #[test]
    fn calls_exports_and_types_follow_their_functions() {
        use wasm_encoder::{ExportKind, ExportSection, Function, TypeSection, ValType};
        let module = |turned: bool| {
            let (mut types, mut functions, mut exports, mut code) =
                (TypeSection::new(), FunctionSection::new(), ExportSection::new(), CodeSection::new());
            types.ty().function([], []);
            types.ty().function([], [ValType::I32]);
            let at = |index: u32| if turned { 1 - index } else { index };
            let mut small = Function::new([]);
            small.instructions().call(at(1)).drop().end();
            let mut large = Function::new([]);
            large.instructions().i32_const(7).i32_const(8).i32_add().i32_const(9).i32_add().end();
            let both = [(0, &small), (1, &large)];
            let order = if turned { [both[1], both[0]] } else { both };
            for (ty, body) in order {
                functions.function(ty);
                code.function(body);
            }
            exports.export("small", ExportKind::Func, at(0));
            let mut module = Module::new();
            module.section(&types).section(&functions).section(&exports).section(&code);
            module.finish()
        };
        assert_eq!(packable(&module(false)), Ok(module(true)));
        assert!(packable(b"no module").is_err());
    }
}
