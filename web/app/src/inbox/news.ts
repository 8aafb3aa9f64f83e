// News outside the list of rooms: unread replies in followed threads, and mentions in public
// rooms that the person has not joined. The code is loaded after the first paint.
import type { Chat } from "@parley/client";
import type { Elsewhere, Page } from "../state/page.js";
import { followActs } from "../state/unsent.js";

/** Both are loaded soon after an event about them, and threads later after other changes, in milliseconds. */
const soon = 1_000;
const later = 15_000;
/** So many of the newest threads and mentions are looked at: older ones are in their panels. */
const mostThreads = 50;
const mostMentions = 20;

const followed = new WeakSet<Page>();

/** Keeps page.unreadThreads and page.elsewhere, and marks mentions elsewhere as read when their room is shown. */
export function followNews(page: Page): void {
  if (followed.has(page)) return;
  followed.add(page);
  const { chat, connection, list, elsewhere, unreadThreads } = page;
  const loadThreads = within(() => void threads(page).catch(() => undefined)); // the next event retries
  const loadMentions = within(() => void mentions(page).catch(() => undefined));
  const isOwn = (room?: string) => list.value.rooms.some(r => r.id === room);
  let ends: (() => void)[] = [];
  const connect = () => {
    for (const end of ends) end();
    ends = [];
    unreadThreads.value = elsewhere.value = [];
    page.acts.value = [];
    page.failed.value = new Map();
    const c = chat.value;
    if (!c) return;
    const heard = ({ type, room }: { type: string; room?: string }) => {
      if (type === "reply.created" || type === "thread.changed") loadThreads(soon);
      if (
        type === "mention.added"
          ? !isOwn(room)
          : type === "read.changed" && elsewhere.value.some(e => e.id === room)
      ) loadMentions(soon);
    };
    const mine = ends = [c.on("change", heard), c.on("personal", heard)];
    // the storage may be closed
    void followActs(page, c).then(end => (ends === mine ? ends.push(end) : end()), () => undefined);
  };
  const catchUp = () => {
    if (!/online|polling/.test(connection.value)) return; // events may have been missed before
    loadThreads(0);
    loadMentions(0);
  };
  chat.subscribe(connect);
  connection.subscribe(catchUp);
  list.subscribe(() => {
    loadThreads(later);
    // the list counts them
    if (elsewhere.value.some(e => isOwn(e.id))) elsewhere.value = elsewhere.value.filter(e => !isOwn(e.id));
  });
  connect();
  catchUp();
  followRoom(page);
  followThread(page);
}

/** Returns a function that calls fn within a time, once for several calls. */
function within(fn: () => void): (ms: number) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due = Infinity;
  return ms => {
    if (Date.now() + ms >= due) return;
    clearTimeout(timer);
    due = Date.now() + ms;
    timer = setTimeout(() => { due = Infinity; fn(); }, ms);
  };
}

async function threads(page: Page): Promise<void> {
  const c = page.chat.value;
  const found = await c?.request("GET", `/people/me/threads?limit=${mostThreads}`);
  if (found && page.chat.value === c) page.unreadThreads.value = found.items.filter(t => t.unread);
}

async function mentions(page: Page): Promise<void> {
  const c = page.chat.value;
  const { rooms } = page.list.value;
  const found = await c?.request("GET", `/people/me/mentions?limit=${mostMentions}`);
  if (!c || !found) return;
  const unread = found.items.filter(m => m.unread && !rooms.some(r => r.id === m.room));
  const all = await Promise.all(
    [...new Set(unread.map(m => m.room))].map(room => about(c, room, unread.filter(m => m.room === room))),
  );
  if (page.chat.value === c) page.elsewhere.value = all.filter(e => e !== undefined);
}

/** Returns a room with its unread mentions, the newest first; undefined of one that the person is in. */
async function about(c: Chat, id: string, unread: readonly {
  seq: number; message: Elsewhere["first"];
}[]): Promise<Elsewhere | undefined> {
  const { name, me } = await c.request("GET", `/rooms/${encodeURIComponent(id)}` as const);
  if (me) return undefined; // the list does not have all rooms
  return {
    id,
    name: name || id,
    mentions: unread.length,
    seq: Math.max(...unread.map(m => m.seq)),
    first: unread.at(-1)!.message,
  };
}

/** Marks the mentions in a room as read, as a person who has not joined it. */
export async function markElsewhere({ chat, elsewhere }: Page, { id, seq }: Elsewhere): Promise<void> {
  await chat.value?.request("PUT", `/rooms/${encodeURIComponent(id)}/read` as const, { seq });
  elsewhere.value = elsewhere.value.filter(e => e.id !== id);
}

/** Marks mentions as read once the person looks at their room. */
function followRoom(page: Page): void {
  const { current, elsewhere } = page;
  let stop: (() => void) | undefined;
  const look = () => {
    const shown = elsewhere.value.find(e => e.id === current.value?.id);
    if (
      !shown
      || current.value?.value.phase !== "ready"
      || document.visibilityState !== "visible"
      || !document.hasFocus()
    ) return;
    elsewhere.value = elsewhere.value.filter(e => e !== shown); // once
    markElsewhere(page, shown).catch(() => undefined); // it is listed again
  };
  const follow = () => {
    stop?.();
    stop = current.value?.subscribe(look);
    look();
  };
  current.subscribe(follow);
  elsewhere.subscribe(look);
  addEventListener("focus", look);
  document.addEventListener("visibilitychange", look);
  follow();
}

/**
 * Marks mentions in the thread that is shown as read, once all else in its room is: the room's marker ends at its
 * newest message, and the numbers of replies may be after that.
 */
function followThread(page: Page): void {
  const { chat, current, list, panel } = page;
  let tried = "";
  const look = () => {
    const root = /^thread:(\S+)/.exec(panel.value ?? "")?.[1];
    const room = list.value.rooms.find(r => r.id === current.value?.id);
    if (!root || !room?.mentions || room.unread || document.visibilityState !== "visible" || !document.hasFocus()) {
      return;
    }
    const key = `${root} ${room.read} ${room.mentions}`;
    if (key === tried) return;
    tried = key;
    // the list of mentions is that late
    setTimeout(() => { if (panel.value?.includes(root)) void mark(room.id, root).catch(() => { tried = ""; }); }, soon);
  };
  const mark = async (room: string, root: string) => {
    const found = await chat.value?.request("GET", `/people/me/mentions?limit=${mostMentions}`);
    const seq = lastSeen((found?.items ?? []).filter(m => m.room === room && m.unread), root);
    if (seq) await chat.value?.request("PUT", `/rooms/${encodeURIComponent(room)}/read` as const, { seq });
  };
  panel.subscribe(look);
  list.subscribe(look);
  addEventListener("focus", look);
}

/** Returns the number of the last unread mention of a room before which all are in a thread; 0 if there is none. */
export function lastSeen(unread: readonly {
  readonly seq: number; readonly message: { readonly thread?: string };
}[], root: string): number {
  const inOrder = [...unread].sort((a, b) => a.seq - b.seq);
  const other = inOrder.findIndex(m => m.message.thread !== root);
  return inOrder.slice(0, other < 0 ? undefined : other).at(-1)?.seq ?? 0;
}
