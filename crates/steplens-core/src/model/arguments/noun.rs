//! The meaning of arguments: profilers have different names for the same thing.

/// What an argument is about, if its name is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noun {
    /// The shapes of the inputs.
    Shapes,
    /// The element types of the inputs.
    Types,
    /// The strides of the inputs.
    Strides,
    /// The values of the inputs.
    Inputs,
    /// The modules around the op.
    Module,
    /// The call stack.
    Stack,
    /// How many blocks a kernel was launched with, in each of three dimensions.
    Grid,
    /// How many threads a block has, in each of three dimensions.
    Block,
    /// Registers of each thread.
    Registers,
    /// Shared memory of each block, in bytes.
    SharedMemory,
    /// Occupancy, in percent.
    Occupancy,
    /// All of a kernel's launch in one text: `regs:32 static_shared:0 dynamic_shared:0 grid:1,1,1 block:256,1,1 occ_pct:100`.
    Launch,
    /// The stream.
    Stream,
    /// What joins a kernel with its call.
    Correlation,
    /// Bytes.
    Bytes,
    /// Bytes per second.
    Bandwidth,
    /// Floating-point operations.
    Flops,
}

impl Noun {
    /// Every noun in the order in which arguments are shown, and the names of arguments with that meaning.
    pub const ALL: [(Self, &'static [&'static str]); 17] = [
        (Self::Shapes, &["Input Dims", "Input dims"]),
        (Self::Types, &["Input type", "Input Types"]),
        (Self::Strides, &["Input Strides"]),
        (Self::Inputs, &["Concrete Inputs"]),
        (Self::Module, &["Module Hierarchy"]),
        (Self::Stack, &["Call stack"]),
        (Self::Grid, &["grid"]),
        (Self::Block, &["block"]),
        (Self::Registers, &["registers per thread"]),
        (Self::SharedMemory, &["shared memory"]),
        (Self::Occupancy, &["est. achieved occupancy %", "theoretical_occupancy_pct"]),
        (Self::Launch, &["kernel_details"]),
        (Self::Stream, &["stream"]),
        (Self::Correlation, &["correlation", "correlation_id"]),
        (Self::Bytes, &["bytes", "Bytes", "bytes_accessed"]),
        (Self::Bandwidth, &["memory bandwidth (GB/s)"]),
        (Self::Flops, &["flops"]),
    ];

    /// The meaning of an argument that a file calls `name`.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, names)| names.contains(&name)).map(|&(noun, _)| noun)
    }

    /// The word for this value in every output; none for what no output names.
    pub fn word(self) -> Option<&'static str> {
        Some(match self {
            Self::Shapes => "shapes",
            Self::Types => "types",
            Self::Strides => "strides",
            Self::Inputs => "inputs",
            Self::Module => "module",
            Self::Stack => "stack",
            Self::Grid => "grid",
            Self::Block => "block",
            Self::Registers => "registers",
            Self::SharedMemory => "shared-memory",
            Self::Occupancy => "occupancy",
            Self::Launch => return None,
            Self::Stream => "stream",
            Self::Correlation => "correlation",
            Self::Bytes => "bytes",
            Self::Bandwidth => "bandwidth",
            Self::Flops => "flops",
        })
    }
}
