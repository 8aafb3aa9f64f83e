// Tokens that expire, are refused, are renewed, and end with the session.
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { RequestError, SignedOut } from "../src/index.js";
import { hold, release } from "./harness/clock.js";
import { eventually, until } from "./harness/until.js";
import { Shelf, World, find, opened, sent } from "./harness/world.js";

/** A token of another issuer: its form is right, its signature is not. */
const foreign = `${Buffer.from('{"alg":"RS256","kid":"none","typ":"JWT"}').toString("base64url")}.${
  Buffer.from(JSON.stringify({ sub: "amsg", exp: 4_000_000_000, iss: "urn:parley:local" })).toString("base64url")}.${"A".repeat(342)}`;
const minute = 60_000;
const hour = 60 * minute;

describe("tokens", () => {
  /** Talks for 96 minutes with tokens of an hour: the client misses nothing and stays online. */
  async function talk(t: TestContext, w: World): Promise<string[]> {
    hold(t);
    await w.room("seattle", "amsg", "bob");
    const traced: string[] = [];
    const amsg = w.connect("amsg", {
      getToken: () => w.server.freshToken("amsg", "1h"), trace: e => { if (e.kind !== "request") traced.push(e.frame); },
    });
    const room = await opened(amsg, "seattle");
    await until("the client is online", () => amsg.chat.state.value === "online");
    const states = new Set<string>();
    amsg.chat.state.subscribe(() => states.add(amsg.chat.state.value));
    const texts: string[] = [];
    for (let n = 0; n < 12; n++) {
      texts.push(`own ${n}`, `other ${n}`);
      room.send(`own ${n}`);
      await sent(room);
      await w.post("bob", "seattle", `other ${n}`);
      await w.endsWith(amsg, room, `other ${n}`);
      await w.pass(8 * minute); // the time from one sync to the next, which tells the server's time
    }
    await w.stores("amsg", "seattle", texts);
    await w.agrees(amsg, "seattle");
    assert.deepEqual([...states].filter(s => s !== "online"), [], "the connection is interrupted");
    return traced;
  }

  test("are renewed in place before their end, and nothing is missed", async t => {
    const w = await World.open(t);
    const traced = await talk(t, w);
    assert.equal(w.network.opened, 1, "the connection is replaced");
    const tokens = w.network.sentFrames.filter(f => f.type === "renew").map(f => String(f["token"]));
    assert.equal(tokens.length, 1, "renewals");
    assert.ok(!tokens.some(token => traced.join().includes(token)), "a trace has a token");
  });

  test("that cannot be fetched are reported, until one is fetched", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    const answers: (() => Promise<string>)[] = [
      () => Promise.reject(new Error("The app is not signed in yet.")),
      () => Promise.resolve(undefined as unknown as string),
    ];
    let answer = answers[0];
    const { chat } = w.connect("amsg", { getToken: () => answer?.() ?? w.token("amsg") });
    await until("the app's reason is shown", () => chat.error.value?.message === "The app is not signed in yet.");
    const room = chat.room("seattle");
    await room.open();
    assert.equal(room.value.phase, "failed");
    assert.equal((room.value.error?.cause as Error).message, "The app is not signed in yet.");
    answer = answers[1];
    await until("the missing token is shown", () => chat.error.value?.message === "getToken has returned no token.");
    answer = undefined;
    await until("the room is ready", () => room.value.phase === "ready" && chat.state.value === "online");
    assert.equal(chat.error.value, undefined);
    assert.equal(room.value.error, undefined);

    const invalid = chat.room("No such id");
    await invalid.open();
    assert.equal(invalid.value.phase, "gone");
    assert.match(invalid.value.error?.message ?? "", /^room must/);
    w.network.down = true;
    w.network.cut();
    await until("the failure is shown", () => chat.error.value?.message === "The server cannot be reached.");
    w.network.heal();
    await until("the client is back", () => chat.state.value === "online" && !chat.error.value);
  });

  test("that the server refuses to renew with are replaced with their connection", async t => {
    const w = await World.open(t);
    w.network.sent = f => {
      if (f.type !== "renew") return "pass";
      for (const l of w.network.links) if (l.user === "amsg") l.say({ type: "problem", id: f["id"], problem: { status: 409 } });
      return "drop";
    };
    await talk(t, w);
    assert.equal(w.network.opened, 2, "connections");
  });

  test("that are refused once are asked for once more", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    const amsg = w.connect("amsg", { getToken: async o => o.refused ? w.token("amsg") : foreign });
    const room = await opened(amsg, "seattle");
    room.send("hello");
    await sent(room);
    await until("the client is online", () => amsg.chat.state.value === "online");
    assert.equal(amsg.edge.asked.refused, 1, "refusals");
    assert.equal(w.network.posts("hello").filter(p => p.status === 201).length, 1);
    await w.agrees(amsg, "seattle");
  });

  test("that are always refused sign the person out, and what waits stays", async t => {
    hold(t);
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    const storage = new Shelf();
    const first = w.connect("amsg", { storage, getToken: async () => foreign });
    const id = first.chat.room("seattle").send("later");
    await until("the client is signed out", () => first.chat.state.value === "signed-out");
    await w.idle();
    const requests = w.network.log.length;
    await w.pass(hour);
    assert.equal(w.network.log.length, requests, "a client that is signed out asks on");
    assert.ok(first.edge.asked.times <= 6, `${first.edge.asked.times} tokens`);
    await eventually(() => assert.deepEqual([...storage.kept.keys()], [id]));
    first.chat.close();
    release();
    const second = w.connect("amsg", { storage });
    const room = await opened(second, "seattle");
    await until("the new page has taken it", () => find(room, id) !== undefined);
    await sent(room);
    assert.deepEqual((await w.messages("amsg", "seattle")).map(m => m.id), [id]);
  });

  test("that end with SignedOut end the session", async t => {
    hold(t);
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    let over = false;
    const storage = new Shelf();
    const amsg = w.connect("amsg", { storage, getToken: async () => {
      if (over) throw new SignedOut();
      return w.server.freshToken("amsg", "5m");
    } });
    const room = await opened(amsg, "seattle");
    await until("the client is online", () => amsg.chat.state.value === "online");
    over = true;
    await w.pass(5 * minute);
    assert.equal(amsg.chat.state.value, "signed-out");
    const refused = assert.rejects(amsg.chat.request("GET", "/people/me"), e => e instanceof RequestError || e instanceof SignedOut);
    await w.pass(minute); // it is tried again
    await refused;
    const before = [w.network.log.length, w.network.opened];
    const id = room.send("unheard");
    await w.pass(hour);
    assert.deepEqual([w.network.log.length, w.network.opened], before, "a client that is signed out asks on");
    await eventually(() => assert.deepEqual([...storage.kept.keys()], [id], "it waits for the next session"));
  });

  test("that cannot be had for a while are asked for again", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    let failures = 2;
    const amsg = w.connect("amsg", { getToken: async () => {
      if (failures-- > 0) throw new TypeError("fetch failed");
      return w.token("amsg");
    } });
    const room = amsg.chat.room("seattle");
    room.send("hello");
    await until("the client is online", () => amsg.chat.state.value === "online");
    await w.stores("amsg", "seattle", ["hello"]);
  });
});
