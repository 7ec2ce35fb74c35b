//! The two modules: the start, which is the core without some of its functions, and the later part, which imports the rest.

use std::collections::BTreeMap;

use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{
    CodeSection, ConstExpr, ElementSection, Elements, EntityType, ExportKind, ExportSection, FunctionSection,
    ImportSection, Module, TypeSection,
};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, ElementSectionReader, ExportSectionReader, ExternalKind,
    FunctionSectionReader,
};

use super::Reencoded;
use super::plan::Plan;
use super::reading::{Core, Slot, slots_of};

/// What the later part calls the start, in its imports.
const START: &str = "start";
/// In front of the names of what the start exports for the later part only. No verb begins so.
const FOR_LATER: &str = "$";

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

/// Writes the core without the functions of the later part.
pub(super) struct StartPart<'a> {
    pub(super) plan: &'a Plan<'a>,
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
pub(super) struct LaterPart {
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
    pub(super) fn of(plan: &Plan<'_>) -> Self {
        let from = &plan.from_start;
        Self {
            // Imported ones come first, in the order of the imports.
            functions: from.functions.iter().chain(&plan.later).copied().zip(0..).collect(),
            globals: from.globals.iter().copied().zip(0..).collect(),
            tables: from.tables.iter().copied().zip(0..).collect(),
        }
    }

    pub(super) fn module(mut self, core: &Core<'_>, plan: &Plan<'_>) -> Reencoded<Module> {
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
