import type { Room } from "@parley/client";
import { useValue } from "./store.js";

/** The messages of a room that the app has opened around focusId. */
export function Timeline({ room }: { room: Room; focusId: string }) {
  const { messages } = useValue(room);
  return <div role="log">{messages.map(m => <article key={m.id}>{m.text}</article>)}</div>;
}
