// Finds what people type: names and ids. They are compared as the server compares the texts of messages.

/** A person who was found by name. */
export interface Found { readonly user: string; readonly name: string }

const mostOfAKind = 8; // so that rooms and people share a short list

/** Accents, and characters that show nothing, but the tags of flags. */
const unseen =
  /\p{Mn}|(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}\u{e0000}-\u{e007f}])[\p{Cf}\u115f\u1160\u3164\uffa0]|\u0640/gu;
const apostrophes = /[\u2018-\u201b\u2032\u2039\u203a\u02b9\u02bb-\u02bd\u055a\u05f3]/g;
const quotes = /[\u201c-\u201f\u00ab\u00bb\u301d-\u301f\uff02\u05f4]/g;

/** Returns the form in which texts are compared, as search.Fold does. */
const plain = (text: string) =>
  text
    .replace(/\u00b4/g, "'")
    .normalize("NFKD")
    .replace(unseen, "")
    .replace(apostrophes, "'")
    .replace(quotes, "\"")
    .replace(/[\u301c\u3030]/g, "~")
    .replace(/[\p{Pd}\u2212\u2043]/gu, "-")
    .replace(/\s+/g, " ")
    .toUpperCase()
    .toLowerCase()
    .replace(/\u03c2/g, "\u03c3");

/** Returns the items whose name or id contains the text, first those where it is the start. */
export function having<T>(
  all: readonly T[], text: string, name: (of: T) => string, id: (of: T) => string, most = mostOfAKind,
): T[] {
  const wanted = plain(text);
  const rank = (of: T) => plain(name(of)).startsWith(wanted) || plain(id(of)).startsWith(wanted) ? 0 : 1;
  return all.filter(of => plain(name(of)).includes(wanted) || plain(id(of)).includes(wanted))
    .sort((a, b) => rank(a) - rank(b)).slice(0, most);
}
