// Hosts in texts: which of them read as another, and which a label names.

const invisible = /[\p{DI}\p{Cc}\u2028\u2029\u202f\u2800]/gu;
// Characters that look like those between the parts of an address, and that NFKC does not replace.
const dots = /[\u0660\u06d4\u06f0\u0701\u0702\u3002\ua4f8\ua60e\uff61]/g;
const slashes = /[\\\u2044\u2215\u2571\u27cb\u29f8\u3033]/g;
const colons = /[\u02d0\u05c3\u2236\ua789]/g;

/** Returns the visible part of a label. */
export const seen = (label: string): string => label.replace(invisible, "").trim();

/** Returns a text as a reader takes it for an address. */
function asRead(text: string): string {
  const words = seen(text)
    .normalize("NFKC")
    .replace(dots, ".")
    .replace(slashes, "/")
    .replace(colons, ":")
    .replace(/\s+/g, " ")
    .replace(/(?<=(?:^| )\S) (?=\S(?: |$))/gu, "").replace(/ \. ?/g, "."); // spaced letters and dots
  return /^[^ .\d][^ .]*(?:\. [^ ]+)+$/.test(words) ? words.replaceAll(". ", ".") : words;
}

/** The scripts whose letters look like no other script's. */
const distinct = [
  "Arab", "Beng", "Deva", "Gujr", "Guru", "Hang", "Hebr", "Knda", "Mlym", "Sinh", "Taml", "Telu", "Thai",
];
/** The letters of other scripts that look like Latin: a part of a host needs one more. */
const alike = { Cyrl: "асԁеԍһіјӏорԗԛѕԝхуьҽпгѵѡ", Grek: "αγηικνορτυχω" };
/** A part of a host in Latin, and one in Han with Kana. */
const latin =
  "[!-~\u00df-\u00f6\u00f8-\u0130\u0132-\u0137\u0139-\u0148\u014a-\u017e\u01a1\u01b0\u0219\u021b\u1e80-\u1e85\u1ea0-\u1ef9]+";
const japanese = "[-\\d\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\u30fc]+";
/** A part of a host that is written in one script. */
const clear = new RegExp(`^(?:${[
  latin,
  japanese,
  ...distinct.map(s => `[-\\d\\p{sc=${s}}]+`),
  ...Object.entries(alike).map(([s, letters]) => `(?=.*[^-\\d${letters}])[-\\d\\p{sc=${s}}]+`),
].join("|")})$`, "u");

/**
 * Reports whether a host is written so that it reads as no other: each part is in one script, and
 * not only in letters that look Latin.
 */
const isClear = (host: string): boolean => host.toLowerCase().split(".").every(part => !part || clear.test(part));

/** Returns how an address is shown: as it is written, or as the browser writes it if its host may read as another. */
export function shownAs(text: string, href: string): string {
  const host = /^(?:https?:[/\\]+)?([^/?#\\:]*)/i.exec(text)?.[1] ?? "";
  return isClear(host.normalize("NFKC").replace(dots, ".")) ? text : href;
}

/** The longest host (RFC 1035). The browser's conversion of a longer one may take long. */
const longestHost = 253;

/** Returns a host as the browser writes it: in small letters, and in ASCII. */
function hostOf(name: string): string {
  try {
    return name.length > longestHost ? name : new URL(`https://${name}`).hostname.replace(/^www\./, "");
  } catch {
    return name;
  }
}

/** The end of a file's name that is no top-level domain. */
const fileEnd = /\.(?:html?|[jt]sx?|css|json|txt|pdf|png|jpe?g|gif|svg|csv|ya?ml|xml|docx?|xlsx?|pptx?|log|go|java)$/i;
const numbers = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Reports whether a name with dots reads as a host, such as `bank.example` or `10.0.0.1`. */
const isHost = (name: string): boolean =>
  numbers.test(name)
    || (!fileEnd.test(name) && name.split(".").some((part, i) => i > 0 && /^\p{L}[\p{L}\p{M}\p{N}]/u.test(part)));

/** Reports whether a word names another host than the real one. What follows the real one is its path. */
function misleads(word: string, real: string): boolean {
  for (const { 0: token, index } of word.matchAll(/[\p{L}\p{M}\p{N}_.-]+/gu)) {
    for (const name of token.split(/\.{2,}/).map(name => name.replace(/^\.|\.$/g, "")).filter(isHost)) {
      if (hostOf(name) !== real || !isClear(name)) return true;
      if (/^(?:[/:?#]|$)/.test(word.slice(index + token.length))) return false;
    }
  }
  return false;
}

/** An address whose host has no dot. */
const local = /https?:\/\/([\p{L}\p{M}\p{N}_-]+)(?![\p{L}\p{M}\p{N}_.@-])/giu;

/** Reports whether a label reads as the address of another host than the link's. It takes linear time. */
export function disguises(label: string, href: string): boolean {
  const words = asRead(label);
  const real = href.startsWith("#") ? "" : hostOf(new URL(href).hostname);
  return [...words.matchAll(local)].some(([, name = ""]) => hostOf(name) !== real)
    || words.split(" ").some(word => misleads(word, real));
}

const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** Reports whether a label changes the direction of text. */
export const turns = (label: string): boolean => turning.test(label);
