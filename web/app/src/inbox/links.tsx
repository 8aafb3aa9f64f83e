// The buttons of the inbox panels: what concerns the person in all rooms.
import { useEffect, useState } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { type Page, type PanelKind, usePage } from "../state/page.js";
import { mentionsIn } from "../state/counts.js";
import { Icon, type IconName } from "../ui/icons.js";

/** The largest count that is shown, and the largest of mentions in a room that the server returns. */
const many = 100;
/** Threads with unread replies are counted soon after an event about threads, and later after other changes. */
const soon = 1_000;
const later = 15_000;

export function InboxLinks() {
  const page = usePage();
  const mentions = mentionsIn(useValue(page.list).rooms);
  return (
    <ul>
      <PanelLink kind="mentions" icon="at" name="Mentions" count={mentions} />
      <PanelLink kind="threads" icon="thread" name="Threads" count={useUnreadThreads(page)} />
      <PanelLink kind="saved" icon="saved" name="Saved" />
    </ul>
  );
}

/** Returns the number of followed threads with unread replies, among the newest. */
function useUnreadThreads({ chat, list }: Page): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const c = chat.value;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let due = Infinity;
    const load = () => {
      due = Infinity;
      void c?.request("GET", "/people/me/threads?limit=50").then(({ items }) => setCount(items.filter(t => t.unread).length), () => undefined); // the next change retries
    };
    const loadIn = (ms: number) => {
      if (Date.now() + ms >= due) return; // it is loaded by then
      clearTimeout(timer);
      due = Date.now() + ms;
      timer = setTimeout(load, ms);
    };
    const listener = (e: { type: string }) => { if (/^(reply\.created|thread\.changed)$/.test(e.type)) loadIn(soon); };
    loadIn(soon);
    const ends = [c?.on("change", listener), c?.on("personal", listener), list.subscribe(() => loadIn(later))];
    return () => {
      clearTimeout(timer);
      for (const end of ends) end?.();
    };
  }, [chat.value]);
  return count;
}

function PanelLink({ kind, icon, name, count = 0 }: { kind: PanelKind; icon: IconName; name: string; count?: number }) {
  const { panel } = usePage();
  const open = useValue(panel) === kind;
  const shown = count >= many ? `${many - 1}+` : `${count}`;
  return (
    <li>
      <button type="button" class={count ? "room unread" : "room"} aria-pressed={open} onClick={() => (panel.value = open ? null : kind)}>
        <span class="glyph"><Icon name={icon} /></span>
        <span class="name cut">{name}{count > 0 && <span class="words">, {shown} unread</span>}</span>
        {count > 0 && <span class="badge" aria-hidden="true">{shown}</span>}
      </button>
    </li>
  );
}
