// What people do that the server does not have yet, or has refused.
import { clean } from "./axe.mjs";
import { DOWN, Person, calm, expect, suite } from "./fixtures.mjs";

const test = suite();
test.use(calm);

const failure = person => person.log.getByRole("alert");
const textOf = async (server, user, room, id) => (await server.api(user, "GET", `/rooms/${room}/messages/${encodeURIComponent(id)}`)).text;

/** Opens a window without a network, which has the code that it needs. */
async function offline(person) {
  person.allow(DOWN);
  await person.complete();
  await person.page.context().setOffline(true);
  await person.page.getByText("Offline. Messages will be sent").waitFor();
}

test("a message that was refused is marked in the list and in the title, and can be taken back", async ({ cast, server }) => {
  const [ann] = await cast.pair("refusals");
  await server.room("another", "ann", ["bob"]);
  await ann.link("another").waitFor();
  await ann.refuse("**/rooms/refusals/messages", 403, "You are muted.", "POST");
  await ann.say("first try");
  await ann.say("second try");
  await failure(ann).first().getByText("Not sent. You are muted.").waitFor();
  await expect(ann.link("refusals"), "the list counts both").toContainText("2 Not sent");
  await expect(ann.page, "so does the title").toHaveTitle(/^2 not sent · /);
  await clean(ann, "messages that were refused");
  await ann.row("first try").getByRole("button", { name: "Take back" }).click();
  await expect(ann.composer, "the text is in the field again").toHaveValue("first try");
  await expect(ann.composer).toBeFocused();
  await expect(ann.row("first try")).toHaveCount(0);
  await expect(ann.page).toHaveTitle(/^1 not sent · /);
  await ann.page.unroute("**/rooms/refusals/messages");
  await ann.row("second try").getByRole("button", { name: "Try again" }).click();
  await ann.sent("second try");
  await expect(ann.link("refusals")).not.toContainText("Not sent");
  await expect(ann.page).not.toHaveTitle(/not sent/);
});

test("a message that is refused while another room is shown is told there", async ({ cast, server }) => {
  const [ann] = await cast.pair("behind");
  await server.room("front", "ann", ["bob"]);
  await ann.link("front").waitFor();
  let open = () => {};
  const held = new Promise(done => { open = done; });
  await ann.refuse("**/rooms/behind/messages", 403, "You are muted.", "POST");
  await ann.page.route("**/rooms/behind/messages", async route => { await held; await route.fallback(); });
  await ann.say("too late");
  await ann.go("front");
  open();
  await ann.page.getByRole("status").getByText("Not sent in behind.").waitFor();
});

test("an edit that another device has overtaken asks which text stays", async ({ cast, server }) => {
  const [ann] = await cast.pair("twice");
  const id = await ann.post("a plan");
  const edit = async text => {
    await ann.row(/plan/).first().hover();
    await ann.composer.focus();
    await ann.page.keyboard.press("ArrowUp");
    await ann.page.getByRole("textbox", { name: "Edit message" }).fill(text);
    await ann.page.keyboard.press("Enter");
  };
  ann.allow(/status of 412/);
  await offline(ann);
  await edit("my plan");
  await ann.sees("my plan");
  await server.api("ann", "PATCH", `/rooms/twice/messages/${encodeURIComponent(id)}`, { text: "the other plan" });
  await ann.page.context().setOffline(false);
  await failure(ann).getByText("Not saved. The message was edited elsewhere since.").waitFor();
  await ann.sees("the other plan");
  await failure(ann).getByText("Yours: my plan").waitFor();
  await clean(ann, "an edit that was overtaken");
  await ann.button("Save yours").click();
  await expect.poll(() => textOf(server, "ann", "twice", id), "it is saved").toBe("my plan");
  await expect(failure(ann)).toHaveCount(0);
  await ann.page.context().setOffline(true);
  await ann.page.getByText("Offline. Messages will be sent").waitFor();
  await edit("my next plan");
  await server.api("ann", "PATCH", `/rooms/twice/messages/${encodeURIComponent(id)}`, { text: "the next other plan" });
  await ann.page.context().setOffline(false);
  await ann.button("Keep theirs").click();
  await expect(failure(ann)).toHaveCount(0);
  await ann.sees("the next other plan");
  expect(await textOf(server, "ann", "twice", id), "theirs stays").toBe("the next other plan");
});

test("a message that waits for the network can be taken back", async ({ cast, server }) => {
  const [ann] = await cast.pair("waits");
  await offline(ann);
  await ann.say("not now");
  await ann.row("not now").getByRole("button", { name: "Take back" }).click();
  await expect(ann.composer).toHaveValue("not now");
  await ann.composer.fill("");
  await ann.page.context().setOffline(false);
  await ann.post("now");
  expect((await server.messages("ann", "waits")).map(m => m.text)).toEqual(["now"]);
});

test("what one window does shows in the other, and is sent once", async ({ cast, server }) => {
  const [ann, bob] = await cast.pair("windows");
  await bob.post("see");
  const other = new Person("ann", await ann.page.context().newPage(), server);
  await other.watch();
  other.allow(DOWN);
  await other.page.goto(`${server.url}/#as=ann`);
  await other.go("windows");
  await other.sees("see");
  await other.complete();
  const posts = [];
  ann.page.context().on("request", r => { if (r.method() === "POST" && r.url().endsWith("/messages")) posts.push(r.url()); });
  await offline(ann);
  await ann.say("seen");
  await other.sees("seen");
  posts.length = 0;
  await ann.page.context().setOffline(false);
  await bob.sees("seen");
  await expect(other.page.getByText("Waiting for the connection")).toHaveCount(0);
  expect((await server.messages("ann", "windows")).map(m => m.text)).toEqual(["see", "seen"]);
  expect(posts.length, "one window sends it").toBe(1);
  await other.page.close();
});
