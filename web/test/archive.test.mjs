// Reading a real archive back to its beginning: nothing is missing, and the line that is read stays.
import { expect, suite } from "./fixtures.mjs";
import { loadAtEnd, scroller } from "./probe.mjs";
import { importArchive, withoutArchives } from "./server.mjs";

const missing = withoutArchives();
/** More pages than the archive's room has at 50 messages a page. */
const MAX_PAGES = 40;
/** The bound of issue 9: a reader does not notice a pixel. */
const MAX_MOVE_PX = 1;

const test = suite({ prepare: data => importArchive("slack", data) });
test.skip(!!missing, missing || "");

test("an imported room is read back to its first message and forward to its last, in order and without a jump", async ({ cast, server }) => {
  const stored = (await server.messages("import", "general")).map(m => m.id);
  expect(stored.length, "the archive is small").toBeGreaterThan(300);
  const ann = await cast.enter("ann", { room: "general" });
  await ann.settled(); // the code that loads older messages is there
  const box = await scroller(ann);
  /** The loaded messages, except the room's line that says who joined it now. */
  const imported = async () => (await ann.ids()).filter(id => stored.includes(id));

  for (const [end, edge] of [["older", stored[0]], ["newer", stored.at(-1)]]) {
    const seen = new Set(await imported());
    let pages = 0;
    for (; pages < MAX_PAGES; pages++) {
      const ids = await imported();
      if ((end === "older" ? ids[0] : ids.at(-1)) === edge) break;
      const moved = await loadAtEnd(box, end);
      expect(moved, `the line that is read moved by ${moved} px when ${end} messages came`).toBeLessThanOrEqual(MAX_MOVE_PX);
      const loaded = await imported();
      const at = stored.indexOf(loaded[0]);
      expect(loaded, "the window is not a part of the room").toEqual(stored.slice(at, at + loaded.length));
      for (const id of loaded) seen.add(id);
    }
    expect(pages, `the ${end} end was not reached`).toBeLessThan(MAX_PAGES);
    if (end === "older") expect(seen.size).toBe(stored.length);
  }
});
