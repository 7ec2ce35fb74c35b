### Steplens 在 trace 中发现的内容，页面、程序以及 JSON 中都这样表述。语法：Fluent (projectfluent.org)。

## 带名词的计数；更多见 page.ftl

tasks = { $count } 个任务
stragglers = { $count } 个慢节点

## trace 有什么问题

finding-time-bases-title = 时钟的起点不同
finding-time-bases = { $devices }（第一个：{ $first }）的 { $count } 个算子与其他算子相距可达 { $far }：其时钟从另一个时刻算起，因此各组之间无法比较
finding-time-bases-repair = 平移这些设备，使各组同时开始；组内不变

finding-far-ops-title = 不可能的时间
finding-far-ops = { $count } 个算子与所有其他算子相距过远，或持续过久，时间必定有误；它们拉长了时间轴，并影响整个训练步的所有数值
finding-far-ops-repair = 略去这些算子

finding-same-devices-title = 同一设备有多个名称
finding-same-devices = { $from } 和 { $to } 是同一设备的不同写法；前者的 { $count } 个算子被算到了另一个设备上
finding-same-devices-repair = 合并显示为一个设备，使用算子较多的名称

finding-repeated-ops-title = 重复录制或重复打开
finding-repeated-ops = { $count } 个算子重复了另一个：一个文件或记录包含了另一个的（几乎）全部内容，因此工作量和字节数被重复计算
finding-repeated-ops-repair = 略去较早的记录中已有的内容

finding-clocks-differ-title = 各任务的时钟不一致
finding-clocks-differ = 任务间的 { $transfers } 个张量中有 { $count } 个在发送之前到达，最多提前 { $most }：不同任务上的操作无法互相比较
finding-rank-clocks-differ = 在 { $of } 次中有 { $count } 次，某个集合通信在一个 rank 上结束时，在另一个 rank 上还没有开始，最多早 { $most }：各 rank 做了什么无法相互比较
finding-coarse-host-clock-title = 主机时钟的步长太大
finding-coarse-host-clock = 主机的 { $of } 个运算都在 { $tick } 的整数倍时刻开始和结束，其中 { $count } 个没有时长；而加速器的时间更精细：主机做了什么、在何时做的，无法与加速器的时间比较
finding-accelerator-clock-title = 加速器与其主机的时钟不同
finding-accelerator-clock = { $of } 个程序中有 { $count } 个在主机请求之前就在加速器上结束：它们的时钟相差至少 { $by }，无法把其中一个的行为与另一个的行为比较
finding-clocks-differ-repair = 从各任务的时间中减去其时钟的超前量

finding-contradicting-times-title = 时间互相矛盾
finding-contradicting-times = 任务间的 { $transfers } 个张量中有 { $count } 个的时间与其他张量矛盾，无论时钟如何设置：它们不能说明时钟的情况，对齐时钟时不予采用
finding-contradicting-times-early = 任务间的 { $transfers } 个张量中有 { $count } 个的时间与其他张量矛盾，无论时钟如何设置（其中一个比发送时间早 { $most } 到达）：它们不能说明时钟的情况，对齐时钟时不予采用

finding-missing-task-title = 缺少一个任务
finding-missing-task = 没有 { $task } 的算子，但有 { $count } 次传输提到它：它的文件缺失、没有记录任何内容，或被略去
finding-missing-task-no-transfers = 没有 { $task } 的算子，但计算图或其他任务的编号提到它：它的文件缺失、没有记录任何内容，或被略去

finding-lost-transfers-title = 有些传输没有记录
finding-lost-transfers = 来自其他任务的 { $of } 个张量中有 { $count } 个没有留下 RecvTensor，但有算子使用了它们：TensorFlow 要求各任务开始记录时，训练步已经开始。它们用了多长时间不在任何通信数值之中。请多记录几个训练步，并查看记录完整的一步
finding-more-tasks-missing-title = 还缺少其他任务
finding-more-tasks-missing = 除已列出的以外，还有 { $count } 个任务没有算子：传输、计算图或其他任务的编号提到了它们

finding-kernels-not-recorded-title = 没有记录内核
finding-kernels-not-recorded = { $devices }的 { $count } 个算子只是执行器向 GPU 的派发：GPU 用了多长时间、何时空闲都无从得知。TensorFlow 只在找得到 CUPTI（LD_LIBRARY_PATH 中有 libcupti 所在的文件夹，且用户有分析权限）、使用 trace_level=FULL_TRACE、并在自己的进程中运行时记录内核：集群运行和 SOFTWARE_TRACE 都不记录

finding-one-name-of-gpus-title = 多个 GPU 使用同一名称
finding-one-name-of-gpus = { $devices }的算子启动的 { $count } 个内核记录在另一个 GPU 的流上：1.13 及更早的 TensorFlow 把所有 GPU 的流都称为 GPU 0 的流。关于该 GPU 的数值是所有 GPU 合在一起的

finding-repeated-streams-title = 流被列出两次
finding-repeated-streams = { $devices }的 { $count } 个算子同时也在带编号的流上；它们会显示出来，但只计一次

finding-host-profile-title = TensorFlow 的主机分析器也有记录
finding-host-profile = TensorFlow 的主机分析器以 /host:CPU 再次记录了执行器的算子（已对应：{ $named } 个中的 { $joined } 个）。它们会显示出来，但不计入任何数值
finding-host-profile-more = TensorFlow 的主机分析器以 /host:CPU 再次记录了执行器的算子（已对应：{ $named } 个中的 { $joined } 个）；还有{ $others }。它们会显示出来，但不计入任何数值
host-profile-threads = 这些算子的线程
host-profile-nodes = 执行器不记录的 { $count } 个发送和接收
host-profile-ranges = 包含它们的 { $count } 个区间
host-profile-other-runs = 会话其他运行的 { $count } 个事件
finding-host-events-unjoined-title = 主机分析器的事件没有对应的算子
finding-host-events-unjoined = /host:CPU 中有 { $named } 个事件的名称与本步的算子相同，其中 { $count } 个不是执行器记录的算子：它们对应的算子在哪个线程上运行无从得知

finding-no-kernels-title = 未被记录的内核
finding-no-kernels = 在 { $calls } 次启动内核的调用中，有 { $count } 次的内核不在文件里：GPU 做的比显示的多。请在记录时包含 GPU 的活动，并在其工作结束之后再停止记录
finding-kernels-lost = 在 { $calls } 次启动内核的调用中，有 { $count } 次的内核不在文件里，虽然程序在最后一次之后等待了 GPU：性能分析器对它们的记录丢失了。请再记录一次
finding-covering-kernels-title = 过长的内核
finding-covering-kernels = 有 { $count } 个内核一直持续到同一 stream 上更晚的内核之后，而一个 stream 是依次执行的：不要相信它的时长，也不要相信包含它的总和
finding-graphs-in-part-title = 只记录了一部分的内核图
finding-graphs-in-part = 在已启动的内核图的 { $count } 个部分之前，各有 0.1 ms 以上没有任何记录，共 { $time }：同一个图的节点在几微秒内相继开始，因此其间很可能运行了其他节点。用更新的驱动和 PyTorch 记录，或在不用图的情况下记录一次
finding-rank-unnamed-title = 没有名称的 rank
finding-rank-unnamed = { $count } 个文件在同一时间有同一个设备，而没有一个说明自己属于哪个 rank：按文件顺序，各自显示为一个进程。请为它们命名（NAME=FILE），或在 torch.distributed 初始化之后再记录
finding-zero-lengths-title = 没有时长的算子
finding-zero-lengths = { $count } 个算子没有时长，控制类算子以及短于时钟精度的算子就是如此：它们计入数量，但不增加时间
finding-impossible-memory-title = 不可能的内存数值
finding-impossible-memory = { $count } 个算子的分配器报告了不可能的数值：同时持有的多于分配的、结束时的多于峰值，或逐次分配之和多于总量。这些数值按原样显示：不要相信依据它们得出的内存数值

## 分析中略去的内容

limit-graphs-not-searched-title = 计算图未搜索完
limit-graphs-not-searched = 交替出现的计算图太多，未能找到 { $many }的节点：它们的输入仅由标签推断得出

limit-transfers-not-followed-title = 任务内的传输未追踪完
limit-transfers-not-followed = 在同一任务的设备之间传输的 { $many }，可能的生产者算子太多：这些传输不在任何列表和总和之中

limit-inputs-not-followed-title = 输入未追踪完
limit-inputs-not-followed = 算子的输入太多：{ $many }的输入未追踪，因此它们不在任何传输的消费者之列，延迟、慢节点和传输顺序也不包含它们

limit-consumers-not-sought-title = 传输的消费者未查找完
limit-consumers-not-sought = 可能使用了同一任务内设备间所传数据的算子太多：{ $many }的消费者未知，它们到达后等待了多久也未知

limit-stragglers-not-followed-title = 慢节点未追踪完
limit-stragglers-not-followed = 任务、作业和算子太多，无法追踪每个任务等待了什么：{ $many }的原因只依据其中一部分得出

limit-transfer-order-not-sought-title = 传输顺序未全部分析
limit-transfer-order-not-sought = 任务太多，无法查明哪些张量是参数：{ $many }上的参数顺序未给出

limit-variables-not-sought-title = 变量未全部查找
limit-variables-not-sought = 从梯度到其所更新变量之间的算子太多：{ $many }属于哪个变量未知

limit-clocks-not-sought-title = 时钟未比较完
limit-clocks-not-sought = 时钟之间的约束以及经过任务的路径太多，无法全部追踪：{ $many }的偏移可能范围过宽、缺失，或被误判为矛盾

## 传输说明的时钟情况

clocks-no-task = 没有设备属于任何任务，因此没有可比较的时钟
clocks-one-task = 只有一个任务，因此只有一个时钟
clocks-no-transfers = 没有已知生产者的张量在任务之间传输，因此无从得知它们的时钟相差多少
clocks-not-apart = 任务间的 { $transfers } 个张量都没有在发送之前到达：没有迹象表明时钟不一致
clocks-apart = 任务间的 { $transfers } 个张量中有 { $before } 个在发送之前到达：{ $tasks }的时钟相差 { $spread }；对齐需要调整 { $moved }
clocks-ends-not-apart = 没有集合通信在一个 rank 上先于另一个 rank 开始之前就结束：没有迹象表明时钟不同
clocks-ends-apart = 在 { $transfers } 次中有 { $before } 次，某个集合通信在一个 rank 上的结束早于它在另一个 rank 上的开始：{ $tasks }的时钟相差 { $spread }；对齐需要调整 { $moved }
clocks-ends-early = 在 { $of } 次中有 { $tensors } 次，某个集合通信在一个 rank 上的结束早于它在另一个 rank 上的开始。
clocks-contradicting = { $tensors }的时间与其他张量矛盾，无论时钟如何设置
clocks-given-up = 任务以及任务间的张量太多，无法求出所有偏移
clocks-differ-align = 时钟相差 { $length }：请对齐
clocks-differ-not-found = 时钟至少相差 { $length }，且没有找到能让所有张量都合理的偏移
clocks-accelerator = 加速器与其主机的时钟相差至少 { $length }
clocks-coarse-host = 主机的时钟以 { $length } 为步长：其间主机做了什么是未知的
clocks-many-contradict = 任务间的 { $of } 个张量中有 { $tensors } 个的时间互相矛盾：怎样设置时钟都无法消除
clocks-first = { $said }。
clocks-early = 任务间的 { $of } 个张量中有 { $tensors } 个在发送之前就到达。
clocks-accelerator-early = { $of } 个程序中有 { $programs } 个在主机请求之前就在加速器上结束。
clocks-coarse-host-because = 主机的 { $of } 个运算中有 { $ops } 个没有时长：它们比这样一步还短。
clocks-contradict-because = 录制期间某个时钟可能发生过跳变。
clocks-withheld = 因此不显示对不同任务的时间所作的比较：其误差会有这么大。
clocks-accelerator-withheld = 比较加速器与其主机的时间的内容不予显示：它会有同样大的误差。
clocks-coarse-host-withheld = 比较加速器与其主机的时间的内容不予显示：误差可达一步之多。
clocks-apart-at-most = 任务间的 { $transfers } 个张量中有 { $before } 个在发送之前到达：{ $tasks }的时钟相差 { $spread }；对齐需要调整 { $moved }，也可能更少

## 无效的选项

bad-step-rule = 不能按 `{ $word }` 划分训练步
bad-repair = `{ $word }` 不是一种修正
bad-op-time = 算子时长不能按 `{ $word }` 计算
bad-clocks = 时钟只能用 `estimated` 和 `TASK=NS` 设置
bad-options = 无法读取 { $name } 的选项：{ $why }
bad-answer = 没有名为 `{ $name }` 的回答，可选 { $names }
bad-layers = 火焰图不能由 `{ $word }` 构成，只能由 modules、ops、python 或 scopes 构成
bad-measure = 火焰图的宽度不能表示 `{ $word }`，只能是 time 或 gpu
bad-color-by = 算子不能按 `{ $word }` 着色
bad-arrangement = 泳道不能按 `{ $word }` 排列
bad-op-column = 算子不能按 `{ $word }` 排序
bad-transfer-column = 传输不能按 `{ $word }` 排序
bad-time = 某个时间不是数字
bad-memory-division = 内存不能按 `{ $word }` 划分
bad-memory-reading = 没有名为 `{ $word }` 的内存数据来源
bad-instant = 没有这个瞬时事件
bad-memory-tensor = 没有这个张量
bad-memory-account = 没有这个设备与分配器的内存数据
session-not-open = 此会话中没有打开的 trace
session-finished = 会话已经结束
no-such-op = trace 中没有算子 { $op }
bad-prepared = `{ $word }` 不是可以预先准备的内容

## 由两条关键路径得出的训练步瓶颈

path-no-time = 此 trace 中没有耗时的算子。
path-allowed = 仅受依赖关系限制时，{ $length } 可缩短到 { $least }。
path-allowed-at-least = 仅按已记录的依赖关系，{ $length } 中至少需要 { $least }。
path-binds = 瓶颈：{ $what }，占 { $most }。
path-no-cause = 路径上有 { $part } 没有记录原因。
length-and-share = { $length } ({ $share })
path-steps-no-ops = 这些训练步都没有算子。
path-steps-allowed = 若训练步之间有屏障，{ $count } 个训练步仅受依赖关系限制时，{ $length } 可缩短到 { $least }。
path-steps-always = 有 { $count } 个算子在每个训练步的路径上。
path-starting-on-task = 训练步在该任务上尚未开始
bound-dependencies = 算子之间的数据依赖
bound-threads = 线程繁忙，而其他算子已就绪
bound-network = 在途或尚未发送的张量
bound-waiting = 等待未记录内容的调用
bound-dispatch = 算子的派发与启动
bound-input = 加载下一批数据
bound-host = 处于算子之间的主机
path-between-ops = 算子之间
bound-unexplained = 没有记录到的原因

## 内存

memory-lacks-addresses = 分配事件没有地址：曲线只累加其字节数。不知道每个张量存活多久，也不知道峰值由谁占用。
memory-rests-on-records = 分配器为算子记录的每次分配和释放；更早的占用只有在被释放时才可知
memory-rests-on-tensors = 算子的输出：每个输出从产生它的算子开始存活，到最后一个读取它的算子结束为止；变量和常量始终存活
memory-rests-on-timeline = TensorFlow 的 timeline.py 在 show_memory 下的规则：以整微秒计，所有设备合并，再次产生的输出取代之前的输出
memory-lost = timeline.py 未计入共 { $bytes } 的 { $tensors }，它们与之后的张量同名
memory-only-sums = 分配器只报告了每个算子的总量，没有逐次的分配记录。
memory-no-allocation = 没有记录到内存分配。
memory-none = 没有记录内存。
memory-option = { $missing }{ $option }
memory-option-paddle = 支持 FLAGS_enable_record_memory 的 Paddle 版本，设置该标志后会记录内存。
memory-option-xspace = TensorFlow 和 JAX 的性能分析器会记录主机线程上的每次分配：请以 host_tracer_level=2 录制。
memory-option-chrome = RunMetadata 中有每次分配：请打开生成此文件所用的 .pb。timeline.py 在 show_memory=True 时会写出算子的输出。PyTorch 的性能分析器在 profile_memory=True 时会写出每次分配。
memory-option-tensorflow = TensorFlow 用 RunOptions(trace_level=RunOptions.FULL_TRACE) 记录内存。
memory-gradient = { $variable } 的梯度

## 句子中的时长

long-years = { $count } 年
long-days = { $count } 天
long-hours = { $count } 小时
long-minutes = { $count } 分钟

## 用户的模式和表达式

bad-pattern = 模式 `{ $pattern }` 不是正则表达式：{ $why }
search-too-long = 模式有 { $length } 字节，超过了搜索允许的 { $most } 字节
search-too-costly = 对此 trace 中的名称来说，该表达式开销太大；请用更简单的表达式搜索
search-bad-expression = `{ $text }` 不是可以搜索的正则表达式：{ $why }

## 算子为何属于某个类别

why-pattern = 自定义模式
why-op-type = 算子类型
why-label = 标签
why-name = 名称
why-and-name = 、名称
why-within-loader = 在 DataLoader 内运行
why-within-iterator = 在迭代器内运行
why-within-loading = 在程序标记为加载数据的区间内运行
why-contains-others = 包含其他事件
why-runs-part = 运行另一个线程所等待的程序的一部分
why-waits-for-ops = 其间由其他线程上的算子运行
why-nothing = 默认

## 算子时长

ops-last-schedule = 算子时长按记录计
ops-last-gpu = 启动了内核的算子，时长从第一个内核到最后一个内核，与 timeline.py 的 op_time=gpu 相同
ops-last-all = 启动了内核的算子，时长从自身开始到最后一个内核结束，与 timeline.py 的 op_time=all 相同

## 没有作用域、线程或流名称的算子所在的泳道

no-scope = 无作用域
phase-forward = 前向
phase-backward = 反向
phase-optimizer = 优化器
phase-input = 输入
phase-communication = 通信
phase-rest = 其余
phase-forward-and-rest = 前向及其余
phase-unsaid = 未记录阶段
thread-unknown = 无线程
stream-number = 流 { $number }
another-gpu = 另一个 GPU
dtype-number = dtype { $number }
thread-not-recorded = 未记录线程
thread-other-runs = 其他会话运行
thread-main = 主线程
thread-number = 线程 { $number }

## 算子何时被调度和运行

scheduling-nothing = 此 trace 没有记录算子何时被调度或启动。
scheduling-a-device = 一个设备
scheduling-devices = { $count } 个共享线程的设备
scheduling-at-once = { $place }：最多同时运行 { $most } 个算子；训练步中有 { $queued } 至少有一个算子已被调度但尚未开始。
scheduling-as-many-as-ever = 其中 { $part } 同时运行的算子数达到了最大值；线程数没有记录。
scheduling-cannot-be-all = { $threads }不可能是全部：曾同时运行 { $most } 个。
scheduling-starved = 若有 { $threads }，其中 { $part } 有算子因线程不足而等待。
scheduling-busiest-stream = 最忙的流在内核之间空闲了 { $empty }：其中 { $host } 是因为下一个内核尚未启动。
scheduling-part-wait = 等待：从最后一个输入到被调度
scheduling-part-queue = 排队：从被调度或被启动到开始
scheduling-part-set-up = 准备：从开始到内核开始
scheduling-part-kernel = 内核
scheduling-part-tear-down = 收尾：从内核结束到算子结束

## 内核

## 图片

picture-view = 时间线
picture-split = 各设备的时间构成
picture-waterfall = 训练步的时间花在哪里
picture-matrix = 各位置之间的流量
picture-memory = 内存占用
picture-critical-path = 关键路径
picture-comparison = 差异从何而来
picture-no-difference = 两步用时相同，路径上没有差异。
picture-longer = B 中更长
picture-shorter = B 中更短
picture-more-files = 以及另外 { $count } 个文件
picture-step = 训练步 { $step }，共 { $steps } 个
picture-steps = { $count } 个训练步
picture-window = { $step } 中的 { $from } 至 { $to }
picture-time = 时间（{ $unit }）
picture-share = 占 { $length } 的比例（%）
picture-part = { $name } { $share }
picture-mean = { $count } 个的平均
picture-others = 其他
picture-all-devices = 所有设备
picture-whole-path = 整条路径
picture-peak = 峰值 { $bytes }
picture-from-to = 各行到各列的字节数
picture-no-room = 放不进单元格的数字未写出；颜色最强的单元格为 { $most }。
picture-more-devices = 另有 { $count } 个设备未显示。
picture-more-places = 另有 { $count } 个字节数较少的位置未显示；总计已包含它们。
picture-more-accounts = 另有 { $count } 个峰值较低的分配器未显示。
picture-no-ops = 在此窗口内，这些设备上没有运行任何算子。
picture-no-path = 没有可显示的路径：此窗口内没有任何算子有时长。
picture-no-transfers = 此窗口内没有记录到设备之间的传输。
picture-no-memory = 没有任何记录可用来得知内存占用。
