//! The project's chores: `cargo xtask serve`, `test`, `bench` and `dist`.
//!
//! Cargo is all that a newcomer surely has, so the chores are a crate and not scripts. Everything a chore needs it installs
//! itself or names in one sentence. Nothing here is part of the product. Start reading at `page.rs`.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to the person who started it")]

mod args;
mod bench;
mod browsers;
mod digest;
mod dist;
mod fmt;
mod fuzz;
mod http;
mod interop;
mod lint;
mod npm;
mod npm_core;
mod page;
mod publish;
mod python;
mod release;
mod run;
mod screenshots;
mod serve;
mod test;
mod wasm_bindgen;
mod watch;
mod wheel;

use args::Chore;
use run::Result;

const USAGE: &str = "\
The project's chores.

  cargo xtask serve [--port N] [--open]   build the page, serve it, rebuild it when a source changes
  cargo xtask test [STAGE...] [--times]   every check, or only the named ones; --times: what takes longer than last time
  cargo xtask fmt                         formats the Rust code and the TypeScript
  cargo xtask bench [keep]                one table of how fast everything is, next to the last one kept; keep: keeps this one
  cargo xtask bench native                criterion's benchmarks of readers and analyses
  cargo xtask bench scale [all]           how it grows from 10 thousand to 1 million ops; all: to 5 million
  cargo xtask bench growth [FAMILY]...    how every command grows with files of bad shapes: stars, chains, many devices, ties
  cargo xtask fuzz [TARGET] [--seconds N]  hostile inputs for one reader, or each: 10 minutes by default
  cargo xtask dist                        the page in dist/ and the program in target/release/
  cargo xtask npm                         the npm package in target/npm/steplens
  cargo xtask wheel                       the wheels of the Python package in target/wheels/, checked as PyPI and pip do
  cargo xtask release [--draft]           everything that a release holds, with checksums, in target/release-files/
  cargo xtask publish [--dry-run]         the crates and the npm package of that release; --dry-run: checks them, sends nothing
  cargo xtask interop                     exports read by DuckDB, pandas, Spark and Perfetto's schema; installs them
  cargo xtask screenshots                 the pictures in docs/screenshots/
  cargo xtask page                        the page only (what Trunk's hook calls)";

fn main() -> std::process::ExitCode {
    if lint::is_called() {
        return lint::compile(std::env::args_os().skip(1));
    }
    let arguments = lexopt::Parser::from_env();
    let done = match wasm_bindgen::is_called() {
        true => wasm_bindgen::generate(arguments),
        false => args::parse(arguments).and_then(run),
    };
    match done {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("xtask: {sentence}");
            std::process::ExitCode::FAILURE
        }
    }
}

fn run(chore: Chore) -> Result {
    match chore {
        Chore::Serve(options) => serve::serve(&options),
        Chore::Test(options) => test::test(&options),
        Chore::Format => fmt::format(),
        Chore::Bench(which) => bench::bench(&which),
        Chore::Fuzz { targets, seconds } => fuzz::fuzz(&targets, seconds),
        Chore::Dist => dist::dist(dist::Program::Plain),
        Chore::Npm => release::npm(),
        Chore::Wheel => wheel::wheel(),
        Chore::Release { draft } => release::release(draft),
        Chore::Publish { is_dry_run } => publish::publish(is_dry_run),
        Chore::Screenshots => screenshots::screenshots(),
        Chore::Interop => interop::interop(),
        Chore::Page => page::build(page::Core::Optimised).map(drop),
        Chore::Help => {
            println!("{USAGE}\n\nThe stages of test: {}", test::stage_names());
            Ok(())
        }
    }
}
