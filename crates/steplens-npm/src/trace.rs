//! An open trace, and every question that it answers.

use crate::columns;
use crate::fault::{bad_option, not_open};
use crate::plain::{Plain, plain};
use serde::Serialize;
use std::cell::Cell;
use std::rc::Rc;
use steplens_core::Study;
use steplens_core::compare::Comparison;
use steplens_core::findings::Findings;
use steplens_core::replay::Replay;
use steplens_core::replay::change::{BadChange, Change};
use steplens_core::steps::figures::variation;
use steplens_formats::session::{self, write_shown};
use steplens_report::compare::{Shown, with_findings};
use steplens_report::options::{self, BadOption};
use steplens_report::viewing::{ViewWords, Viewing};
use steplens_report::what_if::WhatIf;
use steplens_report::{
    causality, clocks, counters, doctor, findings, flame, kernels, memory, network, ops, scheduling, steps,
    summary, transfers,
};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// An answer, whose type the declarations say; or what is thrown.
type Answer = Result<JsValue, JsValue>;

/// One open trace, of which a part is shown: all of it, until another is asked for.
///
/// Answers are about that part. What of them is not recorded is `null`.
#[wasm_bindgen]
pub struct OpenTrace {
    viewing: Viewing,
    /// None only while another is made.
    shown: Option<Rc<Study>>,
    has_bigints: Cell<bool>,
}

#[wasm_bindgen]
impl OpenTrace {
    /// Shows what the words of a view ask for; `step` is a row of `steps`, from 0.
    pub fn show(
        &mut self,
        rule: &str,
        step: Option<usize>,
        repairs: Vec<String>,
        op_time: &str,
        clocks: Vec<String>,
        communication: Vec<String>,
    ) -> Result<(), JsValue> {
        self.show_view(ViewWords { rule, step, repairs, op_time, clocks, communication })
    }

    /// What counts as communication in what is shown, in addition to what does by itself.
    #[wasm_bindgen(getter)]
    pub fn communication(&self) -> Vec<String> {
        self.viewing.communication().to_vec()
    }

    /// Whether integers of 64 bits are bigints in the last answer, all of them: because one is none of the numbers that JavaScript holds
    /// exactly.
    #[wasm_bindgen(getter, js_name = hasBigInts)]
    pub fn has_bigints(&self) -> bool {
        self.has_bigints.get()
    }

    /// The files, the step and its devices.
    #[wasm_bindgen(unchecked_return_type = "Answers.Summary")]
    pub fn summary(&self) -> Answer {
        self.answer(&summary::with_verdict(self.study()?, self.viewing.files()))
    }

    /// Every op, as an object for each.
    #[wasm_bindgen(unchecked_return_type = "Answers.Ops")]
    pub fn ops(&self) -> Answer {
        self.answer(&ops::answer(self.study()?))
    }

    /// Every op, as typed arrays.
    #[wasm_bindgen(js_name = opColumns, unchecked_return_type = "OpColumns")]
    pub fn op_columns(&self) -> Answer {
        Ok(columns::of(self.study()?))
    }

    /// Every transfer, and what went over each link.
    #[wasm_bindgen(unchecked_return_type = "Answers.Transfers")]
    pub fn transfers(&self) -> Answer {
        self.answer(&transfers::answer(self.study()?))
    }

    /// What communication costs, and what to blame.
    #[wasm_bindgen(unchecked_return_type = "Answers.Network")]
    pub fn network(&self) -> Answer {
        self.answer(&network::Network::of(self.study()?))
    }

    /// Which bytes were alive when.
    #[wasm_bindgen(unchecked_return_type = "Answers.Memory")]
    pub fn memory(&self) -> Answer {
        self.answer(&memory::answer(self.study()?, self.viewing.files()))
    }

    /// What the step waited for, moment by moment.
    #[wasm_bindgen(js_name = criticalPath, unchecked_return_type = "Answers.CriticalPath")]
    pub fn critical_path(&self) -> Answer {
        self.answer(&causality::CriticalPath::of(self.study()?))
    }

    /// The kernels of GPUs by name.
    #[wasm_bindgen(unchecked_return_type = "Answers.Kernels")]
    pub fn kernels(&self) -> Answer {
        let study = self.study()?;
        self.answer(&kernels::Kernels::of(study, &kernels::everything(study)))
    }

    /// What was counted over time.
    #[wasm_bindgen(unchecked_return_type = "Answers.Counters")]
    pub fn counters(&self) -> Answer {
        self.answer(&counters::CounterList::of(self.study()?))
    }

    /// What ran inside of what, made of `layers`, or of what says most.
    #[wasm_bindgen(unchecked_return_type = "Answers.Flame")]
    pub fn flame(&self, layers: Option<String>) -> Answer {
        let layers = layers.map(|word| options::layers(&word)).transpose().map_err(bad_option)?;
        self.answer(&flame::everything(self.study()?, layers))
    }

    /// When ops were ready, scheduled and run.
    #[wasm_bindgen(unchecked_return_type = "Answers.Scheduling")]
    pub fn scheduling(&self) -> Answer {
        self.answer(&scheduling::Scheduling::of(self.study()?, scheduling::Choice::default()))
    }

    /// How long the step would take with all of `changes`, each `WORD=TEXT`; without any, what would help.
    #[wasm_bindgen(js_name = whatIf, unchecked_return_type = "Answers.WhatIf")]
    pub fn what_if(&self, changes: Vec<String>) -> Answer {
        let bad = |BadChange(why)| bad_option(BadOption(why));
        let changes: Result<Vec<Change>, _> = changes.iter().map(|text| Change::parse(text)).collect();
        let study = self.study()?;
        let (_, steps) = study.view().steps(self.viewing.whole());
        let answer = WhatIf::new(study, &Replay::of(study), variation(&steps), &changes.map_err(bad)?);
        self.answer(&answer.map_err(bad)?)
    }

    /// What differs in `other`, the trace after a change. Of all that was opened the typical step is compared.
    #[wasm_bindgen(unchecked_return_type = "Answers.Compare")]
    pub fn compare(&self, other: &OpenTrace) -> Answer {
        let typical = |own: &Self| Ok::<_, JsValue>(Shown::typical(own.study()?, own.viewing.whole()));
        let [a, b] = [typical(self)?, typical(other)?];
        let found = Comparison::made(a.side(), b.side());
        self.answer(&with_findings(&found, [&a, &b]))
    }

    /// The steps and runs in the files.
    #[wasm_bindgen(unchecked_return_type = "Answers.Steps")]
    pub fn steps(&self, rule: &str) -> Answer {
        let rule = options::step_rule(rule).map_err(bad_option)?;
        let (trace, found) = self.viewing.steps(self.study()?, rule);
        self.answer(&steps::answer(&trace, &found, rule, self.viewing.files()))
    }

    /// How far the clocks of the tasks are apart.
    #[wasm_bindgen(unchecked_return_type = "Answers.Clocks")]
    pub fn clocks(&mut self) -> Answer {
        let study = self.shown.as_ref().ok_or_else(not_open)?;
        let found = self.viewing.clocks(&study.view().repairs, Some(study));
        self.answer(&clocks::answer(study.trace(), &found))
    }

    /// What is wrong with a trace that reads well.
    #[wasm_bindgen(unchecked_return_type = "Answers.Doctor")]
    pub fn doctor(&self) -> Answer {
        self.answer(&doctor::answer(self.viewing.whole(), self.study()?))
    }

    /// What is worth changing, by the time that it would save.
    #[wasm_bindgen(unchecked_return_type = "Answers.Findings")]
    pub fn findings(&self) -> Answer {
        let study = self.study()?;
        let variation = self.viewing.variation(study.view());
        let replay = Replay::of(study);
        let found = Findings::found(study, &replay, variation);
        self.answer(&findings::FindingList::new(study, self.viewing.files(), &replay, variation, &found))
    }

    /// All that was opened as a Steplens session, which shows `view`, the fragment of the page's address, with these patterns.
    #[wasm_bindgen(js_name = sessionBytes)]
    pub fn session_bytes(&self, view: String, communication: Vec<String>) -> Vec<u8> {
        let shown = session::Shown { view, communication, ..session::Shown::default() };
        write_shown(self.viewing.opened(), self.viewing.files(), &shown)
    }
}

impl OpenTrace {
    /// All of what was opened.
    pub(crate) fn of(viewing: Viewing) -> Result<Self, JsValue> {
        let words = ViewWords::everything(viewing.communication().to_vec());
        let mut own = Self { viewing, shown: None, has_bigints: Cell::new(false) };
        own.show_view(words)?;
        Ok(own)
    }

    fn show_view(&mut self, words: ViewWords<'_>) -> Result<(), JsValue> {
        let view = self.viewing.view(words, &mut self.shown).map_err(bad_option)?;
        // The old one goes first, so that both are never in memory.
        self.shown = None;
        self.shown = Some(Rc::new(Study::of_view(self.viewing.whole(), view)));
        Ok(())
    }

    fn study(&self) -> Result<&Rc<Study>, JsValue> {
        self.shown.as_ref().ok_or_else(not_open)
    }

    fn answer(&self, answer: &impl Serialize) -> Answer {
        let Plain { value, has_bigints } = plain(answer)?;
        self.has_bigints.set(has_bigints);
        Ok(value)
    }
}
