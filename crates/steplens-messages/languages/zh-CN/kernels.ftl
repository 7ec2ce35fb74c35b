### What is said of kernels by name: by the program and in sentences, and below the heading “On the page” only there. Syntax: Fluent.

help-command-kernels = 按名称显示 GPU 的内核：用时、启动方式（grid、block、寄存器、共享内存、占用率），以及由哪些算子启动
kernels-none = 没有记录任何 GPU 内核。
kernels-count = { $count } 个内核
kernels-names = { $count } 个名称
kernels-sentence = { $names }的 { $kernels }共用时 { $time }；其中 { $most } 占 { $share }。
kernels-heading = 内核
kernels-heading-about = 按总用时；启动方式为占其中最多时间的那种
kernels-launchers = { $name } 及另外 { $more } 种

## On the page

tab-kernels = 内核
kernels-not-found = 未找到内核
kernels-failed = 无法找到内核。
kernels-wait = 正在查找内核 …
