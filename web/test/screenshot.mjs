// Takes the picture in the README: two people in a room, in the light theme. It needs the fonts that
// CONTRIBUTING.md names. It fails if the picture is too large for a page that is read on a phone.
import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, suite } from "./fixtures.mjs";

const MAX_BYTES = 200_000;
const VIEW = { width: 1080, height: 700 };
/** Sharp on the screens of today, and within MAX_BYTES. */
const SCALE = 1.4;
const file = fileURLToPath(new URL("../../docs/page.png", import.meta.url));

const people = { ann: "Ann Lindqvist", bob: "Bob Okafor", mei: "Mei Tanaka", sam: "Sam Ortiz" };

/** The talk in General. */
const talk = [
  ["mei", "The old archive is in: 12,574 messages, every one accounted for."],
  ["mei", "A second run adds nothing, so it is safe to try: `chat import slack export.zip`"],
  ["bob", "That was the last thing on my list. Who wants to press the button?"],
  ["ann", "Me. I tested it on the train this morning, tunnel included. What I wrote offline arrived once, in order."],
  ["ann", "Two things are left for the docs: https://example.com/checklist"],
  ["sam", "I will take the second one, *before lunch*."],
  ["bob", "And I the first. Ann, are you in at two?"],
  ["ann", "I am. Then we ship at two."],
  ["sam", "🎉"],
];

async function fill(server) {
  for (const [user, name] of Object.entries(people)) await server.api(user, "PUT", "/people/me", { name });
  const everybody = Object.keys(people);
  await server.room("design", "mei", ["ann"], { name: "Design", topic: "One accent, five greys" });
  await server.post("mei", "design", "The phone view has one pane now.");
  await server.room("seattle", "sam", ["ann", "bob"], { name: "Seattle", topic: "Rain and coffee" });
  await server.post("sam", "seattle", "Rain until Thursday, then rain");
  const direct = await server.api("mei", "POST", "/rooms", { direct: ["ann"] });
  await server.post("mei", direct.id, "Can you look at the colours?");
  await server.room("general", "bob", everybody.filter(u => u !== "bob"), { name: "General", topic: "Everything that has no room of its own" });
  let last;
  for (const [user, text] of talk) last = await server.post(user, "general", text);
  await expect.poll(async () => { // no line above new messages, once all of them are counted
    await server.api("ann", "PUT", "/rooms/general/read", { message: last.id });
    return (await server.api("ann", "GET", "/rooms/general")).me.unread;
  }, "the room is read").toBe(0);
}

const test = suite({ fill });

test("the picture in the README", async ({ cast }) => {
  const bob = await cast.enter("bob", { room: "general" });
  const ann = await cast.enter("ann", { room: "general", viewport: VIEW, deviceScaleFactor: SCALE, colorScheme: "light" });
  await ann.sees("🎉");
  await ann.settled();
  await bob.composer.pressSequentially("Two it is");
  await ann.page.locator(".typing").getByText("Bob").waitFor();
  await ann.still();
  await ann.page.screenshot({ path: file });
  const { size } = await stat(file);
  console.log(`${file}: ${size} bytes`);
  expect(size, "the picture is too large").toBeLessThanOrEqual(MAX_BYTES);
});
