// The state that features share: the session, the connection, the current room and the open panels. Components
// get the page from usePage. Other functions take it as their first argument.
import type { Act, Card, Chat, Message, More, People, Room, RoomEntry, State, Trace } from "@parley/client";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { components } from "../../../client/src/api.gen.js";
import { cell } from "./cell.js";
import type { Config } from "./config.js";
import { Layers } from "./layers.js";
import { Router } from "./route.js";

/**
 * Whether somebody is signed in. `unreachable` means that the configuration could not be loaded, `other`
 * that another tab signed in somebody else.
 */
export type Phase = "starting" | "sign-in" | "in" | "signed-out" | "suspended" | "other" | "unreachable";

/**
 * The panel next to the timeline. Panels with a colon are about a message: its id follows, and after a space the id
 * of a reply to show.
 */
export type PanelKind =
  | "people"
  | "settings"
  | "documents"
  | "files"
  | "pins"
  | "places"
  | "activity"
  | "threads"
  | "saved"
  | "search"
  | `thread:${string}`
  | `history:${string}`
  | `votes:${string}`
  | `reactions:${string}`
  | `report:${string}`;

/** The dialogs of the page. */
export type DialogName =
  | "find"
  | "direct"
  | "create"
  | "browse"
  | "leave"
  | "keys"
  | "forward"
  | "account"
  | "block"
  | "status"
  | "sign-out"
  | "invitation"
  | "notifications"
  | "read";

/** The unsaved text of a part of a document, and the version that it changes. */
export interface Draft { readonly text: string; readonly base: components["schemas"]["Part"] | undefined }

/** The person whose profile is shown, and the element that it belongs to. */
export interface ShownProfile {
  readonly user: string;
  readonly face: HTMLElement;
  /** Whether it stays until it is closed. One that opened under the pointer closes when the pointer leaves. */
  readonly held: boolean;
}

/** A public room that the person has not joined, with the unread messages there that mention them. */
export interface Elsewhere {
  readonly id: string;
  readonly name: string;
  readonly mentions: number;
  /** The number of the newest mention in the room's feed, and the oldest message. */
  readonly seq: number;
  readonly first: Message;
}

/** A toast stays this long, in milliseconds: enough to read two short sentences. */
export const toastTime = 6_000;

/** Where the browser remembers that a second person was offered. */
const offerKey = "parley.offered";

export class Page {
  // The session.
  readonly phase = cell<Phase>("starting");
  readonly config = cell<Config | null>(null);
  /** Why the last sign-in failed; empty if it did not. */
  readonly refusal = cell("");
  /** The connection; null while nobody is signed in. */
  readonly chat = cell<Chat | null>(null);
  readonly connection = cell<State>("connecting");
  /** The user id of the person; empty until it is known. */
  readonly me = cell("");
  /** The person's own name, picture and status; null until they are known. */
  readonly card = cell<Pick<Card, "name" | "skeleton" | "avatar" | "picture" | "status"> | null>(null);
  /** The user ids that the person has blocked. */
  readonly blocked = cell<ReadonlySet<string>>(new Set());
  /** The cards of people whom no room names. */
  readonly cards = cell<People>({});

  // Where the person is.
  readonly route = new Router();
  /** The person's rooms, those with the newest activity first. */
  readonly list = cell<{
    rooms: readonly RoomEntry[];
    unread: number;
    loaded: boolean;
    cachedAt?: number | undefined;
    more?: More;
  }>({ rooms: [], unread: 0, loaded: false });
  /** The room of the route, which is opened around the route's message. */
  readonly current = cell<Room | null>(null);
  /** The people of the current room who are known to be online: none without a connection. */
  readonly online = cell<ReadonlySet<string>>(new Set());
  /** How many reports of a room are open, as far as its moderator has seen. */
  readonly openReports = cell<{ readonly room: string; readonly count: number }>({ room: "", count: 0 });
  /** The others of direct rooms who are known to be online. */
  readonly present = cell<ReadonlySet<string>>(new Set());
  /** Where the person is mentioned without having joined, as far as it is known. */
  readonly elsewhere = cell<readonly Elsewhere[]>([]);
  /** What the person did that the server may not have, once it is known. */
  readonly acts = cell<readonly Act[]>([]);
  /** The rooms in which something was not sent that stays so, and in each how much. */
  readonly failed = cell<ReadonlyMap<string, number>>(new Map());
  /** The followed threads with unread replies, among the newest, as far as they are known. */
  readonly unreadThreads = cell<readonly components["schemas"]["OwnThread"][]>([]);
  /** Whether the list and the room were painted once: what can wait is loaded then. */
  readonly painted = cell(false);
  /** Whether older messages are loaded to find the place at which the room opens. */
  readonly seeking = cell(false);
  /** The panel next to the timeline; null if there is none. */
  readonly panel = cell<PanelKind | null>(null);

  // Dialogs.
  readonly dialog = cell<DialogName | null>(null);
  /** The token of the invitation that the dialog asks about. */
  readonly invitation = cell("");
  /** The name that the dialog for a new room begins with. */
  readonly proposedName = cell("");
  /** The person whom the dialog asks whether to block. */
  readonly toBlock = cell({ user: "", name: "" });
  /** The profile that is shown; null if none is. */
  readonly profile = cell<ShownProfile | null>(null);
  /** The room of the list that the dialog asks whether to leave. */
  readonly toLeave = cell<Pick<RoomEntry, "id" | "name" | "kind" | "visibility"> | null>(null);
  /** The open dialogs and panels that Back closes. */
  readonly layers = new Layers(this.route);

  // Messages.
  /** The message of another that is deleted if the person confirms it; null if none is. */
  readonly toDelete = cell<Message | null>(null);
  /** The message that the next one quotes, and the room or the thread of both; null if it quotes none. */
  readonly quoting = cell<{ readonly message: Message; readonly room: Room } | null>(null);
  /** The message that the dialog forwards. */
  readonly forwarding = cell<Message | null>(null);
  /** The message for which an emoji is chosen; null if none is. */
  readonly reactingTo = cell<Message | null>(null);
  /** The message of the person that is being edited, and whether that is in a thread; null if none is. */
  readonly editing = cell<{ readonly id: string; readonly inThread: boolean } | null>(null);
  /** Counts the messages that the person has sent here: the timeline then shows the newest. */
  readonly sent = cell(0);
  /** What reads the room: it can leave visible messages unread, and show others. Null while no room is shown. */
  readonly reader = cell<{ hold(): void; resume(): void; show(id: string): void } | null>(null);
  /** The saved messages as far as they are known; null before. */
  readonly saved = cell<ReadonlySet<string> | null>(null);
  /** The connection that loaded saved, or is loading it. */
  savedOf: Chat | null = null;
  /** The unsaved texts of documents, by person and part, as in "ann rooms/…": closing an editor keeps its text. */
  readonly drafts = new Map<string, Draft>();
  /** Whether a second person is offered to the first one of a new server. */
  readonly offering = cell(localStorage.getItem(offerKey) === null);

  /** Whether the page shows its requests: `?dev` in the address. */
  readonly dev = new URLSearchParams(location.search).has("dev");
  readonly traces = cell<readonly Trace[]>([]);

  /** What takes a while, in words; empty while nothing does. */
  readonly passing = cell("");
  /** A short text that the page shows for some seconds, and that screen readers read out. */
  readonly toasted = cell("");
  /** Takes back what the toast reports; null if that cannot be taken back. */
  readonly undo = cell<(() => void) | null>(null);
  #toastTimer: ReturnType<typeof setTimeout> | undefined;

  readonly toast = (text: string, undo: (() => void) | null = null): void => {
    clearTimeout(this.#toastTimer);
    this.undo.value = undo;
    this.toasted.value = text;
    this.#toastTimer = setTimeout(() => (this.toasted.value = ""), toastTime);
  };

  /** Shows why something failed, in the server's words if it gave some. */
  readonly toastError = (error: unknown): void => this.toast(wordsOf(error));

  /** Returns the server's time in milliseconds, or this machine's while nobody is signed in. */
  now(): number {
    return this.chat.value?.now() ?? Date.now();
  }

  /** Offers no second person any more. */
  endOffer(): void {
    localStorage.setItem(offerKey, "1");
    this.offering.value = false;
  }
}

export const PageContext = createContext<Page | null>(null);

/** Returns the page of a component. */
export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error("no page is around this component");
  return page;
}

/** Returns why something failed, in the server's words if it gave some. */
export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
