// Texts of people that look like markup or a script, and ids that every object has: the page shows them as they are.
import { REFUSED, calm, expect, suite, types } from "./fixtures.mjs";

/** The only host whose pictures the page shows. */
const HOST = "pictures.example";

const test = suite({ flags: ["--avatar-host", HOST] });
test.use(calm);

/** Markup that would leave an element, and a mark in the window if its script ran. */
const markup = what => `<img src=x id=planted onerror="planted=1">${what}<script>planted=1</script>`;

/** Texts that would be links to scripts if every address were one. */
const links = ["javascript:window.planted=1//example.com", "data:text/html,<script>1</script>", "[open](javascript:window.planted=1)"];

test.describe("a person who writes markup", () => {
  test("the texts show as they are, and none of them runs", async ({ cast, server }) => {
    await server.room("traps", "mallory", ["ann"], { name: markup("Room"), topic: markup("topic") });
    await server.api("mallory", "PUT", "/people/me", { name: markup("Mallory") });
    for (const text of [markup("text"), `\`\`\`\n${markup("code")}\n\`\`\``, `**${markup("strong")}**`, ...links]) await server.post("mallory", "traps", text);
    await server.api("mallory", "PUT", "/rooms/traps/documents/trap", { title: markup("document") });

    const ann = await cast.enter("ann", { room: "traps" });
    for (const what of ["text", "code", "strong"]) await ann.sees(markup(what));
    await ann.page.getByRole("heading", { name: markup("Room") }).first().waitFor();
    await expect(ann.log, "the name shows as it is").toContainText(markup("Mallory"));
    for (const panel of ["People", "Documents"]) {
      await ann.button(panel).click();
      await ann.page.getByText(markup(panel === "People" ? "Mallory" : "document")).first().waitFor();
    }

    await expect(ann.page.locator("#planted"), "a text became an element").toHaveCount(0);
    expect(await ann.page.evaluate(() => window.planted), "a text ran as a script").toBeUndefined();
    const targets = await ann.page.locator("a").evaluateAll(all => all.map(a => a.protocol));
    expect(targets.filter(protocol => !/^https?:$/.test(protocol)), "a link leads elsewhere than to a page").toEqual([]);
  });
});

/** A picture of one pixel. */
const PICTURE = { contentType: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>' };

test.describe("people's pictures", () => {
  const pictures = {
    pat: `https://${HOST}/pat.png`, lost: `https://${HOST}/lost.png`, fake: `https://${HOST}/fake.png`,
    spy: "https://tracker.example/spy.png", twin: `https://${HOST}.tracker.example/twin.png`, port: `https://${HOST}:8443/port.png`,
  };
  const allowed = ["pat", "lost", "fake"];

  test("are loaded from allowed hosts, without a referrer, and are initials otherwise", async ({ cast, server }) => {
    await server.room("gallery", "ann", Object.keys(pictures));
    for (const [user, avatar] of Object.entries(pictures)) {
      await server.api(user, "PUT", "/people/me", { name: user, avatar });
      await server.post(user, "gallery", `from ${user}`);
    }
    const asked = [];
    const answers = { "/pat.png": PICTURE, "/fake.png": { ...PICTURE, body: "no picture" } };
    const answer = async route => {
      const [{ pathname }, { referer }] = [new URL(route.request().url()), await route.request().allHeaders()];
      asked.push(`${route.request().url()} ${referer ?? ""}`.trim());
      await route.fulfill(answers[pathname] ?? { status: 404 });
    };
    const ann = await cast.enter("ann", { room: "gallery", prepare: page => page.route(/^https:/, answer) });
    ann.allow(/status of 404/);
    await ann.row("from pat").locator("img").waitFor(); // by then all are there
    for (const user of Object.keys(pictures)) {
      const face = ann.row(`from ${user}`).locator(".face");
      const picture = face.locator("img");
      await expect(face).toHaveText(user[0].toUpperCase());
      if (user === "pat") await expect.poll(() => picture.evaluate(img => img.naturalWidth), "the picture is shown").toBe(1);
      else if (allowed.includes(user)) await expect(picture, `the picture of ${user} covers the initials`).toBeHidden();
      else await expect(picture, `the picture of ${user} is loaded`).toHaveCount(0);
    }
    expect(ann.unexpected(), "the page tries to load other pictures").toEqual([]);
    expect([...new Set(asked)].sort(), "other pictures are loaded, or their host learns of the page").toEqual(allowed.map(user => pictures[user]).sort());

    // Nor could a fault of the page load another.
    ann.allow(/policy violation: img-src|violates the following Content Security Policy/);
    const loads = address => ann.page.evaluate(src => new Promise(done => Object.assign(new Image(), { src, onload: () => done(true), onerror: () => done(false) })), address);
    expect(await loads(pictures.pat)).toBe(true);
    for (const user of ["spy", "twin", "port"]) expect(await loads(pictures[user])).toBe(false);
    expect(await loads(`data:${PICTURE.contentType},${encodeURIComponent(PICTURE.body)}`)).toBe(false);
    expect([...new Set(asked)].sort(), "the policy allows another host").toEqual(allowed.map(user => pictures[user]).sort());
  });
});

test("a page that opens this one does not reach into its window, and this one has no camera", async ({ cast, page, server }) => {
  await page.route("https://other.example/", route => route.fulfill({ contentType: "text/html", body: "<!doctype html>Another page" }));
  await page.goto("https://other.example/");
  await page.evaluate(address => { window.opened = open(address); }, server.url);
  await expect.poll(() => page.evaluate(() => window.opened.closed), "the opened page is in reach").toBe(true);

  const una = await cast.enter("una");
  const allows = feature => una.page.evaluate(name => document.featurePolicy.allowsFeature(name), feature);
  for (const feature of ["camera", "microphone", "geolocation"]) expect(await allows(feature), feature).toBe(false);
  expect(await allows("clipboard-write"), "links are copied").toBe(true);
});

test.describe("people called constructor, __proto__ and toString", () => {
  const people = [["constructor", "Connie Struck"], ["__proto__", "Prue Toe"], ["toString", "Tess Ring"]];
  const ids = people.map(([user]) => user);
  const names = people.map(([, name]) => name);

  test("they are named wherever they are shown", async ({ cast, server }) => {
    await server.room("yard", "ann", ids, { pinning: "members" });
    await server.room("exile", "ann", ids);
    for (const [user, name] of people) {
      await server.api(user, "PUT", "/people/me", { name });
      await server.api("ann", "PUT", `/rooms/exile/members/${user}`, { role: "banned" });
      const { id } = await server.post("ann", "yard", `pinned for ${user}`);
      await server.api(user, "PUT", `/rooms/yard/messages/${id}/pin`);
    }

    // None of them has written: each list has to ask for their names, or to bring them.
    const ann = await cast.enter("ann", { room: "exile" });
    await ann.button("People").click();
    await ann.panel.getByRole("button", { name: "Banned", exact: true }).click();
    for (const name of names) await ann.panel.getByRole("button", { name: `Unban ${name}` }).waitFor();
    await ann.go("yard");
    for (const name of names) await ann.panel.getByRole("button", { name: `Actions for ${name}` }).waitFor();
    await ann.button("Pinned messages").click();
    for (const name of names) await expect(ann.panel, "those who pin are named").toContainText(`Pinned by ${name}`);

    for (const [user, name] of people) {
      const { id } = await server.post(user, "yard", `from ${user}`);
      for (const who of ids) await server.api(who, "PUT", `/rooms/yard/messages/${id}/reactions/${encodeURIComponent("👍")}`);
      const row = ann.row(`from ${user}`);
      await expect(row, "the sender is named").toHaveAccessibleName(new RegExp(`^${name},`));
      await row.getByRole("button", { name: `👍 ${ids.length}` }).waitFor();
    }
    const all = names.map(name => `@${name}`);
    await server.post("ann", "yard", all.join(", "), { mentions: ids });
    await expect(ann.row(all[0]).locator(".mention"), "the mentions are names").toHaveText(all);

    for (const [user, name] of people) {
      const other = await cast.enter(user, { room: "yard" });
      await other.button(`${name} Online`).waitFor();
      await expect(other.row(all[0]), "the mention is one's own").toHaveAccessibleName(/mentions you/);
      await types(other, ann, name);
    }
  });

  test("they are called by their ids, or by the names that a room has, while their cards cannot be loaded", async ({ cast }) => {
    for (const [user, name] of people) {
      const person = await cast.window(user, { path: `/#as=${user}`, prepare: page => page.route(/\/people\?ids=/, route => route.abort()) });
      person.allow(/ERR_FAILED/);
      await expect(person.page.locator(".me"), "another name is shown").toHaveAccessibleName(new RegExp(`^(${user}|${name}) Online$`));
    }
  });
});

test("the words of an address are nowhere in the page", async ({ cast, server }) => {
  await server.room("home", "ann");
  const ann = await cast.enter("ann", { room: "home" });
  ann.allow(REFUSED);
  const lure = "Your account is locked, call +1 555 0100";
  const text = encodeURIComponent(lure);
  const none = async (address, found) => {
    await found.first().waitFor();
    await ann.still();
    const all = await ann.page.evaluate(() => document.title + document.documentElement.outerHTML);
    expect(all, `${address} puts its words into the page`).not.toMatch(/is locked/);
  };
  const gone = "This room does not exist";
  for (const [address, words] of [[`?x=${text}#/${text}`, gone], [`#/${text}/${text}`, gone], [`#invite=${text}`, "This invitation has ended"], [`?error=x&error_description=${text}#/home`, "No messages yet"]]) {
    await ann.page.goto("about:blank");
    await ann.page.evaluate(words => { window.name = words; }, lure);
    await ann.page.goto(`${server.url}/${address}`);
    await none(address, ann.page.getByText(words));
  }
  // Nor while the room is looked for.
  await ann.page.goto("about:blank");
  await ann.page.route(/\/rooms\/Your/, () => {});
  await ann.page.routeWebSocket(/\/ws$/, () => {}); // which would report that there is no such room
  await ann.page.goto(`${server.url}/#/${text}`);
  await none("a room that loads", ann.log);
});

test("an address of somebody who cannot be signed in does not change the session", async ({ cast, server }) => {
  await server.room("home", "ann");
  const ann = await cast.window("ann");
  ann.allow(REFUSED);
  await ann.signIn();
  for (const user of ["%", "no id", "%00"]) {
    await ann.page.goto("about:blank");
    await ann.page.goto(`${server.url}/#as=${user}`);
    await ann.page.getByText("The address has no user id.").waitFor();
    await ann.page.getByRole("button", { name: /^ann/ }).waitFor();
  }
});
