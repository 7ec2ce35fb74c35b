### 文件打不开的原因：读的是什么、在何处、读到什么、需要什么、该怎么做。语法：Fluent (projectfluent.org)。

error-empty = 文件是空的，需要 RunMetadata 或 Chrome trace；请重新写入文件
error-other-format = 字节 0 处：读到{ $what }，需要 RunMetadata（.pb）或 Chrome trace（.json），未压缩或 gzip 压缩均可；{ $advice }
error-not-run-metadata = 读取 RunMetadata，字节 { $offset } 处：读到{ $got }，需要其中的 step_stats；请以二进制模式将 run_metadata.SerializeToString() 写入文件
error-other-json = 读到不含 trace 事件的 JSON，需要 Chrome trace：含 traceEvents 的对象，或由带 "ph" 的事件组成的列表；请打开 timeline.py 或性能分析器写出的文件
error-no-events = 读到含 { $events } 个事件的 Chrome trace，但其中没有算子，需要算子（"ph" 为 X，或 B 和 E）；请在性能分析器运行时录制
error-pickle-without-run-metadata = 读到{ $found }，需要以下之一：RunMetadata、由 RunMetadata 组成的列表或字典、tensorflow-tracer 的会话；请对 run_metadata 本身做 pickle，或将 run_metadata.SerializeToString() 写入文件
error-no-traces = 读到 tensorflow-tracer 的会话，含 { $runs } 次运行，但没有任何一次的 trace，需要至少一个；请在启用跟踪并运行后重新保存
error-no-ops-readable = 读取{ $format }，字节 { $offset } 处：在第一个算子之前遇到{ $what }，需要至少一个算子；请重新拷贝或重新录制文件
error-no-ops = 读到含 { $nodes } 个图节点的 RunMetadata，但其 step_stats 中没有算子，需要算子；请用 trace_level=FULL_TRACE 录制（TensorFlow 2.1 不填写 step_stats，请换用其他版本）
error-no-runs = 读到事件文件，含 { $seen }，但其中没有 RunMetadata，需要至少一个；请跟踪一个训练步，并用 FileWriter.add_run_metadata(run_metadata, tag) 写入
error-no-times = 读到事件文件，含 { $runs } 个 RunMetadata，其中有 { $nodes } 个图节点但没有算子，因此没有时间数据，需要算子；TensorFlow 2 的 trace_export 只写出计算图：请用 Session 和 trace_level=FULL_TRACE 录制，或打开其性能分析器写出的文件（trace.json.gz）
error-no-ops-in = 读到{ $format }，含 { $holds }，但其中没有算子，需要算子；{ $advice }
error-nothing-selected = 读到 { $ops } 个算子，但没有一个在所选设备和时间窗口内，需要至少一个；请选择其他设备或更长的时间窗口
error-session-damaged = 读取 Steplens 会话，字节 { $offset } 处：读到{ $got }，需要与写出时一致的会话；请重新拷贝，或用更新版本的 Steplens 打开
error-zstd-refused = 解压 zstd，字节 0 处：读到{ $why }，需要窗口不超过 128 MiB 且不用字典的数据；请先用 `zstd -d` 解压，并按压缩时的设置加上 --long=31 或 -D
error-packed = 解压 { $packing }，字节 0 处：读到{ $why }，需要 { $packing } 数据流；请重新压缩或拷贝文件
