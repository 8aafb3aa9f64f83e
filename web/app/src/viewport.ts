// What the reader sees of a room: where the log stands, what is loaded, and what is read.
import type { Room, RoomView } from "@parley/client";
import { sent } from "./composing.js";
import { focusItem, keepStop } from "./roving.js";
import { othersAfter } from "./rows.js";
import { below, firstTop, Keeper, middleTop, nearNewer, nearOlder } from "./scroll.js";
import { me } from "./store.js";

/** The window of messages: enough to scroll without waiting, few enough for a layout of some ms. */
const windowSize = 300;
/** The window is trimmed when it is larger by a page, so that each new message does not trim it. */
const trimSize = windowSize + 50;
/** How long a linked message stays lit. */
const litTime = 2500;
/** The space above the unread line, for the name of the day. */
const lineMargin = 40;

export interface Jump { readonly shown: boolean; readonly count: number }
export interface ViewportEvents { jump(j: Jump): void; lit(id: string): void }
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
  #read = "";
  /** Whether messages stay unread although they are visible, since the person has said so. */
  #held = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(log: HTMLElement, room: Room, events: ViewportEvents) {
    this.#log = log;
    this.#room = room;
    this.#view = room.value;
    this.#events = events;
    this.#keeper = new Keeper(log);
    const resized = new ResizeObserver(() => this.#resized());
    resized.observe(log);
    if (log.firstElementChild) resized.observe(log.firstElementChild);
    const scrolled = () => this.#scrolled();
    const looked = () => this.#markRead();
    log.addEventListener("scroll", scrolled, { passive: true });
    addEventListener("focus", looked);
    document.addEventListener("visibilitychange", looked);
    this.#ends.push(() => resized.disconnect(), () => log.removeEventListener("scroll", scrolled), () => removeEventListener("focus", looked),
      () => document.removeEventListener("visibilitychange", looked), sent.subscribe(() => this.toNewest()));
  }

  end(): void {
    clearTimeout(this.#timer);
    for (const end of this.#ends) end();
  }

  /** Goes to a message when it is loaded; without an id, to the beginning of what is new. */
  aim(id: string): void {
    if (id) this.#goal = { kind: "message", id };
    else if (this.#goal?.kind !== "start") this.#goal = { kind: "newest" };
  }

  /** Remembers the line being read, before the page changes. */
  beforeRender(): void {
    this.#keeper.capture();
  }

  /** Puts the log where it belongs, after the page has changed. */
  afterRender(view: RoomView): void {
    const changed = view.messages !== this.#view.messages;
    this.#view = view;
    if (view.phase === "ready" && this.#goal && this.#reach(this.#goal)) this.#goal = undefined;
    else this.#keeper.restore();
    this.#keeper.live = view.phase === "ready" && !view.hasNewer;
    if (!this.#goal && changed) this.#keeper.capture();
    keepStop(this.#log);
    this.#look();
  }

  /** Goes to a goal, and reports whether it is reached for good. */
  #reach(goal: Goal): boolean {
    const { hasNewer, firstUnread } = this.#view;
    this.#keeper.live = !hasNewer;
    if (goal.kind === "message") {
      const item = this.#item(goal.id);
      if (!item) return false;
      this.#keeper.to(middleTop(this.#keeper.metrics, { top: item.offsetTop, height: item.offsetHeight }));
      focusItem(this.#log, item, true);
      this.#light(goal.id);
      return true;
    }
    if (goal.kind === "newest" && hasNewer) return false;
    const line = goal.kind === "start" && firstUnread ? this.#log.querySelector<HTMLElement>(".new")?.offsetTop : undefined;
    if (line === undefined) this.#keeper.toEnd();
    else this.#keeper.to(firstTop(this.#keeper.metrics, line, lineMargin));
    return true;
  }

  #item(id: string): HTMLElement | undefined {
    return [...this.#log.getElementsByTagName("article")].find(a => a.dataset.id === id);
  }

  #light(id: string): void {
    clearTimeout(this.#timer);
    this.#events.lit(id);
    this.#timer = setTimeout(() => this.#events.lit(""), litTime);
  }

  focus(id: string): void {
    focusItem(this.#log, this.#item(id), true);
  }

  /** Shows the newest messages, and loads them if they are not there. */
  toNewest(): void {
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
    this.#read = "";
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
    const shown = view.hasNewer || below(m) > m.height / 2;
    const count = this.#keeper.atEnd ? 0 : othersAfter(view.messages, this.#seen, me.value);
    if (shown !== this.#jump.shown || count !== this.#jump.count) this.#events.jump((this.#jump = { shown: shown || count > 0, count }));
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
    const newest = messages.findLast(m => !m.status);
    if (!newest || newest.id === this.#read) return;
    const first = this.#read === "";
    this.#read = newest.id;
    if (first && info.me.unread === 0) return; // the server knows
    if (newest.user === me.value && info.me.unread === 0) return;
    this.#room.markRead().catch(() => { this.#read = ""; });
  }
}
