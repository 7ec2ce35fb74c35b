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
