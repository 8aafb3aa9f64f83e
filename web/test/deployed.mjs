// The page on a host of its own, as the stack deploys it: an API of another origin, and a provider that signs
// everybody in as grace.
import { Cast, expect, suite } from "./fixtures.mjs";
import { Issuer, host } from "./issuer.mjs";
import { Server } from "./server.mjs";

export const test = suite().extend({
  issuer: [async ({}, use) => {
    const issuer = await Issuer.start();
    await use(issuer);
    await issuer.close();
  }, { scope: "worker" }],
  site: [async ({ issuer }, use) => {
    const site = await host();
    issuer.page = site.url;
    const server = await Server.start({ flags: ["--issuer", issuer.url, "--audience", "api", "--origin", site.url] });
    site.api = async (user, method, path, body) => {
      const headers = { Authorization: `Bearer ${issuer.accessToken(user)}`, "Content-Type": "application/json" };
      const answer = await fetch(server.url + path, { method, body: JSON.stringify(body), headers });
      expect(answer.ok, `${method} ${path} as ${user}: ${answer.status}`).toBe(true);
      const text = await answer.text();
      return text && JSON.parse(text);
    };
    for (const room of ["lobby", "attic"]) await site.api("grace", "PUT", `/rooms/${room}`, { name: room }); // a page without a route shows the newest
    const socket = server.url.replace("http:", "ws:");
    site.config = {
      api: server.url, socket: `${socket}/ws`, docs: `${server.url}/docs`,
      signIn: { kind: "oidc", authorize: `${issuer.url}/authorize`, token: `${issuer.url}/token`, logout: `${issuer.url}/logout`, revoke: `${issuer.url}/revoke`, client: issuer.client, scope: "openid" },
    };
    // The policies of internal/config, with the hosts of the test. The stack's headers cannot name its API.
    site.connect = `connect-src 'self' ${server.url} ${socket} ${issuer.url}`;
    site.policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self' http://127.0.0.1:* ${socket} ${issuer.url}; media-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
    await use(site);
    await server.close();
    await site.close();
  }, { scope: "worker" }],
  cast: async ({ browser, site }, use) => {
    const cast = new Cast(browser, site);
    await use(cast);
    await cast.close();
  },
});
