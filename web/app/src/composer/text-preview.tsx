import { useState } from "preact/hooks";
import { Text } from "../ui/text.js";

/** Where the browser keeps that a person wants no preview. */
const key = "parley.preview";

/** How a text with markup will look: it lies over the end of the messages, and moves nothing. */
export default function Preview({ text }: { text: string }) {
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
