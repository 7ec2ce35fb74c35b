### The texts of the page. Syntax: Fluent (projectfluent.org).
###
### Words have one meaning each: docs/glossary.md. Readers are busy engineers, and English is not their first language. `www/messages.mjs`
### makes types of these messages, so that the page cannot ask for one that is not here, or leave out what it wants to know.

## Counts with their nouns

ops = { $count ->
        [one] { $count } op
       *[other] { $count } ops
    }
other-links = { $count ->
        [one] { $count } other link
       *[other] { $count } other links
    }
others = { $count ->
        [one] { $count } other
       *[other] { $count } others
    }
devices = { $count ->
        [one] { $count } device
       *[other] { $count } devices
    }
lanes = { $count ->
        [one] { $count } lane
       *[other] { $count } lanes
    }
steps = { $count ->
        [one] { $count } step
       *[other] { $count } steps
    }
streams = { $count ->
        [one] { $count } stream
       *[other] { $count } streams
    }
arrows = { $count ->
        [one] { $count } arrow
       *[other] { $count } arrows
    }
marks = { $count ->
        [one] { $count } mark
       *[other] { $count } marks
    }
matches = { $count ->
        [one] { $count } match
       *[other] { $count } matches
    }
transfers = { $count ->
        [one] { $count } transfer
       *[other] { $count } transfers
    }
problems = { $count ->
        [one] { $count } problem
       *[other] { $count } problems
    }
collectives = { $count ->
        [one] { $count } collective
       *[other] { $count } collectives
    }
waits = { $count ->
        [one] { $count } wait
       *[other] { $count } waits
    }
tensors = { $count ->
        [one] { $count } tensor
       *[other] { $count } tensors
    }
links = { $count ->
        [one] { $count } link
       *[other] { $count } links
    }
kernel-names = { $count ->
        [one] { $count } kernel name
       *[other] { $count } kernel names
    }
op-types = { $count ->
        [one] { $count } op type
       *[other] { $count } op types
    }
names = { $count ->
        [one] { $count } name
       *[other] { $count } names
    }
inversions = { $count ->
        [one] { $count } inversion
       *[other] { $count } inversions
    }
copies-by-gpus = { $count ->
        [one] { $count } copy by GPUs
       *[other] { $count } copies by GPUs
    }
recordings = { $count ->
        [one] { $count } recording
       *[other] { $count } recordings
    }
segments = { $count ->
        [one] { $count } segment
       *[other] { $count } segments
    }
and-more = and { $count } more
and-others = and { $count ->
        [one] { $count } other
       *[other] { $count } others
    }
list-next = { $before }, { $next }
list-and-more = { $names } and { $count } more
clause-next = { $before }, { $next }
aside-next = { $before }; { $next }
sentence-next = { $before } { $next }

## What rows of tables are

name-ops = ops
name-devices = devices
name-steps = steps
name-matches = matches
name-transfers = transfers
name-collectives = collectives
name-waits = waits
name-tensors = tensors
name-links = links
name-kernels = kernels
summed-over-ops = { $rows }, times summed over ops
name-op-types = op types
name-segments = segments

## Names of devices and links

task-replica = { $task }, replica { $replica }
all-links = all links
all-places = all
unit-host-profiler = host profiler
unit-dispatch = dispatch
unit-ranges = Ranges

## Arrows on the canvas

arrows-left-out = { $count } of { $all } arrows not drawn: out of view, or too many for one picture
arrows-left-out-at-least = More than { $count } of more than { $all } arrows not drawn: out of view, or too many for one picture

## What did not work, and why

failed-worker = The page’s worker stopped
failed-frame = The page was not drawn
not-opened = Not opened
not-added = Not added
not-printed = Not printed
failed-page = The page failed
keys-not-shown = The list of keys was not shown
panels-failed = The panels of the page could not be loaded.
not-compared = Clocks not compared
not-checked = Trace not checked for problems
not-shown = Step not shown
steps-not-listed = Steps not listed
not-counted = Devices not counted
not-arranged = Lanes not arranged
arrows-not-drawn = Arrows not drawn
links-not-shown = Links not shown
ops-not-drawn = Ops not drawn
minimap-not-drawn = Minimap not drawn
network-not-analysed = Network not analysed
not-searched = Not searched
op-not-shown = Op not shown
range-not-counted = Figures of the range not computed
transfers-not-counted = Transfers not counted
bandwidth-not-drawn = Bandwidth not drawn
error-superseded = another step or file was shown in the meantime
hint-internal = This is a fault of Steplens, not of your file. Reload the page. If it happens again, copy the details and report it.
hint-worker-failed = Open the file again, or reload the page. If it happens again, copy the details and report it.
hint-out-of-memory = Open a subset of it, close other tabs, or open fewer files at once.
error-reading = reading the file at byte { $at }: { $why }
got-status = status { $status }
error-no-core = The page is incomplete: { $url } gave { $got }, and not the WebAssembly of the page. Reload the page.
error-worker-stopped = the worker of the page stopped: { $why }
error-worker-not-started = the worker of the page could not start
error-no-later = A part of the page could not be loaded: { $got }
error-compiling = compiling the page’s WebAssembly: { $why }
error-no-place = The single-file page has no place for the data: it is damaged.
error-no-single-file = The page is incomplete: steplens.html gave status { $status }.
error-texts-damaged = The texts of this language do not belong to this version of the page. Load the page again.
error-cancelled = opening was cancelled
doing-arranging = arranging the ops
doing-picture = making the first picture
doing-reading = reading { $name } at byte { $at } of { $size }
error-out-of-memory = { $doing }: the core stopped, most likely because memory ran out ({ $why })
error-no-trace = no trace is open
doing-flow = following the data flow
doing-network = analysing the network
doing-compare = comparing two traces
doing-saving = writing the file
error-bad-message = The message to open a trace needs a name and bytes.
error-no-file = No file was given to open.
address-missing = This page needs the address of a trace: open.html?url=ADDRESS.
address-unreadable = { $address } is no address of a trace: want https, this page’s own host, or this machine.
address-not-allowed = This page does not open { $address }: it reads by https, from its own host and from this machine (localhost), and without a password in the address.
address-unreachable = { $host } cannot be reached, or does not allow pages of other hosts to read from it (the header Access-Control-Allow-Origin): { $why }. Download the file and open it from disk.
address-status = { $host } answered with status { $status }, and not with a file.
address-broken-off = { $host } broke off at byte { $at }: { $why }.
address-too-large = { $host } has more than 8 GiB at this address. Download the file and open it from disk, which needs no memory for it.
error-no-sample = The page is incomplete: its sample gave { $got }.

## What a screen reader says after something was done, and short notices

opening-cancelled = Opening cancelled
size-of-trace = { $ops } on { $devices }, { $length }
opened-files = Opened { $files }: { $figures }
opened-and-shown = { $opened }. Shown: { $shown }
no-later-step = { $step }: no step after it
no-earlier-step = { $step }: no step before it
step-without-ops = No op was recorded in this run, so there is nothing to draw
repaired-what = Not as recorded. Repaired: { $what }. Undo it in the tab Problems
mark-number = Mark { $number }
marks-full = There are { $most } marks already, and that is the most
mark-name-it = Mark at { $when }: type its name
mark-dropped = Mark discarded
marked-at = Marked { $name } at { $when }
mark-restored = Restored { $name }
mark-deleted = Deleted the mark { $name }
undo = Undo
mark-deleted-undo = Deleted { $name }. Undo restores it.
apart-listed = The files list separate runs
apart-far = The steps are far apart in time
step-of = Step { $step }, one of { $all }
step-other-run = a run of another graph
repaired = repaired
clocks-set = clocks set
shown-steps = { $steps } on one axis: { $figures }
shown-everything = Everything: { $figures }
rule-content = as the files say
rule-file = one per file
rule-part = one per recording
rule-together = one for everything
op-time-schedule = executor durations
op-time-gpu = GPU durations
op-time-all = durations to last kernel
lanes-packed = compact
lanes-by-thread = by thread
lanes-by-op-type = by op type
lanes-by-scope = by scope
lanes-arranged = Lanes { $how }
axis-wall-clock = The axis shows the wall clock, UTC
axis-from-start = The axis shows the time since the start of the step
rows-of = { $shown } of { $count ->
        [one] { $count } row
       *[other] { $count } rows
    }
hidden-what = Hidden: { $what }
devices-shown-again = { $devices } shown again
pinned-what = Pinned: { $what }
unpinned-what = Unpinned: { $what }
device-moved-to = { $device }: { $place } of { $all }
arrows-over = Arrows over { $hops }
search-cleared = Search cleared
matches-for = { $matches } for { $query }
selected-op = Selected { $name }, { $type }, { $category }, { $length }, on { $device }
nothing-selected = Nothing selected
last-op = The last op of its lane
first-op = The first op of its lane
no-op-in-view = No op in view
no-consumer = No consumer was recorded
no-producer = No producer was recorded
said-and = { $said }. { $more }
no-transfer = No transfer
bandwidth-shown = Bandwidth is shown above the lanes
bandwidth-hidden = Bandwidth is hidden
textures-on = Each category has its own texture
textures-off = Categories differ by colour only

## Empty page, opening, errors

open-trace-files = Open trace files
open-files-title = { $open }. Multiple files become one trace
open = Open
error-nothing-dropped = Nothing that was dropped is a file that can be read.
drop-to-open = Drop to open
drop-to-add = Drop to add to this trace
add-files = Add files to this trace
nothing-in-file = Nothing of { $name } was added: { $why }
error-no-op = It holds no op.
open-a-trace = Open a trace
empty-question = What did one training step do?
empty-lead = Drop a TensorFlow RunMetadata anywhere on this page.
empty-lead-touch = Open a TensorFlow RunMetadata.
empty-formats = Event files, pickles, XSpace, Chrome traces (PyTorch, JAX) and Paddle profiles open, too. Multiple files, folders and .gz/.zst as well.
open-a-trace-more = Open a trace…
open-sample = Open the sample
empty-privacy = Nothing is uploaded: your file is read here, in this browser. The page works offline.
empty-record = Record one step
empty-record-code = Python code that records a step
open-a-subset-more = Open a subset…
damage-of-one = Part of { $name } could not be read. The figures are of the { $ops } that could.
damage-of-many = { $count } files are damaged or were changed. The figures are of the { $ops } that could be read.
damage-of-changed = { $name } was changed or damaged after it was written. Any figure may be wrong.
damage-open = What is missing
subset-memory = Memory is full: only the first { $shown } of { $all } in the files are shown. Open some of the devices, or a time window.
subset-shown = Selected subset: { $what }. { $left_out } left out.
error-outcome = { $outcome }.
error-trace-unchanged = The open trace is unchanged.
dismiss = Dismiss
error-details-copied = Copied the details of the error
copied = Copied
not-copied = Not copied
copy-details-title = Code, message, place in the program, version and browser
copy-details = Copy details
reading = Reading
cancel = Cancel
opening = Opening
starting = Starting
loading-core = Loading Steplens itself: { $share } of { $total }
loading-sample = Loading the sample: { $bytes }
loading-arranging = Arranging { $ops }
loading-progress = { $share } · { $bytes } of { $total } · { $ops }
what-was-done = Last action
error-no-clipboard = the browser does not let this page copy: { $why }
no-clipboard = there is no clipboard
try-again = Try again

## Dialog: open a subset

part-from = From
part-to = To
open-this-subset = Open subset
open-everything = Open everything
subset-holds = { $devices } with { $shown } of { $all }, over the whole time
subset-bad-window = The end must be after the start.
open-a-subset = Open a subset
devices-title = Devices
choose-all = All
choose-none = None
first-of = the first { $shown } of { $all }
devices-in-files = Devices found in the files
time-title = Time
time-from-first-start = Time since the first start of any op in the files
of-length = of { $length }
subset-window-note = Every op that overlaps this window is opened, with its full length. Time 0 is the first start in the files.
label-in-ms = { $label }, in milliseconds

## Help, keys and gestures

gestures = Gestures
gestures-about = Whose keys and gestures the timeline has; fingers on a screen have one way
gestures-steplens = as Steplens
gestures-wheel-zoom = as Steplens, the wheel zooms
gestures-perfetto = as Perfetto
gestures-chrome = as chrome://tracing
gestures-speedscope = as speedscope
language = Language
language-about = The language of the page, the next time that it is loaded
language-not-kept = This browser keeps nothing for the page, so that its own languages decide.
load-page-again = Load the page again
licences = Licences of what others wrote
licences-coming = Reading the licences
licences-failed = The licences could not be read: { $why }
keys-and-gestures = Keys and gestures
close = Close

## Header

more-menu = More
more-menu-title = Other ways to open, recent traces, looks, keys
looks = Looks
open-a-subset-title = Open a subset of these files: some devices, or a time window
file-and-more = { $file } and { $count } more
file-of-format = { $name } ({ $format }, { $size })
clocks-changed-title = Clocks were changed: times are not as recorded. Click for details
clocks-by-hand = clocks set by hand
clocks-aligned = clocks aligned
op-time-title = All figures use these durations. Change them in the menu Lanes
length-title = From the first start to the last end on any device
ops-title = Recorded ops. Click for op types
transfers-title = { $bytes } sent between devices. Click for the list
transfers-title-no-sizes = Sizes were not recorded. Click for the list
problems-title = Problems found in the files, and repairs
search-field-name = op or tensor
search-field-type = op type
search-field-device = device
search-field-label = recorded label
search-placeholder = Search ops, types, tensors
search-label = Search ops, op types, tensors, devices and labels
search-previous = Previous match (Shift+Enter)
search-next = Next match (Enter)
search-clear = Clear search
search-regex-title = Regular expression (Alt+R)
search-regex = Regular expression
search-nothing = no match
number-of = { $number } of { $all }
search-help = Finds any part of a name, op type, device or label. To search one field only:
search-help-places = Or type a place: 20ms-30ms, 40%-60%, 25 ms, step 3
typed-range = Enter selects { $from } to { $to } and zooms to it
typed-moment = Enter goes to { $at }
typed-step = Enter shows step { $number }
typed-after-end = That is after the end ({ $length })
no-step-number = There is no step { $number } with ops in these { $steps }
search-help-keys = Enter and Shift+Enter go to the next and previous match. Esc goes back to the timeline.
share-title = Save this page with its trace and view as one HTML file that opens anywhere, without a network. First you choose what it holds
not-saved = Not saved
share = Share
saved-file = Saved { $name }, { $size }
saved-to-downloads = { $saved }: it is where your browser puts downloads
share-heading = Share as one HTML file
share-less = To share only some devices or a time window, open these alone first:
share-what = Whoever gets the file can see:
share-all = All that is open: { $files }, with { $devices } and { $ops }
share-compared = The trace that it is compared with: { $name }
share-compared-unnamed = The trace that it is compared with
share-part = The subset that is open, of { $files }: { $devices } and { $ops }
share-names = All names as they were recorded: tasks, devices, ops, tensors
share-view = The view: { $from } to { $to } of { $step }
share-range = The selected range of { $length }
share-search = The search for “{ $query }”
share-marks = { $marks }: { $names }
share-marks-unnamed = { $marks }, without their names
share-include = Include in the file
share-for-team = For my team: everything
share-for-team-about = Every name as recorded: for people who may know what you train.
share-for-public = For the public: no names
share-for-public-about = Hashes replace every name, other ones in each file, so that nobody reads what you train. Every figure stays the same.
share-hashes = Hashes replace what is not included, other ones in each file. Every figure stays the same.
share-kind-names = Names of ops, tensors and kernels
share-kind-op-types = Op types that are not public
share-kind-hosts = Machines, jobs and devices
share-kind-tags = Tags, feeds and fetches
share-kind-files = Names of files
share-kind-shapes = Shapes of tensors
share-kind-notes = Names of marks, search and filter
share-example = { $before } → { $after }
share-left-out = left out
share-files = { $count ->
        [one] { $count } file
       *[other] { $count } files
    }
error-redaction = Not offered: “{ $word }” of the original is still in the finished file. Include its kind of text, or report this as a fault
share-measuring = { $name }: working out its size…
share-size = { $name }: { $size }
save = Save
save-ways = Ways to save
save-as-page = HTML file
save-for-tools = Other tools
save-as-picture = Picture
picture-heading = Save a picture
picture-what = Picture of
picture-of-view = Timeline
picture-of-split = Split of each device
picture-of-waterfall = Waterfall of the critical path
picture-of-matrix = Matrix of traffic
picture-of-memory = Memory
picture-of-path = Critical path
picture-file = File
picture-svg = SVG
picture-png = PNG
picture-width = Width
picture-scale = Pixels
picture-times = { $number } for each of the width
picture-colors = Colours
picture-light = dark on white
picture-dark = light on black
picture-in-view = Only the time in view: { $from } to { $to }
picture-as-listed = Only the devices that are shown, in this order
picture-with-heading = With title and caption
picture-names = Names are in it as they are here.
picture-alt = Preview: { $what }
picture-coming = Drawing …
picture-pixels = { $width } × { $height } px
picture-size = { $pixels }, { $size }
picture-bad-width = The width is a number from { $least } to { $most }.
picture-failed = The picture was not drawn
error-picture-too-large = The picture would have more pixels than anyone can print. Choose a smaller width, fewer pixels, or SVG
save-heading = Save for other tools
save-format = Format
format-session = Steplens session
format-session-about = Opens in Steplens again, in a quarter of the bytes of a RunMetadata
format-chrome = Chrome trace JSON
format-chrome-about = For Perfetto, and what else reads Chrome traces: exact times, arrows, figures over time
format-perfetto = Perfetto
format-perfetto-about = For ui.perfetto.dev: smaller and quicker than JSON, with lanes in this order
format-timeline = timeline.py JSON
format-timeline-about = The events that TensorFlow’s timeline.py writes
format-run-metadata = RunMetadata
format-run-metadata-about = For timeline.py, TensorFlow, and what else reads its files
format-tfvis = tfvis
format-tfvis-about = For tfvis and Timeline.from_pickle: a pickle of the RunMetadata
format-tensorflow-tracer = tensorflow-tracer
format-tensorflow-tracer-about = For its server: a pickled session with a run for each step
format-csv = CSV
format-csv-about = For spreadsheets: ops, transfers, inputs, links, memory and steps, in one ZIP
format-parquet = Parquet
format-parquet-about = For DuckDB, pandas and Spark: the tables of CSV, in one ZIP
format-chakra = Chakra
format-chakra-about = For ASTRA-sim: an execution trace of each task; several in one ZIP
save-holds-all = It holds all that is open, with every step.
save-holds-shown = It holds the whole step as it is shown, with its clocks and repairs. Devices that are hidden here are in it, too.
save-holds-step = It holds step { $number }, one of { $all }, as it is shown, with its clocks and repairs. Devices that are hidden here are in it, too.
save-no-order = The page does not keep the order of the file: each device is one block, in order of time. The program keeps it:
save-names = Names are in it as they are here. Only the HTML file can hide them.
save-elsewhere = The hosted page and the program write Parquet, too:
save-progress = How much of the file is written
save-begun = Writing { $name }
save-far = { $share } · { $size }
save-stopped = Stopped. Nothing was saved.
save-lost-arrows = { $transfers } without an arrow: by these clocks the receiver began before the producer. The tab Clocks aligns them.
save-lost-inputs = { $count ->
        [one] { $count } input is left out: by these clocks the maker began after its reader. The tab Clocks aligns them.
       *[other] { $count } inputs are left out: by these clocks the makers began after their readers. The tab Clocks aligns them.
    }
save-lost-categories = Not in it: the categories of { $ops }. When the file is opened, names alone decide them.
save-lost-calls = Not in it: which call launched { $ops }
save-lost-devices = Not in it: what the format says of { $devices } (accelerators, nested ops)
save-lost-runs = { $count ->
        [one] Not in it: name, number and date of { $count } step
       *[other] Not in it: names, numbers and dates of { $count } steps
    }
save-lost-cut = { $count ->
        [one] Cut to whole microseconds: the times of { $count } allocation
       *[other] Cut to whole microseconds: the times of { $count } allocations
    }
all-steps-title = All steps on one axis
steps-picked = Steps { $from } to { $to }, { $length }
filmstrip = Steps
step-typical = the typical one
part-of-step = { $part } { $length }
step-title = Step
all-steps-short = all
why-one-step = { $why }, so one is shown at a time
theme-auto = like the system
theme-light = light
theme-dark = dark
textures-title = Textures: one per category
textures-label = Textures per category
theme-title = Colours: { $theme }

## Split of time

place-accelerator = accelerator
place-host = host
tensors-not-known = tensors that are not known
op-type-where = Where
op-type-where-about = On an accelerator, or on a host. The share is that of its place
category-compute = compute
category-input = input
category-copy = copy
category-communication = communication
category-launch = launch
category-allocation = allocation
category-waiting = waiting
category-range = range
part-input = exposed input
part-copy = exposed copy
part-communication = exposed communication
part-communication-short = comm.
part-launch = exposed launch
part-allocation = exposed allocation
part-waiting = only waiting
part-unknown = idle or not recorded
part-unknown-about = No kernel of a GPU was recorded: what it did then is not known.
part-idle = idle
part-compute-about = Time when at least one op computes.
part-input-about = Time when the next batch is loaded (DataLoader, tf.data, iterators) and nothing computes.
part-copy-about = Time when data is copied between host and device, or between devices of one task, and nothing computes or loads input.
part-communication-about = Time when a transfer between tasks or a collective runs and nothing computes, loads input or copies: what communication really costs. The place Communication says which tensors.
part-launch-about = Time when a host calls into a driver to start work on a device, and nothing of the above runs.
part-allocation-about = Time when a host calls into a driver to get memory or to give it back, and nothing of the above runs.
part-waiting-about = Time when something only waits: for a device, for files, or for peers. The tab Path says for what.
part-idle-about = Time when no op is recorded. The tab Scheduling says what ops were ready then.
all-steps = All steps
all-steps-of-range = all steps
whole-step = Whole step
whole-step-chip = whole step
whole-recording = Whole recording
whole-recording-chip = whole recording
whole-recording-about = Nothing in the file says where a step begins: it may hold many
split-not-counted = { $what }: not computed yet
split-part-title = { $part }: { $length }, { $share } of { $window }
    { $about }
    Each moment counts once: for the first of compute, input, copy, communication, launch, allocation and waiting that runs then
one-of-kind = { $kind ->
        [GPU] GPU
        [TPU] TPU
        [accelerator] accelerator
       *[device] device
    }
mean-of = mean of { $count } { $kind ->
        [GPU] GPUs
        [TPU] TPUs
        [accelerator] accelerators
       *[device] devices
    }
back-to-everything = Back to everything (Esc)
clear-range = clear
range-title = Range
from-to-short = { $from } to { $to }
any-device-title = At each moment compute if any device computes, and so on; else the mean of all
any-device = any device
any-device-choice = Split of any device
selected-range = Selected range
zoom-buttons = Zoom
zoom-closer = Zoom in
zoom-further = Zoom out
zoom-all = Show the whole step
minimap-label = Window on the step
minimap-title = Drag the window or its edges, click to move it, or draw a new one. Arrow keys move it and zoom
view-title = View
since-start-of-step = { $window } since the start of the step
window-of = { $window } of { $length }

## Devices

fold-all = Fold or unfold all devices
filter-devices = Filter devices
filter-devices-title = Show only matching and pinned devices: ps, worker 1 · -cpu leaves out · /task:[0-3]/ is an expression
clear-filter = Clear filter
show-hidden = show hidden ({ $count })
all-hidden = All devices are hidden.
no-device-matches = No device matches “{ $filter }”.
label-of = { $what }: { $label }
tall-lanes = Lanes tall enough for names
row-transfers = transfers
lanes-at-once = max { $count } together
lanes-at-most = max { $count }
transfers-of = transfers { $most }, { $what }
transfers-open-title = How many transfers are in transit: the taller, the more. Click for a lane for each
transfers-close-title = Show the transfers as one band again
transfers-opened = Transfers of { $what } have lanes of their own
transfers-closed = Transfers of { $what } are one band
transfers-all-title = A lane for each transfer, on every device
transfers-in-lanes = in lanes
transfers-title-short = Transfers
pin = Pin
hide = Hide
ops-in-lanes = { $ops } in { $lanes }: the most that ran at the same time
drag-to-move = Drag to move
fold-one = fold or unfold
device-click = Click for its figures, double-click to fold it
device-chosen = Figures of { $device }
all-devices-chosen = Figures of all devices
device-compute = { $share } compute
device-exposed = {" "}· { $share } comm.
device-no-work = no work of its own
device-not-in-range = not in the range
device-shares-title = busy { $busy } of { $window }
    communication { $communication }, of which { $hidden } is hidden behind compute
matches-on-device = { $matches } on this device
group-title = { $name }
    { $lanes }: the most of its ops that ran at the same time
lanes-title = Lanes
lanes-menu-title = How lanes are arranged, and how tall they are
lanes-packed-choice = Compact
lanes-packed-about = ops above, transfers below
lanes-thread-choice = Thread
lanes-thread-about = of the executor’s pools
lanes-op-type-choice = Op type
lanes-op-type-about = the 24 with the most time
lanes-scope-choice = Name scope
lanes-scope-about = the first part of names
no-thread = no thread was recorded
threads-not-counted = Threads not counted
lanes-by = Lanes by
op-time-schedule-about = as the executor recorded them
op-time-gpu-about = first kernel to last kernel
op-time-all-about = op start to end of last kernel
op-duration = Op duration
lower-lanes = Lower lanes
taller-lanes = Taller lanes
fit-lanes = Fit lanes to the window
fit-lanes-short = fit
lane-height = Lane height
all-devices = all devices
fold-title = Fold or unfold
bandwidth-title = Bandwidth and transfers in transit, above the lanes
above-lanes = above the lanes
bandwidth = Bandwidth
no-task = All devices
other-devices = Other devices
fold-task = Fold or unfold { $task }
no-task-title = Devices whose names contain no task
fold-task-title = { $task }
    Click to fold or unfold all of its devices
drag-task = Drag to move the task
devices-and-ops = { $devices } · { $ops }
pinned-devices = Pinned devices
column-width-title = Drag to change the width of the column. Double click to reset it
column-width = Width of the device column

## Timeline

mark-name = Name of the mark
mark-name-title = Enter keeps the mark, Esc discards it
no-range = No range selected
from-to = from { $from } to { $to }
range-spoken = Range of { $length }, { $window }: { $parts }
timeline-title = Timeline
more-devices = { $count } more
no-device = no device
timeline-spoken = Timeline { $window }: { $devices }. Period and comma go to the next and previous op. Question mark lists all keys. The tab Table has the same ops as a table.
timeline-role = timeline
tip-in-flight = { $count ->
        [one] { $average } op at once
       *[other] { $average } ops at once
    }
on-average = on average
tip-transfers-in-flight = { $count ->
        [one] { $average } transfer at a time
       *[other] { $average } transfers at a time
    }
tip-longest-transfer = the longest of them here
tip-column = in { $length } from { $from }
and-other-links = and { $links }
tip-rate = { $rate } in transit
tip-transfers = { $count ->
        [one] { $average } transfer at a time
       *[other] { $average } transfers at a time
    }
tip-from = from { $at }
size-not-recorded = size not recorded
tip-longest = the longest of { $ops }. Zoom in to see each
bandwidth-about = Area: bytes per second in transit; each transfer counts evenly from its send to its arrival. Line: transfers in transit. Both are averages over columns two pixels wide, and each has its own scale. The maximum is over the whole step: the most bytes in any millisecond, and the most transfers at any moment. Send times are by the sender’s clock.
bandwidth-all-links = Bandwidth of all links
bandwidth-hide = Hide the bandwidth
bandwidth-peak = max over { $window }: { $rate }
bandwidth-most = { $peak }, max { $transfers } transfers at once
bandwidth-nothing = nothing in transit
bandwidth-not-yet = not computed yet
bandwidth-spoken = Bandwidth of { $link }, { $window }. Whole step: { $most }
in-transit = In transit
bandwidth-figures = max { $rate }, { $transfers } at once

## Tables

column-name = Name
column-op-type = Op type
column-category = Category
column-device = Device
column-start = Start
since-start = Since the start of the step
column-length = Length

## Keys and gestures, by group

keys-move = Move
keys-select = Select
keys-view = View
keys-devices = Devices
keys-pointer = Pointer
keys-wheel = Wheel
keys-touch = Touch
key-zoom = zoom in and out at the pointer; hold to continue
key-pan = move left and right; hold to continue
key-step = move a little
key-scroll = scroll
key-page = scroll by a page
key-ends = go to the start or the end of the step
key-steps = go to the next or the previous step (Shift+. and Shift+,)
key-all-steps = show all steps on one axis; again: the step before
key-frame = zoom to the selection or the range; without one: everything
key-fit = show the whole step
key-back = undo view: back to the view before
key-forth = redo view
key-ops = go to the next or the previous op in the lane
key-consumer = go to the first consumer
key-producer = go to the last producer
key-hops = arrows over more or fewer ops (Shift+], Shift+[)
key-range = make the selected op the range; with Shift: the view
key-mark = mark the range, the op, or the moment at the pointer
key-search = search, or type a place such as 20ms-30ms; Enter and Shift+Enter: next and previous match
key-clear = stop a drag; else close the error, then clear the selection, the range, the search
key-lane-height = taller or lower lanes
key-fit-lanes = fit lanes to the window
key-clock = time since the start of the step, or wall clock
key-textures = textures: one per category
key-bandwidth = show or hide the bandwidth
key-why = why late: what the selected op waited for, and what ran instead
key-cause = select what it waited for last
key-strip = show or hide the critical path above the lanes
key-path = light the timeline along the critical path, or everything
key-next-path = light the timeline along the next path: observed, static, the one that shares least with it
key-memory = memory: show or hide the live bytes under each device
key-overview = fold the verdict above the timeline away, or show it
key-drawer = show or hide the drawer
key-drawer-full = give the drawer the room of the timeline, or give it back
key-drawer-place = put the drawer next to the timeline, or below it
key-open = open files
key-add = add files to the trace
key-compare = compare with another trace
key-save = save what is open for other tools
key-picture = save a picture of what is shown
key-print = print a report of what is open
key-palette = find a command, tab, device or setting
key-glossary = what the words mean
key-help = show this help
key-pin = pin or unpin the device
key-hide = hide the device or the task
key-move = move the device or the task
key-transfers = show the transfers of the device in lanes, or as one band; with Shift: of all devices
key-fold = fold or unfold all devices
gesture-row-click = click a device
gesture-row-click-does = its figures in the drawer; once more: those of all devices
gesture-row-fold = double-click, ← →
gesture-row-fold-does = fold or unfold the device; so does its triangle
gesture-row = drag a row
gesture-row-does = move the device; by its header: the task
gesture-drag = drag
gesture-drag-does = move the view
gesture-shift-drag = Shift+drag
gesture-range-does = select a time range; drag up or down to select lanes, too
gesture-axis = drag on the axis
gesture-axis-does = select a time range; move it by its label or its edges
gesture-middle = middle drag, Space+drag
gesture-middle-does = move the view from anywhere
gesture-click = click
gesture-click-does = select an op, or a mark by its flag; on empty space: clear
gesture-double-click = double click
gesture-double-click-does = zoom to an op; to a mark or the range by its flag
gesture-right-click = right click
gesture-right-click-does = on an op, a device or an op type: what can be done with it
gesture-drop = drop files
gesture-drop-does = open them; in the middle: compare with them; at the right, or with Shift: add them
gesture-wheel = wheel, two fingers
gesture-wheel-does = scroll; sideways: move in time
gesture-ctrl-wheel = Ctrl+wheel, pinch
gesture-ctrl-wheel-does = zoom at the pointer
gesture-shift-wheel = Shift+wheel
gesture-shift-wheel-does = move in time
gesture-alt-wheel = Alt+wheel
gesture-finger = one finger
gesture-finger-does = move the view; on the axis: select a range
gesture-fingers = two fingers
gesture-fingers-does = zoom and move
gesture-tap = tap, double tap
gesture-tap-does = select an op, zoom to it
gesture-long-press = long press, then drag
gesture-rest = long press
gesture-rest-does = what can be done with an op, device or row
gesture-snap = Alt while dragging an edge
gesture-snap-does = edges of ops do not catch it

## Recent traces

recent-title = Recent traces
recent-privacy = They are stored in this browser and never leave this machine: { $traces } traces or { $bytes } at most, the oldest go first.
recent-keep = Keep recent traces
recent-keep-about = Switched off, everything that is kept is removed
recent-remove = Remove { $name } from the recent traces
recent-open = Open { $name } at its last view
recent-add = Add { $name } to this trace
recent-menu = Recent traces
recent-none = No trace is stored yet.
recent-unkept = not stored: too large
recent-not-kept = Recent trace not kept
recent-not-removed = Recent trace not removed
recent-only-known = { $file } was open here, but the browser has not kept it: it is too large. Open the file again, and its view comes back.
recent-gone = The trace that was open here is not kept. Open the file again, and its view comes back.
address-of-a-view = This address is a view of a trace that this browser does not keep. Open the file, and the view comes back.

## Long tables

table-filter = Filter { $rows }
copy-csv = Copy as CSV
save-csv = Save as CSV
table-failed = These { $rows } could not be listed.
table-not-listed = { $rows } not listed
copy-csv-title = All { $rows } in this order, not only the visible ones
rows-so-far = { $read } of { $rows } so far
copied-csv = Copied { $rows } as CSV
saved-csv = Saved { $rows } as CSV
columns-title = Columns
columns-about = Show, hide and reorder the columns of this table
columns-note = Resize: drag the edge of a heading, or press Shift+← or Shift+→ on it
columns-reset = Reset
column-move-left = Move { $column } to the left
column-move-right = Move { $column } to the right
column-edge-title = Drag to resize, double click to fit

## Drawer

tab-steps = Steps
tab-selection = Selection
tab-transfers = Transfers
tab-network = Network
tab-path = Path
tab-scheduling = Scheduling
tab-what-if = What if
tab-memory = Memory
tab-clocks = Clocks
tab-matches = Matches
tab-table = Table
tab-marks = Marks
tab-problems = Problems
details = Details
glossary = What the words mean
glossary-divides = How time divides
glossary-waits = What the step waited for
glossary-not-shown = The words are not shown
palette-title = Find a command
palette-placeholder = Command, tab, device or setting
palette-nothing = Nothing of that name
palette-more = { $count } more: type more of the name
palette-command = command
palette-tab = tab
palette-device = device
palette-setting = setting
palette-color = colour by
palette-lanes = lanes
palette-theme = light, dark, or as the system has it
hide-drawer = Hide the drawer
show-drawer = Show the drawer
drawer-full = Give the drawer the room of the timeline
drawer-not-full = Show the timeline again
drawer-side = Put the drawer next to the timeline
drawer-below = Put the drawer below the timeline
drawer-width = Width of the drawer
drawer-height = Height of the drawer

## Drawer: clocks

column-task = Task
clock-ahead = Ahead by
clock-ahead-about = The smallest correction that the tensors require: it moves as few clocks as possible, each only as far as needed, so that no tensor arrives before it is sent. 0 if no correction is needed
clock-at-least = At least
clock-at-least-about = With a smaller offset, a tensor would arrive before it is sent
clock-at-most = At most
clock-at-most-about = With a larger offset, a tensor would arrive before it is sent
clock-bounds = Bounds
clock-bounds-about = From at least to at most, with the correction, on one axis for all tasks. The thin line is 0
clock-drift = Drift
clock-drift-about = How much faster than the reference the clock runs, in parts per million, with at least and at most in brackets. Only for traces that are long enough
column-tensors = Tensors
clock-tensors-about = Tensors with a known producer between this task and others
clock-subtract = Subtract (ms)
clock-subtract-about = Subtracted from the times of this task. Type another offset to see which tensors then arrive too early. Enter applies it
clock-one-way = bounded on one side: tensors went one way only
clock-unconnected = not bounded: no tensors between it and the reference
drift-not-connected = Tensors did not go both ways
drift-too-short = The trace is too short to find a drift of less than 100 ppm
drift-not-a-line = No constant drift fits the times of the tensors
clock-reference = reference
clock-subtract-from = Subtract from the times of { $task }, in ms
drift-reference = The others are compared with it
drift-applied = The drift cannot be 0, so the estimate includes it. The offset is that in the middle of the trace
drift-not-applied = The drift may be 0, so the estimate does not include it
drift-ppm = { $best } ({ $low } to { $high }) ppm
drift-subtracted = { $best } ({ $low } to { $high }) ppm subtracted
as-recorded = As recorded
as-recorded-title = Times as the clock of each task recorded them
by-hand-title = Subtract the offsets typed below. Enter in a field does the same
apply-by-hand = Apply by hand
clocks-failed = The clocks could not be compared.
clocks-choice = How clocks are set
following-tensors = Following every tensor…
clocks-agree = Clocks agree: nothing to align
early-as-shown = As shown, { $count ->
            [0] none
           *[other] { $count }
        } of { $tensors } between tasks { $count ->
        [one] arrives before it is sent
       *[other] arrive before they are sent
    }.
early-as-typed = With the typed offsets, { $count ->
            [0] none
           *[other] { $count }
        } of { $tensors } between tasks { $count ->
        [one] arrives before it is sent
       *[other] arrive before they are sent
    }.
early-recorded = Too early as recorded
early-typed = With typed offsets
early-shown = As shown
and-more-pairs = and { $count } more pairs of tasks
align-clocks = Align clocks
align-title = Move as few clocks as possible, each only as far as needed, so that no tensor arrives before it is sent
aligned-title = No tensor between tasks arrives before it is sent: nothing to subtract

## Drawer: marks

marks-hint = A mark is a named moment or time range. M marks the selected range, the selected op, or the moment at the pointer. A marked range says how its time divides, so that several can be compared. Marks are saved in the address of the page and in shared files.
mark-not-divided = How the time of a mark divides was not found
marked-range = Marked range
add-mark = Add a mark
go-to-mark = Go to { $name }
go-to-mark-at = Go to { $name }, { $when }
name-of-mark-at = Name of the mark at { $when }
delete-mark = Delete { $name }

## Drawer: matches and table

ops-match = { $count ->
        [one] { $count } op matches
       *[other] { $count } ops match
    } “{ $query }”
search-first = Search to list matches here
ops-in-range = { $count ->
        [one] { $count } op
       *[other] { $count } ops
    } in the range
ops-in-view = { $count ->
        [one] { $count } op
       *[other] { $count } ops
    } in view

## Drawer: problems

count-of = { $what ->
        [task] { $count ->
            [one] { $count } task
           *[other] { $count } tasks
        }
        [tensor] { $count ->
            [one] { $count } tensor
           *[other] { $count } tensors
        }
        [transfer] { $count ->
            [one] { $count } transfer
           *[other] { $count } transfers
        }
        [straggler] { $count ->
            [one] { $count } straggler
           *[other] { $count } stragglers
        }
        [device] { $count ->
            [one] { $count } device
           *[other] { $count } devices
        }
       *[op] { $count ->
            [one] { $count } op
           *[other] { $count } ops
        }
    }
finding-note = note
show-clocks = Show the clocks
clocks-are-set = They are set.
clocks-can-be-aligned = They can be aligned.
repair = Repair
repair-done = Done: { $repair }. Figures that it changed are marked.
repair-offer = Will { $repair }.
found-op = { $name }, { $device }, { $length }, recorded at { $at }
found-op-place = { $device }, { $at }
found-op-elsewhere = { $op }. Not in the step that is shown
findings = Problems found
finding-on-devices = : { $sentence }. { $devices }
problem-of-file = { $name }: { $count } × { $code } { $detail }
problems-failed = The trace could not be checked for problems.
nothing-lost = This file was read without loss: every op of it is shown.
process-example = for example trainer0
process-title = Name of the process that recorded this file. It keeps devices with equal names in different files apart. Enter opens the files again
process-of = Process of { $file }
process = Process

## Drawer: network

network-nothing = This trace has no communication: no transfer between tasks and no collective.
network-questions = Questions about the network
network-failed = The network could not be analysed.
following-transfers = Following every transfer…
network-parts = Analysing the network: { $done } of { $of } parts done…
gradient-of = { $tensor } (gradient)
column-op = Op
collective-devices-about = Number of participants. Unknown if only one process was traced
collective-time-about = Sum of the op durations of all participants
collective-waiting = Waiting
collective-waiting-about = Time until the last participant arrived, summed. As exact as the clocks agree
collective-last = Last to arrive
collective-others-unknown = The other participants are not known
collective-by = Later by
later-than-next = How much later than the participant before it
filter-op-or-device = Filter by op or device
collective-operation = Operation
collective-group = Group
collectives-ranks-missing = in { $count } the files of some ranks are not open: how long they were waited for is not known
collectives-unmatched = who took part in { $count } is not known
collectives-title = Collectives
collectives-last = { $device } was last in { $times } of { $all }
ready-title = Ranks
ready-answer = rank { $rank } was ready last in { $times } of { $all }, { $length } later in all
ready-rank = Last rank
ready-rank-about = The rank that was ready last most often
ready-times = Times
ready-times-about = How often this rank was ready last
ready-late-about = How much later the last rank was than the one before it, summed
ready-negotiations = Asked
ready-negotiations-about = How often two ranks or more negotiated the tensor
participants-unknown = who took part is not known
collectives-waiting = { $waiting } waiting of { $time }
exposed-about = Time when only communication ran on the device: no compute, no copy
idle-before-about = Time when nothing ran on the device, because the tensor that it waited for was not sent yet. Not part of exposed communication
column-exposed = Exposed
exposed-share-about = Exposed communication as a share of the step
column-of-step = Of the step
longest-wait-about = The tensor that is blamed for most of its exposed communication
column-longest-wait = Waited longest for
column-idle-before = Idle before send
hidden-about = Communication while a compute op ran. Together with exposed communication and communication during copies it is all communication of the device, on its own clock
column-hidden = Hidden
tracer-about = In microseconds, over all devices together. Its computation_time would include communication
column-waited = Waited
waited-about = Exposed communication that this tensor is blamed for: the device neither computed nor copied, and this tensor was the last to arrive before it continued. The sum is all exposed communication. It can be long although ops were delayed by 0: that compares the inputs of one op, this is about the whole device
column-for = For
column-delay = Ops delayed by
delay-sum-about = How much later its first consumers could start because of it, summed: arrival minus the latest other input of that consumer. 0 where another input came later still, even if the device sat waiting for this one
column-size = Size
column-times = Count
times-about = Number of transfers that the device waited for
filter-device-or-tensor = Filter by device or tensor
longest-of = the longest { $shown } of { $all }
tensor-from = { $tensor } from { $source }
of-communication = Of { $length } of communication
exposed-title = Exposed communication
exposed-answer = most on { $device }: { $length }, { $share } of the step
tracer-figures = In the terms of tensorflow-tracer: step_time { $step } µs, communication_time { $communication } µs, communication_elapsed_time { $elapsed } µs.
column-tensor = Tensor
transfers-of-tensor = { $tensor }: show its transfers
waited-one-about = Exposed communication that this transfer is blamed for: the device could not continue before it arrived
waited-all-about = Exposed communication of all devices that this tensor is blamed for
idle-before-all-about = Time when devices were idle because the tensor was not sent yet
size-sum-about = Sum of the sizes of its transfers
destinations-about = Number of devices it was sent to
filter-name = Filter by name
most-waited-of = the { $shown } with the longest waits of { $all }
tensors-answer = longest wait: { $tensor }, { $length } in all
tensors-not-waited = no device waited for one
link-bytes-about = Sum of the sizes of all transfers on the link
link-count-about = Number of transfers on the link
link-bytes = bytes
link-count = count
link-bandwidth = bandwidth
link-busy = busy
link-bandwidth-about = Bytes divided by the time with at least one transfer in transit: from send to arrival, as exact as both clocks agree. Only transfers with known times count
link-p50-about = Median time in transit: from send to arrival, as exact as both clocks agree
link-p99-about = 99 % of the times in transit are no longer than this: from send to arrival, as exact as both clocks agree
link-busy-about = Share of the step with at least one transfer in transit: from send to arrival, as exact as both clocks agree
link-chosen = { $link }: { $figures }. The band above the lanes shows only this link.
link-figure = Figure
link-ends = Ends of links
link-tasks = tasks
link-tasks-about = Links between tasks
link-devices-about = Links between devices
bytes-in-transfers = { $bytes } in { $transfers }
link-busy-words = busy { $length }, { $share } of the step
link-no-times = no time in transit is known
link-timed = times known of { $count }
link-largest = largest: { $tensor }, { $size }
show-its-transfers = Show transfers
show-all-links = All links
links-timed = Times in transit are known for { $known } of { $transfers }.
links-left-out = { $count ->
        [one] { $count } place
       *[other] { $count } places
    } with the fewest bytes left out. steplens network --json lists every link.
links-title = Links
links-busiest = busiest { $link }, { $share } of the step
copies-title = Copies by GPUs
matrix-label = Links by source and destination
matrix-nothing = nothing
matrix-total = all together
matrix-corner = { $figure }: from ↓ to →
order-few = fewer than two parameters arrived
order-no-producers = the producers of its tensors were not recorded
order-no-consumers = the consumers of its tensors are not known
order-many-tasks = too many tasks to find its parameters
parameters-about = Tensors from other tasks that do not depend on any op of this task
inverted-about = Pairs that arrived in the opposite order from the one ops need, though they could have arrived in order. By the device’s own clock
lost-about = How much earlier the ops that wait for parameters would finish in the better order, found by a replay. By the device’s own clock
column-parameters = Parameters
column-inverted = Inverted
column-pairs = Of pairs
pairs-about = Pairs that could arrive in either order and are needed one after the other
column-overlap-lost = Overlap lost
order-title = Transfer order
order-unknown = not known for this trace
order-good = parameters arrive in the order in which they are needed
order-answer = most lost on { $device }: { $length }, { $inversions }
order-waited-about = How long the op, with all other inputs there, waited for a parameter that could have been there
order-inexact = Replayed with the recorded arrivals, the ops should end when they really did. The difference is the error of the overlap lost.
copied-names = Copied { $names }
order-where = { $device }, step { $step }: the one of { $steps } that lost most
order-overtaken-by = Arrived before it, needed later
order-first-user = First op that needs it
order-none-waited = No op waited because parameters arrived in the wrong order.
order-replay-error = The replay misses the recorded end by { $length }.
better-order = Better order
copy-order-title = The names in this order, one per line, for a script
copy = Copy
needed-rank-about = Position in the better order
column-needed-rank = Needed rank
column-parameter = Parameter
column-needed-at = Needed at
needed-at-about = When its first op would start if every tensor were there at time 0
column-arrival-rank = Arrival rank
arrival-rank-about = Position in the recorded order of arrival
column-arrived = Arrived
arrived-about = Time of arrival, by the device’s own clock
column-would-arrive = Would arrive
would-arrive-about = In the better order, with no more bytes at any moment than recorded
order-dot = { $tensor }: arrival rank { $arrival }, needed rank { $needed }
order-plot = One dot per parameter: arrival rank from left to right, needed rank from top to bottom. The table of the better order has the same numbers.
order-axis-arrival = arrived first → last
order-axis-needed = needed last ← first
chain-before = no recorded cause
chain-before-about = From the start of the step until the first op of the path was scheduled: nothing that was recorded says what it waited for
chain-running = ops ran
chain-running-about = Ops of the path ran, on any device
chain-waiting = ops waited to run
chain-waiting-about = The last input of an op was there, but the op did not start; or a tensor was made, and nothing recorded says when it was sent
chain-queued = tensors queued
chain-queued-about = Produced but not sent yet
chain-wire = in transit
chain-wire-about = Sent but not arrived yet
filter-task-or-cause = Filter by task or cause
stragglers-title = Stragglers
straggler-times = { $task } in { $times } of { $all }
straggler-after = { $length } after { $task }
straggler-last = { $task } came last, { $after }.
straggler-last-of-many = { $task } came last, { $after } and { $behind } after the median of its peers.
straggler-alone = { $task } came last.
full-stop = .
straggler-path = The path to its end ({ $ops })
last-op-of = { $task }: go to its last op
straggler-last-short = last
column-finished = Finished
finished-about = The end of its last op, since the start of what is shown, by its own clock
column-earlier-by = Earlier by
earlier-by-about = How much earlier than the task that came last
cause-started-late = an op started late
cause-took-long = an op took long
cause-input-late = an input arrived late
cause-scheduled-late = an op was scheduled late
cause-is-start = Root cause: { $op } started late: its inputs were there { $length } before it started.
cause-is-start-with-peers = Root cause: { $op } started late: its inputs were there { $length } before it started (its peers: { $usual }).
cause-is-length = Root cause: { $op } took { $length }.
cause-is-length-with-peers = Root cause: { $op } took { $length } (its peers: { $usual }).
cause-is-input = Root cause: the input { $input } of { $op } arrived { $late } later than at its peers.
cause-is-input-from = Root cause: the input { $input } from { $task } of { $op } arrived { $late } later than at its peers.
cause-is-scheduling = Root cause: { $op } was scheduled { $late } later than on its peers.
as-in-steps = As in the tab Steps
column-finished-last = Finished last
column-after-next = After the one before
after-next-about = How much later than the task that finished before it
column-behind = After the median
behind-about = How much later than the median of its peers
column-root-cause = Root cause
column-own = This op
own-about = How long the op waited or ran, or when its input arrived
column-peers = Its peers
peers-about = The median of the same on its peers

## Drawer: range

concurrency-about = Ops that run at the same time. The height of a strip is their average over a short time, as a share of the exact maximum.
concurrency-peak = max { $count } at once
concurrency-at = { $average } at { $at }
concurrency-spoken = Max ops at once: { $peaks }
column-count = Count
range-transfers-about = Transfers that arrived in the range
no-sizes = no sizes recorded
untimed-others = { $others } without a recorded time
column-ops = Ops
range-ops-about = Ops that overlap the range
column-self = Self
self-about = Sum of their self times in the range: without the ops nested in them. Ops run in parallel, so the sum can be longer than the range
column-any = At least one
any-about = How long at least one of them ran, where the sum over ops is longer than the range
column-total = Total
total-about = The same including nested ops, which count twice
column-share = Share
share-about = Share of the self time of all ops
column-mean = Mean
mean-about = Mean of their full lengths
p50-about = Half of them are no longer than this
p99-about = 99 % of them are no longer than this
column-max = Max
max-about = The longest. Click the row to go to it
filter-op-type = Filter by op type
patterns = { $count ->
    [one] 1 pattern for communication
   *[other] { $count } patterns for communication
  }
patterns-short = { $count ->
    [one] 1 pattern
   *[other] { $count } patterns
  }
patterns-none = Communication
patterns-title = What also counts as communication
patterns-fact = Ops that match your patterns count as communication. Change them in the tab Range
patterns-about = Ops whose type or name matches one of these regular expressions count as communication, as --communication of the program does. Ranges never do.
patterns-not-counted = Patterns not applied
patterns-full = There are { $most } patterns already, which is the limit.
pattern-field = Pattern for op types and names
pattern-example = e.g. ^Push
pattern-add = Count
pattern-empty = Type a pattern first.
pattern-known = This pattern is in force already.
pattern-remove = Remove { $pattern }
back-to-all-lanes = Back to all lanes of this range
back-to-all-devices = Back to the figures of all devices
range-failed = Some figures of this range could not be computed.
split-per-device = Split per device
op-types-title = Op types
op-types-of = Op types of { $device }
column-split = Split
busy-about = Time when at least one op is recorded
row-any-device = Any device

## Drawer: selection

more-than-arrows = more than { $count ->
        [one] { $count } arrow
       *[other] { $count } arrows
    }
arrows-about = Dashed arrows with an open head come from producers. Solid arrows with a filled head go to consumers, and to kernels that the op launched. A transfer counts as one op
hops-label = How far arrows go
hops-about = How many ops the arrows follow the data, in both directions
hops-title = Arrows over
card-more = What can be done with it
card-pin = Show what is selected in the drawer from now on
card-unpin = Show what is selected on a card next to it
card-close = Close
card-all = All details
card-range = Its time as the range
selection-hint = Click an op for its times, inputs, tensors and transfers. By keyboard: . and , go to the next and previous op
category-because = { $category }, because of: { $reason }
block-times = Times
fact-size = size
fact-input-bytes = reads
fact-output-bytes = makes
input-bytes-about = The size of its tensors: of each its transfer’s, or what its maker asked for; with PyTorch what their shapes and types say
fact-tensor = tensor
fact-gradient-for = gradient for
fact-value-of = value of
fact-speed = speed
unknown = unknown
speed-about = Size divided by the time in transit
fact-producer = producer
no-producer-because = none: { $why }
source-not-traced = source not traced
producer-not-recorded = producer not recorded
unknown-rendezvous-key = unknown rendezvous key
not-recorded = not recorded
fact-found-by = found by
found-by-guess = guess: one of { $count }
found-by-graphs = the graphs that ran (exact)
found-by-names = names in labels
found-by-about = How the producer and the consumers were found
block-transfer = Transfer
input-not-taken = Not used this time: the input came from another op
input-no-producer = Its producer was not recorded
input-ambiguous-about = The recording does not say which one
one-of = one of { $count }
block-inputs = Inputs { $count }
inputs-by-names = Found by names in labels: its graph was not recorded.
block-launched-by = Launched by
block-kernels = Kernels { $count }
fact-on-gpu = on the GPU
on-gpu-about = From the start of the first kernel to the end of the last
block-consumers = Consumers { $count }
block-tensors = Tensors { $count }
allocated = allocated
block-memory = Memory
fact-allocator = allocator
fact-total = total
fact-peak = peak
fact-live-after = live after
fact-allocations = allocations
no-label = no label
argument-shapes = shapes
argument-types = types
argument-strides = strides
argument-inputs = input values
argument-module = module
argument-stack = stack
argument-grid = grid
argument-block = block
argument-registers = registers per thread
argument-shared-memory = shared memory (bytes)
argument-occupancy = occupancy (%)
argument-stream = stream
argument-correlation = correlation
argument-bytes = bytes
argument-bandwidth = bandwidth (GB/s)
argument-flops = flops
stage-runs = runs for
self-time-of-op = self time
self-time-about = Its time without that of what ran inside of it on its thread
block-around = On its thread
block-around-stream = On its stream
fact-inside-of = inside of
fact-inside-of-about = The innermost event on its thread that contains it
fact-before = after
fact-before-about = What finished last on its thread before it started, inside of the same event
fact-before-stream-about = What finished last on its stream before it started
block-arguments = Recorded
also-recorded = Also recorded
block-stack = Stack { $count }
fact-calculates = Calculates
fact-moves = Reads, writes
fact-moves-about = What it must read and write at least
work-at = { $amount } at { $rate }
work-recorded-about = As the profiler recorded it
work-by-shapes-about = By the shapes of its tensors
fact-gpu-time = GPU time
gpu-time-about = The sum of the times of its kernels and copies
fact-node = node
block-on-thread = On its thread
fact-kernel-on-thread = kernel
fact-executor = executor
executor-about = The rest of the op’s time: what the executor did before and after the kernel. The profiler cuts its times to microseconds
fact-asynchronous = asynchronous
is-asynchronous = yes: its thread did not wait for its end
is-synchronous = no
block-host-event = Event of the host profiler
fact-handed-over = handed over
handed-over-about = When the _Send node of the tensor started, as TensorFlow’s host profiler recorded it
fact-thread = thread
fact-stream = stream
stage-queued = queued
stage-queued-about = From scheduling by the executor to the start
stage-setup = set-up
stage-setup-about = From the start to the start of the kernel
stage-kernel = kernel
stage-kernel-about = Between the start and the end of the kernel
stage-finish = tear-down
stage-finish-about = From the end of the kernel to the end
time-scheduled = scheduled
time-start = start
time-end = end
stage-send-queue-about = From the end of the producer to the send
stage-in-transit = in transit
stage-in-transit-about = From the send to the arrival
stage-waited-after = waited after arrival
stage-waited-after-about = From the arrival until its first consumer was scheduled
delay-about = Arrival minus the latest other input of its first consumer; at least 0
delay-unknown = It is not known whether it delayed its consumer.
delay-by = Delayed its first consumer by
delay-none = Its first consumer waited for another input.
stage-title = { $stage }: { $length }
    { $about }

## Drawer: steps

all-steps-toggle = All steps on one axis, and back
all-steps-chip = all on one axis
step-rule = What is a step
step-rule-about = What counts as a step: as the files say, one per file, one per recording in a file, or everything is one step of many processes
steps-by-rule = Steps: { $rule }
filter-name-or-file = Filter by name or file
steps-without-ops = { $count } without ops
figure-length = length
exposed-short = exp. { $part }
figure-sent = sent
usual-words = { $figure } over all steps: mean { $mean }, standard deviation { $deviation }
    min { $min }, p50 { $p50 }, p99 { $p99 }, max { $max }
step-longer = longer
step-shorter = shorter
show-this-step = Show this step
column-number = Number
number-about = The number of the step in the file
column-file = File
column-recorded = Recorded (UTC)
recorded-about = Time of the recording, as the file says
start-about = Since the first start of all steps
column-unusual = Unusual
unusual-about = Its length differs much from the others
step-split-about = How its time divides: mean of the accelerators, or of all devices if there are none
no-ops = no ops
step-number = Step { $step }
column-sent-bytes = Sent
sent-bytes-about = Bytes of its transfers between tasks
step-facts = What the file says about the step
step-facts-choose = Choose a step to read what the file says about it.
fact-file = file
fact-recorded = recorded
fact-holds = contains
fact-made-of = made of
step-unusual = unusual length
step-strip = Lengths of { $steps }: { $min } to { $max }, median { $p50 }, { $count ->
            [0] none
           *[other] { $count }
        } unusual

## Drawer: transfers

column-variable = Variable
variable-about = The model variable that the tensor is a value of, or a gradient for
column-kind = Kind
kind-about = A value of the variable, or a gradient for it
column-type = Type
type-about = Type and shape of the tensor, as its producer recorded them
column-sent = Sent
column-received = Arrived
column-queued = Queued
queued-about = From the end of the producer to the send, by the sender’s clock
in-transit-about = From the send by the sender’s clock to the arrival by the receiver’s clock
column-waited-after = Waited after arrival
waited-after-about = From the arrival until its first consumer was scheduled, by the receiver’s clock
delay-one-about = How much later its first consumer could start because of it: arrival minus the latest other input of that consumer, by the receiver’s clock
column-speed = Speed
kind-gradient = gradient
kind-value = value
filter-transfers = Filter by tensor, variable, device, or A -> B
transfers-in-range = { $count ->
        [one] { $count } transfer
       *[other] { $count } transfers
    } that arrived in the range
transfers-between-devices = { $count ->
        [one] { $count } transfer
       *[other] { $count } transfers
    } between devices

## Counters and instants

instants-not-drawn = Instants not drawn
instant-not-shown = Instant not shown
counter-lane = { $name }: { $min } to { $max }
more-counters = { $count ->
        [one] 1 more counter is not drawn
       *[other] { $count } more counters are not drawn
    }
tip-counter-between = between { $min } and { $max }
tip-instant = at { $at }
tip-instants = the first of { $count } instants here
tip-more-arguments = { $count ->
        [one] 1 more argument in the tab Selection
       *[other] { $count } more arguments in the tab Selection
    }
selected-instant = Selected the instant { $name }
instant-word = instant
fact-moment = moment
fact-about = about
about-all = all of the trace
about-process = its process
about-thread = its thread

## Memory

memory-not-read = Memory not read
memory-not-drawn = Memory not drawn
no-tensor-chosen = No tensor chosen
why-alive = Why { $tensor } is alive
live-bytes-shown = Live bytes are shown under each device that has any
live-bytes-hidden = Live bytes are hidden
live-bytes-title = Live bytes, under each device that has any
under-each-device = under each device
name-rows = rows
memory-failed = Memory could not be read.
memory-reading-now = Reading what was allocated…
memory-word = memory
memory-lane = { $allocator }: peak { $peak }
memory-reading = What the figures rest on
memory-by-records = By allocation records
memory-by-lifetimes = By lifetimes through the data flow
memory-by-timeline = By what timeline.py counts
memory-account = Device and allocator
memory-account-of = { $device }, { $allocator }: { $bytes }
allocator-not-named = allocator not named
memory-at-peak = at the peak
memory-lane-under-each = A lane of live bytes under each device
memory-rests-on-what = It rests on { $what }.
memory-there-before = { $bytes } were there before the first op.
memory-beyond = At the peak the allocator had { $bytes } more in use for others.
memory-not-counted = { $count ->
        [one] { $count } tensor of { $bytes } is
       *[other] { $count } tensors of { $bytes } are
    } not counted: a later one has the same name.
memory-frees = { $count ->
        [one] Memory was freed { $count } time
       *[other] Memory was freed { $count } times
    } without an allocation that was recorded.
memory-sums = { $count ->
        [one] { $count } sum
       *[other] { $count } sums
    } too large to be kept: the curve stops there.
memory-inputs = The inputs of { $count ->
        [one] { $count } op
       *[other] { $count } ops
    } were not followed: there are too many.
memory-moment = The moment that is shown
memory-picture-about = Click to choose a moment, and the tensor there
memory-from-start = from the start on
memory-moment-and-peak = { $when }, peak { $peak }
memory-moment-and-boxes = { $moment }, { $count ->
        [one] { $count } box
       *[other] { $count } boxes
    } for the largest tensors
alive-at = { $bytes } alive at { $at }, in { $tensors }
alive-from-start = { $bytes } alive from the start on, in { $tensors }
alive-and-peak = { $alive }; the peak is { $peak }
alive-merged-by = What rows are merged by
alive-by-tensor = By tensors
alive-by-op-type = By op types
alive-by-scope = By name scopes
alive-by-shape = By shapes
alive-by-variable = By variables
alive-unnamed = (none)
alive-held-for = What
alive-row-about = { $tensor }: why it is alive
alive-bytes = Bytes
alive-bytes-about = Of all that are merged in the row
alive-count = Count
alive-count-about = How many allocations are merged in the row
alive-shape = Shape
alive-since = Since
alive-since-about = When the first of them was allocated; – if it was there before
alive-until = Until
alive-until-about = When the last of them was freed; – if it never was
alive-largest = the { $count } largest of { $rows }
alive-why = Why it is alive
alive-at-this-moment = At this moment
alive-kept-most = What keeps the most alive
alive-kept-by-none = No op that is still to end keeps anything alive.
alive-kept-about = Bytes that stay alive at least until the op has ended: all ops that will read them come after it.
alive-held = { $bytes }, { $tensors }
alive-life = Its life
alive-allocated-by = Allocated by
alive-size = Size
alive-allocated-at = Allocated at
alive-before-first = before the first op
alive-freed-at = Freed at
alive-not-freed = not before the end
alive-last-reader = Last reader
alive-op = Op
alive-waited-for = Waited for
alive-inputs-at = All inputs there at
alive-late-by = Ran after its inputs by
alive-right-after = Right after its inputs
alive-no-output = No op reads it: it is no output of its op.
alive-no-reader = No op that was recorded reads it.
alive-read-by = Read by { $readers }; { $waiting } have not ended yet
alive-for = It is alive for
alive-no-change = nothing would change at this moment
alive-free = { $free } would be free now
alive-free-and-need = { $free } would be free now, and { $need } of its outputs there
filter-name-or-shape = Filter by name or shape
rows = { $count ->
        [one] { $count } row
       *[other] { $count } rows
    }

## Path: what the step waited for

path-compute = compute
path-compute-about = An op ran: only a faster op makes the step shorter here.
path-copy = copy
path-copy-about = A copy between host and device, or between devices of one task.
path-transit = in transit
path-transit-about = A tensor was on its way, or a collective ran: fewer bytes, or a faster network, would help.
path-sender-queue = queued at the sender
path-sender-queue-about = A tensor was produced, and not sent yet: the sender was busy with others, and another order would help.
path-producer = waiting for the producer
path-producer-about = Only the waiting was recorded, not its reason.
path-behind = waiting for its turn
path-behind-about = An op was ready, and other ops ran before it on its threads: more threads, or shorter ops, would help.
path-launching = starting the op
path-launching-about = From the decision to run an op until it ran: dispatch and launches. Fewer and larger ops would help.
path-allocating = allocating
path-allocating-about = A call into a driver got memory or gave it back. Such a call may also wait until the device has done all its work.
path-input = input
path-input-about = Loading of the next batch: prefetch it, or load it with more workers.
path-starting = before the first op
path-starting-about = The step had begun elsewhere, but not on this task: look at what this task did before the step.
path-host-between-ops = host between ops
path-host-between-ops-about = A thread of a program ran no recorded op: it was between two of them.
path-python-between-ops = Python between ops
path-python-between-ops-about = The thread that feeds a GPU ran no recorded op: Python ran between two ops. Where the trace has Python’s stack, the innermost function is named.
path-gap = no recorded cause
path-gap-about = Nothing that was recorded explains why nothing ran.

path-what = What
path-length = Length
path-from = From
path-op = Op
path-earlier = Earlier by
path-earlier-about = How much earlier it could have run, if its thread or link had been free. The path goes on to the op that held it
path-by-kind = By kind
path-by-op-type = By op type
path-by-scope = By scope
path-by-frame = By Python frame
path-by-device = By device
path-failed = The critical path could not be found.
path-light-about = Light the timeline along the critical path
path-light = Light up
path-to-light = Path to light
path-to-light-about = Observed: what the step really waited for. Static: the longest path by dependencies alone. Least shared: of such paths the one that has most time outside of the static path
path-observed = observed
path-static = static
path-next-path = least shared
path-sums = Sums of the path
path-of-whole = The path is that of all that is shown, and not of the range.
path-following = Following what each op waited for…
path-part = Part
path-time = Time
path-share = Share
path-segments = Segments
path-near = { $ops } within 1 % of the step on the static path.
path-next = The path that shares least with it takes { $length }, { $outside } of it elsewhere.
path-threads-recorded = The thread of { $recorded } of { $ops } ops was recorded; those of the others are inferred: { $row } of { $all } ops that were scheduled together ran in a row.
path-threads = Threads are inferred: { $row } of { $all } ops that were scheduled together ran in a row.
path-backward = { $count ->
        [one] { $count } edge goes back in time, by { $worst }, and is counted from the start of its effect.
       *[other] { $count } edges go back in time, by up to { $worst }, and are counted from the start of their effect.
    }
path-not-yet = Not known yet
path-waited-for = Waited for
clock-note-first = { $said }.

# Findings: what is worth changing.
place-overview = Overview
place-time = Time
place-communication = Communication
place-communication-short = Comm.
tab-findings = Findings
findings-row-title = What would help
findings-label = What is worth changing, what saves most first; a cause stands before what follows from it
try-it = Try it
try-it-about = What if? Replays the step with this change
findings-ask = Find it
findings-large = What dominates { $ops }, and what would save time, takes some seconds to find.
findings-open-about = All findings, what to do about each, and what could not be judged
findings-all = { $count ->
        [0] none
        [one] { $count } finding
       *[other] { $count } findings
    }
findings-wait = Replaying the step to find out …
findings-parts = Replaying the step: { $done } of { $of } rules
findings-not-found = What would help was not found
findings-failed = What would help could not be found.
findings-count-not-judged = { $count ->
        [one] { $count } rule could not judge this trace
       *[other] { $count } rules could not judge this trace
    }
finding-saving = −{ $length }
finding-share = { $share } of path
finding-show = Click to see where
finding-evidence = { $op } on { $device }
doing-findings = finding what would help

# The report that is printed.
print-report = Steplens report
print-a-report = Print a report
print-range = Split, devices and op types are those of the selected range, { $from } to { $to }; the rest is about the whole step.
print-preparing = Preparing the report to print …
print-pattern = Counted as communication, too: { $pattern }
print-part = Part
print-time = Time
print-view = The view, { $from } to { $to }
print-cut = More rows are below this picture. Fold or hide devices to see them.
print-devices = Devices
print-op-types = The ten op types with most time
print-tensors = The ten tensors waited for longest
print-links = The ten links with most bytes
print-link = Link
print-missing = Not worked out yet: { $what }. Print with Ctrl+P to include it.
print-made = Printed { $when } by Steplens { $version }: { $files }
path-not-found = Critical path not found
path-is-lit = The critical path is lit
path-is-lit-static = The static path is lit
path-is-lit-next = The path that shares least with the static path is lit
path-is-not-lit = Everything is lit

## Why late: what an op waited for, and what ran instead

block-why = Why late?
why-not-found = Why the op started late was not found
why-failed = What the op waited for could not be found.
why-select-first = Select an op to see why it started when it did
why-no-cause = Nothing says what this op waited for
why-ask = Find out
why-ask-about = Follows what each op waited for: in a trace as large as this it takes seconds
why-no-node = This row repeats what other rows ran, or was busy all the time with other ops: it did not wait itself.
why-no-input = No input of it was recorded: what it waited for before it was scheduled is not known.
why-since-ready = from its last input until it began
why-waited-for = Waited for last:
why-ready = ready
why-ready-about = When what it waited for last was there
why-scheduled-about = When the executor queued it
why-began = began
why-began-about = When it began; of what waits for a tensor or a kernel, when that waiting was over
why-link-about = What { $name } waited for, and what ran instead
fact-slack = static slack
slack-about = How much longer it could last before the path by dependencies alone gets longer. Threads, queues and links do not count for it: an op with much slack can be on the observed path, when others waited for it or for its thread
slack-none = none: on the static path
fact-on-path = on observed path
on-path-about = Whether the observed critical path leads through it: what the step waited for as it ran, with queues and threads. Slack is about dependencies alone, so it can be long here
yes = yes
no = no
edge-data = a tensor that it used
edge-control = an op that had to come before
edge-transfer = a tensor from another device
edge-launch = its launch
edge-sync = a kernel
edge-event = a kernel on another stream, by an event
edge-other-stream = a kernel on another stream (inferred)
edge-handover = another thread (inferred)
edge-stream = the one before on its stream or thread
edge-thread = the one before on its thread (recorded or inferred)
edge-link = the transfer before on its link
edge-room = a kernel that left the GPU no room (inferred)
ran-instead = Ran instead
ran-on-thread = Ran instead on its thread
ran-on-thread-about = Ops of the same thread, as recorded
ran-on-stream = Ran instead on its stream
ran-on-stream-about = Kernels and copies of the same stream
ran-on-device = Ran instead on its device
ran-on-device-about = Ops of the same device: they share its threads. How many threads there are was not recorded
ran-on-shared = Ran instead on devices that share threads
ran-on-shared-about = A recorded thread ran ops of several of these devices; or no thread was recorded, at least three devices were at work, and never as many ops as devices ran at once: so their threads are taken to be shared
ran-on-link = Was on its way instead on the same link
ran-on-link-about = Other transfers from the same place to the same other
ran-same-thread = same thread
ran-same-thread-about = On the same thread as the op that waited: inferred from what was scheduled together
ran-busy = { $ops } ran for { $share } of these { $length }.
ran-nothing = Nothing that was recorded ran in these { $length }.

## The critical path as a strip above the lanes

strip-name = Critical path
strip-title = Critical path above the lanes: what the step waited for at each moment
strip-hide = Hide the critical path; the menu Lanes shows it again
strip-shown = The critical path is shown above the lanes
strip-hidden = The critical path is hidden. The menu Lanes shows it again
strip-spoken = What the step waited for, moment by moment. Arrows go from segment to segment, Enter selects the op
strip-segment = { $label }, { $length } from { $from }: { $name }
tip-earlier = could have run { $length } earlier, had { $ops } not run before it

## Scheduling

name-names = names
column-gpu-self = GPU self
column-gpu = GPU
column-kernel = Kernel
kernel-total-about = The sum of their durations, within the range. Kernels that run at the same time count each
kernel-share-about = Of the time of all kernels
column-occupancy = Occupancy
occupancy-about = Mean, weighted by time, as the profiler has it: PyTorch estimates what was achieved, TensorFlow and JAX say what is possible. Low: few warps per multiprocessor hide how long memory takes
column-flop = FLOP
flop-about = Floating-point operations (multiplications and additions) of those of which they are known: recorded, or by the shapes of their tensors
column-flop-rate = FLOP/s
column-of-peak = Of peak
of-peak-about = Of the most floating-point operations that the accelerator calculates in a second, as its profiler gives it (of a TPU in bfloat16)
flop-rate-about = Floating-point operations of a second in which those ran of which they are known; of an op that launches kernels, while these ran
column-byte-rate = Bytes/s
byte-rate-about = What those must read and write at least of which it is known, of a second in which they ran
column-work-known = Known
work-known-about = The share of the time that is of those whose FLOP or bytes are known
column-grid = Grid
grid-about = Blocks that the kernel was launched with, as most of its time was. … : other launches had others; hover to see them
column-block = Block
block-about = Threads of a block, as most of its time was launched
column-registers = Registers
registers-about = Registers of each thread. Many limit the occupancy
column-shared-memory = Shared
shared-memory-about = Shared memory of each block, static and dynamic. Much of it limits the occupancy
column-launched-by = Launched by
launched-by-about = The op type that launched most of its time: the innermost operator around the launch
launcher-of = { $op_type }: { $count }
launchers = { $name } and { $more } more
scheduling-not-found = Scheduling not found
scheduling-failed = Scheduling could not be found.
scheduling-views = What is shown of scheduling
scheduling-empty = This trace does not record when ops were scheduled or launched. TensorFlow’s RunMetadata does, and so do traces of GPUs that record launches: see docs/recording.md.
scheduling-not-recorded = Not recorded here: { $parts }.
scheduling-contradicted = { $ops } were scheduled before their last input ended, as recorded: their wait is not known.
scheduling-network = { $ops } brought tensors or are collectives: the place Communication has them.
scheduling-program = { $ops } were called directly by threads of the program: no executor schedules them.
part-wait = Wait
part-wait-about = From the end of the last input until the op was scheduled
part-queue = Queue
part-queue-about = From scheduling until the start; of a kernel, from its launch
part-set-up = Set-up
part-set-up-about = From the start of the op until its kernel started
part-kernel = Kernel
part-kernel-about = The kernel: the work itself
part-tear-down = Tear-down
part-tear-down-about = From the end of the kernel until the end of the op
queue-p50 = Queue, p50
queue-p99 = Queue, p99
queue-most = Longest queue
queue-most-about = The longest queue of one op; a click goes to it
at-work-title = Ops at once
at-work-chart-words = Filled: ops at work on average. Line: the most at any moment. Faint: queued, on top of these
at-work-chart-threads = Filled: ops at work on average. Line: the most at any moment. Faint: queued, on top of these. Dashed: { $threads }
at-work-chart-spoken = Ops at work over time, at most { $most } at once
at-work-at = At { $at }: { $average } at work on average, { $most } at most, { $queued } queued
at-work-figures = How long so many ran
at-work-shared = { $count } devices that share threads
at-work-most = At most { $most } at once: there are at least as many threads.
at-work-not-scheduled = When ops were scheduled was not recorded.
at-work-queued = For { $length } at least one more was queued, { $share } of that while { $most } ran.
at-work-starved = With { $threads }, ops were queued for { $length } while all of them worked.
at-once = At once
at-once-length = How long
queued-meanwhile = Others queued
queued-meanwhile-about = How much of that at least one more op was scheduled and had not started
threads = { $count ->
        [one] { $count } thread
       *[other] { $count } threads
    }
threads-number = Threads
threads-unknown = not recorded
threads-about = How many threads run ops, if you know: inter_op_parallelism_threads, else as many as the machine has cores. The trace does not say
latest-title = Longest queues
tiny-title = Tiny ops
tiny-ops-about = Ops that took any time
column-tiny = Tiny
column-tiny-about = Ops shorter than 10 µs
column-in-a-row = In a row
column-in-a-row-about = Tiny ops that followed another op on their thread or stream within 0.1 ms
column-between = Between
column-between-about = The time between these and the ops before them
column-cost = Cost
column-cost-about = The length of tiny ops, and the time between
streams-title = Streams
name-streams = streams
column-stream = Stream
column-kernels = Kernels
column-busy = Busy
stream-queue-about = From launch to start, all kernels together
column-gaps = Gaps
column-gap = Gap time
column-gap-about = How long nothing ran between the first kernel and the last
column-host = Host
column-host-about = How much of the gaps the next kernel was not launched yet
column-other-stream = Other stream
column-other-stream-about = How much of the gaps a kernel of another stream ran, at whose end the next one began: inferred
column-starting = Starting
column-starting-about = How much of the gaps the next kernel was launched, and starting
gpus-title = Idle time of GPUs
column-idle = Idle
column-idle-about = How long no kernel and no copy ran, except collectives
column-between-ops = Between ops
column-between-ops-about = The next kernel was not launched, and the thread that launched it ran no recorded op
column-launching-late = Launching late
column-launching-late-about = The next kernel was not launched, and the thread that launched it ran an op or a call, or is not known
column-idle-other-stream-about = The next kernel was launched and waited for another stream or an event: inferred
column-other-rank = Other rank
column-other-rank-about = The next kernel was launched and waited for a collective: inferred
column-nothing-queued = Nothing queued
column-nothing-queued-about = No later kernel was recorded

## How often an op is on the critical path of several steps

over-steps = Over steps
over-steps-about = How often each op is on the critical path of the steps
on-paths = On paths of
on-paths-about = On the observed paths of how many steps it is
on-path-share = Share
on-path-share-about = How much of a step it has on the path: the median over these steps
on-path-length-about = How long it is on all of these paths
on-path-longest = Longest
on-path-longest-about = How long it is in the step in which it is longest; a click shows that step
on-path-longest-step = In step
on-paths-cut = Of the first { $shown } of { $all } steps.

lengths = Durations
lengths-all = All durations
lengths-click = Click a bar to list its ops
lengths-bin = { $length }: { $ops }, { $total } together
lengths-not-counted = Durations not counted
filter-ops = Filter ops
ops-match-of = { $count } of { $all } that match { $query }
list-ops-of-type = { $type }: list its ops
count-as-communication = { $type }: count as communication
count-as-named = { $type }: count as what its name says

# What the right mouse button offers.
copy-name = Copy name
copy-op-details = Copy details
copied-text = Copied
zoom-to-op = Zoom to it
why-late = Why late?
show-in-table = Show in table
list-ops-of-scope = { $scope }: list its ops
find-same-op = Find this op on all devices
find-in-all-steps = Find this op in all steps
copy-row = Copy row
show-only = Show only { $name }
fold-or-unfold = Fold or unfold
pin-devices = Pin its devices
hide-devices = Hide its devices
pin-device = Pin device
unpin-device = Unpin device
device-op-types = Its op types
device-memory = Its memory
device-only = Show only this device
device-network = Its transfers
hide-device = Hide device

# The legend, and what colours stand for.
not-colored = Not coloured
not-lit = Not lit
legend-also = also:
legend-also-title = Ops of these are in the lanes; no part of the bar is theirs
legend = Legend
color-by = Colour by
color-by-title = What colours stand for
colored = Colour: { $what }
coloring = Colour: { $what }…
colored-by = Coloured by { $what }
color-by-category = category
color-by-phase = phase
color-phases = Phases
color-phases-title = Colour ops by phase: forward, backward, optimizer, input, communication. Another click: by category, as the split has them
color-by-op-type = op type
color-by-scope = name scope
color-by-duration = duration
color-by-step = step
color-by-device = device
color-by-slack = slack
color-by-category-about = compute, copy, communication
color-by-phase-about = forward, backward, optimizer, as names say
color-by-op-type-about = a colour for each of the largest
color-by-scope-about = a colour for each of the largest
color-by-duration-about = in powers of ten
color-by-step-about = eight colours in turn
color-by-device-about = a colour for each of the largest
color-by-slack-about = how much later ops could end without a longer step
color-others = others ({ $count })
color-none = others
color-unnamed = no name
color-steps = step { $steps }
color-no-slack = none: on a longest path
color-below = below { $to }
color-from = { $from } and more
color-between = { $from } to { $to }
legend-title = { $name }: { $time } in { $ops } in this view, all devices together. Click: only these. Ctrl+click: these, too. Esc: all.
arrows-to-it = where its data came from
arrows-from-it = where it went
legend-more = { $count } more
legend-more-title = Parts that have no room
legend-exposed = exposed transfers
legend-exposed-about = Transfers while nothing on the device could hide them
legend-hidden = hidden transfers
legend-hidden-about = Transfers while the device computed, copied or read input
all-colors = All colours
all-colors-title = Show all colours again (Esc)
legend-of-ops = of { $time } of ops
legend-of-ops-title = These are shares of the time of all ops in this view, without the ops nested in them. Ops run at once, on several devices: their sum may be longer than the view. How the step divides is shown where colours stand for categories
colors-wanted = { $count ->
    [one] Only { $count } colour stands out
   *[other] Only { $count } colours stand out
}

## open.html: a trace from an address

open-title = Open a trace from an address
open-from = A link asks to open a trace from
open-compared = and, to compare it with, from
open-what-happens = Your browser will request this address, so the host learns that you did. The trace is read in this browser and is sent nowhere.
open-yes = Open the trace
open-without = Open Steplens without it
open-cancel = Cancel
open-waiting = { $host }: waiting for an answer
open-read = { $read } read
open-read-of = { $read } of { $of } read
open-large = { $host } has { $size } at this address. This may take long, and much memory.
open-large-yes = Read it
host-event-joined = an op of the executor, once more
host-event-transfer-node = a node that hands a tensor over: the executor does not record it
host-event-unjoined = named like an op of the step, and none that the executor recorded
host-event-range = a range around others
host-event-other-run = part of another run of a session

## Drawer: what if

if-not-replayed = The step could not be replayed.
if-no-table = What would help could not be computed.
if-replaying = Replaying the step…
if-recorded = Recorded step
if-replayed = Replayed step
if-replayed-about = The length of the step when it is replayed without any change
if-predicted = With the changes
if-error = Replay error
if-error-about = How far the replay without changes is from the recorded step, as a part of it. Above 5 % nothing is predicted
if-near = Ops that start near
if-near-about = The part of the ops that start in the replay within 1 % of the step of when they started
if-frozen = Unexplained
if-frozen-about = What is left if every op takes no time, beyond launches, gaps and queues at senders that were recorded as such: nothing recorded says why this time passed, and no change moves it. Above half of the step nothing is predicted
if-range = Between
if-range-of = { $low } and { $high }
if-range-about = Threads wake up sooner or later, steps vary, the replay is off, and unexplained time may move like the rest
if-variation = Steps vary by
if-variation-about = The median of the distances of the steps' lengths from their median. A saving below it is not seen in practice
if-variation-unknown = not known: fewer than two steps
if-lines = Links
if-lines-about = How transfers share links, as it fits this recording best
if-lines-in-order = one transfer after the other
if-lines-shared = transfers share the bandwidth
if-within-error = Within the error of the replay
if-within-variation = Within what steps vary anyway
if-no-effect = No effect
if-refused = Nothing is predicted
if-refused-help = The tabs Path and Scheduling show what the step waited for. A trace with more detail (threads, scheduling times) replays better.
if-changes = { $count ->
        [one] { $count } change
       *[other] { $count } changes
    }
if-changes-title = Changes
if-undone = Undone. Now { $changes }
if-clear = Remove all
if-remove = Remove the change: { $change }
if-factor-of = Factor of the time: { $change }
if-add = Add a change
if-add-short = Add
if-no-time = takes no time
if-as-recorded = as recorded
if-twice = twice as fast
if-half-as-fast = half as fast
if-faster = { $times } times as fast
if-slower = takes { $times } times as long
if-ops = Ops that match { $pattern }
if-op-type = Op type { $type }
if-op = Op { $op }
if-link = Link { $link }
if-network = All of the network
if-network-of = The network of { $task }
if-threads = Number of threads
if-order = Transfers in the order of need
if-half = Half as many bytes: { $pattern }
if-merge = As one transfer: { $pattern }
if-like-peers = { $task } like its peers
if-hide-input = Hide input
if-hide-launch = Hide launches
if-hide-copy = Hide copies
if-hide-communication = Hide communication
if-kind-op = Ops
if-kind-link = Link
if-kind-network = Network
if-kind-device = Device
if-kind-half = Half as many bytes
if-kind-merge = Merge transfers
if-kind-like-peers = Task like its peers
if-field-op = Regular expression, such as type:Conv2D
if-field-from = From (task or device)
if-field-to = To (task or device)
if-field-all-tasks = Task; empty for all
if-field-device = Device
if-field-threads = Threads
if-field-tensors = Tensors (regular expression)
if-field-task = Task
if-results = What the changes do
if-waits-title = What the step waits for
if-waits-about = In the replay. A wait for a thread counts as what ran on that thread; on the critical path it is a wait.
if-timelines-title = When devices are busy
if-savings-title = What would help
if-savings-about = Each alone, without the changes above. A click adds it as a change.
if-before = Time before
if-after = Time after
if-change = Change
if-upwards = up: before, { $length }
if-downwards = down: after, { $length }
if-busy = busy for { $before }
if-busy-both = busy for { $before } before, { $after } after
if-devices-left-out = { $devices } with less work are left out.
if-what = What
if-line = Saving
if-line-about = How much the step saves as this gets faster, from 0 to 100 % less time. All lines are on one scale; a dot marks where one goes flat
if-flat = Saves less from
if-flat-about = From here on, each further percent saves less than half as much as at first, because another path takes over
if-on-path = On the path
if-on-path-about = How much of the critical path it takes
if-add-this = Add as a change: { $name } twice as fast
if-kind-of-op-type = op type
if-kind-of-link = link
if-kind-of-device = device
if-more-rows = Show the rest
if-replaying-rows = Replaying the step for each row…
if-rows-so-far = { $done } of { $total } rows
if-nothing-helps = Nothing on the critical path can be made faster.
if-op-faster = What if this op were faster?
if-type-faster = What if { $type } were faster?
if-link-faster = What if the link { $link } were faster?
if-device-faster = What if { $device } were faster?
if-task-faster = What if the network of { $task } were faster?

## The watched folder

watch-region = Watched folder
watch-folder = Watch a folder
watch-folder-title = Follow a program that trains: the folder that its recorder writes into
watch-failed = The folder could not be watched.
watch-not-allowed = The browser was not allowed to write into the folder. Ask again and allow it, or use the command steplens request.
watch-bad-request = The request cannot be made: a process has a name that none can have.
watch-server-gone = The server does not answer ({ $why }). Is steplens serve still running, and the ssh to it?
watch-server-refused = The server refuses ({ $status }): { $why }
watch-trace-gone = { $files } is not in the folder any more: the oldest traces are deleted.
watch-looking = Looking into it…
watch-nothing-yet = no program has written here yet
watch-nothing-yet-more = No program has written here yet. Runs appear as soon as one does.
watch-processes = { $count ->
    [one] { $count } process
   *[other] { $count } processes
 }
watch-runs = { $count ->
    [one] { $count } run
   *[other] { $count } runs
 }
watch-traced = { $count } traced
watch-as-it-was = as it was when you opened it
watch-again = Read again
watch-again-title = This browser cannot follow a folder. Choose it again to read what is new.
watch-end = Stop watching
watch-less = Show one line of the watched folder
watch-more = Show runs, averages and requests
watch-fault = The last look failed: { $why } It is tried again.
watch-opens = Open new traces
watch-opens-title = Opens a trace as soon as it arrives, in place of what is open
watch-problems = What is wrong with the folder
watch-calls = Runs by what they fetch
watch-column-process = Process
watch-column-fetches = Fetches
watch-column-runs = Runs
watch-column-mean = Mean
watch-column-traced = Traced
watch-column-traced-mean = Mean, traced
watch-column-run = Run
watch-column-step = Step
watch-column-began = Began
watch-column-length = Length
watch-column-trace = Trace
watch-unknown-call = not known
watch-no-fetches = nothing
watch-call-title = Fetches { $fetches }. Fed: { $feeds }. Shows only these runs.
watch-range = from { $min } to { $max }, without those that were traced
watch-dropped = { $count ->
    [one] { $count } earlier run is no longer in the folder, and not in these figures.
   *[other] { $count } earlier runs are no longer in the folder, and not in these figures.
 }
watch-only-traced = Only traced
watch-all-calls = All runs
watch-runs-table = Runs
watch-newest = the newest { $shown } of { $all }
watch-began-title = UTC, by the clock of the machine that trains
watch-gone = deleted
watch-gone-title = The trace is not in the folder any more: the oldest are deleted
watch-open = Open
watch-open-title = Open { $name } ({ $size })
watch-compare = Compare
watch-compare-title = Compare the open trace with { $name }
watch-together = with { $count ->
    [one] { $count } other
   *[other] { $count } others
 }
watch-together-title = { $count ->
    [one] Open it with the trace of the other process of this step
   *[other] Open it with the traces of { $count } other processes of this step
 }
watch-download = Save { $name }
watch-not-downloaded = The trace could not be saved.
watch-below-table = Traces in the folder
watch-below-count = { $count ->
    [one] { $count } trace, the newest first
   *[other] { $count } traces, the newest first
}
watch-below-none = There is no trace in this folder or below it. Looked for: what a recorder of Steplens writes (steplens.json, runs-*.jsonl), TensorBoard's plugins/profile/RUN/HOST.xplane.pb, PyTorch's *.pt.trace.json and *.json.gz, timeline*.json, RunMetadata *.pb and *.pbtxt, Horovod's *.json and *.timeline, Paddle's *.profile, *.pickle, *.steplens, *.trace and event files (*.tfevents.*); packed (.gz, .zst) or not. Hidden names and links are passed over. The list fills as files arrive
watch-below-others = { $count ->
    [one] { $count } file that is called like one holds none
   *[other] { $count } files that are called like one hold none
}
watch-below-unread = { $count ->
    [one] { $count } folder may not be read
   *[other] { $count } folders may not be read
}
watch-below-large = large: read when it is opened
watch-below-reading = not read yet
watch-below-gone = { $file } is not in the folder any more.
watch-too-many-traces = The folder has more than { $most } traces or folders. Choose one of the folders in it, or make a dataset of it with steplens index.
watch-column-changed = Changed
watch-column-size = Size
watch-column-steps = Steps
watch-column-verdict = What it shows
watch-asked = The programs that train are asked.
watch-not-asked = The request could not be written.
ask-form = Ask for traces
ask-kind = What to trace
ask-now = the next runs
ask-every = every n-th run
ask-multiple = steps that are a multiple of n
ask-stop = nothing more
ask-n = n
ask-count = how many
ask-count-every = 0: until it is stopped
ask-process = Who is asked
ask-everybody = all processes
ask-go = Trace
ask-go-stop = Stop tracing
ask-by-command = This page cannot write into the folder. This command asks:
asked-title = What was asked
asked-now = { $count ->
    [one] the next run
   *[other] the next { $count } runs
 }
asked-every = every run that is an { $n }-th
asked-every-count = every run that is an { $n }-th, { $count ->
    [one] once
   *[other] { $count } times
 }
asked-multiple = { $count ->
    [one] the next step that is a multiple of { $n }
   *[other] the next { $count } steps that are a multiple of { $n }
 }
asked-stop = nothing more
asked-line = { $what }: { $answers }
answer-none = no answer yet
answer-of = { $process } { $answer }
answer-with-runs = { $answer } (runs { $runs })
answer-seen = has seen it
answer-tracing = traces
answer-done = done
answer-stopped = stopped
answer-expired = too late
answer-refused = refused: { $why }

## Drawer: compare

tab-compare = Compare
cmp-not-compared = Not compared
cmp-failed = The traces could not be compared.
nothing-to-compare = Nothing of { $name } can be compared: { $why }
comparing = Comparing…
comparing-with = Comparing with { $b }
comparison-closed = Comparison closed
cmp-files = Compare with another trace
cmp-nothing-yet = Nothing is compared yet. This trace is A; open a trace from after a change as B, and see what differs and where the difference comes from.
cmp-wanted = This view compares with { $name }. Open that file again to see the comparison.
cmp-with-file = Compare with a file…
cmp-with-file-about = Choose one file or several as one trace; or drop them on the middle of the page
cmp-with-step = Or with another step of this trace:
cmp-with-step-go = Compare
cmp-with-this-step = Compare with the step that is shown
cmp-recent = Compare this trace with { $name }
cmp-a = A
cmp-b = B
cmp-step = step
cmp-of-steps = of { $count }
cmp-step-of-b = Step of B
cmp-typical = Typical step
cmp-typical-about = Of the usual steps the one with the median length
cmp-took-typical = taken as the step of median length
cmp-same-trace = another step of the same trace
cmp-problems-of-b = { $count ->
        [one] B has a problem: { $first }
       *[other] B has { $count } problems, the first: { $first }
    }
cmp-swap = Swap A and B
cmp-swap-about = B becomes the open trace
cmp-another = Another B…
cmp-another-about = Compare with another trace
cmp-close = Close the comparison
cmp-close-about = The open trace stays
cmp-results = Both steps, and tables of both
cmp-waterfall = Where the difference comes from
cmp-waterfall-about = Each bar begins where the one above it ends: together they are B minus A. Each opens its ops.
cmp-length-a = A’s step
cmp-length-b = B’s step
cmp-small = { $count ->
    [one] Another cause, of less than 0.1 % of the step
   *[other] { $count } other causes, each of less than 0.1 % of the step
}
cmp-findings = What would help
cmp-findings-about = In one of the two only
cmp-finding-new = new in B
cmp-finding-gone = gone in B
cmp-findings-sought = Looking for what would help in both…
cmp-findings-same = The same would help in both.
cmp-findings-failed = What would help in both could not be found.
cmp-adds = adds
cmp-more-ops = { $count ->
        [one] and { $count } more op
       *[other] and { $count } more ops
    }
cmp-show-in-a = Select { $op } in A
cmp-show-in-b = Select { $op } in B, and its partner in A
cmp-matches = Which op is which
match-exact = Same name, type and shapes
match-exact-about = Pairs of ops with the same name, op type, and shapes where both recorded them
match-retyped = Same name, another type
match-retyped-about = Pairs with the same name and the same work, which a library carries out under another op type
match-renumbered = Same name without numbers
match-renumbered-about = Pairs with the same name without numbers and the same op type; or the same name with other shapes
match-structural = Same place in the graph
match-structural-about = Pairs with the same op type, depth of scope, and op types at inputs and outputs
match-edited = Same order in a scope
match-edited-about = Pairs that a longest common sequence of op types in a scope aligned
match-only-a = Only in A
match-only-a-about = Ops of A without a partner
match-only-b = Only in B
match-only-b-about = Ops of B without a partner
match-reshaped = With other shapes
match-reshaped-about = Pairs whose outputs have other shapes
match-not-aligned = Not searched for
match-not-aligned-about = Ops without a partner in scopes too large to be aligned
cmp-tables = Side by side
cmp-table-types = Op types
cmp-table-types-about = Self time of all ops of a type: without the ops nested in them. A click lists the ops of A.
cmp-table-alone = Without a partner
cmp-table-alone-about = Ops that only one of the traces has, by name. A click shows the longest of them.
cmp-table-links = Links
cmp-table-links-about = The time during which at least one transfer was in transit. A click lists the transfers of A.
cmp-table-devices = Devices
cmp-table-devices-about = The time during which anything ran
cmp-table-memory = Memory
cmp-table-memory-about = Peaks of allocators
cmp-table-steps = All steps
cmp-table-steps-about = The time of an op type in each step: whether the steps differ, or only vary
cmp-op = Op
cmp-op-type = Op type
cmp-link = Link
cmp-device = Device
cmp-only-in = Only in
cmp-total = Sum
cmp-difference = B − A
cmp-difference-about = B minus A; sorted by size, whichever way
cmp-ratio = B / A
cmp-ratio-about = How many times as much in B
cmp-ops-a = Ops A
cmp-ops-b = Ops B
cmp-bytes-a = Sent A
cmp-bytes-b = Sent B
cmp-median-a = Median A
cmp-median-b = Median B
cmp-compute-a = Compute A
cmp-compute-b = Compute B
cmp-exposed-a = Exposed A
cmp-exposed-b = Exposed B
cmp-probability = By chance
cmp-probability-about = How likely values as different are by chance, by the rank test of Mann and Whitney; ~ below four steps a side
cmp-significant = Differs
cmp-significant-about = Whether that is below 5 % for all op types together, by Holm
cmp-yes = yes
print-compared = A: { $a }. B: { $b }
selection-in-b = In B
cmp-drop = Drop to compare with this trace

## Mirrored timelines

mirror-title = Both steps: A upwards, B downwards
mirror-label = Timelines of A and B
mirror-times = Times of ops
mirror-both = Each in its own time
mirror-both-about = A and B as they were recorded, on one scale
mirror-widths-a = Widths of A
mirror-widths-a-about = Both halves at the times of A: what B has no more is an outline
mirror-widths-b = Widths of B
mirror-widths-b-about = Both halves at the times of B: what A did not have is an outline
mirror-align = Align at the op
mirror-align-about = Draws the chosen op and its partner at one place
mirror-align-start = Align at the start
mirror-aligned-at = Aligned at { $op }
mirror-aligned-start = Aligned at the start of both steps
mirror-fit = Show all
mirror-fit-about = Both steps as a whole
mirror-hint = Click an op to see its partner. Ctrl+wheel zooms, a drag moves; with the keyboard W and S, A and D.
mirror-show-pair = Show both in the timelines
mirror-not-drawn = The timelines of A and B could not be drawn
mirror-merged = { $count ->
        [one] and { $count } more op at this place
       *[other] and { $count } more ops at this place
    }
mirror-count = { $what }: { $count }
mirror-spoken = From { $from } to { $to }, { $devices }. All ops, { $words }
pair-failed = The partner of the op could not be found
change-slower = longer in B
change-faster = shorter in B
change-same = same, within 10 %
change-only-a = only in A
change-only-b = only in B

## The fleet

fleet-region = Fleet
fleet-open = Open many runs (a fleet)
fleet-open-title = Open the folder of a dataset that steplens index wrote: many tasks and steps in one picture
fleet-failed = The fleet could not be shown.
fleet-none = no fleet is open
fleet-reading = while the summary of a fleet was read
fleet-no-overview = There is no { $file } in this folder or in one of its folders. Choose the dataset that steplens index wrote.
fleet-not-opened = The fleet was not opened. { $why }
fleet-no-runs = There are no runs in this dataset: nothing that steplens index read was a trace.
fleet-looking = Looking at all tasks and steps…
fleet-back = Back to the fleet
fleet-close = Close the fleet
fleet-address = This address is about the fleet { $name }. Open its folder to see it again.
fleet-tasks = { $count ->
    [one] { $count } task
   *[other] { $count } tasks
 }
fleet-file-count = { $count ->
    [one] { $count } file
   *[other] { $count } files
 }
fleet-size = { $tasks }, { $steps }
fleet-run = Run
fleet-run-of = { $run } ({ $size })
fleet-no-task = a task without a name
fleet-from-to = { $from } – { $to }
fleet-step = step { $step }
fleet-steps-from-to = steps { $from } – { $to }
fleet-at = { $task }, { $step }

fleet-figure-label = What the colours show
fleet-window = length of the step
fleet-own = own work
fleet-extra = more work than peers
fleet-late = later than peers
fleet-compute = compute
fleet-input = exposed input
fleet-copy = exposed copy
fleet-communication = exposed communication
fleet-launch = exposed launch
fleet-allocation = exposed allocation
fleet-waiting = only waiting
fleet-idle = idle
fleet-all-communication = communication
fleet-hidden-communication = hidden communication
fleet-window-about = How long the step took, over all devices of its file
fleet-own-about = Busy, without exposed communication and waiting: what only this task can make shorter
fleet-extra-about = Own work beyond the median of the tasks of the same job in the same step
fleet-late-about = How much later the last op ended than the median of the tasks of the same job in the same step

fleet-share = As a share of the step
fleet-share-about = Shows parts of the step and not times
fleet-largest = Largest of each cell
fleet-largest-about = A cell stands for several rows: shows the largest of them and not their mean
fleet-sort = Most first
fleet-sort-about = Puts the tasks with most of it at the top; else they are in order of their names
fleet-fit = All
fleet-fit-about = Shows all tasks and steps (0)
fleet-and-more = { $value } and more
fleet-above = { $cells } cells have more, the most is { $most }
fleet-cell-of-steps = a column is { $count } steps
fleet-cell-of-tasks = a row is { $count } tasks
fleet-cell-mean = a cell is their mean
fleet-cell-largest = a cell is the largest of them
fleet-unplaced = { $count ->
    [one] { $count } row of the dataset is in no cell
   *[other] { $count } rows of the dataset are in no cell
 }

fleet-canvas = Tasks by steps
fleet-spoken = Tasks by steps, { $figure }: { $size }, from { $low } to { $high }. Arrows walk from cell to cell, Enter opens the trace, W and S zoom, A and D move, 0 shows all.
fleet-hint = A click on a cell opens its trace. Ctrl and the wheel zoom steps, Alt and the wheel tasks, a drag moves.
fleet-nothing-here = nothing was recorded
fleet-figure = { $figure } { $value }
fleet-figure-largest = { $figure } { $value } at most
fleet-peers = peers { $value }
fleet-beyond = { $value } more { $figure } than peers
fleet-opens = Opens { $file }
fleet-open-trace = Open the trace
fleet-no-trace-here = There is no trace of this cell.

fleet-missing = { $file } is not where it was looked for. Choose the folder that was indexed, or this file.
fleet-pick-folder = Choose the folder
fleet-pick-file = Choose the file
fleet-other-file = This is { $file }, and the cell is of { $wanted }. Choose that one.

fleet-worst-work = { $task } keeps the others waiting: in { $steps } it had most work, above all { $figure }, and that took { $time }, { $share } of the run.
fleet-worst-end = { $task } finished last in { $steps }, and the others waited { $time } for it, { $share } of the run.
fleet-worst-finding = No task stands out. What would save most, in { $files } together { $time }: { $what }
fleet-worst-even = No task stands out: in each step, all have nearly as much work as their peers.
fleet-worst-unjudged = No step has three tasks of one job or more, so that no task can be compared with its peers.
fleet-worst-empty = No step of this run was read.

fleet-lists = Lists of the run
fleet-stragglers = Stragglers
fleet-findings = Findings
fleet-links = Links
fleet-files = Files
fleet-by-work = More work than peers
fleet-by-work-about = Steps in which a task had most work, a tenth beyond the median of its peers or more; the time is what it had beyond it.
fleet-by-end = Finished last
fleet-by-end-about = In files of several tasks: who finished last, and how long the next to last waited.
fleet-behind-in = in { $steps }
fleet-last-in = last in { $steps }
fleet-more-of = at worst { $value } more { $figure }
fleet-show-worst = Shows its worst step in the picture
fleet-no-stragglers = No task was behind its peers.
fleet-no-findings = The findings have nothing that is worth changing.
fleet-findings-about = What each finding would save in one step of each file, together. A click opens the file that it would save most in.
fleet-findings-left-out = { $count ->
    [one] { $count } more finding is not listed.
   *[other] { $count } more findings are not listed.
 }
fleet-no-links = No transfers between tasks were recorded.
fleet-links-about = Bytes from each task (down) to each task (across).
fleet-links-label = Links between tasks
fleet-slow-links = Links that lost time
fleet-slow-links-about = How much less time each would take at the median rate of its kind: between tasks, or within one.
fleet-slow-link = { $rate }, usually { $usual }
fleet-links-left-out = { $count ->
    [one] { $count } link of a task that the run does not have is left out.
   *[other] { $count } links of tasks that the run does not have are left out.
 }
fleet-links-unranked = { $count ->
    [one] { $count } row of links is not compared, because there are too many.
   *[other] { $count } rows of links are not compared, because there are too many.
 }
fleet-days = Days
fleet-days-about = The mean self time of a step of one task, by op type, in all runs. Most growth comes first; what includes waiting for others comes last.
fleet-day-a = Earlier day
fleet-day-b = Later day
fleet-days-means = { $before } → { $after }
fleet-days-waiting = includes waiting for others
fleet-days-none = No op type ran on both days.
fleet-days-more = { $count ->
    [one] { $count } more op type is not listed.
   *[other] { $count } more op types are not listed.
 }
fleet-days-left-out = { $count ->
    [one] { $count } row of the dataset is left out, because there are too many different ones.
   *[other] { $count } rows of the dataset are left out, because there are too many different ones.
 }
fleet-before-after = Before and after
fleet-from-on = From { $step } on
fleet-from-chosen = From the chosen step on
fleet-from-chosen-about = Choose a cell of the picture first. Without one, it is the middle of the recorded time.
fleet-before-after-about = The median step before ({ $before }) and after ({ $after }), each the mean over its tasks. A difference is sure (some 95 %) if it is larger than what the spread of both explains.
fleet-before-after-none = Nothing was recorded before, or nothing after.
fleet-same = the same
fleet-sure = sure
fleet-not-sure = may be chance
fleet-few-steps = fewer than 8 steps on a side
fleet-file-damaged = damaged
fleet-file-unreadable = not read
fleet-files-whole = { $count } whole
fleet-files-damaged = { $count } damaged (not in the picture, and in no list)
fleet-files-unreadable = { $count } not read
fleet-files-other = { $count } no traces
fleet-first-of = The first { $shown } of { $all } are listed.
