// Plays a product developer who builds a chat app with openapi-fetch: amsg and bob get to know each
// other in a direct room, then run a public room with carol and a service. Each step checks the
// answers that the app would show.

import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "./generated/schema.js";
import { body, check, environment, eventually, newUUID, refused } from "./script.js";

type API = Client<paths>;
type Schemas = components["schemas"];
type Role = Schemas["PutMemberRequest"]["role"];

// clientOf returns the client of the person or the service with the token of a variable.
function clientOf(variable: string, headers: Record<string, string> = {}): API {
  return createClient<paths>({
    baseUrl: environment("PARLEY_URL"),
    headers: { Authorization: `Bearer ${environment(variable)}`, ...headers },
  });
}

const amsg = clientOf("PARLEY_TOKEN");
const bob = clientOf("PARLEY_TOKEN_BOB");
const carol = clientOf("PARLEY_TOKEN_CAROL");
const service = clientOf("PARLEY_TOKEN_SERVICE");

const profile = (api: API, name: string) => api.PUT("/people/me", { body: { name } });
const rooms = async (api: API) => body(await api.GET("/people/{user}/rooms", {
  params: { path: { user: "me" }, query: { include: ["people"] } },
}));
const post = async (api: API, room: string, text: string, id = newUUID()) =>
  body(await api.POST("/rooms/{room}/messages", { params: { path: { room } }, body: { id, text } }));
const page = async (api: API, room: string) =>
  body(await api.GET("/rooms/{room}/messages", { params: { path: { room }, query: { include: ["people"] } } }));
const setRole = (api: API, room: string, user: string, role: Role, until?: Date) =>
  api.PUT("/rooms/{room}/members/{user}", {
    params: { path: { room, user } },
    body: { role, ...(until && { until: until.toISOString(), reason: "off topic" }) },
  });
const leave = (api: API, room: string) =>
  api.DELETE("/rooms/{room}/members/{user}", { params: { path: { room, user: "me" } } });

// listed waits until the caller's list shows a room as expected, since the feed follows the writes
// within a moment.
const listed = (api: API, room: string, what: string, holds: (room: Schemas["OwnRoom"]) => boolean) =>
  eventually(what, () => rooms(api), (all) => all.items.some((r) => r.id === room && holds(r)));

await profiles();
const direct = await directRoom();
await renames();
await blocks();
await publicRoom();
await invites();
await reports();
await bans();
await handsOver();
await serviceActs();
await archives();
await deletes();
console.log("developer: ok");

async function profiles() {
  const before = body(await amsg.GET("/people/{user}", { params: { path: { user: "me" } } }));
  check(before.user === "amsg" && before.name === "amsg", "the app can greet somebody who has saved nothing");
  for (const [api, name] of [[amsg, "Amsg"], [bob, "Bob"], [carol, "Carol"]] as const) {
    const saved = await profile(api, name);
    check(body(saved).name === name && saved.response.status === 201, `${name} has a profile`);
  }
  const found = body(await amsg.GET("/people", { params: { query: { name: "car" } } }));
  check(found.items.map((p) => p.user).join() === "carol", "amsg finds carol by the beginning of her name");
}

// directRoom lets both sides open their room, talk, and mark what they have read.
async function directRoom(): Promise<string> {
  const opened = await amsg.POST("/rooms", { body: { direct: ["bob"] } });
  const again = await bob.POST("/rooms", { body: { direct: ["amsg"] } });
  const room: Schemas["Room"] = body(opened);
  check(opened.response.status === 201 && again.response.status === 200, "the room is created once");
  check(room.kind === "direct" && body(again).id === room.id, "both sides get the same room");
  check(room.direct?.join() === "amsg,bob", "the app sees who is in the room");

  const first = await post(amsg, room.id, "hello");
  const last = await post(amsg, room.id, "are you there?");
  const list = await listed(bob, room.id, "bob has two unread messages", (r) => r.unread === 2);
  check(list.unreadTotal === 2, `the app's badge shows ${list.unreadTotal}`);
  const [entry] = list.items;
  check(entry?.lastMessage?.id === last.id && entry.lastMessage.text === "are you there?", "the list shows the last message");
  check(list.people?.[entry.lastMessage.user]?.name === "Amsg", "the list has the name of its author");
  const own = await rooms(amsg);
  check(own.unreadTotal === 0, "amsg has nothing unread, having written everything");
  check(own.people?.bob?.name === "Bob", "the list has bob's name as the room's title, although he has written nothing");

  const messages = await page(bob, room.id);
  check(messages.items.map((m) => m.id).join() === [last.id, first.id].join(), "bob reads the newest message first");
  await reads(room.id, first, last);
  return room.id;
}

// reads marks the messages that bob has seen as read, and one as unread again.
async function reads(room: string, first: Schemas["Message"], last: Schemas["Message"]) {
  const mark = async (marker: Schemas["PutReadRequest"]) =>
    body(await bob.PUT("/rooms/{room}/read", { params: { path: { room } }, body: marker })).unread;
  const receipt = async () =>
    body(await amsg.GET("/rooms/{room}/members", { params: { path: { room } } })).items.find((m) => m.user === "bob")?.read;
  check((await receipt()) === undefined, "amsg sees that bob has read nothing");
  check((await mark({ message: first.id })) === 1, "bob has read the first message");
  check((await mark({ message: last.id })) === 0, "bob has read everything");
  const read = await eventually("amsg sees it", receipt, (r) => r?.message === last.id);
  check(read !== undefined && read.at >= last.receivedAt, "the receipt has its time");
  check((await mark({ message: first.id })) === 0, "a late request of another device changes nothing");
  await listed(bob, room, "the list shows nothing unread", (r) => r.unread === 0);
  check((await mark({ unreadFrom: last.id })) === 1, "bob keeps the last message for later");
  await listed(bob, room, "the list shows it as unread", (r) => r.unread === 1);

  const { head } = body(await bob.GET("/rooms/{room}/changes", { params: { path: { room } } }));
  check((await mark({ seq: head })) === 0, "bob marks all changes as read");
}

// renames changes the name of a person. Profiles and searches show it immediately; the people of a page may be a
// minute old.
async function renames() {
  check(body(await profile(amsg, "Amsg the First")).name === "Amsg the First", "amsg has a new name");
  const shown = body(await bob.GET("/people/{user}", { params: { path: { user: "amsg" } } }));
  check(shown.name === "Amsg the First", "bob sees the new name");
  const both = body(await bob.GET("/people", { params: { query: { ids: ["amsg", "bob"] } } }));
  check(both.items.map((p) => p.name).sort().join() === "Amsg the First,Bob", "so does a query by ids");
  const found = body(await carol.GET("/people", { params: { query: { name: "first" } } }));
  check(found.items[0]?.user === "amsg", "carol finds a person by the end of the new name");
}

// blocks shows that a blocked person learns nothing, and that the blocker hears nothing.
async function blocks() {
  const path = { user: "amsg" };
  check((await bob.PUT("/people/me/blocks/{user}", { params: { path } })).response.status === 204, "bob blocks amsg");
  check(body(await bob.GET("/people/me/blocks")).items.map((b) => b.user).join() === "amsg", "bob sees whom he has blocked");
  check((await post(amsg, direct, "hello?")).text === "hello?", "amsg does not notice");
  await eventually("the room leaves bob's list", () => rooms(bob), (all) => all.items.length === 0 && all.unreadTotal === 0);
  await listed(amsg, direct, "amsg's list shows the room", (r) => r.lastMessage?.text === "hello?");

  check((await bob.DELETE("/people/me/blocks/{user}", { params: { path } })).response.status === 204, "bob unblocks amsg");
  await listed(bob, direct, "the room is back, with the message unread", (r) => r.unread === 1);
}

// publicRoom creates and renames a room that all three are in.
async function publicRoom() {
  const path = { room: "seattle" };
  const created = await amsg.PUT("/rooms/{room}", { params: { path }, body: { name: "Seattle", posting: "members" } });
  check(created.response.status === 201 && body(created).kind === "room", "amsg creates a room");
  for (const api of [bob, carol]) {
    const joined = await setRole(api, "seattle", "me", "member");
    check(joined.response.status === 201 && body(joined).role === "member", "others join");
  }
  refused(await bob.PUT("/rooms/{room}", { params: { path }, body: { name: "Bob's" } }), 403, "forbidden");
  const renamed = body(await amsg.PATCH("/rooms/{room}", { params: { path }, body: { name: "Seattle, WA" } }));
  check(renamed.name === "Seattle, WA" && renamed.posting === "members", "a rename keeps the other settings");
  await listed(bob, "seattle", "bob's list shows the new name", (r) => r.name === "Seattle, WA" && r.role === "member");

  const asked = await post(amsg, "seattle", "who is here?");
  const query = { include: ["people" as const, "count" as const] };
  const open = async () => body(await bob.GET("/rooms/{room}", { params: { path, query } }));
  const room = await eventually("the open room shows what is unread", open, (r) => r.me?.unread === 1);
  check(room.me?.role === "member" && room.memberCount === 3, "it shows the role and the number of members");
  body(await bob.PUT("/rooms/{room}/read", { params: { path }, body: { message: asked.id } }));
  const silent = await amsg.PATCH("/rooms/{room}", { params: { path }, body: { receipts: false } });
  check(!body(silent).receipts, "amsg turns the receipts off");
  check(room.people?.[room.createdBy]?.name.startsWith("Amsg") === true, "it shows who created it");
}

// invites lets carol into a private room with a link that admits one person.
async function invites() {
  const board = body(await amsg.POST("/rooms", { body: { visibility: "private", name: "The board", requestId: newUUID() } }));
  const path = { room: board.id };
  refused(await carol.GET("/rooms/{room}", { params: { path } }), 404, "not-found");
  const { token } = body(await amsg.POST("/rooms/{room}/invites", { params: { path }, body: { role: "member", maxUses: 1 } }));
  const use = (api: API) => api.POST("/invites/{token}", { params: { path: { token } } });
  const first = await use(carol);
  check(first.response.status === 201 && body(first).room === board.id, "carol comes in");
  check((await use(carol)).response.status === 200, "a retry takes no further use");
  refused(await use(bob), 404, "not-found");
  check(body(await carol.GET("/rooms/{room}", { params: { path } })).name === "The board", "carol sees the room");
}

// reports lets bob report carol's message, and amsg, who owns the room, delete it.
async function reports() {
  const spam = await post(carol, "seattle", "buy now");
  const one = { room: "seattle", id: spam.id };
  const report = { params: { path: one }, body: { reason: "spam" } };
  const first = await bob.POST("/rooms/{room}/messages/{id}/reports", report);
  const again = await bob.POST("/rooms/{room}/messages/{id}/reports", report);
  check(first.response.status === 201 && again.response.status === 200, "bob reports a message once");
  refused(await bob.GET("/rooms/{room}/reports", { params: { path: one } }), 403, "forbidden");

  const open = body(await amsg.GET("/rooms/{room}/reports", { params: { path: { room: "seattle" } } }));
  check(open.items.length === 1 && open.items[0]?.message === spam.id, "the owner sees the report");
  const everywhere = body(await service.GET("/reports"));
  check(everywhere.items.some((r) => r.room === "seattle" && r.reason === "spam"), "a service sees it too");
  const deleted = body(await amsg.DELETE("/rooms/{room}/messages/{id}", { params: { path: one } }));
  check(deleted.text === "" && deleted.deletedBy === "amsg", "the owner deletes the message");
  const resolved = await amsg.PATCH("/rooms/{room}/reports/{report}", {
    params: { path: { room: "seattle", report: body(first).id } }, body: { resolved: true },
  });
  check(body(resolved).resolvedBy === "amsg", "the owner resolves the report");
}

// bans keeps carol out for a second and a half.
async function bans() {
  const path = { room: "seattle", user: "carol" };
  const until = new Date(Date.now() + 1500);
  const banned = body(await setRole(amsg, "seattle", "carol", "banned", until));
  check(banned.role === "banned" && banned.until !== undefined, "carol is banned for a while");
  refused(await carol.GET("/rooms/{room}/messages", { params: { path } }), 403, "forbidden");
  const list = body(await amsg.GET("/rooms/{room}/bans", { params: { path } }));
  check(list.items.length === 1 && list.items[0]?.reason === "off topic", "the list of bans has the reason");

  const read = () => carol.GET("/rooms/{room}/messages", { params: { path } });
  await eventually("the ban ends by itself", read, (answer) => answer.response.status === 200);
  check(Date.now() >= until.getTime(), "the ban does not end early");
  const member = body(await amsg.GET("/rooms/{room}/members/{user}", { params: { path } }));
  check(member.role === "member" && member.until === undefined, "carol has her former role again");
}

// handsOver gives the room to bob, after which amsg may leave.
async function handsOver() {
  const path = { room: "seattle" };
  refused(await leave(amsg, "seattle"), 409, "conflict");
  const owner = body(await amsg.PUT("/rooms/{room}/owner", { params: { path }, body: { user: "bob" } }));
  check(owner.user === "bob" && owner.role === "owner", "bob owns the room");
  check((await leave(amsg, "seattle")).response.status === 204, "amsg leaves");
  await eventually("the room leaves amsg's list", () => rooms(amsg), (all) => all.items.every((r) => r.id !== "seattle"));
  const { items } = body(await bob.GET("/rooms/{room}/members", { params: { path } }));
  check(items.every((m) => m.read === undefined), "the room shows nobody's receipts");
  check(items.map((m) => `${m.user} ${m.role}`).sort().join() === "bob owner,carol member", "the others are still there");
}

// serviceActs lets the app's server add amsg again, and write for bob.
async function serviceActs() {
  const asBob = clientOf("PARLEY_TOKEN_SERVICE", { "Parley-Act-As": "bob" });
  const added = await setRole(asBob, "seattle", "amsg", "member");
  check(added.response.status === 201, "the service adds amsg");
  const message = await post(asBob, "seattle", "welcome back");
  check(message.user === "bob" && message.via !== undefined, "the message is bob's, and names the service");
  await listed(amsg, "seattle", "amsg has it unread", (r) => r.unread === 1 && r.lastMessage?.user === "bob");

  const carolAsBob = clientOf("PARLEY_TOKEN_CAROL", { "Parley-Act-As": "bob" });
  refused(await carolAsBob.GET("/people/{user}/rooms", { params: { path: { user: "me" } } }), 403, "forbidden");
  const { items } = body(await bob.GET("/rooms/{room}/audit", { params: { path: { room: "seattle" } } }));
  check(items.some((e) => e.on === "amsg" && e.via === message.via), "the audit names the service");
}

// archives closes the room to writers, not to readers, and opens it again.
async function archives() {
  const path = { room: "seattle" };
  const archived = body(await bob.PATCH("/rooms/{room}", { params: { path }, body: { archived: true } }));
  check(archived.archived, "bob archives the room");
  const late = () => carol.POST("/rooms/{room}/messages", { params: { path }, body: { text: "too late" } });
  await eventually("nobody writes any more", late, (answer) => answer.response.status === 403);
  check((await page(carol, "seattle")).items.length > 0, "its members still read");
  check(!body(await bob.PATCH("/rooms/{room}", { params: { path }, body: { archived: false } })).archived, "bob opens it again");
}

// deletes removes the room for everyone, for good.
async function deletes() {
  const path = { room: "seattle" };
  refused(await carol.DELETE("/rooms/{room}", { params: { path } }), 403, "forbidden");
  check((await bob.DELETE("/rooms/{room}", { params: { path } })).response.status === 204, "bob deletes the room");
  for (const api of [amsg, bob, carol]) {
    refused(await api.GET("/rooms/{room}", { params: { path } }), 404, "not-found");
    check((await rooms(api)).items.every((r) => r.id !== "seattle"), "the room is in no list");
  }
  refused(await amsg.PUT("/rooms/{room}", { params: { path }, body: {} }), 409, "conflict");

  check((await leave(bob, direct)).response.status === 204, "bob leaves the direct room");
  const back = await amsg.POST("/rooms", { body: { direct: ["bob"] } });
  check(back.response.status === 200 && body(back).id === direct, "amsg brings him back");
}
