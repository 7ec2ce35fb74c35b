//! Steps that a program or its devices marked: the step of an event, by when the event started or, for a kernel, by when it was launched.
//!
//! A program marks where its steps begin (`ProfilerStep#5` of PyTorch; `step_num`, a stat of the events around them, of TensorFlow and
//! JAX); without such marks, the `Steps` lines of the devices are used. A step lasts until the next one begins: what runs between two
//! steps belongs to the first of them.
//!
//! Devices run one step at slightly different times. But marks of one number are several steps if there is more time between them than the
//! longest of them takes: such devices do not work on one step (XProf numbers the steps of each host by themselves, and a file may have the
//! devices of programs that know nothing of one another).

use steplens_core::base::order;

/// The beginning of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    pub(crate) number: i64,
    pub(crate) start_unix_ns: i64,
    /// 0 if it is not known.
    pub(crate) length_ns: i64,
    /// The plane or process of the device with this mark; `None` if a host has it.
    pub(crate) device: Option<u32>,
}

/// The steps of one file.
#[derive(Default)]
pub(crate) struct Steps {
    /// Start and number, in order of start.
    steps: Vec<(i64, i64)>,
    /// (plane or process, start, step), if devices have their own marks of steps.
    own: Vec<(u32, i64, u32)>,
    /// Whether only devices mark steps.
    is_of_devices: bool,
}

impl Steps {
    /// The steps of `marks`.
    pub(crate) fn of(mut marks: Vec<Mark>) -> Self {
        let by_host = marks.iter().any(|mark| mark.device.is_none());
        order::by_number(&mut marks, |mark| (mark.start_unix_ns, mark.number));
        if !by_host {
            return Self::of_devices(marks);
        }
        let first = marks.iter().filter(|mark| mark.device.is_none());
        let mut steps: Vec<(i64, i64)> = first.map(|mark| (mark.start_unix_ns, mark.number)).collect();
        // Several threads and hosts may mark the same step; the same number later is from another epoch.
        steps.dedup_by_key(|step| step.1);
        let mut by_number: Vec<(i64, u32)> = steps.iter().map(|step| step.1).zip(0..).collect();
        order::by_number(&mut by_number, |(number, step)| (number, i64::from(step)));
        let step_of = |number: i64| {
            let place = by_number.partition_point(|&(other, _)| other < number);
            by_number.get(place).filter(|&&(other, _)| other == number).map(|&(_, step)| step)
        };
        let own =
            marks.iter().filter_map(|mark| Some((mark.device?, mark.start_unix_ns, step_of(mark.number)?)));
        let mut own: Vec<_> = own.collect();
        order::by_number(&mut own, |(plane, start, _)| (i64::from(plane), start));
        Self { steps, own, is_of_devices: false }
    }

    /// The steps of `marks`, all of them by devices.
    fn of_devices(mut marks: Vec<Mark>) -> Self {
        order::by_number(&mut marks, |mark| (mark.number, mark.start_unix_ns));
        let mut steps: Vec<(i64, i64)> = Vec::new();
        let (mut end, mut longest) = (0_i64, 0_i64);
        let mut begun: Vec<(u32, i64, (i64, i64))> = Vec::with_capacity(marks.len());
        for mark in &marks {
            let pause = mark.start_unix_ns.saturating_sub(end);
            let is_known = longest > 0 && mark.length_ns > 0;
            let is_same = steps.last().is_some_and(|&(_, number)| number == mark.number)
                && !(is_known && pause > longest.max(mark.length_ns));
            let own_end = mark.start_unix_ns.saturating_add(mark.length_ns);
            (end, longest) = match is_same {
                true => (end.max(own_end), longest.max(mark.length_ns)),
                false => (own_end, mark.length_ns),
            };
            if !is_same {
                steps.push((mark.start_unix_ns, mark.number));
            }
            if let (Some(device), Some(&step)) = (mark.device, steps.last()) {
                begun.push((device, mark.start_unix_ns, step));
            }
        }
        order::by_number(&mut steps, |step| step);
        // No two steps of one number begin at once.
        let place = |step: (i64, i64)| steps.partition_point(|&other| other < step) as u32;
        let mut own: Vec<_> =
            begun.into_iter().map(|(device, start, step)| (device, start, place(step))).collect();
        order::by_number(&mut own, |(plane, start, _)| (i64::from(plane), start));
        Self { steps, own, is_of_devices: true }
    }

    /// Whether only devices mark steps: what was launched before such a mark is of the step that the device says.
    pub(crate) fn is_of_devices(&self) -> bool {
        self.is_of_devices
    }

    /// Takes away the last one, if there is another: a program that marks where each step begins marks one more as its loop ends.
    pub(crate) fn drop_last(&mut self) {
        let last = self.steps.len().saturating_sub(1);
        if last > 0 && self.own.iter().all(|&(_, _, step)| step as usize != last) {
            self.steps.pop();
        }
    }

    /// Start and number of each step.
    pub(crate) fn as_slice(&self) -> &[(i64, i64)] {
        &self.steps
    }

    /// The step that ran at a time, by the program; `None` before the first.
    pub(crate) fn at(&self, unix_ns: i64) -> Option<usize> {
        self.steps.partition_point(|&(start, _)| start <= unix_ns).checked_sub(1)
    }

    /// The step that ran on the device of `plane` at a time, if the device has marks.
    pub(crate) fn on_device_at(&self, plane: u32, unix_ns: i64) -> Option<usize> {
        let place = self.own.partition_point(|&(other, start, _)| (other, start) <= (plane, unix_ns));
        let &(other, _, step) = self.own.get(place.checked_sub(1)?)?;
        (other == plane).then_some(step as usize)
    }
}

/// The number at the end of the name of an event on a `Steps` line: `5`, `step.5`, `train 5`. Where a program marks no steps, the profiler
/// counts each op that was run eagerly, which is none.
pub(crate) fn number_in(name: &str) -> Option<i64> {
    if name.starts_with("EagerKernelExecute") {
        return None;
    }
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
    name.get(name.len() - digits..)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(number: i64, start_unix_ns: i64, device: Option<u32>) -> Mark {
        Mark { number, start_unix_ns, length_ns: 0, device }
    }

    #[test]
    fn a_step_lasts_until_the_next() {
        let marks = vec![mark(8, 200, None), mark(7, 100, None), mark(7, 103, None), mark(7, 300, None)];
        let steps = Steps::of(marks);
        assert_eq!(steps.as_slice(), [(100, 7), (200, 8), (300, 7)]);
        let at = [99, 100, 199, 200, 1_000].map(|time| steps.at(time));
        assert_eq!(at, [None, Some(0), Some(0), Some(1), Some(2)]);
        assert_eq!(steps.on_device_at(0, 150), None);
    }

    #[test]
    fn devices_run_steps_later_than_their_program_starts_them() {
        let marks =
            vec![mark(1, 100, None), mark(2, 200, None), mark(1, 150, Some(4)), mark(2, 260, Some(4))];
        let steps = Steps::of(marks);
        assert_eq!([140, 259, 260].map(|time| steps.on_device_at(4, time)), [None, Some(0), Some(1)]);
        assert_eq!(steps.on_device_at(5, 300), None);
    }

    #[test]
    fn without_a_program_devices_tell_the_steps() {
        let marks =
            vec![mark(1, 100, Some(0)), mark(2, 200, Some(0)), mark(1, 210, Some(1)), mark(2, 290, Some(1))];
        let steps = Steps::of(marks);
        assert_eq!(steps.as_slice(), [(100, 1), (200, 2)]);
        assert_eq!((steps.on_device_at(1, 250), steps.on_device_at(0, 250)), (Some(0), Some(1)));
        // Of marks with lengths, those that are further apart than the longest takes are two steps.
        let long = |start, device| Mark { length_ns: 20, ..mark(0, start, Some(device)) };
        let steps = Steps::of(vec![long(100, 4), long(130, 5), long(770, 6)]);
        assert_eq!(steps.as_slice(), [(100, 0), (770, 0)]);
        assert_eq!([4, 5, 6].map(|plane| steps.on_device_at(plane, 800)), [Some(0), Some(0), Some(1)]);
        assert_eq!(
            ["5", "step.12", "read 7", "x", "", "EagerKernelExecute 0"].map(number_in),
            [Some(5), Some(12), Some(7), None, None, None]
        );
    }
}
