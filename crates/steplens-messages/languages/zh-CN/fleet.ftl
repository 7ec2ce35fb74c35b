### 关于集群摘要的文本。语法：Fluent (projectfluent.org)。

fleet-other = 这不是集群摘要。请打开由 steplens index 写出的数据集中的 overview.steplens-fleet。
fleet-newer = 此集群摘要由另一版本的 Steplens 写出。请用该版本打开，或重新运行 steplens index。其格式版本为 { $version }。
fleet-cut = 此集群摘要不完整。请重新复制，或重新运行 steplens index。它声明有 { $wanted } 字节，实际有 { $got } 字节。
fleet-damaged = 此集群摘要已损坏。请重新复制，或重新运行 steplens index。位置 { $part }：{ $why }。
fleet-no-run = 此集群摘要中没有第 { $run } 个运行。请重新打开。
fleet-no-figure = 集群没有指标 { $word }。请选择其他指标。
