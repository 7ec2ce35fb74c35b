//! What ops calculate, by the shapes of their tensors: a multiplication and an addition for each pair of numbers that meet, as PyTorch counts them
//! (`torch/utils/flop_counter.py`). What does not fit together, or is more than 64 bits hold, has no work.

use super::Work;
use crate::{Bytes, Flops};

/// The product of sizes.
pub(super) fn elements(sizes: &[u64]) -> Option<u64> {
    sizes.iter().try_fold(1_u64, |all, &size| all.checked_mul(size))
}

/// Work of `pairs` of numbers that meet, of tensors with as many elements each as `moved` says, of `item` bytes, if that is known.
pub(super) fn work(pairs: u64, moved: &[u64], item: Option<u64>) -> Option<Work> {
    let flops = Some(Flops(pairs.checked_mul(2).filter(|&flops| flops > 0)?));
    let all = moved.iter().try_fold(0_u64, |all, &own| all.checked_add(own));
    let bytes = all.zip(item).and_then(|(all, item)| all.checked_mul(item)).map(Bytes);
    Some(Work { flops, bytes, is_recorded: false, time: None })
}

/// A product of two matrices, or of as many pairs of them as both say: `[…, m, k] · […, k, n]`.
pub(super) fn product(a: &[u64], b: &[u64], item: Option<u64>) -> Option<Work> {
    let ([batch @ .., m, k], [others @ .., like_k, n]) = (a, b) else { return None };
    if batch != others || k != like_k {
        return None;
    }
    let made = elements(batch)?.checked_mul(*m)?.checked_mul(*n)?;
    work(made.checked_mul(*k)?, &[elements(a)?, elements(b)?, made], item)
}

/// How a convolution goes over its input, in each dimension of space.
pub(super) struct Steps {
    pub(super) stride: Vec<u64>,
    pub(super) padding: Vec<u64>,
    pub(super) dilation: Vec<u64>,
}

impl Steps {
    /// The sizes of what a convolution of `input` `[n, channels, …]` with `weight` `[out, channels / groups, …]` makes.
    pub(super) fn made(&self, input: &[u64], weight: &[u64]) -> Option<Vec<u64>> {
        let ([n, _, space @ ..], [out, _, window @ ..]) = (input, weight) else { return None };
        if space.len() != window.len() || space.is_empty() {
            return None;
        }
        let mut made = vec![*n, *out];
        for (place, (&size, &wide)) in space.iter().zip(window).enumerate() {
            // One number stands for all dimensions.
            let step = |list: &[u64]| list.get(place).or(list.first().filter(|_| list.len() == 1)).copied();
            let (stride, padding, dilation) =
                (step(&self.stride)?, step(&self.padding)?, step(&self.dilation)?);
            let reach = dilation.checked_mul(wide.checked_sub(1)?)?.checked_add(1)?;
            let room = padding.checked_mul(2)?.checked_add(size)?.checked_sub(reach)?;
            made.push(room.checked_div(stride)?.checked_add(1)?);
        }
        Some(made)
    }
}

/// A convolution. Each element of its result, or of the gradient of that, meets a window of all channels of its group. `made` is
/// `[n, out, …]` and `weight` `[out, channels / groups, …]`.
pub(super) fn convolution(made: &[u64], weight: &[u64], moved: &[u64], item: Option<u64>) -> Option<Work> {
    let ([_, out, ..], [like_out, window @ ..]) = (made, weight) else { return None };
    if out != like_out {
        return None;
    }
    work(elements(made)?.checked_mul(elements(window)?)?, moved, item)
}

/// Attention: queries meet keys, and what comes of it the values. All tensors are `[batch, length, heads, size]`.
pub(super) fn attention(tensors: [&[u64]; 3], is_backward: bool, item: Option<u64>) -> Option<Work> {
    let [[batch, queries, heads, size], [keys_batch, keys, .., keys_size], [values_batch, values, .., made]] =
        tensors
    else {
        return None;
    };
    if keys_batch != batch || values_batch != batch || keys != values || keys_size != size {
        return None;
    }
    let pairs = elements(&[*batch, *heads, *queries, *keys])?;
    // Backward: what queries and keys make is made again, and each of the two products has two gradients.
    let (of_keys, of_values) = if is_backward { (3_u64, 2_u64) } else { (1, 1) };
    let wide = of_keys.checked_mul(*size)?.checked_add(of_values.checked_mul(*made)?)?;
    let result = elements(&[*batch, *queries, *heads, *made])?;
    let mut moved: Vec<u64> = vec![result];
    for own in tensors {
        moved.push(elements(own)?);
    }
    // Of each of the four tensors the gradient, too.
    let moved = if is_backward { [moved.as_slice(), moved.as_slice()].concat() } else { moved };
    work(pairs.checked_mul(wide)?, &moved, item)
}

#[cfg(test)]
mod tests {
    use super::{Steps, attention, convolution, product};
    use crate::work::Work;
    use crate::{Bytes, Flops};

    fn figures(work: Option<Work>) -> Option<(u64, Option<u64>)> {
        work.map(|own| (own.flops.unwrap_or(Flops(0)).0, own.bytes.map(|Bytes(bytes)| bytes)))
    }

    #[test]
    fn products_count_a_multiplication_and_an_addition_for_each_pair() {
        // 2 · 3 · 5 · 7 of them; 3 · 5 + 5 · 7 + 3 · 7 numbers of four bytes.
        assert_eq!(figures(product(&[3, 5], &[5, 7], Some(4))), Some((210, Some(284))));
        assert_eq!(figures(product(&[4, 3, 5], &[4, 5, 7], None)), Some((840, None)));
        for (a, b) in [
            (&[3, 5][..], &[4, 7][..]),
            (&[2, 3, 5], &[4, 5, 7]),
            (&[5], &[5, 7]),
            (&[], &[]),
            (&[0, 5], &[5, 7]),
            (&[1 << 63, 5], &[5, 7]),
            (&[u64::MAX, u64::MAX], &[u64::MAX, u64::MAX]),
        ] {
            assert_eq!(product(a, b, Some(4)), None, "{a:?} {b:?}");
        }
    }

    #[test]
    fn convolutions_count_a_window_for_each_element() {
        // ResNet's first: 5 images of 224 by 224, 64 windows of 7 by 7 by 3, every second place.
        let steps = |stride, padding, dilation| Steps {
            stride: vec![stride],
            padding: vec![padding],
            dilation: vec![dilation],
        };
        let (input, weight) = ([5, 3, 224, 224], [64, 3, 7, 7]);
        let made = steps(2, 3, 1).made(&input, &weight);
        assert_eq!(made, Some(vec![5, 64, 112, 112]));
        let flops = 2 * 5 * 64 * 112 * 112 * 7 * 7 * 3;
        let work = convolution(&[5, 64, 112, 112], &weight, &[], Some(4));
        assert_eq!(figures(work), Some((flops, Some(0))));
        // Each of 32 groups sees its own channel.
        assert_eq!(figures(convolution(&[1, 32, 10], &[32, 1, 3], &[], None)), Some((2 * 320 * 3, None)));
        assert_eq!(steps(1, 0, 2).made(&[1, 1, 9], &[1, 1, 3]), Some(vec![1, 1, 5]));
        assert_eq!(steps(0, 0, 1).made(&[1, 1, 9], &[1, 1, 3]), None, "a stride of nothing");
        assert_eq!(steps(1, 0, 1).made(&[1, 1, 2], &[1, 1, 3]), None, "a window wider than its input");
        assert_eq!(steps(1, u64::MAX, 1).made(&[1, 1, 2], &[1, 1, 3]), None);
        assert_eq!(steps(1, 0, u64::MAX).made(&[1, 1, 2], &[1, 1, 0]), None);
        assert_eq!(convolution(&[1, 2, 3], &[4, 1, 1], &[], None), None, "other channels");
    }

    #[test]
    fn attention_is_two_products_and_backward_five() {
        let (q, k, v) = ([2, 128, 12, 64], [2, 100, 12, 64], [2, 100, 12, 32]);
        let pairs = 2 * 12 * 128 * 100;
        let forward = figures(attention([&q, &k, &v], false, Some(2)));
        let moved = 2 * 12 * (128 * 64 + 100 * 64 + 100 * 32 + 128 * 32);
        assert_eq!(forward, Some((2 * pairs * (64 + 32), Some(2 * moved))));
        let backward = figures(attention([&q, &k, &v], true, Some(2)));
        assert_eq!(backward, Some((2 * pairs * (3 * 64 + 2 * 32), Some(4 * moved))));
        assert_eq!(attention([&q, &k, &[2, 99, 12, 32]], false, None), None);
        assert_eq!(attention([&[], &[], &[]], false, None), None);
    }
}
