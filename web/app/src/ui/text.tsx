import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { parse as routeOf } from "../state/route.js";
import { wordsOf } from "./inline.js";
import { isFewEmoji, parse, type Piece } from "./markup.js";

/**
 * The text of a message with its markup, and the names with an @ before them that it mentions. Each
 * may be followed by a tab and a user id.
 */
export function Text({ text, names = [] }: { text: string; names?: readonly string[] }): VNode {
  return <span class={isFewEmoji(text) ? "text emoji" : "text"}>{parse(text).map(p => show(p, names))}</span>;
}

type Shown = string | VNode | (string | VNode)[];

function show(p: Piece, names: readonly string[]): Shown {
  if (typeof p === "string") return marked(p, names);
  switch (p.kind) {
    case "code": return <code>{p.text}</code>;
    case "block": return <Code {...p} />;
    case "link": return <Link {...p} />;
    case "list": {
      const items = p.items.map(item => <li>{item.map(part => show(part, names))}</li>);
      return p.start === undefined ? <ul>{items}</ul> : <ol start={p.start}>{items}</ol>;
    }
    case "quote": return <blockquote>{p.pieces.map(part => show(part, names))}</blockquote>;
    default: {
      const Mark = p.kind;
      return <Mark>{p.pieces.map(part => show(part, names))}</Mark>;
    }
  }
}

/**
 * A link. Its title is the address, unless it shows that. The log is one stop of the Tab key: links
 * are reached by Enter and the arrows.
 */
function Link({ href, pieces }: { href: string; pieces: readonly Piece[] }) {
  if (href.startsWith("#/")) return <RoomLink href={href} pieces={pieces} />;
  const text = wordsOf(pieces);
  return (
    <a href={href} title={text === href ? undefined : href} target="_blank" rel="noopener noreferrer" tabIndex={-1}>
      {pieces.map(p => show(p, []))}
    </a>
  );
}

/** A link to a room of this page. One with the room's name shows the current one. */
function RoomLink({ href, pieces }: { href: string; pieces: readonly Piece[] }) {
  const { list } = usePage();
  const { room, message } = routeOf(href);
  const name = useValue(list).rooms.find(r => r.id === room && r.kind === "room")?.name;
  return (
    <a href={href} tabIndex={-1}>
      {name && !message && wordsOf(pieces).startsWith("#") ? `#${name}` : pieces.map(p => show(p, []))}
    </a>
  );
}

/** A block of code. Where it is wider than its place, it scrolls sideways, and is a stop of the Tab key. */
function Code({ text, language }: { text: string; language: string }) {
  const { toast } = usePage();
  const block = useRef<HTMLPreElement>(null);
  useEffect(() => {
    const pre = block.current;
    if (!pre) return undefined;
    const observer = new ResizeObserver(() => { pre.tabIndex = pre.scrollWidth > pre.clientWidth ? 0 : -1; });
    observer.observe(pre);
    return () => observer.disconnect();
  }, [text]);
  const copy = () => void navigator.clipboard.writeText(text)
    .then(() => toast("Code copied."), () => toast("The browser does not allow copying. Select the code instead."));
  return (
    <span class={language ? "code" : "code bare"}>
      <span class="code-head small quiet">
        <span>{language}</span>
        <button type="button" aria-label="Copy code" tabIndex={-1} onClick={copy}>Copy</button>
      </span>
      <pre ref={block} dir="ltr"><code>{text}</code></pre>
    </span>
  );
}

/** Returns a text in which the names are marked wherever they occur. */
function marked(text: string, names: readonly string[]): Shown {
  if (!names.length || !text.includes("@")) return text;
  const people = new Map<string, string | undefined>();
  for (const [name = "", user] of names.map(line => line.split("\t"))) {
    if (user) people.set(user.toLowerCase(), user);
    people.set(name.toLowerCase(), user);
  }
  const escaped = [...people.keys()]
    .sort((a, b) => b.length - a.length)
    .map(name => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`(@(?:${escaped.join("|")})(?![\\p{L}\\p{N}_-]))`, "iu");
  return text.split(pattern).map((part, i) => {
    if (i % 2 === 0) return part;
    const user = people.get(part.slice(1).toLowerCase());
    const person = user ? { role: "button" as const, tabIndex: -1, "data-person": user } : {};
    return <bdi class="mention" {...person}>{part}</bdi>; // its @ stays before a name of another direction
  });
}
