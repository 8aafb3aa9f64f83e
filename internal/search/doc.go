// Package search finds messages by their texts and by what they have.
//
// There is one rule for what a message contains. The index, messages that are read again and
// highlights follow it:
//
//   - Texts are compared without case, accents and width. The voicing marks of kana are accents.
//     Every run of spaces is one space.
//   - A text contains a word of a query where the word occurs and a word of the text begins.
//   - A text contains a quoted phrase where it occurs, and a word begins before and ends after it.
//   - In scripts without spaces between words, such as Chinese, Japanese and Thai, a word begins
//     and ends at each character.
package search
