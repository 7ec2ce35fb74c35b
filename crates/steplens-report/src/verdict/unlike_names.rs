//! Long names of kernels, cut so that those which differ stay different.

use super::{LONGEST_NAME, cut};

/// How many letters of the beginning are kept of a name that differs from another one only later.
const HEAD: usize = 18;
/// How many letters before the place where they differ are kept.
const BEFORE: usize = 6;

/// The name at `place` of `names`, cut; where another one would be cut to the same letters, with those in which they differ.
pub(crate) fn cut_unlike(names: &[String], place: usize) -> String {
    let Some(own) = names.get(place) else { return String::new() };
    let usual = cut(own);
    let alike = names.iter().filter(|other| *other != own && cut(other) == usual);
    let same =
        |other: &String| own.chars().zip(other.chars()).take_while(|(own, other)| own == other).count();
    match alike.map(same).min() {
        Some(same) => {
            let left = LONGEST_NAME - HEAD - 1;
            let (head, rest) = (own.chars().take(HEAD), own.chars().skip(same.saturating_sub(BEFORE)));
            let tail: String = rest.collect();
            let tail = match tail.chars().count() > left {
                true => tail.chars().take(left - 1).chain(['…']).collect(),
                false => tail,
            };
            format!("{}…{tail}", head.collect::<String>())
        }
        None => usual,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_late_stay_different() {
        let long =
            |end: &str| format!("Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT{end}_MI16x16x1_SN_LDSB1");
        let names = [long("256x256x64"), long("128x224x64"), "gemm".to_owned()];
        let cut: Vec<String> = (0..3).map(|place| cut_unlike(&names, place)).collect();
        assert_eq!(cut[0], "Cijk_Alik_Bljk_BBS…rgs_MT256x256x64_MI16x16x1_S…");
        assert_ne!(cut[0], cut[1]);
        assert_eq!(cut[2], "gemm");
    }
}
