//! Columns of numbers as bytes that pack well: bytes of the same weight stand together, and ids as differences.

/// How many bits of a figure are dropped: what is left is right to four digits.
const DROPPED: u32 = 9;

/// `value` as the file keeps it, to the nearest.
pub(crate) fn rounded(value: f32) -> f32 {
    if !value.is_finite() {
        return f32::NAN;
    }
    f32::from_bits(value.to_bits().saturating_add(1 << (DROPPED - 1)) & (u32::MAX << DROPPED))
}

/// Figures, each rounded; three bytes of each, those of the exponents first.
pub(crate) fn f32_bytes(values: &[f32]) -> Vec<u8> {
    let bits: Vec<u32> = values.iter().map(|&value| rounded(value).to_bits()).collect();
    planes(&bits, &[24, 16, 8])
}

/// What [`f32_bytes`] wrote. `None` if there are not `count` of them.
pub(crate) fn f32s(bytes: &[u8], count: usize) -> Option<Vec<f32>> {
    Some(joined(bytes, count, &[24, 16, 8])?.into_iter().map(f32::from_bits).collect())
}

/// Ids, each as what it has beyond the one before.
pub(crate) fn u32_bytes(values: &[u32]) -> Vec<u8> {
    let mut before = 0_u32;
    let differences: Vec<u32> = values
        .iter()
        .map(|&value| {
            let difference = value.wrapping_sub(before);
            before = value;
            difference
        })
        .collect();
    planes(&differences, &[24, 16, 8, 0])
}

/// What [`u32_bytes`] wrote.
pub(crate) fn u32s(bytes: &[u8], count: usize) -> Option<Vec<u32>> {
    let mut values = joined(bytes, count, &[24, 16, 8, 0])?;
    let mut before = 0_u32;
    for value in &mut values {
        before = before.wrapping_add(*value);
        *value = before;
    }
    Some(values)
}

/// Times, each as what it has beyond the one before.
pub(crate) fn i64_bytes(values: &[i64]) -> Vec<u8> {
    let mut before = 0_i64;
    let differences = values.iter().flat_map(|&value| {
        let difference = value.wrapping_sub(before);
        before = value;
        difference.to_le_bytes()
    });
    differences.collect()
}

/// What [`i64_bytes`] wrote.
pub(crate) fn i64s(bytes: &[u8], count: usize) -> Option<Vec<i64>> {
    let (chunks, rest) = bytes.as_chunks::<8>();
    let mut before = 0_i64;
    (rest.is_empty() && chunks.len() == count).then(|| {
        chunks
            .iter()
            .map(|&chunk| {
                before = before.wrapping_add(i64::from_le_bytes(chunk));
                before
            })
            .collect()
    })
}

fn planes(values: &[u32], shifts: &[u32]) -> Vec<u8> {
    shifts.iter().flat_map(|shift| values.iter().map(move |value| (value >> shift) as u8)).collect()
}

fn joined(bytes: &[u8], count: usize, shifts: &[u32]) -> Option<Vec<u32>> {
    if bytes.len() != count.checked_mul(shifts.len())? {
        return None;
    }
    let mut values = vec![0_u32; count];
    if count > 0 {
        for (plane, shift) in bytes.chunks_exact(count).zip(shifts) {
            for (value, &byte) in values.iter_mut().zip(plane) {
                *value |= u32::from(byte) << shift;
            }
        }
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_right_to_four_digits() {
        for value in [0.0, 1.0, 9.999, 1234.5, 5_230_000.0, 1e13, 3.3e-3_f32] {
            let kept = rounded(value);
            assert!((kept - value).abs() <= value.abs() * 0.000_031, "{value} {kept}");
            assert_eq!(f32s(&f32_bytes(&[value]), 1), Some(vec![kept]));
        }
        assert!(rounded(f32::NAN).is_nan() && rounded(f32::INFINITY).is_nan());
        assert!(f32s(&f32_bytes(&[f32::NAN]), 1).is_some_and(|kept| kept[0].is_nan()));
    }

    #[test]
    fn ids_and_times_come_back() {
        let ids = [7, 8, 9, 0, u32::MAX, 5];
        assert_eq!(u32s(&u32_bytes(&ids), 6), Some(ids.to_vec()));
        assert_eq!(u32s(&u32_bytes(&ids), 5), None);
        let times = [0, 1_796_196_000_000_000_000, i64::MIN, i64::MAX];
        assert_eq!(i64s(&i64_bytes(&times), 4), Some(times.to_vec()));
        assert_eq!(i64s(&[0; 9], 1), None);
    }
}
