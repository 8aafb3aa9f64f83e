import type { Room } from "@parley/client";

/** The field for a new message. Name is shown in it: `#general`, or `Bob` in a direct room. */
export function Composer({ name }: { room: Room; name: string }) {
  return <div class="foot"><textarea aria-label={`Message ${name}`} /></div>;
}
