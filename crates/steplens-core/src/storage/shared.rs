//! How much memory is behind an `Arc`.

/// Bytes of a shared `T` itself and of its two counts.
pub(crate) fn shared_bytes<T>() -> usize {
    2 * size_of::<usize>() + size_of::<T>()
}
