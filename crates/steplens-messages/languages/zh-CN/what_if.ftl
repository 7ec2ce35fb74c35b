## 什么会有帮助：无法进行的更改

what-if-no-factor = “{ $text }”没有系数；请写出要更改的内容、`=` 以及时间所乘的系数：例如 `{ $word }` 可写 `{ $text }=0.5`
what-if-bad-factor = “{ $text }”不是系数；请写 0（不花时间）到 1000 之间的数，0.5 表示快一倍
what-if-bad-category = “{ $text }”不能被隐藏；可选 input、launch、copy 和 communication
what-if-bad-link = “{ $text }”不是链路；请写 `SOURCE->DESTINATION=FACTOR`，例如 `ps:0->worker:1=0.5`
what-if-bad-threads = “{ $text }”不是线程数；请写 1 到 4096 之间的数
what-if-bad-order = “{ $text }”不是顺序；只有 `better`
what-if-unknown = 没有名为“{ $text }”的更改
what-if-nothing = trace 中没有与 { $word } “{ $text }”匹配的内容，或匹配的内容不花时间
