### What Steplens finds in a trace, as the page and the program say it, in JSON, too. Syntax: Fluent (projectfluent.org).
###
### Rust says these: say!("finding-far-ops", count).

## Counts with their nouns; more are in page.ftl

tasks = { $count ->
        [one] { $count } task
       *[other] { $count } tasks
    }
stragglers = { $count ->
        [one] { $count } straggler
       *[other] { $count } stragglers
    }

## What is wrong with a trace

finding-time-bases-title = Clocks count from different moments
finding-time-bases = { $count ->
        [one] { $count } op of { $devices } (the first: { $first }) lies
       *[other] { $count } ops of { $devices } (the first: { $first }) lie
    } up to { $far } away from the others: their clocks count from another moment, so that nothing between the groups can be compared
finding-time-bases-repair = move these devices so that each group starts when the first does; within a group nothing changes

finding-far-ops-title = Times that cannot be
finding-far-ops = { $count ->
        [one] { $count } op runs
       *[other] { $count } ops run
    } so far from all others, or for so long, that the times must be wrong; they stretch the axis and every figure of the whole step
finding-far-ops-repair = leave these ops out

finding-same-devices-title = One device under several names
finding-same-devices = { $from } and { $to } name the same device in two ways: { $count ->
        [one] { $count } op under { $from } is counted as one
       *[other] { $count } ops under { $from } are counted as those
    } of another device
finding-same-devices-repair = show them as one device, under the name that has more ops

finding-repeated-ops-title = Recorded or opened twice
finding-repeated-ops = { $count ->
        [one] { $count } op repeats
       *[other] { $count } ops repeat
    } another one: one file or record holds (nearly) all that another does, so that work and bytes count double
finding-repeated-ops-repair = leave out what an earlier recording holds already

finding-clocks-differ-title = The clocks of tasks differ
finding-clocks-differ = { $count } of { $transfers } tensors between tasks arrive before they are sent, by up to { $most }: what one task did cannot be compared with what another did
finding-rank-clocks-differ = { $count ->
        [one] { $count } time of
       *[other] { $count } times of
    } { $of } a collective ends on one rank before it starts on another, by up to { $most }: what one rank did cannot be compared with what another did
finding-accelerator-clock-title = The clocks of an accelerator and its host differ
finding-accelerator-clock = { $count ->
        [one] { $count } of { $of } programs ends
       *[other] { $count } of { $of } programs end
    } on an accelerator before its host asked for it: their clocks differ by { $by } or more, and what one of them did cannot be compared with what the other did
finding-coarse-host-clock-title = The clock of the host counts in long steps
finding-coarse-host-clock = All { $of } ops of the host begin and end at whole steps of { $tick }, and { $count } of them have no length; the accelerator’s times are finer: what the host did, and when, cannot be compared with them
finding-clocks-differ-repair = subtract from the times of each task what its clock is ahead by

finding-contradicting-times-title = Times that contradict each other
finding-contradicting-times = { $count } of { $transfers } tensors between tasks have times that contradict the others’ however the clocks are set: they say nothing of the clocks, and are left out when clocks are aligned
finding-contradicting-times-early = { $count } of { $transfers } tensors between tasks have times that contradict the others’ however the clocks are set (one arrives { $most } before it is sent): they say nothing of the clocks, and are left out when clocks are aligned

finding-missing-task-title = A task is missing
finding-missing-task = no op of { $task } is here, though { $count ->
        [one] { $count } transfer names
       *[other] { $count } transfers name
    } it: its file is missing, it recorded nothing, or it was left out
finding-missing-task-no-transfers = no op of { $task } is here, though graphs or the numbers of the other tasks speak of it: its file is missing, it recorded nothing, or it was left out

finding-lost-transfers-title = Transfers were not recorded
finding-lost-transfers = { $count } of { $of } tensors that came from other tasks left no RecvTensor, though ops took them: TensorFlow asks its tasks to record while the step begins already. How long they took is in no figure of communication. Record more steps, and look at one that has all
finding-more-tasks-missing-title = More tasks are missing
finding-more-tasks-missing = { $count ->
        [one] { $count } more task is
       *[other] { $count } more tasks are
    } without an op here beyond those that are listed: transfers, graphs or the numbers of the other tasks speak of them

finding-kernels-not-recorded-title = Kernels were not recorded
finding-kernels-not-recorded = { $count ->
        [one] { $count } op of { $devices } is
       *[other] { $count } ops of { $devices } are
    } what the executor dispatched to GPUs: how long the GPUs took, and when they were idle, is not known. TensorFlow records kernels where CUPTI is found (the folder of libcupti is in LD_LIBRARY_PATH, and the user may profile), with trace_level=FULL_TRACE, in a process of its own: not over a cluster, and not with SOFTWARE_TRACE

finding-one-name-of-gpus-title = Several GPUs under one name
finding-one-name-of-gpus = { $count ->
        [one] { $count } kernel that ops of { $devices } launched is
       *[other] { $count } kernels that ops of { $devices } launched are
    } on streams of another GPU: TensorFlow up to 1.13 calls the streams of all GPUs those of GPU 0. What is said of that GPU is of all of them together

finding-repeated-streams-title = Streams are listed twice
finding-repeated-streams = { $count ->
        [one] { $count } op of { $devices } is also on the numbered streams; it is shown
       *[other] { $count } ops of { $devices } are also on the numbered streams; they are shown
    }, and counted once

finding-host-profile-title = TensorFlow’s host profiler ran, too
finding-host-profile = TensorFlow’s host profiler recorded ops of the executor once more, as /host:CPU (joined: { $joined } of { $named }). They are shown, and counted nowhere
finding-host-profile-more = TensorFlow’s host profiler recorded ops of the executor once more, as /host:CPU (joined: { $joined } of { $named }); it also has { $others }. They are shown, and counted nowhere
host-profile-threads = the threads of these ops
host-profile-nodes = { $count ->
        [one] { $count } send or receive
       *[other] { $count } sends and receives
    } that the executor does not record
host-profile-ranges = { $count ->
        [one] { $count } range
       *[other] { $count } ranges
    } around them
host-profile-other-runs = { $count ->
        [one] { $count } event
       *[other] { $count } events
    } of other runs of sessions
finding-host-events-unjoined-title = Events of the host profiler fit no op
finding-host-events-unjoined = { $count } of { $named } events of /host:CPU that are named like ops of the step are none that the executor recorded: of the ops that they should be the thread is not known

finding-no-kernels-title = Kernels that were not recorded
finding-no-kernels = of { $calls } calls that launch kernels, the kernels of { $count } are not in the file: the GPU did more than is shown. Record with the activities of the GPU, and long enough that its work ends before the recording does
finding-kernels-lost = of { $calls } calls that launch kernels, the kernels of { $count } are not in the file, though the program waited for the GPU after the last of them: what the profiler recorded of them was lost. Record once more
finding-covering-kernels-title = Kernels that last too long
finding-covering-kernels = { $count ->
        [one] { $count } kernel lasts
       *[other] { $count } kernels last
    } until after later kernels of the same stream, which runs one after the other: do not believe how long it took, nor sums with it
finding-graphs-in-part-title = Graphs of kernels that were recorded in part
finding-graphs-in-part = before { $count } parts of graphs of kernels that had been launched nothing was recorded for more than 0.1 ms each, { $time } in all: nodes of one graph follow each other within microseconds, so that others most likely ran. Record with a newer driver and PyTorch, or once without graphs
finding-rank-unnamed-title = Ranks without names
finding-rank-unnamed = { $count } files have the same device at the same time, and none says of which rank it is: each is shown as a process of its own, by the order of the files. Give them names (NAME=FILE), or record after torch.distributed has begun
finding-zero-lengths-title = Ops without a length
finding-zero-lengths = { $count ->
        [one] { $count } op has no length, as a control op and an op shorter than the clock’s tick has: it is counted, and adds no time
       *[other] { $count } ops have no length, as control ops and ops shorter than the clock’s tick have: they are counted, and add no time
    }
finding-impossible-memory-title = Impossible memory figures
finding-impossible-memory = the { $count ->
        [one] allocators of { $count } op report
       *[other] allocators of { $count } ops report
    } what cannot be: more held at once than was allocated, more at the end than at the peak, or more allocated one by one than in sum. They are shown as reported: do not trust figures of memory that rest on them

## What an analysis left out

limit-graphs-not-searched-title = Graphs were not searched to the end
limit-graphs-not-searched = too many graphs alternate to find the nodes of { $many }: their inputs come from labels alone, and are inferred

limit-transfers-not-followed-title = Transfers within tasks were not followed to the end
limit-transfers-not-followed = too many ops may have made { $many } that went between devices of one task: transfers of these are missing from every list and sum

limit-inputs-not-followed-title = Inputs were not followed to the end
limit-inputs-not-followed = ops have too many inputs: those of { $many } were not followed, so that they are among no transfer’s consumers, and delays, stragglers and the order of transfers leave them out

limit-consumers-not-sought-title = Consumers of transfers were not sought to the end
limit-consumers-not-sought = too many ops may have used what went between devices of one task: the consumers of { $many } are not known, nor how long these waited after arrival

limit-stragglers-not-followed-title = Stragglers were not followed to the end
limit-stragglers-not-followed = there are too many tasks, jobs and ops to follow what every task waited for: the causes of { $many } rest on a part of it

limit-transfer-order-not-sought-title = The order of transfers was not analysed everywhere
limit-transfer-order-not-sought = there are too many tasks to find out which tensors are parameters: nothing is said of their order on { $many }

limit-variables-not-sought-title = Variables were not sought to the end
limit-variables-not-sought = too many ops may lead from gradients to the variables that they change: for { $many } it is not known to which variable they belong

limit-clocks-not-sought-title = Clocks were not compared to the end
limit-clocks-not-sought = there are too many bounds between clocks, and paths over too many tasks, to follow all of them: offsets of { $many } may be wider than need be, missing, or taken for contradicting

## What the transfers say of the clocks

clocks-no-task = no device has a task, and so there are no clocks to compare
clocks-one-task = there is one task, and so one clock
clocks-no-transfers = no tensor of a known producer went from one task to another, so nothing tells how far their clocks are apart
clocks-not-apart = none of { $transfers } tensors between tasks arrives before it is sent: nothing says that the clocks differ
clocks-apart = { $before } of { $transfers } tensors between tasks arrive before they are sent: the clocks of { $tasks } differ by { $spread }; aligning them moves { $moved }
clocks-ends-not-apart = no collective ends on one rank before it starts on another: nothing says that the clocks differ
clocks-ends-apart = { $before } times of { $transfers } a collective ends on one rank before it starts on another: the clocks of { $tasks } differ by { $spread }; aligning them moves { $moved }
clocks-ends-early = { $tensors } times of { $of } a collective ends on one rank before it starts on another.
clocks-contradicting = { $tensors } have times that contradict the others', however the clocks are set
clocks-given-up = there are too many tasks and tensors between them to find all offsets
# The first sentence where clocks differ; a button stands for it on the page
clocks-differ-align = Clocks differ by { $length }: align them
clocks-differ-not-found = Clocks differ by { $length } or more, and no offsets were found that put every tensor right
clocks-accelerator = The clocks of the accelerator and its host differ by { $length } or more
clocks-coarse-host = The clock of the host counts in steps of { $length }: what it did meanwhile is not known
clocks-many-contradict = { $tensors } of { $of } tensors between tasks have times that contradict the others’: no setting of the clocks puts them right
clocks-first = { $said }.
clocks-early = { $tensors } of { $of } tensors between tasks arrive before they are sent.
clocks-accelerator-early = { $programs } of { $of } programs end on an accelerator before its host asked for them.
clocks-coarse-host-because = { $ops } of { $of } ops of the host have no length: they are shorter than such a step.
clocks-contradict-because = A clock may have jumped while this was recorded.
clocks-withheld = What compares times of one task with those of another is withheld: it would be wrong by as much.
clocks-accelerator-withheld = What compares times of an accelerator with those of its host is withheld: it would be wrong by as much.
clocks-coarse-host-withheld = What compares times of the accelerator with those of its host is withheld: it would be wrong by up to a step.
clocks-apart-at-most = { $before } of { $transfers } tensors between tasks arrive before they are sent: the clocks of { $tasks } differ by { $spread }; aligning them moves at most { $moved }

## A choice that is none

bad-step-rule = unknown rule for steps `{ $word }`
bad-repair = unknown repair `{ $word }`
bad-op-time = ops cannot last as `{ $word }`
bad-clocks = clocks are set by `estimated` and `TASK=NS`
bad-options = what is chosen of { $name } cannot be read: { $why }
bad-answer = there is no answer `{ $name }`; ask for one of { $names }
bad-layers = a flame cannot be made of `{ $word }`, but of modules, ops, python or scopes
bad-measure = a flame cannot be as wide as `{ $word }`, but as time or gpu
bad-color-by = ops cannot be coloured by `{ $word }`
bad-arrangement = lanes cannot be arranged by `{ $word }`
bad-op-column = ops cannot be sorted by `{ $word }`
bad-transfer-column = transfers cannot be sorted by `{ $word }`
bad-time = a time is no number
bad-memory-division = memory is not divided by `{ $word }`
bad-memory-reading = unknown memory reading `{ $word }`
bad-instant = there is no such instant
bad-memory-tensor = there is no such tensor
bad-memory-account = there is no such account of memory
session-not-open = no trace is open in this session
session-finished = the session is finished already
no-such-op = the trace has no op { $op }
bad-prepared = `{ $word }` cannot be prepared

## What binds a step, from its two critical paths

path-no-time = No op of this trace took any time.
path-allowed = Dependencies alone allow { $least } of { $length }.
path-allowed-at-least = The dependencies that were recorded need at least { $least } of { $length }.
path-binds = What binds: { $what } for { $most }.
path-no-cause = { $part } of the path has no recorded cause.
length-and-share = { $length } ({ $share })
path-steps-no-ops = No step of these has any op.
path-steps-allowed = With a barrier between steps, dependencies alone allow { $least } of { $length } for { $count ->
        [one] { $count } step
       *[other] { $count } steps
    }.
path-steps-always = { $count ->
        [one] { $count } op is
       *[other] { $count } ops are
    } on the path of every step.
path-starting-on-task = the time before the first op on the task
bound-dependencies = ops that need each other’s results
bound-threads = threads that were busy while other ops were ready
bound-network = tensors on their way, or not sent yet
bound-waiting = calls that wait for what was not recorded
bound-dispatch = getting ops to run
bound-input = getting the next batch
bound-host = the host between ops
path-between-ops = between ops
bound-unexplained = nothing that was recorded

## Memory

memory-lacks-addresses = Allocations without addresses: the curve adds up their bytes. Which tensor lives how long, and who holds the peak, is not known.
memory-rests-on-records = every allocation and free that the allocators recorded for the ops; what was there before is only known as far as it was freed
memory-rests-on-tensors = the outputs of ops: each lives from the start of the op that made it to the end of the last op that read it; variables and constants live all the time
memory-rests-on-timeline = the rules of TensorFlow’s timeline.py with show_memory: whole microseconds, all devices together, and an output that is made again replaces the one before
memory-lost = timeline.py does not count { $tensors } of { $bytes }, whose name a later one has
memory-only-sums = Allocators reported sums for each op, and no allocation one by one.
memory-no-allocation = No allocation was recorded.
memory-none = No memory was recorded.
memory-option = { $missing } { $option }
memory-option-paddle = Versions of Paddle that have the flag FLAGS_enable_record_memory record it where that is set.
memory-option-xspace = TensorFlow’s and JAX’s profilers write each allocation on the host’s threads: record with host_tracer_level=2.
memory-option-chrome = A RunMetadata has every allocation: open the .pb that this file was made from. timeline.py writes outputs with show_memory=True. PyTorch’s profiler writes every allocation with profile_memory=True.
memory-option-tensorflow = TensorFlow records it with RunOptions(trace_level=RunOptions.FULL_TRACE).
memory-gradient = gradient of { $variable }

## Lengths of time in sentences

long-years = { $count } years
long-days = { $count } days
long-hours = { $count } hours
long-minutes = { $count } minutes

## Patterns and expressions of the user

bad-pattern = the pattern `{ $pattern }` is not a regular expression: { $why }
search-too-long = the pattern has { $length } bytes, more than the { $most } that are searched for
search-too-costly = the expression is too costly for the names of this trace; search for a simpler one
search-bad-expression = `{ $text }` is no regular expression that can be searched for: { $why }

## Why an op has its category

why-pattern = your pattern
why-op-type = op type
why-label = label
why-name = name
why-and-name = , name
why-within-loader = runs inside a DataLoader
why-within-iterator = runs inside an iterator
why-within-loading = runs while the program marks that it loads data
why-contains-others = contains other events
why-runs-part = runs a part of a program for which another thread waits
why-waits-for-ops = ops of other threads run meanwhile
why-nothing = by default

## Op durations

ops-last-schedule = op durations are as recorded
ops-last-gpu = ops that launched kernels last from the first kernel to the last, as timeline.py’s op_time=gpu has it
ops-last-all = ops that launched kernels last from their own start to the end of the last kernel, as timeline.py’s op_time=all has it

## Lanes of ops that no scope, thread or stream names

no-scope = no scope
phase-forward = forward
phase-backward = backward
phase-optimizer = optimizer
phase-input = input
phase-communication = communication
phase-rest = the rest
phase-forward-and-rest = forward and the rest
phase-unsaid = no phase recorded
thread-unknown = no thread
stream-number = stream { $number }
another-gpu = another GPU
dtype-number = dtype { $number }
thread-not-recorded = thread not recorded
thread-other-runs = other runs of sessions
thread-main = main
thread-number = thread { $number }

## When ops were scheduled and run

scheduling-nothing = Nothing in this trace says when ops were scheduled, or launched.
scheduling-a-device = a device
scheduling-devices = { $count } devices that share threads
scheduling-at-once = On { $place }, at most { $most } ran at once; for { $queued } of the step at least one op was scheduled and had not started.
scheduling-as-many-as-ever = For { $part } of that, the most ops ran that ever ran at once; the number of threads was not recorded.
scheduling-cannot-be-all = There must be more than { $threads }: { $most } ran at once.
scheduling-starved = With { $threads }, ops were starved for { $part } of that.
scheduling-busiest-stream = The busiest stream was empty for { $empty } between kernels: for { $host } the next kernel was not launched yet.
scheduling-part-wait = wait: from the last input to the scheduling
scheduling-part-queue = queue: from the scheduling, or the launch, to the start
scheduling-part-set-up = set-up: from the start to the kernel’s start
scheduling-part-kernel = kernel
scheduling-part-tear-down = tear-down: from the kernel’s end to the end

## Kernels

## Pictures

picture-view = Timeline
picture-split = Where the time of each device went
picture-waterfall = What the step spent its time on
picture-matrix = Traffic between places
picture-memory = Memory in use
picture-critical-path = Critical path
picture-comparison = Where the difference comes from
picture-no-difference = Both steps take the same time, and nothing on their paths differs.
picture-longer = longer in B
picture-shorter = shorter in B
picture-more-files = { $count ->
        [one] and { $count } more file
       *[other] and { $count } more files
    }
picture-step = step { $step }, one of { $steps }
picture-steps = { $count ->
        [one] { $count } step
       *[other] { $count } steps
    }
picture-window = { $from } to { $to } of { $step }
picture-time = time ({ $unit })
picture-share = share of { $length } (%)
picture-part = { $name } { $share }
picture-mean = mean of { $count }
picture-others = others
picture-all-devices = all devices
picture-whole-path = whole path
picture-peak = peak { $bytes }
picture-from-to = bytes from each row to each column
picture-no-room = Figures that do not fit their cells are left out; the strongest one has { $most }.
picture-more-devices = { $count ->
        [one] { $count } more device is not shown.
       *[other] { $count } more devices are not shown.
    }
picture-more-places = { $count ->
        [one] { $count } more place with fewer bytes is not shown; the sums count it.
       *[other] { $count } more places with fewer bytes are not shown; the sums count them.
    }
picture-more-accounts = { $count ->
        [one] { $count } more allocator with a lower peak is not shown.
       *[other] { $count } more allocators with lower peaks are not shown.
    }
picture-no-ops = Nothing ran on these devices in this window.
picture-no-path = There is no path to show: no op of this window has a length.
picture-no-transfers = No transfer between devices was recorded in this window.
picture-no-memory = Nothing was recorded from which the memory in use could be known.
