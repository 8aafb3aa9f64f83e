import type { VNode } from "preact";
import { isEmoji, parse, type Piece } from "./markup.js";

/** The text of a message with links, code and emphasis. */
export function Text({ text }: { text: string }): VNode {
  return <span class={isEmoji(text) ? "text emoji" : "text"}>{parse(text).map(show)}</span>;
}

function show(p: Piece): string | VNode {
  if (typeof p === "string") return p;
  switch (p.kind) {
    // The log is one stop of the Tab key: links are reached by Enter and the arrows.
    case "link": return <a href={p.href} target="_blank" rel="noopener noreferrer" tabIndex={-1}>{p.text}</a>;
    case "code": return <code>{p.text}</code>;
    case "block": return <pre dir="ltr"><code>{p.text}</code></pre>;
    case "em": return <em>{p.pieces.map(show)}</em>;
    case "strong": return <strong>{p.pieces.map(show)}</strong>;
  }
}
