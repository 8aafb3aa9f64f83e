import type { Message } from "@parley/client";
import type { Access } from "../access/access.js";
import { usePage } from "../state/page.js";
import { toggle } from "./react.js";

/** The reactions of a message with their counts. A click on the person's own removes it. */
export function Chips({ message, access }: { message: Message; access: Access }) {
  const page = usePage();
  return (
    <div class="chips" role="group" aria-label="Reactions">
      {message.reactions?.map(({ emoji, count, me }) => (
        <button
          key={emoji} type="button" class="chip" tabIndex={-1} aria-pressed={!!me} disabled={!!access.barred}
          onClick={() => toggle(page, message, emoji, !me)}
        >{emoji} {count}</button>
      ))}
    </div>
  );
}
