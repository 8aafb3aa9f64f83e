import type { Room, RoomView } from "@parley/client";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { doomed, holder, picking } from "../message/targets.js";
import { useAnnouncer } from "./announcer.js";
import { Confirm } from "../ui/confirm.js";
import { backToComposer, focusComposer } from "../composer/focus.js";
import { Icon } from "../ui/icons.js";
import { logKey } from "./keys.js";
import { lazy } from "../ui/lazy.js";
import { type Jump, Reader } from "./reader.js";
import { list, toastError, useValue } from "../state/store.js";
import type { Viewport } from "./viewport.js";

const Picker = lazy(() => import("../message/emoji-picker.js"));

/** The server counts no further. */
const manyUnread = 1000;

/** What the timeline does beside showing messages: keys, loading, and what others write. */
export function Companion({ room, log, viewport, shown, say }: {
  room: Room; log: HTMLElement; viewport: Viewport; shown: RoomView; say(text: string): void;
}) {
  useAnnouncer(room, shown, say);
  const [jump, setJump] = useState<Jump>({ shown: false, count: 0 });
  useLayoutEffect(() => { // not later: the menu that Enter opens is drawn together with this
    const reader = new Reader(viewport, room, setJump);
    const key = (e: KeyboardEvent) => logKey(log, e, focusComposer);
    log.addEventListener("keydown", key);
    viewport.follower = reader;
    holder.value = reader;
    reader.look();
    return () => {
      log.removeEventListener("keydown", key);
      viewport.follower = undefined;
      reader.end();
    };
  }, [room, log, viewport]);
  const picked = useValue(picking);
  return (
    <>
      {jump.shown && <JumpButton room={room} count={jump.count} onClick={() => { viewport.toNewest(); backToComposer(); }} />}
      {picked && <Picker />}
      <Deletion room={room} viewport={viewport} />
    </>
  );
}

/** Asks before a message is deleted. */
function Deletion({ room, viewport }: { room: Room; viewport: Viewport }) {
  const message = useValue(doomed);
  useEffect(() => () => { doomed.value = null; }, [room]);
  if (!message) return null;
  const answer = (yes: boolean) => {
    doomed.value = null;
    if (yes) room.remove(message.id).catch(toastError);
    viewport.focus(message.id);
  };
  return <Confirm title="Delete this message?" text={message.text.slice(0, 300)} action="Delete" onDone={answer} />;
}

function JumpButton({ room, count, onClick }: { room: Room; count: number; onClick(): void }) {
  const unread = useValue(list).rooms.find(r => r.id === room.id)?.unread ?? 0;
  const n = Math.max(count, unread);
  return (
    <button type="button" class="jump" title="Jump to newest" onClick={onClick}>
      <span class="unseen">Jump to newest</span><Icon name="down" />{n > 0 && <span class="badge" aria-hidden="true">{n >= manyUnread ? `${manyUnread - 1}+` : n}</span>}
    </button>
  );
}
