// The states of signing in, of the list and of a room.
import { WIDE } from "../fixtures.mjs";
import { png } from "../bytes.mjs";

const both = ["wide", "phone"];

/** States of a server on which nothing has happened yet. */
export const first = [
  { name: "sign-in", sizes: [...both, "zoom"], reach: async s => {
    const who = await s.window("amsg");
    await who.page.getByRole("combobox", { name: "Your name" }).waitFor();
    await s.shoot(who);
  } },
  { name: "first-sight", sizes: both, reach: async s => {
    const ann = await s.window("ann");
    await ann.signIn();
    await ann.page.getByText("in another window").waitFor();
    await s.shoot(ann);
  } },
];

export const states = [
  { name: "room", sizes: [...both, "laptop", "tablet", "zoom"], reach: async s => {
    const me = await s.enter("amsg", "plans");
    await me.sees("Shipping it.");
    const bob = await s.other("bob", "plans");
    await bob.composer.pressSequentially("I type");
    await me.page.locator(".typing", { hasText: /Bob|bob/ }).waitFor();
    await s.shoot(me);
  } },
  { name: "list", reach: async s => {
    const me = await s.enter("amsg");
    await s.server.post("bob", "seattle", "are you there?");
    if (s.size === "phone") {
      await me.page.goto(`${s.server.url}/#/`);
      await me.link("seattle").waitFor();
    }
    await s.shoot(me);
  } },
  { name: "hard-texts", sizes: [...both, "laptop", "zoom"], reach: async s => {
    const me = await s.enter("amsg", "hard");
    await me.sees("Donaudampf");
    await s.shoot(me, "newest");
    await me.log.evaluate(log => { log.scrollTop = 0; });
    await s.shoot(me, "oldest");
  } },
  { name: "lines", sizes: both, reach: async s => {
    const { server } = s;
    const room = `lines-${s.size}`;
    await server.api("amsg", "PUT", `/rooms/${room}`, { name: "lines", topic: "Old" });
    await server.post("amsg", room, "Welcome, everybody.");
    for (const user of ["davy", "rhianna"]) await server.api(user, "PUT", `/rooms/${room}/members/me`, { role: "member" });
    for (const user of ["bob", "noa"]) await server.api("amsg", "PUT", `/rooms/${room}/members/${user}`, { role: "member" });
    await server.api("amsg", "PATCH", `/rooms/${room}`, { name: "Lines of a room", topic: "What happened here" });
    await server.api("amsg", "DELETE", `/rooms/${room}/members/bob`);
    await server.api("noa", "DELETE", `/rooms/${room}/members/me`);
    await server.post("davy", room, "Good to be here.");
    const me = await s.enter("amsg", room);
    await me.page.getByText("set the topic").waitFor();
    await me.page.getByText(/amsg added Bob/).waitFor();
    await s.shoot(me);
  } },
  { name: "alike", sizes: both, reach: async s => {
    for (const [user, name] of Object.entries({ ben1: "Ben Boss", ben2: "Ben Boss", ben3: "Ben B\u043ess" })) {
      await s.server.api(user, "PUT", "/people/me", { name });
      await s.server.api(user, "PUT", "/rooms/plans/members/me", { role: "member" });
      await s.server.post(user, "plans", `I am the real ${user}`);
      await s.server.api("amsg", "POST", "/rooms", { direct: [user] });
    }
    const me = await s.enter("amsg", "plans");
    await me.sees("I am the real ben3");
    await s.shoot(me, "talk");
    await me.button("People").click();
    await me.panel.getByText("Ben Boss (ben2)").waitFor();
    await s.shoot(me, "members");
  } },
  { name: "direct", reach: async s => {
    const me = await s.enter("amsg");
    if (s.size === "phone") await me.page.goto(`${s.server.url}/#/`);
    await me.link("Rhianna Cohen").click();
    await me.sees("version 2");
    await s.shoot(me);
  } },
  { name: "tray", sizes: [...both, "laptop", "zoom"], reach: async s => {
    const me = await s.enter("amsg", "plans");
    await me.composer.fill("The drafts for Friday");
    const picture = (name, ...size) => ({ name, mimeType: "image/png", buffer: png(...size) });
    await me.page.getByLabel("Add files").setInputFiles([
      picture("the harbour at dawn, seen from the north pier.png", 160, 100), picture("plan.png", 80, 120, [190, 90, 30]),
      { name: "minutes.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(184_000) },
    ]);
    await me.button("Remove minutes.pdf").waitFor();
    await s.shoot(me);
    await me.page.getByRole("button", { name: "Add alt text of plan.png" }).click();
    await me.page.getByRole("dialog", { name: "plan.png" }).waitFor();
    await s.shoot(me, "alt");
  } },
  { name: "unsent-files", reach: async s => {
    const me = await s.enter("amsg", "plans");
    me.allow(/status of 400/);
    await me.page.route(/\/files\//, route => (route.request().postDataBuffer()?.length === 70_000 ? route.fulfill({ status: 400 }) : undefined));
    const file = (name, buffer) => ({ name, mimeType: name.endsWith("png") ? "image/png" : "application/pdf", buffer });
    await me.page.getByLabel("Add files").setInputFiles([file("the harbour at dawn, seen from the north pier.png", png(160, 100)), file("minutes.pdf", Buffer.alloc(184_000))]);
    await me.button("Remove minutes.pdf").waitFor();
    await me.composer.fill("The drafts for Friday");
    await me.button("Send").click();
    await me.page.getByRole("progressbar").first().waitFor();
    await me.page.getByLabel("Add files").setInputFiles([file("torn.pdf", Buffer.alloc(70_000)), file("plan.png", png(80, 120, [190, 90, 30]))]);
    await me.button("Remove plan.png").waitFor();
    await me.button("Send").click();
    await me.page.getByRole("alert").waitFor();
    await s.shoot(me);
  } },
  { name: "actions", reach: async s => {
    const me = await s.enter("amsg", "plans");
    if (s.size === "wide") await me.row("Shipping it.").hover();
    await s.shoot(me);
    await me.row("Shipping it.").getByRole("button", { name: "More", exact: true }).click();
    await s.shoot(me, "menu");
    await me.page.keyboard.press("Escape");
    await me.row("the map is up").hover();
    await me.row("the map is up").getByRole("button", { name: "More", exact: true }).click();
    await s.shoot(me, "menu-of-another");
    await me.page.keyboard.press("Escape");
    await s.act(me, "Shipping it.", "Edit");
    await s.shoot(me, "edit");
    await me.button("Cancel").click();
    await s.act(me, "Shipping it.", "Delete");
    await s.shoot(me, "delete");
    await me.page.locator(".toast").getByRole("button", { name: "Undo" }).click();
    await me.sees("Shipping it.");
  } },
  { name: "life", sizes: [...both, "laptop", "zoom"], reach: async s => {
    const room = `life-${s.size}`;
    await s.server.room(room, "rhianna", ["amsg", "bob", "davy"], { name: room, topic: "Quotes, mentions, reactions and pins" });
    const say = (user, text, more) => s.server.post(user, room, text, more);
    const { id } = await say("rhianna", "I wrote down what we keep and for how long. Objections by *Monday* please.");
    const asked = await say("davy", "Are backups in it, @amsg? They hold deleted text for 35 days.", { quote: id, mentions: ["amsg"] });
    for (const [user, emoji] of [["bob", "👍"], ["davy", "👍"], ["amsg", "👍"], ["bob", "🎉"]]) {
      await s.server.api(user, "PUT", `/rooms/${room}/messages/${encodeURIComponent(id)}/reactions/${encodeURIComponent(emoji)}`);
    }
    await s.server.api("rhianna", "PUT", `/rooms/${room}/messages/${encodeURIComponent(asked.id)}/pin`);
    const me = await s.enter("amsg", room);
    await me.row("I wrote down").getByRole("button", { name: "👍 3" }).waitFor();
    await s.shoot(me);
    await s.act(me, "I wrote down", "React");
    await me.page.getByRole("combobox", { name: "Find an emoji" }).waitFor();
    await s.shoot(me, "picker");
    await me.page.keyboard.press("Escape");
    await s.act(me, "Are backups", /^Quote$/);
    await me.composer.pressSequentially("@");
    await me.page.getByRole("listbox").waitFor();
    await s.shoot(me, "names");
    await me.page.keyboard.press("Escape");
    await me.button("Pinned messages").click();
    await me.panel.getByText("Pinned by").waitFor();
    await s.shoot(me, "pins");
  } },
  { name: "polls", sizes: [...both, "laptop", "zoom"], reach: async s => {
    const room = `polls-${s.size}`;
    await s.server.room(room, "rhianna", ["amsg", "bob", "davy"], { name: room, topic: "Questions with few answers" });
    const ask = async (text, poll, votes) => {
      const { id } = await s.server.post("rhianna", room, text, { poll });
      for (const [user, choices] of Object.entries(votes)) await s.server.api(user, "PUT", `/rooms/${room}/messages/${encodeURIComponent(id)}/vote`, { choices });
    };
    await ask("When do we meet?", { options: ["Tuesday at ten", "Wednesday, after the release is out and everybody has slept", "Friday"] }, { amsg: [0], bob: [0], davy: [2] });
    await ask("What shall we *drop*?", { options: ["IE 11", "Node 18"], multiple: true, anonymous: true, endsAt: new Date(Date.now() + 86_400_000).toISOString() }, { bob: [0, 1] });
    const me = await s.enter("amsg", room);
    await me.row("When do we meet?").getByText("2 votes, 67%").waitFor();
    await me.row("What shall we").getByText("1 voter").waitFor();
    await s.shoot(me);
    await me.row("When do we meet?").getByRole("button", { name: "Who voted" }).click();
    await me.panel.getByText("davy").waitFor();
    await s.shoot(me, "voters");
    await me.page.keyboard.press("Escape");
    await me.panel.waitFor({ state: "detached" });
    await me.settled();
    await me.add("Create a poll");
    await me.page.getByRole("textbox", { name: "Question" }).waitFor();
    await me.button("Add an option").click();
    await s.shoot(me, "new");
  } },
  { name: "focus", sizes: ["wide"], reach: async s => {
    const me = await s.enter("amsg", "plans");
    await me.page.keyboard.press("Shift+Tab");
    await s.shoot(me, "message");
    await me.link("seattle").focus();
    await me.page.keyboard.press("Tab");
    await s.shoot(me, "link");
  } },
  { name: "composer", reach: async s => {
    const me = await s.enter("amsg", "plans");
    await me.composer.fill("Several lines\nof a message that is being written, with\nsome more\nto come");
    await s.shoot(me, "lines");
    await me.composer.fill("x".repeat(32_800));
    await s.shoot(me, "too-long");
    await me.composer.fill("");
  } },
  { name: "find", sizes: [...both, "laptop", "zoom"], reach: async s => {
    const me = await s.enter("amsg", "plans");
    await me.page.keyboard.press("Control+k");
    const field = me.page.getByRole("combobox", { name: "Find rooms, people and messages" });
    await field.waitFor();
    await s.shoot(me, "empty");
    await field.fill("da");
    await me.page.getByRole("option").first().waitFor();
    await s.shoot(me, "some");
    await field.fill("nobody at all");
    await me.page.getByRole("option", { name: "Search messages for “nobody at all”" }).waitFor();
    await s.shoot(me, "none");
    await me.button("Create a new room").click();
    await me.page.getByRole("textbox", { name: "Name of the room" }).waitFor();
    await s.shoot(me, "create");
  } },
  { name: "account", reach: async s => {
    const me = await s.enter("amsg");
    if (s.size === "phone") await me.page.goto(`${s.server.url}/#/`);
    await me.nav.locator(".me").click();
    await me.page.getByRole("dialog", { name: "Profile and preferences" }).waitFor();
    await s.shoot(me);
    await me.page.keyboard.press("Escape");
    await me.button("Your status").click();
    await me.page.getByRole("dialog", { name: "Your status" }).waitFor();
    await s.shoot(me, "status");
  } },
  { name: "profile", reach: async s => {
    const me = await s.enter("amsg", "plans");
    await me.log.locator("b[data-person]").last().click();
    await me.page.getByRole("dialog", { name: /^Profile of/ }).waitFor();
    await s.shoot(me);
  } },
  { name: "empty-room", reach: async s => {
    await s.server.room(`quiet-${s.size}`, "amsg");
    await s.shoot(await s.enter("amsg", `quiet-${s.size}`));
  } },
  { name: "no-rooms", reach: async s => {
    await s.server.room(`left-${s.size}`, "bob", ["lea"]);
    const lea = await s.enter("lea");
    await s.server.api("lea", "DELETE", `/rooms/left-${s.size}/members/me`);
    if (s.size === "phone") await lea.page.goto(`${s.server.url}/#/`);
    await lea.page.getByText("Rooms you can join").waitFor();
    await s.shoot(lea);
  } },
  { name: "visitor", reach: async s => {
    const me = await s.enter("davy", "oslo");
    await me.button("Join").waitFor();
    await s.shoot(me);
  } },
  { name: "unread", sizes: [...both, "laptop", "zoom"], reach: async s => {
    const bob = await s.enter("bob", "plans");
    await s.shoot(bob);
    const me = await s.enter("bob", "hard");
    await me.log.evaluate(log => { log.scrollTop = 0; });
    await s.server.post("davy", "hard", `One more (${s.size})`);
    await me.button("Jump to newest").waitFor();
    await s.shoot(me, "jump");
  } },
  { name: "blocked", reach: async s => {
    await s.server.api("rhianna", "PUT", "/people/me/blocks/davy");
    await s.shoot(await s.enter("rhianna", "plans"));
    await s.server.api("rhianna", "DELETE", "/people/me/blocks/davy");
  } },
  { name: "drawer", reach: async s => {
    const dev = await s.window("amsg", "/?dev#as=amsg");
    await dev.page.getByRole("complementary", { name: "Requests" }).waitFor();
    await dev.page.getByText("list-blocks").first().waitFor();
    await s.server.api("amsg", "PUT", "/rooms/plans/hooks/copy", { url: "http://127.0.0.1:9/" }); // nothing listens there
    await dev.page.getByText(/^copy, challenge/).first().scrollIntoViewIfNeeded();
    await s.shoot(dev);
  } },
  { name: "large-window", sizes: ["wide"], reach: async s => {
    const me = await s.enter("amsg", "plans");
    await me.page.setViewportSize({ width: 1920, height: WIDE.height });
    await s.shoot(me);
  } },
];
