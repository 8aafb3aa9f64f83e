// A message of any room, in the panels of what concerns the person.
import type { Message, People } from "@parley/client";
import type { ComponentChildren } from "preact";
import { nameOf, roomName } from "../state/names.js";
import { current, go, href, list, panel, useValue } from "../state/store.js";
import { Time } from "../ui/parts.js";
import { Text } from "../ui/text.js";

/** Shows a thread, and its room if that is another. */
export function openThread(room: string, root: string): void {
  const show = () => { panel.value = `thread:${root}`; };
  if (current.value?.id === room) return show();
  const stop = current.subscribe(() => {
    stop();
    if (current.value?.id === room) show();
  });
  go(room);
}

/** Returns the name of a room of the person, or its id. */
export function useRoomName(id: string): string {
  const found = useValue(list).rooms.find(r => r.id === id);
  return !found ? id : found.kind === "direct" ? roomName(found) : `#${roomName(found)}`;
}

export function MessageCard({ message, people, note, children }: { message: Message; people: People; note?: string; children?: ComponentChildren }) {
  const { room, id, user, text, receivedAt, deletedAt, thread, showInRoom } = message;
  const name = useRoomName(room);
  return (
    <li class="p-card">
      <p class="small quiet">
        {note && <><span class="tag">{note}</span>{" "}</>}<bdi>{nameOf(people, user)}</bdi> in <bdi>{name}</bdi>, <Time at={receivedAt} />
      </p>
      <div class="p-text p-brief" dir="auto">{deletedAt ? <span class="quiet">Message deleted</span> : <Text text={text} />}</div>
      <div class="p-bar">
        {children ?? (thread && !showInRoom
          ? <button type="button" class="button plain" onClick={() => openThread(room, thread)}>Show in thread</button>
          : <a class="button plain" href={href(room, id)}>Show in room</a>)}
      </div>
    </li>
  );
}
