// Reactions that the server refuses.
import assert from "node:assert/strict";
import { test } from "node:test";
import { react } from "../src/doing.js";
import { Gate } from "./harness/faults.js";
import type { Seen } from "./harness/proxy.js";
import { until } from "./harness/until.js";
import { World, opened } from "./harness/world.js";

test("a refused reaction leaves the counts of now, even if an older answer about them comes later", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const [m] = await w.post("bob", "seattle", "hello");
  const eyes = `/rooms/seattle/messages/${m?.id}/reactions/${encodeURIComponent("👀")}`;
  await w.ask("bob", "PUT", eyes);
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  const room = await opened(amsg, "seattle");
  const shown = () => room.value.messages[0]?.reactions?.map(r => `${r.emoji} ${r.count}`).join() ?? "";
  await until("the reaction is counted", () => shown() === "👀 1");
  const gate = new Gate();
  const isRead = (r: Seen) => r.user === "amsg" && r.method === "GET" && r.path.includes("/messages/");
  w.network.request = r => r.user === "amsg" && r.path.includes("/reactions/") ? { status: 409 } : "pass";
  w.network.answer = r => isRead(r) ? gate.passed : "pass";
  await assert.rejects(react(amsg.chat, room.value.messages[0]!, "👍", true));
  await until("the server has answered", () => w.network.log.some(d => isRead(d) && d.status === 200 && !d.ended));
  await w.ask("bob", "DELETE", eyes);
  await until("the reaction is gone", () => shown() === "");
  gate.open();
  await until("the answer has arrived", () => w.network.log.every(d => d.ended));
  await w.idle();
  assert.equal(shown(), "");
});

test("a reaction that is taken back while it is sent does not come back with its event", async t => {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  await w.post("bob", "seattle", "hello");
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  const room = await opened(amsg, "seattle");
  const gate = new Gate();
  w.network.answer = r => r.method === "PUT" && r.path.includes("/reactions/") ? gate.passed : "pass";
  // The server's counts, which may be a second behind, do not come.
  w.network.frame = f => JSON.stringify(f).includes("counts.changed") ? "drop" : "pass";
  w.network.request = r => r.path.includes("/changes") ? { status: 503 } : "pass";
  const message = () => room.value.messages[0]!;
  const given = react(amsg.chat, message(), "👍", true);
  await until("it is on its way", () => w.network.log.some(r => r.path.includes("/reactions/")));
  const shown = new Set<string>();
  const removed = react(amsg.chat, message(), "👍", false);
  room.subscribe(() => shown.add(JSON.stringify(message().reactions ?? [])));
  gate.open();
  await Promise.all([given, removed]);
  const events = () => amsg.edge.received.filter(f => JSON.stringify(f).includes("reaction.changed")).length;
  await until("both events have come", () => events() === 2);
  await w.idle();
  assert.deepEqual([...shown].filter(s => s !== "[]"), []);
});
