// Texts of people that look like markup or a script: the page shows them as they are.
import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { Cast, launch } from "./harness.mjs";
import { Server } from "./server.mjs";

let browser, server, cast;
before(async () => { [browser, server] = await Promise.all([launch(), Server.start()]); });
after(async () => { await browser?.close(); await server?.close(); });
beforeEach(() => { cast = new Cast(browser, server, { reducedMotion: "reduce" }); });
afterEach(context => cast.close(context));

/** Markup that would leave an element, and a mark in the window if its script ran. */
const markup = what => `<img src=x id=planted onerror="planted=1">${what}<script>planted=1</script>`;

/** Texts that would be links to scripts if every address were one. */
const links = ["javascript:window.planted=1//example.com", "data:text/html,<script>1</script>", "[open](javascript:window.planted=1)"];

describe("a person who writes markup", () => {
  test("the texts show as they are, and none of them runs", async () => {
    await server.room("traps", "mallory", ["ann"], { name: markup("Room"), topic: markup("topic") });
    await server.api("mallory", "PUT", "/people/me", { name: markup("Mallory"), avatar: "https://pictures.example/a.png" });
    for (const text of [markup("text"), `\`\`\`\n${markup("code")}\n\`\`\``, `**${markup("strong")}**`, ...links]) await server.post("mallory", "traps", text);
    await server.api("mallory", "PUT", "/rooms/traps/documents/trap", { title: markup("document") });

    const ann = await cast.enter("ann", { room: "traps" });
    ann.expect(/pictures\.example/); // which no test can reach
    for (const what of ["text", "code", "strong"]) await ann.sees(markup(what));
    await ann.page.getByRole("heading", { name: markup("Room") }).first().waitFor();
    assert.ok((await ann.log.textContent()).includes(markup("Mallory")), "the name shows as it is");
    for (const panel of ["People", "Documents"]) {
      await ann.button(panel).click();
      await ann.page.getByText(markup(panel === "People" ? "Mallory" : "document")).first().waitFor();
    }

    assert.equal(await ann.page.locator("#planted").count(), 0, "a text became an element");
    assert.equal(await ann.page.evaluate(() => window.planted), undefined, "a text ran as a script");
    const targets = await ann.page.locator("a").evaluateAll(all => all.map(a => a.protocol));
    assert.deepEqual(targets.filter(protocol => !/^https?:$/.test(protocol)), [], "a link leads elsewhere than to a page");
  });
});
