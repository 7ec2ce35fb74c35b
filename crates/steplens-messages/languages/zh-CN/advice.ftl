## 发现：如何判断

findings-replayed = 每项节省都是算出来的：带着更改重放该步。没有任何更改时，重放的长度与记录相差 { $error }。
findings-measured = 每项节省都是测得的时间，因此是最多能节省的时间。
findings-replayed-and-measured = 写明“最多”的节省是测得的。其余是算出来的：带着更改重放该步。没有任何更改时，重放的长度与记录相差 { $error }。
findings-frozen = 这一步中有 { $length }（{ $share }），重放找不到可以因改动而变化的原因，因此不作预测：各项发现按其在关键路径上的时间排序。
findings-by-path = 重放偏差为 { $error }，因此不作预测：各项发现按其在关键路径上的时间排序。
findings-none = 尝试过的更改都不会明显节省时间。
findings-none-far = 各步相隔很远，与它们之间的时间相比看不出任何改动的作用：请单独查看其中一步的发现（--step { $step }）。
findings-none-measured = 从这份记录无法得知这样能节省多少时间。
findings-consists = 关键路径由以下部分组成：{ $parts }。
findings-consists-steps = 在各步所占的部分中，关键路径由以下部分组成：{ $parts }。
findings-consists-part = { $what }（{ $share }）
path-part-ops = 主机上的算子
path-part-calls = 驱动调用
path-part-gpu = 等待 GPU
path-part-waiting = 等待没有记录的内容
path-part-beginning = 执行器开始（_SOURCE）
path-part-files = 读写文件
path-part-ranges = 记录到的区间
path-part-tensor = 张量在等待（等待其他 rank、其他张量或轮到自己）
findings-record = 想了解更多，还请记录：{ $parts }。
record-kernels = kernel（activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]）
record-kernels-lost = 本应记录 kernel，程序也等待了它们，但没有任何 GPU 的记录。这说明 PyTorch 无法使用 GPU 的性能分析库（CUPTI、roctracer），它在启动时的输出中会说明：另一个分析器正在使用它，用户无权读取 GPU 的计数器（NVreg_RestrictProfilingToAdminUsers=0），驱动比 PyTorch 的 CUDA 旧，或者 Windows 的 Linux 子系统没有它。解决之后重新记录才有用。
record-operators = 算子（activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]）
record-shapes = record_shapes=True
record-stack = with_stack=True
record-steps-pytorch = 多个步（torch.profiler.schedule）
record-marks-pytorch = 大约 { $count } 次循环各在何处结束（每次之后调用 prof.step()）
record-partition-graphs = 图（output_partition_graphs=True）
record-steps-graphs = 多个步，以便比较其中两个
record-tpu = TPU 做了什么
record-gpu = GPU 做了什么（CUPTI：LD_LIBRARY_PATH 中有 libcupti 所在的文件夹，且有分析权限）
record-marks-tensorflow2 = 多个步，每一步用 tf.profiler.experimental.Trace 标记
record-marks-keras = 多个批次（TensorBoard(profile_batch=(10, 20))）
record-frames-tensorflow2 = Python 栈帧（ProfilerOptions(python_tracer_level=1)）
record-marks-jax = 多个步，每一步用 jax.profiler.StepTraceAnnotation 标记
record-frames-jax = Python 栈帧（ProfileOptions.python_tracer_level = 1）
record-steps = 多个步
record-rank-horovod = 用各 rank 所用框架的 profiler 记录其计算（此时间线只有通信）
record-all-tasks = 所有 rank 或任务
findings-clocks = 各任务的时钟不一致，因此在对齐之前不判断任务之间的时间。
findings-coarse-host = 主机的时钟太粗：加速器工作或等待时主机做了什么是未知的，规则不作判断。
findings-accelerator-clock = 加速器与其主机的时钟不同：需要它们事件顺序的规则不作判断。
findings-together = 前 { $count } 项发现相互重叠：全部更改一起节省 { $saving }，而不是它们之和。

## 发现：找到了什么

shown-step = 该步
shown-recording = 该记录
shown-only-steps = 这些步
finding-saves = 没有它，{ $shown }会缩短 { $saving }（{ $share }）。
finding-saves-between = 没有它，{ $shown }会缩短 { $saving }（{ $share }）；介于 { $low } 和 { $high } 之间。
finding-saves-at-most = { $shown }最多可节省 { $saving }（{ $share }）。
finding-saves-if-none = 如果它们不花时间，{ $shown }会缩短 { $saving }（{ $share }）。
finding-saves-less = 没有它的重放缩短 { $saving }（{ $shown }的 { $share }）：其余时间在等待别的事情。
finding-saves-nothing = 没有它的重放用时相同：别的事情也占用这段时间。
finding-saves-each = 按 { $count } 步平均，每步 { $each }。
finding-on-path = 它占关键路径的 { $time }（{ $share }）。
finding-after = 之后关键路径上最大的部分是：{ $what }。
finding-is-part = 它是 GPU 等待主机的时间的一部分，不另外相加。
finding-exposed-transfers = 算子在等待 { $transfers }（{ $bytes }），没有其他工作掩盖它们。
finding-exposed-transfers-unsized = 算子在等待大小未知的 { $transfers }，没有其他工作掩盖它们。
finding-exposed-transfers-unnamed = 算子在等待来自其他任务的 { $count } 个张量：张量发出之前 { $sending }，在途中 { $transit }。文件里没有它们的发送方和大小。
finding-transfers-to-merge = { $count } 次小传输在 { $rows } 组中接连发生，最长的一组从 { $source } 到 { $destination }。
finding-transfer-order = 在 { $of } 对张量中，有 { $count } 对是较晚需要的先到达。
finding-straggler-of-one = { $task } 最后结束，比同伴的中位数晚 { $time }。它在 { $op } 处开始落后。
finding-straggler-alone-of-one = { $task } 最后结束，比同伴的中位数晚 { $time }。
finding-straggler = { $task } 比同类任务的中位数晚 { $time } 结束，在 { $of } 步中有 { $count } 步最后结束。它从 { $op } 开始落后。
finding-straggler-alone = { $task } 比同类任务的中位数晚 { $time } 结束，在 { $of } 步中有 { $count } 步最后结束。
finding-straggler-ran-late = 在那里，它在输入就绪后 { $own } 才开始；同类任务为 { $usual }。
finding-straggler-took-long = 在那里，它用了 { $own }；同类任务为 { $usual }。
finding-straggler-input-late = 它的最后一个输入在该步开始后 { $own } 才到达；同类任务为 { $usual }。
finding-straggler-started-late = 它在该步开始后 { $own } 才开始；同类任务为 { $usual }。
finding-straggler-threads = 在通向它结束的路径上，{ $path } 中有 { $waited } 是已就绪的算子在等待线程。
finding-shared-threads-alone = { $tasks } 个任务共用这些线程：它们所有的算子最多同时运行 { $most } 个。
finding-shared-threads = { $tasks } 个任务共用这些线程：所有任务合计最多同时运行 { $most } 个算子，并且有 { $full } 处于满员而其他算子在等待。
finding-collective-wait = 在集合通信中，{ $ranks } 个 rank 平均等待迟到者 { $mean }（各 rank 合计 { $time }）。
finding-late-ranks = 在 { $of } 次集合通信中，最后到达的是：{ $ranks }。
finding-late-rank = { $task }，{ $count } 次（其他 rank 为它等待 { $own }）
finding-late-hosts = 因此是它们的主机迟到；主机运行最久的是 { $names }。
finding-began-late = 其中 { $time } 是在开始时失去的：它们的第一个算子（或第一个被记录的算子）比第一个 rank 的来得晚。
finding-began-late-hosts = 其余时间里它们运行最久的是 { $names }。
late-between = 没有已记录的内容
late-between-within = 没有已记录的内容，在 { $name } 中
finding-meanwhile = 在此期间，迟到的 rank 的 GPU 在做：{ $parts }。
finding-meanwhile-hosts = 在此期间，迟到的 rank 在做：{ $parts }。
finding-exposed-communication = 有 { $time } 的通信没有被计算掩盖，最主要是 { $op }；共 { $count } 次集合通信（{ $bytes }）。
finding-exposed-communication-some = 有 { $time } 的通信没有被计算掩盖，最主要是 { $op }；共 { $count } 次集合通信，其中 { $sized } 次记录了大小（{ $bytes }）。
finding-exposed-communication-unsized = 有 { $time } 的通信没有被计算掩盖，最主要是 { $op }。
finding-rounds = 同一组张量出现 { $count } 次，每步一次（中位数 { $median }）。从一步的最后一个张量就绪到全部完成，所有步合计有 { $time } 在处理它们，{ $waiting } 只是等待。
finding-rounds-done = 同一组张量出现 { $count } 次，每步一次（中位数 { $median }）。从一步的最后一个张量就绪到全部完成，所有步合计有 { $time } 在处理它们。
finding-rounds-stage = { $name } { $time }
finding-rounds-stages = 其中大部分：{ $stages }。
finding-rounds-longest = 其中一步此时等待 { $longest }，中位数为 { $middle }。
finding-tensors-communicate = 张量在传输中用了 { $time }，另有 { $waiting } 只在等待。其间计算了什么不在这个时间线里。
finding-tensors-negotiate = 张量的归约或广播用了 { $time }；另有 { $waiting } 只在各 rank 间协商，或在等待轮到自己。其间计算了什么不在这个时间线里。
finding-tensors-reduce = 张量的归约、广播或传输用了 { $time }。其间计算了什么不在这个时间线里。
finding-of-group = { $group } 组的 { $op }
finding-of-it = 其中大概有 { $time } 是{ $what }：这些集合通信比同类中最快的多用了这么久。
finding-notified = 其中 { $time } 是等待没有打开其文件的 rank：{ $ranks }。
finding-unopened-rank = rank { $rank }，{ $count } 次（{ $own }）
finding-rate = { $count } 次每个 rank 传输 { $bytes } 的通信中，最快的用 { $time }（{ $rate }）。
finding-rate-alone = 最长的一次每个 rank 传输 { $bytes }，用 { $time }（{ $rate }）。
finding-one-collective = 其中一次独自用 { $time }。
finding-one-collective-sized = 其中一次独自用 { $time }（{ $bytes }）。
finding-one-collective-range = 其中一次独自用 { $time }，在 { $range } 中。
finding-one-collective-range-sized = 其中一次独自用 { $time }（{ $bytes }），在 { $range } 中。
finding-many-collectives = 每一步有 { $count } 次集合通信；用时的中位数为 { $median }。
finding-of-it-unsized = 其中有些集合通信比同类的通常时间多用了 { $time }。没有记录它们发送多少：要么发送得多得多，要么在等待没有打开其文件的 rank。
finding-of-it-known = 其中：{ $parts }。
finding-part = { $what } { $time }
finding-part-latency = 从启动到开始执行，每次启动都需要
finding-part-hole = 在已启动的图的各部分之前，每个空洞超过 0.1 ms，其中没有任何记录
finding-part-graph = 在已启动的图的 kernel 之前
finding-part-other-stream = 在启动之后，等待另一个流或没有记录的工作
finding-part-not-recorded = 在启动之后，等待没有记录的工作
finding-part-unrecorded = 在没有记录其启动的工作之前
finding-part-transfer = 数据在传输
finding-part-waiting = 等待其他 rank
finding-part-waiting-unopened = 等待没有打开其文件的 rank
finding-part-more-or-waiting = 更多数据在途，或在等待
finding-part-computing = 计算
finding-part-idle = 空闲
finding-part-no-op = 没有运行已记录的算子
finding-part-other = 拷贝和通信
finding-part-other-ops = 通信和其他算子
finding-part-host-operators = 在框架的算子中
finding-part-host-launching = 在启动调用中
finding-part-host-copying = 在复制或设置显存的调用中
finding-part-host-asking = 在驱动程序的其他调用中
finding-part-host-allocation = 在申请或释放内存的调用中
finding-part-host-waiting = 在等待的调用中
finding-part-host-input = 加载输入
finding-part-host-between = 在已记录的算子之间
finding-part-host-beginning = 在执行器开始时（_SOURCE）
finding-last-rank-start = 程序启动时，rank { $rank } 在 { $of } 次协商中有 { $count } 次最后就绪：此时只广播变量，其他 rank 等它 { $time }，只等这一次。
finding-last-rank = 在 { $of } 次协商中，rank { $rank } 有 { $count } 次最后就绪，比前一个 rank 晚 { $time }（各张量合计；一次最多 { $most }）。
finding-uneven-servers = { $task } 收发 { $bytes }；全部 { $count } 个参数服务器的平均值为 { $mean }。
finding-gpu-unused-pytorch = 文件写有一个 GPU 的名字，但没有任何内容表明它被使用过：申请的内存都是 CPU 的，或算子的大部分工作只能在 CPU 上进行，也没有记录到除查询和等待之外的驱动调用。算子在 CPU 上计算了 { $time }。
finding-gpu-unused = 文件写有一个 GPU 的名字，但没有任何内容表明它被使用过：没有张量被发送给它。算子在 CPU 上计算了 { $time }。
finding-input-bound = 程序在等待下一批数据，最长的是 { $op }。
finding-input-bound-unnamed = 程序在等待下一批数据。
finding-workers = DataLoader 的工作进程{ $parts }，程序在等待它们。
finding-workers-start = 启动用时 { $time }
finding-workers-stop = 停止用时 { $time }
finding-launch-bound = 在 GPU 等待主机的时间中，{ $time } 用在 { $count } 次启动 kernel 的调用中。
finding-host-bound = GPU 因主机尚未启动下一个 kernel 或复制而空闲 { $time }。主机的时间：{ $parts }。
finding-host-bound-of = { $device } 因主机尚未启动下一个 kernel 或复制而空闲 { $time }。主机的时间：{ $parts }。
finding-host-bound-least = { $device } 因主机尚未启动下一个 kernel 或复制而空闲 { $time }；{ $count } 个加速器中它等待主机最少。主机的时间：{ $parts }。
finding-host-bound-unrecorded = GPU 跟得上主机，耗时的是主机：启动的调用有 { $count } 次，等待或复制的调用总共只用 { $time }，最后一次启动之后的也算在内。
finding-host-bound-event-pairs = 快慢由主机决定：算子开始时 GPU 的队列是空的。GPU 的时间是 { $count } 个算子前后的两个事件，其中一半在算子开始后 { $time } 之内开始。两个事件之间 GPU 工作了多久，没有记录。
finding-host-op = 其中 { $time } 是在 CPU 上运行的 { $op }。
finding-host-single = 其中 { $time } 是一个 { $op }；同名的其他算子用时的中位数为 { $usual }。
finding-host-pause = 其中 { $time } 是一次停顿，在 { $op } 之前。
finding-host-latency = 从调用返回到其 kernel 开始还有 { $time }，没有计入：减少启动次数（例如使用 CUDA graph）也会缩短这段时间。
finding-host-after-last = 其中 { $time } 在 GPU 的最后一项工作之后、该步结束之前：是程序当时所做的事。
finding-host-pauses = 其中 { $time } 是已记录算子之间 { $count } 次 1 ms 以上的停顿，最长的一次为 { $longest }，在 { $op } 之前。
finding-memory-full = GPU 的内存满了：PyTorch 在一个算子中把缓存还给驱动，此后重新申请内存。{ $count } 次调用（例如 { $op }）共用 { $all }，其中 { $time } 内 GPU 空闲。
finding-memory-full-ranks = GPU 的内存满了：PyTorch 在一个算子中把缓存还给驱动，此后重新申请内存。{ $ranks } 个进程的 { $count } 次调用（例如 { $op }）合计 { $all }，其中 { $time } 内等待最少的 GPU 空闲。
finding-host-frames = 在路径上，Python 用时：{ $names }。
finding-name-share = { $name } { $time }（{ $share }）
finding-kind-convolution = 路径中最大的部分是 CPU 上的卷积：{ $names }。
finding-kind-products = 路径中最大的部分是 CPU 上的矩阵乘法：{ $names }。
finding-kind-random = 路径中最大的部分是在 CPU 上生成随机数：{ $names }。
finding-kind-most = 路径的大部分是：{ $names }。
finding-kind-largest = 没有哪一类算子占路径的大部分。最大的是：{ $names }。
finding-kernels-products = GPU 上的矩阵乘法（大多为 16 位）用时 { $time }（占时间的 { $share }）：{ $names }。
finding-graph-ops = GPU 上的大部分时间是 { $names }。
finding-reached = 它们共计算 { $flops }，速率为 { $rate }。
finding-reached-slow = 就其计算量而言，{ $op } 较慢：{ $rate }；同类型的中位数为 { $usual }。
finding-kernels-attention = GPU 上的注意力计算用时 { $time }（占时间的 { $share }）：{ $names }。
finding-allocator-host = { $count } 次向驱动申请或归还内存的调用共用 { $all }，最长的是 { $op }。程序不得不向驱动申请内存或归还内存。
finding-given-back = 程序自己在所有算子之外把内存还给驱动：{ $op } 等 { $calls }（{ $all }）。这些调用会等待使用这些内存的 kernel。
finding-calls = { $count } 次调用
finding-name-time = { $name } { $time }
finding-synchronising = 主机{ $times }等待 GPU，最久的在 { $op }（{ $call }）中，因而不能提前运行：之后 GPU 空闲 { $time }，直到下一次启动。
finding-synchronising-copies = 主机{ $times }等待到 GPU 的拷贝，最久的在 { $op }（{ $call }）中，因而不能提前运行：之后 GPU 空闲 { $time }，直到下一次启动。
finding-synchronising-unrecorded = 主机可能 { $times }等待未被记录的 GPU，共 { $time }：在读取数值的算子中，或在耗时为同类百倍的算子中。最长的是 { $op }（{ $most }）。
finding-synchronising-alone = 主机{ $times }等待 GPU，最久的在 { $op } 中，因而不能提前运行：之后 GPU 空闲 { $time }，直到下一次启动。
finding-allocator = 驱动的内存被反复申请或释放：{ $count } 次调用（例如 { $op }）用了 { $all }，其中 { $time } 内 GPU 空闲。
finding-host-op-between = GPU 在等待主机上的 { $ops }；最长的是 { $op }（{ $time }）。
finding-host-ops-placed = 其中 { $count } 个放在 GPU 上，却在主机上运行。
finding-copies = 算子在等待拷贝：{ $parts }。
finding-copies-asked = 执行器通过 { $ops }请求它们，总共持续 { $time }。
finding-copies-part = { $count } 次{ $place }（{ $time }）
finding-copied-by-memory-optimizer = 它们来自 TensorFlow 的内存优化器：它把张量移出 GPU 内存，再移回来。
finding-copied-weights = 其中大部分时间是权重和常量的复制，计算图在主机上读取它们。
finding-copied-by-host-memory = 程序把这些数组放在主机内存中。
direction-to-device = 从主机到设备
direction-from-device = 从设备到主机
direction-on-device = 在设备内部
direction-between-devices = 从一个设备到另一个设备
direction-unknown = 方向未记录
finding-pageable-copy = 唯一的一次拷贝的内存不是锁页内存（{ $bytes }，{ $time }）：{ $name }。
finding-pageable-copies = { $of } 次拷贝中有 { $count } 次的内存不是锁页内存（{ $bytes }，{ $time }），例如 { $name }。
finding-pageable-copies-unsized = { $of } 次拷贝中有 { $count } 次的内存不是锁页内存（{ $time }），例如 { $name }。
finding-few-threads = 一个线程依次运行一个执行器的 { $count } 个算子：已就绪的算子等待它共 { $time }。
finding-tiny-ops = { $of } 个算子中有 { $count } 个各自运行不到 { $time }：它们共运行 { $running }，之前的间隔共 { $pauses }。
finding-slower-than-peers = { $ops }的用时至少是同类型、同大小的其他算子的三倍。{ $op } 用了 { $time }，通常为 { $usual }。
finding-dominant-op = { $op } 用了 { $time }；其他 { $of } 个同类型算子的中位数为 { $usual }。
finding-op-of-type = { $op }（{ $kind }）
finding-stall = { $op } 的一次调用用了 { $time }；形状相同的其他 { $count } 次调用的中位数为 { $usual }：进程被耽搁了一次。
finding-longest-op = { $op } 是最长的算子。不知道是否有其他算子具有相同的形状。
finding-unlike-op = { $op } 用了 { $time }，尽管它只是传递张量：同类型的其他 { $of } 个用 { $usual }（中位数）。它被耽搁了，或者第一次做了某件事。
finding-op-on-host = { $op } 在 CPU 上运行了 { $time }。
finding-dominant-more-work = 它并不慢，而是工作更多：{ $flops }，速度 { $rate }；其他的中位数为 { $usual }，速度 { $usual_rate }。
finding-dominant-slow = 就其工作量而言它很慢：{ $flops }，速度 { $rate }；其他的中位数为 { $usual }，速度 { $usual_rate }。
finding-dominant-elementwise = { $count } 个逐元素的 kernel 用了 { $time }，没有编译器融合它们。
finding-capture = 有 { $time } 在捕获 kernel 的图（从 { $op } 开始）：其间启动的内容只被记下，并不执行。这只发生一次。
finding-compiling = torch.compile 编译用了 { $time }。这只发生一次，遇到其他形状时会再发生。
finding-first-step = 这看起来是第一步：{ $op }（{ $longest }）和{ $others }用了 { $time }，之后的步不需要它们。
finding-first-call = { $op } 有一次调用用了 { $time }，其他最长的一次用 { $usual }：它第一次启动 { $kernel }，此时要加载该 kernel 的模块。之后的步骤不需要它。
finding-first-step-alone = 这看起来是第一步：{ $op } 用了 { $time }，之后的步不需要它。
finding-first-run = 这看起来是某个图的首次运行：在它之前（{ $op } 之前）有 { $whole } 没有任何记录，其间程序或 TensorFlow 在准备它；之后的运行之前，中位数为 { $usual }。
finding-first-function = 这看起来是函数的第一次调用：程序创建变量，TensorFlow 在 Python 中追踪 { $op } 并准备它。这用了 { $time }，之后的调用不需要它。
finding-first-step-trials = 这看起来是第一步：有 { $count } 个卷积在逐个试用其库的算法（例如 { $op }）。
finding-first-step-longer = 首个训练步总共比其后各步的中位数长 { $longer }。
finding-first-step-take = 这用了 { $time }，之后的步不需要它。
finding-first-step-tried = 其中有 { $count } 个卷积在逐个试用其库的算法（例如 { $op }），用了 { $time }。
finding-first-step-idle = 试用期间 GPU 有 { $idle } 空闲，库启动时就是这样。
finding-first-step-take-with = 这和{ $others }用了 { $time }，之后的步不需要它们。
finding-tensor-cores = 至少 { $count } 个 kernel 以 float32 计算，没有使用 GPU 的 Tensor Core，例如 { $name }：{ $time }。
finding-layout-conversions = { $count } 个 kernel 只改变维度的顺序（NCHW 与 NHWC 互换）：{ $time }。
finding-layout-weights = 卷积之内有 { $count } 个 kernel 只改变维度的顺序，主要是权重的：TensorFlow 保存权重的顺序与 cuDNN 不同。用了 { $time }。
finding-training-mode = 批归一化以训练方式运行，但没有记录到反向传播：{ $ops }，{ $time }。
finding-training-dropout = Dropout 也是如此：{ $time }。
finding-training-dropout-alone = Dropout 以训练方式运行，但没有记录到反向传播：{ $time }。
finding-optimizer-step = 优化器（{ $name }）的步用时 { $time }：它用 { $count } 个算子逐个更新参数。
finding-optimizer-step-waits = 其中 { $time } 主机很可能在等待未被记录的 GPU。
finding-idle-though-launched = GPU 空闲的 { $idle } 中，有 { $time } 不是主机造成的：{ $parts }。
finding-memory-peak = 在内存峰值（{ $peak }）时，{ $op } 使 { $bytes } 一直保留到它运行完。
finding-skewed-clocks = 各任务的时钟相差 { $time }：{ $of } 个张量中有 { $count } 个在发送之前就已到达。
finding-coarse-host = 主机的时钟以 { $time } 为步长：它的 { $of } 个运算中有 { $count } 个没有时长。
finding-skewed-accelerator = 加速器的时钟与其主机的时钟相差至少 { $time }：{ $of } 个程序中有 { $count } 个在主机请求它们之前就已结束。
finding-tracing = 记录本身在 { $count } 个事件（例如 { $name }）中用了 { $time }。
finding-tracing-each = 记录本身约用 { $time }：{ $count } 个算子各在外层算子开始后 { $before } 才开始，并在其结束前 { $after } 结束，不论是什么算子。
finding-counters = 分析器在 { $count } 个区间（cuda_profiler_range）中收集了 GPU 的计数器：此时每个 kernel 单独运行，也可能运行多次。时间不是程序本身的，因此不据此给出其他发现。
finding-tracing-overhead = 分析器把 { $time } 记为开销，共 { $count } 行（例如 { $name }）：它为记录获取内存，或驱动加载首次使用的内容。程序本身不需要这段时间。

## 发现：规则缺少什么

needs-replay = 与记录偏差不超过 5 % 的重放
needs-clocks = 一致的时钟
needs-transfers = 任务之间的传输或集合通信
needs-peers = 至少三个做相同工作的任务、rank 或算子
needs-participants = 已知哪些算子属于同一次的集合通信
needs-gpu = GPU 的算子以及启动它们的调用
needs-launches = 加速器的工作由哪些调用启动
needs-scheduling = 执行器的算子，以及它们变为就绪的时间
needs-memory = 内存记录
needs-steps = 多个步

## 发现：该怎么做

advice-exposed-transfers = 减少发送的字节数，更早发送，或把交换多的算子放在同一台机器上。
advice-exposed-transfers-graphs = 减少发送的字节数（tf.float16 梯度、更大的批次），均匀分布变量（tf.train.replica_device_setter 的 ps_strategy），或把交换多的内容放在同一个任务上。
advice-exposed-transfers-small = 发送更少、更大的张量：每次传输无论多小都有一个请求和一个应答。把许多小变量合成一个变量，并且不要切分它们（tf.train.replica_device_setter 不带 partitioner）。
advice-exposed-transfers-unnamed = 保存 RunMetadata 本身，而不只是 timeline.py 由它生成的内容：它记录了每个张量由谁发送、何时发送以及大小。如果张量很小，每个张量都要付出一次请求和一次应答：减少交换的次数，或把交换它们的算子放在同一个任务上。
advice-exposed-transfers-tensorflow2 = 让它们重叠或打包：tf.distribute.experimental.CommunicationOptions(bytes_per_pack=…)，使用 NCCL 实现，混合精度（tf.keras.mixed_precision），或更大的批次。
advice-exposed-transfers-tensorflow2-nccl = 让它们重叠或打包：tf.distribute.experimental.CommunicationOptions(bytes_per_pack=…)，混合精度（tf.keras.mixed_precision），或更大的批次。
advice-exposed-transfers-pytorch = 让它们重叠或变小：DistributedDataParallel 的 bucket_cap_mb 和 gradient_as_bucket_view，累积梯度时使用 no_sync()，或用 fp16_compress_hook 作为通信 hook。
advice-exposed-transfers-jax = 让 XLA 掩盖它们：在 XLA_FLAGS 中设置 --xla_gpu_enable_latency_hiding_scheduler=true，或调整分片以减少交换。
advice-exposed-communication = 减少发送的字节数，在该步计算时更早发送，并确保所有 rank 同时到达。
advice-rounds = 让一步的最后几个张量更早发出：更短的周期（HOROVOD_CYCLE_TIME）、一个缓冲区里更少（HOROVOD_FUSION_THRESHOLD，或 HOROVOD_AUTOTUNE=1）、更少的字节（hvd.Compression.fp16）。此处的等待也可能是在等更晚到达的 rank。
advice-rounds-byteps = 发送更少的字节，或张量的更小部分（BYTEPS_PARTITION_BYTES），它们可以同时 push 和 pull。此处的等待也可能是在等更晚到达的 rank。
advice-rounds-bluefog = 发送更少的字节，或发给更少的 rank（neighbor_allreduce）。此处的等待也可能是在等更晚到达的 rank。
advice-rounds-one = 大部分在一步之内：看看另一个 rank 那时在做什么（输入、检查点、一个 epoch 的结束）。
advice-rounds-compress = 压缩比 push 更久：试试更便宜的压缩器，或不压缩。张量的更小部分（BYTEPS_PARTITION_BYTES）可以同时压缩、push 和 pull。
advice-rounds-root = 这个进程既不 push 也不 pull：它等待同一台机器上负责这些的进程。请打开那个进程的文件。
advice-tensors-negotiate = 少发送、少次数：hvd.Compression.fp16、backward_passes_per_step、每个 rank 更多工作；融合张量（HOROVOD_FUSION_THRESHOLD、HOROVOD_CYCLE_TIME 或 HOROVOD_AUTOTUNE=1）；有 GPU 时用 NCCL 代替 MPI。长时间的协商是在等待计算更久的 rank。
advice-tensors-negotiate-nccl = 少发送、少次数：hvd.Compression.fp16、backward_passes_per_step、每个 rank 更多工作；融合张量（HOROVOD_FUSION_THRESHOLD、HOROVOD_CYCLE_TIME 或 HOROVOD_AUTOTUNE=1）。长时间的协商是在等待计算更久的 rank。
advice-tensors-wait = 少发送几乎没有改变：各 rank 在等最后一个就绪。请看它在此之前做什么（它的输入、更多的工作、程序的启动），并记录第一步之后的步。
advice-exposed-communication-pytorch = 让计算掩盖它：DistributedDataParallel 在一个桶的梯度就绪时开始通信（bucket_cap_mb：桶越小开始越早；static_graph=True、gradient_as_bucket_view=True），FSDP 可预取（forward_prefetch=True、backward_prefetch=BACKWARD_PRE）。减小它：fp16_compress_hook，累积梯度时使用 no_sync()。
advice-exposed-communication-pytorch-half = 让计算掩盖它：DistributedDataParallel 在一个桶的梯度就绪时开始通信（bucket_cap_mb：桶越小开始越早；static_graph=True、gradient_as_bucket_view=True），FSDP 可预取（forward_prefetch=True、backward_prefetch=BACKWARD_PRE）。减少发送次数：累积梯度时使用 no_sync()。
advice-late-rank-unopened = 其中大部分是在等待一个迟到的 rank；更小的数或其他的桶没有帮助。同时打开其他 rank 的文件：它们会说明哪个 rank 迟到，以及它当时在做什么。常见原因是它的工作更多、加载数据慢，或在那里只发生一次的事情（加载或调优 kernel、Python 的垃圾回收）。
advice-more-or-waiting = 请同时打开其他 rank 的文件：它们会说明这些集合通信是否在等待、在等哪个 rank。如果没有 rank 迟到，就减少发送的数据：record_shapes=True 或较新的 PyTorch 会记录每次发送多少。
advice-slow-links = 如果没有 rank 迟到，这远低于 GPU 之间链路的速度（PCI Express 3：12 GB/s）：查看通信库走了哪条路径（NCCL_DEBUG=INFO），以及 GPU 如何连接（nvidia-smi topo -m、rocm-smi --showtopo）。
advice-exposed-communication-all-to-all = 让计算掩盖它：在计算这一批时发送下一批要查找的内容（TorchRec 的 TrainPipelineSparseDist），或让专家的计算与分发重叠。减小它：调整表或专家的分片，使 rank 之间交换更少，或发送更小的数（量化通信）。
advice-exposed-communication-experts = 让计算掩盖它：一半批次的 token 在传输时，计算另一半。发送更少的位数，或发给更少的专家和机器。
advice-exposed-communication-small = 这些消息很小：启动它们比发送其字节更费时。把几条合成一条发送，或一次发送更多（更大的批次）。
advice-many-collectives = 其中每一次启动都比发送更费时：把几次合成一次。使用 DistributedDataParallel 时，更大的桶可以做到（bucket_cap_mb）；使用 torch.compile 时，可用它的图优化器（torch._dynamo.config.optimize_ddp）；程序自己调用的集合通信可以合并。
advice-one-gather = 先看这一次：少收集一些它的张量。对于模型的 logits，每个 rank 可以保留自己的部分，只交换最大的值，或者只需要最后一个 token；16 位的数只有 32 位的一半长。更大的批次会让它更长。
advice-exposed-communication-inference-large = 让它更小或掩盖它：用 float16 或 bfloat16 代替 float32，用更少的 rank 装一份模型，或在它们之间使用更快的连接（用 NVLink 代替 PCIe）。
advice-exposed-communication-inference-large-half = 让它更小或掩盖它：用更少的 rank 装一份模型，或在它们之间使用更快的连接（用 NVLink 代替 PCIe）。
advice-exposed-communication-inference = 掩盖它或减小它：一份模型使用更少的 rank，若推理引擎有针对小张量的 all-reduce 就使用它，或用更大的批次，一次发送更多。
advice-other-ranks = 同时打开其他 rank 的文件：它们会说明其中有多少是在等待迟到的 rank。
advice-exposed-communication-tensorflow2 = 让计算掩盖它或打包：tf.distribute.experimental.CommunicationOptions(bytes_per_pack=…)，使用 NCCL 实现，混合精度（tf.keras.mixed_precision），或更大的批次。
advice-exposed-communication-tensorflow2-nccl = 让计算掩盖它或打包：tf.distribute.experimental.CommunicationOptions(bytes_per_pack=…)，混合精度（tf.keras.mixed_precision），或更大的批次。
advice-exposed-communication-jax = 让 XLA 掩盖它：在 XLA_FLAGS 中设置 --xla_gpu_enable_latency_hiding_scheduler=true，或调整分片以减少交换。
advice-exposed-communication-jax-inference = 录制的内容里没有训练。如果模型被切分到多个设备上，它们交换的数据会随批次一起增长，计算也是如此：放得下时把模型切分到更少的设备上，或者让 XLA 把交换与它之前的矩阵乘法重叠（collective matmul）。
advice-exposed-communication-jax-tpu = XLA 会自行掩盖能掩盖的部分：调整分片以减少交换，或让每个设备在两次交换之间计算更多（每个设备用更大的 batch）。
advice-transfers-to-merge = 合并为一次发送：拼接小的变量和梯度，使用 Horovod 时提高 HOROVOD_FUSION_THRESHOLD。
advice-transfers-to-merge-pytorch = 合并为一次发送：提高 DistributedDataParallel 的 bucket_cap_mb。
advice-transfers-to-merge-tensorflow2 = 合并为一次发送：提高 tf.distribute.experimental.CommunicationOptions 的 bytes_per_pack。
advice-transfer-order = 按使用顺序发送张量：等前一个张量到达后再读取下一个变量（TicTac，MLSys 2019）。只在读取之间加控制依赖没有用：在有人请求之前，读取就已完成。
advice-straggler = 先查看它在那里做什么：那个算子的输入和工作量。如果工作量与同类任务相同，再检查这台机器：负载、频率和网络。
advice-straggler-started-late = 查看是什么让这个任务没有和其他任务同时开始：它的程序在该步之前做什么（输入、Python）、该步的请求何时到达，以及它的机器的负载。
advice-shared-threads = 这些任务在争用同一台机器：给每个任务自己的核心（taskset、numactl），把 intra_op_parallelism_threads 和 inter_op_parallelism_threads 设为其份额，或在那里运行更少的任务。
advice-collective-wait = 让每个 rank 每步的工作量相同，并查看最后到达者之前在做什么。
advice-collective-wait-pytorch = 让每个 rank 的工作量相同：相同的批次和长度（DistributedSampler、按长度分桶），以及相同数量的 DataLoader worker。查看最后到达的 rank 之前在做什么。
advice-late-hosts = 查看这些 rank 的程序当时在做什么：它们的 GPU 无事可做。给每个程序自己的核心（numactl），并让它更早地为 GPU 发射工作。
advice-late-hosts-pytorch = 查看这些 rank 的程序当时在做什么：它们的 GPU 无事可做。给每个程序自己的核心（numactl），让所有 rank 在同一步回收垃圾（gc.disable()，然后每隔若干步 gc.collect()），并提前发射：torch.compile(mode="reduce-overhead") 或 CUDA graphs。
advice-late-hosts-pytorch-graphed = 查看这些 rank 的程序当时在做什么：它们的 GPU 无事可做。给每个程序自己的核心（numactl），并让所有 rank 在同一步回收垃圾（gc.disable()，然后每隔若干步 gc.collect()）。
advice-late-begun = 看看这些 rank 在第一个算子之前做了什么：前一步、加载器，或记录本身（它在那里可能开始得更晚）。记录不止一步：在之后的步里，所有 rank 都已经开始。
advice-late-chain = 迟到的 rank 还在更早的集合通信或复制中，所以晚的不是它们自己的工作。看看它们的 GPU 之前在等什么：另一个 rank、慢的连接，或同一 GPU 上的另一个程序。
advice-last-rank-start = 查看这个 rank 在第一次广播之前做了什么：导入模块、读取或解压数据、所在的机器。这段时间只花一次，之后的步骤不再等它。
advice-last-rank = 查看这个 rank 在就绪之前做什么：它的输入、它的批次份额、它的机器。Horovod 对每个张量都等待最后一个 rank。
advice-uneven-servers = 按字节数分布变量：在 tf.train.replica_device_setter 中使用 ps_strategy=tf.contrib.training.GreedyLoadBalancingStrategy(…)，并切分大的变量（tf.fixed_size_partitioner）。
advice-gpu-unused = tf.config.list_physical_devices('GPU') 说明 TensorFlow 是否找到 GPU（没找到的话：安装的版本不带 CUDA，或有库无法加载），tf.debugging.set_log_device_placement(True) 说明每个算子在哪里运行。
advice-input-bound = 在该步运行时，用其他线程或进程准备下一批，并保持若干批就绪。
advice-input-bound-pipeline = 在该步运行时准备下一批：在流水线末尾用 dataset.prefetch(…)，map 中用 num_parallel_calls。
advice-input-bound-queue = 更快地填满队列：更多线程（num_threads），一次读多条记录（read_up_to、enqueue_many），或改用末尾带 dataset.prefetch(…) 的 tf.data。
advice-input-bound-queue-gpu = 在 CPU 上准备批次：用 tf.device('/cpu:0') 包住流水线；现在它的每一项都被拷贝到 GPU 再拷贝回来。然后更快地填满队列：更多线程（num_threads），一次读多条记录（read_up_to、enqueue_many）。
advice-input-bound-first-batch = 这是第一个 batch：流水线会提前准备 batch，但现在才开始（打开文件、填充缓冲区）。记录之后的步；如果它们也等待，在 map 中用 num_parallel_calls。
advice-input-bound-one = 流水线会提前准备 batch。记录中只有一次对 batch 的等待：无法从中判断流水线是刚开始还是太慢。请记录多个步；如果它们也等待：在 map 和 interleave 中用 num_parallel_calls，用 cache()，并减少每个样本的工作。
advice-input-bound-last-map = 流水线的最后一个函数（map）在该步等待时运行，位于提前准备批次的部分之后：请把 dataset.prefetch(…) 放在末尾。
advice-input-bound-prefetching = 流水线已经提前准备 batch，但比该步慢：在 map 和 interleave 中用 num_parallel_calls，用 cache()，并减少每个样本的工作。
advice-input-bound-tensorflow = 在该步运行时准备下一批：在流水线末尾用 dataset.prefetch(…)，map 中用 num_parallel_calls，用 tf.data 代替 feed_dict。
advice-input-bound-pytorch = 在该步运行时准备下一批：DataLoader 的 num_workers、prefetch_factor、persistent_workers 和 pin_memory=True。
advice-input-bound-pytorch-cpu = 在步运行时准备下一个批次：DataLoader 的 num_workers、prefetch_factor 和 persistent_workers。
advice-input-bound-pytorch-one = 记录中只有一个批次：无法从中判断是 worker 正在启动还是太慢。请记录多个批次；如果之后的批次很快，persistent_workers=True 只启动一次 worker。
advice-input-bound-pytorch-workers = 它的 worker 太慢：增加 worker（num_workers），提前准备更多 batch（prefetch_factor），或减少每个样本的工作，例如解码更小的图像，或在 GPU 上做变换。
advice-input-bound-pytorch-first = 加载第一个 batch 时其 worker 正在启动：persistent_workers=True 只启动一次，更少的 worker（num_workers）启动更快；稍后开始的记录不会包含它。
advice-loader-workers = persistent_workers=True 让工作进程只启动一次，而不是每个 epoch 一次。加载很快的数据不需要工作进程（num_workers=0）。晚些开始、早些结束的记录没有这段时间。
advice-input-bound-jax = 在该步运行时准备下一批：在等待该步之前开始拷贝下一批（jax.device_put），并在其他进程中加载数据。
advice-launch-bound = 启动更少、更大的 kernel：融合算子（编译器）、把许多 kernel 作为一个图启动，或用更大的批次。
advice-launch-bound-tensorflow2 = 启动更少、更大的 kernel：tf.function(jit_compile=True)，或更大的批次。
advice-launch-bound-graphs = 启动更少、更大的 kernel：XLA（graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.ON_1）、融合算子，或更大的批次。
advice-launch-bound-pytorch = 启动更少的 kernel：torch.compile(mode="reduce-overhead")、CUDA graph（torch.cuda.make_graphed_callables），或更大的批次。
advice-launch-bound-pytorch-optimizer = 启动更少的 kernel：torch.compile(mode="reduce-overhead")、CUDA graph（torch.cuda.make_graphed_callables）、融合的优化器（fused=True），或更大的批次。
advice-launch-bound-jax = 把整个步放在一个 jax.jit 之下，把循环放进 jax.lax.scan。
advice-compiles-online = 算子在程序运行时编译（aclopCompileAndExecute）：torch_npu.npu.set_compile_mode(jit_compile=False) 使用已有的 kernel，torch.npu.config.allow_internal_format = False 避免内部格式。融合的优化器（torch_npu.optim）算子更少。
advice-launch-bound-compiled = 代码已经编译：torch.compile(mode="reduce-overhead") 会把编译出的内容作为 CUDA graph 启动。看看各部分之间哪里还在运行 Python（TORCH_LOGS="graph_breaks"）。更大的批次让每个 kernel 有更多工作。
advice-launch-bound-traced = torch.compile 只追踪了代码（CompiledFunction）：运行的 kernel 没有一个是编译器生成的，例如使用后端 aot_eager 时。让 Inductor 融合它们（torch.compile 不带 backend=），加上 mode="reduce-overhead" 还会作为 CUDA graph 启动。更大的批次让每个 kernel 有更多工作。
advice-host-bound-graphed-compiled = 代码已经编译，kernel 也已作为图启动。看看图之外运行的内容：其他算子、编译部分之间的 Python（TORCH_LOGS="graph_breaks"）、结果的复制。
advice-launch-bound-graphed = 一部分 kernel 已经作为图启动。看看哪些算子在图之外运行，把它们也放进图里。
advice-launch-bound-graphed-training = 一部分 kernel 已经作为图启动。看看哪些算子在图之外运行，把它们也放进图里；优化器的算子在 capturable=True 时也可以。
advice-host-between-compiled = 在已记录的算子之间运行的是 Python：with_stack=True 会记录是哪些函数。在该步中少做一些，提前一步运行，或看看 torch.compile 为什么没有去掉它（TORCH_LOGS="graph_breaks"）。
advice-host-beginning = 请记录后面的一步：执行器在第一个算子之前所做的（如等待线程和设备）大多只在第一步出现。
advice-host-bound = 让加速器每次调用做更多工作：更大的批次、更少更大的算子，或编译整个步。
advice-host-bound-one-program = 运行的已是一个编译好的程序：让每次调用做更多工作（更大的 batch、把多个步放进一个 jax.lax.scan），并在等待这次调用之前先启动下一次。
advice-host-bound-graph-updated = 当缓冲区的地址改变时，XLA 会重新写入它的 CUDA graph。看看之后的调用是否也这样；XLA_FLAGS=--xla_gpu_enable_command_buffer=（等号后为空）会不用图来启动 kernel。
advice-host-bound-clusters = XLA 已经编译了该步的一些部分：更少、更大的簇（TF_XLA_FLAGS=--tf_xla_min_cluster_size=…）或更大的 batch 让加速器每次调用做更多工作。
advice-host-cold = 这段记录是第一次调用，其余部分也比之后更久：在改动模型之前，先判断之后的一步（torch.profiler.schedule(wait=…, warmup=…, active=…)）。
advice-host-bound-pytorch = 让主机不挡路：torch.compile(mode="reduce-overhead") 或 CUDA graph 一次启动许多 kernel；更大的批次让每个 kernel 有更多工作。
advice-host-bound-pytorch-optimizer = 让主机不挡路：torch.compile(mode="reduce-overhead") 或 CUDA graph 一次启动许多 kernel；更大的批次让每个 kernel 有更多工作；融合的优化器（fused=True 或 foreach=True）算子更少。
advice-host-single = 大部分时间是一个算子，所以减少启动次数帮助不大。看看它在之后的步里是否再次出现：只发生一次的事（获取内存、加载库或 kernel、线程等待核心）在分析器晚些开始时就没有了。
advice-host-pause = 看看程序在那次停顿中做了什么。如果它在编译，或在启动某个库或驱动，后面的步不会有：请记录后面的一步。
advice-host-pause-pytorch = 看看程序在那次停顿中做了什么（with_stack=True 会记录其函数）。如果它在编译，或在启动某个库或驱动，后面的步不会有：用 torch.profiler.schedule(wait=…, warmup=…, active=…) 记录后面的一步。
advice-host-pauses = 看看程序在这些停顿中做了什么（with_stack=True 会记录其函数），例如用 NumPy 或 Python 处理从 GPU 读出的值。把它改成 GPU 上的算子，或放到另一个线程上、循环之后去做。
advice-kind-slow-convolution = 运行的是 PyTorch 自己的卷积，而不是 oneDNN 的。在 Mac 上可以试试它的 GPU（设备 "mps"）。在其他机器上，查看 torch.backends.mkldnn.is_available() 和 torch.backends.mkldnn.enabled，使用带有 oneDNN 的 PyTorch 版本，以及它支持的类型和布局（float32 或 bfloat16）。
advice-kind-convolution = 使用更大的批次、与核数相同的线程（torch.set_num_threads）、model.to(memory_format=torch.channels_last)、torch.compile，以及在处理器有相应指令时使用 torch.autocast("cpu", dtype=torch.bfloat16)。GPU 更适合这种计算。
advice-kind-convolution-compiled = 使用更大的批次、与核数相同的线程（torch.set_num_threads）、model.to(memory_format=torch.channels_last)，以及在处理器有相应指令时使用 torch.autocast("cpu", dtype=torch.bfloat16)。GPU 更适合这种计算。
advice-kind-products = 使用与核数相同的线程（torch.set_num_threads、OMP_NUM_THREADS）、更大的批次，以及在处理器有相应指令（AVX-512、AMX）时使用 torch.autocast("cpu", dtype=torch.bfloat16)。GPU 更适合这种计算。
advice-kind-products-many-rows = 有一层已经有 20,000 行或更多，更大的批次没有帮助。每次计算较少的行，让每层的结果留在缓存里；可以的话就地写入（ReLU(inplace=True)）；线程数与核心数相同（torch.set_num_threads）；处理器有相应指令（AVX-512、AMX）时使用 torch.autocast("cpu", dtype=torch.bfloat16)。GPU 更适合这种计算。
advice-kind-dense = 确认它们可以使用所有核心（intra_op_parallelism_threads、OMP_NUM_THREADS、容器的限制）。在 x86 处理器上用 oneDNN 大多更快：TensorFlow 1 需要带有它的版本；从 2.5 起所有 x86 版本都带有它（TF_ENABLE_ONEDNN_OPTS=1）。只有当一个批次太小、用不满所有核心时，更大的批次才有帮助。GPU 更适合这种计算。
advice-kind-dense-onednn = 它们已由 oneDNN 执行。确认它们可以使用所有核心（intra_op_parallelism_threads、OMP_NUM_THREADS、容器的限制）。只有当一个批次太小、用不满所有核心时，更大的批次才有帮助。GPU 更适合这种计算。
advice-kind-random = 在使用随机数的地方生成它们（torch.randn(…, device="cuda")），或在循环之前生成一次。
advice-kind-largest = 先看这些；没有一项改动对所有这些都有帮助。
advice-kernels-products = 它们已经用 16 位计算，因此这些乘法就是极限：减少或缩小它们才能省时间（更少的 token、层或步），每次都相同的部分只算一次。大小为 64 的倍数能填满做乘法的核心（例如补齐词表）。
advice-kernels-eight-bits = 这块 GPU 也能用 8 位计算（FP8：Transformer Engine、torchao），前提是数值允许。
advice-graph-dense = 如果它们以 float32 计算，且 GPU 有 Tensor Core（Volta 或更新），卷积和矩阵乘法用 16 位会更快：tf.keras.mixed_precision，或在 TensorFlow 1.14 和 1.15 中使用 tf.train.experimental.enable_mixed_precision_graph_rewrite(optimizer)。否则只有减少或缩小它们才能省时间。
advice-graph-dense-without-cores = 该 GPU 没有 Tensor Core（其计算能力低于 7.0）：只有减少或缩小它们才能节省时间。
advice-graph-few-bits = 它们已经用 16 位计算：减少或缩小它们才能省时间。
advice-graph-norms = 减少或缩小它们才能省时间。
advice-graph-lrn = LRN 并非必需：较新的模型使用批归一化，或将其省去。
advice-graph-turned = TensorFlow 为 cuDNN 来回转置张量（其 LayoutOptimizer 添加的 Transpose）：使用 data_format="NCHW" 就无需转置，没有该选项的操作除外。
advice-kernels-attention = 它已由专门的 kernel 计算。序列越长用时越多，一次计算所有 token 时随长度的平方增长：更短的序列、更少的填充、滑动窗口，或更少的键值头。
advice-host-op-pytorch = 让 GPU 来做（在其上创建张量：device="cuda"，或先把张量移过去），或放到 DataLoader 的 worker 中做。
advice-host-op-tensorflow = 让 GPU 来做：如果 TensorFlow 有它的 GPU 实现，用 tf.device 放到 GPU 上；tf.debugging.set_log_device_placement 或 log_device_placement=True 会说明每个算子在哪里运行以及原因。如果每次结果都相同（权重、常量），就在各步之前做一次；如果只是准备批次，就放进输入流水线（tf.data）。
advice-host-bound-inference = 让主机不成为瓶颈：torch.compile(mode="reduce-overhead") 或 CUDA graph 一次启动许多 kernel，更大的 batch 让每个 kernel 做更多工作。在 vLLM 这样的引擎中，请确认图已启用（enforce_eager=False）。
advice-host-bound-graphed = 它的 kernel 已经作为图启动。看看程序在两个图之间做什么：采样、复制结果、Python；把它提前一步完成。
advice-host-bound-jax = 把步的更多部分放在一个 jax.jit 之下，中途不要读取结果（float(x)、np.asarray）。
advice-host-python = 看看这个函数做什么。对数据的处理应移出该步：移到数据加载器的 worker 中、移到 GPU 上，或移到循环之前。模型自身的 Python 可用 torch.compile 或 CUDA graphs 去掉；若主机提前一步，它也能在 GPU 工作时运行。
advice-host-between-pytorch = 在已记录的算子之间运行的是 Python：with_stack=True 会记录是哪些函数。在该步中少做一些，提前一步运行，或用 torch.compile 去掉它。
advice-host-no-operators = 没有记录任何算子，因此无从得知主机做了什么：activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA] 会记录它。
advice-host-first-compile = 运行了编译器生成的 kernel（triton_…），却没有记录任何算子：如果这是首次调用，编译就在这次停顿中进行，以后的调用不再需要。请在开始记录之前先调用该函数一次，并同时记录算子：activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]。
advice-gpu-unused-pytorch = torch.cuda.is_available() 说明 PyTorch 是否找到 GPU（没找到的话：安装的版本不带 CUDA，或驱动太旧）。然后把模型和输入放到 GPU 上：model.to("cuda")，批次的大小要能放进它的内存。
advice-synchronising = 不要在该步中读取 GPU 上的值：让它们留在 GPU 上，减少取回的次数。
advice-synchronising-graphs = 这些算子把 GPU 上的一个值读回主机，并等待它。去掉只做检查的算子（CheckNumerics：tf.debugging.check_numerics、tf.add_check_numerics_ops），尤其是在用于推理服务的图中。结果的大小取决于数值时（Where、Unique、boolean_mask），让它的大小固定，或放到输入管道（tf.data）中计算。
advice-synchronising-unrecorded = 同时记录 GPU 的工作（PyTorch：activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]；Apple 的 GPU：torch.mps.profiler），这样就能看出主机在等什么。少读取 GPU 上的值：.item()、.cpu()、nonzero()、布尔掩码。
advice-synchronising-pytorch = 不要在该步中读取 GPU 上的值：不用 .item()、.cpu()、nonzero()、布尔掩码或打印张量；用 .detach() 把 loss 留在 GPU 上，每隔若干步再读取。torch.cuda.set_sync_debug_mode("warn") 会指出每一处。
advice-synchronising-copies-pytorch = 向 GPU 拷贝而不等待：DataLoader 的 pin_memory=True（或 tensor.pin_memory()）和 .to(device, non_blocking=True)，或直接在 GPU 上创建张量（device=…）。
advice-synchronising-copies-pinned = 这些拷贝已来自锁页内存：用 .to(device, non_blocking=True) 程序就不会等待它们。或直接在 GPU 上创建张量（device=…）。
advice-synchronising-jax = 不要在该步中等待结果：不用 float(x)、x.item()、np.asarray(x)、block_until_ready，也不打印数组；先启动下一步，在它运行时读取上一步的结果。
advice-allocator = 让分配器保留内存，而不是还给驱动。
advice-allocator-pytorch = 让 PyTorch 缓存内存：取消设置 PYTORCH_NO_CUDA_MEMORY_CACHING，不要在该步中调用 torch.cuda.empty_cache()；长度变化时设置 PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True。
advice-allocator-host = PyTorch 的分配器会保留已有的内存，只在开始时或内存已满时向驱动申请：内存已满时它先归还缓存再申请。查看 torch.cuda.memory_stats()["num_alloc_retries"]。留出余量（更小的批次，在创建其他张量之前释放大的张量），或只创建一次大的张量。
advice-given-back = 不要在步中调用 torch.cuda.empty_cache()：PyTorch 会把这些内存再用于后面的张量。
advice-memory-full = 给 GPU 内存留出空间：减小批次，使用激活检查点（torch.utils.checkpoint），或减少块之间浪费的内存（PYTORCH_ALLOC_CONF=expandable_segments:True，PyTorch 2.9 之前为 PYTORCH_CUDA_ALLOC_CONF）。torch.cuda.memory_stats()["num_alloc_retries"] 记录它满了多少次。
advice-host-op-between = 如果它们能在 GPU 上运行，就放到 GPU 上（tf.device），或移到提前运行的输入流水线中（tf.data）；tf.debugging.set_log_device_placement 或 log_device_placement=True 会说明每个算子在哪里运行以及原因。
advice-host-op-between-placed = tf.device 没有帮助：TensorFlow 在 GPU 上为它们准备的实现也在主机上运行。把它们放进提前运行的输入流水线（tf.data），或改用其他算子。
advice-copies = 让数据留在设备上，在设备计算时复制下一个批次，减少取回结果的次数。
advice-copies-weights = 让权重和常量留在设备上：在设备上创建它们（tf.device），读取它们的算子（如反量化）也放在那里。
advice-copies-tensorflow = 让数据留在设备上，用 tf.data 并预取到设备来供给数据，减少取回结果的次数。
advice-copies-on-device = 减少设备内部的拷贝：保持同一种布局和数值类型，让编译器融合读取该拷贝的算子。
advice-copies-on-device-jax = 减少设备内部的拷贝：保持同一种布局和数值类型，交出不再需要的缓冲区（jax.jit 的 donate_argnums），让编译器融合读取该拷贝的算子。
advice-copies-on-device-pytorch = 减少 GPU 内部的拷贝：能用视图时不用 .contiguous()、.clone()、torch.cat 或索引，始终使用同一种数值类型，并用 torch.compile 融合读取该拷贝的算子。
advice-copies-pytorch = 在该步计算时拷贝：在单独的流（torch.cuda.Stream）上用 .to(device, non_blocking=True)，提前一个批次。让数据留在 GPU 上，减少取回结果的次数。
advice-copies-pytorch-stream = 这些拷贝已经有单独的流：更早地开始它们，让下一个批次在计算当前批次时到达。让数据留在 GPU 上，减少取回结果的次数。
advice-copies-host-memory = 让更多这样的数组留在设备上：少放到主机内存（JAX 中的 memory_kind="pinned_host"、jax.checkpoint 的 offload 策略），使用更小的数值类型，或更早开始取回，与其他计算同时进行。
advice-copies-memory-optimizer = 在 GPU 上腾出空间，使张量不必离开：更小的批次，或 tf.float16。或者选择优化器的做法：graph_options 的 rewrite_options.memory_optimization（RECOMPUTATION_HEURISTICS 重新计算张量，NO_MEM_OPT 不移动）。
advice-pageable-copies = 从锁页内存拷贝：GPU 会自己读取，主机同时继续运行。
advice-pageable-copies-pytorch = 从锁页内存拷贝而不等待：DataLoader 的 pin_memory=True（或 tensor.pin_memory()）和 .to(device, non_blocking=True)。
advice-few-threads = 让执行器每个处理器有一个线程：TensorFlow 1 中为 tf.ConfigProto(inter_op_parallelism_threads=0)，TensorFlow 2 中为 tf.config.threading.set_inter_op_parallelism_threads(0)。
advice-tiny-ops = 让编译器融合它们，或在更大的张量上计算。
advice-tiny-ops-tensorflow = 让编译器融合它们（XLA：tf.function(jit_compile=True)，TensorFlow 1 中为 global_jit_level），或在更大的张量上计算。
advice-tiny-ops-compiled = 在更大的张量上计算。XLA 已经编译了其他算子：TF_XLA_FLAGS=--tf_xla_min_cluster_size=… 和 TF_CPP_VMODULE=mark_for_compilation_pass=2 会说明这些算子为什么不在任何簇中。
advice-tiny-ops-pytorch = 它们的时间大多花在启动上。用 torch.compile 融合它们，或在更大的张量上计算：把几个小问题合成一批，减少循环中的算子。
advice-layout-conversions = 让卷积的张量保持 NHWC。
advice-layout-weights = 卷积的每次调用都要转换它的权重，与 batch 大小无关：更大的 batch 把它分摊到更多的样本上。
advice-layout-conversions-pytorch = 让模型和输入都保持 NHWC：model.to(memory_format=torch.channels_last)，输入也一样。
advice-training-mode = 如果这是推理，请先调用 model.eval()：结果就不再取决于同一批次的其他样本，批归一化也能并入卷积（torch.compile、torch.jit.freeze）。如果是训练，请也记录反向传播。
advice-training-dropout = 如果这是推理，请先调用 model.eval()：否则结果是随机的。如果是训练，请也记录反向传播。
advice-optimizer-step = 让它一次处理多个参数：fused=True（CPU 上从 PyTorch 2.4 起支持 Adam、AdamW、SGD 和 Adagrad）、foreach=True，或用 torch.compile 编译它的步。
advice-optimizer-step-own = 这个类不属于 torch.optim，因而没有 fused=True 和 foreach=True：改用 torch.optim 中作用相同的优化器，用 torch._foreach_…（一次调用处理许多参数）改写它的 step，或用 torch.compile 包住它。
advice-tensor-cores = 在数值允许时使用更少的位数：float16，或在 Ampere 及以后使用 bfloat16 或 TF32。
advice-before-ampere = 该 GPU 的计算能力为 { $capability }：它没有 TF32，也没有用于 bfloat16 的 Tensor Core。
advice-from-ampere = 该 GPU 的计算能力为 { $capability }：属于 Ampere 及以后的 GPU。
advice-has-tensor-cores = 该 GPU 的计算能力为 { $capability }：它有 Tensor Core。
advice-tensor-cores-rest = 其他 kernel 已经在使用张量核心。看看这些是哪些算子，它们能否也用更少的位数计算。
advice-tensor-cores-rest-pytorch = 其他 kernel 已经在使用张量核心（16 位或 TF32）。看看这些是哪些算子：它们在 torch.autocast 之外运行，或被它保留为 float32。TF32 对矩阵乘法有一个开关 torch.set_float32_matmul_precision("high")，对卷积有另一个 torch.backends.cudnn.allow_tf32；即使允许，库仍可能选择 float32 的 kernel。
advice-tensor-cores-pytorch = 在数值允许时使用更少的位数：torch.autocast("cuda", dtype=torch.float16) 配合 GradScaler，或在 Ampere 及以后使用 bfloat16 或 torch.set_float32_matmul_precision("high")。
advice-tensor-cores-pytorch-convolutions = 这些是卷积：使用 torch.autocast("cuda", dtype=torch.float16)，从 Ampere 起也可用 torch.bfloat16；还有 torch.backends.cudnn.benchmark = True。Ampere 及以后的 GPU 可以对卷积使用 TF32，除非有人关闭（torch.backends.cudnn.allow_tf32），但 cuDNN 仍然选择了 float32 的 kernel；更早的 GPU 没有 TF32。torch.set_float32_matmul_precision 对卷积不起作用。
advice-tensor-cores-pytorch-both = 在数值允许的地方用更少的位计算：torch.autocast("cuda", dtype=torch.float16)，从 Ampere 起也可用 torch.bfloat16。从 Ampere 起还有 TF32：矩阵乘法用 torch.set_float32_matmul_precision("high")；卷积可能已在使用（torch.backends.cudnn.allow_tf32）。
advice-channels-last = 卷积还可用 model.to(memory_format=torch.channels_last)。
advice-tensor-cores-pytorch-inference = 在数值允许时使用更少的位数：torch.autocast("cuda", dtype=torch.float16)，或在 Ampere 及以后使用 bfloat16 或 torch.set_float32_matmul_precision("high")。
advice-tensor-cores-tensorflow = 在数值允许时使用更少的位数：tf.keras.mixed_precision，或在 TensorFlow 1.14 和 1.15 中使用 tf.train.experimental.enable_mixed_precision_graph_rewrite(optimizer)。
advice-idle-one-stream = 只有一个流和一个 rank 时，记录中没有任何东西让这些 kernel 等待：GPU 在执行记录之前启动的工作，或没有记录的工作。请让程序在开始记录之前等待 GPU 完成（torch.cuda.synchronize()）。
advice-idle-before = 它们所在的流此前没有任何记录，此后 GPU 几乎不停：它在执行记录之前启动的工作。请让程序在开始记录之前等待 GPU 完成（torch.cuda.synchronize()）。
advice-idle-though-launched = 看看在这些 kernel 开始之前刚刚结束的是什么。如果没有，请记录所有的流，以及其他 rank（如果有）。
advice-idle-shared = 没有记录到任何让这些 kernel 等待的工作，也没有记录之前留下的工作。用 nvidia-smi 查看是否有其他进程或桌面在用这块 GPU：GPU 轮流给它们等长的时间片。或者 GPU 是否在改变频率：可锁定频率（nvidia-smi --lock-gpu-clocks）。
advice-stood-still = 让每个程序有自己的核心：为作业分配更多核心（Slurm 的 --cpus-per-task、容器的 CPU 限额），并减少线程（OMP_NUM_THREADS=1、更少的 DataLoader worker）。是什么占用了核心不在记录里：用 top 和 pidstat 查看。
advice-idle-latency = 使用更少、更大的 kernel：用编译器融合，用更大的 batch，或把它们作为一个图启动。
advice-idle-hole = 这些图里运行的内容看来只记录了一部分：如果中间没有运行任何内容，一次启动的各个节点会在几微秒内相继开始。那么 GPU 的空闲时间比这更短。用更新的驱动和 PyTorch 记录，或在不用图的情况下记录一次。
advice-idle-graph = 在图中使用更少、更大的 kernel：让编译器融合它们，或用更大的 batch。
advice-idle-unrecorded = 请同时记录启动它们的调用，并在该步开始之前就开始记录。
advice-slower-than-peers = 查看同一台机器或 GPU 上同时运行了什么，以及这些算子是否在等待内存，或频率是否被降低。
advice-records = 它只是记录信息：每 N 步运行一次即可。
advice-records-keras = 它只是写下一些内容：每个 epoch 一次就够了（TensorBoard(update_freq='epoch')），记录之后的批次则没有它。
advice-unlike-op = 记录之后的步：如果它在那里也用这么长时间，请看当时还运行了什么。
advice-dominant-op = 减小它，拆分它使其与其他算子并行，或给它更多线程。
advice-dominant-op-gpu = 它在 GPU 上运行：减小它，或用半精度计算，张量核心会加速它。
advice-dominant-op-gpu-without-cores = 它在 GPU 上运行，而该 GPU 没有 Tensor Core（其计算能力低于 7.0）：把它变小。
advice-dominant-op-gpu-few-bits = 它在 GPU 上运行，已用 16 位计算：减小它。
advice-stall = 看看当时机器上还运行了什么，或内存是否用尽。再记录一次：如果不再出现，该算子无需改动。
advice-dominant-elementwise-compiled = 它们在 torch.compile 融合的内容之外：看看原因（TORCH_LOGS="graph_breaks"）。一半的时间是估计值：融合后的一串 kernel 只读写一次内存。
advice-dominant-elementwise = 让编译器融合它们：torch.compile。一半的时间是估计值：融合后的一串 kernel 只读写一次内存。
advice-capture = 请在捕获之后、程序启动该图时再记录。
advice-first-step = 记录之后的步：运行几步之后再启动 profiler。
advice-first-step-tensorflow = 记录之后的步：运行几步之后再启动 profiler，或使用不记录第一步的 ProfilerHook。
advice-compiling = 在记录之前先调用要编译的内容，每种形状一次：torch.profiler.schedule(wait=…, warmup=…, active=…)。如果之后又编译，多半是因为形状不同：TORCH_LOGS="recompiles" 会说明原因，torch._dynamo.mark_dynamic 或 dynamic=True 可以避免。
advice-first-step-pytorch = 记录之后的步：torch.profiler.schedule(wait=…, warmup=…, active=…)。
advice-first-step-horovod = 记录之后的步：运行几步之后再调用 hvd.start_timeline()，而不是设置 HOROVOD_TIMELINE。
advice-later = 第一个 { $op } 用时 { $first }，之后的 { $count } 个的中位数是 { $usual }：请看这些。
advice-later-steps = 记录中有之后的步：请看这些。
advice-first-step-jax = 记录之后的步：在 jax.profiler.start_trace 之前先调用一次编译好的函数并等待它。
advice-memory-peak = 让这个算子更早运行，或重新计算它所读取的内容而不保留它。
advice-memory-peak-tensorflow = 让这个算子更早运行，或重新计算它所读取的内容（tf.recompute_grad）。
advice-memory-peak-pytorch = 让这个算子更早运行，或重新计算它所读取的内容（torch.utils.checkpoint）。
advice-memory-peak-jax = 让这个算子更早运行，或重新计算它所读取的内容（jax.checkpoint）。
advice-skewed-clocks = 对齐时钟：在“时钟”标签页中，或在程序中用 --clocks。然后再看。
advice-coarse-host = 如果加速器在大部分时间里无事可做，就让每次调用给它更多工作：更大的批次，更少而更大的运算。要看清主机在做什么，请在时钟更精细的系统上录制。
advice-frames = 录制了 { $count } 个 Python 函数，每毫秒 { $each } 个，这会让 Python 变慢：要得到不受此影响的时间，请用 python_tracer_level=0 录制。
advice-skewed-accelerator = 分别查看加速器和主机：它们同时做了什么是未知的。
advice-tracing = 少记录一些：更少的步，更低的跟踪级别。短算子的时间比不记录时更长。
advice-counters = 要看时间，请在不收集计数器的情况下记录（_ExperimentalConfig 的 profiler_metrics）。这份记录只用来看计数器。
advice-tracing-each = 只比较同一层次算子的时间：包含其他算子的算子因记录而变长。较新的 PyTorch 记录一个算子只需一微秒。
advice-tracing-no-work = 没有记录到程序的任何计算：让分析器在这些工作之前开始、之后结束，并使用 activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]。
advice-tracing-warm-up = 在记录之前先把要测量的内容运行几次：torch.profiler.schedule(wait=…, warmup=…, active=…)，或在分析器开始之前调用几次。这种开销随最初的内核出现。
advice-tracing-pytorch = 少记录一些：with_stack=False、record_shapes=False、profile_memory=False。短算子的时间比不记录时更长。

finding-ops = { $count ->
       *[other] { $count } 个算子
    }
finding-other-calls = { $count ->
       *[other] { $count } 个其他调用
    }
finding-transfers = { $count ->
       *[other] { $count } 次传输和集合通信
    }
finding-times = { $count ->
       *[other] { $count } 次
    }

## 结论

verdict-sentence = { $what }：{ $said }。
verdict-once-first-step = 其中 { $share }（{ $time }）只有第一步才会做
verdict-once-first-step-op = 其中 { $share }（{ $time }）只有第一步才会做（主要是 { $op }）
verdict-once-compiling = 其中 { $share }（{ $time }）torch.compile 在编译，这只发生一次
verdict-once-capture = 其中 { $share }（{ $time }）在捕获 kernel 的图，这只发生一次
verdict-once-first-run = 其中 { $share }（{ $time }）是图第一次运行之前的停顿，之后的运行没有它
verdict-once-first-function = 其中 { $share }（{ $time }）在 { $op } 第一次运行之前：TensorFlow 此时追踪并准备它
verdict-once-rest = 其余用了 { $rest }
verdict-once-whole = 整体来看：{ $said }。
verdict-once-with = 只发生一次的：{ $said }。
verdict-range = 在程序自己标记的各部分中，{ $name } 占 { $share }。
verdict-recording-cost = 其中约 { $time }（{ $share }）是记录本身：不论是什么算子，都比外层算子晚这么久开始。
stood-still = 程序的线程停住了 { $times } 次，共 { $time }，发生在算子之间，或在创建视图等什么也不做的算子里：很可能当时没有核心可用。
stood-still-each = { $programs } 个程序的线程平均各停住 { $times } 次，各 { $time }，发生在算子之间，或在创建视图等什么也不做的算子里：很可能当时没有核心可用。
stood-still-at-once = 大部分时间里 { $programs } 个中有 { $number } 个同时停住，所以只有 { $running } 个在运行：如果在同一台机器上，核心就有这么多。
verdict-wrong-times = { $what }，但其时间有误（{ $title }）：请先查看 doctor 的说明。
verdict-profiler-longer = 性能分析器运行了 { $profiler }，而它记录的一切都在其中的 { $length } 之内。
verdict-gpu-unrecorded = 没有记录其 GPU 做了什么。
verdict-gpu-silent = { $what }：没有记录其 GPU 做了什么，因此无从得知这段时间用来做什么。
verdict-gpu-why = 原因：{ $reason }。
verdict-dispatched = 其中有 { $time } TensorFlow 的执行器在工作：它们启动算子，并运行 CPU 的算子。
verdict-compiling = { $what }：其中 torch.compile 在主机上编译了 { $time }。文件中没有别的内容。
verdict-compiling-graphs = { $what }：其中 torch.compile 在主机上编译了 { $time }（{ $count } 个图）。文件中没有别的内容。
verdict-compiling-largest = 其中 { $name } 自身用时最多，占 { $share }。
verdict-compiling-again = 第 { $frame } 号帧编译了 { $count } 次：TORCH_LOGS="recompiles" 会说明原因；如果只是尺寸变化，torch._dynamo.mark_dynamic 可以避免重新编译。
verdict-tpu-unrecorded = 没有记录其 TPU 做了什么。
verdict-waits-in-function = 其间它的程序在 { $call } 中等待一个函数 { $time }，很可能是在等那个 GPU。
verdict-gpu-unused-pytorch = 文件写有一个 GPU 的名字，但没有任何内容表明它被使用过：申请的内存都是 CPU 的，或算子的大部分工作只能在 CPU 上进行。
verdict-gpu-unused = 文件写有一个 GPU 的名字，但没有任何内容表明它被使用过：没有张量被发送给它。
verdict-no-ops = { $what }：没有记录任何算子，只有 Python 函数和区间。
verdict-function-unrecorded = { $what }：其中 { $time } 在运行该函数（{ $call }），所在的线程没有被记录。
verdict-function-unrecorded-advice = 文件中没有它的任何算子：请再记录一次，最好使用更新的 TensorFlow。
verdict-no-ops-advice = 请同时记录运行的内容；使用 PyTorch 时：activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]。
verdict-exposed = 没有被计算掩盖的通信占时间的 { $share }。
verdict-exposed-copies = 没有被计算掩盖的拷贝占时间的 { $share }。
verdict-largest = 其路径上最大的是：{ $names }。
verdict-largest-part = { $name } { $share }
verdict-kernels = 几乎所有时间都是 kernel：{ $kinds }。
verdict-kernels-convolutions = 卷积
verdict-kernels-products = 矩阵乘法
verdict-kernels-attention = 注意力
verdict-kernels-norms = 归一化
verdict-kernels-elementwise = 逐元素运算
verdict-starting = 最初的 { $time }（{ $share }）是程序的启动：只广播张量，不归约任何张量。
verdict-multiprocessors = 其 { $count } 行是 GPU 的部分（SM、CTA），由 kernel 自己写下：没有记录主机和启动，也没有任何信息说明一行在空隙里做什么。
verdict-kernel-input = 其中 { $time }（{ $share }）里 kernel 在等待自己的输入（ep_wait_in）：这被计为计算。
verdict-before-work = 在第一项工作之前的 { $time } 里，GPU 没有任何已记录的工作，之后几乎不停：它在执行记录之前启动的工作，或者记录被截断了。
verdict-before-work-hidden = 某个流的第一项工作已经启动，但在它之前的 { $time } 里，GPU 几乎没有任何已记录的工作，之后几乎不停：它在执行记录之前启动的工作，或者记录被截断了。
verdict-holes = 在已启动的 kernel 图的各部分之间，有 { $time } 没有任何记录：看来这些图只记录了一部分。因此 GPU 至少有 { $least } 的时间在工作；如果它在这些空白里都在工作，则是 { $most }。
verdict-before-steps = 其开头的 { $time } 不属于任何一步：设备在执行之前启动的工作，或者在第一个标记之前。
verdict-before-steps-host = 最前面的 { $time } 不属于任何步：它们在第一个标记之前运行。
verdict-empty-marks = 其 { $count } 个步的标记只包含所运行内容中的 { $held }，不到 1 %：它们不是步。
verdict-small-ops = 其路径运行 { $count } 个算子，平均每个 { $mean }：这是许多小调用。
pause-before = 在 { $op } 之前
pause-after = 在 { $op } 之后
pause-longest = 其算子之间最长的停顿为 { $time }（{ $share }），{ $place }。
pause-longest-in = 其算子之间最长的停顿为 { $time }（{ $share }），{ $place }：当时运行的是 { $frame }。
pause-profiler = { $place }有一次 { $time }（{ $share }）的停顿，它属于性能分析器，不属于程序：当时运行的是 { $frame }。
pause-workers-start = 第一个批次之前有一次 { $time }（{ $share }）的停顿：DataLoader 的工作进程正在启动。
pause-workers-stop = 在一次 { $time }（{ $share }）的停顿中，DataLoader 的工作进程停止。
pause-compiling = 其中 { $time } 用于跟踪或编译：这看起来是第一次调用；请记录之后的一次。
pause-end = { $place }有一次 { $time }（{ $share }）的停顿，那时几乎所有工作都已完成。
pause-end-in = { $place }有一次 { $time }（{ $share }）的停顿，那时几乎所有工作都已完成：当时运行的是 { $frame }。
pause-repeated = { $every }各 { $time }（共 { $share }），{ $places }。
pause-in-each-step = 每一步一次，共 { $count } 次停顿，
pause-several = { $count } 次停顿，
pause-within = 在 { $name } 中
pause-on = 在 { $task } 上
verdict-busiest = { $clause }，其中最多的是 { $device }（{ $share }）
verdict-beginning = { $share } 的时间里执行器只是在开始（_SOURCE，它不做任何计算）
verdict-waits-unrecorded = 其中很可能有 { $share } 的时间在等待它的 GPU
verdict-longest-step = 仅训练步 { $step } 就占其中的 { $share }，其他各步都不超过 { $next }。
verdict-nothing = 没有任何算子用了时间。
verdict-step = 该步 { $length }
verdict-steps = 记录 { $length }，共 { $count } 步
verdict-steps-far = { $count } 个步，相隔很远：它们一共占 { $length } 中的 { $within }。请单独查看其中一个（--step { $step }）。
verdict-step-cut = 该步保留下来的部分 { $length }
verdict-steps-cut = 记录保留下来的部分 { $length }，共 { $count } 步
verdict-recording-cut = 记录保留下来的部分 { $length }
verdict-own-clock = 从加速器的第一项工作到最后一项，按它自己的时钟为 { $length }
verdict-until-done = 这些步，即 { $whole } 记录中的前 { $length }
verdict-until-done-steps = 这 { $count } 步，即 { $whole } 记录中的前 { $length }
verdict-after-done = 之后的 { $time } 不属于任何一步（例如 Keras 的回调）：其中 GPU 的工作不到 2 %。
verdict-after-done-host = 之后的 { $time } 不属于任何一步（例如 Keras 的回调）。
verdict-call = 该步（{ $function }），即 { $whole } 记录中的 { $length }
verdict-calls = 函数的 { $count } 次调用（第一次是 { $function }），即 { $whole } 记录中的 { $length }
verdict-call-lead = 它的第一个算子在调用之后 { $lead } 才开始：在此之前 TensorFlow 在准备它，主要是第一次调用时才需要很久。
verdict-outside-calls = 其余 { $time } 在此之前或之后，是 Python 的时间（例如 Keras 的回调，以及结束记录的工作），不属于任何一步。
verdict-longest-outside = 其中最长的操作是 { $op }（{ $time }）。
verdict-recording = 记录 { $length }
verdict-one-gpu = GPU
verdict-least-waiting = { $count } 个加速器中等待最少的一个
verdict-one-accelerator = 加速器
verdict-one-cpu = CPU
verdict-one-host = 主机
verdict-one-device = 设备
verdict-gpus = { $count } 个 GPU（平均）
verdict-accelerators = { $count } 个加速器（平均）
verdict-computing-gpus = { $all } 个 GPU 中的 { $count } 个（平均；其余只做复制）
verdict-computing-accelerators = { $all } 个加速器中的 { $count } 个（平均；其余只做复制）
verdict-devices = { $count } 个设备（平均）
verdict-split-compute = { $units }上的计算占 { $share } 的时间
verdict-split-compute-at-most = { $units }上的计算最多占 { $share } 的时间
verdict-split-first = 只有第一次调用才做的事占时间的 { $share }
verdict-split-calls = 驱动调用占 { $share } 的时间
verdict-split-compute-and-calls = { $units }上的计算和驱动调用占 { $share } 的时间
verdict-split-ranges = 记录到的区间占 { $share } 的时间
verdict-split-ranges-of-several = { $count } 个进程（平均）中记录到的区间占 { $share } 的时间
verdict-split-files = 读写文件占 { $share } 的时间
verdict-split-ops = { $units }上运行算子占 { $share } 的时间
verdict-split-communication-horovod = 通信占 { $share } 的时间
verdict-only-broadcasts = 没有归约任何张量，只广播了 { $count } 个，如同程序开始时那样
verdict-split-communication = 等待没有被计算掩盖的通信占 { $share } 的时间
verdict-only-input = 只记录了批次的加载，占 { $share } 的时间：是否有步骤在等它，这里没有任何内容说明
verdict-split-input = 没有记录到任何计算时加载下一批数据占 { $share } 的时间
verdict-split-copy = 等待没有被计算掩盖的拷贝占 { $share } 的时间
verdict-split-launch = 没有记录到其他算子运行时的启动占 { $share } 的时间
verdict-split-allocation = 没有记录到其他算子运行时申请或释放内存占 { $share } 的时间
verdict-split-beginning = 有 { $share } 的时间在启动一个库（{ $name }），张量在等它或等其他 rank
verdict-split-waiting = 有 { $share } 的时间只记录到等待
verdict-split-idle = { $units }有 { $share } 的时间什么也没做
verdict-split-idle-host = 有 { $share } 的时间没有记录到任何算子在运行
verdict-waits-input = { $units }等待下一批数据占 { $share } 的时间
verdict-waits-host = { $units }等待其主机占 { $share } 的时间
verdict-split-idle-horovod = 有 { $share } 的时间没有张量在协商或归约
verdict-path = { $what }占关键路径的 { $share }
verdict-path-meanwhile = { $clause }，其中一部分同时进行
verdict-path-second = { $clause }，其次是{ $what }（{ $share }）
verdict-path-compute = { $units }上的计算
verdict-path-compute-of-several = 先后在各个设备上的计算
verdict-path-calls = 驱动调用
verdict-path-compute-and-calls = { $units }上的计算和驱动调用
verdict-path-waiting-gpu = 等待 GPU
verdict-path-waiting-earlier = 等待记录开始之前启动的工作
verdict-path-ops = 在主机上运行和启动算子
verdict-path-ops-running = 在主机上运行算子
verdict-path-copy = 主机与设备之间的拷贝
verdict-path-network = 等待在途的张量和集合通信
verdict-path-waiting-horovod = 等待（等待其他 rank、其他张量或轮到自己）
verdict-path-waiting = 没有记录原因的等待
verdict-path-waiting-sender = 等待 { $device } 的张量（没有记录到它的任何内容）
verdict-path-waiting-unnamed = 等待没有记录发送方的张量
verdict-path-waiting-call = 在 { $call } 中等待没有记录的事
verdict-path-negotiation = 等待所有 rank 就绪（协商）
verdict-path-behind = 已就绪的算子排在其他算子之后的等待
verdict-path-launching = 使算子开始运行
verdict-path-allocation = 申请或释放内存
verdict-path-input = 等待下一批数据
verdict-counters = 记录时收集了 GPU 的计数器（{ $count } 个区间）：时间不是程序本身的。
verdict-late-start = { $task } 的第一个算子比 { $first } 的晚 { $time }（{ $share }）；每个 rank 自身用时 { $least } 到 { $most }。
verdict-path-starting = 任务的第一个算子之前的时间
verdict-path-host = 主机（{ $what }）
verdict-host-mostly = 主要是{ $part }
verdict-host-part = { $part } { $share }
verdict-host-operators = 算子
verdict-host-calls = 驱动调用
verdict-host-waits = 等待的调用
verdict-host-overhead = 记录和首次调用的开销
verdict-host-allocation = 申请和释放内存
verdict-host-starting = 启动算子
verdict-host-between = 算子之间
verdict-host-beginning = 执行器开始
verdict-path-host-short = 主机
verdict-path-between = 线程上已记录的算子之间的时间
verdict-path-unknown = 没有任何记录说明原因的时间
verdict-on-host = CPU 上的 { $op } 占 { $share }。
verdict-on-host-calls = CPU 上的 { $count } 次 { $op } 占 { $share }。
verdict-on-host-op = { $name }（{ $kind }）
verdict-host-parts = 主机的时间：{ $parts }。
verdict-in-executors = 在 { $share } 的时间里，TensorFlow 的执行器在两次驱动调用之间工作（{ $count } 次停顿，其中一半短于 { $median }）：它的分析器不记录 GPU 的算子和开销小的算子，因此这是主机为它们所做的工作，以及执行器自身的工作。
verdict-pool = 平均有 { $mean } 个线程在工作，线程池共有 { $threads } 个线程。
verdict-mostly = { $clause }（主要是 { $name }）
