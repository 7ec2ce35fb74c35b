## Two traces compared: the answer

compare-same = Both steps take { $a }.
compare-longer = B takes { $difference } ({ $share }) longer than A: { $b } instead of { $a }.
compare-shorter = B takes { $difference } ({ $share }) less than A: { $b } instead of { $a }.
compare-mostly-rest = No op that takes longer or less explains most of that ({ $rest }): ops ran in another order or at other times, and what was recorded does not say why.

## Two traces compared: bars of the waterfall

compare-on = { $what } on { $device }
compare-named-op = { $op } ({ $op_type })
compare-named-scope = { $op_type } in { $scope }
compare-other-ops = { $op_type } (other ops)
compare-op-longer = { $what } takes { $difference } longer: { $b } instead of { $a }.
compare-op-shorter = { $what } takes { $difference } less: { $b } instead of { $a }.
compare-op-longer-times = { $what } takes { $difference } longer: { $b } in { $count_b } runs instead of { $a } in { $count_a }.
compare-op-shorter-times = { $what } takes { $difference } less: { $b } in { $count_b } runs instead of { $a } in { $count_a }.
compare-op-mixed = { $what }: some ops take { $more } longer, others { $less } less.
compare-other-type = The op type is { $a } in A, and { $b } in B.
compare-collective = Waiting for other ranks is part of that.
compare-link-longer = Transfers from { $source } to { $destination } take { $difference } longer: { $b } instead of { $a }.
compare-link-shorter = Transfers from { $source } to { $destination } take { $difference } less: { $b } instead of { $a }.
compare-link-mixed = Transfers from { $source } to { $destination }: some take { $more } longer, others { $less } less.
compare-link-bytes = They carry { $b } instead of { $a }.
compare-gone = { $what } is gone: it took { $a }.
compare-new = { $what } is new: { $b }.
compare-delay-longer = Delays before ops on { $device } ({ $kind }) are { $difference } longer: { $b } instead of { $a }.
compare-delay-shorter = Delays before ops on { $device } ({ $kind }) are { $difference } shorter: { $b } instead of { $a }.
compare-delay-mixed = Delays before ops on { $device } ({ $kind }): some are { $more } longer, others { $less } shorter.
compare-batch = Ops whose batch has { $to } instead of { $from } rows take { $b } instead of { $a }.
compare-threads = Ops of executors that ran at once: at most { $b } instead of { $a }.
compare-clocks = The clocks of tasks differ: nothing says where the difference comes from.
compare-others = { $count ->
    [one] Another group of ops or delays.
   *[other] { $count } other groups of ops and delays.
}
compare-rest = What the lengths of ops do not explain: another order, times without a recorded cause, the error of the replay.
compare-step-longer = The step is { $part } longer.
compare-step-same = The step takes as long with it as without.
compare-step-shorter = The step is { $part } shorter.
compare-doubt = The replay of { $side } is off by { $share }, so that the bars are not sure.

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
check-op-type-grew = { $op_type } takes { $difference } longer in a step: { $b } instead of { $a }.
check-no-op-type-grew = No op type takes significantly longer.
check-op-types-not-judged = ~ Op types are not judged: that takes { $least } steps a side.
check-findings-grew = { $count ->
    [one] One finding is new.
   *[other] { $count } findings are new.
}
check-what-exposed = Exposed communication
check-what-transferred = Bytes of transfers
check-what-memory = Peak memory
check-not-kept = ~ { $what }: not judged. The baseline does not keep it: write it again with this Steplens.
check-not-recorded = ~ { $what }: not judged, because nothing of it was recorded.
check-too-few = ~ { $what }: not judged, because that takes { $least } steps a side: { $b } now, { $a } before.
check-same = { $what }: { $a } in a step, as before.
check-only-varies = { $what }: { $b } in a step instead of { $a }, which is no more than it varies.
check-more = { $what }: { $by } more in a step, { $b } instead of { $a }.
check-less = { $what }: { $by } less in a step, { $b } instead of { $a }.
check-of-step = { $share } of the step
check-allowed = At most { $allowed } may be more.

## Two traces compared: an op and its partner

compare-pair-same = In B { $b }, in A { $a }: no change.
compare-pair-times = In B { $b } instead of { $a }: { $ratio } times as long.
compare-pair-called = In B it is called { $name }.
compare-pair-only-a = Only A has it: { $a }.
compare-pair-only-b = Only B has it: { $b }.
