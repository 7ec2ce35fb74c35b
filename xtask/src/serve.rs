//! `cargo xtask serve`: the page on this machine, built anew whenever a source changes.

use std::net::{Ipv4Addr, TcpListener};
use std::thread;
use std::time::{Duration, Instant};

use tiny_http::Server;

use crate::page::{self, Core};
use crate::run::{Result, command, say};
use crate::{http, watch};

const FIRST_PORT: u16 = 8080;
/// How many ports to try when the first ones are taken.
const PORTS_TRIED: u16 = 20;
const LOOK_EVERY: Duration = Duration::from_millis(500);

#[derive(Debug, Default)]
pub(crate) struct Options {
    pub(crate) port: Option<u16>,
    pub(crate) open: bool,
}

pub(crate) fn serve(options: &Options) -> Result {
    let started = Instant::now();
    let mut seen = watch::stamp();
    let folder = page::build(Core::Quick)?;

    let listener = listen(options.port)?;
    let address = listener.local_addr().map_err(|e| format!("could not tell the server's address: {e}"))?;
    let url = format!("http://{address}/");
    say(&format!("serving the page at {url} after {:.1} s; Ctrl-C stops", started.elapsed().as_secs_f64()));
    if options.open {
        open(&url)?;
    }

    let server =
        Server::from_listener(listener, None).map_err(|e| format!("could not serve at {url}: {e}"))?;
    thread::spawn(move || http::serve(&server, &folder));
    loop {
        thread::sleep(LOOK_EVERY);
        let now = watch::stamp();
        if now != seen {
            seen = now;
            let started = Instant::now();
            match page::build(Core::Quick) {
                Ok(_) => {
                    say(&format!("built anew in {:.1} s; reload the page", started.elapsed().as_secs_f64()))
                }
                Err(sentence) => say(&format!("{sentence}; the page stays as it was")),
            }
        }
    }
}

/// Binds the port asked for, or the first free one.
fn listen(port: Option<u16>) -> Result<TcpListener> {
    let ports = port.map_or(FIRST_PORT..=FIRST_PORT + PORTS_TRIED, |port| port..=port);
    let mut last = String::new();
    for port in ports.clone() {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(listener) => return Ok(listener),
            Err(e) => last = e.to_string(),
        }
    }
    Err(format!("could not listen on 127.0.0.1, ports {} to {}: {last}", ports.start(), ports.end()))
}

fn open(url: &str) -> Result {
    let (program, args): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start"]),
        _ => ("xdg-open", &[]),
    };
    let opened = command(program).args(args).arg(url).spawn();
    opened.map(drop).map_err(|e| format!("could not start {program} to open {url}: {e}"))
}
