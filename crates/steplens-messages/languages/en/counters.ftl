### What is said of counters: by the program and in sentences, and below the heading “On the page” only there. Syntax: Fluent.

help-command-counters = Show what was counted over time: the counters of the files, how long the queue of each stream was, and how much its copies moved
counters-heading = counters
counters-heading-about = from the first value to the last; the mean is by time; full: 1,022 launched and not started, or more
counters-none = The files have no counter, and no launch or copy of a stream.

## On the page

counters-not-drawn = Counters not drawn
counters-spoken = Counters: { $counters }. Instants: { $instants }; a click on a flag says what was recorded.
