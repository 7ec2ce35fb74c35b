### What is said of flames: by the program and in sentences, and below the heading “On the page” only there. Syntax: Fluent.

help-command-flame = 显示什么在什么之内运行，按名称路径汇总：模块、算子、Python 函数，或 TensorFlow 的名称作用域
help-flame-layers = 按什么分层：PyTorch 的模块（modules）、算子和调用（ops）、Python 函数（python）或名称作用域（scopes）；不指定时取最能说明问题的一种
help-flame-measure = 按什么排序，以及 --folded 给出什么：主机线程上的时间（time），或所启动的 GPU 内核的时间（gpu）
help-flame-folded = 每行打印一条路径及其纳秒数，供 flamegraph.pl 和 speedscope 读取
flame-none = 这里没有嵌套运行的内容，算子也没有名称作用域。
flame-sentence = { $count }在所有线程上共用 { $time }；其中 { $most } 自身占 { $share }。
flame-sentence-gpu = { $count }启动的内核和复制共用 { $time }；其中 { $most } 自己启动的占 { $share }。
flame-lacks = 这个 trace 没有“{ $wanted }”层：这里是“{ $has }”，可选 { $choices }。
flame-no-gpu = 没有记录由它们启动的内核。
flame-cut = 略去 { $time }：晚于其外层结束的算子。
flame-narrow = 有 { $count } 个条太窄，未显示。
flame-transfers = 略去 { $count } 次传输：它们同时等待，参见“网络”。
flame-shortened = 有 { $count } 条路径过长，已截断。
flame-heading = 名称
flame-heading-about = 按自身时间；GPU：由它们启动的内核和复制

## On the page

tab-flame = 火焰图
flame-not-found = 未找到火焰图
flame-failed = 无法得出什么在什么之内运行。
flame-wait = 正在找出什么在什么之内运行……
flame-layers = 按什么分层
flame-layers-about = 模块和 Python 栈帧要由 PyTorch 记录（with_modules、with_stack）；名称作用域是 TensorFlow 算子名称的各部分
flame-modules = 按模块
flame-ops = 按算子
flame-python = 按 Python 函数
flame-scopes = 按名称作用域
flame-measure = 宽度表示什么
flame-measure-about = 主机上的时间，或在那里启动的内核的时间
flame-by-time = 主机时间
flame-by-gpu = GPU 时间
flame-path = 火焰图从哪里开始
flame-all = 全部
flame-every = 所有 { $name }
flame-around = 它在什么之内
flame-around-about = 把这个名称运行的所有位置合为一个：上方是它在什么之内，下方是什么在它之内
flame-find = 在时间线上查找
flame-label = 火焰图：什么在什么之内运行，最宽的在前。方向键移动，Enter 显示条之内的内容，Backspace 返回
flame-bar = { $name }：{ $total }，其中自身 { $own }，{ $times }
flame-bar-gpu = { $name }：{ $total }，其中自身 { $own }，{ $times }；启动了 { $gpu } 的 GPU 时间
flame-times = { $count ->
   *[other] { $shown } 次
  }
flame-first-names = { $count } 个名称中的前 { $shown } 个；选择一个区间可减少数量。
flame-names = { $count } 个名称
flame-self-about = 主机上除去其内部内容的时间：这里值得加速
flame-total-about = 主机上包含其内部内容的时间
flame-gpu-self-about = 它自己启动的内核和复制的时间
flame-gpu-about = 它及其内部内容启动的内核和复制的时间
