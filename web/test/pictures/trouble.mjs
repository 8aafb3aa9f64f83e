// The states in which something is loading, refused, gone or out of reach.
import { DOWN, REFUSED, expect } from "../fixtures.mjs";

/** Keeps the answers to some requests back. */
const hold = (person, pattern) => person.page.route(pattern, () => new Promise(() => {}));

/** Opens a page with another kind of sign-in. */
async function signIn(s, kind) {
  const who = await s.window("amsg", "/favicon.svg");
  who.allow(/favicon\.ico/); // the browser requests it along with an image
  await who.page.route("**/config.json", route => route.fulfill({ json: { api: "", socket: "", signIn: kind, docs: "/docs" } }));
  await who.page.evaluate(() => sessionStorage.setItem("parley.asked", "1")); // there is no provider to ask
  await who.page.goto(`${s.server.url}/`);
  return who;
}

export const states = [
  { name: "loading", reach: async s => {
    const me = await s.enter("amsg", "plans");
    await hold(me, "**/rooms/hard/messages?**"); // this device has never read it
    await me.page.evaluate(() => { location.hash = "#/hard"; });
    await me.page.getByText("Loading messages…").waitFor();
    await s.shoot(me);
  } },
  { name: "loading-list", reach: async s => {
    const me = await s.enter("amsg");
    await hold(me, "**/people/me/rooms**");
    await me.page.goto(`${s.server.url}/#/`);
    await me.page.reload();
    await me.nav.waitFor();
    await s.shoot(me);
  } },
  ...[["People", "members"], ["Documents", "documents"], ["Settings", "rooms/plans?include"]].map(([name, path]) => (
    { name: `loading-${name.toLowerCase()}`, reach: async s => {
      const me = await s.enter("amsg", "plans");
      await hold(me, new RegExp(path.replace("?", "\\?")));
      await me.show(name);
      await me.panel.getByText("Loading…").waitFor();
      await s.shoot(me);
    } })),
  { name: "panel-refused", reach: async s => {
    const me = await s.enter("amsg", "plans");
    await me.refuse("**/rooms/plans/documents?**", 403, "You may not list the documents of this room.");
    await me.show("Documents");
    await me.panel.getByRole("alert").waitFor();
    await s.shoot(me);
  } },
  { name: "document-refused", reach: async s => {
    const me = await s.enter("amsg", "plans");
    await me.show("Documents");
    await me.panel.getByRole("button", { name: /^What we keep/ }).click();
    await me.button("Edit reports").click();
    await me.page.getByRole("textbox", { name: "Text of reports" }).fill("Reports are kept for two years.");
    await me.refuse("**/parts/reports", 403, "The room is archived. Reopen it first.", "PUT");
    await me.button("Save").click();
    await me.panel.getByRole("alert").waitFor();
    await s.shoot(me);
    await me.page.unroute("**/parts/reports");
    const { version } = await s.server.api("rhianna", "GET", "/rooms/plans/documents/retention/parts/reports");
    await s.server.api("rhianna", "PUT", "/rooms/plans/documents/retention/parts/reports", { text: `Reports are kept for ${version} years.` }, { "If-Match": `"${version}"` });
    await me.button("Save").click();
    await me.button("Save mine").waitFor();
    await s.shoot(me, "stale");
  } },
  { name: "send-refused", reach: async s => {
    const me = await s.enter("amsg", "plans");
    await me.refuse("**/rooms/plans/messages", 403, "You are muted in this room.", "POST");
    await me.say("May I say this?");
    await me.button("Try again").waitFor();
    await s.shoot(me);
  } },
  { name: "muted", reach: async s => {
    await s.server.room(`loud-${s.size}`, "amsg", ["bob"], { name: "loud" });
    await s.server.post("amsg", `loud-${s.size}`, "Quiet, please");
    const bob = await s.enter("bob", `loud-${s.size}`);
    await bob.composer.fill("May I?");
    await s.server.api("amsg", "PUT", `/rooms/loud-${s.size}/members/bob`, { role: "muted" });
    await bob.page.locator("textarea:disabled").waitFor();
    await s.shoot(bob, "with-a-draft");
    await bob.page.evaluate(() => localStorage.clear());
    const again = await s.enter("bob", `loud-${s.size}`);
    await s.shoot(again);
  } },
  { name: "closed-room", reach: async s => {
    const room = `closed-${s.size}`;
    await s.server.room(room, "amsg", ["bob"], { name: "news", posting: "moderators", slowModeSeconds: 30 });
    const bob = await s.enter("bob", room);
    await s.shoot(bob, "moderators");
    await s.server.api("amsg", "PATCH", `/rooms/${room}`, { posting: "everyone" });
    await bob.page.locator("textarea:enabled").waitFor();
    await bob.post("Hello");
    await s.shoot(bob, "slow-mode");
    await s.server.api("amsg", "PATCH", `/rooms/${room}`, { archived: true });
    await bob.page.locator("textarea:disabled").waitFor();
    await s.shoot(bob, "archived");
  } },
  { name: "no-room", reach: async s => {
    const me = await s.enter("amsg", "plans");
    me.allow(REFUSED);
    await me.page.evaluate(() => { location.hash = "#/no-such-room"; });
    await me.page.getByText("does not exist").waitFor();
    await s.shoot(me);
  } },
  { name: "gone", reach: async s => {
    for (const [part, end] of [["deleted", ["DELETE", ""]], ["banned", ["PUT", "/members/bob", { role: "banned", reason: "spam" }]]]) {
      const room = `${part}-${s.size}`;
      await s.server.room(room, "amsg", ["bob"], { name: part });
      const bob = await s.enter("bob", room);
      bob.allow(REFUSED);
      await bob.post("Hello");
      await s.server.api("amsg", end[0], `/rooms/${room}${end[1]}`, end[2]);
      if (part === "deleted") await bob.page.reload(); // else it shows with the next sync
      await bob.page.getByText(/does not exist|You are banned/).waitFor();
      await s.shoot(bob, part);
    }
  } },
  { name: "load-failed", reach: async s => {
    const me = await s.enter("amsg", "seattle");
    await me.refuse("**/rooms/plans/messages?**", 409, "The room is being restored.");
    await me.page.evaluate(() => { location.hash = "#/plans"; });
    await me.button("Try again").waitFor();
    await s.shoot(me);
  } },
  { name: "invitation", reach: async s => {
    const me = await s.enter("amsg", "plans");
    me.allow(REFUSED);
    const { token } = await s.server.api("bob", "POST", "/rooms/oslo/invites", {});
    for (const [invite, part] of [[token, "asks"], ["0123456789abcdefghijklmnopqrstuv", ""]]) {
      await me.page.goto("about:blank");
      await me.page.goto(`${s.server.url}/#invite=${invite}`);
      await me.page.getByText(part ? "The people in the room see" : "This invitation").waitFor();
      await s.shoot(me, part);
    }
  } },
  { name: "name-refused", reach: async s => {
    const who = await s.window("amsg");
    who.allow(REFUSED);
    await who.page.getByRole("combobox", { name: "Your name" }).fill("Ann ".repeat(30));
    await who.button("Sign in").click();
    await who.page.getByRole("alert").filter({ hasText: /./ }).waitFor();
    await s.shoot(who);
  } },
  { name: "sign-in-token", reach: async s => {
    const who = await signIn(s, { kind: "token" });
    await who.page.getByRole("textbox", { name: "Access token" }).fill("not a token");
    await who.button("Sign in").click();
    await who.page.getByRole("alert").filter({ hasText: /./ }).waitFor();
    await s.shoot(who);
  } },
  { name: "sign-in-provider", sizes: ["wide"], reach: async s => {
    const provider = `${s.server.url}/none`;
    const who = await signIn(s, { kind: "oidc", authorize: provider, token: provider, client: "parley", scope: "openid" });
    await who.button("Sign in").waitFor();
    await s.shoot(who);
    await who.page.evaluate(() => sessionStorage.setItem("parley.visit", JSON.stringify({ state: "ours", hash: "" })));
    await who.page.goto(`${s.server.url}/?error=access_denied&state=ours`);
    await who.page.getByRole("alert").waitFor();
    await s.shoot(who, "refused");
  } },
  { name: "signed-out-offline", reach: async s => {
    const provider = `${s.server.url}/none`;
    const me = await signIn(s, { kind: "oidc", authorize: provider, token: provider, revoke: provider, client: "parley", scope: "openid" });
    const token = await s.server.token("amsg");
    await me.page.evaluate(token => localStorage.setItem("parley.tokens", JSON.stringify({ token, refresh: "none" })), token);
    await me.page.reload();
    await me.nav.waitFor();
    me.allow(/ERR_FAILED/);
    await me.page.route(provider, route => route.abort());
    await me.page.locator(".me").click();
    await me.button("Sign out").click();
    await me.page.getByRole("alert").waitFor();
    await s.shoot(me);
  } },
  { name: "signed-out", reach: async s => {
    const me = await s.enter("amsg", "plans");
    await me.shutOut();
    await me.page.reload();
    await me.page.getByRole("heading", { name: "Signed out" }).waitFor();
    await s.shoot(me);
  } },
  { name: "sign-out-unsent", reach: async s => {
    const me = await s.enter("amsg", "plans");
    me.allow(DOWN);
    await me.composer.fill("Half a thought");
    if (s.size === "phone") await me.page.getByRole("button", { name: /^Back to rooms/ }).click();
    await me.page.locator(".me").click();
    await me.button("Sign out").click();
    await me.page.getByRole("alertdialog", { name: "Sign out?" }).waitFor();
    await s.shoot(me);
  } },
  { name: "somebody-else", reach: async s => {
    const me = await s.window("amsg", "/favicon.svg");
    me.allow(DOWN, REFUSED); // the first connection ends, and the icon's own address has no page
    const as = async user => me.page.evaluate(token => localStorage.setItem("parley.tokens", JSON.stringify({ token })), await s.server.token(user));
    await as("amsg");
    await me.page.goto(`${s.server.url}/`);
    await me.nav.waitFor();
    await as("bob");
    await me.page.evaluate(() => dispatchEvent(new StorageEvent("storage", { storageArea: localStorage, key: "parley.tokens", oldValue: "{}" })));
    await me.page.getByRole("heading", { name: "Somebody else is signed in" }).waitFor();
    await s.shoot(me);
  } },
  { name: "unknown-address", reach: async s => {
    const me = await s.window("amsg", "/favicon.svg");
    me.allow(/status of 40[14]/);
    await me.page.goto(`${s.server.url}/nonsense`);
    await me.page.getByRole("heading", { name: "There is no page at this address" }).waitFor();
    await s.shoot(me);
  } },
  { name: "polling", reach: async s => {
    const me = await s.window("amsg", "/favicon.svg");
    me.allow(DOWN, REFUSED); // the icon's own address has no page, and so no icon
    await me.page.addInitScript(() => { window.WebSocket = class { constructor() { throw new Error("blocked"); } }; });
    await me.page.goto(`${s.server.url}/#as=amsg`);
    await me.page.getByText("No live connection").waitFor();
    await s.shoot(me);
  } },
  { name: "unreachable", reach: async s => {
    const me = await s.window("amsg", "/favicon.svg");
    me.allow(/./);
    await me.page.route("**/config.json", route => route.abort());
    await me.page.goto(`${s.server.url}/`);
    await me.button("Try again").waitFor();
    await s.shoot(me);
  } },
  { name: "offline", reach: async s => {
    const me = await s.enter("amsg", "plans");
    me.allow(DOWN);
    await me.complete();
    await me.show("People");
    await me.panel.getByText("Davy Ivens").waitFor();
    await me.button("Close people").click();
    await s.server.kill();
    try {
      await me.say(`This line waits (${s.size})`);
      await me.row(`This line waits (${s.size})`).getByText("Waiting for the connection").waitFor();
      await me.page.getByText("Offline. Messages will be sent").waitFor();
      await s.shoot(me);
      await me.show("Documents");
      await me.panel.getByRole("alert").waitFor();
      await s.shoot(me, "panel");
    } finally {
      await s.server.launch();
    }
    await me.sent(`This line waits (${s.size})`);
  } },
  { name: "new-version", reach: async s => {
    const me = await s.enter("amsg", "plans");
    const offer = me.page.getByText("A new version is ready.");
    await expect(async () => { // the code that offers it loads late
      await me.page.evaluate(() => navigator.serviceWorker.dispatchEvent(new MessageEvent("message", { data: "another" })));
      await offer.waitFor({ timeout: 500 });
    }).toPass();
    await s.shoot(me);
  } },
];
