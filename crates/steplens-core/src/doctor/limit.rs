//! The limits of analyses: what they leave out where a file asks for more than its size allows.

/// What was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The search for the graph nodes of ops was given up: their inputs are those that labels name.
    Graphs,
    /// Tensors between devices of one task were not followed: some transfers are missing.
    UnrecordedTransfers,
    /// The inputs of ops were not followed: they are nobody's consumers, and what they waited for is not known.
    Inputs,
    /// The consumers of transfers were not sought.
    Consumers,
    /// The chains or peers of stragglers were not followed to the end.
    Stragglers,
    /// The order of the parameters of some devices was not analysed.
    TransferOrder,
    /// The variables of transfers were not sought.
    Variables,
    /// What the tensors say of clocks was not followed to the end.
    Clocks,
}

impl Limit {
    /// Its code in every output.
    pub fn code(self) -> &'static str {
        match self {
            Self::Graphs => "graphs-not-searched",
            Self::UnrecordedTransfers => "transfers-not-followed",
            Self::Inputs => "inputs-not-followed",
            Self::Consumers => "consumers-not-sought",
            Self::Stragglers => "stragglers-not-followed",
            Self::TransferOrder => "transfer-order-not-sought",
            Self::Variables => "variables-not-sought",
            Self::Clocks => "clocks-not-sought",
        }
    }
}
