// What people write: markup, mentions, drafts, aids of the field, files and emoji.
import { clean } from "./axe.mjs";
import { PHONE, calm, expect, suite } from "./fixtures.mjs";

const test = suite();
test.use(calm);

const size = locator => locator.evaluate(e => parseFloat(getComputedStyle(e).fontSize));

test.describe("markup", () => {
  test("lists, quotes, links with a text and strikes are shown as such", async ({ cast }) => {
    const [ann, bob] = await cast.pair("format");
    await ann.composer.fill("for today\n- **tea**\n  1. green\n- ~~milk~~\n> as [the plan](https://plan.example/x) says\n[bank.example](https://evil.example/)");
    await ann.composer.press("Enter");
    const row = bob.row("for today");
    await expect(row.getByRole("listitem").filter({ hasText: "milk" }).getByRole("deletion")).toHaveText("milk");
    await expect(row.getByRole("list").getByRole("list").getByRole("listitem")).toHaveText("green");
    await expect(row.getByRole("blockquote")).toHaveText("as the plan says");
    await expect(row.getByRole("link", { name: "the plan" })).toHaveAttribute("title", "https://plan.example/x");
    await expect(row.getByRole("link").last(), "an address in disguise shows the real one").toHaveText("https://evil.example/");
    await clean(bob, "lists and quotes", ".log");
  });

  test("code scrolls sideways, names its language and is copied", async ({ cast, server }) => {
    await server.room("source", "ann", ["bob"]);
    const code = `func main() {\n\tfmt.Println("${"a long word ".repeat(20)}")\n}`;
    await server.post("bob", "source", `\`\`\`go\n${code}\n\`\`\``);
    const ann = await cast.enter("ann", { room: "source", viewport: PHONE, permissions: ["clipboard-write"] });
    const row = ann.row("func main");
    await expect(row.getByText("go", { exact: true })).toBeVisible();
    expect(await row.locator("pre").evaluate(e => e.scrollWidth > e.clientWidth && e.clientHeight < 120), "lines wrap").toBe(true);
    await row.getByRole("button", { name: "Copy code" }).click();
    await ann.page.getByText("Code copied.").waitFor();
    await ann.composer.press("Control+v");
    await expect(ann.composer).toHaveValue(code);
    await clean(ann, "code", ".log");
  });

  test("one to three emoji are large alike", async ({ cast, server }) => {
    await server.room("faces", "ann", ["bob"]);
    for (const text of ["🎉", "🙌🏽🙌🏽🙌🏽", "🎉🎉🎉🎉"]) await server.post("bob", "faces", text);
    const ann = await cast.enter("ann", { room: "faces" });
    const sizes = [];
    for (const row of await ann.log.getByRole("article").locator(".text").all()) sizes.push(await size(row));
    expect(sizes).toEqual([sizes[0], sizes[0], sizes[2]]);
    expect(sizes[0]).toBeGreaterThan(1.5 * sizes[2]);
  });
});
