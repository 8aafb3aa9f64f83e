import assert from "node:assert/strict";
import { test } from "node:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { having } from "../src/ui/having.js";
import { type Choices, matchesOf, peopleOf, userOf } from "../src/rooms/matches.js";

type Own = Choices["own"][number];
const room = (id: string, name: string) => ({ id, name, kind: "room" }) as Own;
const direct = (id: string, other: string) => ({ id, name: "", kind: "direct", direct: ["ann", other] }) as unknown as Own;
const choices: Choices = {
  me: "ann", own: [direct("d-1", "bob"), room("general", "General")],
  nameOf: r => r.direct?.[1] ?? r.name,
  open: [{ id: "general", name: "General" }, { id: "lunch", name: "Lunch" }],
  commands: [{ id: "create", name: "Create a room" }, { id: "out", name: "Sign out" }],
  messages: [],
  people: [{ user: "bob", name: "Bob" }, { user: "dana-scott", name: "Dana Scott" }],
};
const shown = (all: readonly { kind: string; id: string }[]) => all.map(m => `${m.kind} ${m.id}`).join(", ");

test("matchesOf: own rooms come first, and rooms to join last", () => {
  assert.equal(shown(matchesOf("", choices)), "room d-1, room general, public lunch, command create, command out");
  assert.equal(shown(matchesOf("n", choices)), "room general, person dana-scott, command out, public lunch, search n");
});

test("matchesOf: commands are found by a part of their name", () => {
  assert.equal(shown(matchesOf("a room", choices)), "command create, search a room");
  assert.equal(shown(matchesOf("out", choices)), "command out, search out");
});

test("matchesOf: # and @ before a name are no part of it", () => {
  assert.equal(shown(matchesOf("#gen", choices)), "room general");
  assert.equal(shown(matchesOf("@dana", choices)), "person dana-scott");
});

test("peopleOf: only people, including people in direct rooms", () => {
  assert.equal(shown(peopleOf("", choices)), "person bob, person dana-scott");
  assert.equal(shown(peopleOf("lunch", choices)), "");
});

test("matchesOf: messages come after all that has a name", () => {
  const found = (id: string) => ({ message: { room: "general", id } }) as Choices["messages"][number];
  const messages = [found("1"), found("2")];
  assert.equal(shown(matchesOf("lunch", { ...choices, messages })), "public lunch, search lunch, message general 1, message general 2");
  assert.equal(shown(matchesOf("soup", { ...choices, messages })), "search soup, message general 1, message general 2");
});

test("userOf: a user id is no match, and is offered apart", () => {
  for (const of of [matchesOf, peopleOf]) assert.equal(shown(of("eve@example.com", choices).filter(m => m.kind !== "search")), "");
  assert.equal(userOf(" @eve@example.com"), "eve@example.com");
  assert.equal(userOf("no such name"), "");
});

test("having: finds what people type, as the search for messages does", () => {
  const cases = JSON.parse(readFileSync(join(process.env["PARLEY_REPOSITORY"] ?? ".", "internal/search/testdata/folds.json"), "utf8")) as [string, string][];
  for (const [query, text] of cases) assert.deepEqual(having([text], query, t => t, () => ""), [text], `${query} in ${text}`);
  assert.deepEqual(having(["\u{1f3f4}\u{e0067}\u{e0062}"], "\u{1f3f4}\u{e0067}\u{e0063}", t => t, () => ""), [], "another flag");
  assert.deepEqual(having(["\u0600\u0661"], "\u0600", t => t, () => "").length, 1, "a sign of Arabic that shows");
});
