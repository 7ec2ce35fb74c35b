# Many traces as one dataset: steplens index, and what its tables say.

fleet-internal = { $file }: reading it ended with an error in Steplens itself. Please report it, with the file if you may.
fleet-not-a-dataset = { $folder } is no dataset of Steplens: it has no manifest.json that can be read. Give the folder that steplens index -o made, or a new one.
fleet-other-schema = { $folder } was made by another version of Steplens: its tables are { $schema }. Index into a new folder.
fleet-other-option = { $folder } was made with { $option } "{ $then }", and not with "{ $now }". Give the same, or index into a new folder.
fleet-in-use = { $folder } is being written by another process. Wait until it ends.
fleet-io = { $path }: { $why }.
fleet-part-damaged = { $path } is damaged: { $why }. Nothing of its part is in any figure. Delete { $sources } and run steplens index again: it reads the traces of that part again.
fleet-part-changed = it was changed after it was written
fleet-held = { $count ->
    [one] { $count } file was
   *[other] { $count } files were
 } not read, because a damaged part has or may have the rows already.
fleet-pattern = "{ $pattern }" names none of {"{run}"}, {"{task}"} and {"{step}"}, or one of them twice. Write it as in {"{run}/{task}/step-{step}.pb"}.
fleet-no-table = a dataset has no table { $name }. Its tables are { $tables }.
fleet-no-folder = { $folder } is no folder. Give the folder with the traces.
fleet-empty = { $folder } has no file that could be read as a trace.
fleet-stopped = stopped. What was indexed stays; the same command goes on from there.
fleet-indexed = { $count ->
    [one] { $count } file
   *[other] { $count } files
 } in { $runs ->
    [one] { $runs } run
   *[other] { $runs } runs
 }: { $ops } ops, { $size }. Read now: { $now }.
fleet-gone = { $count ->
    [one] { $count } file is
   *[other] { $count } files are
 } not in the folder any more. The rows stay; --prune takes them out.
fleet-state-damaged = damaged, read in part
fleet-state-unreadable = not read
fleet-state-no-trace = no trace
fleet-faults = { $count ->
    [one] { $count } file
   *[other] { $count } files
 }: { $state }
fleet-more = and { $count } more: steplens fleet { $dataset } failures
