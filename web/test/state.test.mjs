// After a random run under faults, windows show the same as fresh windows. The run and its troubles are the same as
// in web/client/test/state.test.ts. STATE_STEPS sets how many changes there are.
import { setTimeout as sleep } from "node:timers/promises";
import { Life } from "../client/test/harness/life.ts";
import { Proxy } from "../client/test/harness/proxy.ts";
import { random, runSeed } from "../client/test/harness/random.ts";
import { Troubles } from "../client/test/harness/troubles.ts";
import { Cast, DOWN, REFUSED, expect, suite } from "./fixtures.mjs";

const steps = Number(process.env.STATE_STEPS || (process.env.NIGHTLY ? 400 : 200));
/** The newest rows that are compared: two windows may have loaded different numbers. */
const newest = 40;

const people = ["amsg", "bob", "carol", "dan", "eve", "frank"];
const rooms = ["seattle", "tacoma", "olympia"];
const test = suite();

/** The windows: who looks at which room, and which panel is open. */
const views = [
  { user: "amsg", room: "seattle", open: p => p.show("Pinned messages") },
  { user: "bob", room: "seattle", open: p => p.show("People") },
  { user: "carol", room: "tacoma", open: p => p.log.getByRole("button", { name: /repl(y|ies)/ }).first().click() },
];

/** Lets somebody look at a window. */
const look = ({ page }) => page.evaluate(() => {
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  for (const event of ["focus", "pageshow", "online"]) dispatchEvent(new Event(event));
});

/** Opens the windows, whose clocks can be moved. */
function open(cast, o = {}) {
  return Promise.all(views.map(async ({ user, room, open }) => {
    const p = await cast.enter(user, { room, ...o });
    p.allow(DOWN, REFUSED, /status of 50[0-9]|WebSocket/);
    await open(p);
    await p.panel.waitFor();
    return p;
  }));
}

/** Returns what a window shows, as lines. */
async function shown(p) {
  const parts = [p.nav, p.panel, p.page.getByRole("heading", { level: 1 }), p.topic];
  const [nav, panel, heading, topic] = await Promise.all(parts.map(part => part.ariaSnapshot()));
  const rows = await p.log.first().evaluate((log, newest) => [...log.querySelectorAll("article")].slice(-newest).map(row => {
    const buttons = [...row.querySelectorAll("button, [role=button], [role=radio], [role=checkbox], input")]
      .filter(b => !b.closest("[role=group][aria-label=Actions]")) // which one row has, under the pointer or at the caret
      .map(b => `${b.getAttribute("aria-label") ?? b.textContent}${b.matches("[aria-pressed=true], [aria-checked=true], :checked") ? " own" : ""}`);
    const label = row.getAttribute("aria-label").replace(", first new message", "");
    // The author's name is above the first of several rows, and so also below a line that only one window has.
    const acts = buttons.filter(name => !label.startsWith(`${name},`)).sort();
    return [row.dataset.id, row.dataset.status, label, row.querySelector(".text")?.textContent, ...acts].join(" | ");
  }), newest);
  const lines = (name, text) => text.split("\n").map(line => `${name}: ${line}`);
  // A panel keeps the names, and when others have read, that it was loaded with until it is loaded again.
  const kept = panel.replace(/ the \d+th/g, "").replace(/\n\s*- text: Read\n\s*- time: .*/g, "").replace(/,? read("?)\n\s*- time: .*/gi, "$1");
  return [...lines("rooms", nav), ...lines("heading", heading), ...lines("topic", topic), ...lines("panel", kept), ...lines("log", rows.join("\n"))].join("\n").replace(/last [\w:]+/g, "last");
}

test(`windows show what fresh ones show, seed ${runSeed}`, async ({ browser, server }) => {
  const r = random(runSeed);
  const network = await Proxy.to(server.url);
  const ground = {
    ask: (user, method, path, body) => server.api(user, method, path, body),
    room: (id, owner, ...members) => server.room(id, owner, members),
  };
  const life = new Life(ground, rooms, people, r);
  await life.begin();
  const cast = new Cast(browser, { url: network.url });
  const windows = await open(cast, { prepare: page => page.clock.install() });
  const all = work => Promise.all(windows.map(work));
  const machines = {
    sleep: ms => void all(p => p.page.clock.fastForward(ms)),
    look: () => void all(look),
    whileDown: () => sleep(5000),
    close: () => () => all(async (p, n) => {
      await p.page.reload();
      await views[n].open(p);
    }),
  };
  const troubles = new Troubles({ network, server: { kill: () => server.kill(), resume: () => server.launch() } }, machines, steps, 1, r);
  for (let n = 0; n < steps; n++) {
    life.renames = n < troubles.calmAt;
    await troubles.step(n);
    await life.change();
  }
  await troubles.over();
  await all(p => p.page.clock.fastForward(600_000));
  await all(look);
  const later = new Cast(browser, server);
  const fresh = await open(later);
  for (const [n, p] of windows.entries()) {
    // A fresh window changes too, as long as the others come online.
    await expect(async () => expect(await shown(p), `${p.name}'s window after ${troubles.met.join(", ")}`).toBe(await shown(fresh[n]))).toPass();
  }
  await later.close();
  await cast.close();
  await network.close();
});
