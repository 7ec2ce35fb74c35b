//! Kernels of GPUs by what they calculate, in how many bits, and in which order of dimensions; and the advice for each.

use super::made::{advice, copies_on, launched_as, said_of_recording};
use steplens_core::Study;
use steplens_core::findings::Rule;
use steplens_tests::opened::{found, on_host, row, text, with_gpu};
use steplens_tests::tensorflow::profiled;

#[test]
fn what_a_kernel_calculates_decides_the_advice_for_float32() {
    let kernels = |name: &str| {
        let mut events = Vec::new();
        for id in 0..5_i64 {
            let at = 1_000.0 * id as f64;
            events.push(on_host("cpu_op", "aten::conv2d", at, 20.0));
            events.extend(launched_as(id + 1, (at + 5.0, 5.0), (name, at + 10.0, at + 990.0)));
        }
        advice(&with_gpu(&events), "tensor-cores")
    };
    let convolution = kernels("ampere_scudnn_128x32_relu_small_nn_v1");
    assert!(
        convolution.contains("cudnn.allow_tf32") && convolution.contains("channels_last"),
        "{convolution}"
    );
    assert!(!convolution.contains("set_float32_matmul_precision(\"high\")"), "{convolution}");
    let product =
        kernels("sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize32x32x8_stage3_ffma_aligna4_execute");
    assert!(product.contains("set_float32_matmul_precision(\"high\")"), "{product}");
    assert!(!product.contains("channels_last"), "{product}");
}

/// Ten kernels of each name in a row, 100 µs each.
fn kernels(names: &[&str]) -> Study {
    let mut events = Vec::new();
    for (id, name) in (0_i64..).zip(names.iter().cycle().take(10 * names.len())) {
        events.push(on_host("cpu_op", "aten::op", 10.0 * id as f64, 9.0));
        let start = 20.0 + 100.0 * id as f64;
        events.extend(launched_as(id + 1, (10.0 * id as f64 + 1.0, 5.0), (name, start, start + 100.0)));
    }
    with_gpu(&events)
}

const TURNED: &str = "sm80_xmma_fprop_implicit_gemm_f32f32_f32f32_f32_nchwkcrs_nchw_ffma_x";

const LAST: &str = "sm80_xmma_fprop_implicit_gemm_f32f32_f32f32_f32_nhwckrsc_nhwc_ffma_x";

const HALF: &str = "ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_32x6_nn";

const SINGLE: &str = "ampere_sgemm_128x64_nn";

#[test]
fn advice_for_float32_looks_at_layouts_and_other_kernels() {
    let own = advice(&kernels(&[TURNED]), "tensor-cores");
    assert!(own.contains("channels_last") && own.contains("autocast"), "{own}");
    let own = advice(&kernels(&[LAST]), "tensor-cores");
    assert!(!own.contains("channels_last") && own.contains("autocast"), "{own}");
    let own = advice(&kernels(&[LAST, "cudnn::nchwToNhwcKernel"]), "tensor-cores");
    assert!(own.contains("channels_last"), "{own}");
    let own = advice(&kernels(&[SINGLE, HALF]), "tensor-cores");
    assert!(own.contains("Other kernels use tensor cores already"), "{own}");
    assert!(!advice(&kernels(&[SINGLE]), "tensor-cores").contains("Other kernels"));
}

#[test]
fn where_a_gpu_is_the_step_its_kernels_are_said_by_kind() {
    let own =
        said_of_recording(&kernels(&["volta_scudnn_128x64_relu", "dgrad_engine<float>", SINGLE, "softmax"]));
    assert!(own.contains("Kernels take nearly all of the time: convolutions 49."), "{own}");
    assert!(own.contains("products of matrices 24."), "{own}");
    // One name says it, and of what is mostly idle nothing is.
    let own = said_of_recording(&kernels(&[SINGLE]));
    assert!(own.contains("mostly") && !own.contains("Kernels take"), "{own}");
    assert!(!said_of_recording(&copies_on(20)).contains("Kernels take"));
}

#[test]
fn products_that_are_the_limit_are_said() {
    let own = found(&kernels(&[HALF, HALF, HALF, "softmax"]), "dominant-work");
    assert!(text(&own, "what").starts_with("On the GPU, products of matrices, mostly with 16 bits"), "{own}");
    assert!(text(&own, "advice").contains("these products are the limit"), "{own}");
    assert!(!text(&own, "advice").contains("8 bits"), "{own}");
    let hopper = "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n";
    let own = found(&kernels(&[hopper, hopper, "softmax"]), "dominant-work");
    assert!(text(&own, "advice").contains("This GPU calculates with 8 bits, too"), "{own}");
    let eight = "sm90_xmma_gemm_e4m3bf16_e4m3f32_f32_tn_n";
    let own = found(&kernels(&[hopper, hopper, eight]), "dominant-work");
    assert!(!own.is_null() && !text(&own, "advice").contains("8 bits, too"), "{own}");
    let attends = "void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64>>";
    let own = found(&kernels(&[attends, attends, HALF]), "dominant-work");
    assert!(text(&own, "what").starts_with("On the GPU, attention takes"), "{own}");
    // In float32 there is another finding, and less than half of the time is none.
    for silent in [kernels(&[SINGLE, SINGLE, SINGLE, "softmax"]), kernels(&[HALF, "softmax", "topk"])] {
        assert!(found(&silent, "dominant-work").is_null(), "{}", found(&silent, "dominant-work"));
    }
}

#[test]
fn weights_that_are_turned_within_convolutions_are_found() {
    let of = |ran_for: &'static str| {
        let mut events = Vec::new();
        for place in 0..20 {
            let at = place * 1_000;
            // The host runs ahead.
            events.push((1, "cuLaunchKernel", place * 20, 5, place * 2 + 1, ""));
            events.push((
                13,
                "void tensorflow::functor::ShuffleInTensor3Simple<float, 2, 1, 0>",
                at + 1_000,
                240,
                place * 2 + 1,
                ran_for,
            ));
            events.push((1, "cuLaunchKernel", place * 20 + 10, 5, place * 2 + 2, ""));
            events.push((13, "gemm", at + 1_260, 740, place * 2 + 2, "net/a:Conv2D"));
        }
        row(&profiled(&events), Rule::LayoutConversions)
    };
    let found = of("net/a:Conv2DBackpropFilter").expect("a finding");
    assert!(text(&found, "sentence").contains("mostly of weights"), "{found}");
    // A program that transposes asked for it.
    assert_eq!(of("net/t:Transpose"), None);
}
