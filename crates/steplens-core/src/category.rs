//! Categories: what an op's time is spent on, by its op type.

use crate::label;
use regex_lite::Regex;

/// What an op does, coarsely. The order is that of priority when a device does several at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Category {
    /// Every op that is neither of the others.
    Compute = 0,
    /// A copy between host and device, or between the devices of one task.
    Copy = 1,
    /// A transfer between tasks, or a collective.
    Communication = 2,
}

impl Category {
    /// All of them, by priority.
    pub const ALL: [Self; 3] = [Self::Compute, Self::Copy, Self::Communication];

    /// Its word in every output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Compute => "compute",
            Self::Copy => "copy",
            Self::Communication => "communication",
        }
    }
}

/// Op types that communicate, as they are written (compared without case).
const COMMUNICATION: [&str; 5] = ["recvtensor", "_send", "_recv", "_hostsend", "_hostrecv"];
/// How the op types of collectives start: TensorFlow's, NCCL's, Horovod's, BytePS's and IBM DDL's.
const COMMUNICATION_PREFIXES: [&str; 5] = ["collective", "nccl", "horovod", "byteps", "ddl"];
/// How copies start: what CUPTI reports, and the copies that XLA and TFRT insert.
const COPY_PREFIXES: [&str; 2] = ["memcpy", "_copyfrom"];

/// How ops are put into categories: the rules of TensorFlow's world, and a user's patterns.
#[derive(Clone, Debug, Default)]
pub struct CategoryRules {
    communication: Vec<Regex>,
}

impl CategoryRules {
    /// The usual rules, and `communication`: regular expressions over op types and names that communicate too.
    ///
    /// The error says which pattern cannot be read, and why.
    pub fn new(communication: &[String]) -> Result<Self, String> {
        let compile = |pattern: &String| {
            Regex::new(pattern)
                .map_err(|why| format!("the pattern `{pattern}` is not a regular expression: {why}"))
        };
        Ok(Self { communication: communication.iter().map(compile).collect::<Result<_, _>>()? })
    }

    /// The category of a node.
    pub fn category(&self, name: &str, op_type: &str, label: &str) -> Category {
        let starts = |prefix: &&str| {
            op_type
                .as_bytes()
                .get(..prefix.len())
                .is_some_and(|head| head.eq_ignore_ascii_case(prefix.as_bytes()))
        };
        let communicates = COMMUNICATION.iter().any(|word| op_type.eq_ignore_ascii_case(word))
            || COMMUNICATION_PREFIXES.iter().any(starts)
            || self.communication.iter().any(|pattern| pattern.is_match(op_type) || pattern.is_match(name));
        if communicates || (op_type == name && label::transfer(label).is_some()) {
            Category::Communication
        } else if COPY_PREFIXES.iter().any(starts) {
            Category::Copy
        } else {
            Category::Compute
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn op_types_tell_the_category() {
        let rules = CategoryRules::new(&["^Push".to_owned()]).unwrap();
        let of = |op_type: &str| rules.category("n", op_type, "");
        for op_type in
            ["RecvTensor", "_Send", "_HostRecv", "CollectiveReduceV2", "NcclAllReduce", "HorovodAllreduce"]
        {
            assert_eq!(of(op_type), Category::Communication, "{op_type}");
        }
        assert_eq!([of("BytepsPushPull"), of("PushGrad")], [Category::Communication; 2]);
        assert_eq!([of("MEMCPYHtoD"), of("MemcpyD2H"), of("_CopyFromGpuToHost")], [Category::Copy; 3]);
        assert_eq!([of("MatMul"), of("_SendTree"), of("é")], [Category::Compute; 3]);
        assert_eq!(rules.category("RdmaRecv", "RdmaRecv", "x from /a to /b"), Category::Communication);
        assert!(CategoryRules::new(&["(".to_owned()]).unwrap_err().contains('('));
    }
}
