// Compares what chat tail has shown with the server.
import type { StoredMessage } from "../../src/index.js";
import { differences } from "./device.js";
import type { Tail } from "./tail.js";
import type { World } from "./world.js";

/** Returns how terminals differ from the server. */
export async function tailDifferences(w: World, tails: Tail[]): Promise<string[]> {
  const found: string[] = [];
  for (const t of tails) {
    if (t.ended) found.push(`${t.name} has ended: ${t.notes}`);
    found.push(...differences(shown(t), await server(w, t)).map(line => `${t.name}${line}`));
  }
  return found;
}

/** Own reactions and votes are not in the lines, which are the same for all. */
function parts({ id, text, revision, deletedAt, reactions = [], replies, poll }: StoredMessage): object {
  return {
    id, text, revision, deleted: !!deletedAt, reactions: reactions.map(r => `${r.emoji} ${r.count}`).sort(),
    replies: replies?.count ?? 0, votes: poll?.options.map(o => o.votes) ?? [],
  };
}

function shown(t: Tail): unknown {
  return {
    messages: [...t.messages.values()].map(parts).sort(byId),
    roles: Object.fromEntries([...t.roles].map(([user, role]) => [user, role ?? "none"])), pins: Object.fromEntries(t.pins),
  };
}

const byId = (a: object, b: object) => ((a as StoredMessage).id < (b as StoredMessage).id ? -1 : 1);

async function server(w: World, t: Tail): Promise<unknown> {
  const listed = new Map((await w.messages(t.user, t.room)).map(m => [m.id, m]));
  const [members, pins] = await Promise.all([
    w.ask<{ items: { user: string; role: string }[] }>(t.user, "GET", `/rooms/${t.room}/members?limit=100`),
    w.ask<{ items: { message: StoredMessage }[] }>(t.user, "GET", `/rooms/${t.room}/pins`),
  ]);
  const pinned = new Set(pins.items.map(p => p.message.id));
  const all: StoredMessage[] = [...listed.values()].filter(m => m.receivedAt >= (t.from ?? "") || t.messages.has(m.id));
  // The list has no replies that are shown only in threads.
  for (const id of t.messages.keys()) {
    if (!listed.has(id)) all.push(await w.ask<StoredMessage>(t.user, "GET", `/rooms/${t.room}/messages/${encodeURIComponent(id)}`));
  }
  return {
    messages: all.map(parts).sort(byId),
    roles: Object.fromEntries([...t.roles.keys()].map(user => [user, members.items.find(m => m.user === user)?.role ?? "none"])),
    pins: Object.fromEntries([...t.pins.keys()].map(id => [id, pinned.has(id)])),
  };
}
