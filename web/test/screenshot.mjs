// Takes the pictures in the README: the demo in both themes, and on a phone. It needs the fonts that
// CONTRIBUTING.md names. It fails if a picture is too large for a page that is read on a phone.
import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { PHONE, expect, suite } from "./fixtures.mjs";

const MAX_BYTES = 200_000;
/** Sharp on the screens of today, and within MAX_BYTES. */
const WIDE = { viewport: { width: 1080, height: 700 }, deviceScaleFactor: 1.25 };
const TALL = { viewport: PHONE, deviceScaleFactor: 2, hasTouch: true };
const PICTURES = { "page": { ...WIDE, colorScheme: "light" }, "page-dark": { ...WIDE, colorScheme: "dark" }, "phone": { ...TALL, colorScheme: "light" } };

const test = suite({ command: ["demo"] });

for (const [name, look] of Object.entries(PICTURES)) {
  test(name, async ({ cast }) => {
    const kofi = await cast.enter("kofi", { room: "general" });
    const mira = await cast.enter("mira", { room: "general", ...look });
    await mira.sees("a slide, in the sense of a playground");
    await mira.settled();
    await kofi.composer.pressSequentially("The other one");
    await mira.page.locator(".typing").getByText("Kofi").waitFor();
    await mira.still();
    const file = fileURLToPath(new URL(`../../docs/${name}.png`, import.meta.url));
    await mira.page.screenshot({ path: file });
    const { size } = await stat(file);
    console.log(`${file}: ${size} bytes`);
    expect(size, "the picture is too large").toBeLessThanOrEqual(MAX_BYTES);
  });
}
