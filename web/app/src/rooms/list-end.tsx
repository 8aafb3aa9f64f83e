// The end of a list of more than 100 rooms: it loads the next ones once it is in sight.
import type { More } from "@parley/client";
import { useEffect, useRef } from "preact/hooks";
import { usePage } from "../state/page.js";
import { whenSeen } from "../ui/seen.js";
import { Icon } from "../ui/icons.js";

/** The distance from the visible part to the end, in pixels, at which more rooms are loaded. */
const ahead = 200;

export default function ListEnd({ more: { rooms, unread } }: { more: More }) {
  const { chat, toastError } = usePage();
  const end = useRef<HTMLButtonElement>(null);
  const load = () => void chat.value?.rooms.loadMore().catch(toastError);
  useEffect(() => (end.current ? whenSeen(end.current, load, ahead) : undefined), [rooms]);
  return (
    <button ref={end} type="button" class={unread ? "room plain unread" : "room plain"} onClick={load}>
      <span class="glyph"><Icon name="chevron" /></span>
      <span class="name cut">
        {rooms} more {rooms === 1 ? "room" : "rooms"}
        {unread > 0 && `, ${unread} with something new`}
      </span>
    </button>
  );
}
