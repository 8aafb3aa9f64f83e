// People: their pictures, profiles and statuses, who is online, and the members of a room.
import { clean } from "./axe.mjs";
import { png, portray } from "./bytes.mjs";
import { DOWN, PHONE, REFUSED, calm, expect, suite } from "./fixtures.mjs";

/** The only host whose pictures the page shows. */
const HOST = "pictures.example";

const test = suite({ flags: ["--avatar-host", HOST] });
test.use(calm);

const dialog = (person, name) => person.page.getByRole("dialog", { name });

/** A picture of one pixel. */
const PICTURE = { contentType: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>' };

test.describe("pictures", () => {
  const users = ["pat", "lost", "fake", "slow"];

  /** Answers as a host of pictures does on a bad day: one picture never comes. */
  const answer = route => {
    const { pathname } = new URL(route.request().url());
    if (pathname === "/pat.png") return route.fulfill(PICTURE);
    if (pathname === "/fake.png") return route.fulfill({ ...PICTURE, body: "no picture" });
    return pathname === "/slow.png" ? undefined : route.fulfill({ status: 404 });
  };

  test("that fail, are none, or never come leave the initials in every place", async ({ cast, server }) => {
    await server.room("faces", "amy", users);
    for (const user of users) {
      await server.api(user, "PUT", "/people/me", { name: `${user} Doe`, avatar: `https://${HOST}/${user}.png` });
      await server.post(user, "faces", `from ${user}`);
      await server.api("amy", "POST", "/rooms", { direct: [user] });
    }
    const amy = await cast.enter("amy", { room: "faces", prepare: page => page.route(/^https:/, answer) });
    amy.allow(/status of 404/);
    const places = {
      message: user => amy.row(`from ${user}`),
      "direct room": user => amy.nav.getByRole("link", { name: new RegExp(`^${user} Doe`) }),
      member: user => amy.panel.getByRole("listitem").filter({ hasText: `${user} Doe` }),
    };
    await amy.button("People").click();
    for (const [place, find] of Object.entries(places)) {
      for (const user of users) {
        const face = find(user).locator(".face");
        await expect(face).toHaveText(`${user[0].toUpperCase()}D`);
        const shown = user === "pat";
        await expect(face.locator("img"), `the picture of ${user} covers the initials of a ${place}`).toBeVisible({ visible: shown });
      }
    }
  });

  test("that people have uploaded come before those of hosts", async ({ cast, server }) => {
    await server.api("ula", "PUT", "/people/me", { name: "Ula Ray", avatar: `https://${HOST}/ula.png` });
    await portray(server, "ula", png(40, 40));
    await server.room("uploaded", "ula");
    await server.post("ula", "uploaded", "from ula");
    const asked = [];
    const ada = await cast.enter("ada", { room: "uploaded", prepare: page => page.route(/^https:/, route => { asked.push(route.request().url()); return route.fulfill(PICTURE); }) });
    await expect(ada.row("from ula").locator(".face img")).toHaveAttribute("src", /\/files\/_people/);
    await expect(ada.row("from ula").locator(".face img")).toBeVisible();
    expect(asked).toEqual([]);
  });

  test("have initials of the name in the finder, too", async ({ cast, server }) => {
    await server.api("u77", "PUT", "/people/me", { name: "Rhianna Cohen" });
    const abe = await cast.enter("abe");
    await abe.button("New direct message").click();
    await abe.page.getByRole("combobox", { name: "Find a person" }).fill("Rhianna");
    await expect(abe.page.getByRole("option", { name: "Rhianna Cohen" }).locator(".face")).toHaveText("RC");
    await server.api("u78", "PUT", "/people/me", { name: "|trey|" });
    await abe.page.getByRole("combobox", { name: "Find a person" }).fill("|trey|");
    await expect(abe.page.getByRole("option", { name: "|trey|" }).locator(".face")).toHaveText("T");
  });
});

test.describe("names", () => {
  /** Lets people say something in a room and write to a person. Each is a user id with a name. */
  async function meet(server, room, user, people) {
    await server.room(room, user, Object.keys(people));
    for (const [id, name] of Object.entries(people)) {
      if (name) await server.api(id, "PUT", "/people/me", { name });
      await server.post(id, room, `from ${id}`);
      await server.api(user, "POST", "/rooms", { direct: [id] });
    }
  }

  test("that look alike have the user id next to them in every place", async ({ cast, server }) => {
    const alike = { ben1: "Ben Boss", ben2: "Ben Boss", ben3: "Ben B\u043ess", ben4: "BEN B0SS", ben7: "Ben Boss (ben1)" };
    await meet(server, "alike", "zoe", { ...alike, kim: "Kim Lee", liv: "" });
    const zoe = await cast.enter("zoe", { room: "alike" });
    await zoe.button("People").click();
    const places = {
      author: user => zoe.row(`from ${user}`).locator("b[data-person]"),
      "direct room": user => zoe.nav.locator(".name bdi").filter({ hasText: new RegExp(`\\(${user}\\)$`) }),
      member: user => zoe.panel.locator(`button[data-person="${user}"]`),
    };
    for (const [place, find] of Object.entries(places)) {
      for (const [user, name] of Object.entries(alike)) await expect(find(user), `the ${place} ${user}`).toHaveText(`${name} (${user})`);
    }
    for (const [user, name] of [["kim", "Kim Lee"], ["liv", "liv"]]) {
      await expect(places.author(user)).toHaveText(name);
      await expect(places.member(user)).toHaveText(name);
    }
    await expect(zoe.row("from ben1").locator(".face")).toHaveText("BB");
    await clean(zoe, "names that look alike");
    await zoe.nav.getByRole("link", { name: "Ben Boss (ben2)" }).click();
    await expect(zoe.page.getByRole("heading", { level: 1 })).toHaveText("Ben Boss (ben2)");
  });

  test("that look alike have the user id next to them when people are chosen", async ({ cast, server }) => {
    await meet(server, "chosen", "yan", { ben5: "Bea Bond", ben6: "Bea B\u043end" });
    const yan = await cast.enter("yan", { room: "chosen" });
    await yan.composer.pressSequentially("@Bea");
    for (const user of ["ben5", "ben6"]) await expect(yan.page.getByRole("option").filter({ hasText: user })).toBeVisible();
    await yan.composer.fill("");
    await yan.button("New direct message").click();
    await yan.page.getByRole("combobox", { name: "Find a person" }).fill("Bea");
    for (const user of ["ben5", "ben6"]) await expect(yan.page.getByRole("option").filter({ hasText: user })).toBeVisible();
  });
});

test.describe("a profile", () => {
  const profile = (person, name) => dialog(person, `Profile of ${name}`);
  const face = (person, text) => person.row(text).getByRole("button", { name: "Bob Baker", exact: true });
  const until = ms => new Date(Date.now() + ms).toISOString();

  /** Opens a window of a person in a new room with Bob Baker, who has said something. */
  async function meet(cast, server, room, user, options) {
    await server.api("bob", "PUT", "/people/me", {
      name: "Bob Baker", title: "Cartographer", state: "WA", metadata: { timeZone: "Asia/Tokyo", theme: "sea" },
      status: { emoji: "📅", text: "In a meeting", until: until(3_600_000) },
    });
    await server.room(room, user, ["bob"]);
    await server.post("bob", room, "the map is done");
    const person = await cast.enter(user, { room, ...options });
    await person.settled();
    return person;
  }

  test("shows who somebody is under the pointer, and moves nothing", async ({ cast, server }) => {
    const ann = await meet(cast, server, "hover", "ann");
    await ann.page.evaluate(() => {
      window.shifts = [];
      const moved = ({ node, previousRect: from, currentRect: to }) => `${(node?.outerHTML ?? node?.textContent ?? "").slice(0, 200)} from ${JSON.stringify(from)} to ${JSON.stringify(to)}`;
      new PerformanceObserver(list => { for (const e of list.getEntries()) window.shifts.push(...e.sources.map(moved)); }).observe({ type: "layout-shift" });
    });
    await face(ann, "the map is done").hover();
    const card = profile(ann, "Bob Baker");
    for (const text of ["Cartographer", "bob", /In a meeting, until .*\d\d:\d\d/, /\w+ \d\d:\d\d in Tokyo/, "WA"]) await expect(card).toContainText(text);
    await expect(ann.composer, "the focus stays").toBeFocused();
    await clean(ann, "a profile");
    await ann.composer.hover();
    await expect(card).toHaveCount(0);
    expect(await ann.page.evaluate(() => window.shifts), "the page moved").toEqual([]);
  });

  test("opens by keyboard, and returns the focus", async ({ cast, server }) => {
    const abe = await meet(cast, server, "keys", "abe");
    await abe.composer.press("Shift+Tab");
    await expect(abe.row("the map is done")).toBeFocused();
    const name = face(abe, "the map is done");
    await abe.page.keyboard.press("ArrowRight");
    await expect(name).toBeFocused();
    await abe.page.keyboard.press("Enter");
    await abe.focusIs("Message");
    await abe.page.keyboard.press("Shift+Tab");
    await abe.focusIs("Actions for Bob Baker");
    await abe.page.keyboard.press("Tab");
    await abe.focusIs("Message");
    await abe.page.keyboard.press("Escape");
    await expect(profile(abe, "Bob Baker")).toHaveCount(0);
    await expect(name).toBeFocused();
    await abe.button("People").click();
    await abe.panel.getByRole("button", { name: "Bob Baker", exact: true }).press("Enter");
    await profile(abe, "Bob Baker").getByRole("button", { name: "Mention" }).click();
    await expect(abe.composer).toHaveValue("@Bob Baker ");
    await expect(abe.composer).toBeFocused();
    await abe.page.keyboard.type("thank you");
    await abe.page.keyboard.press("Enter");
    await abe.sent("thank you");
    expect((await server.messages("abe", "keys")).at(-1).mentions, "the name is a mention").toEqual(["bob"]);
  });

  test("leads to a direct message, whose header leads back to it", async ({ cast, server }) => {
    const eve = await meet(cast, server, "write", "eve");
    await face(eve, "the map is done").click();
    await profile(eve, "Bob Baker").getByRole("button", { name: "Message" }).click();
    const head = eve.page.getByRole("heading", { level: 1 }).getByRole("button", { name: "Bob Baker" });
    await head.press("Enter");
    await expect(profile(eve, "Bob Baker")).toContainText("Cartographer");
    await expect(profile(eve, "Bob Baker").getByRole("button", { name: "Mention" })).toHaveCount(0);
    await profile(eve, "Bob Baker").getByRole("button", { name: "Block" }).click();
    await eve.page.getByRole("alertdialog", { name: "Block Bob Baker?" }).getByRole("button", { name: "Cancel" }).click();
    await expect(head).toBeFocused();
  });

  test("offers moderators what they may do, and opens from a mention", async ({ cast, server }) => {
    const flo = await meet(cast, server, "rule", "flo");
    await server.post("flo", "rule", "thank you, @Bob Baker", { mentions: ["bob"] });
    const mention = flo.row("thank you").getByRole("button", { name: "@Bob Baker" });
    await mention.click();
    await profile(flo, "Bob Baker").getByRole("button", { name: "Actions for Bob Baker" }).click();
    await expect(flo.page.getByRole("menuitem")).toHaveText(["Mute", "Make moderator", "Hand over the room", "Remove", "Ban"]);
    await flo.item("Mute").click();
    await dialog(flo, "Mute Bob Baker").getByRole("button", { name: "Cancel" }).click();
    await expect(mention).toBeFocused();
    const bob = await cast.enter("bob", { room: "rule" });
    bob.allow(REFUSED); // flo has saved no profile
    await bob.row("thank you").getByRole("button", { name: "flo", exact: true }).click();
    await profile(bob, "flo").getByRole("button", { name: "Block" }).waitFor();
    await expect(profile(bob, "flo").getByRole("button", { name: /Actions/ })).toHaveCount(0);
  });

  test("is a sheet on a phone, which Back closes", async ({ cast, server }) => {
    const gus = await meet(cast, server, "phone", "gus", { viewport: PHONE, hasTouch: true });
    await face(gus, "the map is done").tap();
    const card = profile(gus, "Bob Baker");
    await card.waitFor();
    await gus.still();
    const box = await card.boundingBox();
    expect([box.x, box.width, box.y + box.height]).toEqual([0, PHONE.width, PHONE.height]);
    await clean(gus, "a profile on a phone");
    await gus.page.goBack();
    await expect(card).toHaveCount(0);
    await gus.sees("the map is done");
  });
});

test.describe("a status", () => {
  const mark = (within, words) => within.getByRole("img", { name: words });
  const own = person => dialog(person, "Your status");

  test("is set with few presses, shows immediately, and is cleared", async ({ cast, server }) => {
    await server.api("hal", "PUT", "/people/me", { name: "Hal Moss", metadata: { theme: "sea" } });
    await server.room("moods", "hal");
    const hal = await cast.enter("hal", { room: "moods" });
    await hal.post("back at three");
    await hal.button("Your status").click();
    await clean(hal, "the dialog of a status");
    await own(hal).getByRole("button", { name: "Choose an emoji" }).click();
    const field = hal.page.getByRole("combobox", { name: "Find an emoji" });
    await field.fill("rocket");
    await expect(hal.page.getByRole("option", { name: "rocket", selected: true })).toHaveText("🚀");
    await field.press("Enter");
    await hal.focusIs("Emoji 🚀");
    await own(hal).getByRole("button", { name: /In a meeting/ }).click();
    await own(hal).getByRole("button", { name: "Save" }).click();
    await expect(own(hal)).toHaveCount(0);
    await expect(hal.nav.locator(".me")).toContainText(/In a meeting, until .*\d\d:\d\d/);
    await mark(hal.row("back at three"), /^In a meeting, until/).waitFor();
    const { status, metadata } = await server.api("hal", "GET", "/people/me");
    expect(status).toMatchObject({ emoji: "📅", text: "In a meeting" });
    expect(Math.abs(Date.parse(status.until) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    expect(metadata, "the rest of the profile stays").toEqual({ theme: "sea" });

    await hal.button("Your status").click();
    await own(hal).getByRole("button", { name: "Clear status" }).click();
    await expect(hal.nav.locator(".me")).toContainText("Online");
    await expect(mark(hal.row("back at three"), /./)).toHaveCount(0);
  });

  test("of somebody who is not to be disturbed keeps the title quiet", async ({ cast, server }) => {
    await server.room("quiet", "jon", ["ivy"]);
    await server.room("loud", "jon", ["ivy"]);
    const jon = await cast.enter("jon", { room: "quiet" });
    await server.post("ivy", "loud", "@jon now?", { mentions: ["jon"] });
    await expect(jon.page).toHaveTitle(/^\(1\) /);
    await jon.button("Your status").click();
    await own(jon).getByRole("button", { name: /Do not disturb/ }).click();
    await own(jon).getByRole("combobox", { name: "Clear it" }).selectOption("Tomorrow at 9:00");
    await own(jon).getByRole("button", { name: "Save" }).click();
    await expect(jon.page).toHaveTitle(/^quiet/);
    await expect(jon.page.locator("link[rel=icon]"), "nor does the icon count").toHaveAttribute("href", /favicon.svg$/);
    await jon.page.reload();
    await jon.settled();
    await expect(jon.page).toHaveTitle(/^quiet/);
    await jon.button("Your status").click();
    await own(jon).getByRole("button", { name: "Clear status" }).click();
    await expect(jon.page).toHaveTitle(/^\(1\) /);
  });

  test("shows next to the name to others, and ends by itself", async ({ cast, server }) => {
    await server.room("bus", "kay", ["ivy", "leo"]);
    await server.api("ivy", "POST", "/rooms", { direct: ["kay"] });
    await server.post("kay", "bus", "on my way");
    await server.post("leo", "bus", "not now");
    const lasts = 600_000;
    const status = { emoji: "🚌", text: "Commuting", until: new Date(Date.now() + lasts).toISOString() };
    await server.api("kay", "PUT", "/people/me", { name: "Kay Ito", status });
    await server.api("leo", "PUT", "/people/me", { name: "Leo Ray", status: { emoji: "🔕" } });
    const ivy = await cast.enter("ivy", { room: "bus", prepare: page => page.clock.install() });
    const places = [ivy.row("on my way"), ivy.nav.getByRole("link", { name: /^Kay Ito/ }), ivy.panel];
    await ivy.button("People").click();
    for (const place of places) await expect(mark(place, /^Commuting, until \d\d:\d\d/)).toHaveText("🚌");
    await expect(mark(ivy.row("not now"), "Do not disturb")).toHaveText("🔕");
    await clean(ivy, "a status");
    ivy.allow(DOWN);
    await ivy.page.context().setOffline(true); // no answer corrects the clock
    await ivy.page.clock.fastForward(lasts);
    for (const place of places) await expect(mark(place, /^Commuting/), "the status has ended").toHaveCount(0);
  });
});

test("a name and a status that another device has set show when the person looks again", async ({ cast, server }) => {
  await server.api("ida", "PUT", "/people/me", { name: "ida" });
  await server.room("attic", "ida");
  const ida = await cast.enter("ida", { room: "attic", prepare: page => page.clock.install() });
  const me = ida.nav.locator(".me");
  await expect(me).toContainText("ida");
  await ida.settled();
  await server.api("ida", "PATCH", "/people/me", { name: "Ida Holm", status: { text: "Away" } });
  await expect.poll(async () => (await server.api("ida", "GET", "/people?ids=ida")).items[0].name, "it may be a minute old").toBe("Ida Holm");
  ida.allow(DOWN);
  await ida.page.clock.fastForward(300_000);
  await ida.page.evaluate(() => { dispatchEvent(new Event("focus")); });
  await expect(me).toContainText("Ida Holm");
  await expect(me).toContainText("Away");
});

test("the profile is edited in one dialog, and other programs' metadata stays", async ({ cast, server }) => {
  await server.api("liv", "PUT", "/people/me", { name: "liv", metadata: { theme: "sea" } });
  await server.room("desk", "liv");
  const liv = await cast.enter("liv", { room: "desk", timezoneId: "Europe/Vienna" });
  await liv.post("hello");
  await liv.nav.locator(".me").click();
  const preferences = dialog(liv, "Profile and preferences");
  const field = name => preferences.getByRole("textbox", { name });
  await expect(preferences.getByRole("combobox", { name: "Time zone" })).toHaveValue("Europe/Vienna");
  await clean(liv, "profile and preferences");
  await field("Name that others see").fill("Liv Berg");
  await field("Title").fill("Head of Maps");
  await field("Address of a picture").fill("no address");
  liv.allow(REFUSED);
  await preferences.getByRole("button", { name: "Save" }).click();
  await expect(field("Address of a picture"), "the fault is at its field").toBeFocused();
  await field("Address of a picture").fill("");
  await preferences.getByRole("button", { name: "Save" }).click();
  await liv.page.getByText("Your profile was saved.").waitFor();
  expect(await server.api("liv", "GET", "/people/me")).toMatchObject({ name: "Liv Berg", title: "Head of Maps", metadata: { theme: "sea", timeZone: "Europe/Vienna" } });
  await liv.row("hello").getByRole("button", { name: "Liv Berg" }).click();
  await expect(dialog(liv, "Profile of Liv Berg")).toContainText(/\d\d:\d\d in Vienna/);
});

test.describe("presence", () => {
  test("shows in the list of direct rooms, live, after one read of each of 20 rooms", async ({ cast, server }) => {
    await server.room("lobby", "max");
    const others = Array.from({ length: 24 }, (_, n) => `other-${n + 10}`);
    for (const user of others) await server.api("max", "POST", "/rooms", { direct: [user] });
    await server.post("max", "lobby", "the newest room is the one that opens");
    const first = others.at(-1);
    const there = await cast.enter(first);
    await there.settled();
    const reads = [];
    const max = await cast.enter("max", { room: "lobby", prepare: page => { page.on("request", r => { if (/\/online$/.test(r.url())) reads.push(r.url()); }); } });
    await max.nav.getByRole("link", { name: `${first}, online`, exact: true }).waitFor();
    const second = others.at(-2);
    await expect(max.nav.getByRole("link", { name: second, exact: true })).toBeVisible();
    const late = await cast.enter(second);
    await max.nav.getByRole("link", { name: `${second}, online`, exact: true }).waitFor();
    await clean(max, "presence");
    await late.page.close();
    await max.nav.getByRole("link", { name: second, exact: true }).waitFor({ timeout: 40_000 });
    const direct = reads.filter(url => !url.includes("/lobby/"));
    expect(direct.length, "each room is read once, and no more than 20").toBeLessThanOrEqual(20);
    expect(new Set(direct).size).toBe(direct.length);
  });
});

test("a profile opens under a pointer that moves, not where a list scrolls below one that rests, and long names end in dots", async ({ cast, server }) => {
  await server.room("crowd", "ann", ["maxi"]);
  await server.api("maxi", "PUT", "/people/me", { name: "Maximilian Bartholomew of Hohenfels and Waldenburg" });
  for (let n = 0; n < 30; n++) await server.post(n % 2 ? "maxi" : "ann", "crowd", `message ${n}`);
  const ann = await cast.enter("ann", { room: "crowd" });
  const face = ann.row("message 27").locator("[data-person]").first();
  const { x, y } = await face.boundingBox();
  await ann.page.mouse.move(x + 8, y - 24);
  await ann.page.clock.install();
  await ann.log.evaluate(log => log.scrollBy(0, -36));
  await ann.still();
  await ann.page.clock.runFor(2000);
  await expect(ann.page.locator(".profile")).toHaveCount(0);
  await ann.page.mouse.move(x + 60, y);
  await face.hover();
  await ann.page.clock.runFor(2000);
  await expect(ann.page.locator(".profile")).toBeVisible();
  await ann.page.keyboard.press("Escape");
  await ann.show("People");
  const name = ann.panel.getByRole("button", { name: /^Maximilian/ }).locator(".cut");
  expect(await name.evaluate(e => e.scrollWidth > e.clientWidth && getComputedStyle(e).textOverflow)).toBe("ellipsis");
});

test("the members of a room are found by name and by role", async ({ cast, server }) => {
  await server.room("crew", "ann", ["bob", "cem", "dan"]);
  await server.api("ann", "PUT", "/rooms/crew/members/cem", { role: "moderator" });
  const ann = await cast.enter("ann", { room: "crew" });
  await ann.button("People").click();
  const people = ann.panel.getByRole("listitem");
  await expect(people).toHaveCount(4);
  const role = ann.panel.getByRole("combobox", { name: "Role" });
  await role.selectOption("Owners");
  await expect(people).toHaveText([/^A\s*ann/]);
  await role.selectOption("Moderators");
  await expect(people).toHaveText([/cem.*Moderator/]);
  await role.selectOption("Muted");
  await ann.panel.getByText("Nobody here has this role.").waitFor();
  await role.selectOption("Members");
  await ann.panel.getByRole("searchbox", { name: "Search people" }).fill("da");
  await expect(people).toHaveText([/dan/]);
  await clean(ann, "members by role");
});
