### What `steplens serve`, `steplens watch` and `steplens request` say. Syntax: Fluent (projectfluent.org).

## What the server answers

live-foreign-host = This server answers only under localhost, 127.0.0.1 or [::1], with any port. Open the address that it printed.
live-foreign-origin = This server answers only its own page, not what other pages ask.
live-no-token = This server answers only with its token. Open the address that it printed, with the token in it. If you just did that from a link, reload this page.
live-bad-method = Only GET and HEAD are answered here.
live-no-file = There is no such file in a watched folder.
live-no-range = The file is shorter than that.
live-not-read = The folder cannot be read: { $why }
live-not-written = The request cannot be written: { $why }
live-no-json = A request is JSON.
live-no-body = The request did not come whole, or is too long.
live-bad-request = The request cannot be understood: { $why }
live-bad-processes = A process of the request has a name that none can have.
live-no-place = the page that is built in has no place for what a served page needs: build it anew with cargo xtask page
live-too-many-files = it has more than { $most } files: is it a watched folder?

## steplens serve

serve-serves = Steplens serves { $folder } at
serve-from-elsewhere = From another machine: ssh -L { $port }:127.0.0.1:{ $port } HOST, and then the same address there.
serve-ends = Ctrl+C ends it.
serve-open-to-others = Everybody who reaches { $address } and has this address with its token can read the traces and ask for more, and the way there is not encrypted. ssh -L to 127.0.0.1 is safer.
serve-not-opened = no browser could be started: { $why }
serve-port-taken = port { $port } is taken: choose another one with --port, or any free one with --port 0
serve-no-port = port { $port } of { $address } cannot be used: { $why }
serve-failed = the server ended: { $why }

## steplens request

request-no-watched-folder = { $folder } is no watched folder: no program has written into it yet. Name the folder that the recorder was given, and ask once it runs.
request-no-process = { $name } cannot be the name of a process
request-no-answer = no answer came from { $names }: it may have ended, or record into another folder
request-seen = has seen the request
request-tracing = traces
request-tracing-runs = traces; so far runs { $runs }
request-tracing-many = traces; so far { $count } runs, the last { $last }
request-done = done
request-done-runs = done: runs { $runs }
request-done-many = done: { $count } runs, the last { $last }
request-stopped = stopped
request-expired = the request came too late
request-refused = refused: { $why }

## steplens watch

watching-nothing = No program has written anything here yet.
watching-runs = { $count ->
    [0] no run
    [one] { $count } run
   *[other] { $count } runs
 }
watching-new-runs = { $count ->
    [one] { $count } run
   *[other] { $count } runs
 }
watching-traced = { $count ->
    [0] none traced
   *[other] { $count } traced
 }
watching-dropped = { $count ->
    [one] { $count } earlier run is no longer listed
   *[other] { $count } earlier runs are no longer listed
 }
watching-step = step { $step }
watching-mean = mean { $mean }
watching-title-fetches = fetches
watching-title-feeds = feeds
watching-title-runs = runs
watching-title-traced = traced
watching-title-traced-mean = mean when traced
live-too-many-traces = it has more than { $most } traces or folders. Serve one of the folders in it, or make a dataset of it with steplens index.
live-no-n = A request of this kind needs an n of 1 or more.
