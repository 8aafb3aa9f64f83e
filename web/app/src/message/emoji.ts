// The emoji by their names. It is loaded when the picker is opened or a code is typed: 33 KB with gzip.
import names from "./emoji-names.txt";

export interface Emoji {
  readonly emoji: string;
  /** Its names between colons, as in Slack. */
  readonly codes: readonly string[];
  /** Its codes, their parts, and more words that find it. */
  readonly words: string;
  /** Whether it has skin tones. */
  readonly toned: boolean;
}

export interface Group { readonly name: string; readonly emoji: readonly Emoji[] }

function read(): readonly Group[] {
  const groups: { name: string; emoji: Emoji[] }[] = [];
  for (const line of names.trim().split("\n")) {
    const [first = "", codes = "", ...words] = line.split(" ");
    if (first === "#") {
      groups.push({ name: codes, emoji: [] });
      continue;
    }
    const all = codes.split(",");
    groups.at(-1)?.emoji.push({
      emoji: first.replace("*", ""), codes: all, toned: first.endsWith("*"),
      words: [...all, ...all.flatMap(code => code.split(/[_-]/)), ...words].join(" "),
    });
  }
  return groups;
}

export const groups: readonly Group[] = read();

export const all: readonly Emoji[] = groups.flatMap(g => g.emoji);

/** Emoji that people reach for, the most frequent first. */
export const popular =
  "👍 ❤️ 😂 🎉 👀 🙏 ✅ 😄 🔥 💯 🚀 👏 🙌 😊 😍 🤔 😅 😢 😭 😎 😉 👋 💪 👎 😮 😡 🥳 ✨ 💡 ⭐ 🐛".split(" ");

const popularity = new Map(popular.map((emoji, i) => [emoji, i]));

/**
 * Returns how well an emoji fits a query: 0 if it is a code, 1 if it is a word or begins a code, 2
 * if it begins a word; else 3.
 */
function rank({ words, codes }: Emoji, query: string): number {
  if (codes.includes(query)) return 0;
  if (codes.some(code => code.startsWith(query)) || ` ${words} `.includes(` ${query} `)) return 1;
  return ` ${words}`.includes(` ${query}`) ? 2 : 3;
}

/** Returns the emoji whose codes or words begin with the query, the best and then the most popular first. */
export function byCode(query: string, most: number): readonly Emoji[] {
  const wanted = query.toLowerCase();
  const known = (e: Emoji) => popularity.get(e.emoji) ?? popularity.size;
  return all.map(e => ({ e, rank: rank(e, wanted) })).filter(f => f.rank < 3)
    .sort((a, b) => a.rank - b.rank || known(a.e) - known(b.e)).slice(0, most).map(f => f.e);
}

/** Returns the emoji that match each word of a text, the best first. */
export function byWords(text: string): readonly Emoji[] {
  const words = text.trim().toLowerCase().split(/[\s_]+/).filter(Boolean);
  const [first = ""] = words;
  return byCode(first, all.length).filter(e => words.every(w => ` ${e.words}`.includes(` ${w}`)));
}

/** Returns the emoji with a code; undefined if there is none. */
export const withCode = (code: string): Emoji | undefined => all.find(e => e.codes.includes(code));

/** The skin tones, from light to dark, and first none. */
export const tones = ["", "🏻", "🏼", "🏽", "🏾", "🏿"] as const;

/** Returns an emoji with a skin tone, if it has tones. */
export function withTone({ emoji, toned }: Emoji, tone: string): string {
  if (!toned || !tone) return emoji;
  const [first = "", ...rest] = emoji;
  return first + tone + (rest[0] === "\ufe0f" ? rest.slice(1) : rest).join("");
}

/** What may be in a text besides codes: code, and addresses. */
const besides =
  /(`{3,})[^]*?\1`*|`[^`\n]+`|https?:\S+|(?<![\p{L}\p{N}_/:])(?::[\p{L}\p{N}_+-]+:)+(?![\p{L}\p{N}_/])/giu;
const toned = /:([^:]+):(?::skin-tone-([2-6]):)?/g;

/** Replaces the codes of emoji, such as :wave::skin-tone-2:, in a text from an index on. Other codes stay. */
export function withEmoji(text: string, from = 0): string {
  return text.replace(besides, (part: string, _: unknown, at: number) => (!part.startsWith(":") || at < from ? part
    : part.replace(toned, (whole: string, code: string, tone = "1") => {
      const found = withCode(code.toLowerCase());
      return found ? withTone(found, tones[Number(tone) - 1] ?? "") : whole;
    })));
}
