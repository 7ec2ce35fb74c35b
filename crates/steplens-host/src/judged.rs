//! The findings of a trace that was read.

use crate::reading::loaded::Loaded;
use steplens_core::steps::figures::variation;
use steplens_report::findings::FindingList;

/// What is worth changing in what `loaded` shows.
pub fn findings(loaded: &Loaded) -> FindingList<'_> {
    let (_, steps) = loaded.study.view().steps(&loaded.whole);
    FindingList::of(&loaded.study, &loaded.files, variation(&steps))
}
