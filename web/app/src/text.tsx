import type { VNode } from "preact";
import { isEmoji, parse, type Piece } from "./markup.js";

/** The text of a message with links, code and emphasis. */
export function Text({ text, id }: { text: string; id?: string }): VNode {
  return <div class={isEmoji(text) ? "text emoji" : "text"} dir="auto" id={id}>{parse(text).map(show)}</div>;
}

function show(p: Piece): string | VNode {
  if (typeof p === "string") return p;
  switch (p.kind) {
    case "link": return <a href={p.href} target="_blank" rel="noopener noreferrer">{p.text}</a>;
    case "code": return <code>{p.text}</code>;
    case "block": return <pre dir="auto"><code>{p.text}</code></pre>;
    case "em": return <em>{p.pieces.map(show)}</em>;
    case "strong": return <strong>{p.pieces.map(show)}</strong>;
  }
}
