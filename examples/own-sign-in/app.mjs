// An app with its own sign-in, whose people chat. Its sign-in only asks for a name: yours takes its
// place. docs/sign-in.md starts it.
//   KEY_ID=… node app.mjs
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { importPKCS8, SignJWT } from "jose";

const { KEY = "private.pem", KEY_ID, ISSUER = "urn:parley:local", PARLEY_URL = "http://127.0.0.1:8080", PORT = "3000" } = process.env;
const key = await importPKCS8(readFileSync(KEY, "utf8"), "RS256");
const sessions = new Map(); // people by their cookie

/** Signs a token of an hour. It is issued a minute ago, in case this clock is ahead. */
function sign({ user, name }) {
  const issued = Math.floor(Date.now() / 1000) - 60;
  return new SignJWT({ iss: ISSUER, aud: "parley", sub: user, username: name, iat: issued, exp: issued + 3600 })
    .setProtectedHeader({ alg: "RS256", kid: KEY_ID })
    .sign(key);
}

/** Calls Parley for a person. */
async function ask(person, method, path, body) {
  const headers = { "Authorization": `Bearer ${await sign(person)}`, "Content-Type": "application/json" };
  const answer = await fetch(PARLEY_URL + path, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`Parley answers ${answer.status}: ${await answer.text()}`);
}

const routes = {
  async "POST /sign-in"(request, response) {
    const name = new URLSearchParams(await text(request)).get("name")?.trim();
    const user = name?.toLowerCase().replace(/[^a-z0-9]+/g, "-");
    if (!user) return response.writeHead(400).end("Your name?");
    await ask({ user, name }, "PUT", "/people/me", { name }); // so that the others see it
    const session = randomUUID();
    sessions.set(session, { user, name });
    response.writeHead(303, { "Location": "/", "Set-Cookie": `session=${session}; HttpOnly; SameSite=Strict; Path=/` }).end();
  },
  /** Answers with a token for the person who is signed in here. */
  async "POST /chat-token"(_, response, person) {
    if (!person) return response.writeHead(401).end("Sign in first.");
    response.writeHead(200, { "Content-Type": "text/plain", "Cache-Control": "no-store" }).end(await sign(person));
  },
  "GET /"(_, response, person) {
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(person ? chat : signIn);
  },
};

const signIn = `<!doctype html><title>Shop</title><form method="post" action="/sign-in"><label>Your name <input name="name"></label></form>`;
const chat = `<!doctype html><title>Shop</title><pre id="list"></pre><form id="form"><input name="text" aria-label="Message"></form>
<script type="module">
import { connect } from "${PARLEY_URL}/client.js";
const getToken = async () => (await fetch("/chat-token", { method: "POST" })).text();
const room = connect({ url: "${PARLEY_URL}", getToken }).room("shop");
const line = m => m.deletedAt ? "" : (room.value.people[m.user]?.name ?? m.user) + ": " + m.text + "\\n";
room.subscribe(() => { list.textContent = room.value.messages.map(line).join("") || room.value.phase; });
form.onsubmit = event => { event.preventDefault(); room.send(form.text.value); form.reset(); };
room.open();
</script>`;

await ask({ user: "shop", name: "Shop" }, "PUT", "/rooms/shop", { name: "Shop" });
createServer(async (request, response) => {
  const session = /session=([\w-]+)/.exec(request.headers.cookie ?? "")?.[1];
  const route = routes[`${request.method} ${request.url}`];
  if (!route) return response.writeHead(404).end();
  await route(request, response, sessions.get(session));
}).listen(PORT, "127.0.0.1", () => console.log(`app http://127.0.0.1:${PORT}/`));
