//! `cargo xtask screenshots`: takes the pictures of the page in docs/screenshots/ anew.

use crate::run::{Result, root, run, say};
use crate::{browsers, npm, page};

pub(crate) fn screenshots() -> Result {
    page::build(&root().join("dist"))?;
    say("taking the pictures in docs/screenshots");
    let mut script = npm::node("tests/web/screenshots.mjs");
    script.arg("docs/screenshots");
    browsers::provide(&mut script)?;
    run(&mut script)
}
