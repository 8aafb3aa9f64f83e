// Takes the picture in the README: the demo, in the light theme. It needs the fonts
// that CONTRIBUTING.md names. It fails if the picture is too large for a page that is read on a phone.
import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, suite } from "./fixtures.mjs";

const MAX_BYTES = 200_000;
const VIEW = { width: 1080, height: 700 };
/** Sharp on the screens of today, and within MAX_BYTES. */
const SCALE = 1.25;
const file = fileURLToPath(new URL("../../docs/page.png", import.meta.url));

const test = suite({ command: ["demo"] });

test("the picture in the README", async ({ cast }) => {
  const kofi = await cast.enter("kofi", { room: "general" });
  const mira = await cast.enter("mira", { room: "general", viewport: VIEW, deviceScaleFactor: SCALE, colorScheme: "light" });
  await mira.sees("a slide, in the sense of a playground");
  await mira.settled();
  await kofi.composer.pressSequentially("The other one");
  await mira.page.locator(".typing").getByText("Kofi").waitFor();
  await mira.still();
  await mira.page.screenshot({ path: file });
  const { size } = await stat(file);
  console.log(`${file}: ${size} bytes`);
  expect(size, "the picture is too large").toBeLessThanOrEqual(MAX_BYTES);
});
