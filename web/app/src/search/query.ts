// Reads and writes the filters of a query, as the server reads them. It is pure.
import type { Found } from "../ui/having.js";

/** A filter of a query, such as from:me, and its place. */
export interface Filter {
  readonly name: string;
  readonly value: string;
  readonly from: number;
  readonly to: number;
}

const names = ["in", "from", "mentions", "before", "after", "on", "has", "is"];
/** The quotes that begin and end a phrase. */
const quotes = "\"\u201c-\u201f\u00ab\u00bb\u301d-\u301f\uff02";
const phrase = `-?[${quotes}][^${quotes}]*[${quotes}]?`;
/** A phrase, or a word, which ends before a phrase. */
const parts = new RegExp(`${phrase}|[^\\s${quotes}]+`, "g");
const part = new RegExp(`^(?:${phrase}|\\S+)`);

/** Returns the filters of a query in order. A filter that is still typed has no value. */
export function filtersOf(query: string): Filter[] {
  return [...query.matchAll(parts)].flatMap(({ 0: word, index: from }) => {
    const [, name = "", value = ""] = /^(\w+):(.*)$/.exec(word) ?? [];
    return names.includes(name.toLowerCase())
      ? [{ name: name.toLowerCase(), value, from, to: from + word.length }]
      : [];
  });
}

/** Returns the words of a query, without filters, what it excludes, and quotes. */
export const wordsIn = (query: string): string[] => {
  const filters = filtersOf(query);
  return [...query.matchAll(parts)]
    .filter(({ 0: word, index }) => !word.startsWith("-") && !filters.some(f => f.from === index))
    .flatMap(([word]) => word.replace(new RegExp(`[${quotes}]`, "g"), " ").split(/\s+/).filter(Boolean));
};

/** Reports whether a query has a filter. */
export const hasFilter = (query: string, name: string, value: string): boolean =>
  filtersOf(query).some(f => f.name === name && f.value === value);

/** Returns a query with a filter behind it. */
export const withFilter = (query: string, name: string, value: string): string =>
  `${query.trimEnd()} ${name}:${value}`.trimStart();

/** A shorter word is the beginning of too many names. */
const shortest = 2;

/** What a query may have meant: the messages of a person whose name is among its words. */
export interface FromPerson { readonly name: string; readonly words: string; readonly query: string }

/** Returns the queries for messages of people whose names begin with words of a query: none if it names a sender. */
export function fromPeople(query: string, people: readonly Found[], most: number): FromPerson[] {
  if (filtersOf(query).some(f => f.name === "from")) return [];
  const all = [...query.matchAll(parts)].map(([word]) => word);
  return people.flatMap(({ user, name }) => {
    const names = `${name} ${user}`.toLowerCase().split(/\s+/);
    const isName = (word = "") => word.length >= shortest && names.some(n => n.startsWith(word.toLowerCase()));
    const words = all.filter((word, i) => !isName(word) && !(/^from$/i.test(word) && isName(all[i + 1]))).join(" ");
    return words === all.join(" ") ? [] : [{ name, words, query: withFilter(words, "from", user) }];
  }).slice(0, most);
}

/** Returns a query without some of its filters. */
export function withoutFilters(query: string, is: (f: Filter) => boolean): string {
  const cut = (text: string, { from, to }: Filter) => `${text.slice(0, from).trimEnd()} ${text.slice(to).trimStart()}`;
  return filtersOf(query).filter(is).reduceRight(cut, query).trim();
}

/** Adds a filter to a query, or takes it away. */
export function toggled(query: string, name: string, value: string): string {
  return hasFilter(query, name, value)
    ? withoutFilters(query, f => f.name === name && f.value === value)
    : withFilter(query, name, value);
}

/** Returns a query in which a filter has another value, and the place behind it. */
export function completed(query: string, { name, from, to }: Filter, value: string): {
  readonly text: string; readonly at: number;
} {
  const start = `${query.slice(0, from)}${name}:${value} `;
  return { text: start + query.slice(to).trimStart(), at: start.length };
}

/** Why the server refused a query, and the place at fault: from is the index of its first character. */
export interface Fault { readonly text: string; readonly from?: number; readonly to?: number }

/** Returns a rule such as "must have a value, at character 3" as a sentence, and the place in the query. */
export function faultOf(rule: string, query: string): Fault {
  const [, words = rule, character] = /^(.*), at character (\d+)$/.exec(rule) ?? [];
  const text = `${words.startsWith("must") ? "The query " : ""}${words}${words.endsWith(":") ? "" : "."}`;
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  if (!character) return { text: sentence };
  const from = [...query].slice(0, Number(character) - 1).join("").length; // characters may be two code units
  const [at = ""] = part.exec(query.slice(from)) ?? [];
  return { text: sentence, from, to: from + at.length };
}
