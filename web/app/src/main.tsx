import { render } from "preact";
import { App } from "./app.js";
import { followRoute } from "./follow.js";
import { start } from "./session.js";

followRoute();
void start();
const root = document.getElementById("app");
if (root) render(<App />, root);
