import type { Message, Room } from "@parley/client";
import type { TargetedEvent } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { usePage } from "../state/page.js";
import { aid, sends } from "../ui/aids.js";
import { grow, restOf, restWords } from "../ui/field.js";
import { focusComposer } from "../ui/focus.js";
import { paste } from "./paste.js";

/** The field in place of a message's text. Enter saves, unless it begins a line, and Escape cancels. */
export function Editor({ room, message, draft = message.text }: {
  room: Room; message: Message;
  /** The text to begin with, by default the message's. */
  draft?: string | undefined;
}) {
  const page = usePage();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(draft);
  const rest = restOf(text);
  const empty = text.trim() === "";
  useFocus(field);
  const end = () => {
    page.editing.value = null;
    focusComposer();
  };
  const save = () => {
    if (empty || (rest?.characters ?? 0) < 0) return;
    end();
    const refused = message.acts?.find(a => a.kind === "edit" && a.error);
    if (text.trim() !== message.text) room.edit(message.id, text.trim()).catch(() => undefined); // the message says so
    else if (refused) room.discard(refused.id);
  };
  const keys = (e: TargetedEvent<HTMLTextAreaElement, KeyboardEvent>) => {
    e.stopPropagation();
    if (aid(e)) return;
    if (e.key === "Escape") end();
    if (sends(e)) {
      e.preventDefault();
      save();
    }
  };
  const input = (e: Event) => {
    const f = e.currentTarget as HTMLTextAreaElement;
    grow(f);
    setText(f.value);
  };
  return (
    <form class="editor" onSubmit={e => { e.preventDefault(); save(); }}>
      <textarea
        ref={field}
        aria-label="Edit message"
        dir="auto"
        rows={1}
        defaultValue={draft}
        onInput={input}
        onKeyDown={keys}
        onPaste={paste}
      />
      <div class="acts">
        <span class="small quiet">{restWords(rest)}</span>
        <button type="button" class="button plain" onClick={end}>Cancel</button>
        <button type="submit" class="button" disabled={empty || (rest?.characters ?? 0) < 0}>Save</button>
      </div>
    </form>
  );
}

/** Moves the focus to the end of the field when it opens, in sight. */
function useFocus(field: { readonly current: HTMLTextAreaElement | null }): void {
  useLayoutEffect(() => {
    const f = field.current;
    if (!f) return undefined;
    grow(f);
    f.focus({ preventScroll: true }); // it would leave the buttons out of sight
    f.setSelectionRange(f.value.length, f.value.length);
    const frame = requestAnimationFrame(() => f.form?.scrollIntoView({ block: "nearest" }));
    return () => cancelAnimationFrame(frame);
  }, []);
}
