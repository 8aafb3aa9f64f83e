// The page that docs/web.md prints, as a reader would use it: served from another origin, which the
// server allows, and with a token that is pasted.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { test as base, expect } from "@playwright/test";
import { Server } from "./server.mjs";

/** The server's address in the docs. Tests use a free port. */
const PRINTED = "http://127.0.0.1:8080";

/** Serves one page to every request. */
async function serve(host) {
  const site = createServer((_, answer) => answer.setHeader("Content-Type", "text/html; charset=utf-8").end(host.html));
  await new Promise(resolve => { site.listen(0, "127.0.0.1", resolve); });
  host.url = `http://localhost:${site.address().port}/page.html`;
  host.origin = new URL(host.url).origin;
  return () => site.close();
}

const test = base.extend({
  /** A host whose origin the server allows. */
  site: [async ({}, use) => {
    const site = {};
    const close = await serve(site);
    await use(site);
    close();
  }, { scope: "worker" }],
  server: [async ({ site }, use) => {
    const server = await Server.start({ flags: ["--origin", site.origin] });
    await use(server);
    await server.close();
  }, { scope: "worker" }],
});

/** Returns a block of the documentation by its name. */
async function page(file, name) {
  const text = await readFile(new URL(`../../${file}`, import.meta.url), "utf8");
  const [, found] = new RegExp(`^\`\`\`html ${name}\n([^]*?)^\`\`\`$`, "m").exec(text) ?? [];
  expect(found, `${file} has no block called ${name}`).toBeTruthy();
  return found;
}

test("the page of ten lines shows messages and sends them, from another origin", async ({ page: window, site, server }) => {
  const printed = await page("docs/web.md", "client");
  expect(printed.trimEnd().split("\n"), "the guide promises ten lines").toHaveLength(10);
  expect(printed.split(PRINTED), `the page names ${PRINTED} twice`).toHaveLength(3);
  site.html = printed.replaceAll(PRINTED, server.url);
  await server.room("general", "ann", ["bob"]);
  await server.api("ann", "PUT", "/people/me", { name: "Ann Lee" });
  const taken = await server.post("ann", "general", "taken back");
  await server.api("ann", "DELETE", `/rooms/general/messages/${taken.id}`);
  await server.post("ann", "general", "said before");

  await window.setViewportSize({ width: 600, height: 60 });
  const faults = [];
  window.on("console", m => { if (["error", "warning"].includes(m.type()) && !m.location().url.endsWith("favicon.ico")) faults.push(m.text()); });
  window.on("pageerror", e => faults.push(String(e)));
  window.on("dialog", async asked => asked.accept(` ${await server.token("bob")} `));
  await window.goto(site.url);

  await window.getByText("Ann Lee: said before").waitFor();
  await expect(window.locator("#list"), "a deleted message is not shown").not.toContainText("taken back");
  await server.post("ann", "general", "said while bob looks on");
  await window.getByText("Ann Lee: said while bob looks on").waitFor();
  await window.getByRole("textbox", { name: "Message" }).fill("an answer");
  await window.getByRole("textbox", { name: "Message" }).press("Enter");
  await window.getByText("bob: an answer").waitFor();
  const said = async () => (await server.messages("ann", "general")).map(m => `${m.user}: ${m.text}`).join(", ");
  await expect.poll(said, "the answer is stored once").toBe("ann: , ann: said before, ann: said while bob looks on, bob: an answer");
  await expect.poll(() => window.evaluate(() => scrollY), "the newest message is in sight").toBeGreaterThan(0);
  expect(faults).toEqual([]);
});

test("the page of ten lines says when its origin is not allowed", async ({ page: window, server }) => {
  const elsewhere = { html: (await page("docs/web.md", "client")).replaceAll(PRINTED, server.url) };
  const close = await serve(elsewhere);
  window.on("dialog", async asked => asked.accept(await server.token("bob")));
  await window.goto(elsewhere.url);
  await window.getByText("failed").waitFor();
  close();
});
