import { render } from "preact";
import { followRoute } from "./navigation/current-room.js";
import { start } from "./session/sign-in.js";
import { followTabs } from "./session/tabs.js";
import { App } from "./shell/app.js";
import { Page, PageContext } from "./state/page.js";

const page = new Page();
followRoute(page);
followTabs(page);
// The browser would open a dropped file in place of the page.
window.ondragover = window.ondrop = e => { if (e.dataTransfer?.types.includes("Files")) e.preventDefault(); };
void start(page);
const root = document.getElementById("app")!;
const { dataset } = document.documentElement;
let drawn: string | undefined;
const draw = () => {
  drawn = dataset.clock;
  render(<PageContext.Provider value={page}><App key={drawn} /></PageContext.Provider>, root);
};
// all times change
for (const event of ["storage", "appearance"]) addEventListener(event, () => { if (drawn !== dataset.clock) draw(); });
draw();
