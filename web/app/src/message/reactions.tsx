import type { Message } from "@parley/client";
import type { Access } from "../rooms/access.js";

/** The emoji at a message with their counts. Each is pressed if the person has chosen it, and takes that back. */
export function Chips({ message, access }: { message: Message; access: Access }) {
  return (
    <div class="chips" role="group" aria-label="Reactions">
      {message.reactions?.map(({ emoji, count, me }) => (
        <button
          key={emoji} type="button" class="chip" tabIndex={-1} aria-pressed={!!me} disabled={!!access.barred}
          onClick={() => void import("./react.js").then(m => m.toggle(message, emoji, !me))}
        >{emoji} {count}</button>
      ))}
    </div>
  );
}
