// A small export of a team, imported: its threads, broadcasts, bots, edits and reactions show on the page.
import { calm, expect, suite } from "./fixtures.mjs";
import { importTeam } from "./server.mjs";

const test = suite({ prepare: importTeam });
test.use(calm);

test.describe("an imported team", () => {
  test("the page shows its threads, broadcasts, bots, edits and reactions", async ({ cast }) => {
    const reader = await cast.enter("reader", { room: "general" });
    reader.allow(/pictures\.example/); // the address of a picture in the export, which no test can reach
    const root = reader.row("Lunch at noon?");
    await root.getByText("edited").waitFor();
    await root.getByRole("button", { name: "👍 2", exact: true }).waitFor();
    await reader.sees("The place is full, let us go at one");
    await reader.sees("Deployed <main> to");
    await reader.log.getByRole("article", { name: /^Deploy Hook, / }).first().waitFor();
    await expect(reader.row("Yes, @"), "a reply of the thread alone is not in the room").toHaveCount(0);
    await root.getByRole("button", { name: /^[0-9]+ replies/ }).click();
    const thread = reader.page.getByRole("complementary", { name: /^Thread in / });
    for (const text of ["Yes, @", "The place is full", "one more for lunch"]) {
      await thread.getByRole("article").filter({ hasText: text }).waitFor();
    }
  });
});
