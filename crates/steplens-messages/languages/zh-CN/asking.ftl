# steplens fleet 的文字：向由许多轨迹组成的数据集提问。

ask-how = steplens fleet DATASET QUESTION 回答其中一个；--sql 输出供 DuckDB 使用的语句。
ask-nothing = 没有行：数据集中没有这样的情况。
ask-more = 还有更多行；--all 显示所有行，--limit 可显示更多
ask-columns = 有 { $count } 列放不下；--json 和 --csv 有全部列，终端更宽时显示更多
ask-no-duckdb = 没有可用来回答的 DuckDB：此程序不含它。请把程序 duckdb 放到搜索路径中，或安装它的 Python 包（pip install duckdb）并用 STEPLENS_PYTHON 指出该 Python。--sql 输出查询语句，供别处的 DuckDB 使用。
ask-failed = DuckDB 没有给出回答：{ $why }
ask-table-missing = 问题 { $question } 需要 { $tables }，而这个数据集生成时没有包含。请不带 --tables 或带上这些表，索引到新文件夹。
ask-query-not-read = 无法读取查询 { $path }：{ $why }
ask-bad-day = { $day } 不是日期。请写成 2026-11-26 的样子。
ask-bad-moment = { $moment } 不是时刻。请写成 2026-11-26、2026-11-26T09:30（UTC），或自 1970 年起的纳秒数。
ask-bad-share = { $share } 不是占比。请写成 10% 的样子。
ask-no-run = 数据集没有运行 { $run }。它的运行有 { $runs }。
