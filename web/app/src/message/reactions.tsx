import type { Message } from "@parley/client";
import type { Access } from "../access/access.js";
import { toggle } from "./react.js";

/** The emoji at a message with their counts. Each is pressed if the person has chosen it, and takes that back. */
export function Chips({ message, access }: { message: Message; access: Access }) {
  return (
    <div class="chips" role="group" aria-label="Reactions">
      {message.reactions?.map(({ emoji, count, me }) => (
        <button
          key={emoji} type="button" class="chip" tabIndex={-1} aria-pressed={!!me} disabled={!!access.barred}
          onClick={() => toggle(message, emoji, !me)}
        >{emoji} {count}</button>
      ))}
    </div>
  );
}
