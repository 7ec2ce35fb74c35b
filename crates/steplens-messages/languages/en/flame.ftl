### What is said of flames: by the program and in sentences, and below the heading “On the page” only there. Syntax: Fluent.

help-command-flame = Show what ran inside of what, summed by path of names: modules, operators, Python functions, or the name scopes of TensorFlow
help-flame-layers = What stands inside of what: PyTorch's modules (modules), operators and calls (ops), Python's functions (python), or name scopes (scopes); what says most if nothing is said
help-flame-measure = What is sorted by, and what --folded has: time on threads of hosts, or of kernels on GPUs that were launched (gpu)
help-flame-folded = Print one path per line with its time in nanoseconds, as flamegraph.pl and speedscope read it
flame-none = Nothing here runs inside of something else, and no op has a name scope.
flame-sentence = { $count } took { $time } on all threads together; { $most } took { $share } of that for itself.
flame-sentence-gpu = Kernels and copies that { $count } launched took { $time }; { $most } launched { $share } of that itself.
flame-lacks = This trace has no layers “{ $wanted }”: these are “{ $has }”, of { $choices }.
flame-no-gpu = No kernel is recorded as launched by any of these.
flame-cut = { $time } are left out: ops that end after what they began in.
flame-narrow =
  { $count ->
    [one] { $count } bar is too narrow to show.
   *[other] { $count } bars are too narrow to show.
  }
flame-transfers =
  { $count ->
    [one] { $count } transfer is left out: which is what Network is about.
   *[other] { $count } transfers are left out: they wait next to one another, which is what Network is about.
  }
flame-shortened =
  { $count ->
    [one] { $count } path is cut, because it is too long.
   *[other] { $count } paths are cut, because they are too long.
  }
flame-heading = names
flame-heading-about = by their own time; GPU: of kernels and copies that they launched

## On the page

tab-flame = Flame
flame-not-found = Flame not found
flame-failed = What ran inside of what could not be found.
flame-wait = Finding what ran inside of what …
flame-layers = What stands inside of what
flame-layers-about = Modules and Python frames are there if PyTorch recorded them (with_modules, with_stack); name scopes are the parts of TensorFlow’s op names
flame-modules = by module
flame-ops = by operator
flame-python = by Python function
flame-scopes = by name scope
flame-measure = What the width is
flame-measure-about = Time on the host, or the time of the kernels that were launched there
flame-by-time = host time
flame-by-gpu = GPU time
flame-path = Where the flame begins
flame-all = All
flame-every = every { $name }
flame-around = What is around it
flame-around-about = Every place where this name ran, as one: what it ran in above, what ran in it below
flame-find = Find on the timeline
flame-label = Flame: what ran inside of what, the widest first. Arrows walk, Enter shows what is in a bar, Backspace goes back
flame-bar = { $name }: { $total }, of which { $own } itself, { $times }
flame-bar-gpu = { $name }: { $total }, of which { $own } itself, { $times }; launched { $gpu } of GPU time
flame-times =
  { $count ->
    [one] { $shown } time
   *[other] { $shown } times
  }
flame-first-names = The first { $shown } of { $count } names; choose a range to see fewer.
flame-names =
  { $count ->
    [one] { $count } name
   *[other] { $count } names
  }
flame-self-about = Time on the host without what ran in it: what to make faster here
flame-total-about = Time on the host with what ran in it
flame-gpu-self-about = Time of the kernels and copies that it launched itself
flame-gpu-about = Time of those that it launched, or anything in it
