// A small export of a team, imported: its threads, broadcasts, bots, edits and reactions show on the page.
import { calm, expect, suite } from "./fixtures.mjs";
import { clean } from "./axe.mjs";
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
    await reader.log.getByRole("article", { name: /^Deploy Hook\b/ }).first().waitFor();
    await expect(reader.row("Yes, @"), "a reply that only the thread lists is not in the room").toHaveCount(0);
    await root.getByRole("button", { name: /^[0-9]+ replies/ }).click();
    const thread = reader.page.getByRole("complementary", { name: /^Thread in / });
    for (const text of ["Yes, @", "The place is full", "one more for lunch"]) {
      await thread.getByRole("article").filter({ hasText: text }).waitFor();
    }
  });

  test("texts show labels of links, bold words, emoji, names and files", async ({ cast }) => {
    const reader = await cast.enter("reader", { room: "general" });
    reader.allow(/pictures\.example/);
    const link = (row, name) => row.getByRole("link", { name, exact: true });
    await expect(link(reader.row("Deployed <main> to"), "app")).toHaveAttribute("href", "https://app.example/");
    await expect(link(reader.row("Two pictures"), "📎 Menu")).toHaveAttribute("href", "https://files.example/T1-F1/menu.png?v=2");
    await reader.row("Two pictures").getByRole("link", { name: "📎 bill.pdf" }).waitFor();
    await reader.row("Two pictures").locator("strong", { hasText: "Two" }).waitFor();
    await reader.sees("see the docs 👍");
  });

  test("a person signs in as somebody who was imported", async ({ cast }) => {
    const ada = await cast.window("ada");
    ada.allow(/pictures\.example/);
    await ada.page.getByRole("button", { name: /^Ada Lovelace / }).click();
    await ada.link("general").waitFor();
  });

  test("a person signs in by their name and has their rooms and messages", async ({ cast }) => {
    const ada = await cast.window("ada");
    ada.allow(/pictures\.example/);
    const name = ada.page.getByRole("combobox", { name: "Your name" });
    await ada.page.getByRole("button", { name: /^Ada Lovelace [1-9][0-9]* messages$/ }).waitFor();
    await clean(ada, "sign-in with people of the import");
    await name.fill("lov");
    await expect(ada.page.locator("datalist option")).toHaveCount(1);
    await expect(ada.page.locator("datalist option"), "the beginning of a word finds her").toHaveAttribute("value", "Ada Lovelace");
    await clean(ada, "sign-in with suggestions");
    await name.fill("Ada Lovelace");
    await name.press("Enter");
    await ada.nav.getByRole("button", { name: "Archived" }).click();
    await ada.link("dev").waitFor();
    await ada.go("general");
    await ada.act("Lunch at noon?", "Edit");
    await ada.page.keyboard.press("Escape");
  });

  test("somebody new signs in by a new name and sees an imported room", async ({ cast }) => {
    const grace = await cast.window("grace");
    grace.allow(/pictures\.example/);
    await grace.page.getByRole("combobox", { name: "Your name" }).fill("Grace Hopper");
    await grace.page.keyboard.press("Enter");
    await grace.sees("Two pictures");
  });
});
