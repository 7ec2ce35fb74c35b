//! Where everything goes.

use std::collections::{BTreeMap, BTreeSet};

use wasm_encoder::reencode::Error;
use wasmparser::ExternalKind;

use super::Reencoded;
use super::reading::{Core, Slot, Uses};

/// Where everything goes.
pub(super) struct Plan<'a> {
    pub(super) imported: u32,
    /// The new index of each function of the start, imported ones included, by its old one.
    pub(super) start: BTreeMap<u32, u32>,
    /// Functions with a body that only later verbs reach, by their old index.
    pub(super) later: BTreeSet<u32>,
    pub(super) slots: Vec<Slot>,
    pub(super) later_slots: Vec<Slot>,
    /// What the later part refers to and does not have.
    pub(super) from_start: Uses,
    pub(super) later_verbs: Vec<(&'a str, u32)>,
}

impl<'a> Plan<'a> {
    pub(super) fn of(
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
