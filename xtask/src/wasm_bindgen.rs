//! The bindings generator under its own name, for wasm-pack, which looks for a program `wasm-bindgen` of exactly the version that the lock
//! file names.
//!
//! It is this very program: it has the generator as a library already, in that version, so that nothing else has to be installed. It knows
//! the options that wasm-pack gives for our package, and refuses others.

use std::fs;
use std::path::{Path, PathBuf};

use lexopt::{Arg, Parser, ValueExt};
use wasm_bindgen_cli_support::Bindgen;

use crate::run::{Result, target_dir};

const NAME: &str = "wasm-bindgen";

/// What is asked of the generator.
#[derive(Debug, PartialEq, Eq)]
enum Asked {
    Version,
    Bindings(Options),
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Options {
    wasm: PathBuf,
    out_dir: PathBuf,
    keeps_mangled: bool,
    omits_default_path: bool,
}

/// Whether this program was started by the name of the generator.
pub(crate) fn is_called() -> bool {
    std::env::args_os().next().is_some_and(|own| Path::new(&own).file_stem().is_some_and(|stem| stem == NAME))
}

/// A folder with the generator in it, for the search path.
pub(crate) fn offer() -> Result<PathBuf> {
    let folder = target_dir().join("tools/wasm-bindgen");
    let program = folder.join(NAME).with_extension(std::env::consts::EXE_EXTENSION);
    let failed = |e: std::io::Error| format!("could not make {}: {e}", program.display());
    let this_program = std::env::current_exe().map_err(|e| format!("this program has no path: {e}"))?;
    fs::create_dir_all(&folder).map_err(failed)?;
    // Cargo makes a new file when this program changes: the name is of the old one then.
    if program.exists() {
        fs::remove_file(&program).map_err(failed)?;
    }
    fs::hard_link(&this_program, &program)
        .or_else(|_| fs::copy(&this_program, &program).map(drop))
        .map_err(failed)?;
    Ok(folder)
}

/// Does what the generator is asked.
pub(crate) fn generate(parser: Parser) -> Result {
    match parse(parser).map_err(|why| format!("as {NAME}: {why}"))? {
        Asked::Version => println!("{NAME} {}", wasm_bindgen_shared::version()),
        Asked::Bindings(Options { wasm, out_dir, keeps_mangled, omits_default_path }) => Bindgen::new()
            .input_path(&wasm)
            .web(true)
            .and_then(|bindgen| {
                bindgen
                    .typescript(true)
                    .demangle(!keeps_mangled)
                    .omit_default_module_path(omits_default_path)
                    .remove_name_section(true)
                    .remove_producers_section(true)
                    .generate(out_dir)
            })
            .map_err(|e| format!("could not make the JavaScript bindings of {}: {e:#}", wasm.display()))?,
    }
    Ok(())
}

fn parse(mut parser: Parser) -> std::result::Result<Asked, lexopt::Error> {
    let mut options = Options::default();
    while let Some(arg) = parser.next()? {
        match arg {
            Arg::Short('V') | Arg::Long("version") => return Ok(Asked::Version),
            Arg::Value(wasm) => options.wasm = wasm.into(),
            Arg::Long("out-dir") => options.out_dir = parser.value()?.into(),
            Arg::Long("target") => {
                let target = parser.value()?.string()?;
                if target != "web" {
                    return Err(format!("makes bindings for the web, not for {target}").into());
                }
            }
            // The file's own name, and types, are what it makes in any case.
            Arg::Long("typescript") => {}
            Arg::Long("no-demangle") => options.keeps_mangled = true,
            Arg::Long("omit-default-module-path") => options.omits_default_path = true,
            other => return Err(other.unexpected()),
        }
    }
    Ok(Asked::Bindings(options))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_knows_what_wasm_pack_asks_and_refuses_what_it_would_not_do() {
        let parsed = |line: &str| parse(Parser::from_args(line.split(' ')));
        assert_eq!(parsed("--version").ok(), Some(Asked::Version));
        let asked =
            parsed("a.wasm --out-dir b --typescript --target web --no-demangle --omit-default-module-path");
        let options = Options {
            wasm: "a.wasm".into(),
            out_dir: "b".into(),
            keeps_mangled: true,
            omits_default_path: true,
        };
        assert_eq!(asked.ok(), Some(Asked::Bindings(options)));
        for line in ["a.wasm --target nodejs", "a.wasm --debug", "a.wasm --out-name b"] {
            assert!(parsed(line).is_err(), "{line}");
        }
    }
}
