## What would help: changes that cannot be made

what-if-no-factor = "{ $text }" has no factor; write what changes, `=`, and by what its time is multiplied: for `{ $word }`, for example, `{ $text }=0.5`
what-if-bad-factor = "{ $text }" is no factor; write a number from 0 (takes no time) over 0.5 (twice as fast) to 1000
what-if-bad-category = "{ $text }" cannot be hidden; there are input, launch, copy and communication
what-if-bad-link = "{ $text }" names no link; write `SOURCE->DESTINATION=FACTOR`, for example `ps:0->worker:1=0.5`
what-if-bad-threads = "{ $text }" is no number of threads; write a number from 1 to 4096
what-if-bad-order = "{ $text }" is no order; there is only `better`
what-if-unknown = there is no change called "{ $text }"
what-if-nothing = nothing in the trace matches { $word } "{ $text }", or nothing that it matches took any time
