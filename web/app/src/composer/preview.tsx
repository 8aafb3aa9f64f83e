import { useState } from "preact/hooks";
import { parse, type Piece } from "../ui/markup.js";
import { Text } from "../ui/text.js";

/** Where the browser keeps that a person wants no preview. */
const key = "parley.preview";

/** Reports whether a text shows otherwise than it is typed. */
export const hasMarkup = (text: string): boolean => /[*_~`>[\-•.]/.test(text) && parse(text).some(isMarkup);

const isMarkup = (p: Piece): boolean => typeof p !== "string" && !(p.kind === "link" && p.pieces[0] === p.href);

/** How a text with markup will look: it lies over the end of the messages, and moves nothing. */
export function Preview({ text }: { text: string }) {
  const [hidden, setHidden] = useState(localStorage.getItem(key) === "off");
  const toggle = () => {
    localStorage.setItem(key, hidden ? "on" : "off");
    setHidden(!hidden);
  };
  return (
    <>
      <button type="button" class="link" onClick={toggle}>{hidden ? "Show preview" : "Hide preview"}</button>
      {!hidden && <div class="as-sent" role="group" aria-label="Preview"><div class="body" dir="auto"><Text text={text} /></div></div>}
    </>
  );
}
