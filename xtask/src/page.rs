//! Builds the page: the core as wasm, its JavaScript bindings, and the bundle, into one folder of static files.
//!
//! The core is built twice. The page starts with the lean one, which reads RunMetadata and sessions, and gets the whole one
//! when a file needs another reader. One set of bindings serves both.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;

use lzma_rust2::{CheckType, XzOptions, XzWriter};
use wasm_bindgen_cli_support::Bindgen;

use crate::npm;
use crate::run::{Result, cargo, command, find, output, root, run, say, target_dir};

const WASM_TARGET: &str = "wasm32-unknown-unknown";
const SAMPLE: &str = "tests/fixtures/ps4w.pb";

/// Where the page goes: `dist/`, or the folder that Trunk names when it calls us from its hook.
pub(crate) fn out_dir() -> PathBuf {
    std::env::var_os("TRUNK_STAGING_DIR").map_or_else(|| root().join("dist"), PathBuf::from)
}

/// The bindings generator's output. It lies beside the front-end's sources so that the type checker finds it.
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

/// One build of the core. Each has a profile and so a folder of its own: in one folder cargo would take either's file for the
/// other's.
struct Core {
    profile: &'static str,
    features: &'static [&'static str],
    /// Where its bindings go in `bindings_dir()`.
    folder: &'static str,
}

const CORES: [Core; 2] = [
    Core { profile: "wasm", features: &[], folder: "" },
    Core { profile: "wasm-whole", features: &["--features", "containers"], folder: "whole" },
];

/// Both cores, side by side, and the bindings to them.
fn wasm() -> Result {
    install_wasm_target()?;
    say("building the core as wasm");
    thread::scope(|scope| {
        let builds = CORES.map(|core| scope.spawn(move || core.build()));
        builds
            .into_iter()
            .try_for_each(|build| build.join().map_err(|_| "building the core panicked".to_string())?)
    })?;
    let [lean, whole] =
        CORES.map(|core| fs::read(core.bindings().join("steplens_wasm.js")).unwrap_or_default());
    if lean == whole {
        return Ok(());
    }
    Err("the lean and the whole core need different JavaScript bindings, and the page has one for both: \
         nothing in steplens-wasm but a feature it passes on may differ between them"
        .to_string())
}

impl Core {
    fn bindings(&self) -> PathBuf {
        bindings_dir().join(self.folder)
    }

    /// Its wasm, and the bindings to it if it has changed.
    fn build(&self) -> Result {
        let target = ["--profile", self.profile, "--target", WASM_TARGET];
        run(cargo()
            .args(["build", "--quiet", "--package", "steplens-wasm"])
            .args(target)
            .args(self.features))?;
        let wasm = target_dir().join(WASM_TARGET).join(self.profile).join("steplens_wasm.wasm");
        let generator = std::env::current_exe().unwrap_or_default();
        let made_from = modified(&wasm).max(modified(&generator));
        if made_from.is_some() && made_from <= modified(&self.bindings().join("steplens_wasm_bg.wasm.xz")) {
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
                    .generate(self.bindings())
            })
            .map_err(|e| format!("could not make the JavaScript bindings of {}: {e:#}", wasm.display()))?;
        pack(&self.bindings().join("steplens_wasm_bg.wasm"))
    }
}

/// Writes `FILE.xz`, a fifth smaller than gzip makes it.
fn pack(file: &Path) -> Result {
    let pack = || -> std::io::Result<()> {
        let mut options = XzOptions::with_preset(9);
        // As `xz --extreme` looks for matches. WebAssembly is bytes: nothing in it is aligned.
        options.lzma_options.nice_len = 273;
        options.lzma_options.depth_limit = 512;
        options.lzma_options.lc = 4;
        options.lzma_options.pb = 0;
        // The only checksum that xz-embedded knows, with which the page unpacks it.
        options.set_check_sum_type(CheckType::Crc32);
        let mut writer = XzWriter::new(Vec::new(), options)?;
        writer.write_all(&fs::read(file)?)?;
        fs::write(file.with_added_extension("xz"), writer.finish()?)
    };
    pack().map_err(|why| format!("packing {}: {why}", file.display()))
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
