// The page of the operations, which the API serves.
import { clean } from "./axe.mjs";
import { PHONE, expect, suite } from "./fixtures.mjs";

const test = suite();

test("the page of the operations finds them, leads to each, and has its example and the pages of problems", async ({ browser, server }) => {
  const page = await browser.newPage({ viewport: PHONE });
  const faults = [];
  page.on("console", m => faults.push(m.text()));
  await page.goto(`${server.url}/docs#post-message`);
  const operation = page.locator("#post-message");
  await expect(operation, "a link opens its operation").toHaveAttribute("open", "");
  await expect(operation).toBeInViewport();
  await expect(operation.locator("pre").first()).toContainText(`curl -sS -X POST "${server.url}/rooms/`);
  await expect(operation.locator("pre").last()).toContainText('"sentAt": "');
  await clean({ page, still: () => {} }, "operations");
  expect(await page.evaluate(() => document.documentElement.scrollWidth), "it is as wide as the screen").toBe(PHONE.width);

  const shown = page.locator("details:visible");
  const all = await shown.count();
  await page.getByRole("searchbox").fill("rooms messages edit");
  await expect(page.locator("#patch-message")).toBeVisible();
  expect(await shown.count(), "the filter hides the others").toBeLessThan(all);
  await page.getByRole("searchbox").fill("");
  expect(await page.locator("details").evaluateAll(list => list.filter(d => !d.querySelector("pre")).map(d => d.id)), "operations without an example").toEqual([]);

  await page.getByRole("link", { name: "/problems/clock-skew" }).click();
  await page.getByRole("link", { name: "All operations" }).click();
  await page.getByRole("heading", { name: "Parley API" }).waitFor();
  expect(faults).toEqual([]);
  await page.close();
});
