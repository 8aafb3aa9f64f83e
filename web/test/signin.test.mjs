// The page on a host of its own, as the stack deploys it: sign-in at a provider with PKCE, an API of
// another origin, renewal and sign-out.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { Cast, REFUSED, launch, until } from "./harness.mjs";
import { Issuer, host } from "./issuer.mjs";
import { Server } from "./server.mjs";

let browser, server, issuer, site, cast;
before(async () => {
  [browser, issuer, site] = await Promise.all([launch(), Issuer.start(), host()]);
  issuer.page = site.url;
  server = await Server.start({ flags: ["--issuer", issuer.url, "--audience", "api", "--origin", site.url] });
  const socket = `${server.url.replace("http:", "ws:")}/ws`;
  site.config = {
    api: server.url, socket, docs: `${server.url}/docs`,
    signIn: { kind: "oidc", authorize: `${issuer.url}/authorize`, token: `${issuer.url}/token`, logout: `${issuer.url}/logout`, client: issuer.client, scope: "openid" },
  };
  // PagePolicy of internal/config, with the hosts of the test.
  site.policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self' ${server.url} ${server.url.replace("http:", "ws:")} ${issuer.url}; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
});
after(async () => { await browser?.close(); await server?.close(); await issuer?.close(); await site?.close(); });
beforeEach(() => { cast = new Cast(browser, site); });
afterEach(context => cast.close(context));

test("a person signs in at the provider, returns to the route, writes, and signs out", async () => {
  const grace = await cast.window("grace", { path: "/#/tower" });
  await grace.button("Sign in").click();
  await until(async () => grace.page.url().startsWith(site.url), "the provider sends the person back");
  await grace.nav.waitFor();
  assert.equal(await grace.page.evaluate(() => location.search), "", "the code stays in the address");
  assert.equal(await grace.page.evaluate(() => location.hash), "#/tower", "the route is lost");
  assert.deepEqual([issuer.granted, issuer.refused], [["authorization_code"], []]);

  grace.expect(REFUSED); // there is no room tower
  await grace.nav.getByRole("button", { name: "Create a room" }).click();
  await grace.page.getByRole("textbox", { name: "Name of the room" }).fill("tower");
  await grace.button("Create").click();
  await grace.page.getByRole("heading", { level: 1, name: "tower" }).waitFor();
  await grace.post("from another origin");

  await grace.page.reload(); // the window keeps its session
  await grace.sees("from another origin");
  await grace.page.getByRole("button", { name: /^grace/ }).click();
  await grace.button("Sign out").click();
  await until(async () => grace.page.url() === `${site.url}/`, "the provider's session is ended, too");
  await until(async () => await grace.page.evaluate(() => sessionStorage.length) === 0, "the session is forgotten");
});

test("tokens that end are renewed without a word", async () => {
  issuer.life = 50; // a token must be valid for a minute
  const before = issuer.granted.length;
  const grace = await cast.window("grace");
  await grace.button("Sign in").click();
  await grace.nav.waitFor();
  await until(() => issuer.granted.slice(before).includes("refresh_token"), "the token is renewed");
  assert.equal(await grace.page.getByRole("heading", { name: "Signed out" }).count(), 0);
  issuer.life = 3600;
});

test("an answer that this window did not ask for is refused", async () => {
  const eve = await cast.window("eve", { path: "/?code=stolen&state=guessed" });
  await refuses(eve);
  // Nor while the person is at the provider.
  await eve.page.route(`${issuer.url}/authorize**`, route => route.fulfill({ body: "Who are you?" }));
  await eve.button("Sign in").click();
  await eve.page.getByText("Who are you?").waitFor();
  const asked = issuer.granted.length + issuer.refused.length;
  await eve.page.goto(`${site.url}/?code=stolen&state=guessed`);
  await refuses(eve);
  assert.equal(issuer.granted.length + issuer.refused.length, asked, "the code is shown to the provider");
});

async function refuses(person) {
  await person.page.getByText("This sign-in was not begun in this window.").waitFor();
  assert.equal(await person.nav.count(), 0);
  assert.equal(await person.page.evaluate(() => location.search), "");
}
