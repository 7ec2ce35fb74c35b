## 什么会有帮助：无法进行的更改

what-if-no-factor = “{ $text }”没有系数；请写出要更改的内容、`=` 以及时间所乘的系数：例如 `{ $word }` 可写 `{ $text }=0.5`
what-if-bad-factor = “{ $text }”不是系数；请写 0（不花时间）到 1000 之间的数，0.5 表示快一倍
what-if-bad-category = “{ $text }”不能被隐藏；可选 input、launch、copy 和 communication
what-if-bad-link = “{ $text }”不是链路；请写 `SOURCE->DESTINATION=FACTOR`，例如 `ps:0->worker:1=0.5`
what-if-bad-threads = “{ $text }”不是线程数；请写 1 到 4096 之间的数
what-if-bad-order = “{ $text }”不是顺序；只有 `better`
what-if-unknown = 没有名为“{ $text }”的更改
what-if-nothing = trace 中没有与 { $word } “{ $text }”匹配的内容，或匹配的内容不花时间

## 什么会有帮助：回答

what-if-none = 没有更改时，重放显示可以更改什么。
what-if-error = 对所记录步骤的重放偏差为 { $error }，{ $near } 的算子在其原开始时间前后百分之一步长内开始。
what-if-saves = 该步将用时 { $length }，减少 { $saving }（{ $share }）。
what-if-longer = 该步将用时 { $length }，增加 { $saving }（{ $share }）。
what-if-no-effect = 该步仍将用时 { $length }：没有任何更改让它少等待。
what-if-within-error = 这在重放的误差之内。
what-if-within-variation = 这在各步本来的波动之内（{ $variation }）。
what-if-after = 之后关键路径上最大的部分是：{ $what }（{ $share }）。
what-if-refused = 在没有任何更改时，对该步的重放偏差为 { $error }，超过 5 %，因此不作预测。
what-if-refused-threads = trace 没有记录每个算子在哪个线程上运行以及原因。
what-if-refused-unknown = 算子等待的内容有太多没有被记录。
what-if-range = 可能在 { $low } 到 { $high } 之间。
what-if-one-step = 其中不含各步之间的波动：打开的步不足两步。
what-if-frozen = 不作预测：该步中有 { $length }（{ $share }）没有任何记录说明其原因，即使所有算子都不花时间也仍会留下。
what-if-partly-frozen = 该步的 { $share } 无论更改什么都不变，因为没有任何记录说明其原因。
