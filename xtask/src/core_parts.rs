//! Splits the core into what the page starts with and a later part, as its scripts are split.
//!
//! The later part has the functions that only the verbs which the first frame does not need can reach. It imports memory, tables, globals and
//! functions of the start, and adds its verbs to those of the start: both together are one instance of the one core. Data stays in the
//! start, and so does what tables name, because nobody knows who calls it; but for work that only a later verb begins.

use std::collections::{BTreeMap, BTreeSet};

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{
    CodeSection, ConstExpr, ElementSection, Elements, EntityType, ExportKind, ExportSection, FunctionSection,
    GlobalSection, ImportSection, Module, TypeSection,
};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, Element, ElementItems, ElementKind, ElementSectionReader,
    ExportSectionReader, ExternalKind, FunctionBody, FunctionSectionReader, GlobalType, KnownCustom,
    MemoryType, Name, NameSectionReader, Operator, Parser, Payload, TableType, TypeRef, TypeSectionReader,
};

use crate::run::Result;

type Reencoded<T> = std::result::Result<T, Error<String>>;

/// What the later part calls the start, in its imports.
const START: &str = "start";
/// In front of the names of what the start exports for the later part only. No verb begins so.
const FOR_LATER: &str = "$";

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

/// What a module consists of, as far as splitting it must know.
#[derive(Default)]
struct Core<'a> {
    /// All types, which both parts have.
    type_section: Option<TypeSectionReader<'a>>,
    /// Module, name and type of each imported function.
    imports: Vec<(&'a str, &'a str, u32)>,
    /// The type of each function with a body, and the body.
    types: Vec<u32>,
    bodies: Vec<FunctionBody<'a>>,
    /// What each of them refers to.
    uses: Vec<Uses>,
    globals: Vec<GlobalType>,
    tables: Vec<TableType>,
    memories: Vec<MemoryType>,
    exports: Vec<(&'a str, ExternalKind, u32)>,
    slots: Vec<Slot>,
    /// Functions that something else than a verb or a slot can call: at the start, from the values of globals.
    always: BTreeSet<u32>,
    names: BTreeMap<u32, &'a str>,
}

/// A function in a table.
#[derive(Clone, Copy)]
struct Slot {
    table: u32,
    at: i32,
    function: u32,
}

/// What the body of a function refers to, by index.
#[derive(Default)]
struct Uses {
    functions: BTreeSet<u32>,
    globals: BTreeSet<u32>,
    tables: BTreeSet<u32>,
    /// Segments of data or elements, which cannot be imported.
    segments: bool,
}

impl Reencode for Uses {
    type Error = String;

    fn function_index(&mut self, function: u32) -> Reencoded<u32> {
        self.functions.insert(function);
        Ok(function)
    }

    fn global_index(&mut self, global: u32) -> Reencoded<u32> {
        self.globals.insert(global);
        Ok(global)
    }

    fn table_index(&mut self, table: u32) -> Reencoded<u32> {
        self.tables.insert(table);
        Ok(table)
    }

    fn data_index(&mut self, data: u32) -> Reencoded<u32> {
        self.segments = true;
        Ok(data)
    }

    fn element_index(&mut self, element: u32) -> Reencoded<u32> {
        self.segments = true;
        Ok(element)
    }
}

impl<'a> Core<'a> {
    fn read(wasm: &'a [u8]) -> Reencoded<Self> {
        let mut core = Self::default();
        let mut from_tables = Uses::default();
        for payload in Parser::new(0).parse_all(wasm) {
            match payload? {
                Payload::TypeSection(section) => core.type_section = Some(section),
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        let import = import?;
                        // The bindings import functions only.
                        let TypeRef::Func(ty) = import.ty else {
                            return Err(Error::UserError(format!("{} is no function", import.name)));
                        };
                        core.imports.push((import.module, import.name, ty));
                    }
                }
                Payload::FunctionSection(section) => {
                    core.types = section.into_iter().collect::<std::result::Result<_, _>>()?
                }
                Payload::TableSection(section) => {
                    for table in section {
                        core.tables.push(table?.ty);
                    }
                }
                Payload::MemorySection(section) => {
                    core.memories = section.into_iter().collect::<std::result::Result<_, _>>()?
                }
                Payload::GlobalSection(section) => {
                    for global in section.clone() {
                        core.globals.push(global?.ty);
                    }
                    utils::parse_global_section(&mut from_tables, &mut GlobalSection::new(), section)?;
                }
                Payload::ExportSection(section) => {
                    for export in section {
                        let export = export?;
                        core.exports.push((export.name, export.kind, export.index));
                    }
                }
                Payload::StartSection { func, .. } => {
                    core.always.insert(func);
                }
                Payload::ElementSection(section) => {
                    for element in section {
                        let element = element?;
                        match slots_of(&element)? {
                            Some(slots) => core.slots.extend(slots),
                            None => from_tables.parse_element(&mut ElementSection::new(), element)?,
                        }
                    }
                }
                Payload::CustomSection(section) => {
                    if let KnownCustom::Name(names) = section.as_known() {
                        core.names.extend(function_names(names)?);
                    }
                }
                Payload::CodeSectionEntry(body) => core.bodies.push(body),
                _ => {}
            }
        }
        core.always.extend(from_tables.functions);
        for body in &core.bodies {
            let mut uses = Uses::default();
            utils::parse_function_body(&mut uses, &mut CodeSection::new(), body.clone())?;
            core.uses.push(uses);
        }
        Ok(core)
    }
}

/// The functions that an element puts into a table when the module starts; `None` for elements of other kinds.
fn slots_of(element: &Element<'_>) -> Reencoded<Option<Vec<Slot>>> {
    let (ElementKind::Active { table_index, offset_expr }, ElementItems::Functions(functions)) =
        (&element.kind, &element.items)
    else {
        return Ok(None);
    };
    let Operator::I32Const { value } = offset_expr.get_operators_reader().read()? else { return Ok(None) };
    let table = table_index.unwrap_or(0);
    let functions = functions.clone().into_iter().collect::<std::result::Result<Vec<_>, _>>()?;
    Ok(Some((value..).zip(functions).map(|(at, function)| Slot { table, at, function }).collect()))
}

fn function_names(names: NameSectionReader<'_>) -> Reencoded<Vec<(u32, &str)>> {
    let mut all = Vec::new();
    for part in names {
        if let Name::Function(map) = part? {
            for naming in map {
                let naming = naming?;
                all.push((naming.index, naming.name));
            }
        }
    }
    Ok(all)
}

/// Writes `slots` as few elements, with `index` for each function.
fn put_slots(
    elements: &mut ElementSection,
    slots: &[Slot],
    mut index: impl FnMut(u32) -> Reencoded<u32>,
    table: impl Fn(u32) -> u32,
) -> Reencoded<()> {
    for run in slots.chunk_by(|one, next| one.table == next.table && one.at + 1 == next.at) {
        let functions = run.iter().map(|slot| index(slot.function)).collect::<Reencoded<Vec<_>>>()?;
        let first = run[0];
        let table = Some(table(first.table)).filter(|&table| table != 0);
        elements.active(table, &ConstExpr::i32_const(first.at), Elements::Functions(functions.into()));
    }
    Ok(())
}

/// Where everything goes.
struct Plan<'a> {
    imported: u32,
    /// The new index of each function of the start, imported ones included, by its old one.
    start: BTreeMap<u32, u32>,
    /// Functions with a body that only later verbs reach, by their old index.
    later: BTreeSet<u32>,
    slots: Vec<Slot>,
    later_slots: Vec<Slot>,
    /// What the later part refers to and does not have.
    from_start: Uses,
    later_verbs: Vec<(&'a str, u32)>,
}

impl<'a> Plan<'a> {
    fn of(
        core: &Core<'a>,
        is_later: impl Fn(&str) -> bool,
        is_later_work: impl Fn(&str) -> bool,
    ) -> Reencoded<Self> {
        let imported = core.imports.len() as u32;
        let functions = core.exports.iter().filter(|(_, kind, _)| *kind == ExternalKind::Func);
        let (later_verbs, verbs): (Vec<_>, Vec<_>) =
            functions.map(|&(name, _, function)| (name, function)).partition(|&(name, _)| is_later(name));
        let (later_work, others): (Vec<Slot>, Vec<Slot>) = core
            .slots
            .iter()
            .partition(|slot| core.names.get(&slot.function).is_some_and(|name| is_later_work(name)));
        let roots = core.always.iter().copied().chain(verbs.iter().map(|&(_, function)| function));
        let start = core.reachable(roots.chain(others.iter().map(|slot| slot.function)).collect());
        let roots = later_verbs.iter().map(|&(_, function)| function);
        let mut later = core.reachable(roots.chain(later_work.iter().map(|slot| slot.function)).collect());
        later.retain(|function| *function >= imported && !start.contains(function));
        let mut from_start = Uses::default();
        for uses in later.iter().map(|&function| &core.uses[(function - imported) as usize]) {
            from_start.functions.extend(uses.functions.difference(&later));
            from_start.globals.extend(&uses.globals);
            from_start.tables.extend(&uses.tables);
            from_start.segments |= uses.segments;
        }
        let (later_slots, slots): (Vec<Slot>, Vec<Slot>) =
            core.slots.iter().partition(|slot| later.contains(&slot.function));
        from_start.tables.extend(later_slots.iter().map(|slot| slot.table));
        // A verb that the start has the whole of, because something else there calls it.
        from_start
            .functions
            .extend(later_verbs.iter().map(|&(_, verb)| verb).filter(|verb| start.contains(verb)));
        if from_start.segments {
            return Err(Error::UserError("the later part refers to a segment of the start".to_owned()));
        }
        let own = start.into_iter().filter(|&function| function >= imported);
        let start = (0..imported).chain(own).zip(0..).collect();
        Ok(Self { imported, start, later, slots, later_slots, from_start, later_verbs })
    }
}

impl Core<'_> {
    /// All functions that `roots` call, directly or not, and `roots`.
    fn reachable(&self, mut roots: Vec<u32>) -> BTreeSet<u32> {
        let mut reached: BTreeSet<u32> = roots.iter().copied().collect();
        while let Some(function) = roots.pop() {
            let Some(own) = function.checked_sub(self.imports.len() as u32) else { continue };
            roots.extend(self.uses[own as usize].functions.iter().filter(|&&used| reached.insert(used)));
        }
        reached
    }

    fn type_of(&self, function: u32) -> u32 {
        match function.checked_sub(self.imports.len() as u32) {
            Some(own) => self.types[own as usize],
            None => self.imports[function as usize].2,
        }
    }
}

/// Writes the core without the functions of the later part.
struct StartPart<'a> {
    plan: &'a Plan<'a>,
}

impl StartPart<'_> {
    /// The places of its own functions among all with a body.
    fn own(&self) -> impl Iterator<Item = usize> {
        self.plan
            .start
            .keys()
            .filter_map(|function| function.checked_sub(self.plan.imported))
            .map(|own| own as usize)
    }
}

impl Reencode for StartPart<'_> {
    type Error = String;

    fn function_index(&mut self, function: u32) -> Reencoded<u32> {
        let found = self.plan.start.get(&function).copied();
        found.ok_or_else(|| Error::UserError(format!("function {function} is in the later part")))
    }

    fn parse_function_section(
        &mut self,
        functions: &mut FunctionSection,
        section: FunctionSectionReader<'_>,
    ) -> Reencoded<()> {
        let types = section.into_iter().collect::<std::result::Result<Vec<_>, _>>()?;
        self.own().for_each(|own| _ = functions.function(types[own]));
        Ok(())
    }

    fn parse_code_section(
        &mut self,
        code: &mut CodeSection,
        section: CodeSectionReader<'_>,
    ) -> Reencoded<()> {
        let bodies = section.into_iter().collect::<std::result::Result<Vec<_>, _>>()?;
        self.own()
            .collect::<Vec<_>>()
            .into_iter()
            .try_for_each(|own| self.parse_function_body(code, bodies[own].clone()))
    }

    fn parse_export_section(
        &mut self,
        exports: &mut ExportSection,
        section: ExportSectionReader<'_>,
    ) -> Reencoded<()> {
        for export in section {
            let export = export?;
            let is_later = self.plan.later_verbs.iter().any(|(name, _)| *name == export.name);
            if !is_later || export.kind != ExternalKind::Func {
                self.parse_export(exports, export)?;
            }
        }
        let from = &self.plan.from_start;
        for &function in from.functions.iter().filter(|&&function| function >= self.plan.imported) {
            exports.export(&name_of('f', function), ExportKind::Func, self.function_index(function)?);
        }
        from.globals
            .iter()
            .for_each(|&global| _ = exports.export(&name_of('g', global), ExportKind::Global, global));
        from.tables
            .iter()
            .for_each(|&table| _ = exports.export(&name_of('t', table), ExportKind::Table, table));
        exports.export(&name_of('m', 0), ExportKind::Memory, 0);
        Ok(())
    }

    fn parse_element_section(
        &mut self,
        elements: &mut ElementSection,
        section: ElementSectionReader<'_>,
    ) -> Reencoded<()> {
        for element in section {
            let element = element?;
            if slots_of(&element)?.is_none() {
                self.parse_element(elements, element)?;
            }
        }
        let slots = self.plan.slots.clone();
        put_slots(elements, &slots, |function| self.function_index(function), |table| table)
    }

    /// Names are for this program only.
    fn parse_custom_section(&mut self, _: &mut Module, _: CustomSectionReader<'_>) -> Reencoded<()> {
        Ok(())
    }
}

/// What the start calls a thing that it exports for the later part: by its index in the whole core.
fn name_of(kind: char, index: u32) -> String {
    format!("{FOR_LATER}{kind}{index}")
}

/// Writes the functions of the later part as a module that imports the rest.
struct LaterPart {
    functions: BTreeMap<u32, u32>,
    globals: BTreeMap<u32, u32>,
    tables: BTreeMap<u32, u32>,
}

impl Reencode for LaterPart {
    type Error = String;

    fn function_index(&mut self, function: u32) -> Reencoded<u32> {
        Ok(self.functions[&function])
    }

    fn global_index(&mut self, global: u32) -> Reencoded<u32> {
        Ok(self.globals[&global])
    }

    fn table_index(&mut self, table: u32) -> Reencoded<u32> {
        Ok(self.tables[&table])
    }
}

impl LaterPart {
    fn of(plan: &Plan<'_>) -> Self {
        let from = &plan.from_start;
        Self {
            // Imported ones come first, in the order of the imports.
            functions: from.functions.iter().chain(&plan.later).copied().zip(0..).collect(),
            globals: from.globals.iter().copied().zip(0..).collect(),
            tables: from.tables.iter().copied().zip(0..).collect(),
        }
    }

    fn module(mut self, core: &Core<'_>, plan: &Plan<'_>) -> Reencoded<Module> {
        let from = &plan.from_start;
        let (mut type_section, mut imports) = (TypeSection::new(), ImportSection::new());
        if let Some(types) = core.type_section.clone() {
            self.parse_type_section(&mut type_section, types)?;
        }
        for &function in &from.functions {
            let ty = EntityType::Function(core.type_of(function));
            match core.imports.get(function as usize) {
                Some((module, name, _)) => imports.import(module, name, ty),
                None => imports.import(START, &name_of('f', function), ty),
            };
        }
        for &table in &from.tables {
            let ty = self.table_type(core.tables[table as usize])?;
            imports.import(START, &name_of('t', table), EntityType::Table(ty));
        }
        let memory = core.memories.first().ok_or_else(|| Error::UserError("it has no memory".to_owned()))?;
        imports.import(START, &name_of('m', 0), EntityType::Memory(self.memory_type(*memory)?));
        for &global in &from.globals {
            let ty = self.global_type(core.globals[global as usize])?;
            imports.import(START, &name_of('g', global), EntityType::Global(ty));
        }
        let (mut functions, mut exports, mut code) =
            (FunctionSection::new(), ExportSection::new(), CodeSection::new());
        for &function in &plan.later {
            functions.function(core.type_of(function));
            let body = &core.bodies[(function - plan.imported) as usize];
            self.parse_function_body(&mut code, body.clone())?;
        }
        for &(name, verb) in &plan.later_verbs {
            exports.export(name, ExportKind::Func, self.functions[&verb]);
        }
        let (tables, mut elements) = (self.tables.clone(), ElementSection::new());
        put_slots(
            &mut elements,
            &plan.later_slots,
            |function| self.function_index(function),
            |table| tables[&table],
        )?;
        let mut module = Module::new();
        module.section(&type_section).section(&imports).section(&functions).section(&exports);
        if !elements.is_empty() {
            module.section(&elements);
        }
        module.section(&code);
        Ok(module)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::{
        Function, GlobalType, MemorySection, MemoryType, NameMap, NameSection, RefType, TableSection,
        TableType, ValType,
    };

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
