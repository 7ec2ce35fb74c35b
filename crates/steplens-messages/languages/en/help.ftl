### What `--help` says: of a command help-command-COMMAND, of an argument help-COMMAND-ARGUMENT, or help-ARGUMENT where several commands have it.
### Syntax: Fluent (projectfluent.org). crates/steplens-cli/src/help.rs finds these by their names.

help = A lens on one training step: what ran where and when, and what the step waited for
help-command-summary = Show how the step divides into compute, copy, communication and idle, on every device
help-command-ops = Show where the time went: the op types, and the longest ops
help-command-transfers = Show what went from which device to which: the links, and the largest transfers
help-command-network = Show what the step spends on communication, what it waited for, and what to blame
help-command-memory = Show which bytes were alive when, what was alive at the peak, and what kept it alive
help-command-critical-path = Show what the step waited for, moment by moment, and what dependencies alone allow
help-command-scheduling = Show when ops were ready, scheduled and run, how many at once, what tiny ops cost, and why streams of GPUs were empty
help-command-what-if = Replay the step with something different, and show how long it would take; without a change, show what would help
help-what-if-op = Ops whose name, type (type:), device or label matches take FACTOR times as long: 0.5 is twice as fast, 0 takes no time
help-what-if-hide = Take this category off the step: its ops take no time
help-what-if-link = Transfers from one task to another take FACTOR times as long, such as 'ps:0->worker:1=0.5'
help-what-if-network = All transfers and collectives take FACTOR times as long, or only those of a task: ps:0=0.5
help-what-if-device = All ops of a device take FACTOR times as long
help-what-if-threads = Executors have this many threads
help-what-if-order = Transfers go in the order in which their tensors are needed
help-what-if-half = Tensors whose transfer matches have half as many bytes
help-what-if-merge = Transfers that match and go between the same two tasks go as one
help-what-if-like-peers = Ops of this task take as long as the median of the same ops on other tasks of its job
help-command-check = Check every step against limits, for continuous integration: the exit code is 0 if all keep them, 1 if one does not
help-check-max-step = The length that no step may exceed, such as 300ms
help-check-max-exposed-communication = The share of a step that its exposed communication may not exceed, such as 20%
help-command-steps = Show the steps and runs that the files hold: how long each took, what is usual, which stand out
help-command-clocks = Show how far the clocks of the tasks are apart, by the tensors that went between them
help-command-op = Show what the file says of one op: shapes, types, stack, grid and all other arguments, and what it ran inside of
help-op-op = The op: its number, as in the JSON of ops, or its name; of several the longest
help-command-findings = Show what is worth changing, ranked by the time that it would save, and what to do about it
help-command-doctor = Show what is wrong with a trace that reads well: clocks, impossible times, what is missing or there twice
help-command-report = Write the page with the trace inside: one HTML file that opens anywhere, without a network
help-command-export = Write the trace as a file of another tool: Chrome trace JSON, Perfetto's own format, CSV, Parquet, Chakra, RunMetadata, pickles of it, or a session of Steplens
help-command-picture = Draw a figure of the trace as SVG or PNG: the timeline, how time divides, traffic, memory, or the critical path
help-command-completions = Print a script with which a shell completes commands, options and files
help-command-man = Print the manual page of the program, or of one of its commands
help-command-licences = Print what others wrote and this program contains, with its licences
help-communication = Count ops as communication whose type or name matches this regular expression; may be given several times
help-devices = Open only the devices whose names match this regular expression
help-window = Open only the ops that overlap this window, such as 10ms..20ms, 40%..60% or 1.5s..; counted from the first start of any op in the files, which are read twice for that
help-step = Look at one step alone: its place in the list that `steplens steps` prints, from 1
help-steps-by = What makes a step: what the content says (the default), every file, every recorded part, or everything together
help-repair = Repair a finding of `steplens doctor`; may be given several times
help-op-time = How long ops that launched kernels on a GPU last: as recorded (schedule, the default), from the first kernel to the last (gpu), or from the start of their scheduling to the end of the last kernel (all); as timeline.py has it
help-clocks = Set the clocks of tasks: as recorded, as estimated from the tensors that went between them, or by what these offsets say their clocks are ahead by, such as estimated,/job:worker/replica:0/task:2=-12.5ms; `steplens clocks` lists them
help-as-recorded = Look at a Steplens session as it was recorded: without the step, repairs, clocks, patterns and view that it keeps
help-memory = Use at most this much memory for the ops, in MiB; what does not fit is left out, counted and reported
help-json = Print one JSON object; durations are in nanoseconds
help-csv = Print CSV with one header row; durations are in nanoseconds
help-color = When to use colour; auto: on a terminal, unless NO_COLOR is set
help-limit = How many rows of each table the text shows
help-all = Show every row in the text
help-ops-sort = What the text lists first: the longest ops, the earliest, those that waited longest in the queue, the largest outputs, or by name
help-transfers-sort = What the text lists first: the largest transfers, the longest in transit, queued before it or waiting after it, those that delayed their consumer most, those that devices waited for longest, or the earliest received
help-memory-by = What the rows of what is alive are merged by
help-memory-reading = What the text shows of: allocation records, lifetimes through the data flow, or what timeline.py counts; by default the first one that the trace has
help-critical-path-over-steps = How often each op is on the path of these steps, each taken alone: all, or FIRST..LAST such as 3..8, from 1
help-scheduling-threads = How many threads run ops (inter_op_parallelism_threads), which is not recorded: only then ops are said to be starved
help-scheduling-tiny = Ops shorter than this are tiny, such as 10us
help-export-format = The format to write: Chrome trace JSON as timeline.py writes it (timeline), or exact and with arrows and figures over time (chrome); Perfetto's own format, with clocks as estimated unless --clocks says otherwise (perfetto); every table as CSV (csv) or Parquet (parquet); execution traces for ASTRA-sim (chakra); TensorFlow's RunMetadata (run-metadata), or pickled for tfvis (tfvis), or a session of tensorflow-tracer (tensorflow-tracer); a session of Steplens (session)
help-export-output = The file to write; - for standard output. The formats of several files, csv, parquet and chakra, write into a folder of this name, or a ZIP where the name ends in .zip or is -
help-export-show-memory = With --format timeline, write tensors and the counters of their allocators, too, as show_memory of timeline.py does
help-export-no-dataflow = With --format timeline, leave out the arrows from producers to consumers, as show_dataflow=False of timeline.py does
help-export-view = With --format session: the view to open with, which is what follows the # in the page’s address
help-picture-of = What to draw: the lanes of the devices (view), how the time of each device divides (split), what the critical path spent its time on, kind after kind (waterfall), bytes between places (matrix), bytes in use over time (memory), or the critical path over time (critical-path)
help-picture-output = The file to write: .svg or .png; - for SVG on standard output
help-picture-width = How wide it is, in pixels of which an inch has 96; texts have 8 points or more at this width
help-picture-theme = Its colours: dark on white, or light on black
help-picture-text = In SVG, whether texts stay texts, with the fonts of whoever opens it, or become outlines, which look the same everywhere
help-picture-scale = In PNG, how many pixels each of the width has
help-picture-language = The language of its texts; by default that of the program
help-picture-no-heading = Leave out title and caption, for a figure that has its own
help-picture-devices = Draw only the devices whose names match this regular expression; the others are read, and count in path and traffic
help-picture-window = Draw only this window, such as 10ms..20ms, 40%..60% or 1.5s..; counted as the axis of the picture is
help-report-output = The HTML file to write; - for standard output
help-report-view = The view to open with: what follows the # in the page’s address
help-completions-shell = The shell to write it for
help-man-command = The command, such as summary; without one the page is about the program
help-report-include = What of the texts to include; all else becomes hashes, with every figure as it is: names (of ops, tensors, kernels), op-types (those that are not public), hosts (machines, jobs, devices), tags (and feeds, fetches), files, shapes, notes (marks, and what is searched for), or all
help-files = A trace of any format that Steplens reads, recognised by its content and not by its name; a folder, for every trace in it and in the folders in it; - for standard input. NAME=FILE says that it is of the process NAME, such as trainer0: its devices are then those of /job:trainer/replica:0/task:0, unless a cluster names them. Several may be one argument: trainer0=FILE,pserver0=FILE
help-after = Exit codes: 0 fine, 2 unusable input or usage.
