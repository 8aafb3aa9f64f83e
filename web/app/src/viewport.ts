// What the reader sees of a room: where the log stands, what is loaded, and what is read.
import type { Room, RoomView } from "@parley/client";
import { sent } from "./composing.js";
import { focusItem, keepStop } from "./roving.js";
import { othersAfter } from "./rows.js";
import { below, firstTop, Keeper, middleTop, nearNewer, nearOlder } from "./scroll.js";
import { me, toast } from "./store.js";

/** The window of messages: enough to scroll without waiting, few enough for a layout of some ms. */
const windowSize = 300;
/** The window is trimmed when it is larger by a page, so that each new message does not trim it. */
const trimSize = windowSize + 50;
/** How long a linked message stays lit. */
const litTime = 2500;
/** A message that a link leads to is awaited so long, where the room is open already. */
const aimTime = 5000;
/** The read marker is moved at most once in this time. */
const readPause = 1000;
/** The space above the unread line, for the name of the day. */
const lineMargin = 40;

export interface Jump { readonly shown: boolean; readonly count: number }
export interface ViewportEvents { jump(j: Jump): void; lit(id: string): void }
type Timer = ReturnType<typeof setTimeout> | undefined;
type Goal = { kind: "start" | "newest" } | { kind: "message"; id: string };

export class Viewport {
  readonly #log: HTMLElement;
  readonly #room: Room;
  readonly #events: ViewportEvents;
  readonly #keeper: Keeper;
  readonly #ends: (() => void)[] = [];
  #view: RoomView;
  /** Where to go when the messages for it are loaded. */
  #goal: Goal | undefined = { kind: "start" };
  #top = 0;
  /** Pages are loaded only in the direction of reading: loading one end never uncovers the other. */
  #direction: "older" | "newer" = "older";
  #jump: Jump = { shown: false, count: 0 };
  /** The newest message that was seen at the end. */
  #seen = "";
  /** The messages that were there when the room was last marked as read. */
  #read: ReadonlySet<string> | undefined;
  /** The messages that were last looked at for that. */
  #looked: RoomView["messages"] | undefined;
  /** Whether messages stay unread although they are visible, since the person has said so. */
  #held = false;
  #litTimer: Timer;
  #aimTimer: Timer;
  #readTimer: Timer;

  constructor(log: HTMLElement, room: Room, events: ViewportEvents) {
    this.#log = log; // its own listeners end with it
    this.#room = room;
    this.#view = room.value;
    this.#events = events;
    this.#keeper = new Keeper(log);
    const resized = new ResizeObserver(() => this.#resized());
    resized.observe(log);
    if (log.firstElementChild) resized.observe(log.firstElementChild);
    const scrolled = () => this.#scrolled();
    const looked = () => this.#markRead();
    const takeOver = () => { if (this.#view.phase === "ready") this.#goal = undefined; };
    log.addEventListener("scroll", scrolled, { passive: true });
    log.addEventListener("wheel", takeOver, { passive: true });
    log.addEventListener("touchmove", takeOver, { passive: true });
    addEventListener("focus", looked);
    document.addEventListener("visibilitychange", looked);
    this.#ends.push(() => resized.disconnect(), () => removeEventListener("focus", looked),
      () => document.removeEventListener("visibilitychange", looked), sent.subscribe(() => this.toNewest()));
  }

  end(): void {
    for (const timer of [this.#litTimer, this.#aimTimer, this.#readTimer]) clearTimeout(timer);
    for (const end of this.#ends) end();
  }

  /** Goes to a message when it is loaded; without an id, to the beginning of what is new. */
  aim(id: string): void {
    clearTimeout(this.#aimTimer);
    if (id) {
      this.#goal = { kind: "message", id };
      // The room tells when it is opened, but not when it is opened around another message.
      if (this.#view.phase === "ready") this.#aimTimer = setTimeout(() => this.#miss(id), aimTime);
    } else if (this.#goal?.kind !== "start") {
      this.#goal = { kind: "newest" };
    }
  }

  /** The message of a link is not there. */
  #miss(id: string): void {
    if (this.#goal?.kind !== "message" || this.#goal.id !== id) return;
    this.#goal = undefined;
    toast("This message does not exist, or you may not see it.");
    this.#keeper.live = !this.#view.hasNewer;
    this.#look();
  }

  /** Remembers the line being read, before the page changes. */
  beforeRender(): void {
    this.#keeper.capture();
  }

  /** Puts the log where it belongs, after the page has changed. */
  afterRender(view: RoomView): void {
    const opened = this.#view.phase !== "ready" && view.phase === "ready";
    this.#view = view;
    const goal = this.#goal;
    if (!goal) this.#keeper.restore();
    else if (this.#reach(goal) && view.phase === "ready") this.#goal = undefined;
    else if (opened && goal.kind === "message") this.#miss(goal.id);
    this.#keeper.live = view.phase === "ready" && !view.hasNewer;
    this.#keeper.capture();
    keepStop(this.#log);
    this.#look();
  }

  /** Goes to a goal, or near it, and reports whether it is reached. */
  #reach(goal: Goal): boolean {
    this.#keeper.live = !this.#view.hasNewer;
    if (goal.kind === "message") return this.#reachMessage(goal.id);
    const line = goal.kind === "start" ? this.#log.querySelector<HTMLElement>(".new")?.offsetTop : undefined;
    if (line === undefined) this.#keeper.toEnd();
    else this.#keeper.to(firstTop(this.#keeper.metrics, line, lineMargin));
    return goal.kind === "newest" ? !this.#view.hasNewer : line !== undefined || !this.#seeksLine();
  }

  #reachMessage(id: string): boolean {
    const item = this.#item(id);
    if (!item) {
      if (this.#view.phase !== "ready") this.#keeper.toEnd();
      else this.#keeper.restore();
      return false;
    }
    clearTimeout(this.#aimTimer);
    this.#keeper.to(middleTop(this.#keeper.metrics, { top: item.offsetTop, height: item.offsetHeight }));
    focusItem(this.#log, item, true);
    this.#light(id);
    return true;
  }

  /** Loads older messages while the first unread one may be among them, and reports whether it does. */
  #seeksLine(): boolean {
    const { phase, info, hasOlder, firstUnread, messages } = this.#view;
    const seeks = phase === "ready" && hasOlder && !firstUnread && (info?.me?.unread ?? 0) > 0 && messages.length < windowSize;
    if (seeks) this.#load("older");
    return seeks;
  }

  #item(id: string): HTMLElement | undefined {
    return [...this.#log.getElementsByTagName("article")].find(a => a.dataset.id === id);
  }

  #light(id: string): void {
    clearTimeout(this.#litTimer);
    this.#events.lit(id);
    this.#litTimer = setTimeout(() => this.#events.lit(""), litTime);
  }

  focus(id: string): void {
    focusItem(this.#log, this.#item(id), true);
  }

  /** Shows the newest messages, and loads them if they are not there. */
  toNewest(): void {
    if (this.#held) this.#read = new Set(); // the marker is behind
    this.#held = false;
    if (!this.#view.hasNewer && !this.#room.value.hasNewer) {
      this.#keeper.live = true;
      return this.#keeper.toEnd(), this.#look();
    }
    this.#goal = { kind: "newest" };
    void this.#room.latest().catch(() => undefined); // the state of the connection shows why
  }

  /** Leaves the messages unread until the person goes on. */
  hold(): void {
    this.#held = true;
  }

  #resized(): void {
    this.#keeper.restore();
    this.#look();
  }

  #scrolled(): void {
    const { scrollTop } = this.#log;
    if (scrollTop !== this.#top) this.#direction = scrollTop < this.#top ? "older" : "newer";
    this.#top = scrollTop;
    this.#keeper.capture();
    this.#look();
  }

  /** Loads and forgets messages as the position asks for, and tells what else depends on it. */
  #look(): void {
    const view = this.#view;
    if (view.phase !== "ready" || this.#goal) return;
    const m = this.#keeper.metrics;
    const newest = view.messages.at(-1)?.id ?? "";
    if (this.#keeper.atEnd) this.#seen = newest;
    if (this.#direction === "older" && view.hasOlder && nearOlder(m)) this.#load("older");
    if (this.#direction === "newer" && view.hasNewer && nearNewer(m)) this.#load("newer");
    this.#trim(view.messages.length, m.top < below(m));
    const count = this.#keeper.atEnd ? 0 : othersAfter(view.messages, this.#seen, me.value);
    const shown = view.hasNewer || count > 0 || below(m) > m.height / 2;
    if (shown !== this.#jump.shown || count !== this.#jump.count) this.#events.jump((this.#jump = { shown, count }));
    this.#markRead();
  }

  #load(end: "older" | "newer"): void {
    void this.#room[end]().catch(() => undefined); // the state of the connection shows why
  }

  /** Forgets the messages farthest from the reader. */
  #trim(length: number, nearTop: boolean): void {
    if (length <= trimSize) return;
    this.#room.trim(nearTop ? "newer" : "older", windowSize);
  }

  /** Marks the room as read while the newest message is in sight of somebody. */
  #markRead(): void {
    const { phase, hasNewer, messages, info } = this.#view;
    if (phase !== "ready" || hasNewer || this.#held || !info?.me || !this.#keeper.atEnd) return;
    if (document.visibilityState !== "visible" || !document.hasFocus()) return;
    if (this.#looked === messages || this.#readTimer !== undefined) return;
    this.#looked = messages;
    const read = this.#read;
    this.#read = new Set(messages.filter(m => !m.status).map(m => m.id));
    if (!(read ? hasNew(messages, read) : info.me.unread > 0)) return; // the server knows
    this.#room.markRead().catch(() => { this.#looked = undefined; this.#read = read; });
    this.#readTimer = setTimeout(() => {
      this.#readTimer = undefined;
      this.#markRead();
    }, readPause);
  }
}

/** Reports whether others have written something since the known messages. Older pages are not new. */
function hasNew(messages: RoomView["messages"], known: ReadonlySet<string>): boolean {
  const first = messages.findIndex(m => known.has(m.id));
  return messages.slice(first + 1).some(m => m.user !== me.value && !m.status && !known.has(m.id));
}
