// What a suspended person sees, and that their page asks for nothing more.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { Cast, DOWN, REFUSED, launch, until } from "./harness.mjs";
import { Server } from "./server.mjs";

/** Longer than a client waits at most before it tries a lost connection again. */
const quiet = 4000;

let browser, server, cast;
before(async () => {
  [browser, server] = await Promise.all([launch(), Server.start()]);
  await server.room("seattle", "ann", ["mallory"]);
});
after(async () => { await browser?.close(); await server?.close(); });
beforeEach(() => { cast = new Cast(browser, server); });
afterEach(context => cast.close(context));

test("a suspended person is told so, is left alone, and comes back when it ends", async () => {
  const [ann, mallory] = await Promise.all(["ann", "mallory"].map(name => cast.enter(name, { room: "seattle" })));
  await mallory.post("before");
  mallory.expect(REFUSED);
  mallory.expect(DOWN);
  await server.suspend("mallory");
  await told(mallory);
  await ann.post("meanwhile");

  // Signing in again is refused in the same words.
  await mallory.button("Sign in again").click();
  await mallory.page.getByRole("textbox", { name: "Your name" }).fill("mallory");
  await mallory.button("Sign in").click();
  await told(mallory);
  await ann.sees("before");

  await server.suspend("mallory", "--end");
  // A process uses what it has read of an account for four seconds.
  await until(() => server.api("mallory", "GET", "/people/me/rooms").then(() => true, () => false), "the suspension has ended");
  await mallory.button("Sign in again").click();
  await mallory.page.getByRole("textbox", { name: "Your name" }).fill("mallory");
  await mallory.button("Sign in").click();
  await mallory.nav.waitFor();
  await mallory.go("seattle");
  await mallory.sees("meanwhile");
  await mallory.post("after");
});

/** Waits for the words, and then for requests, of which there must be none. */
async function told(person) {
  await person.page.getByRole("heading", { name: "Your account is suspended" }).waitFor();
  await person.page.getByText("Ask those who run this chat.").waitFor();
  assert.equal(await person.nav.count(), 0, "rooms are shown");
  const asked = [];
  const note = what => asked.push(what.url());
  person.page.on("request", note);
  person.page.on("websocket", note);
  await new Promise(resolve => setTimeout(resolve, quiet));
  person.page.off("request", note);
  person.page.off("websocket", note);
  assert.deepEqual(asked, [], "a suspended person's page asks on");
}
