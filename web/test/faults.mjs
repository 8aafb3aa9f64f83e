// Faults of the page, each of which a browser test must find. In a source the first text is there
// once, and the second takes its place. The test then fails with the words of the pattern, and with
// nothing else: a test that fails for another reason has not found the fault.

const app = name => `app/src/${name}`;
const client = name => `client/src/${name}`;

/** The faults by suite and test: name, source, text, its replacement, and what the failure says. */
const tests = {
  story: {
    "a blocked person's messages are hidden, and come back": [
      ["shows the messages of blocked people", app("timeline/rows.ts"),
        "blocked: message.blocked === true || blocked.has(message.user)", "blocked: false", /the message is hidden/],
      ["shows all but the first message of a blocked person", app("timeline/rows.ts"),
        "blocked: message.blocked === true || blocked.has(message.user)",
        "blocked: blocked.has(message.user) && before?.user !== message.user", /the next message is hidden, too/],
      ["hides the messages of people who are not blocked any more", client("view.ts"),
        "!m.blocked === !blocked ? m", "m.blocked || !blocked ? m", /locator\.waitFor: Timeout[^]*cheap watches/],
    ],
    "a banned person loses the room immediately": [
      ["lets the banned write", app("shell/app.tsx"), "{open && <Composer", "{<Composer", /the composer is gone/],
      ["leaves the banned in the room", client("live.ts"),
        'if (type === "unsubscribed")',
        'if (type === "never")', /locator\.waitFor: Timeout[^]*This room does not exist/],
    ],
    "a person is found, and a direct room opens": [
      ["does not name the other of a direct room", app("state/names.ts"),
        "room.direct.filter(user => user !== page.me.value)",
        "room.direct.filter(user => user === page.me.value)", /locator\.waitFor: Timeout[^]*Message bob/],
    ],
    "a message, typing, an edit and a deletion show in the others' windows": [
      ["does not tell that somebody types", app("composer/composer.tsx"),
        "if (text.trim()) room.typing();", "", /bob is typing/],
      ["shows somebody as typing for ever", client("presence.ts"),
        "this.#after(`typing ${user}`, ms, () => this.#typing.delete(user));",
        "", /the typing line is empty after a while/],
      ["shows somebody as typing who has sent the message", client("presence.ts"),
        "stopTyping(user: string): void {", "stopTyping(user: string): void { return;", /bob types a message that is sent/],
      ["does not show others' edits", client("pages.ts"),
        "if (message) this.span = put(",
        "if (message && !message.editedAt) this.span = put(", /locator\.waitFor: Timeout[^]*hello everybody/],
      ["does not show others' deletions", client("pages.ts"),
        "if (message) this.span = put(",
        "if (message && !message.deletedAt) this.span = put(", /\w+ sees the deletion/],
    ],
    "unread messages are counted, marked by a line, and cleared in all windows": [
      ["marks nothing as read", app("timeline/reader.ts"),
        "this.#room.markRead().catch(", "Promise.resolve().catch(", /the count is cleared/],
      ["keeps the unread messages of a room that was read elsewhere", client("rooms.ts"),
        "markerMoved(room: string, read: number): void {",
        "markerMoved(room: string, read: number): void { return;", /the (count|title) is cleared/],
      ["shows no line above what is new", app("timeline/rows.ts"),
        "const unread = message.id === firstUnread;",
        "const unread = false;", /locator\.waitFor: Timeout[^]*New messages/],
      ["does not count in the title", app("shell/app.tsx"), 'unread ? `(${unread}) ` : ""', '""', /the title counts/],
    ],
    "a message waits, and is stored once with the same id after a kill and a restart": [
      ["sends each message twice", app("composer/composer.tsx"),
        "    unquote();\n    f.value = ", "    unquote();\n    room.send(text);\n    f.value = ", /strict mode violation/],
    ],
    "a message whose answer was lost is stored once": [
      ["tries again with another id", client("deliver.ts"),
        "      if (pause) return;", "      if (pause) return chat.acts.put(act.id, { ...trying, id: chat.newId() });", /strict mode violation/],
    ],
    "a message waits across a reload of the page": [
      ["forgets what waits when it is loaded again", client("shelf.ts"),
        "await storage?.put(act).then(() => this.#kept.add(act.id), () => {});", "", /kept on disk is on disk/],
    ],
    "a window begins again when the server has lost changes, and keeps what is unsent": [
      ["keeps what the server has lost", client("pages.ts"),
        "return this.load();", 'return this.value.phase === "ready" ? Promise.resolve() : this.load();', /\w+ forgets what is lost/],
    ],
    "links lead to a room and to a message, which is in sight": [
      ["leads links to messages to the end", app("timeline/viewport.ts"),
        "this.keeper.to(middleTop(this.keeper.metrics, { top: item.offsetTop, height: item.offsetHeight }));",
        "this.keeper.toEnd();", /the message is in sight/],
      ["loads the newest messages for links to others", app("timeline/opening.ts"),
        "room.open(message || undefined, ", "room.open(undefined, ", /the message is in sight/],
    ],
    "on a phone a room fills the screen, and back leads to the list": [
      ["does not lead back to the list on a phone", app("rooms/header.tsx"),
        "onClick={() => page.route.up()}", "onClick={() => {}}", /locator\.waitFor: Timeout[^]*Rooms/],
      ["shows the list above the room on a phone", app("styles/shell.css"),
        ".app.in-room .nav { display: none; }", "", /the list is on the screen, too/],
    ],
    "a new server has one room, a focused composer and an offer of a second person": [
      ["does not focus the composer", app("composer/draft.ts"),
        'matchMedia("(pointer: fine)").matches) f.focus();', "false) f.focus();", /the composer has the focus/],
    ],
    "a room is created by its name": [
      ["has a script in its document", "app/index.html",
        '<div id="app"></div>',
        '<div id="app"></div><script>window.name = "page"</script>', /the consoles must be empty[^]*policy violation: script-src/],
    ],
  },
  kept: {
    "a room is shown without a network as it was, and with one as it is": [
      ["keeps nothing of rooms", client("cache.ts"), "values[keyOf(id)] = room;", "void room;", /the browser keeps first of all/],
    ],
    "a window opens at what is new, below what the browser kept, and reads out how much it is": [
      ["stays at the end of what was kept", app("timeline/viewport.ts"), 'view.phase === "ready" && !view.cachedAt) this.#goal', 'view.phase === "ready") this.#goal', /the line is in sight/],
      ["reads out what came while it was closed", app("timeline/timeline.tsx"), 'view.phase === "ready" && !view.cachedAt', 'view.phase === "ready"', /a number and what is live are read out/],
    ],
    "a sign-out leaves nothing of the person in the browser": [
      ["keeps what has no person in its name", app("session/session.ts"), "(owner = user)", "(owner)", /something of the person is kept/],
    ],
    "a suspension leaves nothing of the person in the browser": [
      ["keeps what was written after a suspension", app("session/session.ts"),
        "await forgetPerson(user)", 'if (why === "left") await forgetPerson(user)', /something of the person is kept/],
    ],
    "a token that is refused leaves nothing of the person in the browser": [
      ["keeps databases of a person whose session has ended", app("session/session.ts"),
        "  const left = c?.signOut().catch(() => undefined);", '  const left = why === "left" ? c?.signOut() : (indexedDB.databases = async () => [], c?.close());', /something of the person is kept/],
    ],
    "a sign-out without a network asks about deletions": [
      ["discards deletions unasked", app("session/sign-out.tsx"), "if (unsent + draftsOf(page) > 0)", "if (draftsOf(page) > 0)", /Timeout[^]*1 change was not sent/],
    ],
  },
  threads: {
    "typing shows in its thread, and only there": [
      ["shows typing of a thread in the room", client("live.ts"), "- this.chat.now(), thread);", "- this.chat.now());", /is typing/],
      ["does not say in which thread somebody types", client("room.ts"), '"typing", { room: this.id, thread }', '"typing", { room: this.id }', /is typing/],
    ],
    "people reply by keyboard, next to the room and live, and the room counts the replies": [
      ["lists replies in the room that are only in a thread", client("timeline.ts"),
        "m.thread && !m.showInRoom ? span : place(span, m, change)",
        "place(span, m, change)", /the room does not list the reply/],
      ["does not follow a thread that is shown", client("thread.ts"),
        'chat.on("change", e => this.#heard(e)),', "", /Timeout[^]*good/],
      ["loses the focus when a thread is closed", app("panel/panel.tsx"),
        "[opener, row].find(", "[opener].find(", /the focus is at \/\^Bob Baker, \//],
    ],
    "a reply is shown in the room, too, says so, and leads to its thread": [
      ["sends replies only to the thread", app("composer/composer.tsx"),
        "...reply, ...(quoted && {", "...(quoted && {", /Timeout[^]*to Friday/],
      ["keeps sending replies to the room, too", app("threads/thread.tsx"),
        "        setAlso(false);\n", "", /the next reply is for the room, too/],
    ],
    "replies are quoted, reacted to and edited as messages of the room are": [
      ["quotes a reply in the room, too", app("composer/composer.tsx"),
        "quote?.room === room ? quote.message", "quote ? quote.message", /room-pane \.quoting/],
      ["closes the thread with the key that takes back a quote", app("composer/composer.tsx"),
        "      e.preventDefault(); // this Escape only removes the quote; the next one closes the panel\n", "", /Timeout[^]*first step/],
      ["does not show the editor of a reply", app("threads/thread.tsx"),
        'editing: edited?.inThread ? edited.id : ""', 'editing: ""', /Edit message/],
    ],
    "a thread is read while it is in sight, and followed by whom it concerns": [
      ["leaves a thread in sight unread", app("threads/thread.tsx"),
        "    if (visible) t.markRead()", "    if (!visible) t.markRead()", /unread replies/],
    ],
    "a long thread is loaded in pages, from a phone, and Back returns to the room": [
      ["shows only the newest replies", client("thread.ts"),
        "if (!this.#cursor) return;", "return;", /Timeout[^]*number 1\./],
    ],
    "a deleted message keeps its thread, and a link to a reply opens it": [
      ["knows no links to replies", app("timeline/unlisted.ts"),
        "if (message?.thread)", "if (!chat.value && message?.thread)", /Timeout[^]*still here/],
    ],
  },
  yours: {
    "a message is saved and taken away by its menu and in the panel": [
      ["does not know what is saved", app("message/saved.ts"),
        "!!saved.value?.has(keyOf(m))", "saved?.size === -1", /Timeout[^]*Remove from saved/],
      ["shows what was removed from the saved", app("inbox/saved.tsx"),
        "page.saved.subscribe(pages.reload)", "undefined", /Timeout[^]*Nothing is saved/],
    ],
    "followed threads are listed, unread ones first, and open next to their room": [
      ["lists threads without a word about what is unread", app("threads/followed.tsx"),
        "[...all.filter(t => t.unread), ...all.filter(t => !t.unread)]", "all", /a new question/],
      ["loses a thread on the way to its room", app("inbox/card.tsx"),
        "    if (current.value?.id === room) show();\n", "", /Timeout[^]*a late answer/],
    ],
    "saved messages are shown without a room, from a phone": [
      ["has personal panels only next to a room", app("panel/panel.tsx"),
        "if (inbox) return <Frame", "if (inbox && room) return <Frame", /Timeout[^]*for later/],
    ],
    "a mention of all in a room is counted, and leads there from a phone": [
      ["counts no mentions", app("state/counts.ts"), "sum + r.mentions", "sum", /Timeout[^]*Activity, 1 unread/],
    ],
    "who is mentioned in another room sees it immediately, and goes there": [
      ["does not tell of a mention while the inbox is open", app("activity/activity.tsx"),
        "|mention\\.added", "", /Timeout[^]*the map is up/],
      ["tells of read mentions as new", app("activity/merged.ts"),
        "unread: unread && seq > (read.get(room) ?? 0)", "unread: true", /the mention is read/],
    ],
    "mentions, replies and additions are listed, the newest first, and answered in place": [
      ["lists no additions", app("activity/merged.ts"), "rooms.filter(r => r.addedBy)", "rooms.filter(r => !r)", /Picnic/],
      ["lists the oldest first", app("activity/merged.ts"), "a.at < b.at ? 1 : a.at > b.at ? -1 : 0", "a.at < b.at ? -1 : 1", /Picnic/],
    ],
    "a mention in a public room that the person has not joined is counted, named, and read there": [
      ["does not count mentions elsewhere in the title", app("notifications/total.ts"), "unread: unread + others", "unread", /Expected: "\(1\) own/],
      ["names rooms elsewhere by their ids", app("inbox/card.tsx"), "`#${elsewhere.name}`", "id", /Timeout[^]*in #Chess club/],
      ["leaves mentions unread in a room that is shown", app("inbox/news.ts"), "    markElsewhere(page, shown).catch(() => undefined);", "", /the server knows/],
    ],
  },
  life: {
    "a message is quoted by keyboard, shows in both windows, and leads to what it quotes": [
      ["does not send what is quoted", client("kinds.ts"),
        "...(metadata && { metadata }), ...extras };",
        "...(metadata && { metadata }) };", /Objections by Monday/],
    ],
    "Escape takes a quote back, and a deleted message is quoted without its text": [
      ["quotes what was deleted", app("message/quote.tsx"),
        "return found ? textOf(found) : quote?.text || undefined;", "return quote?.text;", /Timeout[^]*Message deleted/],
      ["keeps quoting after Escape", app("composer/composer.tsx"), "unquote();\n    }", "}", /Timeout[^]*Do not quote/],
    ],
    "a quote of a message that is not loaded has its text, on a phone too": [
      ["has no words for a quote that is not loaded", app("message/quote.tsx"),
        '.then(m => setText(textOf(m)), () => setText(""));', ".catch(() => undefined);", /Timeout[^]*long ago/],
    ],
    "a message is pinned and taken away by keyboard, and the panels of both show it immediately": [
      ["offers a pin to those who may not", app("access/rights.ts"),
        'room.kind === "direct" || room.pinning === "members"',
        'room.kind === "direct" || room.pinning', /Unpin the message of ann|name: 'Pin'/],
      ["does not follow pins", app("message/pins.tsx"),
        '["pins.changed", "message.edited"', '["message.edited"', /Timeout[^]*the map is at/],
    ],
    "an emoji is found by its name and chosen by keyboard, and both windows count it": [
      ["forgets what the person chose when others react", client("timeline.ts"),
        "reactions: withOwn(m.reactions, reactions)", "reactions: m.reactions", /aria-pressed/],
    ],
    "a reaction that is refused is taken back, and a second window of the person has the choice, on a phone too": [
      ["leaves a reaction that was refused", client("kinds.ts"), "    alter(chat, room, of, m => applied(m, { ...act, on: !on }, true));\n    readAgain(chat, room, of, (m, { reactions = [] }) => reacted({ ...m, reactions }, emoji, !on, false));\n", "", /the choice is back|Timeout/],
      ["does not show in one window what the person chose in another", client("chat.ts"),
        'if (e.emoji || e.choices)', 'if (e.choices)', /it is chosen/],
    ],
    "a removal that is refused leaves the choice, also if the server has not counted it yet": [
      ["believes counts that lack the person's own reaction", client("kinds.ts"),
        "reacted({ ...m, reactions }, emoji, !on, false)", "({ ...m, reactions })", /the choice is back/],
    ],
    "a text that follows the key of the picker is for no message while the picker is loaded": [
      ["leaves the keys to the message while the picker is loaded", app("timeline/controls.tsx"),
        'import("../message/emoji-picker.js"), Opening)', 'import("../message/emoji-picker.js"))', /no thread is open/],
    ],
    "Escape closes the names, the arrows move, and a name that was taken out is not sent": [
      ["mentions the chosen person, though the name is gone", app("composer/completion.tsx"),
        "extrasOf(found, me.value)", "extrasOf({ people: chosen.current ?? [], unknown: [] }, me.value)", /"bob"/],
    ],
    "a name is completed by keyboard, is sent as an id, and is marked for whom it means": [
      ["does not tell whom a message mentions", app("message/message.tsx"),
        'mentioned && "mentions you", ', "", /Timeout[^]*mentions you/],
    ],
    "all of a room are mentioned by those who may": [
      ["offers everyone to those who may not", app("composer/options.tsx"),
        'info.roomMentions === "members"', "info.roomMentions", /bob may mention everybody/],
    ],
  },
  polls: {
    "a poll is written and voted in by keyboard, and both windows count the votes": [
      ["votes with each arrow", app("polls/poll.tsx"), "  if (to === undefined) return;\n  e.preventDefault();\n", "  if (to === undefined) return;\n", /moving is no vote/],
      ["forgets the vote when others vote", client("timeline.ts"),
        "options: withOwn(m.poll.options, poll?.options)", "options: m.poll.options", /the count leaves the choice|toBeChecked/],
      ["leaves the focus nowhere when a vote is taken back", app("polls/poll.tsx"),
        '    e.currentTarget.closest(".poll")?.querySelector("input")?.focus(); // the button goes\n', "", /toBeFocused/],
    ],
    "several choices are kept, a refused one is taken back, and a second window has them, on a phone too": [
      ["takes one of several choices", app("polls/poll.tsx"), "on ? [...chosen, i]", "on ? [i]", /is chosen/],
      ["leaves a vote that was refused", client("kinds.ts"), "    alter(chat, room, of, m => applied(m, { ...act, choices: before }, true));\n    readAgain(chat, room, of, (m, { poll }) => (chat.acts.find(act.id) || !poll ? m : { ...m, poll }));\n", "", /the choice is back/],
    ],
    "who voted is listed, and the list follows the votes; an anonymous poll has none": [
      ["does not follow votes", app("polls/votes.tsx"), '["counts.changed"]', "[]", /carl/],
      ["offers the voters of an anonymous poll", app("polls/poll.tsx"), "!poll.anonymous && poll.voters", "poll.voters", /toHaveCount/],
    ],
    "a poll shows its results and takes no votes when it has ended, and where the person may not write": [
      ["takes votes after the end", app("polls/ended.ts"), "Date.parse(poll.endsAt) <= now", "now < 0", /Ended/],
      ["lets those vote who may not write", app("polls/poll.tsx"), "const closed = !!access.barred || ended", "const closed = ended", /toBeDisabled/],
    ],
  },
  programs: {
    "posts as its bot, with another address after it was replaced, until it is removed": [
      ["copies no address of a webhook", app("ui/copy-field.tsx"),
        "await navigator.clipboard.writeText(value);", "", /the address is copied/],
      ["lists a webhook that was removed", app("room-settings/incoming.tsx"),
        "was removed.`);\n    loaded.reload();", "was removed.`);", /the webhook leaves the list/],
    ],
    "sends nothing before its receiver is confirmed, and is tested, switched off and deleted": [
      ["does not look for the answer to a challenge", app("room-settings/outgoing.tsx"),
        "n < looks", "n < 0", /locator\.waitFor: Timeout[^]*Sending/],
    ],
    "is offered where the deployment has it, and a private room says why not": [
      ["offers hooks where the deployment has none", app("room-settings/outgoing.tsx"),
        'if (loaded.value === "") return null;', "", /hooks are offered that the deployment has not/],
    ],
    "lists what was sent to hooks, and sends it again": [
      ["looks for deliveries once", app("developer/deliveries.tsx"),
        "setInterval(start, every)", "setTimeout(() => {}, every)", /locator\.waitFor: Timeout[^]*copy, (changes|challenge)/],
    ],
  },
  panels: {
    "the form sets every setting of the API but those with a reason": [
      ["cannot set who may pin", app("room-settings/settings.tsx"),
        'v => set({ pinning: v as Shape["pinning"] })', "() => undefined", /a field of the form, or a reason in unset/],
    ],
    "people come in by name and by a link, and the room goes to another": [
      ["joins a room without a question", app("navigation/invited.tsx"),
        "const token = useValue(page.invitation);", "const token = useValue(page.invitation); void accept(page, token);", /an address lets somebody join unasked/],
    ],
    "a menu stays open while its person comes and goes": [
      ["closes the menu of a person who comes", app("people/people.tsx"),
        "const here = still ?? now;", "const here = now;", /the menu is gone/],
    ],
    "a moderator mutes and bans with an end and a reason, and takes both back": [
      ["sends no reason of a mute", app("people/person.tsx"),
        "...(reason.trim() && { reason: reason.trim() }),", "", /"too loud"/],
    ],
    "each is offered what their role allows, and sees changes as they happen": [
      ["offers to moderators what only owners may do", app("access/rights.ts"),
        "ranks[from] < ranks.moderator && ranks[to] < ranks.moderator", "ranks[from] < ranks.moderator", /\+ +"Make moderator"/],
    ],
    "takes the focus, gives it back, and needs no mouse": [
      ["does not focus an opened menu", app("ui/menu.tsx"),
        'menu.current.querySelector("button")?.focus({ preventScroll: true });', "", /the focus is at Write to bob/],
    ],
    "covers a phone, whose rest cannot be reached meanwhile": [
      ["leaves what a panel covers on a phone in reach", app("panel/panel.tsx"),
        'other.toggleAttribute("inert", covering.matches)',
        'other.toggleAttribute("inert", false)', /Tab leaves the panel/],
    ],
    "says what it waits for, what failed, and what works again": [
      ["leaves a panel open that cannot be loaded", app("shell/app.tsx"),
        "  panel.value = null;\n  throw error;", "  throw error;", /the panel is closed/],
    ],
    "a save that comes too late shows both texts, and the person chooses": [
      ["forgets what was typed in a document", app("documents/editor.tsx"),
        "drafts.set(key, next);", "", /what was typed is lost/],
      ["cannot save over another version", app("documents/editor.tsx"),
        'over ? { "If-Match": `"${over.version}"` } : {}', "{}", /the chosen text is stored/],
    ],
  },
  a11y: {
    "offline, with a message that waits": [
      ["does not say that it is offline", app("shell/notices.tsx"),
        'now === "offline" ? `Offline. Messages will be sent when you are back.${since}`',
        'now === "offline" ? ""', /locator\.waitFor: Timeout[^]*Offline/],
    ],
    "when a person is signed out": [
      ["does not show that the person is signed out", app("session/connection.ts"),
        'if (now === "signed-out" || now === "suspended")', "if (false)", /locator\.waitFor: Timeout[^]*Signed out/],
    ],
    "signs in, sends, edits, finds a room, opens and closes a panel": [
      ["takes the buttons out of the order of Tab", app("ui/icons.tsx"),
        'type="button"\n      class="icon"',
        'type="button"\n      tabIndex={-1}\n      class="icon"', /Tab does not lead to People/],
      ["does not close a panel with Escape", app("panel/panel.tsx"),
        'e.key === "Escape" && !e.defaultPrevented', "false", /Escape closes the panel/],
      ["does not give the focus back", app("panel/panel.tsx"),
        "if (!lost) return;", "return;", /the focus is at People/],
      ["does not show where the focus is", app("styles/tokens.css"),
        ":focus-visible { outline: 2px solid var(--accent);",
        ":focus-visible { outline: none;", /the focus at People is not visible/],
      ["does not edit the last message with ArrowUp", app("composer/composer.tsx"),
        'e.key === "ArrowUp" && field.current?.value === ""', "false", /the focus is at Edit message/],
    ],
    "walks between messages with arrows and deletes one": [
      ["does not move between messages with arrows", app("timeline/keys.ts"),
        "ArrowUp: Math.max(0, at - 1)", "ArrowUp: at", /ArrowUp leads to the message above/],
    ],
    "text from right to left is laid out so, in messages and composer": [
      ["lays Hebrew out from the left", app("message/message.tsx"),
        '"body folded" : "body"} dir="auto"', '"body folded" : "body"}', /Expected: "rtl"[^]*Received: "ltr"/],
      ["lays Hebrew out from the left in the composer", app("composer/composer.tsx"),
        'rows={1}\n        dir="auto"', "rows={1}", /Expected: "rtl"[^]*Received: "ltr"/],
    ],
    "others' new messages are spoken once, history and own ones never": [
      ["speaks each message again at each change", app("timeline/announce.ts"),
        "this.#seen = new Set(view.messages.map(m => m.id));",
        "this.#seen ??= new Set(view.messages.map(m => m.id));", /fresh news is spoken again/],
      ["speaks what the person has written", app("timeline/announce.ts"),
        "!seen.has(m.id) && m.user !== user", "!seen.has(m.id)", /own or old words are spoken/],
      ["speaks history", app("timeline/announce.ts"),
        "if (!seen) return [];", "if (!seen) return view.messages;", /own or old words are spoken/],
    ],
    "in a room, with its actions, an edit, a menu and a question": [
      ["has a grey that is too light", app("styles/tokens.css"),
        "--quiet: light-dark(oklch(50% .016 250)",
        "--quiet: light-dark(oklch(66% .016 250)", /color-contrast[^]*a room, light|a room, light[^]*color-contrast/],
    ],
    "in the drawer of requests": [
      ["has a grey that is too dark at night", app("styles/tokens.css"),
        "oklch(70% .016 250));\n  --ink",
        "oklch(52% .016 250));\n  --ink", /color-contrast[^]*requests, dark|requests, dark[^]*color-contrast/],
    ],
    "360 px and 200 % zoom have no horizontal scroll": [
      ["does not break long words", app("styles/timeline.css"),
        ".body { white-space: pre-wrap; overflow-wrap: anywhere;",
        ".body { white-space: pre-wrap;", /\+ +"span\.text"/],
    ],
    "targets on a phone are large enough": [
      ["has small buttons for fingers", app("styles/tokens.css"),
        "@media (pointer: coarse) { :root { --target: 44px; --typed: 1rem; } }", "", /the shorter side of/],
    ],
    "reduced motion moves nothing": [
      ["moves a panel for those who want no motion", app("styles/panel.css"),
        "/* The panel:",
        "@keyframes slide { from { transform: translateX(40px); } } .panel { animation: slide 10s !important; }\n/* The panel:", /\+ +"slide"/],
    ],
  },
  measure: {
    "a message costs one request, and keys at most one frame in 8 seconds": [
      ["tells each key", client("presence.ts"),
        "return now - this.#typedAt >= TYPING_EVERY && !!(this.#typedAt = now);", "return true;", /frames of typing[^]*Received: \d\d/],
    ],
    "the words for a slow connection and then for slow messages move nothing": [
      ["moves the words of its notice", app("composer/composer.tsx"),
        "<span key={passing}>{passing}</span>", "<span>{passing}</span>", /Loading messages[^]* from/],
    ],
    "the page is small: an empty cache transfers 90 KB at most, 60 of them scripts": [
      ["has more scripts than the budget", app("main.tsx"),
        'import { render } from "preact";',
        "import { render } from \"preact\";\nimport \"axe-core\";", /scripts of/],
    ],
    "nothing shifts while a page loads at 360 px: the offer of a second person, and a draft": [
      ["shows the draft after the first paint", app("composer/draft.ts"),
        "    if (!f) return;\n    show(f);", "    if (!f) return;\n    setTimeout(() => show(f), 100);", /toEqual[^]*main\.room-pane div\.foot/],
    ],
    "pending to sent moves nothing": [
      ["makes a row higher while it is sent", app("message/message.tsx"),
        '{message.status === "failed" && <NotDone', "{message.status && <NotDone", /element \d+ was at|toHaveLength/],
    ],
    "a message that comes while older ones are read moves nothing": [
      ["follows new messages while older ones are read", app("timeline/viewport.ts"),
        "if (!goal) this.keeper.restore();",
        "if (!goal) this.keeper.toEnd();", /another line is read|from -?[\d.]+ to|name: 'Jump to newest'/],
    ],
  },
  archive: {
    "an imported room is read back to its first message and forward to its last, in order and without a jump": [
      ["loses the line that is read when older messages come", app("timeline/scroll.ts"),
        "if (Math.abs(shift) >= 0.5) log.scrollTop += shift;", "", /the line that is read moved/],
      ["keeps the upper edge instead of the line that is read", app("timeline/scroll.ts"),
        "first ? [...others, first] : []", "first ? [first, ...others] : []", /the line that is read moved/],
    ],
  },
  session: {
    "asks about messages that wait, sends them first, and keeps them when the person cancels": [
      ["discards messages unasked", app("session/sign-out.tsx"), "if (unsent + draftsOf", "if (draftsOf", /Timeout[^]*2 messages were not sent/],
    ],
    "asks about drafts, and leaves none behind": [
      ["leaves drafts behind", app("session/session.ts"), "await forgetPerson(user).catch(() => undefined);", "", /the draft is gone/],
    ],
    "are signed out together, and signed in together": [
      ["does not follow a sign-out", app("session/tabs.ts"), "if (user === undefined) void end(", "if (false) void end(", /Timeout[^]*Signed out/],
    ],
    "code that could not be loaded is loaded when the network is back": [
      ["does not load again", app("ui/lazy.tsx"), "forget = onceBack(page, () => void start(page));", "", /Timeout[^]*Find rooms, people and messages/],
    ],
    "is one clear statement in the page": [
      ["says of an impossible room that it could not be loaded", client("pages.ts"), " || statusOf(e) === 422", "", /Timeout[^]*This room does not exist|toHaveCount/],
    ],
  },
  imported: {
    "a person signs in by their name and has their rooms and messages": [
      ["suggests nobody", app("session/suggestions.tsx"), "void find(name, stop.signal).then(setPeople", "void find(name, stop.signal).then(() => undefined",
        /the beginning of a word finds her/],
    ],
  },
  signin: {
    "a person signs in at the provider, returns to the route, writes, and signs out": [
      ["sends no verifier to the provider", app("session/oidc.ts"),
        "code_verifier: visit.verifier", 'code_verifier: ""', /locator\.waitFor: Timeout[^]*Rooms/],
      ["forgets the route at the sign-in", app("session/visit.ts"), "awaited ? visit.hash : location.hash", 'awaited ? "" : location.hash', /the route is lost/],
      ["does not follow the route after the sign-in", app("session/visit.ts"),
        'dispatchEvent(new Event("hashchange"));', "", /the page shows another room/],
      ["leaves the provider's session open", app("session/sign-out.tsx"),
        "o.leaveForGood(signIn, refresh)", "void signIn", /the provider's session is ended, too/],
      ["leaves the refresh token valid", app("session/oidc.ts"),
        "await revoke(p, refresh);", "", /the refresh token works after the sign-out/],
      ["forgets the refresh token before it is revoked", app("session/sign-out.tsx"),
        '  const refresh = stored()?.refresh;\n  await end(page, "left");', '  await end(page, "left");\n  const refresh = stored()?.refresh;', /the refresh token works after the sign-out/],
      ["asks its own host instead of the API's", app("session/connection.ts"),
        "url: api || location.origin", "url: location.origin", /Timeout[^]*(Create a room|tower)/],
    ],
    "a person signs out while the provider is out of reach": [
      ["keeps the tokens of a person who has signed out", app("session/session.ts"),
        "  forget(user, why);\n", "", /the tokens outlive the sign-out/],
      ["leaves for a provider that is out of reach", app("session/oidc.ts"),
        "await revoke(p, refresh);", "await revoke(p, refresh).catch(() => {});", /locator\.waitFor: Timeout[^]*Signed out|the person is not told/],
    ],
    "a person signs out while the provider does not answer": [
      ["waits for the provider for ever", app("session/oidc.ts"),
        "Promise.race([late, fetch", "Promise.race([fetch", /the person is not told/],
    ],
    "a person whom the provider knows is signed in without a click, at the route": [
      ["does not ask the provider", app("session/sign-in.ts"), "if (!await asks(signIn)) page", "page", /sees its page once/],
      ["asks the provider aloud", app("session/oidc.ts"), ', ...(silent && { prompt: "none" })', "", /Timeout[^]*Sign in/],
    ],
    "a person who has signed out is not signed in again unasked": [
      ["asks the provider after a sign-out", app("session/sign-in.ts"), 'lastEnding() === "left" || ', "", /is signed in again/],
    ],
    "tabs that renew together use each refresh token once": [
      ["renews in each tab", app("session/renewal.ts"), "if (!locks) return work();", "return work();", /a refresh token is used twice|locator\.waitFor: Timeout[^]*Message/],
    ],
    "an answer that this window did not ask for changes nothing": [
      ["forgets the route for an answer that nobody asked for", app("session/visit.ts"),
        "awaited ? visit.hash : location.hash", 'awaited ? visit.hash : ""', /the route is lost/],
      ["leaves a foreign answer in the address", app("session/visit.ts"),
        '["code", "error", "state"]', '["code", "error"]', /the query stays in the address/],
    ],
    "an answer that nobody asked for does not end a visit, whose own answer counts once": [
      ["takes a code with another state", app("session/visit.ts"),
        'visit?.state === query.get("state")', "visit !== null", /locator\.(waitFor|click): Timeout[^]*(Message|Sign in)/],
      ["waits for an answer that it had", app("session/visit.ts"),
        "  forgetVisit();\n  dispatch", "  dispatch", /locator\.waitFor: Timeout[^]*Message #attic/],
    ],
    "what a session left that ended while no page was open goes with the next start or sign-in": [
      ["keeps what an earlier session left", app("session/sign-in.ts"), 'if (signIn.kind !== "local")', "if (false)", /a page without a session keeps somebody/],
      ["keeps the person whose session another takes", app("session/sign-in.ts"), "if (before && !own)", "if (false)", /the session of another is kept/],
    ],
    "a provider that refuses somebody adds no words to the page's own": [
      ["shows a refusal in the words of the address", app("session/oidc.ts"),
        "codes.includes(refused)", "refused", /the reason is another's/],
    ],
    "tokens that end are renewed without a word": [
      ["does not renew its token", app("session/renewal.ts"),
        'if (signIn?.kind === "oidc" && held.refresh)',
        "if (false)", /the token is renewed|locator\.waitFor: Timeout[^]*(Rooms|Message)/],
    ],
  },
  suspension: {
    "a suspended person sees it, makes no requests, and comes back when it ends": [
      ["asks on when its person is suspended", client("http.ts"),
        "if (/suspended$/.test(problem?.type))",
        "if (false)", /locator\.waitFor: Timeout[^]*Your account is suspended/],
    ],
  },
  hostile: {
    "the texts show as they are, and none of them runs": [
      ["takes the texts of people for markup", app("ui/text.tsx"),
        'if (!names.length || !text.includes("@")) return text;',
        "if (!names.length) return <span dangerouslySetInnerHTML={{ __html: text }} />;", /locator\.waitFor: Timeout[^]*planted/],
    ],
    "the words of an address are nowhere in the page": [
      ["shows the id of a room that is gone", app("rooms/header.tsx"), '"Not found"', "room.id", /puts its words into the page/],
      ["shows the id of a room that is not known", app("state/names.ts"), ' : "this room");', " : decodeURIComponent(location.hash));", /a room that loads puts its words/],
    ],
    "an address of somebody who cannot be signed in does not change the session": [
      ["does not read an address that is no text", app("session/sign-in.ts"), "decoded(location", "decodeURIComponent(location", /Timeout[^]*no user id/],
    ],
    "are loaded from allowed hosts, without a referrer, and are initials otherwise": [
      ["loads pictures of every host", app("people/portrait.tsx"),
        "config.value?.avatarHosts?.some(host => src.startsWith(`https://${host}/`))", "!!src",
        /the picture of spy is loaded/],
      ["takes the beginning of a host for the host", app("people/portrait.tsx"),
        "src.startsWith(`https://${host}/`)", "src.startsWith(`https://${host}`)", /the picture of twin is loaded/],
      ["shows nothing for a picture that does not load", app("people/portrait.tsx"),
        'onLoad={e => e.currentTarget.classList.add("loaded")}', 'class="loaded"', /the picture of lost covers the initials/],
    ],
    "they are named wherever they are shown": [
      ["takes what every object has for people", client("people.ts"),
        "this.value = { __proto__: null as never, ...this.value, ...people };",
        "this.value = { ...this.value, ...people };", /the sender is named/],
      ["loses the name of a member called __proto__", app("people/people.tsx"),
        "Object.assign({ __proto__: null }, ", "Object.assign({}, ", /locator\.waitFor: Timeout[^]*Actions for Prue Toe/],
      ["loses the name of a banned person called __proto__", app("people/bans.tsx"),
        "Object.assign({ __proto__: null }, ", "Object.assign({}, ", /locator\.waitFor: Timeout[^]*Unban Prue Toe/],
      ["does not ask for the name of a person called constructor", app("people/cards.ts"),
        "const known: People = { __proto__: null as never, ...found",
        "const known: People = { ...found", /those who pin are named/],
    ],
    "they are called by their ids, or by the names that a room has, while their cards cannot be loaded": [
      ["calls a person by what every object has", app("state/names.ts"),
        "Object.hasOwn(people, user) ? people[user] : page.chat.value?.rooms.people[user]",
        "people[user] ?? page.chat.value?.rooms.people[user]", /another name is shown/],
    ],
  },
  moving: {
    "leaves counts next to its button, and presence stands off the initials": [
      ["covers counts with the button of the menu", app("styles/shell.css"), "  .room { padding-inline-end: calc(var(--row) + 4px); }", "", /the end of the count/],
      ["puts presence over the initials", app("styles/shell.css"), ".room .face.on::after { inset-inline-end: -4px; bottom: -4px; width: 5px; height: 5px; }", "", /initials to/],
    ],
    "leads to each unread room, then to unread threads": [
      ["passes unread threads over", app("shell/moves.ts"), ", ...threads(page)] : rooms", "] : rooms", /Timeout[^]*an answer/],
    ],
    "Escape marks the room as read, with an undo, and Shift+Escape everything, after a question": [
      ["undoes from the first of the shown messages", app("rooms/reading.ts"), "counted.at(-unread)?.id) || (line ?? \"\")", "counted.at(-1)?.id)", /esc-a, 61 unread/],
      ["marks everything without a question", app("shell/keys.ts"), 'dialog.value = "read"', 'void import("../rooms/reading.js").then(m => m.markAllRead(page))', /Timeout[^]*62 messages/],
      ["leaves threads unread", app("rooms/reading.ts"), "      run(() => markThreads(page)),\n", "", /Timeout[^]*Threads/],
      ["leaves mentions in threads unread", app("rooms/reading.ts"), "  if (head) await", "  if (!head) await", /"\(@1\) esc-a/],
    ],
    "the oldest unread mention is one key away, also in a thread": [
      ["goes to the newest mention", app("shell/moves.ts"), "unread.at(-1)?.message ?? oldest", "oldest ?? unread[0]?.message", /Timeout[^]*Thread in old-b/],
      ["leaves a mention in the shown thread unread", app("inbox/news.ts"), "    if (seq) await", "    if (!seq) await", /old-b, 1 mention/],
    ],
    "a panel whose code is late leaves the focus where the person went meanwhile": [
      ["takes the focus for a panel that comes late", app("panel/panel.tsx"),
        "!inside && (covering.matches || !moved)", "!inside", /the focus is at/],
    ],
    "a date that is found late leads nowhere in another room": [
      ["shows the message of a date in another room", app("timeline/day.tsx"),
        "    if (reader.value !== shown) return;\n    if (first) return shown?.show(first.id);\n", "    if (first) return reader.value?.show(first.id);\n", /404/],
    ],
  },
  writing: {
    "the bar has marks for the selected words, which stay hidden once they are": [
      ["takes the focus from the field with a mark", app("composer/marks.tsx"), "const stay = (e: Event) => e.preventDefault();", "const stay = (_: Event) => {};", /a mark leaves the focus/],
      ["shows marks that were hidden", app("composer/marks.tsx"), 'localStorage.setItem(key, shown ? "off" : "on");', "", /hidden marks/],
    ],
    "the preview of a text covers no message": [
      ["lets the preview float over the messages", app("styles/composer.css"), ".as-sent { max-height", ".as-sent { position: absolute; inset-inline: 0; inset-block-end: 100%; max-height", /the end of the newest message/],
    ],
    "open at their button over a page that is not dimmed, and are sheets on a phone": [
      ["opens pickers in the middle", app("ui/dialog.tsx"), "if (!narrow.matches) place(dialog, anchor);", "void place;", /pixels between the picker and its button/],
      ["dims the page behind a picker", app("styles/tokens.css"), ".near::backdrop { background: none; }", "", /the page behind/],
    ],
    "of people open at their button, too, and return the focus to it": [
      ["opens the picker for a direct message in the middle", app("shell/dialogs.tsx"), "<Find direct anchor={anchor}", "<Find direct", /New direct message: pixels between/],
      ["opens it at a button after a key", app("shell/dialogs.tsx"), 'document.activeElement?.closest(".rooms', 'document.querySelector(".rooms', /a key has no button/],
      ["invites in the middle", app("people/invite.tsx"), " anchor={anchor} onClose", " onClose", /Invite: pixels between/],
    ],
    "somebody outside a private room is named, and can be added before the message is sent": [
      ["does not say who is outside", app("composer/directory.ts"), "if (this.#whole) return true;", "if (this.#whole) return false;", /Timeout[^]*Zoe Zimmer is not in this room/],
      ["offers members to add people", app("composer/outside.tsx"), 'mayAdminister(info.me?.role ?? "", info)', "true", /members add nobody/],
      ["does not say who was not notified", app("composer/completion.tsx"), "      if (out) page.toast", "      if (!out) page.toast", /Timeout[^]*was not notified/],
    ],
    "in a large private room, who is beyond the first page of members is not taken for somebody outside": [
      ["takes members of a large room for people outside", app("composer/directory.ts"), "whole: !!answer && !answer.next", "whole: true", /Timeout[^]*Zadie None is not in this room/],
    ],
    "everyone in a large room is mentioned only after a question": [
      ["mentions many without a question", app("composer/mentions.ts"), "const mostUnasked = 20;", "const mostUnasked = 21;", /Timeout[^]*21 people will be notified/],
      ["asks before it has counted a small room", app("composer/completion.tsx"), "!directory.members && people.some", "directory.members && people.some", /@room play is sent/],
    ],
    "lists, quotes, links with a text and strikes are rendered": [
      ["does not read the words of a label", app("ui/inline.ts"), "disguises(text, href) ? ` (${href})` : \"\"", '""', /a label in disguise keeps its address/],
      ["shows a host in two scripts as it is written", app("ui/hosts.ts"), ")) ? text : href;", ")) ? text : text;", /a host in two scripts shows its letters/],
    ],
    "a name is looked up also if the code for it is late": [
      ["looks up no names that were typed before the code was there", app("composer/lookup.ts"),
        'typed.current = completion.current ? "" : text;', "", /Timeout[^]*nobody here/],
    ],
  },
  files: {
    "taking out the only file of a message with a text sends neither, and gives the text back": [
      ["posts the text whose only file was taken out", client("room.ts"), "files.length ? { ...m, files } : undefined", "files.length || m?.text ? { ...m!, files } : undefined", /toHaveCount/],
      ["loses the text whose only file was taken out", app("files/outgoing.tsx"), "if (ends) takeBack(message.text, button);", "", /what we/],
    ],
    "a pasted picture and picked files stand there, are described and removed by keys, and stay with the room": [
      ["loses the focus with a file", app("composer/tray.tsx"), "(next ?? field.current)?.focus();", "", /the focus is at Remove notes/],
    ],
    "cells are pasted as text, a copied file as a file, and other fields take none": [
      ["pastes the picture of a table's cells", app("composer/drop.ts"), "hasFiles(data) && !cells", "hasFiles(data)", /toHaveText[^]*plan\.png/],
    ],
    "a picture and a file keep their places when their message is stored": [
      ["moves a picture when its message is stored", app("files/outgoing.tsx"), "spaceOf([first, more[0]])", "{}", /toEqual/],
    ],
  },
  "profile-pictures": {
    "a picture is chosen and saved, replaced and removed, and others see it in every place": [
      ["keeps one's former picture", app("account/profile-form.tsx"), "card.value = saved;", "", /one's own message/],
      ["shows no uploaded picture of others", app("people/face.tsx"),
        "(card.picture || (", "((user === page.me.value && card.picture) || (", /a message/],
      ["asks for a link for each place", client("kept-links.ts"), "this.#kept.set(key, kept);", "", /a link is asked for again/],
      ["does not remove a picture", app("account/picture-field.tsx"),
        'onChoose(person.picture ? "" : undefined);', "onChoose(undefined);", /It is removed once you save/],
    ],
    "keys do all of it, and on a phone it fits": [
      ["loses the focus with the button that removes a picture", app("account/picture-field.tsx"),
        "input.current?.focus(); // the button", "// the button", /the focus is at Choose a picture/],
      ["breaks the line of the buttons", app("styles/panel.css"), ".own-picture .acts { gap: 4px; }", ".own-picture .acts { gap: 24px; }", /the buttons are in a line/],
    ],
    "a picture is dropped and pasted on the dialog": [
      ["gives the profile no files", app("composer/drop.ts"), ":is(.composer, .own-picture) [type=file]", ".composer [type=file]", /the preview after a paste/],
    ],
    "a file that is no picture, a broken one, and one that cannot be stored are refused in words at the control": [
      ["does not say why a picture is refused", app("account/picture-field.tsx"), "onProblem(explain(e));", "", /toHaveText/],
      ["saves a profile whose picture was refused", app("account/profile-form.tsx"),
        "return setProblem(sentence(explain(e)));", "setProblem(sentence(explain(e)));", /toHaveText/],
    ],
    "is asked for once more if it cannot be loaded, and is initials then": [
      ["asks for a picture for ever", app("people/portrait.tsx"), "if (!turn) return void find(", "return void find(", /a fresh link is asked for|toEqual/],
    ],
    "is shown if the second link works, and stays while the lists render again": [
      ["asks for no other link to a picture", app("people/portrait.tsx"), "if (!turn) return void find(page, address, user, picture, true);", "", /a message/],
      ["makes a picture anew for each card", app("people/portrait.tsx"), "key={picture} user", "key={Math.random()} user", /keeps its picture/],
    ],
    "that one face shows is in the first frame of the next": [
      ["shows initials before a picture that is loaded", app("people/portrait.tsx"), "ref={uncover}\n", "\n", /the initials flash/],
    ],
  },
  unsent: {
    "a message that was refused is marked in the list and in the title, and can be taken back": [
      ["counts nothing in the title", app("shell/app.tsx"), "failed ? `${failed} not sent · ` : \"\"", '""', /so does the title/],
      ["forgets the text that is taken back", app("message/not-done.tsx"), "  takeBack(text, from);\n", "", /the text is in the field again/],
    ],
    "a message that is refused while another room is shown is told there": [
      ["says nothing of another room", app("state/unsent.ts"), "      page.toast(", "      void (", /Timeout[^]*Not sent in behind/],
    ],
    "an edit that another device has overtaken asks which text stays": [
      ["overwrites what another device has written", client("kinds.ts"),
        'act.revision ? { "If-Match": `"${act.revision}"` } : undefined', "undefined", /Timeout[^]*edited elsewhere/],
      ["saves against the overtaken revision", client("doing.ts"), "again.elsewhere ?? again.revision", "again.revision", /it is saved/],
    ],
    "what one window does shows in the other, and is sent once": [
      ["tells no other window", client("shelf.ts"), "this.#channel?.postMessage(news);", "", /Timeout[^]*seen/],
      ["lets all windows send", client("shelf.ts"), "if (!this.#channel || !globalThis.navigator?.locks) return work(false);", "return work(false);", /one window sends it/],
    ],
  },
  reading: {
    "is sent when its time ends, or as the page is left": [
      ["keeps deletions as the page is left", client("deliver.ts"),
        'globalThis.addEventListener?.("pagehide", () => this.leave(), { signal: chat.ended });', "", /the second one is sent as the window leaves/],
    ],
    "that could not be sent is sent by the next window": [
      ["forgets deletions with its window", client("shelf.ts"),
        "await storage?.put(act).then(() => this.#kept.add(act.id), () => {});", "", /it is not lost/],
    ],
    "shows immediately and can be undone; only then nothing is sent": [
      ["sends deletions before their time", client("doing.ts"), "due: at + after", "due: at", /Timeout[^]*a hasty word/],
    ],
    "of another's message asks first, and a refusal is explained next to the message": [
      ["deletes others' messages without a question", app("message/actions.ts"),
        "if (m.user !== page.me.value) {", "if (!m) {", /Timeout[^]*alertdialog/],
    ],
    "that is refused gives the text back, says why next to it, and keeps what was written": [
      ["does not say why an edit was refused", app("message/message.tsx"),
        "const refused = !editing && message.acts?.find(a => a.error);", "const refused = null;", /Timeout[^]*Not saved/],
    ],
    "what is new is counted at the top while its line is out of sight, and is a click away": [
      ["counts new messages while their line is visible", app("timeline/reader.ts"),
        "this.#at.lineBeyond() && this.#since", "this.#since", /the line is in sight/],
    ],
    "a permalink shows what it leads to, and nothing moves when that arrives": [
      ["gives a preview its height when it arrives", app("styles/timeline.css"),
        "gap: 4px; height: 88px;", "gap: 4px;", /deep equality/],
    ],
    "a swipe quotes, a long press opens the actions, and scrolling does neither": [
      ["quotes at the slightest swipe", app("message/touch.ts"),
        "row && by >= reach", "row && by > 0", /a short swipe or scrolling quotes/],
    ],
  },
  people: {
    "that fail, are none, or never come leave the initials in every place": [
      ["covers the initials with a picture that never comes", app("styles/tokens.css"),
        ".face img:not(.loaded) { visibility: hidden; }", "", /the picture of slow covers the initials|the picture of lost covers the initials/],
    ],
    "that look alike have the user id next to them in every place": [
      ["compares names as they are stored", app("state/names.ts"), "looks = card?.skeleton;", "looks = card?.name.toLowerCase();", /the author ben3/],
      ["lets people take an id into their name", app("state/names.ts"), "add(`${card.skeleton} (${lookOfId(user)})`, user);", "", /the author ben7/],
      ["shows no id next to a name", app("state/names.ts"), "name !== user && seemsShared(page, people, user)", "seemsShared(page, people, user) && user === page.me.value", /the author ben1/],
    ],
    "that people have uploaded come before those of hosts": [
      ["shows pictures of hosts in place of uploaded ones", app("people/portrait.tsx"), "return picture ? <Uploaded", "return picture && !avatar ? <Uploaded", /toHaveAttribute/],
    ],
    "have initials of the name in the finder, too": [
      ["takes the initials from the user id", app("people/face.tsx"),
        "initials(name ?? plainNameOf(page, people, user))", "initials(plainNameOf(page, people, user))", /"RC"/],
    ],
    "opens by keyboard, and returns the focus": [
      ["loses the focus with a profile", app("people/profile.tsx"),
        'if (at === document.body || at?.closest(".profile")) face', "if (!at) face", /toBeFocused/],
    ],
    "of somebody who is not to be disturbed keeps the title quiet": [
      ["counts for those who are not to be disturbed", app("people/status.tsx"),
        "useOwnStatus()?.emoji === hush", "useOwnStatus()?.emoji === speech", /toHaveTitle/],
    ],
    "shows next to the name to others, and ends by itself": [
      ["leaves a status that has ended", app("people/status.tsx"),
        "const timer = setTimeout(() => render(n => n + 1), left);", "const timer = setTimeout(() => {}, left);", /the status has ended/],
    ],
    "the profile is edited in one dialog, and other programs' metadata stays": [
      ["loses other programs' metadata", app("account/profile-form.tsx"),
        "metadata: { ...metadata, timeZone }", "metadata: { timeZone }", /"theme": "sea"/],
    ],
    "shows in the list of direct rooms, live, after one read of each of 20 rooms": [
      ["reads who is online in every direct room", app("people/presence.ts"),
        ".slice(0, mostRooms)", "", /no more than 20/],
    ],
  },
  search: {
    "finds messages while one types, without accents and in Chinese, and opens them in their place": [
      ["marks the wrong part of a message", app("search/excerpt.ts"), "add(from, false);", "add(from - 1, false);", /what was searched for is marked/],
    ],
    "has filters that write the query, and completes names": [
      ["searches for a name that is not complete", app("search/search-panel.tsx"), "if (first) complete(first.value);\n        else keep();", "keep();", /from:bob/],
    ],
    "offers the messages of a person whose name is among the words, if nothing was found": [
      ["takes names for words", app("search/query.ts"), 'if (filtersOf(query).some(f => f.name === "from")) return [];', "if (query) return [];", /“ham” from Bob Baker/],
    ],
    "opens a reply in its thread, at the reply": [
      ["opens a thread at its end", app("search/open.ts"), "openThread(page, room, thread, id);", "openThread(page, room, thread);", /from kitchen/],
      ["looks for a reply among the newest", app("threads/thread.tsx"), "if (!row && hasOlder) return", "if (!row && !messages.length) return", /from kitchen/],
    ],
    "follows what is edited and deleted, and hides what a blocked person wrote": [
      ["shows results as they were", app("search/search-panel.tsx"), "timer = setTimeout(again, settle);", "", /the text has changed/],
      ["shows what a blocked person wrote", app("search/result.tsx"), "return m => !!m.blocked || blocked.has(m.user);", "return m => m.user === blocked.size;", /cem is blocked/],
    ],
    "shows the place at fault, selects it, and forgets a fault that is typed on": [
      ["counts the characters of a query in bytes", app("search/query.ts"), '[...query].slice(0, Number(character) - 1).join("").length', "new TextEncoder().encode(query.slice(0, Number(character) - 1)).length", /has:wings/],
    ],
    "an answer to an earlier query never shows": [
      ["shows an answer to an earlier query", app("search/found-messages.ts"), "return () => { clearTimeout(timer); control.abort(); };", "return () => clearTimeout(timer);", /an older answer shows/],
      ["shows an old answer as if it were new", app("search/search-panel.tsx"), "const old = found?.query !== query.trim();", "const old = false;", /the last results are dimmed/],
    ],
    "a word that is typed quickly is searched once": [
      ["searches at each key", app("search/found-messages.ts"), "const typingPause = 80;", "const typingPause = 0;", /searches of a quick word/],
    ],
    "on a phone, a result is not covered, and Back leads from the search": [
      ["covers the message that was found", app("search/open.ts"), "if (covering.matches) panel.value = null;", "", /the message is covered/],
    ],
  },
  versions: {
    "the page starts without a network, at a person whose token has expired, and renews it later": [
      ["does not say since when what it shows is old", app("shell/notices.tsx"), "` Shown as of ${", "`${", /Shown as of/],
    ],
    "a token that nothing renews ends the session when there is a network, not before": [
      ["signs people out for want of a network", app("session/renewal.ts"), 'await fetch("/", { method: "HEAD", signal: AbortSignal.timeout(probeTime) });', "", /Offline/],
    ],
    "a host that does not answer holds up neither a session nor a sign-in": [
      ["waits for the configuration for ever", app("session/sign-in.ts"), "setTimeout(resolve, patience, kept)", "void resolve", /name: 'Sign in'/],
    ],
    "code that is shown first without a network is there": [
      ["needs the network for its own files", "app/sw.ts", "kept(pathname).then(answer => answer ?? fetch(e.request))", "fetch(e.request)", /page\.reload: net::ERR_FAILED/],
    ],
    "a new version is offered next to a message that is being written, and a reload takes it with the text": [
      ["waits with a new version until all pages are closed", "app/sw.ts", "await self.skipWaiting();", "", /A new version is ready/],
      ["reloads itself for a new version", app("shell/new-version.tsx"), "offer(e.data !== own)", "e.data !== own && location.reload()", /A new version is ready/],
      ["keeps each version for ever", "app/sw.ts", "await caches.delete(other);", "void other;", /the versions that are kept/],
    ],
    "an open page keeps its version while another takes the next, and each has all of its code": [
      ["removes the files of an open page", "app/sw.ts", " && !held.some(lock => lock.name === other)", " && held", /the versions that are kept|Saved messages/],
    ],
    "a page that has no worker takes the place of one that had": [
      ["outlives the page of its server", "app/sw.ts", "await self.registration.unregister();", "", /the worker ends/],
    ],
  },
  phone: {
    "the bar of notices covers nothing: not the room, the list nor a panel": [
      ["lets the bar of notices cover the page", app("styles/shell.css"), ".notices { grid-column: 1 / -1; position: relative;", ".notices { position: fixed; inset: 0 0 auto;", /the top of \.head/],
    ],
    "a dialog that opens while the history goes back from a menu stays": [
      ["closes what opened meanwhile", app("state/layers.ts"), "this.#returning = is;", "", /waitForFunction: Timeout/],
    ],
    "a toast covers neither messages nor the field, and moves neither": [
      ["lets a toast float over the messages", app("styles/shell.css"), ".toast span { display: block;", ".toast span { position: fixed; bottom: 172px; display: block;", /what the toast overlaps/],
      ["shows a toast beneath a panel", app("ui/toast.tsx"), "const over = panel && covering.matches;", "const over = panel && !covering;", /what the toast overlaps[^]*it is covered/],
      ["moves the field for a toast", app("ui/toast.tsx"), '(seen || "foot") === place', 'place === "foot"', /the field, the header and the newest message stay/],
    ],
    "a text has the width of the composer, Enter begins a line, and the button sends": [
      ["lets Enter send on a phone", app("ui/aids.ts"), '"(pointer: coarse)").matches ? "line" : "send"', '"(pointer: coarse)").matches ? "send" : "send"', /what the keyboard shows/],
    ],
    "Enter does what the person chose for this browser": [
      ["forgets what Enter should do", app("ui/aids.ts"), 'localStorage.getItem("parley.enter") ?? usualEnter()', "usualEnter()", /by a finger is sent/],
    ],
    "the actions of messages pass below the label of their day": [
      ["shows the actions of messages above the label of the day", app("styles/timeline.css"), ".tools { z-index: 1;", ".tools {", /places where an action is above the day/],
    ],
    "what is tapped is as large as a finger": [
      ["lets fingers miss what is smaller than they are", app("styles/tokens.css"), "position: absolute; inset: calc(50% - 22px) 0;", "display: none;", /toEqual[^]*title/],
    ],
    "a menu follows the phone's orientation, and Back closes it in both": [
      ["keeps a menu that lost its place", app("ui/menu.tsx"), 'narrow.addEventListener("change", close);', "", /a menu that lost its place/],
    ],
    "the way to the list is Back, where that leads there": [
      ["adds an entry to the history on the way back", app("state/route.ts"), "history.back();\n    else this.go();", "this.go();\n    else this.go();", /toBe\(expected\)/],
    ],
  },
};

/** Returns the faults as objects. */
export const faults = Object.entries(tests).flatMap(([suite, found]) => Object.entries(found).flatMap(([test, list]) =>
  list.map(([name, file, from, to, says]) => ({ suite, test, name, file, from, to, says }))));
