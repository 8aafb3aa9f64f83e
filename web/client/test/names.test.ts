// People whose ids are names that every object has: they are named like everybody else.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Message, Room } from "../src/index.js";
import { react } from "../src/doing.js";
import { until } from "./harness/until.js";
import { World, opened, sent } from "./harness/world.js";

const names = [["constructor", "Connie Struck"], ["__proto__", "Prue Toe"], ["toString", "Tess Ring"]] as const;
const ids = names.map(([id]) => id);
const sorted = names.map(([, name]) => name).sort();

/** Returns how the page of ten lines in docs/web.md shows a message of a room. */
async function lineOf(room: Room): Promise<(m: Message) => string> {
  const guide = await readFile(join(process.env["CHAT_REPOSITORY"] ?? "", "docs/web.md"), "utf8");
  const line = /^const line = (m => .*);$/m.exec(guide)?.[1] ?? assert.fail("the guide has no line");
  return (new Function("room", `return ${line}`) as (r: Room) => (m: Message) => string)(room);
}

describe("people called constructor, __proto__ and toString", () => {
  test("have their ids for names until they have others", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", ...ids);
    const amsg = w.connect("amsg");
    for (const { people } of [amsg.chat.rooms, amsg.chat.room("seattle").value]) {
      for (const id of ids) assert.equal(people[id]?.name ?? id, id, "nothing is loaded");
    }
    await until("amsg is online", () => amsg.chat.state.value === "online");
    const room = await opened(amsg, "seattle"); // whose list names nobody yet
    for (const id of ids) await w.post(id, "seattle", "hello");
    await until("all is shown", () => room.value.messages.length === ids.length);
    assert.deepEqual(room.value.messages.map(await lineOf(room)), ids.map(id => `${id}: hello\n`));
  });

  test("are named where they post, mention, react and type", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", ...ids);
    for (const [id, name] of names) await w.ask(id, "PUT", "/people/me", { name });
    const everyone = await w.online("amsg", ...ids);
    const rooms = await Promise.all(everyone.map(p => opened(p, "seattle")));
    const [seen, ...own] = rooms;
    assert.ok(seen);
    const nameOf = (user: string) => seen.value.people[user]?.name;

    // Nobody has posted: only the mention tells the client of them.
    await w.ask("amsg", "POST", "/rooms/seattle/messages", { text: "hello", mentions: ids });
    for (const [id, name] of names) await until(`${id} is named`, () => nameOf(id) === name);

    for (const room of own) {
      room.send("hello", undefined, { mentions: ids });
      await sent(room);
    }
    await until("all is shown", () => seen.value.messages.length === 1 + ids.length);
    const line = await lineOf(seen);
    assert.deepEqual(seen.value.messages.slice(1).map(line), names.map(([, name]) => `${name}: hello\n`));
    for (const m of seen.value.messages) assert.deepEqual(m.mentions?.map(nameOf).sort(), sorted);

    const first = seen.value.messages[0] ?? assert.fail("no message");
    for (const p of everyone.slice(1)) await react(p.chat, first, "👍", true);
    await until("the reactions are counted", () => seen.value.messages[0]?.reactions?.[0]?.count === ids.length);
    for (const room of own) {
      const mine = () => room.value.messages[0]?.reactions?.[0];
      await until("the reaction is one's own", () => mine()?.count === ids.length && mine()?.me === true);
    }

    for (const room of own) room.typing();
    await until("all type", () => seen.value.typing.length === ids.length);
    assert.deepEqual(seen.value.typing.map(nameOf).sort(), sorted);
    assert.deepEqual([...seen.value.online].sort(), ["amsg", ...ids].sort());

    // Later readers get the names with the messages.
    const [late] = await w.online("amsg");
    assert.ok(late);
    const again = await opened(late, "seattle");
    assert.deepEqual(ids.map(id => again.value.people[id]?.name), names.map(([, name]) => name));
  });
});
