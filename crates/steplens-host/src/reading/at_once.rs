//! Reads several files at once, each on a thread with an opener of its own. The opener takes what they have read in the order of the files, so that
//! the trace is the one that one thread makes.

use crate::failure::Failure;
use crate::progress::{Progress, Stop};
use crate::reading::input::Input;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use steplens_formats::Opener;

/// One thread has read less than that before others have begun.
const LEAST_BYTES: u64 = 1 << 20;

/// What a thread says.
enum News {
    /// It has read these bytes more.
    Bytes(u64),
    /// It has read the file in this place.
    File(usize, Box<Result<Opener, Failure>>),
}

/// Passes all files to `opener`. The progress line stays on the terminal until the result is dropped, because
/// building the trace takes time too.
pub fn open_all(inputs: &[Input], opener: &mut Opener) -> Result<Progress, Failure> {
    let mut progress = Progress::of_reading(inputs.iter().map(Input::bytes).sum());
    open_each(inputs, opener, &mut progress)?;
    Ok(progress)
}

/// Passes all files to `opener`, several at once where it may, unless `progress` is stopped.
pub(crate) fn open_each(
    inputs: &[Input],
    opener: &mut Opener,
    progress: &mut Progress,
) -> Result<(), Failure> {
    if open(inputs, opener, progress)? {
        return Ok(());
    }
    for input in inputs {
        input.open(opener, progress)?;
        if progress.is_stopped() {
            return Err(Failure::Stopped);
        }
    }
    Ok(())
}

/// Passes all files to `opener`. Returns false, and leaves `opener` without a file, where one thread must read all of them.
fn open(inputs: &[Input], opener: &mut Opener, progress: &mut Progress) -> Result<bool, Failure> {
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get).min(inputs.len());
    let bytes: Option<u64> = inputs.iter().map(Input::bytes).sum();
    // The trace of larger files may come to the limit, and would be read again.
    let is_fit = |&bytes: &u64| bytes >= LEAST_BYTES && bytes <= opener.limits().memory_bytes as u64;
    if threads < 2 || bytes.filter(is_fit).is_none() {
        return Ok(false);
    }
    let Some(template) = opener.apart(threads) else { return Ok(false) };
    let (template, next, stop) = (Mutex::new(template), AtomicUsize::new(0), Stop::default());
    let (tell, news) = channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let (tell, template, next, stop) = (tell.clone(), &template, &next, &stop);
            scope.spawn(move || read(inputs, template, next, stop, &tell));
        }
        // The channel ends with the last thread.
        drop(tell);
        let taken = take(inputs.len(), opener, progress, &news, &stop);
        stop.stop();
        taken
    })
}

/// Reads files, the next one each time, until none is left.
fn read(inputs: &[Input], template: &Mutex<Opener>, next: &AtomicUsize, stop: &Stop, tell: &Sender<News>) {
    let news = tell.clone();
    let mut progress = Progress::counted_by(stop, move |bytes| {
        // Who does not listen any more has stopped this thread, too.
        _ = news.send(News::Bytes(bytes));
    });
    loop {
        let place = next.fetch_add(1, Ordering::Relaxed);
        let Some(input) = inputs.get(place).filter(|_| !stop.is_wanted()) else { return };
        let new = template.lock().ok().and_then(|template| template.apart(1));
        let Some(mut apart) = new else { return };
        let result = input.open(&mut apart, &mut progress).map(|()| {
            apart.end_file();
            apart
        });
        if tell.send(News::File(place, Box::new(result))).is_err() {
            return;
        }
    }
}

/// Takes what the threads have read in the order of the files, until all `count` are there.
fn take(
    count: usize,
    opener: &mut Opener,
    progress: &mut Progress,
    news: &Receiver<News>,
    stop: &Stop,
) -> Result<bool, Failure> {
    let (mut early, mut taken) = (BTreeMap::new(), 0);
    while taken < count {
        match news.recv() {
            Ok(News::Bytes(bytes)) => progress.add(bytes),
            Ok(News::File(place, result)) => _ = early.insert(place, result),
            // A thread panicked: the scope passes it on.
            Err(_) => return Ok(false),
        }
        if progress.is_stopped() {
            stop.stop();
            return Err(Failure::Stopped);
        }
        while let Some(result) = early.remove(&taken) {
            if !opener.append((*result)?) {
                opener.restart();
                progress.begin_again();
                return Ok(false);
            }
            taken += 1;
        }
    }
    Ok(true)
}
