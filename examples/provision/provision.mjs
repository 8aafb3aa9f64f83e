// Creates and updates the people, rooms and memberships of an app in Parley. It may be run again at
// any time: it changes only what differs, and removes nothing.
//   TOKEN=… node provision.mjs URL FOLDER
//
// TOKEN is a service's (docs/sign-in.md#services). FOLDER has CSV files whose first line names the
// columns. A column is a field of the API, an empty cell leaves it out:
//   people.csv   user,name,title,state,hired,avatar,kind
//   rooms.csv    id,name,topic,place,posting,…         place is USA/WA/Seattle
//   members.csv  room,user,role                        users are in people.csv, now or before
// Instead of NAME.csv there may be NAME.json, a list of objects. A missing file is skipped. The
// program ends with 1 if an entry was refused, and prints each with its reason.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The bounds of a request, in entries and in bytes. */
const MAX_ENTRIES = 1000;
const MAX_BYTES = 1_000_000;
/** A longer wait means that a limit of the day is used up: somebody should look. */
const MAX_WAIT_SECONDS = 60;
/** API Gateway answers 429 and 503 without the time after which to retry. */
const DEFAULT_WAIT_SECONDS = 2;
/** So many failures of one request in a row are no passing ones. */
const MAX_FAILURES = 8;

const [url, folder] = process.argv.slice(2);
const token = process.env.TOKEN;
if (!url || !folder || !token) {
  console.error("usage: TOKEN=… node provision.mjs URL FOLDER");
  process.exit(2);
}

let refused = 0;
await provision("people", read("people"));
await provision("rooms", read("rooms"));
// By room, because consecutive changes of one room enter its feed together, which is cheaper.
await provision("memberships", read("members").sort((a, b) => a.room < b.room ? -1 : a.room > b.room ? 1 : 0), { strict: true });
process.exitCode = refused > 0 ? 1 : 0;

/** Sends all entries of a kind, in requests of as many as fit. */
async function provision(kind, entries, options = {}) {
  const began = Date.now();
  const counts = { created: 0, found: 0, refused: 0 };
  for (let rest = entries; rest.length > 0;) {
    const batch = rest.slice(0, fitting(rest));
    rest = rest.slice(batch.length);
    await send(kind, batch, options, counts);
  }
  refused += counts.refused;
  const seconds = ((Date.now() - began) / 1000).toFixed(1);
  console.log(`${kind}: ${counts.created} created, ${counts.found} found or changed, ${counts.refused} refused, in ${seconds} s`);
}

/** How many of the first entries fit into a request; at least one. */
function fitting(entries) {
  let bytes = 0;
  for (let n = 0; n < Math.min(entries.length, MAX_ENTRIES); n++) {
    bytes += Buffer.byteLength(JSON.stringify(entries[n])) + 1;
    if (bytes > MAX_BYTES) return Math.max(n, 1);
  }
  return Math.min(entries.length, MAX_ENTRIES);
}

/** Sends a batch, and resends the entries that the server asks for, until all are decided. */
async function send(kind, batch, options, counts) {
  while (batch.length > 0) {
    const { items } = await post(`/bulk/${kind}`, { ...options, items: batch });
    const again = [];
    let wait = 0;
    items.forEach((result, i) => {
      if (result.status === 201) counts.created++;
      else if (result.status === 200) counts.found++;
      else if (result.problem.retryable) {
        again.push(batch[i]);
        wait = Math.max(wait, result.retryAfter ?? DEFAULT_WAIT_SECONDS);
      } else {
        counts.refused++;
        console.error(`${kind}: ${JSON.stringify(batch[i])}: ${result.problem.detail}`);
      }
    });
    batch = again;
    if (batch.length > 0) await pause(wait, `${batch.length} of the ${kind}`);
  }
}

/** Posts a body and returns the answer. It repeats a request that did not come through. */
async function post(path, body) {
  for (let failures = 0; ; failures++) {
    const answer = await fetch(new URL(path, url), {
      method: "POST", body: JSON.stringify(body),
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    }).catch(err => ({ status: 503, headers: new Headers(), text: async () => String(err.cause ?? err) }));
    const text = await answer.text();
    if (answer.status === 200) return JSON.parse(text);
    if (failures === MAX_FAILURES || answer.status !== 429 && answer.status < 500) {
      throw new Error(`POST ${path} is answered with ${answer.status}: ${text}`);
    }
    await pause(Number(answer.headers.get("Retry-After") ?? DEFAULT_WAIT_SECONDS), path);
  }
}

/** Waits before a retry, unless the wait is too long. */
async function pause(seconds, what) {
  if (seconds > MAX_WAIT_SECONDS) {
    throw new Error(`${what} must wait ${seconds} s: a limit of the service is used up (docs/api.md#conventions)`);
  }
  await new Promise(resolve => setTimeout(resolve, seconds * 1000));
}

/** Returns the entries of NAME.json or NAME.csv in the folder. */
function read(name) {
  const path = join(folder, name);
  if (existsSync(`${path}.json`)) return JSON.parse(readFileSync(`${path}.json`, "utf8"));
  if (!existsSync(`${path}.csv`)) return [];
  const [header, ...rows] = parseCSV(readFileSync(`${path}.csv`, "utf8"));
  return rows.map(row => Object.fromEntries(header.map((column, i) => [column, row[i] ?? ""])
    .filter(([, cell]) => cell !== "").map(([column, cell]) => [column, value(column, cell)])));
}

/** Returns the value of a cell: most fields of the API are texts. */
function value(column, cell) {
  switch (column) {
    case "place": return cell.split("/");
    case "archived": case "receipts": return cell === "true";
    case "shards": case "slowModeSeconds": return Number(cell);
    case "metadata": case "status": return JSON.parse(cell);
    default: return cell;
  }
}

/** Returns the rows of a CSV text (RFC 4180), without empty lines. */
function parseCSV(text) {
  const rows = [];
  let row = [];
  // A cell, quoted or not, and what follows it.
  for (const [, quoted, plain, end] of text.replace(/^\uFEFF/, "").matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    if (row.length > 1 || row[0] !== "") rows.push(row);
    row = [];
  }
  return rows;
}
