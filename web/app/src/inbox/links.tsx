// The buttons of the inbox panels: what concerns the person in all rooms.
import { useEffect } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { type PanelKind, usePage } from "../state/page.js";

/** The largest count of mentions in a room that the server returns. */
const manyMentions = 100;
/** The list of rooms is reloaded this long after a read marker moved, to update the mentions. */
const settle = 2_500;

export function InboxLinks() {
  const { chat, list } = usePage();
  const { rooms } = useValue(list);
  const mentions = rooms.reduce((sum, r) => sum + r.mentions, 0);
  const markers = rooms.filter(r => r.mentions).map(r => `${r.id} ${r.read}`).join();
  useEffect(() => {
    if (!markers) return undefined;
    const timer = setTimeout(() => void chat.value?.rooms.reload().catch(() => undefined), settle); // the next change retries
    return () => clearTimeout(timer);
  }, [markers]);
  const count = mentions >= manyMentions ? `${manyMentions - 1}+` : `${mentions}`;
  return (
    <>
      <PanelButton kind="mentions">
        <span>Mentions{mentions > 0 && <span class="words">, {count} unread</span>}</span>{mentions > 0 && <span class="badge" aria-hidden="true">{count}</span>}
      </PanelButton>
      <PanelButton kind="threads">Threads</PanelButton>
      <PanelButton kind="saved">Saved</PanelButton>
    </>
  );
}

function PanelButton({ kind, children }: { kind: PanelKind; children: preact.ComponentChildren }) {
  const { panel } = usePage();
  const open = useValue(panel) === kind;
  return <button type="button" aria-pressed={open} onClick={() => (panel.value = open ? null : kind)}>{children}</button>;
}
