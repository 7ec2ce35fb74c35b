// The words that stand for the values of core's enums.
// Made from the Rust types by tests/tests/contract/main.rs, which says how to make it again: do not edit.

export const PATH_KINDS = ['compute', 'copy', 'transit', 'sender-queue', 'producer', 'behind', 'launching', 'allocation', 'input', 'starting', 'host-between-ops', 'python-between-ops', 'gap'] as const;
export type PathKind = (typeof PATH_KINDS)[number];

export const CATEGORIES = ['compute', 'input', 'copy', 'communication', 'launch', 'allocation', 'waiting', 'range'] as const;
export type Category = (typeof CATEGORIES)[number];

export const PLACES = ['accelerator', 'host'] as const;
export type Place = (typeof PLACES)[number];

export const DEVICE_KINDS = ['cpu', 'gpu', 'tpu', 'stream', 'stream-all', 'memcpy', 'host-profiler', 'other'] as const;
export type DeviceKind = (typeof DEVICE_KINDS)[number];

export const HOST_EVENT_KINDS = ['joined', 'transfer-node', 'unjoined', 'range', 'other-run'] as const;
export type HostEventKind = (typeof HOST_EVENT_KINDS)[number];

export const FINDING_RULES = ['exposed-transfers', 'transfers-to-merge', 'transfer-order', 'straggler', 'collective-wait', 'uneven-servers', 'exposed-communication', 'last-rank', 'input-bound', 'loader-workers', 'launch-bound', 'host-bound', 'synchronising', 'allocator', 'host-op-between', 'copies', 'pageable-copies', 'tensor-cores', 'layout-conversions', 'training-mode', 'optimizer-step', 'few-threads', 'tiny-ops', 'slower-than-peers', 'dominant-work', 'first-step', 'idle-though-launched', 'memory-peak', 'skewed-clocks', 'tracing', 'gpu-unused'] as const;
export type FindingRule = (typeof FINDING_RULES)[number];

export const STEP_RULES = ['content', 'file', 'part', 'together'] as const;
export type StepRule = (typeof STEP_RULES)[number];

export const APARTS = ['listed', 'far'] as const;
export type Apart = (typeof APARTS)[number];

export const REPAIRS = ['time-bases', 'far-ops', 'same-devices', 'repeated-ops'] as const;
export type Repair = (typeof REPAIRS)[number];

export const COUNTEDS = ['tensor', 'transfer', 'straggler', 'device', 'task', 'op'] as const;
export type Counted = (typeof COUNTEDS)[number];

export const OP_TIMES = ['schedule', 'gpu', 'all'] as const;
export type OpTime = (typeof OP_TIMES)[number];

export const CERTAINTIES = ['exact', 'inferred', 'ambiguous'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

export const LANE_KINDS = ['ops', 'communication'] as const;
export type LaneKind = (typeof LANE_KINDS)[number];

export const ARRANGEMENTS = ['packed', 'thread', 'op_type', 'scope'] as const;
export type Arrangement = (typeof ARRANGEMENTS)[number];

export const COLOR_BIES = ['category', 'phase', 'op_type', 'scope', 'duration', 'step', 'device', 'slack'] as const;
export type ColorBy = (typeof COLOR_BIES)[number];

export const OP_SORTS = ['start_ns', 'length_ns', 'name', 'op_type', 'category', 'device'] as const;
export type OpSort = (typeof OP_SORTS)[number];

export const TRANSFER_SORTS = ['transfer', 'op', 'tensor', 'variable', 'kind', 'source', 'destination', 'output', 'bytes', 'dtype', 'shape', 'producer_end_ns', 'handed_over_ns', 'sent_ns', 'received_ns', 'queued_ns', 'wire_ns', 'unused_ns', 'delayed_ns', 'waited_ns', 'bytes_per_second', 'first_consumer', 'consumer_count', 'joined', 'certainty', 'candidates', 'unjoined_because'] as const;
export type TransferSort = (typeof TRANSFER_SORTS)[number];

export const CAUSE_KINDS = ['ran-late', 'took-long', 'input-late', 'started-late'] as const;
export type CauseKind = (typeof CAUSE_KINDS)[number];

export const NO_PRODUCERS = ['source-not-traced', 'producer-not-recorded', 'unknown-rendezvous-key'] as const;
export type NoProducer = (typeof NO_PRODUCERS)[number];

export const ORDER_UNKNOWNS = ['fewer-than-two-parameters', 'producers-not-recorded', 'consumers-not-recorded', 'too-many-tasks'] as const;
export type OrderUnknown = (typeof ORDER_UNKNOWNS)[number];

export const MEMORY_READING_WORDS = ['records', 'tensors', 'timeline.py'] as const;
export type MemoryReadingWord = (typeof MEMORY_READING_WORDS)[number];

export const MEMORY_BASES = ['lives', 'sums'] as const;
export type MemoryBasis = (typeof MEMORY_BASES)[number];

export const RAN_PLACES = ['thread', 'stream', 'link', 'device', 'shared'] as const;
export type RanPlace = (typeof RAN_PLACES)[number];

export const ALIVE_BIES = ['tensor', 'op-type', 'scope', 'shape', 'variable'] as const;
export type AliveBy = (typeof ALIVE_BIES)[number];

export const DRIFT_UNKNOWNS = ['not-connected', 'too-short', 'not-a-line'] as const;
export type DriftUnknown = (typeof DRIFT_UNKNOWNS)[number];

export const FLEET_FIGURES = ['window', 'own', 'extra', 'late', 'compute', 'input', 'copy', 'communication', 'launch', 'allocation', 'waiting', 'idle', 'all-communication', 'hidden-communication'] as const;
export type FleetFigure = (typeof FLEET_FIGURES)[number];

export const FLAME_LAYERSS = ['ops', 'modules', 'python', 'scopes'] as const;
export type FlameLayers = (typeof FLAME_LAYERSS)[number];

export const FLAME_MEASURES = ['time', 'gpu'] as const;
export type FlameMeasure = (typeof FLAME_MEASURES)[number];

export const CLOCK_UNKNOWNS = ['one-way', 'unconnected'] as const;
export type ClockUnknown = (typeof CLOCK_UNKNOWNS)[number];
