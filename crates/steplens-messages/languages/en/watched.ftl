### What is said of watched folders, by the page and by the program. Syntax: Fluent (projectfluent.org).

## What is wrong with a small file: these follow the name of the file

watched-too-large = it has more than { $most } bytes
watched-not-json = it is not the JSON that is expected: { $why }
watched-other-schema = its schema is { $schema }, not { $wanted }: a newer Steplens may know it
watched-no-process = { $name } cannot be the name of a process
watched-other-id = it is about { $id }, and its name says otherwise
watched-no-kind = there is no kind of request { $word }
watched-no-state = there is no state { $word }

## What is wrong with a watched folder: sentences of their own

watched-damaged-line = Lines of { $file } are no runs, the first at byte { $at }: a process was killed while it wrote, or the disk was full. They are left out, and what the next runs fetch is unknown until a line says so.
watched-long-line = Lines of { $file } are too long to be runs, the first at byte { $at }. They are left out.
watched-foreign-trace = Runs of { $file } name a trace that cannot be theirs, the first at byte { $at }. They are listed as if they had none.
watched-many-calls = Runs of { $file } fetch and are fed more different things than can be kept apart, from byte { $at } on. Their averages are together.
watched-damaged-file = { $file } cannot be understood: { $why }. It is left out.
watched-not-read = { $file } cannot be read: { $why }. It is tried again.
watched-many-files = { $count ->
    [one] One file
   *[other] { $count } files
 } of the folder are more than are watched. The oldest are left out: delete old traces, requests and answers.
