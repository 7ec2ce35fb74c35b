### 关于被监视文件夹的文本，网页和程序共用。语法：Fluent (projectfluent.org)。

## 小文件的问题：跟在文件名之后

watched-too-large = 它超过 { $most } 字节
watched-not-json = 它不是所需的 JSON：{ $why }
watched-other-schema = 它的 schema 是 { $schema }，而不是 { $wanted }：较新的 Steplens 也许认识它
watched-no-process = { $name } 不能作为进程名
watched-other-id = 它讲的是 { $id }，与文件名不符
watched-no-kind = 没有 { $word } 这种请求
watched-no-state = 没有 { $word } 这种状态

## 被监视文件夹的问题：完整的句子

watched-damaged-line = { $file } 中有些行不是运行记录，第一处在字节 { $at }：进程在写入时被终止，或磁盘已满。这些行被略去；在后面的行写明之前，后续运行取回什么是未知的。
watched-long-line = { $file } 中有些行太长，不可能是运行记录，第一处在字节 { $at }。这些行被略去。
watched-foreign-trace = { $file } 中有些运行写的 trace 不可能是它们的，第一处在字节 { $at }。它们按没有 trace 列出。
watched-many-calls = { $file } 中的运行从字节 { $at } 起取回和馈入的东西种类太多，无法一一区分。它们的平均值合在一起。
watched-damaged-file = 无法理解 { $file }：{ $why }。它被略去。
watched-not-read = 无法读取 { $file }：{ $why }。会再次尝试。
watched-many-files = 文件夹中有 { $count } 个文件超出监视的数量。最旧的被略去：请删除旧的 trace、请求和回答。
