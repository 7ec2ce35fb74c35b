//! The thread on which a trace is studied, and the wait for what it does.
//!
//! A study fills itself as it is asked and belongs to one thread, and Python asks from any: so questions go to the study. The thread
//! that asks gives Python's lock back and looks now and then whether the user has pressed Ctrl+C.

use crate::fault::raised;
use pyo3::prelude::*;
use std::process;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;
use steplens_host::library::{Choices, Fault, Opened, Shown, Stop};
use steplens_messages::say;

/// How long a press of Ctrl+C may go unnoticed.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

type Question = Box<dyn FnOnce(&Shown) + Send>;

/// The thread that has what is shown of a trace. It ends when nobody can ask any more.
pub(crate) struct Desk {
    questions: Sender<Question>,
    /// After a fork the child has no such thread.
    process: u32,
}

impl Desk {
    /// Shows of `opened` what `choices` say.
    pub(crate) fn new(py: Python<'_>, opened: &Arc<Opened>, choices: &Choices) -> PyResult<Self> {
        let (questions, asked) = channel::<Question>();
        let (opened, choices) = (Arc::clone(opened), choices.clone());
        wait(py, Stop::default(), move |done, _| match opened.show(&choices) {
            Err(fault) => done(Err(fault)),
            Ok(shown) => {
                done(Ok(()));
                asked.into_iter().for_each(|question| question(&shown));
            }
        })?;
        Ok(Self { questions, process: process::id() })
    }

    /// Whether its thread still takes questions: not in another process, and not after a panic.
    pub(crate) fn is_there(&self) -> bool {
        self.process == process::id() && self.questions.send(Box::new(|_| ())).is_ok()
    }

    /// Takes a question; [`answer`] waits for it.
    pub(crate) fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Shown, &Stop) -> Result<T, Fault> + Send + 'static,
    ) -> Asked<T> {
        let (answers, answer) = channel();
        let stop = Stop::default();
        let own = stop.clone();
        // If the thread is gone, so is the channel of the answer, which `wait_for` reports; so it is if nobody waits any more.
        let _ = self.questions.send(Box::new(move |shown| _ = answers.send(question(shown, &own))));
        Asked { stop, answer }
    }
}

/// A question whose answer is not there yet.
pub(crate) struct Asked<T> {
    stop: Stop,
    answer: Receiver<Result<T, Fault>>,
}

impl<T: Send> Asked<T> {
    /// The answer. If the user presses Ctrl+C first, work that can stop does, and the rest of it ends unseen.
    pub(crate) fn answer(self, py: Python<'_>) -> PyResult<T> {
        let Self { stop, mut answer } = self;
        loop {
            let said;
            (said, answer) = py.detach(move || (answer.recv_timeout(BETWEEN_LOOKS), answer));
            match said {
                Ok(result) => return result.map_err(|fault| raised(py, fault)),
                Err(RecvTimeoutError::Timeout) => py.check_signals().inspect_err(|_| stop.stop())?,
                Err(RecvTimeoutError::Disconnected) => {
                    let message = say!("python-internal").to_owned();
                    return Err(raised(py, Fault { code: "internal", message }));
                }
            }
        }
    }
}

/// What takes the result of some work.
type Done<'d, T> = &'d dyn Fn(Result<T, Fault>);

/// Does `work` on a new thread, and waits until it has a result; it may go on after that.
pub(crate) fn wait<T: Send + 'static>(
    py: Python<'_>,
    stop: Stop,
    work: impl FnOnce(Done<'_, T>, &Stop) + Send + 'static,
) -> PyResult<T> {
    let (results, answer) = channel();
    let own = stop.clone();
    thread::spawn(move || {
        // Nobody waits any more after Ctrl+C.
        work(&move |result| _ = results.send(result), &own);
    });
    Asked { stop, answer }.answer(py)
}
