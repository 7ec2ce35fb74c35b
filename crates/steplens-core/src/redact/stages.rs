//! Names of the stages of `tf.data`, as TensorFlow 2's profiler writes them: `Iterator::Model::Prefetch::FlatMap[0]::Generator`. Figures know by them
//! what a pipeline does. Each stage is called after its dataset; those of TensorFlow itself stay, others are hidden.

use super::words;

/// What the names of stages begin with.
pub(super) const BEGINNING: &str = "Iterator::";

/// The datasets of TensorFlow, without their versions (`kDatasetType` in `tensorflow/core/kernels/data` and `experimental`), in order.
const STAGES: [&str; 87] = [
    "AssertCardinality",
    "AssertNext",
    "AssertPrev",
    "AutoShard",
    "Batch",
    "BytesProducedStats",
    "CSV",
    "Cache",
    "ChooseFastest",
    "ChooseFastestBranch",
    "Concatenate",
    "DataService",
    "DenseToSparseBatch",
    "DirectedInterleave",
    "EmptyRepeat",
    "EmptySkip",
    "EmptyTake",
    "FileCache",
    "Filter",
    "Finalize",
    "FiniteRepeat",
    "FiniteSkip",
    "FiniteTake",
    "FixedLengthRecord",
    "FlatMap",
    "ForeverRepeat",
    "Generator",
    "GlobalShuffle",
    "GroupByReducer",
    "GroupByWindow",
    "IgnoreErrors",
    "IndexFlatMap",
    "Interleave",
    "LMDB",
    "LatencyStats",
    "LegacyParallelInterleave",
    "List",
    "Load",
    "Map",
    "MapAndBatch",
    "MatchingFiles",
    "MaxIntraOpParallelism",
    "MemoryCache",
    "Model",
    "MultiDeviceIterator",
    "NonSerializable",
    "Optimize",
    "Options",
    "PaddedBatch",
    "Parallel",
    "ParallelBatch",
    "ParallelFilter",
    "ParallelInterleave",
    "ParallelMap",
    "ParseExample",
    "Prefetch",
    "PrivateThreadPool",
    "Random",
    "Range",
    "Rebatch",
    "Repeat",
    "Root",
    "Sampling",
    "Save",
    "Scan",
    "SetStatsAggregator",
    "Shard",
    "Shuffle",
    "ShuffleAndRepeat",
    "Skip",
    "Sleep",
    "SlidingWindow",
    "Snapshot",
    "SparseTensorSlice",
    "Sql",
    "TFRecord",
    "Take",
    "TakeWhile",
    "Tensor",
    "TensorSlice",
    "TextLine",
    "ThreadPool",
    "Unbatch",
    "Unique",
    "WeightedFlatMap",
    "Window",
    "Zip",
];

/// Whether `stage` is one of TensorFlow's: `BatchV2`, and `FlatMap[3]`, which has the third of its inputs.
pub(super) fn is_public(stage: &str) -> bool {
    let input = stage.strip_suffix(']').and_then(|own| own.rsplit_once('['));
    let stage = input.filter(|(_, number)| words::is_number(number)).map_or(stage, |(own, _)| own);
    let version = stage.rsplit_once('V').filter(|(_, number)| words::is_number(number));
    let bare = version.map_or(stage, |(own, _)| own);
    [stage, bare].iter().any(|own| STAGES.binary_search(own).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_of_tensorflow_are_public() {
        assert!(STAGES.is_sorted());
        for own in ["Prefetch", "BatchV2", "FlatMap[0]", "ParallelInterleaveV4[12]", "TFRecordV2", "CSV"] {
            assert!(is_public(own), "{own}");
        }
        for own in
            ["AcmeLoader", "", "V2", "Map[acme]", "Map[1234567]", "PrefetchAcme", "prefetch", "BatchVAcme"]
        {
            assert!(!is_public(own), "{own}");
        }
    }
}
