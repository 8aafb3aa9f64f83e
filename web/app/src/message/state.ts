// What the timeline, the composer and the actions of messages share.
import type { Message, Room } from "@parley/client";
import { cell } from "../state/cell.js";

/** The message that is deleted if the person says so; null if none is. */
export const doomed = cell<Message | null>(null);

/** The message that the next one quotes, and the room or the thread of both; null if it quotes none. */
export const quoting = cell<{ readonly message: Message; readonly room: Room } | null>(null);

/** The message for which an emoji is chosen; null if none is. */
export const picking = cell<Message | null>(null);

/** What leaves visible messages unread. */
export const holder = cell<{ hold(): void } | null>(null);

/** What stands before the id of a message that is edited in a thread: the room may show it, too. */
export const inThread = "thread ";

/** The message of the caller that is being edited, with `thread ` before it where that is in a thread; empty if none is. */
export const editing = cell("");

/** Counts the messages that the person has sent here: the timeline then shows the newest. */
export const sent = cell(0);
