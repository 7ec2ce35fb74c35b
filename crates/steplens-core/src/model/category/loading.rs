//! Names of ranges in which a program loads its next batch: `load_batch`, `data loading`, `IteratorGetNext`, `train_dataloader_next`.
//!
//! All words of a name must be known here, so that `load_batch_norm`, `get_next_batch_to_run` and `data_parallel` are none: such names are
//! not only about loading.

use super::kernels::Words;

/// Longer names say more than that a batch is loaded.
const MOST_BYTES: usize = 64;
/// What a program does with a batch before it has it.
const VERBS: [&str; 13] = [
    "load", "loads", "loading", "loader", "fetch", "fetching", "get", "getting", "next", "read", "reading",
    "wait", "waiting",
];
/// What it does that to.
const NOUNS: [&str; 10] = [
    "batch",
    "batches",
    "minibatch",
    "minibatches",
    "data",
    "dataset",
    "input",
    "inputs",
    "samples",
    "examples",
];
/// Words that are both.
const BOTH: [&str; 4] = ["dataloader", "dataloaders", "dataloading", "dataload"];
/// Words that may stand next to them.
const OTHERS: [&str; 27] = [
    "the",
    "a",
    "of",
    "for",
    "from",
    "on",
    "mini",
    "train",
    "training",
    "val",
    "validation",
    "valid",
    "eval",
    "evaluation",
    "test",
    "step",
    "iter",
    "iterator",
    "iteration",
    "epoch",
    "loop",
    "host",
    "time",
    "pl",
    "profile",
    "pipeline",
    "first",
];

/// Whether `name` says that the next batch is loaded, and nothing else.
pub fn is_loading(name: &str) -> bool {
    // Functions of C++ and frames of Python are called after what they are, and not marked by a program. Letters that are not ASCII would be none
    // of a word.
    if name.len() > MOST_BYTES || !name.is_ascii() || name.contains("::") || name.starts_with('$') {
        return false;
    }
    let (mut verb, mut noun, mut both, mut iterates, mut nexts, mut pipes) =
        (false, false, false, false, false, false);
    for word in Words::of(name) {
        let is = |known: &str| word.eq_ignore_ascii_case(known);
        let among = |known: &[&str]| known.iter().any(|&known| is(known));
        let (is_verb, is_noun, is_both) = (among(&VERBS), among(&NOUNS), among(&BOTH));
        if !(is_verb
            || is_noun
            || is_both
            || among(&OTHERS)
            || word.bytes().all(|byte| byte.is_ascii_digit()))
        {
            return false;
        }
        (verb, noun, both) = (verb | is_verb, noun | is_noun, both | is_both);
        (iterates, nexts, pipes) =
            (iterates | (is("iterator") || is("get")), nexts | is("next"), pipes | is("pipeline"));
    }
    both || (verb && noun) || (iterates && nexts) || (pipes && noun)
}

#[cfg(test)]
mod tests {
    use super::is_loading;

    #[test]
    fn a_program_marks_that_it_loads() {
        for name in [
            "load_batch",
            "load data",
            "Load batch 12",
            "data_loading",
            "Data Loading",
            "dataloader",
            "IteratorGetNext",
            "get_next",
            "get_batch",
            "next_batch",
            "train/fetch_data",
            "wait for data",
            "input_pipeline",
            "[_TrainingEpochLoop].train_dataloader_next",
            "DataLoader.next",
        ] {
            assert!(is_loading(name), "{name}");
        }
    }

    #[test]
    fn other_names_have_other_words() {
        for name in [
            "load_batch_norm",
            "load_checkpoint",
            "get_next_batch_to_run",
            "data_parallel",
            "batch_to_device",
            "next_token",
            "train_step",
            "get",
            "data",
            "input",
            "pipeline",
            "wait",
            "$loader.py:12 load_batch",
            "DataLoader::next",
            "load data and train",
            "",
            "12",
            "é load data",
        ] {
            assert!(!is_loading(name), "{name}");
        }
    }
}
