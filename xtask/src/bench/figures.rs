//! Runs the two halves of the benchmark, and Perfetto where it is at hand, and collects their figures by name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::page::{self, Core};
use crate::run::{Result, cargo, output, say, target_dir};
use crate::{browsers, npm};

pub(crate) type Figures = BTreeMap<String, f64>;

/// Names a folder with `compare.mjs` and the npm packages of Perfetto and speedscope, installed.
const PEERS: &str = "STEPLENS_PEERS";
/// Names a Chrome trace of the large file, as TensorFlow's `timeline.py` writes it: what Perfetto can open.
const PEERS_JSON: &str = "STEPLENS_PEERS_JSON";

/// All figures of this machine, now.
pub(crate) fn measured() -> Result<Figures> {
    page::build(Core::Optimised)?;
    let inputs = target_dir().join("bench");
    say("natively");
    let bin = ["--quiet", "--release", "--package", "steplens-tests", "--bin", "figures"];
    // Built first, so that the compiler is not measured, too.
    crate::run::run(cargo().arg("build").args(bin))?;
    let mut figures = object(&output(cargo().arg("run").args(bin).arg("--").arg(&inputs))?)?;
    say("in wasm and in Chromium");
    let mut script = npm::node("tests/web/bench.mjs");
    script.arg(&inputs);
    Core::Optimised.tell(&mut script);
    browsers::provide_whole(&mut script)?;
    figures.extend(object(&output(&mut script)?)?);
    match (std::env::var_os(PEERS), std::env::var_os(PEERS_JSON)) {
        (Some(peers), Some(json)) => {
            say("next to Perfetto");
            figures.extend(against_perfetto(&PathBuf::from(peers), &PathBuf::from(json), &inputs)?);
        }
        _ => say(&format!("not measured: Perfetto; {PEERS} and {PEERS_JSON} do not say where it is")),
    }
    Ok(figures)
}

/// The last line of `text`, which is an object of numbers.
fn object(text: &str) -> Result<Figures> {
    let line = text.lines().last().unwrap_or_default();
    serde_json::from_str(line).map_err(|why| format!("a benchmark printed no figures: {why}: {line}"))
}

fn against_perfetto(peers: &Path, json: &Path, inputs: &Path) -> Result<Figures> {
    let mut compare = Command::new("node");
    compare.current_dir(peers).arg("compare.mjs").arg("--pb").arg(inputs.join("steps.pb"));
    compare.arg("--json").arg(json).arg("--steplens").arg(Core::Optimised.page_dir());
    let text = output(&mut compare)?;
    let median = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(2)?.parse::<f64>().ok()
    };
    match (median("steplens"), median("perfetto")) {
        (Some(own), Some(other)) => Ok([("perfetto_ms", other), ("beside_perfetto_ms", own)]
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()),
        _ => Err(format!("compare.mjs printed no medians: {text}")),
    }
}
