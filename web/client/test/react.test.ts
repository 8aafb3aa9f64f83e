// The inbox of examples/inbox in a browser, with a real server.
import assert from "node:assert/strict";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { build } from "esbuild";
import { chromium, type Page } from "playwright-core";
import { eventually, patience, until } from "./harness/until.js";
import { World } from "./harness/world.js";

const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
/** Bundles the inbox, with the sources of the packages, into a folder that chat serve can serve as its page. */
async function compile(folder: string): Promise<void> {
  const repository = process.env["CHAT_REPOSITORY"] ?? "";
  const inbox = join(repository, "examples/inbox");
  const web = join(repository, "web");
  await build({
    entryPoints: [join(inbox, "main.tsx")], outfile: join(folder, "app.js"), nodePaths: [join(web, "node_modules")],
    alias: {
      "@parley/client/more": join(web, "client/src/more.ts"), "@parley/client": join(web, "client/src/index.ts"),
      "@parley/react": join(web, "react/src/index.ts"),
    },
    bundle: true, format: "esm", target: "es2022", logLevel: "warning",
    define: { "process.env.NODE_ENV": '"development"' }, // in which effects run twice
  });
  await copyFile(join(inbox, "index.html"), join(folder, "index.html"));
}

/** Opens the page of a person in a browser of its own. */
async function browse(t: TestContext, address: string): Promise<{ page: Page; errors: string[] }> {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: flags, timeout: patience });
  t.after(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(patience);
  const errors: string[] = [];
  page.on("pageerror", e => errors.push(String(e)));
  await page.goto(address);
  return { page, errors };
}

test("the inbox exchanges messages in a browser, whose effects run twice, and marks them as read", async t => {
  const folder = join(process.env["SUITE_FOLDER"] ?? "", "react");
  await compile(folder);
  const w = await World.open(t, "--page", folder);
  await w.room("seattle", "amsg", "bob");
  await w.room("tacoma", "amsg", "bob");
  await w.ask("bob", "PUT", "/people/me", { name: "Bob Ray" });
  await w.post("bob", "seattle", ...Array.from({ length: 60 }, (_, n) => `message ${n}`));
  const { page, errors } = await browse(t, `${w.server.url}/#${await w.token("amsg")}`);
  await page.getByRole("navigation", { name: "Rooms, 60 unread" }).waitFor();
  await page.getByRole("button", { name: "seattle 60 unread" }).click();
  const rows = page.getByRole("log").getByRole("listitem");
  const shown = async () => (await rows.allTextContents()).map(row => row.replace(/^(Bob Ray|amsg) /, ""));
  await until("the newest page is shown", async () => (await rows.count()) === 50);
  await page.getByRole("navigation", { name: "Rooms, 0 unread" }).waitFor();
  const unread = async () => (await w.ask<{ items: { id: string; unread: number }[] }>("amsg", "GET", "/people/me/rooms")).items.map(r => `${r.id} ${r.unread}`).sort();
  await eventually(async () => assert.deepEqual(await unread(), ["seattle 0", "tacoma 0"]));
  await page.getByRole("button", { name: "Older messages" }).click();
  await until("all messages are shown", async () => (await rows.count()) === 60);
  await page.getByLabel("Message", { exact: true }).pressSequentially("from the page");
  await page.keyboard.press("Enter");
  await w.post("bob", "seattle", "from elsewhere");
  await until("both are shown", async () => (await rows.count()) === 62);
  await until("the row is stored", async () => (await rows.evaluateAll(all => all.every(row => getComputedStyle(row).opacity === "1"))));
  const agrees = () => eventually(async () => assert.deepEqual(await shown(), (await w.messages("amsg", "seattle")).map(m => m.text)));
  await agrees();
  await w.post("bob", "tacoma", "in another room");
  await page.getByRole("button", { name: "tacoma 1 unread" }).waitFor();
  await eventually(async () => assert.deepEqual(await unread(), ["seattle 0", "tacoma 1"]));
  const notice = page.getByLabel("Notification");
  await w.ask("bob", "POST", "/rooms/tacoma/messages", { text: "hello @amsg", mentions: ["amsg"] });
  await until("the mention notifies", async () => (await notice.count()) === 1 && await notice.textContent() === "hello @amsg");
  await w.ask("amsg", "PUT", "/rooms/tacoma/read", { seq: (await w.feed("amsg", "tacoma")).at(-1)?.seq });
  await until("a read message does not", async () => (await notice.count()) === 0);
  const details = page.getByTestId("details");
  await until("the second component shows the room", async () => /[1-9] online/.test(await details.textContent() ?? ""));
  await page.getByRole("button", { name: "Hide details" }).click();
  await w.post("bob", "seattle", "after the second component has closed the room");
  await agrees();
  await page.getByRole("button", { name: "Reply to from elsewhere" }).click();
  await page.getByLabel("Reply", { exact: true }).fill("in the thread");
  await page.keyboard.press("Enter");
  const replies = page.getByRole("region", { name: "Thread" }).getByRole("listitem");
  await until("the reply is stored", async () => (await replies.count()) === 1 && replies.evaluate(row => getComputedStyle(row).opacity === "1"));
  await w.server.kill();
  await until("the loss is shown", () => page.getByRole("status").isVisible());
  await page.getByLabel("Message", { exact: true }).fill("while away");
  await page.keyboard.press("Enter");
  await until("the page says that it waits", async () => /, 1 not sent yet$/.test(await page.getByRole("status").textContent() ?? ""));
  await w.server.resume();
  await until("the waiting message is stored", async () => (await w.messages("amsg", "seattle")).at(-1)?.text === "while away");
  await until("the page is online", async () => !(await page.getByRole("status").isVisible()));
  await agrees();
  assert.deepEqual(errors, []);
});
