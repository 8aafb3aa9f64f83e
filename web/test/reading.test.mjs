// Reading: what is shown of a room's messages, what is done with them, and how one moves among them.
import { clean } from "./axe.mjs";
import { PHONE, WIDE, calm, expect, suite } from "./fixtures.mjs";

const test = suite();
test.use(calm);

const TABLET = { width: 900, height: 860 };
/** More than a window shows, so that it scrolls. */
const MANY = 40;
/** A scrollbar is beside the messages only. */
const SCROLLBAR_PX = 16;

const edges = locator => locator.evaluate(e => { const r = e.getBoundingClientRect(); return { left: r.left, right: r.right, width: r.width, bottom: r.bottom }; });

test.describe("the look of a room", () => {
  test("the day covers no part of a text, wherever one scrolls", async ({ cast, server }) => {
    await server.room("days", "ann", ["bob"]);
    for (let n = 0; n < MANY; n++) await server.post("bob", "days", `line ${n} ${"of many words ".repeat(30)}`);
    await server.api("ann", "PUT", "/rooms/days/read", { message: (await server.messages("ann", "days")).at(-1).id });
    const ann = await cast.enter("ann", { room: "days" });
    await ann.settled();
    for (let step = 0; step < 8; step++) {
      await ann.log.evaluate(log => { log.scrollTop -= 90; });
      await ann.still();
      const covered = await ann.log.evaluate(log => {
        const label = [...log.querySelectorAll(".day")].map(d => d.getBoundingClientRect()).find(r => r.bottom > log.getBoundingClientRect().top);
        const points = [];
        // What is beside the label at its height must not be text: a label in a strip of its own covers whole lines.
        for (let x = label.left + 8; x < label.right - 8; x += 16) {
          const hit = document.elementsFromPoint(x, label.top + label.height / 2)[0];
          if (hit.closest("article")) points.push(x);
        }
        return points;
      });
      expect(covered, `text is around the day after ${step} steps`).toEqual([]);
    }
  });

  test("text, composer and header share one column", async ({ cast, server }) => {
    await server.room("column", "ann");
    await server.post("ann", "column", "many words ".repeat(80));
    const ann = await cast.enter("ann", { room: "column", viewport: { width: 1600, height: 860 } });
    await ann.settled();
    const text = await edges(ann.row("many words").locator(".main"));
    const form = await edges(ann.page.locator("form.composer"));
    const icons = await edges(ann.page.locator(".head .icons"));
    expect(Math.abs(text.right - form.right), `the text ends at ${text.right}, the composer at ${form.right}`).toBeLessThanOrEqual(SCROLLBAR_PX);
    expect(Math.abs(icons.right - form.right), `the header ends at ${icons.right}, the composer at ${form.right}`).toBeLessThanOrEqual(SCROLLBAR_PX);
    expect(form.width).toBeLessThanOrEqual(760);
  });

  test("a reply shown in the room says so with an icon, and a thread shows who replied", async ({ cast, server }) => {
    await server.room("threads", "ann", ["bob"]);
    const { id } = await server.post("ann", "threads", "a question");
    await server.post("bob", "threads", "an answer", { thread: id, showInRoom: true });
    const ann = await cast.enter("ann", { room: "threads" });
    const shown = ann.row("an answer").getByRole("button", { name: "In a thread" });
    await shown.waitFor();
    await expect(shown.locator("svg")).toHaveCount(1);
    const replies = ann.row("a question").getByRole("button", { name: /^1 reply, last / });
    await expect(replies.locator(".face")).toHaveText("B");
    await expect(replies, "it is no part of the text").toHaveCSS("border-top-style", "solid");
    await clean(ann, "thread links");
    await shown.click();
    await expect(ann.panel.getByRole("article")).toHaveCount(2);
  });

  test("on a tablet a panel has a scrim, which closes it", async ({ cast, server }) => {
    await server.room("tablet", "ann", ["bob"]);
    const ann = await cast.enter("ann", { room: "tablet", viewport: TABLET });
    await ann.button("People").click();
    await ann.panel.getByRole("heading", { name: "People" }).waitFor();
    await clean(ann, "a panel on a tablet");
    await ann.page.mouse.click(TABLET.width / 2 - 100, TABLET.height / 2);
    await expect(ann.panel).toHaveCount(0);
    await ann.focusIs("People");
  });

  test("on a phone the actions are a sheet with emoji in its first row, and Back closes it", async ({ cast, server }) => {
    await server.room("sheet", "ann", ["bob"]);
    await server.post("bob", "sheet", "who comes?");
    const ann = await cast.enter("ann", { room: "sheet", viewport: PHONE, hasTouch: true });
    await ann.menu(ann.row("who comes?"));
    const menu = ann.page.getByRole("menu");
    await menu.waitFor();
    const at = await edges(menu);
    expect([at.left, at.width, at.bottom], "the sheet is at the lower edge").toEqual([0, PHONE.width, PHONE.height]);
    await clean(ann, "a sheet");
    await ann.page.goBack();
    await expect(menu).toHaveCount(0);
    await ann.menu(ann.row("who comes?"));
    await ann.page.touchscreen.tap(PHONE.width / 2, 20);
    await expect(menu, "a tap outside closes it").toHaveCount(0);
    await ann.menu(ann.row("who comes?"), "React with 👍");
    await ann.row("who comes?").getByRole("button", { name: "👍 1" }).waitFor();
  });

  test("the emoji that were chosen last are one click away", async ({ cast, server }) => {
    await server.room("quick", "ann", ["bob"]);
    await server.post("bob", "quick", "shipped");
    const ann = await cast.enter("ann", { room: "quick", viewport: WIDE });
    await ann.act("shipped", "React");
    await ann.page.getByRole("combobox", { name: "Find an emoji" }).pressSequentially("party");
    await ann.page.keyboard.press("Enter");
    await ann.row("shipped").getByRole("button", { name: "🎉 1" }).click();
    await expect(ann.row("shipped").getByRole("button", { name: "🎉 1" })).toHaveCount(0);
    await ann.row("shipped").hover();
    await ann.row("shipped").getByRole("button", { name: "React with 🎉" }).click();
    await ann.row("shipped").getByRole("button", { name: "🎉 1" }).waitFor();
  });
});
