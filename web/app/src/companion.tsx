import type { Room, RoomView } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { useAnnouncer } from "./announcer.js";
import { backToComposer, focusComposer } from "./composing.js";
import { Icon } from "./icons.js";
import { logKey } from "./keys.js";
import { type Jump, Reader } from "./reader.js";
import { list, useValue } from "./store.js";
import type { Viewport } from "./viewport.js";

/** The server counts no further. */
const manyUnread = 1000;

/** What the timeline does beside showing messages: keys, loading, and what others write. */
export function Companion({ room, log, viewport, shown, say, onReader }: {
  room: Room; log: HTMLElement; viewport: Viewport; shown: RoomView; say(text: string): void; onReader(r: Reader): void;
}) {
  useAnnouncer(room, shown, say);
  const [jump, setJump] = useState<Jump>({ shown: false, count: 0 });
  useEffect(() => {
    const reader = new Reader(viewport, room, setJump);
    const key = (e: KeyboardEvent) => logKey(log, e, focusComposer);
    log.addEventListener("keydown", key);
    viewport.follower = reader;
    onReader(reader);
    reader.look();
    return () => {
      log.removeEventListener("keydown", key);
      viewport.follower = undefined;
      reader.end();
    };
  }, [room, log, viewport]);
  return jump.shown ? <JumpButton room={room} count={jump.count} onClick={() => { viewport.toNewest(); backToComposer(); }} /> : null;
}

function JumpButton({ room, count, onClick }: { room: Room; count: number; onClick(): void }) {
  const unread = useValue(list).rooms.find(r => r.id === room.id)?.unread ?? 0;
  const n = Math.max(count, unread);
  return (
    <button type="button" class="jump" aria-label="Jump to newest" title="Jump to newest" onClick={onClick}>
      <Icon name="down" />{n > 0 && <span class="badge">{n >= manyUnread ? `${manyUnread - 1}+` : n}</span>}
    </button>
  );
}
