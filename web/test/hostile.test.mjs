// Texts of people that look like markup or a script: the page shows them as they are.
import { calm, expect, suite } from "./fixtures.mjs";

const test = suite();
test.use(calm);

/** Markup that would leave an element, and a mark in the window if its script ran. */
const markup = what => `<img src=x id=planted onerror="planted=1">${what}<script>planted=1</script>`;

/** Texts that would be links to scripts if every address were one. */
const links = ["javascript:window.planted=1//example.com", "data:text/html,<script>1</script>", "[open](javascript:window.planted=1)"];

test.describe("a person who writes markup", () => {
  test("the texts show as they are, and none of them runs", async ({ cast, server }) => {
    await server.room("traps", "mallory", ["ann"], { name: markup("Room"), topic: markup("topic") });
    await server.api("mallory", "PUT", "/people/me", { name: markup("Mallory"), avatar: "https://pictures.example/a.png" });
    for (const text of [markup("text"), `\`\`\`\n${markup("code")}\n\`\`\``, `**${markup("strong")}**`, ...links]) await server.post("mallory", "traps", text);
    await server.api("mallory", "PUT", "/rooms/traps/documents/trap", { title: markup("document") });

    const ann = await cast.enter("ann", { room: "traps" });
    ann.allow(/pictures\.example/); // which no test can reach
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
