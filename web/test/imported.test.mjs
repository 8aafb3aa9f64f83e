// A small export of a team, imported: its threads, broadcasts, bots, edits and reactions show on the page.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { Cast, launch } from "./harness.mjs";
import { Server, importTeam } from "./server.mjs";

let browser, server, cast;
before(async () => {
  [browser, server] = await Promise.all([launch(), Server.start({ prepare: importTeam })]);
});
after(async () => { await browser?.close(); await server?.close(); });
beforeEach(() => { cast = new Cast(browser, server, { reducedMotion: "reduce" }); });
afterEach(context => cast.close(context));

describe("an imported team", () => {
  test("the page shows its threads, broadcasts, bots, edits and reactions", async () => {
    const reader = await cast.enter("reader", { room: "general" });
    reader.expect(/pictures\.example/); // the address of a picture in the export, which no test can reach
    const root = reader.row("Lunch at noon?");
    await root.getByText("edited").waitFor();
    await root.getByRole("button", { name: "👍 2", exact: true }).waitFor();
    await reader.sees("The place is full, let us go at one");
    await reader.sees("Deployed <main> to");
    await reader.log.getByRole("article", { name: /^Deploy Hook, / }).first().waitFor();
    assert.equal(await reader.row("Yes, @").count(), 0, "a reply of the thread alone is not in the room");
    await root.getByRole("button", { name: /^[0-9]+ replies/ }).click();
    const thread = reader.page.getByRole("complementary", { name: /^Thread in / });
    for (const text of ["Yes, @", "The place is full", "one more for lunch"]) {
      await thread.getByRole("article").filter({ hasText: text }).waitFor();
    }
  });
});
