### 文件打不开的原因：有什么问题、该怎么做、在何处。语法：Fluent (projectfluent.org)。

error-empty = { $file } 是空文件。请重新录制。
error-other-format = { $file } 是{ $what }，不是 trace。{ $advice }
error-not-run-metadata = { $file } 不是 Steplens 能读取的 trace。请打开以二进制模式写入的 run_metadata.SerializeToString() 的返回值，或性能分析器写出的文件。字节 { $offset } 处是{ $got }。
error-other-json = { $file } 是 JSON，但不是 Chrome trace。请打开 timeline.py 或性能分析器写出的文件：含 traceEvents 的对象，或由带 "ph" 的事件组成的列表。
error-no-events = { $file } 是含 { $events } 个事件的 Chrome trace，但其中没有算子（"ph" 为 X，或 B 和 E）。请在算子运行期间录制。
error-empty-timeline = { $file } 只有一个左方括号：这是空的时间线，HOROVOD_TIMELINE 开始后没有任何归约时 Horovod 会写出这样的文件。请在训练步运行期间、使用多个进程录制，并让作业正常结束，或调用 hvd.stop_timeline()。
error-only-asynchronous = { $file } 是含 { $events } 个异步事件（"ph" 为 b 和 e）的 Chrome trace，没有算子。Steplens 不读取异步事件（NCCL 的性能分析插件会写出这样的事件）：请打开框架自己的性能分析器写出的 trace，其中有 NCCL 的内核。
error-memory-snapshot = { $file } 是 PyTorch 的内存快照（torch.cuda.memory._dump_snapshot），其中只有分配，没有算子。请用 torch.profiler 和 profile_memory=True 录制，以便同时查看内存和算子；快照本身可用 docs.pytorch.org/memory_viz 查看。
error-pickle-without-run-metadata = { $file } 是{ $found }，其中没有 RunMetadata。请对 run_metadata 本身、由它组成的列表或字典、tensorflow-tracer 的会话做 pickle，或将 run_metadata.SerializeToString() 写入文件。
error-no-traces = { $file } 是 tensorflow-tracer 的会话，含 { $runs } 次运行，但没有一次被跟踪。请在启用跟踪并运行后重新保存。
error-no-ops-readable = { $file } 在第一个算子之前就已损坏。请重新拷贝或重新录制。它是{ $format }，字节 { $offset } 处是{ $what }。
error-no-ops = { $file } 是含 { $nodes } 个图节点的 RunMetadata，但没有算子，因此没有时间数据。请用 trace_level=FULL_TRACE 录制。TensorFlow 2.1 的一些构建不填写 step_stats，请换用其他版本。
error-no-runs = { $file } 是不含 RunMetadata 的事件文件，其中有 { $seen }。请跟踪一个训练步，并用 FileWriter.add_run_metadata(run_metadata, tag) 写入。
error-no-times = { $file } 是事件文件，其 { $runs } 个 RunMetadata 中有 { $nodes } 个图节点但没有算子，因此没有时间数据。TensorFlow 2 的 trace_export 只写出计算图：请用 Session 和 trace_level=FULL_TRACE 录制，或打开其性能分析器写出的文件（trace.json.gz）。
error-no-ops-in = { $file } 是{ $format }，其中没有算子，只有 { $holds }。{ $advice }
error-nothing-selected = { $file }：它的 { $ops } 个算子都不在所选设备和时间窗口内。请选择其他设备或更长的时间窗口。
error-session-damaged = { $file } 是 Steplens 会话，但已损坏，或由更新版本的 Steplens 写出。请重新拷贝，或用更新版本的 Steplens 打开。字节 { $offset } 处是{ $got }。
error-zstd-refused = Steplens 无法解压 { $file } 所用的 zstd 格式：{ $why }。可解压的是窗口不超过 128 MiB 且不用字典的数据。请先用 `zstd -d` 解压，并按压缩时的设置加上 --long=31 或 -D。
error-page-damaged = { $file } 是 Steplens 写出的页面，但其中的 trace 已损坏：{ $why }。请重新获取。
page-cut = 文件在 trace 中途结束
page-no-trace = 其中没有 trace，或文件在其之前就结束了
page-other-letters = 它被其他程序改动过
error-packed = { $file } 已损坏：{ $packing } 无法解压（{ $why }）。请重新拷贝或压缩。
