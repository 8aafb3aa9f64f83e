// Sends, replays, pages, edits and follows changes with the client that hey-api generates.

import { client } from "./generated/hey/client.gen.js";
import { getRoom, listAudit, listChanges, listMessages, patchMessage, postMessage, putRoom } from "./generated/hey/index.js";
import type { Message } from "./generated/hey/index.js";
import { beyondHead, check, environment, everyChange, everyMessage, newUUID, refused, shows, throttled } from "./script.js";

client.setConfig({ baseUrl: environment("PARLEY_URL"), auth: () => environment("PARLEY_TOKEN") });
const path = { room: "seattle" };

const created = await putRoom({ path, body: { topic: "generated" }, throwOnError: true });
check(created.response.status === 201 && created.data.visibility === "public", "the room is created");

const draft = { id: newUUID(), text: "hello" };
const first = await postMessage({ path, body: draft, throwOnError: true });
const again = await postMessage({ path, body: draft, throwOnError: true });
check(first.response.status === 201 && again.response.status === 200, "a retry is a replay");
const message: Message = again.data;
check(message.id === first.data.id, "a replay has the same body");

for (const text of ["two", "three"]) await postMessage({ path, body: { text }, throwOnError: true });
const texts: string[] = [];
let cursor: string | undefined;
do {
  const page = await listMessages({ path, query: { limit: 2, cursor }, throwOnError: true });
  texts.push(...page.data.items.map((m) => m.text));
  cursor = page.data.next;
} while (cursor !== undefined);
check(texts.join() === "three,two,hello", `the pages hold ${texts.join()}`);

const one = { ...path, id: message.id };
const headers = { "If-Match": '"1"' };
const edit = await patchMessage({ path: one, headers, body: { text: "edited" }, throwOnError: true });
check(edit.data.revision === 2, "the edit is stored");
const stale = await patchMessage({ path: one, headers, body: { text: "too late" } });
check(stale.response?.status === 412 && stale.error !== undefined, "a stale edit is refused");
check("type" in stale.error && stale.error.type === "/problems/stale", "the problem has its type");

// The feed follows the writes within a moment.
let kinds: string[] = [];
for (let tries = 0; tries < 100 && !kinds.includes("message.edited"); tries++) {
  const page = await listChanges({ path, query: { limit: 200 }, throwOnError: true });
  kinds = page.data.items.map((change) => change.type);
  await new Promise((resolve) => setTimeout(resolve, 100));
}
check(kinds.includes("message.edited"), `the changes are ${kinds.join()}`);

const reset = await listChanges({ path, query: { since: beyondHead }, throwOnError: true });
check(reset.data.reset && reset.data.since === undefined, "a lost position is reset");

// What the wire does: see cmd/chat/wire_test.go.
const everything = { path: { room: "everything" } };
shows(await listMessages(everything), ...everyMessage);
shows(await listChanges({ ...everything, query: { limit: 200 } }), ...everyChange);
shows(await listAudit(everything), "room.sailed");
refused(await getRoom({ path: { room: "limited" } }), 429, "rate-limited");
throttled(await getRoom({ path: { room: "throttled" } }));
refused(await getRoom({ path: { room: "novel" } }), 404, "of-a-later-version");
refused(await listMessages({ ...everything, query: { cursor: "nonsense" } }), 400, "bad-cursor");
console.log("hey-api: ok");
