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

/** Returns a change of a text with a selection. */
export type Edit = (text: string, start: number, end: number) => Change;

/** Changes the text of a field: by a mark around the selected words, or in another way. */
export function mark(field: Field, edit: string | Edit): void {
  const { value, selectionStart: start, selectionEnd: end } = field;
  apply(field, typeof edit === "string" ? marked(value, start, end, edit) : edit(value, start, end));
}

/** Returns the mark of a key; undefined if it is for none. */
function markOf(e: KeyboardEvent): string | undefined {
  if (!(e.ctrlKey || e.metaKey) || e.altKey) return undefined;
  const marks: Record<string, string> = e.shiftKey ? { x: "~~", c: "`" } : { b: "**", i: "_", e: "`" };
  return marks[e.key.toLowerCase()];
}

/**
 * Returns what Enter does unless the person chose: the keyboard of a phone has no Shift+Enter, so
 * it begins a line there.
 */
export const usualEnter = (): "line" | "send" => (matchMedia("(pointer: coarse)").matches ? "line" : "send");

/** Reports whether Enter sends in this browser. */
export const enterSends = (): boolean => (localStorage.getItem("parley.enter") ?? usualEnter()) === "send";

/** Reports whether a key sends the text of a field. Ctrl+Enter always does. */
export const sends = (e: KeyboardEvent): boolean =>
  e.key === "Enter" && !e.shiftKey && !e.isComposing && (e.ctrlKey || e.metaKey || enterSends());

/** Handles the keys of emphasis, and a new line in a list. It reports whether it did. */
export function aid(e: KeyboardEvent & { readonly currentTarget: EventTarget | null }): boolean {
  const field = e.currentTarget as Field;
  const { value, selectionStart: start, selectionEnd: end } = field;
  const mark = markOf(e);
  const done = mark ? apply(field, marked(value, start, end, mark))
    : e.key === "Enter" && !e.isComposing && !sends(e) && start === end && apply(field, continued(value, start));
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
