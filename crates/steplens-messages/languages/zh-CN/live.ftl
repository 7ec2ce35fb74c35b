### `steplens serve`、`steplens watch` 和 `steplens request` 的文本。语法：Fluent (projectfluent.org)。

## 服务器的回答

live-foreign-host = 本服务器只在 localhost、127.0.0.1 或 [::1]（任意端口）下回答。请打开它打印的地址。
live-foreign-origin = 本服务器只回答自己的网页，不回答其他网页的请求。
live-no-token = 本服务器只回答带有令牌的请求。请打开它打印的、带令牌的地址。如果刚从链接打开，请重新加载此页。
live-bad-method = 这里只回答 GET 和 HEAD。
live-no-file = 被监视文件夹中没有这个文件。
live-no-range = 文件没有那么长。
live-not-read = 无法读取文件夹：{ $why }
live-not-written = 无法写入请求：{ $why }
live-no-json = 请求必须是 JSON。
live-no-body = 请求没有完整到达，或者太长。
live-bad-request = 无法理解请求：{ $why }
live-bad-processes = 请求中有一个进程名是任何进程都不能有的。
live-no-place = 内置网页中没有供服务网页使用的位置：请用 cargo xtask page 重新构建
live-too-many-files = 它有超过 { $most } 个文件：这是被监视的文件夹吗？

## steplens serve

serve-serves = Steplens 正在提供 { $folder }，地址为
serve-from-elsewhere = 从另一台机器：ssh -L { $port }:127.0.0.1:{ $port } HOST，然后在那里打开同一地址。
serve-ends = 按 Ctrl+C 结束。
serve-open-to-others = 任何能访问 { $address } 并持有带令牌的地址的人都能读取 trace 并请求新的 trace，而且传输没有加密。用 ssh -L 连到 127.0.0.1 更安全。
serve-not-opened = 无法启动浏览器：{ $why }
serve-port-taken = 端口 { $port } 已被占用：用 --port 选另一个，或用 --port 0 任选空闲端口
serve-no-port = 无法使用 { $address } 的端口 { $port }：{ $why }
serve-failed = 服务器已结束：{ $why }

## steplens request

request-no-watched-folder = { $folder } 不是被监视的文件夹：还没有程序向其中写入。请给出记录器所用的文件夹，并在它运行后再请求。
request-no-process = { $name } 不能作为进程名
request-no-answer = { $names } 没有回答：它可能已结束，或记录到另一个文件夹
request-seen = 已看到请求
request-tracing = 正在记录
request-tracing-runs = 正在记录；已有运行 { $runs }
request-tracing-many = 正在记录；已有 { $count } 次运行，最后一次为 { $last }
request-done = 完成
request-done-runs = 完成：运行 { $runs }
request-done-many = 完成：{ $count } 次运行，最后一次为 { $last }
request-stopped = 已停止
request-expired = 请求来得太晚
request-refused = 被拒绝：{ $why }

## steplens watch

watching-nothing = 还没有程序在这里写入任何内容。
watching-runs = { $count ->
    [0] 没有运行
   *[other] { $count } 次运行
 }
watching-new-runs = { $count ->
   *[other] { $count } 次运行
 }
watching-traced = { $count ->
    [0] 没有被记录的
   *[other] { $count } 次被记录
 }
watching-dropped = { $count ->
   *[other] 更早的 { $count } 次运行不再列出
 }
watching-step = 第 { $step } 步
watching-mean = 平均 { $mean }
watching-title-fetches = 取回
watching-title-feeds = 馈入
watching-title-runs = 运行
watching-title-traced = 已记录
watching-title-traced-mean = 记录时平均
live-too-many-traces = 其中的追踪文件或文件夹超过 { $most } 个。请改为提供其中的一个文件夹，或用 steplens index 将其做成数据集。
live-no-n = 这类请求需要大于等于 1 的 n。
