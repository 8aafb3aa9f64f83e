// The parts of the timeline that the first paint does without. They are one chunk, which is loaded with
// the first messages.
import type { Room } from "@parley/client";
import { useEffect } from "preact/hooks";
import { Announcer } from "./announcer.js";
import { focusComposer } from "./composing.js";
import { logKey } from "./keys.js";

export { Confirm } from "./confirm.js";
export { Editor } from "./editor.js";
export { Tools } from "./tools.js";

/** Adds the keys of the log, and tells screen readers what others write. */
export function Companion({ room, log }: { room: Room; log: { readonly current: HTMLElement | null } }) {
  useEffect(() => {
    const element = log.current;
    if (!element) return;
    const key = (e: KeyboardEvent) => logKey(element, e, focusComposer);
    element.addEventListener("keydown", key);
    return () => element.removeEventListener("keydown", key);
  }, [log]);
  return <Announcer room={room} />;
}
