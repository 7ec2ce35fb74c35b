### `--help` 的内容：命令为 help-command-COMMAND，参数为 help-COMMAND-ARGUMENT，多个命令共有的参数为 help-ARGUMENT。语法：Fluent (projectfluent.org)。

help = 看清一个训练步：什么在何时何处运行，这一步在等什么
help-command-summary = 显示每个设备上训练步的时间构成：计算、拷贝、通信和空闲
help-command-ops = 显示时间花在哪里：算子类型和最长的算子
help-command-transfers = 显示什么数据从哪个设备传到哪个设备：链路和最大的传输
help-command-network = 显示训练步在通信上的开销、它等待了什么，以及应归因于什么
help-command-memory = 显示哪些字节在何时存活、峰值时有哪些存活，以及是什么使其存活
help-command-critical-path = 逐时刻显示训练步在等什么，以及仅受依赖关系限制时能有多快
help-command-scheduling = 显示算子何时就绪、被调度和运行，同时运行多少个，微小算子的开销，以及 GPU 流为何空闲
help-command-steps = 显示文件中的训练步和运行：各用了多长时间、通常是多少、哪些异常
help-command-clocks = 根据任务间传输的张量，显示各任务的时钟相差多少
help-command-highlights = 显示最重要的内容：谁最后完成及其原因、空闲的加速器、最长的等待、耗时最多的算子类型
help-command-doctor = 检查能够读取的 trace 有什么问题：时钟、不合理的时间、缺失或重复的内容
help-command-report = 写出内含 trace 的页面：单个 HTML 文件，无需网络，随处可打开
help-command-export = 将 trace 写成其他工具的文件：Chrome trace JSON、Perfetto 自己的格式、CSV、Parquet、Chakra，或 Steplens 的会话
help-command-completions = 输出一个脚本，使 shell 能补全命令、选项和文件
help-command-man = 输出本程序或其中一个命令的手册页
help-command-licences = 输出本程序所含第三方代码的列表及其许可证
help-communication = 将类型或名称匹配此正则表达式的算子计为通信；可多次指定
help-devices = 只打开名称匹配此正则表达式的设备
help-window = 只打开与此时间窗口重叠的算子，例如 10ms..20ms 或 1.5s..；从文件中所有算子的最早开始时间算起，因此文件会读取两遍
help-step = 只看一个训练步：它在 `steplens steps` 列表中的序号，从 1 开始
help-steps-by = 以什么划分训练步：按文件内容、每个文件一步、每条记录一步，或全部合为一步
help-repair = 修正 `steplens doctor` 的一项检查结果；可多次指定
help-op-time = 在 GPU 上启动了 kernel 的算子，其时长如何计算：按记录（schedule）、从第一个 kernel 到最后一个 kernel（gpu），或从调度开始到最后一个 kernel 结束（all）；与 timeline.py 的规则相同
help-clocks = 设置各任务的时钟：按记录（recorded）、按任务间传输的张量估计（estimated），或按这些偏移（时钟的超前量），例如 estimated,/job:worker/replica:0/task:2=-12.5ms；`steplens clocks` 可列出偏移
help-memory = 算子最多占用这么多内存，单位 MiB；放不下的部分会被略去、计数并报告
help-json = 输出一个 JSON 对象；时长以纳秒为单位
help-csv = 输出带一行表头的 CSV；时长以纳秒为单位
help-color = 何时使用颜色；auto：在终端中使用，除非设置了 NO_COLOR
help-limit = 文本输出中每个表格显示多少行
help-all = 在文本输出中显示所有行
help-ops-sort = 文本输出中先列出哪些：最长的算子、最早的算子、排队最久的算子、输出最大的算子，或按名称
help-transfers-sort = 文本输出中先列出哪些：最大的传输、在途最久的、发送前排队最久的、到达后等待最久的、使消费者延迟最多的、设备等待最久的，或最早到达的
help-memory-by = 存活内容的各行按什么合并
help-memory-reading = 文本输出显示哪种内存数据：分配记录、由数据流得出的生命周期，或 timeline.py 的统计；默认取 trace 中具备的第一种
help-critical-path-over-steps = 每个算子在这些训练步的路径上出现的频率，各步单独计算：all，或 FIRST..LAST（例如 3..8），从 1 开始
help-scheduling-threads = 运行算子的线程数（inter_op_parallelism_threads），它没有被记录；指定后才会报告因线程不足而等待的算子
help-scheduling-tiny = 短于此值的算子算作微小算子，例如 10us
help-export-format = 要写出的格式：与 timeline.py 所写相同的 Chrome trace JSON（timeline），或精确且带箭头和随时间变化的数值的 Chrome trace JSON（chrome）；Perfetto 自己的格式，除非 --clocks 另有说明，时钟按估计设置（perfetto）；全部表格的 CSV（csv）或 Parquet（parquet）；供 ASTRA-sim 使用的执行 trace（chakra）；Steplens 的会话（session）
help-export-output = 要写出的文件；- 表示标准输出。由多个文件组成的格式（csv、parquet 和 chakra）写入此名称的文件夹；名称以 .zip 结尾或为 - 时写成 ZIP
help-export-show-memory = 使用 --format timeline 时，也写出张量及其分配器的计数器，与 timeline.py 的 show_memory 相同
help-export-no-dataflow = 使用 --format timeline 时，不写出从生产者到消费者的箭头，与 timeline.py 的 show_dataflow=False 相同
help-report-output = 要写出的 HTML 文件；- 表示标准输出
help-report-view = 打开时的视图：页面地址中 # 之后的部分
help-completions-shell = 为哪个 shell 输出
help-man-command = 命令，例如 summary；不指定时为本程序的手册页
help-report-include = 要包含哪些文本；其余文本替换为哈希值，所有数值不变：names（算子、张量、内核的名称）、op-types（非公开的算子类型）、hosts（机器、作业、设备）、tags（以及 feeds、fetches）、files、shapes、notes（标记和搜索内容），或 all
help-files = Steplens 能读取的任何格式的 trace，按内容而非文件名识别；可以是文件夹，表示其中及其子文件夹中的所有 trace；- 表示标准输入。NAME=FILE 表示该文件属于名为 NAME 的进程，例如 trainer0：其设备即为 /job:trainer/replica:0/task:0 的设备，除非文件中的集群定义另有命名。一个参数中可写多个：trainer0=FILE,pserver0=FILE
help-after = 退出码：0 正常，2 输入不可用或用法错误。
