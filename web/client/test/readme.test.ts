// The lines of the README, with a real server.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { connect, type Chat, type Options } from "../src/index.js";
import { socketOption } from "./harness/edge.js";
import { until } from "./harness/until.js";
import { World } from "./harness/world.js";

test("the lines of the README run", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg");
  const readme = await readFile(join(process.env.CHAT_REPOSITORY ?? "", "web/client/README.md"), "utf8");
  const lines = /```js\nimport .*\n([^]*?)```/.exec(readme)?.[1] ?? assert.fail("the README has no lines");
  const printed: string[][] = [];
  const made: Chat[] = [];
  t.after(() => made.forEach(c => c.close()));
  const run = new Function("connect", "url", "token", "console", `return (async () => {${lines}})()`);
  const connected = (o: Options) => {
    const chat = connect({ ...socketOption, ...o });
    made.push(chat);
    return chat;
  };
  await run(connected, w.network.url, await w.token("amsg"), { log: (texts: string[]) => printed.push(texts) });
  await until("the message is stored", () => printed.at(-1)?.[0] === "amsg: hello ");
  assert.ok(printed.some(texts => texts[0] === "amsg: hello pending"));

  const files = /```js\n(const links[^]*?)```/.exec(readme)?.[1] ?? assert.fail("the README has no lines about files");
  const shown = new Map<string, string>();
  const show = (what: string, url = "") => void shown.set(what, url);
  const chat = made[0]!;
  await new Function("chat", "room", "blob", "show", `return (async () => {${files}})()`)(chat, chat.room("seattle"), new Blob(["tea"]), show);
  await until("the file is shown", () => shown.has("list.txt"));
  assert.ok(shown.has("3 of 3 bytes"));
  assert.equal(await (await fetch(shown.get("list.txt") ?? "")).text(), "tea");

  const search = /```js\n(for await[^]*?)```/.exec(readme)?.[1] ?? assert.fail("the README has no lines about searches");
  await w.post("amsg", "seattle", "the harbor at dawn");
  const found: unknown[] = [];
  await new Function("chat", "show", `return (async () => {${search}})()`)(chat, (room: string, parts: string[]) => found.push([room, ...parts]));
  assert.deepEqual(found, [["seattle", "harbor"]]);

  const pictures = /```js\n(const picture =[^]*?)```/.exec(readme)?.[1] ?? assert.fail("the README has no lines about pictures");
  const img = { src: "" };
  const square = new Blob(["a square"], { type: "image/webp" });
  await new Function("chat", "links", "blob", "squareOf", "img", `return (async () => {${pictures}})()`)(chat, await chat.files(), square, (b: Blob) => b, img);
  assert.equal(await (await fetch(img.src)).text(), "a square");
});
