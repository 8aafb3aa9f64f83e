// Reading a real archive back to its beginning: nothing is missing, and the line that is read stays.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Cast, PATIENCE_MS, launch } from "./harness.mjs";
import { loadAtEnd, scroller } from "./probe.mjs";
import { Server, importArchive, withoutArchives } from "./server.mjs";

const skip = withoutArchives();
/** More pages than the archive's room has at 50 messages a page. */
const MAX_PAGES = 40;
/** The bound of issue 9: a reader does not notice a pixel. */
const MAX_MOVE_PX = 1;

let browser, server;
before(async () => {
  if (skip) return;
  [browser, server] = await Promise.all([launch(), Server.start({ prepare: data => importArchive("slack", data) })]);
});
after(async () => { await browser?.close(); await server?.close(); });

test("an imported room is read back to its first message and forward to its last, in order and without a jump", { skip }, async () => {
  const stored = (await server.messages("import", "general")).map(m => m.id);
  assert.ok(stored.length > 300, "the archive is small");
  const cast = new Cast(browser, server);
  const ann = await cast.enter("ann", { room: "general" });
  await ann.log.getByRole("article").first().waitFor();
  const box = await scroller(ann);

  for (const [end, edge] of [["older", stored[0]], ["newer", stored.at(-1)]]) {
    const seen = new Set(await ann.ids());
    let pages = 0;
    for (; pages < MAX_PAGES; pages++) {
      const ids = await ann.ids();
      if ((end === "older" ? ids[0] : ids.at(-1)) === edge) break;
      const moved = await loadAtEnd(box, end, PATIENCE_MS);
      assert.notEqual(moved, null, `nothing ${end} was loaded after ${seen.size} messages`);
      assert.ok(moved <= MAX_MOVE_PX, `the line that is read moved by ${moved} px when ${end} messages came`);
      const loaded = await ann.ids();
      const at = stored.indexOf(loaded[0]);
      assert.deepEqual(loaded, stored.slice(at, at + loaded.length), "the window is not a part of the room");
      for (const id of loaded) seen.add(id);
    }
    assert.ok(pages < MAX_PAGES, `the ${end} end was not reached`);
    if (end === "older") assert.equal(seen.size, stored.length);
  }
  await cast.close();
});
