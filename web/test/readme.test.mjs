// The page that README prints, as a reader would use it: served from another origin, which the
// server allows, and with a token that is pasted.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { PATIENCE_MS, launch, until } from "./harness.mjs";
import { Server } from "./server.mjs";

/** The server's address in README. Tests use a free port. */
const PRINTED = "http://127.0.0.1:8080";

let browser, server, site, html;
before(async () => {
  site = createServer((_, answer) => answer.setHeader("Content-Type", "text/html; charset=utf-8").end(html));
  await new Promise(resolve => { site.listen(0, "127.0.0.1", resolve); });
  [browser, server] = await Promise.all([launch(), Server.start({ flags: ["--origin", origin()] })]);
});
after(async () => { await browser?.close(); await server?.close(); site?.close(); });

const origin = () => `http://localhost:${site.address().port}`;

/** Returns a block of the documentation by its name. */
async function page(file, name) {
  const text = await readFile(new URL(`../../${file}`, import.meta.url), "utf8");
  const [, block] = new RegExp(`^\`\`\`html ${name}\n([^]*?)^\`\`\`$`, "m").exec(text) ?? [];
  assert.ok(block, `${file} has no block called ${name}`);
  return block;
}

test("README's page shows messages and sends them, from another origin", async () => {
  const printed = await page("README.md", "client");
  assert.equal(printed.trimEnd().split("\n").length, 10, "README promises ten lines");
  assert.equal(printed.split(PRINTED).length, 3, `the page names ${PRINTED} twice`);
  html = printed.replaceAll(PRINTED, server.url);
  await server.room("general", "ann", ["bob"]);
  await server.api("ann", "PUT", "/people/me", { name: "Ann Lee" });
  const taken = await server.post("ann", "general", "taken back");
  await server.api("ann", "DELETE", `/rooms/general/messages/${taken.id}`);
  await server.post("ann", "general", "said before");

  const context = await browser.newContext({ viewport: { width: 600, height: 60 } });
  context.setDefaultTimeout(PATIENCE_MS);
  const window = await context.newPage();
  const faults = [];
  window.on("console", m => { if (["error", "warning"].includes(m.type()) && !m.location().url.endsWith("favicon.ico")) faults.push(m.text()); });
  window.on("pageerror", e => faults.push(String(e)));
  window.on("dialog", async asked => asked.accept(` ${await server.token("bob")} `));
  await window.goto(`${origin()}/page.html`);

  await window.getByText("Ann Lee: said before").waitFor();
  assert.ok(!(await window.locator("#list").textContent()).includes("taken back"), "a deleted message is not shown");
  await server.post("ann", "general", "said while bob looks on");
  await window.getByText("Ann Lee: said while bob looks on").waitFor();
  await window.getByRole("textbox", { name: "Message" }).fill("an answer");
  await window.getByRole("textbox", { name: "Message" }).press("Enter");
  await window.getByText("bob: an answer").waitFor();
  const said = async () => (await server.messages("ann", "general")).map(m => `${m.user}: ${m.text}`).join(", ");
  await until(async () => await said() === "ann: , ann: said before, ann: said while bob looks on, bob: an answer", "the answer is stored once");
  assert.ok(await window.evaluate(() => scrollY > 0), "the newest message is in sight");
  assert.deepEqual(faults, []);
  await context.close();
});

test("README's page says when its origin is not allowed", async () => {
  html = (await page("README.md", "client")).replaceAll(PRINTED, server.url);
  const elsewhere = createServer((_, answer) => answer.setHeader("Content-Type", "text/html; charset=utf-8").end(html));
  await new Promise(resolve => { elsewhere.listen(0, "127.0.0.1", resolve); });
  const window = await browser.newPage();
  window.setDefaultTimeout(PATIENCE_MS);
  window.on("dialog", async asked => asked.accept(await server.token("bob")));
  await window.goto(`http://localhost:${elsewhere.address().port}/page.html`);
  await window.getByText("failed").waitFor();
  await window.close();
  elsewhere.close();
});
