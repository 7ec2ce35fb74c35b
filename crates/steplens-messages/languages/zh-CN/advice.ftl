## 发现：如何判断

findings-replayed = 每项节省都来自对该步的重放；在没有任何更改时，重放偏差为 { $error }。
findings-by-path = 对该步的重放偏差为 { $error }，因此不作预测：各项发现按其在关键路径上的时间排序。
findings-none = 没有发现更改后能明显缩短该步的内容。
findings-clocks = 各任务的时钟不一致，因此在对齐之前不判断任务之间的时间。

## 发现：找到了什么

finding-saves = 没有它，该步会缩短 { $saving }（{ $share }）。
finding-on-path = 它占该步等待时间中的 { $time }（{ $share }）。
finding-after = 之后该步主要等待：{ $what }。
finding-exposed-transfers = 算子在等待 { $count } 次传输和集合通信（{ $bytes }），没有其他工作掩盖它们。
finding-transfers-to-merge = { $count } 次小传输在 { $rows } 组中接连发生，最长的一组从 { $source } 到 { $destination }。
finding-transfer-order = 在 { $of } 对张量中，有 { $count } 对是较晚需要的先到达。
finding-straggler = { $task } 比同类任务的中位数晚 { $time } 结束，在 { $of } 步中有 { $count } 步最后结束。它从 { $op } 开始落后。
finding-straggler-alone = { $task } 比同类任务的中位数晚 { $time } 结束，在 { $of } 步中有 { $count } 步最后结束。
finding-collective-wait = { $of } 次集合通信中有 { $count } 次在等待 { $task } 到达。其他参与者共等待 { $time }。
finding-uneven-servers = { $task } 收发 { $bytes }；全部 { $count } 个参数服务器的平均值为 { $mean }。
finding-input-bound = 该步在等待下一批数据，最长的是 { $op }。
finding-input-bound-unnamed = 该步在等待下一批数据。
finding-launch-bound = 该步在等待 { $count } 次启动 kernel 的调用。
finding-host-bound = GPU 在等待主机：其线程在 { $ops }之前共有 { $time } 没有运行任何已记录的算子。
finding-host-op-between = GPU 在等待主机上的 { $ops }；最长的是 { $op }（{ $time }）。
finding-copies = 算子在等待主机与设备之间的拷贝：{ $count } 次拷贝，共 { $time }。
finding-tiny-ops = { $of } 个算子中有 { $count } 个各自运行不到 { $time }，而启动它们大约也要这么久。
finding-slower-than-peers = { $ops }的用时至少是同类型、同大小的其他算子的三倍。{ $op } 用了 { $time }，通常为 { $usual }。
finding-first-step = 这看起来是第一步：{ $op } 和类似的调用用了 { $time }，之后的步不需要它们。
finding-memory-peak = 在内存峰值（{ $peak }）时，{ $op } 使 { $bytes } 一直保留到它运行完。
finding-skewed-clocks = 各任务的时钟相差 { $time }：{ $of } 个张量中有 { $count } 个在发送之前就已到达。
finding-tracing = 记录本身在 { $count } 个事件（例如 { $name }）中用了 { $time }。

## 发现：规则缺少什么

needs-replay = 与记录偏差不超过 5 % 的重放
needs-clocks = 一致的时钟
needs-transfers = 任务之间的传输或集合通信
needs-peers = 至少三个做相同工作的任务、rank 或算子
needs-gpu = GPU 的算子以及启动它们的调用
needs-scheduling = 执行器的算子
needs-memory = 内存记录
needs-steps = 多个步

## 发现：该怎么做

advice-exposed-transfers = 减少发送的字节数，更早发送，或把交换多的算子放在同一台机器上。
advice-exposed-transfers-graphs = 减少发送的字节数（tf.float16 梯度、更大的批次），均匀分布变量（tf.train.replica_device_setter 的 ps_strategy），或把交换多的内容放在同一个任务上。
advice-exposed-transfers-tensorflow2 = 让它们重叠或打包：tf.distribute.experimental.CommunicationOptions(bytes_per_pack=…)，使用 NCCL 实现，混合精度（tf.keras.mixed_precision），或更大的批次。
advice-exposed-transfers-pytorch = 让它们重叠或变小：DistributedDataParallel 的 bucket_cap_mb 和 gradient_as_bucket_view，累积梯度时使用 no_sync()，或用 fp16_compress_hook 作为通信 hook。
advice-exposed-transfers-jax = 让 XLA 掩盖它们：在 XLA_FLAGS 中设置 --xla_gpu_enable_latency_hiding_scheduler=true，或调整分片以减少交换。
advice-transfers-to-merge = 合并为一次发送：拼接小的变量和梯度，使用 Horovod 时提高 HOROVOD_FUSION_THRESHOLD。
advice-transfers-to-merge-pytorch = 合并为一次发送：提高 DistributedDataParallel 的 bucket_cap_mb。
advice-transfers-to-merge-tensorflow2 = 合并为一次发送：提高 tf.distribute.experimental.CommunicationOptions 的 bytes_per_pack。
advice-transfer-order = 按使用的顺序发送张量，例如在读取变量之间加控制依赖（TicTac，MLSys 2019）。
advice-straggler = 先检查这台机器：负载、频率和网络。如果机器与其他相同，就给它的任务更少的数据或变量。
advice-collective-wait = 让每个 rank 每步的工作量相同，并查看最后到达者之前在做什么。
advice-collective-wait-pytorch = 让每个 rank 的工作量相同：相同的批次和长度（DistributedSampler、按长度分桶），以及相同数量的 DataLoader worker。查看最后到达的 rank 之前在做什么。
advice-uneven-servers = 按字节数分布变量：在 tf.train.replica_device_setter 中使用 ps_strategy=tf.contrib.training.GreedyLoadBalancingStrategy(…)，并切分大的变量（tf.fixed_size_partitioner）。
advice-input-bound = 在该步运行时准备下一批：在流水线末尾用 dataset.prefetch(…)，map 中用 num_parallel_calls，用 tf.data 代替 feed_dict。
advice-input-bound-pytorch = 在该步运行时准备下一批：DataLoader 的 num_workers、prefetch_factor、persistent_workers 和 pin_memory=True。
advice-input-bound-jax = 在该步运行时准备下一批：在等待该步之前开始拷贝下一批（jax.device_put），并在其他进程中加载数据。
advice-launch-bound = 启动更少、更大的 kernel：tf.function(jit_compile=True)，或更大的批次。
advice-launch-bound-graphs = 启动更少、更大的 kernel：XLA（graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.ON_1）、融合算子，或更大的批次。
advice-launch-bound-pytorch = 启动更少的 kernel：torch.compile(mode="reduce-overhead")、CUDA graph（torch.cuda.make_graphed_callables）、融合的优化器（fused=True），或更大的批次。
advice-launch-bound-jax = 把整个步放在一个 jax.jit 之下，把循环放进 jax.lax.scan。
advice-host-bound = 让 GPU 每次调用做更多工作：更大的批次、更少更大的算子，或编译整个步。
advice-host-bound-pytorch = 让 Python 不挡路：torch.compile 或 CUDA graph，算子之间不用 .item()、.cpu() 或 print，更大的批次。
advice-host-bound-jax = 把步的更多部分放在一个 jax.jit 之下，中途不要读取结果（float(x)、np.asarray）。
advice-host-op-between = 如果它们能在 GPU 上运行，就放到 GPU 上（tf.device），或移到提前运行的输入流水线中（tf.data）；tf.debugging.set_log_device_placement 或 log_device_placement=True 会说明每个算子在哪里运行以及原因。
advice-copies = 让数据留在设备上，用 tf.data 并预取到设备来供给数据，减少取回结果的次数。
advice-copies-pytorch = 从锁页内存拷贝而不等待：pin_memory=True 和 .to(device, non_blocking=True)。让数据留在 GPU 上，减少取回结果的次数。
advice-tiny-ops = 让编译器融合它们（XLA：tf.function(jit_compile=True)，TensorFlow 1 中为 global_jit_level），或在更大的张量上计算。
advice-slower-than-peers = 查看同一台机器或 GPU 上同时运行了什么，以及这些算子是否在等待内存，或频率是否被降低。
advice-first-step = 记录之后的步：运行几步之后再启动 profiler，或使用不记录第一步的 ProfilerHook。
advice-first-step-pytorch = 记录之后的步：torch.profiler.schedule(wait=…, warmup=…, active=…)。
advice-first-step-jax = 记录之后的步：在 jax.profiler.start_trace 之前先调用一次编译好的函数并等待它。
advice-memory-peak = 让这个算子更早运行，或重新计算它所读取的内容（tf.recompute_grad）。
advice-memory-peak-pytorch = 让这个算子更早运行，或重新计算它所读取的内容（torch.utils.checkpoint）。
advice-memory-peak-jax = 让这个算子更早运行，或重新计算它所读取的内容（jax.checkpoint）。
advice-skewed-clocks = 对齐时钟：在“时钟”标签页中，或在程序中用 --clocks。然后再看。
advice-tracing = 少记录一些：更少的步，更低的跟踪级别。短算子的时间比不记录时更长。
advice-tracing-pytorch = 少记录一些：with_stack=False、record_shapes=False、profile_memory=False。短算子的时间比不记录时更长。

finding-ops = { $count ->
       *[other] { $count } 个算子
    }
