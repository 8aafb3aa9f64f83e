// The life of some rooms: one change after another, past the network, each chosen by a seed.
import type { StoredMessage } from "../../src/index.js";
import { pick, type Random } from "./random.js";

const emoji = ["👍", "🎉", "❤️", "👀"] as const;
/** Most changes are about one of so many newest messages. */
const recent = 30;
/** The most messages that a room pins. */
const mostPins = 100;

/** A message as its room remembers it. */
interface Known {
  readonly id: string;
  readonly user: string;
  readonly poll: boolean;
  /** The message that it replies to. */
  readonly thread?: string | undefined;
  deleted?: boolean;
}

/** The server that a run needs. */
export interface Ground {
  /** Sends a request of a person. It throws unless it succeeds. */
  ask<T>(user: string, method: string, path: string, body?: object): Promise<T>;
  /** Creates a public room of these people; the first owns it. */
  room(id: string, ...members: string[]): Promise<void>;
}

interface Place {
  readonly id: string;
  readonly known: Known[];
  readonly pinned: string[];
}

export class Life {
  /** How many messages each room got. */
  readonly posted = new Map<string, number>();
  /** Whether people change their names. A server may show the previous one for a minute. */
  renames = true;
  private readonly places: Place[];
  private count = 0;

  /** The first of the people owns the rooms. */
  constructor(
    private readonly w: Ground,
    rooms: readonly string[],
    private readonly people: readonly string[],
    private readonly r: Random,
  ) {
    this.places = rooms.map(id => ({ id, known: [], pinned: [] }));
  }

  /** Creates the rooms, with everybody in them, and a thread and a poll in each. */
  async begin(): Promise<void> {
    for (const p of this.places) {
      await this.w.room(p.id, ...this.people);
      const [root] = [await this.post(p, {}), await this.post(p, { poll: { options: ["tea", "coffee", "water"] } })];
      await this.post(p, { thread: root.id });
    }
  }

  /** Posts to each room, and returns the ids of the messages. */
  async everywhere(): Promise<string[]> {
    const ids: string[] = [];
    for (const p of this.places) ids.push((await this.post(p, {})).id);
    return ids;
  }

  /** The first message of a room, which has a thread. */
  root(room: string): string {
    return this.places.find(p => p.id === room)?.known[0]?.id ?? "";
  }

  /** The number of messages of all rooms. */
  get messages(): number {
    return [...this.posted.values()].reduce((sum, n) => sum + n, 0);
  }

  /** Makes the next change. */
  async change(): Promise<void> {
    const { r } = this;
    const p = r() < 0.6 ? this.places[0]! : pick(this.places, r);
    const roll = r() * 100;
    const kinds: [number, () => Promise<unknown>][] = [
      [50, () => this.post(p, {})], [4, () => this.mention(p)], [2, () => this.post(p, { quote: this.any(p).id })],
      [1, () => this.post(p, { poll: { options: ["yes", "no", "later"], multiple: true } })],
      [6, () => this.reply(p)], [8, () => this.edit(p)], [4, () => this.remove(p)], [10, () => this.react(p)], [3, () => this.vote(p)],
      [3, () => this.pin(p)], [4, () => this.read(p)], [1.5, () => this.settle(p)], [1.5, () => this.appoint(p)], [1, () => this.rename()],
      [1, () => this.prefer(p)], [1, () => this.block()], [0.4, () => this.leave(p)],
    ];
    let sum = 0;
    const [, work] = kinds.find(([share]) => roll < (sum += share)) ?? kinds[0]!;
    await work();
  }

  private any(p: Place, fits: (m: Known) => boolean = () => true): Known {
    const live = p.known.filter(m => !m.deleted && fits(m));
    return pick(this.r() < 0.8 ? live.slice(-recent) : live, this.r);
  }

  private ask<T = StoredMessage>(user: string, method: string, path: string, body?: object): Promise<T> {
    return this.w.ask<T>(user, method, path, body);
  }

  private path(p: Place, m: Known): string {
    return `/rooms/${p.id}/messages/${encodeURIComponent(m.id)}`;
  }

  private async post(p: Place, more: { thread?: string; poll?: object; quote?: string; mentions?: string[]; mentionRoom?: boolean; showInRoom?: boolean }, user = pick(this.people, this.r)): Promise<Known> {
    const { id } = await this.ask(user, "POST", `/rooms/${p.id}/messages`, { text: `${user} says ${++this.count}`, ...more });
    const m = { id, user, poll: !!more.poll, thread: more.thread };
    p.known.push(m);
    this.posted.set(p.id, (this.posted.get(p.id) ?? 0) + 1);
    return m;
  }

  /** Only the owner may mention everyone. */
  private mention(p: Place): Promise<unknown> {
    return this.r() < 0.3 ? this.post(p, { mentionRoom: true }, this.people[0]) : this.post(p, { mentions: [pick(this.people, this.r)] });
  }

  private reply(p: Place): Promise<unknown> {
    const root = this.r() < 0.5 ? p.known[0]! : this.any(p, m => !m.thread);
    if (root.deleted) return this.post(p, {});
    return this.post(p, { thread: root.id, ...(this.r() < 0.2 && { showInRoom: true }) });
  }

  private async edit(p: Place): Promise<void> {
    const m = this.any(p, m => !m.poll); // a question stays once somebody has voted
    await this.ask(m.user, "PATCH", this.path(p, m), { text: `${m.user} corrects ${++this.count}` });
  }

  private async remove(p: Place): Promise<void> {
    const m = this.any(p, m => m !== p.known[0] && m !== p.known[1]);
    m.deleted = true;
    await this.ask(m.user, "DELETE", this.path(p, m));
  }

  private async react(p: Place): Promise<void> {
    const m = this.any(p);
    await this.ask(pick(this.people, this.r), this.r() < 0.75 ? "PUT" : "DELETE", `${this.path(p, m)}/reactions/${encodeURIComponent(pick(emoji, this.r))}`);
  }

  private async vote(p: Place): Promise<void> {
    const m = this.any(p, m => m.poll);
    const path = `${this.path(p, m)}/vote`;
    if (this.r() < 0.8) await this.ask(pick(this.people, this.r), "PUT", path, { choices: [Math.floor(this.r() * 3)] });
    else await this.ask(pick(this.people, this.r), "DELETE", path);
  }

  private async pin(p: Place): Promise<void> {
    const owner = this.people[0]!;
    const [first] = p.pinned;
    if (first && (this.r() < 0.4 || p.pinned.length >= mostPins)) {
      p.pinned.shift();
      return this.ask(owner, "DELETE", `/rooms/${p.id}/messages/${encodeURIComponent(first)}/pin`);
    }
    const m = this.any(p, m => !p.pinned.includes(m.id));
    p.pinned.push(m.id);
    await this.ask(owner, "PUT", `${this.path(p, m)}/pin`);
  }

  /** Moves somebody's marker, as another device of theirs would. */
  private async read(p: Place): Promise<void> {
    const m = this.any(p, m => !m.thread);
    await this.ask(pick(this.people, this.r), "PUT", `/rooms/${p.id}/read`, this.r() < 0.8 ? { message: m.id } : { unreadFrom: m.id });
  }

  private async settle(p: Place): Promise<void> {
    await this.ask(this.people[0]!, "PATCH", `/rooms/${p.id}`, pick([{ name: `Room ${++this.count}` }, { topic: `topic ${++this.count}` }], this.r));
  }

  private async appoint(p: Place): Promise<void> {
    await this.ask(this.people[0]!, "PUT", `/rooms/${p.id}/members/${pick(this.people.slice(1), this.r)}`, { role: pick(["moderator", "member"], this.r) });
  }

  private async rename(): Promise<void> {
    if (!this.renames) return;
    const user = pick(this.people, this.r);
    await this.ask(user, "PATCH", "/people/me", { name: `${user} the ${++this.count}th` });
  }

  private async prefer(p: Place): Promise<void> {
    await this.ask(pick(this.people, this.r), "PUT", `/people/me/rooms/${p.id}`, { favorite: this.r() < 0.5, muted: this.r() < 0.3 });
  }

  private async block(): Promise<void> {
    const [user, other] = [pick(this.people.slice(1), this.r), pick(this.people, this.r)];
    if (user !== other) await this.ask(user, this.r() < 0.5 ? "PUT" : "DELETE", `/people/me/blocks/${other}`);
  }

  /** Somebody leaves the room, and comes back. */
  private async leave(p: Place): Promise<void> {
    const user = this.people.at(-1)!;
    await this.ask(user, "DELETE", `/rooms/${p.id}/members/me`);
    await this.ask(user, "PUT", `/rooms/${p.id}/members/me`, { role: "member" });
  }
}
