//! Optimizers that take their parameters one by one, and layers that run as in training though nothing is trained.

use super::made::{in_turn, launched, launched_as, of_torch};
use serde_json::{Value, json};
use steplens_core::Study;
use steplens_core::findings::Rule;
use steplens_core::findings::framework::steps_one_by_one;
use steplens_tests::opened::{HOST, TorchEvent, event, found, on_host, row, text, torch_study, with_gpu};

#[test]
fn a_fused_optimizer_is_advised_where_one_takes_its_parameters_one_by_one() {
    let step: TorchEvent<'_> = ("user_annotation", "Optimizer.step#Adam.step", 1, 0, 100, 0);
    let one: TorchEvent<'_> = ("cpu_op", "aten::addcdiv_", 1, 10, 20, 0);
    let many: TorchEvent<'_> = ("cpu_op", "aten::_foreach_addcdiv_", 1, 40, 20, 0);
    let of = |events: &[TorchEvent<'_>]| steps_one_by_one(torch_study(events).trace());
    assert!(of(&[step, one]));
    assert!(!of(&[step, one, many]));
    assert!(!of(&[one]));
}

/// Steps of a training on a CPU whose optimizer takes `length` of 10 ms, with operators called `update` and `around` it.
fn training(length: f64, update: &str, around: Option<&str>) -> Study {
    let mut events = Vec::new();
    for number in 0..5 {
        let at = 10_000.0 * f64::from(number);
        events.push(on_host("cpu_op", "aten::mm", at, 4_000.0));
        events.push(on_host("cpu_op", "aten::relu", at + 4_000.0, 5_900.0 - length));
        let step = at + 9_900.0 - length;
        events.push(on_host("user_annotation", "Optimizer.step#Adam.step", step, length));
        events.extend(around.map(|name| on_host("cpu_op", name, step + 1.0, 10.0)));
        for place in 0..20 {
            let part = (length - 20.0) / 20.0;
            events.push(on_host("cpu_op", update, step + 15.0 + part * f64::from(place), part - 2.0));
        }
    }
    of_torch(&events)
}

#[test]
fn an_optimizer_that_goes_one_by_one_is_found() {
    let own = found(&training(3_000.0, "aten::addcdiv_", None), "optimizer-step");
    assert!(text(&own, "sentence").contains("The step of the optimizer (Adam) takes 15 ms: it changes its parameters one by one, with 100 operators."), "{own}");
    assert!(text(&own, "advice").contains("fused=True"), "{own}");
    // It is short; it takes many at once; the backward pass is in it.
    assert!(found(&training(1_000.0, "aten::addcdiv_", None), "optimizer-step").is_null());
    assert!(found(&training(3_000.0, "aten::_foreach_add_", None), "optimizer-step").is_null());
    let closure = Some("autograd::engine::evaluate_function: MmBackward0");
    assert!(found(&training(3_000.0, "aten::addcdiv_", closure), "optimizer-step").is_null());
}

#[test]
fn an_optimizer_that_goes_one_by_one_is_found_where_its_gpu_has_little_to_do() {
    let of = |kernel: f64| {
        let mut events = vec![on_host("user_annotation", "Optimizer.step#CustomAdam.step", 0.0, 20_000.0)];
        for id in 0..200_i64 {
            let at = 100.0 * id as f64;
            events.push(on_host("cpu_op", "aten::mul_", at, 90.0));
            events.extend(launched(id + 1, (at + 20.0, 10.0), (at + 40.0, at + 40.0 + kernel)));
        }
        found(&with_gpu(&events), "optimizer-step")
    };
    assert!(text(&of(2.0), "sentence").contains("with 200 operators"), "{}", of(2.0));
    assert!(of(60.0).is_null());
}

/// One step of an optimizer of this class: the mark begins 0.5 ms before its first operator.
fn optimizer(class: &str) -> Value {
    let mut events = vec![on_host("user_annotation", &format!("Optimizer.step#{class}.step"), 0.0, 7_900.0)];
    for place in 0..70 {
        events.push(on_host("cpu_op", "aten::mul_", 500.0 + 100.0 * f64::from(place), 80.0));
    }
    let args = json!({ "correlation": 1, "stream": 7, "device": 0 });
    events.push(event("cuda_runtime", "cudaLaunchKernel", HOST, (600.0, 5.0), &args));
    events.push(event("kernel", "mul", (0, 7), (610.0, 20.0), &args));
    found(&with_gpu(&events), "optimizer-step")
}

#[test]
fn an_optimizer_of_the_program_has_no_arguments_of_torch() {
    let own = optimizer("CustomAdam");
    assert!(text(&own, "advice").contains("none of torch.optim"), "{own}");
    // The step is as long as its mark.
    assert!(text(&own, "what").contains("takes 7.90 ms"), "{own}");
    let known = optimizer("AdamW");
    assert!(text(&known, "advice").starts_with("Let it take many parameters at once: fused=True"), "{known}");
}

/// 60 ms of other work, and the step of an optimizer: one operator of 40 ms that waits, and others for `rest` ms.
fn step_that_waits(rest: usize) -> Study {
    let mut events = in_turn(&[("aten::cudnn_convolution", 1_998.0); 30]);
    let length = 40_000.0 + 1_000.0 * rest as f64;
    events.push(on_host("user_annotation", "Optimizer.step#AdamW.step", 60_000.0, length));
    let small =
        (0..rest * 10).map(|id| on_host("cpu_op", "aten::addcdiv_", 60_000.0 + 100.0 * id as f64, 99.0));
    events.extend(small);
    events.push(on_host("cpu_op", "aten::addcdiv_", 60_000.0 + 1_000.0 * rest as f64, 40_000.0));
    of_torch(&events)
}

#[test]
fn two_findings_do_not_claim_one_wait() {
    // 5 of 105 ms are no fifth of the time.
    assert!(row(&step_that_waits(5), Rule::OptimizerStep).is_none());
    // 40 of 140 ms are.
    let own = found(&step_that_waits(40), "optimizer-step");
    let sentence = text(&own, "sentence");
    assert!(sentence.contains("takes 80 ms"), "{own}");
    assert!(sentence.contains("For 40 ms of it the host probably waits for its GPU"), "{own}");
}

/// Three convolutions and batch norms on a GPU, whose kernels are called `kernel`.
fn normalising(kernel: &str, backward: bool) -> Study {
    let mut events = Vec::new();
    for id in 0..3_i64 {
        let at = 1_000.0 * id as f64;
        events.push(on_host("cpu_op", "aten::batch_norm", at, 20.0));
        events.extend(launched_as(
            2 * id + 1,
            (at + 5.0, 10.0),
            ("implicit_convolve", at + 20.0, at + 720.0),
        ));
        events.extend(launched_as(2 * id + 2, (at + 16.0, 10.0), (kernel, at + 720.0, at + 990.0)));
    }
    if backward {
        events.push(on_host(
            "cpu_op",
            "autograd::engine::evaluate_function: ConvolutionBackward0",
            3_000.0,
            10.0,
        ));
    }
    with_gpu(&events)
}

#[test]
fn batch_norm_that_trains_without_a_backward_pass_is_found() {
    let cudnn = "void cudnn::bn_fw_tr_1C11_kernel_NCHW<float, float, 512, true, 1, true>";
    let own = found(&normalising(cudnn, false), "training-mode");
    // Three times 270 µs.
    assert_eq!(own["saving_ns"], 810_000, "{own}");
    assert!(
        text(&own, "sentence")
            .contains("as in training, though no backward pass was recorded: 3 ops, 810 µs"),
        "{own}"
    );
    assert!(text(&own, "advice").contains("model.eval()"), "{own}");
    let of_torch =
        "void at::native::batch_norm_collect_statistics_kernel<at::native::InvStd, float, float, float, int>";
    assert!(!found(&normalising(of_torch, false), "training-mode").is_null());
    assert!(found(&normalising(cudnn, true), "training-mode").is_null());
    let inference = "void cudnn::bn_fw_inf_1C11_kernel_NCHW<float, float, true, 1>";
    assert!(found(&normalising(inference, false), "training-mode").is_null());
}

#[test]
fn on_a_cpu_arguments_say_how_batch_norm_runs() {
    let norm = |args: &Value, counts: Option<&str>| {
        let mut events = Vec::new();
        for pass in 0..4 {
            let at = 1_000.0 * f64::from(pass);
            events.push(on_host("cpu_op", "aten::conv2d", at, 600.0));
            if let Some(whole) = counts {
                let whole = json!({ "Input type": [whole, whole, "Scalar"] });
                events.push(event("cpu_op", "aten::add_", HOST, (at + 610.0, 5.0), &whole));
            }
            events.push(event("cpu_op", "aten::batch_norm", HOST, (at + 620.0, 300.0), args));
        }
        found(&with_gpu(&events), "training-mode")
    };
    let said = |word: &str| json!({ "Concrete Inputs": ["", "", "", "", "", word, "0.1", "1e-05", "True"] });
    assert_eq!(norm(&said("True"), None)["saving_ns"], 1_200_000);
    assert!(norm(&said("False"), None).is_null());
    // What an argument says is known, whatever is added.
    assert!(norm(&said("False"), Some("long int")).is_null());
    for whole in ["long int", "__int64"] {
        assert_eq!(norm(&json!({}), Some(whole))["saving_ns"], 1_200_000);
    }
    assert!(norm(&json!({}), Some("float")).is_null());
    assert!(norm(&json!({}), None).is_null());
}

#[test]
fn dropout_goes_with_batch_norm_that_runs_as_in_training() {
    let of = |draws: &str| {
        let mut events = Vec::new();
        for id in 0..10 {
            let at = 1_000.0 * f64::from(id);
            let inputs = json!({ "Concrete Inputs": ["", "", "", "", "", "True", "0.1", "1e-05", "True"] });
            events.push(event("cpu_op", "aten::batch_norm", HOST, (at, 200.0), &inputs));
            events.push(on_host("cpu_op", "aten::dropout", at + 300.0, 600.0));
            events.push(on_host("cpu_op", draws, at + 310.0, 500.0));
        }
        found(&of_torch(&events), "training-mode")
    };
    let own = of("aten::bernoulli_");
    assert_eq!(own["saving_ns"], 8_000_000, "{own}");
    assert!(text(&own, "sentence").contains("10 ops, 2.00 ms. Dropout does, too: 6.00 ms."), "{own}");
    assert_eq!(of("aten::mul")["saving_ns"], 2_000_000);
}

#[test]
fn dropout_that_draws_without_a_backward_pass_is_found_alone() {
    let mut events = Vec::new();
    for id in 0..10 {
        let at = 1_000.0 * f64::from(id);
        events.push(on_host("cpu_op", "aten::dropout", at, 600.0));
        events.push(on_host("cpu_op", "aten::bernoulli_", at + 10.0, 500.0));
        events.push(on_host("cpu_op", "aten::mm", at + 610.0, 300.0));
    }
    let own = found(&of_torch(&events), "training-mode");
    assert!(text(&own, "sentence").starts_with("Dropout runs as in training"), "{own}");
    assert!(text(&own, "advice").contains("model.eval()"), "{own}");
}
