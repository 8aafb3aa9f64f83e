// The question before a person leaves a room.
import { useApi } from "../api/load.js";
import type { RoomInfo } from "../api/types.js";
import { useValue } from "../state/cell.js";
import { type Page, usePage } from "../state/page.js";
import { Confirm } from "../ui/parts.js";

/** Shows another room instead of one that the person can no longer see. */
export async function goElsewhere({ chat, route }: Page, room: string): Promise<void> {
  try {
    await chat.value?.rooms.reload(); // before that, the room may be the newest of the list
  } finally {
    if (route.value.room === room) route.go("", "", true);
  }
}

type Left = Pick<RoomInfo, "id" | "name" | "kind" | "visibility">;

/** Asks whether to leave a room. onLeft is called before another room is shown. */
export function LeaveDialog({ room, onLeft, onClose }: { room: Left; onLeft?: () => void; onClose: () => void }) {
  const page = usePage();
  const { request } = useApi();
  const leave = async () => {
    await request("DELETE", `/rooms/${encodeURIComponent(room.id)}/members/me`);
    onLeft?.();
    await goElsewhere(page, room.id);
  };
  return (
    <Confirm title={`Leave ${room.name}?`} text={leaving(room)} action="Leave" onConfirm={leave} onClose={onClose} />
  );
}

function leaving({ kind, visibility }: Left): string {
  if (kind === "direct") return "The messages stay. It opens again when somebody writes to all of you.";
  return visibility === "public"
    ? "You can join again at any time."
    : "Somebody must invite you before you can come back.";
}

/** Asks whether to leave the room that was chosen in the list. */
export function LeaveListed({ onClose }: { onClose: () => void }) {
  const room = useValue(usePage().toLeave);
  return room && <LeaveDialog room={room} onClose={onClose} />;
}
