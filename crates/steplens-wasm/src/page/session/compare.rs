//! What differs between this session's trace, *A*, and that of another session, *B*.

use super::{Session, error, not_open};
use steplens_core::base::pace::{Parts, Work};
use steplens_core::compare::Comparison;
use steplens_core::compare::change::Pairs;
use steplens_core::compare::joined::Which;
use steplens_core::compare::samples::typical_step;
use steplens_core::{OpId, Study};
use steplens_messages::say;
use steplens_report as report;
use steplens_report::compare::{ForPage, Shown, with_findings};
use steplens_report::viewing::ViewWords;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

/// No partner: `NONE` in protocol.ts.
const NONE: u32 = u32::MAX;

#[wasm_bindgen]
impl Session {
    /// Opens a second session that shares the trace and shows all of it. Reads nothing again.
    pub fn sibling(&self) -> Result<Session, JsValue> {
        let viewing = self.viewing()?.sibling();
        let words = ViewWords::everything(viewing.communication().to_vec());
        let mut sibling = Self::of(None, Vec::new(), Some(viewing));
        sibling.show(words)?;
        Ok(sibling)
    }

    /// The row of the step to compare if nobody chose one; nothing if there is only one.
    #[wasm_bindgen(js_name = typicalStep)]
    pub fn typical_step(&self) -> Result<Option<usize>, JsValue> {
        let (_, steps) = self.study()?.view().steps(self.whole()?);
        Ok(typical_step(&steps, None))
    }

    /// Does one piece of comparing with `other`, which is B. Returns `ComparePage` after the last piece, and nothing before.
    #[wasm_bindgen(js_name = compareOne)]
    pub fn compare_one(&mut self, other: &Session) -> Result<Option<String>, JsValue> {
        let mut work = match self.compare_begun.take() {
            Some(begun) => begun,
            None => self.begin_comparing(other)?,
        };
        match work.go_on() {
            Some(ForPage { answer, pairs }) => {
                self.pairs = Some(pairs);
                Ok(Some(answer))
            }
            None => {
                self.compare_begun = Some(work);
                Ok(None)
            }
        }
    }

    /// (parts done, parts in total) while two traces are compared in pieces; empty otherwise.
    #[wasm_bindgen(js_name = compareParts)]
    pub fn compare_parts(&self) -> Vec<u32> {
        let parts = self.compare_begun.as_ref().map(Work::parts);
        parts.map_or(Vec::new(), |Parts { done, of }| vec![done, of])
    }

    /// Does one piece of finding what would help in both. Returns `ComparedFindings` after the last piece, and nothing before.
    #[wasm_bindgen(js_name = compareFindingsOne)]
    pub fn compare_findings_one(&mut self, other: &Session) -> Result<Option<String>, JsValue> {
        let mut work = match self.compared_findings_begun.take() {
            Some(begun) => begun,
            None => {
                let variation = |own: &Self| Ok::<_, JsValue>(own.viewing()?.variation(own.study()?.view()));
                let sides = [(self.study()?, variation(self)?), (other.study()?, variation(other)?)];
                report::compare::findings_for_page(sides)
            }
        };
        let answer = work.go_on();
        if answer.is_none() {
            self.compared_findings_begun = Some(work);
        }
        Ok(answer)
    }

    /// (parts done, parts in total) while what would help in both is found in pieces; empty otherwise.
    #[wasm_bindgen(js_name = compareFindingsParts)]
    pub fn compare_findings_parts(&self) -> Vec<u32> {
        let parts = self.compared_findings_begun.as_ref().map(Work::parts);
        parts.map_or(Vec::new(), |Parts { done, of }| vec![done, of])
    }

    /// Call before another session is shown differently, or freed: what was found about it is forgotten.
    #[wasm_bindgen(js_name = forgetCompared)]
    pub fn forget_compared(&mut self) {
        (self.compare_begun, self.compared_findings_begun, self.pairs) = (None, None, None);
    }

    /// `steplens.compare/1`, as the command line prints it. Of all that was opened the typical step is compared.
    #[wasm_bindgen(js_name = compareJson)]
    pub fn compare_json(&self, other: &Session) -> Result<String, JsValue> {
        let typical = |own: &Self| Ok::<_, JsValue>(Shown::typical(own.study()?, own.whole()?));
        let [a, b] = [typical(self)?, typical(other)?];
        let found = Comparison::made(a.side(), b.side());
        Ok(with_findings(&found, [&a, &b]).to_text())
    }

    /// For each of `ops`, which are of B if `of_b`, its partner or `0xffffffff`, and how it changed: 0 not, 1 slower, 2 faster in B,
    /// 3 without a partner.
    #[wasm_bindgen(js_name = comparedOps)]
    pub fn compared_ops(&self, other: &Session, of_b: bool, ops: &[u32]) -> Result<Vec<u32>, JsValue> {
        let (pairs, studies, side) = (self.pairs()?, self.both(other)?, side(of_b));
        let of_op = |&op: &u32| {
            let op = OpId::new(op);
            [pairs.partner(side, op).map_or(NONE, OpId::get), pairs.change(studies, side, op) as u32]
        };
        Ok(ops.iter().flat_map(of_op).collect())
    }

    /// `ComparedPair`: an op, which is of B if `of_b`, and its partner.
    #[wasm_bindgen(js_name = comparedPair)]
    pub fn compared_pair(&self, other: &Session, of_b: bool, op: u32) -> Result<String, JsValue> {
        let found = report::compare::pair(self.pairs()?, self.both(other)?, side(of_b), OpId::new(op));
        found.ok_or_else(|| error("no-such-op", &say!("no-such-op", op)))
    }
}

impl Session {
    fn compared(&self) -> Result<Shown, JsValue> {
        Ok(Shown::of(self.study()?, self.whole()?))
    }

    fn begin_comparing(&self, other: &Session) -> Result<Work<ForPage>, JsValue> {
        Ok(report::compare::for_page(self.compared()?, other.compared()?))
    }

    fn pairs(&self) -> Result<&Pairs, JsValue> {
        self.pairs.as_ref().ok_or_else(not_open)
    }

    fn both<'a>(&'a self, other: &'a Session) -> Result<[&'a Study; 2], JsValue> {
        Ok([self.study()?, other.study()?])
    }
}

fn side(of_b: bool) -> Which {
    if of_b { Which::B } else { Which::A }
}
