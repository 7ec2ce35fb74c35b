## 两份 trace 的比较：回答

compare-same = 两步都用时 { $a }。
compare-longer = B 比 A 多用 { $difference }（{ $share }）：{ $b }，而 A 为 { $a }。
compare-shorter = B 比 A 少用 { $difference }（{ $share }）：{ $b }，而 A 为 { $a }。
compare-mostly-rest = 其中大部分（{ $rest }）无法由变长或变短的算子解释：算子的执行顺序或时刻不同，而记录中没有说明原因。

## 两份 trace 的比较：瀑布图的条

compare-on = { $device } 上的 { $what }
compare-named-op = { $op }（{ $op_type }）
compare-named-scope = { $scope } 中的 { $op_type }
compare-other-ops = { $op_type }（其他算子）
compare-op-longer = { $what } 多用 { $difference }：{ $b }，原为 { $a }。
compare-op-shorter = { $what } 少用 { $difference }：{ $b }，原为 { $a }。
compare-op-longer-times = { $what } 多用 { $difference }：{ $count_b } 次共 { $b }，原为 { $count_a } 次共 { $a }。
compare-op-shorter-times = { $what } 少用 { $difference }：{ $count_b } 次共 { $b }，原为 { $count_a } 次共 { $a }。
compare-op-mixed = { $what }：部分算子多用 { $more }，其余少用 { $less }。
compare-other-type = 算子类型在 A 中是 { $a }，在 B 中是 { $b }。
compare-collective = 其中包括等待其他 rank 的时间。
compare-link-longer = 从 { $source } 到 { $destination } 的传输多用 { $difference }：{ $b }，原为 { $a }。
compare-link-shorter = 从 { $source } 到 { $destination } 的传输少用 { $difference }：{ $b }，原为 { $a }。
compare-link-mixed = 从 { $source } 到 { $destination } 的传输：部分多用 { $more }，其余少用 { $less }。
compare-link-bytes = 共传输 { $b }，原为 { $a }。
compare-gone = { $what } 不再出现：原用时 { $a }。
compare-new = { $what } 是新增的：{ $b }。
compare-delay-longer = { $device } 上算子之前的延迟（{ $kind }）长了 { $difference }：{ $b }，原为 { $a }。
compare-delay-shorter = { $device } 上算子之前的延迟（{ $kind }）短了 { $difference }：{ $b }，原为 { $a }。
compare-delay-mixed = { $device } 上算子之前的延迟（{ $kind }）：部分长了 { $more }，其余短了 { $less }。
compare-batch = 批大小为 { $to } 而非 { $from } 的算子用时 { $b }，原为 { $a }。
compare-threads = 执行器同时运行的算子：最多 { $b } 个，原为 { $a } 个。
compare-clocks = 各任务的时钟不同，因此无法得知差异从何而来。
compare-others = 其他 { $count } 组算子和延迟。
compare-rest = 算子的用时无法解释的部分：不同的顺序、没有记录原因的时间、重放的误差。
compare-step-longer = 该步长了 { $part }。
compare-step-same = 该步的时长不因此改变。
compare-step-shorter = 该步短了 { $part }。
compare-doubt = { $side } 的重放误差为 { $share }，因此各条并不可靠。

## 两份 trace 的比较：为何不可比

compare-of-a = A
compare-of-b = B
compare-only-in-a = 只有 A 有：{ $what }
compare-only-in-b = 只有 B 有：{ $what }
compare-more-devices = 另外 { $count } 个
compare-not-clocks = 各任务的时钟不同（{ $said }）：不知道该步在等待什么。
compare-still-clocks = 算子用时、算子类型和设备可以比较。其余请用 --clocks estimated 对齐时钟。
compare-not-graph = 不是同一个图：{ $share } 的算子在另一份 trace 中有对应。
compare-still-graph = 有对应的算子可以比较；对其他算子，瀑布图说明它们是新增的还是不再出现。
compare-not-batch = 批大小不同：A 中 { $a } 行，B 中 { $b } 行，涉及 { $count } 个算子。
compare-still-batch = 不依赖批大小的算子可以比较。依赖的算子是瀑布图中的一条。
compare-not-devices = 设备不同：{ $said }。
compare-still-devices = 两者都有的设备可以比较。
compare-not-tracing = 记录的内容不同：{ $said }。记录得越多，用时越长。
compare-still-tracing = 算子的名称和数量可以比较，远大于记录开销的差异也可以比较。
compare-not-transfers = 到某些设备的传输只在一个跟踪中：{ $said }。
compare-still-transfers = 算子可以比较。这些设备等待了什么，只有一个跟踪中可知。
compare-not-steps = 步数不同：A 中 { $a } 步，B 中 { $b } 步。
compare-still-steps = 各步的中位数可以比较。请用 --step 各选一步。
compare-recorded-graphs = 图
compare-recorded-scheduling = 调度时间
compare-recorded-shapes = 输出及其形状
compare-recorded-kernels = 加速器的 kernel
compare-recorded-host-profiler = 主机分析器
compare-recorded-frames = Python 帧
compare-recorded-memory = 内存分配

## 两份 trace 的比较：各步

compare-steps-few = ~ 无法判断各步之间的波动：每边需要 { $least } 步，而 A 有 { $a } 步，B 有 { $b } 步。
compare-steps-differ = 各步有差异：A 中 { $a } 步的中位数为 { $median_a }，B 中 { $b } 步的中位数为 { $median_b }（p { $p }）。
compare-steps-vary = ~ 各步的差异不超过其波动：A 中 { $a } 步的中位数为 { $median_a }，B 中 { $b } 步的中位数为 { $median_b }（p { $p }）。

## Two traces compared: aligned at an op

compare-aligned = 差异中有 { $before } 在 { $op } 开始之前，{ $after } 在其之后。
compare-align-not-found = A 中没有算子“{ $name }”。请给出 steplens ops 所显示的算子名称。
compare-align-no-partner = A 中的算子“{ $name }”在 B 中都没有对应。请给出两者都有的算子。

## Steps against a baseline

check-not-judged = ~ 无法判断：每边需要 { $least } 步。基线有 { $a } 步，被检查的有 { $b } 步。请记录更多步。
check-regressed = 各步比基线长 { $by }：中位数为 { $b }，基线为 { $a }。允许 { $allowed }。
check-varies = 各步与基线的差异不超过其波动：中位数为 { $b }，基线为 { $a }。
check-slower-within = 各步比基线长 { $by }：中位数为 { $b }，基线为 { $a }。这在允许的 { $allowed } 之内。
check-faster = 各步比基线短 { $by }：中位数为 { $b }，基线为 { $a }。
check-op-type-grew = { $op_type } 在一步中多用 { $difference }：{ $b }，原为 { $a }。
check-no-op-type-grew = 没有算子类型显著变慢。
check-op-types-not-judged = ~ 算子类型未作判断：每边需要 { $least } 步。
check-findings-grew = 新的发现：{ $count } 个。
check-what-exposed = 暴露的通信
check-what-transferred = 传输的字节数
check-what-memory = 内存峰值
check-not-kept = ~ { $what }：未作判断。基线没有保存它：请用此版本的 Steplens 重新写入基线。
check-not-recorded = ~ { $what }：未作判断，因为没有相关记录。
check-too-few = ~ { $what }：未作判断，因为每边需要 { $least } 步：现为 { $b }，原为 { $a }。
check-same = { $what }：一步中 { $a }，与之前相同。
check-only-varies = { $what }：一步中 { $b }，原为 { $a }，不超过其波动。
check-more = { $what }：一步中多 { $by }，{ $b }，原为 { $a }。
check-less = { $what }：一步中少 { $by }，{ $b }，原为 { $a }。
check-of-step = 一步的 { $share }
check-allowed = 最多允许增加 { $allowed }。

## 两份 trace 的比较：一个 op 与其对应的 op

compare-pair-same = B 中为 { $b }，A 中为 { $a }：没有变化。
compare-pair-times = B 中为 { $b }，而 A 中为 { $a }：用时是原来的 { $ratio } 倍。
compare-pair-called = 它在 B 中名为 { $name }。
compare-pair-only-a = 只有 A 有它：{ $a }。
compare-pair-only-b = 只有 B 有它：{ $b }。
