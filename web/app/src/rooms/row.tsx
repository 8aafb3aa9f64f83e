// A room of the list: a link, and a menu that the pointer, the keys and a long touch open.
import type { RoomEntry } from "@parley/client";
import type { ComponentChildren } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import { textOf } from "../files/files.js";
import { Face } from "../people/face.js";
import { StatusMark } from "../people/status.js";
import { useValue } from "../state/cell.js";
import { draftChanges, hasDraft } from "../state/drafts.js";
import { nameOf, roomName } from "../state/names.js";
import { type Page, usePage } from "../state/page.js";
import { href } from "../state/route.js";
import { Icon } from "../ui/icons.js";
import { lazy } from "../ui/lazy.js";
import { plain } from "../ui/markup.js";
import type { Anchor } from "../ui/place.js";
import { onPress } from "../ui/press.js";
import { arrangement } from "./arrangement.js";

const RoomMenu = lazy(() => import("./room-menu.js"));

const manyUnread = 1000; // the server counts no further
const manyMentions = 100;

const upTo = (count: number, many: number): string => (count >= many ? `${many - 1}+` : String(count));

export function RoomRow({ room }: { room: RoomEntry }) {
  const page = usePage();
  const name = roomName(page, room);
  const here = useValue(page.route).room === room.id;
  const { previews } = useValue(arrangement);
  useValue(page.blocked);
  useValue(draftChanges);
  const draft = !here && hasDraft(page.me.value, room.id);
  const link = useRef<HTMLAnchorElement>(null);
  const more = useRef<HTMLButtonElement>(null);
  const { anchor, open, close, onContextMenu, press } = useActions(link);
  const other = room.direct?.length === 2 && room.direct.find(user => user !== page.me.value);
  const present = useValue(page.present);
  const online = !!other && present.has(other);
  const failed = useValue(page.failed).get(room.id) ?? 0;
  const quiet = room.muted && !room.mentions;
  const classes = [
    "room", (room.addedBy || (room.unread && !quiet)) && "unread", room.muted && "muted", previews && "two-lines",
  ]
    .filter(Boolean)
    .join(" ");
  return (
    <li class="room-row" onContextMenu={onContextMenu} {...press}>
      <a ref={link} class={classes} href={href(room.id)} aria-current={here ? "page" : undefined}>
        <Glyph room={room} />
        <span class="name cut">
          <bdi>{name}</bdi>
          {other && <StatusMark user={other} people={{}} />}
          <span class="words">{online && ", online"}{words(room, draft, failed)}</span>
        </span>
        {previews && <span class="preview cut" dir="auto">{preview(page, room)}</span>}
        <Badges room={room} draft={draft} failed={failed} />
      </a>
      <button
        ref={more}
        type="button"
        class="icon row-more"
        aria-label={`Actions for ${name}`}
        title="Actions"
        aria-haspopup="menu"
        aria-expanded={!!anchor}
        onClick={() => (anchor ? close(false) : more.current && open(more.current, more.current))}
      >
        <Icon name="more" />
      </button>
      {anchor && <RoomMenu room={room} anchor={anchor} onClose={close} />}
    </li>
  );
}

/** Follows the menu of a row: a button, the second button of a pointer and a resting finger open it. */
function useActions(link: { readonly current: HTMLAnchorElement | null }) {
  const [anchor, setAnchor] = useState<Anchor | null>(null);
  const opener = useRef<HTMLElement | null>(null);
  const open = (at: Anchor, from: HTMLElement | null) => { opener.current = from; setAnchor(at); };
  const onContextMenu = (e: MouseEvent) => {
    e.preventDefault();
    if (anchor || !link.current) return;
    const atPointer = e.clientX > 0 || e.clientY > 0; // the menu key has no point
    open(
      atPointer ? { getBoundingClientRect: () => new DOMRect(e.clientX, e.clientY, 0, 0) } : link.current,
      link.current,
    );
  };
  const press = useMemo(() => onPress(() => { if (link.current) open(link.current, link.current); }), []);
  const close = (focus: boolean) => {
    setAnchor(null);
    if (focus) opener.current?.focus();
  };
  return { anchor, open, close, onContextMenu, press };
}

/** The words for a room's badges and glyphs, for its accessible name. */
function words({ addedBy, unread, mentions, muted, archived }: RoomEntry, draft: boolean, failed: number): string {
  const parts = [
    addedBy && "new",
    unread > 0 && `${upTo(unread, manyUnread)} unread`,
    mentions > 0 && `${upTo(mentions, manyMentions)} ${mentions === 1 ? "mention" : "mentions"}`,
    muted && "muted", archived && "archived", draft && "draft", failed > 0 && `${failed} not sent`,
  ];
  return parts.filter(Boolean).map(part => `, ${part}`).join("");
}

function Badges({ room: { unread, mentions, muted, kind }, draft, failed }: {
  room: RoomEntry; draft: boolean; failed: number;
}): ComponentChildren {
  return (
    // Other counts are another element: one that only grew would count as a shift.
    <span class="badges" aria-hidden="true" key={[draft, failed, muted, mentions, unread].join()}>
      {failed > 0 && <span class="alert">{failed > 1 && failed} Not sent</span>}
      {draft && <span class="draft">Draft</span>}
      {muted && <Icon name="mute" />}
      {mentions > 0 && <span class="badge">@{upTo(mentions, manyMentions)}</span>}
      {unread > 0 && !muted && (
        <span class={kind === "direct" ? "badge" : "badge calm"}>{upTo(unread, manyUnread)}</span>
      )}
    </span>
  );
}

function Glyph({ room }: { room: RoomEntry }) {
  const page = usePage();
  const present = useValue(page.present);
  const other = room.direct?.find(user => user !== page.me.value);
  if (other) return <Face user={other} people={page.chat.value?.rooms.people ?? {}} online={present.has(other)} />;
  return (
    <span class="glyph"><Icon name={room.archived ? "box" : room.visibility === "private" ? "lock" : "hash"} /></span>
  );
}

/** Returns the newest message in a line, with its sender unless that is clear. */
function preview(page: Page, { lastMessage: last, direct }: RoomEntry): string {
  if (!last) return "No messages yet";
  if (last.deletedAt) return "Message deleted";
  if (page.blocked.value.has(last.user)) return "Message from somebody you blocked";
  const text = plain(textOf(last));
  if (last.user === page.me.value) return `You: ${text}`;
  return direct?.length === 2 ? text : `${nameOf(page, {}, last.user)}: ${text}`;
}
