//! Names of kernels that a profiler left mangled, and kernels of one list whose short names would be equal.

use serde_json::{Value, json};
use steplens_core::Study;
use steplens_core::questions::range::RangeQuery;
use steplens_report::kernels::Kernels;
use steplens_report::verdict;
use steplens_tests::opened::{event, open, study, torch};

/// A recording in which a GPU runs these kernels one after the other, each for so many ms.
fn of(kernels: &[(&str, f64)]) -> Study {
    let (mut events, mut at) = (Vec::new(), 100.0);
    for (id, &(name, length)) in (1..).zip(kernels) {
        let args = json!({ "correlation": id, "stream": 7, "device": 0 });
        events.push(event("cuda_runtime", "cudaLaunchKernel", (100, 100), (5.0 * f64::from(id), 4.0), &args));
        events.push(event("kernel", name, (0, 7), (at, 1_000.0 * length), &args));
        at += 1_000.0 * length;
    }
    study(open(&[("made.json", &torch(&events, &json!({ "deviceProperties": [{ "id": 0 }] })))]))
}

/// Names and short names of the kernels, the longest first.
fn names(study: &Study) -> Vec<(String, String)> {
    let mut window = study.trace().span();
    window.end.0 += 1;
    let found: Value =
        serde_json::from_str(&Kernels::of(study, &RangeQuery::of(window)).to_text()).unwrap_or_default();
    let rows = found["kernels"].as_array().cloned().unwrap_or_default();
    let text = |own: &Value, field: &str| own[field].as_str().unwrap_or_default().to_owned();
    rows.iter().map(|own| (text(own, "name"), text(own, "short_name"))).collect()
}

#[test]
fn mangled_names_are_read_as_cpp_writes_them() {
    let norm = |size: u32| format!("_ZN3net4normIffLi{size}ELb1EEEvPKT_");
    let (small, large) = (norm(32), norm(128));
    let own = of(&[(&large, 3.0), (&small, 2.0), ("_Znonsense", 1.0)]);
    assert_eq!(
        names(&own),
        [
            ("void net::norm<float, float, 128, true>(float const*)", "norm<float, float, 128>"),
            ("void net::norm<float, float, 32, true>(float const*)", "norm<float, float, 32>"),
            ("_Znonsense", "_Znonsense"),
        ]
        .map(|(name, short)| (name.to_owned(), short.to_owned()))
    );
}

#[test]
fn kernels_of_one_list_differ_in_their_short_names() {
    let gemm = |space: &str| {
        format!("void cutlass::device_kernel<grouped::{space}::Gemm>(grouped::{space}::Gemm::Params)")
    };
    let (one, two) = (gemm("fp8_acc"), gemm("fp8"));
    let own = of(&[(&one, 30.0), (&two, 20.0), ("void at::add<float>(float*)", 15.0)]);
    let short: Vec<String> = names(&own).into_iter().map(|(_, short)| short).collect();
    assert_eq!(short, ["device_kernel<fp8_acc::Gemm>", "device_kernel<fp8::Gemm>", "add<float>"]);
    let own = verdict::of(&own, true).sentence;
    for name in ["device_kernel<fp8_acc::Gemm>", "device_kernel<fp8::Gemm>"] {
        assert!(own.contains(name), "{own}");
    }
}
