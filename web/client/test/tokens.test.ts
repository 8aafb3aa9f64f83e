// Tokens that expire, are refused, are renewed, and end with the session.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RequestError, SignedOut } from "../src/index.js";
import { sleep, until } from "./harness/until.js";
import { Shelf, World, find, opened, sent } from "./harness/world.js";

/** A token of another issuer: its form is right, its signature is not. */
const foreign = `${Buffer.from('{"alg":"RS256","kid":"none","typ":"JWT"}').toString("base64url")}.${
  Buffer.from(JSON.stringify({ sub: "amsg", exp: 4_000_000_000, iss: "urn:parley:local" })).toString("base64url")}.${"A".repeat(342)}`;
/** After this much quiet, a client that would ask on has asked again. */
const quiet = 1500;

describe("tokens", { concurrency: 3 }, () => {
  /** Talks for 24 seconds with tokens of 20, through which a client misses nothing and stays online. */
  async function talk(w: World): Promise<string[]> {
    await w.room("seattle", "amsg", "bob");
    const traced: string[] = [];
    const amsg = w.connect("amsg", {
      getToken: () => w.server.freshToken("amsg", "20s"), trace: e => { if (e.kind !== "request") traced.push(e.frame); },
    });
    const room = await opened(amsg, "seattle");
    await until("the client is online", () => amsg.chat.state.value === "online");
    const states = new Set<string>();
    amsg.chat.state.subscribe(() => states.add(amsg.chat.state.value));
    const texts: string[] = [];
    for (let n = 0; n < 14; n++) {
      texts.push(`own ${n}`, `other ${n}`);
      room.send(`own ${n}`);
      await sent(room);
      await w.post("bob", "seattle", `other ${n}`);
      await sleep(1700);
    }
    await w.stores("amsg", "seattle", texts);
    await w.agrees(amsg, "seattle");
    assert.deepEqual([...states].filter(s => s !== "online"), [], "the connection is interrupted");
    return traced;
  }

  test("that live 20 seconds are renewed in place before their end, and nothing is missed", async t => {
    const w = await World.open(t);
    const traced = await talk(w);
    assert.equal(w.network.opened, 1, "the connection is replaced");
    const tokens = w.network.sentFrames.filter(f => f.type === "renew").map(f => String(f.token));
    assert.ok(tokens.length >= 1 && tokens.length <= 4, `${tokens.length} renewals in 24 s`);
    assert.ok(!tokens.some(token => traced.join().includes(token)), "a trace has a token");
  });

  test("that a server of an earlier version cannot renew are replaced with their connection", async t => {
    const w = await World.open(t);
    w.network.sent = f => {
      if (f.type !== "renew") return "pass";
      for (const l of w.network.links) if (l.user === "amsg") l.say({ type: "problem", id: f.id, problem: { status: 422 } });
      return "drop";
    };
    await talk(w);
    assert.ok(w.network.opened >= 2 && w.network.opened <= 4, `${w.network.opened} connections in 24 s`);
  });

  test("that are refused once are asked for once more", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    const amsg = w.connect("amsg", { getToken: async o => o.refused ? w.token("amsg") : foreign });
    const room = await opened(amsg, "seattle");
    room.send("hello");
    await sent(room);
    await until("the client is online", () => amsg.chat.state.value === "online");
    assert.ok(amsg.asked.refused >= 1 && amsg.asked.refused <= 2, `${amsg.asked.refused} refusals`);
    assert.equal(w.network.posts("hello").filter(p => p.status === 201).length, 1);
    await w.agrees(amsg, "seattle");
  });

  test("that are always refused sign the person out, and what waits stays", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    const storage = new Shelf();
    const first = w.connect("amsg", { storage, getToken: async () => foreign });
    const id = first.chat.room("seattle").send("later");
    await until("the client is signed out", () => first.chat.state.value === "signed-out");
    const requests = w.network.log.length;
    await sleep(quiet);
    assert.equal(w.network.log.length, requests, "a client that is signed out asks on");
    assert.ok(first.asked.times <= 6, `${first.asked.times} tokens`);
    assert.deepEqual([...storage.kept.keys()], [id]);
    first.chat.close();
    const second = w.connect("amsg", { storage });
    const room = await opened(second, "seattle");
    await until("the new page has taken it", () => find(room, id) !== undefined);
    await sent(room);
    assert.deepEqual((await w.messages("amsg", "seattle")).map(m => m.id), [id]);
  });

  test("that end with SignedOut end the session", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    let over = false;
    const storage = new Shelf();
    const amsg = w.connect("amsg", { storage, getToken: async () => {
      if (over) throw new SignedOut();
      return w.server.freshToken("amsg", "3s");
    } });
    const room = await opened(amsg, "seattle");
    await until("the client is online", () => amsg.chat.state.value === "online");
    over = true;
    await until("the client is signed out", () => amsg.chat.state.value === "signed-out");
    await assert.rejects(amsg.chat.request("GET", "/people/me"), e => e instanceof RequestError || e instanceof SignedOut);
    const before = [w.network.log.length, w.network.opened];
    const id = room.send("unheard");
    await sleep(quiet);
    assert.deepEqual([w.network.log.length, w.network.opened], before, "a client that is signed out asks on");
    assert.deepEqual([...storage.kept.keys()], [id], "it waits for the next session");
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
