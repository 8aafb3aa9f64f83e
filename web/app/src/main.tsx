import { render } from "preact";
import { followRoute } from "./navigation/current-room.js";
import { start } from "./session/sign-in.js";
import { App } from "./shell/app.js";

followRoute();
void start();
const root = document.getElementById("app");
if (root) render(<App />, root);
