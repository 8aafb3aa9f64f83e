// The theme and the density that a person chooses by hand.
import { clean } from "./axe.mjs";
import { DOWN, PHONE, Person, calm, expect, suite } from "./fixtures.mjs";

const test = suite({ fill: async server => {
  await server.room("looks", "ann", ["bob"]);
  for (const text of ["one", "two", "three"]) await server.post("bob", "looks", text);
} });
test.use(calm);

const looks = person => person.page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
const height = locator => locator.evaluate(e => e.getBoundingClientRect().height);

async function choose(person, setting, value) {
  await person.page.locator(".me").click();
  const group = person.page.getByRole("group", { name: setting });
  await group.getByRole("button", { name: value }).click();
  await expect(group.getByRole("button", { name: value })).toHaveAttribute("aria-pressed", "true");
}

test("a theme by hand holds in all tabs, and before the page's own code runs", async ({ cast, server }) => {
  const ann = await cast.enter("ann", { room: "looks", colorScheme: "light" });
  const page = await ann.page.context().newPage();
  const other = new Person("ann", page, server);
  await page.goto(`${server.url}/#as=ann`);
  await other.composer.waitFor();
  expect(await looks(ann)).toBe("light dark");
  await choose(ann, "Theme", "Dark");
  await expect.poll(() => looks(ann), "the page is dark").toBe("dark");
  await expect.poll(() => looks(other), "the other tab is dark").toBe("dark");
  await ann.page.keyboard.press("Escape");
  await clean(ann, "dark by hand");

  ann.allow(DOWN, /ERR_FAILED/);
  await ann.page.route("**/app.js", route => route.abort());
  await ann.page.reload();
  expect(await looks(ann), "the page would be painted in light first").toBe("dark");
  await ann.page.unroute("**/app.js");
  await ann.page.reload();
  await choose(ann, "Theme", "System");
  await expect.poll(() => looks(other), "the other tab follows the system").toBe("light dark");
});

test("the clock is that of the browser, or as it is chosen, and dates are in the page's language", async ({ cast }) => {
  const times = person => person.log.locator("time").first();
  for (const [locale, clock, day] of [["de-DE", /^\d\d:\d\d$/, /^\w+day,? \d+ \w+ \d{4}/], ["en-US", /^\d?\d:\d\d [AP]M$/, /^\w+day, \w+ \d+, \d{4}/]]) {
    const ann = await cast.enter("ann", { room: "looks", locale });
    await expect(times(ann)).toHaveText(clock);
    expect(await times(ann).getAttribute("title")).toMatch(day);
    await choose(ann, "Clock", "12 hours");
    await expect(times(ann)).toHaveText(/ [AP]M$/i);
    await ann.page.getByRole("group", { name: "Clock" }).getByRole("button", { name: "24 hours" }).click();
    await expect(times(ann)).toHaveText(/^\d\d:\d\d$/);
  }
});

test("a compact page shows more rooms and messages, and keeps targets for fingers", async ({ cast }) => {
  const ann = await cast.enter("ann", { room: "looks" });
  const sizes = async () => [await height(ann.row("two")), await height(ann.link("looks"))];
  const [row, link] = await sizes();
  await choose(ann, "Density", "Compact");
  await expect.poll(async () => (await sizes())[0], "a message is lower").toBeLessThan(row);
  expect((await sizes())[1], "a room is lower").toBeLessThan(link);
  await ann.page.keyboard.press("Escape");
  await clean(ann, "compact");

  const bob = await cast.enter("bob", { room: "looks", viewport: PHONE, hasTouch: true, isMobile: true });
  await bob.page.getByRole("button", { name: /^Back to rooms/ }).click();
  const before = await height(bob.link("looks"));
  await choose(bob, "Density", "Compact");
  await bob.page.keyboard.press("Escape");
  expect(await height(bob.link("looks")), "a finger needs 44 pixels").toBe(before);
  expect(before).toBeGreaterThanOrEqual(44);
});
