import assert from "node:assert/strict";
import { test } from "node:test";
import { type Choices, matchesOf, peopleOf } from "../src/rooms/matches.js";

type Own = Choices["own"][number];
const room = (id: string, name: string) => ({ id, name, kind: "room" }) as Own;
const direct = (id: string, other: string) => ({ id, name: "", kind: "direct", direct: ["ann", other] }) as unknown as Own;
const choices: Choices = {
  me: "ann", own: [direct("d-1", "bob"), room("general", "General")],
  nameOf: r => r.direct?.[1] ?? r.name,
  open: [{ id: "general", name: "General" }, { id: "lunch", name: "Lunch" }],
  commands: [{ id: "create", name: "Create a room" }, { id: "out", name: "Sign out" }],
  people: [{ user: "bob", name: "Bob" }, { user: "dana-scott", name: "Dana Scott" }],
  answered: true,
};
const shown = (all: readonly { kind: string; id: string }[]) => all.map(m => `${m.kind} ${m.id}`).join(", ");

test("matchesOf: own rooms come first, and rooms to join last", () => {
  assert.equal(shown(matchesOf("", choices)), "room d-1, room general, public lunch, command create, command out");
  assert.equal(shown(matchesOf("n", choices)), "room general, person dana-scott, command out, public lunch");
});

test("matchesOf: commands are found by a part of their name", () => {
  assert.equal(shown(matchesOf("a room", choices)), "command create");
  assert.equal(shown(matchesOf("out", { ...choices, answered: false })), "command out");
});

test("matchesOf: # and @ before a name are no part of it", () => {
  assert.equal(shown(matchesOf("#gen", choices)), "room general");
  assert.equal(shown(matchesOf("@dana", choices)), "person dana-scott");
});

test("peopleOf: people alone, those of direct rooms too", () => {
  assert.equal(shown(peopleOf("", choices)), "person bob, person dana-scott");
  assert.equal(shown(peopleOf("lunch", { ...choices, answered: false })), "");
});

test("a user id is offered where nobody and nothing else was found", () => {
  for (const of of [matchesOf, peopleOf]) {
    assert.equal(shown(of("eve@example.com", choices)), "id eve@example.com");
    assert.equal(shown(of("eve@example.com", { ...choices, answered: false })), "", "before the server has answered");
    assert.equal(shown(of("dan", choices)), "person dana-scott");
    assert.equal(shown(of("no such name", choices)), "", "no user id");
  }
  assert.equal(shown(matchesOf("lunch", choices)), "public lunch");
});
