// The service worker of the page as the stack deploys it: it keeps one version whole, and offers the next.
import { clean } from "./axe.mjs";
import { chromium } from "./browsers.mjs";
import { test } from "./deployed.mjs";
import { Cast, DOWN, PHONE, Person, REFUSED, calm, expect } from "./fixtures.mjs";

test.use(calm);
test.beforeEach(({ site }) => Object.assign(site, { version: "first", other: "", silent: false }));

const offer = person => person.page.getByText("A new version is ready.");

/** Signs grace in, with a service worker that has kept the page. */
async function enter(cast, options) {
  const grace = await cast.window("grace", { serviceWorkers: "allow", path: "/#/lobby", ...options });
  grace.allow(DOWN);
  await grace.button("Sign in").click();
  await grace.settled();
  await expect.poll(() => grace.page.evaluate(() => !!navigator.serviceWorker.controller), "the page is kept").toBe(true);
  return grace;
}

/** Opens another tab in the browser of a person. */
async function tab(person, site, path = "/#/lobby") {
  const other = new Person(person.name, await person.page.context().newPage(), site);
  await other.watch();
  await other.page.goto(site.url + path);
  await other.settled();
  return other;
}

/** Waits until the browser has kept these versions, and no others. */
const versionIs = (person, versions) =>
  expect.poll(() => person.page.evaluate(() => caches.keys()), "the versions that are kept").toEqual(versions.map(name => `parley ${name}`));

/** The version whose code a page runs. */
const running = person => person.page.evaluate(() => document.querySelector("script[type=module]").src.split("/").at(-2));

/** A page looks for a version at most this often. It has just looked if its first connection came late. */
const PAUSE_MS = 60_000;

/** Deploys a version, and lets a page look for it as it does when it is connected again after a while. */
async function deploy(site, person, version) {
  site.version = version;
  await person.page.context().setOffline(true);
  await person.page.getByText("Offline. Messages will be sent").waitFor();
  await person.page.evaluate(ms => { const { now } = Date; Date.now = () => now() + ms; }, PAUSE_MS);
  await person.page.context().setOffline(false);
}

/** Stores a token of grace that has expired, with other tokens, as when the page was closed for long. */
async function expire(grace, issuer, others) {
  issuer.life = -1;
  const token = issuer.accessToken();
  issuer.life = 3600;
  await grace.page.evaluate(tokens => localStorage.setItem("parley.tokens", JSON.stringify(tokens)), { ...others, token });
}

test("the page starts without a network, at a person whose token has expired, and renews it later", async ({ cast, issuer }) => {
  const grace = await enter(cast);
  await grace.post("as it was");
  await expect.poll(() => grace.onDevice("as it was"), "the message is kept").toBe(true);
  await expire(grace, issuer, await grace.page.evaluate(() => JSON.parse(localStorage.getItem("parley.tokens"))));
  await grace.page.context().setOffline(true);
  await grace.page.reload();
  await grace.sees("as it was");
  await grace.page.getByText(/^Offline\. .* Shown as of \d\d:\d\d\.$/).waitFor();
  await grace.page.getByRole("button", { name: "grace Offline" }).waitFor();
  await grace.say("written in the dark");
  await grace.kept("written in the dark");
  await grace.page.context().setOffline(false);
  await grace.sent("written in the dark");
});

test("a token that nothing renews ends the session when there is a network, not before", async ({ cast, issuer }) => {
  const grace = await enter(cast);
  await expire(grace, issuer);
  await grace.page.context().setOffline(true);
  await grace.page.reload();
  await grace.page.getByText("Offline. Messages will be sent").waitFor();
  await grace.composer.waitFor();
  await grace.page.context().setOffline(false);
  await grace.page.getByRole("heading", { name: "Signed out" }).waitFor();
});

test("a host that does not answer holds up neither a session nor a sign-in", async ({ cast, site }) => {
  const grace = await enter(cast);
  await grace.post("before the silence");
  site.silent = true;
  await grace.page.reload();
  await grace.post("in the silence");
  await grace.page.evaluate(() => { localStorage.removeItem("parley.tokens"); localStorage.setItem("parley.ending", "left"); });
  await grace.page.reload();
  await grace.button("Sign in").waitFor();
});

test("code that is shown first without a network is there", async ({ cast }) => {
  const grace = await enter(cast);
  await grace.page.context().setOffline(true);
  await grace.page.reload();
  await grace.composer.waitFor();
  await grace.page.keyboard.press("Control+/");
  await grace.page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await grace.page.keyboard.press("Escape");
  await grace.button("Saved").click();
  await grace.page.getByRole("complementary", { name: "Saved messages" }).waitFor();
});

test("a new version is offered next to a message that is being written, and a reload takes it with the text", async ({ cast, site }) => {
  const grace = await enter(cast);
  await grace.composer.fill("half a thought");
  await deploy(site, grace, "second");
  await offer(grace).waitFor();
  await clean(grace, "a new version");
  expect(await running(grace), "the page was reloaded").toBe("first");
  await expect(grace.composer).toHaveValue("half a thought");
  await versionIs(grace, ["first", "second"]);
  await grace.page.keyboard.press("Control+/"); // whose code the server no longer has
  await grace.page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await grace.page.keyboard.press("Escape");
  await grace.button("Reload").click();
  await expect.poll(() => running(grace).catch(() => ""), "a reload takes the new version").toBe("second");
  await grace.settled();
  await expect(grace.composer, "the text is lost").toHaveValue("half a thought");
  await expect(offer(grace)).toHaveCount(0);
  await versionIs(grace, ["second"]);
});

test("a request that hangs does not hold up the next version", async ({ cast, site }) => {
  const grace = await enter(cast);
  site.silent = true;
  await grace.page.reload();
  await grace.ready();
  site.silent = false;
  await deploy(site, grace, "second");
  await offer(grace).waitFor();
});

test("an open page keeps its version while another takes the next, and each has all of its code", async ({ cast, site }) => {
  const grace = await enter(cast);
  await deploy(site, grace, "second");
  await offer(grace).waitFor();
  await grace.button("Later").click();
  await expect(offer(grace)).toHaveCount(0);
  await grace.focusIs("Message #lobby");
  const other = await tab(grace, site);
  expect(await running(other), "the next start takes the new version").toBe("second");
  for (const start of ["the next", "another"]) { // each removes what no page holds
    const holds = () => other.page.evaluate(async () => (await navigator.locks.query()).held.some(lock => lock.name === "parley second"));
    await expect.poll(holds, `${start} start holds its version`).toBe(true);
    await other.page.reload();
    await other.settled();
  }
  await versionIs(other, ["first", "second"]);
  await grace.button("Saved").click();
  await grace.page.getByRole("complementary", { name: "Saved messages" }).waitFor();
  await grace.page.close();
  await other.page.reload();
  await other.settled();
  await versionIs(other, ["second"]);
});

test("a deployment that goes back is offered, too", async ({ cast, site }) => {
  site.version = "second";
  const grace = await enter(cast, { viewport: PHONE });
  await versionIs(grace, ["second"]);
  await deploy(site, grace, "first");
  await offer(grace).waitFor();
  await clean(grace, "a new version on a phone");
  await grace.button("Reload").click();
  await expect.poll(() => running(grace).catch(() => "")).toBe("first");
  await grace.settled();
  await versionIs(grace, ["first"]);
});

test("a page that has no worker takes the place of one that had", async ({ cast, site }) => {
  const grace = await enter(cast);
  grace.allow(REFUSED);
  site.other = "<p>Somebody else's page</p>";
  await grace.page.reload();
  await grace.composer.waitFor();
  await expect.poll(() => grace.page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), "the worker ends").toBe(0);
  await grace.page.reload();
  await grace.page.getByText("Somebody else's page").waitFor();
});

test("a browser can install the page", async ({ playwright, site }) => {
  const browser = await playwright.chromium.launch({ executablePath: chromium() }); // the shell installs nothing
  const cast = new Cast(browser, site);
  const grace = await enter(cast);
  const devtools = await grace.page.context().newCDPSession(grace.page);
  const { errors, manifest } = await devtools.send("Page.getAppManifest");
  expect([errors, manifest?.name, manifest?.startUrl]).toEqual([[], "Parley", `${new URL(grace.page.url()).origin}/`]);
  const faults = (await devtools.send("Page.getInstallabilityErrors")).installabilityErrors.map(e => e.errorId);
  expect(faults, "only the test's window forbids it").toEqual(["in-incognito"]);
  await cast.close();
  await browser.close();
});
