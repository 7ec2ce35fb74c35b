//! Splits the core into what the page starts with and a later part, as its scripts are split.
//!
//! The later part has the functions that only the verbs which the first frame does not need can reach. It imports memory, tables, globals and
//! functions of the start, and adds its verbs to those of the start: both together are one instance of the one core. Data stays in the
//! start, and so does what tables name, because nobody knows who calls it; but for work that only a later verb begins.

mod plan;
mod reading;
mod writing;

use wasm_encoder::Module;
use wasm_encoder::reencode::{Error, Reencode};
use wasmparser::Parser;

use crate::run::Result;
use plan::Plan;
use reading::Core;
use writing::{LaterPart, StartPart};

type Reencoded<T> = std::result::Result<T, Error<String>>;

/// The core in two modules.
pub(crate) struct CoreParts {
    pub(crate) start: Vec<u8>,
    pub(crate) later: Vec<u8>,
}

/// Splits `wasm`; `is_later` says of a verb whether the page starts without it, and `is_later_work` of the name of a function that a table
/// names whether only such verbs can come to call it.
pub(crate) fn split(
    wasm: &[u8],
    is_later: impl Fn(&str) -> bool,
    is_later_work: impl Fn(&str) -> bool,
) -> Result<CoreParts> {
    let failed = |e: Error<String>| format!("could not split the core: {e}");
    let core = Core::read(wasm).map_err(failed)?;
    let plan = Plan::of(&core, is_later, is_later_work).map_err(failed)?;
    let mut start = Module::new();
    StartPart { plan: &plan }.parse_core_module(&mut start, Parser::new(0), wasm).map_err(failed)?;
    let later = LaterPart::of(&plan).module(&core, &plan).map_err(failed)?;
    Ok(CoreParts { start: start.finish(), later: later.finish() })
}

#[cfg(test)]
mod tests {
    use super::reading::slots_of;
    use super::*;
    use wasm_encoder::{
        CodeSection, ConstExpr, ElementSection, Elements, EntityType, ExportKind, ExportSection, Function,
        FunctionSection, GlobalSection, GlobalType, ImportSection, MemorySection, MemoryType, NameMap,
        NameSection, RefType, TableSection, TableType, TypeSection, ValType,
    };
    use wasmparser::Payload;

    /// A core whose verbs are `open`, which calls `shared`, and `ask`, which calls `shared`, `own` and what is imported. Its table has
    /// `shared`, `work`, which calls `rest`, and `shared` again.
    fn core() -> Vec<u8> {
        let (mut types, mut imports, mut functions) =
            (TypeSection::new(), ImportSection::new(), FunctionSection::new());
        types.ty().function([], []);
        imports.import("bindings", "say", EntityType::Function(0));
        let (mut memory, mut globals) = (MemorySection::new(), GlobalSection::new());
        let one_page =
            MemoryType { minimum: 1, maximum: None, memory64: false, shared: false, page_size_log2: None };
        memory.memory(one_page);
        let stack = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
        globals.global(stack, &ConstExpr::i32_const(9));
        let (mut exports, mut code) = (ExportSection::new(), CodeSection::new());
        let (shared, own, work, rest) = (1, 2, 5, 6);
        for (name, calls) in [
            ("", &[][..]),
            ("", &[]),
            ("session_open", &[shared]),
            ("session_ask", &[own, shared, 0]),
            ("", &[rest]),
            ("", &[]),
        ] {
            functions.function(0);
            let mut body = Function::new([]);
            calls.iter().for_each(|&called| _ = body.instructions().call(called));
            body.instructions().global_get(0).global_set(0).end();
            code.function(&body);
            if !name.is_empty() {
                exports.export(name, ExportKind::Func, functions.len());
            }
        }
        let (mut tables, mut elements) = (TableSection::new(), ElementSection::new());
        let element_type = RefType::FUNCREF;
        tables.table(TableType { element_type, minimum: 9, maximum: None, table64: false, shared: false });
        elements.active(
            None,
            &ConstExpr::i32_const(1),
            Elements::Functions([shared, work, shared][..].into()),
        );
        let (mut names, mut functions_named) = (NameSection::new(), NameMap::new());
        functions_named.append(work, "some_work");
        names.functions(&functions_named);
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&tables).section(&memory);
        module.section(&globals).section(&exports).section(&elements).section(&code).section(&names);
        module.finish()
    }

    #[test]
    fn only_what_later_verbs_alone_reach_leaves_the_start() {
        let whole = core();
        let parts = split(&whole, |verb| verb == "session_ask", |_| false).unwrap();
        assert_eq!(exports(&parts.start), ["session_open", "$f1", "$g0", "$m0"]);
        assert_eq!(exports(&parts.later), ["session_ask"]);
        assert_eq!(Core::read(&parts.start).unwrap().bodies.len(), 4);
        // Besides what the start has: the verb, and what it alone calls.
        assert_eq!(imports(&parts.later), ["bindings say", "start $f1", "start $m0", "start $g0"]);
    }

    #[test]
    fn work_that_only_later_verbs_begin_leaves_the_table_of_the_start() {
        let whole = core();
        let parts = split(&whole, |verb| verb == "session_ask", |name| name == "some_work").unwrap();
        let slots = |module: &[u8]| -> Vec<i32> {
            Core::read(module).unwrap().slots.iter().map(|slot| slot.at).collect()
        };
        assert_eq!((slots(&parts.start), Core::read(&parts.start).unwrap().bodies.len()), (vec![1, 3], 2));
        assert_eq!(
            imports(&parts.later),
            ["bindings say", "start $f1", "start $t0", "start $m0", "start $g0"]
        );
        let elements = Parser::new(0).parse_all(&parts.later).find_map(|payload| match payload.unwrap() {
            Payload::ElementSection(section) => Some(
                section.into_iter().flat_map(|element| slots_of(&element.unwrap()).unwrap().unwrap()).count(),
            ),
            _ => None,
        });
        assert_eq!(elements, Some(1));
        // Without its name it stays where it is.
        let kept = split(&whole, |verb| verb == "session_ask", |_| false).unwrap();
        assert_eq!(slots(&kept.start), [1, 2, 3]);
    }

    #[test]
    fn without_later_verbs_the_start_is_the_core() {
        let parts = split(&core(), |_| false, |_| false).unwrap();
        assert_eq!(Core::read(&parts.start).unwrap().bodies.len(), 6);
        assert!(split(b"no module", |_| false, |_| false).is_err());
    }

    fn exports(module: &[u8]) -> Vec<String> {
        let mut names = Vec::new();
        for payload in Parser::new(0).parse_all(module) {
            if let Payload::ExportSection(section) = payload.unwrap() {
                names.extend(section.into_iter().map(|export| export.unwrap().name.to_owned()));
            }
        }
        names
    }

    fn imports(module: &[u8]) -> Vec<String> {
        let mut names = Vec::new();
        for payload in Parser::new(0).parse_all(module) {
            if let Payload::ImportSection(section) = payload.unwrap() {
                names.extend(
                    section
                        .into_imports()
                        .map(|import| import.unwrap())
                        .map(|import| format!("{} {}", import.module, import.name)),
                );
            }
        }
        names
    }
}
