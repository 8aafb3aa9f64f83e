import type { Client } from "./client.js";
import { overtaken } from "./echoes.js";
import type { PersonalEvent } from "./types.js";
import { alter } from "./shown.js";
import { reacted, voted } from "./timeline.js";

/** Shows a reaction or a vote of the caller, which another device may have sent. */
export function chosen(client: Client, { room = "", id = "", emoji, me, choices }: PersonalEvent): void {
  if (choices ? overtaken(client, id, choices) : overtaken(client, `${id} ${emoji}`, !!me)) return;
  alter(client, room, id, m => (choices ? voted(m, choices, false) : reacted(m, emoji!, !!me, false)));
}
