// The decision about notifications, compared with the server's.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { decide, holdBack, isQuiet, type Facts, type Level } from "../src/notify.js";

/** Returns the lines of a golden file of internal/notify. */
async function golden(name: string): Promise<string[]> {
  const file = join(process.env["CHAT_REPOSITORY"] ?? "", "internal/notify/testdata", name);
  return (await readFile(file, "utf8")).trimEnd().split("\n");
}

const facts: Readonly<Record<string, Facts>> = {
  "message": { listed: true }, "reply": {}, "followed reply": { followed: true }, "direct": { listed: true, direct: true },
  "@everyone": { listed: true, everyone: true }, "@person": { listed: true, mention: true },
};

test("a person is notified of the same messages as on the server", async () => {
  const [head = [], ...rows] = (await golden("decisions.golden")).map(line => line.split("|").map(cell => cell.trim()));
  assert.equal(rows.length, 5 * 4 * 4);
  assert.deepEqual(head.slice(3), Object.keys(facts));
  for (const [room, person, quiet = "", ...cells] of rows) {
    const reader = { room: (room || undefined) as Level | undefined, person: person as Level, quiet: quiet.startsWith("quiet"), mentionsAlways: quiet.endsWith("always") };
    for (const [n, name] of head.slice(3).entries()) {
      assert.equal(decide(reader, facts[name]!), cells[n] === "yes", `${room} ${person} ${quiet}: ${name}`);
      assert.ok(!decide({ ...reader, barred: true }, facts[name]!), `barred, ${room} ${person} ${quiet}: ${name}`);
    }
  }
});

test("hours are quiet as on the server, also where the clock changes", async () => {
  for (const line of await golden("quiet.golden")) {
    const [hours = "", changes = ""] = line.split(/:(?= |$)/);
    const [zone = "", from = "", to = "", days = "", first = "", last = ""] = hours.split(" ");
    const quiet = { zone, from, to, days: [...days].map(Number) };
    const found: string[] = [];
    let was = false;
    for (let at = Date.parse(first); at < Date.parse(last); at += 5 * 60_000) {
      if (isQuiet(quiet, at) === was) continue;
      was = !was;
      found.push(new Date(at).toISOString().slice(8, 16));
    }
    assert.deepEqual(found, changes.split(" ").filter(Boolean), hours);
  }
});

test("a pause holds notifications back until it ends", () => {
  const paused = { level: "direct", mentionsAlways: false, show: "text", pausedUntil: "2026-11-29T12:00:00.000Z" } as const;
  assert.ok(holdBack(paused, Date.parse("2026-11-29T11:59:59.999Z")));
  assert.ok(!holdBack(paused, Date.parse("2026-11-29T12:00:00.000Z")));
  assert.ok(!holdBack({ level: "direct", mentionsAlways: false, show: "text" }, 0));
});
