// A page on connections that have died without a sign: nothing arrives over them, and they do not end.
import { Gate } from "../client/test/harness/faults.ts";
import { Proxy } from "../client/test/harness/proxy.ts";
import { Cast, DOWN, expect, suite } from "./fixtures.mjs";

const test = suite();
/** A person who looks again, or sends a message, sees everything within this time. */
const soon = { timeout: 5000 };

/** Opens a window of ann behind a network that can fail, and lets work use both. */
async function behind({ browser, server }, room, work) {
  await server.room(room, "ann", ["bob"]);
  await server.post("bob", room, "before");
  const network = await Proxy.to(server.url);
  const cast = new Cast(browser, { url: network.url });
  const ann = await cast.enter("ann", { room });
  ann.allow(DOWN);
  await ann.complete();
  await work(ann, network);
  await cast.close();
  await network.close();
}

/** Lets all connections die, so that requests over them hang. It returns a function that ends this for new requests. */
function die(network) {
  const gate = new Gate();
  network.links.forEach(l => l.halve());
  network.request = () => gate.passed;
  return () => { network.request = () => "pass"; };
}

test("a page that is looked at again shows within 5 seconds what it has missed", async ({ browser, server }) => {
  await behind({ browser, server }, "asleep", async (ann, network) => {
    const heal = die(network);
    await server.post("bob", "asleep", "while it slept");
    heal();
    await ann.page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await expect(ann.row("while it slept")).toBeVisible(soon);
    await expect(ann.page.getByRole("status").filter({ hasText: /Offline|Connecting/ })).toHaveCount(0);
  });
});

test("a message is sent within 5 seconds, once, and brings what others have written", async ({ browser, server }) => {
  await behind({ browser, server }, "dead", async (ann, network) => {
    const heal = die(network);
    await server.post("bob", "dead", "meanwhile");
    await ann.say("own");
    await expect.poll(() => network.posts("own").length, "it is on its way").toBe(1);
    heal();
    await expect(ann.row("own")).not.toHaveAttribute("data-status", /./, soon);
    await expect(ann.row("meanwhile")).toBeVisible(soon);
    await expect(ann.row("own")).toHaveCount(1);
  });
});
