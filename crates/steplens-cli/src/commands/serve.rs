//! `steplens serve`: the page and a watched folder or a fleet's dataset, for a browser on this machine or at the other end of ssh.

use crate::args::Serve;
use crate::page;
use crate::render::visible;
use std::io::{self, Write};
use std::net::IpAddr;
use std::path::Path;
use steplens_host::failure::{Failure, reason};
use steplens_host::live::server::{Served, Server};
use steplens_host::live::{Dataset, Folder};
use steplens_messages::say;

/// The port unless another one is wanted: one that stays the same is in the history of the browser and of the shell.
const PORT: u16 = 8686;

pub(super) fn run(args: &Serve) -> Result<(), Failure> {
    let server = bind(args)?;
    let failed = |why: io::Error| Failure::Sentence(say!("serve-failed", why = reason(&why)));
    let (url, address) = (server.url().map_err(failed)?, server.address().map_err(failed)?);
    let stopper = server.stopper();
    // Without the handler Ctrl+C ends the program all the same.
    let _ = ctrlc::set_handler(move || stopper.stop());
    let mut lines =
        vec![say!("serve-serves", folder = visible(&args.folder.to_string_lossy())), format!("  {url}")];
    if args.address.is_loopback() {
        lines.push(say!("serve-from-elsewhere", port = address.port().to_string()));
    }
    lines.push(say!("serve-ends").to_owned());
    tell(&(lines.join("\n") + "\n"))?;
    if !args.address.is_loopback() {
        let said = say!("serve-open-to-others", address = args.address.to_string());
        // If standard error cannot be written either, there is nothing left to do.
        let _ = writeln!(io::stderr(), "steplens: {said}");
    }
    if args.open
        && let Err(why) = webbrowser::open(&url)
    {
        let _ = writeln!(io::stderr(), "steplens: {}", say!("serve-not-opened", why = why.to_string()));
    }
    server.run().map_err(failed)
}

/// Prints `text` at once. Who read as much as they wanted, as `| head -2` does, still wants the folder to be served.
fn tell(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(why) if why.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        said => Ok(said?),
    }
}

fn bind(args: &Serve) -> Result<Server, Failure> {
    let page = page::template()?;
    let on = |port: u16| {
        Server::bind(args.address, port, served(&args.folder)?, &page)
            .map_err(|why| failed(args.address, port, &why))
    };
    match args.port {
        Some(port) => on(port),
        // Another one serves there: any port will do.
        None => on(PORT).or_else(|_| on(0)),
    }
}

fn failed(address: IpAddr, port: u16, why: &io::Error) -> Failure {
    Failure::Sentence(match why.kind() {
        // It is about the page.
        io::ErrorKind::InvalidData => why.to_string(),
        io::ErrorKind::AddrInUse => say!("serve-port-taken", port = port.to_string()),
        _ => say!("serve-no-port", address = address.to_string(), port = port.to_string(), why = reason(why)),
    })
}

/// A dataset where the folder is one, else a watched folder.
fn served(path: &Path) -> Result<Served, Failure> {
    let dataset = Dataset::open(path).map_err(|why| unread(path, &why))?;
    Ok(match dataset {
        Some(dataset) => dataset.into(),
        None => folder(path)?.into(),
    })
}

fn unread(path: &Path, why: &io::Error) -> Failure {
    Failure::Sentence(say!("folder-not-read", folder = path.to_string_lossy(), why = reason(why)))
}

/// The folder at `path`, which a user named.
pub(super) fn folder(path: &Path) -> Result<Folder, Failure> {
    Folder::open(path).map_err(|why| unread(path, &why))
}
