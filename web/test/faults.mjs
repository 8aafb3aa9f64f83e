// Faults of the page, each of which a browser test must find. In a source the text `from` is there
// once, and `to` takes its place. The test of the suite then fails with the words of `says`, and with
// nothing else: a test that fails for another reason has not found the fault.

const app = name => `app/src/${name}`;
const client = name => `client/src/${name}`;

const people = [
  {
    name: "shows the messages of blocked people",
    file: app("rows.ts"), from: "blocked: message.blocked === true || blocked.has(message.user)", to: "blocked: false",
    suite: "story", test: "a blocked person's messages are hidden, and come back", says: /still not: the message is hidden/,
  },
  {
    name: "shows all but the first message of a blocked person",
    file: app("rows.ts"), from: "blocked: message.blocked === true || blocked.has(message.user)", to: "blocked: blocked.has(message.user) && before?.user !== message.user",
    suite: "story", test: "a blocked person's messages are hidden, and come back", says: /still not: the next message is hidden, too/,
  },
  {
    name: "hides the messages of people who are not blocked any more",
    file: client("view.ts"), from: "!m.blocked === !blocked ? m", to: "m.blocked || !blocked ? m",
    suite: "story", test: "a blocked person's messages are hidden, and come back", says: /locator\.waitFor: Timeout[^]*cheap watches/,
  },
  {
    name: "lets the banned write",
    file: app("app.tsx"), from: "{open && <Composer", to: "{<Composer",
    suite: "story", test: "a banned person loses the room at once", says: /still not: the composer is gone/,
  },
  {
    name: "leaves the banned in the room",
    file: client("live.ts"), from: 'if (type === "unsubscribed")', to: 'if (type === "never")',
    suite: "story", test: "a banned person loses the room at once", says: /locator\.waitFor: Timeout[^]*This room does not exist/,
  },
  {
    name: "does not name the other of a direct room",
    file: app("header.tsx"), from: "room.direct.filter(user => user !== me.value)", to: "room.direct.filter(user => user === me.value)",
    suite: "story", test: "a person is found, and a direct room opens", says: /locator\.waitFor: Timeout[^]*Message bob/,
  },
  {
    name: "sends no reason of a mute",
    file: app("panel/person.tsx"), from: "...(reason.trim() && { reason: reason.trim() }),", to: "",
    suite: "panels", test: "a moderator mutes and bans with an end and a reason, and takes both back", says: /'too loud'/,
  },
  {
    name: "offers to moderators what only owners may do",
    file: app("panel/rights.ts"), from: "ranks[from] < ranks.moderator && ranks[to] < ranks.moderator", to: "ranks[from] < ranks.moderator",
    suite: "panels", test: "each is offered what their role allows, and sees changes as they happen", says: /deep-equal/,
  },
];

const talk = [
  {
    name: "does not tell that somebody types",
    file: app("composer.tsx"), from: "if (text.trim()) room.typing();", to: "",
    suite: "story", test: "a message, typing, an edit and a deletion show in the others' windows", says: /locator\.waitFor: Timeout[^]*bob is typing/,
  },
  {
    name: "shows somebody as typing for ever",
    file: client("presence.ts"), from: "this.#after(`${user} types`, ms, () => this.#typing.delete(user));", to: "",
    suite: "story", test: "a message, typing, an edit and a deletion show in the others' windows", says: /still not: the typing line is empty after a while/,
  },
  {
    name: "shows somebody as typing who has sent the message",
    file: client("presence.ts"), from: "stops(user: string): void {", to: "stops(user: string): void { return;",
    suite: "story", test: "a message, typing, an edit and a deletion show in the others' windows", says: /bob types a message that is sent/,
  },
  {
    name: "tells each key",
    file: client("presence.ts"), from: "const due = now - this.#typed >= TYPING_EVERY;", to: "const due = true;",
    suite: "measure", test: "a message costs one request, and keys at most one frame in 8 seconds", says: /\d\d frames of typing in 8 s/,
  },
  {
    name: "does not show others' edits",
    file: client("pages.ts"), from: "if (message) this.span = put(", to: "if (message && !message.editedAt) this.span = put(",
    suite: "story", test: "a message, typing, an edit and a deletion show in the others' windows", says: /locator\.waitFor: Timeout[^]*hello everybody/,
  },
  {
    name: "does not show others' deletions",
    file: client("pages.ts"), from: "if (message) this.span = put(", to: "if (message && !message.deletedAt) this.span = put(",
    suite: "story", test: "a message, typing, an edit and a deletion show in the others' windows", says: /still not: \w+ sees the deletion/,
  },
  {
    name: "marks nothing as read",
    file: app("reader.ts"), from: "this.#room.markRead().catch(", to: "Promise.resolve().catch(",
    suite: "story", test: "unread messages are counted, marked by a line, and cleared in all windows", says: /still not: the count is cleared/,
  },
  {
    name: "keeps the unread messages of a room that was read elsewhere",
    file: client("rooms.ts"), from: "moved(room: string, read: number): void {", to: "moved(room: string, read: number): void { return;",
    suite: "story", test: "unread messages are counted, marked by a line, and cleared in all windows", says: /still not: the (count|title) is cleared/,
  },
  {
    name: "shows no line above what is new",
    file: app("rows.ts"), from: "const unread = message.id === firstUnread;", to: "const unread = false;",
    suite: "story", test: "unread messages are counted, marked by a line, and cleared in all windows", says: /locator\.waitFor: Timeout[^]*New messages/,
  },
  {
    name: "does not count in the title",
    file: app("app.tsx"), from: "unread ? `(${unread}) ` : \"\"", to: '""',
    suite: "story", test: "unread messages are counted, marked by a line, and cleared in all windows", says: /still not: the title counts/,
  },
  {
    name: "does not say that it is offline",
    file: app("notices.tsx"), from: 'now === "offline" ? "Offline. Messages will be sent when you are back."', to: 'now === "offline" ? ""',
    suite: "a11y", test: "offline, with a message that waits", says: /locator\.waitFor: Timeout[^]*Offline/,
  },
  {
    name: "sends each message twice",
    file: app("composer.tsx"), from: "room.send(text);", to: "room.send(text); room.send(text);",
    suite: "story", test: "a message waits, and is stored once with the same id after a kill and a restart", says: /strict mode violation/,
  },
  {
    name: "tries again with another id",
    file: client("queue.ts"), from: "const status = statusOf(e);",
    to: "const status = statusOf(e); if (!status || status >= 500) this.#replace(id, { ...m, id: this.chat.newId() });",
    suite: "story", test: "a message whose answer was lost is stored once", says: /strict mode violation/,
  },
  {
    name: "forgets what waits when it is loaded again",
    file: client("queue.ts"), from: "await this.chat.storage?.put(m).catch(() => {});", to: "",
    suite: "story", test: "a message waits across a reload of the page", says: /still not: kept on disk is on disk/,
  },
  {
    name: "keeps what the server has lost",
    file: client("room.ts"), from: 'if (always || this.value.phase !== "ready") await this.load();', to: 'if (this.value.phase !== "ready") await this.load();',
    suite: "story", test: "a window begins again when the server has lost changes, and keeps what is unsent", says: /still not: \w+ forgets what is lost/,
  },
];

const ways = [
  {
    name: "leads links to messages to the end",
    file: app("viewport.ts"), from: "this.keeper.to(middleTop(this.keeper.metrics, { top: item.offsetTop, height: item.offsetHeight }));", to: "this.keeper.toEnd();",
    suite: "story", test: "links lead to a room and to a message, which is in sight", says: /still not: the message is in sight/,
  },
  {
    name: "loads the newest messages for links to others",
    file: app("opening.ts"), from: "room.open(message || undefined, ", to: "room.open(undefined, ",
    suite: "story", test: "links lead to a room and to a message, which is in sight", says: /locator\.evaluate: Timeout[^]*line 45 of/,
  },
  {
    name: "does not lead back to the list on a phone",
    file: app("header.tsx"), from: "onClick={() => go()}", to: "onClick={() => {}}",
    suite: "story", test: "on a phone a room fills the screen, and back leads to the list", says: /locator\.waitFor: Timeout[^]*Rooms/,
  },
  {
    name: "shows the list above the room on a phone",
    file: app("styles/shell.css"), from: ".app.in-room .nav { display: none; }", to: "",
    suite: "story", test: "on a phone a room fills the screen, and back leads to the list", says: /the list is on the screen, too/,
  },
  {
    name: "does not focus the composer",
    file: app("composer.tsx"), from: 'matchMedia("(pointer: fine)").matches) f.focus();', to: "false) f.focus();",
    suite: "story", test: "a new server has one room, a focused composer and an offer of a second person", says: /still not: the composer has the focus/,
  },
  {
    name: "sends no verifier to the provider",
    file: app("oidc.ts"), from: "code_verifier: visit.verifier", to: 'code_verifier: ""',
    suite: "signin", test: "a person signs in at the provider, returns to the route, writes, and signs out", says: /locator\.waitFor: Timeout[^]*Rooms/,
  },
  {
    name: "takes a code with another state",
    file: app("oidc.ts"), from: 'if (!visit || query.get("state") !== visit.state)', to: "if (!visit)",
    suite: "signin", test: "an answer that this window did not ask for is refused", says: /locator\.waitFor: Timeout[^]*This sign-in was not begun/,
  },
  {
    name: "forgets the route at the sign-in",
    file: app("oidc.ts"), from: 'visit?.hash ?? ""', to: '""',
    suite: "signin", test: "a person signs in at the provider, returns to the route, writes, and signs out", says: /the route is lost/,
  },
  {
    name: "leaves the provider's session open",
    file: app("enter.ts"), from: "(await oidc()).leaveForGood(signIn);", to: "void signIn;",
    suite: "signin", test: "a person signs in at the provider, returns to the route, writes, and signs out", says: /still not: the provider's session is ended, too/,
  },
  {
    name: "asks its own host instead of the API's",
    file: app("session.ts"), from: "url: api || location.origin", to: "url: location.origin",
    suite: "signin", test: "a person signs in at the provider, returns to the route, writes, and signs out", says: /Timeout[^]*(Create a room|tower)/,
  },
  {
    name: "does not renew its token",
    file: app("enter.ts"), from: 'if (signIn?.kind === "oidc" && held.refresh)', to: "if (false)",
    suite: "signin", test: "tokens that end are renewed without a word", says: /still not: the token is renewed|locator\.waitFor: Timeout[^]*Rooms/,
  },
  {
    name: "does not show that the person is signed out",
    file: app("session.ts"), from: 'if (c.state.value === "signed-out")', to: "if (false)",
    suite: "a11y", test: "when a person is signed out", says: /locator\.waitFor: Timeout[^]*Signed out/,
  },
  {
    name: "has a script in its document",
    file: "app/index.html", from: '<div id="app"></div>', to: '<div id="app"></div><script>window.name = "page"</script>',
    suite: "story", test: "a room is created by its name", says: /the consoles must be empty[^]*policy violation: script-src/,
  },
];

const access = [
  {
    name: "takes the buttons out of the order of Tab",
    file: app("icons.tsx"), from: '<button type="button" class="icon"', to: '<button type="button" tabIndex={-1} class="icon"',
    suite: "a11y", test: "signs in, sends, edits, finds a room, opens and closes a panel", says: /Tab does not lead to People/,
  },
  {
    name: "does not close a panel with Escape",
    file: app("panel/index.tsx"), from: 'e.key === "Escape" && !e.defaultPrevented', to: "false",
    suite: "a11y", test: "signs in, sends, edits, finds a room, opens and closes a panel", says: /still not: Escape closes the panel/,
  },
  {
    name: "does not give the focus back",
    file: app("panel/index.tsx"), from: "if (lost && opener instanceof HTMLElement && opener.isConnected) opener.focus();", to: "",
    suite: "a11y", test: "signs in, sends, edits, finds a room, opens and closes a panel", says: /still not: the focus is at People/,
  },
  {
    name: "does not show where the focus is",
    file: app("styles/tokens.css"), from: ":focus-visible { outline: 2px solid var(--accent);", to: ":focus-visible { outline: none;",
    suite: "a11y", test: "signs in, sends, edits, finds a room, opens and closes a panel", says: /the focus at People is not visible/,
  },
  {
    name: "does not edit the last message with ArrowUp",
    file: app("composer.tsx"), from: 'e.key === "ArrowUp" && field.current?.value === ""', to: "false",
    suite: "a11y", test: "signs in, sends, edits, finds a room, opens and closes a panel", says: /still not: the focus is at Edit message/,
  },
  {
    name: "does not move between messages with arrows",
    file: app("keys.ts"), from: "ArrowUp: Math.max(0, at - 1)", to: "ArrowUp: at",
    suite: "a11y", test: "walks between messages with arrows and deletes one", says: /still not: ArrowUp leads to the message above/,
  },
  {
    name: "does not focus an opened menu",
    file: app("panel/menu.tsx"), from: 'menu.current.querySelector("button")?.focus();', to: "",
    suite: "panels", test: "takes the focus, gives it back, and needs no mouse", says: /still not: the menu has the focus/,
  },
  {
    name: "leaves what a panel covers on a phone in reach",
    file: app("panel/index.tsx"), from: 'other.toggleAttribute("inert", phone.matches)', to: 'other.toggleAttribute("inert", false)',
    suite: "panels", test: "covers a phone, whose rest cannot be reached meanwhile", says: /Tab leaves the panel/,
  },
  {
    name: "leaves a panel open that cannot be loaded",
    file: app("app.tsx"), from: "panel.value = null; throw error;", to: "throw error;",
    suite: "panels", test: "says what it waits for, what failed, and what works again", says: /still not: the panel is closed/,
  },
  {
    name: "forgets what was typed in a document",
    file: app("panel/editor.tsx"), from: "drafts.set(key, next);", to: "",
    suite: "panels", test: "a save that comes too late shows both texts, and the person chooses", says: /what was typed is lost/,
  },
  {
    name: "cannot save over another version",
    file: app("panel/editor.tsx"), from: 'over ? { "If-Match": `"${over.version}"` } : {}', to: "{}",
    suite: "panels", test: "a save that comes too late shows both texts, and the person chooses", says: /still not: the chosen text is stored/,
  },
  {
    name: "lays Hebrew out from the left",
    file: app("message.tsx"), from: '"body folded" : "body"} dir="auto"', to: '"body folded" : "body"}',
    suite: "a11y", test: "text from right to left is laid out so, in messages and composer", says: /'ltr' !== 'rtl'/,
  },
  {
    name: "lays Hebrew out from the left in the composer",
    file: app("composer.tsx"), from: 'rows={1} dir="auto"', to: "rows={1}",
    suite: "a11y", test: "text from right to left is laid out so, in messages and composer", says: /'ltr' !== 'rtl'/,
  },
  {
    name: "speaks each message again at each change",
    file: app("announce.ts"), from: "this.#seen = new Set(view.messages.map(m => m.id));", to: "this.#seen ??= new Set(view.messages.map(m => m.id));",
    suite: "a11y", test: "others' new messages are spoken once, history and own ones never", says: /fresh news is spoken again/,
  },
  {
    name: "speaks what the person has written",
    file: app("announce.ts"), from: "!seen.has(m.id) && m.user !== user", to: "!seen.has(m.id)",
    suite: "a11y", test: "others' new messages are spoken once, history and own ones never", says: /own or old words are spoken/,
  },
  {
    name: "speaks history",
    file: app("announcer.tsx"), from: "arrivals.look(shown,", to: "arrivals.look({ ...shown, messages: [] },",
    suite: "a11y", test: "others' new messages are spoken once, history and own ones never", says: /own or old words are spoken/,
  },
  {
    name: "has a grey that is too light",
    file: app("styles/tokens.css"), from: "--quiet: light-dark(oklch(50% .016 250)", to: "--quiet: light-dark(oklch(66% .016 250)",
    suite: "a11y", test: "in a room, with its actions, an edit, a menu and a question", says: /color-contrast[^]*a room, light|a room, light[^]*color-contrast/,
  },
  {
    name: "has a grey that is too dark at night",
    file: app("styles/tokens.css"), from: "oklch(70% .016 250));\n  --ink", to: "oklch(52% .016 250));\n  --ink",
    suite: "a11y", test: "in the drawer of requests", says: /color-contrast[^]*requests, dark|requests, dark[^]*color-contrast/,
  },
  {
    name: "does not break long words",
    file: app("styles/timeline.css"), from: ".body { white-space: pre-wrap; overflow-wrap: anywhere;", to: ".body { white-space: pre-wrap;",
    suite: "a11y", test: "360 px and 200 % zoom have no horizontal scroll", says: /\+ +'span\.text'/,
  },
  {
    name: "has small buttons for fingers",
    file: app("styles/tokens.css"), from: "@media (pointer: coarse) { :root { --target: 44px; } }", to: "",
    suite: "a11y", test: "targets on a phone are large enough", says: /is \d+(\.\d+)? × \d+/,
  },
  {
    name: "moves a panel for those who want no motion",
    file: app("styles/panel.css"), from: "/* The panel:", to: "@keyframes slide { from { transform: translateX(40px); } } .panel { animation: slide 10s !important; }\n/* The panel:",
    suite: "a11y", test: "reduced motion moves nothing", says: /deep-equal[^]*slide/,
  },
];

const measures = [
  {
    name: "has more scripts than the budget",
    file: app("main.tsx"), from: 'import { render } from "preact";', to: 'import { render } from "preact";\nimport "preact/debug";',
    suite: "measure", test: "the page is small: an empty cache transfers 45 KB at most, 25 of them scripts", says: /sum\(scripts\) <= MAX_SCRIPT_BYTES/,
  },
  {
    name: "has no place for the composer before it is loaded",
    file: app("app.tsx"), from: '<div class="foot">', to: '<div class="foot" hidden>',
    suite: "measure", test: "nothing shifts while a page loads at 1280 px: messages", says: /messages: what was painted at/,
  },
  {
    name: "makes a row higher while it is sent",
    file: app("message.tsx"), from: '{message.status === "failed" && <Failure', to: "{message.status && <Failure",
    suite: "measure", test: "pending to sent moves nothing", says: /element \d+ was at/,
  },
  {
    name: "follows new messages while older ones are read",
    file: app("viewport.ts"), from: "if (!goal) this.keeper.restore();", to: "if (!goal) this.keeper.toEnd();",
    suite: "measure", test: "a message that comes while older ones are read moves nothing", says: /another line is read|from -?[\d.]+ to|name: 'Jump to newest'/,
  },
  {
    name: "loses the line that is read when older messages come",
    file: app("scroll.ts"), from: "if (Math.abs(shift) >= 0.5) log.scrollTop += shift;", to: "",
    suite: "archive", test: "an imported room is read back to its first message and forward to its last, in order and without a jump", says: /the line that is read moved/,
  },
  {
    name: "keeps the upper edge instead of the line that is read",
    file: app("scroll.ts"), from: "first ? [...others, first] : []", to: "first ? [first, ...others] : []",
    suite: "archive", test: "an imported room is read back to its first message and forward to its last, in order and without a jump", says: /the line that is read moved/,
  },
];

export const faults = [...people, ...talk, ...ways, ...access, ...measures];
