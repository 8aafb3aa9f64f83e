import { withActs, applied, type Deed } from "./applied.js";
import type { Delivery } from "./acts.js";
import type { Client } from "./client.js";
import { renamed, settle } from "./settle.js";
import { RequestError } from "./errors.js";
import { TIMEOUT, retryIn, statusOf } from "./http.js";
import { RULES } from "./kinds.js";
import { lookOut } from "./lookout.js";
import { Alarm } from "./pause.js";
import { Shelf, type News } from "./shelf.js";
import { viewsOf } from "./shown.js";
import type { Act, Message, Problem, Read, StoredMessage } from "./types.js";
import type { Uploader } from "./uploader.js";

/** An answer that takes longer shows that the connection may be dead. Most take 0.1 s. */
const LATE_AFTER = 1000;
/** The limit of the first try; the next ones may take twice as long each. Each act can be repeated. */
const FIRST_LIMIT = 3000;
/** The change of a stored message arrives within this time, or the connection has lost it. */
const CHANGE_TIME = 3000;
/** The event of a reaction or a vote arrives within this time, or never. */
const EVENT_TIME = 10_000;
/** The most tries at once: what was done without a network comes back together, and reads need connections, too. */
const MOST_TRIES = 4;

/** What is sent in order: the messages of a room, or the acts on a message. */
class Lane {
  readonly alarm = new Alarm();
  isBusy = false;
  failures = 0;
  /** When the next try may begin, after a failure. */
  next = 0;
}

/** A sent reaction or vote, which shows until the last event about it. */
interface Sent {
  readonly act: Deed;
  readonly until: number;
  /** The choices whose events have not arrived. */
  readonly choices: readonly string[];
}

const laneOf = (a: Act): string => (a.kind === "message" ? a.room : a.kind === "read" ? a.id : a.of);
const choiceOf = (a: Act): string => (a.kind === "vote" ? `${a.choices}` : `${a.kind === "reaction" && a.on}`);

/** Stores acts, shows them, and sends them until the server has them. */
class Deliverer implements Delivery {
  readonly #shelf: Shelf;
  readonly #lanes = new Map<string, Lane>();
  #tries = 0;
  #calm = 0; // when the server takes requests again, after it has refused one for their number
  readonly #sent = new Map<string, Sent>(); // by the ids of acts
  readonly #expected = new Set<string>(); // stored messages whose changes have not arrived
  #uploader: Uploader | undefined;
  #loading: Promise<void> | undefined;

  constructor(private readonly chat: Client) {
    this.#shelf = new Shelf(chat, news => this.#news(news));
    if (!chat.ended.aborted) lookOut(chat);
    chat.rooms.subscribe(() => this.#showRead());
    chat.on("change", ({ id = "" }) => this.#expected.delete(id));
    globalThis.addEventListener?.("pagehide", () => this.leave(), { signal: chat.ended });
    for (const act of chat.acts.value) void this.#shelf.put(act);
  }

  async read(): Promise<void> {
    const { acts } = this.chat;
    const before: Act[] = [];
    for (const act of await this.#shelf.all()) {
      if (acts.find(act.id)) continue;
      if (viewsOf(this.chat, act.room).some(v => v?.base(act.id))) void this.#shelf.delete(act);
      else before.push(act);
    }
    acts.value = [...before, ...acts.value];
    for (const room of new Set(before.map(a => a.room))) acts.show(room);
    this.#run();
  }

  put(old: Act | undefined, by?: Act): void {
    if (by) void this.#shelf.put(by);
    if (old && old.id !== by?.id) void this.#shelf.delete(old);
    if (old && !by) settle(this.chat, old);
    this.#run();
  }

  shown(messages: readonly StoredMessage[], acts: readonly Act[]): readonly Message[] {
    const now = Date.now();
    for (const [id, { until }] of this.#sent) if (until < now) this.#sent.delete(id);
    const waiting = new Map<string, Deed[]>();
    for (const a of acts) if ("of" in a) waiting.set(a.of, [...(waiting.get(a.of) ?? []), a]);
    const sent = new Map<string, Deed[]>();
    for (const { act } of this.#sent.values()) {
      if (!acts.some(a => a.id === act.id)) sent.set(act.of, [...(sent.get(act.of) ?? []), act]);
    }
    if (!waiting.size && !sent.size) return messages;
    return messages.map(m =>
      withActs((sent.get(m.id) ?? []).reduce((m, a) => applied(m, a, false), m), waiting.get(m.id)));
  }

  heard(act: Act): boolean {
    const sent = this.#sent.get(act.id);
    const at = sent?.choices.indexOf(choiceOf(act)) ?? -1;
    const choices = sent?.choices.slice(at + 1) ?? [];
    if (at < 0) this.#sent.delete(act.id); // another device has chosen since
    else this.#sent.set(act.id, { ...sent!, choices });
    return at >= 0 && choices.length > 0;
  }

  wake(): void {
    for (const lane of this.#lanes.values()) lane.next = 0;
    this.#uploader?.wake();
    this.#run();
  }

  // The page may end now: the requests outlive it, and are repeated by the next page.
  leave(): void {
    const { chat } = this;
    for (const act of chat.acts.value) {
      if (act.kind !== "deletion" || act.error || act.due <= Date.now()) continue;
      chat.acts.put(act.id, { ...act, due: 0 }, true);
      void this.#shelf.put({ ...act, due: 0 });
      RULES.deletion.send(chat, act, new AbortController().signal).catch(() => {});
    }
  }

  /** Handles what another window of this device has done. */
  #news({ id, at, act, stored, refusal }: News): void {
    const { acts } = this.chat;
    const old = acts.find(id) ?? act;
    if (!old || old.at > at) return;
    if (stored) for (const view of viewsOf(this.chat, old.room)) view?.stored(stored);
    acts.put(id, act, true);
    if (refusal) this.#tellRefused(old, new RequestError(refusal.status, refusal.problem), !act);
    else if (!act || act.error) {
      settle(this.chat, old, act && new RequestError(0, { detail: act.error } as Problem));
    }
    this.#run();
  }

  /** Sends what can be sent now, and sets an alarm for what must wait. */
  #run(): void {
    const { acts, reachable } = this.chat;
    if (acts.closed) return acts.value.forEach(act => settle(this.chat, act)); // it is sent later
    this.#upload();
    this.#showRead();
    const now = Date.now();
    for (const name of new Set(acts.value.map(laneOf))) {
      if (this.#tries >= MOST_TRIES) return; // the end of one leads here again
      const lane = this.#lanes.get(name) ?? new Lane();
      this.#lanes.set(name, lane);
      const act = this.#next(name, now);
      if (lane.isBusy || !act) continue;
      const left = act.at + RULES[act.kind].life - now;
      const due = Math.max(lane.next, this.#calm, act.kind === "deletion" ? act.due : 0) - now;
      if (left > 0 && (due > 0 || !reachable)) {
        lane.alarm.set(reachable ? Math.min(due, left) : left, () => this.#run());
      } else void this.#send(name, lane, act);
    }
  }

  /**
   * Returns what a lane sends next. A message whose files are not stored yet lets others pass, and a deletion waits
   * for its time, and then goes before other acts on its message. Acts on a message wait for it.
   */
  #next(lane: string, now: number): Act | undefined {
    const all = this.chat.acts.value.filter(a => laneOf(a) === lane && !a.error);
    const isReady = (a: Act) =>
      a.kind !== "message" || !a.files?.some(f => !f.stored) || a.at + RULES.message.life <= now;
    if (this.chat.acts.find(lane)?.kind === "message") return undefined;
    return all.find(a => a.kind === "deletion" && a.due <= now)
      ?? all.find(a => a.kind !== "deletion" && isReady(a))
      ?? all.find(isReady);
  }

  async #send(name: string, lane: Lane, act: Act): Promise<void> {
    lane.isBusy = true;
    this.#tries++;
    await this.#shelf.alone(name, act, async isOver => {
      if (isOver) this.chat.acts.put(act.id, undefined, true);
      else if (!this.chat.acts.closed && this.chat.acts.find(act.id) === act) await this.#try(lane, act);
    }).catch(() => {});
    this.#tries--;
    lane.isBusy = false;
    if (!this.chat.acts.value.some(a => laneOf(a) === name)) this.#lanes.delete(name);
    this.#run();
  }

  async #try(lane: Lane, act: Act): Promise<void> {
    const { chat } = this;
    const rule = RULES[act.kind];
    if (act.at + rule.life <= Date.now()) {
      return this.#refused(act, new RequestError(0, { detail: rule.tooOld } as Problem));
    }
    if (!act.tried) rule.begin?.(chat, act as never);
    if (act.kind === "reaction" || act.kind === "vote") this.#expectEvent(act);
    // If the page ends now, the server may still do it.
    const trying = { ...act, tried: true };
    chat.acts.put(act.id, trying, true);
    await this.#shelf.put(trying);
    const ending = new AbortController();
    const late = setTimeout(() => this.#check(act.room), LATE_AFTER);
    const limit = setTimeout(() => ending.abort(), Math.min(FIRST_LIMIT * 2 ** lane.failures, TIMEOUT));
    try {
      const stored = await rule.send(chat, act as never, ending.signal);
      lane.failures = 0;
      await this.#done(trying, stored);
    } catch (e) {
      const pause = statusOf(e) === 401 ? 1 : retryIn(e, ++lane.failures);
      lane.next = Date.now() + Math.ceil(pause); // a timer of less than a millisecond does not move the clock
      if (statusOf(e) === 429 && (e as RequestError).problem?.limit !== "slow-mode") this.#calm = lane.next;
      if (pause) return;
      lane.failures = 0;
      this.#sent.delete(act.id);
      await this.#refused(act, e as RequestError, trying);
    } finally {
      clearTimeout(late);
      clearTimeout(limit);
    }
  }

  /** Shows what the server has done. Other windows may try the lane's next act when it is removed from the storage. */
  async #done(act: Act, stored?: StoredMessage): Promise<void> {
    const { chat } = this;
    let removed: Promise<void> | undefined;
    const now = chat.acts.find(act.id);
    if (stored) for (const view of viewsOf(chat, act.room)) view?.stored(stored);
    if (now && (now === act || act.kind === "message")) {
      settle(chat, act);
      removed = this.#shelf.delete(act, { stored });
      chat.acts.put(act.id, undefined, true);
      if (act.kind === "message") this.#expect(act);
    } else {
      const revision = stored?.revision;
      if (now?.kind === "edit" && revision && !chat.acts.closed) chat.acts.put(now.id, { ...now, revision });
      chat.acts.show(act.room);
    }
    if (act.kind === "deletion") for (const { id } of chat.acts.on(act.of)) chat.acts.put(id);
    await removed;
  }

  /** Puts another in the place of an act that was refused, or ends it. Act is without this try, which trying has. */
  async #refused(act: Act, e: RequestError, trying = act): Promise<void> {
    const { chat } = this;
    const next = await RULES[act.kind].refused(chat, act as never, e);
    const now = chat.acts.find(act.id);
    if (chat.acts.closed) return; // the next client tries again, unless the person has signed out
    if (next === "done") return this.#done(trying);
    if (!now || (now !== trying && act.kind !== "message")) return; // the person has done something else since
    if (next) {
      if (next.id !== act.id) this.#rename(act, next);
      else chat.acts.put(act.id, next);
    } else {
      const removed = this.#shelf.delete(act, { refusal: { status: e.status, problem: e.problem } });
      chat.acts.put(act.id, undefined, true);
      await removed;
    }
    if (!next || next.error) this.#tellRefused(act, e, !next);
  }

  /** Gives a message another id, and lets the acts on it wait for that. Nothing is sent in between, in any window. */
  #rename(message: Act, next: Act): void {
    const on = this.chat.acts.value.flatMap((a): [Act, Act][] => "of" in a && a.of === message.id
      ? [[a, { ...a, id: a.id.replace(a.of, next.id), of: next.id }]]
      : []);
    const all: [Act, Act][] = [[message, next], ...on];
    for (const [old, by] of all) {
      renamed(this.chat, old.id, by.id);
      this.chat.acts.put(old.id, by, true);
      void this.#shelf.put(by);
    }
    for (const [old] of all.reverse()) void this.#shelf.delete(old);
  }

  #tellRefused(act: Act, error: RequestError, isOver: boolean): void {
    settle(this.chat, act, error);
    if (isOver) this.chat.emit("refused", { act, error });
  }

  /** Shows rooms as read that wait for the network to be marked up to their last message. */
  #showRead(): void {
    const { acts, rooms, reachable } = this.chat;
    for (const a of acts.value) {
      const { unread, lastMessage } = (a.kind === "read" && !reachable && rooms.entry(a.room)) || {};
      if (unread && lastMessage?.id === (a as Read).message) rooms.patch(a.room, { unread: 0, mentions: 0 });
    }
  }

  #expectEvent(act: Deed): void {
    const { choices = [] } = this.#sent.get(act.id) ?? {};
    this.#sent.set(act.id, { act, until: Date.now() + EVENT_TIME, choices: [...choices, choiceOf(act)] });
  }

  /** Reads the changes of a room if the change of a stored message does not arrive. */
  #expect({ room, id }: Act): void {
    this.#expected.add(id);
    setTimeout(() => {
      if (!this.#expected.delete(id) || !this.chat.live.followed.has(room)) return;
      this.#check(room);
      this.chat.opened.get(room)?.refresh().catch(() => {});
    }, CHANGE_TIME);
  }

  /** Compares an open room with the server, which shows whether the connection is alive. */
  #check(room: string): void {
    const open = this.chat.live.followed.get(room);
    this.chat.live.check(open && [open]);
  }

  /** Uploads the files that wait. Its modules are loaded with the first; after a failure, wake tries again. */
  #upload(): void {
    if (this.#uploader) this.#uploader.run();
    else if (this.chat.acts.messages.some(m => m.files)) {
      this.#loading ??= this.#loadUploader().catch(() => void (this.#loading = undefined));
    }
  }

  async #loadUploader(): Promise<void> {
    const [{ Uploader }, { scrubbed }] = await Promise.all([import("./files.js"), import("./scrub.js")]);
    this.#uploader = new Uploader(this.chat, scrubbed);
    this.#uploader.run();
  }
}

/** Returns what stores and sends the acts of a client whose user is known. */
export const deliveryOf = (chat: Client): Delivery => (chat.acts.delivery ??= new Deliverer(chat));
