// Takes a picture of every state of the app, in both themes, wide and on a phone. They are for eyes:
// no test compares them. The arguments are the folder, by default shots beside this file, and a
// pattern: then only the states whose name it matches are taken.
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Cast, PHONE, WIDE, launch } from "./harness.mjs";
import * as panel from "./pictures/panel.mjs";
import * as room from "./pictures/room.mjs";
import * as trouble from "./pictures/trouble.mjs";
import { fill } from "./pictures/talk.mjs";
import { Server } from "./server.mjs";

const folder = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), "shots");
const wanted = new RegExp(process.argv[3] ?? "");
/** A theme is shown before; screenshots end the animations by themselves. */
const SETTLE_MS = 60;
/** A state that is not reached by then is none. */
const PATIENCE_MS = 10_000;

/** The windows. A zoom of 200 % halves the width that the page has. */
const sizes = {
  wide: { viewport: WIDE },
  tablet: { viewport: { width: 900, height: 860 } },
  phone: { viewport: PHONE, isMobile: true, hasTouch: true },
  zoom: { viewport: { width: WIDE.width / 2, height: WIDE.height / 2 }, deviceScaleFactor: 2 },
};

/** A state that is being reached in a window of one size. */
class Stage {
  #cast;
  #name;

  constructor(cast, server, size, name) {
    this.#cast = cast;
    this.#name = name;
    this.server = server;
    this.size = size;
  }

  /** Opens a window of the size for a person who is signed in. */
  async enter(user, room = "") {
    const person = await this.window(user, `/#as=${user}`);
    await person.nav.or(person.page.getByRole("heading", { level: 1 })).first().waitFor();
    if (room) await person.go(room);
    return person;
  }

  /** Opens a window of the size for a person who is not signed in. */
  async window(user, path = "/") {
    const person = await this.#cast.window(user, { path, ...sizes[this.size] });
    person.page.setDefaultTimeout(PATIENCE_MS);
    return person;
  }

  /** Opens a second person's window, which is in no picture. */
  other(user, room = "") { return this.#cast.enter(user, { room }); }

  /** Does something to a message: by its buttons, or by its menu where fingers point. */
  async act(person, text, action) {
    if (this.size !== "phone") return person.act(text, action);
    await person.row(text).getByRole("button", { name: "More", exact: true }).click();
    await person.page.getByRole("menuitem", { name: action }).click();
  }

  /** Takes a picture in both themes. More than one of a state have a part of the name each. */
  async shoot(person, part = "") {
    for (const colorScheme of ["light", "dark"]) {
      await person.page.emulateMedia({ colorScheme });
      await person.page.waitForTimeout(SETTLE_MS);
      const name = [this.size, this.#name, part, colorScheme].filter(Boolean).join("-");
      await person.page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
    }
  }
}

/** Takes the pictures of a state in a size. It returns why the state could not be reached, if so. */
async function take(browser, server, state, size) {
  const cast = new Cast(browser, server);
  let failure = "";
  try {
    await state.reach(new Stage(cast, server, size, state.name));
  } catch (error) {
    failure = `${size} ${state.name}: ${String(error).split("\n").slice(0, 3).join(" ")}`;
  }
  await cast.close().catch(error => { failure ||= `${size} ${state.name}: ${error.message}`; });
  return failure;
}

const failures = [];
await mkdir(folder, { recursive: true });
const [server, browser] = await Promise.all([Server.start(), launch()]);
try {
  for (const state of room.first) {
    for (const size of state.sizes) failures.push(await take(browser, server, state, size));
  }
  await fill(server);
  for (const state of [...room.states, ...panel.states, ...trouble.states]) {
    if (!wanted.test(state.name)) continue;
    for (const size of state.sizes ?? ["wide", "phone"]) failures.push(await take(browser, server, state, size));
  }
} finally {
  await browser.close();
  await server.close();
}
const missed = failures.filter(Boolean);
for (const failure of missed) console.error(failure);
console.log(`${folder}: ${missed.length} states were not reached`);
process.exitCode = missed.length ? 1 : 0;
