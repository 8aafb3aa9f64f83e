// The panel beside the timeline. Its code is loaded when it is first opened.
import type { Room } from "@parley/client";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { Documents } from "../documents/documents.js";
import { Mentions } from "../inbox/mentions.js";
import { Saved } from "../inbox/saved.js";
import { History } from "../message/history.js";
import { Pins } from "../message/pins.js";
import { ReportMessage } from "../message/report.js";
import { People } from "../people/people.js";
import { Votes } from "../polls/votes.js";
import { Settings } from "../room-settings/settings.js";
import { Places } from "../rooms/places.js";
import { roomName } from "../state/names.js";
import { panel, type PanelKind, useValue } from "../state/store.js";
import { Threads } from "../threads/followed.js";
import { useBack } from "../ui/back.js";
import { IconButton } from "../ui/icons.js";
import { lazy } from "../ui/lazy.js";

const Thread = lazy(() => import("../threads/thread.js"));

/** The frame of a part of the panel. Its name is the heading and the room. */
export interface Page {
  readonly title: string;
  /** The name for screen readers, such as "People in general". */
  readonly label: string;
  readonly body: ComponentChildren;
}

interface PanelProps { readonly room: Room | null; readonly kind: PanelKind }

const close = () => { panel.value = null; };

/** The panel of a kind. Those of what concerns the person need no room. */
export default function Panel({ room, kind }: PanelProps) {
  const page = personal(room, kind);
  useEffect(() => { if (!page && !room) close(); }, []);
  if (page) return <Frame page={page} onClose={close} />;
  return room && <RoomPanel room={room} kind={kind} />;
}

function RoomPanel({ room, kind }: PanelProps & { room: Room }) {
  const { info } = useValue(room);
  return <Frame page={pageOf(room, kind, info ? roomName(info) : room.id, close)} onClose={close} />;
}

function Frame({ page, onClose }: { page: Page; onClose: () => void }) {
  const aside = useRef<HTMLElement>(null);
  useFocusInside(aside);
  useBack(onClose, phone.matches);
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key === "Escape" && !e.defaultPrevented && !(e.target as Element).closest("dialog")) onClose();
  };
  return (
    <aside ref={aside} class="panel" aria-label={page.label} onKeyDown={onKeyDown}>
      <header class="p-head">
        <h2 tabIndex={-1}>{page.title}</h2>
        <IconButton name="close" label={`Close ${page.title.toLowerCase()}`} onClick={onClose} />
      </header>
      {page.body}
    </aside>
  );
}

function personal(room: Room | null, kind: PanelKind): Page | undefined {
  switch (kind) {
    case "mentions":
      return { title: "Mentions", label: "Mentions of you", body: <Mentions room={room} /> };
    case "threads":
      return { title: "Threads", label: "Threads that you follow", body: <Threads room={room} /> };
    case "saved":
      return { title: "Saved messages", label: "Saved messages", body: <Saved room={room} /> };
  }
  return undefined;
}

function pageOf(room: Room, kind: PanelKind, name: string, onClose: () => void): Page {
  const [what, message] = [kind.split(":", 1)[0], kind.slice(kind.indexOf(":") + 1)];
  switch (what) {
    case "settings":
      return { title: "Settings", label: `Settings of ${name}`, body: <Settings room={room} name={name} onClose={onClose} /> };
    case "documents":
      return { title: "Documents", label: `Documents in ${name}`, body: <Documents room={room} /> };
    case "pins":
      return { title: "Pinned messages", label: `Pinned messages in ${name}`, body: <Pins room={room} /> };
    case "places":
      return { title: "Places", label: "Places", body: <Places room={room} onClose={onClose} /> };
    case "thread":
      return { title: "Thread", label: `Thread in ${name}`, body: <Thread room={room} root={message} /> };
    case "history":
      return { title: "Edit history", label: "Edit history", body: <History room={room} message={message} /> };
    case "votes":
      return { title: "Votes", label: "Votes in a poll", body: <Votes room={room} message={message} /> };
    case "report":
      return { title: "Report", label: `Report a message in ${name}`, body: <ReportMessage room={room} name={name} message={message} onClose={onClose} /> };
  }
  return { title: "People", label: `People in ${name}`, body: <People room={room} name={name} /> };
}

/** The width up to which the panel covers the whole page, as in panel.css. */
const phone = matchMedia("(max-width: 719px)");

/**
 * Moves the focus to the panel's first field or its heading, and back to where it was when the
 * panel closes. While the panel covers the whole page, what is below it cannot be reached.
 */
function useFocusInside(ref: { current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const aside = ref.current;
    if (!aside) return undefined;
    const opener = document.activeElement;
    const row = opener?.closest("article"); // whose buttons may be gone by then
    const others = Array.from(document.querySelectorAll(".nav, .room-pane"));
    const cover = () => { for (const other of others) other.toggleAttribute("inert", phone.matches); };
    cover();
    phone.addEventListener("change", cover);
    (aside.querySelector<HTMLElement>("[autofocus]") ?? aside.querySelector("h2"))?.focus();
    return () => {
      phone.removeEventListener("change", cover);
      for (const other of others) other.removeAttribute("inert");
      const lost = document.activeElement === document.body || aside.contains(document.activeElement);
      if (lost) ([opener, row].find(e => e !== document.body && e?.isConnected) as HTMLElement | undefined)?.focus();
    };
  }, []);
}
