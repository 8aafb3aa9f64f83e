// Votes in polls, on all devices of a person, against the server's counts.
import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { RequestError, type Act, type NewPoll, type Poll, type Room } from "../src/index.js";
import { thread } from "../src/thread.js";
import { vote } from "../src/doing.js";
import { Gate } from "./harness/faults.js";
import { until } from "./harness/until.js";
import { World, find, has, opened, receives, sent, type Person } from "./harness/world.js";

/** Returns a poll in a line: its voters, and the votes of each option, with * for the person's own. */
const line = (poll: Poll | undefined) =>
  poll ? `${poll.voters}: ${poll.options.map(o => `${o.votes}${o.me ? "*" : ""}`).join(" ")}` : "none";

/** A person's view of the poll. */
interface Voter {
  readonly p: Person;
  readonly room: Room;
  shows(): string;
  vote(...choices: number[]): Promise<Act>;
}

/** Returns a world with a poll of amsg's, and what a person sees of it. */
async function polled(t: TestContext, more: Partial<NewPoll> = {}): Promise<{ w: World; id: string; amsg: Voter; join(user: string): Promise<Voter> }> {
  const w = await World.open(t);
  await w.room("seattle", "amsg", "bob");
  const [p] = await w.online("amsg");
  const room = await opened(p!, "seattle");
  const id = room.send("When?", undefined, { poll: { options: ["Tuesday", "Wednesday", "Friday"], ...more } });
  await sent(room);
  await receives(p!, "the message", has(id)); // which would take back the count of a vote for a moment
  const join = async (user: string): Promise<Voter> => {
    const [p] = await w.online(user);
    const room = await opened(p!, "seattle");
    const message = () => find(room, id) ?? assert.fail("no message");
    return { p: p!, room, shows: () => line(message().poll), vote: (...choices) => vote(p!.chat, message(), choices) };
  };
  return { w, id, amsg: await join("amsg"), join };
}

/** Waits until each of the views shows a line. */
async function all(what: string, ...views: Voter[]): Promise<void> {
  for (const v of views) await until(`${v.p.user} sees ${what} and not ${v.shows()}`, () => v.shows() === what);
}

/** Waits until the client shows a person that so many have voted. */
const told = (v: Voter, voters: number) => receives(v.p, `${voters} voters`, has(`"voters":${voters}`));

/** Waits until a person's list, polls included, is the server's. */
const agree = async (w: World, ...views: Voter[]) => { for (const v of views) await w.agrees(v.p, "seattle"); };

describe("a poll", { concurrency: 3 }, () => {
  test("is shown while it is sent, and stored as it was sent", async t => {
    const w = await World.open(t);
    await w.room("seattle", "amsg");
    const [amsg] = await w.online("amsg");
    const room = await opened(amsg!, "seattle");
    const gate = new Gate();
    w.network.request = r => (r.method === "POST" ? gate.passed : "pass");
    const endsAt = new Date(Date.now() + 3_600_000).toISOString();
    const id = room.send("When?", undefined, { poll: { options: ["Tuesday", "Friday"], multiple: true, endsAt } });
    const expected = { options: [{ text: "Tuesday", votes: 0 }, { text: "Friday", votes: 0 }], voters: 0, multiple: true, endsAt };
    assert.deepEqual(find(room, id)?.poll, expected);
    assert.equal(find(room, id)?.status, "pending");
    gate.open();
    await sent(room);
    assert.deepEqual(find(room, id)?.poll, expected);
    await w.agrees(amsg!, "seattle");
  });

  test("counts votes, changed votes and votes that are taken back, and each device knows its person's", async t => {
    const { w, id, amsg, join } = await polled(t);
    const [bob, phone] = [await join("bob"), await join("bob")];
    const voting = bob.vote(1);
    assert.equal(bob.shows(), "1: 0 1* 0", "it shows before the answer");
    await voting;
    await all("1: 0 1 0", amsg);
    await all("1: 0 1* 0", bob, phone);
    await amsg.vote(1);
    await all("2: 0 2* 0", amsg, bob, phone);
    await phone.vote(2);
    await all("2: 0 1 1*", bob, phone);
    await all("2: 0 1* 1", amsg);
    await agree(w, amsg, bob, phone);
    await bob.vote();
    await all("1: 0 1 0", bob, phone);
    await all("1: 0 1* 0", amsg);
    await w.ask("amsg", "PATCH", `/rooms/seattle/messages/${encodeURIComponent(id)}`, { metadata: { due: "today" } });
    await until("the edit is shown", () => amsg.room.value.messages[0]?.metadata?.due === "today");
    assert.equal(amsg.shows(), "1: 0 1* 0", "an edit keeps the choice");
    await agree(w, amsg, bob, phone);
  });

  test("takes several choices, and shows the last of quick votes whatever comes late", async t => {
    const { w, id, join } = await polled(t, { multiple: true });
    const bob = await join("bob");
    const mine: string[] = [];
    bob.room.subscribe(() => mine.push(`${find(bob.room, id)?.poll?.options.flatMap((o, i) => (o.me ? [i] : []))}`));
    const gate = new Gate();
    w.network.answer = r => (r.path.endsWith("/vote") ? gate.passed : "pass");
    const first = bob.vote(0);
    await until("the first is on its way", () => w.network.log.some(r => r.path.endsWith("/vote")));
    const votes = [first, bob.vote(2, 0), bob.vote(1, 2, 0), bob.vote(2, 1)];
    gate.open();
    await Promise.all(votes);
    await all("1: 0 1* 1*", bob);
    const events = () => bob.p.edge.received.filter(f => JSON.stringify(f).includes("poll.changed")).length;
    await until("the events of the first and the last have come", () => events() === 2);
    assert.deepEqual(mine.filter((m, i) => m !== mine[i - 1]), ["0", "0,2", "0,1,2", "1,2"], "no earlier vote comes back");
    await agree(w, bob);
  });

  test("shows a vote no more that is refused", async t => {
    const { w, join } = await polled(t);
    const bob = await join("bob");
    await bob.vote(0);
    await told(bob, 1);
    w.network.request = r => (r.path.endsWith("/vote") ? { status: 409 } : "pass");
    const refused = (e: unknown) => e instanceof RequestError && e.status === 409;
    const both = [bob.vote(1), bob.vote(2)];
    assert.equal(bob.shows(), "1: 0 0 1*");
    await Promise.all(both.map(v => assert.rejects(v, refused)));
    assert.equal(bob.shows(), "1: 1* 0 0");
    w.network.fail(true);
    const late = bob.vote();
    assert.equal(bob.shows(), "0: 0 0 0", "a vote without a network is kept");
    w.network.heal();
    await late;
    await all("0: 0 0 0", bob); // the server's counts may be a second behind
    await agree(w, bob);
  });

  test("has the server's counts after a refused vote, whatever came meanwhile", async t => {
    const { w, amsg, join } = await polled(t);
    const bob = await join("bob");
    const gate = new Gate();
    w.network.request = r => (r.user === "bob" && r.path.endsWith("/vote") ? gate.passed.then(() => ({ status: 409 })) : "pass");
    const refused = assert.rejects(bob.vote(1));
    assert.equal(bob.shows(), "1: 0 1* 0");
    await amsg.vote(1);
    await told(bob, 1);
    gate.open();
    await refused;
    await all("1: 0 1 0", bob);
    await agree(w, bob);
  });

  test("is voted in from the room and from the thread below it, and both show it", async t => {
    const { w, id, amsg } = await polled(t);
    const replies = thread(amsg.p.chat, "seattle", id);
    await replies.open();
    await amsg.vote(2);
    await told(amsg, 1);
    const first = () => line(replies.value.first?.poll);
    assert.equal(first(), "1: 0 0 1*");
    const other = replies.send("or then?", undefined, { poll: { options: ["noon", "night"] } });
    await until("the reply is stored", () => replies.value.messages.some(m => m.id === other && !m.status));
    await vote(amsg.p.chat, replies.value.messages[0]!, [1]);
    await until("the vote in the reply is counted", async () =>
      line((await w.ask<{ poll: Poll }>("amsg", "GET", `/rooms/seattle/messages/${encodeURIComponent(other)}`)).poll) === "1: 0 1*");
    await until("the thread shows it", () => line(replies.value.messages[0]?.poll) === "1: 0 1*" && first() === "1: 0 0 1*");
    replies.close();
  });
});
