### 页面的文本。语法：Fluent (projectfluent.org)。
###
### 一词一义：见 docs/glossary.md。

## 带名词的计数

ops = { $count } 个算子
other-links = 其他 { $count } 条链路
others = 其他 { $count } 个
devices = { $count } 个设备
lanes = { $count } 条泳道
steps = { $count } 个训练步
streams = { $count } 个流
hops = { $count } 跳
arrows = { $count } 个箭头
marks = { $count } 个标记
matches = { $count } 个匹配项
transfers = { $count } 次传输
problems = { $count } 个问题
collectives = { $count } 次集合通信
waits = { $count } 次等待
tensors = { $count } 个张量
links = { $count } 条链路
op-types = { $count } 种算子类型
names = { $count } 个名称
inversions = { $count } 个逆序对
copies-by-gpus = { $count } 次 GPU 拷贝
recordings = { $count } 条记录
segments = { $count } 段
and-more = 以及另外 { $count } 个
and-others = 以及其他 { $count } 个
list-next = { $before }、{ $next }
list-and-more = { $names }，以及另外 { $count } 个
clause-next = { $before }，{ $next }
aside-next = { $before }；{ $next }
sentence-next = { $before }{ $next }

## 表格的行是什么

name-ops = 算子
name-devices = 设备
name-steps = 训练步
name-matches = 匹配项
name-transfers = 传输
name-collectives = 集合通信
name-waits = 等待
name-tensors = 张量
name-links = 链路
name-op-types = 算子类型
name-segments = 路径段

## 设备和链路的名称

task-replica = { $task }，副本 { $replica }
all-links = 所有链路
all-places = 全部
unit-dispatch = 派发

## 画布上的箭头

arrows-left-out = { $all } 个箭头中有 { $count } 个未绘制：不在视图中，或数量太多
arrows-left-out-at-least = 超过 { $all } 个箭头中有 { $count } 个以上未绘制：不在视图中，或数量太多

## 什么没有成功，以及原因

failed-worker = 页面的 Web Worker 已停止
failed-frame = 页面未能绘制
not-opened = 未能打开
not-added = 未能添加
not-printed = 未能打印
failed-page = 页面出错
keys-not-shown = 按键列表未能显示
panels-failed = 页面的面板未能加载。
not-compared = 时钟未比较
not-checked = trace 未检查
not-shown = 训练步未显示
steps-not-listed = 训练步未列出
not-counted = 设备未统计
not-arranged = 泳道未排列
arrows-not-drawn = 箭头未绘制
links-not-shown = 链路未显示
ops-not-drawn = 算子未绘制
minimap-not-drawn = 缩略图未绘制
network-not-analysed = 网络未分析
not-searched = 未能搜索
op-not-shown = 算子未显示
range-not-counted = 选定范围的数值未计算
transfers-not-counted = 传输未统计
bandwidth-not-drawn = 带宽未绘制
error-superseded = 其间已显示另一个训练步或文件
hint-internal = 这是 Steplens 的错误，不是文件的问题。请重新加载页面。如果再次发生，请复制详细信息并报告。
hint-worker-failed = 请重新打开文件，或重新加载页面。如果再次发生，请复制详细信息并报告。
hint-out-of-memory = 请打开其中一部分，关闭其他标签页，或一次打开更少的文件。
error-reading = 读取文件的字节 { $at } 处：{ $why }
got-status = 状态 { $status }
error-no-core = 页面不完整：{ $url } 返回 { $got }，而不是页面的 WebAssembly。请重新加载页面。
error-worker-stopped = 页面的 Web Worker 已停止：{ $why }
error-worker-not-started = 页面的 Web Worker 无法启动
error-no-later = 页面的一部分未能加载：{ $got }
error-compiling = 编译页面的 WebAssembly：{ $why }
error-no-place = 单文件页面中没有存放数据的位置：文件已损坏。
error-no-single-file = 页面不完整：steplens.html 返回状态 { $status }。
error-texts-damaged = 该语言的文本与本页面的版本不符。请重新加载页面。
error-cancelled = 打开已取消
doing-arranging = 排列算子
doing-picture = 生成首个画面
doing-reading = 读取 { $name }，字节 { $at }，共 { $size }
error-out-of-memory = { $doing }：核心已停止，很可能是内存不足（{ $why }）
error-no-trace = 没有打开的 trace
doing-flow = 追踪数据流
doing-network = 正在分析网络
error-bad-message = 打开 trace 的消息需要包含名称和字节。
error-no-file = 没有指定要打开的文件。
address-missing = 此页面需要一个 trace 的地址：open.html?url=ADDRESS。
address-unreadable = { $address } 不是 trace 的地址：应为 https、本页面所在的主机或本机。
address-not-allowed = 此页面不会打开 { $address }：它只通过 https、从本页面所在的主机或从本机（localhost）读取，且地址中不能有密码。
address-unreachable = 无法连接 { $host }，或它不允许其他主机的页面从它读取（标头 Access-Control-Allow-Origin）：{ $why }。请下载文件后从磁盘打开。
address-status = { $host } 返回了状态 { $status }，而不是文件。
address-broken-off = { $host } 在第 { $at } 字节处中断：{ $why }。
address-too-large = { $host } 在此地址的内容超过 8 GiB。请下载文件后从磁盘打开，那样不会为它占用内存。
error-no-sample = 页面不完整：其示例返回 { $got }。

## 操作完成后屏幕阅读器的播报，以及简短通知

opening-cancelled = 打开已取消
size-of-trace = { $devices }上的 { $ops }，{ $length }
opened-files = 已打开 { $files }：{ $figures }
opened-and-shown = { $opened }。当前显示：{ $shown }
no-later-step = { $step }：之后没有训练步
no-earlier-step = { $step }：之前没有训练步
step-without-ops = 此次运行没有记录算子，因此没有可绘制的内容
repaired-what = 与记录不同。已修正：{ $what }。可在“问题”标签页撤销
mark-number = 标记 { $number }
marks-full = 已有 { $most } 个标记，达到上限
mark-name-it = { $when } 处的标记：请输入名称
mark-dropped = 标记已放弃
marked-at = 已在 { $when } 标记 { $name }
mark-restored = 已恢复 { $name }
mark-deleted = 已删除标记 { $name }
undo = 撤销
mark-deleted-undo = 已删除 { $name }。按“撤销”可恢复。
apart-listed = 文件中列出的是各自独立的运行
apart-far = 各训练步在时间上相距很远
step-of = 训练步 { $step } / { $all }
repaired = 已修正
clocks-set = 时钟已校正
shown-steps = 同一时间轴上的 { $steps }：{ $figures }
shown-everything = 全部内容：{ $figures }
rule-content = 按文件内容
rule-file = 每个文件一步
rule-part = 每条记录一步
rule-together = 全部合为一步
op-time-schedule = 执行器时长
op-time-gpu = GPU 时长
op-time-all = 到最后一个 kernel 的时长
lanes-packed = 紧凑
lanes-by-thread = 按线程
lanes-by-op-type = 按算子类型
lanes-by-scope = 按作用域
lanes-arranged = 泳道：{ $how }
axis-wall-clock = 时间轴显示实际时间（UTC）
axis-from-start = 时间轴显示自训练步开始以来的时间
devices-of = { $shown } / { $all }
hidden-what = 已隐藏：{ $what }
devices-shown-again = 重新显示了 { $devices }
pinned-what = 已固定：{ $what }
unpinned-what = 已取消固定：{ $what }
device-moved-to = { $device }：第 { $place } 个，共 { $all } 个
arrows-over = 箭头跨 { $hops }
search-cleared = 搜索已清除
matches-for = “{ $query }”有 { $matches }
selected-op = 已选择 { $name }，{ $type }，{ $category }，{ $length }，位于 { $device }
nothing-selected = 没有选中内容
last-op = 此泳道的最后一个算子
first-op = 此泳道的第一个算子
no-op-in-view = 视图中没有算子
no-consumer = 没有记录消费者
no-producer = 没有记录生产者
said-and = { $said }。{ $more }
no-transfer = 没有传输
bandwidth-shown = 带宽显示在泳道上方
bandwidth-hidden = 带宽已隐藏
textures-on = 每个类别有各自的纹理
textures-off = 类别只以颜色区分

## 空页面、打开和错误

open-trace-files = 打开 trace 文件
open-files-title = { $open }。多个文件合为一个 trace
open = 打开
error-nothing-dropped = 拖入的内容中没有可读取的文件。
drop-to-open = 松开即可打开
drop-to-add = 松开即可添加到此 trace
add-files = 向此 trace 添加文件
nothing-in-file = { $name } 中没有可添加的内容：{ $why }
error-no-op = 其中没有任何算子。
open-a-trace = 打开 trace
empty-question = 一个训练步都做了什么？
empty-lead = 将 TensorFlow RunMetadata 拖放到此页面的任意位置。
empty-formats = 也可打开事件文件、pickle、XSpace、Chrome trace（PyTorch、JAX）和 Paddle profile。支持多个文件、文件夹以及 .gz/.zst。
open-a-trace-more = 打开 trace…
open-sample = 打开示例
empty-privacy = 不会上传任何内容：文件就在此浏览器中读取。页面可离线使用。
empty-record = 录制一个训练步
empty-record-code = 录制训练步的 Python 代码
open-a-subset-more = 打开一部分…
damage-of-one = { $name } 有一部分无法读取。各项数值只包含读出的 { $ops }。
damage-of-many = { $count } 个文件有一部分无法读取。各项数值只包含读出的 { $ops }。
damage-open = 缺少什么
subset-memory = 内存已满：只显示文件中 { $all }的前 { $shown } 个。请只打开部分设备或一个时间窗口。
subset-shown = 所选部分：{ $what }。略去了 { $left_out }。
error-outcome = { $outcome }。
error-trace-unchanged = 已打开的 trace 没有变化。
dismiss = 关闭
error-details-copied = 已复制错误的详细信息
copied = 已复制
not-copied = 未能复制
copy-details-title = 错误码、消息、程序中的位置、版本和浏览器
copy-details = 复制详细信息
reading = 正在读取
cancel = 取消
opening = 正在打开
starting = 正在启动
loading-arranging = 正在排列 { $ops }
loading-progress = { $share } · { $bytes } / { $total } · { $ops }
what-was-done = 上一操作
error-no-clipboard = 浏览器不允许此页面复制：{ $why }
no-clipboard = 没有剪贴板
try-again = 重试

## 对话框：打开一部分

part-from = 从
part-to = 到
open-this-subset = 打开这部分
open-everything = 打开全部
subset-holds = { $devices }，{ $all }中的 { $shown } 个，全部时间
subset-bad-window = 结束必须晚于开始。
open-a-subset = 打开一部分
devices-title = 设备
choose-all = 全选
choose-none = 全不选
first-of = 前 { $shown } 个，共 { $all } 个
devices-in-files = 文件中找到的设备
time-title = 时间
time-from-first-start = 从文件中所有算子的最早开始时间算起
of-length = 共 { $length }
subset-window-note = 与此窗口重叠的每个算子都会打开，并保留完整时长。时间 0 是文件中的最早开始时间。
label-in-ms = { $label }，以毫秒为单位

## Help, keys and gestures

language = 语言
language-about = 页面的语言，下次加载页面时生效
language-not-kept = 该浏览器不为本页面保存任何内容，因此由浏览器的语言决定。
load-page-again = 重新加载页面
licences = 第三方代码的许可证
licences-coming = 正在读取许可证
licences-failed = 无法读取许可证：{ $why }
keys-and-gestures = 按键和手势
close = 关闭

## 页眉

sample = 示例
open-a-subset-title = 打开这些文件的一部分：部分设备，或一个时间窗口
file-and-more = { $file } 及另外 { $count } 个
file-of-format = { $name }（{ $format }，{ $size }）
clocks-changed-title = 时钟已更改：时间与记录不同。单击查看详情
clocks-by-hand = 时钟已手动设置
clocks-aligned = 时钟已对齐
op-time-title = 所有数值都使用此时长。可在“泳道”菜单中更改
length-title = 从任一设备上的最早开始到最晚结束
ops-title = 记录的算子。单击查看算子类型
transfers-title = 设备之间传输了 { $bytes }。单击查看列表
transfers-title-no-sizes = 没有记录大小。单击查看列表
bytes-title = 所有传输的大小之和
problems-title = 文件中发现的问题，以及修正
search-field-name = 算子或张量
search-field-type = 算子类型
search-field-device = 设备
search-field-label = 记录的标签
search-placeholder = 搜索算子、类型、张量
search-label = 搜索算子、算子类型、张量、设备和标签
search-previous = 上一个匹配项（Shift+Enter）
search-next = 下一个匹配项（Enter）
search-clear = 清除搜索
search-regex-title = 正则表达式（Alt+R）
search-regex = 正则表达式
search-nothing = 无匹配
number-of = { $number } / { $all }
search-help = 可查找名称、算子类型、设备或标签的任意部分。若只搜索一个字段：
search-help-places = 或输入位置：20ms-30ms、25 ms、step 3
typed-range = 按 Enter 选定 { $start } 到 { $end } 并缩放至此
typed-moment = 按 Enter 转到 { $at }
typed-step = 按 Enter 显示训练步 { $number }
typed-after-end = 该位置在结尾（{ $length }）之后
no-step-number = 这 { $steps }中没有编号为 { $number } 且有算子的训练步
search-help-keys = Enter 和 Shift+Enter 转到下一个和上一个匹配项。Esc 返回时间线。
share-title = 将此页面连同其 trace 和视图保存为一个无需网络、随处可打开的 HTML 文件。保存前可先选择其内容
not-saved = 未能保存
share = 分享
saved-file = 已保存 { $name }，{ $size }
share-heading = 分享为一个 HTML 文件
share-what = 收到文件的人可以看到：
share-all = 打开的全部内容：{ $files }，{ $devices }、{ $ops }
share-part = 打开的一部分，来自 { $files }：{ $devices }、{ $ops }
share-names = 所有按原样记录的名称：任务、设备、算子、张量
share-view = 视图：{ $step } 中的 { $from } 至 { $to }
share-range = 选定范围，长 { $length }
share-search = 对“{ $query }”的搜索
share-marks = { $marks }：{ $names }
share-marks-unnamed = { $marks }，不含名称
share-include = 文件中包含
share-hashes = 未包含的文本以哈希值代替，每个文件的哈希值各不相同。所有数值保持不变。
share-kind-names = 算子、张量和内核的名称
share-kind-op-types = 非公开的算子类型
share-kind-hosts = 机器、作业和设备
share-kind-tags = 标签、feeds 和 fetches
share-kind-files = 文件名
share-kind-shapes = 张量形状
share-kind-notes = 标记名称、搜索和筛选内容
share-example = { $before } → { $after }
share-left-out = 已省略
share-file = 文件
share-files = { $count } 个文件
error-redaction = 未提供文件：完成的文件中仍有原文件的“{ $word }”。请包含此类文本，或将其作为缺陷报告
share-measuring = { $name }：正在计算大小…
share-size = { $name }：{ $size }
save = 保存
next-step-title = 下一个训练步
previous-step-title = 上一个训练步
all-steps-title = 在同一时间轴上显示所有训练步
step-title = 训练步
all-steps-short = 全部
all-steps-shown = 所有训练步在同一时间轴上
why-one-step = { $why }，因此一次只显示一个
click-to-list = 单击查看列表
back-to-one-step = 返回单个训练步
theme-auto = 跟随系统
theme-light = 浅色
theme-dark = 深色
textures-title = 纹理：每个类别一种
textures-label = 各类别的纹理
theme-title = 颜色：{ $theme }

## 时间构成

category-compute = 计算
category-input = 数据加载
category-copy = 拷贝
category-communication = 通信
category-launch = 启动
category-waiting = 等待
category-range = 区间
part-input = 未掩盖数据加载
part-copy = 未掩盖拷贝
part-communication = 未掩盖通信
part-communication-short = 通信
part-launch = 未掩盖启动
part-waiting = 未掩盖等待
part-idle = 空闲
part-compute-about = 至少有一个算子在计算的时间。
part-input-about = 正在加载下一批数据（迭代器、数据加载），而没有计算的时间。
part-copy-about = 正在主机与设备之间或同一任务的设备之间拷贝数据，而没有计算也没有数据加载的时间。
part-communication-about = 正在进行任务间传输或集合通信，而没有计算、数据加载或拷贝的时间：即通信的真实开销。
part-launch-about = 主机正在调用驱动以启动设备上的工作，而以上各项均未运行的时间。
part-waiting-about = 只有等待的时间：等待设备，或等待同类任务。
part-idle-about = 没有记录任何算子的时间。
all-steps = 所有训练步
all-steps-of-range = 所有训练步
whole-step = 整个训练步
whole-step-chip = 整个训练步
split-not-counted = { $what }：尚未计算
split-part-title = { $part }：{ $length }，占 { $window } 的 { $share }
    { $about }
    每一时刻只计一次：按计算、数据加载、拷贝、通信、启动、等待的次序，计入当时正在运行的第一项
one-of-kind = { $kind ->
        [GPU] GPU
        [TPU] TPU
        [accelerator] 加速器
       *[device] 设备
    }
mean-of = { $kind ->
        [GPU] { $count } 个 GPU 的平均值
        [TPU] { $count } 个 TPU 的平均值
        [accelerator] { $count } 个加速器的平均值
       *[device] { $count } 个设备的平均值
    }
mean-chip = 平均
back-to-everything = 返回全部（Esc）
clear-range = 清除
range-title = 范围
from-to-short = { $from } 到 { $to }
any-chip = 任一
any-device-title = 此条显示任一设备：每一时刻只要有一个设备在计算就计为计算，以此类推。单击显示 { $mean }
mean-title = 此条显示 { $mean }。单击显示任一设备
any-device = 任一设备
selected-range = 选定范围
minimap-label = 训练步上的窗口
minimap-title = 拖动窗口或其边缘，单击可移动窗口，也可重新画一个。方向键可移动和缩放
view-title = 视图
since-start-of-step = 自训练步开始以来 { $window }
window-of = { $window }，共 { $length }

## 设备

fold-all = 折叠或展开所有设备
filter-devices = 筛选设备
filter-devices-title = 只显示匹配的和已固定的设备：ps, worker 1 · -cpu 表示排除 · /task:[0-3]/ 为正则表达式
clear-filter = 清除筛选
show-hidden = 显示已隐藏（{ $count }）
all-hidden = 所有设备都已隐藏。
no-device-matches = 没有设备匹配“{ $filter }”。
label-of = { $what }：{ $label }
tall-lanes = 使泳道高到能显示名称
row-transfers = 传输
lanes-at-once = 同时最多 { $count } 个
lanes-at-most = 最多 { $count }
transfers-of = { $what } 的传输，{ $most }：各占一条泳道
transfers-open-title = 有多少传输在途：越高越多。单击可为每次传输显示一条泳道
transfers-close-title = 将传输恢复为一条带
transfers-opened = { $what } 的传输已分泳道显示
transfers-closed = { $what } 的传输已合为一条带
transfers-all-title = 在所有设备上为每次传输显示一条泳道
transfers-in-lanes = 分泳道
transfers-title-short = 传输
pin = 固定
hide = 隐藏
ops-in-lanes = { $lanes }中的 { $ops }：泳道数即同时运行的最大数量
drag-to-move = 拖动以移动
fold-one = 折叠或展开
device-compute = 计算 { $share }
device-exposed = {" "}· 通信 { $share }
device-no-work = 自身没有工作
device-shares-title = 忙碌 { $busy }，共 { $window }
    通信 { $communication }，其中 { $hidden } 被计算掩盖
matches-on-device = 此设备上有 { $matches }
group-title = { $name }
    { $lanes }：其算子同时运行的最大数量
lanes-title = 泳道
lanes-menu-title = 泳道如何排列，以及高度
lanes-packed-choice = 紧凑
lanes-packed-about = 算子在上，传输在下
lanes-thread-choice = 线程
lanes-thread-about = 执行器线程池的线程
lanes-op-type-choice = 算子类型
lanes-op-type-about = 耗时最多的 24 种
lanes-scope-choice = 名称作用域
lanes-scope-about = 名称的第一部分
no-thread = 没有记录线程
threads-not-counted = 线程未统计
lanes-by = 泳道划分
op-time-schedule-about = 按执行器的记录
op-time-gpu-about = 第一个 kernel 到最后一个 kernel
op-time-all-about = 算子开始到最后一个 kernel 结束
op-duration = 算子时长
lower-lanes = 降低泳道
taller-lanes = 加高泳道
fit-lanes = 使泳道适应窗口
fit-lanes-short = 适应
lane-height = 泳道高度
all-devices = 所有设备
fold-title = 折叠或展开
bandwidth-title = 在泳道上方显示带宽和在途传输
above-lanes = 泳道上方
bandwidth = 带宽
no-task = 无任务
fold-task = 折叠或展开 { $task }
no-task-title = 名称中没有任务的设备
fold-task-title = { $task }
    单击折叠或展开其所有设备
drag-task = 拖动以移动任务
devices-and-ops = { $devices } · { $ops }
pinned-devices = 已固定的设备
column-width-title = 拖动可改变此栏的宽度，双击恢复默认
column-width = 设备栏的宽度

## 时间线

wall-clock-title = 显示实际时间（UTC），而不是自训练步开始以来的时间
mark-name = 标记名称
mark-name-title = Enter 保留标记，Esc 放弃
no-range = 没有选定范围
from-to = 从 { $from } 到 { $to }
range-spoken = 范围 { $length }，{ $window }：{ $parts }
timeline-title = 时间线
more-devices = 另有 { $count } 个
no-device = 没有设备
timeline-spoken = 时间线，{ $window }：{ $devices }。句点和逗号转到下一个和上一个算子。问号列出所有按键。“表格”标签页以表格列出相同的算子。
timeline-role = 时间线
tip-in-flight = { $count ->
       *[other] 同时 { $average } 个算子
    }
on-average = （平均）
tip-transfers-in-flight = { $count ->
       *[other] { $average } 次传输在途
    }
tip-longest-transfer = 此处其中最长的一次
tip-column = 从 { $from } 起的 { $length } 内
and-other-links = 以及{ $links }
tip-rate = { $rate } 在途
tip-transfers = { $count ->
       *[other] { $average } 次传输在途
    }
tip-from = 从 { $at } 起
size-not-recorded = 没有记录大小
tip-longest = { $ops }中最长的一个。放大可看到每一个
bandwidth-about = 面积：在途的每秒字节数；每次传输从发送到到达均匀计入。线：在途的传输数。两者都是两像素宽的列内的平均值，各有自己的刻度。最大值针对整个训练步：任一毫秒内的最多字节数，以及任一时刻的最多传输数。发送时间按发送方的时钟。
bandwidth-all-links = 所有链路的带宽
bandwidth-hide = 隐藏带宽
bandwidth-peak = { $window } 内最大 { $rate }
bandwidth-most = { $peak }，同时最多 { $transfers } 次传输
bandwidth-nothing = 没有在途传输
bandwidth-not-yet = 尚未计算
bandwidth-spoken = 带宽：{ $link }，{ $window }。整个训练步：{ $most }
in-transit = 在途
bandwidth-figures = 最大 { $rate }，同时 { $transfers } 次

## 表格

column-name = 名称
column-op-type = 算子类型
column-category = 类别
column-device = 设备
column-start = 开始
since-start = 自训练步开始以来
column-length = 时长

## 按键和手势，按组排列

keys-move = 移动
keys-select = 选择
keys-view = 视图
keys-devices = 设备
keys-pointer = 指针
keys-wheel = 滚轮
keys-touch = 触摸
key-zoom = 在指针处放大和缩小；按住可持续
key-pan = 左右移动；按住可持续
key-step = 移动一小段
key-scroll = 滚动
key-page = 滚动一页
key-ends = 转到训练步的开始或结束
key-steps = 转到下一个或上一个训练步（Shift+. 和 Shift+,）
key-all-steps = 在同一时间轴上显示所有训练步；再按一次：返回之前的训练步
key-frame = 缩放到选中的内容或范围；没有时：显示全部
key-fit = 显示整个训练步
key-back = 撤销视图：返回之前的视图
key-forth = 重做视图
key-ops = 转到泳道中的下一个或上一个算子
key-consumer = 转到第一个消费者
key-producer = 转到最后一个生产者
key-hops = 增加或减少箭头的跳数（Shift+]、Shift+[）
key-range = 将所选算子设为范围；加 Shift：将视图设为范围
key-mark = 标记范围、算子或指针处的时刻
key-search = 搜索，或输入位置，例如 20ms-30ms；Enter 和 Shift+Enter：下一个和上一个匹配项
key-clear = 中止拖动；否则关闭错误，然后依次清除选择、范围、搜索
key-lane-height = 加高或降低泳道
key-fit-lanes = 使泳道适应窗口
key-clock = 自训练步开始以来的时间，或实际时间
key-textures = 纹理：每个类别一种
key-bandwidth = 显示或隐藏带宽
key-why = 为何这么晚：所选算子等待了什么，期间运行了什么
key-cause = 选择它最后等待的对象
key-strip = 显示或隐藏泳道上方的关键路径
key-path = 在时间线上突出关键路径，或恢复全部
key-next-path = 沿下一条路径突出显示时间线：实测路径、静态路径、与其重合最少的路径
key-memory = 显示或隐藏每个设备下方的存活内存
key-drawer = 显示或隐藏面板
key-open = 打开文件
key-add = 向 trace 添加文件
key-print = 打印当前内容的报告
key-help = 显示此帮助
key-pin = 固定或取消固定设备
key-hide = 隐藏设备或任务
key-move = 移动设备或任务
key-transfers = 将设备的传输分泳道显示，或合为一条带；加 Shift：所有设备
key-fold = 折叠或展开所有设备
gesture-row = 拖动一行
gesture-row-does = 移动设备；拖动任务标题：移动任务
gesture-drag = 拖动
gesture-drag-does = 移动视图
gesture-shift-drag = Shift+拖动
gesture-range-does = 选定时间范围；上下拖动还可选定泳道
gesture-axis = 在时间轴上拖动
gesture-axis-does = 选定时间范围；拖动其标签或边缘可移动
gesture-middle = 中键拖动、空格+拖动
gesture-middle-does = 从任意位置移动视图
gesture-click = 单击
gesture-click-does = 选择算子，或单击旗标选择标记；单击空白处：清除选择
gesture-double-click = 双击
gesture-double-click-does = 缩放到算子；双击旗标：缩放到标记或范围
gesture-right-click = 右键单击
gesture-right-click-does = 在算子、设备或算子类型上：列出可用操作
gesture-drop = 拖放文件
gesture-drop-does = 打开文件；放到右半边或按住 Shift：添加文件
gesture-wheel = 滚轮、双指
gesture-wheel-does = 滚动；横向：沿时间移动
gesture-ctrl-wheel = Ctrl+滚轮、双指捏合
gesture-ctrl-wheel-does = 在指针处缩放
gesture-shift-wheel = Shift+滚轮
gesture-shift-wheel-does = 沿时间移动
gesture-alt-wheel = Alt+滚轮
gesture-finger = 单指
gesture-finger-does = 移动视图；在时间轴上：选定范围
gesture-fingers = 双指
gesture-fingers-does = 缩放和移动
gesture-tap = 轻点、双击
gesture-tap-does = 选择算子、缩放到算子
gesture-long-press = 长按后拖动
gesture-rest = 长按
gesture-rest-does = 可对算子、设备或行执行的操作
gesture-snap = 拖动边缘时按住 Alt
gesture-snap-does = 不吸附到算子的边缘

## 最近的 trace

recent-title = 最近的 trace
recent-privacy = 它们保存在此浏览器中，不会离开这台机器：最多 { $traces } 个 trace 或 { $bytes }，最旧的先删除。
recent-keep = 保存最近的 trace
recent-keep-about = 关闭后，已保存的内容会全部删除
recent-remove = 从最近的 trace 中删除 { $name }
recent-open = 以上次的视图打开 { $name }
recent-add = 将 { $name } 添加到此 trace
recent-menu = 最近的 trace
recent-none = 尚未保存任何 trace。
recent-unkept = 未保存：太大
recent-not-kept = 最近的 trace 未保存
recent-not-removed = 最近的 trace 未删除
recent-only-known = 这里曾打开 { $file }，但浏览器没有保存它：文件太大。请重新打开该文件，视图会随之恢复。
recent-gone = 这里曾打开的 trace 没有保存。请重新打开该文件，视图会随之恢复。
address-of-a-view = 此地址是某个 trace 的视图，但此浏览器没有保存该 trace。请打开该文件，视图会随之恢复。

## 长表格

table-filter = 筛选{ $rows }
copy-csv = 复制为 CSV
save-csv = 保存为 CSV
table-failed = 无法列出{ $rows }。
table-not-listed = { $rows }未列出
copy-csv-title = 按此顺序的全部{ $rows }，不只是可见的部分
rows-so-far = 目前 { $read } / { $rows }
copied-csv = 已将 { $rows }复制为 CSV
saved-csv = 已将 { $rows }保存为 CSV
columns-title = 列
columns-about = 显示、隐藏和重新排列此表的列
columns-note = 调整宽度：拖动表头的边缘，或在表头上按 Shift+← 或 Shift+→
columns-reset = 重置
column-move-left = 将“{ $column }”左移
column-move-right = 将“{ $column }”右移
column-edge-title = 拖动可调整宽度，双击自动适应

## 面板

tab-steps = 训练步
tab-selection = 选中项
tab-transfers = 传输
tab-network = 网络
tab-path = 路径
tab-scheduling = 调度
tab-memory = 内存
tab-clocks = 时钟
tab-matches = 匹配项
tab-table = 表格
tab-marks = 标记
tab-problems = 问题
details = 详细信息
hide-drawer = 隐藏面板
show-drawer = 显示面板
drawer-height = 面板高度

## 面板：时钟

column-task = 任务
clock-ahead = 超前
clock-ahead-about = 张量所要求的最小校正：移动尽可能少的时钟，且每个只移动到必要的程度，使得没有张量在发送之前到达。无需校正时为 0
clock-at-least = 至少
clock-at-least-about = 偏移再小，就会有张量在发送之前到达
clock-at-most = 至多
clock-at-most-about = 偏移再大，就会有张量在发送之前到达
clock-bounds = 界限
clock-bounds-about = 从“至少”到“至多”，以及校正值，所有任务用同一坐标轴。细线为 0
clock-drift = 漂移
clock-drift-about = 该时钟比参考时钟快多少，以百万分之一（ppm）为单位，括号内为下限和上限。仅适用于足够长的 trace
column-tensors = 张量
clock-tensors-about = 此任务与其他任务之间生产者已知的张量
clock-subtract = 减去（ms）
clock-subtract-about = 从此任务的时间中减去的量。输入其他偏移，可看到届时哪些张量到达过早。按 Enter 应用
clock-one-way = 只有一侧有界：张量只有单向传输
clock-unconnected = 无界：与参考任务之间没有张量
drift-not-connected = 张量没有双向传输
drift-too-short = trace 太短，无法求出小于 100 ppm 的漂移
drift-not-a-line = 没有符合张量时间的恒定漂移
clock-reference = 参考
clock-subtract-from = 从 { $task } 的时间中减去，单位 ms
drift-reference = 其他任务以它为参照
drift-applied = 漂移不可能为 0，因此估计中包含漂移。偏移取 trace 中点处的值
drift-not-applied = 漂移可能为 0，因此估计中不包含漂移
drift-ppm = { $best }（{ $low } 到 { $high }）ppm
drift-subtracted = 已减去 { $best }（{ $low } 到 { $high }）ppm
as-recorded = 按记录
as-recorded-title = 各任务时钟记录的原始时间
by-hand-title = 减去下方输入的偏移。在输入框中按 Enter 效果相同
apply-by-hand = 手动应用
clocks-failed = 无法比较时钟。
clocks-choice = 时钟如何设置
following-tensors = 正在追踪每个张量…
clocks-agree = 时钟一致：无需对齐
early-as-shown = 按当前显示，任务间的 { $tensors }中{ $count ->
        [0] 没有一个在发送之前到达
       *[other] 有 { $count } 个在发送之前到达
    }。
early-as-typed = 按输入的偏移，任务间的 { $tensors }中{ $count ->
        [0] 没有一个在发送之前到达
       *[other] 有 { $count } 个在发送之前到达
    }。
early-recorded = 按记录过早到达
early-typed = 按输入的偏移
early-shown = 按当前显示
and-more-pairs = 另有 { $count } 对任务
align-clocks = 对齐时钟
align-title = 移动尽可能少的时钟，且每个只移动到必要的程度，使得没有张量在发送之前到达
aligned-title = 任务间没有张量在发送之前到达：无需校正

## 面板：标记

marks-hint = 标记是有名称的时刻或时间范围。按 M 可标记选定范围、所选算子或指针处的时刻。标记保存在页面地址和分享的文件中。
add-mark = 添加标记
go-to-mark = 转到 { $name }
go-to-mark-at = 转到 { $name }，{ $when }
name-of-mark-at = { $when } 处标记的名称
delete-mark = 删除 { $name }

## 面板：匹配项和表格

ops-match = { $count } 个算子匹配“{ $query }”
search-first = 搜索后在此列出匹配项
ops-in-range = 范围内有 { $count } 个算子
ops-in-view = 视图中有 { $count } 个算子

## 面板：问题

count-of = { $what ->
        [task] { $count } 个任务
        [tensor] { $count } 个张量
        [transfer] { $count } 次传输
        [straggler] { $count } 个慢节点
        [device] { $count } 个设备
       *[op] { $count } 个算子
    }
finding-note = 提示
show-clocks = 显示时钟
clocks-are-set = 时钟已校正。
clocks-can-be-aligned = 时钟可以对齐。
repair = 修正
repair-done = 已完成：{ $repair }。由此改变的数值带有标记。
repair-offer = 将{ $repair }。
found-op = { $name }，{ $device }，{ $length }，记录于 { $at }
found-op-place = { $device }，{ $at }
found-op-elsewhere = { $op }。不在当前显示的训练步中
findings = 检查结果
finding-on-devices = ：{ $sentence }。{ $devices }
problem-of-file = { $name }：{ $count } × { $code } { $detail }
problems-failed = 无法检查 trace 的问题。
nothing-lost = 此文件已完整读取：每个算子都已显示。
process-example = 例如 trainer0
process-title = 录制此文件的进程的名称。用于区分不同文件中的同名设备。按 Enter 重新打开文件
process-of = { $file } 的进程
process = 进程

## 面板：网络

network-nothing = 此 trace 没有通信：没有任务间传输，也没有集合通信。
network-questions = 有关网络的问题
network-failed = 无法分析网络。
following-transfers = 正在追踪每次传输…
network-parts = 正在分析网络：已完成 { $done } / { $of } 部分…
gradient-of = { $tensor }（梯度）
column-op = 算子
collective-devices-about = 参与者的数量。若只跟踪了一个进程，则未知
collective-time-about = 所有参与者的算子时长之和
collective-waiting = 等待
collective-waiting-about = 到最后一个参与者到达为止的时间之和。精度取决于时钟的一致程度
collective-last = 最后到达
collective-others-unknown = 其他参与者未知
collective-by = 晚
later-than-next = 比前一个参与者晚多少
filter-op-or-device = 按算子或设备筛选
collectives-unmatched = { $count } 次的参与者未知
collectives-title = 集合通信
collectives-last = { $device } 在 { $all } 次中有 { $times } 次最后到达
participants-unknown = 参与者未知
collectives-waiting = { $time } 中等待 { $waiting }
exposed-about = 设备上只有通信的时间：没有计算，也没有拷贝
idle-before-about = 设备上什么都没有运行的时间，因为它等待的张量尚未发送。不属于未掩盖通信
column-exposed = 未掩盖
exposed-share-about = 未掩盖通信占训练步的比例
column-of-step = 占训练步
longest-wait-about = 其未掩盖通信中归因最多的张量
column-longest-wait = 等待最久的张量
column-idle-before = 发送前空闲
hidden-about = 有计算算子运行时的通信。它与未掩盖通信以及拷贝期间的通信合起来，就是该设备按自身时钟计的全部通信
column-hidden = 已掩盖
tracer-about = 以微秒为单位，所有设备合计。其 computation_time 会包含通信
column-waited = 等待
waited-about = 归因于此张量的未掩盖通信：它是设备继续运行前最后到达的张量。总和即全部未掩盖通信
column-for = 等待对象
column-delay = 消费者延迟
delay-sum-about = 其首个消费者因它而推迟了多少才能开始，总和
column-size = 大小
column-times = 次数
times-about = 设备等待的传输次数
filter-device-or-tensor = 按设备或张量筛选
longest-of = { $all }中最长的 { $shown } 次
tensor-from = 来自 { $source } 的 { $tensor }
of-communication = 通信共 { $length }
exposed-title = 未掩盖通信
exposed-answer = 最多的是 { $device }：{ $length }，占训练步的 { $share }
tracer-figures = 按 tensorflow-tracer 的定义：step_time { $step } µs，communication_time { $communication } µs，communication_elapsed_time { $elapsed } µs。
column-tensor = 张量
transfers-of-tensor = { $tensor }：显示其传输
waited-one-about = 归因于此次传输的未掩盖通信：它到达之前设备无法继续
waited-all-about = 归因于此张量的所有设备的未掩盖通信
idle-before-all-about = 因张量尚未发送而造成的设备空闲时间
size-sum-about = 其各次传输的大小之和
destinations-about = 发送到的设备数
filter-name = 按名称筛选
most-waited-of = { $all }中等待最久的 { $shown } 个
tensors-answer = 等待最久：{ $tensor }，共 { $length }
link-bytes-about = 该链路上所有传输的大小之和
link-count-about = 该链路上的传输次数
link-bytes = 字节
link-count = 次数
link-bandwidth = 带宽
link-busy = 忙碌
link-bandwidth-about = 字节数除以至少有一次传输在途的时间：从发送到到达，精度取决于两端时钟的一致程度。只计时间已知的传输
link-p50-about = 在途时间的中位数：从发送到到达，精度取决于两端时钟的一致程度
link-p99-about = 99 % 的在途时间不超过此值：从发送到到达，精度取决于两端时钟的一致程度
link-busy-about = 至少有一次传输在途的时间占训练步的比例：从发送到到达，精度取决于两端时钟的一致程度
link-chosen = { $link }：{ $figures }。泳道上方的带宽只显示此链路。
link-figure = 数值
link-ends = 链路两端
link-tasks = 任务
link-tasks-about = 任务之间的链路
link-devices-about = 设备之间的链路
bytes-in-transfers = { $transfers }共 { $bytes }
link-busy-words = 忙碌 { $length }，占训练步的 { $share }
link-no-times = 在途时间均未知
link-timed = 其中 { $count } 次的时间已知
link-largest = 最大：{ $tensor }，{ $size }
show-its-transfers = 显示传输
show-all-links = 所有链路
links-timed = { $transfers }中有 { $known } 次的在途时间已知。
links-left-out = 略去了字节数最少的 { $count } 个端点。steplens network --json 可列出每条链路。
links-title = 链路
links-busiest = 最忙的是 { $link }，占训练步的 { $share }
copies-title = GPU 拷贝
matrix-label = 按源和目标排列的链路
matrix-nothing = 无
matrix-total = 合计
matrix-corner = { $figure }：从 ↓ 到 →
order-few = 到达的参数少于两个
order-no-producers = 其张量的生产者没有记录
order-no-consumers = 其张量的消费者未知
order-many-tasks = 任务太多，无法找出其参数
parameters-about = 来自其他任务、且不依赖此任务中任何算子的张量
inverted-about = 到达顺序与算子所需顺序相反的参数对，尽管它们本可按序到达。按设备自身的时钟
lost-about = 若采用更优顺序，等待参数的算子可提前多少完成，由重放得出。按设备自身的时钟
column-parameters = 参数
column-inverted = 逆序
column-pairs = 占总对数
pairs-about = 可以按任一顺序到达、且先后被需要的参数对
column-overlap-lost = 损失的重叠
order-title = 传输顺序
order-unknown = 此 trace 中未知
order-good = 参数按所需的顺序到达
order-answer = 损失最多的是 { $device }：{ $length }，{ $inversions }
order-waited-about = 其他输入都已就绪时，算子为等待一个本可到达的参数花了多久
order-inexact = 按记录的到达时间重放，结果本应与算子的实际结束时间一致。损失的重叠以此为精度上限
copied-names = 已复制 { $names }
order-where = { $device }，训练步 { $step }：{ $steps } 个训练步中损失最多的一个
order-overtaken-by = 先于它到达、却更晚才需要的参数
order-first-user = 首个需要它的算子
order-none-waited = 没有出现这种情况：算子等待某个参数，而更晚才需要的参数却先到达。
order-replay-error = 重放结果与记录的结束时间相差 { $length }。
better-order = 更优顺序
copy-order-title = 按此顺序的名称，每行一个，供脚本使用
copy = 复制
needed-rank-about = 在更优顺序中的位置
column-needed-rank = 所需次序
column-parameter = 参数
column-needed-at = 需要时刻
needed-at-about = 若所有张量在时间 0 都已就绪，其首个算子的开始时间
column-arrival-rank = 到达次序
arrival-rank-about = 在记录的到达顺序中的位置
column-arrived = 到达
arrived-about = 到达时间，按设备自身的时钟
column-would-arrive = 预计到达
would-arrive-about = 采用更优顺序时，且任一时刻的字节数不超过记录值
order-dot = { $tensor }：到达次序 { $arrival }，所需次序 { $needed }
order-plot = 每个参数一个点：从左到右为到达次序，从上到下为所需次序。更优顺序的表格中有相同的数字。
order-axis-arrival = 到达：先 → 后
order-axis-needed = 需要：后 ← 先
chain-before = 在第一个算子之前
chain-before-about = 从训练步开始到路径上的第一个算子被调度
chain-running = 算子运行
chain-running-about = 路径上的算子在任一设备上运行
chain-waiting = 算子等待运行
chain-waiting-about = 算子的最后一个输入已就绪，但算子没有开始
chain-queued = 张量排队
chain-queued-about = 已产生但尚未发送
chain-wire = 在途
chain-wire-about = 已发送但尚未到达
filter-task-or-cause = 按任务或原因筛选
stragglers-title = 慢节点
straggler-times = { $task }：{ $times } / { $all }
straggler-after = 比 { $task } 晚 { $length }
straggler-last = { $task } 最后完成，{ $after }。
straggler-last-of-many = { $task } 最后完成，{ $after }，且比同类的中位数晚 { $behind }。
straggler-alone = { $task } 最后完成。
full-stop = 。
straggler-path = 到其结束的路径（{ $ops }）
last-op-of = { $task }：转到其最后一个算子
straggler-last-short = 最后
column-finished = 完成
finished-about = 其最后一个算子的结束时间，自所显示内容的开始算起，按自身的时钟
column-earlier-by = 提前
earlier-by-about = 比最后完成的任务早多少
cause-started-late = 算子开始得晚
cause-took-long = 算子运行得久
cause-input-late = 输入到达得晚
cause-scheduled-late = 算子调度得晚
cause-is-start = 根因：{ $op } 开始得晚：输入到齐 { $length } 后才开始。
cause-is-start-with-peers = 根因：{ $op } 开始得晚：输入到齐 { $length } 后才开始（同类：{ $usual }）。
cause-is-length = 根因：{ $op } 用时 { $length }。
cause-is-length-with-peers = 根因：{ $op } 用时 { $length }（同类：{ $usual }）。
cause-is-input = 根因：输入 { $input } 到达 { $op } 的时间比同类晚 { $late }。
cause-is-input-from = 根因：来自 { $task } 的输入 { $input } 到达 { $op } 的时间比同类晚 { $late }。
cause-is-scheduling = 根因：{ $op } 被调度的时间比同类晚 { $late }。
as-in-steps = 与“训练步”标签页相同
column-finished-last = 最后完成
column-after-next = 比前一个晚
after-next-about = 比在它之前完成的任务晚多少
column-behind = 比中位数晚
behind-about = 比同类的中位数晚多少
column-root-cause = 根因
column-own = 此算子
own-about = 算子等待或运行了多久，或其输入何时到达
column-peers = 同类
peers-about = 同类上相同数值的中位数

## 面板：范围

concurrency-about = 同时运行的算子。条带的高度为短时间内的平均值，相对于精确的最大值。
concurrency-peak = 同时最多 { $count } 个
concurrency-at = { $at } 时 { $average } 个
concurrency-spoken = 同时运行的最多算子数：{ $peaks }
column-count = 数量
range-transfers-about = 在范围内到达的传输
no-sizes = 没有记录大小
untimed-others = { $others }没有记录时间
column-ops = 算子
range-ops-about = 与范围重叠的算子
column-self = 自身
self-about = 范围内的自身时间之和：不含嵌套在其中的算子。算子并行运行，因此总和可能超过范围的长度
column-total = 总计
total-about = 同上，但包含嵌套的算子，它们会被重复计算
column-share = 占比
share-about = 占所有算子自身时间的比例
column-mean = 平均
mean-about = 完整时长的平均值
p50-about = 其中一半不超过此值
p99-about = 其中 99 % 不超过此值
column-max = 最大
max-about = 最长的一个。单击该行可转到它
filter-op-type = 按算子类型筛选
patterns = { $count } 个通信模式
patterns-short = { $count } 个模式
patterns-none = 通信
patterns-title = 还有哪些算子计为通信
patterns-fact = 与您的模式匹配的算子计为通信。可在“范围”选项卡中更改
patterns-about = 类型或名称与这些正则表达式之一匹配的算子计为通信，与程序的 --communication 相同。区间从不计入。
patterns-not-counted = 未能应用模式
patterns-full = 已有 { $most } 个模式，达到上限。
pattern-field = 算子类型和名称的模式
pattern-example = 例如 ^Push
pattern-add = 计入
pattern-empty = 请先输入模式。
pattern-known = 此模式已生效。
pattern-remove = 移除 { $pattern }
back-to-all-lanes = 返回此范围的所有泳道
back-to-all-devices = 返回所有设备的数值
range-failed = 此范围的部分数值无法计算。
split-per-device = 各设备的时间构成
op-types-title = 算子类型
op-types-of = { $device } 的算子类型
column-split = 时间构成
busy-about = 至少记录有一个算子的时间
row-any-device = 任一设备

## 面板：选择

more-than-arrows = 超过 { $count } 个箭头
arrows-about = 虚线空心箭头来自生产者。实线实心箭头指向消费者，以及该算子启动的 kernel。一次传输计为一个算子
hops-label = 箭头延伸多远
hops-about = 箭头沿数据的两个方向经过多少个算子
hops-title = 跳数
selection-hint = 单击算子可查看其时间、输入、张量和传输。用键盘：“.”和“,”转到下一个和上一个算子
category-because = { $category }，依据：{ $reason }
block-times = 时间
fact-size = 大小
fact-tensor = 张量
fact-gradient-for = 梯度所属变量
fact-value-of = 值所属变量
fact-speed = 速度
unknown = 未知
speed-about = 大小除以在途时间
fact-producer = 生产者
no-producer-because = 无：{ $why }
source-not-traced = 源没有被跟踪
producer-not-recorded = 没有记录生产者
unknown-rendezvous-key = rendezvous key 未知
not-recorded = 没有记录
fact-found-by = 查找依据
found-by-guess = 猜测：{ $count } 个之一
found-by-graphs = 实际运行的计算图（精确）
found-by-names = 标签中的名称
found-by-about = 生产者和消费者是如何找到的
block-transfer = 传输
input-not-taken = 此次没有使用：输入来自另一个算子
input-no-producer = 没有记录其生产者
input-ambiguous-about = 记录中没有说明是哪一个
one-of = { $count } 个之一
block-inputs = 输入 { $count }
inputs-by-names = 按标签中的名称找到：没有记录其计算图。
block-launched-by = 由此启动
block-kernels = kernel { $count }
fact-on-gpu = GPU 上
on-gpu-about = 从第一个 kernel 开始到最后一个 kernel 结束
block-consumers = 消费者 { $count }
block-tensors = 张量 { $count }
allocated = 已分配
block-memory = 内存
fact-allocator = 分配器
fact-total = 总计
fact-peak = 峰值
fact-live-after = 结束后存活
fact-allocations = 分配次数
no-label = 无标签
fact-node = 节点
fact-thread = 线程
stage-queued = 排队
stage-queued-about = 从执行器调度到开始
stage-setup = 准备
stage-setup-about = 从开始到 kernel 开始
stage-kernel = kernel
stage-kernel-about = 从 kernel 开始到 kernel 结束
stage-finish = 收尾
stage-finish-about = 从 kernel 结束到算子结束
time-scheduled = 被调度
time-start = 开始
time-end = 结束
stage-send-queue-about = 从生产者结束到发送
stage-in-transit = 在途
stage-in-transit-about = 从发送到到达
stage-waited-after = 到达后等待
stage-waited-after-about = 从到达到首个消费者被调度
delay-about = 到达时间减去首个消费者其他输入中最晚的一个；至少为 0
delay-unknown = 不知道它是否使消费者延迟。
delay-by = 使首个消费者延迟
delay-none = 其首个消费者在等待另一个输入。
stage-title = { $stage }：{ $length }
    { $about }

## 面板：训练步

all-steps-toggle = 在同一时间轴上显示所有训练步，再按返回
all-steps-chip = 全部同轴显示
step-rule = 训练步的划分
step-rule-about = 什么算作一个训练步：按文件内容、每个文件一步、文件中每条记录一步，或将多个进程的全部内容合为一步
steps-by-rule = 训练步：{ $rule }
filter-name-or-file = 按名称或文件筛选
steps-without-ops = { $count } 个没有算子
figure-length = 时长
exposed-short = 未掩盖{ $part }
figure-sent = 发送
usual-words = 所有训练步的{ $figure }：平均 { $mean }，标准差 { $deviation }
    最小 { $min }，p50 { $p50 }，p99 { $p99 }，最大 { $max }
step-longer = 偏长
step-shorter = 偏短
show-this-step = 显示此训练步
column-number = 编号
number-about = 训练步在文件中的编号
column-file = 文件
column-recorded = 记录时间（UTC）
recorded-about = 文件中注明的记录时间
start-about = 自所有训练步的最早开始算起
column-unusual = 异常
unusual-about = 其时长与其他训练步相差很大
step-split-about = 时间构成：加速器的平均值，没有加速器时为所有设备的平均值
no-ops = 没有算子
step-number = 训练步 { $step }
column-sent-bytes = 发送
sent-bytes-about = 任务间传输的字节数
step-facts = 文件中有关此训练步的信息
step-facts-choose = 选择一个训练步，查看文件中的相关信息。
fact-file = 文件
fact-recorded = 记录时间
fact-holds = 包含
fact-made-of = 组成
step-unusual = 时长异常
step-strip = { $steps }的时长：{ $min } 到 { $max }，中位数 { $p50 }，{ $count ->
        [0] 没有异常
       *[other] { $count } 个异常
    }

## 面板：传输

column-variable = 变量
variable-about = 该张量是哪个模型变量的值，或哪个模型变量的梯度
column-kind = 种类
kind-about = 变量的值，或其梯度
column-type = 类型
type-about = 张量的类型和形状，按其生产者的记录
column-sent = 发送
column-received = 到达
column-queued = 排队
queued-about = 从生产者结束到发送，按发送方的时钟
in-transit-about = 从发送（按发送方的时钟）到到达（按接收方的时钟）
column-waited-after = 到达后等待
waited-after-about = 从到达到首个消费者被调度，按接收方的时钟
delay-one-about = 其首个消费者因它而推迟了多少才能开始：到达时间减去该消费者其他输入中最晚的一个，按接收方的时钟
column-speed = 速度
kind-gradient = 梯度
kind-value = 值
filter-transfers = 按张量、变量、设备或 A -> B 筛选
transfers-in-range = 在范围内到达的 { $count } 次传输
transfers-between-devices = 设备之间的 { $count } 次传输

## 内存

memory-not-read = 内存未读取
memory-not-drawn = 内存未绘制
no-tensor-chosen = 没有选择张量
why-alive = { $tensor } 为何存活
live-bytes-shown = 存活内存显示在有此数据的各设备下方
live-bytes-hidden = 存活内存已隐藏
live-bytes-title = 存活内存，显示在有此数据的各设备下方
under-each-device = 各设备下方
name-rows = 行
memory-failed = 无法读取内存。
memory-reading-now = 正在读取内存分配…
memory-word = 内存
memory-lane = { $allocator }：峰值 { $peak }
memory-reading = 数值的依据
memory-by-records = 按分配记录
memory-by-lifetimes = 按数据流得出的生命周期
memory-by-timeline = 按 timeline.py 的统计
memory-account = 设备和分配器
memory-account-of = { $device }，{ $allocator }：{ $bytes }
allocator-not-named = 分配器未命名
memory-at-peak = 峰值时
memory-lane-under-each = 在各设备下方显示存活内存泳道
memory-rests-on-what = 依据：{ $what }。
memory-there-before = 第一个算子之前已有 { $bytes }。
memory-beyond = 峰值时，分配器另有 { $bytes } 用于其他用途。
memory-not-counted = 未计入共 { $bytes } 的 { $count } 个张量：之后有同名的张量。
memory-frees = { $count } 次释放之前没有分配。
memory-sums = { $count } 个总和过大，无法保存：曲线止于此处。
memory-inputs = { $count } 个算子的输入未追踪：输入太多。
memory-moment = 所显示的时刻
memory-picture-about = 单击选择时刻，以及该处的张量
memory-from-start = 从一开始
memory-moment-and-peak = { $when }，峰值 { $peak }
memory-moment-and-boxes = { $moment }，{ $count } 个方框表示最大的张量
alive-at = { $at } 时存活 { $bytes }，共 { $tensors }
alive-from-start = 从一开始就存活 { $bytes }，共 { $tensors }
alive-and-peak = { $alive }；峰值为 { $peak }
alive-merged-by = 各行按什么合并
alive-by-tensor = 按张量
alive-by-op-type = 按算子类型
alive-by-scope = 按名称作用域
alive-by-shape = 按形状
alive-by-variable = 按变量
alive-unnamed = （无）
alive-held-for = 用于
alive-row-about = { $tensor }：为何存活
alive-bytes = 字节
alive-bytes-about = 该行合并的全部内容
alive-count = 数量
alive-count-about = 该行合并了多少次分配
alive-shape = 形状
alive-since = 起始
alive-since-about = 其中第一个的分配时间；– 表示之前就已存在
alive-until = 终止
alive-until-about = 其中最后一个的释放时间；– 表示一直没有释放
alive-largest = { $rows }中最大的 { $count } 行
alive-why = 为何存活
alive-at-this-moment = 在此时刻
alive-kept-most = 使最多内存存活的算子
alive-kept-by-none = 没有尚未结束的算子使内存存活。
alive-kept-about = 至少存活到该算子结束的字节：所有将读取它们的算子都在其后。
alive-held = { $bytes }，{ $tensors }
alive-life = 生命周期
alive-allocated-by = 分配者
alive-size = 大小
alive-allocated-at = 分配时刻
alive-before-first = 第一个算子之前
alive-freed-at = 释放时刻
alive-not-freed = 结束前未释放
alive-last-reader = 最后的读取者
alive-op = 算子
alive-waited-for = 最后等待
alive-inputs-at = 输入到齐时刻
alive-late-by = 延后运行
alive-right-after = 若输入到齐后立即运行
alive-no-output = 没有算子读取它：它不是其算子的输出。
alive-no-reader = 没有记录到读取它的算子。
alive-read-by = 由 { $readers }读取，其中 { $waiting }尚未结束
alive-for = 使其存活的算子
alive-no-change = 此时刻不会有变化
alive-free = 现在会释放 { $free }
alive-free-and-need = 现在会释放 { $free }，而其输出会占用 { $need }
filter-name-or-shape = 按名称或形状筛选
rows = { $count } 行

## 路径：训练步在等什么

path-compute = 计算
path-compute-about = 有算子在运行。
path-copy = 拷贝
path-copy-about = 主机与设备之间或同一任务的设备之间的拷贝。
path-transit = 在途
path-transit-about = 张量在途，或集合通信正在运行。
path-sender-queue = 在发送方排队
path-sender-queue-about = 张量已产生，但尚未发送。
path-producer = 等待生产者
path-producer-about = 只记录了等待，没有记录原因。
path-behind = 排在其他算子之后
path-behind-about = 算子已被调度，而其他算子先于它运行。
path-launching = 启动中
path-launching-about = 从决定运行到实际运行：派发和启动。
path-input = 数据加载
path-input-about = 加载下一批数据。
path-starting = 尚未开始
path-starting-about = 训练步已在别处开始，但在此任务上尚未开始。
path-gap = 没有记录原因
path-gap-about = 没有任何记录能说明为何什么都没有运行。

path-what = 内容
path-length = 时长
path-from = 开始
path-op = 算子
path-behind-count = 前面的算子数
path-behind-count-about = 有多少个算子先于它运行
path-by-kind = 按种类
path-by-op-type = 按算子类型
path-by-scope = 按作用域
path-by-device = 按设备
path-failed = 无法找到关键路径。
path-light-about = 在时间线上突出关键路径
path-light = 突出显示
path-to-light = 要突出显示的路径
path-to-light-about = 实测：训练步实际等待的内容。静态：仅按依赖关系的最长路径。重合最少：这类路径中在静态路径之外用时最多的一条
path-observed = 实测路径
path-static = 静态路径
path-next-path = 重合最少的路径
path-sums = 路径汇总
path-following = 正在追踪每个算子等待了什么…
path-part = 部分
path-time = 时间
path-share = 占比
path-segments = 段数
path-near = 与静态路径相差不到训练步 1 % 的有 { $ops }。
path-next = 与它重合最少的路径用时 { $length }，其中 { $outside } 不在此路径上。
path-threads = 线程是推断的：一同被调度的 { $all } 个算子中，有 { $row } 个连续运行。
path-backward = { $count } 条边在时间上倒退，最多 { $worst }，已修正。
path-open = 路径
path-open-about = 两条关键路径
path-bar = 训练步在等：{ $parts }
path-not-yet = 尚未得出
path-waited-for = 在等什么
highlights-title = 要点
highlights-label = 此训练步中最重要的内容
highlights-ask = 查找

# The report that is printed.
print-report = Steplens 报告
print-a-report = 打印报告
print-range = 时间构成、设备与算子类型只统计选定范围（{ $from } 至 { $to }）；其余内容针对整个训练步。
print-preparing = 正在准备要打印的报告…
print-pattern = 另计为通信：{ $pattern }
print-part = 部分
print-time = 时间
print-view = 视图，{ $from } 至 { $to }
print-cut = 此图下方还有更多行。折叠或隐藏设备即可看到。
print-devices = 设备
print-op-types = 耗时最多的十个算子类型
print-tensors = 等待最久的十个张量
print-links = 字节数最多的十条链路
print-link = 链路
print-missing = 尚未算出：{ $what }。按 Ctrl+P 打印即可包含。
print-made = 由 Steplens { $version } 于 { $when } 打印：{ $files }
highlights-not-found = 未能找出要点
highlight-show = 单击查看
highlight-in-step = （训练步 { $step }）{" "}
highlight-last = 最后完成，比 { $task } 晚 { $length }
highlight-cause = { $kind ->
        [ran-late] { $op } 开始得晚
        [took-long] { $op } 运行得久
        [input-late] { $op } 的输入到达得晚
       *[started-late] { $op } 调度得晚
    }
highlight-idle = 空闲了 { $length }（{ $share }）
highlight-wait = 为等待 { $tensor } 用了 { $length }
highlight-wait-from = 为等待来自 { $source } 的 { $tensor } 用了 { $length }
highlight-op-type = 占计算时间的 { $share }（{ $length }）
highlight-last-because = { $last }：{ $cause }
highlight-whole = { $who } { $rest }。
path-part-about = { $label }：{ $length }，占路径的 { $share }
    { $about }
path-not-found = 未找到关键路径
path-is-lit = 已突出关键路径
path-is-lit-static = 已突出显示静态路径
path-is-lit-next = 已突出显示与静态路径重合最少的路径
path-is-not-lit = 已恢复显示全部

## 为何这么晚：算子等待了什么，期间运行了什么

block-why = 为何这么晚？
why-not-found = 未找到算子开始得晚的原因
why-failed = 无法找到算子等待了什么。
why-select-first = 选择一个算子，查看它为何在那时开始
why-no-cause = 没有记录说明此算子在等什么
why-ask = 查找原因
why-ask-about = 追踪每个算子等待了什么：对这么大的 trace 需要数秒
why-no-node = 此行重复了其他行运行的内容，或一直忙于其他算子：它自身没有等待。
why-no-input = 没有记录它的输入：不知道它在被调度之前等待了什么。
why-since-ready = 从最后一个输入到它开始
why-waited-for = 最后等待：
why-ready = 就绪
why-ready-about = 它最后等待的对象就绪的时刻
why-scheduled-about = 执行器将它排入队列的时刻
why-began = 开始
why-began-about = 它开始的时刻；若是等待张量或 kernel 的算子，则为等待结束的时刻
why-link-about = { $name } 等待了什么，期间运行了什么
fact-slack = 松弛时间
slack-about = 它还可以延长多久，而不会使仅按依赖关系的路径变长
slack-none = 无：在静态路径上
fact-on-path = 在路径上
on-path-about = 实测关键路径是否经过它
yes = 是
no = 否
edge-data = 它使用的张量
edge-control = 必须先运行的算子
edge-transfer = 来自另一设备的张量
edge-launch = 它的启动
edge-sync = kernel 或另一线程
edge-stream = 同一流或线程上的前一个
edge-thread = 同一线程上的前一个（推断）
edge-link = 同一链路上的前一次传输
ran-instead = 期间运行的内容
ran-on-thread = 期间在其线程上运行的内容
ran-on-thread-about = 按记录，同一线程的算子
ran-on-stream = 期间在其流上运行的内容
ran-on-stream-about = 同一流的 kernel 和拷贝
ran-on-device = 期间在其设备上运行的内容
ran-on-device-about = 同一设备的算子：它们共享线程。线程数没有记录
ran-on-shared = 期间在共享线程的设备上运行的内容
ran-on-shared-about = 至少有三个设备在工作，而同时运行的算子数从未达到设备数：因此认为它们共享线程
ran-on-link = 期间在同一链路上传输的内容
ran-on-link-about = 起点和终点都相同的其他传输
ran-same-thread = 同一线程
ran-same-thread-about = 与等待的算子在同一线程上：由一同被调度的算子推断
ran-busy = 在这 { $length } 中，{ $ops }运行了 { $share } 的时间。
ran-nothing = 在这 { $length } 中，没有记录到任何运行。

## 泳道上方的关键路径条带

strip-name = 关键路径
strip-title = 泳道上方的关键路径：训练步在每一时刻等什么
strip-hide = 隐藏泳道上方的关键路径
strip-shown = 关键路径显示在泳道上方
strip-hidden = 泳道上方的关键路径已隐藏
strip-spoken = 逐时刻显示训练步在等什么。方向键在各段之间移动，Enter 选择算子
strip-segment = { $label }，从 { $from } 起 { $length }：{ $name }
tip-behind = 排在 { $ops }之后

## 调度

scheduling-not-found = 未找到调度信息
scheduling-failed = 无法找到调度信息。
scheduling-views = 显示哪些调度信息
scheduling-empty = 此 trace 没有记录算子何时被调度或启动。TensorFlow 的 RunMetadata 有此记录，记录了启动的 GPU trace 也有：见 docs/recording.md。
scheduling-not-recorded = 此处没有记录：{ $parts }。
scheduling-contradicted = 按记录，{ $ops }在最后一个输入结束之前就被调度：等待时间未知。
scheduling-network = { $ops }用于传送张量或属于集合通信：见“网络”标签页。
scheduling-program = { $ops }由程序线程直接调用：它们不经过调度。
part-wait = 等待
part-wait-about = 从最后一个输入结束到算子被调度
part-queue = 排队
part-queue-about = 从被调度到开始；对 kernel 则从启动算起
part-set-up = 准备
part-set-up-about = 从算子开始到其 kernel 开始
part-kernel = kernel
part-kernel-about = kernel：实际的工作
part-tear-down = 收尾
part-tear-down-about = 从 kernel 结束到算子结束
queue-p50 = 排队 p50
queue-p99 = 排队 p99
queue-most = 最长排队
queue-most-about = 单个算子的最长排队时间；单击转到该算子
at-work-title = 并发算子数
at-work-chart-words = 填充：平均同时工作的算子数。线：任一时刻的最大值。淡色：其上为排队的算子
at-work-chart-threads = 填充：平均同时工作的算子数。线：任一时刻的最大值。淡色：其上为排队的算子。虚线：{ $threads }
at-work-chart-spoken = 随时间变化的并发算子数，同时最多 { $most }
at-work-at = { $at } 处：平均 { $average } 个在工作，最多 { $most } 个，{ $queued } 个在排队
at-work-figures = 各并发数持续的时间
at-work-shared = { $count } 个共享线程的设备
at-work-most = 同时最多 { $most }：线程数至少有这么多。
at-work-not-scheduled = 没有记录算子何时被调度。
at-work-queued = 其中有 { $length } 至少另有一个算子在排队；这段时间的 { $share } 正有 { $most } 个同时运行。
at-work-starved = 若有 { $threads }，则有 { $length } 全部线程都在工作，而仍有算子在排队。
at-once = 并发数
at-once-length = 持续时间
queued-meanwhile = 另有排队
queued-meanwhile-about = 其中有多少时间至少另有一个算子已被调度但尚未开始
threads = { $count } 个线程
threads-number = 线程数
threads-unknown = 没有记录
threads-about = 运行算子的线程数，如果知道的话：inter_op_parallelism_threads，否则为机器的核数。trace 中没有说明
latest-title = 最长排队
tiny-title = 微小算子
tiny-ops-about = 耗时不为零的算子
column-tiny = 微小
column-tiny-about = 短于 10 µs 的算子
column-in-a-row = 连续
column-in-a-row-about = 在其线程或流上，与前一个算子相隔不超过 0.1 ms 的微小算子
column-between = 间隔
column-between-about = 这些算子与前一个算子之间的时间
column-cost = 开销
column-cost-about = 微小算子的时长，加上间隔
streams-title = 流
name-streams = 流
column-stream = 流
column-kernels = kernel 数
column-busy = 忙碌
stream-queue-about = 从启动到开始，所有 kernel 合计
column-gaps = 间隙数
column-gap = 间隙时间
column-gap-about = 从第一个 kernel 到最后一个 kernel 之间，没有任何运行的时间
column-host = 主机
column-host-about = 间隙中有多少时间下一个 kernel 尚未启动
column-other-stream = 其他流
column-other-stream-about = 间隙中有多少时间另一个流的 kernel 在运行，且它一结束下一个 kernel 就开始：推断得出
column-starting = 启动中
column-starting-about = 间隙中有多少时间下一个 kernel 已启动但尚未开始

## 算子在多个训练步的关键路径上出现的频率

over-steps = 跨训练步
over-steps-about = 每个算子在各训练步的关键路径上出现的频率
on-paths = 出现步数
on-paths-about = 它在多少个训练步的实测路径上
on-path-share = 占比
on-path-share-about = 它在路径上占训练步的多少：这些训练步的中位数
on-path-length-about = 它在所有这些路径上的总时长
on-path-longest = 最长
on-path-longest-about = 它在最长的那个训练步中的时长；单击显示该训练步
on-path-longest-step = 所在步
on-paths-cut = 取自 { $all } 个训练步中的前 { $shown } 个。

lengths = 时长分布
lengths-all = 全部时长
lengths-click = 单击柱形可列出其算子
lengths-bin = { $from } 到 { $to }：{ $ops }，合计 { $total }
lengths-not-counted = 时长未统计
filter-ops = 筛选算子
ops-match-of = { $all }匹配“{ $query }”，其中 { $count } 个
list-ops-of-type = { $type }：列出其算子
count-as-communication = { $type }：计为通信
count-as-named = { $type }：按其名称计类

copy-name = 复制名称
copy-op-details = 复制详情
copied-text = 已复制
zoom-to-op = 缩放到该算子
why-late = 为何这么晚？
show-in-table = 在表格中显示
list-ops-of-scope = { $scope }：列出其算子
find-same-op = 在所有设备上查找该算子
find-in-all-steps = 在所有训练步中查找该算子
copy-row = 复制整行
show-only = 仅显示 { $name }
fold-or-unfold = 折叠或展开
pin-devices = 固定其设备
hide-devices = 隐藏其设备
pin-device = 固定设备
unpin-device = 取消固定
hide-device = 隐藏设备

not-colored = 未能着色
not-lit = 未能突出显示
legend = 图例
color-by = 着色依据
color-by-title = 颜色代表什么
colored = 颜色：{ $what }
coloring = 颜色：{ $what }…
colored-by = 已按{ $what }着色
color-by-category = 类别
color-by-op-type = 算子类型
color-by-scope = 名称作用域
color-by-duration = 时长
color-by-step = 训练步
color-by-device = 设备
color-by-slack = 松弛时间
color-by-category-about = 计算、拷贝、通信
color-by-op-type-about = 最大的几种各用一种颜色
color-by-scope-about = 最大的几个各用一种颜色
color-by-duration-about = 按 10 的幂分级
color-by-step-about = 八种颜色轮换
color-by-device-about = 最大的几个各用一种颜色
color-by-slack-about = 算子可推迟多久结束，而训练步不会变长
color-others = 其他（{ $count }）
color-none = 其他
color-unnamed = 无名称
color-steps = 训练步 { $steps }
color-no-slack = 无：在一条最长路径上
color-below = 低于 { $to }
color-from = { $from } 及以上
color-between = { $from } 到 { $to }
legend-title = { $name }：此视图中所有设备合计 { $time }，{ $ops }。单击：只突出它。Ctrl+单击：同时突出它。Esc：全部。
arrows-to-it = 其数据的来源
arrows-from-it = 其数据的去向
legend-exposed = 未掩盖的传输
legend-exposed-about = 传输进行时，设备上没有可以掩盖它们的工作
legend-hidden = 已掩盖的传输
legend-hidden-about = 传输进行时，设备在计算、拷贝或读取输入
all-colors = 全部颜色
all-colors-title = 重新显示全部颜色（Esc）
colors-wanted = 只突出 { $count } 种颜色

## open.html：从地址打开 trace

open-title = 从地址打开 trace
open-from = 一个链接要求打开 trace，来自
open-what-happens = 浏览器将请求此地址，因此该主机会知道你请求了它。trace 在此浏览器中读取，不会发送到任何地方。
open-yes = 打开 trace
open-without = 不打开它，只打开 Steplens
open-cancel = 取消
open-waiting = { $host }：正在等待应答
open-read = 已读取 { $read }
open-read-of = 已读取 { $read }，共 { $of }
open-large = { $host } 在此地址的内容为 { $size }。读取可能需要很长时间和大量内存。
open-large-yes = 读取
