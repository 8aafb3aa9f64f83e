// The connection of the person who is signed in.
import { connect, type RoomEntry } from "@parley/client";
import type { Page } from "../state/page.js";
import { unreadIn } from "../state/counts.js";
import { freshToken } from "./renewal.js";
import { end } from "./session.js";
import { storedUser, type Tokens, userOf } from "./tokens.js";

/** Returns the function with which a connection gets its tokens. It never returns somebody else's. */
function tokensOf(page: Page, user: string): (o: { refused: boolean }) => Promise<string> {
  let given = "";
  return async ({ refused }) => {
    given = await freshToken(page.config.value?.signIn, user, refused ? given : "");
    return given;
  };
}

const mostTraces = 200; // enough for 20 requests and the frames between them

/** Reports whether the list shows a room. The server may still list a direct room with a blocked person. */
const shown = ({ direct }: RoomEntry, blocked: ReadonlySet<string>) =>
  direct?.length !== 2 || !direct.some(user => blocked.has(user));

/**
 * Connects as the person of the stored tokens. It does not store them again: another tab may have renewed
 * them since, and a process of the browser may see that later.
 */
export function begin(page: Page, tokens: Tokens): void {
  const user = userOf(tokens.token);
  if (page.me.value && page.me.value !== user) return location.reload(); // so that nothing of the former person is left
  const { chat, blocked, traces } = page;
  const { api, socket } = page.config.value ?? { api: "", socket: "" };
  const c = connect({
    url: api || location.origin, user,
    getToken: tokensOf(page, user),
    ...(socket && { socket }),
    ...(page.dev && { trace: t => { traces.value = [...traces.value.slice(1 - mostTraces), t]; } }),
  });
  const changed = () => {
    if (chat.value !== c) return;
    const rooms = c.rooms.value.filter(r => shown(r, blocked.value));
    page.list.value = {
      rooms, unread: unreadIn(rooms), loaded: c.rooms.loaded, cachedAt: c.rooms.cachedAt, more: c.rooms.more,
    };
    const now = page.connection.value = c.state.value;
    page.me.value = c.user || user;
    if (now === "signed-out" || now === "suspended") void end(page, (storedUser() ?? user) === user ? now : "other");
  };
  page.me.value = user;
  chat.value = c;
  c.rooms.subscribe(changed);
  blocked.subscribe(changed);
  c.state.subscribe(changed);
  page.phase.value = "in";
  changed();
}
