//! Builds the page: the core as wasm, its JavaScript bindings, and the bundle, into one folder of static files.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use wasm_bindgen_cli_support::Bindgen;

use crate::npm;
use crate::run::{Result, cargo, command, find, output, root, run, say, target_dir};

const WASM_TARGET: &str = "wasm32-unknown-unknown";
const WASM_PROFILE: &str = "wasm";
const SAMPLE: &str = "tests/fixtures/ps4w.pb";

/// Where the page goes: `dist/`, or the folder that Trunk names when it calls us from its hook.
pub(crate) fn out_dir() -> PathBuf {
    std::env::var_os("TRUNK_STAGING_DIR").map_or_else(|| root().join("dist"), PathBuf::from)
}

/// The bindings generator's output. It lies next to the front-end's sources so that the type checker finds it.
pub(crate) fn bindings_dir() -> PathBuf {
    root().join("www/build")
}

/// Builds everything that is out of date, and then the page.
pub(crate) fn build(out: &Path) -> Result {
    // npm mostly waits for the network, cargo for the processor.
    thread::scope(|scope| {
        let packages = scope.spawn(npm::install);
        wasm()?;
        packages.join().map_err(|_| "installing the npm packages panicked".to_string())?
    })?;
    let mut bundle = npm::node("www/build.mjs");
    run(bundle.args(["--sample", SAMPLE]).arg("--wasm-dir").arg(bindings_dir()).arg("--out").arg(out))
}

/// The core as wasm, and the bindings to it if it has changed.
fn wasm() -> Result {
    install_wasm_target()?;
    say("building the core as wasm");
    run(cargo().args(["build", "--quiet", "--package", "steplens-wasm"]).args([
        "--profile",
        WASM_PROFILE,
        "--target",
        WASM_TARGET,
    ]))?;
    let wasm = target_dir().join(WASM_TARGET).join(WASM_PROFILE).join("steplens_wasm.wasm");
    let generator = std::env::current_exe().unwrap_or_default();
    let made_from = modified(&wasm).max(modified(&generator));
    if made_from.is_some() && made_from <= modified(&bindings_dir().join("steplens_wasm_bg.wasm")) {
        return Ok(());
    }
    // The generator as a library is always the version that the lock file names, and needs no installed program.
    Bindgen::new()
        .input_path(&wasm)
        .web(true)
        .and_then(|bindgen| {
            bindgen
                .typescript(true)
                .omit_default_module_path(true)
                .remove_name_section(true)
                .remove_producers_section(true)
                .generate(bindings_dir())
        })
        .map_err(|e| format!("could not make the JavaScript bindings of {}: {e:#}", wasm.display()))
}

/// rust-toolchain.toml asks rustup for the target; a toolchain from elsewhere must bring it.
fn install_wasm_target() -> Result {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let libdir = output(command(&rustc).args(["--print", "target-libdir", "--target", WASM_TARGET]))?;
    if Path::new(libdir.trim()).is_dir() {
        return Ok(());
    }
    if find("rustup").is_none() {
        return Err(format!(
            "this Rust toolchain has no standard library for {WASM_TARGET}; install it, or use rustup"
        ));
    }
    say(&format!("installing the Rust target {WASM_TARGET}"));
    run(command("rustup").args(["target", "add", WASM_TARGET]))
}

fn modified(path: &Path) -> Option<std::time::SystemTime> {
    fs::metadata(path).and_then(|meta| meta.modified()).ok()
}
