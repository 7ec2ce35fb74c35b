//! Builds the page: the core as wasm, its JavaScript bindings, and the bundle, into one folder of static files.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use wasm_bindgen_cli_support::Bindgen;

use crate::npm;
use crate::run::{Result, cargo, command, find, modified, output, root, run, say, target_dir};

pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";
pub(crate) const WASM_PROFILE: &str = "wasm";
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
    pack_texts()?;
    let mut bundle = npm::node("www/build.mjs");
    bundle.args(["--sample", SAMPLE]).arg("--wasm-dir").arg(bindings_dir()).arg("--out").arg(out);
    run(&mut bundle)
}

/// The crates whose texts the core of the page says.
const SAYING_CRATES: [&str; 5] = ["core", "formats", "report", "picture", "wasm"];

/// What the core says in languages other than English, for the page to hand over: `languages/zh-CN.texts`.
fn pack_texts() -> Result {
    let mut code = String::new();
    for name in SAYING_CRATES {
        read_sources(&root().join(format!("crates/steplens-{name}/src")), &mut code)?;
    }
    let folder = bindings_dir().join("languages");
    let failed = |e: std::io::Error| format!("could not write the texts of the core: {e}");
    fs::create_dir_all(&folder).map_err(failed)?;
    for language in steplens_messages::languages().skip(1) {
        let is_said = |id: &str| code.contains(&format!("\"{id}\""));
        let texts = steplens_messages::packed(language, is_said).unwrap_or_default();
        fs::write(folder.join(format!("{language}.texts")), texts).map_err(failed)?;
    }
    Ok(())
}

/// Adds the Rust files in a folder, and in the folders in it, to `code`.
fn read_sources(folder: &Path, code: &mut String) -> Result {
    let failed = |e: std::io::Error| format!("could not read {}: {e}", folder.display());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            read_sources(&path, code)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            code.push_str(&fs::read_to_string(&path).map_err(failed)?);
        }
    }
    Ok(())
}

/// The core as wasm, and the module next to it, with the bindings to what has changed.
fn wasm() -> Result {
    install_wasm_target()?;
    say("building the core as wasm");
    // One by one: together each would have what the other's dependencies ask of shared ones.
    bind("steplens-wasm")?;
    bind("steplens-parquet-wasm")
}

/// Compiles `package` as wasm and makes the bindings to it, where it has changed.
fn bind(package: &str) -> Result {
    run(cargo().args(["build", "--quiet", "--package", package]).args([
        "--profile",
        WASM_PROFILE,
        "--target",
        WASM_TARGET,
    ]))?;
    let name = package.replace('-', "_");
    let wasm = target_dir().join(WASM_TARGET).join(WASM_PROFILE).join(format!("{name}.wasm"));
    let made = bindings_dir().join(format!("{name}_bg.wasm"));
    let generator = std::env::current_exe().unwrap_or_default();
    let made_from = modified(&wasm).max(modified(&generator));
    if made_from.is_some() && made_from <= modified(&made) {
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
pub(crate) fn install_wasm_target() -> Result {
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
