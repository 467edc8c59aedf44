//! Characters that nobody sees.

use std::ops::RangeInclusive;

/// `Default_Ignorable_Code_Point` of Unicode 17.0 (`DerivedCoreProperties.txt`): zero-width blanks and
/// joiners, marks of direction, soft hyphens, fillers, selectors of variants, tags. Unassigned ones are
/// in it too, so it hardly changes from version to version. With U+FFF9 to U+FFFB, which mark glosses.
const IGNORABLE: [RangeInclusive<char>; 17] = [
    '\u{ad}'..='\u{ad}',
    '\u{34f}'..='\u{34f}',
    '\u{61c}'..='\u{61c}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{200b}'..='\u{200f}',
    '\u{202a}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{3164}'..='\u{3164}',
    '\u{fe00}'..='\u{fe0f}',
    '\u{feff}'..='\u{feff}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{fff0}'..='\u{fffb}',
    '\u{1bca0}'..='\u{1bca3}',
    '\u{1d173}'..='\u{1d17a}',
    '\u{e0000}'..='\u{e0fff}',
];

/// Braille without a dot: a blank that is no white space to Unicode.
const BRAILLE_BLANK: char = '\u{2800}';

/// A blank as wide as a letter, which is seen between two letters and not at an end.
const IDEOGRAPHIC_BLANK: char = '\u{3000}';

/// Whether `character` is not seen, or not told from a plain blank: a control character, one that is
/// ignored where text is shown, any white space but U+0020 and U+3000, or a blank by another name.
#[must_use]
pub fn is_unseen(character: char) -> bool {
    let blank = character.is_whitespace() && !matches!(character, ' ' | IDEOGRAPHIC_BLANK);
    blank
        || character.is_control()
        || character == BRAILLE_BLANK
        || IGNORABLE.iter().any(|range| range.contains(&character))
}

/// The first character of `text` that nobody sees where it stands.
pub(crate) fn first_unseen(text: &str) -> Option<char> {
    let at_an_end = [text.chars().next(), text.chars().next_back()];
    text.chars()
        .find(|character| is_unseen(*character))
        .or_else(|| {
            at_an_end
                .into_iter()
                .flatten()
                .find(|character| *character == IDEOGRAPHIC_BLANK)
        })
}
