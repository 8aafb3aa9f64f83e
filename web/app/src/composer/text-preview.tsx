import { cell, useValue } from "../state/cell.js";
import { Text } from "../ui/text.js";

/** Where the browser keeps that a person wants no preview. */
const key = "parley.preview";

const hidden = cell(localStorage.getItem(key) === "off");

function toggle(): void {
  hidden.value = !hidden.value;
  localStorage.setItem(key, hidden.value ? "off" : "on");
}

/** How a text with markup will look, or without a text the button that hides that. */
export default function Preview({ text }: { text?: string }) {
  const off = useValue(hidden);
  if (text === undefined) {
    return <button type="button" class="link" onClick={toggle}>{off ? "Show preview" : "Hide preview"}</button>;
  }
  if (off) return null;
  // a long one scrolls
  return (
    <div class="as-sent" role="group" aria-label="Preview" tabIndex={0}>
      <div class="body" dir="auto"><Text text={text} /></div>
    </div>
  );
}
