// Finds the messages of this page to which a text links, and says how one is forwarded. It is pure.

/** A message by its place. */
export interface Linked { readonly room: string; readonly id: string }

/** The most previews below one message. */
const mostPreviews = 3;

/** Returns the messages to which a text links. Base is the address of the page without its fragment. */
export function linkedMessages(text: string, base: string): readonly Linked[] {
  if (!text.includes("#/")) return [];
  const escaped = base.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const pattern = new RegExp(`(?:${escaped}|\\]\\()#/([\\w.~%-]+)/([\\w.~%-]+)`, "gi");
  const found = new Map<string, Linked>();
  for (const [, room = "", id = ""] of text.matchAll(pattern)) {
    const key = `${room}/${id.replace(/\.+$/, "")}`; // the dots end the sentence
    const linked = found.size < mostPreviews && decoded(key);
    if (linked) found.set(key, linked);
  }
  return [...found.values()];
}

/** A forwarded message: where it is, what it says, and what its sender adds. */
export interface Forwarded extends Linked { readonly comment: string; readonly quote: string }

/** Returns what a text forwards, if it is as forwarded makes it. */
export function forwardIn(text: string, base: string): Forwarded | undefined {
  const at = text.lastIndexOf("\n") + 1;
  const [linked] = text.startsWith(`${base}#/`, at) && !/\s/.test(text.slice(at))
    ? linkedMessages(text.slice(at), base)
    : [];
  if (!linked) return undefined;
  const lines = text.slice(0, at - 1).split("\n");
  const first = lines.findLastIndex(line => !line.startsWith("> ")) + 1;
  if (first === lines.length || (first > 0 && lines[first - 1])) return undefined;
  return {
    ...linked,
    comment: lines.slice(0, Math.max(0, first - 1)).join("\n"),
    quote: lines.slice(first).map(line => line.slice(2)).join("\n"),
  };
}

function decoded(key: string): Linked | undefined {
  try {
    const [room = "", id = ""] = key.split("/").map(decodeURIComponent);
    return { room, id };
  } catch {
    return undefined;
  }
}

/** The most characters of a message that are forwarded: the link leads to the rest. */
export const longestForward = 4000;

/** Returns the text that forwards a message: a comment, the message as a quote, and its link. */
export function forwarded(text: string, link: string, comment: string): string {
  const cut = text.length > longestForward ? `${text.slice(0, longestForward).replace(/[\ud800-\udbff]$/, "")}…` : text;
  const quote = cut.split("\n").map(line => `> ${line}`).join("\n");
  return [comment.trim(), `${quote}\n${link}`].filter(Boolean).join("\n\n");
}
