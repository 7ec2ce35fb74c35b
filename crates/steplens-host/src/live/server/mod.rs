//! Serves the page and a watched folder or a fleet, to who has the token: `docs/decisions/serve.md`.
//!
//! | file | what it decides |
//! |---|---|
//! | `gate.rs` | who is answered: Host, Origin, token |
//! | `routes.rs` | what is answered |
//! | `kept_page.rs` | how the page is sent: packed, and once |
//! | `page.rs` | the page, with the mark that it is served |
//! | `connections.rs` | how many connections there are, and how long |

mod answer;
mod connections;
mod gate;
mod kept_page;
mod page;
mod routes;

pub use page::NoPlace;

use crate::live::dataset::Dataset;
use crate::live::folder::Folder;
use gate::Gate;
use kept_page::Page;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;
use steplens_formats::watched::Entry;
use tokio::runtime;
use tokio::sync::Notify;

/// Bytes of the token: too many to be guessed.
const TOKEN_BYTES: usize = 24;
/// Threads that wait for the disk.
const MOST_THREADS: usize = 16;

/// What is served with the page.
#[derive(Debug)]
pub enum Served {
    /// A watched folder.
    Folder(Folder),
    /// A fleet.
    Dataset(Dataset),
}

impl From<Folder> for Served {
    fn from(folder: Folder) -> Self {
        Self::Folder(folder)
    }
}

impl From<Dataset> for Served {
    fn from(dataset: Dataset) -> Self {
        Self::Dataset(dataset)
    }
}

impl Shared {
    /// The watched folder, which a fleet is not.
    fn folder(&self) -> io::Result<&Folder> {
        match &self.served {
            Served::Folder(folder) => Ok(folder),
            Served::Dataset(_) => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// The fleet, which a watched folder is not.
    fn dataset(&self) -> io::Result<&Dataset> {
        match &self.served {
            Served::Dataset(dataset) => Ok(dataset),
            Served::Folder(_) => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

/// What all connections share.
#[derive(Debug)]
struct Shared {
    served: Served,
    page: Arc<Page>,
    gate: Gate,
}

/// A server that has its port and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
    stop: Arc<Notify>,
}

/// Ends a server, from any thread.
#[derive(Clone, Debug)]
pub struct Stopper(Arc<Notify>);

impl Stopper {
    /// Ends it.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// Takes the port `port` of `address`, any free one where that is 0. `page` is the single-file page.
    ///
    /// # Errors
    ///
    /// If the port cannot be had, or the system has no random numbers; `InvalidData` if `page` is no such page.
    pub fn bind(address: IpAddr, port: u16, served: impl Into<Served>, page: &[u8]) -> io::Result<Self> {
        let served = served.into();
        let (mark, name) = match &served {
            Served::Folder(folder) => (page::FOLDER, folder.name()),
            Served::Dataset(dataset) => (page::FLEET, dataset.name()),
        };
        let page =
            page::served(page, mark, name).map_err(|why| io::Error::new(io::ErrorKind::InvalidData, why))?;
        let listener = TcpListener::bind(SocketAddr::new(address, port))?;
        listener.set_nonblocking(true)?;
        let mut random = [0; TOKEN_BYTES];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        let gate = Gate::new(random, listener.local_addr()?.ip());
        let shared = Arc::new(Shared { served, page: Arc::new(Page::new(page)), gate });
        Ok(Self { listener, shared, stop: Arc::new(Notify::new()) })
    }

    /// Where it listens.
    ///
    /// # Errors
    ///
    /// If the system does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// The address of the page, with the token.
    ///
    /// # Errors
    ///
    /// If the system does not say where it listens.
    pub fn url(&self) -> io::Result<String> {
        let address = self.address()?;
        let host = match address.ip() {
            ip if ip.is_unspecified() => format!("localhost:{}", address.port()),
            _ => address.to_string(),
        };
        Ok(format!("http://{host}/?token={}", self.shared.gate.token()))
    }

    /// What ends it.
    pub fn stopper(&self) -> Stopper {
        Stopper(Arc::clone(&self.stop))
    }

    /// Answers until it is stopped.
    ///
    /// # Errors
    ///
    /// If the system refuses threads or sockets.
    pub fn run(self) -> io::Result<()> {
        let runtime =
            runtime::Builder::new_current_thread().enable_all().max_blocking_threads(MOST_THREADS).build()?;
        let result = runtime.block_on(connections::serve(self.listener, self.shared, self.stop));
        // A read of a disk that does not answer is not waited for.
        runtime.shutdown_background();
        result
    }
}

/// What `/folder` answers.
#[derive(serde::Serialize)]
struct Listing {
    files: Vec<Entry>,
}
