// The items of a message's menu, in groups: answers, what one keeps of it, and what one rarely does.
// Their keys, Slack's and for a quote Zulip's, also work without the menu.
import type { Message, Room } from "@parley/client";
import type { Access } from "../access/access.js";
import { mayPin } from "../access/rights.js";
import { hasEnded } from "../polls/ended.js";
import { counts } from "../state/counts.js";
import type { Page } from "../state/page.js";
import { type MenuItem, narrow } from "../ui/menu.js";
import { actionsOf } from "./actions.js";
import { isThread } from "./find.js";
import { toggle } from "./edits.js";
import { quickEmoji } from "./recent-emoji.js";
import { isSaved, setSaved } from "./saved.js";

interface Context { readonly room: Room; readonly message: Message; readonly access: Access; readonly name: string }

const isOwn = (page: Page, message: Message): boolean => message.user === page.me.value;

/** Reports whether the person may delete a message. */
export const mayDelete = (page: Page, message: Message, access: Access): boolean =>
  !access.barred && (isOwn(page, message) || access.moderates);

/** Reports whether a message or a later one counts as unread. */
const canBeUnread = (page: Page, { value: { messages, hasNewer } }: Room, { id }: Message): boolean =>
  hasNewer || messages.slice(messages.findIndex(m => m.id === id)).some(m => counts(page, m));

/** Returns the items of a message's menu. */
export function itemsOf(page: Page, context: Context): MenuItem[] {
  const groups = [emoji(page, context), answers(page, context), uses(page, context), rare(page, context)];
  return groups.filter(g => g.length > 0)
    .flatMap((group, n) => group.map((item, i) => (n && !i ? { ...item, apart: true } : item)));
}

/** Returns items for the quick emoji, which are buttons where there is a mouse. */
function emoji(page: Page, { message, access }: Context): MenuItem[] {
  if (!narrow.matches || access.barred) return [];
  return quickEmoji().map(e => ({
    label: `React with ${e}`,
    emoji: e,
    run: () => toggle(page, message, e, !message.reactions?.some(r => r.emoji === e && r.me)),
  }));
}

function answers(page: Page, { room, message, access }: Context): MenuItem[] {
  const acts = actionsOf(page, room);
  const forward = { label: "Forward…", key: "F", run: () => acts.forward(message) };
  if (access.barred) return [forward];
  const items: MenuItem[] = [
    { label: "React", key: "R", run: () => acts.react(message) },
    { label: "Quote", key: ">", run: () => acts.quote(message) },
  ];
  if (message.poll && !hasEnded(message.poll, page.now())) items.unshift({ label: "Vote", run: acts.vote });
  if (!isThread(room)) items.push({ label: "Reply in thread", key: "T", run: () => acts.thread(message) });
  return [...items, forward];
}

function uses(page: Page, { room, message, access }: Context): MenuItem[] {
  const acts = actionsOf(page, room);
  const { info } = room.value;
  const saved = isSaved(page, message);
  const items: MenuItem[] = [
    { label: "Copy link", key: "L", run: () => acts.copyLink(message) },
    { label: "Copy text", run: () => acts.copyText(message) },
  ];
  if (isOwn(page, message) && !access.barred) items.unshift({ label: "Edit", key: "E", run: () => acts.edit(message) });
  if (message.quote) items.push({ label: "Go to quoted message", run: () => acts.toQuoted(message) });
  if (info && mayPin(info.me?.role ?? "", info)) items.push({ label: "Pin", key: "P", run: () => acts.pin(message) });
  items.push({
    label: saved ? "Remove from saved" : "Save for yourself",
    key: "A",
    run: () => void setSaved(page, message, !saved).catch(page.toastError),
  });
  if (access.member && !isThread(room) && canBeUnread(page, room, message)) {
    items.push({ label: "Mark as unread", key: "U", run: () => acts.markUnread(message) });
  }
  if (message.reactions?.length) items.push({ label: "Who reacted", run: () => acts.reactors(message) });
  if (message.editedAt) items.push({ label: "Edit history", run: () => acts.history(message) });
  return items;
}

function rare(page: Page, { room, message, access, name }: Context): MenuItem[] {
  const acts = actionsOf(page, room);
  const items: MenuItem[] = [];
  if (mayDelete(page, message, access)) {
    items.push({ label: "Delete", key: "Delete", danger: true, run: () => acts.remove(message) });
  }
  if (isOwn(page, message)) return items;
  if (!access.archived) items.push({ label: "Report", run: () => acts.report(message) });
  return [...items, { label: `Block ${name}`, run: () => acts.block(message, name) }];
}
