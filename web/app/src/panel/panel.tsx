// The panel next to the timeline. Its code is loaded when it is first opened.
import type { Room } from "@parley/client";
import { type ComponentChildren, Fragment } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Documents } from "../documents/documents.js";
import { Saved } from "../inbox/saved.js";
import { History } from "../message/history.js";
import { Pins } from "../message/pins.js";
import { Reactors } from "../message/reactors.js";
import { ReportMessage } from "../message/report.js";
import { reportWords } from "../people/open-reports.js";
import { People } from "../people/people.js";
import { Votes } from "../polls/votes.js";
import { Settings } from "../room-settings/settings.js";
import { Places } from "../rooms/places.js";
import { useValue } from "../state/cell.js";
import { knownName } from "../state/names.js";
import { type PanelKind, usePage } from "../state/page.js";
import { Threads } from "../threads/followed.js";
import { useBack } from "../ui/back.js";
import { covering } from "../ui/covering.js";
import { backToComposer } from "../ui/focus.js";
import { IconButton } from "../ui/icons.js";
import { lazy } from "../ui/lazy.js";

const Activity = lazy(() => import("../activity/activity.js"));
const Search = lazy(() => import("../search/search-panel.js"));
const RoomFiles = lazy(() => import("../message/room-files.js"));
const Thread = lazy(() => import("../threads/thread.js"));

/** The contents of the panel. */
interface Contents {
  readonly title: string;
  /** The number of new items, next to the title. */
  readonly note?: string;
  /** The name for screen readers, such as "People in general". */
  readonly label: string;
  /** Whether it takes about half of a wide page. */
  readonly wide?: boolean;
  readonly body: ComponentChildren;
}

interface PanelProps {
  readonly room: Room | null;
  readonly kind: PanelKind;
  /** Where the person was when they asked for the panel. */
  readonly asked: { readonly focus: Element | null; readonly room: Room | null };
}

/** The panel of a kind, which stays when the person goes to another room. The inbox panels need no room. */
export default function Panel({ room, kind, asked }: PanelProps) {
  const [moved] = useState(() => hasMoved(asked, room));
  const { panel } = usePage();
  const inbox = inboxContents(room, kind);
  const close = () => { panel.value = null; };
  useEffect(() => { if (!inbox && !room) close(); }, [room]);
  if (inbox) return <Frame contents={inbox} moved={moved} onClose={close} />;
  return room && <RoomPanel room={room} kind={kind} moved={moved} onClose={close} />;
}

/**
 * Reports whether the person has moved the focus while the code was loaded, and not merely lost it with a removed
 * element.
 */
function hasMoved({ focus, room: then }: PanelProps["asked"], room: Room | null): boolean {
  const now = document.activeElement;
  return now !== focus && now !== document.body && (!!focus?.isConnected || room !== then);
}

function RoomPanel({ room, kind, moved, onClose }: {
  room: Room; kind: PanelKind; moved: boolean; onClose: () => void;
}) {
  const page = usePage();
  const { info } = useValue(room);
  const { room: counted, count } = useValue(page.openReports);
  const { body, ...contents } = roomContents(room, kind, knownName(page, info), onClose);
  const note = kind === "people" && counted === room.id && count > 0 ? { note: reportWords(count) } : {};
  return (
    <Frame
      contents={{ ...contents, ...note, body: <Fragment key={room.id}>{body}</Fragment> }}
      moved={moved}
      onClose={onClose}
    />
  );
}

function Frame({ contents: { title, note, label, wide, body }, moved, onClose }: {
  contents: Contents; moved: boolean; onClose: () => void;
}) {
  const aside = useRef<HTMLElement>(null);
  useFocusInside(aside, moved);
  useBack(onClose, covering.matches);
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.key === "Escape" && !e.defaultPrevented && !(e.target as Element).closest("dialog")) onClose();
  };
  return (
    <>
      <div class="p-scrim" onClick={onClose} />
      <aside ref={aside} class={wide ? "panel wide" : "panel"} aria-label={label} onKeyDown={onKeyDown}>
        <header class="p-head">
          <h2 tabIndex={-1}>{title}{note && <> <span class="small quiet">{note}</span></>}</h2>
          <IconButton name="close" label={`Close ${title.toLowerCase()}`} onClick={onClose} />
        </header>
        {body}
      </aside>
    </>
  );
}

function inboxContents(room: Room | null, kind: PanelKind): Contents | undefined {
  switch (kind) {
    case "activity":
      return { title: "Activity", label: "Activity", wide: true, body: <Activity room={room} /> };
    case "threads":
      return { title: "Threads", label: "Threads that you follow", body: <Threads room={room} /> };
    case "saved":
      return { title: "Saved messages", label: "Saved messages", body: <Saved room={room} /> };
    case "search":
      return { title: "Search", label: "Search messages", body: <Search room={room} /> };
  }
  return undefined;
}

function roomContents(room: Room, kind: PanelKind, name: string, onClose: () => void): Contents {
  const what = kind.split(":", 1)[0];
  const [message = "", reply = ""] = kind.slice(kind.indexOf(":") + 1).split(" ");
  switch (what) {
    case "settings":
      return {
        title: "Settings",
        label: `Settings of ${name}`,
        body: <Settings room={room} name={name} onClose={onClose} />,
      };
    case "documents":
      return { title: "Documents", label: `Documents in ${name}`, body: <Documents room={room} /> };
    case "files":
      return { title: "Files", label: `Files in ${name}`, body: <RoomFiles room={room} /> };
    case "pins":
      return { title: "Pinned messages", label: `Pinned messages in ${name}`, body: <Pins room={room} /> };
    case "places":
      return { title: "Places", label: "Places", body: <Places room={room} onClose={onClose} /> };
    case "thread":
      return { title: "Thread", label: `Thread in ${name}`, body: <Thread room={room} root={message} reply={reply} /> };
    case "history":
      return { title: "Edit history", label: "Edit history", body: <History room={room} message={message} /> };
    case "votes":
      return { title: "Votes", label: "Votes in a poll", body: <Votes room={room} message={message} /> };
    case "reactions":
      return { title: "Reactions", label: "Who reacted", body: <Reactors room={room} message={message} /> };
    case "report":
      return {
        title: "Report",
        label: `Report a message in ${name}`,
        body: <ReportMessage room={room} name={name} message={message} onClose={onClose} />,
      };
  }
  return { title: "People", label: `People in ${name}`, body: <People room={room} name={name} /> };
}

/**
 * Moves the focus to the panel's first field or its heading, unless a part of it has taken the focus, or the
 * person has moved it while the code was loaded. It moves back when the panel closes. What a panel covers cannot
 * be reached.
 */
function useFocusInside(ref: { current: HTMLElement | null }, moved: boolean): void {
  const [before] = useState(() => document.activeElement); // the effects of the parts run first
  useLayoutEffect(() => {
    const aside = ref.current;
    if (!aside) return undefined;
    const inside = aside.contains(document.activeElement);
    const opener = inside ? before : document.activeElement;
    const row = opener?.closest("article"); // the opener may be a button of its menu, which is removed
    const others = () => document.querySelectorAll(".nav, .room-pane");
    const cover = () => { for (const other of others()) other.toggleAttribute("inert", covering.matches); };
    cover();
    covering.addEventListener("change", cover);
    if (!inside && (covering.matches || !moved)) {
      (aside.querySelector<HTMLElement>("[autofocus]") ?? aside.querySelector("h2"))?.focus();
    }
    return () => {
      covering.removeEventListener("change", cover);
      for (const other of others()) other.removeAttribute("inert");
      const lost = document.activeElement === document.body || aside.contains(document.activeElement);
      if (!lost) return;
      const origin = [opener, row].find(e => e !== document.body && e?.isConnected) as HTMLElement | undefined;
      if (origin) origin.focus();
      else backToComposer();
    };
  }, []);
}
