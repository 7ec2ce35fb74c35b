//! Builds the page: the core as wasm, its JavaScript bindings, and the bundle, into one folder of static files.

use std::fs;
use std::io::{Read, Write};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::thread;

use wasm_bindgen_cli_support::Bindgen;
use zopfli::{Format, Options};

use crate::core_parts;
use crate::function_order;
use crate::local_order;
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

/// How the parts of the single file are packed. The hosted page carries them as they are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Packing {
    /// As small as gzip can be, which takes some seconds whenever the core has changed: 695 KB where level 9 leaves 726.
    Small,
    /// For who waits to see a change.
    Quick,
}

/// Builds everything that is out of date, and then the page.
pub(crate) fn build(out: &Path, packing: Packing) -> Result {
    // npm mostly waits for the network, cargo for the processor.
    thread::scope(|scope| {
        let packages = scope.spawn(npm::install);
        wasm()?;
        packages.join().map_err(|_| "installing the npm packages panicked".to_string())?
    })?;
    pack_texts()?;
    let mut bundle = npm::node("www/build.mjs");
    bundle.args(["--sample", SAMPLE]).arg("--wasm-dir").arg(bindings_dir()).arg("--out").arg(out);
    if packing == Packing::Small {
        let this_program = std::env::current_exe().map_err(|e| format!("this program has no path: {e}"))?;
        bundle.arg("--packed-wasm").arg(pack_small()?).arg("--packer").arg(this_program);
    }
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

/// Packs standard input to standard output, for `www/build.mjs`.
pub(crate) fn pack() -> Result {
    let failed = |e: std::io::Error| format!("could not pack standard input: {e}");
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).map_err(failed)?;
    std::io::stdout().write_all(&smallest_gzip(&bytes).map_err(failed)?).map_err(failed)
}

fn smallest_gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut gzip = Vec::new();
    // A second iteration takes half as long again and saves 1 KB.
    let options = Options { iteration_count: NonZeroU64::MIN, ..Options::default() };
    zopfli::compress(options, Format::Gzip, bytes, &mut gzip)?;
    Ok(gzip)
}

/// The core as the smallest gzip, made anew if the core has changed.
fn pack_small() -> Result<PathBuf> {
    let wasm = bindings_dir().join(CORE);
    let packed = bindings_dir().join("steplens_wasm_bg.wasm.gz");
    if modified(&wasm) <= modified(&packed) {
        return Ok(packed);
    }
    say("packing the core for the single file");
    let failed = |e: std::io::Error| format!("could not pack {}: {e}", wasm.display());
    let bytes = fs::read(&wasm).map_err(failed)?;
    let gzip = smallest_gzip(&bytes).map_err(failed)?;
    fs::write(&packed, gzip).map_err(failed)?;
    Ok(packed)
}

/// The core as wasm, and the module next to it, with the bindings to what has changed.
fn wasm() -> Result {
    install_wasm_target()?;
    say("building the core as wasm");
    // One by one: together each would have what the other's dependencies ask of shared ones.
    if let Some(whole) = bound("steplens-wasm")? {
        let parts = core_parts::split(&whole, is_later, is_later_work)?;
        put(START_PART, &parts.start)?;
        put(LATER_PART, &parts.later)?;
        take_later_part(&bindings_dir().join("steplens_wasm.js"))?;
        put(CORE, &whole)?;
    }
    match bound("steplens-parquet-wasm")? {
        Some(whole) => put(PARQUET, &whole),
        None => Ok(()),
    }
}

/// Writes a module of the core so that it packs well.
fn put(name: &str, module: &[u8]) -> Result {
    let failed = |e: std::io::Error| format!("could not write {name}: {e}");
    fs::write(bindings_dir().join(name), function_order::packable(module)?).map_err(failed)
}

/// Compiles `package` as wasm and makes the bindings to it. Returns the module if it has changed; it is up to date once that is written.
fn bound(package: &str) -> Result<Option<Vec<u8>>> {
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
        return Ok(None);
    }
    // The generator as a library is always the version that the lock file names, and needs no installed program.
    Bindgen::new()
        .input_path(&wasm)
        .web(true)
        .and_then(|bindgen| {
            bindgen
                .typescript(true)
                .omit_default_module_path(true)
                .remove_name_section(false)
                // Names as the compiler makes them: cheap to match.
                .demangle(false)
                .remove_producers_section(true)
                .generate(bindings_dir())
        })
        .map_err(|e| format!("could not make the JavaScript bindings of {}: {e:#}", wasm.display()))?;
    let failed = |e: std::io::Error| format!("could not write {}: {e}", made.display());
    let as_generated = fs::read(&made).map_err(failed)?;
    // Not there until all of it is: by its time it is known to be up to date.
    fs::remove_file(&made).map_err(failed)?;
    local_order::by_use(&as_generated).map(Some)
}

/// Verbs of a session that the page needs for its first frame, and to move about in it. All others are in the later part of the core.
const START_VERBS: &str = include_str!("../../crates/steplens-wasm/start_verbs.txt");
const START_PART: &str = "steplens_start.wasm";
const LATER_PART: &str = "steplens_later.wasm";
const CORE: &str = "steplens_wasm_bg.wasm";
const PARQUET: &str = "steplens_parquet_wasm_bg.wasm";

/// Whether the export `name` of the core is a verb of the later part. What is no verb of a session is small.
fn is_later(name: &str) -> bool {
    name.strip_prefix("session_").is_some_and(|verb| !START_VERBS.lines().any(|start| start == verb))
}

/// Whether a function in a table, by its mangled name, is work that a later verb begins and only later verbs go on with: what saves files, and all of the
/// crates that only they use.
fn is_later_work(name: &str) -> bool {
    ["7session6saving", "7Network8for_page", "15steplens_export", "16steplens_picture"]
        .iter()
        .any(|work| name.contains(work))
}

/// Lets the bindings add the verbs of the later part to those of the start.
fn take_later_part(glue: &Path) -> Result {
    const EXPORTS: &str = "wasm = instance.exports;";
    const ADD_LATER: &str = "
/** Adds the verbs of the later part of the core to those of its start. */
export function addLater(module) {
    Object.assign(wasm, new WebAssembly.Instance(module, { ...__wbg_get_imports(), start: wasm }).exports);
}
";
    const ADD_LATER_TYPE: &str = "
/** Adds the verbs of the later part of the core to those of its start. */
export function addLater(module: WebAssembly.Module): void;
";
    let failed = |e: std::io::Error| format!("could not change {}: {e}", glue.display());
    let code = fs::read_to_string(glue).map_err(failed)?;
    if code.matches(EXPORTS).count() != 1 {
        return Err(format!(
            "{} takes the exports of the core in another way than `{EXPORTS}`",
            glue.display()
        ));
    }
    fs::write(glue, code.replace(EXPORTS, "wasm = { ...instance.exports };") + ADD_LATER).map_err(failed)?;
    let types = glue.with_extension("d.ts");
    let declared = fs::read_to_string(&types).map_err(failed)?;
    fs::write(&types, declared + ADD_LATER_TYPE).map_err(failed)
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
