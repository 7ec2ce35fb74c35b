# Python 包自身的文本。
python-internal = Steplens 出现故障：没有得到答案。请附上追踪文件，或 `steplens doctor` 的输出，报告此问题。
python-opening-ended = 这里已经读取完毕。请重新开始。
python-column-misspelt = 表 `{ $table }` 没有列 `{ $name }`：您是指 `{ $nearest }` 吗？它的列有 { $columns }。
python-column-unknown = 表 `{ $table }` 没有列 `{ $name }`。它的列有 { $columns }。
