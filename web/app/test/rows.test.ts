import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { announcePause, Arrivals, phrase, Speaker } from "../src/timeline/announce.js";
import { lastOwn, othersAfter } from "../src/message/find.js";
import { forwardIn, forwarded, linkedMessages } from "../src/message/links.js";
import { daysOf, groupPause } from "../src/timeline/rows.js";
import { dayName, dayOf, untilTomorrow } from "../src/ui/dates.js";

const noon = new Date(2018, 7, 29, 12).getTime();
type Sent = Parameters<typeof daysOf>[0][number];
const message = (id: string, user: string, ms: number, more: Partial<Sent> = {}): Sent => {
  const at = new Date(noon + ms).toISOString();
  return { id, user, room: "r", text: id, sentAt: at, receivedAt: at, revision: 1, ...more };
};
const blocked = new Set<string>();
/** Writes days as text: `>` begins a group, `!` is the unread line, `-` is a blocked sender. */
const shown = (messages: readonly Sent[], firstUnread?: string, hidden = blocked) =>
  daysOf(messages, { firstUnread, blocked: hidden }).map(d =>
    `${d.key.slice(8)}: ${d.rows.map(r => `${r.unread ? "!" : ""}${r.first ? ">" : ""}${r.blocked ? "-" : ""}${r.message.id}`).join(" ")}`).join("; ");

test("daysOf: messages of one author within five minutes are a group", () => {
  assert.equal(shown([message("a", "ann", 0), message("b", "ann", groupPause - 1), message("c", "ann", 2 * groupPause - 1), message("d", "bob", 2 * groupPause)]),
    "29: >a b >c >d");
});

test("daysOf: a service's message for a person is a group of its own", () => {
  assert.equal(shown([message("a", "ann", 0), message("b", "ann", 1, { via: "helpdesk" }), message("c", "ann", 2)]), "29: >a >b >c");
});

test("daysOf: each local day begins anew, with its author", () => {
  const midnight = untilTomorrow(new Date(noon));
  assert.equal(shown([message("a", "ann", midnight - 1), message("b", "ann", midnight), message("c", "ann", midnight + 1)]), "29: >a; 30: >b c");
});

test("daysOf: an unsent message from an earlier day stays on the last day", () => {
  assert.equal(shown([message("a", "ann", 86_400_000), message("b", "bob", 0, { status: "pending" })]), "30: >a >b");
});

test("daysOf: the unread line begins a group", () => {
  assert.equal(shown([message("a", "ann", 0), message("b", "ann", 1), message("c", "ann", 2)], "b"), "29: >a !>b c");
});

test("daysOf: blocked senders are marked by the server or by the person's own list", () => {
  assert.equal(shown([message("a", "ann", 0), message("b", "eve", 1), message("c", "eve", 2, { blocked: true })], undefined, new Set(["eve"])), "29: >a >-b -c");
  assert.equal(shown([message("c", "eve", 2, { blocked: true })]), "29: >-c");
});

test("daysOf: deleted, pending and failed messages keep their place", () => {
  const messages = [message("a", "ann", 0, { deletedAt: "x", text: "" }), message("b", "ann", 1, { status: "pending" }), message("c", "ann", 2, { status: "failed" })];
  assert.equal(shown(messages), "29: >a b c");
});

test("daysOf: when a message is sent, no group changes", () => {
  const before = [message("a", "ann", 0), message("b", "ann", 1, { status: "pending" })];
  const after = [message("a", "ann", 0), message("b", "ann", 40)];
  assert.equal(shown(before), shown(after));
});

test("lastOwn: the newest stored message of the person that is not deleted", () => {
  const list = [message("a", "ann", 0), message("b", "ann", 1), message("c", "ann", 2, { deletedAt: "x" }), message("d", "bob", 3), message("e", "ann", 4, { status: "failed" })];
  assert.equal(lastOwn(list, "ann")?.id, "b");
  assert.equal(lastOwn(list, "eve"), undefined);
});

test("othersAfter: counts what others wrote after a message", () => {
  const list = [message("a", "ann", 0), message("b", "bob", 1), message("c", "ann", 2), message("d", "bob", 3)];
  assert.equal(othersAfter(list, "a", "ann"), 2);
  assert.equal(othersAfter(list, "d", "ann"), 0);
  assert.equal(othersAfter(list, "x", "ann"), 0);
});

test("dayName: today and yesterday by name, other years with the year", () => {
  const now = new Date(2018, 0, 1, 0, 30);
  assert.equal(dayName("2018-01-01", now), "Today");
  assert.equal(dayName("2017-12-31", now), "Yesterday");
  assert.match(dayName("2017-12-30", now), /2017/);
  assert.doesNotMatch(dayName("2018-03-05", now), /2018/);
  assert.equal(dayOf(now.getTime()), "2018-01-01");
  assert.equal(untilTomorrow(now), 23.5 * 3_600_000);
});

const view = (messages: readonly Sent[], more = {}) =>
  ({ messages, phase: "ready", hasOlder: true, hasNewer: false, typing: [], online: [], onlineCount: 0, people: {}, ...more }) as Parameters<Arrivals["look"]>[0];
const ids = (list: readonly Sent[]) => list.map(m => m.id).join(" ");

test("Arrivals: others' new messages, each once", () => {
  const a = new Arrivals();
  const first = [message("a", "bob", 0)];
  assert.equal(ids(a.look(view(first), "ann", blocked)), "");
  const second = [...first, message("b", "bob", 1), message("c", "ann", 2), message("d", "eve", 3), message("e", "bob", 4, { blocked: true })];
  assert.equal(ids(a.look(view(second), "ann", new Set(["eve"]))), "b");
  assert.equal(ids(a.look(view(second), "ann", blocked)), "");
});

test("Arrivals: history is none", () => {
  const a = new Arrivals();
  assert.equal(ids(a.look(view([], { phase: "loading" }), "ann", blocked)), "");
  assert.equal(ids(a.look(view([message("m", "bob", 5)]), "ann", blocked)), "");
  // An older page.
  assert.equal(ids(a.look(view([message("l", "bob", 4), message("m", "bob", 5)]), "ann", blocked)), "");
  // A window that does not reach the newest, and the way back to it.
  assert.equal(ids(a.look(view([message("a", "bob", 0)], { hasNewer: true }), "ann", blocked)), "");
  assert.equal(ids(a.look(view([message("a", "bob", 0), message("b", "bob", 1)]), "ann", blocked)), "");
  assert.equal(ids(a.look(view([message("a", "bob", 0), message("b", "bob", 1), message("c", "bob", 2)]), "ann", blocked)), "c");
  // A page that has nothing in common with the one before, after a reset.
  assert.equal(ids(a.look(view([message("x", "bob", 8), message("y", "bob", 9)]), "ann", blocked)), "");
});

test("Arrivals: the first message of an empty room is new", () => {
  const a = new Arrivals();
  a.look(view([]), "ann", blocked);
  assert.equal(ids(a.look(view([message("a", "bob", 0)]), "ann", blocked)), "a");
});

test("Arrivals: a pending message of the person hides nothing", () => {
  const a = new Arrivals();
  const own = message("z", "ann", 1, { status: "pending" });
  a.look(view([message("a", "bob", 0), own]), "ann", blocked);
  assert.equal(ids(a.look(view([message("a", "bob", 0), message("b", "bob", 2), own]), "ann", blocked)), "b");
});

test("phrase: short texts are read, many are counted", () => {
  assert.equal(phrase([{ author: "Bob", text: "hi\n there" }]), "Bob: hi there");
  assert.equal(phrase(Array.from({ length: 4 }, () => ({ author: "Bob", text: "hi" }))), "4 new messages");
  assert.equal(phrase([{ author: "Bob", text: "x".repeat(32 << 10) }]).length, "Bob: ".length + 200 + 1);
});

test("Speaker: at most one announcement in two seconds, nothing lost, nothing twice", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const said: string[] = [];
  const speaker = new Speaker(text => said.push(text));
  speaker.add([{ author: "Bob", text: "1" }]);
  speaker.add([{ author: "Bob", text: "2" }]);
  speaker.add([{ author: "Ann", text: "3" }]);
  assert.deepEqual(said, ["Bob: 1"]);
  mock.timers.tick(announcePause - 1);
  assert.equal(said.length, 1);
  mock.timers.tick(1);
  assert.deepEqual(said, ["Bob: 1", "Bob: 2. Ann: 3"]);
  mock.timers.tick(10 * announcePause);
  assert.equal(said.length, 2);
  speaker.add([{ author: "Bob", text: "4" }]);
  assert.equal(said.length, 3);
  speaker.add([{ author: "Bob", text: "5" }]);
  speaker.stop();
  mock.timers.tick(announcePause);
  assert.equal(said.length, 3);
  mock.timers.reset();
});

test("Speaker: how much was new is heard before what comes", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const said: string[] = [];
  const speaker = new Speaker(text => said.push(text));
  speaker.say("2 new messages");
  speaker.add([{ author: "Bob", text: "live" }]);
  assert.deepEqual(said, ["2 new messages"]);
  mock.timers.tick(announcePause);
  assert.deepEqual(said, ["2 new messages", "Bob: live"]);
  speaker.stop();
  mock.timers.reset();
});

test("linkedMessages: links to messages of this page are found once each, at most three", () => {
  const base = "https://parley.example/";
  const found = (text: string) => linkedMessages(text, base).map(l => `${l.room} ${l.id}`);
  assert.deepEqual(found(`see ${base}#/general/01-a~ann. And ${base}#/general/01-a~ann`), ["general 01-a~ann"]);
  assert.deepEqual(found(`[that](#/p-1/02-b~b%40c) ${base}#/general https://other.example/#/general/01-a~ann`), ["p-1 02-b~b@c"]);
  assert.deepEqual(found([1, 2, 3, 4].map(n => `${base}#/r/${n}`).join(" ")), ["r 1", "r 2", "r 3"]);
  assert.deepEqual(found(`${base}#/r/%E0%A4%A`), []);
});

test("forwarded: a comment is above the quoted message and its link", () => {
  assert.equal(forwarded("one\ntwo", "https://l", " look "), "look\n\n> one\n> two\nhttps://l");
  assert.equal(forwarded("one", "https://l", ""), "> one\nhttps://l");
  assert.ok(forwarded("x".repeat(9000), "https://l", "").length < 5000);
});

test("forwardIn: what forwarded makes is found again, and nothing else", () => {
  const base = "https://parley.example/";
  const link = `${base}#/general/01-a~ann`;
  const linked = { room: "general", id: "01-a~ann" };
  for (const comment of ["", "look", "two\nlines\n\n> and a quote"]) {
    for (const quote of ["one", "one\n\n> two", "> one"]) assert.deepEqual(forwardIn(forwarded(quote, link, comment), base), { ...linked, comment, quote });
  }
  for (const text of [link, `see ${link}`, `> one\n${link} and more`, `> one\n\n${link}`, `look\n> one\n${link}`, "> one\nhttps://other.example/#/general/01-a~ann", "> one"]) {
    assert.equal(forwardIn(text, base), undefined, text);
  }
});
