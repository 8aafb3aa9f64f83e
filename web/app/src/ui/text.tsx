import type { VNode } from "preact";
import { isEmoji, parse, type Piece } from "./markup.js";

/** The text of a message with links, code and emphasis, and the names with an @ before them that it mentions. Each may be followed by a tab and a user id. */
export function Text({ text, names = [] }: { text: string; names?: readonly string[] }): VNode {
  return <span class={isEmoji(text) ? "text emoji" : "text"}>{parse(text).map(p => show(p, names))}</span>;
}

function show(p: Piece, names: readonly string[]): string | VNode | (string | VNode)[] {
  if (typeof p === "string") return marked(p, names);
  switch (p.kind) {
    // The log is one stop of the Tab key: links are reached by Enter and the arrows.
    case "link": return <a href={p.href} target="_blank" rel="noopener noreferrer" tabIndex={-1}>{p.text}</a>;
    case "code": return <code>{p.text}</code>;
    case "block": return <pre dir="ltr"><code>{p.text}</code></pre>;
    case "em": return <em>{p.pieces.map(p => show(p, names))}</em>;
    case "strong": return <strong>{p.pieces.map(p => show(p, names))}</strong>;
  }
}

/** Returns a text in which the names are marked wherever they occur. */
function marked(text: string, [line, ...others]: readonly string[]): string | (string | VNode)[] {
  const [name, user] = line?.split("\t") ?? [];
  if (!name) return text;
  const person = user ? { role: "button" as const, tabIndex: -1, "data-person": user } : {};
  return text.split(`@${name}`).flatMap((part, i) => [i ? <span class="mention" {...person}>@{name}</span> : "", marked(part, others)].flat());
}
