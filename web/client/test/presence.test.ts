// Who types and who is there.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sleep, until } from "./harness/until.js";
import { World, opened } from "./harness/world.js";

/** A typing frame shows for 10 s, an absence after 15 s. */
const typingEnd = 10_000;
const leaveDelay = 15_000;
const slack = 3_000;

describe("people", { concurrency: 3 }, () => {
  test("who type are shown to the others until they stop, and are sent once", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const [amsg, bob] = await w.online("amsg", "bob");
    assert.ok(amsg && bob);
    const seen = await opened(amsg, "seattle");
    const own = await opened(bob, "seattle");
    for (let key = 0; key < 30; key++) own.typing();
    await until("bob is seen", () => seen.value.typing.includes("bob"));
    const began = performance.now();
    assert.equal(w.network.sentFrames.filter(f => f.type === "typing").length, 1);
    assert.deepEqual(own.value.typing, []);
    await until("bob is not seen any more", () => seen.value.typing.length === 0, typingEnd + slack);
    assert.ok(performance.now() - began > typingEnd - slack, "too early");
  });

  test("who come are shown at once, and who go after 15 seconds", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob", "carol");
    const [amsg, bob, carol] = await w.online("amsg", "bob", "carol");
    assert.ok(amsg && bob && carol);
    const room = await opened(amsg, "seattle");
    await opened(bob, "seattle");
    await opened(carol, "seattle");
    await until("all are seen", () => room.value.online.includes("bob") && room.value.online.includes("carol"));
    const online = await w.ask<{ users: string[] }>("amsg", "GET", "/rooms/seattle/online");
    assert.deepEqual([...room.value.online].sort(), [...online.users].sort());
    assert.equal(room.value.onlineCount, 3);
    bob.chat.close();
    for (const l of w.network.links) if (l.user === "carol") l.cut(); // she connects again
    const left = performance.now();
    await until("bob has gone", () => {
      assert.ok(room.value.online.includes("carol"), "carol flickers");
      return !room.value.online.includes("bob");
    }, leaveDelay + slack);
    assert.ok(performance.now() - left > leaveDelay - slack, "bob left too early");
    await sleep(500);
    assert.ok(room.value.online.includes("carol"));
  });

  test("a person who opens a room before they are connected is there, and so are those who came meanwhile", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    w.network.live = false;
    const room = await opened(w.connect("amsg"), "seattle");
    await until("it is known who is online", () => w.network.log.some(d => d.path.endsWith("/online") && d.end));
    w.network.live = true;
    await until("amsg is there", () => room.value.online.includes("amsg"));
    w.network.live = false;
    for (const l of w.network.links) l.cut();
    w.network.live = true;
    await w.online("bob");
    await until("bob is there", () => room.value.online.includes("bob"));
  });

  test("an answer that is older than a person's coming does not hide them", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    let answer = () => {};
    const held = new Promise<void>(done => { answer = done; });
    const hold: typeof fetch = async (url, o) => {
      const got = await fetch(url, o);
      if (String(url).endsWith("/online")) await held;
      return got;
    };
    const amsg = w.connect("amsg", { fetch: hold });
    await until("amsg is online", () => amsg.chat.state.value === "online");
    const room = await opened(amsg, "seattle");
    await until("it was asked who is online", () => w.network.log.some(d => d.path.endsWith("/online") && d.end));
    await w.online("bob");
    await until("bob is there", () => room.value.online.includes("bob"));
    answer();
    await until("the answer is taken", () => room.value.online.includes("amsg"));
    assert.ok(room.value.online.includes("bob"), "bob is hidden");
  });

  test("the number of people follows those who join and leave", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    const [amsg] = await w.online("amsg");
    assert.ok(amsg);
    const room = await opened(amsg, "seattle");
    assert.equal(room.value.info?.memberCount, 1);
    const join = (user: string) => w.ask(user, "PUT", "/rooms/seattle/members/me", { role: "member" });
    await Promise.all(["bob", "carol", "dan", "eve"].map(join));
    await until("five are counted", () => room.value.info?.memberCount === 5);
    await w.ask("bob", "DELETE", "/rooms/seattle/members/me");
    await until("four are counted", () => room.value.info?.memberCount === 4);
  });

  test("the line of what is new goes when the person answers", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg", "bob");
    const [first] = await w.post("bob", "seattle", "one", "two");
    const [amsg] = await w.online("amsg");
    assert.ok(amsg && first);
    await until("two are unread", () => amsg.chat.rooms.unread === 2);
    const room = await opened(amsg, "seattle");
    assert.equal(room.value.firstUnread, first.id);
    room.send("three");
    assert.equal(room.value.firstUnread, undefined);
    await w.post("bob", "seattle", "four");
    await until("four is there", () => room.value.messages.some(m => m.text === "four"));
    assert.equal(room.value.firstUnread, undefined);
  });
});
