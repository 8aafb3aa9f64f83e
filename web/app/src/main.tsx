import { render } from "preact";
import { App } from "./shell/app.js";
import { followRoute } from "./navigation/current-room.js";
import { start } from "./session/session.js";

followRoute();
void start();
const root = document.getElementById("app");
if (root) render(<App />, root);
