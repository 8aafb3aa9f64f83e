// Pictures that people upload of themselves, and the links to them.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { missetClock } from "./harness/clock.js";
import type { Seen } from "./harness/proxy.js";
import { World, type Person } from "./harness/world.js";

const HALF_HOUR = 1_800_000;

const isList = (r: Seen) => r.method === "GET" && r.path.startsWith("/people?ids=");
const isPut = (r: Seen) => r.method === "PUT" && r.path.startsWith("/files/");

/** Returns a picture, as far as the server can tell. */
const picture = (text: string) => new Blob([text], { type: "image/webp" });

/** Uploads a picture of a person and shows it. Returns what their cards have then. */
async function shows({ chat }: Person, text: string): Promise<string> {
  const sha256 = await (await chat.files()).uploadPicture(picture(text));
  await chat.request("PATCH", "/people/me", { picture: sha256 });
  return sha256;
}

const textAt = async (address: string) => (await fetch(address)).text();

test("a picture is uploaded, replaced and removed", async t => {
  const w = await World.open(t);
  const [amsg, bob] = await w.online("amsg", "bob");
  assert.ok(amsg && bob);
  const links = await bob.chat.files();
  const first = await shows(amsg, "first");
  assert.equal(first, createHash("sha256").update("first").digest("base64"));
  const address = await links.picture("amsg", first);
  assert.equal(await textAt(address), "first");
  const second = await shows(amsg, "second");
  const another = await links.picture("amsg", second);
  assert.notEqual(another, address, "a browser would show the former picture");
  assert.equal(await textAt(another), "second");
  await amsg.chat.request("PATCH", "/people/me", { picture: "" });
  assert.equal(await links.picture("amsg", second, true), "");
});

test("links of a tick are requested together, and kept until they expire", async t => {
  const w = await World.open(t);
  const [amsg, bob] = await w.online("amsg", "bob");
  assert.ok(amsg && bob);
  const version = await shows(amsg, "me");
  const links = await bob.chat.files();
  const asked = () => w.network.log.filter(r => isList(r) && r.user === "bob").length;
  const before = asked();
  const users = ["amsg", ...Array.from({ length: 50 }, (_, n) => `user${n}`)];
  const all = await Promise.all(users.map(user => links.picture(user, version)));
  assert.equal(asked() - before, 2, "not 50 people to a request");
  assert.deepEqual(all.map(Boolean), users.map(user => user === "amsg"));
  assert.deepEqual(await Promise.all([links.picture("amsg", version), links.picture("amsg", version)]), [all[0], all[0]]);
  assert.equal(asked() - before, 2, "a link is not kept");
  await Promise.all([links.picture("amsg", version, true), links.picture("amsg", version, true)]);
  assert.equal(asked() - before, 3, "fresh requests no link, or one for each");
  await links.picture("user1", version);
  assert.equal(asked() - before, 4, "that there is none is kept");
  missetClock(t, 2 * HALF_HOUR);
  await links.picture("amsg", version);
  assert.equal(asked() - before, 5, "an expired link is kept");
});

test("a failure is not kept", async t => {
  const w = await World.open(t);
  const [amsg, bob] = await w.online("amsg", "bob");
  assert.ok(amsg && bob);
  const version = await shows(amsg, "me");
  const links = await bob.chat.files();
  w.network.request = r => isList(r) && r.path.includes("amsg") ? { status: 403, body: {} } : "pass";
  await assert.rejects(Promise.all([links.picture("amsg", version), links.picture("amsg", version)]), { status: 403 });
  w.network.heal();
  await assert.doesNotReject(links.picture("amsg", version));
});

test("a picture that is refused says why", async t => {
  const w = await World.open(t);
  const [amsg] = await w.online("amsg");
  assert.ok(amsg);
  const links = await amsg.chat.files();
  await assert.rejects(links.uploadPicture(new Blob(["a"], { type: "text/plain" })), { status: 422, message: /type must be one of/ });
  await assert.rejects(links.uploadPicture(picture("a".repeat(65_537))), { status: 422, message: /bytes must be/ });
  w.network.request = r => isPut(r) ? { status: 400, body: {} } : "pass";
  await assert.rejects(links.uploadPicture(picture("a")), { message: "The picture could not be stored (400). Try again." });
  w.network.request = r => isPut(r) ? "lose-request" : "pass";
  await assert.rejects(links.uploadPicture(picture("a")), { name: "RequestError", status: 0 });
});
