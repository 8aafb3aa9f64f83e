import type { Room } from "@parley/client";
import { useEffect } from "preact/hooks";
import { textOf } from "../files/files.js";
import { toggle } from "../message/edits.js";
import { useValue } from "../state/cell.js";
import { usePage } from "../state/page.js";
import { backToComposer } from "../ui/focus.js";
import { Icon } from "../ui/icons.js";
import { lazy, Opening } from "../ui/lazy.js";
import type { Jump } from "./reader.js";
import { countOf, useUnread } from "./unread.js";
import type { Viewport } from "./viewport.js";

const UnreadBar = lazy(() => import("./unread-bar.js"));
const Confirm = lazy(() => import("../ui/confirm.js"));
const Picker = lazy(() => import("../message/emoji-picker.js"), Opening);

/**
 * The controls above the messages: the bar of new messages, jump button, emoji picker, and confirmation of a
 * deletion.
 */
export function Controls({ room, jump, viewport }: {
  room: Room; jump: Jump; viewport: { readonly current: Viewport | undefined };
}) {
  const page = usePage();
  const reacting = useValue(page.reactingTo);
  const toNewest = () => {
    viewport.current?.toNewest();
    backToComposer();
  };
  return (
    <>
      {jump.since && (
        <UnreadBar room={room} since={jump.since} onJump={() => viewport.current?.show(room.value.firstUnread ?? "")} />
      )}
      {jump.shown && <JumpButton room={room} count={jump.count} onClick={toNewest} />}
      {reacting && (
        <Picker
          label="React"
          anchor={reacting.id}
          onChoose={emoji => toggle(page, reacting, emoji, true)}
          onClose={() => (page.reactingTo.value = null)}
        />
      )}
      <Deletion room={room} viewport={viewport} />
    </>
  );
}

/** Asks for confirmation before a message is deleted. */
function Deletion({ room, viewport }: { room: Room; viewport: { readonly current: Viewport | undefined } }) {
  const { toDelete } = usePage();
  const message = useValue(toDelete);
  useEffect(() => () => { toDelete.value = null; }, [room]);
  if (!message) return null;
  const answer = (yes: boolean) => {
    toDelete.value = null;
    if (yes) room.remove(message.id).catch(() => undefined);
    viewport.current?.focus(message.id);
  };
  return <Confirm title="Delete this message?" text={textOf(message).slice(0, 300)} action="Delete" onDone={answer} />;
}

function JumpButton({ room, count, onClick }: { room: Room; count: number; onClick(): void }) {
  const n = Math.max(count, useUnread(room));
  return (
    <button type="button" class="jump" title="Jump to newest" onClick={onClick}>
      <span class="unseen">Jump to newest</span>
      <Icon name="down" />
      {n > 0 && <span class="badge" aria-hidden="true">{countOf(n)}</span>}
    </button>
  );
}
