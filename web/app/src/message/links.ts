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

function decoded(key: string): Linked | undefined {
  try {
    const [room = "", id = ""] = key.split("/").map(decodeURIComponent);
    return { room, id };
  } catch {
    return undefined;
  }
}

/** The most characters of a message that are forwarded: the link leads to the rest. */
const longestForward = 4000;

/** Returns the text that forwards a message: a comment, the message as a quote, and its link. */
export function forwarded(text: string, link: string, comment: string): string {
  const cut = text.length > longestForward ? `${text.slice(0, longestForward).replace(/[\ud800-\udbff]$/, "")}…` : text;
  const quote = cut.split("\n").map(line => `> ${line}`).join("\n");
  return [comment.trim(), `${quote}\n${link}`].filter(Boolean).join("\n\n");
}
