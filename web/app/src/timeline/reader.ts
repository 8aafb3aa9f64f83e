// Acts on what the reader sees: it loads pages before they are needed, trims the window of messages,
// counts new messages, and marks the room as read.
import type { Room, RoomEntry, RoomView } from "@parley/client";
import { othersAfter } from "../message/find.js";
import type { Page } from "../state/page.js";
import { below, nearNewer, nearOlder } from "./scroll.js";
import { type Follower, type Viewport, windowSize } from "./viewport.js";

/** The window is trimmed when it is larger by a page, so that each new message does not trim it. */
const trimSize = windowSize + 50;
/** The read marker is moved at most once in this time, in milliseconds. */
const readPause = 1000;
/** A room that is shown for a shorter time was only passed through, and stays unread. */
const glance = 500;

export interface Jump {
  /** Whether to show the button that jumps to the newest messages, and how many are new. */
  readonly shown: boolean;
  readonly count: number;
  /** When the first unread message was received, while the line above it is out of sight; otherwise empty. */
  readonly since: string;
}

export const noJump: Jump = { shown: false, count: 0, since: "" };

export class Reader implements Follower {
  readonly #page: Page;
  readonly #at: Viewport;
  readonly #room: Room;
  readonly #onJump: (j: Jump) => void;
  #top = 0;
  /** Pages are loaded only in the direction of reading: loading one end never uncovers the other. */
  #direction: "older" | "newer" = "older";
  #jump = noJump;
  /** The time of the first unread message. It is kept while the message is not loaded. */
  #since = "";
  /** The newest message that was seen at the end. */
  #seen = "";
  /** The messages that were there when the room was last marked as read. */
  #read: ReadonlySet<string> | undefined;
  /** The messages that were last checked for new ones. */
  #looked: RoomView["messages"] | undefined;
  /** Whether visible messages stay unread, because the person marked them as unread. */
  #held = false;
  /** The newest message that the list counted as unread although it was here. */
  #counted = "";
  /** Whether the list has said that somebody added the person, who has not read the room yet. */
  #greeted = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;
  readonly #noticed = () => this.#markRead();
  readonly #unfollow: () => void;

  constructor(page: Page, at: Viewport, room: Room, onJump: (j: Jump) => void) {
    this.#page = page;
    this.#at = at;
    this.#room = room;
    this.#onJump = onJump;
    this.#top = at.keeper.metrics.top;
    addEventListener("focus", this.#noticed);
    document.addEventListener("visibilitychange", this.#noticed);
    this.#unfollow = page.list.subscribe(() => this.#compare());
    this.#wait(glance);
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#unfollow();
    removeEventListener("focus", this.#noticed);
    document.removeEventListener("visibilitychange", this.#noticed);
  }

  look(): void {
    const { keeper, view, settled } = this.#at;
    if (!settled) return;
    const m = keeper.metrics;
    if (m.top !== this.#top) this.#direction = m.top < this.#top ? "older" : "newer";
    this.#top = m.top;
    if (keeper.atEnd) this.#seen = view.messages.at(-1)?.id ?? "";
    if (this.#direction === "older" && view.hasOlder && nearOlder(m)) this.#load("older");
    if (this.#direction === "newer" && view.hasNewer && nearNewer(m)) this.#load("newer");
    // The messages farthest from the reader are forgotten.
    if (view.messages.length > trimSize) this.#room.trim(m.top < below(m) ? "newer" : "older", windowSize);
    const count = keeper.atEnd ? 0 : othersAfter(view.messages, this.#seen, this.#page.me.value);
    const shown = view.hasNewer || count > 0 || below(m) > m.height / 2;
    if (view.firstUnread) this.#since = view.messages.find(m => m.id === view.firstUnread)?.receivedAt ?? this.#since;
    const since = this.#at.lineBeyond() && this.#since;
    const before = this.#jump;
    if (shown !== before.shown || count !== before.count || since !== before.since) {
      this.#onJump((this.#jump = { shown, count, since }));
    }
    this.#markRead();
  }

  #load(end: "older" | "newer"): void {
    // The reader may have come to the end while this page was loaded, and moves no more.
    const again = () => requestAnimationFrame(() => { if (!this.#ended) this.look(); });
    this.#room[end]().then(again, () => undefined); // the state of the connection shows why it failed
  }

  /** Leaves the messages unread until resume is called. */
  hold(): void {
    this.#held = true;
  }

  resume(): void {
    if (this.#held) this.#read = new Set(); // the marker is behind
    this.#held = false;
  }

  /** Shows a message, or the newest ones without an id. */
  show(id: string): void {
    this.#at.show(id);
  }

  get #listed(): RoomEntry | undefined {
    return this.#page.list.value.rooms.find(r => r.id === this.#room.id);
  }

  /**
   * Marks the room as read, once for each message, if the list counts its newest message as unread. A message
   * may be shown before it has its number in the feed, and so before it is counted.
   */
  #compare(): void {
    const newest = this.#at.view.messages.at(-1)?.id;
    const listed = this.#listed;
    if (listed?.addedBy && !this.#greeted) {
      this.#greeted = true;
      this.#looked = undefined;
      this.#markRead();
    }
    if (!listed?.unread || !newest || listed.lastMessage?.id !== newest || newest === this.#counted) return;
    this.#counted = newest;
    this.#read = new Set();
    this.#looked = undefined;
    this.#markRead();
  }

  /** Marks the room as read while its newest message is visible and the window has the focus. */
  #markRead(): void {
    const { settled, keeper, view: { hasNewer, messages, info } } = this.#at;
    if (!settled || hasNewer || this.#held || !info?.me || !keeper.atEnd) return;
    if (document.visibilityState !== "visible" || !document.hasFocus()) return;
    if (this.#looked === messages || this.#timer !== undefined) return;
    this.#looked = messages;
    const read = this.#read;
    this.#read = new Set(messages.filter(m => !m.status).map(m => m.id));
    // Otherwise the server has the marker.
    if (!this.#listed?.addedBy && !(read ? hasNew(messages, read, this.#page.me.value) : info.me.unread > 0)) return;
    this.#room.markRead().catch(() => { this.#looked = undefined; this.#read = read; });
    this.#wait(readPause);
  }

  /** Marks nothing as read for a time. */
  #wait(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#markRead();
    }, ms);
  }
}

/** Reports whether others have written after the known messages. Older pages are not new. */
function hasNew(messages: RoomView["messages"], known: ReadonlySet<string>, user: string): boolean {
  const first = messages.findIndex(m => known.has(m.id));
  return messages.slice(first + 1).some(m => m.user !== user && !m.status && !known.has(m.id));
}
