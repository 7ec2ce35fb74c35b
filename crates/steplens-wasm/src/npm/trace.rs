//! An open trace, and every question that it answers.

use super::columns;
use super::fault::{bad_option, not_open};
use super::plain::{Plain, plain};
use std::cell::Cell;
use std::rc::Rc;
use steplens_core::Study;
use steplens_core::compare::Comparison;
use steplens_formats::session::{self, write_shown};
use steplens_report::answers::{Asker, by_name, chosen, no_such};
use steplens_report::compare::{self, with_findings};
use steplens_report::question::{Question, Shown};
use steplens_report::viewing::{ViewWords, Viewing};
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

    /// The answer called `name`; `options` is the JSON of what is chosen.
    pub fn answer(&self, name: &str, options: &str) -> Answer {
        let shown = self.viewing.shown(self.study()?);
        let plain = by_name(name, AsObject { options, shown: &shown });
        self.noted(plain.unwrap_or_else(|| Err(bad_option(no_such(name))))?)
    }

    /// Every op, as typed arrays.
    #[wasm_bindgen(js_name = opColumns, unchecked_return_type = "OpColumns")]
    pub fn op_columns(&self) -> Answer {
        Ok(columns::of(self.study()?))
    }

    /// What differs in `other`, the trace after a change. Of all that was opened the typical step is compared.
    #[wasm_bindgen(unchecked_return_type = "Answers.Compare")]
    pub fn compare(&self, other: &OpenTrace) -> Answer {
        let typical =
            |own: &Self| Ok::<_, JsValue>(compare::Shown::typical(own.study()?, own.viewing.whole()));
        let [a, b] = [typical(self)?, typical(other)?];
        let found = Comparison::made(a.side(), b.side());
        self.noted(plain(&with_findings(&found, [&a, &b]))?)
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

    fn noted(&self, Plain { value, has_bigints }: Plain) -> Answer {
        self.has_bigints.set(has_bigints);
        Ok(value)
    }
}

/// Makes the answer that is asked for an object.
struct AsObject<'a, 's> {
    options: &'a str,
    shown: &'a Shown<'s>,
}

impl Asker for AsObject<'_, '_> {
    type Said = Result<Plain, JsValue>;

    fn ask<Q: Question>(self) -> Self::Said {
        let question = chosen::<Q>(self.options).map_err(bad_option)?;
        plain(&question.answer(self.shown).map_err(bad_option)?)
    }
}
