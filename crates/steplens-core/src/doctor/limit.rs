//! The limits of analyses: what they leave out if a file asks for more than its size allows.

/// What was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The search for the graph nodes of ops was stopped: their inputs are taken from labels.
    Graphs,
    /// Tensors between devices of one task were not followed: some transfers are missing.
    UnrecordedTransfers,
    /// The inputs of ops were not followed: the ops are no consumers, and what they waited for is not known.
    Inputs,
    /// The consumers of transfers were not searched.
    Consumers,
    /// The chains or peers of stragglers were not followed to their end.
    Stragglers,
    /// The order of the parameters of some devices was not analysed.
    TransferOrder,
    /// The variables of transfers were not sought.
    Variables,
    /// Not all bounds between clocks were followed.
    Clocks,
}

impl Limit {
    /// The code for this value in every output.
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
