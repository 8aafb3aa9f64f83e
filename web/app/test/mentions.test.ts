import assert from "node:assert/strict";
import { test } from "node:test";
import { crowdWords, extrasOf, mentionsIn, mentionWords, outsideWords, queryOf, unknownWords, withRooms } from "../src/composer/mentions.js";

test("queryOf: what follows a mark that begins a word, with one space at most in a name", () => {
  const at = (text: string) => ({ mark: "@", text });
  assert.deepEqual(queryOf("ask @"), at(""));
  assert.deepEqual(queryOf("@bo"), at("bo"));
  assert.deepEqual(queryOf("(@Bob Ba"), at("Bob Ba"));
  for (const none of ["ask @Bob Baker when", "ann@example", "@bob ", "a#b", "# ", ":s", "12:30", "a :smile: "]) assert.equal(queryOf(none), null, none);
  assert.deepEqual(queryOf("see #Design te"), { mark: "#", text: "Design te" });
  assert.deepEqual(queryOf("well :smi"), { mark: ":", text: "smi" });
});

const [bob, cem, all] = [{ user: "bob", name: "Bob Baker" }, { user: "cem", name: "cem" }, { user: "", name: "room" }];
const mei = { user: "mei-tanaka", name: "Mei Tanaka" };
const usersOf = (text: string, ...groups: Parameters<typeof mentionsIn>[1][number][]) => mentionsIn(text, groups).people.map(p => p.user);

test("mentionsIn: exact names and ids in any case, each person once", () => {
  const members = [bob, cem, all, mei];
  assert.deepEqual(usersOf("@Bob Baker, @bob and @BOB BAKER.", [], members), ["bob"]);
  assert.deepEqual(usersOf("@mei tanaka (@cem) @room: lunch", [], members), ["mei-tanaka", "cem", ""]);
  assert.deepEqual(usersOf("**@mei-tanaka**\n- _@cem_", [], members), ["mei-tanaka", "cem"]);
  assert.deepEqual(usersOf("x@cem @cemal @bob-2 `@cem`\n```\n@cem\n```\n[@cem](https://a.example)", [], members), []);
});

test("mentionsIn: the longest name counts, then the chosen, the members and the others", () => {
  const twins = [{ user: "mei1", name: "Mei" }, { user: "mei2", name: "Mei" }];
  assert.deepEqual(usersOf("@Mei Tanaka", [], twins, [mei]), ["mei-tanaka"]);
  assert.deepEqual(usersOf("@Mei", [], [twins[0]!], [twins[1]!]), ["mei1"]);
  assert.deepEqual(usersOf("@Mei", [twins[1]!], twins), ["mei2"]);
  assert.deepEqual(mentionsIn("@Mei, @nobody here", [[], twins]), { people: [], unknown: [
    { word: "Mei", names: ["Mei"], several: true }, { word: "nobody", names: ["nobody", "nobody here"], several: false },
  ] });
});

test("extrasOf: at most twenty people, and not oneself", () => {
  const many = Array.from({ length: 30 }, (_, i) => ({ user: `u${i}`, name: `u${i}.` }));
  assert.equal(extrasOf({ people: many, unknown: [] }, "me").mentions?.length, 20);
  assert.deepEqual(extrasOf({ people: [bob, all], unknown: [] }, "bob"), { mentionRoom: true });
  assert.deepEqual(extrasOf(mentionsIn("nobody", []), "bob"), {});
});

test("mentionWords, unknownWords: what the person reads before they send", () => {
  assert.equal(mentionWords({ people: [mei, all], unknown: [] }, "bob", () => false), "Mentions Mei Tanaka and everyone here");
  assert.equal(mentionWords({ people: [bob, cem, mei, all], unknown: [] }, "me", () => false), "Mentions Bob Baker, cem and 2 others");
  assert.equal(mentionWords({ people: [bob], unknown: [] }, "bob", () => false), "");
  assert.equal(mentionWords({ people: [bob, cem], unknown: [] }, "me", user => user === "cem"), "Mentions Bob Baker and cem (not in this room)");
  assert.equal(unknownWords(mentionsIn("@mei there", []).unknown), "@mei is nobody here.");
});

test("outsideWords: who cannot read the room", () => {
  assert.deepEqual([[], [bob], [bob, cem], [bob, cem, mei]].map(outsideWords), [
    "", "Bob Baker is not in this room.", "Bob Baker and cem are not in this room.", "Bob Baker and 2 others are not in this room.",
  ]);
});

test("crowdWords: a question from 21 people on, or if nobody has counted them", () => {
  assert.deepEqual([0, 20, 21, Infinity, undefined].map(crowdWords), [
    "", "", "21 people will be notified.", "Several hundred people will be notified.", "Everyone in this room will be notified.",
  ]);
});

test("withRooms: names and ids of rooms become links, outside of code and addresses", () => {
  const rooms = [{ id: "design-x1", name: "Design team" }, { id: "design", name: "Design" }, { id: "a", name: "Twin" }, { id: "b", name: "twin" }];
  assert.equal(withRooms("see #design team, (#Design) and #b", rooms), "see [#design team](#/design-x1), ([#Design](#/design)) and [#b](#/b)");
  for (const same of ["#twin", "#designs", "x#design", "`#design`", "https://a.example/ #", "```\n#design\n```", "[x](#design)", "#"]) assert.equal(withRooms(same, rooms), same);
});
