### What is said of counters: by the program and in sentences, and below the heading “On the page” only there. Syntax: Fluent.

help-command-counters = 显示随时间变化的计数：文件中的计数器、每个 stream 的队列长度，以及其拷贝的速率
counters-heading = 计数
counters-heading-about = 从第一个值到最后一个值；平均按时间计；队列满：已启动而未开始的达 1,022 个或更多
counters-none = 文件中没有计数器，也没有 stream 的启动或拷贝。

## On the page

counters-not-drawn = 计数器未绘制
counters-spoken = 计数器：{ $counters }。瞬时事件：{ $instants }；点击旗标可查看所记录的内容。
