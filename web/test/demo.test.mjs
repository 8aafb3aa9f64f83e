// The demo, as a visitor finds it.
import { clean } from "./axe.mjs";
import { PHONE, calm, expect, suite } from "./fixtures.mjs";

const test = suite({ command: ["demo"] });
test.use(calm);

const unread = person => person.nav.getByRole("link", { name: /unread/ });

test("the demo opens where something waits for the visitor, and every room can be looked at", async ({ cast }) => {
  const mira = await cast.enter("mira");
  await mira.log.getByText("New messages", { exact: true }).waitFor();
  expect(await unread(mira).count(), "some rooms have something new").toBeGreaterThan(3);
  await clean(mira, "the demo");
  for (const room of await mira.nav.getByRole("link", { name: /^(Incidents|Releases|Kitchen|Kofi Mensah)/ }).all()) {
    await room.click();
    await mira.log.getByRole("article").last().waitFor();
    await clean(mira, await room.innerText());
  }
});

test("the second person is in the same rooms, on a phone too", async ({ cast }) => {
  const kofi = await cast.enter("kofi", { viewport: PHONE, hasTouch: true });
  await unread(kofi).first().waitFor();
  await clean(kofi, "the list of the second person");
});
