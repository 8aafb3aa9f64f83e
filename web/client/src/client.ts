import type { Kept } from "./kept.js";
import type { Live } from "./live.js";
import type { PeopleCache } from "./people.js";
import type { OpenRoom, RoomClient } from "./room.js";
import type { RoomList } from "./rooms.js";
import type { Options } from "./options.js";
import type { AbortSignal } from "./platform.js";
import type { Chat, Events } from "./types.js";

/** A client as the second module uses it, which needs more than the public interface. */
export interface Client extends Chat, RoomClient {
  readonly options: Options;
  readonly url: string;
  readonly rooms: RoomList;
  readonly people: PeopleCache;
  readonly kept: Kept;
  readonly live: Live;
  /** The rooms that were requested, by id. */
  readonly opened: ReadonlyMap<string, OpenRoom>;
  /** Reports whether the server can be reached. */
  readonly reachable: boolean;
  /** Aborted when the client ends. */
  readonly ended: AbortSignal;
  room(id: string): OpenRoom;
  /** Sets the clock to the server's time. */
  setTime(text: string): void;
  /** Tells the listeners of an event. */
  emit<E extends keyof Events>(event: E, e: Events[E]): void;
}
