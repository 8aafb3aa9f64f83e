// Finds what people type: names and ids, without regard to case and accents.

/** A person who was found by name. */
export interface Found { readonly user: string; readonly name: string }

const mostOfAKind = 8; // so that rooms and people share a short list

const plain = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/** Returns the items whose name or id contains the text, first those where it is the start. */
export function having<T>(all: readonly T[], text: string, name: (of: T) => string, id: (of: T) => string, most = mostOfAKind): T[] {
  const wanted = plain(text);
  const rank = (of: T) => plain(name(of)).startsWith(wanted) || plain(id(of)).startsWith(wanted) ? 0 : 1;
  return all.filter(of => plain(name(of)).includes(wanted) || plain(id(of)).includes(wanted))
    .sort((a, b) => rank(a) - rank(b)).slice(0, most);
}
