// Who is signed in to this window, and the connection that follows from it. What only a sign-in or a
// renewal needs is in enter.ts, which is loaded then.
import { connect, type RoomEntry, SignedOut } from "@parley/client";
import { cell } from "../state/cell.js";
import { type Config, loadConfig } from "./config.js";
import { blocked, chat, dev, list, me, state, traces } from "../state/store.js";
import { isFresh, store, stored, type Tokens, userOf } from "./tokens.js";

/** `unreachable` means that the page's configuration could not be loaded. */
export type Phase = "starting" | "sign-in" | "in" | "signed-out" | "suspended" | "unreachable";
export const phase = cell<Phase>("starting");

/** Why the last sign-in failed; empty if it did not. */
export const refusal = cell("");

export const config = cell<Config | null>(null);

const enter = () => import("./sign-in.js");

/** Signs in with what the address or this window has, or shows the sign-in. */
export async function start(): Promise<void> {
  try {
    config.value = await loadConfig();
    const tokens = stored();
    if (location.hash.startsWith("#as=") || /[?&](code|error)=/.test(location.search)) await (await enter()).arrive(config.value);
    else if (tokens) begin(tokens);
    else phase.value = "sign-in";
  } catch {
    phase.value = "unreachable";
  }
}

/** Returns a fresh token, renewed where the kind of sign-in can. */
async function getToken({ refused }: { refused: boolean }): Promise<string> {
  const held = stored();
  if (!held) throw new SignedOut();
  if (!refused && isFresh(held.token)) return held.token;
  const next = await (await enter()).renewed(held);
  if (!stored()) throw new SignedOut(); // signed out meanwhile
  store(next);
  return next.token;
}

const mostTraces = 200; // enough for 20 requests and the frames between them

/** Reports whether the list has a room. The server may list one with a blocked person for a while. */
const shown = ({ direct }: RoomEntry) => direct?.length !== 2 || !direct.some(user => blocked.value.has(user));

/** Connects as the person of the tokens. */
export function begin(tokens: Tokens): void {
  store(tokens);
  const { api, socket } = config.value ?? { api: "", socket: "" };
  const user = userOf(tokens.token);
  const c = connect({
    url: api || location.origin, getToken, user,
    ...(socket && { socket }),
    ...(dev && { trace: t => { traces.value = [...traces.value.slice(1 - mostTraces), t]; } }),
  });
  const changed = () => {
    if (chat.value !== c) return;
    list.value = { rooms: c.rooms.value.filter(shown), unread: c.rooms.unread, loaded: c.rooms.loaded };
    const now = state.value = c.state.value;
    me.value = c.user || user;
    if (/^s/.test(now)) void enter().then(e => e.end(now as Phase)); // signed-out or suspended
  };
  me.value = user;
  chat.value = c;
  c.rooms.subscribe(changed);
  blocked.subscribe(changed);
  c.state.subscribe(changed);
  phase.value = "in";
  changed();
}
