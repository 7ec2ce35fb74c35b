### What is said of kernels by name: by the program and in sentences, and below the heading “On the page” only there. Syntax: Fluent.

help-command-kernels = Show the kernels of GPUs by name: how long they took, how they were launched (grid, block, registers, shared memory, occupancy), and by which ops
kernels-none = No kernel of a GPU was recorded.
kernels-count =
  { $count ->
    [one] { $count } kernel
   *[other] { $count } kernels
  }
kernels-names =
  { $count ->
    [one] { $count } name
   *[other] { $count } names
  }
kernels-sentence = { $kernels } of { $names } took { $time } in all; { $most } took { $share } of that.
kernels-heading = kernels
kernels-heading-about = by summed time; launched as most of that time was
kernels-launchers = { $name } and { $more } more

## On the page

tab-kernels = Kernels
kernels-not-found = Kernels not found
kernels-failed = Kernels could not be found.
kernels-wait = Finding kernels …
