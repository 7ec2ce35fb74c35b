//! Large results as typed arrays, one array per column.

use js_sys::{Array, Float32Array, JsString, Uint8Array, Uint32Array};
use std::collections::BTreeMap;
use steplens_core::Study;
use steplens_core::marks::{Mark, Marks};
use steplens_core::questions::concurrency::Concurrency;
use steplens_core::timeline::colors::ColorBy;
use wasm_bindgen::prelude::wasm_bindgen;

/// A mark without a text: `NONE` in protocol.ts.
const NONE: u32 = u32::MAX;

/// Marks in columns; see `Marks` in protocol.ts.
#[wasm_bindgen]
pub struct MarksBuffers {
    marks: Vec<Mark>,
    stacks: Vec<u32>,
    text: Vec<u32>,
    names: Array,
    column_ns: f64,
    by: ColorBy,
}

impl MarksBuffers {
    pub(crate) fn of(study: &Study, Marks { marks, stacks, column_ns }: Marks) -> Self {
        let names = Array::new();
        let mut index_of_name = BTreeMap::new();
        let text = marks.iter().map(|mark| {
            if !mark.has_text() {
                return NONE;
            }
            let name = study.mark_title(mark.op);
            *index_of_name.entry(name).or_insert_with(|| names.push(&JsString::from(name)) - 1)
        });
        let text = text.collect();
        let stacks = stacks.into_iter().flat_map(|rows| [rows.start, rows.end]).collect();
        Self { text, names, marks, stacks, column_ns: column_ns as f64, by: study.colors().by() }
    }

    fn u32s(&self, column: impl Fn(&Mark) -> u32) -> Uint32Array {
        Uint32Array::from(self.marks.iter().map(column).collect::<Vec<_>>().as_slice())
    }

    fn f32s(&self, column: impl Fn(&Mark) -> f32) -> Float32Array {
        Float32Array::from(self.marks.iter().map(column).collect::<Vec<_>>().as_slice())
    }

    fn u8s(&self, column: impl Fn(&Mark) -> u8) -> Uint8Array {
        Uint8Array::from(self.marks.iter().map(column).collect::<Vec<_>>().as_slice())
    }
}

#[wasm_bindgen]
impl MarksBuffers {
    /// An index into the query's lanes, and after them into the stacks.
    #[wasm_bindgen(getter)]
    pub fn row(&self) -> Uint32Array {
        self.u32s(|mark| mark.row)
    }

    /// The width of a column.
    #[wasm_bindgen(getter, js_name = columnNs)]
    pub fn column_ns(&self) -> f64 {
        self.column_ns
    }

    /// Left edges in pixels.
    #[wasm_bindgen(getter)]
    pub fn x0(&self) -> Float32Array {
        self.f32s(|mark| mark.x0)
    }

    /// Right edges in pixels.
    #[wasm_bindgen(getter)]
    pub fn x1(&self) -> Float32Array {
        self.f32s(|mark| mark.x1)
    }

    /// Bits 0-2: category and bits 3-5: shade; or bits 0-3: another colour and bit 5: it is a range. Bit 6: the mark matches the search. Bit 7: it is highlighted.
    #[wasm_bindgen(getter)]
    pub fn style(&self) -> Uint8Array {
        self.u8s(|mark| {
            mark.color | mark.shade << 3 | u8::from(mark.is_match) << 6 | u8::from(mark.is_lit) << 7
        })
    }

    /// The op; for a merged mark, the longest of its ops.
    #[wasm_bindgen(getter)]
    pub fn op(&self) -> Uint32Array {
        self.u32s(|mark| mark.op.get())
    }

    /// How many ops each mark stands for.
    #[wasm_bindgen(getter)]
    pub fn count(&self) -> Uint32Array {
        self.u32s(|mark| mark.count)
    }

    /// The share of each mark's width that ops fill, 0 to 255.
    #[wasm_bindgen(getter)]
    pub fn density(&self) -> Uint8Array {
        self.u8s(|mark| mark.density)
    }

    /// What the colours mean: a word of `ColorBy`.
    #[wasm_bindgen(getter, js_name = colorBy)]
    pub fn color_by(&self) -> String {
        self.by.word().to_owned()
    }

    /// The first row and the end of each stack.
    #[wasm_bindgen(getter)]
    pub fn stacks(&self) -> Uint32Array {
        Uint32Array::from(self.stacks.as_slice())
    }

    /// Index into `names`, or `0xffffffff`.
    #[wasm_bindgen(getter)]
    pub fn text(&self) -> Uint32Array {
        Uint32Array::from(self.text.as_slice())
    }

    /// Each name once; `text` has indices into this list.
    #[wasm_bindgen(getter)]
    pub fn names(&self) -> Array {
        self.names.clone()
    }
}

/// How many ops run at once; see `Concurrency` in protocol.ts.
#[wasm_bindgen]
pub struct ConcurrencyBuffers(pub(crate) Concurrency);

#[wasm_bindgen]
impl ConcurrencyBuffers {
    /// By slice and category: the average number of ops in flight.
    #[wasm_bindgen(getter, js_name = inFlight)]
    pub fn in_flight(&self) -> Float32Array {
        Float32Array::from(self.0.averages.as_flattened())
    }

    /// By category: the most ops in flight at any moment.
    #[wasm_bindgen(getter)]
    pub fn peaks(&self) -> Vec<u32> {
        self.0.peaks.to_vec()
    }

    /// The most ops of all categories in flight at any moment.
    #[wasm_bindgen(getter)]
    pub fn peak(&self) -> u32 {
        self.0.peak
    }
}
