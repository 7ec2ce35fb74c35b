//! How many connections there are, and how long each: who says nothing, reads nothing or comes in hundreds keeps nobody else waiting.

use super::Shared;
use super::routes;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_io_timeout::TimeoutStream;

/// The most connections at once.
const MOST: usize = 256;
/// How long a request may take to say what it wants, and a connection may stay without one.
const WORDS: Duration = Duration::from_secs(10);
/// How long a reader may read nothing.
const READING: Duration = Duration::from_secs(60);
/// The most bytes of the head of a request: other programs of this host may have set many cookies.
const MOST_HEAD: usize = 64 << 10;
/// How long it waits where the system has no more sockets.
const PAUSE: Duration = Duration::from_millis(100);

struct Connection {
    task: JoinHandle<()>,
    /// Whether it has shown the token.
    is_known: Arc<AtomicBool>,
}

/// Answers until `stop`.
pub(super) async fn serve(
    listener: std::net::TcpListener,
    shared: Arc<Shared>,
    stop: Arc<Notify>,
) -> io::Result<()> {
    let listener = TcpListener::from_std(listener)?;
    let mut open: VecDeque<Connection> = VecDeque::new();
    let stopped = stop.notified();
    tokio::pin!(stopped);
    loop {
        let accepted = tokio::select! {
            () = &mut stopped => return Ok(()),
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else {
            // Too many open files, or a connection that ended before it began.
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        open.retain(|connection| !connection.task.is_finished());
        if open.len() >= MOST && !make_room(&mut open) {
            continue;
        }
        let is_known = Arc::new(AtomicBool::new(false));
        let task = tokio::spawn(connection(stream, Arc::clone(&shared), Arc::clone(&is_known)));
        open.push_back(Connection { task, is_known });
    }
}

/// Ends the oldest connection that has not shown the token. Says whether there was one.
fn make_room(open: &mut VecDeque<Connection>) -> bool {
    let place = open.iter().position(|connection| !connection.is_known.load(Ordering::Relaxed));
    match place.and_then(|place| open.remove(place)) {
        Some(connection) => {
            connection.task.abort();
            true
        }
        None => false,
    }
}

async fn connection(stream: TcpStream, shared: Arc<Shared>, is_known: Arc<AtomicBool>) {
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(READING));
    let answer = service_fn(move |request| {
        let (shared, is_known) = (Arc::clone(&shared), Arc::clone(&is_known));
        async move {
            let (answer, has_token) = routes::answer(&shared, request).await;
            is_known.store(has_token, Ordering::Relaxed);
            Ok::<_, Infallible>(answer)
        }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(WORDS)
        .max_buf_size(MOST_HEAD)
        .serve_connection(TokioIo::new(Box::pin(stream)), answer);
    // Who breaks off or says nonsense hears no more; nobody else is concerned.
    let _ = served.await;
}
