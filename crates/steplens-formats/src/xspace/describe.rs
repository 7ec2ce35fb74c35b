//! The name and label of an op, from the names of its events and the texts among their stats.
//!
//! A label has one of the forms that [`steplens_core::model::label`] reads: `DETAILS@@NAME:TYPE#` for work of a device for the op
//! called NAME, as TensorFlow writes it for the streams of GPUs, and `[DETAILS] = TYPE()` for everything else.

use super::lines::LineKind;
use super::tables::{Plane, Tables};
use crate::op_type::{
    collective, is_told_by_name, op_of_annotation, push_op_type, runs_xla_program, split_tf_op,
    starts_xla_program, waits_for_arrays, wraps_ops,
};
use std::borrow::Cow;
use steplens_core::{Category, Says};
use steplens_messages::say;

/// The texts of a node, and what a field says about it.
#[derive(Default)]
pub(super) struct Described {
    pub(super) name: Vec<u8>,
    pub(super) label: Vec<u8>,
    pub(super) says: Says,
    pub(super) field: &'static str,
    /// Whether the file has no name for these events.
    pub(super) is_unnamed: bool,
}

/// Where the described events are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Holder {
    /// On a line of a device, and whether the line is work.
    Device(LineKind, bool),
    /// On a line of transfers that no device made.
    Transfers,
    /// On a thread of a host. If the file `has_ops`, the other events of threads are functions around ops, but for those that prepare programs where
    /// it `has_calls`. `is_call`: the events are joined to kernels, which they launch.
    Host { has_ops: bool, has_calls: bool, is_call: bool },
}

/// The number of the step that an event marks.
pub(super) const STEP: &str = "step_num";

/// How PJRT calls that it waits for its turn.
const WAITS_FOR_PROGRAMS: &[u8] = b"ComputeSemaphoreAcquire";

const RANGE: Says = Says::Is(Category::Range);
const WAITING: Says = Says::Is(Category::Waiting);

/// The node for the events of `shape`.
pub(super) fn describe(tables: &Tables, plane: &Plane, holder: Holder, shape: u32) -> Described {
    let names = tables.event_names(plane, shape);
    let (name, display_name) = names.unwrap_or_default();
    let is_unnamed = name.is_empty() && display_name.is_empty();
    let mut described = match holder {
        _ if is_unnamed => {
            let name = say!("event-number", number = (tables.shapes.metadata(shape) as i64).to_string());
            Described { name: name.into_bytes(), label: b"= unknown()".to_vec(), ..Described::default() }
        }
        Holder::Device(..) => {
            let own = if display_name.is_empty() { name } else { display_name };
            on_device(own.as_bytes(), tables.texts_of(plane, shape))
        }
        Holder::Host { .. } | Holder::Transfers => {
            on_host(if name.is_empty() { display_name } else { name }.as_bytes())
        }
    };
    described.is_unnamed = is_unnamed;
    (described.says, described.field) = match holder {
        Holder::Device(kind, is_work) => match kind.says(is_work) {
            (_, says) if says != RANGE && described.is_control_flow() => (RANGE, say!("hint-control-flow")),
            (_, says) if says != RANGE && described.says == Says::Is(Category::Copy) => {
                (described.says, say!("hint-memcpy"))
            }
            (field, says) => (says, field),
        },
        Holder::Transfers => (Says::Is(Category::Communication), "Megascale"),
        Holder::Host { is_call: true, .. } => (Says::Call, say!("hint-stat-correlation")),
        Holder::Host { .. } if waits_for_arrays(&described.name) => (WAITING, "name block_until_ready"),
        Holder::Host { .. } if wraps_ops(&described.name) => (RANGE, say!("hint-around")),
        Holder::Host { .. } if described.name.starts_with(b"$") => (RANGE, say!("hint-frame")),
        Holder::Host { .. } if described.is_control_flow() => (RANGE, say!("hint-control-flow")),
        Holder::Host { .. } if runs_xla_program(&described.name) => {
            (Says::Operator, say!("hint-xla-program"))
        }
        // For the programs that the accelerator has not run yet.
        Holder::Host { has_calls: true, .. } if described.name == WAITS_FOR_PROGRAMS => {
            (WAITING, say!("hint-xla-program"))
        }
        Holder::Host { has_calls: true, .. } if starts_xla_program(&described.name) => {
            (Says::Operator, say!("hint-xla-program"))
        }
        Holder::Host { .. } if is_op(tables, plane, shape) => (Says::Operator, say!("hint-typed-name")),
        // The mark of a step contains what the step ran.
        Holder::Host { .. } if tables.has_number(plane, shape, STEP) => (RANGE, STEP),
        Holder::Host { .. } if is_told_by_name(&described.name) => (Says::Event, ""),
        Holder::Host { has_ops: true, .. } => (RANGE, say!("hint-no-op")),
        Holder::Host { .. } => (Says::Event, ""),
    };
    described
}

impl Described {
    /// Whether it only runs other instructions.
    fn is_control_flow(&self) -> bool {
        let mut op_type = Vec::new();
        push_op_type(&self.name, b"", &mut op_type);
        is_control_flow(&op_type)
    }
}

/// Whether the events of `shape`, on a host, are ops: of TensorFlow, or of a program that XLA compiled for it.
pub(super) fn is_op(tables: &Tables, plane: &Plane, shape: u32) -> bool {
    let name = tables.event_names(plane, shape).map_or("", |(name, _)| name);
    split_tf_op(name.as_bytes()).is_some()
        || runs_xla_program(name.as_bytes())
        || tables.texts_of(plane, shape).any(|(stat, text)| stat == "hlo_op" && !text.is_empty())
}

/// Whether an op of this type only runs other instructions.
fn is_control_flow(op_type: &[u8]) -> bool {
    matches!(op_type, b"while" | b"conditional")
}

/// The node of an event on a host's thread: an op of TensorFlow is `NAME:TYPE`, others are functions.
fn on_host(name: &[u8]) -> Described {
    let (name, label) = match split_tf_op(name) {
        Some((op, op_type)) => (op, label_of(b"", op_type)),
        None => {
            let mut op_type = Vec::new();
            push_op_type(name, b"", &mut op_type);
            (name, label_of(b"", &op_type))
        }
    };
    Described { name: name.to_vec(), label, ..Described::default() }
}

/// A label of the form `[DETAILS] = TYPE()`.
fn label_of(details: &[u8], op_type: &[u8]) -> Vec<u8> {
    let (open, close): (&[u8], &[u8]) = if details.is_empty() { (b"", b"") } else { (b"[", b"] ") };
    [open, details, close, b"= ", op_type, b"()"].concat()
}

/// The node of an event on a stream or core of a device.
fn on_device<'a>(name: &[u8], texts: impl Iterator<Item = (&'a str, Cow<'a, [u8]>)>) -> Described {
    let nothing = Cow::Borrowed(&[][..]);
    let (mut tf_op, mut annotation, mut hlo_op, mut category) =
        (nothing.clone(), nothing.clone(), nothing.clone(), nothing.clone());
    let (mut details, mut is_copy) = (nothing, false);
    for (stat, text) in texts {
        match stat {
            "tf_op" if tf_op.is_empty() => tf_op = text,
            "annotation" if annotation.is_empty() => annotation = text,
            "hlo_op" if hlo_op.is_empty() => hlo_op = text,
            "hlo_category" => category = text,
            "kernel_details" => details = text,
            "memcpy_details" => (details, is_copy) = (text, true),
            _ => {}
        }
    }
    let (tf_op, hlo_op, details) = (&*tf_op, &*hlo_op, &*details);
    // TensorFlow 2.3 to 2.5 leave the stat of the op to their tools (`derived_timeline.cc`), and write only the annotations around the launch.
    let tf_op = match tf_op.is_empty() && hlo_op.is_empty() {
        true => op_of_annotation(&annotation).unwrap_or_default(),
        false => tf_op,
    };
    let op = tf_op.split(|&byte| byte == b':' || byte == b'#').next().unwrap_or_default();
    let op = if op.is_empty() { hlo_op } else { op };
    let mut label = Vec::new();
    let collective = collective(name, &category, name).unwrap_or_default();
    push_op_type(name, collective, &mut label);
    let says = if is_copy { Says::Is(Category::Copy) } else { Says::Nothing };
    if op.is_empty() || is_control_flow(&label) {
        let label = label_of(details, &label);
        return Described { name: name.to_vec(), label, says, ..Described::default() };
    }
    label.clear();
    [details, b"@@", op, b":"].iter().for_each(|part| label.extend_from_slice(part));
    // What ran decides whether it is a copy or a collective, for whatever op it ran.
    if is_copy || starts_with(name, b"nccl") || starts_with(name, b"memcpy") {
        push_op_type(name, b"", &mut label);
    } else if !collective.is_empty() {
        push_op_type(name, collective, &mut label);
    } else if split_tf_op(tf_op).is_some() {
        push_op_type(name, tf_op, &mut label);
    } else {
        // The name of an instruction is better than the path of the op it is from; the name of a C++ kernel is worse.
        let path_end = op.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
        let instruction = [hlo_op, name].into_iter().find(|name| !name.is_empty() && !name.contains(&b':'));
        push_op_type(instruction.unwrap_or(path_end), b"", &mut label);
    }
    label.push(b'#');
    Described { name: name.to_vec(), label, says, ..Described::default() }
}

fn starts_with(name: &[u8], prefix: &[u8]) -> bool {
    name.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use steplens_core::CategoryRules;
    use steplens_core::model::label::op_type;

    fn described_as(described: Described) -> (String, String, Category) {
        let [name, label] =
            [&described.name, &described.label].map(|text| String::from_utf8_lossy(text).into_owned());
        let op_type = op_type(&name, &label).to_owned();
        let category = match described.says {
            Says::Is(category) => category,
            _ => CategoryRules::default().category(&name, &op_type, &label),
        };
        (name, op_type, category)
    }

    #[test]
    fn hosts_run_ops_and_functions() {
        let of = |name: &str| {
            let (name, op_type, _) = described_as(on_host(name.as_bytes()));
            (name, op_type)
        };
        let pair = |name: &str, op_type: &str| (name.to_owned(), op_type.to_owned());
        assert_eq!(of("net/MatMul:_MklMatMul"), pair("net/MatMul", "_MklMatMul"));
        assert_eq!(of("EagerLocalExecute: f_11"), pair("EagerLocalExecute: f_11", "EagerLocalExecute: f_11"));
        assert_eq!(
            of("ThreadpoolListener::Record"),
            pair("ThreadpoolListener::Record", "ThreadpoolListener::Record")
        );
        assert_eq!(of("dot.3"), pair("dot.3", "dot"));
        assert_eq!(of("Iterator::Batch"), pair("Iterator::Batch", "Iterator::Batch"));
    }

    #[test]
    fn devices_run_for_ops() {
        let of = |name: &str, texts: &[(&'static str, &'static str)]| {
            let described = on_device(
                name.as_bytes(),
                texts.iter().map(|&(stat, text)| (stat, Cow::Borrowed(text.as_bytes()))),
            );
            let label = String::from_utf8_lossy(&described.label).into_owned();
            let (_, op_type, category) = described_as(described);
            (label, op_type, category.word())
        };
        let expected =
            |label: &str, op_type: &str, category| (label.to_owned(), op_type.to_owned(), category);
        assert_eq!(
            of("sgemm_32x32", &[("tf_op", "net/MatMul:MatMul"), ("kernel_details", "regs:32 grid:1,1,1")]),
            expected("regs:32 grid:1,1,1@@net/MatMul:MatMul#", "MatMul", "compute")
        );
        assert_eq!(
            of(
                "volta_scudnn",
                &[("annotation", "net/c/Relu:_FusedConv2D#shape=2,2#"), ("kernel_details", "regs:8")]
            ),
            expected("regs:8@@net/c/Relu:_FusedConv2D#", "_FusedConv2D", "compute")
        );
        assert_eq!(
            of("MemcpyH2D", &[("memcpy_details", "kind_src:pageable size:64"), ("tf_op", "x:_Send")]),
            expected("kind_src:pageable size:64@@x:MemcpyH2D#", "MemcpyH2D", "copy")
        );
        let nccl = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
        assert_eq!(
            of(nccl, &[("hlo_op", "all-reduce.1"), ("tf_op", "jit(f)/psum:")]),
            expected(
                "@@jit(f)/psum:ncclDevKernel_AllReduce_Sum_f32_RING_LL#",
                "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
                "communication"
            )
        );
        assert_eq!(
            of("loop_add_fusion", &[("hlo_op", "fusion.12"), ("tf_op", "jit(f)/add")]),
            expected("@@jit(f)/add:fusion#", "fusion", "compute")
        );
        let kernel = "void at::add<float>(int*)";
        assert_eq!(of(kernel, &[("tf_op", "jit(f)/add")]), expected("@@jit(f)/add:add#", "add", "compute"));
        assert_eq!(
            of("all-reduce-start.2", &[("tf_op", "jit(f)/psum")]),
            expected("@@jit(f)/psum:all-reduce-start#", "all-reduce-start", "communication")
        );
        assert_eq!(of("while.2", &[("tf_op", "jit(f)/while")]).0, "= while()");
        assert_eq!(of("all-gather.3", &[]), expected("= all-gather()", "all-gather", "communication"));
        assert_eq!(
            of("void at::sum<4>(int*)", &[("tf_op", ""), ("kernel_details", "regs:8")]),
            expected("[regs:8] = void at::sum<4>()", "void at::sum<4>", "compute")
        );
    }
}
