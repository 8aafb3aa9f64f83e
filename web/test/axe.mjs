// What axe finds in a window.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { expect } from "./fixtures.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** The themes with the rules that are checked in each: they differ in colors only. The night checks all rules in both. */
const THEMES = { light: {}, dark: process.env.NIGHTLY ? {} : { runOnly: ["color-contrast", "link-in-text-block"] } };
/** The contrast that WCAG asks for, which axe cannot always tell. */
const CONTRAST = 4.5;

/** Fails with what axe finds in the window, or in a part of it, in both themes. */
export async function clean(person, state, part = "html") {
  await person.page.evaluate(axe);
  for (const [colorScheme, rules] of Object.entries(THEMES)) {
    await person.page.emulateMedia({ colorScheme });
    await expect(async () => {
      await person.still();
      expect(await found(person.page, part, rules), `${state}, ${colorScheme}`).toEqual([]);
    }).toPass();
  }
}

async function found(page, part, rules) {
  const { violations, incomplete } = await page.evaluate(([within, options]) =>
    window.axe.run([...document.querySelectorAll(within)], options), [part, { resultTypes: ["violations", "incomplete"], ...rules }]);
  const faint = v => v.id === "color-contrast" && v.nodes.some(n => n.any.some(a => a.data?.contrastRatio && a.data.contrastRatio < CONTRAST));
  return [...violations, ...incomplete.filter(faint)]
    .map(v => `${v.id}: ${v.nodes.map(n => `${n.target.join(" ")} (${n.any[0]?.message ?? n.failureSummary})`).join("; ")}`);
}
