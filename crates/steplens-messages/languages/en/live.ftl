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
