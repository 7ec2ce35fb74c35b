### What only the program says: titles, columns, notes and failures of its commands. Syntax: Fluent (projectfluent.org).
###
### Rust says these: say!("ops-longest-ops"). What the page says, too, is in findings.ftl, problems.ftl and errors.ftl.

## Columns of tables

title-wait = wait
title-queue = queue
title-set-up = set-up
title-kernel = kernel
title-tear-down = tear-down
title-at-the-most = while most ran
title-most-queued = max queued
title-tiny = tiny
title-in-a-row = in a row
title-between = between
title-cost = cost
title-of-all-ops = of all ops
title-stream = stream
title-kernel-name = kernel
title-occupancy = occupancy
title-flop = FLOP
title-flop-rate = FLOP/s
title-of-peak = of peak
title-byte-rate = bytes/s
title-work-known = known
title-grid = grid
title-block = block
title-registers = registers
title-shared = shared
title-launched-by = launched by
title-kernels = kernels
title-counter = counter
title-series = of
title-values = values
title-lowest = lowest
title-highest = highest
title-full = full for
title-queue-p50 = queue p50
title-gaps = gap time
title-host = host
title-other-stream = other stream
title-between-ops = between ops
title-launching-late = launching late
title-other-rank = other rank
title-nothing-queued = nothing queued
title-starting = starting
title-no-cause = no cause
title-task = task
title-ahead-by = ahead by
title-at-least = at least
title-at-most = at most
title-set-to = set to
title-drift-ppm = drift ppm
title-transfers = transfers
title-from = from
title-to = to
title-too-early = too early
title-by-up-to = by up to
title-afterwards = afterwards
title-time = time
title-share = share
title-segments = segments
title-longest = longest
title-of = longest op
title-at = at
title-length = length
title-device = device
title-op = op
title-behind = after op
title-earlier = could run earlier by
title-file = file
title-format = format
title-size = size
title-ops = ops
title-problems = problems
title-allocator = allocator
title-peak = peak
title-there-before = there before
title-beyond = beyond
title-at-the-end = at the end
title-tensors = tensors
title-bytes = bytes
title-count = count
title-since = since
title-until = until
title-shape = shape
title-ends-at = ends at
title-devices = devices
title-waiting = waiting
title-last-to-arrive = last to arrive
title-later-by = later by
title-operation = operation
title-of-collectives = of collectives
title-group = group
title-rank = rank
title-last-rank = last rank
title-later-by-mean = later by
title-at-the-most-later = at the most
title-in-all = in all
title-communication = communication
title-hidden = hidden
title-exposed = exposed
title-of-the-span = of the span
title-idle-before-send = idle before send
title-longest-wait = longest wait
title-for = waited for
title-speed = speed
title-p50 = p50
title-p99 = p99
title-busy = busy
title-of-step = of step
title-largest = largest
title-parameters = parameters
title-inverted = inverted
title-of-pairs = of pairs
title-overlap-lost = overlap lost
title-step = step
title-steps = steps
title-in-step = in step
title-static = static
title-most-is = mostly
title-last = last
title-after-the-next = later than the next
title-after-the-median = after the median
title-root-cause = root cause
title-this-op = this op
title-its-peers = its peers
title-waited = waited
title-waited-after = after arrival
title-delay = delay
title-tensor = tensor
title-op-type = op type
title-total = total
title-mean = mean
title-start = start
title-duration = duration
title-queued = queued
title-output = output
title-name = name
title-number = number
title-starts = starts
title-compute = compute
title-exposed-comm = exposed comm.
title-idle = idle
title-pause-before = pause before
title-deviation = deviation
title-least = least
title-most = most
title-input-exposed = input*
title-copy-exposed = copy*
title-comm-exposed = comm.*
title-launch-exposed = launch*
op-types-on-accelerators = on accelerators
op-types-on-hosts = on hosts
title-allocation-exposed = alloc.*
title-waiting-exposed = waiting*
title-received = received
title-sent = sent
title-lanes = lanes
title-arrived = arrived
title-transit = transit
title-kind = kind
title-self = self

## Clocks that differ, said first

program-clocks-align = the option { $option } aligns them; steplens clocks shows how far each is off
program-clocks-by-hand = steplens clocks shows what is known of each; { $option } sets one by hand
program-clocks-as-recorded = below are times as recorded, each by its own task’s clock; communication from a task with another clock is too long or too short

## steplens clocks

clocks-ahead-of = how far ahead of { $reference }
clocks-no-tasks = no device has a task
clocks-violations = { $count ->
        [0] no tensor arrives before it is sent
        [one] { $count } tensor arrives before it is sent
       *[other] { $count } tensors arrive before they are sent
    }, { $after } with these offsets subtracted
clocks-violations-ends = { $count } times a collective ends on one rank before it starts on another, { $after } with these offsets subtracted
clocks-drift-range = { $best } ({ $low } to { $high })
clocks-one-way = tensors went one way only
clocks-no-tensor = no tensor went between it and the others
clocks-drift-subtracted = drift subtracted
clocks-no-steady-drift = no steady drift
clocks-title = clocks

## steplens critical-path

critical-path-by-op-type = by op type
critical-path-by-name-scope = by name scope
critical-path-by-frame = by Python frame
critical-path-by-device = by device
critical-path-observed-about = the observed path: from the last end back to what each op waited for last
critical-path-observed = what the step waited for
critical-path-segments = longest segments
critical-path-segments-about = --csv has all of them, in their order
critical-path-behind-more = { $op } and { $ops }
critical-path-static-about = by dependencies alone, without waiting; the longest ops of it
critical-path-static = static path: { $length }
critical-path-near = { $ops } within 1 % of the step of this path
critical-path-near-and-next = { $near }; the path that shares least with it takes { $length }, { $outside } of it elsewhere
critical-path-graph = { $nodes } and { $edges }: { $kinds }
critical-path-inferred = { $kind } (inferred)
critical-path-partly-inferred = { $kind } ({ $count } inferred)
edge-kind-data = data
edge-kind-control = control
edge-kind-transfer = transfer
edge-kind-launch = launch
edge-kind-sync = sync
edge-kind-event = event
edge-kind-other-stream = other stream
edge-kind-handover = other thread
edge-kind-stream = stream
edge-kind-thread = thread
edge-kind-link = link
edge-kind-room = room on the GPU
edge-kind-cut = cut
critical-path-backward = { $edges } go back in time and are counted from the start of their effect; the largest by { $most }, from { $from } to { $to }
critical-path-cut = { $edges } not counted, to break cycles
critical-path-without-edges = { $ops } without edges, because others have too many inputs
critical-path-threads-recorded = TensorFlow’s host profiler recorded the thread of { $recorded } of { $ops } ops; those of the others are inferred
critical-path-threads = executor threads are inferred: { $row } of { $all } neighbours that were scheduled together ran in a row
path-steps = steps
path-steps-about = each step alone: its span, and what dependencies alone allow
path-steps-ops = ops by the number of steps that have them on the path
path-steps-ops-about = the share of a step is the median over those whose path has the op
path-steps-count = { $steps } of { $all }
more-all-or-limit = and { $more }: --all shows every one, --limit N some

## steplens doctor

more-not-shown = and { $more }

## steplens headline

headline-step = step { $number } alone, one of { $all }; steplens steps lists them
headline-before = what ran before the first step alone; steplens steps lists the steps
headline-repaired = repaired: { $words }; figures of { $devices } and of the step are not what was recorded
headline-nothing-to-repair = nothing to repair: { $words }
headline-doctor = { $title } ({ $code }): figures rest on it; steplens doctor says more
headline-doctor-repair = { $title } ({ $code }): figures rest on it; --repair { $code } would { $repair }
headline-by-tensors = by the tensors and collectives between tasks
headline-by-tensors-and-hand = by the tensors and collectives between tasks, and { $tasks } by hand
headline-by-hand = by hand, of { $tasks }
headline-clocks-agree = the clocks of tasks agree: nothing to align
headline-clocks-set = clocks set { $how }; steplens clocks lists them

## steplens memory

memory-nothing-for = This trace does not record { $reading }.
memory-all-devices = all devices
memory-not-named = (not named)
memory-by-reading = memory by { $reading }
memory-rests-on = It rests on { $rests_on }.
memory-reading-records = allocation records
memory-reading-tensors = lifetimes through the data flow
memory-reading-timeline = what timeline.py counts
memory-frees-alone = memory was freed { $count ->
        [one] { $count } time
       *[other] { $count } times
    } without an allocation that was recorded: what that gave back counts as there before
memory-sums-too-large = { $count ->
        [one] { $count } sum
       *[other] { $count } sums
    } beyond what is kept: the curve stops at the largest number
memory-ops-without-inputs = { $count ->
        [one] { $count } op
       *[other] { $count } ops
    } whose inputs were not followed, because there are too many
memory-alive-at-peak = alive at the peak of { $device }
memory-peak-by = { $bytes }, by { $reading }
memory-op-type = op type
memory-name-scope = name scope
memory-besides-outputs = { $name } (needed besides its outputs)
memory-holders = what keeps it alive
memory-holders-about = bytes that are alive at least until this op has ended

## steplens network-collectives

collectives-about = waiting: until the last participant arrived, of the time of all together
collectives-time = { $length } in all
collectives-waited = { $length } of it waiting
collectives-came-last = { $device } was last in { $count }
collectives-unknown = participants of { $count } not known
collectives-without-files = in { $count } the files of some ranks are not open: how long they were waited for is not known

## steplens network-devices

communication-about = exposed: while the device neither computed nor copied

## steplens network-links

network-links-about = speed: bytes over the time with a transfer in transit; p50, p99: of times in transit
network-links-more = and { $links }: --json has every one
network-links-untimed = times are unknown for { $transfers }
network-links-peaks = max over { $window }: { $rate } at { $at }; max { $transfers } at once, at { $flight_at }
network-copies-about = between GPUs and their host, and within GPUs
network-copies-without-bytes = where no bytes are shown, only the direction was recorded

## steplens network

network-more = and { $more }: --limit N shows more, --json lists the most important { $most }
network-more-all = and { $more }: --limit N shows more, --json has every one
network-waits-title = waits
network-ready-title = ranks
network-ready-about = last: ready last when a tensor was negotiated; later by: than the rank before it
network-ready-times = { $times } of { $of }
network-collectives-title = collectives
network-stragglers-title = stragglers
network-links-title = links
network-copies-title = copies
network-all-places = all

## steplens network-order

network-order-about = parameters that arrived in another order than ops need them, and what the better order would gain
network-order-title = transfer order
network-order-inversion = { $user } waited { $length } for { $late }, which arrived after { $early } and { $others } that are needed later
network-order-no-producers = the producers of its tensors were not recorded
network-order-no-consumers = the consumers of its tensors are not known
network-order-too-many-tasks = too many tasks to find its parameters
network-order-too-few = fewer than two parameters arrived

## steplens network-stragglers

straggler-about = who came last among its peers, to the end or to a collective, and the root cause
straggler-often = { $task }: { $times } of { $total }
straggler-part-before = no recorded cause
straggler-part-ran = ops ran
straggler-part-waited = ops waited to run
straggler-part-queued = tensors were queued
straggler-part-transit = tensors were in transit
straggler-path-about = the path to its end ({ $links }): { $parts }
straggler-finished-last = { $task } came last, { $after } ({ $share } of the span) after { $next }
straggler-finished-last-of-many = { $task } came last, { $after } ({ $share } of the span) after { $next }, { $behind } after the median of its peers
straggler-input-late-from = the input { $input } from { $from } of { $op } arrived { $late } later than at its peers
straggler-with-peers = { $said } (its peers: { $usual })
straggler-started-late = started late
straggler-took-long = took long
straggler-input-late = input arrived late
straggler-scheduled-late = scheduled late
straggler-started-late-about = { $op } started late: its inputs were there { $own } before it started
straggler-took-long-about = { $op } took { $own }
straggler-input-late-about = the input { $input } of { $op } arrived { $late } later than at its peers
straggler-scheduled-late-about = { $op } was scheduled { $late } later than on its peers

## steplens op

op-thread = thread
op-runs-for = runs for
op-self-time = self time
op-kernels = kernels
op-gpu-time = GPU time
op-calculates = calculates
op-of-peak = of the peak
op-moves = reads and writes
op-work-at = { $amount } at { $rate }
op-work-known-by = known by
op-work-recorded = the profiler
op-work-by-shapes = shapes of tensors
op-launched-by = launched by
op-inside-of = inside of
op-after = after
op-label = as recorded
op-also-recorded = Also recorded
op-more-frames = and { $count } more
failure-no-such-op = there is no op { $op }: give its number or its name, as steplens ops shows it

## steplens findings

## steplens network-waits

network-waits-about = who waited for which tensor; idle before send: it was not sent yet
network-tracer-terms = in the terms of tensorflow-tracer: { $figures }
tensor-is-gradient = { $name } (gradient)
network-tensors-about = over all steps and destinations; the longest waits first

## steplens op-types

op-types-heading = op types
op-types-by-own-time = by summed time of their own, without what they contain; total has that, too
op-types-by-time = by summed time; ops that run at the same time count each
op-types-sum-only = { $sum } of { $name } is a sum over ops that ran at the same time
op-types-sum = { $sum } of { $name } is a sum over ops that ran at the same time: at least one of them ran for { $any }
op-types-more = and { $more } of the summed time

## steplens ops

ops-by-duration = longest ops
ops-by-start = earliest ops
ops-by-queue = ops that waited longest in the queue
ops-by-bytes = ops with the largest outputs
ops-by-name = ops by name

## steplens report

report-no-place = steplens.html has no place for the data of a trace. Build the single-file page with `cargo xtask dist`.
report-no-op = there is no op to write
redaction-incomplete = “{ $word }” of the original is still in the redacted page, so that nothing was written. Include its kind, and please report this. [redaction-incomplete]
redaction-bad-key = { $name } is no key of a redaction. Give 32 hexadecimal digits.

## steplens steps

steps-exposed-input = exposed input
steps-exposed-copy = exposed copy
steps-exposed-communication = exposed communication
steps-exposed-launch = exposed launch
steps-exposed-allocation = exposed allocation
steps-exposed-waiting = only waiting
steps-and-before = { $steps }, and what ran before the first
steps-and-others = { $steps }, and { $count ->
        [one] { $count } run
       *[other] { $count } runs
    } of other graphs
steps-about = the mean of the accelerators, or of all devices; * stands out by its length
steps-ended-by = { $steps }, each to the end of { $range }
steps-recording = 1 recording, whose steps nothing marks
steps-usual = what is usual
steps-usual-about = over the steps that have ops

## steplens summary

summary-mean-of-devices = the mean of { $devices }
summary-mean-of-accelerators = the mean of { $accelerators }
summary-mean-of-computing = the mean of { $count } of { $all } accelerators; the others only copy
summary-only-device = its only device
summary-only-accelerator = its only accelerator
summary-the-step = the step
summary-the-recording = the whole recording
summary-all-steps = all steps
summary-hidden = of { $length }; { $share } hides behind compute
summary-any-device = any device at all: compute { $compute }, exposed communication { $communication }, idle { $idle }
summary-no-work = no work
summary-no-task = no task
summary-exposed-about = * exposed: while nothing in a column to the left of it runs
summary-streams-about = memcpy and stream:all repeat ops of a GPU’s streams: each op counts once
summary-over-time = over time
summary-over-time-about = each mark is what took most of its slice of the step
summary-any = any

## steplens transfers

transfers-links-about = busy: at least one transfer under way; speed: bytes over that time
transfers-by-bytes = largest transfers
transfers-by-transit = longest transfers
transfers-by-queue = transfers queued longest before they were sent
transfers-by-wait = transfers that waited longest after arrival
transfers-by-delay = transfers that delayed ops most
transfers-by-arrival = earliest transfers
transfers-by-waited = transfers that devices waited for longest
transfers-of-gradient = gradient
transfers-of-value = value
transfers-joined-to-one-of-several = whose producer is one of several
transfers-joined-by-graph = joined to their producer by the partition graphs
transfers-joined-by-name = joined to their producer by name

## steplens failure

failure-output = the output cannot be written: { $why }
failure-not-there = no such file or folder
failure-no-permission = no permission

## steplens folder

folder-not-read = { $folder } cannot be read: { $why }
folder-too-many = { $shown } holds more than { $max_files } { $what }. Give the folder that the traces are in.
folder-empty = { $shown } is an empty folder. Give the folder that the traces are in.

## steplens input

input-twice = standard input (-) can be read once only. Give it once.
input-opening = cannot be opened
input-reading = cannot be read further than byte { $at }
input-failed = { $name } { $doing }: { $why }

## steplens opening

option-unusable = --{ $name }: { $why }
option-word = `{ $word }` is not known. Give one of { $words }.
option-range = { $value } is not from { $from } to { $to }. Give a number in between.
option-step = there is no step { $place }. Give one of 1 to { $steps }, as `steplens steps` lists them.
option-over-steps = `{ $text }` names no steps. Give all, or FIRST..LAST such as 3..8.
option-step-without-ops = of step { $place } nothing was recorded but that it ran. Give one that has ops, as `steplens steps` lists them.
option-clocks = `{ $word }` is no setting. Give recorded, estimated or TASK=OFFSET such as /job:worker/replica:0/task:2=-12.5ms.
option-clocks-task = the task `{ $task }` has no ops. Give one that `steplens clocks` lists.
folder-without-traces = None of the { $files } files in { $folders } is a trace. The first: { $why }
option-max-step = `{ $text }` is no length of time. Give one such as 300ms or 1.5s.
option-max-exposed-communication = `{ $text }` is no share. Give one such as 20% or 12.5%.
picture-two-traces = a comparison is drawn of two traces: steplens picture A B --of comparison -o OUT.
option-max-regression = `{ $text }` is no share. Give one such as 5% or 2.5%.
option-max-growth = `{ $text }` is no share. Give one such as 5% or 150%.
check-without-limit = nothing to check. Give --max-step LENGTH, --max-exposed-communication SHARE, or --baseline BASE.
check-title = steplens check
check-limit-exceeded = { $name }: at most { $allowed } are allowed, and the largest is { $worst } (steps over: { $over })
check-waterfall-about = between the steps with the median length; the bars add up to their difference
check-new-findings = What would help now
check-new-findings-about = and would not have helped in the baseline
check-baseline = baseline
check-now = now
check-growth = growth
baseline-written = { $count ->
        [one] wrote { $path }, { $size }, of { $count } step
       *[other] wrote { $path }, { $size }, of { $count } steps
    }
baseline-few-steps = a baseline of so few steps cannot judge: it has { $count }. Record at least { $least }.
baseline-many-steps = the time of op types is kept for { $most } of the steps at most; the lengths of all are kept.
baseline-damaged = the figures of steps in { $name } cannot be read. Make the baseline again with steplens baseline.
check-passed = every step keeps the limits
check-failed = a limit is exceeded
check-unjudged = the steps cannot be judged
check-step-length = length of the step
check-exposed-communication = exposed communication
check-no-step = none
check-steps-and-more = { $steps } and { $more } more
title-allowed = allowed
title-steps-over = steps over
option-window = `{ $window }` is no window of time. Give START..END such as 10ms..20ms, 40%..60%, 1.5s.. or ..800us.
option-window-end = `{ $window }` ends before it starts. Give an end after the start.
option-window-input = standard input can be read only once, as can bytes and open files, and the first start must be known before; write it to a file first

## steplens page

page-not-read = { $path }, which STEPLENS_PAGE names, cannot be read: { $why }. Name the single-file page.
page-not-found = { $file } is neither in the program nor next to it. Build the single-file page with `cargo xtask dist`.

## steplens names

task-with-replica = { $name } { $number }, replica { $replica }

## steplens doctor

doctor-nothing = nothing found
doctor-clocks-set = set, as --clocks asked
doctor-clocks-would = --clocks estimated would { $repair }
doctor-repaired = repaired, as --repair asked
doctor-repair-would = --repair { $code } would { $repair }

headline-in-tasks = { $devices } in { $tasks }
headline-without-sender = { $transfers } without a known sender
headline-of-doctor = { $count ->
        [one] { $count } finding of the doctor
       *[other] { $count } findings of the doctor
    }
headline-of-unknown-size = { $transfers } of unknown size
opening-less = --devices REGEX opens some of the devices, --window START..END a window of time
files-without-traces = and { $files } without a trace
no-communication = No op of this trace communicates.
no-transfers = This trace has no transfer between devices.
export-backwards = { $transfers } without an arrow: by these clocks the receiver began before the producer; --clocks estimated sets the clocks by the tensors
export-inputs-backwards = { $edges } left out: by these clocks the maker began after its reader; --clocks estimated sets the clocks by the tensors
export-loses-categories = not written: the categories of { $ops }; when the file is opened, names alone decide them
export-loses-calls = not written: which call launched { $ops }
export-loses-devices = not written: what the format says of { $devices } (accelerators, nested ops)
export-loses-runs = not written: names, numbers and dates of { $steps }
export-cuts-times = cut to whole microseconds: the times of { $allocations }
output-not-written = { $path } cannot be written: { $why }
output-over-input = { $path } is an input. Give the output another name.
export-progress = written: { $size }
input-progress = read: { $read }
input-progress-of = read: { $read } of { $of }
man-no-command = there is no command { $name }. Give one of { $commands }.
export-written = wrote { $path }, { $size }
report-written = wrote { $path }, { $size }: open it in any browser
memory-no-name = (none)
memory-tensor = tensor
memory-shape = shape
memory-variable = variable

## Counts with their nouns

program-accelerators = { $count ->
        [0] no accelerator
        [one] { $count } accelerator
       *[other] { $count } accelerators
    }
program-allocations = { $count ->
        [0] no allocation
        [one] { $count } allocation or free
       *[other] { $count } allocations and frees
    }
program-collectives = { $count ->
        [0] no collective
        [one] { $count } collective
       *[other] { $count } collectives
    }
program-devices = { $count ->
        [0] no device
        [one] { $count } device
       *[other] { $count } devices
    }
program-edges = { $count ->
        [0] no edge
        [one] { $count } edge
       *[other] { $count } edges
    }
program-nodes = { $count ->
        [0] no node
        [one] { $count } node
       *[other] { $count } nodes
    }
program-ops = { $count ->
        [0] no op
        [one] { $count } op
       *[other] { $count } ops
    }
program-others = { $count ->
        [0] no other
        [one] { $count } other
       *[other] { $count } others
    }
program-problems = { $count ->
        [0] no problem
        [one] { $count } problem
       *[other] { $count } problems
    }
program-steps = { $count ->
        [0] no step
        [one] { $count } step
       *[other] { $count } steps
    }
program-stragglers = { $count ->
        [0] no straggler
        [one] { $count } straggler
       *[other] { $count } stragglers
    }
program-streams = { $count ->
        [0] no stream
        [one] { $count } stream
       *[other] { $count } streams
    }
program-tasks = { $count ->
        [0] no task
        [one] { $count } task
       *[other] { $count } tasks
    }
program-tensors = { $count ->
        [0] no tensor
        [one] { $count } tensor
       *[other] { $count } tensors
    }
program-transfers = { $count ->
        [0] no transfer
        [one] { $count } transfer
       *[other] { $count } transfers
    }

program-more-collectives = { $count ->
        [0] no more collective
        [one] { $count } more collective
       *[other] { $count } more collectives
    }
program-more-devices = { $count ->
        [0] no more device
        [one] { $count } more device
       *[other] { $count } more devices
    }
program-more-files = { $count ->
        [0] no more file
        [one] { $count } more file
       *[other] { $count } more files
    }
program-more-links = { $count ->
        [0] no more link
        [one] { $count } more link
       *[other] { $count } more links
    }
program-more-ops = { $count ->
        [0] no more op
        [one] { $count } more op
       *[other] { $count } more ops
    }
program-more-candidates = { $count ->
        [0] no more candidate
        [one] { $count } more candidate
       *[other] { $count } more candidates
    }
program-more-op-types = { $count ->
        [0] no more op type
        [one] { $count } more op type
       *[other] { $count } more op types
    }
program-more-rows = { $count ->
        [0] no more row
        [one] { $count } more row
       *[other] { $count } more rows
    }
program-more-segments = { $count ->
        [0] no more segment
        [one] { $count } more segment
       *[other] { $count } more segments
    }
program-more-steps = { $count ->
        [0] no more step
        [one] { $count } more step
       *[other] { $count } more steps
    }
program-more-tasks = { $count ->
        [0] no more task
        [one] { $count } more task
       *[other] { $count } more tasks
    }
program-more-tensors = { $count ->
        [0] no more tensor
        [one] { $count } more tensor
       *[other] { $count } more tensors
    }
program-more-transfers = { $count ->
        [0] no more transfer
        [one] { $count } more transfer
       *[other] { $count } more transfers
    }
program-more-waits = { $count ->
        [0] no more wait
        [one] { $count } more wait
       *[other] { $count } more waits
    }

bar-range = range

## steplens kernels

title-gpu-self = GPU self
title-gpu-total = GPU total

## steplens counters

## steplens scheduling

option-tiny = `{ $text }` is no length of time. Give one such as 10us or 1ms.
scheduling-parts-about = summed: from ready to scheduled, to start, to the kernel, its end, the op’s end
scheduling-part-not-recorded = not recorded: { $part }
scheduling-ops-contradicted = { $ops } scheduled over 1 µs before the last input ended, as recorded: no wait is known
scheduling-network-left-out = { $ops } of the network left out: steplens transfers and steplens network have them
scheduling-programs-left-out = { $ops } called directly by threads of the program left out: no executor schedules them
scheduling-threads-about = ops at work at once, and the time when at least one more was scheduled and had not started
scheduling-threads-unknown = how many threads there are was not recorded: --threads N says it
scheduling-threads-given = { $threads }, as given
scheduling-too-few = there must be more than { $threads }: { $ops } ran at once
scheduling-tiny = ops shorter than { $length }
scheduling-tiny-about = cost: their length, and the time between them and the ops before them, up to 0.1 ms each
scheduling-streams-about = from launch to start; and what each gap between kernels waited for
scheduling-longest-about = from scheduling, or launch, to start; --csv has every op
scheduling-longest = queued longest

scheduling-together = { $devices } together
scheduling-threads = threads
scheduling-streams = streams
scheduling-gpus = idle time of GPUs
scheduling-gpus-about = what each idle moment waited for; while only a collective ran, a GPU counts as idle
title-starved = starved
program-threads = { $count ->
        [0] no thread
        [one] { $count } thread
       *[other] { $count } threads
    }
program-more-streams = { $count ->
        [0] no more stream
        [one] { $count } more stream
       *[other] { $count } more streams
    }

## Pictures

picture-ending = { $path }: a picture ends in .svg or .png
picture-too-large = the picture would have more pixels than anyone can print: choose a smaller width or scale, or SVG
picture-not-drawn = the picture could not be drawn: { $why }
picture-no-font = neither the program nor this machine has a font with “{ $char }”, which is drawn as a box: install one, or write SVG with texts
picture-no-device = no device’s name matches { $pattern }

what-if-parts = What the step waits for
what-if-parts-about = along the critical path, before and after the changes
what-if-table = What would help
what-if-table-about = how much shorter the step would be if each of these took less time
title-before = before
title-after = after
title-on-path = on the path

findings-not-judged = Not judged
findings-not-judged-about = rules that could not be used, each with what is missing in this trace
finding-look-at = look at { $op }
finding-try = try: steplens what-if { $command }
findings-more = All of them: steplens findings

findings-title = What would help
findings-title-about = what saves most first, and a cause before its effects

## Two traces compared

option-compare-step = “{ $text }” is no step: give a number from 1, or two with a comma, as in 2,5; groups of steps as in 1..8,9..16
compare-no-such-steps = there is no step { $step }; { $count } were opened
compare-findings-title = What would help
compare-findings-about = in one of them only
compare-finding-new = new in B: { $what }
compare-finding-gone = gone in B: { $what }
compare-waterfall-title = Where the difference comes from
compare-waterfall-about = by replays with the lengths of the other step; the bars add up to the difference
compare-matches-title = Ops
compare-matches-about = which op of A is which of B
compare-matches = { $exact } are the same by name, type and shapes; { $renumbered } by name without numbers or shapes; { $structural } by what lies around them; { $edited } by their place in a scope. Only A has { $a }, only B has { $b }.
compare-retyped = { $count ->
    [one] { $count } has another type, under which a library carries out the same work: it is compared by name.
   *[other] { $count } have another type, under which a library carries out the same work: they are compared by name.
}
compare-reshaped = { $count } of the pairs have other shapes.
compare-not-aligned = { $count } of the ops without a partner lie in scopes too large to be aligned.
compare-types-title = Op types
compare-types-about = self time in both, by how much it differs
compare-links-title = Links
compare-links-about = time in transit in both, by how much it differs
compare-memory-title = Memory
compare-memory-about = peaks in both, by how much they differ
compare-steps-title = Steps
compare-steps-about = whether all steps differ, or only vary
compare-nothing = no difference
compare-more-rows = { $count ->
        [0] no more row
        [one] { $count } more row
       *[other] { $count } more rows
    }
title-compare-count = ops
title-compare-total = in all
title-compare-type = op type
title-compare-alone = without a partner
title-compare-difference = B - A
title-compare-ratio = B / A
title-compare-link = link
title-compare-allocator = allocator
