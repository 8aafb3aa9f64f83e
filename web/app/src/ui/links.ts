// Addresses in texts: where they end, and which of them are links.

// Invisible characters that change the direction or joining of what follows: a link that contained
// one could show another address than its own.
const linkEnd =
  /[\s<>"`|\\^{}\u3001\u3002\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/;
// Scripts without spaces between words, such as Chinese, have letters without case.
export const wordBefore = /[\p{Ll}\p{Lu}\p{N}]$/u;
export const wordAfter = /^[\p{Ll}\p{Lu}\p{N}]/u;
const trailing = ".,:;!?'*_~…";

/** An address in a line. Without href it is text. */
export interface Address { readonly text: string; readonly href: string | undefined }

const scheme = /https?:\/\//iy;
/** The beginning of an address without a scheme. */
const www = /(?<![@._/-])www\.[\p{L}\p{M}\p{N}-]{1,63}\.[\p{L}\p{N}]/iuy;

/** Reports whether the part of a line from i on begins as a pattern, which is sticky. */
function begins(pattern: RegExp, line: string, i: number): boolean {
  pattern.lastIndex = i;
  return pattern.test(line);
}

/**
 * Returns the address at i. One that is no link is returned as a whole, so that it is read once. In a
 * label it ends where the label does.
 */
export function addressAt(line: string, i: number, inLabel: boolean): Address | undefined {
  const bare = begins(www, line, i);
  if (!bare && !begins(scheme, line, i) || wordBefore.test(line.slice(Math.max(0, i - 2), i))) return undefined;
  let end = i;
  while (end < line.length && !linkEnd.test(line.charAt(end)) && !(inLabel && line.startsWith("](", end))) end++;
  const text = withoutTrailing(line.slice(i, end));
  return { text, href: hrefOf(bare ? `https://${text}` : text) };
}

/** The longest address behind a label. */
const longestTarget = 2048;
/** A room of this page, or a message in it. */
const route = /^#\/[\w.~%:@|+=-]+(?:\/[\w.~%:@|+=-]+)?$/;

/** Returns the address in the round brackets that open at i, and where they close. */
export function targetAt(line: string, i: number): { readonly href: string; readonly end: number } | undefined {
  if (!begins(scheme, line, i + 1) && !line.startsWith("#/", i + 1)) return undefined;
  const last = Math.min(line.length, i + longestTarget);
  let depth = 0;
  for (let end = i + 1; end < last; end++) {
    const c = line.charAt(end);
    if (linkEnd.test(c)) return undefined;
    if (c === "(") depth++;
    if (c === ")" && depth-- === 0) {
      const text = line.slice(i + 1, end);
      const href = text.startsWith("#") ? (route.test(text) ? text : undefined) : hrefOf(text);
      return href === undefined ? undefined : { href, end: end + 1 };
    }
  }
  return undefined;
}

/** Cuts punctuation that ends the sentence rather than the address. */
function withoutTrailing(s: string): string {
  // How many brackets are closed that the address did not open.
  const surplus = { ")": 0, "]": 0 };
  for (const c of s) {
    if (c === ")" || c === "]") surplus[c]++;
    else if (c === "(") surplus[")"]--;
    else if (c === "[") surplus["]"]--;
  }
  let end = s.length;
  for (; end > 0; end--) {
    const c = s.charAt(end - 1);
    if (c === ")" || c === "]") {
      if (surplus[c]-- <= 0) break;
    } else if (!trailing.includes(c)) {
      break;
    }
  }
  return s.slice(0, end);
}

/**
 * The beginning of an address up to the end of a host and port that are not too long: the browser's
 * conversion of more may take seconds.
 */
const origin = /^https?:[/\\]+[^/\\?#]{1,260}(?:[/\\?#]|$)/i;

/** Returns the address of a link to the web. A user before the host would pass for the host. */
export function hrefOf(s: string): string | undefined {
  try {
    if (!origin.test(s)) return undefined;
    const url = new URL(s);
    const web = (url.protocol === "https:" || url.protocol === "http:") && /^[a-z0-9[]/.test(url.hostname);
    return web && url.username === "" && url.password === "" ? url.href : undefined;
  } catch {
    return undefined;
  }
}
