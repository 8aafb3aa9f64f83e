import { useState } from "preact/hooks";
import { dayOf } from "../ui/dates.js";
import { Plain, Sheet } from "../ui/parts.js";

/** Asks for the day to jump to. */
export default function DateDialog({ day, today, onChoose, onClose }: {
  day: string; today: Date; onChoose: (from: number) => void; onClose: () => void;
}) {
  const [value, setValue] = useState(day);
  const choose = (e: Event) => {
    e.preventDefault();
    const [year = 0, month = 1, date = 1] = value.split("-").map(Number);
    onClose();
    onChoose(new Date(year, month - 1, date).getTime());
  };
  return (
    <Sheet title="Jump to a date" onClose={onClose}>
      <form onSubmit={choose}>
        <div class="field">
          <label for="jump-date">Day</label>
          <input
            id="jump-date"
            type="date"
            required
            autofocus
            max={dayOf(today.getTime())}
            value={value}
            onInput={e => setValue(e.currentTarget.value)}
          />
        </div>
        <div class="acts">
          <Plain onClick={onClose}>Cancel</Plain>
          <button type="submit" class="button" disabled={!value}>Jump</button>
        </div>
      </form>
    </Sheet>
  );
}
