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
    name: "moves the words of its notice",
    file: app("notices.tsx"), from: "<span key={text}>{text}</span>", to: "<span>{text}</span>",
    suite: "measure", test: "the words for a slow connection and then for slow messages move nothing", says: /Loading messages[^]* from/,
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
    file: app("composer.tsx"), from: "sent.value++;", to: "room.send(text); sent.value++;",
    suite: "story", test: "a message waits, and is stored once with the same id after a kill and a restart", says: /strict mode violation/,
  },
  {
    name: "tries again with another id",
    file: client("sender.ts"), from: "const status = statusOf(e);",
    to: "const status = statusOf(e); if (!status || status >= 500) queue.swap(id, { ...m, id: this.chat.newId() });",
    suite: "story", test: "a message whose answer was lost is stored once", says: /strict mode violation/,
  },
  {
    name: "forgets what waits when it is loaded again",
    file: client("sender.ts"), from: "await this.#storage?.put(m).catch(() => {});", to: "",
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
    file: app("session.ts"), from: 'if (/^s/.test(now))', to: "if (false)",
    suite: "a11y", test: "when a person is signed out", says: /locator\.waitFor: Timeout[^]*Signed out/,
  },
  {
    name: "asks on when its person is suspended",
    file: client("http.ts"), from: 'if (/suspended$/.test(problem?.type))', to: "if (false)",
    suite: "suspension", test: "a suspended person is told so, is left alone, and comes back when it ends", says: /locator\.waitFor: Timeout[^]*Your account is suspended/,
  },
  {
    name: "takes the texts of people for markup",
    file: app("text.tsx"), from: "if (!name) return text;", to: "if (!name) return <span dangerouslySetInnerHTML={{ __html: text }} />;",
    suite: "hostile", test: "the texts show as they are, and none of them runs", says: /locator\.waitFor: Timeout[^]*planted/,
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
    file: app("panel/index.tsx"), from: "if (lost) ([opener, row].find(e => e !== document.body && e?.isConnected) as HTMLElement | undefined)?.focus();", to: "",
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

const life = [
  {
    name: "does not send what is quoted",
    file: client("sender.ts"), from: "...(metadata && { metadata }), ...extras };", to: "...(metadata && { metadata }) };",
    suite: "life", test: "a message is quoted by keyboard, shows in both windows, and leads to what it quotes", says: /locator\.waitFor: Timeout|reading 'id'/,
  },
  {
    name: "quotes what was deleted",
    file: app("quoted.tsx"), from: "(room.value.messages.find(m => m.id === quote.id) ?? quote).text", to: "quote.text",
    suite: "life", test: "Escape takes a quote back, and a deleted message is quoted without its text", says: /Timeout[^]*Message deleted/,
  },
  {
    name: "has no words for a quote that is not loaded",
    file: app("fetchedquote.tsx"), from: ".then(m => setText(m.text), () => setText(\"\"));", to: ".catch(() => undefined);",
    suite: "life", test: "a quote of a message that is not loaded has its text, on a phone too", says: /Timeout[^]*long ago/,
  },
  {
    name: "goes on quoting after Escape",
    file: app("composer.tsx"), from: "unquote();\n    }", to: "}",
    suite: "life", test: "Escape takes a quote back, and a deleted message is quoted without its text", says: /Timeout[^]*Do not quote/,
  },
  {
    name: "offers a pin to those who may not",
    file: app("panel/rights.ts"), from: 'room.kind === "direct" || room.pinning === "members"', to: 'room.kind === "direct" || room.pinning',
    suite: "life", test: "a message is pinned and taken away by keyboard, and the panels of both show it at once", says: /No messages are pinned|1 !== 0/,
  },
  {
    name: "does not follow pins",
    file: app("panel/pins.tsx"), from: '["pins.changed", "message.edited"', to: '["message.edited"',
    suite: "life", test: "a message is pinned and taken away by keyboard, and the panels of both show it at once", says: /Timeout[^]*the map is at/,
  },
  {
    name: "forgets what the person chose when others react",
    file: client("timeline.ts"), from: "(me?.includes(r.emoji) ? { ...r, me: true } : r)", to: "(r)",
    suite: "life", test: "an emoji is found by its name and chosen by keyboard, and both windows count it", says: /still not: the count leaves the choice|'false'[^]*'true'/,
  },
  {
    name: "leaves a reaction that was refused",
    file: client("react.ts"), from: "    show(!on);\n", to: "",
    suite: "life", test: "a reaction that is refused is taken back, and a second window of the person has the choice, on a phone too", says: /still not: the choice is back|Timeout/,
  },
  {
    name: "does not show in one window what the person chose in another",
    file: client("chat.ts"), from: 'if (type === "reaction.changed")', to: 'if (type === "never")',
    suite: "life", test: "a reaction that is refused is taken back, and a second window of the person has the choice, on a phone too", says: /still not: it is chosen/,
  },
  {
    name: "mentions whoever was chosen, though the name is gone",
    file: app("mentions.ts"), from: "text.includes(`@${name}`)", to: "name.length + text.length > 0",
    suite: "life", test: "Escape closes the names, the arrows move, and a name that was taken out is not sent", says: /'bob'[^]*undefined|undefined[^]*'bob'/,
  },
  {
    name: "does not tell whom a message mentions",
    file: app("message.tsx"), from: '${mentionsMe(message) ? ", mentions you" : ""}', to: "",
    suite: "life", test: "a name is completed by keyboard, is sent as an id, and is marked for whom it means", says: /Timeout[^]*mentions you/,
  },
  {
    name: "offers everyone to those who may not",
    file: app("completion.tsx"), from: 'info.roomMentions === "members"', to: "info.roomMentions",
    suite: "life", test: "all of a room are mentioned by those who may", says: /1 !== 0/,
  },
];

const beside = [
  {
    name: "lists replies in the room that are only in a thread",
    file: client("timeline.ts"), from: "(m.thread && !m.showInRoom ? span : place(span, m, change))", to: "place(span, m, change)",
    suite: "threads", test: "people reply by keyboard, beside the room and live, and the room counts the replies", says: /the room does not list the reply/,
  },
  {
    name: "does not follow a thread that is shown",
    file: client("thread.ts"), from: 'chat.on("change", e => this.#heard(e as Change & { room: unknown })),', to: "",
    suite: "threads", test: "people reply by keyboard, beside the room and live, and the room counts the replies", says: /Timeout[^]*good/,
  },
  {
    name: "loses the focus when a thread is closed",
    file: app("panel/index.tsx"), from: "([opener, row].find(", to: "([opener].find(",
    suite: "threads", test: "people reply by keyboard, beside the room and live, and the room counts the replies", says: /still not: the focus is back at the message/,
  },
  {
    name: "sends replies only to the thread",
    file: app("composer.tsx"), from: "{ ...reply, ...(quoted", to: "{ ...(quoted",
    suite: "threads", test: "a reply is shown in the room, too, says so, and leads to its thread", says: /Timeout[^]*to Friday/,
  },
  {
    name: "goes on sending replies to the room, too",
    file: app("panel/thread.tsx"), from: "        setAlso(false);\n", to: "",
    suite: "threads", test: "a reply is shown in the room, too, says so, and leads to its thread", says: /true !== false/,
  },
  {
    name: "quotes a reply in the room, too",
    file: app("composer.tsx"), from: "asked?.room === room ? asked.message", to: "asked ? asked.message",
    suite: "threads", test: "replies are quoted, reacted to and edited as messages of the room are", says: /1 !== 0/,
  },
  {
    name: "closes the thread with the key that takes back a quote",
    file: app("composer.tsx"), from: "      e.preventDefault(); // it takes back the quote, and closes nothing yet\n", to: "",
    suite: "threads", test: "replies are quoted, reacted to and edited as messages of the room are", says: /Timeout[^]*first step/,
  },
  {
    name: "edits a reply in the room, too",
    file: app("panel/thread.tsx"), from: "editing: edited.startsWith(inThread) ? edited.slice(inThread.length) : \"\"", to: "editing: edited",
    suite: "threads", test: "replies are quoted, reacted to and edited as messages of the room are", says: /0 !== 1|Timeout[^]*Edit message/,
  },
  {
    name: "leaves a thread in sight unread",
    file: app("panel/thread.tsx"), from: "    if (there) t.markRead()", to: "    if (!there) t.markRead()",
    suite: "threads", test: "a thread is read while it is in sight, and followed by whom it concerns", says: /still not: opening the thread reads it/,
  },
  {
    name: "shows only the newest replies",
    file: client("thread.ts"), from: "if (!this.#cursor) return;", to: "return;",
    suite: "threads", test: "a long thread is loaded in pages, from a phone, and Back returns to the room", says: /Timeout[^]*number 1\./,
  },
  {
    name: "knows no links to replies",
    file: app("missed.ts"), from: "if (message?.thread)", to: "if (!chat.value && message?.thread)",
    suite: "threads", test: "a deleted message keeps its thread, and a link to a reply opens it", says: /Timeout[^]*still here/,
  },
  {
    name: "keeps what is typed early in memory alone",
    file: app("composer.tsx"), from: 'import "@parley/client/more"; // what stores a message is there before anybody can write one\n', to: "",
    suite: "story", test: "what can be typed is on disk, however late the code that sends it comes", says: /still not: just in time is on disk/,
  },
  {
    name: "takes the focus from a message when the composer comes",
    file: app("composer.tsx"), from: "closest(\"[role=log], .panel, dialog\")", to: "closest(\".panel, dialog\")",
    suite: "story", test: "what has the focus among the messages keeps it when the code of the composer comes", says: /the composer has taken the focus/,
  },
  {
    name: "closes a menu when the composer comes",
    file: app("composer.tsx"), from: "closest(\"[role=log], .panel, dialog\")", to: "closest(\"[role=log]\")",
    suite: "story", test: "an open menu stays when the code of the composer comes", says: /the composer has closed the menu/,
  },
  {
    name: "closes the menu of a person who comes",
    file: app("panel/people.tsx"), from: "const here = still ?? now;", to: "const here = now;",
    suite: "panels", test: "a menu stays open while its person comes and goes", says: /the menu is gone/,
  },
  {
    name: "does not know what is saved",
    file: app("saved.ts"), from: "!!saved.value?.has(keyOf(m))", to: "saved.value?.size === -1",
    suite: "yours", test: "a message is saved and taken away by its menu and in the panel", says: /Timeout[^]*Remove from saved/,
  },
  {
    name: "shows what was removed from the saved",
    file: app("panel/saved.tsx"), from: "savedMessages.subscribe(pages.reload)", to: "undefined",
    suite: "yours", test: "a message is saved and taken away by its menu and in the panel", says: /Timeout[^]*Nothing is saved/,
  },
  {
    name: "lists threads without a word about what is unread",
    file: app("panel/threads.tsx"), from: "[...all.filter(t => t.unread), ...all.filter(t => !t.unread)]", to: "all",
    suite: "yours", test: "followed threads are listed, unread ones first, and open beside their room", says: /deep-equal/,
  },
  {
    name: "loses a thread on the way to its room",
    file: app("panel/card.tsx"), from: "    if (current.value?.id === room) show();\n", to: "",
    suite: "yours", test: "followed threads are listed, unread ones first, and open beside their room", says: /Timeout[^]*a late answer/,
  },
  {
    name: "has personal panels only beside a room",
    file: app("panel/index.tsx"), from: "if (page) return <Frame", to: "if (page && room) return <Frame",
    suite: "yours", test: "saved messages are shown without a room, from a phone", says: /Timeout[^]*for later/,
  },
  {
    name: "counts no mentions",
    file: app("yours.tsx"), from: "sum + r.mentions", to: "sum",
    suite: "yours", test: "a mention of all in a room is counted, and leads there from a phone", says: /Timeout[^]*Mentions, 1 unread/,
  },
  {
    name: "does not tell of a mention while the inbox is open",
    file: app("panel/mentions.tsx"), from: 'if ((e as { type: string }).type === "mention.added") pages.reload();', to: "",
    suite: "yours", test: "who is mentioned in another room sees it at once, and goes there", says: /Timeout[^]*the map is up/,
  },
  {
    name: "tells of read mentions as new",
    file: app("panel/mentions.tsx"), from: "seq > (rooms.find(r => r.id === id)?.read ?? Infinity)", to: "seq > 0",
    suite: "yours", test: "who is mentioned in another room sees it at once, and goes there", says: /still not: the mention is read/,
  },
];

export const faults = [...beside, ...people, ...talk, ...ways, ...access, ...measures, ...life];
