// A server, a network before it, and people who use the client through that network.
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import { connect, type Act, type CacheStorage, type Chat, type Message, type Options, type Room, type Storage, type StoredMessage } from "../../src/index.js";
import type { Change, ChangePage } from "../../src/feed.js";
import { hasWork, heldTime, step } from "./clock.js";
import { Edge } from "./edge.js";
import { Proxy, type Frame } from "./proxy.js";
import { Server } from "./server.js";
import { eventually, sleep, until } from "./until.js";

/** The most that a page of the server holds. */
const pageLimit = 200;
/** What a timer begins has mostly ended after so many milliseconds. */
const settle = 10;

/** A client under test. */
export interface Person {
  readonly user: string;
  readonly chat: Chat;
  readonly edge: Edge;
}

export class World {
  private readonly people = new Set<Person>();
  private constructor(readonly server: Server, readonly network: Proxy) {}

  /** Starts a server and a network for one test. */
  static async open(t: TestContext, ...flags: string[]): Promise<World> {
    const server = await Server.start(...flags);
    const w = new World(server, await Proxy.to(server.url));
    t.after(() => w.close());
    return w;
  }

  /** Connects a client of a person. */
  connect(user: string, o: Partial<Options> = {}): Person {
    const edge = new Edge({ getToken: () => this.token(user), ...o });
    const chat = connect({ url: this.network.url, user, ...o, ...edge.options });
    const person = { user, chat, edge };
    this.people.add(person);
    return person;
  }

  /** Waits until the clients wait for nothing but time and frames. */
  async idle(): Promise<void> {
    const quiet = () => !hasWork() && [...this.people].every(p => p.edge.idle);
    await until("the clients are idle", async () => {
      if (!quiet()) return false;
      await setImmediate();
      return quiet();
    });
  }

  /** Moves the held clock, and lets the clients finish what each timer begins. */
  async pass(ms: number): Promise<void> {
    const end = heldTime() + ms;
    do await this.idle(); while (step(end));
  }

  /** Moves the held clock while connections are frozen, so that clients wait for answers that never come. */
  async passFrozen(ms: number): Promise<void> {
    const end = heldTime() + ms;
    do await sleep(settle); while (step(end));
  }

  /** Connects people, and waits until each is online. */
  async online(...users: string[]): Promise<Person[]> {
    const people = users.map(u => this.connect(u));
    for (const p of people) await until(`${p.user} is online`, () => p.chat.state.value === "online");
    return people;
  }

  /** Creates a public room of these people, without lines about them; the first owns it. */
  async room(id: string, ...members: string[]): Promise<void> {
    for (const [n, user] of members.entries()) {
      if (n === 0) await this.ask(user, "PUT", `/rooms/${id}`, { systemMessages: false });
      else await this.ask(user, "PUT", `/rooms/${id}/members/me`, { role: "member" });
    }
  }

  /** Asks the server itself, past the network. It fails on any refusal. */
  async ask<T = Record<string, unknown>>(user: string, method: string, path: string, body?: object, token?: string): Promise<T> {
    const answer = await fetch(this.server.url + path, {
      method,
      headers: { authorization: `Bearer ${token ?? await this.token(user)}`, ...(body ? { "content-type": "application/json" } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path} by ${user}: ${answer.status} ${text}`);
    return (text ? JSON.parse(text) : {}) as T;
  }

  /** Creates public rooms of these people, with a message of the last one in each. An app does it. */
  async rooms(ids: readonly string[], ...members: string[]): Promise<void> {
    await this.bulk("/bulk/rooms", ids.map(id => ({ id })));
    for (const user of members) await this.bulk("/bulk/memberships", ids.map(room => ({ room, user, role: "member" })));
    for (const id of ids) await this.post(members.at(-1) ?? "", id, "hello");
  }

  /** Sends entries as an app, and again those for which there was no time. */
  private async bulk(path: string, items: object[]): Promise<void> {
    while (items.length) {
      const answer = await this.ask<{ items: { status: number }[] }>("app", "POST", path, { items }, await this.server.service());
      const late = items.filter((_, n) => answer.items[n]?.status === 503);
      assert.equal(answer.items.filter(r => r.status < 300).length, items.length - late.length, JSON.stringify(answer.items[0]));
      items = late;
    }
  }

  /** Archives a room of an app. */
  async archive(id: string): Promise<void> {
    await this.ask("app", "PATCH", `/rooms/${id}`, { archived: true }, await this.server.service());
  }

  /** Posts past the network and the client. */
  async post(user: string, room: string, ...texts: string[]): Promise<StoredMessage[]> {
    const stored: StoredMessage[] = [];
    for (const text of texts) stored.push(await this.ask<StoredMessage>(user, "POST", `/rooms/${room}/messages`, { text }));
    return stored;
  }

  /** Returns all messages of a room as the server lists them, oldest first. */
  async messages(user: string, room: string): Promise<StoredMessage[]> {
    const all: StoredMessage[] = [];
    let cursor = "";
    do {
      const page = await this.ask<{ items: StoredMessage[]; next?: string }>(
        user, "GET", `/rooms/${room}/messages?order=asc&limit=${pageLimit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      all.push(...page.items);
      cursor = page.next ?? "";
    } while (cursor);
    return all;
  }

  /** Waits until the person's whole list of a room equals the server's: messages, order, content. */
  async agrees(p: Person, room: string): Promise<void> {
    const r = p.chat.room(room);
    const compare = async () => {
      if (r.value.hasOlder) await r.older();
      if (r.value.hasNewer) await r.newer();
      assert.ok(!r.value.hasOlder && !r.value.hasNewer, `${p.user} has not loaded all of ${room}`);
      assert.deepEqual(shown(r.value.messages), shown(await this.messages(p.user, room)), `${p.user}'s list of ${room}`);
    };
    await eventually(compare).catch(async (error: unknown) => {
      throw new Error(await this.difference(p, r), { cause: error });
    });
  }

  /** Waits until a person's list of a room ends with a text. */
  async endsWith(p: Person, r: Room, text: string): Promise<void> {
    await until(`${p.user} sees ${text}`, () => r.value.messages.at(-1)?.text === text).catch(async (error: unknown) => {
      throw new Error(await this.difference(p, r), { cause: error });
    });
  }

  /** Returns which messages differ, with the numbers that they have in the feed. */
  private async difference(p: Person, r: Room): Promise<string> {
    const feed = await this.feed(p.user, r.id);
    const line = (m: StoredMessage) => {
      const numbers = feed.filter(c => c.id === m.id).map(c => `${c.seq} ${c.type}`);
      const frames = this.network.frames.filter(f => JSON.stringify(f).includes(m.id)).length;
      return `${m.id} revision ${m.revision} ${JSON.stringify(m.text.slice(0, 40))}, changes ${numbers.join(", ") || "none"}, in ${frames} frames`;
    };
    const [client, server] = [r.value.messages, await this.messages(p.user, r.id)].map(all => all.map(line));
    const seqs = this.network.frames.filter(f => f.type === "changes").map(f => JSON.stringify(f).match(/"seq":\d+/g)?.join());
    const reads = this.network.log.filter(d => d.user === p.user && d.path.includes("/changes"));
    return [
      `the last frames: ${seqs.slice(-8).join("; ")}`,
      `${reads.length} reads of the feed, the last ${reads.slice(-3).map(d => `${JSON.stringify(d.fate)} ${d.status}`).join("; ")}`,
      `${p.user}'s list of ${r.id} differs; ${p.chat.state.value}, ${this.network.opened} connections, head ${feed.at(-1)?.seq ?? 0}`,
      ...(client ?? []).filter(l => !server?.includes(l)).map(l => `only the client has ${l}`),
      ...(server ?? []).filter(l => !client?.includes(l)).map(l => `only the server has ${l}`),
    ].join("\n");
  }

  /** Returns all changes of a room. */
  async feed(user: string, room: string): Promise<Change[]> {
    const all: Change[] = [];
    for (let since = ""; ;) {
      const page = await this.ask<ChangePage>(user, "GET", `/rooms/${room}/changes?limit=${pageLimit}${since && `&since=${since}`}`);
      all.push(...page.items);
      if (!page.since || (all.at(-1)?.seq ?? 0) >= page.head) return all;
      since = encodeURIComponent(page.since);
    }
  }

  /** Waits until the texts of a room are these, on the server. */
  async stores(user: string, room: string, texts: readonly string[]): Promise<void> {
    await eventually(async () => assert.deepEqual((await this.messages(user, room)).map(m => m.text), texts));
  }

  token(user: string): Promise<string> {
    return this.server.token(user);
  }

  private async close(): Promise<void> {
    for (const p of this.people) p.chat.close();
    await this.network.close();
    await this.server.remove();
  }
}

/** Returns messages as data that deepEqual compares: no field is undefined. */
function shown(messages: readonly (Message | StoredMessage)[]): unknown {
  return JSON.parse(JSON.stringify(messages));
}

/** A storage that survives a reload of the page. */
export class Shelf implements Storage {
  readonly kept = new Map<string, Act>();
  readonly cache?: CacheStorage;
  all(): Promise<Act[]> {
    return Promise.resolve([...this.kept.values()]);
  }
  put(act: Act): Promise<void> {
    this.kept.set(act.id, structuredClone(act));
    return Promise.resolve();
  }
  delete(id: string): Promise<void> {
    this.kept.delete(id);
    return Promise.resolve();
  }
}

/** Opens a room of a person. */
export async function opened(p: Person, room: string, around?: string): Promise<Room> {
  const r = p.chat.room(room);
  await r.open(around);
  await until(`${p.user} has loaded ${room}`, () => r.value.phase !== "loading"); // another load may have begun
  assert.equal(r.value.phase, "ready", `${p.user}'s room ${room}`);
  return r;
}

/** Opens a world in which amsg, and perhaps others in the room, are online. Amsg has opened the room, seattle. */
export async function inSeattle(t: TestContext, ...names: string[]) {
  const w = await World.open(t);
  await w.room("seattle", "amsg", ...names);
  const [amsg, ...others] = await w.online("amsg", ...names);
  assert.ok(amsg && others.length === names.length);
  return { w, amsg, others, room: await opened(amsg, "seattle") };
}

/** Waits until a client has received a frame. */
export async function receives(p: Person, what: string, is: (f: Frame) => boolean): Promise<void> {
  await until(`${p.user} receives ${what}`, () => p.edge.received.some(is));
}

/** Returns whether a frame contains a message. */
export const has = (id: string | undefined) => (f: Frame) => JSON.stringify(f).includes(id ?? "none");

/** Returns the message of a room with this id, as the client shows it. */
export function find(r: Room, id: string): Message | undefined {
  return r.value.messages.find(m => m.id === id);
}

/** Waits until every message of a room is stored. */
export async function sent(r: Room): Promise<void> {
  await until(`all of ${r.id} is sent`, () => r.value.messages.every(m => m.status === undefined));
}
