//! The core of the npm package, `crates/steplens-wasm` with the feature `npm`, built by wasm-pack, without a network.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::page::{self, Core, Module, install_wasm_target, only};
use crate::run::{Result, cache_dir, cargo, modified, root, run, say, search_path, target_dir};
use crate::wasm_bindgen;

const WASM_PACK: &str = "0.15.1";
const MODULE: Module = Module { name: "steplens_npm", package: "steplens-wasm", feature: Some("npm") };
/// What the package calls it.
const CORE: &str = "steplens.wasm";

/// The folder with the core, `steplens.wasm`, and its bindings, `steplens_npm.js` with its types: made anew if the core has changed.
///
/// The optimised one is made by wasm-pack, which calls the generator of bindings; the quick one by that generator alone.
pub(crate) fn build(core: Core) -> Result<PathBuf> {
    install_wasm_target()?;
    say("building the core of the npm package");
    // What wasm-pack runs, too: it would make the bindings anew even where nothing has changed.
    let compiled = core.compile(MODULE)?;
    let out = target_dir().join("npm").join(core.profile());
    let made = out.join(CORE);
    let generator = std::env::current_exe().unwrap_or_default();
    let made_from = modified(&compiled).max(modified(&generator));
    if made_from.is_some() && made_from <= modified(&made) {
        return Ok(out);
    }
    match core {
        Core::Optimised => pack(core, &out)?,
        Core::Quick => page::bind(&compiled, &out, MODULE)?,
    }
    let failed = |e: std::io::Error| format!("could not write the core of the npm package: {e}");
    fs::rename(out.join("steplens_npm_bg.wasm"), &made).map_err(failed)?;
    Ok(out)
}

fn pack(core: Core, out: &Path) -> Result {
    let mut wasm_pack = wasm_pack(&provide()?)?;
    wasm_pack.args(["--quiet", "build"]).arg(root().join("crates").join(MODULE.package));
    wasm_pack.args(["--target", "web", "--mode", "no-install", "--no-pack", "--no-opt"]);
    wasm_pack.args(["--profile", core.profile(), "--out-name", MODULE.name, "--out-dir"]).arg(out);
    wasm_pack.args(["--", "--locked"]).args(only(MODULE.feature));
    run(&mut wasm_pack)
}

/// wasm-pack, with the generator of bindings on its search path. All it would write of its own goes next to it.
fn wasm_pack(program: &Path) -> Result<Command> {
    let mut command = Command::new(program);
    command.current_dir(root());
    command.env("PATH", search_path(&wasm_bindgen::offer()?, true)?);
    command.env("WASM_PACK_CACHE", program.with_extension("cache"));
    Ok(command)
}

/// Where wasm-pack is, installed if it is missing.
fn provide() -> Result<PathBuf> {
    let own = cache_dir()?.join(format!("wasm-pack-{WASM_PACK}"));
    let program = own.join("bin/wasm-pack").with_extension(std::env::consts::EXE_EXTENSION);
    if !program.is_file() {
        say(&format!("installing wasm-pack {WASM_PACK} into {}, once: some minutes", own.display()));
        // It only starts other programs: not optimized, it is there in a third of the time.
        run(cargo()
            .args([
                "install",
                "--quiet",
                "--locked",
                "--debug",
                "--version",
                WASM_PACK,
                "wasm-pack",
                "--root",
            ])
            .arg(&own)
            .env("CARGO_PROFILE_DEV_DEBUG", "0"))?;
    }
    // It would ask the registry for its newest version; where this file does not say when it did, it does not.
    let stamp = program.with_extension("stamp");
    fs::write(&stamp, "never\n").map_err(|e| format!("could not write {}: {e}", stamp.display()))?;
    Ok(program)
}
