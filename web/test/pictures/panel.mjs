// The states of the panels.
import { REFUSED } from "../fixtures.mjs";

const dialog = (person, name) => person.page.getByRole("dialog", { name });

/** Opens a panel of a room, and waits for a text in it. */
async function opened(s, room, name, text, user = "amsg") {
  const me = await s.enter(user, room);
  await me.show(name);
  await me.panel.getByText(text).first().waitFor();
  return me;
}

/** Takes pictures of what the actions on a person ask. */
async function asked(s, me) {
  for (const action of ["Mute", "Ban", "Hand over the room"]) {
    await me.withPerson("Bob", action);
    await s.shoot(me, action.toLowerCase().replaceAll(" ", "-"));
    await me.page.keyboard.press("Escape");
  }
}

export const states = [
  { name: "search", sizes: ["wide", "phone", "laptop", "tablet", "zoom"], reach: async s => {
    const me = await s.enter("amsg", "crowd");
    me.allow(REFUSED); // the query that cannot be read
    await me.page.keyboard.press("Control+Shift+F");
    const field = me.panel.getByRole("searchbox");
    await field.waitFor();
    await s.shoot(me, "empty");
    for (const [name, query, text] of [["results", "the", /^\d+ messages?/], ["fault", "the has:wings", "The query must have"], ["names", "the from:", "You"], ["none", "zzzz is:thread", "Nothing was found."]]) {
      await field.fill(query);
      await me.panel.getByText(text).first().waitFor();
      await s.shoot(me, name);
    }
  } },
  { name: "notifications", sizes: ["wide", "phone"], reach: async s => {
    const me = await s.enter("amsg", "crowd");
    await me.button("Notifications").click();
    await me.page.getByRole("menuitemcheckbox", { name: "As in your settings" }).waitFor();
    await s.shoot(me, "bell");
    await me.item("Nothing for 1 hour").click();
    await me.settled();
    await me.button("Notifications").click();
    await me.item("Settings of notifications").click();
    const settings = dialog(me, "Notifications");
    await settings.getByRole("combobox", { name: "Tell me of" }).waitFor();
    await s.shoot(me, "settings");
    await settings.getByRole("checkbox", { name: "Quiet hours" }).check();
    await settings.getByRole("button", { name: "Pause for 1 hour" }).click();
    await settings.getByRole("button", { name: "Resume" }).waitFor();
    await settings.getByRole("checkbox", { name: "Quiet hours" }).check();
    await s.shoot(me, "quiet");
    await settings.getByRole("button", { name: "Resume" }).click(); // the next size begins alike
    await settings.getByRole("button", { name: "Pause for 1 hour" }).waitFor();
  } },
  { name: "people", sizes: ["wide", "phone", "laptop", "tablet", "zoom"], reach: async s => {
    const me = await opened(s, "crowd", "People", "Davy Ivens");
    await s.shoot(me);
    await me.panel.getByRole("button", { name: "Actions for Bob" }).click();
    await s.shoot(me, "menu");
    await me.page.keyboard.press("Escape");
    await me.panel.getByRole("searchbox").fill("zzz");
    await s.shoot(me, "none");
  } },
  { name: "people-asked", reach: async s => asked(s, await opened(s, "crowd", "People", "Davy Ivens")) },
  { name: "bans-and-reports", reach: async s => {
    const me = await opened(s, "crowd", "People", "Davy Ivens");
    await me.panel.getByRole("button", { name: "Banned" }).click();
    await me.panel.getByText("spam").first().waitFor();
    await s.shoot(me, "banned");
    await me.panel.getByRole("button", { name: "Reports" }).click();
    await me.panel.getByText("third time").waitFor();
    await s.shoot(me, "reports");
    const again = await opened(s, "plans", "People", "Davy Ivens");
    await again.panel.getByRole("button", { name: "Banned" }).click();
    await again.panel.getByText("Nobody is banned.").waitFor();
    await s.shoot(again, "nobody");
  } },
  { name: "programs", reach: async s => {
    const me = await opened(s, "crowd", "Settings", "Connect other programs");
    await me.panel.getByRole("button", { name: "Connect other programs" }).scrollIntoViewIfNeeded();
    await s.shoot(me, "settings");
    await me.panel.getByRole("button", { name: "Connect other programs" }).click();
    await me.panel.getByRole("button", { name: "Add an incoming webhook" }).click();
    const form = dialog(me, "Add an incoming webhook");
    await form.getByRole("textbox", { name: "Name" }).fill("Grafana alerts");
    await s.shoot(me, "add");
    await form.getByRole("button", { name: "Add", exact: true }).click();
    await dialog(me, "The address of Grafana alerts").waitFor();
    await s.shoot(me, "address");
    await me.page.keyboard.press("Escape");
    await me.panel.getByRole("button", { name: "Add an address" }).click();
    const sending = dialog(me, "Send changes to an address");
    await sending.getByRole("textbox", { name: "Name" }).fill(`Build mirror ${s.size}`);
    await sending.getByRole("textbox", { name: "Address" }).fill("http://127.0.0.1:9/"); // nothing listens there
    await s.shoot(me, "send");
    await sending.getByRole("button", { name: "Add", exact: true }).click();
    await dialog(me, "The secret of build-mirror").waitFor();
    await s.shoot(me, "secret");
    await me.page.keyboard.press("Escape");
    await me.panel.getByText("Last test").first().waitFor();
    await s.shoot(me);
    await me.panel.getByRole("button", { name: /^Actions for build-mirror/ }).first().click();
    await s.shoot(me, "menu");
  } },
  { name: "invite", reach: async s => {
    const me = await opened(s, "plans", "People", "Davy Ivens");
    await me.button("Invite").click();
    await dialog(me, /^Invite/).waitFor();
    await s.shoot(me);
    await me.page.getByRole("textbox", { name: "Add somebody" }).fill("wo");
    await me.page.getByRole("button", { name: /^Add Hubert/ }).waitFor();
    await s.shoot(me, "found");
    await me.page.getByRole("textbox", { name: "Add somebody" }).fill("");
    await me.button("Create a link").click();
    await me.page.getByRole("textbox", { name: /^Copy the link/ }).waitFor();
    await s.shoot(me, "link");
  } },
  { name: "documents", reach: async s => {
    const me = await opened(s, "plans", "Documents", "Checklist");
    await s.shoot(me);
    await me.button("New document").click();
    await s.shoot(me, "new");
    await me.page.keyboard.press("Escape");
    await me.panel.getByRole("button", { name: /^What we keep/ }).click();
    await me.panel.getByText("kept for a year").waitFor();
    await s.shoot(me, "open");
    await me.button("Edit messages").click();
    await me.page.getByRole("textbox", { name: "Text of messages" }).fill("Messages are kept for ever.");
    await s.shoot(me, "edit");
    await me.button("Save").click();
    await me.button("Versions of messages").click();
    await me.button("Versions of messages").waitFor();
    await me.panel.getByRole("button", { name: /^Version 1/ }).click();
    await s.shoot(me, "versions");
  } },
  { name: "no-documents", reach: async s => s.shoot(await opened(s, "seattle", "Documents", "no documents")) },
  { name: "settings", sizes: ["wide", "phone", "laptop", "zoom"], reach: async s => {
    const me = await opened(s, "plans", "Settings", "Who");
    await s.shoot(me);
    await me.panel.evaluate(p => { p.scrollTop = p.scrollHeight; });
    await s.shoot(me, "end");
    await me.button("Delete the room").click();
    await s.shoot(me, "delete");
  } },
  { name: "settings-of-another", reach: async s => {
    const me = await opened(s, "seattle", "Settings", "Rain");
    await s.shoot(me);
    await me.button("Leave the room").click();
    await s.shoot(me, "leave");
  } },
  { name: "places", reach: async s => {
    const me = await opened(s, "plans", "Settings", "Public rooms by place");
    await me.button("Public rooms by place").click();
    await me.panel.getByText("Norway").waitFor();
    await s.shoot(me);
    await me.panel.getByText("USA").click();
    await me.panel.getByText("WA").first().click();
    await me.panel.getByText("Seattle").first().click();
    await me.panel.getByText("Rain, mostly").waitFor();
    await s.shoot(me, "rooms");
  } },
  { name: "history", reach: async s => {
    const me = await s.enter("amsg", "plans");
    await s.act(me, "Read it on the train", "Edit history");
    await me.panel.getByText("Original").waitFor();
    await s.shoot(me);
  } },
  { name: "report", reach: async s => {
    const me = await s.enter("bob", "plans");
    await s.act(me, "the map is up", "Report");
    await me.panel.getByRole("textbox", { name: "Reason" }).waitFor();
    await s.shoot(me);
    await me.panel.getByRole("textbox", { name: "Reason" }).fill("The map is down");
    await me.button("Report").click();
    await me.button("Done").waitFor();
    await s.shoot(me, "sent");
  } },
  { name: "threads", sizes: ["wide", "phone", "laptop", "tablet", "zoom"], reach: async s => {
    const room = `threads-${s.size}`;
    await s.server.room(room, "rhianna", ["amsg", "bob", "davy"], { name: room, topic: "Threads, mentions and saved messages" });
    const say = (user, text, more) => s.server.post(user, room, text, more);
    const { id } = await say("rhianna", "Who brings what to the release party?");
    await say("davy", "The cake. It is a big one, as the last was gone within minutes.", { thread: id });
    const { id: asked } = await say("bob", "Juice and glasses. @amsg, do you have plates?", { thread: id, mentions: ["amsg"] });
    await say("amsg", "Plates, and the big table", { thread: id, showInRoom: true, quote: asked });
    await s.server.api("rhianna", "PUT", `/rooms/${room}/messages/${encodeURIComponent(asked)}/reactions/${encodeURIComponent("👍")}`);
    await s.server.api("amsg", "PUT", `/people/me/saved/${room}/${encodeURIComponent(asked)}`);
    await say("davy", "Something else: the checklist is done.");
    const { id: other } = await say("amsg", "Is the checklist still open?");
    await say("rhianna", "It is", { thread: other });
    const me = await s.enter("amsg", room);
    const way = me.row("Who brings").getByRole("button", { name: /^3 replies/ });
    await way.waitFor();
    await s.shoot(me, "room");
    await way.click();
    await me.panel.getByRole("article").filter({ hasText: "Juice" }).getByRole("button", { name: "👍 1" }).waitFor();
    await s.shoot(me);
    await me.panel.getByRole("button", { name: "Close thread" }).click();
    const list = s.size !== "wide"; // elsewhere a panel covers it
    for (const [kind, text] of [["Threads", "Who brings"], ["Saved", "Juice"], ["Activity", "Juice"]]) {
      if (list) await me.page.goto(`${s.server.url}/#/`);
      await me.nav.getByRole("button", { name: new RegExp(`^${kind}(,|$)`) }).click();
      await me.panel.getByRole("listitem").filter({ hasText: text }).first().waitFor();
      await s.shoot(me, kind.toLowerCase());
      if (list) await me.page.goBack();
    }
  } },
  { name: "activity", sizes: ["wide", "phone", "laptop", "tablet", "zoom"], reach: async s => {
    const user = `vera-${s.size}`;
    const room = `activity-${s.size}`;
    const say = (by, where, text, more) => s.server.post(by, where, text, more);
    await s.server.api(user, "PUT", "/people/me", { name: "Vera Volkova" });
    await s.server.room(room, "rhianna", [user, "bob", "davy"], { name: "Release", topic: "What goes out, and when" });
    await s.server.room(`club-${s.size}`, "davy", [], { name: "Chess club" });
    const { id: asked } = await say(user, room, "Who reads the notes once more before they go out?");
    await say("bob", room, "@Vera Volkova, the notes have a table now. Is that what you meant?", { mentions: [user] });
    await say("davy", room, "I do, tonight", { thread: asked });
    await say("davy", `club-${s.size}`, "@Vera Volkova do you play? We miss one on Thursday.", { mentions: [user] });
    await s.server.room(`picnic-${s.size}`, "bob", [], { name: "Picnic" });
    await s.server.api("bob", "PUT", `/rooms/picnic-${s.size}/members/${user}`, { role: "member" });
    const me = await s.enter(user, room);
    if (["phone", "zoom"].includes(s.size)) await me.page.goto(`${s.server.url}/#/`);
    await me.nav.getByRole("button", { name: /^Activity, \d unread/ }).click();
    await me.panel.getByText("in #Chess club").waitFor();
    await s.shoot(me);
    await me.panel.getByRole("listitem").filter({ hasText: "Is that what you meant" }).getByRole("button", { name: /^Answer/ }).click();
    await me.panel.getByRole("textbox").fill("Yes, thank you");
    await s.shoot(me, "answer");
  } },
  { name: "outside", reach: async s => {
    const { id: room } = await s.server.api("rhianna", "POST", "/rooms", { visibility: "private", name: "Budget" });
    const me = await s.enter("rhianna", room);
    await me.composer.fill("@davy, here are the numbers");
    await me.page.getByText("davy is not in this room.").or(me.page.getByText(/is not in this room/)).first().waitFor();
    await s.shoot(me);
    await me.composer.fill("");
    await me.composer.press("Shift+Escape");
    await me.page.getByRole("alertdialog").waitFor();
    await s.shoot(me, "mark-all");
  } },
];
