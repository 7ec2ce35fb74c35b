//! Builds the page: the core as wasm, its JavaScript bindings, and the bundle, into one folder of static files.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use wasm_bindgen_cli_support::Bindgen;

use crate::npm;
use crate::run::{Result, cargo, command, find, modified, output, root, run, say, target_dir};

pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";
const SAMPLE: &str = "tests/fixtures/ps4w.pb";

/// How the core is compiled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Core {
    /// As it is shipped. Linking it takes one processor some minutes.
    Optimised,
    /// Without link-time optimisation: for tests, and for looking at a change.
    Quick,
}

impl Core {
    /// The profile of cargo.
    pub(crate) fn profile(self) -> &'static str {
        match self {
            Self::Optimised => "wasm",
            Self::Quick => "wasm-quick",
        }
    }

    /// The bindings generator's output. It lies next to the front-end's sources, where the type checker finds that of the quick core.
    pub(crate) fn bindings_dir(self) -> PathBuf {
        root().join("www/build").join(self.profile())
    }

    /// Where the page goes: `dist/`, or the folder that Trunk names when it calls us from its hook; with a quick core, a folder that nobody
    /// takes for the page to publish.
    pub(crate) fn page_dir(self) -> PathBuf {
        match self {
            Self::Optimised => {
                std::env::var_os("TRUNK_STAGING_DIR").map_or_else(|| root().join("dist"), PathBuf::from)
            }
            Self::Quick => target_dir().join("page"),
        }
    }

    /// Says to a script of `tests/web` where the page and the bindings of its core are.
    pub(crate) fn tell(self, script: &mut Command) {
        script.env("STEPLENS_PAGE_FOLDER", self.page_dir()).env("STEPLENS_BINDINGS", self.bindings_dir());
    }

    /// Compiles `module`; gives its file. Two modules of one crate have the same, in turn: it is to be used at once.
    pub(crate) fn compile(self, module: Module) -> Result<PathBuf> {
        let profile = self.profile();
        let Module { package, feature, .. } = module;
        let mut build = cargo();
        build.args(["build", "--quiet", "--lib", "--package", package, "--profile", profile]);
        build.args(["--target", WASM_TARGET]).args(only(feature));
        run(&mut build)?;
        Ok(target_dir().join(WASM_TARGET).join(profile).join(format!("{}.wasm", package.replace('-', "_"))))
    }
}

/// A module of WebAssembly.
#[derive(Clone, Copy)]
pub(crate) struct Module {
    /// What its files are called.
    pub(crate) name: &'static str,
    /// Its crate.
    pub(crate) package: &'static str,
    /// The only feature of that which it is made with, if it has any.
    pub(crate) feature: Option<&'static str>,
}

/// Of the page: its core, and what lies next to it.
const MODULES: [Module; 2] = [
    Module { name: "steplens_wasm", package: "steplens-wasm", feature: Some("page") },
    Module { name: "steplens_parquet_wasm", package: "steplens-parquet-wasm", feature: None },
];

/// What cargo is told so that a crate has only `feature`.
pub(crate) fn only(feature: Option<&str>) -> impl Iterator<Item = &str> {
    feature.into_iter().flat_map(|feature| ["--no-default-features", "--features", feature])
}

/// Builds everything that is out of date, and then the page, in its folder.
pub(crate) fn build(core: Core) -> Result<PathBuf> {
    // npm mostly waits for the network, cargo for the processor.
    thread::scope(|scope| {
        let packages = scope.spawn(npm::install);
        wasm(core)?;
        packages.join().map_err(|_| "installing the npm packages panicked".to_string())?
    })?;
    pack_texts(core)?;
    let out = core.page_dir();
    let mut bundle = npm::node("www/build.mjs");
    bundle.args(["--sample", SAMPLE]).arg("--wasm-dir").arg(core.bindings_dir()).arg("--out").arg(&out);
    run(&mut bundle)?;
    Ok(out)
}

/// Where the texts are that the core of the page says: in `crates/`, behind `steplens-`.
const SAYING: [&str; 5] = ["core/src", "formats/src", "report/src", "export/src/picture", "wasm/src/page"];

/// What the core says in languages other than English, for the page to hand over: `languages/zh-CN.texts`.
fn pack_texts(core: Core) -> Result {
    let mut code = String::new();
    for folder in SAYING {
        read_sources(&root().join(format!("crates/steplens-{folder}")), &mut code)?;
    }
    // What stands between two quotes, on whichever side of one: looking for each of 2,000 ids in all sources took half a minute.
    let quoted: HashSet<&str> = code.split('"').collect();
    let folder = core.bindings_dir().join("languages");
    let failed = |e: std::io::Error| format!("could not write the texts of the core: {e}");
    fs::create_dir_all(&folder).map_err(failed)?;
    for language in steplens_messages::languages().skip(1) {
        let is_said = |id: &str| quoted.contains(id);
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
fn wasm(core: Core) -> Result {
    install_wasm_target()?;
    say("building the core as wasm");
    // One by one: together each would have what the other's dependencies ask of shared ones.
    for module in MODULES {
        bind(&core.compile(module)?, &core.bindings_dir(), module)?;
    }
    Ok(())
}

/// Makes the bindings to `wasm`, the file of `module`, in `folder`, if it is newer than they are.
pub(crate) fn bind(wasm: &Path, folder: &Path, module: Module) -> Result {
    let made = folder.join(format!("{}_bg.wasm", module.name));
    let generator = std::env::current_exe().unwrap_or_default();
    let made_from = modified(wasm).max(modified(&generator));
    if made_from.is_some() && made_from <= modified(&made) {
        return Ok(());
    }
    // The generator as a library is always the version that the lock file names, and needs no installed program.
    Bindgen::new()
        .input_path(wasm)
        .out_name(module.name)
        .web(true)
        .and_then(|bindgen| {
            bindgen
                .typescript(true)
                .omit_default_module_path(true)
                .remove_name_section(true)
                .remove_producers_section(true)
                .generate(folder)
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
