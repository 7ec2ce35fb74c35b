//! The work of PyTorch's operators, by the shapes, types and values of their arguments (`record_shapes=True`).
//!
//! Only operators that carry it out are here, not those that call them (`aten::linear`, `aten::conv2d`). Attention with a causal mask has none: how much of
//! it a kernel leaves out, nothing says.

use super::Work;
use super::formulas::{Steps, attention, convolution, elements, product};
use crate::model::arguments::Noun;
use crate::model::input_bytes::{float_bytes, shapes_of, texts_of};
use crate::{Flops, OpId, StringId, Trace};
use foldhash::fast::FixedState;
use hashbrown::HashMap;

/// What an operator carries out, and where its arguments are.
#[derive(Clone, Copy)]
enum Formula {
    /// A product of the arguments from this place on.
    Product(usize),
    /// A convolution of the first two, with stride, padding and dilation at these places.
    Convolution([usize; 3]),
    /// The gradients of a convolution.
    ConvolutionBackward,
    /// Attention: the place of queries, keys and values; of lengths for each of several sequences, if there are such; and of the kind of mask.
    Attention { tensors: usize, lengths: usize, mask: usize, is_backward: bool },
}

/// By the names of `native_functions.yaml`.
fn formula(op_type: &str) -> Option<Formula> {
    use Formula::{Attention, Convolution, ConvolutionBackward, Product};
    let backward = |tensors, lengths, mask| Attention { tensors, lengths, mask, is_backward: true };
    let forward = |lengths, mask| Attention { tensors: 0, lengths, mask, is_backward: false };
    Some(match op_type.strip_prefix("aten::")? {
        "mm" | "bmm" | "_scaled_mm" => Product(0),
        "addmm" | "baddbmm" | "_addmm_activation" => Product(1),
        "cudnn_convolution" => Convolution([3, 2, 4]),
        "miopen_convolution" | "mkldnn_convolution" => Convolution([4, 3, 5]),
        "convolution_backward" => ConvolutionBackward,
        "_flash_attention_forward" => forward(3, 8),
        "_efficient_attention_forward" => forward(4, 9),
        "_flash_attention_backward" => backward(1, 6, 11),
        "_efficient_attention_backward" => backward(1, 6, 14),
        _ => return None,
    })
}

/// Whether operators of this type have a formula.
pub(super) fn has_formula(op_type: &str) -> bool {
    formula(op_type).is_some()
}

/// Works by form of arguments and op type: these are few.
pub(super) type OfForm = HashMap<(usize, StringId), Option<Work>, FixedState>;

/// The work of `op`, if it is an operator of PyTorch whose arguments say it.
pub(super) fn work(trace: &Trace, op: OpId, of_form: &mut OfForm) -> Option<Work> {
    let op_type = trace.nodes().op_type(trace.ops().node(op));
    let form = trace.arguments().form(op)?;
    *of_form.entry((form, op_type)).or_insert_with(|| {
        let said = |noun| {
            let own = trace.arguments().of(op).find(|own| Noun::of(own.name) == Some(noun))?;
            Some(own.value.shown())
        };
        let (shapes, types, values) = (said(Noun::Shapes)?, said(Noun::Types), said(Noun::Inputs));
        Given {
            shapes: shapes_of(&shapes)?,
            types: types.as_deref().and_then(texts_of).unwrap_or_default(),
            values: values.as_deref().and_then(texts_of).unwrap_or_default(),
        }
        .work(formula(trace.text(op_type))?)
    })
}

/// The arguments of an operator.
struct Given<'a> {
    shapes: Vec<Option<Vec<u64>>>,
    types: Vec<&'a str>,
    values: Vec<&'a str>,
}

impl Given<'_> {
    fn shape(&self, place: usize) -> Option<&[u64]> {
        self.shapes.get(place)?.as_deref()
    }

    /// The bytes of an element, if the tensors at `places` are all of one type; `Err` where one has no numbers with a fraction.
    fn item<const N: usize>(&self, places: [usize; N]) -> Result<Option<u64>, ()> {
        if self.types.is_empty() {
            return Ok(None);
        }
        let types = places.map(|place| self.types.get(place).copied().unwrap_or_default());
        if types.iter().any(|&name| float_bytes(name).is_none()) {
            return Err(());
        }
        let first = types.first().filter(|first| types.iter().all(|own| own == *first));
        // What is made of numbers with 8 bits has more.
        Ok(first.and_then(|own| float_bytes(own)).filter(|&bytes| bytes > 1))
    }

    /// The whole numbers of a list: `[2, 2]`.
    fn numbers(&self, place: usize) -> Option<Vec<u64>> {
        let inner = self.values.get(place)?.strip_prefix('[')?.strip_suffix(']')?;
        inner.split(',').map(|number| number.trim().parse().ok()).collect()
    }

    fn says(&self, place: usize, wanted: &str) -> bool {
        self.values.get(place) == Some(&wanted)
    }

    fn work(&self, formula: Formula) -> Option<Work> {
        match formula {
            Formula::Product(first) => {
                let (a, b) = (self.shape(first)?, self.shape(first + 1)?);
                let is_plain = matches!(a.len(), 2 | 3);
                product(a, b, self.item([first, first + 1]).ok()?).filter(|_| is_plain)
            }
            Formula::Convolution([stride, padding, dilation]) => {
                let (input, weight) = (self.shape(0)?, self.shape(1)?);
                let steps = Steps {
                    stride: self.numbers(stride)?,
                    padding: self.numbers(padding)?,
                    dilation: self.numbers(dilation)?,
                };
                let made = steps.made(input, weight)?;
                let moved = [elements(input)?, elements(weight)?, elements(&made)?];
                convolution(&made, weight, &moved, self.item([0, 1]).ok()?)
            }
            Formula::ConvolutionBackward => self.convolution_backward(),
            Formula::Attention { tensors, lengths, mask, is_backward } => {
                let is_whole = self.says(mask, "False") || self.says(mask, "0");
                // Several sequences stand one behind the other in one tensor: which ones meet, lengths say, and not shapes.
                let is_one = self.shape(lengths).is_some_and(<[u64]>::is_empty)
                    && self.types.get(lengths).is_none_or(|own| own.is_empty());
                let [q, k, v] = [0, 1, 2].map(|place| self.shape(tensors + place));
                let item = self.item([tensors, tensors + 1, tensors + 2]).ok()?;
                attention([q?, k?, v?], is_backward, item).filter(|_| is_whole && is_one)
            }
        }
    }

    /// `(grad_output, input, weight, bias_sizes, stride, padding, dilation, transposed, output_padding, groups, output_mask)`: the gradient of the input and
    /// that of the weights are as much as the convolution, each if the mask asks for it.
    fn convolution_backward(&self) -> Option<Work> {
        let [made, input, weight] = [0, 1, 2].map(|place| self.shape(place));
        let (made, input, weight) = (made?, input?, weight?);
        let mask: Vec<&str> =
            self.values.get(10)?.strip_prefix('[')?.split([',', ']']).map(str::trim).collect();
        let gradients = mask.iter().take(2).filter(|&&own| own == "True").count();
        if !self.says(7, "False") || gradients == 0 {
            return None;
        }
        // The gradient of what was made is read once; each of the others needs one factor, and is as large as the other one.
        let factors = [elements(input)?, elements(weight)?].repeat(gradients);
        let moved = [&[elements(made)?], factors.as_slice()].concat();
        let once = convolution(made, weight, &moved, self.item([0, 1, 2]).ok()?)?;
        let flops = once.flops?.0.checked_mul(gradients as u64)?;
        Some(Work { flops: Some(Flops(flops)), ..once })
    }
}
