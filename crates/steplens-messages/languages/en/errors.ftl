### Why a file cannot be opened: what is wrong with it, what to do, then where. Syntax: Fluent (projectfluent.org).
###
### Rust says these: say!("error-no-ops", nodes). `docs/problems.md` has the codes.

error-empty = { $file } is empty. Record the step again.
error-other-format = { $file } is { $what }, not a trace. { $advice }
error-not-run-metadata = { $file } is not a trace that Steplens reads. Open what run_metadata.SerializeToString() returned, written in binary mode, or what a profiler wrote. At byte { $offset } it has { $got }.
error-other-json = { $file } is JSON, but not a Chrome trace. Open what timeline.py or a profiler wrote: an object with traceEvents, or a list of events with "ph".
error-no-events = { $file } is a Chrome trace with { $events } events, none of which is an op ("ph" X, or B and E). Record while ops run.
error-empty-timeline = { $file } has an opening bracket and nothing else: an empty timeline, as Horovod writes it when nothing was reduced after HOROVOD_TIMELINE began. Record while steps run, with more than one process, and let the job end, or call hvd.stop_timeline().
error-only-asynchronous = { $file } is a Chrome trace with { $events } asynchronous events ("ph" b and e) and no op. Steplens does not read asynchronous events, as NCCL’s profiler plugin writes them: open the trace of the framework’s own profiler, which has the kernels of NCCL.
error-memory-snapshot = { $file } is a memory snapshot of PyTorch (torch.cuda.memory._dump_snapshot), which has allocations and no op. Record with torch.profiler and profile_memory=True to see memory next to ops; docs.pytorch.org/memory_viz shows the snapshot itself.
error-pickle-without-run-metadata = { $file } is { $found }, and holds no RunMetadata. Pickle run_metadata itself, a list or dict of them, or a session of tensorflow-tracer; or write run_metadata.SerializeToString() to a file.
error-no-traces = { $file } is a session of tensorflow-tracer with { $runs } runs, none of which was traced. Save it again after a run with tracing on.
error-no-ops-readable = { $file } is damaged before its first op. Copy or record it again. It is { $format }; at byte { $offset } it has { $what }.
error-no-ops = { $file } is a RunMetadata with { $nodes } graph nodes and no op, so that it has no times. Record with trace_level=FULL_TRACE (some builds of TensorFlow 2.1 leave step_stats empty: use another version).
error-no-runs = { $file } is an event file without a RunMetadata: it holds { $seen }. Trace a step and write it with FileWriter.add_run_metadata(run_metadata, tag).
error-no-times = { $file } is an event file with { $runs } RunMetadata that hold { $nodes } graph nodes and no op, so that it has no times. trace_export of TensorFlow 2 writes graphs only: record with a Session and trace_level=FULL_TRACE, or open what its profiler wrote (trace.json.gz).
error-no-ops-in = { $file } is { $format } without any op: it holds { $holds }. { $advice }
error-nothing-selected = { $file }: none of its { $ops } ops is on the devices and in the window of time selected. Select other devices or a longer window.
error-session-damaged = { $file } is a Steplens session that is damaged, or was written by a newer Steplens. Copy it again, or open it with a newer Steplens. At byte { $offset } it has { $got }.
error-zstd-refused = { $file } is packed with zstd in a way that Steplens does not unpack: { $why }. Windows of at most 128 MiB without a dictionary are unpacked. Unpack it first with `zstd -d`, and --long=31 or -D as it was packed.
error-page-damaged = { $file } is a page that Steplens wrote, but its trace is damaged: { $why }. Get it again.
page-cut = it ends within the trace
page-no-trace = it holds no trace, or ends before it
page-other-letters = it was changed by another program
error-packed = { $file } is damaged: { $packing } cannot unpack it ({ $why }). Copy or pack it again.
