### 只有程序才说的内容：各命令的标题、列、说明和失败信息。语法：Fluent (projectfluent.org)。
###
### 页面也说的内容在 findings.ftl、problems.ftl 和 errors.ftl 中。

## 表格的列

title-wait = 等待
title-queue = 排队
title-set-up = 准备
title-kernel = 内核
title-tear-down = 收尾
title-at-the-most = 达最大并发
title-most-queued = 最多排队数
title-tiny = 微小
title-in-a-row = 连续
title-between = 间隔
title-cost = 开销
title-of-all-ops = 占所有算子
title-stream = 流
title-kernel-name = 内核
title-occupancy = 占用率
title-flop = FLOP
title-flop-rate = FLOP/s
title-of-peak = 占峰值
title-byte-rate = 字节/s
title-work-known = 已知
title-grid = grid
title-block = block
title-registers = 寄存器
title-shared = 共享内存
title-launched-by = 启动者
title-kernels = 内核数
title-counter = 计数器
title-series = 对象
title-values = 值数
title-lowest = 最低
title-highest = 最高
title-full = 队列满
title-queue-p50 = 排队 p50
title-gaps = 间隙时间
title-host = 主机
title-other-stream = 其他流
title-between-ops = 算子之间
title-launching-late = 启动过晚
title-other-rank = 其他 rank
title-nothing-queued = 没有排队
title-starting = 启动中
title-no-cause = 无原因
title-task = 任务
title-ahead-by = 超前
title-at-least = 至少
title-at-most = 至多
title-set-to = 设为
title-drift-ppm = 漂移 ppm
title-transfers = 传输
title-from = 从
title-to = 到
title-too-early = 过早
title-by-up-to = 最多提前
title-afterwards = 校正后
title-time = 时间
title-share = 占比
title-segments = 段数
title-longest = 最长
title-of = 所属算子
title-at = 时刻
title-length = 时长
title-device = 设备
title-op = 算子
title-behind = 前面的算子
title-earlier = 本可提前
title-file = 文件
title-format = 格式
title-size = 大小
title-ops = 算子
title-problems = 问题
title-allocator = 分配器
title-peak = 峰值
title-there-before = 先前已有
title-beyond = 其他占用
title-at-the-end = 结束时
title-tensors = 张量
title-bytes = 字节
title-count = 数量
title-since = 起始
title-until = 终止
title-shape = 形状
title-ends-at = 结束于
title-devices = 设备
title-waiting = 等待
title-last-to-arrive = 最后到达
title-later-by = 晚
title-operation = 操作
title-of-collectives = 集合通信
title-group = 组
title-rank = rank
title-last-rank = 最后的 rank
title-later-by-mean = 平均晚
title-at-the-most-later = 最多
title-in-all = 合计
title-communication = 通信
title-hidden = 已掩盖
title-exposed = 未掩盖
title-of-the-span = 占跨度
title-idle-before-send = 发送前空闲
title-longest-wait = 最长等待
title-for = 等待对象
title-speed = 速度
title-p50 = p50
title-p99 = p99
title-busy = 忙碌
title-of-step = 占训练步
title-largest = 最大
title-parameters = 参数
title-inverted = 逆序
title-of-pairs = 占总对数
title-overlap-lost = 损失的重叠
title-step = 训练步
title-steps = 训练步
title-in-step = 所在步
title-static = 静态
title-most-is = 主要为
title-last = 最后
title-after-the-next = 比前一个晚
title-after-the-median = 比中位数晚
title-root-cause = 根因
title-this-op = 此算子
title-its-peers = 同类
title-waited = 等待
title-waited-after = 到达后
title-delay = 延迟
title-tensor = 张量
title-op-type = 算子类型
title-total = 总计
title-mean = 平均
title-start = 开始
title-duration = 时长
title-queued = 排队
title-output = 输出
title-name = 名称
title-number = 编号
title-starts = 开始于
title-compute = 计算
title-exposed-comm = 未掩盖通信
title-idle = 空闲
title-pause-before = 之前的间隔
title-deviation = 标准差
title-least = 最小
title-most = 最大
title-input-exposed = 数据加载*
title-copy-exposed = 拷贝*
title-comm-exposed = 通信*
title-launch-exposed = 启动*
op-types-on-accelerators = 加速器
op-types-on-hosts = 主机
title-allocation-exposed = 分配*
title-waiting-exposed = 等待*
title-received = 接收
title-sent = 发送
title-lanes = 泳道
title-arrived = 到达
title-transit = 在途
title-kind = 种类
title-self = 自身

## 时钟不一致时的开头

program-clocks-align = 选项 { $option } 可对齐时钟；steplens clocks 显示各时钟的偏差
program-clocks-by-hand = steplens clocks 显示各时钟的已知情况；{ $option } 可手动设置
program-clocks-as-recorded = 以下时间均为原始记录，各按所属任务的时钟；来自时钟不同的任务的通信会偏长或偏短

## steplens clocks

clocks-ahead-of = 比 { $reference } 超前多少
clocks-no-tasks = 没有设备属于任何任务
clocks-violations = { $count ->
        [0] 没有张量在发送之前到达
       *[other] { $count } 个张量在发送之前到达
    }；减去这些偏移后为 { $after } 个
clocks-violations-ends = 有 { $count } 次，集合通信在一个 rank 上的结束早于它在另一个 rank 上的开始；减去这些偏移后为 { $after } 次
clocks-drift-range = { $best }（{ $low } 至 { $high }）
clocks-one-way = 张量只有单向传输
clocks-no-tensor = 与其他任务之间没有张量传输
clocks-drift-subtracted = 已减去漂移
clocks-no-steady-drift = 没有恒定的漂移
clocks-title = 时钟

## steplens critical-path

critical-path-by-op-type = 按算子类型
critical-path-by-name-scope = 按名称作用域
critical-path-by-frame = 按 Python 栈帧
critical-path-by-device = 按设备
critical-path-observed-about = 实测路径：从最后的结束时刻，逐个回溯每个算子最后等待的对象
critical-path-observed = 训练步在等什么
critical-path-segments = 最长的段
critical-path-segments-about = --csv 按顺序列出全部
critical-path-behind-more = { $op }，{ $ops }
critical-path-static-about = 仅按依赖关系，不含等待；列出其中最长的算子
critical-path-static = 静态路径：{ $length }
critical-path-near = 与此路径相差不到训练步的 1 % 的有 { $ops }
critical-path-near-and-next = { $near }；与它重合最少的路径用时 { $length }，其中 { $outside } 不在此路径上
critical-path-graph = { $nodes }和 { $edges }：{ $kinds }
critical-path-inferred = { $kind }（推断）
critical-path-partly-inferred = { $kind }（其中 { $count } 为推断）
edge-kind-data = 数据
edge-kind-control = 控制
edge-kind-transfer = 传输
edge-kind-launch = 启动
edge-kind-sync = 同步
edge-kind-event = 事件
edge-kind-other-stream = 其他流
edge-kind-handover = 其他线程
edge-kind-stream = 流
edge-kind-thread = 线程
edge-kind-link = 链路
edge-kind-room = GPU 空间
edge-kind-cut = 截断
critical-path-backward = { $edges }在时间上倒退，已改为从结果开始时算起；最大的为 { $most }，从 { $from } 到 { $to }
critical-path-cut = { $edges }不予计入，以打破环路
critical-path-without-edges = { $ops }没有边，因为其他算子的输入太多
critical-path-threads-recorded = TensorFlow 的主机分析器记录了 { $ops } 个算子中 { $recorded } 个的线程，其余的是推断的
critical-path-threads = 执行器线程是推断的：一同被调度的 { $all } 个相邻算子中，有 { $row } 个连续运行
path-steps = 训练步
path-steps-about = 各训练步单独计算：其跨度，以及仅受依赖关系限制时的用时
path-steps-ops = 在多少个训练步的路径上
path-steps-ops-about = 占训练步的比例是路径含有该算子的各步的中位数
path-steps-count = { $steps } / { $all }
more-all-or-limit = { $more }：--all 显示全部，--limit N 显示 N 行

## steplens doctor

more-not-shown = { $more }

## steplens headline

headline-step = 仅训练步 { $number }，共 { $all } 步；steplens steps 可列出全部
headline-before = 仅第一个训练步之前的部分；steplens steps 可列出各训练步
headline-repaired = 已修正：{ $words }；{ $devices }以及训练步的数值与记录不同
headline-nothing-to-repair = 没有可修正的内容：{ $words }
headline-doctor = { $title }（{ $code }）：数值受其影响；详见 steplens doctor
headline-doctor-repair = { $title }（{ $code }）：数值受其影响；--repair { $code } 会{ $repair }
headline-by-tensors = 按任务间的张量和集合通信
headline-by-tensors-and-hand = 按任务间的张量和集合通信，另有 { $tasks }手动设置
headline-by-hand = 手动设置 { $tasks }
headline-clocks-agree = 各任务的时钟一致：无需对齐
headline-clocks-set = 时钟已校正（{ $how }）；steplens clocks 可列出偏移

## steplens memory

memory-nothing-for = 此 trace 没有记录{ $reading }。
memory-all-devices = 所有设备
memory-not-named = （未命名）
memory-by-reading = 内存，依据：{ $reading }
memory-rests-on = 数据依据：{ $rests_on }。
memory-reading-records = 分配记录
memory-reading-tensors = 由数据流得出的生命周期
memory-reading-timeline = timeline.py 的统计
memory-frees-alone = { $count } 次释放之前没有分配：其释放的内存计为先前已有
memory-sums-too-large = { $count } 个总和超出可保存的范围：曲线止于最大的数
memory-ops-without-inputs = { $count } 个算子的输入未追踪，因为输入太多
memory-alive-at-peak = { $device } 在峰值时的存活内存
memory-peak-by = { $bytes }，依据：{ $reading }
memory-op-type = 算子类型
memory-name-scope = 名称作用域
memory-besides-outputs = { $name }（输出之外所需）
memory-holders = 使其存活的算子
memory-holders-about = 至少存活到该算子结束的字节

## steplens network-collectives

collectives-about = 等待：到最后一个参与者到达为止，占所有参与者总时间
collectives-time = 共 { $length }
collectives-waited = 其中等待 { $length }
collectives-came-last = { $device } 最后到达 { $count } 次
collectives-unknown = { $count } 次的参与者未知
collectives-without-files = 其中 { $count } 次缺少某些 rank 的文件：为它们等待了多久未知

## steplens network-devices

communication-about = 未掩盖：设备既不计算也不拷贝时的通信

## steplens network-links

network-links-about = 速度：字节数除以有传输在途的时间；p50、p99：在途时间的分位数
network-links-more = { $links }：--json 列出全部
network-links-untimed = { $transfers }的时间未知
network-links-peaks = { $window } 内的最大值：{ $rate }，位于 { $at }；同时最多 { $transfers }，位于 { $flight_at }
network-copies-about = GPU 与其主机之间，以及 GPU 内部
network-copies-without-bytes = 没有显示字节数之处，只记录了方向

## steplens network

network-more = { $more }：--limit N 显示更多，--json 列出最重要的 { $most } 个
network-more-all = { $more }：--limit N 显示更多，--json 列出全部
network-waits-title = 等待
network-ready-title = rank
network-ready-about = 最后：协商张量时最后就绪；晚：比前一个 rank 晚多少
network-ready-times = { $of } 次中的 { $times } 次
network-collectives-title = 集合通信
network-stragglers-title = 慢节点
network-links-title = 链路
network-copies-title = 拷贝
network-all-places = 全部

## steplens network-order

network-order-about = 到达顺序与算子所需顺序不同的参数，以及更优顺序的收益
network-order-title = 传输顺序
network-order-inversion = { $user } 等待 { $late } 用了 { $length }，后者在更晚才需要的 { $early }（{ $others }）之后到达
network-order-no-producers = 其张量的生产者没有记录
network-order-no-consumers = 其张量的消费者未知
network-order-too-many-tasks = 任务太多，无法找出其参数
network-order-too-few = 到达的参数少于两个

## steplens network-stragglers

straggler-about = 同类中最后到达终点或集合通信的任务，及其根因
straggler-often = { $task }：{ $times } / { $total }
straggler-part-before = 没有记录原因
straggler-part-ran = 算子运行
straggler-part-waited = 算子等待运行
straggler-part-queued = 张量排队
straggler-part-transit = 张量在途
straggler-path-about = 到其结束的路径（{ $links }）：{ $parts }
straggler-finished-last = { $task } 最后到达，比 { $next } 晚 { $after }（占跨度的 { $share }）
straggler-finished-last-of-many = { $task } 最后到达，比 { $next } 晚 { $after }（占跨度的 { $share }），比同类的中位数晚 { $behind }
straggler-input-late-from = 来自 { $from } 的输入 { $input } 到达 { $op } 的时间比同类晚 { $late }
straggler-with-peers = { $said }（同类：{ $usual }）
straggler-started-late = 开始得晚
straggler-took-long = 运行得久
straggler-input-late = 输入到达得晚
straggler-scheduled-late = 调度得晚
straggler-started-late-about = { $op } 开始得晚：输入到齐 { $own } 后才开始
straggler-took-long-about = { $op } 用时 { $own }
straggler-input-late-about = 输入 { $input } 到达 { $op } 的时间比同类晚 { $late }
straggler-scheduled-late-about = { $op } 被调度的时间比同类晚 { $late }

## steplens findings

## steplens op

op-thread = 线程
op-runs-for = 运行时长
op-self-time = 自身时间
op-kernels = 内核数
op-gpu-time = GPU 时间
op-calculates = 计算量
op-of-peak = 占峰值
op-moves = 读写
op-work-at = { $amount }，速率 { $rate }
op-work-known-by = 依据
op-work-recorded = 分析器的记录
op-work-by-shapes = 张量的形状
op-launched-by = 发起者
op-inside-of = 位于其内
op-after = 在其之后
op-label = 原始记录
op-also-recorded = 其他记录
op-more-frames = 另有 { $count } 个
failure-no-such-op = 没有算子 { $op }：请给出其编号，或 steplens ops 显示的名称

## steplens network-waits

network-waits-about = 谁在等待哪个张量；发送前空闲：张量尚未发送
network-tracer-terms = 按 tensorflow-tracer 的定义：{ $figures }
tensor-is-gradient = { $name }（梯度）
network-tensors-about = 涵盖所有训练步和目标；等待最久的在前

## steplens op-types

op-types-heading = 算子类型
op-types-by-own-time = 按自身时间之和排序，不含内部嵌套的算子；总计一列包含它们
op-types-by-time = 按时间之和排序；同时运行的算子各自计时
op-types-sum-only = { $name } 的 { $sum } 是同时运行的算子的时间之和
op-types-sum = { $name } 的 { $sum } 是同时运行的算子的时间之和：其中至少一个在运行的时间为 { $any }
op-types-more = { $more }（占时间之和）

## steplens ops

ops-by-duration = 最长的算子
ops-by-start = 最早的算子
ops-by-queue = 排队最久的算子
ops-by-bytes = 输出最大的算子
ops-by-name = 按名称排列的算子

## steplens report

report-no-place = steplens.html 中没有放置 trace 数据的位置。请用 `cargo xtask dist` 构建单文件页面。
report-no-op = 没有可写出的算子
redaction-incomplete = 脱敏页面中仍有原文件的“{ $word }”，因此没有写出任何内容。请包含此类文本，并报告此问题。 [redaction-incomplete]
redaction-bad-key = { $name } 不是脱敏密钥。请给出 32 个十六进制数字。

## steplens steps

steps-exposed-input = 未掩盖数据加载
steps-exposed-copy = 未掩盖拷贝
steps-exposed-communication = 未掩盖通信
steps-exposed-launch = 未掩盖启动
steps-exposed-allocation = 未掩盖分配
steps-exposed-waiting = 只在等待
steps-and-before = { $steps }，以及第一步之前的部分
steps-and-others = { $steps }，以及 { $count } 次其他图的运行
steps-about = 加速器的平均值，没有加速器时为所有设备的平均值；* 表示时长异常
steps-ended-by = { $steps }，每步到 { $range } 的末尾
steps-recording = 1 个记录，没有任何内容标出它的步
steps-usual = 通常的值
steps-usual-about = 取自有算子的训练步

## steplens summary

summary-mean-of-devices = { $devices }的平均值
summary-mean-of-accelerators = { $accelerators }的平均值
summary-mean-of-computing = { $all } 个加速器中 { $count } 个的平均值；其余只做复制
summary-only-device = 唯一的设备
summary-only-accelerator = 唯一的加速器
summary-the-step = 训练步
summary-the-recording = 整个录制
summary-all-steps = 所有训练步
summary-hidden = 通信共 { $length }；{ $share } 被计算掩盖
summary-any-device = 以任一设备计：计算 { $compute }，未掩盖通信 { $communication }，空闲 { $idle }
summary-no-work = 无工作
summary-no-task = 无任务
summary-exposed-about = * 未掩盖：左侧各列均未运行时的时间
summary-streams-about = memcpy 和 stream:all 中与 GPU 流重复的内容只计一次
summary-over-time = 随时间变化
summary-over-time-about = 每个标记表示该时间片内占时最多的类别
summary-any = 任一

## steplens transfers

transfers-links-about = 忙碌：至少有一个传输在进行；速度：字节数除以该时间
transfers-by-bytes = 最大的传输
transfers-by-transit = 在途最久的传输
transfers-by-queue = 发送前排队最久的传输
transfers-by-wait = 到达后等待最久的传输
transfers-by-delay = 使算子推迟最多的传输
transfers-by-arrival = 最早到达的传输
transfers-by-waited = 设备等待最久的传输
transfers-of-gradient = 梯度
transfers-of-value = 值
transfers-joined-to-one-of-several = 有多个可能的生产者
transfers-joined-by-graph = 按分区图找到生产者
transfers-joined-by-name = 按名称找到生产者

## steplens failure

failure-output = 写输出失败：{ $why }
failure-not-there = 没有这个文件或文件夹
failure-no-permission = 没有权限

## steplens folder

folder-not-read = { $folder }：读取文件夹失败：{ $why }
folder-too-many = { $shown } 中的{ $what ->
        [files] 文件
       *[folders] 文件夹
    }超过 { $max_files } 个。请指定 trace 所在的文件夹。
folder-empty = { $shown } 是空文件夹。请指定 trace 所在的文件夹。

## steplens input

input-twice = 标准输入（-）只能读取一次。请只指定一次。
input-opening = 无法打开
input-reading = 在字节 { $at } 处无法继续读取
input-failed = { $name } { $doing }：{ $why }

## steplens opening

option-unusable = --{ $name }：{ $why }
option-word = 未知的 `{ $word }`。请给出以下之一：{ $words }。
option-range = { $value } 不在 { $from } 至 { $to } 之间。请给出此范围内的数。
option-step = 没有第 { $place } 步。请给出 1 至 { $steps }，即 `steplens steps` 列出的序号。
option-over-steps = `{ $text }` 不表示训练步。请给出 all 或 FIRST..LAST，例如 3..8。
option-step-without-ops = 第 { $place } 步除了运行过以外没有任何记录。请给出有算子的训练步，可用 `steplens steps` 列出。
option-clocks = `{ $word }` 不是有效的设置。请给出 recorded、estimated 或 TASK=OFFSET，例如 /job:worker/replica:0/task:2=-12.5ms。
option-clocks-task = 任务 `{ $task }` 没有算子。请给出 `steplens clocks` 列出的任务。
folder-without-traces = { $folders } 中的 { $files } 个文件都不是 trace。第一个：{ $why }
option-max-step = `{ $text }` 不是时长。请给出例如 300ms 或 1.5s。
option-max-exposed-communication = `{ $text }` 不是比例。请给出例如 20% 或 12.5%。
picture-two-traces = 比较需要两个跟踪：steplens picture A B --of comparison -o OUT。
option-max-regression = `{ $text }` 不是比例。请给出例如 5% 或 2.5%。
option-max-growth = `{ $text }` 不是占比。请给出如 5% 或 150% 的值。
check-without-limit = 没有可检查的内容。请给出 --max-step 时长、--max-exposed-communication 比例，或 --baseline 基线。
check-title = steplens check
check-limit-exceeded = { $name }：最多允许 { $allowed }，最大为 { $worst }（超过的步：{ $over }）
check-waterfall-about = 两个时长为中位数的步之间；各条之和等于其差异
check-new-findings = 现在什么会有帮助
check-new-findings-about = 而在基线中没有
check-baseline = 基线
check-now = 现在
check-growth = 增长
baseline-written = 已写入 { $path }：{ $size }，共 { $count } 步
baseline-few-steps = { $count } 步的基线无法用于判断：请至少记录 { $least } 步。
baseline-many-steps = 算子类型的时间最多保留 { $most } 步；所有步的时长都会保留。
baseline-damaged = 无法读取 { $name } 中各步的数据。请用 steplens baseline 重新生成基线。
check-passed = 每个训练步都未超过限制
check-failed = 有限制被超过
check-unjudged = 无法判断各步
check-step-length = 训练步的时长
check-exposed-communication = 未掩盖通信
check-no-step = 无
check-steps-and-more = { $steps } 及另外 { $more } 个
title-allowed = 允许
title-steps-over = 超过的训练步
option-window = `{ $window }` 不是时间窗口。请给出 START..END，例如 10ms..20ms、40%..60%、1.5s.. 或 ..800us。
option-window-end = `{ $window }` 的结束早于开始。请给出晚于开始的结束时间。
option-window-input = 标准输入、字节和已打开的文件只能读取一次，而必须事先知道最早的开始时间；请先将其写入文件

## steplens page

page-not-read = 无法读取 STEPLENS_PAGE 指定的 { $path }：{ $why }。请指定单文件页面。
page-not-found = 程序内部及其所在位置都没有 { $file }。请用 `cargo xtask dist` 构建单文件页面。

## steplens names

task-with-replica = { $name } { $number }，副本 { $replica }

## steplens doctor

doctor-nothing = 没有发现问题
doctor-clocks-set = 已按 --clocks 的要求设置
doctor-clocks-would = --clocks estimated 将{ $repair }
doctor-repaired = 已按 --repair 的要求修正
doctor-repair-would = --repair { $code } 将{ $repair }

headline-in-tasks = { $devices }，属于 { $tasks }
headline-without-sender = { $transfers }（没有发送方）
headline-of-doctor = { $count ->
       *[other] { $count } 项诊断发现
    }
headline-of-unknown-size = { $transfers }，大小未知
opening-less = --devices REGEX 只打开部分设备，--window START..END 只打开一个时间窗口
files-without-traces = { $files }不含 trace
no-communication = 此 trace 中没有算子进行通信。
no-transfers = 此 trace 中没有设备之间的传输。
export-backwards = { $transfers }没有箭头：按这些时钟，接收方先于生产者开始；--clocks estimated 会根据张量设置时钟
export-inputs-backwards = 略去 { $edges }：按这些时钟，产生者晚于读取者开始；--clocks estimated 会根据张量设置时钟
export-loses-categories = 未写出：{ $ops }的类别；打开文件时只按名称判断
export-loses-calls = 未写出：{ $ops }由哪个调用启动
export-loses-devices = 未写出：原格式对{ $devices }的说明（加速器、嵌套的算子）
export-loses-runs = 未写出：{ $steps }的名称、编号和日期
export-cuts-times = 已截为整微秒：{ $allocations }的时间
output-not-written = { $path }：写出文件失败：{ $why }
output-over-input = { $path } 是某个输入文件。请为输出文件另取名称。
export-progress = 已写出：{ $size }
input-progress = 已读取：{ $read }
input-progress-of = 已读取：{ $read }，共 { $of }
man-no-command = 没有命令 { $name }。可用的有 { $commands }。
export-written = 已写出 { $path }，{ $size }
report-written = 已写出 { $path }，{ $size }：可用任何浏览器打开
memory-no-name = （无）
memory-tensor = 张量
memory-shape = 形状
memory-variable = 变量

## 带名词的计数

program-accelerators = { $count ->
        [0] 没有加速器
       *[other] { $count } 个加速器
    }
program-allocations = { $count ->
        [0] 没有内存分配
       *[other] { $count } 次内存分配和释放
    }
program-collectives = { $count ->
        [0] 没有集合通信
       *[other] { $count } 次集合通信
    }
program-devices = { $count ->
        [0] 没有设备
       *[other] { $count } 个设备
    }
program-edges = { $count ->
        [0] 没有边
       *[other] { $count } 条边
    }
program-nodes = { $count ->
        [0] 没有节点
       *[other] { $count } 个节点
    }
program-ops = { $count ->
        [0] 没有算子
       *[other] { $count } 个算子
    }
program-others = { $count ->
        [0] 没有其他
       *[other] 另有 { $count } 个
    }
program-problems = { $count ->
        [0] 没有问题
       *[other] { $count } 个问题
    }
program-steps = { $count ->
        [0] 没有训练步
       *[other] { $count } 个训练步
    }
program-stragglers = { $count ->
        [0] 没有慢节点
       *[other] { $count } 个慢节点
    }
program-streams = { $count ->
        [0] 没有流
       *[other] { $count } 个流
    }
program-tasks = { $count ->
        [0] 没有任务
       *[other] { $count } 个任务
    }
program-tensors = { $count ->
        [0] 没有张量
       *[other] { $count } 个张量
    }
program-transfers = { $count ->
        [0] 没有传输
       *[other] { $count } 次传输
    }

program-more-collectives = { $count ->
        [0] 没有更多集合通信
       *[other] 另有 { $count } 次集合通信
    }
program-more-devices = { $count ->
        [0] 没有更多设备
       *[other] 另有 { $count } 个设备
    }
program-more-files = { $count ->
        [0] 没有更多文件
       *[other] 另有 { $count } 个文件
    }
program-more-links = { $count ->
        [0] 没有更多链路
       *[other] 另有 { $count } 条链路
    }
program-more-ops = { $count ->
        [0] 没有更多算子
       *[other] 另有 { $count } 个算子
    }
program-more-candidates = { $count ->
        [0] 没有更多候选项
       *[other] 另有 { $count } 个候选项
    }
program-more-op-types = { $count ->
        [0] 没有更多算子类型
       *[other] 另有 { $count } 种算子类型
    }
program-more-rows = { $count ->
        [0] 没有更多行
       *[other] 另有 { $count } 行
    }
program-more-segments = { $count ->
        [0] 没有更多段
       *[other] 另有 { $count } 段
    }
program-more-steps = { $count ->
        [0] 没有更多训练步
       *[other] 另有 { $count } 个训练步
    }
program-more-tasks = { $count ->
        [0] 没有更多任务
       *[other] 另有 { $count } 个任务
    }
program-more-tensors = { $count ->
        [0] 没有更多张量
       *[other] 另有 { $count } 个张量
    }
program-more-transfers = { $count ->
        [0] 没有更多传输
       *[other] 另有 { $count } 次传输
    }
program-more-waits = { $count ->
        [0] 没有更多等待
       *[other] 另有 { $count } 次等待
    }

bar-range = 区间

## steplens kernels

title-gpu-self = GPU 自身
title-gpu-total = GPU 总计

## steplens counters

## steplens scheduling

option-tiny = `{ $text }` 不是时长。请给出例如 10us 或 1ms。
scheduling-parts-about = 总和：从就绪到被调度、到开始、到内核开始、到内核结束、到算子结束
scheduling-part-not-recorded = 没有记录：{ $part }
scheduling-ops-contradicted = 按记录，{ $ops }在最后一个输入结束前超过 1 µs 就被调度：等待时间未知
scheduling-network-left-out = 略去了网络相关的 { $ops }：见 steplens transfers 和 steplens network
scheduling-programs-left-out = 略去了由程序线程直接调用的 { $ops }：它们不经过调度
scheduling-threads-about = 同时工作的算子数，以及至少另有一个算子已被调度但尚未开始的时间
scheduling-threads-unknown = 线程数没有记录：可用 --threads N 指定
scheduling-threads-given = 按指定，有 { $threads }
scheduling-too-few = 线程一定多于 { $threads }：曾同时运行 { $ops }
scheduling-tiny = 短于 { $length } 的算子
scheduling-tiny-about = 开销：算子的时长，加上与前一个算子的间隔（每个最多 0.1 ms）
scheduling-streams-about = 从启动到开始；以及内核之间的每个间隙在等什么
scheduling-longest-about = 从被调度或被启动到开始；--csv 列出所有算子
scheduling-longest = 排队最久的算子

scheduling-together = { $devices }合计
scheduling-threads = 线程
scheduling-streams = 流
scheduling-gpus = GPU 的空闲时间
scheduling-gpus-about = 每个空闲时刻在等什么；只有集合通信在运行时，GPU 也算空闲
title-starved = 线程不足
program-threads = { $count ->
        [0] 没有线程
       *[other] { $count } 个线程
    }
program-more-streams = { $count ->
        [0] 没有更多流
       *[other] 另有 { $count } 个流
    }

## 图片

picture-ending = { $path }：图片文件名须以 .svg 或 .png 结尾
picture-too-large = 图片的像素多到无法打印：请选较小的宽度或比例，或用 SVG
picture-not-drawn = 无法画出图片：{ $why }
picture-no-font = 程序和这台机器都没有包含“{ $char }”的字体，它会画成方框：请安装一种字体，或写保留文字的 SVG
picture-no-device = 没有设备的名称匹配 { $pattern }

what-if-parts = 该步等待什么
what-if-parts-about = 沿关键路径，更改之前与之后
what-if-table = 什么会有帮助
what-if-table-about = 如果下列每一项用时更少，该步会缩短多少
title-before = 之前
title-after = 之后
title-on-path = 在路径上

findings-not-judged = 未判断
findings-not-judged-about = 无法使用的规则，以及此 trace 中各自缺少的内容
finding-look-at = 查看 { $op }
finding-try = 试试：steplens what-if { $command }
findings-more = 全部发现：steplens findings

findings-title = 什么会有帮助
findings-title-about = 节省最多的在前，原因在其后果之前

## 两份 trace 的比较

option-compare-step = “{ $text }”不是步：请给出从 1 开始的数，或用逗号分隔的两个数，例如 2,5；若干步的范围例如 1..8,9..16
compare-no-such-steps = 没有第 { $step } 步；共打开了 { $count } 步
compare-findings-title = 什么会有帮助
compare-findings-about = 只在其中一个
compare-finding-new = B 中新增：{ $what }
compare-finding-gone = B 中不再有：{ $what }
compare-waterfall-title = 差异从何而来
compare-waterfall-about = 用另一步的用时重放得出；各条之和等于差异
compare-matches-title = 算子
compare-matches-about = A 的哪个算子对应 B 的哪个
compare-matches = { $exact } 个按名称、类型和形状相同；{ $renumbered } 个按不含数字的名称或不计形状相同；{ $structural } 个按其周围相同；{ $edited } 个按其在作用域中的位置相同。只有 A 有 { $a } 个，只有 B 有 { $b } 个。
compare-retyped = 另有 { $count } 个由某个库以另一种类型执行同样的工作：按名称比较。
compare-reshaped = 其中 { $count } 对的形状不同。
compare-not-aligned = 没有对应的算子中有 { $count } 个所在的作用域太大，无法对齐。
compare-types-title = 算子类型
compare-types-about = 两者的自身时间，按差异大小
compare-links-title = 链路
compare-links-about = 两者的传输时间，按差异大小
compare-memory-title = 内存
compare-memory-about = 两者的峰值，按差异大小
compare-steps-title = 各步
compare-steps-about = 各步有差异，还是仅在波动
compare-nothing = 没有差异
compare-more-rows = { $count ->
        [0] 没有更多行
       *[other] 另有 { $count } 行
    }
title-compare-count = 算子数
title-compare-total = 合计
title-compare-type = 算子类型
title-compare-alone = 没有对应
title-compare-difference = B - A
title-compare-ratio = B / A
title-compare-link = 链路
title-compare-allocator = 分配器
