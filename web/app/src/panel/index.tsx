// The panel beside the timeline. Its code is loaded when it is first opened.
import "../lateicons.js";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Room } from "@parley/client";
import { roomName } from "../header.js";
import { IconButton } from "../icons.js";
import { useBack } from "../layers.js";
import { type PanelKind, useValue } from "../store.js";
import { Documents } from "./documents.js";
import { History } from "./history.js";
import { People } from "./people.js";
import { Places } from "./places.js";
import { ReportMessage } from "./report.js";
import { Settings } from "./settings.js";

/** The frame of a part of the panel. Its name is the heading and the room. */
export interface Page {
  readonly title: string;
  /** The name for screen readers, such as "People in general". */
  readonly label: string;
  readonly body: ComponentChildren;
}

export default function Panel({ room, kind, onClose }: { room: Room; kind: PanelKind; onClose: () => void }) {
  const { info } = useValue(room);
  const aside = useRef<HTMLElement>(null);
  useFocusInside(aside);
  useBack(onClose, phone.matches);
  const page = pageOf(room, kind, info ? roomName(info) : room.id, onClose);
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

function pageOf(room: Room, kind: PanelKind, name: string, onClose: () => void): Page {
  const [what, message] = [kind.split(":", 1)[0], kind.slice(kind.indexOf(":") + 1)];
  switch (what) {
    case "settings":
      return { title: "Settings", label: `Settings of ${name}`, body: <Settings room={room} name={name} onClose={onClose} /> };
    case "documents":
      return { title: "Documents", label: `Documents in ${name}`, body: <Documents room={room} /> };
    case "places":
      return { title: "Places", label: "Places", body: <Places room={room} onClose={onClose} /> };
    case "history":
      return { title: "Edit history", label: "Edit history", body: <History room={room} message={message} /> };
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
    const others = Array.from(document.querySelectorAll(".nav, .room-pane"));
    const cover = () => { for (const other of others) other.toggleAttribute("inert", phone.matches); };
    cover();
    phone.addEventListener("change", cover);
    (aside.querySelector<HTMLElement>("[autofocus]") ?? aside.querySelector("h2"))?.focus();
    return () => {
      phone.removeEventListener("change", cover);
      for (const other of others) other.removeAttribute("inert");
      const lost = document.activeElement === document.body || aside.contains(document.activeElement);
      if (lost && opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
}
