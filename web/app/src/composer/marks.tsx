// The marks for the text of a message. The code is loaded after the first paint.
import { useState } from "preact/hooks";
import type { Edit } from "../ui/aids.js";
import { hasKeys } from "../ui/focus.js";
import { narrow } from "../ui/menu.js";
import { inBrackets, prefixed } from "./edits.js";

/**
 * Where the browser keeps whether a person wants the marks. Unless they chose, the marks are hidden
 * on a phone and in a narrow window.
 */
const key = "parley.marks";

const before = (mark: string): Edit => (text, start, end) => prefixed(text, start, end, mark);

/** The marks: label, keys, icon, and the mark around words or another change. */
const marks: readonly (readonly [label: string, keys: string, icon: string, edit: string | Edit])[] = [
  ["Bold", "Control+B", "M8 5h5a3.25 3.25 0 0 1 0 6.5H8zM8 11.5h6a3.5 3.5 0 0 1 0 7H8z", "**"],
  ["Italic", "Control+I", "M10.5 5h6M7.5 19h6M13.5 5l-3 14", "_"],
  [
    "Strikethrough",
    "Control+Shift+X",
    "M4 12h16M16 7.5C15 4.5 8 4.5 8 8c0 2 2 3 4 4M8 16.5c1 3 8.5 3 8.5-1 0-1.5-.5-2.5-2-3.5",
    "~~",
  ],
  ["Code", "Control+E", "m8.5 7-5 5 5 5M15.5 7l5 5-5 5", "`"],
  [
    "Link",
    "",
    "M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1",
    inBrackets,
  ],
  ["List", "", "M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5v.01M4.5 12v.01M4.5 17.5v.01", before("- ")],
  ["Quotation", "", "M5 5v14M9.5 7.5h10M9.5 12h10M9.5 16.5h6", before("> ")],
];

function Glyph({ path }: { path: string }) {
  return <svg class="svg" viewBox="0 0 24 24" aria-hidden="true"><path d={path} /></svg>;
}

/** The button that shows or hides the marks, and the marks: one stop of the Tab key, in which the arrows move. */
export default function Marks({ onMark }: { onMark(edit: string | Edit): void }) {
  const [shown, show] = useState((localStorage.getItem(key) ?? (hasKeys() && !narrow.matches ? "on" : "off")) === "on");
  const [at, setAt] = useState(0);
  const toggle = () => {
    localStorage.setItem(key, shown ? "off" : "on");
    show(!shown);
  };
  const onKeyDown = (e: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (!step) return;
    e.preventDefault();
    const next = (at + step + marks.length) % marks.length;
    setAt(next);
    e.currentTarget.querySelectorAll("button")[next]?.focus();
  };
  const stay = (e: Event) => e.preventDefault(); // a press does not take the focus and the selection from the field
  return (
    <>
      <button
        type="button"
        class="icon"
        aria-label="Formatting"
        title={shown ? "Hide formatting" : "Show formatting"}
        aria-pressed={shown}
        onMouseDown={stay}
        onClick={toggle}
      >
        <Glyph path="M3 18 7.5 6 12 18M4.5 14h6M20.5 11v7M20.5 14.5a3 3 0 1 1-6 0 3 3 0 0 1 6 0" />
      </button>
      {shown && (
        <div class="marks" role="toolbar" aria-label="Formatting" onKeyDown={onKeyDown}>
          {marks.map(([label, keys, icon, edit], i) => (
            <button
              key={label}
              type="button"
              class="icon"
              aria-label={label}
              title={label}
              aria-keyshortcuts={keys || undefined}
              tabIndex={i === at ? 0 : -1}
              onMouseDown={stay}
              onFocus={() => setAt(i)}
              onClick={() => onMark(edit)}
            >
              <Glyph path={icon} />
            </button>
          ))}
        </div>
      )}
    </>
  );
}
