import type { RoomEntry } from "@parley/client";
import assert from "node:assert/strict";
import { test } from "node:test";
import { held, ordered, sectionsOf, showsCollapsed } from "../src/rooms/sections.js";
import { counted, mentionsIn, unreadIn } from "../src/state/counts.js";

const room = (id: string, more: Partial<RoomEntry> = {}) => ({ id, name: id, kind: "room", unread: 0, mentions: 0, ...more }) as RoomEntry;
const ids = (rooms: readonly RoomEntry[]) => rooms.map(r => r.id).join(" ");

test("sectionsOf: a favorite leaves its section, and an archived room also if it is one", () => {
  const rooms = [room("a"), room("b", { favorite: true }), room("c", { kind: "direct" }), room("d", { archived: true, favorite: true })];
  const { favorites, rooms: own, direct, archived } = sectionsOf(rooms, null);
  assert.deepEqual([favorites, own, direct, archived].map(ids), ["b", "a", "c", "d"]);
});

test("sectionsOf: what is held keeps its place, and new rooms come last", () => {
  const still = held([room("a"), room("b")]);
  assert.equal(ids(sectionsOf([room("new"), room("b"), room("a")], still).rooms), "a b new");
});

test("ordered: by name, numbers by their value, or as listed", () => {
  const rooms = [room("room 10"), room("b"), room("room 9"), room("A")];
  assert.equal(ids(ordered(rooms, "activity", r => r.name)), "room 10 b room 9 A");
  assert.equal(ids(ordered(rooms, "name", r => r.name)), "A b room 9 room 10");
});

test("a muted room counts only its mentions", () => {
  const rooms = [room("loud", { unread: 5, mentions: 1, muted: true }), room("calm", { unread: 2, mentions: 2 }), room("still", { unread: 9, muted: true })];
  assert.deepEqual(rooms.map(counted), [1, 2, 0]);
  assert.equal(unreadIn(rooms), 3);
  assert.equal(mentionsIn(rooms), 3);
});

test("showsCollapsed: the current room and what is to be read, but nothing that appears under the pointer", () => {
  const [read, unread] = [room("read"), room("unread", { unread: 1 })];
  assert.ok(!showsCollapsed(read, "", null));
  assert.ok(showsCollapsed(read, "read", null));
  assert.ok(showsCollapsed(unread, "", null));
  assert.ok(!showsCollapsed(unread, "", held([room("unread")])));
  assert.ok(showsCollapsed(read, "", held([room("read", { unread: 1 })])));
});
