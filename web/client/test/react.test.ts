// The example in React, compiled, in a browser, with a real server.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { build } from "esbuild";
import { chromium, type Page } from "playwright-core";
import { eventually, patience, until } from "./harness/until.js";
import { World } from "./harness/world.js";

const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
/** Shows the example to the person whose token is in the address. */
const main = `
  import { createElement, StrictMode } from "react";
  import { createRoot } from "react-dom/client";
  import { connect } from "@parley/client";
  import { App } from "./room.tsx";
  const [user, token] = location.hash.slice(1).split("/");
  const chat = connect({ url: location.origin, user, getToken: async () => token });
  createRoot(document.getElementById("root")).render(createElement(StrictMode, null, createElement(App, { chat, id: "seattle" })));`;

/** Bundles the example into a folder that chat serve can serve as its page. */
async function compile(folder: string): Promise<void> {
  const web = join(process.env["CHAT_REPOSITORY"] ?? "", "web");
  await mkdir(folder, { recursive: true });
  await build({
    stdin: { contents: main, resolveDir: join(web, "react/examples"), loader: "ts" }, outfile: join(folder, "app.js"),
    bundle: true, format: "esm", jsx: "automatic", target: "es2022", logLevel: "warning",
    define: { "process.env.NODE_ENV": '"development"' }, // in which effects run twice
  });
  await writeFile(join(folder, "index.html"), '<!doctype html><meta charset="utf-8"><div id="root"></div><script type="module" src="/app.js"></script>');
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

test("the example shows a room in a browser, whose effects run twice, and sends", async t => {
  const folder = join(process.env["SUITE_FOLDER"] ?? "", "react");
  await compile(folder);
  const w = await World.open(t, "--page", folder);
  await w.room("seattle", "amsg", "bob");
  await w.post("bob", "seattle", ...Array.from({ length: 60 }, (_, n) => `message ${n}`));
  const { page, errors } = await browse(t, `${w.server.url}/#amsg/${await w.token("amsg")}`);
  const rows = page.getByRole("log").getByRole("listitem");
  const shown = async () => (await rows.allTextContents()).map(row => row.replace(/^\w+ /, ""));
  await until("the newest page is shown", async () => (await rows.count()) === 50);
  await page.getByRole("button", { name: "Older messages" }).click();
  await until("all messages are shown", async () => (await rows.count()) === 60);
  await page.getByLabel("Message", { exact: true }).pressSequentially("from the page");
  await page.keyboard.press("Enter");
  await w.post("bob", "seattle", "from elsewhere");
  await until("both are shown", async () => (await rows.count()) === 62);
  await until("the row is stored", async () => (await rows.evaluateAll(all => all.every(row => getComputedStyle(row).opacity === "1"))));
  const agrees = () => eventually(async () => assert.deepEqual(await shown(), (await w.messages("amsg", "seattle")).map(m => m.text)));
  await agrees();
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
  await until("the loss is told", () => page.getByRole("status").isVisible());
  await page.getByLabel("Message", { exact: true }).fill("while away");
  await page.keyboard.press("Enter");
  await w.server.resume();
  await until("the waiting message is stored", async () => (await w.messages("amsg", "seattle")).at(-1)?.text === "while away");
  await until("the page is online", async () => !(await page.getByRole("status").isVisible()));
  await agrees();
  assert.deepEqual(errors, []);
});
