### 文件有什么问题，以及对此做了什么：错误码见 `docs/problems.md`。语法：Fluent (projectfluent.org)。
###
### 句子末尾不加句号：它们跟在文件名之后。

## 压缩包和其他格式中的内容

other-zstd-within = 压缩文件中的 zstd 文件
advice-unpack-once = 请先解压一层，再打开其中的文件。
other-format = 其他格式
advice-run-metadata = 请打开 RunMetadata（.pb），或性能分析器写出的文件。
other-gzip-within = 压缩文件中的 gzip 文件
got-more-than-memory = 超出内存限额的字节

## 各格式的读取器发现的问题

gpu-unused-pytorch = 没有任何内容表明文件写有名字的 GPU（{ $count } 个）被使用过：申请的内存都是 CPU 的，或算子的大部分工作只能在 CPU 上进行，也没有记录到除查询和等待之外的驱动调用，因此算子很可能都在 CPU 上运行。torch.cuda.is_available() 说明 PyTorch 是否找到 GPU，tensor.device 说明张量在哪里
gpu-unused = 没有任何内容表明文件写有名字的 GPU（{ $count } 个）被使用过：没有张量被发送到另一个设备，因此算子很可能都在 CPU 上运行。tf.config.list_physical_devices('GPU') 说明 TensorFlow 是否找到 GPU，tf.debugging.set_log_device_placement(True) 说明每个算子在哪里运行
gpu-without-events = 文件写有 { $count } 个 GPU 的名字，却没有记录它们运行的任何内容：它们做了什么无从得知。TensorFlow 要找得到 CUPTI（libcupti 所在的文件夹在 LD_LIBRARY_PATH 中，Windows 上在 PATH 中），且用户有权分析（NVreg_RestrictProfilingToAdminUsers=0，或是管理员），才会记录
events-not-shown-lasting = 略去了 { $count } 个既不是算子、也不是计数器或瞬时事件的事件（箭头、异步事件）。从第一个事件到最后一个事件的时间里，有 { $percent } % 有异步事件在持续
events-not-shown = 略去了 { $count } 个既不是算子、也不是计数器或瞬时事件的事件（箭头、异步事件）
counter-values-lost = 略去了 { $count } 个不是有限数字的计数器值
samples-left-out = 内存已用完，略去了 { $count } 个计数器值和瞬时事件
word-event = 一个事件
word-tagged-run-metadata = 一个带标签的 RunMetadata
word-summary = 一个 summary
oversized-text = 字节 { $at } 处的文本有 { $length } 字节，超过可读取的上限 { $most } 字节；已略去
damaged-event-field = 文件中的一个事件在字节 { $at } 处含有不合法的字段；其余部分已略去
too-many-run-metadata = 字节 { $at } 处的 RunMetadata 超出了可计数的上限；此前的内容均已显示，其余已略去
truncated-record-length = 一条记录的长度中；此前的内容均已显示
truncated-event = 一个不含 RunMetadata 的事件中；此前的内容均已显示
truncated-run-metadata = RunMetadata { $tag } 中，尚未到其校验和；其中能读取的部分已显示
truncated-within = 文件在字节 { $at } 处中断，位于{ $within }
records-lost = 字节 { $first_at } 处一条记录的长度与其校验和不符；到下一条可找到的记录为止的 { $bytes } 字节已略去（共 { $places } 处）
record-damaged = 字节 { $at } 处的记录（不含 RunMetadata 的事件）与其校验和不符；已略去
record-of-run-damaged = 字节 { $at } 处的记录（含 { $ops } 个算子的 RunMetadata { $tag }）与其校验和不符；已略去
word-event-file = 一个事件文件
got-end-of-file = 文件末尾
saved-as-text = 某个程序把此文件当作文本读写过：至少 { $count } 个字节变成了 U+FFFD（EF BF BD），已经丢失。请以二进制方式重新拷贝
got-text = U+FFFD 取代了原来的字节：某个程序把它当作文本读写过，其内容已丢失
message-damaged-to-end = { $word }：字节 { $at } 处有{ $got }；其最后 { $lost } 字节已略去
message-damaged = { $word }：字节 { $at } 处有{ $got }；文件的其余部分已略去
reading-stopped = 字节 { $at } 处有{ $got }；此前的内容均已显示，其余已略去
oversized-message = 字节 { $at } 处的消息有 { $length } 字节，超过可读取的上限 { $most } 字节；已略去
unknown-field = { $word }：字节 { $at } 处有字段 { $field }，其 schema 中没有该字段；已略去
got-bad-tag = 任何消息都不允许的标签或长度
got-long-field = 长 { $length } 字节的字段（所在的消息：{ $word }；剩余 { $room } 字节）
no-file-name = （无文件）
session-changed = 此会话在写入后被更改或损坏：其校验和不符。全部内容按文件原样显示，任何数值都可能有误。请重新复制该文件，或从 trace 重新保存
session-incomplete = 此会话从字节 { $at } 起已损坏：{ $what }。其余内容按文件原样显示，任何数值都可能有误。请重新复制该文件，或从 trace 重新保存
session-lost-head = 录制时间和分配器的活动已丢失；时间从 1970 年算起
session-lost-strings = { $count } 个名称及其他文字已丢失；它们显示为 { $lost } 加编号
session-lost-names = { $count } 个 op 或 op 种类的名称已丢失；它们显示为 { $lost }
session-lost-threads = 线程的名称已丢失
session-lost-graph = 图已丢失，因此也不知道谁等待谁
session-lost-attributes = 集合通信的组和所传输张量的类型已丢失
session-lost-labels = op 的标签已丢失，因此 op 类型和所传输的内容也已丢失
session-lost-categories = op 的类别已丢失；仅由名称判断
session-lost-ops = { $all } 个 op 中有 { $count } 个已丢失，即各设备上最后的那些；所有 op 的输出、内存分配和参数也随之丢失
session-lost-kernels = op 的调度时间、kernel 和线程已丢失
session-lost-calls = 哪个调用启动了哪个 kernel 的信息已丢失
session-lost-outputs = op 的输出已丢失
session-lost-memory = 分配器的活动已丢失
session-lost-files = 生成此会话的文件的名称和问题已丢失
session-lost-parts = 哪个 op 属于哪次运行或哪个进程的信息已丢失；全部显示为一个整体
session-lost-arguments = 事件的参数已丢失
session-lost-samples = 计数器和瞬时事件已丢失
session-lost-marks = 步骤的标记已丢失
session-lost-end = 缺少其结尾，那里本应有各次运行和进程、参数、计数器以及步骤的标记
session-lost-table = 其中一部分已丢失，且无法得知是哪一部分
page-view-changed = 页面中关于视图的内容在写入后被更改或损坏；因此像刚打开时那样显示整个 trace。请重新获取该页面
session-newer = 此会话由更新版本的 Steplens 写入，其中有 { $bytes } 字节的内容本版本不认识，已略去。要查看这些内容，请用更新版本的 Steplens 打开
process-unnamed = 文件没有说明属于哪个进程；其设备归入 `process{ $place }`：要将其命名为 trainer0，请以 trainer0=FILE 打开
clock-is-relative = 它的时钟不是从某个日期算起（例如从机器启动算起），与其他文件的起点不同：全部内容后移 { $ns } ns 显示，与其他文件的起点对齐；此文件与其他文件之间的时间差没有意义
packing-damaged = { $packing } 压缩数据中有{ $why }；此前的内容均已显示
got-over-memory = 超出 { $limit } MiB 内存限额的内容
left-out-devices = 按照选择，略去了不匹配 `{ $devices }` 的设备上的算子
left-out-window = 按照选择，略去了与所选时间窗口不重叠的算子
memory-limit = 读到 { $at } MiB（共 { $of } MiB）时，{ $limit } MiB 的内存限额已满；显示了 { $ops } 个算子，略去了 { $left_out } 个：请只打开部分设备或一个时间窗口
got-other-message = 另一种消息
word-run-metadata = 一个 RunMetadata
unknown-profile-field = 该 profile 在字节 { $at } 处有字段 { $field }，其 schema 中没有该字段；已略去
paddle-unjoined-allocation = 略去了不属于文件中任何事件的内存分配
word-paddle = 一个 Paddle profile
paddle-allocations = { $count } 次内存分配
paddle-advice = 请在 start_profiler 与 stop_profiler 之间训练几个 batch。
got-bad-byte = 不能作为词的开头的字节
got-long-word = 超过 64 MiB 的词
got-open-text = 缺少右引号的文本
truncated-text = 文本在字节 { $at } 处的一条消息中结束；此前的内容均已显示
damaged-text = 文本的字节 { $at } 处有{ $got }；已跳过
got-misplaced-word = 出现在不允许之处的词或符号
got-early-end = 没有开头的消息的结尾
got-long-message = 超过 64 MiB 的消息
got-no-number = 应为数字却是词的内容
pickle-run = 运行 { $before }
pickle-of-list = 列表的 pickle
pickle-of-dict = 字典的 pickle
pickle-of-text = 文本的 pickle
pickle-of-number = 数字的 pickle
pickle-of-nothing = 空的 pickle
damaged-graph-node = 字节 { $at } 处的图节点无法读取；已略去
unnamed-device = 在字节 { $at } 处结束的 dev_stats 没有设备名；其算子显示在 "{ $unnamed_device }" 下
got-too-many-devices = 超出可计数上限的设备
op-negative-duration = 字节 { $start } 处的算子，结束早于开始；按时长 0 显示
op-negative-size = 字节 { $start } 处的算子，有一个张量或分配器的大小为负；按无大小计
op-damaged-tensor = 字节 { $start } 处的算子，有一个张量或分配器的记录无法读取；显示该算子时不含此记录
op-time-out-of-range = 字节 { $start } 处的算子，时间距 1970 年超过 146 年；已略去
got-too-many-ops = 超出 trace 上限 4,294,967,294 的算子
damaged-op = 一个算子在字节 { $at } 处中断；已略去
damaged-thread-name = 一个线程名在字节 { $at } 处中断；已略去
got-endless-number = 没有结尾的数
got-no-row = 不存在的行
got-large-number = 过大的数
got-early-data-end = 过早结束的数据
got-more-values = 多于行数的值
got-no-session = 不是 Steplens 会话的内容
got-newer-session = 比此程序更新的版本
got-early-session = 早于 Steplens 0.1.0 的版本
got-no-op = 空内容，没有算子
got-ops-over-memory = 超出内存限额的算子
got-no-unit = 不存在的时间单位
got-more-text = 多于此大小的文件所能容纳的文本
got-other-width = 字节数与宽度不符的列
got-other-categories = 与节点不符的类别
got-other-files = 与算子不符的文件
got-no-code = 不是单词的代码
got-time-out-of-range = 超出范围的时间
got-other-devices = 与算子不符的设备
zstd-no-last-block = 最后一个块之前的结尾
zstd-no-frame = 不能作为帧的开头的字节
zstd-window = 窗口为 { $size } MiB 的帧
zstd-dictionary = 需要字典的帧
zstd-bad-head = 帧头无效的帧
zstd-long-block = 超过 128 KiB 的块
zstd-bad-block = 无效的块
zstd-checksum = 与校验和不符的帧
first-at = { $what }（第一处在字节 { $at }）
events-only-counted = 略去了 { $count } 个只有计数而没有时间的事件
arguments-left-out = 每个 op 最多保留 { $most } 个参数，每个不超过 { $most_bytes } 字节；另有 { $count } 个未保留
plane-stats-left-out = 每个 plane 只读取 { $max_plane_stats } 个 stat，另有 { $more } 个未读取；时间可能从另一个时刻算起
profiler-said = 性能分析器对此文件的说明：{ $said }
step-before-first = 第一个训练步之前
events-negative-duration = 有事件的结束早于开始；按时长 0 显示
events-out-of-range = 有事件的开始或结束时间距 1970 年超过 146 年；已略去
events-too-many = 事件数超出 trace 的上限；只显示最前面的部分
events-unnamed = 文件中没有 { $count } 个事件的名称；它们以编号显示，大多数计为计算
planes-unnamed = 有 plane 没有名称；其事件显示在 "(unnamed device)" 下
word-file = 文件
truncated-inside = 文件在字节 { $at } 处中断，未结束的是{ $place }；此前的内容均已显示
word-trace-events = 一个 TensorFlow 2.0 或 2.1 的 trace
word-xspace = 一个 XSpace
xspace-planes = { $planes } 个 plane
xspace-advice = 请在算子运行期间录制，并在程序结束前停止性能分析器。
word-timeline-py = timeline.py 的时间线
timeline-allocators = { $events } 个事件，如其分配器进程所有
timeline-advice = 生成它所用的 step_stats 没有算子。请用 trace_level=tf.RunOptions.FULL_TRACE 运行训练步，并把那次运行的 run_metadata 交给 Timeline。
damaged-xspace-event = 一个事件在字节 { $at } 处中断；已略去
damaged-xspace-name = 一个名称或 stat 在字节 { $at } 处中断；已略去
got-too-many-lines = 超出可计数上限的 line

## Chrome trace 和 Paddle profile 的事件：位置与问题

the-event = 事件
ends-before-start = 的结束早于开始；按时长 0 显示
has-no-time = 没有可读取的时间；已略去
time-too-far = 的时间距 1970 年超过 146 年；已略去
is-no-json = 不是 JSON；已略去，其后的内容已显示
too-many-to-hold = 超出 trace 的容量上限；此前的内容均已显示
subject-at = 字节 { $at } 处：{ $subject }{ $what }
cut-in-word = ，位于一个词中；此前的内容均已显示
cut-in-list = ，位于事件列表中；此前的内容均已显示
cut-after-events = ，位于事件列表之后的内容中；此前的内容均已显示
cut-in-event = ，位于一个事件中；此前的内容均已显示
the-file-ends = 文件在此中断
word-chrome = Chrome trace JSON 文件

## pickle：某个字节处是什么，以及做了什么

no-opcode-within = 字节 { $byte } 不是 pickle 的操作码
no-opcode-outside = 字节 { $byte } 不是 pickle 的开头
bad-escapes = 此处开始的文本有无效的转义
read-so-far = 已读取有效的部分
buffer-elsewhere = 需要 pickle 中没有的缓冲区
buffer-left-out = 已略去；请不使用 buffer_callback 来做 pickle
value-never-made = 需要从未创建过的值
left-out = 已略去
no-values = 操作码所需的值不存在
too-many-objects = 创建的对象多于此长度的 pickle 所允许的数量
shown-before = 此前的内容均已显示，其余已略去
what-at-done = 字节 { $at } 处：{ $what }；{ $done }
runs-searched = 此前的内容均已显示，其后能找到的每个 RunMetadata 也已显示
truncated-pickle = 文件在字节 { $at } 处中断，位于 pickle 中；此前的内容均已显示
got-many-objects = 多于此长度的 pickle 所允许的对象
word-pickle = 一个 pickle

## 运行的名称和信息

run-named-by-id = { $name }（运行 { $id }）
run-trace-named = { $name }（运行 { $id }，trace { $trace }）
fact-traced-at = 跟踪时间
fact-mean-runtime = 平均运行时间
fact-first-run = 首次运行
fact-last-run = 末次运行
unknown-fetches = 未知的 fetches

## 以上内容的组成部分

got-damage = 损坏的数据
cannot-be-read = 无法读取；已略去，其后的内容已显示
the-record = 记录
the-file-ends-in-record = 文件在由此开始的记录中中断
cut-record-left-out = ，该记录已略去；此前的内容均已显示
other-zip = 一个 zip 压缩包
advice-unzip = 请解压后打开其中的 .pb。
other-markup = 一个 HTML 或 XML 文件
advice-export = Steplens 可以打开“分享”和 `steplens report` 写出的未压缩页面；此文件中没有 trace。
word-partition-graph = 一个分区图
word-plane = 一个 plane
word-line = 一个 line
events-unfinished = 略去了 { $count } 个有开始而没有结束，或有结束而没有开始的事件
events-time-unset = 有 { $count } 个事件从未设置时间（它们始于 1970 年，而其他事件都有日期）：已略去，因为不知道它们何时运行
allocations-without-op = { $count } 次分配和释放发生在没有任何算子的线程上：内存数值不计入它们
allocations-between-ops = { $count } 次分配发生在两个算子之间：各计入其线程上先前开始的算子
reserved-not-shown = { $count } 个内存事件还记录了分配器向设备保留的量：内存数值为其中已分配的部分
graphs-launched = { $count } 次调用启动了内核图（CUDA graph）：其使用的内存在创建图时已分配，因此只有创建也被记录时，内存数值才包含它
frees-without-size = { $count } 次释放既没有说明大小，也没有说明在何处分配：内存数值不计入其释放的量
tensors-unjoined = 略去了 { $count } 个不属于文件中任何算子的张量
timeline-lost-figures = timeline.py 以整微秒写出了 { $count } 个算子，且不含其排队时间、内核、线程、分配器和计算图；要查看这些内容，请打开交给 timeline.py 的 RunMetadata
timeline-lost-transfers = timeline.py 写出了 { $count } 次传输，但不含张量和发送方；它们显示为算子，不在任何传输列表中
timeline-lost-tensors = timeline.py 写出了 { $count } 个算子，但不含其输出（show_memory=True 时才会写出）；形状和大小未知
seen-no-tag = 无标签
seen-tags = 标签 { $tags }
seen-more-tags = 标签 { $tags } 等
seen-events = { $events } 个事件（{ $tags }）
seen-events-and-graphs = { $events } 个事件（其中 { $graphs } 个含计算图；{ $tags }）
pickle-of-classes = 类 { $classes } 的 pickle
pickle-of-classes-and-others = 类 { $classes } 等的 pickle
fact-fetches = fetches
fact-feeds = feeds
fact-options = 选项
fact-runs = 运行
fact-traces = trace 数

## 文件的哪个字段决定了类别

hint-unknown-category = GPU 上未知的 cat
hint-no-op = 主机上的非算子
hint-waiting-phase = 张量在其中等待
hint-moving-phase = 传送数据
hint-phase-of-program = 程序的活动
hint-computing-phase = 模型在计算
hint-within-phase = 在另一个阶段之内
hint-outermost-phase = Horovod 的最外层阶段
hint-divided-phase = 包含传送数据的阶段
hint-correlation = 主机上的 args.correlation_id
hint-stat-correlation = stat correlation_id，在主机上
hint-frame = 名称 $file:line
hint-control-flow = 控制流
hint-memcpy = 存在 stat memcpy_details
hint-summary-line = Steps、scopes、sources 行
hint-device-line = 设备的行
paddle-place = place { $number }
hint-around = 包围其他线程的算子
hint-xla-program = XLA 的程序
hint-typed-name = 名称 NAME:TYPE，或 stat hlo_op
event-number = （事件 { $number }）

word-op = 一个算子
word-whole-message = 一条消息
word-needless-message = 一条不需要的消息
word-tag = 一个标签
truncated-one-run = RunMetadata 在字节 { $at } 处中断，未结束的是{ $within }；此前的内容均已显示
advice-tf-profile = 它由 RunMetadata 生成，而 Steplens 打开的是 RunMetadata。请给 session.run 一个 RunMetadata：session.run(fetches, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=run_metadata)。然后打开 run_metadata.SerializeToString() 返回的内容。
advice-rocprofv3 = 其中没有 Chrome 格式的事件，Steplens 不读取它。请用 torch.profiler 记录同一作业，它的 Chrome trace 包含 ROCm 的内核；或者用 rocprof（rocprof --sys-trace）记录，它的 results.json 可以打开。
advice-graph = 计算图只说明能运行什么，不说明实际运行了什么。请录制一个训练步：时间在 RunMetadata 中。
other-png = 一张 PNG 图片
other-jpeg = 一张 JPEG 图片
other-gif = 一张 GIF 图片
other-pdf = 一个 PDF 文档
other-hdf5 = 一个 HDF5 文件
other-numpy = 一个 NumPy 数组
other-sqlite = 一个 SQLite 数据库
other-parquet = 一个 Parquet 文件
other-program = 一个程序或程序库
other-xz = 用 xz 压缩的文件
other-bzip2 = 用 bzip2 压缩的文件
other-7z = 一个 7z 压缩包
other-saved-model = TensorFlow 的 SavedModel
other-tf-profile = tf.profiler（tfprof）的性能分析结果
other-rocprofv3 = rocprofv3 的 JSON
other-graph = TensorFlow 的 GraphDef
has-odd-escape = 含有不是 JSON 转义的反斜杠，例如 C:\Temp：按原样保留
rest-of-document = 在一个文档结束之后，有 { $count } 个事件不属于任何新的文档：两个写入者同时写了这个文件，这是较长文档的剩余部分。它们被略去；请让每个进程各写一个文件
other-number = 一个数字
other-json-text = 一段带引号的文本
other-paddle-text = 文本形式的 Paddle profile（早期版本写出的格式）
advice-paddle-text = 请用 Paddle 1.0 或更新版本录制（其 profile 是二进制的），或打开 Paddle 的 tools/timeline.py 由它生成的文件。
other-text = 一个文本文件

## 脱敏的文件

redacted-file = 此文件已脱敏：{ $hidden } 已替换为哈希值；所有数值与原文件相同
redacted-detail = 脱敏文件中省略了这一问题的具体内容。
