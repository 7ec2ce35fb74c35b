//! What a module consists of, and what each of its functions refers to.

use std::collections::{BTreeMap, BTreeSet};

use wasm_encoder::reencode::{Error, Reencode, utils};
use wasm_encoder::{CodeSection, ElementSection, GlobalSection};
use wasmparser::{
    Element, ElementItems, ElementKind, ExternalKind, FunctionBody, GlobalType, KnownCustom, MemoryType,
    Name, NameSectionReader, Operator, Parser, Payload, TableType, TypeRef, TypeSectionReader,
};

use super::Reencoded;

/// What a module consists of, as far as splitting it must know.
#[derive(Default)]
pub(super) struct Core<'a> {
    /// All types, which both parts have.
    pub(super) type_section: Option<TypeSectionReader<'a>>,
    /// Module, name and type of each imported function.
    pub(super) imports: Vec<(&'a str, &'a str, u32)>,
    /// The type of each function with a body, and the body.
    pub(super) types: Vec<u32>,
    pub(super) bodies: Vec<FunctionBody<'a>>,
    /// What each of them refers to.
    pub(super) uses: Vec<Uses>,
    pub(super) globals: Vec<GlobalType>,
    pub(super) tables: Vec<TableType>,
    pub(super) memories: Vec<MemoryType>,
    pub(super) exports: Vec<(&'a str, ExternalKind, u32)>,
    pub(super) slots: Vec<Slot>,
    /// Functions that something else than a verb or a slot can call: at the start, from the values of globals.
    pub(super) always: BTreeSet<u32>,
    pub(super) names: BTreeMap<u32, &'a str>,
}

/// A function in a table.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    pub(super) table: u32,
    pub(super) at: i32,
    pub(super) function: u32,
}

/// What the body of a function refers to, by index.
#[derive(Default)]
pub(super) struct Uses {
    pub(super) functions: BTreeSet<u32>,
    pub(super) globals: BTreeSet<u32>,
    pub(super) tables: BTreeSet<u32>,
    /// Segments of data or elements, which cannot be imported.
    pub(super) segments: bool,
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
    pub(super) fn read(wasm: &'a [u8]) -> Reencoded<Self> {
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
pub(super) fn slots_of(element: &Element<'_>) -> Reencoded<Option<Vec<Slot>>> {
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

impl Core<'_> {
    /// All functions that `roots` call, directly or not, and `roots`.
    pub(super) fn reachable(&self, mut roots: Vec<u32>) -> BTreeSet<u32> {
        let mut reached: BTreeSet<u32> = roots.iter().copied().collect();
        while let Some(function) = roots.pop() {
            let Some(own) = function.checked_sub(self.imports.len() as u32) else { continue };
            roots.extend(self.uses[own as usize].functions.iter().filter(|&&used| reached.insert(used)));
        }
        reached
    }

    pub(super) fn type_of(&self, function: u32) -> u32 {
        match function.checked_sub(self.imports.len() as u32) {
            Some(own) => self.types[own as usize],
            None => self.imports[function as usize].2,
        }
    }
}
