//! The phases of a training step, as names record them.
//!
//! | framework | backward | optimizer | forward |
//! |---|---|---|---|
//! | PyTorch | `autograd::engine::…`, `…Backward0`, `…_backward` | `Optimizer.step#…`, `Optimizer.zero_grad#…` | `….forward` |
//! | TensorFlow | the scopes `gradients`, `gradients_1`, `gradient_tape` | ops that apply gradients; scopes of optimizers: `Adam`, `SGD_1` | |
//! | JAX | `transpose(jvp(…))` | | `jvp(…)` |
//! | a program's own ranges | `## backward ##`, `loss.backward` | `optimizer step` | `forward pass` |
//!
//! Of several scopes of one name the innermost decides: `train/Adam/gradients/AddN` is of the backward pass.

use super::category::words;

/// A phase of a training step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// From the batch to the loss.
    Forward,
    /// From the loss to the gradients.
    Backward,
    /// From the gradients to new weights.
    Optimizer,
}

/// Names of optimizers' scopes in TensorFlow and Keras, without a number and without `Optimizer` behind them.
const OPTIMIZERS: [&str; 14] = [
    "Adam",
    "AdamW",
    "Adamax",
    "Adadelta",
    "Adagrad",
    "AdagradDA",
    "Ftrl",
    "GradientDescent",
    "LAMB",
    "Momentum",
    "Nadam",
    "ProximalAdagrad",
    "RMSProp",
    "SGD",
];
/// Beginnings of the types of TensorFlow's ops that apply gradients (`training_ops.cc`).
const APPLYING: [&str; 4] = ["Apply", "ResourceApply", "SparseApply", "ResourceSparseApply"];
/// Longer names are not those of a phase.
const MOST_OF_RANGE: usize = 48;
/// How much of a name is read: very long names may be shared by very many op types.
const MOST_BYTES: usize = 512;

impl Phase {
    /// All of them, in the order of a step.
    pub const ALL: [Self; 3] = [Self::Forward, Self::Backward, Self::Optimizer];

    /// The phase that an op is of by its own name and type. `is_range`: a program may have marked it.
    pub fn of_name(name: &str, op_type: &str, is_range: bool) -> Option<Self> {
        let name = &name[..name.floor_char_boundary(MOST_BYTES)];
        if is_range {
            return of_torch(name).or_else(|| of_mark(name));
        }
        if APPLYING.iter().any(|&own| begins_word(op_type, own)) {
            return Some(Self::Optimizer);
        }
        of_torch(name).or_else(|| of_jax(name)).or_else(|| of_scopes(name))
    }
}

/// Whether a word in CamelCase begins with `own`: `ApplyAdam`, and not `Applying`.
fn begins_word(name: &str, own: &str) -> bool {
    name.strip_prefix(own).is_some_and(|rest| rest.starts_with(|next: char| next.is_ascii_uppercase()))
}

fn of_torch(name: &str) -> Option<Phase> {
    if name.starts_with("Optimizer.step#") || name.starts_with("Optimizer.zero_grad#") {
        return Some(Phase::Optimizer);
    }
    let is_operator = name.starts_with("aten::") || name.starts_with("torch::");
    let bare = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
    if name.starts_with("autograd::engine::")
        || bare.ends_with("Backward") && !bare.contains(['/', ' '])
        || is_operator && name.contains("_backward")
    {
        return Some(Phase::Backward);
    }
    name.ends_with("DataParallel.forward").then_some(Phase::Forward)
}

fn of_jax(name: &str) -> Option<Phase> {
    if name.contains("transpose(jvp(") {
        return Some(Phase::Backward);
    }
    name.contains("jvp(").then_some(Phase::Forward)
}

fn of_scopes(name: &str) -> Option<Phase> {
    let is_numbered = |rest: &str| {
        rest.is_empty()
            || rest
                .strip_prefix('_')
                .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let is = |scope: &str, own: &str| scope.strip_prefix(own).is_some_and(is_numbered);
    // The last part is the name of the op itself.
    let (scopes, _) = name.rsplit_once('/')?;
    scopes.rsplit('/').find_map(|scope| {
        if is(scope, "gradients") || is(scope, "gradient_tape") {
            return Some(Phase::Backward);
        }
        let is_optimizer = |own: &str| {
            scope
                .strip_prefix(own)
                .is_some_and(|rest| is_numbered(rest.strip_prefix("Optimizer").unwrap_or(rest)))
        };
        OPTIMIZERS.iter().any(|&own| is_optimizer(own)).then_some(Phase::Optimizer)
    })
}

/// What a program marked: a range that is called after a phase, and nothing else.
fn of_mark(name: &str) -> Option<Phase> {
    if name.len() > MOST_OF_RANGE || !name.is_ascii() || name.contains("::") || name.starts_with('$') {
        return None;
    }
    let mut found = None;
    for word in words(name) {
        let is = |known: &[&str]| known.iter().any(|own| word.eq_ignore_ascii_case(own));
        let phase = match () {
            () if is(&["forward", "fwd"]) => Phase::Forward,
            () if is(&["backward", "bwd", "backprop"]) => Phase::Backward,
            () if is(&["optimizer", "optim", "opt"]) => Phase::Optimizer,
            () if is(&["pass", "step", "loss", "model", "the", "update", "train", "training"]) => continue,
            () if word.bytes().all(|byte| byte.is_ascii_digit()) => continue,
            () => return None,
        };
        // `forward_backward` is both.
        if found.is_some_and(|before| before != phase) {
            return None;
        }
        found = Some(phase);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_each_framework_are_known() {
        let op = |name: &str, op_type: &str| Phase::of_name(name, op_type, false);
        let mark = |name: &str| Phase::of_name(name, name, true);
        for (name, op_type) in [
            ("autograd::engine::evaluate_function: AddmmBackward0", ""),
            ("AddmmBackward0", ""),
            ("aten::convolution_backward", ""),
            ("gradients/AddN_3", "AddN"),
            ("training/Adam/gradients/loss/mul_grad/Mul", "Mul"),
            ("gradient_tape/sequential/dense/MatMul", "MatMul"),
            ("jit(step)/transpose(jvp(main))/dot_general", ""),
        ] {
            assert_eq!(op(name, op_type), Some(Phase::Backward), "{name}");
        }
        for (name, op_type) in [
            ("Adam/update_w/ApplyAdam", "ApplyAdam"),
            ("SGD/SGD/update/ResourceApplyGradientDescent", "ResourceApplyGradientDescent"),
            ("train/AdamOptimizer_1/beta1_power", "Mul"),
            ("anything", "ResourceSparseApplyAdagrad"),
        ] {
            assert_eq!(op(name, op_type), Some(Phase::Optimizer), "{name}");
        }
        assert_eq!(op("jit(step)/jvp(main)/dot_general", ""), Some(Phase::Forward));
        for (name, op_type) in [
            ("aten::addmm", ""),
            ("gradients", "Const"),
            ("gradients_of_a_loss/x", ""),
            ("Adamantium/x", ""),
            ("dense/MatMul", "MatMul"),
            ("Applying", "Applying"),
            ("send to backward", ""),
        ] {
            assert_eq!(op(name, op_type), None, "{name}");
        }
        assert_eq!(mark("Optimizer.step#Adam.step"), Some(Phase::Optimizer));
        assert_eq!(mark("DistributedDataParallel.forward"), Some(Phase::Forward));
        for (name, phase) in [
            ("## forward ##", Phase::Forward),
            ("forward_pass", Phase::Forward),
            ("loss.backward", Phase::Backward),
            ("optimizer step 3", Phase::Optimizer),
        ] {
            assert_eq!(mark(name), Some(phase), "{name}");
        }
        for name in
            ["forward_backward", "fast forward", "step", "ProfilerStep#3", "", "$model.py(3): forward"]
        {
            assert_eq!(mark(name), None, "{name}");
        }
    }
}
