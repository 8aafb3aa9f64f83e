// Files of messages under each fault: they are uploaded once, and their message is stored once.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import "fake-indexeddb/auto";
import type { Room } from "../src/index.js";
import { isPost } from "./harness/faults.js";
import type { Fate, Seen } from "./harness/proxy.js";
import { until } from "./harness/until.js";
import { Shelf, World, opened, sent } from "./harness/world.js";

/** Returns a file of a text. */
const file = (name: string, text = `the text of ${name}`, type = "text/plain") => ({ name, blob: new Blob([text], { type }) });

const isUpload = (r: Seen) => r.method === "POST" && r.path.endsWith("/uploads");
const isPut = (r: Seen) => r.method === "PUT" && r.path.startsWith("/files/");

/** Returns the contents of a message's files, as a person who may read them gets them. */
async function contents(w: World, user: string, room: string, id: string): Promise<Record<string, string>> {
  const { attachments = [] } = (await w.messages(user, room)).find(m => m.id === id) ?? {};
  const { items } = await w.ask<{ items: { id: string; url: string }[] }>(user, "POST", `/rooms/${room}/attachments/links`, { messages: [id] });
  return Object.fromEntries(await Promise.all(attachments.map(async a => {
    const { url = "" } = items.find(item => item.id === a.id) ?? {};
    return [a.name, await (await fetch(new URL(url, w.server.url))).text()];
  })));
}

describe("a message with files", { concurrency: 3 }, () => {
  test("shows them, with progress, until it is stored", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const [amsg, bob] = await w.online("amsg", "bob");
    assert.ok(amsg && bob);
    const room = await opened(amsg, "seattle");
    const other = await opened(bob, "seattle");
    const progress: number[][] = [];
    const id = room.send({ text: "look", files: [file("a.txt"), file("b.txt", "another text")], onProgress: (...p) => progress.push(p) });
    const [pending] = room.value.messages;
    assert.deepEqual(pending?.files?.map(f => [f.name, f.type, f.bytes, f.sent]), [["a.txt", "text/plain", 17, 0], ["b.txt", "text/plain", 12, 0]]);
    await sent(room);
    assert.deepEqual(await contents(w, "bob", "seattle", id), { "a.txt": "the text of a.txt", "b.txt": "another text" });
    assert.deepEqual(room.value.messages[0]?.attachments?.map(a => a.id), pending.files.map(f => f.id), "a file keeps its id");
    assert.deepEqual(progress.at(-1), [29, 29]);
    await w.agrees(amsg, "seattle");
    await w.endsWith(bob, other, "look");
    await w.agrees(bob, "seattle");
  });
});
void [isUpload, isPut, isPost, Shelf, until];
type _ = Room | Fate;
