//! The names of the files in a watched folder. Whatever has another name is not part of it, and never read or served.

use std::fmt;

/// The longest name of a process or request.
const MOST_LETTERS: usize = 64;

/// The name of a process: `worker.0`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessName(String);

impl ProcessName {
    /// `text`, if it is such a name: 1 to 64 of `A-Z a-z 0-9 _ .`, the first a letter or digit.
    pub fn new(text: &str) -> Option<Self> {
        let is_name = text.len() <= MOST_LETTERS
            && text.starts_with(|c: char| c.is_ascii_alphanumeric())
            && text.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_' || c == b'.');
        is_name.then(|| Self(text.to_owned()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The id of a request.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestId(String);

impl RequestId {
    /// `text`, if it is such an id: 1 to 64 of `A-Z a-z 0-9 _`.
    pub fn new(text: &str) -> Option<Self> {
        let is_id = !text.is_empty()
            && text.len() <= MOST_LETTERS
            && text.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
        is_id.then(|| Self(text.to_owned()))
    }

    /// An id for a new request, made of the moment and a random number: ids in order of their names are in order of time.
    pub fn made(unix_ms: u64, random: u32) -> Self {
        Self(format!("t{unix_ms:012x}_{random:08x}"))
    }

    /// The id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What the file of a trace holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ending {
    /// RunMetadata.
    Pb,
    /// What the profiler of TensorFlow 2 or JAX wrote.
    XplanePb,
    /// What PyTorch wrote.
    Json,
    /// The same, packed.
    JsonGz,
}

impl Ending {
    const ALL: [Self; 4] = [Self::Pb, Self::XplanePb, Self::Json, Self::JsonGz];

    /// The ending, without the dot before it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pb => "pb",
            Self::XplanePb => "xplane.pb",
            Self::Json => "json",
            Self::JsonGz => "json.gz",
        }
    }
}

/// The trace of a run: `traces/17-worker.0.pb`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TraceName {
    /// The number of the run in its process.
    pub run: u64,
    /// Its process.
    pub process: ProcessName,
    /// What the file holds.
    pub ending: Ending,
}

impl TraceName {
    /// The trace of `run` of `process` if that is called `path`. A process may have dots in its name, so that a path alone does not
    /// always tell where that ends.
    pub fn of_run(path: &str, run: u64, process: &ProcessName) -> Option<Self> {
        let ending = path.strip_prefix(&format!("traces/{run}-{}.", process.0))?;
        let ending = Ending::ALL.into_iter().find(|known| known.as_str() == ending)?;
        Some(Self { run, process: process.clone(), ending })
    }

    /// The same from the path alone: the longest ending counts.
    fn new(name: &str) -> Option<Self> {
        let (run, rest) = name.split_once('-')?;
        let number: u64 = run.parse().ok().filter(|number: &u64| number.to_string() == run)?;
        let all = [Ending::XplanePb, Ending::JsonGz, Ending::Pb, Ending::Json];
        all.into_iter().find_map(|ending| {
            let process = rest.strip_suffix(ending.as_str())?.strip_suffix('.')?;
            Some(Self { run: number, process: ProcessName::new(process)?, ending })
        })
    }
}

impl fmt::Display for TraceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "traces/{}-{}.{}", self.run, self.process.0, self.ending.as_str())
    }
}

/// A file of the folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileName {
    /// `steplens.json`.
    Processes,
    /// `runs-PROCESS.jsonl`.
    Runs(ProcessName),
    /// `traces/RUN-PROCESS.ENDING`.
    Trace(TraceName),
    /// `requests/ID.json`.
    Request(RequestId),
    /// `answers/ID-PROCESS.json`.
    Answer(RequestId, ProcessName),
}

impl FileName {
    /// The folders within a watched folder.
    pub const FOLDERS: [&str; 3] = ["traces", "requests", "answers"];

    /// The file at `path` within the folder, with `/` between its parts; `None` for whatever does not belong to a watched folder.
    pub fn new(path: &str) -> Option<Self> {
        if path == "steplens.json" {
            return Some(Self::Processes);
        }
        if let Some(name) = path.strip_prefix("traces/") {
            return TraceName::new(name).map(Self::Trace);
        }
        if let Some(name) = path.strip_prefix("requests/") {
            return RequestId::new(name.strip_suffix(".json")?).map(Self::Request);
        }
        if let Some(name) = path.strip_prefix("answers/") {
            let (id, process) = name.strip_suffix(".json")?.split_once('-')?;
            return Some(Self::Answer(RequestId::new(id)?, ProcessName::new(process)?));
        }
        let process = path.strip_prefix("runs-")?.strip_suffix(".jsonl")?;
        ProcessName::new(process).map(Self::Runs)
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Processes => f.write_str("steplens.json"),
            Self::Runs(process) => write!(f, "runs-{}.jsonl", process.0),
            Self::Trace(trace) => trace.fmt(f),
            Self::Request(id) => write!(f, "requests/{}.json", id.0),
            Self::Answer(id, process) => write!(f, "answers/{}-{}.json", id.0, process.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_folder_are_read_and_written_alike() {
        for path in [
            "steplens.json",
            "runs-worker.0.jsonl",
            "traces/17-worker.0.pb",
            "traces/0-w.xplane.pb",
            "traces/18446744073709551615-9_a.json.gz",
            "traces/5-w.json",
            "requests/a1.json",
            "answers/a1-worker.0.json",
        ] {
            assert_eq!(FileName::new(path).map(|name| name.to_string()).as_deref(), Some(path));
        }
    }

    #[test]
    fn other_names_are_no_part_of_it() {
        let long = format!("runs-{}.jsonl", "a".repeat(65));
        for path in [
            "",
            "steplens.json/",
            "./steplens.json",
            "/steplens.json",
            "../runs-a.jsonl",
            "traces/../steplens.json",
            "traces/1-../../etc/passwd.pb",
            "traces/..%2f1-a.pb",
            "traces/01-a.pb",
            "traces/+1-a.pb",
            "traces/1-.pb",
            "traces/1-.a.pb",
            "traces/1-a.pb.part",
            "traces/.1-a.pb",
            "traces/1-a\\b.pb",
            "traces/1-a.pb\0",
            "traces/18446744073709551616-a.pb",
            "runs-.jsonl",
            "runs--a.jsonl",
            "runs-a-b.jsonl",
            "runs-a/b.jsonl",
            "runs-\u{e9}.jsonl",
            "requests/a-1.json",
            "requests/.json",
            "answers/a1.json",
            "answers/a1-w-0.json",
            &long,
        ] {
            assert_eq!(FileName::new(path), None, "{path:?}");
        }
    }

    #[test]
    fn a_process_may_be_called_as_an_ending() {
        let process = ProcessName::new("w.xplane").expect("a name");
        let of_run = TraceName::of_run("traces/1-w.xplane.pb", 1, &process).expect("its trace");
        assert_eq!(of_run.ending, Ending::Pb);
        // The path alone says it otherwise, and is the same path.
        let alone = TraceName::new("1-w.xplane.pb").expect("a trace");
        assert_eq!(alone.to_string(), of_run.to_string());
    }
}
