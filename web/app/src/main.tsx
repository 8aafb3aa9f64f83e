import { render } from "preact";

const root = document.getElementById("app");
if (root) render(<main><h1>Parley</h1></main>, root);
