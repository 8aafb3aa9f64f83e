// A message of any room, as the inbox panels show it.
import type { Message, People } from "@parley/client";
import type { ComponentChildren } from "preact";
import { Files } from "../files/files.js";
import { useValue } from "../state/cell.js";
import { nameOf, roomName } from "../state/names.js";
import { type Page, type PanelKind, usePage } from "../state/page.js";
import { href } from "../state/route.js";
import { openCard, Time } from "../ui/parts.js";
import { Text } from "../ui/text.js";

/** Opens a thread, at one of its replies if that is given, and first its room if that is not the current one. */
export function openThread({ current, panel, route }: Page, room: string, root: string, reply = ""): void {
  const show = () => { panel.value = `thread:${root} ${reply}`.trimEnd() as PanelKind; };
  if (current.value?.id === room) return show();
  const stop = current.subscribe(() => {
    stop();
    if (current.value?.id === room) show();
  });
  route.go(room);
}

/** Returns the name of one of the person's rooms or of a room that mentions them, or the id of another room. */
export function useRoomName(id: string): string {
  const page = usePage();
  const found = useValue(page.list).rooms.find(r => r.id === id);
  const elsewhere = useValue(page.elsewhere).find(e => e.id === id);
  return !found ? (elsewhere ? `#${elsewhere.name}` : id)
    : found.kind === "direct" ? roomName(page, found)
    : `#${roomName(page, found)}`;
}

export function MessageCard({ message, people, note, below, children }: {
  message: Message; people: People; note?: string;
  /** The content below the buttons. */
  below?: ComponentChildren; children?: ComponentChildren;
}) {
  const page = usePage();
  const { room, id, user, text, receivedAt, deletedAt, thread, showInRoom } = message;
  const name = useRoomName(room);
  return (
    <li class="p-card" onClick={openCard}>
      <p class="small quiet">
        {note && <><span class="tag">{note}</span>{" "}</>}
        <bdi>{nameOf(page, people, user)}</bdi> in <bdi>{name}</bdi>, <Time at={receivedAt} />
      </p>
      <div class="p-text p-brief" dir="auto">
        {deletedAt ? <span class="quiet">Message deleted</span> : <Text text={text} />}
      </div>
      {message.attachments && <Files message={message} tabIndex={0} />}
      <div class="p-bar">
        {children ?? (thread && !showInRoom
          ? (
            <button type="button" class="button plain" onClick={() => openThread(page, room, thread)}>
              Show in thread
            </button>
          )
          : <a class="button plain" href={href(room, id)}>Show in room</a>)}
      </div>
      {below}
    </li>
  );
}
