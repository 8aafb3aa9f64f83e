// Requests that must compile, and requests that must not. Only tsc reads this file.
import type { Chat, Message, Request, RoomInfo, Schemas, components, paths } from "../src/index.js";

declare const chat: Chat;
declare const [room, id, path]: [string, string, string];

/** Requests whose types follow from the method and the path. */
export async function typed(on: boolean): Promise<void> {
  const info: RoomInfo = await chat.request("GET", `/rooms/${room}?include=people,count`);
  const page = await chat.request("GET", `/rooms/${room}/members?limit=50${path && `&cursor=${path}`}`);
  const names: (string | undefined)[] = page.items.map(({ user }) => page.people?.[user]?.name);
  const me: string = (await chat.request("GET", "/people/me")).user; // an operation of /people/{user}
  const profile: string = (await chat.request("PUT", "/people/me", { name: "Rhianna Cohen" })).user;
  const found = await chat.request("GET", `/people?${new URLSearchParams({ ids: me })}`);
  const mentions: readonly string[] = [me];
  const stored: Message = await chat.request("POST", `/rooms/${room}/messages`, { text: "hello", mentions });
  const nothing: undefined = await chat.request(on ? "PUT" : "DELETE", `/rooms/${room}/messages/${id}/pin`);
  await chat.request("DELETE", `/rooms/${room}/messages/${id}`, undefined, { "If-Match": '"1"' });
  await chat.request("PUT", `/rooms/${room}/documents/${id}/parts/${1}`, { text: "" }, { "If-Match": '"1"' });
  await chat.request("GET", `/rooms/${room}`, undefined, {}, new AbortController().signal);
  void [info, names, profile, found.items.at(0)?.name, stored, nothing];
}

/** Requests with a path of which nothing is known. */
export async function untyped(request: Request, method: string): Promise<void> {
  const answer: unknown = await chat.request(method, path, { name: "Seattle" });
  const message: Message = await chat.request<Message>("GET", path);
  const generic = <T>() => request<T>(method, path, undefined, {});
  void [answer, message, await generic<RoomInfo>()];
}

export async function wrong(): Promise<void> {
  // @ts-expect-error: no operation has this method and path
  await chat.request("DELETE", `/rooms/${room}/messages`);
  // @ts-expect-error: methods are in capitals
  await chat.request("get", `/rooms/${room}`);
  // @ts-expect-error: no operation has this path
  await chat.request("GET", "/nope");
  // @ts-expect-error: no operation has this path, whatever the answer is for
  const info: RoomInfo = await chat.request("GET", `/rooms/${room}/nope?limit=50`);
  // @ts-expect-error: a parameter is one part of a path
  await chat.request("GET", `/rooms/${room}/${path}`);
  // @ts-expect-error: the path begins with a slash
  await chat.request("GET", `rooms/${room}`);
  // @ts-expect-error: messages have no field of this name
  await chat.request("POST", `/rooms/${room}/messages`, { txt: "hello" });
  // @ts-expect-error: the name is a string
  await chat.request("PUT", `/rooms/${room}`, { name: 1 });
  // @ts-expect-error: the body is missing
  await chat.request("PUT", `/rooms/${room}/read`);
  // @ts-expect-error: the operation takes no body
  await chat.request("PUT", `/rooms/${room}/messages/${id}/pin`, { text: "hello" });
  // @ts-expect-error: a room has no field of this name
  void (await chat.request("GET", `/rooms/${room}`)).nmae;
  // @ts-expect-error: nothing is known of the answer
  void (await chat.request("GET", path)).name;
  // @ts-expect-error: the answer is a page of members, and no room
  const other: RoomInfo = await chat.request("GET", `/rooms/${room}/members`);
  void [info, other];
}

/** Events have the types of their kinds, and may have types that nobody knows yet. */
export function events(): void {
  chat.on("change", e => {
    const [text, seq]: [string | undefined, number] = [e.message?.text, e.seq];
    if (e.type === "message.created" || e.type === "of a later server") void [e.room.length, text, seq];
  });
  chat.on("personal", ({ type, read }) => void [type, read]);
  // @ts-expect-error: there are no such events
  chat.on("changes", () => {});
  // @ts-expect-error: changes have no field of this name
  chat.on("change", e => e.text);
  const member: Schemas["Member"] | undefined = undefined;
  type Page = paths["/rooms/{room}/members"]["get"];
  void [member, undefined as Page | undefined, undefined as components["schemas"]["Room"] | undefined];
}
