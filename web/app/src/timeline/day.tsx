// The label of a day, whose menu leads to other days.
import type { Room } from "@parley/client";
import { useState } from "preact/hooks";
import { type Page, usePage } from "../state/page.js";
import { dayName, midnight } from "../ui/dates.js";
import { Icon } from "../ui/icons.js";
import { lazy, Opening } from "../ui/lazy.js";
import { Menu } from "../ui/menu.js";

const DateDialog = lazy(() => import("./date-dialog.js"), Opening);

/**
 * Shows the first message at or after a time, or the first of all without one, unless the person
 * leaves the room meanwhile.
 */
async function jumpTo({ chat, reader, toast, toastError }: Page, room: Room, from?: number): Promise<void> {
  const shown = reader.value;
  const since = from === undefined ? "" : `&from=${encodeURIComponent(new Date(from).toISOString())}`;
  try {
    const found = await chat.value?.request(
      "GET", `/rooms/${encodeURIComponent(room.id)}/messages?order=asc&limit=1${since}`,
    );
    const [first] = found?.items ?? [];
    if (reader.value !== shown) return;
    if (first) return shown?.show(first.id);
    shown?.show("");
    toast("Nothing was written after that day.");
  } catch (error) {
    toastError(error);
  }
}

export function Day({ room, day, today }: { room: Room; day: string; today: Date }) {
  const page = usePage();
  const [choosing, setChoosing] = useState(false);
  const jump = (from?: number) => void jumpTo(page, room, from);
  const items = () => [
    { label: "Today", run: () => jump(midnight(today, 0)) },
    { label: "Yesterday", run: () => jump(midnight(today, 1)) },
    { label: "Last week", run: () => jump(midnight(today, 7)) },
    { label: "The beginning", run: () => jump() },
    { label: "Choose a date…", apart: true, run: () => setChoosing(true) },
  ];
  return (
    <h2 class="day">
      <Menu label="Jump to a date" items={items} tabIndex={-1}>{dayName(day, today)}<Icon name="expand" /></Menu>
      {choosing && <DateDialog day={day} today={today} onChoose={jump} onClose={() => setChoosing(false)} />}
    </h2>
  );
}
