// What axe finds in a window.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const THEMES = ["light", "dark"];
/** A frame or two: windows of these tests have reduced motion, so that nothing takes longer. */
export const SETTLE_MS = 60;
/** The contrast that WCAG asks for, which axe cannot always tell. */
const CONTRAST = 4.5;

/** Fails with what axe finds in the window, or in a part of it, in both themes. */
export async function clean(person, state, part = "html") {
  await person.page.evaluate(axe);
  for (const colorScheme of THEMES) {
    await person.page.emulateMedia({ colorScheme });
    await person.page.waitForTimeout(SETTLE_MS);
    const { violations, incomplete } = await person.page.evaluate(within =>
      window.axe.run([...document.querySelectorAll(within)], { resultTypes: ["violations", "incomplete"] }), part);
    const faint = v => v.id === "color-contrast" && v.nodes.some(n => n.any.some(a => a.data?.contrastRatio && a.data.contrastRatio < CONTRAST));
    const found = [...violations, ...incomplete.filter(faint)];
    assert.deepEqual(found.map(v => `${v.id}: ${v.nodes.map(n => `${n.target.join(" ")} (${n.any[0]?.message ?? n.failureSummary})`).join("; ")}`), [], `${state}, ${colorScheme}`);
  }
}
