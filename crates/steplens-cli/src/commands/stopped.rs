//! Ctrl+C in commands that go on until then.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;
use steplens_host::progress::end_soon;

/// How often a watched folder is read.
pub(super) const LOOK: Duration = Duration::from_secs(1);

/// Whether the user has ended the program.
pub(super) struct Stopped(Receiver<()>);

impl Stopped {
    pub(super) fn on_ctrl_c() -> Self {
        let (pressed, presses) = mpsc::channel();
        // Without the handler Ctrl+C ends the program all the same, only without its last words.
        let _ = ctrlc::set_handler(move || {
            // Nobody listens any more: then the program is about to end.
            let _ = pressed.send(());
            end_soon();
        });
        Self(presses)
    }

    /// Waits for `time`, or until the user ends the program.
    pub(super) fn within(&self, time: Duration) -> bool {
        self.0.recv_timeout(time) != Err(RecvTimeoutError::Timeout)
    }
}
