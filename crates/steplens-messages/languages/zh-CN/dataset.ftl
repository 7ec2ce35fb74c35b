# Many traces as one dataset: steplens index, and what its tables say.

fleet-internal = { $file }：读取时 Steplens 自身出错。请报告，如果可以请附上该文件。
fleet-not-a-dataset = { $folder } 不是 Steplens 的数据集：其中没有可读的 manifest.json。请给出 steplens index -o 生成的文件夹，或一个新文件夹。
fleet-other-schema = { $folder } 由另一版本的 Steplens 生成：它的表是 { $schema }。请索引到新文件夹。
fleet-other-option = { $folder } 生成时的 { $option } 是“{ $then }”，而不是“{ $now }”。请使用相同的值，或索引到新文件夹。
fleet-in-use = 另一个进程正在写 { $folder }。请等它结束。
fleet-io = { $path }：{ $why }。
fleet-part-damaged = { $path } 已损坏：{ $why }。该分片的任何内容都不计入数值。请删除 { $sources } 并再次运行 steplens index：它会重新读取该分片的 trace。
fleet-part-changed = 文件在写入后被更改
fleet-held = { $count } 个文件未读取，因为损坏的分片已有或可能已有它们的行。
fleet-pattern = “{ $pattern }”没有写出 {"{run}"}、{"{task}"}、{"{step}"} 中的任何一个，或把其中一个写了两次。请写成 {"{run}/{task}/step-{step}.pb"} 的样子。
fleet-no-table = 数据集没有表 { $name }。它的表是 { $tables }。
fleet-no-folder = { $folder } 不是文件夹。请给出存放轨迹的文件夹。
fleet-empty = { $folder } 中没有能作为轨迹读取的文件。
fleet-stopped = 已停止。已索引的内容保留；用同一命令可从那里继续。
fleet-indexed = { $count } 个文件，{ $runs } 个运行：{ $ops } 个 op，{ $size }。本次读取：{ $now }。
fleet-gone = { $count } 个文件已不在文件夹中。它们的行保留；--prune 会移除。
fleet-state-damaged = 已损坏，读取了一部分
fleet-state-unreadable = 未读取
fleet-state-no-trace = 不是轨迹
fleet-faults = { $count } 个文件：{ $state }
fleet-more = 另外还有 { $count } 个：steplens fleet { $dataset } failures
