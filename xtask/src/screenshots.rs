//! `cargo xtask screenshots`: takes the pictures of the page in docs/screenshots/ anew.

use crate::page::{self, Core};
use crate::run::{Result, run, say};
use crate::{browsers, npm};

pub(crate) fn screenshots() -> Result {
    page::build(Core::Optimised)?;
    say("taking the pictures in docs/screenshots");
    let mut script = npm::node("tests/web/screenshots.mjs");
    script.arg("docs/screenshots");
    Core::Optimised.tell(&mut script);
    browsers::provide_whole(&mut script)?;
    run(&mut script)
}
