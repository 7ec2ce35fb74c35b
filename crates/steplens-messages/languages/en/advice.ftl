## Findings: how they were judged

findings-replayed = Each saving is that of a replay of this step, which is off by { $error } without any change.
findings-by-path = The replay of this step is off by { $error }, so nothing is predicted: findings are ranked by their time on the critical path.
findings-none = Nothing was found whose change would clearly shorten the step.
findings-clocks = The clocks of the tasks differ, so no time between tasks is judged until they are aligned.

## Findings: what was found

finding-saves = Without that, the step would be { $saving } ({ $share }) shorter.
finding-on-path = It takes { $time } ({ $share }) of what the step waited for.
finding-after = Then the step mostly waits for this: { $what }.
finding-exposed-transfers = Ops wait for { $count } transfers and collectives ({ $bytes }) that no other work hides.
finding-transfers-to-merge = { $count } small transfers follow one another in { $rows } rows, the longest row from { $source } to { $destination }.
finding-transfer-order = In { $count } of { $of } pairs of tensors, the one that is needed later arrives first.
finding-straggler = { $task } ends { $time } after the median of its peers, and is the last in { $count } of { $of } steps. It falls behind at { $op }.
finding-straggler-alone = { $task } ends { $time } after the median of its peers, and is the last in { $count } of { $of } steps.
finding-collective-wait = { $count } of { $of } collectives wait for { $task } to arrive. Together the others wait { $time }.
finding-uneven-servers = { $task } sends and receives { $bytes }; the mean of all { $count } parameter servers is { $mean }.
finding-input-bound = The step waits for its next batch, longest in { $op }.
finding-input-bound-unnamed = The step waits for its next batch.
finding-launch-bound = The step waits for { $count } calls that launch kernels.
finding-host-bound = GPUs wait for their host: its threads run no recorded op for { $time } in all, before { $ops }.
finding-host-op-between = The GPU waits for ops on the host: { $ops }, the longest { $op } ({ $time }).
finding-copies = Ops wait for copies between host and device: { $count } copies, { $time } in all.
finding-tiny-ops = { $count } of { $of } ops run for less than { $time } each, and starting them takes about as long.
finding-slower-than-peers = At least three times as long as others of the same type and size: { $ops }. { $op } took { $time }, usual is { $usual }.
finding-first-step = This looks like a first step: { $op } and calls like it take { $time } that later steps do not need.
finding-memory-peak = At the peak of memory ({ $peak }), { $op } keeps { $bytes } alive until it has run.
finding-skewed-clocks = The clocks of the tasks differ by { $time }: { $count } of { $of } tensors arrive before they are sent.
finding-tracing = The recording itself takes { $time } in { $count } events, such as { $name }.

## Findings: what a rule lacks

needs-replay = a replay within 5 % of the recording
needs-clocks = clocks that agree
needs-transfers = transfers or collectives between tasks
needs-peers = at least three tasks, ranks or ops that do the same work
needs-gpu = ops of a GPU, and the calls that launched them
needs-scheduling = ops of an executor
needs-memory = records of memory
needs-steps = several steps

## Findings: what to do

advice-exposed-transfers = Send fewer bytes, send them earlier, or put ops that exchange much on one machine.
advice-exposed-transfers-graphs = Send fewer bytes (tf.float16 gradients, larger batches), spread variables evenly (tf.train.replica_device_setter with a ps_strategy), or put what exchanges much on one task.
advice-exposed-transfers-tensorflow2 = Overlap or pack them: tf.distribute.experimental.CommunicationOptions(bytes_per_pack=…), NCCL as the implementation, mixed precision (tf.keras.mixed_precision), or larger batches.
advice-exposed-transfers-pytorch = Overlap or shrink them: bucket_cap_mb and gradient_as_bucket_view of DistributedDataParallel, no_sync() while gradients accumulate, or fp16_compress_hook as the communication hook.
advice-exposed-transfers-jax = Let XLA hide them: --xla_gpu_enable_latency_hiding_scheduler=true in XLA_FLAGS, or shard so that less is exchanged.
advice-transfers-to-merge = Send them as one: concatenate small variables and gradients, or raise HOROVOD_FUSION_THRESHOLD with Horovod.
advice-transfers-to-merge-pytorch = Let them go as one: raise bucket_cap_mb of DistributedDataParallel.
advice-transfers-to-merge-tensorflow2 = Let them go as one: raise bytes_per_pack in tf.distribute.experimental.CommunicationOptions.
advice-transfer-order = Send tensors in the order of their use, for example with control dependencies between the reads of variables (TicTac, MLSys 2019).
advice-straggler = Look at this machine first: its load, clock speed and network. If the machine is as the others, give its task less data or fewer variables.
advice-collective-wait = Give each rank the same work per step, and look at what the last one did before it arrived.
advice-collective-wait-pytorch = Give each rank the same work: equal batches and lengths (DistributedSampler, bucketing by length), and the same number of DataLoader workers. Look at what the last rank did before it arrived.
advice-uneven-servers = Spread variables by bytes: ps_strategy=tf.contrib.training.GreedyLoadBalancingStrategy(…) in tf.train.replica_device_setter, and partition large ones (tf.fixed_size_partitioner).
advice-input-bound = Prepare the next batch while the step runs: dataset.prefetch(…) at the end of the pipeline, num_parallel_calls in map, and tf.data in place of feed_dict.
advice-input-bound-pytorch = Prepare the next batch while the step runs: num_workers, prefetch_factor, persistent_workers and pin_memory=True of DataLoader.
advice-input-bound-jax = Prepare the next batch while the step runs: start the copy of the next batch (jax.device_put) before the step is waited for, and load data in other processes.
advice-launch-bound = Launch fewer, larger kernels: tf.function(jit_compile=True), or larger batches.
advice-launch-bound-graphs = Launch fewer, larger kernels: XLA (graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.ON_1), fused ops, or larger batches.
advice-launch-bound-pytorch = Launch fewer kernels: torch.compile(mode="reduce-overhead"), CUDA graphs (torch.cuda.make_graphed_callables), fused optimizers (fused=True), or larger batches.
advice-launch-bound-jax = Put the whole step under one jax.jit, and loops into jax.lax.scan.
advice-host-bound = Give the GPU more work per call: larger batches, fewer and larger ops, or a compiled step.
advice-host-bound-pytorch = Keep Python out of the way: torch.compile or CUDA graphs, no .item(), .cpu() or print between ops, larger batches.
advice-host-bound-jax = Put more of the step under one jax.jit, and do not read results (float(x), np.asarray) in between.
advice-host-op-between = Place them on the GPU (tf.device) if they can run there, or move them into the input pipeline (tf.data), which runs ahead; tf.debugging.set_log_device_placement or log_device_placement=True says where each op runs and why.
advice-copies = Keep data on the device, feed it by tf.data with prefetching to the device, and fetch results less often.
advice-copies-pytorch = Copy from pinned memory without waiting: pin_memory=True and .to(device, non_blocking=True). Keep data on the GPU, and fetch results less often.
advice-tiny-ops = Let a compiler fuse them (XLA: tf.function(jit_compile=True), global_jit_level in TensorFlow 1), or compute on larger tensors.
advice-slower-than-peers = Look at what ran at the same time on the same machine or GPU, and whether these ops had to wait for memory or a clock that was lowered.
advice-first-step = Record a later step: start the profiler after some steps have run, or with a ProfilerHook that does not take the first.
advice-first-step-pytorch = Record a later step: torch.profiler.schedule(wait=…, warmup=…, active=…).
advice-first-step-jax = Record a later step: call the compiled function once and wait for it before jax.profiler.start_trace.
advice-memory-peak = Let this op run earlier, or compute what it reads again (tf.recompute_grad).
advice-memory-peak-pytorch = Let this op run earlier, or compute what it reads again (torch.utils.checkpoint).
advice-memory-peak-jax = Let this op run earlier, or compute what it reads again (jax.checkpoint).
advice-skewed-clocks = Align the clocks: in the tab Clocks, or with --clocks in the program. Then look again.
advice-tracing = Record less: fewer steps and a lower level of tracing. Times of short ops are longer than without the recording.
advice-tracing-pytorch = Record less: with_stack=False, record_shapes=False, profile_memory=False. Times of short ops are longer than without the recording.

finding-ops = { $count ->
        [one] { $count } op
       *[other] { $count } ops
    }
