// The connection of the person who is signed in.
import { connect, type RoomEntry, SignedOut } from "@parley/client";
import type { Page } from "../state/page.js";
import { renewed } from "./renewal.js";
import { end } from "./session.js";
import { isFresh, store, stored, type Tokens, userOf } from "./tokens.js";

/** Returns a fresh token, renewed if the kind of sign-in allows it. */
async function getToken(page: Page, refused: boolean): Promise<string> {
  const held = stored();
  if (!held) throw new SignedOut();
  if (!refused && isFresh(held.token)) return held.token;
  const next = await renewed(page.config.value?.signIn, held);
  if (!stored()) throw new SignedOut(); // signed out meanwhile
  store(next);
  return next.token;
}

const mostTraces = 200; // enough for 20 requests and the frames between them

/** Reports whether the list shows a room. The server may still list a direct room with a blocked person. */
const shown = ({ direct }: RoomEntry, blocked: ReadonlySet<string>) => direct?.length !== 2 || !direct.some(user => blocked.has(user));

/** Connects as the person of the tokens. */
export function begin(page: Page, tokens: Tokens): void {
  store(tokens);
  const { chat, blocked, traces } = page;
  const { api, socket } = page.config.value ?? { api: "", socket: "" };
  const user = userOf(tokens.token);
  const c = connect({
    url: api || location.origin, user,
    getToken: ({ refused }) => getToken(page, refused),
    ...(socket && { socket }),
    ...(page.dev && { trace: t => { traces.value = [...traces.value.slice(1 - mostTraces), t]; } }),
  });
  const changed = () => {
    if (chat.value !== c) return;
    page.list.value = { rooms: c.rooms.value.filter(r => shown(r, blocked.value)), unread: c.rooms.unread, loaded: c.rooms.loaded };
    const now = page.connection.value = c.state.value;
    page.me.value = c.user || user;
    if (now === "signed-out" || now === "suspended") end(page, now);
  };
  page.me.value = user;
  chat.value = c;
  c.rooms.subscribe(changed);
  blocked.subscribe(changed);
  c.state.subscribe(changed);
  page.phase.value = "in";
  changed();
}
