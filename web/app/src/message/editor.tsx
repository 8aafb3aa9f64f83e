import type { Message, Room } from "@parley/client";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { usePage } from "../state/page.js";
import { grow, restOf, restWords } from "../ui/field.js";
import { focusComposer } from "../ui/focus.js";

/** The field in place of a message's text. Enter saves, Escape cancels. */
export function Editor({ room, message }: { room: Room; message: Message }) {
  const { editing, toastError } = usePage();
  const field = useRef<HTMLTextAreaElement>(null);
  const [saving, setSaving] = useState(false);
  const [text, setText] = useState(message.text);
  const rest = restOf(text);
  const empty = text.trim() === "";
  useLayoutEffect(() => {
    const f = field.current;
    if (!f) return undefined;
    grow(f);
    f.focus({ preventScroll: true }); // it would leave the buttons out of sight
    f.setSelectionRange(f.value.length, f.value.length);
    const frame = requestAnimationFrame(() => f.form?.scrollIntoView({ block: "nearest" }));
    return () => cancelAnimationFrame(frame);
  }, []);

  const end = () => {
    editing.value = null;
    focusComposer();
  };
  const save = async () => {
    if (saving || empty || (rest ?? 0) < 0) return;
    if (text.trim() === message.text) return end();
    setSaving(true);
    try {
      await room.edit(message.id, text.trim());
      end();
    } catch (error) {
      toastError(error);
      setSaving(false);
    }
  };
  const keys = (e: KeyboardEvent) => {
    e.stopPropagation();
    if (e.key === "Escape") end();
    if (e.key === "Enter" && !e.shiftKey && !e.isComposing) {
      e.preventDefault();
      void save();
    }
  };
  const input = (e: Event) => {
    const f = e.currentTarget as HTMLTextAreaElement;
    grow(f);
    setText(f.value);
  };
  return (
    <form class="editor" onSubmit={e => { e.preventDefault(); void save(); }}>
      <textarea ref={field} aria-label="Edit message" dir="auto" rows={1} defaultValue={message.text} onInput={input} onKeyDown={keys} />
      <div class="acts">
        <span class="small quiet">{restWords(rest)}</span>
        <button type="button" class="button plain" onClick={end}>Cancel</button>
        <button type="submit" class="button" disabled={saving || empty || (rest ?? 0) < 0}>Save</button>
      </div>
    </form>
  );
}
