### What is wrong with a file, and what was done about it: `docs/problems.md` has the codes. Syntax: Fluent (projectfluent.org).
###
### Rust says these: say!("damaged-op", at). Sentences begin small and end without a full stop: they follow the name of the file.

## What packings and other formats hold

other-zstd-within = a zstd file within a packed file
advice-unpack-once = Unpack it once and open what is in it.
other-format = another format
advice-run-metadata = Open a RunMetadata (.pb), or what a profiler wrote.
other-gzip-within = a gzip file within a packed file
got-more-than-memory = more bytes than fit into the memory allowed

## What the readers of each format found

gpu-unused-pytorch = nothing shows that the GPUs that the file names ({ $count }) were used: all memory that was got, or most of what operators did, is the CPU’s, and no call of a driver that does more than ask or wait was recorded, so the operators most likely ran on the CPU. torch.cuda.is_available() says whether PyTorch finds a GPU, tensor.device where a tensor is
gpu-unused = nothing shows that the GPUs that the file names ({ $count }) were used: no tensor was sent to another device, so the ops most likely ran on the CPU. tf.config.list_physical_devices('GPU') says whether TensorFlow finds a GPU, tf.debugging.set_log_device_placement(True) where each op runs
gpu-without-events = nothing was recorded of the GPUs that the file names ({ $count }): what they did is not known. TensorFlow records it where it finds CUPTI (the folder of libcupti is in LD_LIBRARY_PATH, on Windows in PATH), and where the user may profile (NVreg_RestrictProfilingToAdminUsers=0, or an administrator)
events-not-shown-lasting = { $count } events that are neither ops nor counters nor instants (arrows, asynchronous ones) are left out. In { $percent } % of the time from the first event to the last, asynchronous ones last
events-not-shown = { $count } events that are neither ops nor counters nor instants (arrows, asynchronous ones) are left out
counter-values-lost = { $count } values of counters are no finite numbers, and are left out
samples-left-out = { $count } values of counters and instants are left out, because no memory was left for them
word-event = an event
word-tagged-run-metadata = a tagged RunMetadata
word-summary = a summary
oversized-text = the text at byte { $at } has { $length } bytes, more than the { $most } that are read; left out
damaged-event-field = an event of the file holds a field that cannot be at byte { $at }; the rest of it is left out
too-many-run-metadata = more RunMetadata at byte { $at } than are counted; everything before it is shown, the rest is left out
truncated-record-length = the length of a record; everything before it is shown
truncated-event = an event without run metadata; everything before it is shown
truncated-run-metadata = the run metadata { $tag }, before its checksum; what can be read of it is shown
truncated-within = the file ends at byte { $at } inside { $within }
records-lost = the length of a record at byte { $first_at } does not match its checksum; { $bytes } bytes up to the next record that can be found are left out (in { $places } places)
record-damaged = the record at byte { $at }, an event without run metadata, does not match its checksum; it is left out
record-of-run-damaged = the record at byte { $at }, the run metadata { $tag } with { $ops } ops, does not match its checksum; it is left out
word-event-file = an event file
got-end-of-file = the end of the file
saved-as-text = a program read and wrote this file as text: { $count } bytes or more became U+FFFD (EF BF BD) and are lost. Copy it again as a binary file
got-text = U+FFFD in place of bytes: a program read and wrote it as text, and what it held is lost
message-damaged-to-end = { $word } holds { $got } at byte { $at }; its last { $lost } bytes are left out
message-damaged = { $word } holds { $got } at byte { $at }; the rest of the file is left out
reading-stopped = { $got } at byte { $at }; everything before it is shown, the rest is left out
oversized-message = the message at byte { $at } has { $length } bytes, more than the { $most } that are read; left out
unknown-field = { $word } holds field { $field } at byte { $at }, which its schema does not have; left out
got-bad-tag = a tag or length that no message may hold
got-long-field = a field of { $length } bytes where { $word } has { $room } left
no-file-name = (no file)
session-changed = the session was changed or damaged after it was written: its checksum does not fit. Everything is shown as the file has it, and any figure may be wrong. Copy the file again, or save it again from the trace
session-incomplete = the session is damaged from byte { $at } on: { $what }. The rest is shown as the file has it, and any figure may be wrong. Copy the file again, or save it again from the trace
session-lost-head = when it was recorded, and what allocators did, is lost; times count from 1970
session-lost-strings = { $count } names and other texts are lost; they read { $lost } and a number
session-lost-names = the names of { $count } ops or kinds of ops are lost; they read { $lost }
session-lost-threads = the names of threads are lost
session-lost-graph = the graphs are lost, and with them who waits for whom
session-lost-attributes = groups of collectives and types of transferred tensors are lost
session-lost-labels = the labels of ops are lost, and with them op types and what was transferred
session-lost-categories = the categories of ops are lost; names alone decide them
session-lost-ops = { $count } of { $all } ops are lost, the last ones of their devices, and with them outputs, allocations and arguments of all ops
session-lost-kernels = when ops were scheduled, their kernels and their threads are lost
session-lost-calls = which call launched which kernel is lost
session-lost-outputs = the outputs of ops are lost
session-lost-memory = what allocators did is lost
session-lost-files = the names and problems of the files that it was made from are lost
session-lost-parts = which op is of which run or process is lost; all are shown as one
session-lost-arguments = the arguments of events are lost
session-lost-samples = counters and instants are lost
session-lost-marks = marks of steps are lost
session-lost-end = its end is missing, where runs and processes, arguments, counters and marks of steps would stand
session-lost-table = a part of it is lost whose kind cannot be read
page-view-changed = what the page says of its view was changed or damaged after it was written; the whole trace is shown, as when it is opened. Get the page again
session-newer = the session was written by a newer Steplens and holds { $bytes } bytes that this one does not know; they are left out. To see them, open it with a newer Steplens
process-unnamed = the file does not say which process it is of; its devices are those of `process{ $place }`: open it as trainer0=FILE to call it trainer0
clock-is-relative = its clock does not start at a date (it may start with the machine), so it cannot be compared with the clocks of the other files: it is shown { $ns } ns later, where these start; differences of time between this file and the others mean nothing
packing-damaged = the { $packing } packing holds { $why }; everything before that is shown
got-over-memory = more than fits into the { $limit } MiB of memory allowed
left-out-devices = ops of devices that `{ $devices }` does not match are left out, as selected
left-out-window = ops that do not overlap the window of time selected are left out
memory-limit = the { $limit } MiB of memory allowed were full after { $at } of { $of } MiB; { $ops } ops are shown and { $left_out } ops left out: open only some of the devices, or a window of time
got-other-message = a message of another kind
word-run-metadata = a RunMetadata
unknown-profile-field = the profile holds field { $field } at byte { $at }, which its schema does not have; left out
paddle-unjoined-allocation = allocations that were made in no event of the file are left out
word-paddle = a Paddle profile
paddle-allocations = { $count } allocations
paddle-advice = Train a few batches between start_profiler and stop_profiler.
got-bad-byte = a byte that starts no word
got-long-word = a word longer than 64 MiB
got-open-text = a text without its closing quote
truncated-text = the text ends within a message at byte { $at }; everything before it is shown
damaged-text = the text has { $got } at byte { $at }; it is passed over
got-misplaced-word = a word or sign in the wrong place
got-early-end = the end of a message that did not begin
got-long-message = a message longer than 64 MiB
got-no-number = a word where a number should be
pickle-run = run { $before }
pickle-of-list = a pickle of a list
pickle-of-dict = a pickle of a dict
pickle-of-text = a pickle of a text
pickle-of-number = a pickle of a number
pickle-of-nothing = a pickle of nothing
damaged-graph-node = the graph node at byte { $at } cannot be read; left out
unnamed-device = the dev_stats that end at byte { $at } name no device; their ops are shown under "{ $unnamed_device }"
got-too-many-devices = more devices than are counted
op-negative-duration = the op at byte { $start } ends before it starts; shown with length 0
op-negative-size = a tensor or allocator of the op at byte { $start } has a size below zero, which counts as none
op-damaged-tensor = a tensor or allocator record of the op at byte { $start } cannot be read; the op is shown without it
op-time-out-of-range = the op at byte { $start } runs more than 146 years from 1970; left out
got-too-many-ops = more ops than the 4,294,967,294 a trace can hold
damaged-op = an op breaks off at byte { $at }; left out
damaged-thread-name = a thread name breaks off at byte { $at }; left out
got-endless-number = a number that does not end
got-no-row = a row that is not there
got-large-number = a number that is too large
got-early-data-end = the end of the data too early
got-more-values = more values than rows
got-no-session = something else than a Steplens session
got-newer-session = a version that is newer than this program
got-early-session = a version from before Steplens 0.1.0
got-no-op = no op
got-ops-over-memory = more ops than fit into the memory allowed
got-no-unit = a unit of time that is none
got-more-text = more text than a file of this size holds
got-other-width = a column whose bytes do not fit its width
got-other-categories = categories of other nodes than there are
got-other-files = files with other ops than there are
got-no-code = an unknown code
got-time-out-of-range = a time that is out of range
got-other-devices = devices with other ops than there are
zstd-no-last-block = an end before its last block
zstd-no-frame = bytes that start no frame
zstd-window = a frame with a window of { $size } MiB
zstd-dictionary = a frame that needs a dictionary
zstd-bad-head = a frame whose head makes no sense
zstd-long-block = a block of more than 128 KiB
zstd-bad-block = a block that makes no sense
zstd-checksum = a frame that does not match its checksum
first-at = { $what } (the first at byte { $at })
events-only-counted = { $count } events that are only counted and have no time are left out
arguments-left-out = of each op { $most } arguments of up to { $most_bytes } bytes are kept, and { $count } more were left out
plane-stats-left-out = of each plane { $max_plane_stats } stats are read, and there are { $more } more; times may count from another moment
profiler-said = the profiler says of this file: { $said }
step-before-first = before the first step
events-negative-duration = events end before they start; shown with length 0
events-out-of-range = events start or end more than 146 years from 1970; they are left out
events-too-many = there are more events than a trace can hold; the first are shown
events-unnamed = the file has no name for { $count } events; they are shown by number, and most count as compute
planes-unnamed = planes have no name; their events are shown under "(unnamed device)"
word-file = the file
truncated-inside = the file ends at byte { $at } inside { $place }; everything before it is shown
word-trace-events = a trace of TensorFlow 2.0 or 2.1
word-xspace = an XSpace
xspace-planes = { $planes } planes
xspace-advice = Record while ops run, and stop the profiler before the program ends.
word-timeline-py = a timeline of timeline.py
timeline-allocators = { $events } events, as its process of allocators has them
timeline-advice = The step_stats that it was made of held no op. Run the step with trace_level=tf.RunOptions.FULL_TRACE, and give that run’s run_metadata to the Timeline.
damaged-xspace-event = an event breaks off at byte { $at }; left out
damaged-xspace-name = a name or stat breaks off at byte { $at }; left out
got-too-many-lines = more lines than are counted

## Events of Chrome traces and Paddle profiles: where, and what about it

the-event = the event
ends-before-start = ends before it starts; shown with length 0
has-no-time = has no time that can be read; left out
time-too-far = is more than 146 years from 1970; left out
is-no-json = is no JSON; it is left out, and what follows it is shown
too-many-to-hold = is more than a trace can hold; everything before it is shown
subject-at = { $subject } at byte { $at } { $what }
cut-in-word = inside a word; everything before it is shown
cut-in-list = inside its list of events; everything before it is shown
cut-after-events = inside what follows its events; everything before it is shown
cut-in-event = inside an event; everything before it is shown
the-file-ends = the file ends
word-chrome = Chrome trace JSON

## Pickles: what is at a byte, and what was done

no-opcode-within = byte { $byte }, which is no opcode of a pickle,
no-opcode-outside = byte { $byte }, which begins no pickle,
bad-escapes = a text whose escapes make no sense begins
read-so-far = it is read as far as it does
buffer-elsewhere = a buffer is asked for that the pickle does not hold
buffer-left-out = it is left out; pickle without a buffer_callback
value-never-made = a value is asked for that was never made
left-out = it is left out
no-values = an opcode for values that are not there
too-many-objects = more objects than a pickle of its length may make are made
shown-before = everything before it is shown, the rest is left out
what-at-done = { $what } at byte { $at }; { $done }
runs-searched = everything before it is shown, and behind it every RunMetadata that is found
truncated-pickle = the file ends at byte { $at } inside a pickle; everything before it is shown
got-many-objects = more objects than a pickle of its length may make
word-pickle = a pickle

## Names and facts of runs

run-named-by-id = { $name } (run { $id })
run-trace-named = { $name } (run { $id }, trace { $trace })
fact-traced-at = traced at
fact-mean-runtime = mean runtime
fact-first-run = first run
fact-last-run = last run
unknown-fetches = unknown fetches

## Parts of these

got-damage = damage
cannot-be-read = cannot be read; it is left out, and what follows it is shown
the-record = the record
the-file-ends-in-record = the file ends inside the record that starts
cut-record-left-out = and is left out; everything before it is shown
other-zip = a zip archive
advice-unzip = Unpack it and open the .pb in it.
other-markup = HTML or XML
advice-export = Steplens opens the pages that Share and `steplens report` write, unpacked; this one holds no trace.
word-partition-graph = a partition graph
word-plane = a plane
word-line = a line
events-unfinished = { $count } events that begin and never end, or end without having begun, are left out
events-time-unset = the time of { $count } events was never set (they begin in 1970, all others at a date): they are left out, because nobody knows when they ran
allocations-without-op = { $count } allocations and frees happened on threads without any op: the figures of memory do not count them
allocations-between-ops = { $count } allocations happened between two ops: each counts for the op that began before it on its thread
reserved-not-shown = { $count } memory events also say what the allocator had reserved of the device: the figures of memory are what was allocated of that
graphs-launched = { $count } calls launched graphs of kernels (CUDA graphs): what these use was allocated when the graph was made, so that the figures of memory hold it only if that was recorded, too
frees-without-size = memory was freed { $count ->
    [one] once
   *[other] { $count } times
  } without its size, or where it was allocated: the figures of memory do not count what was given back
tensors-unjoined = { $count } tensors that belong to no op of the file are left out
timeline-lost-figures = timeline.py wrote { $count } ops in whole microseconds, and not their wait in the queue, kernels, threads, allocators and graphs; open the RunMetadata that it was given to see these
timeline-lost-transfers = timeline.py wrote { $count } transfers without their tensor and sender; they are shown as ops, and in no list of transfers
timeline-lost-tensors = timeline.py wrote { $count } ops without what they made, which it does with show_memory=True; shapes and sizes are not known
seen-no-tag = no tag
seen-tags = tags { $tags }
seen-more-tags = tags { $tags } and more
seen-events = { $events } events ({ $tags })
seen-events-and-graphs = { $events } events ({ $graphs } with a graph; { $tags })
pickle-of-classes = a pickle of { $classes }
pickle-of-classes-and-others = a pickle of { $classes } and others
fact-fetches = fetches
fact-feeds = feeds
fact-options = options
fact-runs = runs
fact-traces = traces

## Which field of a file decided about a category

hint-unknown-category = unknown cat on a GPU
hint-no-op = no op, on a host
hint-waiting-phase = a tensor waits in it
hint-moving-phase = moves data
hint-phase-of-program = an activity of the program
hint-computing-phase = the model computes
hint-within-phase = within another phase
hint-outermost-phase = outermost phase of Horovod
hint-divided-phase = contains phases that move data
hint-correlation = args.correlation_id on a host
hint-stat-correlation = stat correlation_id on a host
hint-frame = name $file:line
hint-control-flow = control flow
hint-memcpy = stat memcpy_details
hint-summary-line = Steps, scopes and sources
hint-device-line = of a device
paddle-place = place { $number }
hint-around = around ops of other threads
hint-xla-program = a program of XLA
hint-typed-name = name NAME:TYPE, or stat hlo_op
event-number = (event { $number })

word-op = an op
word-whole-message = a message
word-needless-message = a message that is not needed
word-tag = a tag
truncated-one-run = the RunMetadata ends at byte { $at } inside { $within }; everything before it is shown
advice-tf-profile = It was made from RunMetadata, which Steplens opens. Give session.run a RunMetadata: session.run(fetches, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=run_metadata). Open what run_metadata.SerializeToString() returns.
advice-rocprofv3 = It has no events of Chrome's format, and Steplens does not read it. Record the same job with torch.profiler, whose Chrome trace has the kernels of ROCm, or with rocprof (rocprof --sys-trace), whose results.json opens.
advice-graph = A graph says what can run, not what ran. Record a step: RunMetadata holds the times.
other-png = a PNG image
other-jpeg = a JPEG image
other-gif = a GIF image
other-pdf = a PDF document
other-hdf5 = an HDF5 file
other-numpy = a NumPy array
other-sqlite = an SQLite database
other-parquet = a Parquet file
other-program = a program or a library
other-xz = packed with xz
other-bzip2 = packed with bzip2
other-7z = a 7z archive
other-saved-model = a SavedModel of TensorFlow
other-tf-profile = a profile of tf.profiler (tfprof)
other-rocprofv3 = the JSON of rocprofv3
other-graph = a GraphDef of TensorFlow
has-odd-escape = has a backslash that begins no escape of JSON, as in C:\Temp: it is kept as it is
rest-of-document = { $count ->
        [one] { $count } event comes
       *[other] { $count } events come
    } after the end of a document without the beginning of another: two writers had the file at once, and this is what is left of the longer document. They are left out; let each process write a file of its own
other-number = a number
other-json-text = a text in quotes
other-paddle-text = a Paddle profile as text, as the first releases wrote it
advice-paddle-text = Record with Paddle 1.0 or newer, whose profiles are binary, or open what Paddle's tools/timeline.py made of it.
other-text = a text file

## Redacted files

redacted-file = This file is redacted: hashes stand for { $hidden }; every figure is that of the original
redacted-detail = What this was about is left out of a redacted file.
