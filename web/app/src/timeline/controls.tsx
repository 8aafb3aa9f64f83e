import type { Room } from "@parley/client";
import { useEffect } from "preact/hooks";
import { doomed, picking } from "../message/state.js";
import { list, toastError, useValue } from "../state/store.js";
import { Confirm } from "../ui/confirm.js";
import { backToComposer } from "../ui/focus.js";
import { Icon } from "../ui/icons.js";
import { lazy } from "../ui/lazy.js";
import type { Jump } from "./reader.js";
import type { Viewport } from "./viewport.js";

const Picker = lazy(() => import("../message/emoji-picker.js"));

/** The server counts no further. */
const manyUnread = 1000;

/** What is above the messages: the way to the newest ones, the emoji picker, and the question before a deletion. */
export function Controls({ room, jump, viewport }: { room: Room; jump: Jump; viewport: { readonly current: Viewport | undefined } }) {
  const picked = useValue(picking);
  const toNewest = () => {
    viewport.current?.toNewest();
    backToComposer();
  };
  return (
    <>
      {jump.shown && <JumpButton room={room} count={jump.count} onClick={toNewest} />}
      {picked && <Picker />}
      <Deletion room={room} viewport={viewport} />
    </>
  );
}

/** Asks before a message is deleted. */
function Deletion({ room, viewport }: { room: Room; viewport: { readonly current: Viewport | undefined } }) {
  const message = useValue(doomed);
  useEffect(() => () => { doomed.value = null; }, [room]);
  if (!message) return null;
  const answer = (yes: boolean) => {
    doomed.value = null;
    if (yes) room.remove(message.id).catch(toastError);
    viewport.current?.focus(message.id);
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
