// A suspended person sees the reason, and their page makes no more requests.
import { DOWN, REFUSED, expect, suite } from "./fixtures.mjs";

/** Longer than any pause of the client before it asks again. */
const LONG_MS = 30 * 60_000;

const test = suite({ fill: server => server.room("seattle", "ann", ["mallory"]) });

test("a suspended person sees it, makes no requests, and comes back when it ends", async ({ cast, server }) => {
  const ann = await cast.enter("ann", { room: "seattle" });
  const mallory = await cast.enter("mallory", { room: "seattle", prepare: page => page.clock.install() });
  await mallory.post("before");
  await mallory.complete();
  mallory.allow(REFUSED, DOWN);
  await server.suspend("mallory");
  await told(mallory);
  await ann.post("meanwhile");

  // Signing in again is refused in the same words.
  await mallory.button("Sign in again").click();
  await mallory.page.getByRole("combobox", { name: "Your name" }).fill("mallory");
  await mallory.button("Sign in").click();
  await told(mallory);
  await ann.sees("before");

  await server.suspend("mallory", "--end");
  // A process uses what it has read of an account for four seconds.
  const answers = () => server.api("mallory", "GET", "/people/me/rooms").then(() => true, () => false);
  await expect.poll(answers, "the suspension has ended").toBe(true);
  await mallory.button("Sign in again").click();
  await mallory.page.getByRole("combobox", { name: "Your name" }).fill("mallory");
  await mallory.button("Sign in").click();
  await mallory.nav.waitFor();
  await mallory.go("seattle");
  await mallory.sees("meanwhile");
  await mallory.post("after");
});

/** Waits for the words, and then for requests by the page's clock, of which there must be none. */
async function told(person) {
  await person.page.getByRole("heading", { name: "Your account is suspended" }).waitFor();
  await person.page.getByText("Ask those who run this chat.").waitFor();
  await expect(person.nav, "rooms are shown").toHaveCount(0);
  const asked = [];
  const note = what => asked.push(what.url());
  for (const kind of ["request", "websocket"]) person.page.on(kind, note);
  await person.page.clock.runFor(LONG_MS);
  await person.still();
  for (const kind of ["request", "websocket"]) person.page.off(kind, note);
  expect(asked, "a suspended person's page asks on").toEqual([]);
}
