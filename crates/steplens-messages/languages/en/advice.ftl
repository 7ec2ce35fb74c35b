## Findings: how they were judged

findings-replayed = Each saving is calculated: the step is replayed with the change. Replayed without any change, its length differs by { $error } from the recording.
findings-measured = Each saving is a time that was measured, so the most that can be saved.
findings-replayed-and-measured = Savings that say “at most” were measured. The others are calculated: the step is replayed with the change. Replayed without any change, its length differs by { $error } from the recording.
findings-frozen = For { $length } ({ $share }) of this step the replay has no cause that a change could move, so nothing is predicted: findings are ranked by their time on the critical path.
findings-by-path = The replay is off by { $error }, so nothing is predicted: findings are ranked by their time on the critical path.
findings-none = No change that was tried would clearly save time.
findings-none-far = The steps are far apart, and next to the time between them no change shows: look at the findings of one alone (--step { $step }).
findings-none-measured = How much time this would save is not known from the recording.
findings-consists = The critical path consists of { $parts }.
findings-consists-steps = In the part that the steps are, the critical path consists of { $parts }.
findings-consists-part = { $what } ({ $share })
path-part-ops = operators on the host
path-part-calls = calls of the driver
path-part-gpu = waiting for the GPU
path-part-waiting = waiting for what was not recorded
path-part-beginning = the executor’s beginning (_SOURCE)
path-part-files = reading and writing files
path-part-ranges = time in recorded ranges
path-part-tensor = tensors that wait: for other ranks, for other tensors, or for their turn
findings-record = To learn more, record this, too: { $parts }.
record-kernels = kernels (activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])
record-kernels-lost = The kernels were to be recorded, and the program waited for them, but there is no record of a GPU. Then PyTorch could not use the GPU’s profiling library (CUPTI, roctracer), which it says in its first lines: another profiler used it, the user may not read the GPU’s counters (NVreg_RestrictProfilingToAdminUsers=0), the driver is older than PyTorch’s CUDA, or Windows Subsystem for Linux does not have it. To record once more helps only after that.
record-operators = operators (activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA])
record-shapes = record_shapes=True
record-stack = with_stack=True
record-steps-pytorch = several steps (torch.profiler.schedule)
record-marks-pytorch = where each of about { $count } passes ends (call prof.step() after each)
record-partition-graphs = the graphs (output_partition_graphs=True)
record-steps-graphs = several steps, to compare two of them
record-tpu = what the TPU does
record-gpu = what the GPU does (CUPTI: the folder of libcupti in LD_LIBRARY_PATH, and the right to profile)
record-marks-tensorflow2 = several steps, each marked with tf.profiler.experimental.Trace
record-marks-keras = several batches (TensorBoard(profile_batch=(10, 20)))
record-frames-tensorflow2 = Python frames (ProfilerOptions(python_tracer_level=1))
record-marks-jax = several steps, each marked with jax.profiler.StepTraceAnnotation
record-frames-jax = Python frames (ProfileOptions.python_tracer_level = 1)
record-steps = several steps
record-rank-horovod = what a rank computes, with the profiler of its framework (this timeline has communication only)
record-all-tasks = all ranks or tasks
findings-clocks = The clocks of the tasks differ, so no time between tasks is judged until they are aligned.
findings-coarse-host = The clock of the host is too coarse: what it did while the accelerator worked or waited is not known, and no rule judged it.
findings-accelerator-clock = The clocks of the accelerator and its host differ: what was before what on both of them is not known, and no rule judged it.
findings-together = The first { $count } findings overlap: all their changes together save { $saving }, not the sum.

## Findings: what was found

shown-step = the step
shown-recording = the recording
shown-only-steps = the steps
finding-saves = Without that, { $shown } would be { $saving } ({ $share }) shorter.
finding-saves-between = Without that, { $shown } would be { $saving } ({ $share }) shorter; between { $low } and { $high }.
finding-saves-at-most = At most { $saving } ({ $share }) of { $shown } can be saved.
finding-saves-if-none = If they took no time, { $shown } would be { $saving } ({ $share }) shorter.
finding-saves-less = A replay without it is { $saving } ({ $share } of { $shown }) shorter: for the rest something else is waited for.
finding-saves-nothing = A replay without it takes as long: something else takes that time, too.
finding-saves-each = In the mean of { $count } steps, that is { $each } for each.
finding-on-path = It takes { $time } ({ $share }) of the critical path.
finding-after = After that, { $what } is the largest part of its critical path.
finding-is-part = It is a part of the time in which the GPU waits for its host, not in addition to it.
finding-exposed-transfers = Ops wait for { $transfers } ({ $bytes }) that no other work hides.
finding-exposed-transfers-unsized = Ops wait for { $transfers } of unknown size that no other work hides.
finding-exposed-transfers-unnamed = Ops wait for { $count ->
        [one] { $count } tensor
       *[other] { $count } tensors
    } of other tasks: { $sending } until a tensor is on its way, { $transit } while it is. The file has neither their senders nor their sizes.
finding-transfers-to-merge = { $count } small transfers follow one another in { $rows } rows, the longest row from { $source } to { $destination }.
finding-transfer-order = In { $count } of { $of } pairs of tensors, the one that is needed later arrives first.
finding-straggler-of-one = { $task } ends last, { $time } after the median of its peers. It falls behind at { $op }.
finding-straggler-alone-of-one = { $task } ends last, { $time } after the median of its peers.
finding-straggler = { $task } ends { $time } after the median of its peers, and is the last in { $count } of { $of } steps. It falls behind at { $op }.
finding-straggler-alone = { $task } ends { $time } after the median of its peers, and is the last in { $count } of { $of } steps.
finding-straggler-ran-late = There it started { $own } after its inputs were there; its peers take { $usual }.
finding-straggler-took-long = There it took { $own }; its peers take { $usual }.
finding-straggler-input-late = Its last input came there { $own } after the step began; for its peers after { $usual }.
finding-straggler-started-late = It began { $own } after the step did; its peers after { $usual }.
finding-straggler-threads = On the path to its end, ops that were ready waited { $waited } of { $path } for a thread.
finding-shared-threads-alone = { $tasks } tasks share these threads: at most { $most } ops of all of them ran at once.
finding-shared-threads = { $tasks } tasks share these threads: at most { $most } ops of all of them ran at once, and for { $full } that many ran while others waited.
finding-collective-wait = In collectives { $ranks } ranks wait { $mean } in the mean for those that come late ({ $time }, summed over ranks).
finding-late-ranks = Of { $of } collectives, last to come: { $ranks }.
finding-late-rank = { $task } in { $count } (others wait { $own } for it)
finding-late-hosts = So their hosts were late; longest they ran { $names }.
finding-began-late = They lost { $time } of that at the start: their first op, or the first that was recorded, came after that of the first rank.
finding-began-late-hosts = In the rest they ran longest { $names }.
late-between = nothing that was recorded
late-between-within = nothing that was recorded, in { $name }
finding-meanwhile = Meanwhile the GPUs of late ranks did this: { $parts }.
finding-meanwhile-hosts = Meanwhile late ranks did this: { $parts }.
finding-exposed-communication = No compute hides { $time } of communication, most of all { $op }; { $count ->
        [one] { $count } collective
       *[other] { $count } collectives
    } in all ({ $bytes }).
finding-exposed-communication-some = No compute hides { $time } of communication, most of all { $op }; { $count } collectives in all, of which { $sized } say their size ({ $bytes }).
finding-exposed-communication-unsized = No compute hides { $time } of communication, most of all { $op }.
finding-rounds = The same tensors come { $count } times, once for each step ({ $median } in the middle). From when the last tensor of a step is ready until all are done, something is done with them for { $time }, and they only wait for { $waiting }, in all steps.
finding-rounds-done = The same tensors come { $count } times, once for each step ({ $median } in the middle). From when the last tensor of a step is ready until all are done, something is done with them for { $time }, in all steps.
finding-rounds-stage = { $name } { $time }
finding-rounds-stages = Most of it: { $stages }.
finding-rounds-longest = One step waits for { $longest } then, the one in the middle for { $middle }.
finding-tensors-communicate = Tensors are on their way for { $time }, and only wait for { $waiting } besides. What is computed meanwhile is not in this timeline.
finding-tensors-negotiate = Tensors are reduced or broadcast for { $time }, and for { $waiting } besides ranks only negotiate them, or they wait for their turn. What is computed meanwhile is not in this timeline.
finding-tensors-reduce = Tensors are reduced, broadcast or on their way for { $time }. What is computed meanwhile is not in this timeline.
finding-of-group = { $op } of group { $group }
finding-of-it = Probably { $time } of it is { $what }: these collectives take that much longer than the quickest of their kind and size.
finding-notified = Waiting for ranks that were not opened takes { $time } of that time: { $ranks }.
finding-unopened-rank = rank { $rank } in { $count } ({ $own })
finding-rate = The quickest of { $count } that move { $bytes } for each rank takes { $time } ({ $rate }).
finding-rate-alone = The longest moves { $bytes } for each rank in { $time } ({ $rate }).
finding-one-collective = One of them takes { $time } by itself.
finding-one-collective-sized = One of them takes { $time } by itself ({ $bytes }).
finding-one-collective-range = One of them takes { $time } by itself, in { $range }.
finding-one-collective-range-sized = One of them takes { $time } by itself ({ $bytes }), in { $range }.
finding-many-collectives = There are { $count } collectives in each step; the one in the middle takes { $median }.
finding-of-it-unsized = Some of its collectives take { $time } longer than is usual for their kind. Nothing says how much they send: either they send much more, or they wait for ranks that were not opened.
finding-of-it-known = Of it: { $parts }.
finding-part = { $time } { $what }
finding-part-latency = from a launch to its start, as every launch takes
finding-part-hole = before parts of graphs that had been launched, in holes of more than 0.1 ms each in which nothing was recorded
finding-part-graph = before kernels of a graph that had been launched
finding-part-other-stream = after the launch, for another stream or for what was not recorded
finding-part-not-recorded = after the launch, for what was not recorded
finding-part-unrecorded = before work whose launch was not recorded
finding-part-transfer = data on its way
finding-part-waiting = waiting for other ranks
finding-part-waiting-unopened = waiting for ranks that were not opened
finding-part-more-or-waiting = more data on its way, or waiting
finding-part-computing = computing
finding-part-idle = idle
finding-part-no-op = running no recorded op
finding-part-other = copies and communication
finding-part-other-ops = communication and other ops
finding-part-host-operators = in operators of the framework
finding-part-host-launching = in calls that launch
finding-part-host-copying = in calls that copy or set memory
finding-part-host-asking = in other calls of the driver
finding-part-host-allocation = in calls that get or free memory
finding-part-host-waiting = in calls that wait
finding-part-host-input = loading input
finding-part-host-between = between recorded ops
finding-part-host-beginning = in the executor’s beginning (_SOURCE)
finding-last-rank-start = As the program starts, rank { $rank } is ready last in { $count } of { $of } negotiations: until all ranks have it, variables are only broadcast, and the others wait { $time } for it, once.
finding-last-rank = Rank { $rank } is ready last in { $count } of { $of } negotiations, { $time } after the rank before it, summed over tensors (at most { $most } for one).
finding-uneven-servers = { $task } sends and receives { $bytes }; the mean of all { $count } parameter servers is { $mean }.
finding-gpu-unused-pytorch = The file names a GPU, and nothing shows that it was used: all memory that was got, or most of what operators did, is the CPU’s, and no call of a driver that does more than ask or wait was recorded. Operators compute on the CPU for { $time }.
finding-gpu-unused = The file names a GPU, and nothing shows that it was used: no tensor was sent to it. Ops compute on the CPU for { $time }.
finding-input-bound = The program waits for its next batch, longest in { $op }.
finding-input-bound-unnamed = The program waits for its next batch.
finding-workers = The workers of a DataLoader { $parts }, and the program waits for them.
finding-workers-start = start for { $time }
finding-workers-stop = stop for { $time }
finding-launch-bound = In { $time } of the time in which the GPU waits for its host, { $count ->
        [one] { $count } call launches kernels
       *[other] { $count } calls launch kernels
    }.
finding-host-bound = The GPU is idle for { $time } because its host has not launched the next kernel or copy. The host is { $parts }.
finding-host-bound-of = { $device } is idle for { $time } because its host has not launched the next kernel or copy. The host is { $parts }.
finding-host-bound-least = { $device } is idle for { $time } because its host has not launched the next kernel or copy; of { $count } accelerators it waits least for its host. The host is { $parts }.
finding-host-bound-unrecorded = The GPU keeps up with its host, which takes the time: { $count } calls launch, and calls that wait or copy take { $time } in all, also after the last launch.
finding-host-bound-event-pairs = The host sets the pace: the GPU has nothing queued when an operator begins. Its times are two events around each of { $count } operators, and half of these begin { $time } after their operator or sooner. How much of the time between two events the GPU works is not recorded.
finding-host-op = Of it, { $time } is { $op }, which runs on the CPU.
finding-host-single = { $time } of it is one { $op }; the others of that name take { $usual } (median).
finding-host-pause = { $time } of it is one pause, before { $op }.
finding-host-latency = This does not count another { $time } from the return of a call to its kernel: fewer launches, as with CUDA graphs, shorten that, too.
finding-host-after-last = { $time } of it comes after the last work of the GPU, until the step ends: what the program does then.
finding-host-pauses = { $time } of it is { $count } pauses of 1 ms or more between recorded ops, the longest { $longest }, before { $op }.
finding-memory-full = The memory of the GPU was full: PyTorch gave its cache back to the driver within an operator, and got memory again from then on. { $count } calls such as { $op } take { $all }, { $time } of it with the GPU idle.
finding-memory-full-ranks = The memory of the GPUs was full: PyTorch gave its cache back to the driver within an operator, and got memory again from then on. Over { $ranks } processes { $count } calls such as { $op } take { $all } together, { $time } of it with the GPU idle that waits least.
finding-host-frames = Of the path, Python takes { $names }.
finding-name-share = { $name } { $time } ({ $share })
finding-kind-convolution = Convolutions on the CPU take the largest part of the path: { $names }.
finding-kind-products = Products of matrices on the CPU take the largest part of the path: { $names }.
finding-kind-random = Random numbers on the CPU take the largest part of the path: { $names }.
finding-kind-most = Most of the path: { $names }.
finding-kind-largest = No kind of op has most of the path. The largest: { $names }.
finding-kernels-products = On the GPU, products of matrices, mostly with 16 bits, take { $time } ({ $share } of the time): { $names }.
finding-kernels-attention = On the GPU, attention takes { $time } ({ $share } of the time): { $names }.
finding-graph-ops = On the GPU, most of the time is { $names }.
finding-reached = They calculate { $flops } at { $rate }.
finding-reached-slow = { $op } is slow for its work: { $rate }; the median of its type is { $usual }.
finding-allocator-host = { $count ->
        [one] { $count } call for the driver’s memory takes { $all }: { $op }
       *[other] { $count } calls for the driver’s memory take { $all }, the longest { $op }
    }. The program had to get memory from the driver, or give it back.
finding-given-back = The program itself gives memory back to the driver, outside of all operators: { $calls } such as { $op } ({ $all }). They wait for the kernels that use the memory.
finding-calls = { $count ->
        [one] { $count } call
       *[other] { $count } calls
    }
finding-name-time = { $name } { $time }
finding-synchronising = { $times } the host waits for the GPU, longest in { $op } ({ $call }), and cannot run ahead: then the GPU is idle for { $time } until the next launch.
finding-synchronising-copies = { $times } the host waits for a copy to the GPU, longest in { $op } ({ $call }), and cannot run ahead: then the GPU is idle for { $time } until the next launch.
finding-synchronising-unrecorded = Probably the host waits for its GPU, which was not recorded, { $times }, for { $time } together: in operators that read a value, or that take a hundred times as long as others of their type. The longest: { $op } ({ $most }).
finding-synchronising-alone = { $times } the host waits for the GPU, longest in { $op }, and cannot run ahead: then the GPU is idle for { $time } until the next launch.
finding-allocator = The driver’s memory is got or freed again and again: { $count ->
        [one] { $count } call such as { $op } takes
       *[other] { $count } calls such as { $op } take
    } { $all }, in { $time } of which the GPU is idle.
finding-host-op-between = The GPU waits for ops on the host: { $ops }, the longest { $op } ({ $time }).
finding-host-ops-placed = Placed on the GPU, but run on the host: { $count } of them.
finding-copies = Ops wait for copies: { $parts }.
finding-copies-asked = An executor asks for them by { $ops }, which last { $time } in all.
finding-copies-part = { $count } { $place } ({ $time })
finding-copied-by-memory-optimizer = TensorFlow’s memory optimizer asks for them: it moves tensors out of the memory of the GPU and back.
finding-copied-weights = Most of their time is that of weights and constants, which the graph reads on the host.
finding-copied-by-host-memory = The program keeps these arrays in the memory of the host.
direction-to-device = from host to device
direction-from-device = from device to host
direction-on-device = from one place of the device to another
direction-between-devices = from one device to another
direction-unknown = whose direction was not recorded
finding-pageable-copy = The only copy is from or to memory that is not pinned ({ $bytes }, { $time }): { $name }.
finding-pageable-copies = { $count } of { $of } copies are from or to memory that is not pinned ({ $bytes }, { $time }), such as { $name }.
finding-pageable-copies-unsized = { $count } of { $of } copies are from or to memory that is not pinned ({ $time }), such as { $name }.
finding-few-threads = One thread runs { $count ->
        [one] the { $count } op
       *[other] the { $count } ops
    } of an executor, one after the other: ops that are ready wait for it for { $time }.
finding-tiny-ops = { $count ->
        [one] { $count } of { $of } ops runs for less than { $time } each: it runs for { $running }, and the pause before it takes
       *[other] { $count } of { $of } ops run for less than { $time } each: together they run for { $running }, and the pauses before them take
    } { $pauses }.
finding-slower-than-peers = At least three times as long as others of the same type and size: { $ops }. { $op } took { $time }, usual is { $usual }.
finding-dominant-op = { $op } takes { $time }; { $of ->
        [one] the other of its type takes
       *[other] the median of { $of } others of its type takes
    } { $usual }.
finding-op-of-type = { $op } ({ $kind })
finding-stall = One call of { $op } takes { $time }; the median of { $count } others with the same shapes takes { $usual }: the process was held up once.
finding-longest-op = { $op } is the longest op. No other op is known to have its shapes.
finding-unlike-op = { $op } takes { $time }, though it only passes a tensor on: the { $of } others of its type take { $usual } (median). It was held up, or did something for the first time.
finding-op-on-host = { $op } runs on the CPU for { $time }.
finding-dominant-more-work = It is not slow, it has more work: { $flops } at { $rate }; the median of the others is { $usual } at { $usual_rate }.
finding-dominant-slow = It is slow for its work: { $flops } at { $rate }; the median of the others is { $usual } at { $usual_rate }.
finding-dominant-elementwise = { $count ->
        [one] { $count } kernel that works element by element takes { $time }, and no compiler fused it
       *[other] { $count } kernels that work element by element take { $time }, and no compiler fused them
    }.
finding-capture = A graph of kernels is captured for { $time } (from { $op } on): what is launched in it is written down and does not run. It happens once.
finding-compiling = torch.compile compiles for { $time }. That happens once, and again for other shapes.
finding-first-step = This looks like a first step: { $op } ({ $longest }) and { $others } take { $time } that later steps do not need.
finding-first-call = One call of { $op } takes { $time }, the longest other { $usual }: it is the first to launch { $kernel }, whose module is loaded then. Later steps do not need that.
finding-first-step-alone = This looks like a first step: { $op } takes { $time } that later steps do not need.
finding-first-run = This looks like the first run of a graph: nothing was recorded for { $whole } before it (before { $op }), while the program, or TensorFlow, prepares it. Before later runs nothing was recorded for { $usual } (median).
finding-first-function = This looks like the first call of a function: the program makes variables, TensorFlow traces { $op } in Python, and prepares it. That takes { $time }, which later calls do not need.
finding-first-step-trials = This looks like a first step: { $count ->
        [one] { $count } convolution tries the algorithms of its
       *[other] { $count } convolutions try the algorithms of their
    } library one after the other (such as { $op }).
finding-first-step-longer = In all, the first step is { $longer } longer than the median of later steps.
finding-first-step-take = That takes { $time } that later steps do not need.
finding-first-step-tried = { $count ->
        [one] { $count } convolution among them tries the algorithms of its
       *[other] { $count } convolutions among them try the algorithms of their
    } library one after the other (such as { $op }), for { $time }.
finding-first-step-idle = While they are tried, the GPU is idle for { $idle }, as it is while a library starts.
finding-first-step-take-with = That and { $others } take { $time } that later steps do not need.
finding-tensor-cores = At least { $count ->
        [one] { $count } kernel calculates
       *[other] { $count } kernels calculate
    } in float32 without the tensor cores of the GPU, such as { $name }: { $time }.
finding-layout-conversions = { $count ->
        [one] { $count } kernel only changes
       *[other] { $count } kernels only change
    } the order of dimensions (NCHW to NHWC and back): { $time }.
finding-layout-weights = { $count ->
        [one] { $count } kernel within convolutions only changes
       *[other] { $count } kernels within convolutions only change
    } the order of dimensions, mostly of weights, which TensorFlow keeps in another order than cuDNN: { $time }.
finding-training-mode = Batch norm runs as in training, though no backward pass was recorded: { $ops }, { $time }.
finding-training-dropout = Dropout does, too: { $time }.
finding-training-dropout-alone = Dropout runs as in training, though no backward pass was recorded: { $time }.
finding-optimizer-step = The step of the optimizer ({ $name }) takes { $time }: it changes its parameters one by one, with { $count } operators.
finding-optimizer-step-waits = For { $time } of it the host probably waits for its GPU, which was not recorded.
finding-idle-though-launched = Of the { $idle } for which the GPU is idle, { $time } are not its host’s: { $parts }.
finding-memory-peak = At the peak of memory ({ $peak }), { $op } keeps { $bytes } alive until it has run.
finding-skewed-clocks = The clocks of the tasks differ by { $time }: { $count } of { $of } tensors arrive before they are sent.
finding-coarse-host = The clock of the host counts in steps of { $time }: { $count } of its { $of } ops have no length.
finding-skewed-accelerator = The clocks of the accelerator and of its host differ by { $time } or more: { $count } of { $of } programs end before the host asked for them.
finding-tracing = The recording itself takes { $time } in { $count ->
        [one] { $count } event
       *[other] { $count } events
    }, such as { $name }.
finding-tracing-each = The recording itself takes about { $time }: each of { $count } operators begins { $before } after the one around it, and ends { $after } before it, whatever they are.
finding-counters = The profiler collected counters of the GPU in { $count ->
        [one] { $count } range
       *[other] { $count } ranges
    } (cuda_profiler_range): each kernel runs alone then, and perhaps several times. Times are not those of the program, and no other finding is made of them.
finding-tracing-overhead = The profiler notes { $time } as overhead, in { $count ->
        [one] { $count } row
       *[other] { $count } rows
    }, such as { $name }: it gets memory for its records, or the driver loads what is used for the first time. The program does not need that time.

## Findings: what a rule lacks

needs-replay = a replay within 5 % of the recording
needs-clocks = clocks that agree
needs-transfers = transfers or collectives between tasks
needs-peers = at least three tasks, ranks or ops that do the same work
needs-participants = collectives of which it is known which ops belong together
needs-gpu = ops of a GPU, and the calls that launched them
needs-launches = which calls launched the work of the accelerator
needs-scheduling = ops of an executor, with the times at which they became ready
needs-memory = records of memory
needs-steps = several steps

## Findings: what to do

advice-exposed-transfers = Send fewer bytes, send them earlier, or put ops that exchange much on one machine.
advice-exposed-transfers-graphs = Send fewer bytes (tf.float16 gradients, larger batches), spread variables evenly (tf.train.replica_device_setter with a ps_strategy), or put what exchanges much on one task.
advice-exposed-transfers-small = Send fewer and larger tensors: each transfer has a request and an answer, however small it is. Make one variable of many small ones, and do not partition them (tf.train.replica_device_setter without a partitioner).
advice-exposed-transfers-unnamed = Keep the RunMetadata itself, not only what timeline.py makes of it: it says who sends each tensor, when, and how large it is. If the tensors are small, each costs a request and an answer: exchange fewer, or put the ops that exchange them on one task.
advice-exposed-transfers-tensorflow2 = Overlap or pack them: tf.distribute.experimental.CommunicationOptions(bytes_per_pack=…), NCCL as the implementation, mixed precision (tf.keras.mixed_precision), or larger batches.
advice-exposed-transfers-tensorflow2-nccl = Overlap or pack them: tf.distribute.experimental.CommunicationOptions(bytes_per_pack=…), mixed precision (tf.keras.mixed_precision), or larger batches.
advice-exposed-transfers-pytorch = Overlap or shrink them: bucket_cap_mb and gradient_as_bucket_view of DistributedDataParallel, no_sync() while gradients accumulate, or fp16_compress_hook as the communication hook.
advice-exposed-transfers-jax = Let XLA hide them: --xla_gpu_enable_latency_hiding_scheduler=true in XLA_FLAGS, or shard so that less is exchanged.
advice-exposed-communication = Send fewer bytes, send them earlier while the step computes, and see that all ranks come at the same time.
advice-rounds = Let the last tensors of a step go sooner: a shorter cycle (HOROVOD_CYCLE_TIME), less in one buffer (HOROVOD_FUSION_THRESHOLD, or HOROVOD_AUTOTUNE=1), fewer bytes (hvd.Compression.fp16). Waiting there may also be for a rank that comes later.
advice-rounds-byteps = Send fewer bytes, or smaller parts of a tensor (BYTEPS_PARTITION_BYTES), which are pushed and pulled at the same time. Waiting there may also be for a rank that comes later.
advice-rounds-bluefog = Send fewer bytes, or to fewer ranks (neighbor_allreduce). Waiting there may also be for a rank that comes later.
advice-rounds-one = Most of it is one step: see what another rank does then (its input, a checkpoint, the end of an epoch).
advice-rounds-compress = Compressing takes longer than pushing: try a cheaper compressor, or none. Smaller parts of a tensor (BYTEPS_PARTITION_BYTES) are compressed, pushed and pulled at the same time.
advice-rounds-root = This process neither pushes nor pulls: it waits for the one of its machine that does. Open that one’s file.
advice-tensors-negotiate = Send less, and less often: hvd.Compression.fp16, backward_passes_per_step, more work for each rank; fuse tensors (HOROVOD_FUSION_THRESHOLD, HOROVOD_CYCLE_TIME, or HOROVOD_AUTOTUNE=1); NCCL in place of MPI where there are GPUs. Long negotiations wait for ranks that compute longer.
advice-tensors-negotiate-nccl = Send less, and less often: hvd.Compression.fp16, backward_passes_per_step, more work for each rank; fuse tensors (HOROVOD_FUSION_THRESHOLD, HOROVOD_CYCLE_TIME, or HOROVOD_AUTOTUNE=1). Long negotiations wait for ranks that compute longer.
advice-tensors-wait = Sending less would change little: ranks wait until the last one is ready. See what it does until then (its input, more work, the start of the program), and record steps after the first.
advice-exposed-communication-pytorch = Let compute hide it: DistributedDataParallel starts a bucket when its gradients are there (bucket_cap_mb: smaller ones start earlier; static_graph=True, gradient_as_bucket_view=True), FSDP prefetches (forward_prefetch=True, backward_prefetch=BACKWARD_PRE). Shrink it: fp16_compress_hook, no_sync() while gradients accumulate.
advice-exposed-communication-pytorch-half = Let compute hide it: DistributedDataParallel starts a bucket when its gradients are there (bucket_cap_mb: smaller ones start earlier; static_graph=True, gradient_as_bucket_view=True), FSDP prefetches (forward_prefetch=True, backward_prefetch=BACKWARD_PRE). Send less often: no_sync() while gradients accumulate.
advice-late-rank-unopened = Most of it is waiting for a rank that is late; smaller numbers or other buckets do not help. Open the files of the other ranks, too: they say which one comes late and what it does then. Often it has more work, a slow loader, or something that happens once there (a kernel that is loaded or tuned, Python’s garbage collection).
advice-more-or-waiting = Open the files of the other ranks, too: they say whether these collectives wait, and for which rank. If none is late, send less: record_shapes=True, or a newer PyTorch, records how much each sends.
advice-slow-links = If no rank is late, that is far below what links between GPUs carry (PCI Express 3: 12 GB/s): look at which way the library took (NCCL_DEBUG=INFO), and how the GPUs are connected (nvidia-smi topo -m, rocm-smi --showtopo).
advice-exposed-communication-all-to-all = Let compute hide it: send what the next batch looks up while this one computes (TorchRec’s TrainPipelineSparseDist), or overlap experts with their dispatch. Shrink it: shard tables or experts so that less goes between ranks, or send smaller numbers (quantized communication).
advice-exposed-communication-experts = Let compute hide it: compute one half of a batch while the tokens of the other half are on their way. Send fewer bits, or to fewer experts and machines.
advice-exposed-communication-small = These messages are small: it takes longer to start them than to send their bytes. Send several as one, or more at once (larger batches).
advice-many-collectives = Each of these costs more to start than to send: put several into one. With DistributedDataParallel larger buckets do that (bucket_cap_mb), and with torch.compile its optimizer for graphs (torch._dynamo.config.optimize_ddp); collectives that the program calls by itself can be coalesced.
advice-one-gather = Look at that one first: gather less of its tensor. Of the logits of a model each rank can keep its part and exchange only the largest values, or only the last token is needed; numbers of 16 bits are half as long as those of 32. Larger batches make it longer.
advice-exposed-communication-inference-large = Make it smaller or hide it: float16 or bfloat16 in place of float32, fewer ranks for one copy of the model, or a faster link between them (NVLink in place of PCIe).
advice-exposed-communication-inference-large-half = Make it smaller or hide it: fewer ranks for one copy of the model, or a faster link between them (NVLink in place of PCIe).
advice-exposed-communication-inference = Hide it or make it smaller: fewer ranks for one copy of the model, an all-reduce of its own for small tensors where the engine has one, or larger batches, which send more at once.
advice-other-ranks = Open the files of the other ranks, too: they say how much of it is waiting for a late rank.
advice-exposed-communication-tensorflow2 = Let compute hide it or pack it: tf.distribute.experimental.CommunicationOptions(bytes_per_pack=…), NCCL as the implementation, mixed precision (tf.keras.mixed_precision), or larger batches.
advice-exposed-communication-tensorflow2-nccl = Let compute hide it or pack it: tf.distribute.experimental.CommunicationOptions(bytes_per_pack=…), mixed precision (tf.keras.mixed_precision), or larger batches.
advice-exposed-communication-jax = Let XLA hide it: --xla_gpu_enable_latency_hiding_scheduler=true in XLA_FLAGS, or shard so that less is exchanged.
advice-exposed-communication-jax-inference = Nothing that was recorded trains a model. If the model is split over devices, what they exchange grows with the batch as the compute does: split it over fewer devices if it fits, or let XLA overlap an exchange with the product of matrices before it (a collective matmul).
advice-exposed-communication-jax-tpu = XLA hides what it can by itself: shard so that less is exchanged, or let each device compute more between two exchanges (a larger batch for each).
advice-transfers-to-merge = Send them as one: concatenate small variables and gradients, or raise HOROVOD_FUSION_THRESHOLD with Horovod.
advice-transfers-to-merge-pytorch = Let them go as one: raise bucket_cap_mb of DistributedDataParallel.
advice-transfers-to-merge-tensorflow2 = Let them go as one: raise bytes_per_pack in tf.distribute.experimental.CommunicationOptions.
advice-transfer-order = Send tensors in the order of their use: let each variable be read once the tensor before it has arrived (TicTac, MLSys 2019). Control dependencies between the reads alone change nothing: they are done before anybody asks for them.
advice-straggler = Look first at what it does there: the input of that op, and its work. If it has the same work as its peers, look at this machine: its load, clock speed and network.
advice-straggler-started-late = Look at what keeps this task from beginning with the others: what its program does before the step (its input, Python), when the request for the step reaches it, and the load of its machine.
advice-shared-threads = These tasks compete for one machine: give each cores of its own (taskset, numactl), set intra_op_parallelism_threads and inter_op_parallelism_threads to its part of them, or run fewer tasks there.
advice-collective-wait = Give each rank the same work per step, and look at what the last one did before it arrived.
advice-collective-wait-pytorch = Give each rank the same work: equal batches and lengths (DistributedSampler, bucketing by length), and the same number of DataLoader workers. Look at what the last rank did before it arrived.
advice-late-hosts = Look at what the programs of these ranks did then: their GPUs had nothing to do. Give each program cores of its own (numactl), and let it launch work further ahead of its GPU.
advice-late-hosts-pytorch = Look at what the programs of these ranks did then: their GPUs had nothing to do. Give each program cores of its own (numactl), collect garbage on all ranks in the same step (gc.disable(), then gc.collect() every some steps), and launch ahead: torch.compile(mode="reduce-overhead") or CUDA graphs.
advice-late-hosts-pytorch-graphed = Look at what the programs of these ranks did then: their GPUs had nothing to do. Give each program cores of its own (numactl), and collect garbage on all ranks in the same step (gc.disable(), then gc.collect() every some steps).
advice-late-begun = Look at what these ranks did before their first op: the step before, the loader, or the recording itself, which may begin later there. Record more than one step: in a later one all have begun.
advice-late-chain = The late ranks were still in earlier collectives or copies, so their own work is not what is late. Look at what their GPUs waited for before: another rank, a slow link, or another program on the same GPU.
advice-last-rank-start = Look at what this rank does before its first broadcast: imports, data that it reads or unpacks, its machine. It costs this once, and no step waits for it later.
advice-last-rank = Look at what this rank does before it is ready: its input, its share of the batch, its machine. Horovod waits for the last rank with every tensor.
advice-uneven-servers = Spread variables by bytes: ps_strategy=tf.contrib.training.GreedyLoadBalancingStrategy(…) in tf.train.replica_device_setter, and partition large ones (tf.fixed_size_partitioner).
advice-gpu-unused = tf.config.list_physical_devices('GPU') says whether TensorFlow finds the GPU (if not: a build without CUDA, or a library that it cannot load), tf.debugging.set_log_device_placement(True) where each op runs.
advice-input-bound = Prepare the next batch while the step runs, in other threads or processes, and keep some batches ready.
advice-input-bound-pipeline = Prepare the next batch while the step runs: dataset.prefetch(…) at the end of the pipeline, and num_parallel_calls in map.
advice-input-bound-queue = Fill the queue sooner: more threads (num_threads), many records at once (read_up_to, enqueue_many), or tf.data with dataset.prefetch(…) at its end.
advice-input-bound-queue-gpu = Prepare batches on the CPU: with tf.device('/cpu:0') around the pipeline; each of its items is copied to the GPU and back now. Then fill the queue sooner: more threads (num_threads), many records at once (read_up_to, enqueue_many).
advice-input-bound-first-batch = It is the first batch: the pipeline prepares batches ahead, and begins only now (files are opened, buffers fill). Record later steps; if these wait, too, num_parallel_calls in map.
advice-input-bound-one = The pipeline prepares batches ahead. The recording has one wait for a batch: whether the pipeline only begins or is too slow cannot be known from it. Record several steps; if these wait, too: num_parallel_calls in map and interleave, cache(), and less work for each item.
advice-input-bound-last-map = The last function of the pipeline (map) runs while the step waits, behind what prepares batches ahead: put dataset.prefetch(…) at the end.
advice-input-bound-prefetching = The pipeline prepares batches ahead already, and is slower than the step: num_parallel_calls in map and interleave, cache(), and less work for each item.
advice-input-bound-tensorflow = Prepare the next batch while the step runs: dataset.prefetch(…) at the end of the pipeline, num_parallel_calls in map, and tf.data in place of feed_dict.
advice-input-bound-pytorch = Prepare the next batch while the step runs: num_workers, prefetch_factor, persistent_workers and pin_memory=True of DataLoader.
advice-input-bound-pytorch-cpu = Prepare the next batch while the step runs: num_workers, prefetch_factor and persistent_workers of DataLoader.
advice-input-bound-pytorch-one = The recording has one batch: whether its workers were starting or are too slow cannot be known from it. Record several batches; if the later ones are quick, persistent_workers=True starts the workers once.
advice-input-bound-pytorch-workers = Its workers are too slow: more of them (num_workers), more batches ahead (prefetch_factor), or less work for each item, such as decoding smaller images or transforming on the GPU.
advice-input-bound-pytorch-first = Its workers start while the first batch is loaded: persistent_workers=True starts them once, fewer workers (num_workers) start sooner, and a recording that begins later does not have it.
advice-loader-workers = persistent_workers=True starts the workers once, and not in each epoch. Data that is quickly loaded needs none (num_workers=0). A recording that begins later and ends earlier does not have this time.
advice-input-bound-jax = Prepare the next batch while the step runs: start the copy of the next batch (jax.device_put) before the step is waited for, and load data in other processes.
advice-launch-bound = Launch fewer, larger kernels: fuse ops (a compiler), launch many as one graph, or compute on larger batches.
advice-launch-bound-tensorflow2 = Launch fewer, larger kernels: tf.function(jit_compile=True), or larger batches.
advice-launch-bound-graphs = Launch fewer, larger kernels: XLA (graph_options.optimizer_options.global_jit_level = tf.OptimizerOptions.ON_1), fused ops, or larger batches.
advice-launch-bound-pytorch = Launch fewer kernels: torch.compile(mode="reduce-overhead"), CUDA graphs (torch.cuda.make_graphed_callables), or larger batches.
advice-launch-bound-pytorch-optimizer = Launch fewer kernels: torch.compile(mode="reduce-overhead"), CUDA graphs (torch.cuda.make_graphed_callables), a fused optimizer (fused=True), or larger batches.
advice-launch-bound-jax = Put the whole step under one jax.jit, and loops into jax.lax.scan.
advice-compiles-online = Operators are compiled while the program runs (aclopCompileAndExecute): torch_npu.npu.set_compile_mode(jit_compile=False) takes kernels that exist already, and torch.npu.config.allow_internal_format = False avoids formats of its own. A fused optimizer (torch_npu.optim) has fewer operators.
advice-launch-bound-compiled = The code is compiled already: torch.compile(mode="reduce-overhead") launches what it compiled as CUDA graphs. See where Python still runs between its parts (TORCH_LOGS="graph_breaks"). Larger batches give each kernel more work.
advice-launch-bound-traced = torch.compile has only traced the code (CompiledFunction): no kernel that ran is one that a compiler made, as with the backend aot_eager. Let Inductor fuse them (torch.compile without backend=), with mode="reduce-overhead" also as CUDA graphs. Larger batches give each kernel more work.
advice-host-bound-graphed-compiled = The code is compiled, and kernels come as graphs already. See what runs outside of them: other operators, Python between compiled parts (TORCH_LOGS="graph_breaks"), copies of results.
advice-launch-bound-graphed = Some kernels come as graphs already. See which operators run outside of them, and put these into graphs, too.
advice-launch-bound-graphed-training = Some kernels come as graphs already. See which operators run outside of them, and put these into graphs, too; those of an optimizer can be with capturable=True.
advice-host-between-compiled = Between recorded ops Python runs: with_stack=True records which functions. Do less of it in the step, run it one step ahead, or see why torch.compile does not take it out (TORCH_LOGS="graph_breaks").
advice-host-beginning = Record a later step: what an executor does before its first op, such as waiting for threads and devices, is mostly that of a first step.
advice-host-bound = Give the accelerator more work per call: larger batches, fewer and larger ops, or a compiled step.
advice-host-bound-one-program = What ran is one compiled program already: give it more work per call (larger batches, several steps in one jax.lax.scan), and start the next call before you wait for this one.
advice-host-bound-graph-updated = XLA writes its CUDA graph again where buffers have other addresses. See whether later calls do that, too; XLA_FLAGS=--xla_gpu_enable_command_buffer= (with nothing behind it) launches kernels without a graph.
advice-host-bound-clusters = XLA has compiled parts of the step already: fewer and larger clusters (TF_XLA_FLAGS=--tf_xla_min_cluster_size=…), or larger batches, give the accelerator more work per call.
advice-host-cold = The recording is of a first call, and what else it takes is longer than later, too: judge a later step (torch.profiler.schedule(wait=…, warmup=…, active=…)) before you change the model.
advice-host-bound-pytorch = Keep the host out of the way: torch.compile(mode="reduce-overhead") or CUDA graphs launch many kernels at once; larger batches give each more work.
advice-host-bound-pytorch-optimizer = Keep the host out of the way: torch.compile(mode="reduce-overhead") or CUDA graphs launch many kernels at once; larger batches give each more work; a fused optimizer (fused=True or foreach=True) has fewer ops.
advice-host-single = One op takes most of that time, so fewer launches do not help much. See whether it comes again in later steps: what happens once (memory that is got, a library or kernel that is loaded, a thread that waits for a core) is gone when the profiler begins later.
advice-host-pause = Look at what the program did in that pause. If it compiled, or began a library or the driver, a later step does not have it: record one.
advice-host-pause-pytorch = Look at what the program did in that pause (with_stack=True records its functions). If it compiled, or began a library or the driver, a later step does not have it: torch.profiler.schedule(wait=…, warmup=…, active=…) records one.
advice-host-pauses = Look at what the program does in these pauses (with_stack=True records its functions), such as NumPy or Python with values that it read from the GPU. Do it with operators on the GPU, on another thread, or after the loop.
advice-kind-slow-convolution = PyTorch’s own convolution ran, not that of oneDNN. On a Mac try its GPU (device "mps"). Elsewhere look at torch.backends.mkldnn.is_available() and torch.backends.mkldnn.enabled, take a build of PyTorch with oneDNN, and types and layouts that it knows (float32 or bfloat16).
advice-kind-convolution = Larger batches, as many threads as there are cores (torch.set_num_threads), model.to(memory_format=torch.channels_last), torch.compile, and torch.autocast("cpu", dtype=torch.bfloat16) where the processor has instructions for it. A GPU has much more of what this needs.
advice-kind-convolution-compiled = Larger batches, as many threads as there are cores (torch.set_num_threads), model.to(memory_format=torch.channels_last), and torch.autocast("cpu", dtype=torch.bfloat16) where the processor has instructions for it. A GPU has much more of what this needs.
advice-kind-products = As many threads as there are cores (torch.set_num_threads, OMP_NUM_THREADS), larger batches, and torch.autocast("cpu", dtype=torch.bfloat16) where the processor has instructions for it (AVX-512, AMX). A GPU has much more of what this needs.
advice-kind-products-many-rows = A layer has 20,000 rows or more already, so larger batches do not help. Calculate fewer rows at a time, so that what a layer makes stays in the cache, write over it where that is possible (ReLU(inplace=True)), take as many threads as there are cores (torch.set_num_threads), and torch.autocast("cpu", dtype=torch.bfloat16) where the processor has instructions for it (AVX-512, AMX). A GPU has much more of what this needs.
advice-kind-dense = See that they may use all cores (intra_op_parallelism_threads, OMP_NUM_THREADS, the limit of a container). With oneDNN they are mostly quicker on processors of x86: TensorFlow 1 needs a build with it; from 2.5 on all builds for x86 have it (TF_ENABLE_ONEDNN_OPTS=1). Larger batches help only if one is too small for all cores. A GPU has much more of what this needs.
advice-kind-dense-onednn = oneDNN carries them out already. See that they may use all cores (intra_op_parallelism_threads, OMP_NUM_THREADS, the limit of a container). Larger batches help only if one is too small for all cores. A GPU has much more of what this needs.
advice-kind-random = Make random numbers where they are used (torch.randn(…, device="cuda")), or once before the loop.
advice-kind-largest = Look at these first; no single change helps all of them.
advice-kernels-products = They calculate with 16 bits already, so these products are the limit: fewer or smaller ones save time (fewer tokens, layers or steps), and what is the same each time is calculated once. Sizes that are multiples of 64 fill the cores for products (pad a vocabulary).
advice-kernels-eight-bits = This GPU calculates with 8 bits, too (FP8: Transformer Engine, torchao), where the numbers allow it.
advice-graph-dense = If they calculate in float32, and the GPU has tensor cores (Volta or later), convolutions and products are faster with 16 bits: tf.keras.mixed_precision, or tf.train.experimental.enable_mixed_precision_graph_rewrite(optimizer) in TensorFlow 1.14 and 1.15. Else only fewer or smaller ones save time.
advice-graph-dense-without-cores = The GPU has no tensor cores (its compute capability is less than 7.0): only fewer or smaller ones save time.
advice-graph-few-bits = They calculate with 16 bits already: fewer or smaller ones save time.
advice-graph-norms = Fewer or smaller ones save time.
advice-graph-lrn = LRN need not be: newer models normalise batches, or leave it out.
advice-graph-turned = TensorFlow turns tensors for cuDNN and back (Transpose, added by its LayoutOptimizer): with data_format="NCHW" it need not, but for ops that have no such option.
advice-kernels-attention = A kernel of its own computes it already. It takes longer with the length of sequences, with the square of it where all tokens are computed at once: shorter sequences, less padding, a window, or fewer heads for keys and values.
advice-host-op-pytorch = Let the GPU do it (create the tensor there: device="cuda", or move it there first), or do it in the workers of the DataLoader.
advice-host-op-tensorflow = Let the GPU do it: tf.device places it there, if TensorFlow has it for a GPU; tf.debugging.set_log_device_placement or log_device_placement=True says where each op runs and why. If it gives the same each time (weights, constants), do it once before the steps; if it only prepares a batch, in the input pipeline (tf.data).
advice-host-bound-inference = Keep the host out of the way: torch.compile(mode="reduce-overhead") or CUDA graphs launch many kernels at once, and larger batches give each more work. In an engine such as vLLM, see that graphs are on (enforce_eager=False).
advice-host-bound-graphed = Its kernels come as a graph already. See what the program does between two graphs: sampling, copies of results, Python; do it one step ahead.
advice-host-bound-jax = Put more of the step under one jax.jit, and do not read results (float(x), np.asarray) in between.
advice-host-python = Look what this function does. Work on data goes out of the step: into the workers of the data loader, to the GPU, or before the loop. The Python of the model itself goes away with torch.compile or CUDA graphs, or runs while the GPU works if the host is a step ahead.
advice-host-between-pytorch = Between recorded ops Python runs: with_stack=True records which functions. Do less of it in the step, run it one step ahead, or let torch.compile take it out.
advice-host-no-operators = No operator was recorded, so nothing says what the host did: activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA] records it.
advice-host-first-compile = Kernels of a compiler ran (triton_…), and no operator was recorded: if this is the first call, it compiles in that pause, and later calls do not. Call the function once before the recording, and record its operators, too: activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA].
advice-gpu-unused-pytorch = torch.cuda.is_available() says whether PyTorch finds the GPU (if not: a build without CUDA, or a driver that is too old). Then put the model and its input there: model.to("cuda"), and a batch that fits into its memory.
advice-synchronising = Do not read values of the GPU in the step: keep them there, and fetch them less often.
advice-synchronising-graphs = These ops read a value of the GPU back, and wait for it. Take out those that only check (CheckNumerics: tf.debugging.check_numerics, tf.add_check_numerics_ops), above all from a graph that serves. Where the size of a result depends on values (Where, Unique, boolean_mask), give it a fixed size, or compute it in the input pipeline (tf.data).
advice-synchronising-unrecorded = Record what the GPU does, too (PyTorch: activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]; a GPU of Apple: torch.mps.profiler): then it shows what the host waits for. Read values of the GPU less often: .item(), .cpu(), nonzero(), boolean masks.
advice-synchronising-pytorch = Do not read values of the GPU in the step: no .item(), .cpu(), nonzero(), boolean masks, or print of a tensor; keep a loss on the GPU with .detach() and read it every some steps. torch.cuda.set_sync_debug_mode("warn") names each place.
advice-synchronising-copies-pytorch = Copy to the GPU without waiting: pin_memory=True of DataLoader (or tensor.pin_memory()) and .to(device, non_blocking=True), or make the tensor on the GPU (device=…).
advice-synchronising-copies-pinned = These copies are from pinned memory already: with .to(device, non_blocking=True) the program does not wait for them. Or make the tensor on the GPU (device=…).
advice-synchronising-jax = Do not wait for results in the step: no float(x), x.item(), np.asarray(x), block_until_ready or print of an array; launch the next step first, and read the result of the step before while it runs.
advice-allocator = Let an allocator keep the memory instead of giving it back to the driver.
advice-allocator-pytorch = Let PyTorch cache memory: unset PYTORCH_NO_CUDA_MEMORY_CACHING, do not call torch.cuda.empty_cache() in the step, and where lengths vary set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True.
advice-allocator-host = PyTorch’s allocator keeps what it has, and asks the driver at its start, or when memory is full: then it gives its cache back and asks again. Look at torch.cuda.memory_stats()["num_alloc_retries"]. Leave room (smaller batches, freeing large tensors before others are made), or make large tensors once.
advice-given-back = Do not call torch.cuda.empty_cache() in the step: PyTorch uses the memory again for its next tensors.
advice-memory-full = Leave room in the GPU’s memory: a smaller batch, activation checkpointing (torch.utils.checkpoint), or less memory lost between blocks (PYTORCH_ALLOC_CONF=expandable_segments:True, before PyTorch 2.9 PYTORCH_CUDA_ALLOC_CONF). torch.cuda.memory_stats()["num_alloc_retries"] counts how often it was full.
advice-host-op-between = Place them on the GPU (tf.device) if they can run there, or move them into the input pipeline (tf.data), which runs ahead; tf.debugging.set_log_device_placement or log_device_placement=True says where each op runs and why.
advice-host-op-between-placed = tf.device does not help: what TensorFlow has for them on a GPU runs on the host. Compute them in the input pipeline (tf.data), which runs ahead, or say the same with other ops.
advice-copies = Keep data on the device, copy the next batch while the device computes, and fetch results less often.
advice-copies-weights = Keep weights and constants on the device: create them there (tf.device), with all that reads them, such as dequantizing.
advice-copies-tensorflow = Keep data on the device, feed it by tf.data with prefetching to the device, and fetch results less often.
advice-copies-on-device = Copy less on the device: keep one layout and one type of number, and let the compiler fuse what reads the copy.
advice-copies-on-device-jax = Copy less on the device: keep one layout and one type of number, give buffers away that are not needed any more (donate_argnums of jax.jit), and let the compiler fuse what reads the copy.
advice-copies-on-device-pytorch = Copy less on the GPU: no .contiguous(), .clone(), torch.cat or index in the step where a view will do, one type of number throughout, and torch.compile, which fuses what reads the copy.
advice-copies-pytorch = Copy while the step computes: .to(device, non_blocking=True) on a stream of its own (torch.cuda.Stream), one batch ahead. Keep data on the GPU, and fetch results less often.
advice-copies-pytorch-stream = These copies have a stream of their own already: start them sooner, so that the next batch comes while this one is computed. Keep data on the GPU, and fetch results less often.
advice-copies-host-memory = Keep more of these arrays on the device: offload fewer of them (in JAX memory_kind="pinned_host", offload policies of jax.checkpoint), in smaller types of number, or start their way back earlier, while something else computes.
advice-copies-memory-optimizer = Make room on the GPU, so that nothing has to leave it: a smaller batch, or tf.float16. Or choose what the optimizer does: rewrite_options.memory_optimization of graph_options (RECOMPUTATION_HEURISTICS computes tensors again, NO_MEM_OPT moves none).
advice-pageable-copies = Copy from pinned memory, which the GPU reads by itself while the host goes on.
advice-pageable-copies-pytorch = Copy from pinned memory without waiting: pin_memory=True of DataLoader (or tensor.pin_memory()) and .to(device, non_blocking=True).
advice-few-threads = Give the executor a thread for each processor: tf.ConfigProto(inter_op_parallelism_threads=0) in TensorFlow 1, tf.config.threading.set_inter_op_parallelism_threads(0) in TensorFlow 2.
advice-tiny-ops = Let a compiler fuse them, or compute on larger tensors.
advice-tiny-ops-tensorflow = Let a compiler fuse them (XLA: tf.function(jit_compile=True), global_jit_level in TensorFlow 1), or compute on larger tensors.
advice-tiny-ops-compiled = Compute on larger tensors. XLA has compiled other ops already: TF_XLA_FLAGS=--tf_xla_min_cluster_size=… and TF_CPP_VMODULE=mark_for_compilation_pass=2 say why these are in no cluster.
advice-tiny-ops-pytorch = What they cost is mostly to start them. Let torch.compile fuse them, or compute on larger tensors: several small problems in one batch, and fewer operators in a loop.
advice-layout-conversions = Keep the tensors of convolutions in NHWC.
advice-layout-weights = Each call of a convolution turns its weights, whatever the batch: larger batches spread that over more items.
advice-layout-conversions-pytorch = Keep the model and its input in NHWC: model.to(memory_format=torch.channels_last), and the same for the input.
advice-training-mode = If this is inference, call model.eval() before it: results then no longer depend on the other items of a batch, and batch norm becomes part of the convolutions (torch.compile, torch.jit.freeze). If it is training, record the backward pass, too.
advice-training-dropout = If this is inference, call model.eval() before it: results are random without that. If it is training, record the backward pass, too.
advice-optimizer-step = Let it take many parameters at once: fused=True (on a CPU from PyTorch 2.4 on, for Adam, AdamW, SGD and Adagrad), foreach=True, or torch.compile around its step.
advice-optimizer-step-own = This class is none of torch.optim, so it has neither fused=True nor foreach=True: use the one of torch.optim that does the same, write its step with torch._foreach_… (many parameters in one call), or put torch.compile around it.
advice-tensor-cores = Calculate with fewer bits where the numbers allow it: float16, or, from Ampere on, bfloat16 or TF32.
advice-before-ampere = The compute capability of this GPU is { $capability }: it has no TF32, and no tensor cores for bfloat16.
advice-from-ampere = The compute capability of this GPU is { $capability }: it is one from Ampere on.
advice-has-tensor-cores = The compute capability of this GPU is { $capability }: it has tensor cores.
advice-tensor-cores-rest = Other kernels use tensor cores already. See which ops these are, and whether they can calculate with fewer bits, too.
advice-tensor-cores-rest-pytorch = Other kernels use tensor cores already (with 16 bits or TF32). See which operators these are: they run outside of torch.autocast, or it keeps them in float32. TF32 has a switch for products, torch.set_float32_matmul_precision("high"), and one for convolutions, torch.backends.cudnn.allow_tf32; where it is allowed, a library may take float32 kernels all the same.
advice-tensor-cores-pytorch = Calculate with fewer bits where the numbers allow it: torch.autocast("cuda", dtype=torch.float16) with a GradScaler, or, from Ampere on, bfloat16 or torch.set_float32_matmul_precision("high").
advice-tensor-cores-pytorch-convolutions = These are convolutions: torch.autocast("cuda", dtype=torch.float16), or, from Ampere on, torch.bfloat16, and torch.backends.cudnn.benchmark = True. A GPU from Ampere on may use TF32 for them, unless somebody took that back (torch.backends.cudnn.allow_tf32); cuDNN took float32 kernels all the same. Older GPUs have no TF32. torch.set_float32_matmul_precision does not touch convolutions.
advice-tensor-cores-pytorch-both = Calculate with fewer bits where the numbers allow it: torch.autocast("cuda", dtype=torch.float16), or, from Ampere on, torch.bfloat16. From Ampere on there is TF32, too: torch.set_float32_matmul_precision("high") for products of matrices; convolutions may use it already (torch.backends.cudnn.allow_tf32).
advice-channels-last = For convolutions: model.to(memory_format=torch.channels_last).
advice-tensor-cores-pytorch-inference = Calculate with fewer bits where the numbers allow it: torch.autocast("cuda", dtype=torch.float16), or, from Ampere on, bfloat16 or torch.set_float32_matmul_precision("high").
advice-tensor-cores-tensorflow = Calculate with fewer bits where the numbers allow it: tf.keras.mixed_precision, or tf.train.experimental.enable_mixed_precision_graph_rewrite(optimizer) in TensorFlow 1.14 and 1.15.
advice-idle-one-stream = With one stream and one rank, nothing that was recorded keeps these kernels waiting: the GPU did what was launched before the recording, or what was not recorded. Let the program wait for its GPU (torch.cuda.synchronize()) before the recording begins.
advice-idle-before = Their stream shows nothing before them, and the GPU hardly rests after that: it did what was launched before the recording. Let the program wait for its GPU (torch.cuda.synchronize()) before the recording begins.
advice-idle-though-launched = Look at what ends just before these kernels start. If nothing does, record all streams, and the other ranks if there are any.
advice-idle-shared = Nothing that was recorded keeps these kernels waiting, and nothing was left from before the recording. Look with nvidia-smi at whether another process or the desktop uses this GPU: GPUs give each its turn, of one length. Or whether the GPU changes its clock: lock it (nvidia-smi --lock-gpu-clocks).
advice-stood-still = Give each program cores of its own: more of them for the job (--cpus-per-task of Slurm, the CPU limit of a container), and fewer threads (OMP_NUM_THREADS=1, fewer workers of the DataLoader). What was in the way of its threads is not in the recording: top and pidstat show it.
advice-idle-latency = Run fewer and larger kernels: fuse them (a compiler), compute on larger batches, or launch them as one graph.
advice-idle-hole = What runs in these graphs is recorded only in part, it seems: nodes of one launch follow each other within microseconds, if nothing runs between them. Then the GPU is idle for less than this. Record with a newer driver and PyTorch, or once without graphs.
advice-idle-graph = Run fewer and larger kernels in the graph: let a compiler fuse them, or compute on larger batches.
advice-idle-unrecorded = Record the calls that launch, too, and begin to record before the step does.
advice-slower-than-peers = Look at what ran at the same time on the same machine or GPU, and whether these ops had to wait for memory or a clock that was lowered.
advice-records = It only writes something down: run it every N steps.
advice-records-keras = It only writes something down: once in an epoch is enough (TensorBoard(update_freq='epoch')), and a recording of later batches does not have it.
advice-unlike-op = Record a later step: if it takes as long there, see what else ran at that time.
advice-dominant-op = Make it smaller, split it so that its parts run next to other ops, or give it more threads.
advice-dominant-op-gpu = It runs on the GPU: make it smaller, or compute it in half precision, which tensor cores speed up.
advice-dominant-op-gpu-without-cores = It runs on the GPU, which has no tensor cores (its compute capability is less than 7.0): make it smaller.
advice-dominant-op-gpu-few-bits = It runs on the GPU, with 16 bits already: make it smaller.
advice-stall = See what else ran on the machine then, or whether it ran out of memory. Record once more: if it does not come again, the op needs no change.
advice-dominant-elementwise-compiled = They lie outside of what torch.compile fused: see why (TORCH_LOGS="graph_breaks"). Half of their time is an estimate: a chain that is fused reads and writes memory once.
advice-dominant-elementwise = Let a compiler fuse them: torch.compile. Half of their time is an estimate: a chain that is fused reads and writes memory once.
advice-capture = Record after the capture, when the program launches the graph.
advice-first-step = Record a later step: start the profiler after some steps have run.
advice-first-step-tensorflow = Record a later step: start the profiler after some steps have run, or with a ProfilerHook that does not take the first.
advice-compiling = Call what is compiled before it is recorded, once for each shape: torch.profiler.schedule(wait=…, warmup=…, active=…). If it compiles again later, other shapes are the reason mostly: TORCH_LOGS="recompiles" names it, and torch._dynamo.mark_dynamic or dynamic=True avoid it.
advice-first-step-pytorch = Record a later step: torch.profiler.schedule(wait=…, warmup=…, active=…).
advice-first-step-horovod = Record later steps: hvd.start_timeline() after some of them, in place of HOROVOD_TIMELINE.
advice-later = The first { $op } takes { $first }, and the { $count } later ones { $usual } in the median: look at these.
advice-later-steps = Later steps are in the recording: look at these.
advice-first-step-jax = Record a later step: call the compiled function once and wait for it before jax.profiler.start_trace.
advice-memory-peak = Let this op run earlier, or compute what it reads again instead of keeping it.
advice-memory-peak-tensorflow = Let this op run earlier, or compute what it reads again (tf.recompute_grad).
advice-memory-peak-pytorch = Let this op run earlier, or compute what it reads again (torch.utils.checkpoint).
advice-memory-peak-jax = Let this op run earlier, or compute what it reads again (jax.checkpoint).
advice-skewed-clocks = Align the clocks: in the tab Clocks, or with --clocks in the program. Then look again.
advice-coarse-host = If the accelerator does nothing for most of the time, give it more work per call: larger batches, fewer and larger ops. To see what the host does, record on a system whose clock is finer.
advice-frames = { $count } functions of Python were recorded, { $each } in each millisecond, which makes Python slower: for times without that, record with python_tracer_level=0.
advice-skewed-accelerator = Look at the accelerator and at its host each alone: what both did at the same time is not known.
advice-tracing = Record less: fewer steps and a lower level of tracing. Times of short ops are longer than without the recording.
advice-counters = For times, record without counters (profiler_metrics of _ExperimentalConfig). Take this recording for its counters alone.
advice-tracing-each = Compare the times of operators only with those of the same depth: what contains others is longer by what these cost. A newer PyTorch records an operator in a microsecond.
advice-tracing-no-work = Nothing that the program computes was recorded: let the profiler begin before that work and end after it, with activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA].
advice-tracing-warm-up = Run what is measured before it is recorded, too: torch.profiler.schedule(wait=…, warmup=…, active=…), or a few calls before the profiler begins. This overhead comes with the first kernels.
advice-tracing-pytorch = Record less: with_stack=False, record_shapes=False, profile_memory=False. Times of short ops are longer than without the recording.

finding-ops = { $count ->
        [one] { $count } op
       *[other] { $count } ops
    }
finding-other-calls = { $count ->
        [one] { $count } other call
       *[other] { $count } other calls
    }
finding-transfers = { $count ->
        [one] { $count } transfer or collective
       *[other] { $count } transfers and collectives
    }
finding-times = { $count ->
        [one] Once
       *[other] { $count } times
    }

## The verdict

verdict-sentence = { $what }: { $said }.
verdict-once-first-step = { $share } of it, { $time }, is what only a first step does
verdict-once-first-step-op = { $share } of it, { $time }, is what only a first step does (mostly { $op })
verdict-once-compiling = for { $share } of it, { $time }, torch.compile compiles, which happens once
verdict-once-capture = for { $share } of it, { $time }, a graph of kernels is captured, which happens once
verdict-once-first-run = { $share } of it, { $time }, is the pause before the first run of a graph, which later runs do not have
verdict-once-first-function = { $share } of it, { $time }, is before { $op } runs for the first time: TensorFlow traces and prepares it then
verdict-once-rest = the rest takes { $rest }
verdict-once-whole = As a whole: { $said }.
verdict-once-with = What happens once: { $said }.
verdict-range = Of the parts that the program marks, { $name } takes { $share }.
verdict-recording-cost = About { $time } of it ({ $share }) is the recording itself: an operator begins that much later than the one around it, whatever it is.
stood-still = The thread of the program stands still { $times } times, for { $time } in all, between operators or in some that do nothing, such as making a view: most likely it has no core then.
stood-still-each = The threads of { $programs } programs stand still { $times } times in the mean, for { $time } each, between operators or in some that do nothing, such as making a view: most likely they have no core then.
stood-still-at-once = Most of the time { $number } of { $programs } stand still at once, so { $running } run: on one machine they have that many cores.
verdict-wrong-times = { $what }, but its times are wrong ({ $title }): first see what the doctor says.
verdict-profiler-longer = The profiler ran for { $profiler }, and all that it recorded lies within { $length } of it.
verdict-gpu-unrecorded = What its GPU did was not recorded.
verdict-gpu-silent = { $what }: what its GPU did was not recorded, so nothing says what this time was needed for.
verdict-gpu-why = Why: { $reason }.
verdict-dispatched = For { $time } of it executors of TensorFlow were at work, which start ops and run those of the CPU.
verdict-compiling = { $what }: torch.compile compiles for { $time } of it, on the host. Nothing else is in the file.
verdict-compiling-graphs = { $what }: torch.compile compiles for { $time } of it, on the host ({ $count ->
        [one] one graph
       *[other] { $count } graphs
    }). Nothing else is in the file.
verdict-compiling-largest = By itself { $name } takes most of that, { $share }.
verdict-compiling-again = Frame { $frame } was compiled { $count } times: TORCH_LOGS="recompiles" says why; where only a size changes, torch._dynamo.mark_dynamic avoids it.
verdict-tpu-unrecorded = What its TPU did was not recorded.
verdict-waits-in-function = Meanwhile, for { $time }, its program waits in { $call } for a function, most likely for that GPU.
verdict-gpu-unused-pytorch = The file names a GPU, but nothing shows that it was used: all memory that was got, or most of what operators did, is the CPU’s.
verdict-gpu-unused = The file names a GPU, but nothing shows that it was used: no tensor was sent to it.
verdict-no-ops = { $what }: no op was recorded, only functions of Python and ranges.
verdict-function-unrecorded = { $what }: for { $time } of it the function runs ({ $call }), in threads that were not recorded.
verdict-function-unrecorded-advice = None of its ops is in the file: record it again, with a later TensorFlow if possible.
verdict-no-ops-advice = Record what ran, too; with PyTorch: activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA].
verdict-exposed = Communication that no compute hides takes { $share } of the time.
verdict-exposed-copies = Copies that no compute hides take { $share } of the time.
verdict-largest = Largest on its path: { $names }.
verdict-largest-part = { $name } { $share }
verdict-kernels = Kernels take nearly all of the time: { $kinds }.
verdict-kernels-convolutions = convolutions
verdict-kernels-products = products of matrices
verdict-kernels-attention = attention
verdict-kernels-norms = norms
verdict-kernels-elementwise = element by element
verdict-starting = Its first { $time } ({ $share }) are the start of the program: tensors are broadcast, and none is reduced.
verdict-multiprocessors = Its { $count } rows are parts of a GPU (SM, CTA), as a kernel wrote them itself: no host and no launch was recorded, and nothing says what a row does in its gaps.
verdict-kernel-input = Kernels wait { $time } of it ({ $share }) for their input (ep_wait_in): it is counted as compute.
verdict-before-work = For { $time } before its first work the GPU does nothing that was recorded, and hardly rests after that: it did what was launched before the recording, or the recording was cut.
verdict-before-work-hidden = For { $time } before the first work of a stream, which had been launched, the GPU does next to nothing that was recorded, and hardly rests after that: it did what was launched before the recording, or the recording was cut.
verdict-holes = For { $time } nothing was recorded between parts of graphs of kernels that had been launched: it seems that these graphs were recorded only in part. So the GPU works for { $least } of the time at least, and for { $most } if it works in all of that.
verdict-before-steps = Its first { $time } are no step: devices did what was launched before, or it ran before the first mark.
verdict-before-steps-host = Its first { $time } are no step: they ran before the first mark.
verdict-empty-marks = The marks of its { $count } steps hold { $held } of what ran, less than 1 %: they are no steps.
verdict-small-ops = Its path runs { $count } ops, which take { $mean } each in the mean: these are many small calls.
pause-before = before { $op }
pause-after = after { $op }
pause-longest = The longest pause between its ops takes { $time } ({ $share }), { $place }.
pause-longest-in = The longest pause between its ops takes { $time } ({ $share }), { $place }: { $frame } ran.
pause-profiler = A pause of { $time } ({ $share }), { $place }, is the profiler’s, not the program’s: { $frame } ran.
pause-workers-start = A pause of { $time } ({ $share }) comes before the first batch: the workers of the DataLoader start.
pause-workers-stop = In a pause of { $time } ({ $share }) the workers of the DataLoader stop.
pause-compiling = { $time } of it are tracing or compiling: this looks like a first call; record a later one.
pause-end = A pause of { $time } ({ $share }), { $place }, comes when nearly all work is done.
pause-end-in = A pause of { $time } ({ $share }), { $place }, comes when nearly all work is done: { $frame } ran.
pause-repeated = { $every } of { $time } ({ $share } together), { $places }.
pause-in-each-step = { $count } pauses, one in each step,
pause-several = { $count } pauses
pause-within = in { $name }
pause-on = on { $task }
verdict-busiest = { $clause }, most of all on { $device } ({ $share })
verdict-beginning = for { $share } the executor only began (_SOURCE, which computes nothing)
verdict-waits-unrecorded = for { $share } of the time it probably waits there for its GPU
verdict-longest-step = Step { $step } alone takes { $share } of it, and no other step more than { $next }.
verdict-nothing = No op took any time.
verdict-step = Step { $length }
verdict-steps = Recording { $length } with { $count } steps
verdict-steps-far = { $count } steps, far apart: together they take { $within } of { $length }. Look at one alone (--step { $step }).
verdict-step-cut = The part of the step that was kept, { $length }
verdict-steps-cut = The part of the recording that was kept, { $length } with { $count } steps
verdict-recording-cut = The part of the recording that was kept, { $length }
verdict-own-clock = From the first work of the accelerator to its last, { $length } by its own clock
verdict-until-done = The steps, the first { $length } of a recording of { $whole }
verdict-until-done-steps = The { $count } steps, the first { $length } of a recording of { $whole }
verdict-after-done = The { $time } after them are no part of a step (callbacks of Keras, for example): less than 2 % of the GPU’s work is there.
verdict-after-done-host = The { $time } after them are no part of a step (callbacks of Keras, for example).
verdict-call = The step ({ $function }), { $length } of a recording of { $whole }
verdict-calls = { $count } calls of a function (the first is { $function }), { $length } of a recording of { $whole }
verdict-call-lead = Its first op begins { $lead } after the call: until then TensorFlow prepares it, which takes long mostly in a first call.
verdict-outside-calls = The other { $time } are before or after that, in Python (callbacks of Keras, for example, and what ends the recording), and no part of a step.
verdict-longest-outside = The longest op there is { $op } ({ $time }).
verdict-recording = Recording { $length }
verdict-one-gpu = the GPU
verdict-least-waiting = the one of { $count } accelerators that waits least
verdict-one-accelerator = the accelerator
verdict-one-cpu = the CPU
verdict-one-host = the host
verdict-one-device = the device
verdict-gpus = { $count } GPUs (their mean)
verdict-accelerators = { $count } accelerators (their mean)
verdict-computing-gpus = { $count } of { $all } recorded GPUs (the mean without those that only copy)
verdict-computing-accelerators = { $count } of { $all } recorded accelerators (the mean without those that only copy)
verdict-devices = { $count } devices (their mean)
verdict-split-compute = compute on { $units } takes { $share } of the time
verdict-split-compute-at-most = compute on { $units } takes at most { $share } of the time
verdict-split-first = what only a first call does takes { $share } of the time
verdict-split-calls = calls of the driver take { $share } of the time
verdict-split-compute-and-calls = compute and calls of the driver on { $units } take { $share } of the time
verdict-split-ranges = recorded ranges take { $share } of the time
verdict-split-ranges-of-several = recorded ranges of { $count } processes (their mean) take { $share } of the time
verdict-split-files = reading and writing files takes { $share } of the time
verdict-split-ops = ops ran on { $units } for { $share } of the time
verdict-split-communication-horovod = communication takes { $share } of the time
verdict-only-broadcasts = no tensor was reduced, { $count ->
        [one] only { $count } was
       *[other] only { $count } were
    } broadcast, as at the start of a program
verdict-split-communication = waiting for communication that no compute hides takes { $share } of the time
verdict-only-input = only the loading of batches was recorded, for { $share } of the time: whether a step waits for it, nothing here says
verdict-split-input = loading the next batch while no recorded op computes takes { $share } of the time
verdict-split-copy = waiting for copies that no compute hides takes { $share } of the time
verdict-split-launch = launching while no other recorded op runs takes { $share } of the time
verdict-split-allocation = getting or freeing memory while no other recorded op runs takes { $share } of the time
verdict-split-beginning = a library begins ({ $name }), and tensors wait for that or for ranks, for { $share } of the time
verdict-split-waiting = nothing but waiting was recorded for { $share } of the time
verdict-split-idle = { $units } did nothing for { $share } of the time
verdict-split-idle-host = no recorded op ran for { $share } of the time
verdict-waits-input = { $units } waits for its next batch for { $share } of the time
verdict-waits-host = { $units } waits for its host for { $share } of the time
verdict-split-idle-horovod = no tensor was negotiated or reduced for { $share } of the time
verdict-path = { $what } is { $share } of its critical path
verdict-path-meanwhile = { $clause }, some of it at the same time
verdict-path-second = { $clause }, next to { $what } with { $share }
verdict-path-compute = compute on { $units }
verdict-path-compute-of-several = compute, on one device after another,
verdict-path-calls = calls of the driver
verdict-path-compute-and-calls = compute and calls of the driver on { $units }
verdict-path-waiting-gpu = waiting for the GPU
verdict-path-waiting-earlier = waiting for what was launched before the recording
verdict-path-ops = running and starting ops on the host
verdict-path-ops-running = running ops on the host
verdict-path-copy = copying between host and device
verdict-path-network = waiting for tensors and collectives on their way
verdict-path-waiting-horovod = waiting (for ranks, for other tensors, or for their turn)
verdict-path-waiting = waiting for reasons that were not recorded
verdict-path-waiting-sender = waiting for tensors of { $device }, of which nothing was recorded,
verdict-path-waiting-unnamed = waiting for tensors whose sender was not recorded
verdict-path-waiting-call = waiting in { $call } for what was not recorded
verdict-path-negotiation = waiting until all ranks are ready (negotiations)
verdict-path-behind = waiting of ready ops behind others
verdict-path-launching = getting ops to run
verdict-path-allocation = getting or freeing memory
verdict-path-input = waiting for the next batch
verdict-counters = Counters of the GPU were collected ({ $count ->
        [one] { $count } range
       *[other] { $count } ranges
    }): times are not those of the program.
verdict-late-start = The first op of { $task } comes { $time } ({ $share }) after that of { $first }; each rank by itself takes { $least } to { $most }.
verdict-path-starting = the time before the first op of a task
verdict-path-host = the host ({ $what })
verdict-host-mostly = mostly { $part }
verdict-host-part = { $part } { $share }
verdict-host-operators = operators
verdict-host-calls = calls of the driver
verdict-host-waits = calls that wait
verdict-host-overhead = overhead of the recording and of first calls
verdict-host-allocation = getting and freeing memory
verdict-host-starting = starting ops
verdict-host-between = between ops
verdict-host-beginning = the executor’s beginning
verdict-path-host-short = the host
verdict-path-between = time between the recorded ops of a thread
verdict-path-unknown = time for which nothing that was recorded says why
verdict-on-host = { $op }, on the CPU, takes { $share }.
verdict-on-host-calls = { $count } calls of { $op }, on the CPU, take { $share }.
verdict-on-host-op = { $name } ({ $kind })
verdict-host-parts = The host’s time: { $parts }.
verdict-in-executors = For { $share } of the time executors of TensorFlow are at work between two calls of the driver ({ $count } pauses, half of them shorter than { $median }): its profiler leaves out ops of a GPU and cheap ones, so this is what the host does for them, and the executor’s own work.
verdict-pool = In the mean { $mean } of the { $threads } threads of its pool work.
verdict-mostly = { $clause } (mostly { $name })
