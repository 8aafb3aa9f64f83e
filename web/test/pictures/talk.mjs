// The people, rooms and documents of the pictures.

const names = {
  amsg: "amsg", rhianna: "Rhianna Cohen", davy: "Davy Ivens", bob: "Bob", noa: "נועה לוי",
  wolfe: "Hubert Wolfeschlegelsteinhausenbergerdorff von Langenhausen",
};

const talk = [
  ["davy", "Moved the import over to the new table. 12,574 records in, every one accounted for."],
  ["davy", "A second run added nothing, so it is safe to run again: `chat import slack export.zip`"],
  ["rhianna", "Nice. I wrote down what we keep and for how long, see https://example.com/retention. Objections by *Monday* please."],
  ["amsg", "Read it on the train. One question on backups, otherwise good to go."],
  ["amsg", "This one goes"],
  ["davy", "Backups hold deleted text for 35 days, then it is gone for good. I added a line."],
  ["davy", "the map is up, have a look: https://parley.example/map"],
  ["bob", "🙌"],
  ["rhianna", "```\nfor room in rooms {\n    print(room.name)\n}\n```"],
  ["noa", "שלום לכולם, המפה נראית מצוין. תודה על parley.example"],
  ["amsg", "Looks great. Shipping it."],
];

/** Texts that are hard to lay out. */
const hard = [
  ["wolfe", "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(3)],
  ["wolfe", `https://example.com/${"a-path-without-end/".repeat(12)}?q=1`],
  ["bob", "👩‍👩‍👧‍👦 🇳🇴 🏳️‍🌈 👍🏽"],
  ["bob", "`" + "x=1;".repeat(40) + "`"],
  ["noa", "מערבבים עברית with English ו-123 באותה שורה"],
  ["noa", "```\n" + "const line = 'code is never wrapped in the middle of a word if that can be helped';\n".repeat(3) + "```"],
  ["davy", Array.from({ length: 40 }, (_, i) => `${i + 1}. A long list, which is folded after a while.`).join("\n")],
];

const crowd = [
  "alice.baker", "carol.diaz", "erin.fox", "gina.hart", "ivan.jones", "kim.lee", "mona.nash", "omar.price", "quinn.reed", "sara.tate",
];

/** Creates all of it. */
export async function fill(server) {
  for (const [user, name] of Object.entries(names)) await server.api(user, "PUT", "/people/me", { name });
  await server.room("plans", "amsg", ["rhianna", "davy", "bob", "noa"], { name: "plans", topic: "Everything that has no room of its own", place: ["USA", "WA", "Seattle"] });
  await server.room("seattle", "bob", ["amsg"], { name: "seattle", topic: "Rain, mostly", place: ["USA", "WA", "Seattle"] });
  await server.room("oslo", "bob", [], { name: "oslo", topic: "Snow, mostly", place: ["Norway", "Oslo"] });
  await server.room("release-2026-12", "rhianna", ["amsg", "davy"], { name: "release-2026-12" });
  await server.room("hard", "wolfe", ["amsg", "bob", "davy", "noa"], {
    name: "Questions, answers and everything else that was never decided", topic: "A topic that is longer than any header has space for, however wide the window of the person who reads it may be",
  });
  await server.post("bob", "seattle", "rain and coffee, as ever");
  await server.post("rhianna", "release-2026-12", "I edited the checklist");
  for (const [user, text] of hard) await server.post(user, "hard", text);
  await said(server);
  const direct = await server.api("rhianna", "POST", "/rooms", { direct: ["amsg"] });
  await server.post("rhianna", direct.id, "Could you look at version 2?");
  await documents(server);
  await settle(server);
}

async function said(server) {
  const ids = [];
  for (const [user, text] of talk) ids.push((await server.post(user, "plans", text)).id);
  await server.api("amsg", "PATCH", `/rooms/plans/messages/${encodeURIComponent(ids[3])}`, { text: `${talk[3][1]} Well done.` });
  await server.api("amsg", "DELETE", `/rooms/plans/messages/${encodeURIComponent(ids[4])}`);
}

async function documents(server) {
  const base = "/rooms/plans/documents";
  await server.api("rhianna", "PUT", `${base}/retention`, { title: "What we keep, and for how long" });
  await server.api("rhianna", "PUT", `${base}/retention/parts/messages`, { text: "Messages are kept until somebody deletes them. Backups hold deleted text for 35 days." });
  await server.api("rhianna", "PUT", `${base}/retention/parts/reports`, { text: "Reports are kept for a year." });
  await server.api("davy", "PUT", `${base}/checklist`, { title: "Checklist" });
}

/** A large room, with every role, bans and reports. */
async function settle(server) {
  await server.room("crowd", "amsg", ["bob", "davy", "wolfe", "noa"], { name: "crowd" });
  for (const user of crowd) for (const n of ["", 2, 3, 4, 5]) await server.api("amsg", "PUT", `/rooms/crowd/members/${user}${n}`, { role: "member" });
  await server.api("amsg", "PUT", "/rooms/crowd/members/davy", { role: "moderator" });
  await server.api("amsg", "PUT", "/rooms/crowd/members/noa", { role: "muted", reason: "too loud", until: new Date(Date.now() + 3_600_000).toISOString() });
  const { id } = await server.post("bob", "crowd", "Buy cheap watches, only today");
  await server.api("davy", "POST", `/rooms/crowd/messages/${encodeURIComponent(id)}/reports`, { reason: "Spam, for the third time" });
  await server.api("amsg", "PUT", "/rooms/crowd/members/kim.lee", { role: "banned", reason: "spam" });
}
