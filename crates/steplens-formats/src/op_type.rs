//! Op types of events whose writers record none: taken from the name, without the parts that identify an execution or its
//! arguments.

use steplens_core::model::category;

/// The longest op type taken from a name: names of kernels are whole C++ signatures.
const MAX_OP_TYPE_BYTES: usize = 200;

/// Appends the op type: that of TensorFlow's op if it is known, otherwise the name without the parts that differ from one execution
/// to the next, or from one argument to the next.
///
/// `fusion.12` is a `fusion`, `ProfilerStep#7` a `ProfilerStep`, `void kernel<float>(int)` a `void kernel<float>`.
pub(crate) fn push_op_type(name: &[u8], tf_op: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    // The layouts in the text of an instruction have colons, too: `%copy.1 = bf16[8]{0:T(8)(2,1)} copy(bf16[8] %x)`.
    let tf_op = if instruction(tf_op).is_some() { &[] } else { tf_op };
    if let Some(colon) = tf_op.iter().rposition(|&byte| byte == b':') {
        out.extend(tf_op[colon + 1..].iter().take(MAX_OP_TYPE_BYTES).filter(|&&byte| byte != b'('));
    }
    if out.len() == start {
        // In C++ these brackets are part of names; other brackets begin the arguments.
        const ANONYMOUS: &[u8] = b"(anonymous namespace)::";
        // What waits is another thing than what runs. A bracket would end the type in the label.
        const WAITING: &[u8] = b"(wait for completion)";
        // TorchRec marks what it does: `## load_batch ##`.
        let from = name.iter().position(|byte| !b"# ".contains(byte)).unwrap_or(name.len());
        let mut rest = instruction(name).unwrap_or(&name[from..]);
        while let Some(&byte) = rest.first().filter(|_| out.len() - start < MAX_OP_TYPE_BYTES) {
            if byte == b'('
                && let Some(after) = rest.strip_prefix(ANONYMOUS)
            {
                rest = after;
            } else if let Some(after) = rest.strip_prefix(WAITING) {
                out.extend_from_slice(&WAITING[1..WAITING.len() - 1]);
                rest = after;
            } else if matches!(byte, b'(' | b'#') {
                break;
            } else {
                out.push(byte);
                rest = &rest[1..];
            }
        }
        let digits = out[start..].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let stem = out.len() - digits;
        if digits > 0 && stem > start + 1 && out[stem - 1] == b'.' {
            out.truncate(stem - 1);
        }
    }
    out.truncate(start + out[start..].trim_ascii_end().len());
    if out.len() == start {
        // A name that begins with a bracket has no other type: `(dispatch) send 3`. In a label the bracket would end it.
        let plain = name.iter().filter(|byte| !b"()#%".contains(byte)).take(MAX_OP_TYPE_BYTES);
        out.extend(plain);
        let digits = out[start..].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        let stem = &out[start..out.len() - digits];
        let numbered = digits > 0 && stem.last().is_some_and(|last| b" ._".contains(last));
        let kept = if numbered { stem.len() - 1 } else { out.len() - start };
        let own = out[start..start + kept].trim_ascii().to_vec();
        out.truncate(start);
        out.extend_from_slice(&own);
    }
    if out.len() == start {
        out.extend_from_slice(b"unknown");
    }
}

/// The name of an instruction of XLA in its text: `copy.1` of `%copy.1 = bf16[8] copy(bf16[8] %x)`.
fn instruction(text: &[u8]) -> Option<&[u8]> {
    let text = text.strip_prefix(b"%")?;
    Some(&text[..text.windows(3).position(|own| own == b" = ")?])
}

/// XLA's collectives, as types behind a colon: those that end later than they begin first.
const COLLECTIVES: [&[u8]; 14] = [
    b":all-reduce-start",
    b":all-reduce-done",
    b":all-reduce",
    b":all-gather-start",
    b":all-gather-done",
    b":all-gather",
    b":reduce-scatter",
    b":all-to-all",
    b":ragged-all-to-all",
    b":collective-permute-start",
    b":collective-permute-done",
    b":collective-permute",
    b":collective-broadcast",
    b":barrier",
];

/// The collective that an instruction of XLA is, as `:TYPE`, where its name does not say it: newer JAX names instructions after its primitives,
/// such as `psum.7`. `category` is its `hlo_category`, `text` all of it: `%psum.7 = bf16[8,4] all-reduce(bf16[8,4] %x)`.
pub(crate) fn collective(name: &[u8], category: &[u8], text: &[u8]) -> Option<&'static [u8]> {
    let starts = |text: &[u8], own: &[u8]| text.starts_with(&own[1..]);
    let name = name.strip_prefix(b"%").unwrap_or(name);
    if COLLECTIVES.iter().any(|own| starts(name, own)) {
        return None;
    }
    let is = |text: &[u8], own: &[u8]| {
        starts(text, own) && text.get(own.len() - 1).is_none_or(|next| b" (".contains(next))
    };
    let says = if category.is_empty() { opcode(text).unwrap_or_default() } else { category };
    COLLECTIVES.iter().copied().find(|own| is(says, own))
}

/// The operation of an instruction, from there on: what follows its type, which may be a tuple with spaces.
fn opcode(text: &[u8]) -> Option<&[u8]> {
    let from = text.windows(3).position(|own| own == b" = ")? + 3;
    let mut depth = 0_i32;
    let end = text[from..].iter().position(|byte| {
        depth += i32::from(b"([{".contains(byte)) - i32::from(b")]}".contains(byte));
        depth == 0 && *byte == b' '
    })?;
    text.get(from + end + 1..)
}

/// Splits `NAME:TYPE`, if both are valid in TensorFlow: `EagerLocalExecute: f` and `std::sort` are not.
pub(crate) fn split_tf_op(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = text.iter().position(|&byte| byte == b':')?;
    let (name, op_type) = (&text[..colon], &text[colon + 1..]);
    let in_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_./>-".contains(byte);
    let in_type = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let is_op = name.first().is_some_and(|first| first.is_ascii_alphanumeric() || *first == b'.')
        && op_type.first().is_some_and(|first| first.is_ascii_uppercase() || *first == b'_')
        && name.iter().all(in_name)
        && op_type.iter().all(in_type);
    is_op.then_some((name, op_type))
}

/// The innermost `NAME:TYPE` of TensorFlow's annotations around a launch: `OUTER::INNER`, each with its details between `#`
/// (`tensorflow/core/profiler/lib/scoped_annotation.h`), such as `x/_8:_Recv#from=x,to=y#::#edge_name=edge_43_x#`.
pub(crate) fn op_of_annotation(text: &[u8]) -> Option<&[u8]> {
    let mut found = None;
    let mut rest = text;
    loop {
        let end = rest.windows(2).position(|two| two == b"::").unwrap_or(rest.len());
        let own = rest[..end].split(|&byte| byte == b'#').next().unwrap_or_default();
        found = split_tf_op(own).map(|_| own).or(found);
        match rest.get(end + 2..) {
            Some(next) => rest = next,
            None => return found,
        }
    }
}

/// Whether a function on a host compiles a program of XLA (`PjRtCpuClient::Compile`, `PjRtStreamExecutorClient::CompileAndLoad`), or runs a whole one on
/// the CPU: its ops are not recorded (JAX before 0.5), or they end later than their
/// events, in other threads, and this function waits for them. (`xla/pjrt/cpu/cpu_client.cc`)
pub(crate) fn runs_xla_program(name: &[u8]) -> bool {
    let is_call = name.strip_suffix(b"::ExecuteHelper").is_some_and(|class| contains(class, b"Cpu"));
    is_call || contains(name, b"Client::Compile") || name == b"ThunkExecutor::Execute (wait for completion)"
}

/// Whether a function of a host gives a program of XLA to an accelerator, so that it is work of the host where calls of the driver are recorded, too.
pub(crate) fn starts_xla_program(name: &[u8]) -> bool {
    std::str::from_utf8(name).is_ok_and(category::starts_program)
}

/// How functions of XLA's runtime are called that wait: a class, and one of these.
const WAITS: [&[u8]; 8] = [
    b"::BlockHostUntilReady",
    b"::BlockHostUntilDone",
    b"BlockUntilReady",
    b"Buffer::Await",
    b"Array::Await",
    b"Future::Await",
    b"Event::Await",
    b"Event::BlockUntilReadyOrError",
];

/// Whether an event of a host is JAX's wait for arrays: the function of Python (`$api.py:2754 block_until_ready`), that of the runtime
/// (`TfrtCpuBuffer::BlockHostUntilReady`, `CommonPjRtBuffer::Await`, `PjRtFuture::Await`, a stream's `BlockHostUntilDone`; an op that awaits others of a pool still runs), or one that reads values and so waits until they are computed: `jax/_src/array.py` calls it
/// `np.asarray(jax.Array)`, before 2021 it was `PyLocalBuffer::ToLiteral`. Later functions of this name return before that.
pub(crate) fn waits_for_arrays(name: &[u8]) -> bool {
    match name {
        [b'$', ..] => name.ends_with(b" block_until_ready"),
        b"np.asarray(jax.Array)" | b"PyLocalBuffer::ToLiteral" | b"PyTpuBuffer::ToLiteral" => true,
        b"BlockHostUntilReady" | b"BlockHostUntilDone" => true,
        _ => WAITS.iter().any(|end| name.ends_with(end)),
    }
}

/// Whether an event of a host is what TensorFlow 2 puts around the ops of a step (Keras' `Trace`) or of a function: the ops run on other threads,
/// and its own thread waits for them.
pub(crate) fn wraps_ops(name: &[u8]) -> bool {
    matches!(name, b"TraceContext" | b"FunctionRun")
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// Whether the name of an event on a host shows its kind, though no field does: input, or a call into a driver.
pub(crate) fn is_told_by_name(name: &[u8]) -> bool {
    std::str::from_utf8(name).is_ok_and(|name| {
        category::is_input(name) || category::is_loading(name) || category::is_driver_call(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_of_xla_are_collectives_by_their_category_or_text() {
        let text = b"%psum.7 = (bf16[8,4]{1,0:T(8,128)(2,1)}, f32[]) all-reduce(bf16[8,4] %x, f32[] %y)";
        assert_eq!(collective(b"psum.7", b"all-reduce", b""), Some(&b":all-reduce"[..]));
        assert_eq!(collective(b"psum.7", b"", text), Some(&b":all-reduce"[..]));
        assert_eq!(
            collective(b"ppermute.1", b"collective-permute-done", b""),
            Some(&b":collective-permute-done"[..])
        );
        // Its name says it.
        assert_eq!(collective(b"all-reduce.7", b"all-reduce", b""), None);
        assert_eq!(collective(b"psum.7", b"loop fusion", text), None);
        assert_eq!(collective(b"fusion.1", b"", b"%fusion.1 = f32[8] fusion(f32[8] %all-reduce.1)"), None);
        assert_eq!(collective(b"x", b"", b"%x = "), None);
    }

    #[test]
    fn programs_of_xla_run_on_the_cpu() {
        assert!(
            waits_for_arrays(b"CommonPjRtBuffer::Await") && !waits_for_arrays(b"SlinkyThreadPool::Await")
        );
        assert!(runs_xla_program(b"TfrtCpuExecutable::ExecuteHelper"));
        assert!(runs_xla_program(b"PjRtCpuExecutable::ExecuteHelper"));
        assert!(runs_xla_program(b"ThunkExecutor::Execute (wait for completion)"));
        assert!(runs_xla_program(b"PjRtCpuClient::Compile"));
        assert!(runs_xla_program(b"PjRtStreamExecutorClient::CompileAndLoad"));
        assert!(!runs_xla_program(b"TfrtCpuExecutable::Execute"));
        // It launches, and does not run.
        let launches: &[u8] = b"PjRtStreamExecutorLoadedExecutable::ExecuteHelper";
        assert!(!runs_xla_program(launches) && starts_xla_program(launches));
        assert!(starts_xla_program(b"PjitFunction(f)") && starts_xla_program(b"command_buffer::update"));
        assert!(!starts_xla_program(b"PJRT_LoadedExecutable_Execute linkage"));
    }

    #[test]
    fn annotations_name_the_op_of_a_launch() {
        let of = |text: &str| {
            op_of_annotation(text.as_bytes()).map(|own| String::from_utf8_lossy(own).into_owned())
        };
        assert_eq!(of("net/c/Relu:_FusedConv2D").as_deref(), Some("net/c/Relu:_FusedConv2D"));
        assert_eq!(of("x/_8:_Recv#from=x,to=y#::#edge_name=edge_43_x#").as_deref(), Some("x/_8:_Recv"));
        assert_eq!(of("f:PartitionedCall::net/m:MatMul#shape=2,2#").as_deref(), Some("net/m:MatMul"));
        for none in ["", "::", "#edge_name=copy#", "XlaModule:#hlo_module=f#::XlaOp:#hlo_op=add.1#", "a::b"] {
            assert_eq!(of(none), None, "{none}");
        }
    }

    #[test]
    fn jax_waits_for_arrays() {
        assert!(waits_for_arrays(b"$api.py:2743 block_until_ready"));
        assert!(waits_for_arrays(b"PyLocalBuffer::BlockHostUntilReady"));
        assert!(waits_for_arrays(b"Stream::BlockHostUntilDone") && waits_for_arrays(b"PjRtFuture::Await"));
        assert!(waits_for_arrays(b"np.asarray(jax.Array)"));
        assert!(!waits_for_arrays(b"TfrtCpuBuffer::ToLiteral"));
        assert!(!waits_for_arrays(b"$api.py:2754 try_to_block"));
        assert!(!waits_for_arrays(b"$test.py:3 test_block_until_ready"));
        assert!(!waits_for_arrays(b"block_until_ready_of_mine"));
    }

    #[test]
    fn op_types_of_any_writer() {
        let of = |name: &str, tf_op: &str| {
            let mut out = Vec::new();
            push_op_type(name.as_bytes(), tf_op.as_bytes(), &mut out);
            String::from_utf8_lossy(&out).into_owned()
        };
        assert_eq!(of("fusion.12", ""), "fusion");
        assert_eq!(of("aten::add_", ""), "aten::add_");
        assert_eq!(of("ProfilerStep#7", ""), "ProfilerStep");
        assert_eq!([of("## load_batch ##", ""), of("# # ", "")], ["load_batch", "unknown"]);
        assert_eq!(of("Memcpy HtoD (Pinned -> Device)", ""), "Memcpy HtoD");
        assert_eq!(of("void at::(anonymous namespace)::sum<4>(int*)", ""), "void at::sum<4>");
        assert_eq!(of("sgemm_128x64", "model/dense/MatMul:MatMul"), "MatMul");
        assert_eq!(of("dot", "jit(f)/jit(main)/dot_general"), "dot");
        let text = "%copy-start.3 = (bf16[8,4]{1,0:T(8,128)(2,1)S(1)}, u32[]{:S(2)}) copy-start(bf16[8,4]{1,0:T(8,128)} %x)";
        assert_eq!([of("copy-start.3", text), of(text, "")], ["copy-start", "copy-start"]);
        assert_eq!(
            [of("", ""), of("(a)", ":"), of("()", ""), of(".5", "")],
            ["unknown", "a", "unknown", ".5"]
        );
        assert_eq!([of("(dispatch) send", ""), of("(dispatch) send 12", "")], ["dispatch send"; 2]);
        assert_eq!(of(&"é".repeat(1_000), "").len(), MAX_OP_TYPE_BYTES);
    }
}
