// The connection of the person who is signed in.
import { connect, type RoomEntry, SignedOut } from "@parley/client";
import { blocked, chat, dev, list, me, state, traces } from "../state/store.js";
import { renewed } from "./renewal.js";
import { config, end, phase } from "./session.js";
import { isFresh, store, stored, type Tokens, userOf } from "./tokens.js";

/** Returns a fresh token, renewed where the kind of sign-in can. */
async function getToken({ refused }: { refused: boolean }): Promise<string> {
  const held = stored();
  if (!held) throw new SignedOut();
  if (!refused && isFresh(held.token)) return held.token;
  const next = await renewed(held);
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
    if (now === "signed-out" || now === "suspended") end(now);
  };
  me.value = user;
  chat.value = c;
  c.rooms.subscribe(changed);
  blocked.subscribe(changed);
  c.state.subscribe(changed);
  phase.value = "in";
  changed();
}
