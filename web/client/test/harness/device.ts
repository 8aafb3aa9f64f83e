// A device of a person, as an app on the client: it shows rooms, a thread, pins and roles, and
// counts the changes that it gets.
import type { Act, ChangeEvent, Message, Options, Room, RoomEntry, StoredMessage, Thread } from "../../src/index.js";
import { thread } from "../../src/thread.js";
import type { Person, World } from "./world.js";

/** A page of the most messages that the server gives. */
const most = 200;
/** Most changes are about one of so many newest messages. */
const recent = 50;

/** What a device shows of a room. */
interface ShownRoom {
  readonly phase: string;
  readonly messages: readonly object[];
  readonly settings: object;
  readonly names: object;
  readonly pins: readonly string[];
  readonly roles: object;
  /** The replies of the thread, if one is open, and the message that they reply to. */
  readonly replies?: readonly object[];
  readonly first?: object | undefined;
}

/** What a device shows. It is plain data. */
export interface Shown {
  readonly list: readonly RoomEntry[];
  readonly rooms: Readonly<Record<string, ShownRoom>>;
}

/** The state that a device follows in addition to messages: an app reads it once, and then applies the changes. */
interface Extra {
  readonly pins: Set<string>;
  readonly roles: Map<string, string>;
}

export class Device {
  rooms: Room[] = [];
  /** What went wrong with the changes that the client reported. */
  readonly faults: string[] = [];
  /** The acts that were refused and did not stay, by their ids. */
  readonly refused = new Set<string>();
  /** How many messages were reported as created. */
  created = 0;
  person!: Person;
  private threads: Thread[] = [];
  private readonly extras = new Map<string, Extra>();
  private readonly last = new Map<string, number>();
  private readonly revisions = new Map<string, number>();

  private constructor(
    private readonly w: World, readonly name: string, private readonly user: string, private readonly ids: readonly string[],
    readonly roots: readonly string[], private readonly o: Partial<Options>,
  ) {}

  /** Connects a person, who opens rooms, and the threads of some messages in them. */
  static async open(w: World, name: string, user: string, rooms: readonly string[], roots: readonly string[], o: Partial<Options> = {}): Promise<Device> {
    const d = new Device(w, name, user, rooms, roots, o);
    await d.reopen();
    return d;
  }

  /** Reports whether what was done here survives the end of the app. */
  get keeps(): boolean {
    return !!this.o.storage;
  }

  /** Starts the app again, which was closed. What its storage keeps is there again. */
  async reopen(): Promise<void> {
    this.last.clear();
    this.revisions.clear();
    this.person = this.w.connect(this.user, this.o);
    const { chat } = this.person;
    chat.on("change", c => this.changed(c));
    chat.on("refused", ({ act }) => this.refused.add(act.id));
    this.rooms = this.ids.map(id => chat.room(id));
    for (const r of this.rooms) r.subscribe(() => { if (this.rooms.includes(r)) this.checkRevisions(r); }); // not of the app that was closed
    await Promise.all(this.rooms.map(r => r.open()));
    this.threads = this.roots.map((root, n) => thread(chat, this.ids[n]!, root));
    await Promise.all([...this.threads.map(t => t.open()), ...this.ids.map(id => this.readExtras(id))]);
  }

  /** Loads the rooms that a long list does not have yet. */
  async loadList(): Promise<void> {
    const { rooms } = this.person.chat;
    for (let before = Infinity; rooms.more.rooms && rooms.more.rooms < before; await rooms.loadMore()) before = rooms.more.rooms;
  }

  /** Loads all messages of the rooms and their threads. */
  async loadAll(): Promise<void> {
    for (const r of [...this.rooms, ...this.threads]) while (r.value.hasOlder) await r.older(most);
  }

  private async readExtras(room: string): Promise<void> {
    const [pins, members] = await Promise.all([
      this.w.ask<{ items: { message: StoredMessage }[] }>(this.user, "GET", `/rooms/${room}/pins`),
      this.w.ask<{ items: { user: string; role: string }[] }>(this.user, "GET", `/rooms/${room}/members?limit=100`),
    ]);
    this.extras.set(room, {
      pins: new Set(pins.items.map(p => p.message.id)),
      roles: new Map(members.items.map(m => [m.user, m.role])),
    });
  }

  /** Checks that no message goes back to an earlier revision. */
  private checkRevisions(r: Room): void {
    for (const { id, revision, status } of r.value.messages.slice(-recent)) {
      const before = this.revisions.get(id) ?? 0;
      if (revision < before && !status) this.faults.push(`${this.name}: ${id} went back from revision ${before} to ${revision}`);
      this.revisions.set(id, revision);
    }
  }

  private changed(c: ChangeEvent): void {
    const last = this.last.get(c.room);
    if (last !== undefined && c.seq <= last) this.faults.push(`${this.name}: change ${c.seq} of ${c.room} came twice, or out of order`);
    if (last !== undefined && c.seq > last + 1) this.faults.push(`${this.name}: ${c.room} missed the changes ${last + 1} to ${c.seq - 1}`);
    this.last.set(c.room, Math.max(last ?? 0, c.seq));
    if (c.type === "message.created" || c.type === "reply.created") this.created++;
    const extra = this.extras.get(c.room);
    if (!extra) return;
    if (c.type === "pins.changed" && c.id) extra.pins[c.pinned ? "add" : "delete"](c.id);
    if (c.member?.role) extra.roles.set(c.member.user, c.member.role);
    else if (c.member) extra.roles.delete(c.member.user);
  }

  /** Returns what the device shows; of rooms only what follows the oldest message that another device shows. */
  shown(than?: Shown): Shown {
    const { chat } = this.person;
    return plain({
      list: chat.rooms.value,
      rooms: Object.fromEntries(this.rooms.map(r => [r.id, this.room(r, than?.rooms[r.id])])),
    });
  }

  private room(r: Room, than?: ShownRoom): ShownRoom {
    const { info, people, phase, messages } = r.value;
    // A message that the server refused, such as for a clock that jumped, waits on its device for a retry.
    const all = from(messages.filter(m => m.status !== "failed"), than?.messages);
    const extra = this.extras.get(r.id);
    const t = this.threads.find(t => (t as Thread & { room?: string }).value.first?.room === r.id);
    return {
      phase, messages: all.map(m => shownMessage(m, all)),
      settings: { name: info?.name, topic: info?.topic, role: info?.me?.role, members: info?.memberCount },
      names: Object.fromEntries([...new Set(all.map(m => m.user))].sort().map(u => [u, people[u]?.name ?? u])),
      pins: [...extra?.pins ?? []].sort(), roles: Object.fromEntries([...extra?.roles ?? []].sort()),
      ...(t && { replies: from(t.value.messages, than?.replies).map(m => shownMessage(m, all)), first: t.value.first && shownMessage(t.value.first, all) }),
    };
  }

  /** Returns what was done here that the server may not have. */
  async unsent(): Promise<readonly Act[]> {
    return (await this.person.chat.unsent()).value;
  }

  close(): void {
    this.person.chat.close();
  }
}

/** Returns the messages that follow the oldest of others. */
function from<M extends StoredMessage>(messages: readonly M[], others: readonly object[] = []): readonly M[] {
  const [oldest] = others as StoredMessage[];
  return oldest ? messages.slice(messages.findIndex(m => m.id === oldest.id)) : messages;
}

/** Returns all of a message. Reactions have no order: two emoji may have come in the same moment. */
function shownMessage(m: Message | StoredMessage, loaded: readonly StoredMessage[]): object {
  const { quote, reactions = [] } = m;
  // The text of a quote is the quoted message's; an app reads that if it is not loaded.
  const quoted = quote && { ...quote, text: loaded.find(other => other.id === quote.id)?.text ?? "" };
  const acts = ("acts" in m && m.acts?.filter(a => !a.error)) || []; // others were reported
  return { ...m, acts: acts.length ? acts : undefined, quote: quoted, reactions: reactions.map(r => `${r.emoji} ${r.count}${r.me ? " own" : ""}`) };
}

/** Returns data without fields that are undefined. */
function plain<T>(data: T): T {
  return JSON.parse(JSON.stringify(data)) as T;
}

/** Returns where two values differ, as lines of a path and both values. */
export function differences(a: unknown, b: unknown, path = ""): string[] {
  if (a === b) return [];
  if (typeof a !== "object" || typeof b !== "object" || !a || !b) return [`${path}: shows ${JSON.stringify(a)}, not ${JSON.stringify(b)}`];
  if (Array.isArray(a) && Array.isArray(b)) {
    const idOf = (v: unknown, i: number) => (v as { id?: string } | null)?.id ?? (typeof v === "string" ? v : String(i));
    const as = new Map(a.map((v, i) => [idOf(v, i), v]));
    const bs = new Map(b.map((v, i) => [idOf(v, i), v]));
    const lines = [...new Set([...as.keys(), ...bs.keys()])].flatMap(k => differences(as.get(k), bs.get(k), `${path}/${k}`));
    if (as.size !== a.length) lines.push(`${path}: shows something twice`);
    if (!lines.length && [...as.keys()].join() !== [...bs.keys()].join()) lines.push(`${path}: shows another order`);
    return lines;
  }
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].flatMap(k => differences((a as Record<string, unknown>)[k], (b as Record<string, unknown>)[k], `${path}/${k}`));
}
