//! What the ops of GPUs are, by the device they stand on: copies, waiting, or a kernel of a certain op.
//!
//! Names do not say it in every release. `timeline.py` writes only the first two parts of `concat:ConcatV2:MEMCPYDtoD`, and
//! TensorFlow 1.14 to 2.0 has the number of the run in each name ([`kernel_name`]). Such ops get nodes of their own, by the field
//! of their hint, as if the file had said it.

use super::{DISCARDED, TraceBuilder};
use crate::base::ids::{NodeId, StringId};
use crate::model::category::{Category, CategoryRules, Hint, Says};
use crate::model::device_name::{self, DeviceKind, Holds};
use crate::model::{kernel_name, label};
use foldhash::fast::FixedState;
use hashbrown::{HashMap, HashSet};
use std::hash::{BuildHasher, Hasher};

/// What is known of the ops of one block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    /// Not of a GPU's streams.
    Elsewhere,
    /// `/memcpy`, or a stream that has only copies.
    Copies,
    /// `/sync`.
    Waits,
    /// `/stream:`.
    Overhead,
    /// `/stream:all`.
    All,
    /// A stream in which kernels and copies may be mixed, of releases in which names of copies may be cut.
    Numbered,
    /// A stream of TensorFlow 1.14 to 2.0.
    Context,
}

/// The block of an op: its place, and the number of its GPU.
#[derive(Clone, Copy)]
struct Block {
    place: Place,
    gpu: u32,
}

/// Words of the devices, as reasons for categories.
const MEMCPY: &[u8] = b"/memcpy";
const SYNC: &[u8] = b"/sync";
const OVERHEAD: &[u8] = b"/stream:";
const NOT_ALL: &[u8] = b"/stream:all";

/// How many ops of a GPU each kind of block has.
#[derive(Clone, Copy, Default)]
struct Counts {
    numbered: u64,
    all: u64,
    copies: u64,
    is_incomplete: bool,
}

impl TraceBuilder {
    /// Gives the ops of GPUs the names and categories that follow from their devices.
    pub(super) fn settle_streams(&mut self) {
        let blocks = self.blocks_of_gpus();
        if blocks.iter().all(|block| block.place == Place::Elsewhere) {
            return;
        }
        let named = |slot: &super::Slot| slot.name.and_then(|name| copy_word(self.strings.get(name)));
        let words: Vec<Option<String>> = self.slots.iter().map(named).collect();
        let gpus = blocks.iter().map(|block| block.gpu as usize + 1).max().unwrap_or(0);
        let mut has_context = vec![false; gpus];
        blocks.iter().for_each(|block| has_context[block.gpu as usize] |= block.place == Place::Context);
        let (copies, rules) = (self.copies_by_place(&blocks), CategoryRules::default());
        let mut hint = |says, field: &[u8]| self.nodes.hint(&mut self.strings, says, field);
        let is = Says::Is;
        let (copy, not_all) = (hint(is(Category::Copy), MEMCPY), hint(is(Category::Copy), NOT_ALL));
        let (wait, overhead) = (hint(is(Category::Waiting), SYNC), hint(is(Category::Range), OVERHEAD));
        let mut settled: HashMap<(NodeId, Place, bool, u32), NodeId, FixedState> = HashMap::default();
        let (slots, nodes, strings) = (&self.slot_of_op, &mut self.nodes, &mut self.strings);
        self.ops.map_nodes(|row, node| {
            let slot = slots.get(row);
            let Block { place, gpu } = blocks[slot as usize];
            if place == Place::Elsewhere {
                return node;
            }
            let is_copy = copies.get(row).is_some_and(|is_copy| *is_copy);
            let word = words[slot as usize].is_some().then_some(slot);
            *settled.entry((node, place, is_copy, word.unwrap_or(u32::MAX - gpu))).or_insert_with(|| {
                if !nodes.has_no_hint(node) {
                    return node;
                }
                let (name, label) = (strings.get(nodes.name(node)), strings.get(nodes.label(node)));
                let is_context = has_context[gpu as usize] && matches!(place, Place::Context | Place::All);
                let (name, label) = match kernel_name::tidied(name, label, is_context) {
                    Some((name, label)) => (name.into_owned(), label),
                    None => (name.to_owned(), label.to_owned()),
                };
                // From 2.1 on only the stream says what was copied: `stream:14<MemcpyH2D>`.
                let label = match &words[slot as usize] {
                    Some(word) if label::op_type(&name, &label) == "unknown" => format!("= {word}() {label}"),
                    _ => label,
                };
                let op_type = label::op_type(&name, &label);
                let says_copy = rules.category(&name, op_type, &label) == Category::Copy;
                let hint = match place {
                    _ if says_copy => Hint::default(),
                    Place::Copies => copy,
                    Place::Waits => wait,
                    Place::Overhead => overhead,
                    _ if is_copy => not_all,
                    // The executor hands a tensor over: no kernel runs for that, only a copy.
                    _ if matches!(op_type, "_Send" | "_HostSend" | "_Recv" | "_HostRecv") => copy,
                    _ => Hint::default(),
                };
                nodes.find_or_insert(strings, name.as_bytes(), label.as_bytes(), hint)
            })
        });
    }

    /// For each block what its device is.
    fn blocks_of_gpus(&self) -> Vec<Block> {
        // By name and part: what one recording repeats of a GPU says nothing of another recording of that GPU.
        let mut known: HashMap<(StringId, u32), Block, FixedState> = HashMap::default();
        let mut gpus: HashMap<(String, u32), u32, FixedState> = HashMap::default();
        let nowhere = Block { place: Place::Elsewhere, gpu: 0 };
        let of = |slot: &super::Slot| {
            let Some(name) = slot.name.filter(|_| slot.part != DISCARDED && slot.taken > 0) else {
                return nowhere;
            };
            let text = self.strings.get(name);
            let place = place_of(text);
            // Of a hostile file each event may have a device of its own: only those of GPUs are kept.
            if place == Place::Elsewhere {
                return nowhere;
            }
            *known.entry((name, slot.part)).or_insert_with(|| {
                let next = gpus.len() as u32;
                let key = device_name::gpu_key(device_name::gpu_of(text));
                Block { place, gpu: *gpus.entry((key, slot.part)).or_insert(next) }
            })
        };
        self.slots.iter().map(of).collect()
    }

    /// For each row whether it is a copy on a numbered stream because of where else it stands: on `/memcpy`, or not on
    /// `/stream:all`. Empty if names say of all copies that they are some.
    fn copies_by_place(&self, blocks: &[Block]) -> Vec<bool> {
        let gpus = blocks.iter().map(|block| block.gpu as usize + 1).max().unwrap_or(0);
        let mut counts = vec![Counts::default(); gpus];
        for (slot, block) in self.slots.iter().zip(blocks) {
            let own = &mut counts[block.gpu as usize];
            let taken = u64::from(slot.taken);
            own.is_incomplete |= block.place != Place::Elsewhere && slot.ops != taken;
            match block.place {
                Place::Numbered => own.numbered += taken,
                Place::All => own.all += taken,
                Place::Copies => own.copies += taken,
                _ => {}
            }
        }
        // What is on no other device is a memset, or a copy whose device was not kept.
        let has_more =
            |own: &Counts| own.all > 0 && !own.is_incomplete && own.numbered > own.all + own.copies;
        let has_more: Vec<bool> = counts.iter().map(has_more).collect();
        let rows = || self.slot_of_op.iter().map(|slot| blocks[slot as usize]).enumerate();
        let key = |row: usize, gpu: u32| {
            let mut hasher = FixedState::default().build_hasher();
            hasher.write_u32(gpu);
            hasher.write_i64(self.ops.start.get(row));
            hasher.write_i64(self.ops.length.get(row));
            hasher.write_u32(self.ops.node_of(row));
            hasher.finish()
        };
        let (mut on_memcpy, mut on_all): (HashSet<u64, FixedState>, HashSet<u64, FixedState>) =
            Default::default();
        let mut says_copy: HashMap<u32, bool, FixedState> = HashMap::default();
        for (row, block) in rows().filter(|_| counts.iter().any(|own| own.numbered > 0)) {
            match block.place {
                Place::Copies if !self.says_copy(self.ops.node_of(row), &mut says_copy) => {
                    on_memcpy.insert(key(row, block.gpu));
                }
                Place::All if has_more[block.gpu as usize] => _ = on_all.insert(key(row, block.gpu)),
                _ => {}
            }
        }
        if on_memcpy.is_empty() && on_all.is_empty() {
            return Vec::new();
        }
        let is_copy = |(row, block): (usize, Block)| {
            let key = || key(row, block.gpu);
            let is_more = || has_more[block.gpu as usize] && !on_all.contains(&key());
            block.place == Place::Numbered && (on_memcpy.contains(&key()) || is_more())
        };
        rows().map(is_copy).collect()
    }

    /// Whether the texts of `node` say that it is a copy; `known` has the answers so far.
    fn says_copy(&self, node: u32, known: &mut HashMap<u32, bool, FixedState>) -> bool {
        *known.entry(node).or_insert_with(|| {
            let id = NodeId::new(node);
            let text = |text: StringId| self.strings.get(text);
            let (name, op_type) = (text(self.nodes.name(id)), text(self.nodes.op_type(id)));
            let label = text(self.nodes.label(id));
            CategoryRules::default().category(name, op_type, label) == Category::Copy
        })
    }
}

/// What a stream copies, if its name says it: `MemcpyH2D` of `/device:GPU:0/stream:14<MemcpyH2D>`.
fn copy_word(name: &str) -> Option<String> {
    let (stream, word) = name.strip_suffix('>')?.rsplit_once('<')?;
    (stream.contains("/stream:") && place_of(name) == Place::Copies).then(|| word.to_owned())
}

/// What the device called `name` is.
fn place_of(name: &str) -> Place {
    // Most devices of a trace are none of these: asking on takes memory for each.
    let has = |word: &&str| {
        name.as_bytes().windows(word.len()).any(|own| own.eq_ignore_ascii_case(word.as_bytes()))
    };
    if !["stream", "memcpy", "sync"].iter().any(has) {
        return Place::Elsewhere;
    }
    match device_name::read(name) {
        (DeviceKind::StreamAll, _) => Place::All,
        (DeviceKind::Stream, _) if name.contains("/context#") => Place::Context,
        (_, Holds::Copies) => Place::Copies,
        (_, Holds::Waits) => Place::Waits,
        (_, Holds::Overhead) => Place::Overhead,
        (DeviceKind::Stream, _) => Place::Numbered,
        _ => Place::Elsewhere,
    }
}
