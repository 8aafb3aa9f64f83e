// Sends, replays, pages, edits and follows changes with openapi-fetch on openapi-typescript's types.

import createClient from "openapi-fetch";
import type { components, paths } from "./generated/schema.js";
import { beyondHead, body, check, environment, everyChange, everyMessage, newUUID, refused, shows, throttled } from "./script.js";

const client = createClient<paths>({
  baseUrl: environment("PARLEY_URL"),
  headers: { Authorization: `Bearer ${environment("PARLEY_TOKEN")}` },
});
const path = { room: "seattle" };

const created = await client.PUT("/rooms/{room}", { params: { path }, body: { topic: "generated" } });
check(body(created).visibility === "public" && created.response.status === 201, "the room is created");

const draft = { id: newUUID(), text: "hello" };
const first = await client.POST("/rooms/{room}/messages", { params: { path }, body: draft });
const again = await client.POST("/rooms/{room}/messages", { params: { path }, body: draft });
check(first.response.status === 201 && again.response.status === 200, "a retry is a replay");
check(again.response.headers.get("Idempotent-Replay") === "true", "a replay has its header");
const message: components["schemas"]["Message"] = body(again);
check(message.id === body(first).id, "a replay has the same body");

for (const text of ["two", "three"]) body(await client.POST("/rooms/{room}/messages", { params: { path }, body: { text } }));
const texts: string[] = [];
let next: string | undefined;
do {
  const query = { limit: 2, ...(next === undefined ? {} : { cursor: next }) };
  const page = body(await client.GET("/rooms/{room}/messages", { params: { path, query } }));
  texts.push(...page.items.map((m) => m.text));
  ({ next } = page);
} while (next !== undefined);
check(texts.join() === "three,two,hello", `the pages hold ${texts.join()}`);

const one = { ...path, id: message.id };
const edit = await client.PATCH("/rooms/{room}/messages/{id}", {
  params: { path: one, header: { "If-Match": '"1"' } }, body: { text: "edited" },
});
check(body(edit).revision === 2, "the edit is stored");
const stale = await client.PATCH("/rooms/{room}/messages/{id}", {
  params: { path: one, header: { "If-Match": '"1"' } }, body: { text: "too late" },
});
check(stale.response.status === 412 && stale.error !== undefined, "a stale edit is refused");
check("type" in stale.error && stale.error.type === "/problems/stale", "the problem has its type");

// The feed follows the writes within a moment.
let last = 0;
const kinds: string[] = [];
for (let tries = 0; tries < 100 && !kinds.includes("message.edited"); tries++) {
  const page = body(await client.GET("/rooms/{room}/changes", { params: { path, query: { limit: 200 } } }));
  kinds.length = 0;
  for (const change of page.items) {
    check(change.seq > last || tries > 0, "the numbers grow");
    last = change.seq;
    kinds.push(change.type);
    if (change.type === "message.edited" && "message" in change) check(change.message?.text === "edited", "a change has the current message");
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
}
check(kinds.includes("message.edited"), `the changes are ${kinds.join()}`);

// This position is beyond the head: begin again with a page of messages.
const reset = body(await client.GET("/rooms/{room}/changes", { params: { path, query: { since: beyondHead } } }));
check(reset.reset && reset.since === undefined && reset.items.length === 0, "a lost position is reset");

// What the wire does: see cmd/chat/wire_test.go.
const everything = { path: { room: "everything" } };
shows(await client.GET("/rooms/{room}/messages", { params: everything }), ...everyMessage);
shows(await client.GET("/rooms/{room}/changes", { params: { ...everything, query: { limit: 200 } } }), ...everyChange);
shows(await client.GET("/rooms/{room}/audit", { params: everything }), "room.sailed");
refused(await client.GET("/rooms/{room}", { params: { path: { room: "limited" } } }), 429, "rate-limited");
throttled(await client.GET("/rooms/{room}", { params: { path: { room: "throttled" } } }));
refused(await client.GET("/rooms/{room}", { params: { path: { room: "novel" } } }), 404, "of-a-later-version");
refused(await client.GET("/rooms/{room}/messages", { params: { ...everything, query: { cursor: "nonsense" } } }), 400, "bad-cursor");
console.log("openapi-fetch: ok");
