## Two traces compared: the answer

compare-same = Both steps take { $a }.
compare-longer = B takes { $difference } ({ $share }) longer than A: { $b } instead of { $a }.
compare-shorter = B takes { $difference } ({ $share }) less than A: { $b } instead of { $a }.

## Two traces compared: bars of the waterfall

compare-bar = { $part } of the { $whole }: { $what }
compare-bar-against = { $part } the other way: { $what }
compare-bar-longer = { $part } longer: { $what }
compare-bar-shorter = { $part } shorter: { $what }
compare-hidden = ({ $hidden } more were hidden behind other work)
compare-named-op = { $op } ({ $op_type })
compare-named-scope = { $op_type } in { $scope }
compare-op = { $what } takes { $ratio } times as long on { $device }
compare-op-path = { $what } on { $device } takes { $b } of B’s path, and { $a } of A’s
compare-link = transfers from { $source } to { $destination } take { $ratio } times as long
compare-link-path = transfers from { $source } to { $destination } take { $b } of B’s path, and { $a } of A’s
compare-gone = { $what } on { $device } is gone
compare-new = { $what } on { $device } is new
compare-wait = waiting of ops on { $device } ({ $kind }): { $b } in B, { $a } in A
compare-wait-of = waiting of { $op } on { $device } ({ $kind }): { $b } in B, { $a } in A
compare-batch = ops whose batch has { $to } instead of { $from } rows take { $b } of B’s path, and { $a } of A’s
compare-clocks = the clocks of tasks differ, so that nothing says where the difference comes from
compare-rest = { $count ->
    [one] another cause
   *[other] { $count } other causes
}

## Two traces compared: why not

compare-of-a = A
compare-of-b = B
compare-only-in-a = only A has { $what }
compare-only-in-b = only B has { $what }
compare-more-devices = { $count } more
compare-not-clocks = The clocks of tasks differ ({ $said }): what the step waited for is not known.
compare-still-clocks = Durations of ops, op types and devices can be compared. Align the clocks with --clocks estimated for the rest.
compare-not-graph = Not the same graph: { $share } of the ops have a partner in the other trace.
compare-still-graph = The ops that have a partner can be compared; for the others the waterfall says that they are new or gone.
compare-not-batch = Not the same batch: { $a } rows in A, { $b } in B, at { $count } ops.
compare-still-batch = Ops that do not depend on the batch can be compared. Those that do are one bar of the waterfall.
compare-not-devices = Not the same devices: { $said }.
compare-still-devices = The devices that both have can be compared.
compare-not-tracing = Not the same was recorded: { $said }. Recording more takes longer.
compare-still-tracing = Names and counts of ops can be compared, and differences that are much larger than the cost of recording.
compare-not-transfers = Transfers to some devices are in one trace only: { $said }.
compare-still-transfers = Ops can be compared. What those devices waited for is known in one trace only.
compare-not-steps = Not as many steps: { $a } in A, { $b } in B.
compare-still-steps = Medians over the steps can be compared. Choose one step of each with --step.
compare-recorded-graphs = graphs
compare-recorded-scheduling = times of scheduling
compare-recorded-shapes = outputs with their shapes
compare-recorded-kernels = kernels of accelerators
compare-recorded-host-profiler = the host profiler
compare-recorded-frames = Python frames
compare-recorded-memory = allocations

## Two traces compared: steps

compare-steps-few = ~ Nothing can be said of what varies from step to step: that takes { $least } steps a side, and A has { $a }, B has { $b }.
compare-steps-differ = The steps differ: median { $median_a } of { $a } steps in A, { $median_b } of { $b } in B (p { $p }).
compare-steps-vary = ~ The steps do not differ by more than they vary: median { $median_a } of { $a } steps in A, { $median_b } of { $b } in B (p { $p }).

## Two traces compared: aligned at an op

compare-aligned = Of the difference, { $before } come before { $op } begins, and { $after } after that.
compare-align-not-found = A has no op “{ $name }”. Give the name of an op as steplens ops shows it.
compare-align-no-partner = no op “{ $name }” of A has a partner in B. Give one that both have.

## Steps against a baseline

check-not-judged = ~ Not judged: that takes { $least } steps a side. The baseline has { $a }, and { $b } are checked. Record more steps.
check-regressed = The steps take { $by } longer than the baseline’s: median { $b } instead of { $a }. { $allowed } are allowed.
check-varies = The steps do not differ from the baseline’s by more than they vary: median { $b }, the baseline’s { $a }.
check-slower-within = The steps take { $by } longer than the baseline’s: median { $b } instead of { $a }. That is within the { $allowed } that are allowed.
check-faster = The steps take { $by } less than the baseline’s: median { $b } instead of { $a }.

## Two traces compared: an op and its partner

compare-pair-same = In B { $b }, in A { $a }: no change.
compare-pair-times = In B { $b } instead of { $a }: { $ratio } times as long.
compare-pair-called = In B it is called { $name }.
compare-pair-only-a = Only A has it: { $a }.
compare-pair-only-b = Only B has it: { $b }.
