// The page on a host of its own, as the stack deploys it: sign-in at a provider with PKCE, an API of
// another origin, renewal and sign-out.
import { test } from "./deployed.mjs";
import { Person, expect } from "./fixtures.mjs";
import { Issuer } from "./issuer.mjs";

test("a person signs in at the provider, returns to the route, writes, and signs out", async ({ cast, issuer, site }) => {
  const grace = await cast.window("grace", { path: "/#/lobby" });
  await grace.button("Sign in").click();
  await grace.nav.waitFor();
  await expect(grace.page, "the code stays in the address, or the route is lost").toHaveURL(`${site.url}/#/lobby`);
  await expect(grace.page.getByRole("heading", { level: 1 }), "the page shows another room").toHaveText("lobby");
  expect([issuer.granted, issuer.refused]).toEqual([["authorization_code"], []]);

  await grace.nav.getByRole("button", { name: "Create a room" }).click();
  await grace.page.getByRole("textbox", { name: "Name of the room" }).fill("tower");
  await grace.button("Create").click();
  await grace.page.getByRole("heading", { level: 1, name: "tower" }).waitFor();
  await grace.post("from another origin");

  await grace.page.reload(); // the window keeps its session
  await grace.sees("from another origin");
  const refresh = await refreshToken(grace);
  await signOut(grace);
  await expect(grace.page, "the provider's session is ended, too").toHaveURL(`${site.url}/`);
  await expect.poll(() => tokens(grace), "the session is forgotten").toEqual([]);
  expect(await renews(issuer, refresh), "the refresh token works after the sign-out").toBe(false);
});

test("an invitation says who invites where before the sign-in, and that it has ended", async ({ cast, site }) => {
  await site.api("ada", "PUT", "/people/me", { name: "Ada Lovelace" });
  await site.api("ada", "PUT", "/rooms/salon", { name: "Salon of Thursday" });
  const { id, token } = await site.api("ada", "POST", "/rooms/salon/invites", {});
  const words = "Ada Lovelace invites you to Salon of Thursday, a public room.";
  const grace = await cast.window("grace", { path: `/#invite=${token}` });
  await grace.page.getByText(words).waitFor();
  await grace.button("Sign in").click();
  const question = grace.page.getByRole("alertdialog", { name: "Join a room?" });
  await question.getByText(words).waitFor();
  await question.getByRole("button", { name: "Join" }).click();
  await grace.page.getByRole("heading", { level: 1, name: "Salon of Thursday" }).waitFor();

  await site.api("ada", "DELETE", `/rooms/salon/invites/${id}`);
  const late = await cast.window("late", { path: `/#invite=${token}` });
  late.allow(/404/);
  await late.page.getByText("This invitation has ended. Ask for a new one.").waitFor();
});

test("a refresh token works until its person signs out", async ({ cast, issuer }) => {
  const grace = await signedIn(cast);
  expect(await renews(issuer, await refreshToken(grace))).toBe(true);
});

for (const [state, answer] of [["is out of reach", route => route.abort()], ["does not answer", () => {}]]) {
  test(`a person signs out while the provider ${state}`, async ({ cast, issuer, site }) => {
    const grace = await signedIn(cast);
    grace.allow(/ERR_FAILED/);
    await grace.page.route(`${issuer.url}/**`, answer);
    await signOut(grace);
    await grace.page.getByRole("heading", { name: "Signed out" }).waitFor();
    expect(await tokens(grace), "the tokens outlive the sign-out").toEqual([]);
    await expect(grace.page.getByRole("alert"), "the person is not told").toHaveText(/may still sign you in here/);
    await expect(grace.page, "the page leaves for nowhere").toHaveURL(new RegExp(`^${site.url}/`));
    await grace.page.unroute(`${issuer.url}/**`);
    await grace.button("Sign in again").click();
    await grace.nav.waitFor();
  });
}

test("the page connects to its own API, whatever the headers allow", async ({ cast, issuer }) => {
  const other = await Issuer.start();
  const grace = await cast.window("grace");
  const reads = url => grace.page.evaluate(address => fetch(address).then(answer => answer.ok, () => false), `${url}/jwks`);
  await grace.button("Sign in").waitFor();
  expect(await reads(issuer.url)).toBe(true);
  grace.allow(/policy violation: connect-src|violates the following Content Security Policy|violates the document's Content Security Policy/);
  expect(await reads(other.url), "the page reads the API of somebody else").toBe(false);
  await other.close();
});

test("tokens that end are renewed without a word", async ({ cast, issuer }) => {
  issuer.life = 50; // a token must be valid for a minute
  const before = issuer.granted.length;
  const grace = await signedIn(cast);
  await expect.poll(() => issuer.granted.slice(before), "the token is renewed").toContain("refresh_token");
  await expect(grace.page.getByRole("heading", { name: "Signed out" })).toHaveCount(0);
  issuer.life = 3600;
});

test("a person whom the provider knows is signed in without a click, at the route", async ({ cast, issuer, site }) => {
  const grace = await signedIn(cast);
  expect(issuer.prompts.slice(-2), "a person whom the provider does not know sees its page once").toEqual(["none", undefined]);
  await grace.page.evaluate(() => localStorage.clear()); // as when the browser has forgotten the session
  const other = await tab(grace, site, "/#/attic");
  await other.page.getByRole("textbox", { name: "Message #attic" }).waitFor();
  expect(issuer.prompts.at(-1), "the provider shows its page").toBe("none");
  await expect(other.page, "the answer stays in the address").toHaveURL(`${site.url}/#/attic`);
});

test("a person who has signed out is not signed in again unasked", async ({ cast, issuer, site }) => {
  const grace = await signedIn(cast);
  grace.allow(/ERR_FAILED/);
  await grace.page.route(`${issuer.url}/revoke`, route => route.abort()); // so that the provider's session stays, too
  await signOut(grace);
  await grace.page.getByRole("heading", { name: "Signed out" }).waitFor();
  const before = issuer.prompts.length;
  const other = await tab(grace, site, "/#/lobby");
  await other.button("Sign in").or(other.composer).first().waitFor();
  await expect(other.composer, "a person who has left is signed in again").toHaveCount(0);
  expect(issuer.prompts.slice(before)).toEqual([]);
  await other.button("Sign in").click();
  await other.composer.waitFor();
  await grace.composer.waitFor();
});

test("tabs that renew together use each refresh token once", async ({ cast, issuer, site }) => {
  const grace = await signedIn(cast);
  issuer.life = 50; // a token must be valid for a minute: each request for one renews it
  await expire(grace, issuer);
  const refused = issuer.refused.length;
  const tabs = await Promise.all(["lobby", "attic", "lobby", "attic"].map(room => tab(grace, site, `/#/${room}`)));
  await Promise.all(tabs.map(other => other.composer.waitFor()));
  expect(issuer.refused.slice(refused), "a refresh token is used twice").toEqual([]);
  issuer.life = 3600;
});

test("a refresh token that is refused leaves nothing of the person in the browser", async ({ cast, issuer }) => {
  const grace = await signedIn(cast);
  await grace.composer.fill("half a thought");
  await expect.poll(async () => (await grace.stored()).local).toContain("parley.draft grace lobby");
  issuer.end();
  grace.allow(/status of 40[01]/);
  await expire(grace, issuer);
  await grace.page.reload();
  await grace.page.getByRole("heading", { name: "Signed out" }).waitFor();
  await expect.poll(() => grace.stored(), "something of the person is kept").toEqual({ local: ["parley.config", "parley.ending"], session: [], databases: [], caches: [] });
});

test("what a session left that ended while no page was open goes with the next start or sign-in", async ({ cast, issuer, site }) => {
  const grace = await cast.window("grace", { path: "/#/lobby" });
  await grace.button("Sign in").waitFor();
  const leave = (person, user) => person.page.evaluate(name => {
    localStorage.setItem(`parley.draft ${name} lobby`, "half a thought");
    localStorage.setItem("parley.emoji", "🦀");
    indexedDB.open(`parley https://chat.example ${name} cache`).onsuccess = e => e.target.result.close();
  }, user);
  const kept = [["parley.config"], []];
  const found = async () => { const { local, databases } = await grace.stored(); return [local.filter(key => key !== "parley.tokens"), databases]; };
  await leave(grace, "ada");
  await grace.page.reload();
  await expect.poll(found, "a page without a session keeps somebody").toEqual(kept);
  // Ada signs in and leaves while grace is at the provider.
  const authorize = `${issuer.url}/authorize**`;
  await grace.page.route(authorize, route => route.fulfill({ body: "Who are you?" }));
  await grace.button("Sign in").click();
  await grace.page.getByText("Who are you?").waitFor();
  const visit = grace.page.url();
  const ada = await tab(grace, site, "/favicon.svg");
  await ada.page.evaluate(token => localStorage.setItem("parley.tokens", JSON.stringify({ token })), issuer.accessToken("ada"));
  await leave(ada, "ada");
  await ada.page.close();
  await grace.page.unroute(authorize);
  await grace.page.goto(visit);
  await grace.composer.waitFor();
  const ofAda = async () => (await found()).flat().filter(name => / ada\b/.test(name));
  await expect.poll(ofAda, "the session of another is kept").toEqual([]);
});

/** What a stranger may want the page to say. */
const lure = "Your account is locked. Call +1 555 0100.";
/** Answers of a provider that nobody asked for. */
const foreign = [
  `?error=x&error_description=${encodeURIComponent(lure)}`, `?error=${encodeURIComponent(lure)}&state=null`, "?error=login_required",
  "?code=stolen&state=guessed", "?code=stolen", "?state=guessed",
];

test("an answer that this window did not ask for changes nothing", async ({ cast, issuer, site }) => {
  const eve = await cast.window("eve");
  await eve.button("Sign in").waitFor();
  for (const query of foreign) {
    await eve.page.goto(`${site.url}/${query}#/attic`);
    await eve.button("Sign in").waitFor();
    await expect(eve.page, "the query stays in the address, or the route is lost").toHaveURL(`${site.url}/#/attic`);
    await expect(eve.page.getByRole("main")).toHaveText(/^PSign in to Parley\s*Sign in$/);
  }
  const grace = await signedIn(cast);
  const asked = issuer.granted.length + issuer.refused.length;
  for (const query of foreign) {
    await grace.page.goto(`${site.url}/${query}#/attic`);
    await grace.page.getByRole("textbox", { name: "Message #attic" }).waitFor();
    await expect(grace.page, "the query stays in the address, or the route is lost").toHaveURL(`${site.url}/#/attic`);
  }
  expect(issuer.granted.length + issuer.refused.length, "the code is shown to the provider").toBe(asked);
});

test("an answer that nobody asked for does not end a visit, whose own answer counts once", async ({ cast, issuer, site }) => {
  const grace = await cast.window("grace", { path: "/#/lobby" });
  await grace.button("Sign in").waitFor(); // it has been asked for silently
  const authorize = `${issuer.url}/authorize**`;
  await grace.page.route(authorize, route => route.fulfill({ body: "Who are you?" }));
  await grace.button("Sign in").click();
  await grace.page.getByText("Who are you?").waitFor();
  const visit = grace.page.url();
  await grace.page.goto(`${site.url}/?code=stolen&state=guessed`);
  await grace.button("Sign in").waitFor();
  await grace.page.unroute(authorize);
  await grace.page.goto(visit);
  await grace.composer.waitFor();
  const { state } = Object.fromEntries(new URL(visit).searchParams);
  for (const query of [`?error=access_denied&state=${state}`, `?code=stolen&state=${state}`]) {
    await grace.page.goto(`${site.url}/${query}#/attic`);
    await grace.page.getByRole("textbox", { name: "Message #attic" }).waitFor();
  }
});

test("a provider that refuses somebody adds no words to the page's own", async ({ cast, issuer }) => {
  const grace = await cast.window("grace", { path: "/#/lobby" });
  for (const [error, words] of [["access_denied", /^The sign-in was refused \(access_denied\)\. /], [lure, /^The sign-in was refused\. /]]) {
    issuer.refusal = { error, error_description: lure };
    await grace.button("Sign in").click();
    await expect(grace.page.getByRole("alert"), "the reason is another's").toHaveText(words);
    expect(await grace.page.content(), "the page shows the words of an address").not.toContain("locked");
  }
  issuer.refusal = undefined;
});

/** Opens a window for grace, who is in the lobby: a page that goes to a room by itself closes dialogs. */
async function signedIn(cast) {
  const grace = await cast.window("grace", { path: "/#/lobby" });
  await grace.button("Sign in").click();
  await grace.composer.waitFor();
  return grace;
}

/** Opens another tab in the browser of a person. */
async function tab(person, site, path) {
  const page = await person.page.context().newPage();
  await page.goto(site.url + path);
  return new Person(person.name, page, site);
}

async function signOut(person) {
  await person.page.locator(".me").click();
  await person.button("Sign out").click();
}

/** Returns the refresh token of a window. */
const refreshToken = person => person.page.evaluate(() => JSON.parse(localStorage.getItem("parley.tokens")).refresh);

/** Stores a token that has to be renewed: it must be valid for a minute. */
async function expire(person, issuer) {
  const { life } = issuer;
  issuer.life = 50;
  await person.page.evaluate(token => localStorage.setItem("parley.tokens", JSON.stringify({ ...JSON.parse(localStorage.getItem("parley.tokens")), token })), issuer.accessToken());
  issuer.life = life;
}

/** Returns what a window stores of its session, by its names. */
const tokens = person => person.page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter(key => key === "parley.tokens"));

/** Reports whether the provider gives new tokens for a refresh token. */
async function renews(issuer, refresh) {
  const body = new URLSearchParams({ grant_type: "refresh_token", client_id: issuer.client, refresh_token: refresh });
  return (await fetch(`${issuer.url}/token`, { method: "POST", body })).ok;
}
