//! A side of a comparison: a trace, the step of it that is compared, and the figures of all its steps.

use crate::failure::Failure;
use crate::judged::findings;
use crate::options::Files;
use crate::reading::loaded::Loaded;
use std::ops::Range;
use steplens_core::compare::samples::{StepSamples, typical_step};
use steplens_core::compare::step_use::StepUse;
use steplens_core::compare::{Comparison, Side};
use steplens_core::{Study, View};
use steplens_messages::say;
use steplens_report::check::Past;
use steplens_report::compare::{Compare, side_by_side};

/// One of the two traces.
pub struct Compared {
    /// Of it the step is shown that is compared.
    pub loaded: Loaded,
    /// The lengths of all steps that were opened, or of the group that was asked for.
    pub steps: StepSamples,
    /// What every step that was opened used besides time; only if it is asked for.
    pub step_use: StepUse,
    /// What a baseline keeps, if it is one.
    pub past: Option<Past>,
}

impl Compared {
    /// Reads `files`. If they name no step, the one with the median length is shown: of all usual steps, or of `group`.
    pub fn read(files: &Files, group: Option<Range<usize>>) -> Result<Self, Failure> {
        Self::of(Loaded::read(files)?, files, group)
    }

    /// Shows of what was read the step that is compared.
    pub fn of(mut loaded: Loaded, files: &Files, group: Option<Range<usize>>) -> Result<Self, Failure> {
        let past = match loaded.past.as_str() {
            "" => None,
            text => Some(Past::read(text).ok_or_else(|| damaged(files))?),
        };
        let (trace, steps) = loaded.study.view().steps(&loaded.whole);
        if let Some(group) = &group {
            let opened = steps.rows().len();
            if group.end > opened {
                let why = say!("compare-no-such-steps", step = group.end, count = opened);
                return Err(Failure::Option("step", why));
            }
        }
        if loaded.study.view().step.is_none()
            && let Some(row) = typical_step(&steps, group.as_ref())
        {
            let view = View { step: Some(row), ..loaded.study.view().clone() };
            loaded.study = Study::of_view(&loaded.whole, view);
        }
        let steps = match &past {
            Some(past) => past.samples(),
            None => StepSamples::of(&trace, &steps, group),
        };
        Ok(Self { loaded, steps, step_use: StepUse::default(), past })
    }

    /// The same, with what every step uses besides time.
    pub fn with_use(files: &Files, loaded: Loaded) -> Result<Self, Failure> {
        let view = loaded.study.view();
        let (trace, steps) = view.steps(&loaded.whole);
        let step_use = StepUse::of(view, &loaded.whole, &trace, &steps);
        Ok(Self { step_use, ..Self::of(loaded, files, None)? })
    }

    /// As the comparison takes it.
    pub fn side(&self) -> Side<'_> {
        Side { study: &self.loaded.study, steps: &self.steps }
    }
}

/// What two traces differ in, with the findings of both, aligned at the op called `align`.
pub fn answer<'a>(
    found: &'a Comparison<'a>,
    [a, b]: [&Compared; 2],
    align: Option<&str>,
) -> Result<Compare<'a>, Failure> {
    let mut answer = Compare::new(found);
    if let Some(op) = align {
        answer.align(found, op).map_err(|why| Failure::Option("align", why))?;
    }
    answer.findings = Some(side_by_side(&findings(&a.loaded), &findings(&b.loaded)));
    Ok(answer)
}

/// `steplens.compare/1`.
pub fn json(a: &Compared, b: &Compared, align: Option<&str>) -> Result<String, Failure> {
    let found = Comparison::made(a.side(), b.side());
    Ok(answer(&found, [a, b], align)?.to_text())
}

fn damaged(files: &Files) -> Failure {
    let name = files.files.first().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Failure::Unusable("baseline-damaged", say!("baseline-damaged", name))
}
