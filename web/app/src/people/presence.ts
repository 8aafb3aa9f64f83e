// Who of the direct rooms is online. The live connection says who comes and goes; who was there before is
// read once for each room, since a read each minute would cost more than the connection (docs/web.md).
import type { Chat } from "@parley/client";
import { useEffect } from "preact/hooks";
import { type Page, usePage } from "../state/page.js";

/** The most rooms that are read: those with the newest activity. */
const mostRooms = 20;
/** Somebody who leaves is shown for this time: most reload their page, and return. */
const leaveTime = 15_000;
/** Frames may be lost: a page that is shown again reads anew if it last did so this long ago. */
const staleTime = 30 * 60_000;

/** Keeps page.present while it is shown. It shows nothing. */
export default function Presence(): null {
  const page = usePage();
  useEffect(() => followPresence(page), []);
  return null;
}

/** Keeps page.present, until the returned function is called. */
function followPresence(page: Page): () => void {
  const { chat, connection, list, present } = page;
  const read = new Set<string>();
  let followed: Chat | null = null;
  let since = 0;
  let unfollow = () => {};
  const { set, later, clear } = presentOf(page);
  const forget = () => {
    read.clear();
    clear();
  };
  const hear = (room: string, user: string, online: boolean) => {
    if (otherOf(page, room) === user) (online ? set : later)(user, online);
  };
  const load = async () => {
    const c = chat.value;
    if (!c || connection.value !== "online" || document.hidden) return;
    const rooms = list.value.rooms.filter(r => r.direct?.length === 2).slice(0, mostRooms).filter(r => !read.has(r.id));
    for (const { id } of rooms) read.add(id);
    since = Date.now();
    for (const { id } of rooms) { // one after another: nobody waits for them
      const other = otherOf(page, id);
      const answer = await c.request("GET", `/rooms/${encodeURIComponent(id)}/online`).catch(() => undefined);
      if (chat.value !== c || !read.has(id)) return;
      if (other && answer) set(other, answer.users.includes(other));
    }
  };
  const changed = () => {
    if (chat.value !== followed) {
      unfollow();
      followed = chat.value;
      unfollow = followed?.on("presence", e => hear(e.room, e.user, e.online)) ?? (() => {});
    }
    if (connection.value === "online") void load();
    else if (present.value.size || read.size) forget();
  };
  const shown = () => {
    if (!document.hidden && Date.now() - since > staleTime) read.clear();
    void load();
  };
  const stops = [chat.subscribe(changed), connection.subscribe(changed), list.subscribe(() => void load())];
  document.addEventListener("visibilitychange", shown);
  changed();
  return () => {
    document.removeEventListener("visibilitychange", shown);
    for (const stop of stops) stop();
    unfollow();
    forget();
  };
}

/** Returns how page.present is changed: immediately, later, as a person who leaves may return, or to nobody. */
function presentOf({ present }: Page) {
  const leaving = new Map<string, ReturnType<typeof setTimeout>>();
  const set = (user: string, online: boolean) => {
    clearTimeout(leaving.get(user));
    if (present.value.has(user) === online) return;
    const next = new Set(present.value);
    if (online) next.add(user);
    else next.delete(user);
    present.value = next;
  };
  const later = (user: string) => {
    clearTimeout(leaving.get(user));
    leaving.set(user, setTimeout(set, leaveTime, user, false));
  };
  const clear = () => {
    for (const timer of leaving.values()) clearTimeout(timer);
    leaving.clear();
    present.value = new Set();
  };
  return { set, later, clear };
}

/** Returns the other person of a direct room of two. */
function otherOf({ list, me }: Page, room: string): string | undefined {
  const { direct } = list.value.rooms.find(r => r.id === room) ?? {};
  return direct?.length === 2 ? direct.find(user => user !== me.value) : undefined;
}
