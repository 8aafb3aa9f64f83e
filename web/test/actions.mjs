// Sixty-one everyday actions of people who come from Slack and Zulip, with the least keys and clicks for each.
// The tests do them, and the table in docs/web.md is made from them.
import { expect } from "@playwright/test";
import { png } from "./bytes.mjs";

const toast = text => p => p.page.getByText(text).waitFor();
const dialog = name => p => p.page.getByRole("dialog", { name }).waitFor();
const panel = name => p => p.page.getByRole("complementary", { name }).waitFor();
const value = text => p => expect(p.composer).toHaveValue(text);
const at = room => p => p.hashIs(`#/${room}`);
const profile = { role: "button", name: /^ann/, label: "your name" };
const title = { role: "button", name: /^act-/, label: "the room's name" };
const sender = { role: "button", name: "bob", label: "the name" };
const lounge = { role: "link", name: /^lounge/, label: "the room" };

/** Posts an unread message of somebody else to the other room. */
const unread = async (p, { server }) => {
  await server.post("bob", "lounge", "news");
  await expect(p.link("lounge")).toHaveAccessibleName(/unread/);
};

/** Mentions the person in the other room. */
const mentioned = async (p, { server }) => {
  await server.post("bob", "lounge", `@${p.name} news`, { mentions: [p.name] });
  await expect(p.link("lounge")).toHaveAccessibleName(/mention/);
};

/** Copies a picture, and chooses it when the system asks for files. */
const chooses = async ({ page }) => {
  page.once("filechooser", chooser => chooser.setFiles({ name: "plan.png", mimeType: "image/png", buffer: png(20, 20) }));
  await page.evaluate(async bytes => {
    await navigator.clipboard.write([new ClipboardItem({ "image/png": new Blob([Uint8Array.from(bytes)], { type: "image/png" }) })]);
  }, [...png(20, 20)]);
};

/**
 * Each action begins in a room that the person owns, or has `joined`, with the caret in the field for a message.
 * The newest message is Bob's, or `mine`; for clicks, the pointer is over it.
 *
 * The tokens of `keys` are pressed in turn. A word in lower case is typed, and each letter counts. "…" is what
 * the person types anyway, `types`, and does not count. `clicks` are roles and names, or "…". `way` explains the
 * keys in the table. `before` prepares the action, and `then` waits for its effect.
 */
export const actions = {
  Writing: [
    { what: "Send a message", keys: "… Enter", clicks: ["…", "button Send"], types: "done", then: p => p.sees("done") },
    { what: "Begin a new line", keys: "Shift+Enter", then: value("\n") },
    { what: "Bold, italic, strike or code", keys: "Control+b …", types: "now", way: "or `Ctrl+I`, `Ctrl+Shift+X`, `Ctrl+E`", then: value("**now**") },
    { what: "Put a link on selected words", keys: "Control+v", way: "paste it over them" },
    { what: "Continue a list or a quote", keys: "… Shift+Enter", types: "- one", then: value("- one\n- ") },
    { what: "Insert an emoji by its name", keys: ": … Tab", clicks: ["button Emoji", "option grinning"], types: "tada", then: p => expect(p.composer).toHaveValue(/^(🎉 |😀)$/u) },
    { what: "Mention somebody", keys: "@ … Enter", clicks: [sender, "button Mention"], types: "bob", then: value("@bob ") },
    { what: "Mention everyone in the room", keys: "@ … Enter", types: "room", then: value("@room ") },
    { what: "Link to a room", keys: "# … Enter", types: "loun", then: value("#lounge ") },
    { what: "Edit your last message", keys: "ArrowUp", clicks: ["button Edit"], mine: true, then: p => p.page.getByRole("textbox", { name: "Edit message" }).waitFor() },
    { what: "Delete your last message, with an undo", keys: "Shift+Tab Delete", clicks: ["button Delete"], mine: true, then: p => p.log.getByText("Message deleted").waitFor() },
    { what: "Send a file or a picture", keys: "Control+v Enter", way: "paste it", clicks: ["button Add to the message", "menuitem Add files", "button Send"], before: chooses, then: (p, { server, room }) =>
      expect.poll(async () => (await server.messages(p.name, room)).at(-1).attachments?.length, "the picture is sent").toBe(1) },
    { what: "Find a draft", clicks: [{ role: "link", name: /^lounge, draft/, label: 'a room with "Draft"' }], before: async p => {
      const here = await p.page.evaluate(() => location.hash.slice(2));
      await p.go("lounge");
      await p.composer.fill("half");
      await p.go(here);
    }, then: async p => { await value("half")(p); await p.composer.fill(""); } },
  ],
  Messages: [
    { what: "React with any emoji", keys: "Shift+Tab r … Enter", clicks: ["button React", "…", "option tada"], types: "tada", then: p => p.log.getByRole("button", { name: "🎉 1" }).waitFor() },
    { what: "React with one that you chose lately", keys: "Shift+Tab r Enter", clicks: [{ role: "button", name: /^React with/, label: "the emoji" }], then: p => p.log.getByRole("group", { name: "Reactions" }).waitFor() },
    { what: "Reply in a thread", keys: "Shift+Tab t", clicks: ["button Reply in thread"], then: p => p.focusIs("Message the thread") },
    { what: "Quote a message", keys: "Shift+Tab >", clicks: ["button More", "menuitem Quote"], then: p => p.button("Do not quote").waitFor() },
    { what: "Forward a message", keys: "Shift+Tab f … Enter", clicks: ["button More", "menuitem Forward…", { role: "radio", name: /^#act/, label: "the room" }, "button Forward"], types: "loun", then: toast(/^Forwarded to #/) },
    { what: "Copy the link of a message", keys: "Shift+Tab l", clicks: ["button More", "menuitem Copy link"], then: toast("Link copied.") },
    { what: "Pin a message", keys: "Shift+Tab p", clicks: ["button More", "menuitem Pin"], then: toast("Pinned for everyone in the room.") },
    { what: "Save a message for later", keys: "Shift+Tab a", clicks: ["button More", "menuitem Save for yourself"], then: toast("Saved for you.") },
    { what: "Mark as unread from a message on", keys: "Shift+Tab u", clicks: ["button More", "menuitem Mark as unread"], then: toast("Marked as unread.") },
    { what: "See the profile of a sender", keys: "Shift+Tab ArrowRight Enter", clicks: [sender], then: dialog("Profile of bob") },
  ],
  Moving: [
    { what: "Go to a room or a person by name", keys: "Control+k … Enter", clicks: [lounge], types: "loun", then: at("lounge") },
    { what: "Search messages", keys: "Control+k … Enter", clicks: ["button Search", "…", { role: "option", name: /^Search messages for/, label: "Search messages" }], types: "the newest", then: p => p.panel.getByRole("list", { name: "Results" }).getByRole("link").first().waitFor() },
    { what: "Go to the next room", keys: "Alt+ArrowDown", way: "or `Alt+↑`", clicks: [lounge], then: p => p.hashIs(/^#\/(?!act-now)/) },
    { what: "Go to the next unread room", keys: "Alt+Shift+ArrowUp", way: "or `Alt+Shift+↓`", clicks: [lounge], before: unread, then: at("lounge") },
    { what: "Mark a room as read", keys: "Alt+Shift+ArrowUp", way: "or `Alt+Shift+↓`", clicks: [{ role: "button", name: "Actions for lounge", label: "the room's dots" }, "menuitem Mark as read"], before: unread, then: p => expect(p.link("lounge")).toHaveAccessibleName("lounge") },
    { what: "Mark everything as read", keys: "Shift+Escape Tab Enter", clicks: ["button Options of the list", "menuitem Mark all as read"], before: unread, then: toast("Everything is marked as read.") },
    { what: "Go to your oldest unread mention", keys: "Alt+Shift+M", before: mentioned, then: p => p.hashIs(/^#\/lounge\//) },
    { what: "See all that concerns you", keys: "Control+Shift+M", clicks: [{ role: "button", name: /^Activity/, label: "Activity" }], then: panel("Activity") },
    { what: "See the threads that you follow", keys: "Control+k th Enter", clicks: [{ role: "button", name: /^Threads/, label: "Threads" }], then: panel("Threads that you follow") },
    { what: "See what you saved", keys: "Control+Shift+S", clicks: ["button Saved"], then: panel("Saved messages") },
    { what: "Go to a date", clicks: [{ role: "button", name: "Today", label: "the day above the messages" }, "menuitem The beginning"], keys: "Shift+Tab Shift+Tab Enter … Enter", types: "The", then: p => expect(p.page.getByRole("menu")).toHaveCount(0) },
    { what: "See the keyboard shortcuts", keys: "Control+/", clicks: ["button Options of the list", "menuitem Keyboard shortcuts"], then: dialog("Keyboard shortcuts") },
  ],
  Rooms: [
    { what: "Browse the rooms and join one", keys: "Control+k … Enter", clicks: ["button Browse rooms", { role: "button", name: "Join garden", within: "dialog", label: "Join" }], types: "garden", before: (p, { server }) => server.api(p.name, "DELETE", "/rooms/garden/members/me").catch(() => {}), then: p => p.link("garden").waitFor() },
    { what: "Create a room", keys: "Control+k create Enter … Enter", clicks: ["button Create a room", "…", "button Create"], types: "Act new", then: p => p.hashIs(/^#\/act-new/) },
    { what: "Write to somebody", keys: "Control+Shift+K … Enter", clicks: ["button New direct message", "…", { role: "option", name: /^bob/, label: "the person" }], types: "bob", then: p => p.focusIs("Message bob") },
    { what: "Copy an invitation link", clicks: ["button Copy an invitation link"], then: toast(/^Invitation link copied/) },
    { what: "Add somebody to the room", clicks: ["button People", "button Invite", "…", { role: "button", name: "Add cem", label: "Add" }], types: "cem", then: toast("cem was added.") },
    { what: "See the pinned messages", clicks: ["button Pinned messages"], then: panel(/^Pinned messages/) },
    { what: "Make the room a favorite", clicks: [title, "menuitem Add to favorites"], then: p => p.nav.getByRole("button", { name: "Favorites" }).waitFor() },
    { what: "Mute the room", clicks: [title, "menuitem Mute"], then: p => p.nav.getByRole("link", { name: /^act-.*muted/ }).first().waitFor() },
    { what: "Change the topic", clicks: ["button Settings", "…", "button Save"], types: "what for", into: "Topic", then: toast("Settings saved.") },
    { what: "Leave the room", clicks: [title, "menuitem Leave the room", "button Leave"], joined: true, then: async (p, { room }) => {
      await expect(p.link(room)).toHaveCount(0);
      await expect(p.nav.locator("[aria-current=page]"), "another room is shown").toHaveCount(1);
    } },
  ],
  You: [
    { what: "Set a status", keys: "Control+Shift+Y … Enter", clicks: ["button Your status", { role: "button", name: /In a meeting/, label: "In a meeting" }, "button Save"], types: "at lunch", then: p => p.nav.getByText(/^(at lunch|In a meeting), until/).waitFor() },
    { what: "Do not be disturbed", clicks: ["button Your status", { role: "button", name: /Do not disturb/, label: "Do not disturb" }, "button Save"], then: p => p.nav.getByText(/^Do not disturb, until/).waitFor() },
    { what: "Change to the dark theme", clicks: [profile, "button Dark"], then: p => expect(p.button("Dark")).toHaveAttribute("aria-pressed", "true") },
    { what: "Sign out", keys: "Control+k sign Enter", clicks: [profile, "button Sign out"], then: p => p.page.getByRole("heading", { name: "Signed out" }).waitFor() },
  ],
};

/** The actions that the page lacks, and why. */
export const missing = {
  "Record a voice message": "it is not built yet; a recording can be sent as a file",
  "Add an emoji of your own": "it is not built yet; a picture can be sent as a file",
  "Be notified outside the page": "it needs a push service; the window's title and icon count",
  "Send a message later": "the server schedules nothing; a draft stays in its room",
  "Be reminded of a message": "the server schedules nothing; save the message",
  "Start a call": "out of scope; post a link to one",
  "Write to several people without a room": "create a private room with them, in one dialog",
  "Mention a group of people": "there are no groups; `@room` mentions everyone",
  "Run a command with `/`": "apps have no commands; the finder has the page's",
  "Make sections in the list of rooms": "the sections are fixed; rooms can be favorites",
  "Read everything unread in one list": "a key leads to the next unread room or thread",
  "Move a message to another room": "messages stay where they were read; forward it",
};

const shown = { Control: "Ctrl", ArrowUp: "↑", ArrowDown: "↓", ArrowRight: "→" };
const tokens = keys => keys.split(" ");
const isWord = token => /^[a-z]{2,}$/.test(token);

/** Returns a key as it is printed on a keyboard. */
function printed(key) {
  if (key === "…") return key;
  return `\`${key.split("+").map(k => shown[k] ?? (k.length === 1 ? k.toUpperCase() : k)).join("+")}\``;
}

/** Returns the presses of an action, with the keys in words. */
export function keysOf({ keys = "", way = "" }) {
  if (!keys) return "";
  const count = tokens(keys).filter(t => t !== "…").reduce((n, t) => n + (isWord(t) ? t.length : 1), 0);
  return `${count}: ${tokens(keys).map(t => (isWord(t) ? `\`${t}\`` : printed(t))).join(" ")}${way && ` (${way})`}`;
}

const isClick = click => click !== "…";

/** Returns the role and the name of a click, and the name in the table. */
export function clickOf(click) {
  if (typeof click === "object") return click;
  const [, role, name] = /^(\w+) (.*)$/.exec(click);
  return { role, name, label: name };
}

/** Returns the clicks of an action, with their targets. */
export function clicksOf({ clicks = [] }) {
  return clicks.length ? `${clicks.filter(isClick).length}: ${clicks.map(c => (isClick(c) ? clickOf(c).label : c)).join(", ")}` : "";
}

/** Returns the table of the actions for the documentation. */
export function table() {
  const rows = Object.values(actions).flat().map(a => `| ${a.what} | ${keysOf(a)} | ${clicksOf(a)} |`.replaceAll("|  |", "| |"));
  const none = Object.entries(missing).map(([what, why]) => `| ${what} | missing: ${why} | |`);
  return ["| action | keys | clicks |", "| --- | --- | --- |", ...rows, ...none].join("\n");
}
