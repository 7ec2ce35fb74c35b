//! What the program and the Python package index with: how each file is opened, and what the options of a dataset are.

use super::dataset::{Fault, Options};
use super::member::NotRead;
use super::paths::Pattern;
use crate::failure::{Failure, reason};
use crate::progress::{Progress, Stop};
use crate::reading::input::Input;
use crate::reading::memory_limit;
use std::path::Path;
use steplens_core::CategoryRules;
use steplens_formats::{Opened, Opener};
use steplens_messages::{listed, say};
use steplens_report::fleet::FleetTable;
use steplens_report::names::visible;

/// The options of a dataset; without `tables` it has all of them.
pub fn options(path: Option<&str>, communication: &[String], tables: &[String]) -> Result<Options, Failure> {
    if let Some(pattern) = path.filter(|path| Pattern::of(path).is_none()) {
        return Err(Failure::Option("path", say!("fleet-pattern", pattern)));
    }
    if let Some(name) = tables.iter().find(|name| FleetTable::by_name(name).is_none()) {
        let tables = listed(FleetTable::ALL.map(FleetTable::name));
        return Err(Failure::Option("tables", say!("fleet-no-table", name, tables)));
    }
    let is_wanted = |table: &FleetTable| {
        *table == FleetTable::Sources || tables.is_empty() || tables.iter().any(|name| name == table.name())
    };
    Ok(Options {
        path: path.unwrap_or_default().to_owned(),
        communication: communication.to_vec(),
        tables: FleetTable::ALL
            .iter()
            .filter(|table| is_wanted(table))
            .map(|table| table.name().to_owned())
            .collect(),
    })
}

/// Opens one file of a fleet, with at most `memory` MiB for it, where `at_once` are open at the same time, unless
/// `stop` says that nothing is wanted any more.
pub fn open(
    communication: &[String],
    memory: Option<usize>,
    at_once: usize,
    stop: &Stop,
) -> Result<impl Fn(&Path, &str) -> Result<Opened, NotRead> + Sync + use<>, Failure> {
    let rules = CategoryRules::new(communication).map_err(|why| Failure::Option("communication", why))?;
    let limits = memory_limit::limits(memory, at_once);
    let stop = stop.clone();
    Ok(move |path: &Path, name: &str| {
        let mut opener = Opener::new(rules.clone(), limits);
        let input = Input { name: name.to_owned(), process: None, path: Some(path.to_owned()), folder: None };
        // Nobody sees it: how far the index is, is said file by file.
        let mut progress = Progress::until(&stop);
        if let Err(why) = input.open(&mut opener, &mut progress) {
            return Err(NotRead { code: "input-failed".to_owned(), what: why.to_string() });
        }
        opener.finish().map_err(|why| NotRead { code: why.kind.code().to_owned(), what: why.to_string() })
    })
}

/// What went wrong with the dataset in `folder`.
pub fn failure(folder: &Path, why: Fault) -> Failure {
    let folder = folder.to_string_lossy();
    let folder = visible(&folder);
    match why {
        Fault::NotADataset(_) => Failure::Unusable("not-a-dataset", say!("fleet-not-a-dataset", folder)),
        Fault::OtherSchema(schema) => {
            Failure::Unusable("other-dataset", say!("fleet-other-schema", folder, schema = visible(&schema)))
        }
        Fault::OtherOption(option, then, now) => Failure::Unusable(
            "other-option",
            say!("fleet-other-option", folder, option, then = visible(&then), now = visible(&now)),
        ),
        Fault::InUse(_) => Failure::Unusable("dataset-in-use", say!("fleet-in-use", folder)),
        Fault::Io(path, why) => {
            Failure::Sentence(say!("fleet-io", path = visible(&path.to_string_lossy()), why = reason(&why)))
        }
        Fault::Stopped => Failure::Sentence(say!("fleet-stopped").to_owned()),
    }
}
