### Why a file cannot be opened: what was read, where, what was found, what was wanted, what to do. Syntax: Fluent (projectfluent.org).
###
### Rust says these: say!("error-no-ops", nodes). `docs/problems.md` has the codes.

error-empty = got an empty file, want a RunMetadata or a Chrome trace; write it again
error-other-format = at byte 0: got { $what }, want a RunMetadata (.pb) or a Chrome trace (.json), plain or gzip; { $advice }
error-not-run-metadata = reading a RunMetadata at byte { $offset }: got { $got }, want its step_stats; write run_metadata.SerializeToString() to the file in binary mode
error-other-json = got JSON without trace events, want a Chrome trace: an object with traceEvents, or a list of events with "ph"; open what timeline.py or a profiler wrote
error-no-events = got a Chrome trace with { $events } events and no op among them, want ops ("ph" is X, or B and E); record with the profiler running
error-pickle-without-run-metadata = got { $found }, want one of a RunMetadata, of a list or dict of them, or a session of tensorflow-tracer; pickle run_metadata itself, or write run_metadata.SerializeToString() to a file
error-no-traces = got a session of tensorflow-tracer with { $runs } runs and no trace of any, want at least one; save it again after a run with tracing enabled
error-no-ops-readable = reading { $format } at byte { $offset }: got { $what } before the first op, want at least one op; copy or record the file again
error-no-ops = got a RunMetadata with { $nodes } graph nodes and no op in its step_stats, want ops; record with trace_level=FULL_TRACE (TensorFlow 2.1 leaves step_stats empty: use another version)
error-no-runs = got an event file with { $seen } and no RunMetadata among them, want at least one; trace a step and write it with FileWriter.add_run_metadata(run_metadata, tag)
error-no-times = got an event file with { $runs } RunMetadata that hold { $nodes } graph nodes and no op, so that there are no times, want ops; trace_export of TensorFlow 2 writes graphs only: record with a Session and trace_level=FULL_TRACE, or open what its profiler wrote (trace.json.gz)
error-no-ops-in = got { $format } with { $holds } and no op among them, want ops; { $advice }
error-nothing-selected = got { $ops } ops and none of them on the devices and in the window of time selected, want at least one; select other devices or a longer window
error-session-damaged = reading a Steplens session at byte { $offset }: got { $got }, want the session as it was written; copy it again, or open it with a newer Steplens
error-zstd-refused = unpacking zstd at byte 0: got { $why }, want a window of at most 128 MiB and no dictionary; unpack it first with `zstd -d`, and --long=31 or -D as it was packed
error-packed = unpacking { $packing } at byte 0: got { $why }, want a { $packing } stream; pack or copy the file again
