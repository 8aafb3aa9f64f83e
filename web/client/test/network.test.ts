// The network of the suite, without the client: each fault happens as it is named, so that a test
// under it means something.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test, type TestContext } from "node:test";
import { WebSocket } from "ws";
import { Gate } from "./harness/faults.js";
import { Proxy, type Fate, type Frame } from "./harness/proxy.js";
import { Server } from "./harness/server.js";
import { until } from "./harness/until.js";

async function start(t: TestContext) {
  const server = await Server.start();
  const network = await Proxy.to(server.url);
  t.after(async () => {
    await network.close();
    await server.remove();
  });
  const token = await server.token("amsg");
  const call = (url: string, method: string, path: string, body?: object) => fetch(url + path, {
    method, headers: { authorization: `Bearer ${token}`, "content-type": "application/json" }, ...(body ? { body: JSON.stringify(body) } : {}),
  });
  await call(server.url, "PUT", "/rooms/seattle", {});
  const texts = async () => {
    const page = await (await call(server.url, "GET", "/rooms/seattle/messages")).json() as { items: { text: string }[] };
    return page.items.map(m => m.text);
  };
  const post = (text: string) => call(network.url, "POST", "/rooms/seattle/messages", { text, id: uuid7() });
  return { server, network, token, texts, post };
}

/** Returns a UUID of version 7. */
function uuid7(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

test("each fate of a request is what it is called", async t => {
  const { network, texts, post, token } = await start(t);
  const fate = async (f: Fate | Promise<Fate>, text: string) => {
    network.request = () => f;
    try {
      const answer = await post(text);
      await answer.text();
      return answer;
    } catch {
      return undefined;
    }
  };
  assert.equal((await fate("pass", "pass"))?.status, 201);
  assert.equal(await fate("lose-request", "lost"), undefined);
  assert.deepEqual(await texts(), ["pass"]);
  assert.equal(await fate("lose-answer", "done"), undefined);
  assert.deepEqual(await texts(), ["done", "pass"]);
  assert.equal((await fate("repeat", "twice"))?.status, 200, "the second answer is a replay");
  assert.equal((await fate({ status: 429, retryAfter: 2 }, "refused"))?.headers.get("retry-after"), "2");
  assert.equal((await fate({ status: 503 }, "refused"))?.status, 503);
  const gate = new Gate();
  const late = fate(gate.passed, "late");
  await until("the late one waits", () => network.posts("late").length === 1);
  assert.deepEqual(await texts(), ["twice", "done", "pass"]);
  gate.open();
  assert.equal((await late)?.status, 201);
  assert.deepEqual(await texts(), ["late", "twice", "done", "pass"]);
  assert.deepEqual(network.posts().map(d => [d.user, d.status]), [201, 0, 201, 200, 0, 0, 201].map(s => ["amsg", s]));
  assert.equal(network.posts("done").length, 1);
  network.fail(true);
  await assert.rejects(fetch(network.url), TypeError);
  assert.ok(token);
});

test("each fate of a frame is what it is called", async t => {
  const { network, token } = await start(t);
  const socket = new WebSocket(`${network.url.replace("http", "ws")}/ws`, ["parley.v1", `bearer.${token}`]);
  const got: Frame[] = [];
  socket.on("message", (b: Buffer) => got.push(JSON.parse(b.toString()) as Frame));
  await until("the socket opens", () => socket.readyState === 1);
  assert.equal(socket.protocol, "parley.v1");
  assert.deepEqual([...network.links].map(l => l.user), ["amsg"]);
  socket.send(JSON.stringify({ type: "hello", id: "1", rooms: [{ id: "seattle" }] }));
  await until("the hello is answered", () => got.some(f => f.type === "ack"));
  const gate = new Gate();
  const answers = () => got.filter(f => f.type === "ack" && f["id"] !== "1").map(f => f["id"]);
  for (const [id, fate] of [["drop", "drop"], ["repeat", "repeat"], ["late", gate.passed], ["pass", "pass"]] as const) {
    network.frame = () => fate;
    socket.send(JSON.stringify({ type: "sync", id }));
    await until(`the server answers ${id}`, () => network.frames.some(f => f["id"] === id));
  }
  await until("the frames of the others", () => answers().includes("pass"));
  gate.open();
  await until("the late frame", () => answers().includes("late"));
  assert.deepEqual(answers(), ["repeat", "repeat", "pass", "late"]);
  network.cut();
  await until("the socket is cut", () => socket.readyState === 3 && network.links.size === 0);
  network.live = false;
  const refused = new WebSocket(`${network.url.replace("http", "ws")}/ws`, ["parley.v1", `bearer.${token}`]);
  const failed = new Promise<Error>(done => refused.on("error", done));
  assert.match((await failed).message, /503/);
});

test("a killed server comes back at the same address with its data", async t => {
  const { server, network, texts, post } = await start(t);
  await (await post("before")).text();
  await server.kill();
  await assert.rejects(post("meanwhile"), TypeError);
  await server.resume();
  await (await post("after")).text();
  assert.deepEqual(await texts(), ["after", "before"]);
  assert.equal(network.posts().length, 3);
});
