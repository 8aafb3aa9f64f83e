// Scrolls the log: to the line being read, to a linked message, or to the newest messages. The reader
// acts on the position, such as by loading and marking as read: see reader.ts.
import type { Room, RoomView } from "@parley/client";
import type { Page } from "../state/page.js";
import { focusItem, keepStop } from "./keys.js";
import { firstTop, Keeper, middleTop } from "./scroll.js";

/** The window of messages: enough to scroll without waiting, few enough for a layout of some ms. */
export const windowSize = 300;
/** How long a linked message stays lit. */
export const litTime = 2500;
/** A message that a link leads to is awaited so long, where the room is open already. */
const aimTime = 5000;
/** The space above the unread line, for the name of the day. */
const lineMargin = 40;

type Goal = { kind: "start" | "newest" } | { kind: "message"; id: string };
type Timer = ReturnType<typeof setTimeout> | undefined;

/** Acts on the visible messages. look is called after each change of the position or the messages. */
export interface Follower {
  look(): void;
  /** Called when the person moves to the newest messages. */
  resume(): void;
}

export class Viewport {
  readonly #page: Page;
  readonly keeper: Keeper;
  readonly #log: HTMLElement;
  readonly #room: Room;
  readonly #light: (id: string) => void;
  readonly #ends: (() => void)[] = [];
  view: RoomView;
  follower: Follower | undefined;
  /** Where to go when the messages for it are loaded. */
  #goal: Goal | undefined = { kind: "start" };
  /**
   * Whether the person neither was at the messages nor wrote one since the room opened: Tab then
   * leads to the first new one.
   */
  #unvisited = true;
  #litTimer: Timer;
  #aimTimer: Timer;

  constructor(page: Page, log: HTMLElement, room: Room, light: (id: string) => void) {
    this.#page = page;
    this.#log = log; // its own listeners end with it
    this.#room = room;
    this.view = room.value;
    this.#light = light;
    this.keeper = new Keeper(log);
    const resized = new ResizeObserver(() => {
      this.keeper.restore();
      this.follower?.look();
    });
    resized.observe(log);
    if (log.firstElementChild) resized.observe(log.firstElementChild);
    const takeOver = () => { if (this.view.phase === "ready") this.#goal = undefined; };
    log.addEventListener("wheel", takeOver, { passive: true });
    log.addEventListener("touchmove", takeOver, { passive: true });
    for (const event of ["keydown", "pointerdown"]) {
      log.addEventListener(event, () => { if (this.view.cachedAt) takeOver(); });
    }
    log.addEventListener("focusin", () => { this.#unvisited = false; }, { once: true });
    log.addEventListener("scroll", () => {
      this.keeper.capture();
      this.follower?.look();
    }, { passive: true });
    this.#ends.push(() => resized.disconnect(), page.sent.subscribe(() => this.toNewest()));
  }

  end(): void {
    clearTimeout(this.#litTimer);
    clearTimeout(this.#aimTimer);
    for (const end of this.#ends) end();
  }

  /** Whether the log is in its place, so that visible messages count as read. */
  get settled(): boolean {
    return this.view.phase === "ready" && !this.#goal;
  }

  /** Goes to a message when it is loaded; without an id, to the first new message. */
  aim(id: string): void {
    clearTimeout(this.#aimTimer);
    if (id) {
      this.#goal = { kind: "message", id };
      // The room shows when it is opened, but not when it is opened around another message.
      if (this.view.phase === "ready") this.#aimTimer = setTimeout(() => this.#miss(id), aimTime);
    } else if (this.#goal?.kind !== "start") {
      this.#goal = { kind: "newest" };
    }
  }

  /** The message of a link is not there. */
  #miss(id: string): void {
    if (this.#goal?.kind !== "message" || this.#goal.id !== id) return;
    this.#goal = undefined;
    void import("./unlisted.js").then(m => m.showUnlisted(this.#page, this.#room.id, id), this.#page.toastError);
    this.keeper.live = !this.view.hasNewer;
    this.follower?.look();
  }

  /** Remembers the line being read, before the page changes. */
  beforeRender(): void {
    this.keeper.capture();
  }

  /** Puts the log where it belongs, after the page has changed. */
  afterRender(view: RoomView): void {
    const opened = this.view.phase !== "ready" && view.phase === "ready";
    this.view = view;
    const goal = this.#goal;
    if (!goal) this.keeper.restore();
    else if (this.#reach(goal) && view.phase === "ready" && !view.cachedAt) this.#goal = undefined;
    else if (opened && goal.kind === "message") this.#miss(goal.id);
    this.keeper.live = view.phase === "ready" && !view.hasNewer;
    this.keeper.capture();
    keepStop(this.#log, this.#unvisited ? this.#log.querySelector<HTMLElement>(".new + article") : null);
    this.follower?.look();
  }

  /** Goes to a goal, or near it, and reports whether it is reached. */
  #reach(goal: Goal): boolean {
    this.keeper.live = !this.view.hasNewer;
    if (goal.kind === "message") return this.#reachMessage(goal.id);
    const line = goal.kind === "start" ? this.#log.querySelector<HTMLElement>(".new")?.offsetTop : undefined;
    if (line === undefined) this.keeper.toEnd();
    else this.keeper.to(firstTop(this.keeper.metrics, line, lineMargin));
    return goal.kind === "start" || !this.view.hasNewer;
  }

  #reachMessage(id: string): boolean {
    const item = this.#item(id);
    if (!item) {
      if (this.view.phase !== "ready") this.keeper.toEnd();
      else this.keeper.restore();
      return false;
    }
    clearTimeout(this.#aimTimer);
    this.keeper.to(middleTop(this.keeper.metrics, { top: item.offsetTop, height: item.offsetHeight }));
    focusItem(this.#log, item, true);
    clearTimeout(this.#litTimer);
    this.#light(id);
    this.#litTimer = setTimeout(() => this.#light(""), litTime);
    return true;
  }

  #item(id: string): HTMLElement | undefined {
    return [...this.#log.getElementsByTagName("article")].find(a => a.dataset.id === id);
  }

  /** Returns where the line "New messages" is, if it is not in sight. */
  lineBeyond(): "above" | "below" | "" {
    const { firstUnread, messages } = this.view;
    if (!firstUnread) return "";
    const { top, height } = this.keeper.metrics;
    const line = this.#log.querySelector<HTMLElement>(".new")?.offsetTop;
    // it was trimmed; ids are in order
    if (line === undefined) return firstUnread < (messages[0]?.id ?? "") ? "above" : "below";
    return line < top ? "above" : line > top + height ? "below" : "";
  }

  /** Shows a message of the room, or the newest ones without an id. It loads missing messages. */
  show(id: string): void {
    if (!id) return this.toNewest();
    this.aim(id);
    this.afterRender(this.view); // the message may be there
    void this.#room.around(id).catch(() => undefined); // the state of the connection shows why
  }

  focus(id: string): void {
    focusItem(this.#log, this.#item(id), true);
  }

  /** Shows the newest messages, and loads them if they are not there. */
  toNewest(): void {
    this.#unvisited = false;
    this.follower?.resume();
    if (!this.view.hasNewer && !this.#room.value.hasNewer) {
      this.#goal = undefined;
      this.keeper.live = true;
      this.keeper.toEnd();
      this.follower?.look();
      return;
    }
    this.#goal = { kind: "newest" };
    void this.#room.latest().catch(() => undefined); // the state of the connection shows why
  }
}
