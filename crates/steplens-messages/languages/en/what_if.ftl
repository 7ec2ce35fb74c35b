## What would help: changes that cannot be made

what-if-no-factor = "{ $text }" has no factor; write what changes, `=`, and by what its time is multiplied: for `{ $word }`, for example, `{ $text }=0.5`
what-if-bad-factor = "{ $text }" is no factor; write a number from 0 (takes no time) over 0.5 (twice as fast) to 1000
what-if-bad-category = "{ $text }" cannot be hidden; there are input, launch, copy and communication
what-if-bad-link = "{ $text }" names no link; write `SOURCE->DESTINATION=FACTOR`, for example `ps:0->worker:1=0.5`
what-if-bad-threads = "{ $text }" is no number of threads; write a number from 1 to 4096
what-if-bad-order = "{ $text }" is no order; there is only `better`
what-if-unknown = there is no change called "{ $text }"
what-if-nothing = nothing in the trace matches { $word } "{ $text }", or nothing that it matches took any time

## What would help: the answer

what-if-none = Without a change, the replay shows what could be changed.
what-if-error = The replay of the recorded step is off by { $error }, and { $near } of the ops start within a hundredth of the step of when they did.
what-if-saves = The step would take { $length }, { $saving } ({ $share }) less.
what-if-longer = The step would take { $length }, { $saving } ({ $share }) more.
what-if-no-effect = The step would take { $length } as before: nothing that was changed makes it wait.
what-if-within-error = That is within the error of the replay.
what-if-within-variation = That is within what steps vary anyway ({ $variation }).
what-if-after = After that, { $what } ({ $share }) is the largest part of its critical path.
what-if-refused = The replay of this step without any change is off by { $error }, more than 5 %, so nothing is predicted.
what-if-refused-threads = The trace does not record on which thread each op ran, and why it ran there.
what-if-refused-unknown = Too much of what ops waited for was not recorded.
what-if-range = It may be from { $low } to { $high }.
what-if-one-step = How much steps vary is not part of that: fewer than two were opened.
what-if-frozen = Nothing is predicted, because nothing recorded says why { $length } ({ $share }) of this step passed: so much would be left if every op took no time.
what-if-partly-frozen = Of the step, { $share } stays whatever is changed, because nothing recorded says why it passed.
