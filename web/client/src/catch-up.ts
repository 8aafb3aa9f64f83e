// Brings the rooms up to date that this device keeps, and that are not open.
import type { Client } from "./client.js";
import { Feed, type Change } from "./feed.js";
import { encode } from "./ids.js";
import { isGone, statusOf } from "./http.js";
import { INDEX, keyOf, type KeptRoom } from "./kept.js";
import { Alarm } from "./pause.js";
import { MOST_MESSAGES, among, bytesOf, pick, usersOf, type Records } from "./records.js";
import { put, trim } from "./timeline.js";
import type { People, RoomInfo } from "./types.js";
import { withBlocked } from "./view.js";

/** The most rooms that one connection brings up to date. Others that are behind are removed. */
const MOST_BEHIND = 20;
/** A room with more changes is loaded again instead. */
const FAR = 100;
/** The number of concurrent requests. */
const LANES = 3;
/** A room to which nothing is subscribed is compared once in this time. */
const COMPARE_EVERY = 60_000;
/** Changes from frames are written after this time. */
const FRAMES_AFTER = 30_000;
/** More frames of a room than this are not kept: its changes are read later. */
const MOST_FRAMES = 200;

type Frame = readonly [changes: readonly Change[], since: string];

/** The data to keep of a room. */
interface Next {
  readonly room: KeptRoom;
  /** The number of the last change, at least. */
  readonly seq: number;
}

export class CatchUp {
  #leads = false; // whether no other page does this
  #isBehind = true; // whether a room may be behind
  #running = false;
  #frames = new Map<string, Frame[]>();
  readonly #alarm = new Alarm();

  constructor(
    private readonly chat: Client,
    private readonly records: Records,
  ) {
    const { state, ended, kept } = chat;
    state.subscribe(() => {
      this.#isBehind ||= chat.reachable;
      kept.soon();
    });
    ended.addEventListener("abort", () => this.#alarm.clear());
    const lead = () => {
      this.#leads = true;
      kept.soon();
      return new Promise<void>(resolve => ended.addEventListener("abort", () => resolve()));
    };
    const { locks } = globalThis.navigator ?? {};
    locks ? locks.request(`parley ${records.epoch}`, { signal: ended }, lead).catch(() => {}) : void lead();
  }

  /** Keeps the changes of a room, to write them later. */
  frame(room: string, changes: readonly Change[], since: string): void {
    if (!this.#leads) return;
    const frames = this.#frames.get(room) ?? [];
    this.#frames.set(room, frames);
    if (frames.length < MOST_FRAMES) frames.push([changes, since]);
    if (!this.#alarm.armed) this.#alarm.set(FRAMES_AFTER, () => this.run(true));
  }

  /** Brings the rooms up to date, if the server can be reached and the shown rooms are up to date. */
  run(always = false): void {
    const { rooms, live, reachable, ended } = this.chat;
    const waits = !this.#leads || !reachable || !rooms.loaded || rooms.cachedAt
      || [...live.followed.values()].some(r => r.value.cachedAt || r.value.phase === "loading");
    if (waits || this.#running || ended.aborted || !(this.#isBehind || always)) return;
    this.#running = true;
    this.#run().catch(() => {}).finally(() => (this.#running = false));
  }

  async #run(): Promise<void> {
    const { chat, records } = this;
    const all = await records.rooms();
    const frames = this.#frames;
    this.#frames = new Map();
    for (const [id, entry] of all) if (frames.has(id)) await this.#apply(id, entry.seq, frames.get(id)!);
    if (!this.#isBehind) return;
    this.#isBehind = false;
    const behind = [...await records.rooms()].reverse().filter(([id, { at, seq }]) => {
      const head = chat.live.head(id);
      return !chat.live.followed.has(id) && (head === undefined ? at < Date.now() - COMPARE_EVERY : head !== seq);
    });
    for (const [id] of behind.splice(MOST_BEHIND)) await records.drop(id);
    const lane = async () => {
      for (let next; (next = behind.shift()) && !chat.ended.aborted;) await this.#bring(next[0], next[1].seq);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    chat.kept.soon();
  }

  /** Applies frames to a room. Changes that they lack are read later. */
  async #apply(id: string, seq: number, frames: readonly Frame[]): Promise<void> {
    const kept = await this.records.room(id);
    if (!kept || this.chat.live.followed.has(id)) return;
    const feed = feedOf(kept);
    const changes = frames.flatMap(f => feed.frame(...f));
    this.#isBehind ||= feed.behind;
    if (changes.length) await this.#put(id, seq, this.#changed(kept, feed, changes));
  }

  /** Reads what a room lacks. A failed request is repeated with the next connection. */
  async #bring(id: string, seq: number): Promise<void> {
    const kept = await this.records.room(id);
    if (!kept) return;
    const head = this.chat.live.head(id) ?? seq;
    try {
      const next = (head - seq <= FAR && await this.#read(id, kept)) || await this.#load(id, kept, head);
      await this.#put(id, seq, next);
    } catch (e) {
      if (isGone(statusOf(e))) await this.records.drop(id);
    }
  }

  /** Reads the changes of a room; undefined if it must be loaded again. */
  async #read(id: string, kept: KeptRoom): Promise<Next | undefined> {
    const path = `/rooms/${encode(id)}/changes?include=people&limit=200&since=${encode(kept.since)}` as const;
    const page = await this.chat.request("GET", path).catch((e: unknown) => {
      if (statusOf(e) !== 422) throw e;
    });
    if (!page || page.reset) return undefined;
    const feed = feedOf(kept);
    const changes = feed.page(page);
    return feed.behind ? undefined : this.#changed(kept, feed, changes, page.people);
  }

  #changed(kept: KeptRoom, { since = "", seq = 0 }: Feed, changes: readonly Change[], people: People = {}): Next {
    const { blocked } = this.chat;
    let span = { messages: kept.messages, hasOlder: kept.hasOlder, hasNewer: false };
    for (const { message } of changes) {
      if (message) span = put(span, withBlocked(message, blocked?.has(message.user)), true);
    }
    const { messages, hasOlder } = trim(span, "older", MOST_MESSAGES);
    const counted = changes.filter(c => c.type === "counts.changed").map(c => c.id!);
    const unchecked = among(messages, [...kept.unchecked, ...counted]);
    return {
      room: {
        ...kept,
        messages,
        hasOlder,
        unchecked,
        people: pick(usersOf(messages), people, this.chat.people.value, kept.people),
        since,
        seq,
      },
      seq,
    };
  }

  /** Loads the newest messages of a room. */
  async #load(id: string, kept: KeptRoom, seq: number): Promise<Next> {
    const page = await this.chat.request("GET", `/rooms/${encode(id)}/messages?include=people&limit=${MOST_MESSAGES}`);
    const messages = page.items.reverse();
    return {
      room: {
        ...kept,
        messages,
        hasOlder: !!page.next,
        unchecked: [],
        people: { ...page.people },
        since: page.since,
        seq: undefined,
      },
      seq,
    };
  }

  /** Writes a room, unless another page has written it since. */
  #put(id: string, before: number, { room, seq }: Next): Promise<void> {
    const kept = { ...room, info: this.#infoOf(room.info) };
    return this.records.update(index => {
      const entry = index.rooms.get(id);
      if (entry?.seq !== before) return {};
      return {
        [INDEX]: { ...index, rooms: new Map(index.rooms).set(id, { at: this.chat.asOf, seq, bytes: bytesOf(kept) }) },
        [keyOf(id)]: kept,
      };
    });
  }

  /** Returns the settings of a room as far as the list has newer ones. */
  #infoOf(info: RoomInfo): RoomInfo {
    const listed = this.chat.rooms.entry(info.id);
    if (!listed) return info;
    const { name, topic, visibility, archived = false, role, read, unread, mentions } = listed;
    return { ...info, name, topic, visibility, archived, me: { ...info.me, role, read, unread, mentions } };
  }
}

/** Returns a feed at the position of a room. */
function feedOf({ since, seq }: KeptRoom): Feed {
  const feed = new Feed();
  feed.since = since;
  feed.seq = seq;
  return feed;
}
