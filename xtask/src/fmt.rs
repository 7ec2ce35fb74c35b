//! `cargo xtask fmt`: formats the Rust code, and the TypeScript with the prettier of `www/package.json`.

use std::process::Command;

use crate::npm;
use crate::run::{Result, cargo, root, run};

/// Formats every file.
pub(crate) fn format() -> Result {
    run(cargo().args(["fmt", "--all"]))?;
    run(cargo().args(["fmt", "--manifest-path", FUZZ]))?;
    npm::install()?;
    run(prettier().arg("--write"))
}

/// Fails where a file is formatted otherwise.
pub(crate) fn check() -> Result {
    run(cargo().args(["fmt", "--all", "--check"]))?;
    run(cargo().args(["fmt", "--manifest-path", FUZZ, "--check"]))?;
    npm::install()?;
    run(prettier().arg("--check"))
}

/// A workspace of its own.
const FUZZ: &str = "fuzz/Cargo.toml";

/// Over all that people write in `www`; `contract` is as the test writes it that makes it, and the types of messages as `www/messages.mjs` does.
fn prettier() -> Command {
    let mut prettier = npm::node("node_modules/prettier/bin/prettier.cjs");
    prettier.current_dir(root().join("www"));
    prettier.args([
        "--log-level=warn",
        "*.mjs",
        "*.ts",
        "src/**/*.ts",
        "!src/engine/contract/**",
        "!src/base/message_types.ts",
    ]);
    prettier
}
