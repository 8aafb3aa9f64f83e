// Takes a picture of every state of the app, in both themes, wide and on a phone, and some in other windows, into the
// folder SHOTS.
// They are for eyes: no test compares them.
import { join } from "node:path";
import { PHONE, WIDE, exactly, suite } from "./fixtures.mjs";
import * as panel from "./pictures/panel.mjs";
import * as room from "./pictures/room.mjs";
import { fill } from "./pictures/talk.mjs";
import * as trouble from "./pictures/trouble.mjs";

const folder = process.env.SHOTS ?? join(import.meta.dirname, "shots");

/** The windows. A zoom of 200 % halves the width that the page has. */
const sizes = {
  wide: { viewport: WIDE },
  laptop: { viewport: { width: 1024, height: 768 } },
  tablet: { viewport: { width: 900, height: 860 } },
  phone: { viewport: PHONE, isMobile: true, hasTouch: true },
  zoom: { viewport: { width: WIDE.width / 2, height: WIDE.height / 2 }, deviceScaleFactor: 2 },
};

/** A state that is being reached in windows of one size. */
class Stage {
  #cast;
  #name;

  constructor(cast, size, name) {
    this.#cast = cast;
    this.#name = name;
    this.server = cast.server;
    this.size = size;
  }

  /** Opens a window of the size for a person who is signed in. */
  enter(user, room = "") { return this.#cast.enter(user, { room, ...sizes[this.size] }); }

  /** Opens a window of the size for a person who is not signed in. */
  window(user, path = "/") { return this.#cast.window(user, { path, ...sizes[this.size] }); }

  /** Opens a second person's window, which is in no picture. */
  other(user, room = "") { return this.#cast.enter(user, { room }); }

  /** Does something to a message: by its buttons, or by its menu where fingers point. */
  act(person, text, action) {
    return this.size === "phone" ? person.menu(person.row(text), typeof action === "string" ? exactly(action) : action) : person.act(text, action);
  }

  /** Takes a picture in both themes. More than one of a state have a part of the name each. */
  async shoot(person, part = "") {
    for (const colorScheme of ["light", "dark"]) {
      await person.page.emulateMedia({ colorScheme });
      await person.still();
      const name = [this.size, this.#name, part, colorScheme].filter(Boolean).join("-");
      await person.page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
    }
  }
}

/** Declares the pictures of states, which begin at a server that is filled. */
function take(states, fill) {
  const test = suite({ fill });
  for (const state of states) {
    for (const size of state.sizes ?? ["wide", "phone"]) {
      test(`${state.name} ${size}`, ({ cast }) => state.reach(new Stage(cast, size, state.name)));
    }
  }
}

take(room.first);
take([...room.states, ...panel.states, ...trouble.states], fill);
