// The keys and the paste of the fields for messages. The browser can undo all of them.
import { replace } from "./field.js";
import { type Change, continued, linked, marked } from "./format.js";

type Field = HTMLTextAreaElement;

function apply(field: Field, change: Change | null): boolean {
  if (!change) return false;
  replace(field, change.from, change.to, change.text);
  field.setSelectionRange(change.start, change.end);
  return true;
}

/** Returns the mark of a key; undefined if it is for none. */
function markOf(e: KeyboardEvent): string | undefined {
  if (!(e.ctrlKey || e.metaKey) || e.altKey) return undefined;
  const marks: Record<string, string> = e.shiftKey ? { x: "~~", c: "`" } : { b: "**", i: "_", e: "`" };
  return marks[e.key.toLowerCase()];
}

/** Handles the keys of emphasis, and Shift+Enter in a list. It reports whether it did. */
export function aid(e: KeyboardEvent & { readonly currentTarget: EventTarget | null }): boolean {
  const field = e.currentTarget as Field;
  const { value, selectionStart: start, selectionEnd: end } = field;
  const mark = markOf(e);
  const done = mark ? apply(field, marked(value, start, end, mark))
    : e.key === "Enter" && e.shiftKey && start === end && apply(field, continued(value, start));
  if (done) e.preventDefault();
  return done;
}

/** Makes the selection the text of a link that is pasted over it. It reports whether it did. */
export function pasteLink(e: ClipboardEvent & { readonly currentTarget: EventTarget | null }): boolean {
  const field = e.currentTarget as Field;
  const pasted = e.clipboardData?.getData("text/plain") ?? "";
  const done = apply(field, linked(field.value, field.selectionStart, field.selectionEnd, pasted));
  if (done) e.preventDefault();
  return done;
}
