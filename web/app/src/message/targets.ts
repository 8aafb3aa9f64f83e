// What the actions of messages and the timeline tell each other.
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
