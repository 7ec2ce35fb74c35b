//! `steplens network`: what the step spends on communication, and what to blame. One file for each section.

mod devices;
mod links;

use super::{Loaded, headline};
use crate::args::{self, Form};
use crate::failure::Failure;
use crate::render::Screen;
use crate::render::places::Places;
use std::io::Write;
use steplens_formats::json;

pub(super) fn run(args: &args::Network) -> Result<(), Failure> {
    let loaded = Loaded::read(&args.files)?;
    let network = json::Network::of(&loaded.study);
    loaded.print(&Form { json: args.json, csv: false, color: args.color }, |out| {
        if args.json {
            return writeln!(out, "{}", network.to_text());
        }
        let screen = Screen::new(args.color);
        headline::write(out, screen, &loaded)?;
        let places = Places::of(&loaded.study);
        devices::write(out, screen, &network, &places.of_devices(&loaded.study))?;
        links::write(out, screen, &network)
    })
}
