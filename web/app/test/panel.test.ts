import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { changed, durations, endOf, faultsOf, placeOf, placeText, sentence, slowModes, slug } from "../src/ui/forms.js";
import { levelsOf } from "../src/rooms/levels.js";
import { mayAdminister, maySeeReports, type Rules, type Standing } from "../src/access/moderator.js";
import { actionsFor, mayAdministerDocument, mayChange, mayConfigure, mayWrite } from "../src/access/rights.js";
import { when } from "../src/ui/dates.js";
import { compare } from "../src/ui/difference.js";

const room: Rules = { archived: false, kind: "room", posting: "members" };
const archived: Rules = { ...room, archived: true };
const direct: Rules = { ...room, kind: "direct" };

/** Returns a row of a table of the policy: the cells below the roles of its head. */
function policyTable(head: string): Map<string, Map<string, string>> {
  const repository = process.env["PARLEY_REPOSITORY"] ?? ".";
  const lines = readFileSync(join(repository, "internal/policy/testdata/table.txt"), "utf8").split("\n");
  const start = lines.findIndex(l => l.startsWith(head));
  assert.notEqual(start, -1, `the policy has no table ${head}`);
  const cells = (line: string) => line.trim().split(/ {2,}/);
  const columns = cells((lines[start] ?? "").slice(12));
  const rows = new Map<string, Map<string, string>>();
  for (let i = start + 1; lines[i]; i++) {
    const line = lines[i] ?? "";
    rows.set(line.slice(0, 12).trim(), new Map(columns.map((c, n) => [c, line.slice(12 + 19 * n, 31 + 19 * n).trim()])));
  }
  return rows;
}

const standing = (name: string) => (name === "stranger" ? "" : name) as Standing;

describe("rights", () => {
  test("are the policy's", () => {
    const columns: [string, string, Rules][] = [
      ...["owner", "moderator", "member", "muted", "stranger", "banned"].map((r): [string, string, Rules] => [r, r, room]),
      ["member, direct", "member", direct], ["moderator, direct", "moderator", direct], ["owner, direct", "owner", direct],
    ];
    for (const [head, archives] of [["            owner              ", false], ["archived    owner", true]] as const) {
      const table = policyTable(head);
      for (const [column, role, rules] of columns) {
        const r = { ...rules, archived: archives }, s = standing(role);
        const want = (action: string) => table.get(action)?.get(column) === "yes";
        assert.equal(mayAdminister(s, r), want("administer"), `${column} administers`);
        assert.equal(mayConfigure(s, r), want("configure"), `${column} configures`);
        assert.equal(maySeeReports(s, r), want("audit"), `${column} sees reports`);
      }
    }
  });

  test("to change roles are the policy's", () => {
    const text = readFileSync(join(process.env["PARLEY_REPOSITORY"] ?? ".", "internal/policy/testdata/table.txt"), "utf8");
    const lines = text.slice(text.indexOf("Who may change a role")).split("\n").slice(1).filter(Boolean);
    const roles = (lines[0] ?? "").trim().split(/\s+/);
    assert.equal(roles.length, 6);
    for (const line of lines.slice(1)) {
      const from = line.slice(0, 12).trim();
      roles.forEach((to, i) => {
        const who = line.slice(12 + 12 * i, 24 + 12 * i);
        assert.equal(mayChange("owner", standing(from), standing(to)), who.includes("o"), `an owner, ${from} to ${to}`);
        assert.equal(mayChange("moderator", standing(from), standing(to)), who.includes("m"), `a moderator, ${from} to ${to}`);
        assert.equal(mayChange("member", standing(from), standing(to)), false);
      });
    }
  });

  test("offer only what is allowed", () => {
    const person = (role: Standing) => ({ role, blocked: false });
    assert.deepEqual(actionsFor("member", room, person("owner")), ["Write to", "Block"]);
    assert.deepEqual(actionsFor("", room, { role: "member", blocked: true }), ["Write to", "Unblock"]);
    assert.deepEqual(actionsFor("moderator", room, person("member")), ["Write to", "Mute", "Block", "Remove", "Ban"]);
    assert.deepEqual(actionsFor("moderator", room, person("muted")), ["Write to", "Unmute", "Block", "Remove", "Ban"]);
    assert.deepEqual(actionsFor("moderator", room, person("moderator")), ["Write to", "Block"]);
    assert.deepEqual(actionsFor("owner", room, person("member")), ["Write to", "Mute", "Make moderator", "Hand over the room", "Block", "Remove", "Ban"]);
    assert.deepEqual(actionsFor("owner", room, person("moderator")), ["Write to", "Mute", "Make member", "Hand over the room", "Block", "Remove", "Ban"]);
    assert.deepEqual(actionsFor("owner", archived, person("member")), ["Write to", "Block"]);
    assert.deepEqual(actionsFor("owner", direct, person("member")), ["Write to", "Block"]);
  });

  test("in documents follow their permissions", () => {
    const writers = (write: "room" | "everyone" | "members" | "moderators" | "owners", rules = room) =>
      (["banned", "muted", "", "member", "moderator", "owner"] as const).filter(r => mayWrite(r, rules, { read: "room", write }));
    assert.deepEqual(writers("room"), ["member", "moderator", "owner"]);
    assert.deepEqual(writers("room", { ...room, posting: "everyone" }), ["", "member", "moderator", "owner"]);
    assert.deepEqual(writers("room", { ...room, posting: "moderators" }), ["moderator", "owner"]);
    assert.deepEqual(writers("everyone"), ["", "member", "moderator", "owner"]);
    assert.deepEqual(writers("members"), ["member", "moderator", "owner"]);
    assert.deepEqual(writers("moderators"), ["moderator", "owner"]);
    assert.deepEqual(writers("owners"), ["owner"]);
    assert.deepEqual(writers("everyone", archived), []);
    assert.equal(mayAdministerDocument("moderator", room, { read: "room", write: "owners" }), false);
    assert.equal(mayAdministerDocument("moderator", room, { read: "room", write: "room" }), true);
    assert.equal(mayAdministerDocument("member", room, { read: "room", write: "room" }), false);
  });
});

describe("compare", () => {
  const told = (before: string, after: string) => compare(before, after)
    .map(p => (p.kind === "same" ? p.text : p.kind === "added" ? `[+${p.text}]` : `[-${p.text}]`)).join("");

  test("finds the words that changed", () => {
    assert.equal(told("the quick fox", "the slow fox"), "the [-quick][+slow] fox");
    assert.equal(told("one two", "one two three"), "one two[+ three]");
    assert.equal(told("one two three", "two three"), "[-one ]two three");
    assert.equal(told("same", "same"), "same");
    assert.equal(told("a a", "a"), "a[- a]");
    assert.equal(told("a", "a a"), "a[+ a]");
    assert.equal(told("", "new"), "[+new]");
    assert.equal(told("line one\nline two", "line one\nline 2"), "line one\nline [-two][+2]");
    assert.equal(told("1. ship it\n2. sleep", "1. ship it BOB"), "1. ship it[-\n][+ BOB][-2. sleep]");
    assert.equal(told("a b\nc\nd", "c\nd e"), "[-a b\n]c\nd[+ e]");
  });

  test("gives both texts back", () => {
    const words = ["a", "b", "c", "日本語", "🙌", " ", "\n"];
    let seed = 7;
    const random = (n: number) => (seed = (seed * 48_271) % 2_147_483_647) % n;
    for (let i = 0; i < 300; i++) {
      const text = () => Array.from({ length: random(14) }, () => words[random(words.length)]).join("");
      const [a, b] = [text(), text()];
      const pieces = compare(a, b);
      assert.equal(pieces.filter(p => p.kind !== "added").map(p => p.text).join(""), a);
      assert.equal(pieces.filter(p => p.kind !== "removed").map(p => p.text).join(""), b);
    }
  });

  test("of long texts that have nothing in common does not hold up the page", () => {
    const long = (word: string) => Array.from({ length: 4000 }, (_, i) => `${word}${i}`).join(" ");
    const [a, b] = [long("a"), long("b")];
    assert.deepEqual(compare(a, b).map(p => p.kind), ["removed", "added"]);
  });
});

describe("forms", () => {
  test("show each fault at its field, and the others for the form", () => {
    const problem = (errors?: { location: string; message: string }[]) =>
      ({ type: "/problems/invalid", title: "Validation failed", status: 422, retryable: false, ...(errors && { errors }) }) as const;
    assert.deepEqual(faultsOf(problem([{ location: "place[1]", message: "must not be blank" }, { location: "name", message: "must have a visible character" }]), "x", ["name", "place"]),
      { fields: { place: "Must not be blank.", name: "Must have a visible character." }, form: "" });
    assert.deepEqual(faultsOf(problem([{ location: "room", message: "y" }]), "room must be shorter", ["name"]), { fields: {}, form: "Room must be shorter." });
    assert.deepEqual(faultsOf(undefined, "The server cannot be reached.", ["name"]), { fields: {}, form: "The server cannot be reached." });
    assert.equal(sentence("  "), "");
  });

  test("read and write places", () => {
    assert.deepEqual(placeOf(" USA / WA/Seattle /"), ["USA", "WA", "Seattle"]);
    assert.deepEqual(placeOf("  "), []);
    assert.equal(placeText(["USA", "WA"]), "USA / WA");
    assert.equal(placeText(undefined), "");
  });

  test("make ids of titles", () => {
    assert.equal(slug("Équipe & Charter, v2!"), "equipe-charter-v2");
    assert.equal(slug("日本語", "k3f9"), "k3f9");
    assert.match(slug("x".repeat(99) + " y", "abcd"), /^x{40}-abcd$/);
    assert.equal(slug("a".repeat(39) + " b"), "a".repeat(39), "a cut leaves no hyphen at the end");
  });

  test("give the end of a restriction", () => {
    const now = Date.UTC(2018, 7, 29, 12);
    assert.equal(endOf(now, "3600"), "2018-08-29T13:00:00.000Z");
    assert.equal(endOf(now, "0"), undefined);
    assert.equal(durations.at(-1)?.value, "0");
  });

  test("keep a pause that is none of the choices", () => {
    assert.deepEqual(slowModes(0), slowModes(60));
    const labels = slowModes(45).map(c => c.label);
    assert.equal(labels.indexOf("45 seconds"), labels.indexOf("30 seconds") + 1);
  });

  test("send only what differs", () => {
    assert.deepEqual(changed({ name: "a", place: ["USA"], n: 1 }, { name: "b", place: ["USA"], n: 1 }), { name: "b" });
  });
});

test("when: the day unless it is today, and the year unless it is this one", () => {
  const now = new Date(2018, 7, 29, 12);
  const clock = (...at: [number, number, number, number]) => when(new Date(...at).toISOString(), now);
  assert.doesNotMatch(clock(2018, 7, 29, 23), /29|Aug/);
  assert.match(clock(2018, 7, 30, 12), /30/);
  assert.doesNotMatch(clock(2018, 7, 30, 12), /2018/);
  assert.match(clock(2019, 7, 29, 12), /2019/);
});

describe("levelsOf", () => {
  const at = (id: string, ...place: string[]) => ({ id, name: id, place, kind: "room", topic: "", createdAt: "", createdBy: "", metadata: {} }) as never;
  const rooms = [at("a"), at("b", "USA"), at("c", "USA", "WA"), at("d", "USA", "WA", "Seattle"), at("e", "USA", "OR")];

  test("separates the rooms of a place from the levels below it", () => {
    assert.deepEqual(levelsOf(rooms, []), { here: [rooms[0]], below: [{ name: "USA", rooms: 4 }] });
    assert.deepEqual(levelsOf(rooms.slice(1), ["USA"]), { here: [rooms[1]], below: [{ name: "WA", rooms: 2 }, { name: "OR", rooms: 1 }] });
  });
});
