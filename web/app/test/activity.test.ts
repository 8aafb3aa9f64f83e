import assert from "node:assert/strict";
import { test } from "node:test";
import { lastSeen } from "../src/inbox/news.js";
import { firstUnread } from "../src/rooms/reading.js";
import { type Item, type Part, merged, ofMentions, ofRooms, ofThreads } from "../src/activity/merged.js";

/** Returns a generator of numbers below n, the same for each seed. */
function random(seed: number): (n: number) => number {
  let state = seed;
  return n => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * n);
  };
}

const time = (n: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString();
const item = (key: string, n: number) => ({ key, at: time(n), kind: "added", unread: true }) as unknown as Item;
const newest = (items: readonly Item[]) => [...items].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));

test("merged: pages in any order skip nothing, repeat nothing, and put nothing before what is shown", () => {
  for (let seed = 0; seed < 500; seed++) {
    const below = random(seed);
    const lists = Array.from({ length: 1 + below(3) }, (_, l) => newest(Array.from({ length: below(12) }, (_, n) => item(`${l} ${n}`, below(20)))));
    const loaded = lists.map(() => 0);
    const parts = (): Part[] => lists.map((items, l) => ({ items: items.slice(0, loaded[l]), hasMore: loaded[l]! < items.length }));
    let shown: readonly string[] = [];
    while (parts().some(p => p.hasMore)) {
      const l = below(lists.length);
      loaded[l] = Math.min(lists[l]!.length, loaded[l]! + 1 + below(4));
      const next = merged(parts()).map(i => i.key);
      assert.deepEqual(next.slice(0, shown.length), shown, `seed ${seed}`);
      shown = next;
    }
    assert.deepEqual(merged(parts()).map(i => i.key), newest(lists.flat()).map(i => i.key), `seed ${seed}`);
  }
});

test("merged: nothing is shown while one list has only an empty page", () => {
  assert.deepEqual(merged([{ items: [item("a", 1)], hasMore: false }, { items: [], hasMore: true }]), []);
});

const message = (id: string, n: number, rest = {}) => ({ id, room: "here", user: "bob", text: id, receivedAt: time(n), ...rest }) as never;
const keys = ({ items }: Part) => items.map(i => `${i.key}${i.unread ? " new" : ""}`);

test("ofMentions: unread by the server, unless the list of rooms has a newer marker", () => {
  const mention = (room: string, seq: number, unread: boolean) => ({ room, seq, message: message(`m${seq}`, seq), ...(unread && { unread }) });
  const rooms = [{ id: "here", read: 5 }] as never;
  assert.deepEqual(keys(ofMentions([mention("here", 6, true), mention("here", 5, true), mention("there", 4, true), mention("there", 3, false)], rooms, false)),
    ["mention here m6 new", "mention here m5", "mention there m4 new", "mention there m3"]);
});

test("ofThreads: by the newest reply, which is not shown twice if it is a mention, and not if only the person replied", () => {
  const thread = (id: string, last: number, unread = 0, user = "bob") => ({ message: message(id, 0, last && { replies: { count: 1, lastAt: time(last), users: [user] } }), read: 0, unread });
  const mentions = [{ room: "here", seq: 1, message: message("reply", 7, { thread: "c" }) }];
  assert.deepEqual(keys(ofThreads([thread("a", 3), thread("b", 9, 2), thread("c", 7, 1), thread("d", 0), thread("e", 10, 0, "me")], mentions, "me")), ["thread here b new", "thread here a"]);
});

test("ofRooms: those that somebody added the person to", () => {
  const rooms = [{ id: "own", joinedAt: time(1) }, { id: "a", joinedAt: time(2), addedBy: "bob" }, { id: "b", joinedAt: time(3), addedBy: "eve" }] as never;
  assert.deepEqual(keys(ofRooms(rooms)), ["added b new", "added a new"]);
});

test("lastSeen: mentions in another thread or in the room stay unread", () => {
  const at = (seq: number, thread?: string) => ({ seq, message: thread ? { thread } : {} });
  for (const [unread, want] of [[[], 0], [[at(7, "a"), at(5, "a")], 7], [[at(7, "a"), at(6, "b"), at(5, "a")], 5], [[at(7, "a"), at(4)], 0]] as const) assert.equal(lastSeen(unread, "a"), want);
});

test("firstUnread: counted from the end, without one's own and deleted messages, or else that of the line", () => {
  const messages = [message("a", 1), message("b", 2), message("c", 3, { user: "me" }), message("d", 4, { deletedAt: time(5) }), message("e", 6)] as const;
  const first = (unread: number, hasNewer = false) => firstUnread({ messages, hasNewer, firstUnread: "line" }, unread, m => m.user !== "me");
  assert.deepEqual([first(1), first(2), first(3), first(4), first(0), first(1, true)], ["e", "b", "a", "line", "line", "line"]);
});
