// A help desk: each ticket is a private room, p-ticket-4711, which this service owns. The customer and
// all agents are members, who read and write there with any client of Parley.
//   TOKEN=… node helpdesk.mjs URL PORT FOLDER
//
//   POST /tickets {"number", "customer", "subject", "text"}   opens a ticket, once
//   GET  /agents/{user}/tickets                               an agent's open tickets, with unread counts
//   POST /tickets/{number}/close                              archives the room, which frees a place of each member
//
// TOKEN is a service's. FOLDER has the people, for ../provision/provision.mjs, and agents.txt: the user
// ids of the agents, one on each line, which is read for each ticket. A profile gives nobody a right:
// people write their own. Let only your own servers reach the port. Any request may be repeated after a
// failure.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const [url, port, folder] = process.argv.slice(2);
const provision = join(import.meta.dirname, "../provision/provision.mjs");
const { status } = spawnSync(process.execPath, [provision, url, folder], { stdio: "inherit" });
if (status !== 0) process.exit(1);

const routes = [
  ["POST", /^\/tickets$/, (_, body) => open(body)],
  ["GET", /^\/agents\/([^/]+)\/tickets$/, ([, user]) => ticketsOf(user)],
  ["POST", /^\/tickets\/(\d+)\/close$/, ([, number]) => close(number)],
];
createServer(async (request, response) => {
  const answer = (status, body) => response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  try {
    for (const [method, path, run] of routes) {
      const match = request.method === method && path.exec(request.url);
      if (match) return answer(200, await run(match, JSON.parse(await text(request) || "{}")));
    }
    answer(404, { detail: "There is no such path." });
  } catch (err) {
    answer(err.status ?? 502, { detail: err.message });
  }
}).listen(port, "127.0.0.1", function () { console.log(`ready http://127.0.0.1:${this.address().port}`); });

async function open({ number, customer, subject, text }) {
  const room = `/rooms/p-ticket-${encodeURIComponent(number)}`;
  await ask("PUT", room, { visibility: "private", name: subject, metadata: { state: "open" } }, { "If-None-Match": "*" })
    .catch(err => { if (err.status !== 412) throw err; }); // it was opened before
  const agents = (await readFile(join(folder, "agents.txt"), "utf8")).split("\n").map(line => line.trim()).filter(Boolean);
  const members = [...new Set([customer, ...agents])];
  const { items } = await ask("POST", "/bulk/memberships",
    { strict: true, items: members.map(user => ({ room: `p-ticket-${number}`, user, role: "member" })) });
  const refused = items.find(i => i.problem);
  if (refused) throw Object.assign(new Error(`${refused.user}: ${refused.problem.detail}`), { status: refused.status });
  const { createdAt } = await ask("GET", room);
  await ask("POST", `${room}/messages`, { id: idOf(createdAt, room), text }, { "Parley-Act-As": customer });
  return { room: `p-ticket-${number}` };
}

async function ticketsOf(user) {
  const rooms = await all(`/people/${user}/rooms?`);
  return { items: rooms.filter(r => r.id.startsWith("p-ticket-") && r.metadata?.state === "open")
    .map(({ id, name, unread, lastMessage }) => ({ number: id.slice("p-ticket-".length), subject: name, unread, lastMessage })) };
}

/** Marks the room as closed, too: the lists of rooms do not show which are archived. */
async function close(number) {
  await ask("PATCH", `/rooms/p-ticket-${number}`, { archived: true, metadata: { state: "closed" } });
  return {};
}

/** Returns a UUIDv7 of the time whose other bits follow from the key, so that a retry posts nothing twice. */
function idOf(time, key) {
  const hash = createHash("sha256").update(key).digest("hex");
  const ms = Date.parse(time).toString(16).padStart(12, "0");
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;
}

/** Returns the items of all pages of a list. */
async function all(path) {
  const items = [];
  for (let cursor = ""; ;) {
    const page = await ask("GET", `${path}&limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    items.push(...page.items);
    if (!page.next) return items;
    cursor = page.next;
  }
}

/** Sends a request as the service. A refusal is an error with the status and the problem's detail. */
async function ask(method, path, body, headers = {}) {
  const answer = await fetch(url + path, {
    method, body: body && JSON.stringify(body),
    headers: { Authorization: `Bearer ${process.env.TOKEN}`, "Content-Type": "application/json", ...headers },
  });
  const given = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(given.detail ?? given.message ?? answer.statusText), { status: answer.status });
  return given;
}
