// The ways to what concerns the person in all rooms.
import { useEffect } from "preact/hooks";
import { type PanelKind, chat, list, panel, useValue } from "../state/store.js";

/** The server counts no further in a room. */
const manyMentions = 100;
/** The list of rooms is read again so long after a marker has moved: the answer to that tells of no mentions. */
const settle = 2_500;

export function InboxLinks() {
  const { rooms } = useValue(list);
  const mentions = rooms.reduce((sum, r) => sum + r.mentions, 0);
  const markers = rooms.filter(r => r.mentions).map(r => `${r.id} ${r.read}`).join();
  useEffect(() => {
    if (!markers) return undefined;
    const timer = setTimeout(() => void chat.value?.rooms.reload().catch(() => undefined), settle); // the next change tries again
    return () => clearTimeout(timer);
  }, [markers]);
  const count = mentions >= manyMentions ? `${manyMentions - 1}+` : `${mentions}`;
  return (
    <>
      <Way kind="mentions">
        <span>Mentions{mentions > 0 && <span class="words">, {count} unread</span>}</span>{mentions > 0 && <span class="badge" aria-hidden="true">{count}</span>}
      </Way>
      <Way kind="threads">Threads</Way>
      <Way kind="saved">Saved</Way>
    </>
  );
}

function Way({ kind, children }: { kind: PanelKind; children: preact.ComponentChildren }) {
  const open = useValue(panel) === kind;
  return <button type="button" aria-pressed={open} onClick={() => (panel.value = open ? null : kind)}>{children}</button>;
}
