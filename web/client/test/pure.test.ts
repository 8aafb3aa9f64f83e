// The parts of the client that need no server: the order of messages, gaps, ids, pauses, tokens.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Feed, type Change } from "../src/feed.js";
import { Follower } from "../src/follower.js";
import { retryIn } from "../src/http.js";
import { RequestError } from "../src/errors.js";
import { restamp, timeOf, uuid } from "../src/ids.js";
import { Link } from "../src/link.js";
import { MAX_PAUSE, MIN_PAUSE, backoff } from "../src/pause.js";
import { Presence } from "../src/presence.js";
import { EMPTY, extend, firstUnread, put, reacted, trim, type Span } from "../src/timeline.js";
import { MAX_RENEW_AGE, claims, renewIn } from "../src/tokens.js";
import type { StoredMessage } from "../src/types.js";
import { hasWork, heldTime, hold, step } from "./harness/clock.js";
import { random } from "./harness/random.js";

/** Returns the message with a number, which is also its time. */
function message(n: number, more: Partial<StoredMessage> = {}): StoredMessage {
  const at = new Date(n).toISOString();
  return { id: `${n}~bob`, room: "seattle", user: "bob", text: `${n}`, sentAt: at, receivedAt: at, revision: 1, ...more };
}

const numbers = (span: Span) => span.messages.map(m => parseInt(m.id));
const span = (from: number, to: number, more: Partial<Span> = {}): Span => ({
  ...EMPTY, messages: Array.from({ length: to - from + 1 }, (_, i) => message(from + i)), ...more,
});

describe("the timeline", () => {
  test("orders by the time of receipt, then the sender, then the id", () => {
    const at = message(1).receivedAt;
    const all = [
      message(0), message(1, { id: "b~amsg", user: "amsg" }), message(2, { id: "a~bob", receivedAt: at }),
      message(2, { id: "b~bob", receivedAt: at }), message(3),
    ];
    for (const first of all) {
      const others = all.filter(m => m !== first);
      assert.deepEqual([first, ...others.reverse()].reduce((all, m) => put(all, m), EMPTY).messages, all);
    }
  });

  test("takes a newer revision, and neither an older one nor a repeat", () => {
    const edited = put(span(1, 3), message(2, { text: "edited", revision: 2 }));
    assert.equal(edited.messages[1]?.text, "edited");
    assert.equal(put(edited, message(2)), edited);
    assert.deepEqual(put(edited, message(2, { text: "edited", revision: 2 })), edited);
  });

  test("takes other counts of the same revision, and keeps what the caller chose and what is quoted", () => {
    const quote = { id: "q~bob", user: "bob" };
    const before = span(1, 2);
    const counted = put(before, message(2, { reactions: [{ emoji: "👍", count: 2, me: true }], quote: { ...quote, text: "noon?" } }));
    const later = put(counted, message(2, { reactions: [{ emoji: "👍", count: 3 }, { emoji: "❤", count: 1 }], quote }), true);
    assert.deepEqual(later.messages[1]?.reactions, [{ emoji: "👍", count: 3, me: true }, { emoji: "❤", count: 1 }]);
    assert.equal(later.messages[1]?.quote?.text, "noon?");
    assert.deepEqual(put(later, message(2, { reactions: [{ emoji: "👍", count: 1 }] })).messages[1]?.reactions, [{ emoji: "👍", count: 1 }]);
  });

  test("takes the current text into the quotes of a changed message, which may be only in a thread", () => {
    const quote = { id: "q~bob", user: "bob", text: "noon?" };
    const before = put(span(1, 2), message(2, { quote }));
    const deleted = { ...message(3), id: "q~bob", text: "", revision: 2, thread: "root~amsg" };
    assert.equal(put(before, deleted, true).messages[1]?.quote?.text, "");
    assert.equal(put(before, deleted).messages[1]?.quote?.text, "noon?");
    assert.equal(put(before, message(3), true).messages[1], before.messages[1]);
  });

  test("leaves out a reply that only its thread has", () => {
    const before = span(1, 2);
    assert.equal(put(before, message(3, { thread: "root~amsg" })), before);
    assert.deepEqual(numbers(put(before, message(3, { thread: "root~amsg", showInRoom: true }))), [1, 2, 3]);
  });

  test("reacted: an emoji is added, counted, taken back, and gone with the last", () => {
    const first = reacted(message(1), "👍", true, true);
    assert.deepEqual(first.reactions, [{ emoji: "👍", count: 1, me: true }]);
    assert.deepEqual(reacted(first, "👍", true, false).reactions, first.reactions);
    assert.deepEqual(reacted(message(1), "👍", true, false).reactions, first.reactions);
    assert.deepEqual(reacted(first, "👍", false, true).reactions, []);
    assert.deepEqual(reacted(message(1), "👍", false, false).reactions, []);
  });

  test("takes what lies beyond it only if nothing is between", () => {
    assert.deepEqual(numbers(put(span(5, 6, { hasOlder: true, hasNewer: true }), message(4))), [5, 6]);
    assert.deepEqual(numbers(put(span(5, 6, { hasOlder: true, hasNewer: true }), message(7))), [5, 6]);
    assert.deepEqual(numbers(put(put(span(5, 6), message(4)), message(7))), [4, 5, 6, 7]);
  });

  test("grows at both ends, and is trimmed at both", () => {
    const grown = extend(span(5, 6, { hasOlder: true, hasNewer: true }), [message(4), message(3)], "older", false);
    assert.deepEqual([numbers(grown), grown.hasOlder, grown.hasNewer], [[3, 4, 5, 6], false, true]);
    const both = extend(grown, [message(7)], "newer", true);
    assert.deepEqual([numbers(both), both.hasOlder, both.hasNewer], [[3, 4, 5, 6, 7], false, true]);
    assert.deepEqual([numbers(trim(both, "older", 2)), trim(both, "older", 2).hasOlder], [[6, 7], true]);
    assert.deepEqual([numbers(trim(span(1, 5), "newer", 2)), trim(span(1, 5), "newer", 2).hasNewer], [[1, 2], true]);
    assert.equal(trim(both, "newer", 5), both);
    assert.deepEqual(numbers(trim(both, "newer", 0)), []);
  });

  test("finds the first unread among others' messages that are there", () => {
    const all = [message(1), message(2, { user: "me" }), message(3, { deletedAt: "x" }), message(4), message(5, { blocked: true }), message(6), message(7)];
    assert.equal(firstUnread(all, "6~bob", 1, "me"), "6~bob");
    assert.equal(firstUnread(all, "6~bob", 2, "me"), "4~bob");
    assert.equal(firstUnread(all, "6~bob", 3, "me"), "1~bob");
    assert.equal(firstUnread(all, "6~bob", 4, "me"), undefined);
    assert.equal(firstUnread(all, "6~bob", 0, "me"), undefined);
  });
});

describe("the feed", () => {
  const change = (seq: number, more: Partial<Change> = {}): Change => ({ seq, type: "message.created", ...more });
  const seqs = (changes: readonly Change[]) => changes.map(c => c.seq);
  /** Returns a feed that was read up to change 3. */
  const read = () => {
    const feed = new Feed();
    feed.since = "s0";
    assert.deepEqual(seqs(feed.page({ items: [change(1), change(2), change(3)], head: 3, since: "s3", reset: false })), [1, 2, 3]);
    return feed;
  };

  test("waits for a page of messages", () => {
    const feed = new Feed();
    assert.deepEqual(feed.frame([change(4)], "s4"), []);
    assert.equal(feed.behind, false);
    feed.since = "s3";
    assert.equal(feed.behind, true);
    assert.deepEqual(seqs(feed.page({ items: [change(4)], head: 4, since: "s4", reset: false })), [4]);
    assert.deepEqual([feed.behind, feed.seq, feed.since], [false, 4, "s4"]);
  });

  test("knows its number in a room without changes", () => {
    const feed = new Feed();
    feed.since = "s0";
    assert.equal(feed.behind, true);
    assert.deepEqual(feed.page({ items: [], head: 0, since: "s0", reset: false }), []);
    assert.deepEqual([feed.behind, feed.seq], [false, 0]);
  });

  test("counts changes of types that it does not know", () => {
    const feed = read();
    const newer = [change(4, { type: "unknown" }), change(5, { type: "polls.changed" }), change(6)];
    assert.deepEqual(seqs(feed.frame(newer.slice(1), "s6")), []);
    assert.deepEqual(seqs(feed.frame(newer.slice(0, 1), "s4")), [4, 5, 6]);
    assert.deepEqual([feed.behind, feed.seq], [false, 6]);
  });

  test("drops repeats, and keeps what is early", () => {
    const feed = read();
    assert.deepEqual(feed.frame([change(2), change(3)], "s3"), []);
    assert.deepEqual(feed.frame([change(5), change(6)], "s6"), []);
    assert.deepEqual([feed.behind, feed.since], [true, "s3"]);
    assert.deepEqual(seqs(feed.frame([change(4)], "s4")), [4, 5, 6]);
    assert.equal(feed.behind, false);
    assert.equal(feed.since, "s4"); // an earlier position than seq only leads to repeats
  });

  test("continues from a page that frames have overtaken", () => {
    const feed = read();
    assert.deepEqual(feed.frame([change(6), change(7)], "s7"), []);
    assert.deepEqual(seqs(feed.page({ items: [change(4), change(5)], head: 9, since: "s5", reset: false })), [4, 5, 6, 7]);
    assert.deepEqual([feed.behind, feed.since], [true, "s5"]);
    assert.deepEqual(seqs(feed.frame([change(8)], "s8")), [8]);
    assert.deepEqual(feed.page({ items: [change(6), change(7)], head: 9, since: "s7", reset: false }), []);
    assert.equal(feed.since, "s8"); // a page that was requested before
  });

  test("keeps its position when a copy of the room has the same number", () => {
    const feed = read();
    assert.deepEqual(feed.frame([change(3)], "copy's s3"), []);
    assert.equal(feed.since, "s3");
  });

  test("is behind a head, a lost frame, and a message that is left out", () => {
    const feed = read();
    feed.position(3);
    assert.equal(feed.behind, false);
    feed.position(4);
    assert.equal(feed.behind, true);
    assert.deepEqual(feed.frame([change(4, { omitted: true }), change(5)], "s5"), []);
    assert.deepEqual(seqs(feed.page({ items: [change(4), change(5)], head: 5, since: "s5", reset: false })), [4, 5]);
    assert.deepEqual([feed.behind, feed.since], [false, "s5"]);
  });

  test("counts the numbers of types that it does not know", () => {
    assert.deepEqual(seqs(read().frame([change(4, { type: "pin.added" }), change(5)], "s5")), [4, 5]);
  });

  test("takes any order of frames, some of them twice", () => {
    for (let seed = 0; seed < 200; seed++) {
      const feed = read();
      const order = Array.from({ length: 12 }, (_, i) => 4 + ((i * 7 + seed * 5) % 9));
      const taken = order.flatMap(n => seqs(feed.frame([change(n)], `s${n}`)));
      assert.deepEqual(taken, [...new Set(taken)].sort((a, b) => a - b));
      assert.equal(taken.length, feed.seq! - 3); // it is known after a page
    }
  });

  test("is read to its end in pages, whatever frames arrive and whatever they lack", async () => {
    const [total, pageSize] = [60, 5];
    const changes = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => change(from + i));
    for (let seed = 0; seed < 300; seed++) {
      const r = random(seed);
      const applied: number[] = [];
      let [head, reads] = [0, 0];
      const follower: Follower = new Follower({
        read: since => {
          reads++;
          const from = Number(since.slice(1)) + 1;
          const items = changes(from, Math.min(head, from + pageSize - 1));
          return Promise.resolve({ items, head, since: `s${items.at(-1)?.seq ?? head}`, reset: false });
        },
        apply: all => void applied.push(...seqs(all)),
        reload: () => assert.fail("a reload"), caughtUp: () => undefined, gone: () => assert.fail("gone"),
      });
      follower.start("s0");
      const arrives = 0.2 + 0.8 * r();
      while (head < total) {
        const from = head + 1;
        head = Math.min(total, head + Math.ceil(4 * r()));
        if (r() < arrives) follower.frame(changes(from, head), `s${head}`);
        if (r() < 0.05) await follower.read();
      }
      follower.position(head, 0);
      await follower.read();
      follower.stop();
      assert.deepEqual(applied, seqs(changes(1, total)), `seed ${seed}`);
      assert.ok(reads <= total / pageSize + total / 4, `seed ${seed}: ${reads} reads`);
    }
  });
});

describe("ids", () => {
  const time = Date.parse("2018-08-29T12:34:56.789Z");
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

  test("are UUIDs of version 7 with their time", () => {
    for (const words of [[0, 0, 0], [0xffffffff, 0xffffffff, 0xffffffff], [0x12345678, 0x9abcdef0, 0x1]]) {
      const id = uuid(time, Uint32Array.from(words));
      assert.match(id, form);
      assert.equal(timeOf(id), time);
    }
    assert.equal(timeOf("01658560-1d0b-7a2c-9e4f-8b6d2c1a0f3e~amsg"), parseInt("016585601d0b", 16));
  });

  test("with another time are the same for two pages, and keep the rest", () => {
    const id = `${uuid(time, Uint32Array.of(1, 2, 3))}~bob`;
    const later = Date.parse("2018-08-29T13:00:10.000Z");
    assert.equal(restamp(id, later), restamp(id, later + 40_000));
    assert.equal(timeOf(restamp(id, later)), Date.parse("2018-08-29T13:00:00.000Z"));
    assert.equal(restamp(id, later).slice(13), id.slice(13));
  });
});

describe("pauses", () => {
  test("are random, and grow from half a second to 20", () => {
    assert.equal(backoff(1, 0), 0);
    assert.equal(backoff(1, 1), MIN_PAUSE);
    assert.ok(backoff(3, 0.5) > backoff(2, 0.5));
    assert.equal(backoff(1000, 1), MAX_PAUSE);
  });

  test("follow Retry-After, and refusals for good have none", () => {
    assert.equal(retryIn(new RequestError(403), 1), 0);
    assert.ok(retryIn(new RequestError(0), 1) > 0);
    assert.ok(retryIn(new RequestError(429), 1) >= 1000);
    assert.equal(retryIn(new RequestError(429, undefined, {}, 61), 1), 0);
    const told = retryIn(new RequestError(503, undefined, {}, 7), 1);
    assert.ok(told >= 7000 && told <= 7000 + MIN_PAUSE);
  });
});

describe("tokens", () => {
  const token = (c: object) => `x.${Buffer.from(JSON.stringify(c)).toString("base64url")}.y`;

  test("tell their claims, if they are JWTs", () => {
    assert.equal(claims(token({ sub: "bob>?", name: "Zoë ÿ" })).sub, "bob>?");
    assert.deepEqual(claims("opaque"), {});
    assert.deepEqual(claims(""), {});
  });

  test("are renewed at 85 to 95 % of their life, and connections replaced before two hours", () => {
    const now = 1_000_000_000;
    const hour = token({ exp: now / 1000 + 3600 });
    assert.equal(renewIn(hour, now, 0, 0), 0.85 * 3_600_000);
    assert.ok(Math.abs(renewIn(hour, now, 0, 1) - 0.95 * 3_600_000) < 1);
    assert.equal(renewIn(hour, now, 6_000_000, 0), 660_000);
    assert.equal(renewIn(hour, now, MAX_RENEW_AGE, 0), 0);
    for (const long of [token({ exp: now / 1000 + 86_400 }), "opaque"]) {
      assert.equal(renewIn(long, now, 0, 0), 0.925 * 7_200_000);
      assert.ok(Math.abs(renewIn(long, now, 0, 1) - 0.975 * 7_200_000) < 1);
    }
    assert.equal(renewIn(hour, now + 7_200_000, 0, 0.5), 0);
  });
});

describe("a connection", () => {
  test("is closed by the client at the server's last frame, with the reason", () => {
    let socket: { onmessage: ((e: { data: string }) => void) | null } | undefined;
    let closed = 0;
    class Fake {
      readyState = 1;
      onmessage = null;
      constructor() { socket = this; }
      send(): void {}
      close(): void { closed++; }
    }
    const ends: (string | undefined)[] = [];
    const heard: (string | undefined)[] = [];
    new Link("ws://test", "token", { wanted: () => [], received: (_, frame) => heard.push(frame.type), ended: (_, reason) => ends.push(reason), late: () => {} },
      { WebSocket: Fake as unknown as typeof WebSocket });
    socket?.onmessage?.({ data: '{"type":"later","reason":"of another frame"}' });
    assert.deepEqual([closed, ends, heard], [0, [], ["later"]]);
    socket?.onmessage?.({ data: '{"type":"closing","reason":"refusals"}' });
    assert.deepEqual([closed, ends, heard], [1, ["refusals"], ["later"]]);
    assert.equal(socket?.onmessage, null, "nothing more is heard");
  });
});

describe("who is there", () => {
  test("is who was online at the last answer, also if they had left shortly before", async t => {
    hold(t);
    const pass = async (ms: number) => {
      const end = heldTime() + ms;
      do while (hasWork()) await sleep(1); while (step(end));
    };
    const presence = new Presence(() => {});
    const answers = (...users: string[]) => presence.load(Promise.resolve({ users, count: users.length }));
    await answers("amsg", "bob");
    presence.setOnline("bob", false);
    await answers("amsg", "bob"); // he came back while this device was not connected
    await pass(60_000);
    assert.deepEqual(presence.view("amsg").online, ["amsg", "bob"]);
    const answer = answers("amsg", "bob");
    presence.setOnline("bob", false); // the answer may be older
    await answer;
    await pass(60_000);
    assert.deepEqual(presence.view("amsg").online, ["amsg"]);
  });
});
