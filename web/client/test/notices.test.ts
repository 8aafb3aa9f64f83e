// Of which messages a person is notified, on all devices: each once, none that they may not read, and nothing stays after
// it was read.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Notice, Notices, StoredMessage } from "../src/index.js";
import { eventually, until } from "./harness/until.js";
import { World, opened, type Person } from "./harness/world.js";

/** What one client tells a person. */
class Ear {
  /** The texts of the messages that notified, in this order. */
  readonly told: string[] = [];
  #shown: readonly Notice[] = [];
  private constructor(readonly person: Person, readonly notices: Notices) {
    notices.subscribe(() => {
      for (const n of notices.value) if (!this.#shown.some(s => s.id === n.id)) this.told.push(n.message.text);
      this.#shown = notices.value;
    });
  }

  static async of(person: Person): Promise<Ear> {
    const ear = new Ear(person, await person.chat.notices());
    await until("the settings are loaded", () => ear.notices.settings.value);
    await until("the list is loaded", () => person.chat.rooms.loaded && person.chat.state.value === "online");
    return ear;
  }

  get shown(): string[] {
    return this.notices.value.map(n => n.message.text);
  }
}

/** Opens a world in which amsg listens in several windows, and bob and eve write in the rooms. */
async function listening(t: Parameters<typeof World.open>[0], count = 1): Promise<{ w: World; ears: Ear[]; direct: string }> {
  const w = await World.open(t);
  for (const id of ["seattle", "tacoma", "olympia"]) await w.room(id, "bob", "amsg", "eve");
  const { id: direct } = await w.ask<{ id: string }>("bob", "POST", "/rooms", { direct: ["amsg"] });
  const ears: Ear[] = [];
  for (let n = 0; n < count; n++) ears.push(await Ear.of((await w.online("amsg"))[0]!));
  return { w, ears, direct };
}

/** A message whose event arrives without its change notifies after this time, in milliseconds. */
const PATIENCE = 1_000;

/** After this time, in milliseconds, a client has requested what it missed. */
const CAUGHT_UP = 4_000;

const say = (w: World, user: string, room: string, text: string, more: object = {}): Promise<StoredMessage> =>
  w.ask<StoredMessage>(user, "POST", `/rooms/${room}/messages`, { text, ...more });

/** Sends the root of a thread and the first reply, and waits until it notifies. */
async function thread(w: World, room: string, ears: readonly Ear[]): Promise<string> {
  const root = await say(w, "amsg", room, "root");
  await say(w, "bob", room, "first", { thread: root.id });
  for (const e of ears) await until("the first reply is told", () => e.told.includes("first"));
  return root.id;
}

const me = { mentions: ["amsg"] };

test("a person is notified of mentions, direct messages and followed threads", async t => {
  const { w, ears: [ear, other], direct } = await listening(t, 2);
  assert.ok(ear && other);
  const root = await thread(w, "tacoma", [ear, other]);
  await say(w, "bob", "tacoma", "quiet");
  await say(w, "bob", "tacoma", "hello @amsg", me);
  await say(w, "bob", "tacoma", "a reply", { thread: root });
  await say(w, "bob", direct, "psst");
  await say(w, "bob", "olympia", "hello @room", { mentionRoom: true });
  await say(w, "bob", "olympia", "that is all @amsg", me);
  for (const e of [ear, other]) {
    await until("the last one notifies", () => e.told.includes("that is all @amsg") && e.told.includes("psst"));
    assert.deepEqual(new Set(e.told), new Set(["first", "hello @amsg", "a reply", "psst", "hello @room", "that is all @amsg"]));
    assert.deepEqual(new Map(e.notices.value.map(n => [n.message.text, n.kind])).get("a reply"), "reply");
  }
  const room = await opened(ear.person, "olympia");
  await room.markRead();
  for (const e of [ear, other]) {
    await until("what was read is gone", () => !e.shown.some(text => text.includes("@room") || text.includes("that is all")));
    assert.ok(e.shown.includes("psst") && e.shown.includes("hello @amsg"));
  }
});

test("levels and a pause hold notifications back", async t => {
  const { w, ears: [ear], direct } = await listening(t);
  assert.ok(ear);
  await w.ask("amsg", "PUT", "/people/me/rooms/seattle", { level: "all" });
  await w.ask("amsg", "PUT", "/people/me/rooms/tacoma", { level: "none", levelUntil: new Date(Date.now() + 3_600_000).toISOString() });
  await until("the levels are known", () => ear.person.chat.rooms.value.filter(r => r.level).length === 2);
  await say(w, "bob", "tacoma", "not @amsg", me);
  await w.ask("bob", "PATCH", "/rooms/seattle", { systemMessages: true });
  await w.ask("dan", "PUT", "/rooms/seattle/members/me", { role: "member" }); // of which a line of the room tells
  await until("the line is there", () => ear.person.edge.received.some(f => JSON.stringify(f).includes("dan joined")));
  await say(w, "bob", "seattle", "everything");
  await until("all messages notify", () => ear.told.includes("everything"));
  await ear.notices.change({ pausedUntil: new Date(Date.now() + 3_600_000).toISOString() });
  await say(w, "bob", "seattle", "paused @amsg", me);
  await until("the frame is handled", () => ear.person.chat.rooms.value.find(r => r.id === "seattle")?.lastMessage?.text === "paused @amsg");
  await ear.notices.change({ mentionsAlways: true });
  await say(w, "bob", direct, "paused");
  await say(w, "bob", "seattle", "urgent @amsg", me);
  await until("a mention comes through", () => ear.told.includes("urgent @amsg"));
  await ear.notices.change({ pausedUntil: new Date(0).toISOString() });
  await say(w, "bob", direct, "again");
  await until("it is over", () => ear.told.includes("again"));
  assert.deepEqual(ear.told, ["everything", "urgent @amsg", "again"]);
  // On another device, a setting arrives by its event.
  const elsewhere = await Ear.of((await w.online("amsg"))[0]!);
  await elsewhere.notices.change({ level: "none" });
  await until("the level is known", () => ear.notices.settings.value?.level === "none");
  await until("a level ends what it does not have", () => ear.shown.every(text => text !== "again"));
});

test("an edit that mentions a person notifies, and a notification stays after an edit", async t => {
  const { w, ears: [ear] } = await listening(t);
  assert.ok(ear);
  const m = await say(w, "bob", "tacoma", "hello");
  const n = await say(w, "bob", "tacoma", "hi @amsg", me);
  await until("the second notifies", () => ear.told.includes("hi @amsg"));
  const edit = (of: StoredMessage, body: object) => w.ask("bob", "PATCH", `/rooms/tacoma/messages/${of.id}`, body);
  await edit(m, { text: "hello @amsg", ...me });
  await until("the edit notifies", () => ear.told.includes("hello @amsg"));
  await edit(n, { text: "hi again @amsg", ...me });
  await until("the text is the edited one", () => ear.shown.includes("hi again @amsg"));
  await w.ask("amsg", "PUT", "/people/me/rooms/seattle", { level: "all" });
  await until("the level is known", () => ear.person.chat.rooms.value.some(r => r.level));
  const told = await say(w, "bob", "seattle", "plain");
  await until("it notifies", () => ear.told.includes("plain"));
  await w.ask("amsg", "PUT", "/rooms/seattle/read", { seq: (await w.feed("amsg", "seattle")).at(-1)?.seq });
  await until("it is read", () => !ear.shown.includes("plain"));
  await w.ask("bob", "PATCH", `/rooms/seattle/messages/${told.id}`, { text: "plain @amsg", ...me });
  await w.ask("bob", "DELETE", `/rooms/tacoma/messages/${m.id}`);
  await until("a deleted message is gone", () => ear.notices.value.every(({ id }) => id !== m.id));
  await say(w, "bob", "seattle", "the last one");
  await until("the last one notifies", () => ear.told.includes("the last one"));
  await new Promise(done => setTimeout(done, PATIENCE)); // in which an event would notify
  assert.deepEqual(ear.told, ["hi @amsg", "hello @amsg", "plain", "the last one"]);
});

test("messages sent while there was no connection notify afterwards", async t => {
  const { w, ears: [ear], direct } = await listening(t);
  assert.ok(ear);
  await w.ask("amsg", "PUT", "/people/me/rooms/seattle", { level: "all" });
  await until("the level is known", () => ear.person.chat.rooms.value.some(r => r.level));
  const root = await thread(w, "olympia", [ear]);
  const before = ear.told.length;
  w.network.fail(true);
  await until("the connection is lost", () => ear.person.chat.state.value !== "online");
  await say(w, "bob", "seattle", "one");
  await say(w, "bob", "seattle", "two");
  await say(w, "bob", "tacoma", "quiet");
  await say(w, "bob", "tacoma", "three @amsg", me);
  await say(w, "bob", direct, "four");
  await say(w, "bob", "olympia", "five", { thread: root });
  w.network.fail(false);
  await eventually(() => assert.deepEqual(new Set(ear.told.slice(before)), new Set(["one", "two", "three @amsg", "four", "five"])));
  await say(w, "bob", "tacoma", "six @amsg", me);
  await until("later messages notify", () => ear.told.includes("six @amsg"));
  assert.equal(ear.told.length, before + 6);
});

test("a message whose frame is lost notifies, though the next one is received", async t => {
  const { w, ears: [ear], direct } = await listening(t);
  assert.ok(ear);
  w.network.frame = f => (JSON.stringify(f).includes("lost") ? "drop" : "pass");
  await say(w, "bob", direct, "lost");
  await say(w, "bob", direct, "next");
  await eventually(() => assert.deepEqual(new Set(ear.told), new Set(["lost", "next"])));
});

test("messages of which a person is not notified cause no requests", async t => {
  const { w, ears: [ear] } = await listening(t);
  assert.ok(ear);
  await say(w, "bob", "tacoma", "first"); // with which bob's name is loaded
  const newest = () => ear.person.chat.rooms.value.find(r => r.id === "tacoma")?.lastMessage?.text;
  await until("the first is listed", () => newest() === "first");
  await new Promise(done => setTimeout(done, CAUGHT_UP));
  const before = w.network.log.length;
  for (let n = 0; n < 10; n++) await say(w, "bob", "tacoma", `message ${n}`);
  await until("the last one is listed", () => newest() === "message 9");
  await new Promise(done => setTimeout(done, CAUGHT_UP));
  assert.deepEqual(w.network.log.slice(before).map(d => d.path), []);
  assert.deepEqual(ear.told, []);
});
