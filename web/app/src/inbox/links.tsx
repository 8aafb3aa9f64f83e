// The buttons of the inbox panels: what concerns the person in all rooms.
import { useValue } from "../state/cell.js";
import { mentionsIn } from "../state/counts.js";
import { type PanelKind, usePage } from "../state/page.js";
import { Icon, type IconName } from "../ui/icons.js";

/** The largest count that is shown, and the largest of mentions in a room that the server returns. */
const many = 100;

export function InboxLinks() {
  const page = usePage();
  const mentions = mentionsIn([...useValue(page.list).rooms, ...useValue(page.elsewhere)]);
  return (
    <ul>
      <PanelLink kind="activity" icon="at" name="Activity" count={mentions} />
      <PanelLink kind="threads" icon="thread" name="Threads" count={useValue(page.unreadThreads).length} />
      <PanelLink kind="saved" icon="saved" name="Saved" />
    </ul>
  );
}

function PanelLink({ kind, icon, name, count = 0 }: { kind: PanelKind; icon: IconName; name: string; count?: number }) {
  const { panel } = usePage();
  const open = useValue(panel) === kind;
  const shown = count >= many ? `${many - 1}+` : `${count}`;
  return (
    <li>
      <button
        type="button"
        class={count ? "room unread" : "room"}
        aria-pressed={open}
        onClick={() => (panel.value = open ? null : kind)}
      >
        <span class="glyph"><Icon name={icon} /></span>
        <span class="name cut">{name}{count > 0 && <span class="words">, {shown} unread</span>}</span>
        {count > 0 && <span class="badge" aria-hidden="true">{shown}</span>}
      </button>
    </li>
  );
}
