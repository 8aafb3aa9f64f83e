import type { Room } from "@parley/client";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { isThread } from "../message/find.js";
import { useValue } from "../state/cell.js";
import { draftChanges, draftOf, keepDraft } from "../state/drafts.js";
import { usePage } from "../state/page.js";

/** A draft is stored this long after the last key, and when the field or the page is left. */
const draftPause = 300;

/**
 * Shows the draft of the room or the thread, and returns a function that stores it. While the field is
 * not in use, it shows what another tab has stored.
 */
export function useDraft(room: Room, draft: string, field: {
  readonly current: HTMLTextAreaElement | null;
}, shown: () => void): (text: string) => void {
  const { me, route } = usePage();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** The text that was stored or shown last: it does not overwrite another tab's text. */
  const known = useRef("");
  const store = () => {
    clearTimeout(timer.current);
    const text = field.current?.value ?? "";
    if (text === known.current) return;
    known.current = text;
    keepDraft(me.value, draft, text);
  };
  const show = (f: HTMLTextAreaElement) => {
    f.value = known.current = draftOf(me.value, draft);
    shown();
  };
  useLayoutEffect(() => {
    const f = field.current;
    if (!f) return;
    show(f);
    // A link to a message moves the focus there, and a panel or a dialog keeps it. An on-screen keyboard
    // would cover the room.
    const free = isThread(room) || !(route.value.message || document.activeElement?.closest(".panel, dialog"));
    if (free && matchMedia("(pointer: fine)").matches) f.focus();
    addEventListener("pagehide", store);
    f.addEventListener("blur", store);
    return () => {
      removeEventListener("pagehide", store);
      f.removeEventListener("blur", store);
      clearTimeout(timer.current);
      if (f.value !== known.current) keepDraft(me.value, draft, f.value);
    };
  }, [room]);
  const changes = useValue(draftChanges);
  useEffect(() => {
    const f = field.current;
    const inUse = document.hasFocus() && document.activeElement === f;
    if (f && !inUse && f.value === known.current && draftOf(me.value, draft) !== f.value) show(f);
  }, [changes]);
  return () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(store, draftPause);
  };
}
